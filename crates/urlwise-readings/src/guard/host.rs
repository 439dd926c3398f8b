//! What a host stands for: names, and addresses in every notation that some program reads.

use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use url::{Host, ParseError};
use urlwise::Words;
use urlwise::audit::AddressClass;

use crate::cause::ends_in_a_number;
use crate::compare::LONGEST;
use crate::language::words;
use crate::octet_set::OctetSet;
use crate::whatwg;

/// A host that is read alike everywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Plain {
    Address(IpAddr),
    Name,
}

/// The host as a plain name or an address in its usual form; otherwise what is wrong with it.
pub(super) fn plain(host: &str) -> Result<Plain, Words> {
    if let Some(inner) = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        return match inner.parse::<Ipv6Addr>() {
            Ok(address) => Ok(Plain::Address(address.into())),
            Err(_) if inner.contains('%') => {
                Err(words!("is an IPv6 address with a zone, which only this machine can tell"))
            }
            Err(_) => Err(words!("has brackets around something that is not an IPv6 address")),
        };
    }
    if !host.is_ascii() {
        return Err(words!("has letters outside US-ASCII, which programs map in different ways"));
    }
    const ENDS: OctetSet = OctetSet::of(b"%\\[]@:/?# ");
    if host.bytes().any(|octet| octet.is_ascii_control() || ENDS.has(octet)) {
        return Err(words!("has a character that programs decode, drop or end it at"));
    }
    // Who ends the host at any other odd character sees none if no name stands before it.
    let odd = host.bytes().rposition(|octet| !is_name_octet(octet)).unwrap_or(0);
    if host[..odd].contains(|c: char| c.is_ascii_alphanumeric()) {
        return Err(words!("has a character that no name has, so programs may end it there"));
    }
    let name = host.strip_suffix('.').unwrap_or(host);
    if name.is_empty() {
        return Err(words!("has no name"));
    }
    if name.starts_with('-') {
        return Err(words!("starts with a hyphen, so programs may take it for an option"));
    }
    // One dot at the end is the root of all names; programs that drop more reach what the rules of addresses and names do not see.
    if name.starts_with('.') || name.ends_with('.') || name.contains("..") {
        return Err(words!("has an empty label, which programs may drop"));
    }
    // To find that out is cheap, to parse a long name is not.
    if name.len() > LONGEST {
        return Err(words!("is longer than 253 octets, the limit for a name"));
    }
    match Host::parse(host) {
        Ok(Host::Domain(_)) => Ok(Plain::Name),
        Ok(Host::Ipv4(address)) if host == address.to_string() => Ok(Plain::Address(address.into())),
        Ok(Host::Ipv4(_)) => Err(words!("is an IPv4 address in a notation that programs read in different ways")),
        Err(_) if name.bytes().all(|octet| octet.is_ascii_digit() || octet == b'.') => {
            Err(words!("is a number that is not an IPv4 address"))
        }
        Ok(Host::Ipv6(_)) | Err(_) => Err(words!("is not a valid name")),
    }
}

/// Whether names of hosts consist of such octets; `_` is no letter of theirs, but common.
pub(super) fn is_name_octet(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'.' | b'_')
}

/// The classes of what a program may take a host for, with what that is: the address in its usual form, or the name.
pub(super) fn classes(host: &str) -> Vec<(AddressClass, String)> {
    let decoded = whatwg::decoded(host);
    let whatwg = if is_as_written(host, &decoded) || has_plain_end(host) { None } else { Host::parse(host).ok() };
    let addresses = [v6(host), decimal(&decoded)].into_iter().flatten().chain(match &whatwg {
        Some(Host::Ipv4(address)) => Some(IpAddr::from(*address)),
        Some(Host::Ipv6(address)) => Some(IpAddr::from(*address)),
        Some(Host::Domain(_)) | None => None,
    });
    let mut classes: Vec<_> = addresses.map(|address| (AddressClass::of(address), address.to_string())).collect();
    let mapped = match whatwg {
        Some(Host::Domain(name)) => Cow::Owned(name),
        Some(Host::Ipv4(_) | Host::Ipv6(_)) | None => decoded,
    };
    classes.extend(AddressClass::of_name(&mapped).map(|class| (class, mapped.into_owned())));
    classes
}

/// Domains that networks use inside, and that are not in the root of names (RFC 6762, Appendix G).
const INSIDE: [&str; 5] = ["intranet", "private", "corp", "home", "lan"];

/// Whether a [plain](plain) name that has no class of its own is hardly one of the Internet: it has one label, which a resolver completes by
/// the domain of its network, or ends in a domain for such use.
pub(super) fn is_inside(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    let last = name.rsplit('.').next().unwrap_or_default();
    let is_known = AddressClass::of_name(name).is_some();
    !is_known && (last.len() == name.len() || INSIDE.iter().any(|inside| last.eq_ignore_ascii_case(inside)))
}

