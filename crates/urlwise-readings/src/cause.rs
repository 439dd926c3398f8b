//! Why readers differ: what in the text each standard has another rule for.

use crate::compare::{Difference, Readings};
use crate::reading::Standard;
use crate::whatwg;

/// What readings turn on. The first that applies, in the order of this table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cause {
    /// A tab or a line end.
    Control,
    /// A blank or a control at one of the ends.
    Blank,
    /// The scheme, or that there is none.
    Scheme,
    /// A backslash.
    Backslash,
    /// More or fewer than two slashes behind a scheme.
    Slashes,
    /// Two `@`.
    TwoAts,
    /// A login where a scheme has none, or one that a reader does not keep.
    Login,
    /// A `?` in front of the first slash.
    QuestionMark,
    /// A `?` behind it.
    Query,
    /// A fragment.
    Fragment,
    /// Brackets.
    Brackets,
    /// Letters outside US-ASCII.
    Unicode,
    /// A label that begins with `xn--`.
    Puny,
    /// An escape in a host.
    EscapedHost,
    /// A host that WHATWG takes for an address.
    OddAddress,
    /// A port.
    Port,
    /// Octets in a host.
    OddHost,
    /// A host where RFC 1738 sees none, or the reverse.
    Authority,
    /// `.` or `..` in a path.
    Dots,
    /// What RFC 1738 demands of a scheme.
    Grammar,
    /// None of these.
    Other,
}

impl Cause {
    /// The stable name in machine output: `two-ats`, `backslash`.
    pub const fn id(self) -> &'static str {
        match self {
            Cause::Control => "control",
            Cause::Blank => "blank",
            Cause::Scheme => "scheme",
            Cause::Backslash => "backslash",
            Cause::Slashes => "slashes",
            Cause::TwoAts => "two-ats",
            Cause::Login => "login",
            Cause::QuestionMark => "question-mark",
            Cause::Query => "query",
            Cause::Fragment => "fragment",
            Cause::Brackets => "brackets",
            Cause::Unicode => "unicode",
            Cause::Puny => "puny",
            Cause::EscapedHost => "escaped-host",
            Cause::OddAddress => "odd-address",
            Cause::Port => "port",
            Cause::OddHost => "odd-host",
            Cause::Authority => "authority",
            Cause::Dots => "dots",
            Cause::Grammar => "grammar",
            Cause::Other => "other",
        }
    }

    /// What the standards say about it, without a full stop.
    pub const fn why(self) -> &'static str {
        match self {
            Cause::Control => "WHATWG drops tabs and line ends, others refuse them",
            Cause::Blank => "WHATWG drops blanks and controls at both ends, others refuse them",
            Cause::Scheme => "the standards disagree about what a scheme may be",
            Cause::Backslash => {
                "a backslash is a slash to WHATWG in http, https, ftp and file, and nothing a URL may hold to others"
            }
            Cause::Slashes => "WHATWG skips slashes that are too many or missing, others read an empty or no host",
            Cause::TwoAts => "a login ends at the last `@` for WHATWG, and two of them are no URL for others",
            Cause::Login => {
                "RFC 1738 has logins in ftp and telnet alone and keeps empty ones, others have them in every scheme"
            }
            Cause::QuestionMark => {
                "`?` ends a host for RFC 3986 and WHATWG, while for RFC 1738 it is data, in a user too"
            }
            Cause::Query => "`?` begins a query for RFC 3986 and WHATWG, while for RFC 1738 it is data in most schemes",
            Cause::Fragment => "a fragment is part of a URL for RFC 3986 and WHATWG, and follows it for RFC 1738",
            Cause::Brackets => "brackets hold an IPv6 address since RFC 2732, and may not stand in a URL of RFC 1738",
            Cause::Unicode => {
                "WHATWG maps letters outside US-ASCII to others, which may be those of another host; others refuse them"
            }
            Cause::Puny => "WHATWG looks into labels that begin with `xn--`, others do not",
            Cause::EscapedHost => "WHATWG decodes escapes in a host, RFC 3986 keeps them, RFC 1738 has none",
            Cause::OddAddress => {
                "WHATWG reads numbers of any form as an IPv4 address, others as a name, decimally, or not at all"
            }
            Cause::Port => "the standards disagree about empty ports, zeros before them, and ports above 65535",
            Cause::OddHost => "the standards disagree about which octets may stand in a host",
            Cause::Authority => {
                "two slashes begin a host in every scheme for RFC 3986 and WHATWG, and only where the scheme says so for RFC 1738"
            }
            Cause::Dots => "WHATWG takes `.` and `..` out of a path, RFC 1738 has no meaning for them",
            Cause::Grammar => {
                "RFC 1738 has a grammar for each of its schemes, others have one for all that they do not know"
            }
            Cause::Other => "the standards have different rules for it",
        }
    }

    /// The class of the measured texts that turn on it, see the [crate](crate#classes); empty for [`Dots`](Cause::Dots) and
    /// [`Other`](Cause::Other), for which none was measured.
    pub const fn class(self) -> &'static str {
        match self {
            Cause::TwoAts | Cause::Login => "userinfo",
            Cause::QuestionMark | Cause::Fragment => "terminator",
            Cause::Backslash => "backslash",
            Cause::Slashes => "slashes",
            Cause::Scheme => "scheme",
            Cause::Control | Cause::Blank => "control",
            Cause::EscapedHost => "percent-host",
            Cause::OddAddress => "ipv4",
            Cause::Brackets => "ipv6",
            Cause::Unicode | Cause::Puny => "unicode",
            Cause::Port => "port",
            Cause::OddHost => "odd-host",
            Cause::Query | Cause::Authority | Cause::Grammar => "ten-schemes",
            Cause::Dots | Cause::Other => "",
        }
    }
}

