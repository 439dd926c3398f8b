//! [`diagnose`]: every problem of a text, and the best that can be read of it.

use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use crate::host::HostKind;
use crate::layout::{self, Layout};
use crate::level::Level;
use crate::mistakes;
use crate::parts::Parts;
use crate::problem::Problem;
use crate::profile::Profile;
use crate::reader::{Outcome, Reader, Report};
use crate::scheme::Scheme;
use crate::start;
use crate::url::rules::SchemeRules;
use crate::url::{Check, Url};

/// Reads any octets as a URL and reports everything that is wrong or worth knowing.
///
/// Continues after errors, in time linear in the input. Agrees with [`Url::parse_with`] on what is valid: both are the same
/// reader.
///
/// ```
/// use urlwise::{Level, Profile, diagnose};
///
/// let diagnosis = diagnose("http://good.example@evil.example:99999/a b", Profile::Rfc1738);
/// assert!(!diagnosis.is_valid());
/// let codes: Vec<_> = diagnosis.problems().iter().map(|problem| problem.code()).collect();
/// assert_eq!(codes, ["http-userinfo", "port-range", "bnf-char"]);
/// let host = diagnosis.parts().find(|part| part.name() == "host").unwrap();
/// assert_eq!(host.octets(), b"evil.example"); // what could be read
/// ```
pub fn diagnose<I: AsRef<[u8]> + ?Sized>(input: &I, profile: Profile) -> Diagnosis<'_> {
    Diagnosis::read(input.as_ref(), profile, start::report)
}

/// What [`diagnose`] found.
#[must_use]
#[derive(Clone)]
pub struct Diagnosis<'a> {
    octets: &'a [u8],
    layout: Layout,
    /// That of a registered scheme.
    check: Option<Check>,
    problems: Vec<Problem<'a>>,
}

impl<'a> Diagnosis<'a> {
    /// Reads octets to their end by `read`.
    pub(crate) fn read(
        octets: &'a [u8],
        profile: Profile,
        read: impl FnOnce(&mut Reader<'_, Report<'_>>) -> Outcome,
    ) -> Diagnosis<'a> {
        let (layout, problems) = mistakes::of(octets, profile, read);
        Diagnosis { octets, layout, check: None, problems }
    }

    /// Reads octets to their end by the rules of the registered scheme that they begin with.
    pub(crate) fn by(rules: SchemeRules, octets: &'a [u8], profile: Profile) -> Diagnosis<'a> {
        let diagnosis = Diagnosis::read(octets, profile, |reader| rules.read(reader));
        Diagnosis { check: rules.check, ..diagnosis }
    }

    /// The text.
    pub fn octets(&self) -> &'a [u8] {
        self.octets
    }

    /// The grammar it was read by.
    pub fn profile(&self) -> Profile {
        self.layout.profile()
    }

    /// Whether the text is a URL: no problem is an error.
    pub fn is_valid(&self) -> bool {
        self.problems.iter().all(|problem| problem.level() != Level::Error)
    }

    /// The URL, where the text is one.
    pub fn url(&self) -> Option<Url<&'a str>> {
        self.accepted().ok()
    }

    /// The URL, or the first error that keeps the text from being one.
    pub(crate) fn accepted(&self) -> Result<Url<&'a str>, &Problem<'a>> {
        match self.problems.iter().find(|problem| problem.level() == Level::Error) {
            Some(error) => Err(error),
            // No rule takes an octet outside US-ASCII, so what was read is text.
            None => {
                let text = core::str::from_utf8(self.octets).unwrap_or_default();
                Ok(Url::from_layout(text, self.layout).checked_by(self.check))
            }
        }
    }

    /// All problems, in the order of their first octets. Empty where there is nothing to say.
    pub fn problems(&self) -> &[Problem<'a>] {
        &self.problems
    }

    /// The scheme; `None` where none could be read.
    pub fn scheme(&self) -> Option<Scheme> {
        self.layout.scheme()
    }

    /// Where the scheme's name stands; `None` where none could be read. Its colon follows.
    pub fn scheme_span(&self) -> Option<Range<usize>> {
        self.layout.scheme_name.range()
    }

    /// The scheme's name as written; `None` where none could be read.
    pub fn scheme_name(&self) -> Option<&'a [u8]> {
        self.octets.get(self.scheme_span()?)
    }

    /// The parts that could be read, also of a text that is not valid.
    pub fn parts(&self) -> Parts<'a> {
        Parts::new(self.octets, self.layout)
    }

    /// Whether another profile reads the same text as the same parts of the same scheme, whatever it says of them: then what they
    /// name is the same.
    ///
    /// ```
    /// use urlwise::{Profile, diagnose};
    ///
    /// let text = "http://host.dom/~a?b";
    /// assert!(diagnose(text, Profile::Rfc1738).reads_alike(&diagnose(text, Profile::Current)));
    /// let text = "gopher://host.dom/1#end";
    /// assert!(diagnose(text, Profile::Rfc1738).reads_alike(&diagnose(text, Profile::Current))); // an error in both
    /// let text = "x-y://host.dom/a?b"; // its path ends at the `?`, or does not
    /// assert!(!diagnose(text, Profile::Rfc1738).reads_alike(&diagnose(text, Profile::Current)));
    /// ```
    pub fn reads_alike(&self, other: &Diagnosis<'_>) -> bool {
        self.octets == other.octets && self.layout.is_like(&other.layout)
    }

    /// What kind of host was read; `None` where none was, as in a mailto URL or before an error.
    pub fn host_kind(&self) -> Option<HostKind> {
        self.layout.slots[layout::HOST].range().map(|_| self.layout.host_kind())
    }

    /// The port in force: the one written, else the scheme's default. A port above 65535 counts as 65535.
    pub fn port_or_default(&self) -> Option<u16> {
        self.layout.port_or_default()
    }
}

impl fmt::Debug for Diagnosis<'_> {
    /// Problems and places; not the text, which may hold a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Diagnosis").field("parts", &self.parts()).field("problems", &self.problems).finish()
    }
}
