//! [`Message`]: a text and what is filled in, in every language.

use alloc::borrow::{Cow, ToOwned};
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::choice::Language;
use super::columns::{Words, fill, length_of};
use crate::display::{escape_for_display, is_harmful, padded};

/// A message that is made when a program runs: [`Words`] and the values of their `{placeholders}`. Displays in English.
///
/// Text from outside is a value. What could [harm](crate::is_harmful) a terminal in it is escaped.
///
/// ```
/// use urlwise::{Language, Message, Words, translated};
///
/// const SILENT: Words = translated!(
///     "`{host}` did not answer within {seconds} s",
///     "`{host}`は{seconds}秒以内に応答しなかった",
///     "`{host}`在{seconds}秒内没有应答",
/// );
/// let message = Message::new(SILENT).with("host", "h.dom").with("seconds", 60_u64);
/// assert_eq!(message.to_string(), "`h.dom` did not answer within 60 s");
/// # #[cfg(feature = "ja")]
/// assert_eq!(message.in_language(Language::Ja).to_string(), "`h.dom`は60秒以内に応答しなかった");
/// ```
///
/// A string becomes a message that is the same in every language:
///
/// ```
/// assert_eq!(urlwise::Message::from("no such word: {x}\u{1b}").to_string(), "no such word: {x}\\x1b");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Message {
    words: Words,
    values: Values,
}

/// The last one first. Boxed, because results contain messages, and most have no values.
#[derive(Clone, PartialEq, Eq)]
struct Values(Option<Box<Filling>>);

/// A value and those before it.
#[derive(Clone, PartialEq, Eq)]
struct Filling {
    name: &'static str,
    value: MessageValue,
    before: Values,
}

/// What is filled in: a number, text from outside, words, or another message.
#[derive(Clone, PartialEq, Eq)]
pub struct MessageValue(Value);

#[derive(Clone, PartialEq, Eq)]
enum Value {
    Number(u64),
    Text(Box<str>),
    Words(Words),
    Message(Message),
    /// In the order of [`Language::ALL`].
    Each(Box<[String]>),
}

/// The words of a message that is only its value.
const ALONE: Words = Words::same("{text}");

impl Message {
    /// These words, whose values follow [`with`](Message::with) their names.
    pub const fn new(words: Words) -> Message {
        Message { words, values: Values(None) }
    }

    /// What something else says in each language.
    ///
    /// ```
    /// use urlwise::{Message, Url};
    ///
    /// let error = Url::parse("http:").unwrap_err();
    /// let message = Message::of_each(|language| error.problem().message_in(language));
    /// assert_eq!(message.to_string(), error.problem().message().to_string());
    /// ```
    pub fn of_each<D: fmt::Display>(text: impl Fn(Language) -> D) -> Message {
        let texts: Vec<String> = Language::ALL.iter().map(|&language| harmless(text(language).to_string())).collect();
        Message::new(ALONE).with("text", MessageValue(Value::Each(texts.into())))
    }

    /// The same with a value for the placeholder of this name.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<MessageValue>) -> Message {
        self.add(name, value.into());
        self
    }

    // Messages are made in a thousand places. What each does is a call, or the places would be larger than the texts; so are the
    // other functions here that are not inlined.
    #[inline(never)]
    fn add(&mut self, name: &'static str, value: MessageValue) {
        let before = Values(self.values.0.take());
        self.values = Values(Some(Box::new(Filling { name, value, before })));
    }

    /// The message in a language.
    pub fn in_language(&self, language: Language) -> impl fmt::Display + '_ {
        Spoken { message: self, language }
    }

    /// Whether nothing in it is from outside: words of the program, and numbers.
    ///
    /// ```
    /// use urlwise::{Message, Words};
    ///
    /// assert!(Message::new(Words::same("port {port}")).with("port", 70_u64).is_fixed());
    /// assert!(!Message::from("h.dom").is_fixed());
    /// ```
    pub fn is_fixed(&self) -> bool {
        let mut next = &self.values;
        while let Values(Some(filling)) = next {
            let is_fixed = match &filling.value.0 {
                Value::Number(_) | Value::Words(_) => true,
                Value::Text(_) | Value::Each(_) => false,
                Value::Message(message) => message.is_fixed(),
            };
            if !is_fixed {
                return false;
            }
            next = &filling.before;
        }
        true
    }

    /// The message in a language, as a string: shorter code than that of [`in_language`](Message::in_language) where nothing else is done
    /// with the message.
    ///
    /// ```
    /// assert_eq!(urlwise::Message::from("no such word").into_text(urlwise::Language::En), "no such word");
    /// ```
    #[inline(never)]
    pub fn into_text(self, language: Language) -> String {
        let template = self.words.get(language);
        let mut text = String::with_capacity(length_of(&template));
        // Writing to a String cannot fail.
        let _ = self.write_by(&template, language, &mut text);
        text
    }

    /// Writes the message in a language.
    ///
    /// # Errors
    /// Those of `f`.
    pub fn write(&self, language: Language, f: &mut dyn fmt::Write) -> fmt::Result {
        self.write_by(&self.words.get(language), language, f)
    }

    fn write_by(&self, template: &str, language: Language, f: &mut dyn fmt::Write) -> fmt::Result {
        fill(template, f, &|name, f| {
            let mut next = &self.values;
            while let Values(Some(filling)) = next {
                if filling.name == name {
                    return filling.value.write(language, f);
                }
                next = &filling.before;
            }
            // Words that name a variable of something else.
            write!(f, "{{{name}}}")
        })
    }
}

