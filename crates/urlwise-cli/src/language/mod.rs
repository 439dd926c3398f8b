//! The languages of messages: as in crate `urlwise`, English stands in the code, and every other language is a folder of tables, one
//! file per subject. A row begins with the English text. A row that is missing, or whose placeholders are not those of the English
//! text, does not compile.

pub(crate) mod ja;
pub(crate) mod zh;

use std::sync::OnceLock;

use urlwise::{Language, Message};

urlwise::define_words!($ crate::language);

static LANGUAGE: OnceLock<Language> = OnceLock::new();

/// The language of all messages of this run (D-113). English until one is [chosen](speak).
pub(crate) fn language() -> Language {
    LANGUAGE.get().copied().unwrap_or_default()
}

/// Chooses [`language`], once.
pub(crate) fn speak(language: Language) {
    LANGUAGE.get_or_init(|| language);
}

/// A message by its English words, with a value for each placeholder, as a string in the [language] of this run.
macro_rules! said {
    ($($message:tt)*) => {
        $crate::language::spoken($crate::language::message!($($message)*))
    };
}
pub(crate) use said;

/// A message in the [language] of this run.
#[inline(never)]
pub(crate) fn spoken(message: Message) -> String {
    message.into_text(language())
}

/// How many of something there are: English has a word for one and a word for more.
macro_rules! counted {
    ($one:expr, $many:expr, $count:expr) => {
        match $count {
            1 => $crate::language::message!($one, count = 1_usize),
            count => $crate::language::message!($many, count = count),
        }
    };
}
pub(crate) use counted;

/// What a message is about, such as an option or a file, and the message.
pub(crate) fn about(what: impl Into<urlwise::MessageValue>, message: impl Into<urlwise::MessageValue>) -> String {
    said!("{text}: {message}", text = what, message = message)
}

/// Messages one after another, as in `1 error, 2 warnings`.
pub(crate) fn list(messages: impl IntoIterator<Item = Message>) -> Message {
    let joined = messages.into_iter().reduce(|before, next| message!("{before}, {next}", before = before, next = next));
    joined.unwrap_or_else(|| "".into())
}

#[cfg(test)]
#[path = "../../../urlwise/src/language/checks.rs"]
mod checks;

#[cfg(test)]
fn tables() -> checks::Tables {
    checks::Tables::new(ja::PHRASES, zh::PHRASES)
}
