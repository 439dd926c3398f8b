//! The cause of differing readings: the feature of the text on which the readers disagree.

use std::borrow::Cow;

use crate::compare::Readings;
use crate::difference::Difference;
use crate::language::words;
use crate::octet_set::OctetSet;
use crate::programs::any;
use crate::reader::Reader;
use crate::whatwg;
use memchr::{memchr, memrchr};
use urlwise::{Language, Words};

/// The cause of a difference. The first one in the order of this table that applies is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cause {
    /// A login, host and port, or a label of the host, that are too long for the reader of WHATWG.
    AuthorityLength,
    /// A tab or a line end.
    Control,
    /// A space or a control character at one of the ends.
    Blank,
    /// An invalid or missing scheme.
    Scheme,
    /// A backslash.
    Backslash,
    /// More or fewer than two slashes after a scheme.
    Slashes,
    /// Two `@`.
    TwoAts,
    /// A login in a scheme that has none.
    Login,
    /// An `@` with nothing before it.
    EmptyLogin,
    /// A `?` before the first slash.
    QuestionMark,
    /// A `?` after the first slash.
    Query,
    /// A fragment.
    Fragment,
    /// Brackets.
    Brackets,
    /// Non-ASCII letters.
    Unicode,
    /// A label that starts with `xn--`.
    Puny,
    /// An escape in a host.
    EscapedHost,
    /// A host that WHATWG reads as an IPv4 address.
    OddAddress,
    /// A port.
    Port,
    /// The octets of a host.
    OddHost,
    /// A host where RFC 1738 sees none, or the reverse.
    Authority,
    /// `.` or `..` in a path.
    Dots,
    /// The RFC 1738 grammar of a scheme.
    Grammar,
    /// A character after the host that has to be escaped, such as a space.
    Unescaped,
    /// None of these.
    Other,
}

