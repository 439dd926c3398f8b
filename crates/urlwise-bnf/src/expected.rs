//! What a text is by RFC 1738 and the decisions.

use crate::grammar::Grammar;
use crate::reading::{Derived, read};
use std::ops::Range;

/// A part as urlwise names it, and where it stands.
pub type Part = (&'static str, Range<usize>);

/// The decisions by which a text that the BNF derives is no URL.
pub const FORBIDDEN_BY: &[&str] = &["D-18", "D-21", "D-23", "D-42", "D-44", "D-53", "D-59"];

/// The decisions by which a URL has other parts than the BNF gives it.
pub const DIVIDED_BY: &[&str] = &["D-06", "D-63"];

/// The predefined schemes and their rules; every other scheme is read by `otherurl` (D-01).
const SCHEMES: &[(&str, &str)] = &[
    ("ftp", "ftpurl"),
    ("http", "httpurl"),
    ("gopher", "gopherurl"),
    ("mailto", "mailtourl"),
    ("news", "newsurl"),
    ("nntp", "nntpurl"),
    ("telnet", "telneturl"),
    ("wais", "waisurl"),
    ("file", "fileurl"),
    ("prospero", "prosperourl"),
];

/// Rules, and what urlwise calls what they derive. The others are no parts.
const PARTS: &[(&str, &str)] = &[
    ("user", "user"),
    ("password", "password"),
    ("host", "host"),
    ("port", "port"),
    ("urlpath", "urlpath"),
    ("ftptype", "typecode"),
    ("hpath", "path"),
    ("hsegment", "segments"),
    ("search", "search"),
    ("gtype", "gtype"),
    ("selector", "selector"),
    ("gophersearch", "search"),
    ("gopher+_string", "gopherplus"),
    ("encoded822addr", "address"),
    ("all", "all"),
    ("group", "group"),
    ("unique", "unique"),
    ("number", "article"),
    ("database", "database"),
    ("wtype", "wtype"),
    ("wpath", "wpath"),
    ("ppath", "hsoname"),
    ("schemepart", "schemepart"),
];

/// The second reader.
#[derive(Debug)]
pub struct Expected {
    grammar: Grammar,
    schemes: Vec<(&'static str, usize)>,
    other: usize,
    /// By place, what a rule derives.
    kinds: Vec<Kind>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    None,
    Part(&'static str),
    Host,
    Hostnumber,
    Port,
    Fsegment,
    Fieldspec,
    Gtype,
    Selector,
    Address,
    Unique,
}

impl Expected {
    /// By the table with its amendments; to see that they are needed, without those of one decision.
    pub fn new(without: Option<&str>) -> Expected {
        let grammar = Grammar::amended(without, &[]);
        let kinds = grammar
            .names()
            .map(|name| match name {
                "host" => Kind::Host,
                "hostnumber" => Kind::Hostnumber,
                "port" => Kind::Port,
                "fsegment" => Kind::Fsegment,
                "fieldspec" => Kind::Fieldspec,
                "gtype" => Kind::Gtype,
                "selector" => Kind::Selector,
                "encoded822addr" => Kind::Address,
                "unique" => Kind::Unique,
                name => PARTS.iter().find(|(rule, _)| *rule == name).map_or(Kind::None, |(_, part)| Kind::Part(part)),
            })
            .collect();
        let schemes = SCHEMES.iter().map(|(scheme, rule)| (*scheme, grammar.place(rule))).collect();
        Expected { other: grammar.place("otherurl"), grammar, schemes, kinds }
    }

    /// The parts of a URL, in the order of their places and names; or why the text is no URL: `BNF`, or a decision.
    pub fn of(&self, text: &[u8]) -> Result<Vec<Part>, &'static str> {
        let colon = text.iter().position(|octet| *octet == b':').ok_or("BNF")?;
        // Interpreters ignore the case of schemes (D-02), and the BNF has lower case alone.
        let mut text = text.to_vec();
        text[..colon].make_ascii_lowercase();
        let known = self.schemes.iter().find(|(name, _)| name.as_bytes() == &text[..colon]);
        let rule = known.map_or(self.other, |(_, rule)| *rule);
        let derived = read(&self.grammar, rule, &text).ok_or("BNF")?;
        let narrowed = derived.iter().find_map(|derived| self.narrowed(derived, &text));
        let mut parts = match (narrowed, known) {
            (None, _) => self.parts(known.map(|(name, _)| *name), &derived, &text),
            (Some(decision), Some(_)) => return Err(decision),
            // What cannot be a host there stays opaque (D-06).
            (Some(_), None) => vec![("schemepart", colon + 1..text.len())],
        };
        parts.sort_by_key(|(name, at)| (at.start, at.end, *name));
        Ok(parts)
    }

    /// The decision that forbids what a rule derived.
    fn narrowed(&self, (place, at): &Derived, text: &[u8]) -> Option<&'static str> {
        let octets = &text[at.clone()];
        let forbidden = match self.kinds[*place] {
            Kind::Host => {
                (octets.len() > 255 || octets.split(|octet| *octet == b'.').any(|label| label.len() > 63), "D-18")
            }
            Kind::Hostnumber => (octets.split(|octet| *octet == b'.').any(|group| is_above(group, 255)), "D-21"),
            Kind::Port => (is_above(octets, 65535), "D-23"),
            Kind::Gtype => (matches!(decoded(octets)[..], [b'\t' | b'\n' | b'\r']), "D-42"),
            Kind::Selector => (decoded(octets).iter().any(|octet| matches!(octet, b'\n' | b'\r')), "D-44"),
            Kind::Address => (addr_spec(octets).is_none(), "D-53"),
            Kind::Unique => {
                let is_printing = |octet: &u8| octet.is_ascii_graphic() && !b"<>@".contains(octet);
                (!decoded(octets).iter().all(is_printing), "D-59")
            }
            Kind::None | Kind::Part(_) | Kind::Fsegment | Kind::Fieldspec => (false, ""),
        };
        forbidden.0.then_some(forbidden.1)
    }

    fn parts(&self, scheme: Option<&str>, derived: &[Derived], text: &[u8]) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        // No host between the slashes is an empty host (D-63).
        if scheme == Some("file") && text.get(7) == Some(&b'/') {
            parts.push(("host", 7..7));
        }
        for (place, at) in derived {
            let at = at.clone();
            match self.kinds[*place] {
                Kind::None | Kind::Hostnumber => {}
                Kind::Part(name) => parts.push((name, at)),
                Kind::Host => parts.push(("host", at)),
                Kind::Port => parts.push(("port", at)),
                Kind::Gtype => parts.push(("gtype", at)),
                Kind::Selector => parts.push(("selector", at)),
                Kind::Unique => parts.push(("unique", at)),
                Kind::Fsegment if scheme == Some("file") => parts.push(("segments", at)),
                Kind::Fsegment => {
                    // The last segment is the name (section 3.2.2).
                    if let Some(last) = parts.iter_mut().find(|(name, _)| *name == "name") {
                        last.0 = "cwds";
                    }
                    parts.push(("name", at));
                }
                Kind::Fieldspec => parts.push(("fields", at.start + 1..at.end)),
                Kind::Address => {
                    let (local, domain) = addr_spec(&text[at.clone()]).expect("it was read before");
                    parts.push(("local", at.start + local.start..at.start + local.end));
                    parts.push(("domain", at.start + domain.start..at.start + domain.end));
                    parts.push(("address", at));
                }
            }
        }
        parts
    }
}

