//! [`ParseError`]: why a text is not a URL. It is `'static`, and costs little until it is read.

use alloc::boxed::Box;
use core::fmt;

use super::rules::SchemeRules;
use crate::mistakes;
use crate::problem::Problem;
use crate::profile::Profile;
use crate::raw_problem::RawProblem;
use crate::start;

/// The text is not a URL: its first error.
///
/// The error borrows nothing, so `?` converts it to `Box<dyn Error>` and the like even where the text is borrowed. It keeps a copy of the
/// text and reads it again when the reason is asked for: a program that only wants to know whether a text is a URL does not
/// pay for the reason. Nothing is allocated for texts of up to 54 octets.
///
/// `Display` says what is wrong, where and why. Passwords are masked.
///
/// ```
/// use std::error::Error;
/// use urlwise::Url;
///
/// fn host_of(line: &str) -> Result<String, Box<dyn Error>> {
///     let url = Url::parse(line.trim())?;
///     Ok(url.host().ok_or("no host")?.to_string())
/// }
///
/// assert_eq!(host_of("gopher://host.dom/1\n")?, "host.dom");
/// let error = host_of("http://host.dom/a b\n").unwrap_err();
/// assert!(error.to_string().starts_with("error[bnf-char] at 17..18:"));
/// # Ok::<(), Box<dyn Error>>(())
/// ```
#[derive(Clone)]
pub struct ParseError {
    input: Input,
    profile: Profile,
    /// Those of a registered scheme.
    rules: Option<SchemeRules>,
}

impl ParseError {
    // Inlined so that the compiler leaves out the copy where the error is dropped unread.
    #[inline]
    pub(crate) fn new(octets: &[u8], profile: Profile) -> Self {
        ParseError { input: Input::new(octets), profile, rules: None }
    }

    /// The error of a text that the rules of a registered scheme refuse.
    pub(crate) fn by(rules: SchemeRules, octets: &[u8], profile: Profile) -> Self {
        ParseError { rules: Some(rules), ..ParseError::new(octets, profile) }
    }

    /// What is wrong: code, span, section and help.
    #[must_use]
    pub fn problem(&self) -> Problem<'_> {
        let octets = self.input();
        let first = match self.rules {
            _ if self.input.is_too_long() => None,
            Some(rules) => mistakes::first(octets, self.profile, |reader| rules.read(reader)),
            None => mistakes::first(octets, self.profile, start::report),
        };
        // Both readers are one program, so the second finds an error where the first did. Only the check of a registered scheme
        // could change its mind.
        Problem::new(octets, first.unwrap_or(RawProblem::TOO_LONG))
    }

    /// The octets that were refused. Empty where they were longer than 4 GiB.
    #[must_use]
    pub fn input(&self) -> &[u8] {
        self.input.octets()
    }

    /// The profile that refused them.
    #[must_use]
    pub fn profile(&self) -> Profile {
        self.profile
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.problem().fmt(f)
    }
}

impl fmt::Debug for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ParseError({self})")
    }
}

impl core::error::Error for ParseError {}

impl PartialEq for ParseError {
    /// By input and problem: which profile met the problem makes no difference.
    fn eq(&self, other: &Self) -> bool {
        self.problem() == other.problem()
    }
}

impl Eq for ParseError {}

/// A copy of a refused text. Short ones, which are most, stand in the value itself.
#[derive(Clone)]
pub(crate) struct Input {
    /// `None` where the text is short; empty where it is too long to be read, and so not copied either.
    long: Option<Box<[u8]>>,
    length: u8,
    short: [u8; SHORT],
}

/// As many as leave room beside a [`ParseError`] in another error before that takes 128 octets, where clippy calls it large.
const SHORT: usize = 54;

impl Input {
    // Inlined, and in separate fields, so that the compiler sees when the copy is not used.
    #[inline]
    pub(crate) fn new(octets: &[u8]) -> Self {
        let mut short = [0; SHORT];
        let long = match short.get_mut(..octets.len()) {
            Some(copy) => {
                copy.copy_from_slice(octets);
                None
            }
            None => Some(boxed(octets)),
        };
        Input { long, length: octets.len() as u8, short }
    }

    pub(crate) fn is_too_long(&self) -> bool {
        self.long.as_ref().is_some_and(|octets| octets.is_empty())
    }

    #[inline]
    pub(crate) fn octets(&self) -> &[u8] {
        match &self.long {
            Some(octets) => octets,
            None => self.short.get(..usize::from(self.length)).unwrap_or_default(),
        }
    }
}

#[cold]
#[inline(never)]
fn boxed(octets: &[u8]) -> Box<[u8]> {
    if u32::try_from(octets.len()).is_ok() { octets.into() } else { Box::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::mem::size_of;
    use std::vec;

    #[test]
    fn an_input_is_kept_whole_on_both_sides_of_the_line() {
        for length in [0, 1, SHORT - 1, SHORT, SHORT + 1, 1000] {
            let octets: vec::Vec<u8> = (0..length).map(|octet| octet as u8).collect();
            let input = Input::new(&octets);
            assert_eq!(input.octets(), octets);
            assert_eq!(input.long.is_none(), length <= SHORT);
        }
    }

    #[test]
    fn a_text_of_more_than_4_gib_is_explained_without_a_copy() {
        let input = Input { long: Some(Box::default()), length: 0, short: [0; SHORT] };
        let error = ParseError { input, profile: Profile::Rfc1738, rules: None };
        assert_eq!((error.problem().code(), error.input()), ("url-length", &[][..]));
    }

    #[test]
    fn an_error_is_no_larger_than_large_errors_may_be() {
        assert!(size_of::<ParseError>() <= 96, "{}", size_of::<ParseError>());
    }
}