impl Cause {
    /// The stable name in machine output: `two-ats`, `backslash`.
    pub const fn id(self) -> &'static str {
        match self {
            Cause::AuthorityLength => "authority-length",
            Cause::Control => "control",
            Cause::Blank => "blank",
            Cause::Scheme => "scheme",
            Cause::Backslash => "backslash",
            Cause::Slashes => "slashes",
            Cause::TwoAts => "two-ats",
            Cause::Login => "login",
            Cause::EmptyLogin => "empty-login",
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
            Cause::Unescaped => "unescaped",
            Cause::Other => "other",
        }
    }

    /// What is read differently, as the subject of a sentence.
    pub(crate) const fn subject(self) -> Words {
        match self {
            Cause::AuthorityLength => words!("a login, host and port that the reader of WHATWG is not given"),
            Cause::Control => words!("a tab or a line end"),
            Cause::Blank => words!("a space or a control character at one of the ends"),
            Cause::Scheme => words!("a missing or unusual scheme"),
            Cause::Backslash => words!("a backslash"),
            Cause::Slashes => words!("the number of slashes after the scheme"),
            Cause::TwoAts => words!("a second `@`"),
            Cause::Login => words!("a login"),
            Cause::EmptyLogin => words!("an empty user name"),
            Cause::QuestionMark => words!("a `?` before the first slash"),
            Cause::Query => words!("a `?`"),
            Cause::Fragment => words!("a fragment"),
            Cause::Brackets => words!("a bracket"),
            Cause::Unicode => words!("a letter outside US-ASCII"),
            Cause::Puny => words!("a label that starts with `xn--`"),
            Cause::EscapedHost => words!("an escape in the host"),
            Cause::OddAddress => words!("a numeric host"),
            Cause::Port => words!("the port"),
            Cause::OddHost => words!("the name of the host"),
            Cause::Authority => words!("what follows `//`"),
            Cause::Dots => words!("`.` or `..` in the path"),
            Cause::Grammar => words!("the grammar of the scheme"),
            Cause::Unescaped => words!("a character that has to be escaped"),
            Cause::Other => words!("it"),
        }
    }

    /// What the standards say about it, without a final period.
    pub const fn why(self) -> &'static str {
        self.why_words().en()
    }

    /// [`why`](Cause::why), in a language.
    pub fn why_in(self, language: Language) -> Cow<'static, str> {
        self.why_words().get(language)
    }

    pub(crate) const fn why_words(self) -> Words {
        match self {
            Cause::AuthorityLength => {
                words!(
                    "the reader of WHATWG is given a login, host and port of at most 8192 octets, with internationalized labels of at most 252"
                )
            }
            Cause::Control => words!("WHATWG removes tabs and line ends, while the RFCs reject them"),
            Cause::Blank => {
                words!("WHATWG strips spaces and control characters at both ends, while the RFCs reject them")
            }
            Cause::Scheme => words!("the standards disagree on valid schemes"),
            Cause::Backslash => {
                words!(
                    "WHATWG reads a backslash as a slash in http, https, ftp and file URLs, while the RFCs reject it"
                )
            }
            Cause::Slashes => {
                words!("WHATWG ignores extra or missing slashes, while the RFCs see an empty host or none")
            }
            Cause::TwoAts => words!("WHATWG ends the login at the last `@`, while the RFCs reject a second one"),
            Cause::Login => {
                words!("RFC 1738 allows a login only in ftp and telnet URLs, while the others allow it in every scheme")
            }
            Cause::EmptyLogin => words!("the RFCs keep an empty user name, while WHATWG drops it"),
            Cause::QuestionMark => {
                words!("`?` ends the host in RFC 3986 and WHATWG, but is data in RFC 1738, even in a user name")
            }
            Cause::Query => {
                words!("`?` starts a query in RFC 3986 and WHATWG, but is data in most schemes of RFC 1738")
            }
            Cause::Fragment => words!("a fragment is part of a URL in RFC 3986 and WHATWG, but not in RFC 1738"),
            Cause::Brackets => {
                words!("brackets enclose an IPv6 address since RFC 2732, but RFC 1738 does not allow them")
            }
            Cause::Unicode => {
                words!(
                    "WHATWG maps non-ASCII letters to others, possibly to those of a different host, while the RFCs reject them"
                )
            }
            Cause::Puny => words!("WHATWG validates labels that start with `xn--`, while the RFCs do not"),
            Cause::EscapedHost => {
                words!("WHATWG decodes escapes in a host, RFC 3986 keeps them, and RFC 1738 does not allow them")
            }
            Cause::OddAddress => {
                words!(
                    "WHATWG reads numbers of any form as an IPv4 address, while the RFCs read them as a name, as decimal or not at all"
                )
            }
            Cause::Port => words!("the standards disagree on empty ports, leading zeros and ports above 65535"),
            Cause::OddHost => words!("the standards disagree on the octets allowed in a host"),
            Cause::Authority => {
                words!(
                    "`//` starts a host in every scheme of RFC 3986 and WHATWG, but in RFC 1738 only if the scheme defines one"
                )
            }
            Cause::Dots => words!("WHATWG removes `.` and `..` from a path, while RFC 1738 gives them no meaning"),
            Cause::Grammar => {
                words!("RFC 1738 has a grammar for each of its schemes, while the others read them by a generic one")
            }
            Cause::Unescaped => words!("WHATWG allows spaces and other characters that the RFCs allow only as escapes"),
            Cause::Other => words!("the standards have different rules for this text"),
        }
    }

    /// What to write so that all standards agree, without a final period.
    pub const fn help(self) -> &'static str {
        self.help_words().en()
    }

    /// [`help`](Cause::help), in a language.
    pub fn help_in(self, language: Language) -> Cow<'static, str> {
        self.help_words().get(language)
    }

    pub(crate) const fn help_words(self) -> Words {
        match self {
            Cause::AuthorityLength => words!("shorten what stands before the path"),
            Cause::Control => words!("remove the tabs and line ends"),
            Cause::Blank => words!("remove the spaces and control characters at both ends"),
            Cause::Scheme => {
                words!("write a scheme that starts with a letter and consists of letters, digits, `+`, `-` and `.`")
            }
            Cause::Backslash => words!("write `/` for a slash and `%5C` for a backslash"),
            Cause::Slashes => words!("write exactly two slashes before the host, or `file:///` before a local path"),
            Cause::TwoAts => words!("write `%40` for each `@` but the one before the host"),
            Cause::Login => words!("remove everything up to the `@`; clients ask for credentials when they need them"),
            Cause::EmptyLogin => words!("remove the `@`, or write a user name before it"),
            Cause::QuestionMark => words!("write `%3F` for a `?` in the login, and `/` before the `?` of a search"),
            Cause::Query => words!("write `%3F` for a `?` that is part of a name"),
            Cause::Fragment => words!("remove the fragment, or write `%23` for a `#` that is part of a name"),
            Cause::Brackets => words!("write the name of the host instead of its IPv6 address"),
            Cause::Unicode => {
                words!("write the host as `urlwise encode` prints it, and escape other octets outside US-ASCII")
            }
            Cause::Puny => words!("correct the label that starts with `xn--`: it is not the IDNA form of a name"),
            Cause::EscapedHost => words!("write the host without escapes"),
            Cause::OddAddress => words!("write an IPv4 address as four decimal numbers without leading zeros"),
            Cause::Port => words!("write a port from 1 to 65535 without leading zeros, or no port and no `:`"),
            Cause::OddHost => words!("write the host as labels of letters and digits, with `-` only inside them"),
            Cause::Authority => words!("write `//` only in schemes whose URLs name a host"),
            Cause::Dots => words!("write the path without `.` and `..`"),
            Cause::Grammar => words!("write it as RFC 1738 defines its scheme; `urlwise explain` shows how"),
            Cause::Unescaped => words!("write spaces and other unsafe characters as escapes, such as `%20`"),
            Cause::Other => words!("compare the readings with `urlwise compare` and escape what they see differently"),
        }
    }

    /// The class of measured texts with this cause, see the [crate](crate#classes). Empty for
    /// [`AuthorityLength`](Cause::AuthorityLength), [`Dots`](Cause::Dots), [`Unescaped`](Cause::Unescaped) and [`Other`](Cause::Other), which
    /// have no class.
    pub const fn class(self) -> &'static str {
        match self {
            Cause::TwoAts | Cause::Login | Cause::EmptyLogin => "userinfo",
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
            Cause::AuthorityLength | Cause::Dots | Cause::Unescaped | Cause::Other => "",
        }
    }
}

