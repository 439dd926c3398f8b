//! What an IP address is for: this machine, a private network, the public Internet.

use core::fmt;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// What an IP address is for, by the registries of special-purpose addresses (RFC 6890) and, for
/// [`Metadata`](AddressClass::Metadata), by the documents of cloud providers.
///
/// ```
/// use urlwise::audit::AddressClass;
///
/// let class = |ip: &str| AddressClass::of(ip.parse().unwrap());
/// assert_eq!(class("127.0.0.1"), AddressClass::Loopback);
/// assert_eq!(class("::ffff:10.0.0.1"), AddressClass::Private); // the IPv4 address inside counts
/// assert_eq!(class("169.254.169.254"), AddressClass::Metadata);
/// assert_eq!(class("8.8.8.8").name(), "public");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum AddressClass {
    /// None of the others: routed on the public Internet.
    Public,
    /// `0.0.0.0/8` and `::`. Connecting to them reaches this machine on many systems.
    Unspecified,
    /// `127.0.0.0/8` and `::1`: this machine.
    Loopback,
    /// `10.0.0.0/8`, `172.16.0.0/12`, `192.168.0.0/16` (RFC 1918) and `fc00::/7` (RFC 4193).
    Private,
    /// `100.64.0.0/10`: shared between a provider and its customers (RFC 6598).
    Shared,
    /// `169.254.0.0/16` and `fe80::/10`: this network segment.
    LinkLocal,
    /// Where a cloud provider's machines get their credentials, such as `169.254.169.254`.
    Metadata,
    /// `192.0.2.0/24`, `2001:db8::/32` and others (RFC 5737, RFC 3849, RFC 9637): for examples.
    Documentation,
    /// `198.18.0.0/15` and `2001:2::/48`: for measuring networks (RFC 2544, RFC 5180).
    Benchmarking,
    /// `224.0.0.0/4` and `ff00::/8`.
    Multicast,
    /// `255.255.255.255`.
    Broadcast,
    /// Not assigned, or for protocols: `240.0.0.0/4`, `192.0.0.0/24`, and IPv6 addresses outside `2000::/3`.
    Reserved,
}

/// IPv4 networks: the first address, the length of the prefix, the class. The first that fits counts.
const V4: &[([u8; 4], u32, AddressClass)] = &[
    ([169, 254, 169, 254], 32, AddressClass::Metadata), // AWS, Azure, Google and others
    ([169, 254, 170, 2], 32, AddressClass::Metadata),   // containers of AWS
    ([169, 254, 170, 23], 32, AddressClass::Metadata),  // pods of AWS
    ([169, 254, 0, 23], 32, AddressClass::Metadata),    // Tencent
    ([169, 254, 42, 42], 32, AddressClass::Metadata),   // Scaleway
    ([169, 254, 169, 250], 32, AddressClass::Metadata), // Rancher
    ([100, 100, 100, 200], 32, AddressClass::Metadata), // Alibaba
    ([192, 0, 0, 192], 32, AddressClass::Metadata),     // Oracle
    ([168, 63, 129, 16], 32, AddressClass::Metadata),   // Azure
    ([255, 255, 255, 255], 32, AddressClass::Broadcast),
    ([0, 0, 0, 0], 8, AddressClass::Unspecified),
    ([10, 0, 0, 0], 8, AddressClass::Private),
    ([100, 64, 0, 0], 10, AddressClass::Shared),
    ([127, 0, 0, 0], 8, AddressClass::Loopback),
    ([169, 254, 0, 0], 16, AddressClass::LinkLocal),
    ([172, 16, 0, 0], 12, AddressClass::Private),
    ([192, 0, 0, 0], 24, AddressClass::Reserved),
    ([192, 0, 2, 0], 24, AddressClass::Documentation),
    ([192, 88, 99, 0], 24, AddressClass::Reserved), // the relays of 6to4, which are gone (RFC 7526)
    ([192, 168, 0, 0], 16, AddressClass::Private),
    ([198, 18, 0, 0], 15, AddressClass::Benchmarking),
    ([198, 51, 100, 0], 24, AddressClass::Documentation),
    ([203, 0, 113, 0], 24, AddressClass::Documentation),
    ([224, 0, 0, 0], 4, AddressClass::Multicast),
    ([240, 0, 0, 0], 4, AddressClass::Reserved),
];

