//! Hosts: domain names and addresses (section 3.1, D-16 to D-21).

use core::fmt;
use core::net::{IpAddr, Ipv4Addr};

/// What kind of host was written. There may be others: RFC 3986 leaves room for addresses of later versions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HostKind {
    /// A domain name (section 3.1).
    #[default]
    Name,
    /// Four decimal digit groups (section 3.1).
    Ipv4,
    /// An address in brackets: only under the profile `current` (RFC 3986).
    Ipv6,
}

impl HostKind {
    /// `name`, `ipv4` or `ipv6`.
    pub const fn name(self) -> &'static str {
        match self {
            HostKind::Name => "name",
            HostKind::Ipv4 => "ipv4",
            HostKind::Ipv6 => "ipv6",
        }
    }
}

/// The host of a URL, as written. Hosts have no escapes.
///
/// ```
/// use urlwise::{HostKind, Url};
///
/// let url = Url::parse("http://192.0.2.007/")?;
/// let host = url.host().unwrap();
/// assert_eq!((host.as_str(), host.kind()), ("192.0.2.007", HostKind::Ipv4));
/// assert_eq!(host.ip().unwrap().to_string(), "192.0.2.7"); // decimal, never octal: D-21
/// # Ok::<(), urlwise::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Host<'a> {
    text: &'a str,
    kind: HostKind,
}

impl<'a> Host<'a> {
    #[inline]
    pub(crate) fn new(text: &'a str, kind: HostKind) -> Self {
        Host { text, kind }
    }

    /// As written, an IPv6 address with its brackets. Case is kept; compare without it (D-17).
    pub fn as_str(self) -> &'a str {
        self.text
    }

    /// Name or address.
    pub fn kind(self) -> HostKind {
        self.kind
    }

    /// Whether nothing is written: only a `file:` URL can have an empty host.
    pub fn is_empty(self) -> bool {
        self.text.is_empty()
    }

    /// The address, `None` for a name. Leading zeros of a group are decimal (D-21).
    pub fn ip(self) -> Option<IpAddr> {
        match self.kind {
            HostKind::Name => None,
            HostKind::Ipv4 => {
                let (mut groups, mut at) = ([0u8; 4], 0);
                for octet in self.text.bytes() {
                    if octet == b'.' {
                        at += 1;
                    } else {
                        let group = groups.get_mut(at)?;
                        *group = group.checked_mul(10)?.checked_add(octet.wrapping_sub(b'0'))?;
                    }
                }
                (at == 3).then(|| Ipv4Addr::from(groups).into())
            }
            HostKind::Ipv6 => {
                let inside = self.text.strip_prefix('[')?.strip_suffix(']')?;
                inside.parse().ok().map(IpAddr::V6)
            }
        }
    }

    /// Whether the name is `localhost`, in any case.
    pub fn is_localhost(self) -> bool {
        self.text.eq_ignore_ascii_case("localhost")
    }
}

impl AsRef<str> for Host<'_> {
    fn as_ref(&self) -> &str {
        self.text
    }
}

/// Octet for octet; see [`as_str`](Host::as_str).
impl PartialEq<str> for Host<'_> {
    fn eq(&self, other: &str) -> bool {
        self.text == other
    }
}

impl PartialEq<&str> for Host<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.text == *other
    }
}

impl fmt::Display for Host<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text)
    }
}