/// The text split just far enough to find the cause. It does not affect the comparison.
struct Shape<'a> {
    scheme: &'a [u8],
    /// Slashes and backslashes after the scheme, two of the three before a local path.
    slashes: &'a [u8],
    /// The text between those and the next slash or backslash.
    authority: &'a [u8],
    /// The authority after its last `@`, up to a `?` or `#`.
    hostport: &'a [u8],
    /// What follows the authority.
    rest: &'a [u8],
}

impl<'a> Shape<'a> {
    fn of(octets: &'a [u8]) -> Option<Shape<'a>> {
        let colon = memchr(b':', octets)?;
        let (scheme, rest) = (&octets[..colon], &octets[colon + 1..]);
        let slashes = rest.iter().take_while(|octet| matches!(octet, b'/' | b'\\')).count();
        // Behind the empty host of a file, the third begins the path.
        let is_local = slashes == 3 && scheme.eq_ignore_ascii_case(b"file");
        let (slashes, rest) = rest.split_at(if is_local { 2 } else { slashes });
        let end = rest.iter().position(|octet| matches!(octet, b'/' | b'\\')).unwrap_or(rest.len());
        let (authority, rest) = rest.split_at(end);
        let behind_login = memrchr(b'@', authority).map_or(0, |at| at + 1);
        let hostport = &authority[behind_login..];
        let end = hostport.iter().position(|octet| matches!(octet, b'?' | b'#')).unwrap_or(hostport.len());
        Some(Shape { scheme, slashes, authority, hostport: &hostport[..end], rest })
    }

    /// The text without what stands before the last `@` of the authority.
    fn without_login(&self) -> Vec<u8> {
        let at = memrchr(b'@', self.authority).map_or(0, |at| at + 1);
        [self.scheme, b":", self.slashes, &self.authority[at..], self.rest].concat()
    }

    fn host(&self) -> &'a [u8] {
        let end = memrchr(b':', self.hostport).unwrap_or(self.hostport.len());
        &self.hostport[..end]
    }