/// IPv6 networks in the same way. Addresses with an IPv4 address inside are judged by that one, before these.
const V6: &[([u16; 8], u32, AddressClass)] = &[
    ([0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254], 128, AddressClass::Metadata), // AWS
    ([0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x23], 128, AddressClass::Metadata),  // pods of AWS
    ([0xfd00, 0x42, 0, 0, 0, 0, 0, 0x42], 128, AddressClass::Metadata),   // Scaleway
    ([0xfe80, 0, 0, 0, 0, 0, 0xa9fe, 0xa9fe], 128, AddressClass::Metadata), // OpenStack, Akamai
    ([0xfd00, 0xa9fe, 0xa9fe, 0, 0, 0, 0, 1], 128, AddressClass::Metadata), // Akamai
    ([0xfd00, 0xc1, 0, 0, 0, 0, 0xa9fe, 0xa9fe], 128, AddressClass::Metadata), // Oracle
    ([0xfd00, 0x100, 0, 0, 0, 0, 0x100, 0x200], 128, AddressClass::Metadata), // Alibaba
    ([0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254], 128, AddressClass::Metadata),  // Google
    ([0x64, 0xff9b, 1, 0, 0, 0, 0, 0], 48, AddressClass::Private),        // translation inside a network (RFC 8215)
    ([0x2001, 2, 0, 0, 0, 0, 0, 0], 48, AddressClass::Benchmarking),
    ([0x2001, 0x10, 0, 0, 0, 0, 0, 0], 28, AddressClass::Reserved), // ORCHID: names of hosts, never routed (RFC 4843)
    ([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32, AddressClass::Documentation),
    ([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20, AddressClass::Documentation),
    ([0x2000, 0, 0, 0, 0, 0, 0, 0], 3, AddressClass::Public),
    ([0xfc00, 0, 0, 0, 0, 0, 0, 0], 7, AddressClass::Private),
    ([0xfe80, 0, 0, 0, 0, 0, 0, 0], 10, AddressClass::LinkLocal),
    ([0xff00, 0, 0, 0, 0, 0, 0, 0], 8, AddressClass::Multicast),
];

/// Names that stand for such addresses wherever they are looked up: the name or the end of a name behind a dot, without
/// its final dot. The first that fits counts.
const NAMES: &[(&str, AddressClass)] = &[
    ("metadata.google.internal", AddressClass::Metadata),
    ("metadata.goog", AddressClass::Metadata),
    ("metadata.tencentyun.com", AddressClass::Metadata),
    ("instance-data.ec2.internal", AddressClass::Metadata),
    ("rancher-metadata.rancher.internal", AddressClass::Metadata),
    ("rancher-metadata", AddressClass::Metadata),
    ("instance-data", AddressClass::Metadata), // AWS
    ("metadata", AddressClass::Metadata),      // Google
    ("localhost", AddressClass::Loopback),     // RFC 6761
    ("localhost.localdomain", AddressClass::Loopback),
    ("ip6-localhost", AddressClass::Loopback), // Debian
    ("ip6-loopback", AddressClass::Loopback),
    ("ip6-allnodes", AddressClass::Multicast),
    ("ip6-allrouters", AddressClass::Multicast),
    ("localhost4", AddressClass::Loopback), // Fedora
    ("localhost4.localdomain4", AddressClass::Loopback),
    ("localhost6", AddressClass::Loopback),
    ("localhost6.localdomain6", AddressClass::Loopback),
    ("_localdnsstub", AddressClass::Loopback), // systemd
    ("_localdnsproxy", AddressClass::Loopback),
    ("_gateway", AddressClass::Private),
    ("_outbound", AddressClass::Private),
    ("broadcasthost", AddressClass::Broadcast), // macOS
    ("local", AddressClass::LinkLocal),         // multicast DNS (RFC 6762)
    ("home.arpa", AddressClass::Private),       // RFC 8375
    ("internal", AddressClass::Private),        // reserved for private use by ICANN
    ("localdomain", AddressClass::Private),     // what many routers hand out
];

impl AddressClass {
    /// All classes.
    pub const ALL: &'static [AddressClass] = &[
        AddressClass::Public,
        AddressClass::Unspecified,
        AddressClass::Loopback,
        AddressClass::Private,
        AddressClass::Shared,
        AddressClass::LinkLocal,
        AddressClass::Metadata,
        AddressClass::Documentation,
        AddressClass::Benchmarking,
        AddressClass::Multicast,
        AddressClass::Broadcast,
        AddressClass::Reserved,
    ];

    /// The class of an address. An IPv6 address with an [embedded IPv4 address](embedded_v4) has the class of that one. One that may hold an
    /// IPv4 address, by ISATAP (RFC 5214) or a translator inside a network (RFC 8215), has the class of that one if it is
    /// [`Metadata`](AddressClass::Metadata), or if the network itself is public.
    pub fn of(ip: IpAddr) -> AddressClass {
        match ip {
            IpAddr::V4(v4) => AddressClass::of_v4(v4),
            IpAddr::V6(Ipv6Addr::UNSPECIFIED) => AddressClass::Unspecified,
            IpAddr::V6(Ipv6Addr::LOCALHOST) => AddressClass::Loopback,
            IpAddr::V6(v6) => embedded_v4(v6).map_or_else(|| AddressClass::of_v6(v6), AddressClass::of_v4),
        }
    }

    /// The class of the addresses that a name stands for wherever it is looked up: `localhost`, `printer.local`,
    /// `metadata.google.internal`. Case and a final dot make no difference. `None` for all other names, which say nothing about
    /// their addresses.
    ///
    /// ```
    /// use urlwise::audit::AddressClass;
    ///
    /// assert_eq!(AddressClass::of_name("a.LOCALHOST."), Some(AddressClass::Loopback));
    /// assert_eq!(AddressClass::of_name("localhost.example"), None);
    /// ```
    pub fn of_name(name: &str) -> Option<AddressClass> {
        let name = name.strip_suffix('.').unwrap_or(name).as_bytes();
        let ends = |&&(end, _): &&(&str, _)| {
            let parts = name.len().checked_sub(end.len()).map(|start| name.split_at(start));
            parts.is_some_and(|(before, last)| {
                last.eq_ignore_ascii_case(end.as_bytes()) && matches!(before.last(), None | Some(b'.'))
            })
        };
        NAMES.iter().find(ends).map(|&(_, class)| class)
    }

    fn of_v4(v4: Ipv4Addr) -> AddressClass {
        let bits = u32::from(v4);
        let fits =
            |&&(network, length, _): &&([u8; 4], u32, _)| (bits ^ u32::from_be_bytes(network)) >> (32 - length) == 0;
        V4.iter().find(fits).map_or(AddressClass::Public, |&(_, _, class)| class)
    }

    fn of_v6(v6: Ipv6Addr) -> AddressClass {
        let bits = u128::from(v6);
        let fits = |&&(network, length, _): &&([u16; 8], u32, _)| {
            (bits ^ u128::from(Ipv6Addr::from(network))) >> (128 - length) == 0
        };
        let network = V6.iter().find(fits).map_or(AddressClass::Reserved, |&(_, _, class)| class);
        let inside = possible_v4(v6).into_iter().flatten().map(AddressClass::of_v4);
        let counts = |inside: &AddressClass| *inside == AddressClass::Metadata || network.is_public();
        inside.filter(counts).find(|inside| !inside.is_public()).unwrap_or(network)
    }

    /// Whether the address is on the public Internet.
    pub fn is_public(self) -> bool {
        self == AddressClass::Public
    }

    /// The name in machine-readable output: `public`, `link-local`.
    pub const fn name(self) -> &'static str {
        match self {
            AddressClass::Public => "public",
            AddressClass::Unspecified => "unspecified",
            AddressClass::Loopback => "loopback",
            AddressClass::Private => "private",
            AddressClass::Shared => "shared",
            AddressClass::LinkLocal => "link-local",
            AddressClass::Metadata => "metadata",
            AddressClass::Documentation => "documentation",
            AddressClass::Benchmarking => "benchmarking",
            AddressClass::Multicast => "multicast",
            AddressClass::Broadcast => "broadcast",
            AddressClass::Reserved => "reserved",
        }
    }
}

