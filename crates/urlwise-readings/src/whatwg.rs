//! The reading by WHATWG, using `url`.

use crate::language::words;
use crate::reading::ReadingParts;
use crate::text::Text;
use crate::whatwg_gaps;
use std::borrow::Cow;
use std::iter;
use std::ops::Range;
use url::{Position, Url};
use urlwise::Words;

/// The schemes with special rules in WHATWG, which repairs their URLs and defines their default ports.
const SPECIAL: [&str; 6] = ["ftp", "file", "http", "https", "ws", "wss"];

/// Whether WHATWG calls a scheme special.
pub(crate) fn is_special(scheme: &[u8]) -> bool {
    SPECIAL.iter().any(|special| special.as_bytes().eq_ignore_ascii_case(scheme))
}

/// The longest login, host and port that the parser is given, in octets (D-115). The standard has no limit, but the parser takes up to
/// twenty times the memory for what has to be mapped or escaped.
pub(crate) const LONGEST_AUTHORITY: usize = 8192;

/// The longest internationalized label that the parser is given, in octets with escapes decoded (D-115): 63 characters of four octets, because a
/// label of DNS has 63. The parser takes the square of its length.
const LONGEST_LABEL: usize = 252;

/// The most labels of a host with an internationalized one that the parser is given (D-115): a name of 253 octets has no more, and the
/// root behind its last dot.
const MOST_LABELS: usize = 127 + 1;

/// Why a text with a longer login, host and port is refused.
const TOO_LONG: Words =
    words!("its login, host and port exceed 8192 octets, the most that the reader of WHATWG is given");

/// Why a text with a longer label is refused.
const LABEL_TOO_LONG: Words =
    words!("an internationalized label of its host exceeds 252 octets, the most that the reader of WHATWG is given");

/// Why a text with more labels is refused.
const TOO_MANY_LABELS: Words = words!(
    "its host has an internationalized label and more than 127 in all, the most that the reader of WHATWG is given"
);

/// Why a text is not given to the parser; `None` if it is.
pub(crate) fn refusal(octets: &[u8]) -> Option<Words> {
    // Most texts are this short or this plain: without an escape, `xn--` or a letter outside US-ASCII, only the length counts.
    let has_escape_or_hyphen = || octets.iter().fold(false, |has, octet| has | matches!(octet, b'%' | b'-'));
    let is_plain = || octets.len() <= LONGEST_AUTHORITY && octets.is_ascii() && !has_escape_or_hyphen();
    if octets.len() <= MOST_LABELS || is_plain() {
        return None;
    }
    let Authority { is_special, octets } = authority(octets)?;
    let authority: Cow<'_, [u8]> = match octets.iter().any(is_dropped) {
        true => octets.iter().filter(|octet| !is_dropped(octet)).take(LONGEST_AUTHORITY + 1).copied().collect(),
        false => octets.into(),
    };
    if authority.len() > LONGEST_AUTHORITY {
        return Some(TOO_LONG);
    }
    // Of a login, nothing is mapped.
    let host = authority.rsplit(|octet| *octet == b'@').next().unwrap_or_default();
    if !is_special {
        return None;
    }
    let host = String::from_utf8_lossy(host);
    if host.len() <= MOST_LABELS {
        return None;
    }
    let decoded = decoded(&host);
    match (has_long_label(&decoded), has_too_many_labels(&decoded)) {
        (true, _) => Some(LABEL_TOO_LONG),
        (false, true) => Some(TOO_MANY_LABELS),
        (false, false) => None,
    }
}

/// A host with its escapes decoded; octets that are not UTF-8 become characters of three octets.
pub(crate) fn decoded(host: &str) -> Cow<'_, str> {
    match urlwise::decode(host.as_bytes()) {
        Cow::Borrowed(_) => host.into(),
        Cow::Owned(octets) => match String::from_utf8(octets) {
            Ok(text) => text.into(),
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned().into(),
        },
    }
}

/// Whether a decoded host, with or without a port, has an internationalized label and more labels than the parser is given.
fn has_too_many_labels(host: &str) -> bool {
    let is_internationalized = || !host.is_ascii() || host.as_bytes().split(|octet| *octet == b'.').any(is_punycode);
    host.len() > MOST_LABELS && is_internationalized() && host.split(is_dot).nth(MOST_LABELS).is_some()
}