    /// Whether a path follows two slashes.
    fn is_local(&self) -> bool {
        self.authority.is_empty() && !self.rest.is_empty()
    }

    /// What follows the colon after the host.
    fn port(&self) -> Option<&'a [u8]> {
        let colon = memrchr(b':', self.hostport)?;
        Some(&self.hostport[colon + 1..])
    }
}

impl Readings<'_> {
    /// Why the readings differ, as far as the text shows it; `None` if they agree.
    pub fn cause(&self) -> Option<Cause> {
        if self.agree() { None } else { Some(*self.cause.get_or_init(|| of(self))) }
    }
}

/// Why the readings of a text differ.
fn of(readings: &Readings<'_>) -> Cause {
    let (octets, differs) = (readings.octets(), readings.differs());
    let Some(shape) = Shape::of(octets) else { return Cause::Scheme };
    let server = [Difference::Host, Difference::Port, Difference::User, Difference::Password, Difference::Ok];
    let same_server = !server.into_iter().any(|difference| differs.contains(difference));
    let host = shape.host();
    let special = whatwg::is_special(shape.scheme);
    let has = |part: &[u8], wanted: &[u8]| {
        let starts = part.iter().enumerate().filter(|(_, octet)| octet.eq_ignore_ascii_case(&wanted[0]));
        starts
            .map(|(at, _)| &part[at..])
            .any(|rest| rest.get(..wanted.len()).is_some_and(|octets| octets.eq_ignore_ascii_case(wanted)))
    };
    let is_blank = |octet: Option<&u8>| octet.is_some_and(|octet| *octet <= b' ');
    let ats = shape.authority.iter().filter(|octet| **octet == b'@').count();
    // A host is expected after slashes, and in the special schemes of WHATWG even without them.
    let host_expected = special || !shape.slashes.is_empty();
    let has_login = host_expected && ats == 1;
    let is_forbidden = |code| ["http-userinfo", "user-forbidden"].contains(&code);
    let is_foreign_login = || {
        has_login
            && urlwise::diagnose(octets, readings.profile())
                .problems()
                .iter()
                .any(|problem| is_forbidden(problem.code()))
    };
    let alone = |reader| readings.seen().all(|(other, server)| server.is_some() == (other != reader));
    let agree_without_login = || {
        let readers: Vec<_> = readings.readers().collect();
        Readings::servers(&shape.without_login(), readings.profile(), &readers).agree()
    };
    const UNESCAPED: OctetSet = OctetSet::of(b" \"<>[]^`{|}");
    let is_only_refused = || differs.iter().all(|difference| difference == Difference::Ok);
    // Each is looked for only where none before it applies.
    let table: [(Cause, &dyn Fn() -> bool); 25] = [
        (Cause::AuthorityLength, &|| is_only_refused() && alone(Reader::Whatwg) && whatwg::refusal(octets).is_some()),
        (Cause::Control, &|| any(octets, |octet| matches!(octet, b'\t' | b'\r' | b'\n'))),
        (Cause::Blank, &|| is_blank(octets.first()) || is_blank(octets.last())),
        (Cause::Scheme, &|| !is_scheme(shape.scheme)),
        (Cause::Backslash, &|| octets.contains(&b'\\')),
        (Cause::Slashes, &|| special && shape.slashes.len() != 2),
        (Cause::TwoAts, &|| host_expected && ats > 1),
        (Cause::QuestionMark, &|| host_expected && shape.authority.contains(&b'?')),
        (Cause::Query, &|| same_server && (shape.rest.contains(&b'?') || shape.authority.contains(&b'?'))),
        (Cause::Fragment, &|| octets.contains(&b'#')),
        (Cause::Brackets, &|| any(shape.authority, |octet| matches!(octet, b'[' | b']'))),
        (Cause::Unicode, &|| !octets.is_ascii()),
        (Cause::EmptyLogin, &|| has_login && shape.authority.starts_with(b"@") && !differs.contains(Difference::Ok)),
        // The host behind a login may be what they disagree about.
        (Cause::Login, &|| is_foreign_login() && agree_without_login()),
        (Cause::EscapedHost, &|| host_expected && host.contains(&b'%')),
        (Cause::Puny, &|| has(host, b"xn--")),
        (Cause::Authority, &|| shape.slashes == b"//" && !shape.is_local() && has_host(readings)),
        (Cause::OddAddress, &|| host_expected && ends_in_a_number(host)),
        (Cause::Port, &|| {
            host_expected && (differs.contains(Difference::Port) || shape.port().is_some_and(is_odd_port))
        }),
        (Cause::OddHost, &|| host_expected && !shape.is_local() && is_odd_name(host)),
        (Cause::Dots, &|| same_server && (has(shape.rest, b"/.") || has(shape.rest, b"%2e"))),
        (Cause::Login, &is_foreign_login),
        (Cause::Grammar, &|| readings.readers().any(|reader| reader == Reader::Rfc1738) && alone(Reader::Rfc1738)),
        (Cause::Unescaped, &|| shape.authority.iter().chain(shape.rest).any(|octet| UNESCAPED.has(*octet))),
        // A text that is a scheme to some and a host to others.
        (Cause::Scheme, &|| differs.contains(Difference::Scheme)),
    ];
    table.into_iter().find(|(_, applies)| applies()).map_or(Cause::Other, |(cause, _)| cause)
}

