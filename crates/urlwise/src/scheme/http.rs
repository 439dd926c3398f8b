//! http, section 3.3: `http://hostport/path?searchpart`. The sibling `https` is read alike.

use crate::language::words;
use core::fmt;

use super::definition::{Definition, Needs, References, Relative, Same, Sibling};
use super::part::{Lead, Lead::Text, PartKind};
use super::view::{Hostport, Login, View, masked_debug};
use crate::code::Code;
use crate::common::{self, Users};
use crate::display::padded;
use crate::encoded::{Encoded, Segments};
use crate::grammar::{HPATH, HSEGMENT, SEARCH};
use crate::layout::own_slots;
use crate::profile::Profile;
use crate::reader::{Outcome, Reader, Sink, Until};
use crate::reason::Reason;

own_slots!(pub(crate) PATH, SEARCH_SLOT);

static SLASH: Reason = Reason::new("http-slash", "3.3", "D-37", words!("an http URL without a path requests `/`"));

pub(super) static DEFINITION: Definition = Definition {
    name: "http",
    title: words!("Hypertext Transfer Protocol"),
    section: "3.3",
    since: Profile::Rfc1738,
    default_port: Some(80),
    siblings: &[Sibling { name: "https", title: words!("http over TLS"), default_port: Some(443) }],
    needs: Needs::Host,
    references: References::new(Relative::Always).params().query(SEARCH_SLOT),
    parts: &[
        PartKind::USER.current(),
        PartKind::PASSWORD.current(),
        PartKind::HOST,
        PartKind::PORT,
        PartKind::whole(words!("path"), PATH, &HPATH, Lead::Split("segment")),
        PartKind::segments(words!("segment"), "segments", PATH, &HSEGMENT, Text("/")).naming(),
        // Only a URL with neither path nor search may leave the `/` out (D-37).
        PartKind::encoded(words!("search"), SEARCH_SLOT, &SEARCH, Text("?"))
            .short_name("query") // as RFC 3986 and `Url::query` call it
            .brings(&["segment"]),
    ],
    same: &[Same::Slash(PATH, &SLASH)],
};

#[inline]
pub(super) fn read<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    common::slashes(r)?;
    common::login(r, Users::Forbidden(Code::HttpUserinfo), Until::Either(b'/', b'?'))?;
    if r.take(b'/') {
        r.part(PATH, &HPATH, Until::Octet(b'?'))?;
    } else if r.peek() == Some(b'?') {
        r.report(Code::HttpQuerySlash, r.at..r.at + 1, &HPATH)?;
    }
    if r.take(b'?') {
        r.part(SEARCH_SLOT, &SEARCH, Until::End)?;
    }
    Ok(())
}

/// The parts of an http URL.
///
/// ```
/// use urlwise::{Locator, Url};
///
/// let url = Url::parse("http://host.dom:8001/a//b%2Fc?q=1")?;
/// let Locator::Http(http) = url.locator() else { unreachable!() };
/// assert_eq!(http.hostport().port_or_default(), Some(8001));
/// assert_eq!(http.path().unwrap(), "a//b%2Fc"); // the slash after the host belongs to no part: section 3.1
/// assert_eq!(http.segments().count(), 3);
/// assert_eq!(http.selector().to_string(), "/a//b%2Fc?q=1");
/// # Ok::<(), urlwise::ParseError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Http<'a>(pub(crate) View<'a>);

impl<'a> Http<'a> {
    /// Host and port (80 or 443 where none is written).
    pub fn hostport(self) -> Hostport<'a> {
        Hostport(self.0)
    }

    /// The login. Only the profile `current` lets it have a user and a password, and they are never sent unasked (D-26).
    pub fn login(self) -> Login<'a> {
        Login(self.0)
    }

    /// What stands between the `/` after the host and the `?`: `None` without that `/`, empty in `http://host/`. Both mean
    /// the same (D-37).
    pub fn path(self) -> Option<Encoded<'a>> {
        self.0.encoded(PATH)
    }

    /// The path's segments; none where the path is `None`, one empty segment where it is empty.
    pub fn segments(self) -> Segments<'a> {
        Segments::new(self.0.plain(PATH))
    }

    /// What follows the `?`; an empty search is not an absent one (D-38).
    pub fn search(self) -> Option<Encoded<'a>> {
        self.0.encoded(SEARCH_SLOT)
    }

    /// The HTTP selector for the request line: still encoded, as written, `/` where the path is absent (D-40).
    pub fn selector(self) -> impl fmt::Display + use<'a> {
        Selector(self)
    }
}

masked_debug!(Http);

struct Selector<'a>(Http<'a>);

impl fmt::Display for Selector<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        padded(f, |f| {
            f.write_str("/")?;
            if let Some(path) = self.0.path() {
                f.write_str(path.as_str())?;
            }
            match self.0.search() {
                Some(search) => write!(f, "?{search}"),
                None => Ok(()),
            }
        })
    }
}
