//! finger, RFC 1288: `finger://hostport/` and a request, as draft-ietf-uri-url-finger-02 writes it. Only the profile `current`
//! knows it (D-73).

use super::definition::{Definition, Needs, References, Same};
use super::part::{Lead, Lead::Text, PartKind};
use super::view::{Hostport, View, masked_debug};
use crate::class::{SEARCH, WAIS_SEARCH_CURRENT};
use crate::code::Code;
use crate::common::{self, Users};
use crate::encoded::{Encoded, Octets};
use crate::grammar::Production;
use crate::language::words;
use crate::layout::{Slot, own_slots};
use crate::profile::Profile;
use crate::reader::{Outcome, Reader, Sink, Until};
use crate::reason::Reason;

own_slots!(VERBOSE, USERNAME);

/// One segment: the draft has `/` encoded, and later RFCs would split at `?`. Since neither may stand raw, nothing is reserved.
static REQUEST: Production = Production::new(
    "finger-request",
    words!("a finger request"),
    "RFC 1288",
    r#"*[ uchar | ";" | ":" | "@" | "&" | "=" ]"#,
    [SEARCH, WAIS_SEARCH_CURRENT],
    b":@&=;",
    b"",
);

static SLASH: Reason = Reason::new(
    "finger-slash",
    "3.1",
    "D-73",
    words!("without a request, with or without the slash, a finger URL asks who is logged in"),
);

pub(super) static DEFINITION: Definition = Definition {
    name: "finger",
    title: words!("Information about users"),
    section: "RFC 1288",
    since: Profile::Current,
    default_port: Some(79),
    siblings: &[],
    needs: Needs::Host,
    references: References::NONE,
    parts: &[
        PartKind::USER.forbidden(),
        PartKind::PASSWORD.forbidden(),
        PartKind::HOST,
        PartKind::PORT,
        PartKind::encoded(words!("verbose"), VERBOSE, &REQUEST, Text("/")).labelled(words!("/W")).only("/W"),
        PartKind::encoded(words!("username"), USERNAME, &REQUEST, Lead::Behind("verbose", "%20", "/"))
            .labelled(words!("user name"))
            .forwarding()
            .naming(),
    ],
    same: &[Same::Slash(USERNAME, &SLASH)],
};

#[inline]
pub(super) fn read<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    common::slashes(r)?;
    common::login(r, Users::Forbidden(Code::UserForbidden), Until::Octet(b'/'))?;
    if !r.take(b'/') {
        return Ok(());
    }
    let start = r.at;
    r.scan(&REQUEST, Until::End)?;
    let end = r.at;
    let mut username = start;
    if let Some(switch) = switch(&r.octets[start..end]) {
        let verbose = start + switch.end;
        r.layout.slots[VERBOSE] = Slot::new(start, verbose);
        let Some(space) = switch.space else {
            return Ok(());
        };
        username = start + space;
    }
    r.layout.slots[USERNAME] = Slot::new(username, end);
    Ok(())
}

/// `/W` at the start of a request.
struct Switch {
    /// Where it ends.
    end: usize,
    /// Where the space after it ends; `None` at the end of the request.
    space: Option<usize>,
}

/// The server sees the decoded request, so its first octets decide, however they are written. A name that only begins with `/W`
/// is a name.
fn switch(request: &[u8]) -> Option<Switch> {
    let mut octets = Octets::new(request);
    if octets.next() != Some(b'/') || !octets.next()?.eq_ignore_ascii_case(&b'w') {
        return None;
    }
    let end = octets.position();
    match octets.next() {
        None => Some(Switch { end, space: None }),
        Some(b' ') => Some(Switch { end, space: Some(octets.position()) }),
        Some(_) => None,
    }
}

/// The parts of a finger URL.
///
/// ```
/// use urlwise::{Locator, Url};
///
/// let url = Url::parse_current("finger://host.dom/%2FW%20joe")?;
/// let Locator::Finger(finger) = url.locator() else { unreachable!() };
/// assert!(finger.is_verbose());
/// assert_eq!(finger.username().unwrap(), "joe");
/// assert_eq!(finger.hostport().port_or_default(), Some(79));
/// # Ok::<(), urlwise::ParseError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Finger<'a>(pub(crate) View<'a>);

impl<'a> Finger<'a> {
    /// Host and port (79 where none is written).
    pub fn hostport(self) -> Hostport<'a> {
        Hostport(self.0)
    }

    /// Whether the request begins with `/W`, which asks for more about each user (RFC 1288 section 2.5.4).
    pub fn is_verbose(self) -> bool {
        self.verbose().is_some()
    }

    /// The `/W` as written; `None` without it.
    pub fn verbose(self) -> Option<Encoded<'a>> {
        self.0.encoded(VERBOSE)
    }

    /// The name to ask about, with the `@host` of a request that the server is to forward. `None` without a slash after the host
    /// and where nothing follows `/W`; empty after the slash alone. Without a name, a server lists who is logged in.
    pub fn username(self) -> Option<Encoded<'a>> {
        self.0.encoded(USERNAME)
    }
}

masked_debug!(Finger);