/// Whether all three standards accept the scheme.
fn is_scheme(scheme: &[u8]) -> bool {
    scheme.first().is_some_and(u8::is_ascii_alphabetic)
        && scheme.iter().all(|octet| octet.is_ascii_alphanumeric() || matches!(octet, b'+' | b'-' | b'.'))
}

/// Whether one reader sees a host and another that also accepts the text sees none.
fn has_host(readings: &Readings<'_>) -> bool {
    let mut hosts = readings.accepted().map(|(_, server)| server.host.is_some());
    let has_one = hosts.next();
    hosts.any(|has_host| Some(has_host) != has_one)
}

/// Whether WHATWG reads a host as an IPv4 address: its last label is decimal or hexadecimal.
pub(crate) fn ends_in_a_number(host: &[u8]) -> bool {
    let host = host.strip_suffix(b".").unwrap_or(host);
    let last = host.rsplit(|octet| *octet == b'.').next().unwrap_or(host);
    !last.is_empty()
        && (last.iter().all(u8::is_ascii_digit) || last.get(..2).is_some_and(|start| start.eq_ignore_ascii_case(b"0x")))
}

/// Whether only some standards allow a port: not a number from 1 to 65535, or one with leading zeros.
fn is_odd_port(port: &[u8]) -> bool {
    let is_number = port.iter().all(u8::is_ascii_digit) && !port.starts_with(b"0");
    let number = str::from_utf8(port).ok().and_then(|port| port.parse::<u16>().ok());
    !is_number || number.is_none()
}

