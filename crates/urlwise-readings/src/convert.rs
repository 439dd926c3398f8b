//! Conversions to and from [`url::Url`] and, with the feature `http`, [`http::Uri`]: the same URL or an error.
//!
//! Other crates read URLs by other rules and rewrite some as they read them: `url::Url` drops a default port and an empty user, both
//! put a `/` behind a bare host. So a conversion succeeds only where the other type has the same text, octet for octet, and reads the
//! same scheme, user, password, host and port. Otherwise the error names the part that differs. What follows the port is not
//! compared: each scheme of RFC 1738 has its own parts there, and the other crates have one syntax for all.

use std::borrow::Cow;
use std::fmt;

use urlwise::{Encoded, Host, Language, Message, ParseError, Url};

use crate::difference::Difference;
use crate::language::message;

/// The URL has no equal of the other type.
///
/// `Display` says why. Passwords are masked.
#[derive(Clone, PartialEq, Eq)]
pub struct ConvertError {
    /// The type of the other crate.
    other: &'static str,
    cause: Cause,
}

#[derive(Clone, PartialEq, Eq)]
enum Cause {
    /// The other crate refuses it, with this message.
    Refused(String),
    /// The other crate writes this text, which differs from this part on.
    Rewritten { part: NamedPart, text: String },
    /// The text is the same, but the other crate reads another part.
    ReadDifferently { part: NamedPart },
    /// The other crate accepts what this one refuses.
    Invalid(ParseError),
}

/// A part by its name in the contract, and by its name for people.
#[derive(Clone, PartialEq, Eq)]
struct NamedPart {
    name: &'static str,
    shown: Message,
}

impl NamedPart {
    /// In English the name is that of the contract.
    fn new(name: &'static str, label_in: impl Fn(Language) -> Cow<'static, str>) -> NamedPart {
        let shown =
            Message::of_each(|language| if language == Language::En { name.into() } else { label_in(language) });
        NamedPart { name, shown }
    }

    fn of(difference: Difference) -> NamedPart {
        NamedPart::new(difference.name(), |language| difference.name_in(language))
    }
}

impl ConvertError {
    /// The part that differs, named as in [`Part::name`](urlwise::Part::name), or `scheme`; the first one if there are several.
    /// `None` where one side refuses the text.
    #[must_use]
    pub fn part(&self) -> Option<&'static str> {
        match &self.cause {
            Cause::Rewritten { part, .. } | Cause::ReadDifferently { part } => Some(part.name),
            Cause::Refused(_) | Cause::Invalid(_) => None,
        }
    }

    /// What `Display` writes, in a language. What the other crate says is English.
    pub fn message_in(&self, language: Language) -> impl fmt::Display + use<> {
        let other = self.other;
        let message = match &self.cause {
            Cause::Refused(cause) => {
                message!("`{other}` rejects the URL: {cause}", other = other, cause = cause.as_str())
            }
            Cause::Rewritten { part, text } => message!(
                "`{other}` changes the {part}: it writes `{text}`",
                other = other,
                part = part.shown.clone(),
                text = urlwise::without_secrets(text).to_string()
            ),
            Cause::ReadDifferently { part } => {
                message!("`{other}` reads a different {part}", other = other, part = part.shown.clone())
            }
            Cause::Invalid(error) => message!(
                "urlwise refuses the `{other}`: {cause}",
                other = other,
                cause = Message::of_each(|language| error.problem().display_in(language).to_string())
            ),
        };
        message.in_language(language).to_string()
    }
}

impl fmt::Display for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message_in(Language::En).fmt(f)
    }
}

impl fmt::Debug for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ConvertError({self})")
    }
}

impl std::error::Error for ConvertError {}

/// What decides where a client connects, and as which user. An empty host counts as absent.
#[derive(Default)]
struct Reading<'a> {
    scheme: &'a str,
    user: &'a str,
    password: Option<&'a str>,
    host: &'a str,
    port: Option<u16>,
}

impl<'a> Reading<'a> {
    fn of(url: &Url<&'a str>) -> Self {
        Reading {
            scheme: url.scheme_name(),
            user: url.user().map(Encoded::as_str).unwrap_or_default(),
            password: url.password().map(Encoded::as_str),
            host: url.host().map(Host::as_str).unwrap_or_default(),
            port: url.port().and_then(|digits| digits.parse().ok()),
        }
    }

    /// The first part that differs.
    fn difference(&self, other: &Reading<'_>) -> Option<Difference> {
        let parts = [
            (Difference::Scheme, self.scheme == other.scheme),
            (Difference::User, self.user == other.user),
            (Difference::Password, self.password == other.password),
            (Difference::Host, self.host == other.host),
            (Difference::Port, self.port == other.port),
        ];
        parts.into_iter().find(|(_, is_same)| !is_same).map(|(part, _)| part)
    }
}