/// The text taken apart just far enough to see what readers may stumble over. It decides nothing.
struct Shape<'a> {
    scheme: &'a [u8],
    /// Slashes of either kind behind the scheme.
    slashes: &'a [u8],
    /// What stands between those and the next slash of either kind.
    authority: &'a [u8],
    /// The authority behind its last `@`, up to a `?` or `#`.
    hostport: &'a [u8],
    /// What follows the authority.
    rest: &'a [u8],
}

impl<'a> Shape<'a> {
    fn of(octets: &'a [u8]) -> Option<Shape<'a>> {
        let colon = octets.iter().position(|octet| *octet == b':')?;
        let (scheme, rest) = (&octets[..colon], &octets[colon + 1..]);
        let slashes = rest.iter().take_while(|octet| matches!(octet, b'/' | b'\\')).count();
        let (slashes, rest) = rest.split_at(slashes);
        let end = rest.iter().position(|octet| matches!(octet, b'/' | b'\\')).unwrap_or(rest.len());
        let (authority, rest) = rest.split_at(end);
        let behind_login = authority.iter().rposition(|octet| *octet == b'@').map_or(0, |at| at + 1);
        let hostport = &authority[behind_login..];
        let end = hostport.iter().position(|octet| matches!(octet, b'?' | b'#')).unwrap_or(hostport.len());
        Some(Shape { scheme, slashes, authority, hostport: &hostport[..end], rest })
    }

    fn host(&self) -> &'a [u8] {
        let end = self.hostport.iter().rposition(|octet| *octet == b':').unwrap_or(self.hostport.len());
        &self.hostport[..end]
    }
}

