//! The line that is sent, and what it must not contain.

use crate::language::words;
use crate::protocol::{Command, Fault, FaultKind};
use std::fmt;
use urlwise::{Encoded, Finger as FingerUrl, Words, escape_for_display};

changeable!(FingerRequest FingerSettings);

/// The request of one dialogue: the query of RFC 1288 section 2.3.
#[derive(Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FingerRequest {
    /// Whether to ask for more about each user (`/W`).
    pub verbose: bool,
    /// The user, with the `@host` of a request to forward. Empty asks who is logged in.
    pub username: Vec<u8>,
}

/// Settings of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FingerSettings {
    /// Send requests that the server forwards to another host. Off by default, because a URL could reach a network that is
    /// closed to the client (RFC 1288 section 3.2.1, E-35).
    pub forwarding: bool,
    /// Keep the line ends of the answer as they are transmitted (D-74).
    pub raw: bool,
}

impl FingerRequest {
    /// The request of a URL, decoded.
    ///
    /// ```
    /// use urlwise::{Locator, Url};
    /// use urlwise_open::protocol::finger::{FingerRequest, FingerSettings};
    ///
    /// let url = Url::parse_current("finger://host.dom/%2FW%20joe")?;
    /// let Locator::Finger(finger) = url.locator() else { unreachable!() };
    /// let command = FingerRequest::from_url(finger).command(FingerSettings::default()).unwrap();
    /// assert_eq!(command.octets(), b"/W joe\r\n");
    /// # Ok::<(), urlwise::ParseError>(())
    /// ```
    pub fn from_url(url: FingerUrl<'_>) -> FingerRequest {
        let username = url.username().map(Encoded::decode).unwrap_or_default().into_owned();
        FingerRequest { verbose: url.is_verbose(), username }
    }

    /// The line to send.
    ///
    /// # Errors
    /// [`FaultKind::Refused`] for a control octet in the name, and for an `@` unless [`FingerSettings::forwarding`] allows it.
    pub fn command(&self, settings: FingerSettings) -> Result<Command, Fault> {
        let refuse = |at: usize, reference: &'static str, what: Words| {
            Err(Fault::new(FaultKind::Refused, reference, what).octets(&self.username).at(at))
        };
        if let Some(at) = self.username.iter().position(u8::is_ascii_control) {
            let what = words!("refused to send: the user name contains a control character,");
            let fault = refuse(at, "RFC 1288 section 2.3, S-4", what);
            return fault.map_err(|fault| fault.with_help(words!("remove it from the URL")));
        }
        if let Some(at) = self.username.iter().position(|octet| *octet == b'@').filter(|_| !settings.forwarding) {
            let what = words!("refused to send: the server would ask another host, named after the `@`");
            let fault = refuse(at, "RFC 1288 section 3.2.1, E-35", what);
            return fault.map_err(|fault| fault.with_help(words!("ask that host itself")));
        }
        let switch: &[u8] = match (self.verbose, self.username.is_empty()) {
            (false, _) => b"",
            (true, true) => b"/W",
            (true, false) => b"/W ",
        };
        Ok(Command::new([switch, &self.username, b"\r\n"].concat()))
    }
}

impl fmt::Debug for FingerRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("FingerRequest");
        debug
            .field("verbose", &self.verbose)
            .field("username", &format_args!("{}", escape_for_display(&self.username)))
            .finish()
    }
}
