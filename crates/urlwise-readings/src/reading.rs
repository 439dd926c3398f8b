//! One reading of a text: its parts, or why it is refused.

use std::borrow::Cow;
use std::fmt;

/// A standard to read by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Standard {
    /// RFC 1738, or what its successors made of it under the profile `current`.
    Rfc1738,
    /// RFC 3986.
    Rfc3986,
    /// The URL standard of WHATWG.
    Whatwg,
}

impl Standard {
    /// All three, in the order in which they were written.
    pub const ALL: &'static [Standard] = &[Standard::Rfc1738, Standard::Rfc3986, Standard::Whatwg];

    /// The name in machine output: `rfc1738`, `rfc3986`, `whatwg`.
    pub const fn id(self) -> &'static str {
        match self {
            Standard::Rfc1738 => "rfc1738",
            Standard::Rfc3986 => "rfc3986",
            Standard::Whatwg => "whatwg",
        }
    }

    /// The name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Standard::Rfc1738 => "RFC 1738",
            Standard::Rfc3986 => "RFC 3986",
            Standard::Whatwg => "WHATWG",
        }
    }
}

impl fmt::Display for Standard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a reader makes of a text.
#[derive(Clone, PartialEq, Eq)]
pub struct Reading<'a>(pub(crate) Result<Parts<'a>, String>);

impl<'a> Reading<'a> {
    /// Whether the text is accepted.
    pub fn is_ok(&self) -> bool {
        self.0.is_ok()
    }

    /// The parts; `None` where the text is refused.
    pub fn parts(&self) -> Option<&Parts<'a>> {
        self.0.as_ref().ok()
    }

    /// Why the text is refused, in the reader's words, fit to be shown; `None` where it is accepted.
    pub fn error(&self) -> Option<&str> {
        self.0.as_ref().err().map(String::as_str)
    }
}

impl fmt::Debug for Reading<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The parts that a reader sees, as it gives them: one may have decoded or rewritten what another leaves alone.
///
/// Absent is `None`, empty is empty. A reader that cannot tell the two has `None`.
#[derive(Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parts<'a> {
    /// The scheme.
    pub scheme: Cow<'a, str>,
    /// The user, still encoded.
    pub user: Option<Cow<'a, str>>,
    /// The password, still encoded.
    pub password: Option<Cow<'a, str>>,
    /// The host; IPv6 addresses in brackets.
    pub host: Option<Cow<'a, str>>,
    /// The port as the reader gives it; `None` also where a reader drops a default port.
    pub port: Option<Cow<'a, str>>,
    /// What follows host and port, or the scheme, up to the query.
    pub path: Cow<'a, str>,
    /// The query; for RFC 1738 the search, in the schemes that have one behind a `?`.
    pub query: Option<Cow<'a, str>>,
    /// The fragment; RFC 1738 has none in a URL (section 2.2, D-08).
    pub fragment: Option<Cow<'a, str>>,
}

impl fmt::Debug for Parts<'_> {
    /// The scheme alone: any other part may hold what another reader takes for a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parts").field("scheme", &self.scheme).finish_non_exhaustive()
    }
}