impl fmt::Display for AddressClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Whether an address is this machine, in a private network, link-local, multicast or the like
/// ([`HOST_LOCAL`](super::HOST_LOCAL)). Also covers IPv6 addresses with such an [embedded IPv4 address](embedded_v4). An
/// address that is only for examples or not assigned is neither local nor [public](AddressClass::is_public).
///
/// ```
/// use urlwise::audit::is_local;
///
/// assert!(is_local("192.168.0.1".parse()?) && is_local("::ffff:10.0.0.1".parse()?));
/// assert!(!is_local("192.0.2.1".parse()?));
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
pub fn is_local(ip: IpAddr) -> bool {
    match AddressClass::of(ip) {
        AddressClass::Unspecified
        | AddressClass::Loopback
        | AddressClass::Private
        | AddressClass::Shared
        | AddressClass::LinkLocal
        | AddressClass::Metadata
        | AddressClass::Multicast
        | AddressClass::Broadcast => true,
        AddressClass::Public | AddressClass::Documentation | AddressClass::Benchmarking | AddressClass::Reserved => {
            false
        }
    }
}

/// The IPv4 address inside a mapped, compatible, NAT64 or 6to4 address.
pub fn embedded_v4(v6: Ipv6Addr) -> Option<Ipv4Addr> {
    let joined = |high, low| Some(joined(high, low));
    match v6.segments() {
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low] => joined(high, low),
        [0, 0, 0, 0, 0xffff, 0, high, low] => joined(high, low), // IPv4-translated (RFC 2765)
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => joined(high, low),
        [0x2002, high, low, ..] => joined(high, low),
        // Teredo, which inverts the address (RFC 4380).
        [0x2001, 0, .., high, low] => joined(!high, !low),
        _ => None,
    }
}