/// Whether the host is too long for a name, and would still be so when it is parsed: mapping and decoding shorten a host, and a number
/// may begin with any number of zeros. What is longer than the reader is given is not parsed either.
fn is_as_written(host: &str, decoded: &str) -> bool {
    let is_plain = || host.is_ascii() && !host.contains('%') && !ends_in_a_number(host.as_bytes());
    host.len() > LONGEST && (host.len() > whatwg::LONGEST_AUTHORITY || is_plain() || whatwg::has_long_label(decoded))
}

/// Whether a host is too long for a name, and its last labels show that it has no class: an address has four labels, what has a class
/// ends in it, and what ends in a number is an address or nothing.
fn has_plain_end(host: &str) -> bool {
    /// With an empty one behind the last dot.
    const MOST: usize = 5;
    let end = host.rmatch_indices(whatwg::is_dot).nth(MOST).map(|(at, dot)| &host[at + dot.len()..]);
    let has_class = |end: &str| match Host::parse(end) {
        Ok(Host::Domain(name)) => AddressClass::of_name(&name).is_some(),
        Err(ParseError::InvalidIpv4Address) => false,
        Ok(Host::Ipv4(_) | Host::Ipv6(_)) | Err(_) => true,
    };
    host.len() > LONGEST && end.is_some_and(|end| !has_class(end))
}

/// The IPv6 address in brackets or without, its zone left out.
fn v6(host: &str) -> Option<IpAddr> {
    let inner = host.trim_start_matches('[').trim_end_matches(']');
    let address = inner.split('%').next().unwrap_or_default();
    address.parse::<Ipv6Addr>().ok().map(IpAddr::from)
}

/// Four decimal numbers, where a leading zero means nothing: so RFC 1738 reads them, while others read octal ones.
fn decimal(host: &str) -> Option<IpAddr> {
    let mut octets = [0; 4];
    let mut groups = host.strip_suffix('.').unwrap_or(host).split('.');
    for octet in &mut octets {
        let group = groups.next().filter(|group| group.bytes().all(|digit| digit.is_ascii_digit()))?;
        *octet = group.parse().ok()?;
    }
    groups.next().is_none().then(|| Ipv4Addr::from(octets).into())
}

#[cfg(test)]
mod tests {
    use super::{Plain, classes, has_plain_end, is_as_written, plain};
    use crate::compare::LONGEST;
    use crate::whatwg::{LONGEST_AUTHORITY, decoded};
    use urlwise::audit::AddressClass;

    #[test]
    fn every_notation_of_an_address_has_its_class() {
        for host in [
            "127.0.0.1",
            "127.0.0.1.",
            "127.1",
            "127.0.1",
            "2130706433",
            "0x7f000001",
            "0X7F.1",
            "0x7f.0.0.0x1",
            "0177.0.0.1",
            "017700000001",
            "0000000177.0.0.1",
            "127.000.000.001",
            "127.0.0.%31",
            "%31%32%37.0.0.1",
            "127\u{3002}0\u{ff0e}0\u{ff61}1",
            "\u{ff11}\u{ff12}\u{ff17}.0.0.1",
            "\u{2460}\u{2461}\u{2466}.0.0.1",
            "\u{ff10}x7f.1",
            "[::1]",
            "[0:0::0001]",
            "[::1%25lo]",
            "[::1%lo]",
            "::1",
            "[::127.0.0.1]",
            "[::ffff:127.0.0.1]",
            "[::FFFF:7f00:1]",
            "[::ffff:0:127.0.0.1]",
            "[64:ff9b::7f00:1]",
            "[2002:7f00:1::]",
            "[2001:0:1:2:3:4:80ff:fffe]",
            "localhost",
            "LOCALHOST.",
            "a.localhost",
            "local%68ost",
            "loc\u{aa}lhost",
        ] {
            let classes = classes(host);
            assert!(classes.iter().any(|(class, _)| *class == AddressClass::Loopback), "{host}: {classes:?}");
        }
        // Decimal for one reader, octal for the others.
        let both: Vec<_> = classes("010.8.8.8").into_iter().map(|(class, _)| class.name()).collect();
        assert_eq!(both, ["private", "public"]);
        // Octal is no number here, so only one reader is left; and the dot at the end is no group.
        for host in ["10.08.0.1", "1%30.08.0.1", "010.0.0.1."] {
            assert_eq!(classes(host)[0].0, AddressClass::Private, "{host}");
        }
        for host in ["a.example", "127.0.0.1.example", "256.0.0.1", "1.2.3.4.5", "[v1.a]", "", "%ff"] {
            assert_eq!(classes(host), [], "{host}");
        }
    }