/// Holds the other side to the text and to the reading of the URL.
fn compare(url: &Url<&str>, other: &'static str, text: String, reading: &Reading<'_>) -> Result<(), ConvertError> {
    let cause = if url.as_str() != text {
        Cause::Rewritten { part: changed_part(url, &text), text }
    } else if let Some(part) = Reading::of(url).difference(reading) {
        Cause::ReadDifferently { part: NamedPart::of(part) }
    } else {
        return Ok(());
    };
    Err(ConvertError { other, cause })
}

/// The part at the first octet that differs; of a delimiter, the part behind it.
fn changed_part(url: &Url<&str>, text: &str) -> NamedPart {
    let at = url.as_str().bytes().zip(text.bytes()).take_while(|(ours, theirs)| ours == theirs).count();
    if at < url.scheme_name().len() {
        return NamedPart::of(Difference::Scheme);
    }
    let touches = |start: usize, end: usize| (start..end).contains(&at) || start == at || start > at;
    let part = url.parts().find(|part| touches(part.span().start, part.span().end));
    // All parts are the same: what is added behind them is a slash.
    part.map_or_else(
        || NamedPart::of(Difference::Path),
        |part| NamedPart::new(part.name(), |language| part.label_in(language)),
    )
}

/// Reads the text of the other side. Other crates have the URLs of today, so the profile is `current`.
fn read(other: &'static str, text: String) -> Result<Url<String>, ConvertError> {
    Url::parse_current(text).map_err(|error| ConvertError { other, cause: Cause::Invalid(error) })
}

const URL: &str = "url::Url";

fn reading_of_url(url: &url::Url) -> Reading<'_> {
    Reading {
        scheme: url.scheme(),
        user: url.username(),
        password: url.password(),
        host: url.host_str().unwrap_or_default(),
        port: url.port(),
    }
}

/// The same URL for the crate `url`.
///
/// ```
/// use urlwise_readings::convert::to_url;
///
/// let ours = urlwise::Url::parse("ftp://jim@host.dom:2121/motd")?;
/// assert_eq!(to_url(&ours)?.username(), "jim");
///
/// let ours = urlwise::Url::parse("http://host.dom:80/")?;
/// let error = to_url(&ours).unwrap_err();
/// assert_eq!(error.part(), Some("port"));
/// assert_eq!(error.to_string(), "`url::Url` changes the port: it writes `http://host.dom/`");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Where `url::Url` refuses, rewrites or misreads the URL.
pub fn to_url<T: AsRef<str>>(url: &Url<T>) -> Result<url::Url, ConvertError> {
    let refused = |error: url::ParseError| ConvertError { other: URL, cause: Cause::Refused(error.to_string()) };
    let other = url::Url::parse(url.as_str()).map_err(refused)?;
    compare(&url.borrow(), URL, other.as_str().into(), &reading_of_url(&other))?;
    Ok(other)
}

/// The same URL, read by the profile `current`.
///
/// # Errors
/// Where the text is not a URL here (a fragment is not part of one), or is read differently.
pub fn from_url(other: &url::Url) -> Result<Url<String>, ConvertError> {
    let url = read(URL, other.as_str().into())?;
    compare(&url.borrow(), URL, other.as_str().into(), &reading_of_url(other))?;
    Ok(url)
}

#[cfg(feature = "http")]
pub use uri::{from_uri, to_uri};

#[cfg(feature = "http")]
mod uri {
    use http::Uri;
    use http::uri::{Authority, InvalidUri};

    use super::*;

    const URI: &str = "http::Uri";

    fn reading(uri: &Uri) -> Reading<'_> {
        let authority = uri.authority().map(Authority::as_str).unwrap_or_default();
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

    /// The same URL for the crate `http` (feature `http`).
    ///
    /// ```
    /// use urlwise_readings::convert::to_uri;
    ///
    /// let ours = urlwise::Url::parse("http://host.dom:8080/a?b")?;
    /// assert_eq!(to_uri(&ours)?.port_u16(), Some(8080));
    ///
    /// let ours = urlwise::Url::parse("http://host.dom")?;
    /// let error = to_uri(&ours).unwrap_err();
    /// assert_eq!(error.to_string(), "`http::Uri` changes the path: it writes `http://host.dom/`");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Where `http::Uri` refuses, rewrites or misreads the URL. It only has URLs with `//` and a host.
    pub fn to_uri<T: AsRef<str>>(url: &Url<T>) -> Result<Uri, ConvertError> {
        let refused = |error: InvalidUri| ConvertError { other: URI, cause: Cause::Refused(error.to_string()) };
        let uri = Uri::try_from(url.as_str()).map_err(refused)?;
        compare(&url.borrow(), URI, uri.to_string(), &reading(&uri))?;
        Ok(uri)
    }

    /// The same URL, read by the profile `current` (feature `http`).
    ///
    /// # Errors
    /// Where the text is not a URL here (a `Uri` may be a mere path), or is read differently.
    pub fn from_uri(uri: &Uri) -> Result<Url<String>, ConvertError> {
        let url = read(URI, uri.to_string())?;
        compare(&url.borrow(), URI, uri.to_string(), &reading(uri))?;
        Ok(url)
    }
}
