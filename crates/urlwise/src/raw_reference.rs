//! References that are still octets: what tables of many texts keep of each.

use core::ops::Range;

use crate::grammar::FRAGMENT;
use crate::host::HostKind;
use crate::layout::{self, Layout};
use crate::mistakes;
use crate::profile::Profile;
use crate::raw_problem::RawProblem;
use crate::reader::{self, Until};
use crate::scheme::{PartKind, Scheme};
use crate::start;
use crate::url::common::{Spans, spans};

/// A text that was read as a [`Reference`](crate::Reference), still as octets: whether it is one, and where its parts stand.
///
/// For tables of many texts: nothing is copied, no octet of a valid text is looked at twice, and the places of the parts stay where they
/// were written. A text that is not a reference has an [error](RawReference::error) and no parts.
///
/// ```
/// use urlwise::{Profile, RawReference};
///
/// let text = b"http://host.dom/a#b";
/// let read = RawReference::read(text, Profile::Current);
/// let host = read.spans().and_then(|spans| spans.host);
/// assert_eq!((host, read.port_or_default(), read.fragment()), (Some(7..15), Some(80), Some(18..19)));
///
/// let error = *RawReference::read(b"http://host.dom/a b#c", Profile::Current).error().unwrap();
/// assert_eq!((error.code(), error.span()), ("bnf-char", 17..18));
/// ```
#[derive(Clone, Debug)]
pub struct RawReference<'a> {
    pub(crate) octets: &'a [u8],
    /// Where the URL ends: at the `#` before the fragment, or with the text.
    pub(crate) end: usize,
    /// Of the URL; as before reading where there is an error.
    pub(crate) layout: Layout,
    pub(crate) error: Option<FirstError>,
}

impl<'a> RawReference<'a> {
    /// Reads octets by the grammar of a profile.
    #[inline]
    pub fn read(octets: &'a [u8], profile: Profile) -> Self {
        // The layout is filled where it stays.
        let mut read = RawReference { octets, end: octets.len(), layout: Layout::new(profile), error: None };
        // No scheme allows a `#`: most texts have none, and are not searched for it.
        if start::check(octets, &mut read.layout).is_err() {
            read.read_again(profile);
        }
        read
    }

    /// What stands for a text that was too long to be kept: no octets, and the error `url-length` (D-15).
    ///
    /// ```
    /// use urlwise::{Profile, RawReference};
    ///
    /// let read = RawReference::too_long(Profile::Current);
    /// assert_eq!(read.error().map(|error| error.code()), Some("url-length"));
    /// ```
    pub fn too_long(profile: Profile) -> RawReference<'static> {
        let error = Some(FirstError::new(RawProblem::TOO_LONG));
        RawReference { octets: &[], end: 0, layout: Layout::new(profile), error }
    }

    /// Reads a text that is not a URL: its URL may end before a fragment.
    #[inline(never)]
    fn read_again(&mut self, profile: Profile) {
        self.end = url_end(self.octets);
        let url = &self.octets[..self.end];
        self.layout = Layout::new(profile);
        let is_url = url.len() < self.octets.len() && start::check(url, &mut self.layout).is_ok();
        let error = match is_url {
            true => fragment_error(profile, self.octets, self.end),
            false => Some(url_error(profile, url)),
        };
        if let Some(error) = error {
            self.layout = Layout::new(profile);
            self.error = Some(FirstError::new(error));
        }
    }

    /// The text.
    #[inline]
    pub fn octets(&self) -> &'a [u8] {
        self.octets
    }

    /// The first error; `None` if the text is a reference.
    #[inline]
    pub fn error(&self) -> Option<&FirstError> {
        self.error.as_ref()
    }

    /// The scheme.
    #[inline]
    pub fn scheme(&self) -> Option<Scheme> {
        self.layout.scheme()
    }

    /// Where the name of the scheme stands.
    #[inline]
    pub fn scheme_name(&self) -> Option<Range<usize>> {
        self.layout.scheme_name.range()
    }

    /// Where the parts stand that schemes have in common.
    #[inline]
    pub fn spans(&self) -> Option<Spans> {
        self.error.is_none().then(|| spans(&self.layout, self.end))
    }

    /// Where the fragment stands, behind the `#`.
    #[inline]
    pub fn fragment(&self) -> Option<Range<usize>> {
        (self.error.is_none() && self.end < self.octets.len()).then(|| self.end + 1..self.octets.len())
    }

    /// Where a part of its scheme stands; `None` where it is absent.
    #[inline]
    pub fn span_of(&self, kind: &PartKind) -> Option<Range<usize>> {
        self.layout.slots[kind.slot].range()
    }

    /// The port in force: the one written, else the default of the scheme.
    #[inline]
    pub fn port_or_default(&self) -> Option<u16> {
        self.layout.port_or_default()
    }

    /// Name or address; `None` where there is no host.
    #[inline]
    pub fn host_kind(&self) -> Option<HostKind> {
        self.layout.slots[layout::HOST].range().map(|_| self.layout.host_kind())
    }
}

/// The first error of a text, as numbers: its code and its octets. The whole [`Problem`](crate::Problem) is what [`diagnose`](crate::diagnose)
/// gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstError {
    code: &'static str,
    start: u32,
    end: u32,
}

impl FirstError {
    pub(crate) fn new(error: RawProblem) -> Self {
        FirstError { code: error.code.row().name, start: error.start, end: error.end }
    }

    /// The stable name, for example `bnf-char`.
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// The octets that the error is about; an empty span marks where something is missing.
    pub fn span(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Where the URL of a reference ends: at the first `#` or at the end.
pub(crate) fn url_end(octets: &[u8]) -> usize {
    octets.iter().position(|&octet| octet == b'#').unwrap_or(octets.len())
}

/// What is wrong with the URL of a reference.
pub(crate) fn url_error(profile: Profile, url: &[u8]) -> RawProblem {
    mistakes::first(url, profile, start::report).unwrap_or(RawProblem::TOO_LONG)
}

/// What is wrong with the fragment of a reference whose `#` is at `end`.
pub(crate) fn fragment_error(profile: Profile, octets: &[u8], end: usize) -> Option<RawProblem> {
    let fragment = reader::explain(octets, profile, |reader| {
        reader.at = end + 1;
        reader.scan(&FRAGMENT, Until::End)
    });
    fragment.err()
}