    #[test]
    fn a_long_host_that_becomes_a_short_one_has_its_class() {
        let many = |unit: &str| unit.repeat(1000);
        let some = |unit: &str| unit.repeat(80);
        for host in [
            format!("0x{}7f000001", many("0")),
            format!("0x{}7f.1.", many("0")),
            format!("{}177.0.0.1", many("0")),
            format!("127.0.0.{}1", many("0")),
            format!("127.{0}0.{0}0.1", some("\u{ad}")),
            format!("local{}host", some("\u{ad}")),
            format!("{}\u{ff4c}ocalhost", some("\u{200b}")),
            "%31%32%37%2e%30%2e%30%2e%31".to_owned() + &some("%c2%ad"),
            format!("{}.localhost", many("a")),
            format!("{}.localhost", "\u{e9}".repeat(50)),
            format!("{}localhost", many("\u{e9}.")),
            format!("{}\u{ff4c}ocalhost.", many("\u{e9}\u{3002}")),
            format!("{}\u{ff4c}ocalhost", many("\u{e9}%2E")),
        ] {
            assert!(host.len() > LONGEST || !host.is_ascii(), "{host}");
            let classes = classes(&host);
            assert!(classes.iter().any(|(class, _)| *class == AddressClass::Loopback), "{host}: {classes:?}");
        }
    }

    #[test]
    fn only_what_cannot_become_shorter_or_a_number_or_is_longer_than_the_reader_is_given_is_not_parsed() {
        let labels = |octets: usize| "a.".repeat(octets / 2);
        for host in [
            labels(1000),
            "a".repeat(LONGEST + 1),
            format!("xn--{}", "a".repeat(1000)),
            "\u{4e2d}".repeat(LONGEST_AUTHORITY),
            "\u{4e2d}".repeat(100),
        ] {
            assert!(is_as_written(&host, &decoded(&host)), "{} octets", host.len());
        }
        for host in [
            "a".repeat(LONGEST),
            "a".repeat(1000) + "%61",
            "a".repeat(1000) + ".\u{ad}",
            "a".repeat(1000) + ".1",
            "a".repeat(1000) + ".0x",
            format!("0x{}1.", "0".repeat(1000)),
        ] {
            assert!(!is_as_written(&host, &decoded(&host)), "{} octets", host.len());
        }
    }

    #[test]
    fn a_long_host_that_ends_in_a_number_has_no_class_and_is_not_parsed_unless_it_may_be_an_address() {
        for end in ["1", "1.", "127.0.0.1", "0x7f.1", "\u{ff11}", "%31.1"] {
            let host = "1.".repeat(1000) + end;
            assert!(has_plain_end(&host) && classes(&host).is_empty(), "{end}");
        }
        for host in ["0".repeat(1000) + "177.0.0.1", "1.1.".to_owned() + &"0".repeat(1000) + ".1."] {
            assert!(!has_plain_end(&host) && !classes(&host).is_empty(), "{host}");
        }
    }

    #[test]
    fn a_name_has_at_most_253_octets_without_the_dot_at_its_end() {
        let labels = ".a".repeat(256);
        let name = |octets: usize| format!("a{}", &labels[labels.len() + 1 - octets..]);
        for host in [name(253), name(253) + "."] {
            assert_eq!(plain(&host), Ok(Plain::Name), "{host}");
        }
        for host in [name(254), name(254) + ".", "0x".to_owned() + &"0".repeat(253), "a".repeat(1 << 20)] {
            assert!(plain(&host).is_err_and(|said| said.en().contains(" 253 octets")), "{}", host.len());
        }
    }

    #[test]
    fn only_names_and_addresses_in_their_usual_form_are_plain() {
        let names = ["a.example", "A.example.", "a_b.example", "a--b.c-", "xn--bcher-kva.example", "x1", "1.a"];
        for host in names.into_iter().chain(["\"a.example", "*.a", "!a"]) {
            assert_eq!(plain(host), Ok(Plain::Name), "{host}");
        }
        for host in ["8.8.8.8", "[2001:DB8::1]", "[::ffff:1.2.3.4]"] {
            assert!(matches!(plain(host), Ok(Plain::Address(_))), "{host}");
        }
        for (host, why) in [
            ("", "no name"),
            (".", "no name"),
            ("..", "empty label"),
            ("a..", "empty label"),
            ("a..b", "empty label"),
            (".a", "empty label"),
            (".*a", "empty label"),
            ("127.0.0.1..", "empty label"),
            ("-a.example", "hyphen"),
            ("a&b", "no name has"),
            ("a=", "no name has"),
            ("\"a\"b", "no name has"),
            ("a%2eb", "decode"),
            ("%61", "decode"),
            ("\\a", "decode"),
            ("a b", "decode"),
            ("a\u{1}b", "decode"),
            ("::1", "decode"),
            ("b\u{fc}cher.example", "US-ASCII"),
            ("[::1%25eth0]", "zone"),
            ("[v1.a]", "brackets"),
            ("[]", "brackets"),
            ("127.1", "notation"),
            ("8.8.8.8.", "notation"),
            ("0x7f.0.0.1", "notation"),
            ("08.0.0.1", "number"),
            ("1.2.3.4.5", "number"),
            ("256.0.0.1", "number"),
            ("a.0x1", "valid"),
            ("<a", "valid"),
        ] {
            assert!(plain(host).is_err_and(|said| said.en().contains(why)), "{host}: {:?}", plain(host));
        }
    }
}
