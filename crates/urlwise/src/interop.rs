//! With the features `url` and `http`: conversions to and from `url::Url` and `http::Uri`, never lossy in silence.
//!
//! Other crates read URLs by other rules and rewrite some as they read them: `url::Url` drops a default port and an empty user, both
//! put a `/` behind a bare host. So a conversion gives the other type only where its text is the same, octet for octet, and where
//! it reads the same scheme, user, password, host and port; otherwise the error says which part differs. Where the path and
//! the search divide is not compared: each scheme of RFC 1738 has its own parts there, the other crates have one syntax for
//! all.

use alloc::string::{String, ToString};
use core::fmt;

use crate::encoded::Encoded;
use crate::host::Host;
use crate::profile::Profile;
use crate::secret::Masked;
use crate::url::Url;

/// The URL has no equal of the other type.
///
/// `Display` says why; passwords in it are masked.
#[derive(Clone, PartialEq, Eq)]
pub struct InteropError {
    /// The type of the other crate.
    other: &'static str,
    why: Why,
}

#[derive(Clone, PartialEq, Eq)]
enum Why {
    /// The other crate takes it for no URL; its message.
    Refused(String),
    /// The other crate writes it in another way, from this part on.
    Rewritten { part: &'static str, text: String },
    /// The text is the same, and means another thing to the other crate.
    ReadDifferently { part: &'static str },
    /// What the other crate has is no URL here; the problem, ready to be shown.
    Invalid(String),
}

impl InteropError {
    /// The part that differs, named as in [`Part::name`](crate::Part::name), or `scheme`; the first one if there are several. `None`
    /// where one side takes the text for no URL.
    pub fn part(&self) -> Option<&'static str> {
        match self.why {
            Why::Rewritten { part, .. } | Why::ReadDifferently { part } => Some(part),
            Why::Refused(_) | Why::Invalid(_) => None,
        }
    }
}

impl fmt::Display for InteropError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let other = self.other;
        match &self.why {
            Why::Refused(message) => write!(f, "`{other}` refuses the URL: {message}"),
            Why::Rewritten { part, text } => {
                write!(f, "`{other}` changes the {part}: it writes `{}`", Masked(text))
            }
            Why::ReadDifferently { part } => write!(f, "`{other}` reads a different {part}"),
            Why::Invalid(problem) => write!(f, "the `{other}` is not a valid URL here: {problem}"),
        }
    }
}

impl fmt::Debug for InteropError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "InteropError({self})")
    }
}

impl core::error::Error for InteropError {}

/// What decides where a client connects, and as whom. An empty host is none.
#[derive(Default)]
struct Reading<'a> {
    scheme: &'a str,
    user: &'a str,
    password: Option<&'a str>,
    host: &'a str,
    port: Option<u16>,
}

impl<'a> Reading<'a> {
    fn of<T: AsRef<str>>(url: &'a Url<T>) -> Self {
        Reading {
            scheme: url.scheme_name(),
            user: url.user().map(Encoded::as_str).unwrap_or_default(),
            password: url.password().map(Encoded::as_str),
            host: url.host().map(Host::as_str).unwrap_or_default(),
            port: url.port().and_then(|digits| digits.parse().ok()),
        }
    }

    /// The first part that differs.
    fn difference(&self, other: &Reading<'_>) -> Option<&'static str> {
        let parts = [
            ("scheme", self.scheme == other.scheme),
            ("user", self.user == other.user),
            ("password", self.password == other.password),
            ("host", self.host == other.host),
            ("port", self.port == other.port),
        ];
        parts.into_iter().find(|(_, is_same)| !is_same).map(|(part, _)| part)
    }
}

/// Holds the other side to the text and to the reading of the URL.
fn compare<T: AsRef<str>>(
    url: &Url<T>,
    other: &'static str,
    text: String,
    reading: &Reading<'_>,
) -> Result<(), InteropError> {
    let why = if url.as_str() != text {
        Why::Rewritten { part: changed_part(url, &text), text }
    } else if let Some(part) = Reading::of(url).difference(reading) {
        Why::ReadDifferently { part }
    } else {
        return Ok(());
    };
    Err(InteropError { other, why })
}

/// The part at the first octet that differs; of a delimiter, the part behind it.
fn changed_part<T: AsRef<str>>(url: &Url<T>, text: &str) -> &'static str {
    let at = url.as_str().bytes().zip(text.bytes()).take_while(|(ours, theirs)| ours == theirs).count();
    if at < url.scheme_name().len() {
        return "scheme";
    }
    let touches = |start: usize, end: usize| (start..end).contains(&at) || start == at || start > at;
    let part = url.parts().find(|part| touches(part.span().start, part.span().end));
    // All parts are the same: what is added behind them is a slash.
    part.map_or("path", |part| part.name())
}