fn joined(high: u16, low: u16) -> Ipv4Addr {
    let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
    Ipv4Addr::new(a, b, c, d)
}

/// The IPv4 addresses that may be inside an address by how a network uses it.
fn possible_v4(v6: Ipv6Addr) -> [Option<Ipv4Addr>; 4] {
    match v6.segments() {
        // A translator's prefix of 96, 48, 56 or 64 bits, within the one for local use (RFC 8215). Bits 64 to 71 are zero but for the first
        // (RFC 6052 section 2.2).
        [0x64, 0xff9b, 1, ..] => {
            let octets = v6.octets();
            [[12, 13, 14, 15], [6, 7, 9, 10], [7, 9, 10, 11], [9, 10, 11, 12]]
                .map(|places| Some(Ipv4Addr::from(places.map(|place: usize| octets[place]))))
        }
        // ISATAP (RFC 5214 section 6.1).
        [.., 0 | 0x200, 0x5efe, high, low] => [Some(joined(high, low)), None, None, None],
        _ => [None; 4],
    }
}

#[cfg(test)]
mod tests {
    use super::{AddressClass, V4, V6, is_local};
    use core::net::{IpAddr, Ipv6Addr};

    fn class(ip: &str) -> AddressClass {
        AddressClass::of(ip.parse().expect(ip))
    }