/// The refusal with this English sentence.
pub(crate) fn refusal_of(error: &str) -> Option<Words> {
    [TOO_LONG, LABEL_TOO_LONG, TOO_MANY_LABELS].into_iter().find(|refusal| refusal.en() == error)
}

/// Whether a decoded host, with or without a port, has an internationalized label that the parser is not given.
pub(crate) fn has_long_label(host: &str) -> bool {
    let ends = |c| c == ':' || is_dot(c);
    let mut rest = host;
    while rest.len() > LONGEST_LABEL {
        let beginning = &rest[..rest.ceil_char_boundary(LONGEST_LABEL + 1)];
        // The last end of a label that is not too long: between shorter ones nothing is looked at.
        let end = match beginning.rfind(ends) {
            Some(end) => end,
            None if !beginning.is_ascii() || is_punycode(beginning.as_bytes()) => return true,
            None => rest.find(|c: char| ends(c) || !c.is_ascii()).unwrap_or(rest.len()),
        };
        let behind = &rest[end..];
        match behind.chars().next() {
            Some(c) if ends(c) => rest = &behind[c.len_utf8()..],
            // A label outside US-ASCII, which is long already.
            Some(_) => return true,
            None => return false,
        }
    }
    false
}

/// Whether IDNA ends a label there.
pub(crate) fn is_dot(character: char) -> bool {
    matches!(character, '.' | '\u{3002}' | '\u{FF0E}' | '\u{FF61}')
}

fn is_punycode(label: &[u8]) -> bool {
    label.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"xn--"))
}

/// Whether the parser drops an octet wherever it is.
pub(crate) fn is_dropped(octet: &u8) -> bool {
    matches!(octet, b'\t' | b'\n' | b'\r')
}

/// What the parser would take for login, host and port, among octets that it drops.
pub(crate) struct Authority<'a> {
    pub(crate) is_special: bool,
    pub(crate) octets: &'a [u8],
}

/// A text without the blanks and control characters at its ends, which the parser drops.
pub(crate) fn without_blank_ends(octets: &[u8]) -> Range<usize> {
    let is_control_or_space = |octet: &u8| *octet <= b' ';
    let start = octets.iter().position(|octet| !is_control_or_space(octet)).unwrap_or(octets.len());
    let end = octets.iter().rposition(|octet| !is_control_or_space(octet)).map_or(start, |last| last + 1);
    start..end
}

/// Looks just far enough to tell where it is.
fn authority(octets: &[u8]) -> Option<Authority<'_>> {
    let octets = &octets[without_blank_ends(octets)];
    let mut places = octets.iter().enumerate().filter(|(_, octet)| !is_dropped(octet));
    let start = places.clone().map(|(_, octet)| octet.to_ascii_lowercase());
    let special = SPECIAL.iter().find(|name| name.bytes().chain([b':']).eq(start.clone().take(name.len() + 1)));
    places.find(|(_, octet)| **octet == b':');
    let is_slash = |octet: u8| octet == b'/' || octet == b'\\' && special.is_some();
    let mut rest = places.peekable();
    let slashes = iter::from_fn(|| rest.next_if(|(_, octet)| is_slash(**octet))).count();
    let has_authority = match special {
        Some(&"file") | None => slashes == 2,
        Some(_) => true,
    };
    let octets = rest.next().map(|(start, _)| &octets[start..]).unwrap_or_default();
    let is_end = |octet: &u8| is_slash(*octet) || matches!(octet, b'?' | b'#');
    let octets = &octets[..octets.iter().position(is_end).unwrap_or(octets.len())];
    has_authority.then_some(Authority { is_special: special.is_some(), octets })
}

/// Whether the parser may see a host. Where a host stands for RFC 1738 or RFC 3986, it does.
pub(crate) fn has_authority(octets: &[u8]) -> bool {
    authority(octets).is_some()
}

