//! Which addresses are public (S-9, E-19), and what is known of where a host is.

use std::net::IpAddr;
use urlwise::audit::AddressClass;

/// Where a host is, as far as that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// At this address.
    Address(IpAddr),
    /// At addresses of this class, wherever its name is looked up.
    Named(AddressClass),
}

impl Place {
    /// What a host without brackets says by itself, before it is looked up; `None` if it is a name that may have any address.
    pub(crate) fn as_written(host: &str, ip: Option<IpAddr>) -> Option<Place> {
        ip.map(Place::Address).or_else(|| AddressClass::of_name(host).map(Place::Named))
    }

    /// What its address is for.
    pub(crate) fn class(self) -> AddressClass {
        match self {
            Place::Address(ip) => AddressClass::of(ip),
            Place::Named(class) => class,
        }
    }
}

/// Whether an address is public, also inside the IPv6 forms that carry an IPv4 address. This is stricter than not being
/// [local](urlwise::audit::is_local): addresses for documentation and unallocated ones are not public either.
pub(crate) fn is_public(ip: IpAddr) -> bool {
    AddressClass::of(ip).is_public()
}

#[cfg(test)]
mod tests {
    use super::is_public;

    #[test]
    fn security_9_local_addresses_are_known_in_every_spelling() {
        let local = [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "169.254.1.1",
            "172.31.0.1",
            "192.0.2.1",
            "192.168.0.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "64:ff9b::10.0.0.1",
            "2002:7f00:1::",
            "fe80::1",
            "fc00::1",
            "ff02::1",
            "2001:db8::1",
        ];
        for ip in local {
            assert!(!is_public(ip.parse().expect(ip)), "{ip}");
        }
        for ip in ["8.8.8.8", "100.128.0.1", "172.32.0.1", "2606:4700::1", "::ffff:8.8.8.8"] {
            assert!(is_public(ip.parse().expect(ip)), "{ip}");
        }
    }
}
