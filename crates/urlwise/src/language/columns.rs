//! [`Words`]: a text in every language, checked by the compiler.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

use super::choice::Language;
#[cfg(all(feature = "std", any(feature = "ja", feature = "zh")))]
use super::kept::kept;
use super::packed::{Packed, unpacked};
use super::phrases::is_same;
use super::placeholders::{Placeholders, has_placeholder};
use super::{ja, zh};
use crate::word;

/// A fixed text in every language that is built in. `{name}` stands for what is filled in. Displays in English.
///
/// It is one string, which [`translated!`](crate::translated) joins when the program is compiled.
///
/// ```
/// use urlwise::{Language, Words, translated};
///
/// const GREETING: Words = translated!("hello, {name}", "{name}さん、こんにちは", "{name}，你好");
///
/// assert_eq!(GREETING.get(Language::En), "hello, {name}");
/// let greeting = GREETING.filled(Language::En, |name, f| f.write_str(if name == "name" { "joe" } else { "" }));
/// assert_eq!(greeting.to_string(), "hello, joe");
/// ```
#[derive(Clone, Copy, Eq)]
pub struct Words(&'static str);

/// What separates the languages of a text. Text that is the same in all of them is there once.
const SEPARATOR: u8 = 0;

/// A text in English, Japanese and Chinese: [`Words`].
///
/// Texts whose placeholders differ do not compile:
///
/// ```compile_fail
/// const GREETING: urlwise::Words = urlwise::translated!("hello, {name}", "こんにちは", "{name}，你好");
/// ```
#[macro_export]
macro_rules! translated {
    ($en:expr, $ja:expr, $zh:expr $(,)?) => {{
        // The compiler makes a constant three or four times, and a static once; the same texts are merged where they are constants.
        static COLUMNS: [&str; 3] = [$en, $ja, $zh];
        static LENGTH: usize = $crate::Words::length(COLUMNS);
        static JOINED: [u8; LENGTH] = $crate::Words::join(COLUMNS);
        const OCTETS: [u8; LENGTH] = JOINED;
        const WORDS: $crate::Words = $crate::Words::joined(&OCTETS);
        WORDS
    }};
}

/// Defines `words!`, `message!` and `filled!` for a crate, in its module of languages: `define_words!($ crate::language)`. The module has the
/// tables, `ja::PHRASES` and `zh::PHRASES`: slices of slices, whose rows are an English text and its translation.
#[doc(hidden)]
#[macro_export]
macro_rules! define_words {
    ($dollar:tt $($language:tt)+) => {
        // Not constants, which the compiler makes again for each generic function that uses them.
        pub(crate) static JA: $crate::Phrases = $crate::Phrases::new(ja::PHRASES);
        pub(crate) static ZH: $crate::Phrases = $crate::Phrases::new(zh::PHRASES);

        /// A text by its English words: [`Words`](urlwise::Words).
        macro_rules! words {
            ($dollar en:expr) => {
                $crate::translated!(
                    $dollar en,
                    $($language)+::JA.translation($dollar en),
                    $($language)+::ZH.translation($dollar en)
                )
            };
        }
        pub(crate) use words;

        /// A [`Message`](urlwise::Message) by its English words, with a value for each placeholder:
        /// `message!("no host is called {name}", name = "x")`.
        #[allow(unused_macros, reason = "not every crate has messages")]
        macro_rules! message {
            ($dollar en:expr $dollar(, $dollar name:ident = $dollar value:expr)* $dollar(,)?) => {{
                const _: () = $crate::Words::assert_placeholders($dollar en, &[$dollar(stringify!($dollar name)),*]);
                $crate::Message::new($($language)+::words!($dollar en))
                    $dollar(.with(stringify!($dollar name), $dollar value))*
            }};
        }
        #[allow(unused_imports, reason = "not every crate has messages")]
        pub(crate) use message;

        /// What is displayed at once, without a copy of what is filled in: `filled!(language, "no host is called {name}", name = "x")`.
        #[allow(unused_macros, reason = "not every crate displays")]
        macro_rules! filled {
            ($dollar language:expr, $dollar en:expr $dollar(, $dollar name:ident = $dollar value:expr)* $dollar(,)?) => {
                // No block, at whose end the values would be gone.
                $crate::FilledWords {
                    words: {
                        const _: () = $crate::Words::assert_placeholders($dollar en, &[$dollar(stringify!($dollar name)),*]);
                        $($language)+::words!($dollar en)
                    },
                    language: $dollar language,
                    values: [$dollar((stringify!($dollar name), &$dollar value as &dyn ::core::fmt::Display)),*],
                }
            };
        }
        #[allow(unused_imports, reason = "not every crate displays")]
        pub(crate) use filled;
    };
}

impl PartialEq for Words {
    fn eq(&self, other: &Words) -> bool {
        // To compare octets takes some processors as long as a hundred of them, even if there are none: a constant that is empty points
        // to no memory. Most are the same constant, or have another length.
        let (ours, theirs) = (self.0, other.0);
        core::ptr::eq(ours, theirs) || (ours.len() == theirs.len() && (ours.is_empty() || ours == theirs))
    }
}

impl Words {
    /// No text.
    pub const NONE: Words = Words::same("");

    /// A text that is the same in every language: code, or a name.
    pub const fn same(text: &'static str) -> Words {
        Words(text)
    }

    /// The text of a language.
    // A program asks for some in a thousand places, and a copy of this in each would be as large as the texts.
    #[inline(never)]
    pub fn get(self, language: Language) -> Cow<'static, str> {
        #[cfg(all(feature = "std", any(feature = "ja", feature = "zh")))]
        if language != Language::En {
            if let Some(kept) = kept(self.0, language, || self.made(language).into_owned()) {
                return Cow::Borrowed(kept);
            }
        }
        self.made(language)
    }

    fn made(self, language: Language) -> Cow<'static, str> {
        let (en, columns) = halves(self.0, SEPARATOR).map_or((self.0, None), |(en, columns)| (en, Some(columns)));
        let (column, characters) = match (language, columns) {
            (Language::En, _) => (None, ""),
            #[cfg(feature = "ja")]
            (Language::Ja, columns) => {
                (columns.map(|both| halves(both, SEPARATOR).map_or(both, |(ja, _)| ja)), ja::CHARACTERS)
            }
            #[cfg(feature = "zh")]
            (Language::Zh, columns) => {
                (columns.map(|both| halves(both, SEPARATOR).map_or(both, |(_, zh)| zh)), zh::CHARACTERS)
            }
        };
        column.map_or(Cow::Borrowed(en), |column| unpacked(column, characters).into())
    }

    /// The English text.
    pub const fn en(self) -> &'static str {
        let octets = self.0.as_bytes();
        let mut end = 0;
        while end < octets.len() && octets[end] != SEPARATOR {
            end += 1;
        }
        text(octets.split_at(end).0)
    }

    /// Writes the text of a language.
    #[inline(never)]
    pub fn write(self, language: Language, f: &mut dyn fmt::Write) -> fmt::Result {
        f.write_str(&self.get(language))
    }

    /// Whether there is no text at all.
    pub const fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The text of a language, with each `{name}` written by `fill`.
    pub fn filled<F>(self, language: Language, fill: F) -> impl fmt::Display + use<F>
    where
        F: Fn(&str, &mut fmt::Formatter<'_>) -> fmt::Result,
    {
        Filled { template: self.get(language), fill }
    }

    #[inline(never)]
    fn text_with(self, language: Language, values: &[(&'static str, &dyn fmt::Display)]) -> String {
        let template = self.get(language);
        let mut text = String::with_capacity(length_of(&template));
        // Writing to a String cannot fail.
        let _ = fill_in(&template, values, &mut text);
        text
    }

    #[inline(never)]
    fn write_with(
        self,
        language: Language,
        values: &[(&'static str, &dyn fmt::Display)],
        f: &mut dyn fmt::Write,
    ) -> fmt::Result {
        fill_in(&self.get(language), values, f)
    }

    /// How many octets [`join`](Words::join) makes of the columns.
    ///
    /// # Panics
    /// If not all have the same placeholders; in a `const` that is an error of compilation.
    #[doc(hidden)]
    pub const fn length([en, ja, zh]: [&str; 3]) -> usize {
        // Most have none, which is seen sooner than which they are.
        if has_placeholder(en) || has_placeholder(ja) || has_placeholder(zh) {
            let [of_en, of_ja, of_zh] = [Placeholders::of(en), Placeholders::of(ja), Placeholders::of(zh)];
            assert!(of_en.are_in(&of_ja) && of_ja.are_in(&of_en), "Japanese and English fill in different things");
            assert!(of_en.are_in(&of_zh) && of_zh.are_in(&of_en), "Chinese and English fill in different things");
        }
        let ja = if cfg!(feature = "ja") { 1 + Packed::Ja.length(ja) } else { 0 };
        let zh = if cfg!(feature = "zh") { 1 + Packed::Zh.length(zh) } else { 0 };
        en.len() + ja + zh
    }

    /// The columns that are built in.
    #[doc(hidden)]
    pub const fn join<const LENGTH: usize>([en, ja, zh]: [&str; 3]) -> [u8; LENGTH] {
        let mut joined = [SEPARATOR; LENGTH];
        let mut end = copy(en, &mut joined, 0);
        if cfg!(feature = "ja") {
            end = Packed::Ja.pack(ja, &mut joined, end + 1);
        }
        if cfg!(feature = "zh") {
            end = Packed::Zh.pack(zh, &mut joined, end + 1);
        }
        assert!(end == LENGTH, "every octet is a column's");
        joined
    }

    /// The text that [`join`](Words::join) made.
    #[doc(hidden)]
    pub const fn joined(octets: &'static [u8]) -> Words {
        Words(text(octets))
    }

    /// Sees that these are the placeholders of an English text.
    ///
    /// # Panics
    /// If they are not; in a `const` that is an error of compilation.
    #[doc(hidden)]
    pub const fn assert_placeholders(en: &str, names: &[&str]) {
        let (placeholders, names) = (Placeholders::of(en), Placeholders::named(names));
        assert!(names.are_in(&placeholders), "a value has no placeholder");
        assert!(placeholders.are_in(&names), "a placeholder has no value");
    }
}

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.en())
    }
}

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.en(), f)
    }
}

