//! All other schemes, section 5: `otherurl = genericurl`. The common Internet syntax is looked for behind a `//` (D-06).

use super::definition::{Definition, Needs, References, Relative};
use super::part::{Lead, Lead::Text, PartKind};
use super::view::{Login, View, masked_debug};
use crate::code::Code;
use crate::common::{self, Users};
use crate::encoded::Encoded;
use crate::grammar::{IP_SCHEMEPART, SCHEMEPART, URLPATH};
use crate::language::{Words, words};
use crate::layout::{HOST, Slot, own_slots};
use crate::profile::Profile;
use crate::quick::login;
use crate::reader::{Outcome, Reader, Sink, Until};

own_slots!(pub(crate) SCHEMEPART_SLOT, pub(crate) PATH, pub(crate) QUERY);

pub(super) static DEFINITION: Definition = Definition {
    name: "",
    title: Words::NONE,
    section: "5",
    since: Profile::Rfc1738,
    default_port: None,
    siblings: &[],
    needs: Needs::Something,
    references: References::new(Relative::ByRfc3986).query(QUERY),
    parts: &[
        PartKind::whole(words!("schemepart"), SCHEMEPART_SLOT, &SCHEMEPART, Text(""))
            .labelled(words!("scheme-specific part"))
            .excludes(&["host", "urlpath", "query"]),
        PartKind::USER,
        PartKind::PASSWORD,
        PartKind::HOST.optional(),
        PartKind::PORT,
        PartKind::encoded(words!("urlpath"), PATH, &URLPATH, Lead::Behind("host", "/", ""))
            .labelled(words!("url-path"))
            .needs(&["host"])
            .free_in_current(),
        PartKind::encoded(words!("query"), QUERY, &URLPATH, Text("?")).needs(&["host"]).free_in_current().current(),
    ],
    same: &[],
};

#[inline(always)]
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

/// The same, if there is nothing to report about the login.
#[inline(always)]
fn plain_ip<S: Sink>(r: &mut Reader<'_, S>) -> bool {
    let slashes = r.at;
    r.at += 2;
    let is_plain = login::plain(r, Users::Allowed, ends_of_login(r));
    if !is_plain {
        r.at = slashes;
    }
    is_plain
}

/// Finds the url-path behind a host, and under the current profile the query of RFC 3986.
#[inline(always)]
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
/// assert_eq!(other.login().unwrap().hostport().port_or_default(), Some(513));
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
    pub fn login(self) -> Option<Login<'a>> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Layout;
    use crate::profile::Profile;
    use crate::reader::FirstError;

    #[test]
    fn an_ordinary_login_behind_the_slashes_is_taken_by_the_quick_look() {
        for (text, end) in [("rlogin://h.dom/a", 14), ("rlogin://jim@h.dom:513/", 22), ("rlogin://[::1]/", 7)] {
            let mut layout = Layout::new(Profile::Rfc1738);
            let mut reader = Reader::new(text.as_bytes(), &mut layout, FirstError);
            reader.at = "rlogin:".len();
            assert_eq!(plain_ip(&mut reader), end != 7, "{text}");
            assert_eq!(reader.at, end, "{text}");
        }
    }
}
