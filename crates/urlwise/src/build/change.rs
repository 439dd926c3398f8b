//! Changing one part of a URL that there is already.

use alloc::string::{String, ToString};
use core::net::Ipv6Addr;

use super::draft::{Draft, fault};
use super::error::{BuildError, Refused};
use crate::grammar::SCHEME;
use crate::url::Url;
use crate::url::parse::layout_of;

/// Changing one part of a URL. All other parts stay as they are written, octet for octet, and so does the part itself where it
/// stands for these octets already; the result is read again by the same profile, and by the rules of the
/// [registry](crate::registry) that the URL was read by.
///
/// A fragment is not part of a URL (RFC 1738 section 2.2, D-08), so none can be set here: it belongs to a [`Reference`](crate::Reference), whose
/// text is that of the URL, `#` and the fragment.
impl<T: AsRef<str>> Url<T> {
    /// The parts, to be changed by their names.
    pub fn edit(&self) -> Draft {
        Draft::of_url(self)
    }

    /// This URL with another part of this name, or with one that it has not yet; see [`Draft::set`], and [`Draft::add`] for the
    /// path of http.
    ///
    /// ```
    /// use urlwise::Url;
    ///
    /// let url = Url::parse("gopher://host.dom/0a%2fb")?;
    /// assert_eq!(url.with("search", b"old maps")?.as_str(), "gopher://host.dom/0a%2fb%09old%20maps");
    /// assert_eq!(url.with("port", b"70000").unwrap_err().to_string(), "error[port-range] at 18..23: \
    ///     the port is greater than 65535 (section 3.1, D-23); write a number from 1 to 65535");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The scheme has no such part, or the result is not a URL.
    pub fn with(&self, part: &str, octets: impl AsRef<[u8]>) -> Result<Url<String>, BuildError> {
        let mut draft = self.edit();
        draft.set(part, octets)?;
        draft.build()
    }

    /// This URL without the part; see [`Draft::remove`].
    ///
    /// # Errors
    /// The scheme has no such part, or the result is not a URL.
    pub fn without(&self, part: &str) -> Result<Url<String>, BuildError> {
        let mut draft = self.edit();
        draft.remove(part)?;
        draft.build()
    }

    /// This URL with another scheme, in lower case (D-02), and all behind the colon as it is written. It is read again by the rules
    /// of that scheme, by the same profile: the parts may have other names then, the port in force may be another one, and what the
    /// new scheme does not allow is an error. Its rules are those that the profile has for it, never those of a
    /// [registry](crate::registry); a scheme without rules is read by the generic syntax.
    ///
    /// ```
    /// use urlwise::Url;
    ///
    /// let url = Url::parse_current("http://host.dom/a?b")?;
    /// let over_tls = url.with_scheme("https")?;
    /// assert_eq!((over_tls.as_str(), over_tls.port_or_default()), ("https://host.dom/a?b", Some(443)));
    /// assert!(Url::parse("ftp://jim@host.dom/a")?.with_scheme("http").is_err()); // http has no user names
    /// assert!(url.with_scheme("http://x").is_err());
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BuildError::Refused`]: this is not the name of a scheme, or the result is not a URL.
    pub fn with_scheme(&self, scheme: &str) -> Result<Url<String>, BuildError> {
        let url = self.borrow();
        if url.scheme_name().eq_ignore_ascii_case(scheme) {
            return Ok(self.to_owned());
        }
        let mut octets = scheme.to_ascii_lowercase().into_bytes();
        octets.push(b':');
        octets.extend_from_slice(url.schemepart().as_bytes());
        let read = match fault(&octets, self.profile(), 0..scheme.len(), &SCHEME) {
            Some(finding) => Err(finding),
            None => layout_of(&octets, self.profile()),
        };
        match read {
            // No rule takes an octet outside US-ASCII, so what was read is text.
            Ok(layout) => Ok(Url::from_layout(String::from_utf8(octets).unwrap_or_default(), layout)),
            Err(finding) => Err(BuildError::Refused(Refused::new(octets, finding))),
        }
    }

    /// This URL with another host. An IPv6 address, which only the profile `current` has, may stand without its brackets.
    ///
    /// ```
    /// use std::net::Ipv6Addr;
    /// use urlwise::Url;
    ///
    /// let url = Url::parse_current("http://host.dom:81/a")?;
    /// assert_eq!(url.with_host("other.dom")?.as_str(), "http://other.dom:81/a");
    /// assert_eq!(url.with_host(&Ipv6Addr::LOCALHOST.to_string())?.as_str(), "http://[::1]:81/a");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The scheme has no host, or this is not one.
    pub fn with_host(&self, host: &str) -> Result<Url<String>, BuildError> {
        match host.parse::<Ipv6Addr>() {
            Ok(_) => self.with("host", alloc::format!("[{host}]")),
            Err(_) => self.with("host", host),
        }
    }

    /// This URL with another port; `None` takes it away, so that the scheme's default is in force.
    ///
    /// # Errors
    /// The scheme has no port.
    pub fn with_port(&self, port: Option<u16>) -> Result<Url<String>, BuildError> {
        match port {
            Some(port) => self.with("port", port.to_string()),
            None => self.without("port"),
        }
    }

    /// This URL with another login: user and password, each absent (`None`), empty or present (D-24).
    ///
    /// ```
    /// use urlwise::Url;
    ///
    /// let url = Url::parse("ftp://jim:s3cret@host.dom/%7ejim/x")?;
    /// assert_eq!(url.with_login(None, None)?.as_str(), "ftp://host.dom/%7ejim/x");
    /// assert_eq!(url.with_login(Some(b"a@b"), None)?.as_str(), "ftp://a%40b@host.dom/%7ejim/x");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The scheme has no logins, or there is a password without a user.
    pub fn with_login(&self, user: Option<&[u8]>, password: Option<&[u8]>) -> Result<Url<String>, BuildError> {
        let mut draft = self.edit();
        for (part, octets) in [("user", user), ("password", password)] {
            match octets {
                Some(octets) => draft.set(part, octets)?,
                None => draft.remove(part)?,
            }
        }
        draft.build()
    }
}
