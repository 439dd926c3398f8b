//! The readers: standards and programs.

use crate::reading::{Reading, ReadingParts};
use crate::text::Text;
use crate::{programs, rfc1738, rfc3986, whatwg};
use std::fmt;
use urlwise::Profile;

/// Somebody who reads URLs: a standard, or the parser of a program.
///
/// ```
/// use urlwise::Profile;
/// use urlwise_readings::Reader;
///
/// let host = |reader: Reader| {
///     let reading = reader.read(br"http://127.0.0.1\@1.1.1.1", Profile::Rfc1738);
///     reading.parts().and_then(|parts| parts.host.as_deref().map(str::to_owned))
/// };
/// assert_eq!(host(Reader::Urllib3).as_deref(), Some("127.0.0.1"));
/// assert_eq!(host(Reader::Urlsplit).as_deref(), Some("1.1.1.1"));
/// assert_eq!(Reader::from_id("requests"), Some(Reader::Urllib3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Reader {
    /// RFC 1738, or its successors in the profile `current`.
    Rfc1738,
    /// RFC 3986, as the crate `fluent-uri` reads it.
    Rfc3986,
    /// The URL standard of WHATWG, as the crate `url` reads it.
    Whatwg,
    /// Python's `urllib.parse.urlsplit`.
    Urlsplit,
    /// urllib3, which requests is built on.
    Urllib3,
    /// curl and libcurl.
    Curl,
    /// Go's `net/url`.
    Go,
}

impl Reader {
    /// The three standards, oldest first.
    pub const STANDARDS: &'static [Reader] = &[Reader::Rfc1738, Reader::Rfc3986, Reader::Whatwg];

    /// All readers, standards first.
    pub const ALL: &'static [Reader] = &[
        Reader::Rfc1738,
        Reader::Rfc3986,
        Reader::Whatwg,
        Reader::Urlsplit,
        Reader::Urllib3,
        Reader::Curl,
        Reader::Go,
    ];

    /// The name in options and machine output: `rfc1738`, `whatwg`, `urllib3`, `curl` ...
    pub const fn id(self) -> &'static str {
        match self {
            Reader::Rfc1738 => "rfc1738",
            Reader::Rfc3986 => "rfc3986",
            Reader::Whatwg => "whatwg",
            Reader::Urlsplit => "urlsplit",
            Reader::Urllib3 => "urllib3",
            Reader::Curl => "curl",
            Reader::Go => "go",
        }
    }

    /// The reader with an id; `requests` is `urllib3`, on which it is built. What requests does to a URL before it hands it on is not
    /// modelled (D-105).
    pub fn from_id(id: &str) -> Option<Reader> {
        match id {
            "requests" => Some(Reader::Urllib3),
            id => Reader::ALL.iter().copied().find(|reader| reader.id() == id),
        }
    }

    /// The display name.
    pub const fn name(self) -> &'static str {
        match self {
            Reader::Rfc1738 => "RFC 1738",
            Reader::Rfc3986 => "RFC 3986",
            Reader::Whatwg => "WHATWG",
            Reader::Urlsplit => "urlsplit",
            Reader::Urllib3 => "urllib3",
            Reader::Curl => "curl",
            Reader::Go => "Go",
        }
    }

    /// Whether it is a standard and not a program.
    pub const fn is_standard(self) -> bool {
        match self {
            Reader::Rfc1738 | Reader::Rfc3986 | Reader::Whatwg => true,
            Reader::Urlsplit | Reader::Urllib3 | Reader::Curl | Reader::Go => false,
        }
    }

    /// Reads any octets. The profile says how RFC 1738 does; others ignore it.
    pub fn read(self, octets: &[u8], profile: Profile) -> Reading<'_> {
        Reading(self.parts(octets, profile).map(|parts| parts.map(Text::written)))
    }

    /// The parts, not yet written out, or the reason why the reader rejects the text.
    pub(crate) fn parts(self, octets: &[u8], profile: Profile) -> Result<ReadingParts<'_, Text<'_>>, String> {
        match self {
            Reader::Rfc1738 => rfc1738::read(octets, profile),
            Reader::Rfc3986 => rfc3986::read(octets),
            Reader::Whatwg => whatwg::read(octets),
            Reader::Urlsplit => programs::urlsplit(octets),
            Reader::Urllib3 => programs::urllib3(octets),
            Reader::Curl => programs::curl(octets),
            Reader::Go => programs::go(octets),
        }
    }

    /// The same parts as [`read`](Reader::read) returns, for comparing: no copy is made to replace what is not UTF-8 or to lower capitals.
    /// `None` if the reader rejects the text.
    pub(crate) fn accepted(self, octets: &[u8], profile: Profile) -> Option<ReadingParts<'_, Text<'_>>> {
        match self {
            Reader::Rfc1738 => rfc1738::accepted(octets, profile),
            other => other.parts(octets, profile).ok(),
        }
    }
}

impl fmt::Display for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
