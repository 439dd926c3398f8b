//! Why a text is not repaired, and what may have been meant.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use super::halt::Why;
use crate::display::padded;
use crate::language::{Language, Words, words};
use crate::named::name_octets;
use crate::problem::Problem;
use crate::profile::Profile;
use crate::raw_problem::RawProblem;
use crate::scheme::secret::Masked;
use crate::section::Citation;

/// The text is not a valid URL and cannot be repaired unambiguously.
///
/// `Display` says what prevents the repair, where and why, and never shows a password.
#[derive(Clone)]
pub struct RepairError {
    span: Range<usize>,
    why: Box<Why>,
    /// The input as far as it could be repaired.
    text: Vec<u8>,
    suggestions: Vec<Suggestion>,
}

impl RepairError {
    pub(super) fn new(span: Range<usize>, why: Why, text: Vec<u8>, suggestions: Vec<Suggestion>) -> Self {
        RepairError { span, why: Box::new(why), text, suggestions }
    }

    /// The URLs that may have been meant, most likely first: the readings that stand against one another, or a guess that a
    /// person has to confirm. Empty if nothing suggests a URL.
    pub fn suggestions(&self) -> &[Suggestion] {
        &self.suggestions
    }

    /// The octets of the input that prevent the repair.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The stable name of the ambiguity or problem.
    pub fn code(&self) -> &'static str {
        self.why.code()
    }

    /// The section of RFC 1738 that holds the rule.
    pub fn section(&self) -> &'static str {
        match *self.why {
            Why::Ambiguous(refusal) | Why::Character(refusal, _) => refusal.section,
            Why::Problem(finding) => finding.section,
        }
    }

    /// The decision that settles what the RFC leaves open; `None` if the RFC is clear.
    pub fn decision(&self) -> Option<&'static str> {
        match *self.why {
            Why::Ambiguous(refusal) | Why::Character(refusal, _) => Some(refusal.decision),
            Why::Problem(_) => self.problem()?.decision(),
        }
    }

    /// What prevents the repair, in one line without a final period.
    pub fn message(&self) -> Cow<'static, str> {
        self.message_in(Language::En)
    }

    /// [`message`](RepairError::message) in a language.
    pub fn message_in(&self, language: Language) -> Cow<'static, str> {
        match *self.why {
            Why::Ambiguous(refusal) => refusal.message.get(language),
            Why::Character(refusal, c) => {
                let named = words!("{character}: {message}").filled(language, |name, f| match name {
                    "character" => name_octets(c.encode_utf8(&mut [0; 4]).as_bytes(), language, f),
                    _ => refusal.message.write(language, f),
                });
                named.to_string().into()
            }
            Why::Problem(finding) => self.problem_of(finding).message_in(language).to_string().into(),
        }
    }

    /// How to fix it, in one line; `None` if there is no help.
    pub fn help(&self) -> Option<Cow<'static, str>> {
        self.help_in(Language::En)
    }

    /// [`help`](RepairError::help) in a language.
    pub fn help_in(&self, language: Language) -> Option<Cow<'static, str>> {
        match *self.why {
            Why::Ambiguous(refusal) | Why::Character(refusal, _) => Some(refusal.help.get(language)),
            Why::Problem(finding) => self.problem_of(finding).help_in(language).map(|help| help.to_string().into()),
        }
    }

    /// The code, the place, the message, its section and decision, and the help in a language, as `Display` writes them.
    pub fn display_in(&self, language: Language) -> impl fmt::Display + '_ {
        let help = self.help_in(language);
        let words = match help {
            Some(_) => words!("refused[{code}] at {start}..{end}: {message} ({citation}); {help}"),
            None => words!("refused[{code}] at {start}..{end}: {message} ({citation})"),
        };
        words.filled(language, move |name, f| match name {
            "code" => f.write_str(self.code()),
            "start" => write!(f, "{}", self.span.start),
            "end" => write!(f, "{}", self.span.end),
            "message" => f.write_str(&self.message_in(language)),
            "citation" => {
                let citation = Citation::new(self.section(), self.decision());
                write!(f, "{}", citation.display_in(language))
            }
            _ => f.write_str(help.as_deref().unwrap_or_default()),
        })
    }

    /// The problem; `None` for an ambiguous text. Its span refers to [`text`](RepairError::text).
    pub fn problem(&self) -> Option<Problem<'_>> {
        match *self.why {
            Why::Ambiguous(_) | Why::Character(..) => None,
            Why::Problem(finding) => Some(self.problem_of(finding)),
        }
    }

    /// The input as far as it could be repaired.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    fn problem_of(&self, finding: RawProblem) -> Problem<'_> {
        Problem::new(&self.text, finding)
    }
}

impl fmt::Display for RepairError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        padded(f, |f| write!(f, "{}", self.display_in(Language::En)))
    }
}

impl fmt::Debug for RepairError {
    /// Like `Display`: the text itself is left out, since it may contain a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for RepairError {}

/// A URL that may have been meant by a text that is not repaired.
///
/// It is a guess, or one reading of several: a program shows it to a person and never opens it unasked.
#[derive(Clone, PartialEq, Eq)]
pub struct Suggestion {
    pub(super) url: String,
    pub(super) profile: Profile,
    pub(super) why: Words,
}

impl Suggestion {
    /// The URL, valid in [`profile`](Suggestion::profile). It contains the password of the text, if there is one.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The profile in which it is valid: the requested one, or `current` if only that one accepts it.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// What speaks for it, in one line without a final period: "`www.` usually starts the name of a web server".
    pub fn why(&self) -> &'static str {
        self.why.en()
    }

    /// [`why`](Suggestion::why) in a language.
    pub fn why_in(&self, language: Language) -> Cow<'static, str> {
        self.why.get(language)
    }
}

impl fmt::Debug for Suggestion {
    /// The password of the URL is masked.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Suggestion({}: {})", Masked(&self.url), self.why())
    }
}
