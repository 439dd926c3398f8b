//! telnet, section 3.8: `telnet://login` and an optional `/`. The sibling `telnets` is read alike.

use super::definition::{Definition, Needs, References, Same, Sibling};
use super::part::PartKind;
use super::view::{Login, View, masked_debug};
use crate::code::Code;
use crate::common::{self, Users};
use crate::grammar::{TELNET_SLASH, URLPATH};
use crate::language::words;
use crate::profile::Profile;
use crate::reader::{Outcome, Reader, Sink, Until};

pub(super) static DEFINITION: Definition = Definition {
    name: "telnet",
    title: words!("Interactive sessions"),
    section: "3.8",
    since: Profile::Rfc1738,
    default_port: Some(23),
    siblings: &[Sibling { name: "telnets", title: words!("telnet over TLS"), default_port: Some(992) }],
    needs: Needs::Host,
    references: References::NONE,
    parts: &[PartKind::USER, PartKind::PASSWORD, PartKind::HOST, PartKind::PORT],
    same: &[Same::AllBehindHost],
};

#[inline]
pub(super) fn read<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    common::slashes(r)?;
    common::login(r, Users::Allowed, Until::Octet(b'/'))?;
    let start = r.at + 1;
    if r.take(b'/') && r.peek().is_some() {
        r.report(Code::TelnetPath, start..r.octets.len(), &TELNET_SLASH)?;
        r.scan(&URLPATH, Until::End)?;
    }
    Ok(())
}

/// The parts of a telnet URL: an interactive service, not a data object.
///
/// ```
/// use urlwise::{Locator, Url};
///
/// let url = Url::parse("telnet://guest:@host.dom/")?;
/// let Locator::Telnet(telnet) = url.locator() else { unreachable!() };
/// assert!(telnet.login().password().unwrap().is_empty()); // empty is not absent: section 3.1
/// # Ok::<(), urlwise::ParseError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Telnet<'a>(pub(crate) View<'a>);

impl<'a> Telnet<'a> {
    /// User and password, which are advice to the person and never sent unasked; host and port (23 or 992 where none is
    /// written).
    pub fn login(self) -> Login<'a> {
        Login(self.0)
    }
}

masked_debug!(Telnet);
