//! Changing one part of a URL that there is already.

use alloc::string::{String, ToString};
use core::net::Ipv6Addr;

use super::draft::Draft;
use super::error::BuildError;
use crate::url::Url;

/// Changing one part of a URL. All other parts stay as they are written, octet for octet, and so does the part itself where it
/// stands for these octets already; the result is read again by the same profile, and by the rules of the
/// [registry](crate::registry) that the URL was read by.
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