/// Reads the text of the other side. Other crates have the URLs of today, so the profile is `current`.
fn read(other: &'static str, text: String) -> Result<Url<String>, InteropError> {
    let invalid = |error: crate::ParseError| InteropError { other, why: Why::Invalid(error.to_string()) };
    Url::parse_with(Profile::Current, text).map_err(invalid)
}

#[cfg(feature = "url")]
mod url_crate {
    use super::*;
    use ::url::Url as Other;

    const NAME: &str = "url::Url";

    fn reading(other: &Other) -> Reading<'_> {
        Reading {
            scheme: other.scheme(),
            user: other.username(),
            password: other.password(),
            host: other.host_str().unwrap_or_default(),
            port: other.port(),
        }
    }

    /// The same URL for the crate `url`; an error where that would change or misread it.
    ///
    /// ```
    /// let ours = urlwise::Url::parse("ftp://jim@host.dom:2121/motd")?;
    /// assert_eq!(url::Url::try_from(&ours)?.username(), "jim");
    ///
    /// let ours = urlwise::Url::parse("http://host.dom:80/")?;
    /// let error = url::Url::try_from(&ours).unwrap_err();
    /// assert_eq!(error.part(), Some("port"));
    /// assert_eq!(error.to_string(), "`url::Url` changes the port: it writes `http://host.dom/`");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    impl<T: AsRef<str>> TryFrom<&Url<T>> for Other {
        type Error = InteropError;

        fn try_from(url: &Url<T>) -> Result<Self, Self::Error> {
            let refused = |error: ::url::ParseError| InteropError { other: NAME, why: Why::Refused(error.to_string()) };
            let other = Other::parse(url.as_str()).map_err(refused)?;
            compare(url, NAME, other.as_str().into(), &reading(&other))?;
            Ok(other)
        }
    }

    /// The same URL, read by the profile `current`; an error for what is none there (a fragment is no part of a URL) or reads
    /// differently.
    impl TryFrom<&Other> for Url<String> {
        type Error = InteropError;

        fn try_from(other: &Other) -> Result<Self, Self::Error> {
            let url = read(NAME, other.as_str().into())?;
            compare(&url, NAME, other.as_str().into(), &reading(other))?;
            Ok(url)
        }
    }
}

#[cfg(feature = "http")]
mod http_crate {
    use super::*;
    use ::http::Uri;

    const NAME: &str = "http::Uri";

    fn reading(uri: &Uri) -> Reading<'_> {
        let authority = uri.authority().map(::http::uri::Authority::as_str).unwrap_or_default();
        let userinfo = authority.rsplit_once('@').map(|(userinfo, _)| userinfo).unwrap_or_default();
        let (user, password) = match userinfo.split_once(':') {
            Some((user, password)) => (user, Some(password)),
            None => (userinfo, None),
        };
        Reading {
            scheme: uri.scheme_str().unwrap_or_default(),
            user,
            password,
            host: uri.host().unwrap_or_default(),
            port: uri.port_u16(),
        }
    }

    /// The same URL for the crate `http`; an error where that would change or misread it, or where it has no place for it: only
    /// URLs with `//` and a host have one.
    ///
    /// ```
    /// let ours = urlwise::Url::parse("http://host.dom:8080/a?b")?;
    /// assert_eq!(http::Uri::try_from(&ours)?.port_u16(), Some(8080));
    ///
    /// let ours = urlwise::Url::parse("http://host.dom")?;
    /// let error = http::Uri::try_from(&ours).unwrap_err();
    /// assert_eq!(error.to_string(), "`http::Uri` changes the path: it writes `http://host.dom/`");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    impl<T: AsRef<str>> TryFrom<&Url<T>> for Uri {
        type Error = InteropError;

        fn try_from(url: &Url<T>) -> Result<Self, Self::Error> {
            let refused =
                |error: ::http::uri::InvalidUri| InteropError { other: NAME, why: Why::Refused(error.to_string()) };
            let uri = Uri::try_from(url.as_str()).map_err(refused)?;
            compare(url, NAME, uri.to_string(), &reading(&uri))?;
            Ok(uri)
        }
    }

    /// The same URL, read by the profile `current`; an error for what is none there (a `Uri` may be a mere path) or reads
    /// differently.
    impl TryFrom<&Uri> for Url<String> {
        type Error = InteropError;

        fn try_from(uri: &Uri) -> Result<Self, Self::Error> {
            let url = read(NAME, uri.to_string())?;
            compare(&url, NAME, uri.to_string(), &reading(uri))?;
            Ok(url)
        }
    }
}