/// Whether decimal digits are a number above `most`.
fn is_above(digits: &[u8], most: u32) -> bool {
    digits.iter().fold(0, |number: u32, digit| (number * 10 + u32::from(digit - b'0')).min(1 << 20)) > most
}

/// The octets, escapes decoded.
fn decoded(octets: &[u8]) -> Vec<u8> {
    decoded_at(octets).into_iter().map(|(_, octet)| octet).collect()
}

/// The decoded octets, each with the place where it is written.
fn decoded_at(octets: &[u8]) -> Vec<(usize, u8)> {
    let value = |digit: u8| char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok());
    let mut decoded = Vec::new();
    let mut at = 0;
    while let Some(first) = octets.get(at) {
        let escaped = match octets[at..] {
            [b'%', high, low, ..] => value(high).zip(value(low)).map(|(high, low)| high << 4 | low),
            _ => None,
        };
        decoded.push((at, escaped.unwrap_or(*first)));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    decoded
}

/// Where the local part and the domain of an addr-spec (RFC 822 section 6.1) stand in its encoded text.
fn addr_spec(encoded: &[u8]) -> Option<(Range<usize>, Range<usize>)> {
    let places = decoded_at(encoded);
    let text: Vec<u8> = places.iter().map(|(_, octet)| *octet).collect();
    (0..text.len()).filter(|at| text[*at] == b'@').find_map(|at| {
        let fits = dotted(&text[..at], is_word) && dotted(&text[at + 1..], is_sub_domain);
        fits.then(|| (0..places[at].0, places[at + 1].0..encoded.len()))
    })
}

/// One or more elements with dots between them.
fn dotted(text: &[u8], is_element: fn(&[u8]) -> bool) -> bool {
    (1..=text.len()).any(|end| match text.get(end) {
        None => is_element(text),
        Some(b'.') => is_element(&text[..end]) && dotted(&text[end + 1..], is_element),
        Some(_) => false,
    })
}

fn is_word(text: &[u8]) -> bool {
    is_atom(text) || is_quoted(text, b'"', b'"', true)
}

fn is_sub_domain(text: &[u8]) -> bool {
    is_atom(text) || is_quoted(text, b'[', b']', false)
}

/// `1*<any CHAR except specials, SPACE and CTLs>`.
fn is_atom(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(|octet| octet.is_ascii_graphic() && !br#"()<>@,;:\".[]"#.contains(octet))
}

/// A quoted-string or a domain-literal: any CHAR but its ends, `\` and CR, and any CHAR behind a `\`. A quoted string may be folded
/// before a blank; a domain literal of a URL is not (D-53).
fn is_quoted(text: &[u8], open: u8, close: u8, folds: bool) -> bool {
    let [first, inner @ .., last] = text else { return false };
    let mut left = inner;
    loop {
        left = match left {
            [] => return *first == open && *last == close,
            [b'\\', 0..=0x7f, rest @ ..] => rest,
            [b'\r', b'\n', b' ' | b'\t', rest @ ..] if folds => rest,
            [octet, rest @ ..] if octet.is_ascii() && ![open, close, b'\\', b'\r'].contains(octet) => rest,
            _ => return false,
        }
    }
}