    /// Both ends of each network, and the addresses just outside.
    #[test]
    fn networks_begin_and_end_where_the_registries_say() {
        for (text, name) in [
            ("0.0.0.0", "unspecified"),
            ("0.255.255.255", "unspecified"),
            ("1.0.0.0", "public"),
            ("9.255.255.255", "public"),
            ("10.0.0.0", "private"),
            ("10.255.255.255", "private"),
            ("11.0.0.0", "public"),
            ("100.63.255.255", "public"),
            ("100.64.0.0", "shared"),
            ("100.100.100.200", "metadata"),
            ("100.127.255.255", "shared"),
            ("100.128.0.0", "public"),
            ("126.255.255.255", "public"),
            ("127.0.0.0", "loopback"),
            ("127.255.255.255", "loopback"),
            ("128.0.0.0", "public"),
            ("168.63.129.16", "metadata"),
            ("168.63.129.17", "public"),
            ("169.253.255.255", "public"),
            ("169.254.0.0", "link-local"),
            ("169.254.169.253", "link-local"),
            ("169.254.169.254", "metadata"),
            ("169.254.0.23", "metadata"),
            ("169.254.0.24", "link-local"),
            ("169.254.42.42", "metadata"),
            ("169.254.42.43", "link-local"),
            ("169.254.169.249", "link-local"),
            ("169.254.169.250", "metadata"),
            ("169.254.169.251", "link-local"),
            ("169.254.170.2", "metadata"),
            ("169.254.170.23", "metadata"),
            ("169.254.170.3", "link-local"),
            ("169.254.255.255", "link-local"),
            ("169.255.0.0", "public"),
            ("172.15.255.255", "public"),
            ("172.16.0.0", "private"),
            ("172.31.255.255", "private"),
            ("172.32.0.0", "public"),
            ("191.255.255.255", "public"),
            ("192.0.0.0", "reserved"),
            ("192.0.0.192", "metadata"),
            ("192.0.0.255", "reserved"),
            ("192.0.1.0", "public"),
            ("192.0.2.0", "documentation"),
            ("192.0.2.255", "documentation"),
            ("192.0.3.0", "public"),
            ("192.88.98.255", "public"),
            ("192.88.99.0", "reserved"),
            ("192.88.99.255", "reserved"),
            ("192.88.100.0", "public"),
            ("192.167.255.255", "public"),
            ("192.168.0.0", "private"),
            ("192.168.255.255", "private"),
            ("192.169.0.0", "public"),
            ("198.17.255.255", "public"),
            ("198.18.0.0", "benchmarking"),
            ("198.19.255.255", "benchmarking"),
            ("198.20.0.0", "public"),
            ("198.51.100.0", "documentation"),
            ("198.51.101.0", "public"),
            ("203.0.113.255", "documentation"),
            ("203.0.114.0", "public"),
            ("223.255.255.255", "public"),
            ("224.0.0.0", "multicast"),
            ("239.255.255.255", "multicast"),
            ("240.0.0.0", "reserved"),
            ("255.255.255.254", "reserved"),
            ("255.255.255.255", "broadcast"),
            ("::", "unspecified"),
            ("::1", "loopback"),
            ("::2", "unspecified"),
            ("1fff:ffff::", "reserved"),
            ("2000::", "public"),
            ("2001:2::", "benchmarking"),
            ("2001:2:0:ffff::", "benchmarking"),
            ("2001:2:1::", "public"),
            ("2001:f:ffff::", "public"),
            ("2001:10::", "reserved"),
            ("2001:1f:ffff::", "reserved"),
            ("2001:20::", "public"),
            ("2001:db7:ffff::", "public"),
            ("2001:db8::", "documentation"),
            ("2001:db8:ffff::", "documentation"),
            ("2001:db9::", "public"),
            ("3ffe:ffff::", "public"),
            ("3fff::", "documentation"),
            ("3fff:fff:ffff::", "documentation"),
            ("3fff:1000::", "public"),
            ("4000::", "reserved"),
            ("fbff:ffff::", "reserved"),
            ("fc00::", "private"),
            ("fd00:42::42", "metadata"),
            ("fd00:42::43", "private"),
            ("fd00:c1::a9fe:a9fe", "metadata"),
            ("fd00:c1::a9fe:a9ff", "private"),
            ("fd00:100::100:200", "metadata"),
            ("fd00:100::100:201", "private"),
            ("fd00:a9fe:a9fe::1", "metadata"),
            ("fd00:a9fe:a9fe::2", "private"),
            ("fd00:ec2::23", "metadata"),
            ("fd00:ec2::254", "metadata"),
            ("fd00:ec2::255", "private"),
            ("fe80::a9fe:a9fe", "metadata"),
            ("fe80::a9fe:a9ff", "link-local"),
            ("fd20:ce::254", "metadata"),
            ("fdff:ffff::", "private"),
            ("fe00::", "reserved"),
            ("fe80::", "link-local"),
            ("febf:ffff::", "link-local"),
            ("fec0::", "reserved"),
            ("ff00::", "multicast"),
            ("64:ff9b:0:ffff::", "reserved"),
            ("64:ff9b:1::1", "private"),
            ("64:ff9b:1:ffff::808:808", "private"),
            ("64:ff9b:2::", "reserved"),
        ] {
            assert_eq!(class(text).name(), name, "{text}");
        }
    }

    #[test]
    fn the_ipv4_address_inside_an_ipv6_address_counts() {
        for ip in [
            "::127.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:0:127.0.0.1",
            "64:ff9b::127.0.0.1",
            "2002:7f00:1::",
            "2001:0:1:2:3:4:80ff:fffe",
        ] {
            assert_eq!(class(ip), AddressClass::Loopback, "{ip}");
        }
        assert_eq!(class("::ffff:8.8.8.8"), AddressClass::Public);
        assert_eq!(class("::ffff:169.254.169.254"), AddressClass::Metadata);
    }