/// Whether only some standards allow a name: other octets, empty labels, hyphens at the ends of labels, a last label
/// that starts with a digit, or labels or names that are too long.
fn is_odd_name(host: &[u8]) -> bool {
    let odd_label =
        |label: &[u8]| label.is_empty() || label.len() > 63 || label.starts_with(b"-") || label.ends_with(b"-");
    let mut labels = host.split(|octet| *octet == b'.');
    host.len() > 253
        || !host.iter().all(|octet| octet.is_ascii_alphanumeric() || matches!(octet, b'.' | b'-'))
        || labels.clone().any(odd_label)
        || labels.next_back().is_some_and(|label| label.first().is_some_and(u8::is_ascii_digit))
}

#[cfg(test)]
mod tests {
    use super::Cause;
    use crate::compare::Readings;
    use urlwise::{Language, Profile};

    fn cause(text: &str) -> &'static str {
        Readings::of(text, Profile::Rfc1738).cause().map_or("none", Cause::id)
    }

    #[test]
    fn the_first_cause_of_the_table_that_applies_is_the_cause() {
        for (text, expected) in [
            (" http://h/", "blank"),
            ("http://h/ ", "blank"),
            ("1http://h/", "scheme"),
            ("http://h\\a", "backslash"),
            ("http:h/", "slashes"),
            ("http:///h/", "slashes"),
            ("file:/a", "slashes"),
            ("http:////h/", "slashes"),
            ("file:////a", "none"),
            ("http://a@b@c/", "two-ats"),
            ("ftp://h?x", "question-mark"),
            ("foo:a?b", "query"),
            ("foo://h/a?b", "query"),
            ("gopher://h/1?x", "query"),
            ("http://h/#a", "fragment"),
            ("http://[::1]/", "brackets"),
            ("http://h/\u{e9}", "unicode"),
            ("ftp://@h/", "empty-login"),
            ("ftp://u@h/./", "dots"),
            ("http://u@h.dom/", "login"),
            // The host behind a login, or nothing of it, is what they disagree about.
            ("http://u@h..dom/", "odd-host"),
            ("http://u@h.dom:080/", "login"),
            ("http://%68/", "escaped-host"),
            ("http://xn--a/", "puny"),
            ("mailto://a@b", "authority"),
            ("http://1/", "odd-address"),
            ("http://h:/", "port"),
            ("http://h:65536/", "port"),
            ("prospero:1", "grammar"),
            ("prospero:a:x", "grammar"),
            ("prospero:a_b", "grammar"),
            ("prospero:%41", "grammar"),
            ("http://h/a b", "unescaped"),
            ("http://h/", "none"),
        ] {
            assert_eq!(cause(text), expected, "{text}");
        }
    }

    #[test]
    fn a_name_is_odd_for_each_reason_and_at_no_length_that_is_allowed() {
        for host in ["a..b", "-a.b", "a-.b", "a_b", "a&b", "a.1b", "."] {
            assert_eq!(cause(&format!("http://{host}/")), "odd-host", "{host}");
        }
        // What is read differently in any case.
        let with_dots = |host: &str| cause(&format!("http://{host}/./"));
        let name = |octets: usize| "a.".repeat(octets).split_at(octets - 3).0.to_owned() + "abc";
        assert_eq!([63, 64].map(|octets| with_dots(&"a".repeat(octets))), ["dots", "odd-host"]);
        assert_eq!([253, 254].map(|octets| with_dots(&name(octets))), ["dots", "odd-host"]);
    }

    #[test]
    fn a_local_file_has_no_host_that_could_be_the_cause() {
        for (text, expected) in [
            ("file:///./a", "dots"),
            ("FILE:///%2e/a", "dots"),
            ("file:///a?b", "query"),
            ("file:///a[/", "unescaped"),
            ("file:///a|/", "unescaped"),
            ("http://", "odd-host"),
        ] {
            assert_eq!(cause(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_said_of_a_cause_in_english_is_what_is_said_without_a_language() {
        let cause = Cause::Dots;
        assert_eq!((&*cause.why_in(Language::En), &*cause.help_in(Language::En)), (cause.why(), cause.help()));
    }
}
