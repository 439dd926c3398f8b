//! The news server and how to read from it.

use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::language::{message, words};
use crate::protocol::nntp::NntpSettings;
use crate::protocol::setting_shown;
use core::fmt;
use std::env;
use urlwise::{Locator, Profile, Url};

/// The variable of the environment that names a server, for other newsreaders too.
const VARIABLE: &str = "NNTPSERVER";

/// Settings of news.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct NewsOptions {
    /// The server for news URLs that name none, as in RFC 1738. `None`, the default: such URLs cannot be opened. No server is
    /// guessed, and only [`NewsServer::from_env`] reads the environment.
    pub server: Option<NewsServer>,
    /// Return articles as [text](crate::article::to_text) for people instead of their octets.
    pub as_text: bool,
    /// Settings of NNTP.
    pub protocol: NntpSettings,
}

/// A news server: `HOST`, `HOST:PORT`, or `nntps://HOST` with or without a port, for TLS from the first octet.
///
/// ```
/// use urlwise_open::NewsServer;
///
/// assert!(NewsServer::parse("news.example.com:1119").is_ok());
/// assert!(NewsServer::parse("nntps://news.example.com").is_ok());
/// assert!(NewsServer::parse("news.example.com/comp.lang.c").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewsServer {
    /// As written. Errors in it matter only when it is needed.
    text: String,
    /// Whether it is that of the environment.
    is_variable: bool,
}

impl NewsServer {
    /// Parses a server.
    ///
    /// # Errors
    /// [`ErrorKind::Setting`] if it is malformed.
    pub fn parse(text: &str) -> Result<NewsServer, Error> {
        let server = NewsServer { text: text.trim().to_owned(), is_variable: false };
        server.url(false)?;
        Ok(server)
    }

    /// The server in the variable `NNTPSERVER`, which other newsreaders use too; `None` if it is empty or not set. It is
    /// checked when it is needed.
    pub fn from_env() -> Option<NewsServer> {
        let text = env::var(VARIABLE).ok()?.trim().to_owned();
        (!text.is_empty()).then_some(NewsServer { text, is_variable: true })
    }

    /// A URL at this server. `tls` requires TLS even if the server was written without.
    pub(super) fn url(&self, tls: bool) -> Result<Url<String>, Error> {
        let full = if self.text.contains("://") { self.text.clone() } else { format!("nntp://{}", self.text) };
        let full = full.strip_suffix('/').unwrap_or(&full);
        let full = match full.strip_prefix("nntp://") {
            Some(rest) if tls => format!("nntps://{rest}"),
            _ => full.to_owned(),
        };
        server_url(&full).ok_or_else(|| {
            let what = message!("\"{text}\" is not a valid news server", text = self.to_string());
            let error = Error::new(ErrorKind::Setting, what)
                .with_help(words!("write it as `HOST`, `HOST:PORT` or `nntps://HOST`"));
            if self.is_variable { error.prefixed(VARIABLE) } else { error }
        })
    }
}

/// A URL at a server, from the text before the slash.
pub(super) fn server_url(full: &str) -> Option<Url<String>> {
    const GROUP: &str = "group";
    let url = Url::parse_with(format!("{full}/{GROUP}"), Profile::Current).ok()?;
    let is_server = matches!(url.locator(), Locator::Nntp(nntp) if nntp.group() == GROUP && nntp.article().is_none());
    is_server.then_some(url)
}

/// As written, with a password masked: none is allowed, but one may have been written.
impl fmt::Display for NewsServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&setting_shown(&self.text))
    }
}

#[cfg(test)]
mod tests {
    use super::NewsServer;

    #[test]
    fn a_server_is_a_host_with_a_scheme_or_without() {
        for (text, plain, over_tls) in [
            ("n.example", "nntp://n.example/group", "nntps://n.example/group"),
            (" n.example:1119/ ", "nntp://n.example:1119/group", "nntps://n.example:1119/group"),
            ("nntp://n.example", "nntp://n.example/group", "nntps://n.example/group"),
            ("nntps://n.example:1563", "nntps://n.example:1563/group", "nntps://n.example:1563/group"),
        ] {
            let server = NewsServer::parse(text).expect(text);
            assert_eq!(server.to_string(), text.trim());
            let url = |tls| server.url(tls).expect("it was a server").into_inner();
            assert_eq!((url(false).as_str(), url(true).as_str()), (plain, over_tls), "{text}");
        }
        for text in ["", "n.example/a.group", "http://n.example", "n.example//", "n example", "nntp://n.example/g/1"] {
            let error = NewsServer::parse(text).expect_err(text);
            assert_eq!((error.kind(), error.help().is_some()), (crate::ErrorKind::Setting, true), "{error}");
        }
    }

    #[test]
    fn security_14_the_password_of_what_is_no_news_server_is_masked() {
        for (text, shown) in [
            ("nntps://joe:S3kr@n.example", "nntps://joe:***@n.example"),
            ("joe:S3kr@n.example", "joe:***@n.example"),
            ("//joe:S3kr@n.example/x", "//joe:***@n.example/x"),
            ("n.example:x", "n.example:x"),
        ] {
            let error = NewsServer::parse(text).expect_err(text).to_string();
            assert!(error.starts_with(&format!("\"{shown}\" is not a valid news server")), "{error}");
            assert_eq!(NewsServer { text: text.to_owned(), is_variable: false }.to_string(), shown);
        }
    }
}
