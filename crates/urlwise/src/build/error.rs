//! Why no URL could be built.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::code::Code;
use crate::display::escape_for_display;
use crate::grammar::Production;
use crate::language::{Language, Message, Words, message};
use crate::level::Level;
use crate::problem::Problem;
use crate::raw_problem::RawProblem;

/// The parts make no URL: the text they make, and its problem.
///
/// `Display` says what is wrong, where in the text, by which rule, and how to fix it; it never quotes a password.
#[derive(Clone, PartialEq, Eq)]
pub struct Refused {
    octets: Vec<u8>,
    finding: RawProblem,
}

impl Refused {
    pub(crate) fn new(octets: Vec<u8>, finding: RawProblem) -> Self {
        Refused { octets, finding }
    }

    /// What is wrong.
    pub fn problem(&self) -> Problem<'_> {
        Problem::new(&self.octets, self.finding)
    }

    /// The text that the parts make; the problem's span is a place in it. It may hold a password.
    pub fn octets(&self) -> &[u8] {
        &self.octets
    }
}

/// An error that no reading of the whole text reports, because the text has another reading.
pub(crate) fn error(code: Code, span: core::ops::Range<usize>, rule: &'static Production) -> RawProblem {
    // Texts that were read are shorter than `u32::MAX`.
    RawProblem {
        code,
        level: Level::Error,
        start: span.start as u32,
        end: span.end as u32,
        rule: Some(rule),
        section: code.row().section,
        detail: Words::NONE,
        help: "",
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.problem().fmt(f)
    }
}

impl fmt::Debug for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Refused({})", self.problem())
    }
}

impl core::error::Error for Refused {}

/// Why a [`Draft`](crate::build::Draft) takes a part no more, or makes no URL.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// The scheme has no part of this name.
    UnknownPart {
        /// The name, fit to be shown.
        part: String,
        /// The scheme's name.
        scheme: String,
        /// The part whose name is nearest; `None` where none is near.
        near: Option<&'static str>,
        /// All names that the scheme has for its parts, also for those that are written as others: `path` in http, `local` and
        /// `domain` in mailto.
        known: Vec<&'static str>,
    },
    /// Only the profile `current` knows the part.
    NotInProfile {
        /// The part.
        part: &'static str,
    },
    /// The part is not a list and was given twice.
    Repeated {
        /// The part.
        part: &'static str,
    },
    /// A part cannot stand without another one.
    Missing {
        /// The part that is there.
        part: &'static str,
        /// The part that is not.
        needs: &'static str,
    },
    /// Two parts cannot stand in one URL.
    Conflict {
        /// The one.
        part: &'static str,
        /// The other.
        other: &'static str,
    },
    /// The octets have not the form of the part.
    Form {
        /// The part.
        part: &'static str,
        /// What they should be.
        why: Words,
    },
    /// The parts do not make a URL.
    Refused(Refused),
}

impl BuildError {
    pub(crate) fn unknown(part: &str, scheme: &str, known: Vec<&'static str>) -> Self {
        let near = nearest(part, known.iter().copied());
        BuildError::UnknownPart {
            part: escape_for_display(part.as_bytes()).to_string(),
            scheme: scheme.into(),
            near,
            known,
        }
    }
}

/// The first of the names that was probably meant by the given one; `None` where none is near.
///
/// ```
/// assert_eq!(urlwise::build::nearest("serach", ["selector", "search"]), Some("search"));
/// assert_eq!(urlwise::build::nearest("x", ["host"]), None);
/// ```
pub fn nearest<'n>(given: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    names.into_iter().find(|name| is_near(given, name))
}

/// Whether one name was probably meant for the other: one begins the other, or one letter is too many, missing, wrong or
/// swapped with its neighbour.
fn is_near(given: &str, name: &str) -> bool {
    const WORTH_COMPLETING: usize = 3;
    let (a, b) = (given.as_bytes(), name.as_bytes());
    if a.len() >= WORTH_COMPLETING && (name.starts_with(given) || given.starts_with(name)) {
        return true;
    }
    let same = a.iter().zip(b).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
    let (a, b) = (&a[same..], &b[same..]);
    let ends = |a: &[u8], b: &[u8]| a.eq_ignore_ascii_case(b);
    match (a, b) {
        ([_, a @ ..], [_, b @ ..]) if ends(a, b) => true,
        ([_, rest @ ..], b) if ends(rest, b) => true,
        (a, [_, rest @ ..]) if ends(a, rest) => true,
        ([a0, a1, a @ ..], [b0, b1, b @ ..]) => a0 == b1 && a1 == b0 && ends(a, b),
        _ => a.is_empty() && b.is_empty(),
    }
}

impl From<Refused> for BuildError {
    fn from(refused: Refused) -> Self {
        BuildError::Refused(refused)
    }
}

impl BuildError {
    /// What `Display` writes, in a language.
    ///
    /// ```
    /// use urlwise::Language;
    /// use urlwise::build::Draft;
    ///
    /// let error = Draft::new("ftp", urlwise::Profile::Rfc1738).add("prot", b"21").unwrap_err();
    /// let message = error.message_in(Language::from_locale("ja_JP.UTF-8")).to_string();
    /// # #[cfg(feature = "ja")]
    /// assert_eq!(message, "ftpのURLに部分`prot`はない。もしかして`port`か");
    /// # #[cfg(not(feature = "ja"))]
    /// # assert_eq!(message, error.to_string());
    /// ```
    pub fn message_in(&self, language: Language) -> impl fmt::Display + use<> {
        let message = match self {
            BuildError::UnknownPart { part, scheme, near: Some(near), .. } => message!(
                "{scheme} URLs have no part `{part}`; did you mean `{near}`?",
                scheme = scheme.as_str(),
                part = part.as_str(),
                near = *near
            ),
            BuildError::UnknownPart { part, scheme, near: None, known } => message!(
                "{scheme} URLs have no part `{part}`; known parts: {known}",
                scheme = scheme.as_str(),
                part = part.as_str(),
                known = known
                    .iter()
                    .map(|&name| Message::from(name))
                    .reduce(|before, next| message!("{before}, {next}", before = before, next = next))
                    .unwrap_or_else(|| "".into())
            ),
            BuildError::NotInProfile { part } => {
                message!("RFC 1738 does not define `{part}` here; use the profile `current`", part = *part)
            }
            BuildError::Repeated { part } => message!("`{part}` is given twice; give it once", part = *part),
            BuildError::Missing { part, needs } => {
                message!("`{part}` requires `{needs}`; give both", part = *part, needs = *needs)
            }
            BuildError::Conflict { part, other } => {
                message!("`{part}` and `{other}` cannot be combined; give only one", part = *part, other = *other)
            }
            BuildError::Form { part, why } => message!("`{part}` must be {why}", part = *part, why = *why),
            BuildError::Refused(refused) => Message::from(refused.problem().display_in(language).to_string()),
        };
        message.into_text(language)
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message_in(Language::En).fmt(f)
    }
}

/// No error has a source: `Display` of [`Refused`](BuildError::Refused) says all that the problem does.
impl core::error::Error for BuildError {}
