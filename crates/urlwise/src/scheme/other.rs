//! All other schemes, section 5: `otherurl = genericurl`. The common Internet syntax is looked for behind a `//` (D-06).

use super::{Login, View, masked_debug};
use crate::code::Code;
use crate::common::{self, Users};
use crate::encoded::Encoded;
use crate::grammar::{IP_SCHEMEPART, SCHEMEPART, URLPATH};
use crate::layout::{HOST, LOGIN_PARTS, OWN, PartDef, Shape, Slot};
use crate::reader::{Outcome, Reader, Sink, Until};

const SCHEMEPART_SLOT: usize = OWN;
const PATH: usize = OWN + 1;
pub(crate) const QUERY: usize = OWN + 2;

pub(super) static PARTS: [PartDef; 7] = {
    let [user, password, host, port] = LOGIN_PARTS;
    [
        PartDef::new("schemepart", "scheme-specific part", SCHEMEPART_SLOT, Shape::Whole),
        user,
        password,
        host,
        port,
        PartDef::new("urlpath", "url-path", PATH, Shape::Encoded),
        PartDef::new("query", "query", QUERY, Shape::Encoded),
    ]
};

#[inline]
pub(super) fn read<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    let (start, end) = (r.at, r.octets.len());
    r.layout.slots[SCHEMEPART_SLOT] = Slot::new(start, end);
    let slashes = r.rest().starts_with(b"//");
    let mut has_host = slashes && plain_ip(r);
    if slashes && !has_host {
        has_host = r.would(ip);
        match has_host {
            true => ip(r)?,
            false => r.report(Code::GenericIp, start..end, &IP_SCHEMEPART)?,
        }
    }
    let path = r.at;
    r.scan(&SCHEMEPART, Until::End)?;
    if has_host || !slashes {
        r.at = path;
        self::path(r);
    }
    r.at = end;
    Ok(())
}

/// Reads the common Internet syntax where a registered scheme demands it (section 4).
pub(crate) fn internet<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    let end = r.octets.len();
    r.layout.slots[SCHEMEPART_SLOT] = Slot::new(r.at, end);
    ip(r)?;
    let path = r.at;
    r.scan(&URLPATH, Until::End)?;
    r.at = path;
    self::path(r);
    r.at = end;
    Ok(())
}

/// Reads a scheme-specific part that a registered scheme leaves in one piece (section 4).
pub(crate) fn opaque<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    r.part(SCHEMEPART_SLOT, &SCHEMEPART, Until::End)
}

/// Reads `//login`, which must be followed by a `/` or nothing; RFC 3986 also lets a query follow.
pub(crate) fn ip<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    let ends = ends_of_login(r);
    common::slashes(r)?;
    common::login(r, Users::Allowed, ends)
}

fn ends_of_login<S: Sink>(r: &Reader<'_, S>) -> Until {
    if r.is_current() { Until::Either(b'/', b'?') } else { Until::Octet(b'/') }
}

/// The same, if nothing could be said about the login.
#[inline]
fn plain_ip<S: Sink>(r: &mut Reader<'_, S>) -> bool {
    let slashes = r.at;
    r.at += 2;
    let is_plain = common::plain(r, Users::Allowed, ends_of_login(r));
    if !is_plain {
        r.at = slashes;
    }
    is_plain
}

/// Finds the url-path behind a host, and under the current profile the query of RFC 3986.
fn path<S: Sink>(r: &mut Reader<'_, S>) {
    let end = r.octets.len();
    let has_host = !r.layout.slots[HOST].is_absent();
    let slash = has_host && r.take(b'/');
    let start = r.at;
    let question = match r.is_current() {
        true => r.rest().iter().position(|&octet| octet == b'?'),
        false => None,
    };
    let path_end = question.map_or(end, |length| start + length);
    if slash || (r.is_current() && !has_host && path_end > start) {
        r.layout.slots[PATH] = Slot::new(start, path_end);
    }
    if question.is_some() {
        r.layout.slots[QUERY] = Slot::new(path_end + 1, end);
    }
}

/// The parts of a URL whose scheme has no rules here.
///
/// ```
/// use urlwise::{Locator, Url};
///
/// let url = Url::parse("rlogin://guest@host.dom:513/")?;
/// let Locator::Other(other) = url.locator() else { unreachable!() };
/// assert_eq!(other.schemepart(), "//guest@host.dom:513/");
/// assert_eq!(other.ip().unwrap().hostport().port_number(), Some(513));
/// # Ok::<(), urlwise::ParseError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Other<'a>(pub(crate) View<'a>);

impl<'a> Other<'a> {
    /// All that follows the scheme and its colon; may be empty.
    pub fn schemepart(self) -> Encoded<'a> {
        self.0.encoded(SCHEMEPART_SLOT).unwrap_or(Encoded::new(""))
    }

    /// The login, only where `//login` or `//login/url-path` follows the colon: a guessed host would be dangerous (D-06).
    pub fn ip(self) -> Option<Login<'a>> {
        self.0.host().map(|_| Login(self.0))
    }

    /// What follows the `/` after the host; `None` without that `/`. Under the profile `current` it ends before a `?`, and is
    /// the whole path where there is no host. A scheme that is registered as opaque has none (section 4).
    pub fn urlpath(self) -> Option<Encoded<'a>> {
        self.0.encoded(PATH)
    }

    /// What follows the `?`, which only the profile `current` reads (RFC 3986).
    pub fn query(self) -> Option<Encoded<'a>> {
        self.0.encoded(QUERY)
    }
}

masked_debug!(Other);
