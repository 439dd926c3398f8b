//! Mail servers: a host, a port, and when TLS begins.

use crate::credentials::Realm;
use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::language::{message, words};
use crate::net::endpoint::{Endpoint, Hop};
use crate::protocol::TlsMode;
use std::fmt;
use std::str::FromStr;
use urlwise::{Locator, Profile, Url, escape_for_display, padded};

/// The schemes with their ports: TLS from the first octet (RFC 8314), TLS by STARTTLS before anything else is sent (RFC 3207),
/// and none, for servers on this machine.
const SCHEMES: [(&str, TlsMode, u16); 3] =
    [("smtps", TlsMode::Implicit, 465), ("starttls", TlsMode::Explicit, 587), ("smtp", TlsMode::None, 25)];

/// A mail server, written `smtps://host`, `starttls://host` or `smtp://host`, with a port and a user if needed. A host alone
/// means STARTTLS.
///
/// ```
/// use urlwise_open::MailServer;
/// use urlwise_open::protocol::TlsMode;
///
/// let server: MailServer = "smtps://joe@mail.h.example".parse()?;
/// assert_eq!((server.host(), server.port(), server.tls()), ("mail.h.example", 465, TlsMode::Implicit));
/// assert_eq!("mail.h.example".parse::<MailServer>()?.tls(), TlsMode::Explicit);
/// # Ok::<(), urlwise_open::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailServer {
    hop: Hop,
    tls: TlsMode,
    user: Option<Vec<u8>>,
}

impl MailServer {
    /// The scheme before `://`.
    fn scheme(&self) -> &'static str {
        SCHEMES.iter().find(|(_, tls, _)| *tls == self.tls).map_or("smtp", |(name, ..)| *name)
    }

    /// The host as written, without the brackets of an IPv6 literal.
    pub fn host(&self) -> &str {
        &self.hop.host
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.hop.port
    }

    /// When TLS begins.
    pub fn tls(&self) -> TlsMode {
        self.tls
    }

    /// The user to log in as, if written.
    pub fn user(&self) -> Option<&[u8]> {
        self.user.as_deref()
    }

    /// The realm of a login at this server.
    pub(crate) fn realm(&self) -> Realm {
        Realm::of_mail(self.scheme(), self.host(), self.port())
    }

    pub(super) fn endpoint(&self) -> Endpoint {
        Endpoint::new(self.hop.clone(), self.tls)
    }
}

impl FromStr for MailServer {
    type Err = Error;

    fn from_str(text: &str) -> Result<MailServer, Error> {
        let (scheme, rest) = text.split_once("://").unwrap_or(("starttls", text));
        let known = SCHEMES.into_iter().find(|(name, ..)| name.eq_ignore_ascii_case(scheme));
        // A login, a host and a port are those of the common Internet scheme syntax (RFC 1738 section 3.1).
        let url = Url::parse_with(format!("ftp://{}", rest.strip_suffix('/').unwrap_or(rest)), Profile::Current);
        let (Some((_, tls, port)), Ok(url)) = (known, url) else { return Err(unreadable(text)) };
        let Locator::Ftp(ftp) = url.locator() else { return Err(unreadable(text)) };
        if url.password().is_some() {
            let what = words!(
                "the mail server must not contain a password: other users can read a password on the command line or in a settings file"
            );
            return Err(Error::new(ErrorKind::Setting, what).with_reference("S-14").with_help(words!(
                "give only the user name, and enter the password when asked or put it into a netrc file"
            )));
        }
        let mut hop = Hop::new(ftp.login().hostport());
        if url.port().is_none_or(str::is_empty) {
            hop.port = port;
        }
        // Anything after the host, even a slash, does not belong to a mail server.
        if rest.trim_end_matches('/').contains('/') || hop.host.is_empty() || hop.port == 0 {
            return Err(unreadable(text));
        }
        Ok(MailServer { hop, tls, user: url.user().map(|user| user.decode().into_owned()) })
    }
}

fn unreadable(text: &str) -> Error {
    // There may be a password before the `@`.
    let seen = text.rsplit_once('@').map_or(text, |(_, host)| host);
    Error::new(
        ErrorKind::Setting,
        message!("\"{text}\" is not a valid mail server", text = escape_for_display(seen.as_bytes()).to_string()),
    )
    .with_reference("RFC 1738 section 3.1")
    .with_help(words!("write it as `smtps://host`, `starttls://host` or `smtp://host`, with an optional user and port"))
}

impl fmt::Display for MailServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        padded(f, |f| {
            let (scheme, host) = (self.scheme(), escape_for_display(self.host().as_bytes()));
            match self.host().contains(':') {
                true => write!(f, "{scheme}://[{host}]:{}", self.port()),
                false => write!(f, "{scheme}://{host}:{}", self.port()),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::MailServer;
    use crate::protocol::TlsMode;

    fn server(text: &str) -> Option<(String, Option<String>)> {
        let server = text.parse::<MailServer>().ok()?;
        let user = server.user().map(|user| String::from_utf8_lossy(user).into_owned());
        Some((server.to_string(), user))
    }

    #[test]
    fn each_scheme_has_its_port_and_a_host_alone_has_starttls() {
        for (text, shown) in [
            ("smtps://m.example", "smtps://m.example:465"),
            ("SMTPS://m.example:1465/", "smtps://m.example:1465"),
            ("starttls://m.example", "starttls://m.example:587"),
            ("m.example:2525", "starttls://m.example:2525"),
            ("smtp://127.0.0.1", "smtp://127.0.0.1:25"),
            ("smtp://[::1]:26", "smtp://[::1]:26"),
            ("smtp://localhost:", "smtp://localhost:25"),
        ] {
            assert_eq!(server(text), Some((shown.to_owned(), None)), "{text}");
        }
        let user = Some("a@b".to_owned());
        assert_eq!(server("smtps://a%40b@m.example"), Some(("smtps://m.example:465".to_owned(), user)));
    }

    #[test]
    fn an_invalid_server_is_refused_without_showing_its_password() {
        for text in [
            "",
            "smtps://",
            "http://m.example",
            "smtp://m.example/x",
            "smtp://m.example:0",
            "smtp://m.example:99999",
            "smtp://m example",
            "smtp://m.example\r\nRSET",
            "smtp://-m:",
            "joe:s3cret@m.example",
            "x://joe:s3cret@m.example",
        ] {
            let error = text.parse::<MailServer>().expect_err(text);
            assert!(!error.to_string().contains("s3cret"), "{error}");
        }
        assert_eq!("smtp://m.example".parse::<MailServer>().expect("a server").tls(), TlsMode::None);
    }
}