impl Drop for Values {
    #[inline(never)]
    fn drop(&mut self) {
        drop(self.0.take());
    }
}

impl MessageValue {
    fn write(&self, language: Language, f: &mut dyn fmt::Write) -> fmt::Result {
        match &self.0 {
            Value::Number(number) => write!(f, "{number}"),
            Value::Text(text) => f.write_str(text),
            Value::Words(words) => words.write(language, f),
            Value::Message(message) => message.write(language, f),
            Value::Each(texts) => f.write_str(texts.get(language as usize).map_or("", String::as_str)),
        }
    }
}

struct Spoken<'a> {
    message: &'a Message,
    language: Language,
}

impl fmt::Display for Spoken<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        padded(f, |f| self.message.write(self.language, f))
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.in_language(Language::En).fmt(f)
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_string(), f)
    }
}

impl fmt::Debug for MessageValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(Language::En, f)
    }
}

impl From<Words> for Message {
    fn from(words: Words) -> Message {
        Message::new(words)
    }
}

impl From<Message> for MessageValue {
    fn from(message: Message) -> MessageValue {
        MessageValue(Value::Message(message))
    }
}

impl From<Words> for MessageValue {
    fn from(words: Words) -> MessageValue {
        MessageValue(Value::Words(words))
    }
}

impl From<String> for MessageValue {
    #[inline(never)]
    fn from(text: String) -> MessageValue {
        MessageValue(Value::Text(harmless(text).into()))
    }
}

impl From<&str> for MessageValue {
    #[inline(never)]
    fn from(text: &str) -> MessageValue {
        text.to_owned().into()
    }
}

impl From<Cow<'_, str>> for MessageValue {
    #[inline(never)]
    fn from(text: Cow<'_, str>) -> MessageValue {
        text.into_owned().into()
    }
}

macro_rules! alone {
    ($($text:ty),*) => {$(
        impl From<$text> for Message {
            #[inline(never)]
            fn from(text: $text) -> Message {
                Message::new(ALONE).with("text", text)
            }
        }
    )*};
}

alone!(String, &str, Cow<'_, str>);

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl From<$number> for MessageValue {
            fn from(number: $number) -> MessageValue {
                MessageValue(Value::Number(number as u64))
            }
        }
    )*};
}

numbers!(u8, u16, u32, u64, usize);

/// The text with what could harm a terminal escaped.
fn harmless(text: String) -> String {
    // What most texts are, looked at many octets at once.
    let is_plain = text.bytes().fold(true, |all, octet| all & matches!(octet, b' '..=b'~'));
    if is_plain || !text.contains(is_harmful) {
        return text;
    }
    let mut octets = [0; 4];
    let pieces = text.chars().map(|c| match is_harmful(c) {
        true => escape_for_display(c.encode_utf8(&mut octets).as_bytes()).to_string(),
        false => c.into(),
    });
    pieces.collect()
}

#[cfg(test)]
mod tests {
    use super::Message;
    use crate::language::Words;
    use std::format;
    use std::string::ToString;

    #[test]
    fn what_harms_no_terminal_is_shown_as_it_is() {
        for text in ["a\\n", "\u{e9}\\n", "\u{9045}"] {
            assert_eq!(Message::from(text).to_string(), text);
        }
        assert_eq!(Message::from("\u{e9}\\\n").to_string(), "\u{e9}\\\\n");
    }

    const BOTH: Words = crate::translated!("{a} and {b}", "{b}と{a}", "{a}和{b}");

    #[test]
    fn values_may_be_numbers_texts_words_and_messages() {
        let inner = Message::new(BOTH).with("a", 1_u8).with("b", Words::same("FTP"));
        let message = Message::new(BOTH).with("a", inner).with("b", "x{a}");
        assert_eq!(message.to_string(), "1 and FTP and x{a}");
        assert_eq!(format!("{message:20}|{message:.3}|{message:?}"), "1 and FTP and x{a}  |1 a|\"1 and FTP and x{a}\"");
    }

    #[test]
    fn a_message_is_fixed_if_no_value_of_its_own_or_within_one_is_from_outside() {
        let both = |a: super::MessageValue, b: super::MessageValue| Message::new(BOTH).with("a", a).with("b", b);
        let fixed = both(1_u8.into(), Words::same("FTP").into());
        assert!(fixed.is_fixed() && Message::new(BOTH).is_fixed());
        assert!(both(fixed.clone().into(), 2_u8.into()).is_fixed());
        for outside in [Message::from("x"), Message::of_each(|_| "x")] {
            assert!(!outside.is_fixed() && !both(outside.clone().into(), 2_u8.into()).is_fixed());
            assert!(!both(2_u8.into(), outside.into()).is_fixed());
        }
    }

    #[test]
    #[cfg(feature = "ja")]
    fn values_are_in_the_language_of_the_message() {
        use super::Language;

        let inner = Message::new(BOTH).with("a", 1_u8).with("b", 2_u8);
        let message = Message::new(BOTH).with("a", inner).with("b", Message::of_each(Language::tag));
        assert_eq!(message.in_language(Language::Ja).to_string(), "jaと2と1");
    }

    #[test]
    fn text_from_outside_harms_no_terminal() {
        assert_eq!(Message::from("a\n\u{202e}é\\").to_string(), "a\\n\\u{202e}é\\");
        assert_eq!(Message::of_each(|_| "\r").to_string(), "\\r");
    }
}