const fn text(octets: &[u8]) -> &str {
    match core::str::from_utf8(octets) {
        Ok(text) => text,
        Err(_) => panic!("columns are UTF-8"),
    }
}

/// Copies a text to this place, and returns its end.
const fn copy(text: &str, to: &mut [u8], mut at: usize) -> usize {
    let mut rest = text.as_bytes();
    while let [octet, behind @ ..] = rest {
        assert!(*octet != SEPARATOR, "no text contains the separator");
        to[at] = *octet;
        at += 1;
        rest = behind;
    }
    at
}

/// What `filled!` of [`define_words`](crate::define_words) makes: words, and a value for each placeholder.
#[doc(hidden)]
pub struct FilledWords<'v, const COUNT: usize> {
    pub words: Words,
    pub language: Language,
    pub values: [(&'static str, &'v dyn fmt::Display); COUNT],
}

impl<const COUNT: usize> FilledWords<'_, COUNT> {
    /// The same as a string, by shorter code than that of `to_string`.
    pub fn text(&self) -> String {
        self.words.text_with(self.language, &self.values)
    }
}

impl<const COUNT: usize> fmt::Display for FilledWords<'_, COUNT> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.words.write_with(self.language, &self.values, f)
    }
}

struct Filled<F> {
    template: Cow<'static, str>,
    fill: F,
}