/// Parses by the URL standard.
pub(crate) fn read(octets: &[u8]) -> Result<ReadingParts<'_, Text<'_>>, String> {
    let text = std::str::from_utf8(octets).map_err(|_| "it is not UTF-8".to_owned())?;
    if let Some(refusal) = refusal(octets) {
        return Err(refusal.en().to_owned());
    }
    let url = Url::parse(text).map_err(|error| error.to_string())?;
    if !is_special(url.scheme().as_bytes())
        && let Some(objection) = authority(octets).as_ref().and_then(whatwg_gaps::objection)
    {
        return Err(objection.to_string());
    }
    let own = whatwg_gaps::path(text, url.scheme());
    let range = |start: Position, end: Position| url[..start].len()..url[..end].len();
    let user = range(Position::BeforeUsername, Position::AfterUsername);
    let password = url.password().map(|_| range(Position::BeforePassword, Position::AfterPassword));
    let host = url.host_str().map(|_| range(Position::BeforeHost, Position::AfterHost));
    let path = range(Position::BeforePath, Position::AfterPath);
    let query = url.query().map(|_| range(Position::BeforeQuery, Position::AfterQuery));
    let fragment = url.fragment().map(|_| range(Position::BeforeFragment, Position::AfterFragment));
    let scheme = 0..url.scheme().len();
    let port = url.port().map(|port| Cow::Owned(port.to_string()));
    let serialized = Serialized { text, url: String::from(url) };
    // This parser does not distinguish an empty user from none.
    let user = (!user.is_empty() || password.is_some()).then(|| serialized.part(user));
    let password = password.map(|range| serialized.part(range));
    let mut host = host.map(|range| serialized.part(range));
    let scheme = serialized.part(scheme).written();
    // The longest takes over the memory of the whole.
    let mut rest = [own.is_none().then_some(path), query, fragment];
    let longest = (0..rest.len()).max_by_key(|at| rest[*at].as_ref().map_or(0, Range::len)).unwrap_or_default();
    let last = rest[longest].take();
    let mut rest = rest.map(|range| range.map(|range| serialized.part(range)));
    rest[longest] = last.map(|range| serialized.last_part(range));
    let [path, query, fragment] = rest;
    let mut path = path.unwrap_or_default();
    if let Some(own) = own {
        // The crate drops a host that it has accepted.
        if host.as_ref().is_none_or(Text::is_empty) && !own.host.is_empty() {
            host = Url::parse(&format!("file://{}/", &text[own.host]))
                .ok()
                .and_then(|url| url.host_str().map(str::to_owned).map(|host| Text::Written(host.into())));
        }
        path = Text::Written(own.path.into());
    }
    if let Some(encoded) = whatwg_gaps::with_caret(&path) {
        path = Text::Written(encoded.into());
    }
    Ok(ReadingParts { scheme, user, password, host, port, path, query, fragment })
}

/// A URL as the parser writes it, and the text that it was read from.
struct Serialized<'a> {
    text: &'a str,
    url: String,
}

impl<'a> Serialized<'a> {
    /// A part of the text if it is the same there but for capitals, most often at the same distance from the start or from the end.
    fn written(&self, range: &Range<usize>) -> Option<Text<'a>> {
        let part = &self.url[range.clone()];
        let from_end = (self.text.len() + range.start).checked_sub(self.url.len());
        let is_there = |written: &&str| written.eq_ignore_ascii_case(part);
        let at = |start: usize| self.text.get(start..start + part.len()).filter(is_there);
        let written = at(range.start).or_else(|| at(from_end?))?;
        if written == part {
            return Some(Text::from(written));
        }
        let lowercase = written.bytes().map(|octet| octet.to_ascii_lowercase());
        lowercase.eq(part.bytes()).then_some(Text::Lowercase(written))
    }

    fn part(&self, range: Range<usize>) -> Text<'a> {
        self.written(&range).unwrap_or_else(|| Text::Written(Cow::Owned(self.url[range].to_owned())))
    }

    /// The same, without a copy.
    fn last_part(mut self, range: Range<usize>) -> Text<'a> {
        if let Some(written) = self.written(&range) {
            return written;
        }
        self.url.truncate(range.end);
        self.url.drain(..range.start);
        Text::Written(Cow::Owned(self.url))
    }
}

#[cfg(test)]
mod tests {
    use super::{
        LABEL_TOO_LONG, LONGEST_AUTHORITY, LONGEST_LABEL, MOST_LABELS, TOO_LONG, TOO_MANY_LABELS, authority,
        has_authority, is_dropped, read,
    };
    use crate::Readings;
    use proptest::prelude::*;
    use url::Url;
    use urlwise::Profile;