/// Why the readings of a text differ.
pub(crate) fn of(readings: &Readings<'_>) -> Cause {
    let (octets, differs) = (readings.octets(), readings.differs());
    let Some(shape) = Shape::of(octets) else { return Cause::Scheme };
    let server = [Difference::Host, Difference::Port, Difference::User, Difference::Password, Difference::Ok];
    let same_server = !server.into_iter().any(|difference| differs.contains(difference));
    let host = shape.host();
    let special = whatwg::is_special(shape.scheme);
    let has = |part: &[u8], wanted: &[u8]| part.windows(wanted.len()).any(|octets| octets.eq_ignore_ascii_case(wanted));
    let is_blank = |octet: Option<&u8>| octet.is_some_and(|octet| *octet <= b' ');
    let ats = shape.authority.iter().filter(|octet| **octet == b'@').count();
    // What cannot be without a host stands behind slashes, and WHATWG needs none in its special schemes.
    let host_expected = special || !shape.slashes.is_empty();
    let alone = |standard: Standard| {
        Standard::ALL.iter().copied().all(|other| readings.reading(other).is_ok() == (other != standard))
    };
    let table = [
        (Cause::Control, octets.iter().any(|octet| matches!(octet, b'\t' | b'\r' | b'\n'))),
        (Cause::Blank, is_blank(octets.first()) || is_blank(octets.last())),
        (Cause::Scheme, !is_scheme(shape.scheme)),
        (Cause::Backslash, octets.contains(&b'\\')),
        (Cause::Slashes, special && shape.slashes.len() != expected_slashes(&shape)),
        (Cause::TwoAts, host_expected && ats > 1),
        (Cause::QuestionMark, host_expected && shape.authority.contains(&b'?')),
        (Cause::Query, same_server && (shape.rest.contains(&b'?') || shape.authority.contains(&b'?'))),
        (Cause::Fragment, octets.contains(&b'#')),
        (Cause::Brackets, shape.authority.iter().any(|octet| matches!(octet, b'[' | b']'))),
        (Cause::Unicode, !octets.is_ascii()),
        (Cause::Login, host_expected && ats == 1),
        (Cause::EscapedHost, host_expected && host.contains(&b'%')),
        (Cause::Puny, has(host, b"xn--")),
        (Cause::Authority, shape.slashes == b"//" && has_host(readings)),
        (Cause::OddAddress, host_expected && ends_in_a_number(host)),
        (Cause::Port, host_expected && shape.hostport.contains(&b':')),
        (Cause::OddHost, host_expected && is_odd_name(host)),
        (Cause::Dots, same_server && (has(shape.rest, b"/.") || has(shape.rest, b"%2e"))),
        (Cause::Grammar, alone(Standard::Rfc1738)),
    ];
    table.into_iter().find(|(_, applies)| *applies).map_or(Cause::Other, |(cause, _)| cause)
}

/// A scheme as all three standards have it.
fn is_scheme(scheme: &[u8]) -> bool {
    scheme.first().is_some_and(u8::is_ascii_alphabetic)
        && scheme.iter().all(|octet| octet.is_ascii_alphanumeric() || matches!(octet, b'+' | b'-' | b'.'))
}

/// `file:` has three slashes where its host is empty.
fn expected_slashes(shape: &Shape<'_>) -> usize {
    if shape.scheme.eq_ignore_ascii_case(b"file") && shape.slashes.len() == 3 { 3 } else { 2 }
}

/// Whether some reader sees a host and another, which accepts the text as well, sees none.
fn has_host(readings: &Readings<'_>) -> bool {
    let mut hosts = Standard::ALL.iter().copied().filter_map(|standard| readings.reading(standard).parts());
    let has_one = hosts.next().map(|parts| parts.host.is_some());
    hosts.any(|parts| Some(parts.host.is_some()) != has_one)
}

/// What makes WHATWG take a host for an address: a last label of digits, or in hex.
fn ends_in_a_number(host: &[u8]) -> bool {
    let host = host.strip_suffix(b".").unwrap_or(host);
    let last = host.rsplit(|octet| *octet == b'.').next().unwrap_or(host);
    !last.is_empty()
        && (last.iter().all(u8::is_ascii_digit) || last.get(..2).is_some_and(|start| start.eq_ignore_ascii_case(b"0x")))
}

/// A name that only some allow: other octets, empty labels, hyphens at the ends of labels, a last label that begins with a digit,
/// labels or names that are too long.
fn is_odd_name(host: &[u8]) -> bool {
    let odd_label =
        |label: &[u8]| label.is_empty() || label.len() > 63 || label.starts_with(b"-") || label.ends_with(b"-");
    let mut labels = host.split(|octet| *octet == b'.');
    host.len() > 253
        || !host.iter().all(|octet| octet.is_ascii_alphanumeric() || matches!(octet, b'.' | b'-'))
        || labels.clone().any(odd_label)
        || labels.next_back().is_some_and(|label| label.first().is_some_and(u8::is_ascii_digit))
}