impl<F: Fn(&str, &mut fmt::Formatter<'_>) -> fmt::Result> fmt::Display for Filled<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fill(&self.template, f, &self.fill)
    }
}

/// The text before the first octet of this kind, which is US-ASCII, and the text behind it: sooner than `split_once` in short texts.
fn halves(text: &str, separator: u8) -> Option<(&str, &str)> {
    let at = word::position(text.as_bytes(), separator)?;
    Some((&text[..at], &text[at + 1..]))
}

/// Writes a template with these values.
fn fill_in(template: &str, values: &[(&'static str, &dyn fmt::Display)], f: &mut dyn fmt::Write) -> fmt::Result {
    fill(template, f, &|name, f| match values.iter().find(|value| value.0 == name) {
        Some((_, value)) => write!(f, "{value}"),
        None => Ok(()),
    })
}

/// How long most texts are that a template makes: names and numbers are not much longer than their placeholders.
pub(crate) fn length_of(template: &str) -> usize {
    template.len() + 24
}

/// Writes a template; `{name}` is left to `fill`.
#[inline(never)]
pub(crate) fn fill<W: fmt::Write + ?Sized>(
    template: &str,
    f: &mut W,
    fill: &dyn Fn(&str, &mut W) -> fmt::Result,
) -> fmt::Result {
    let mut rest = template;
    while let Some((before, after)) = halves(rest, b'{') {
        let (name, after) = halves(after, b'}').unwrap_or((after, ""));
        f.write_str(before)?;
        fill(name, f)?;
        rest = after;
    }
    f.write_str(rest)
}

type ProblemRow = (&'static str, &'static str, &'static str);

/// The translations of the message and help of a problem code.
pub(crate) const fn problem(code: &str) -> [ProblemRow; 2] {
    [row(ja::PROBLEMS, code), row(zh::PROBLEMS, code)]
}

/// The texts of an audit rule.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RuleTexts {
    pub(crate) when: Words,
    pub(crate) message: Words,
    pub(crate) help: Words,
    pub(crate) page: Words,
}

/// The translations of the texts of an audit rule: when it applies, message, help and page.
pub(crate) const fn rule(id: &str) -> [[&'static str; 4]; 2] {
    [rule_row(ja::RULES, id), rule_row(zh::RULES, id)]
}

const fn row(rows: &[ProblemRow], code: &str) -> ProblemRow {
    let mut i = 0;
    while i < rows.len() {
        if is_same(rows[i].0.as_bytes(), code.as_bytes()) {
            return rows[i];
        }
        i += 1;
    }
    panic!("a problem code has no translation")
}

const fn rule_row(rows: &[(&str, [&'static str; 4])], id: &str) -> [&'static str; 4] {
    let mut i = 0;
    while i < rows.len() {
        if is_same(rows[i].0.as_bytes(), id.as_bytes()) {
            return rows[i].1;
        }
        i += 1;
    }
    panic!("an audit rule has no translation")
}