    fn filled(start: &str, octets: usize, end: &str) -> String {
        format!("{start}{}{end}", "a".repeat(octets))
    }

    fn refusal(text: &str) -> Option<String> {
        read(text.as_bytes()).err()
    }

    #[test]
    fn the_longest_authority_is_read_and_a_longer_one_is_refused_with_the_limit() {
        let most = LONGEST_AUTHORITY;
        for (start, end) in
            [("http://", ""), ("http:", "/x"), (" ht\ntp:\t/\\\t/", "\\x"), ("file://", "?"), ("foo://", "#a")]
        {
            assert_eq!(refusal(&filled(start, most, end)), None, "{start:?}");
            assert_eq!(refusal(&filled(start, most + 1, end)).as_deref(), Some(TOO_LONG.en()), "{start:?}");
        }
        assert!(TOO_LONG.en().contains(&format!(" {most} ")), "{}", TOO_LONG.en());
        // The login and the port count.
        assert!(super::refusal(filled("ftp://u:", most, "@h.dom:21/").as_bytes()).is_some());
    }

    #[test]
    fn the_longest_internationalized_label_is_read_and_a_longer_one_is_refused_with_the_limit() {
        let most = LONGEST_LABEL;
        // One octet more is one more ASCII letter.
        let wide = |octets: usize| "\u{4e2d}".repeat(octets / 3) + &"a".repeat(octets % 3);
        let escaped = |octets: usize| "%e4%b8%ad".repeat(octets / 3) + &"%61".repeat(octets % 3);
        let punycode = |octets: usize| format!("XN--{}-9ca", "a".repeat(octets - 8));
        let named = |octets: usize| escaped(octets) + "@";
        for label in [wide, escaped, punycode] {
            for (before, behind) in
                [("", ""), ("h.", ".dom"), ("u@", ":80"), ("h\u{3002}", "%2Edom"), ("h%EF%BC%8E", "\u{ff61}")]
            {
                for scheme in ["http", "FTP", "file"] {
                    let text = |octets: usize| format!("{scheme}://{before}{}{behind}/", label(octets));
                    let is_refused = |octets: usize| refusal(&text(octets)).as_deref() == Some(LABEL_TOO_LONG.en());
                    assert!(!is_refused(most), "{}", text(most));
                    assert!(is_refused(most + 1), "{}", text(most + 1));
                }
            }
        }
        // Neither a login, nor an unknown scheme, nor a label of US-ASCII.
        for text in [format!("http://{}h.dom/", named(most + 1)), format!("foo://{}/", wide(most + 1))] {
            assert_eq!(refusal(&text), None, "{text}");
        }
        assert_eq!(refusal(&filled("http://h.dom/", most, &wide(most + 1))), None);
        assert_eq!(refusal(&filled("http://", most + 1, ".\u{4e2d}/")), None);
        assert!(LABEL_TOO_LONG.en().contains(&format!(" {most} ")), "{}", LABEL_TOO_LONG.en());
    }

    #[test]
    fn as_many_labels_are_read_as_a_name_can_have_if_one_is_internationalized() {
        let host = |label: &str, dot: &str, labels: usize| format!("{}{label}", format!("a{dot}").repeat(labels - 1));
        for dot in [".", "\u{3002}", "\u{ff0e}", "\u{ff61}", "%2E", "%EF%BC%8E"] {
            for label in ["\u{e9}", "%c3%a9", "XN--9ca"] {
                for (before, behind) in [("", ""), ("u.u.u@", ":80"), ("", "/a.a.a"), ("", ".")] {
                    let text = |labels: usize| format!("http://{before}{}{behind}", host(label, dot, labels));
                    assert_eq!(refusal(&text(127)), None, "{}", text(127));
                    let refused = refusal(&text(129));
                    assert_eq!(refused.as_deref(), Some(TOO_MANY_LABELS.en()), "{}", text(129));
                }
            }
        }
        // Neither a host of US-ASCII nor one that is not mapped.
        assert_eq!(refusal(&format!("http://{}", host("a", ".", 1000))), None);
        assert_eq!(refusal(&format!("foo://{}", host("\u{e9}", ".", 1000))), None);
        assert!(TOO_MANY_LABELS.en().contains(&format!(" {} ", MOST_LABELS - 1)), "{}", TOO_MANY_LABELS.en());
    }