    #[test]
    fn an_ipv4_address_that_may_be_inside_counts_if_it_is_of_a_metadata_service_or_the_network_is_public() {
        for (ip, name) in [
            // RFC 6052 section 2.2: prefixes of 96, 48, 56 and 64 bits.
            ("64:ff9b:1::a9fe:a9fe", "metadata"),
            ("64:ff9b:1:2:3:4:169.254.169.254", "metadata"),
            ("64:ff9b:1:a9fe:a9:fe00::", "metadata"),
            ("64:ff9b:1:a9fe:a9:fe12:3456:789a", "metadata"),
            ("64:ff9b:1:12a9:fe:a9fe::", "metadata"),
            ("64:ff9b:1:1234:a9:fea9:fe00::", "metadata"),
            ("64:ff9b:1::8.8.8.8", "private"),
            ("64:ff9b:1:808:8:800::", "private"),
            ("64:ff9b:2::a9fe:a9fe", "reserved"),
            ("fe80::5efe:169.254.169.254", "metadata"),
            ("fe80::200:5efe:169.254.169.254", "metadata"),
            ("2001:db9::5efe:100.100.100.200", "metadata"),
            ("2001:db9::200:5efe:127.0.0.1", "loopback"),
            ("2001:db9::5efe:8.8.8.8", "public"),
            ("fe80::5efe:8.8.8.8", "link-local"),
            ("fe80::5efe:192.0.2.1", "link-local"),
            ("fe80::100:5efe:169.254.169.254", "link-local"),
        ] {
            assert_eq!(class(ip).name(), name, "{ip}");
        }
    }

    #[test]
    fn a_name_has_the_class_of_its_end() {
        for (name, class) in [
            ("localhost", Some("loopback")),
            ("LocalHost.", Some("loopback")),
            ("a.b.localhost", Some("loopback")),
            ("localhost.localdomain", Some("loopback")),
            ("printer.local", Some("link-local")),
            ("router.home.arpa", Some("private")),
            ("db.internal", Some("private")),
            ("metadata.google.internal", Some("metadata")),
            ("metadata.google.internal.", Some("metadata")),
            ("Metadata", Some("metadata")),
            ("rancher-metadata", Some("metadata")),
            ("rancher-metadata.rancher.internal", Some("metadata")),
            ("rancher.internal", Some("private")),
            ("instance-data", Some("metadata")),
            ("x.metadata.goog", Some("metadata")),
            ("localhost..", None),
            ("notlocalhost", None),
            ("local.example", None),
            ("internal.example", None),
            ("arpa", None),
            ("ocalhost", None),
            (".", None),
            ("", None),
        ] {
            assert_eq!(AddressClass::of_name(name).map(AddressClass::name), class, "{name}");
        }
    }

    /// What the files of hosts of stock systems and the modules of systemd add.
    #[test]
    fn the_names_that_systems_add_for_their_own_addresses_have_a_class() {
        for (name, class) in [
            ("ip6-localhost", "loopback"),
            ("ip6-loopback", "loopback"),
            ("ip6-allnodes", "multicast"),
            ("ip6-allrouters", "multicast"),
            ("localhost4", "loopback"),
            ("LOCALHOST6.", "loopback"),
            ("localhost4.localdomain4", "loopback"),
            ("localhost6.localdomain6", "loopback"),
            ("_localdnsstub", "loopback"),
            ("_localdnsproxy", "loopback"),
            ("_gateway", "private"),
            ("_outbound", "private"),
            ("broadcasthost", "broadcast"),
        ] {
            assert_eq!(AddressClass::of_name(name).map(AddressClass::name), Some(class), "{name}");
        }
        for name in ["localhost5", "alocalhost4", "host.localdomain4", "gateway"] {
            assert_eq!(AddressClass::of_name(name), None, "{name}");
        }
    }

    #[test]
    fn every_network_begins_at_its_first_address_and_has_a_class_in_the_list() {
        for &(network, length, class) in V4 {
            let bits = u32::from_be_bytes(network);
            assert_eq!(bits.checked_shl(length).unwrap_or(0), 0, "{network:?}/{length}");
            assert!(AddressClass::ALL.contains(&class));
        }
        for &(network, length, class) in V6 {
            let bits = u128::from(Ipv6Addr::from(network));
            assert_eq!(bits.checked_shl(length).unwrap_or(0), 0, "{network:?}/{length}");
            assert!(AddressClass::ALL.contains(&class));
        }
    }

    #[test]
    fn what_is_local_is_never_public() {
        for ip in ["192.168.0.1", "127.0.0.1", "169.254.169.254", "255.255.255.255", "::1", "ff02::1", "fe80::1"] {
            let ip: IpAddr = ip.parse().expect(ip);
            assert!(is_local(ip) && !AddressClass::of(ip).is_public(), "{ip}");
        }
        for ip in ["192.0.2.1", "240.0.0.1", "198.18.0.1", "4000::"] {
            let ip: IpAddr = ip.parse().expect(ip);
            assert!(!is_local(ip) && !AddressClass::of(ip).is_public(), "{ip}");
        }
    }
}