    #[test]
    fn what_is_long_but_has_no_long_authority_is_read() {
        for start in [
            "http://h.dom/",
            "http://h.dom\\",
            "http://h.dom?",
            "http://h.dom#",
            "ftp://u:p@h.dom:2121/",
            "file:///",
            "file:/",
            "file:",
            "file:////",
            "FILE:\\\\/",
            "data:",
            "mailto:",
            "foo:",
            "foo:/",
            "foo:///",
            "foo:\\\\",
            "foo://h.dom/",
            "foo://h.dom?",
        ] {
            let text = filled(start, 2 * LONGEST_AUTHORITY, "");
            assert_eq!(refusal(&text), None, "{start}");
        }
        for start in ["", "http", "//"] {
            let text = filled(start, 2 * LONGEST_AUTHORITY, "");
            assert_eq!(refusal(&text).as_deref(), Some("relative URL without a base"), "{start}");
        }
        let blanks = " ".repeat(2 * LONGEST_AUTHORITY);
        assert_eq!(refusal(&format!("{blanks}http://h.dom{blanks}")), None);
    }

    #[test]
    fn a_label_is_long_as_one_that_is_looked_at_by_itself_is() {
        let is_long = |label: &str| {
            label.len() > LONGEST_LABEL && (!label.is_ascii() || label.get(..4).is_some_and(|start| start == "xn--"))
        };
        let labels: Vec<String> = ["a", "\u{e9}", "\u{4e2d}", "\u{1f600}", "xn--a"]
            .iter()
            .flat_map(|start| {
                (LONGEST_LABEL - 4..LONGEST_LABEL + 5).map(|octets| filled(start, octets - start.len(), ""))
            })
            .chain(["".into(), "b".into(), "\u{4e2d}".repeat(84), "\u{4e2d}".repeat(85), filled("", 400, "\u{e9}")])
            .collect();
        let (mut long, mut short) = (0, 0);
        for (one, other) in labels.iter().flat_map(|one| labels.iter().map(move |other| (one, other))) {
            for end in [".", ":", "\u{3002}", "\u{FF0E}", "\u{FF61}", "-"] {
                let host = format!("{one}{end}{other}");
                let expected = host.split(|c| c == ':' || super::is_dot(c)).any(is_long);
                assert_eq!(super::has_long_label(&host), expected, "{host}");
                *(if expected { &mut long } else { &mut short }) += 1;
            }
        }
        assert!(long > 1000 && short > 1000, "{long} {short}");
    }

    proptest! {
        /// Of letters, nothing is mapped: a host is as long as the parser writes it.
        #[test]
        fn an_authority_is_as_long_as_that_of_the_parser(
            scheme in "[ \t\n]{0,3}(http|HTTPS|f\tile|file|File|ws\n|foo|x-y)",
            rest in "[ab/\\\\?#\t\r\n]{0,12}[ \n]{0,3}",
        ) {
            let text = format!("{scheme}:{rest}");
            if let Ok(url) = Url::parse(&text) {
                let length = url.host_str().map_or(0, str::len);
                let read = authority(text.as_bytes()).map(|authority| authority.octets).unwrap_or_default();
                let read = read.iter().filter(|octet| !is_dropped(octet)).count();
                prop_assert_eq!(read, length, "{:?} {}", text, url);
            }
        }

        #[test]
        fn a_host_of_any_standard_is_where_this_one_may_see_one(
            text in "[ \t]?(http|ftp|FILE|gopher|mailto|news|foo)?[:/]?[:/\\\\]{0,4}[a.@\t:/?#]{0,12}",
            profile in prop_oneof![Just(Profile::Rfc1738), Just(Profile::Current)],
        ) {
            let readings = Readings::of(&text, profile);
            for (reader, reading) in readings.iter() {
                let host = reading.parts().and_then(|parts| parts.host.as_deref()).unwrap_or_default();
                prop_assert!(host.is_empty() || has_authority(text.as_bytes()), "{text:?} {reader}");
            }
        }
    }
}
