//! Where the crate `url` departs from the URL standard: what it accepts, paths of file URLs, drives in other paths, and `^` in paths. Held to
//! Node.js 20.20 on 2026-11-29; of `^`, which that leaves as it is, to Chromium 148.

use std::borrow::Cow;
use std::ops::Range;

use crate::octet_set::OctetSet;
use crate::text::Text;
use crate::whatwg::{Authority, is_dropped, is_special, without_blank_ends};

/// Why the standard refuses a text that the crate accepts. This is the authority of a scheme that is not special: a backslash does not
/// end its port, and a login needs a host.
pub(crate) fn objection(authority: &Authority<'_>) -> Option<url::ParseError> {
    let at_sign = memchr::memrchr(b'@', authority.octets);
    let hostport = &authority.octets[at_sign.map_or(0, |at_sign| at_sign + 1)..];
    match hostport.iter().all(is_dropped) {
        true => at_sign.map(|_| url::ParseError::EmptyHost),
        // The crate refuses one in a host.
        false => hostport.contains(&b'\\').then_some(url::ParseError::InvalidPort),
    }
}

/// A path as the standard writes it, and the host of a file URL as it is written.
pub(crate) struct OwnPath {
    /// Where the text of a file URL has the host; empty if it has none.
    pub(crate) host: Range<usize>,
    pub(crate) path: String,
}

/// The path of a URL that the crate may write in another way; `None` if it does not.
pub(crate) fn path(text: &str, scheme: &str) -> Option<OwnPath> {
    match scheme {
        "file" => file_path(text),
        _ => path_with_drive(text, is_special(scheme.as_bytes())),
    }
}

/// A path in which the standard encodes `^`, as it does since March 2025 (whatwg/url pull request 846); `None` if it has none. What has no
/// segments, as in `mailto:`, keeps it.
pub(crate) fn with_caret(path: &Text<'_>) -> Option<String> {
    let octets = path.octets();
    let is_affected = octets.first() == Some(&b'/') && memchr::memchr(b'^', octets).is_some();
    is_affected.then(|| path.clone().written().replace('^', "%5E"))
}

/// The path of another URL if it has the drive of a file URL and `..`: the crate keeps what looks like one.
fn path_with_drive(text: &str, is_special: bool) -> Option<OwnPath> {
    let octets = text.as_bytes();
    let colon = memchr::memchr(b':', octets)?;
    // What most texts have not.
    memchr::memchr2(b':', b'|', &octets[colon + 1..])?;
    let end = without_blank_ends(octets).end;
    let end = memchr::memchr2(b'?', b'#', &octets[..end]).unwrap_or(end);
    let is_slash = |octet: u8| octet == b'/' || octet == b'\\' && is_special;
    let path = without_dropped(text.get(colon + 1..end)?);
    let slashes = path.bytes().take_while(|octet| is_slash(*octet)).count();
    let rest = match (is_special, slashes) {
        // Without a slash, what follows is no path.
        (false, 0) => return None,
        (false, 1) => &path[1..],
        (false, _) => behind_authority(&path[2..], is_slash)?,
        (true, _) => behind_authority(&path[slashes..], is_slash)?,
    };
    let segments = || rest.split(|c: char| u8::try_from(c).is_ok_and(is_slash));
    // To the crate, a backslash may end a drive that it does not end.
    let looks_like_drive = |segment: &str| segment.split('\\').next().is_some_and(is_drive);
    let is_affected = segments().any(looks_like_drive) && segments().any(|segment| dots(segment) == Some(2));
    is_affected.then(|| OwnPath { host: 0..0, path: normal(rest, is_special, false) })
}

/// What follows a login, a host and a port, and the slash behind them.
fn behind_authority(text: &str, is_slash: impl Fn(u8) -> bool) -> Option<&str> {
    let slash = text.bytes().position(is_slash)?;
    Some(&text[slash + 1..])
}

/// The path of a file URL that the crate may write in another way: it drops empty segments from the beginning of a path and the host
/// before the drive of a path, and writes some drives as they are. `None` if it does neither.
fn file_path(text: &str) -> Option<OwnPath> {
    let trimmed = without_blank_ends(text.as_bytes());
    let octets = &text.as_bytes()[..trimmed.end];
    let colon = octets.iter().skip(trimmed.start).position(|octet| *octet == b':')? + trimmed.start;
    let name = octets[trimmed.start..colon].iter().filter(|octet| !is_dropped(octet));
    if !name.map(u8::to_ascii_lowercase).eq(*b"file") {
        return None;
    }
    let end = octets.iter().skip(colon + 1).position(|octet| matches!(octet, b'?' | b'#'));
    let end = end.map_or(octets.len(), |end| colon + 1 + end);
    let mut rest = colon + 1..end;
    let mut host = rest.start..rest.start;
    let next = |from: &Range<usize>| {
        octets[from.clone()].iter().position(|octet| !is_dropped(octet)).map(|at| from.start + at)
    };
    let slash = |from: &Range<usize>| next(from).filter(|at| is_slash(octets[*at]));
    if let Some(first) = slash(&rest) {
        rest.start = first + 1;
        if let Some(second) = slash(&rest) {
            rest.start = second + 1;
            let length = octets[rest.clone()].iter().position(|octet| is_slash(*octet));
            host = rest.start..length.map_or(end, |length| rest.start + length);
            match is_drive(&without_dropped(&text[host.clone()])) {
                // It is the first segment.
                true => host.end = host.start,
                false => rest.start = slash(&(host.end..end)).map_or(host.end, |slash| slash + 1),
            }
        }
    }
    let path = without_dropped(&text[rest]);
    let has_empty = || path.as_bytes().windows(2).any(|two| two.iter().all(|octet| is_slash(*octet)));
    let has_drive = || path.split(['/', '\\']).any(is_drive);
    let is_affected =
        matches!(path, Cow::Owned(_)) || path.bytes().next().is_some_and(is_slash) || has_empty() || has_drive();
    is_affected.then(|| OwnPath { host, path: normal(&path, true, true) })
}

/// The path state of the standard, of what follows the first slash.
fn normal(input: &str, is_special: bool, is_file: bool) -> String {
    let is_slash = |c: char| c == '/' || c == '\\' && is_special;
    let mut path = String::with_capacity(1 + input.len());
    let mut rest = Some(input);
    while let Some(input) = rest {
        let segment = match input.find(is_slash) {
            Some(slash) => {
                rest = Some(&input[slash + 1..]);
                &input[..slash]
            }
            None => {
                rest = None;
                input
            }
        };
        match dots(segment) {
            Some(dots) => {
                if dots == 2 && !(is_file && path.strip_prefix('/').is_some_and(is_normal_drive)) {
                    path.truncate(path.rfind('/').unwrap_or_default());
                }
                if rest.is_none() {
                    path.push('/');
                }
            }
            None if is_file && path.is_empty() && is_drive(segment) => path.extend(["/", &segment[..1], ":"]),
            None => {
                path.push('/');
                encode(segment, &mut path);
            }
        }
    }
    path
}

/// How many dots a segment is, 1 or 2, each as it is or escaped.
fn dots(segment: &str) -> Option<usize> {
    let mut rest = segment.as_bytes();
    for count in 0..=2 {
        rest = match rest {
            [] if count > 0 => return Some(count),
            [b'.', behind @ ..] | [b'%', b'2', b'e' | b'E', behind @ ..] => behind,
            _ => return None,
        };
    }
    None
}

/// Appends a segment with its escapes.
fn encode(segment: &str, path: &mut String) {
    const ENCODED: OctetSet = OctetSet::of(b" \"#<>?^`{}\x7F");
    let mut rest = segment;
    while let Some(at) = rest.bytes().position(|octet| octet < b' ' || !octet.is_ascii() || ENCODED.has(octet)) {
        let length = rest[at..].chars().next().map_or(1, char::len_utf8);
        path.push_str(&rest[..at]);
        for octet in rest[at..at + length].bytes() {
            const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
            let digit = |digit: u8| char::from(DIGITS[usize::from(digit)]);
            path.extend(['%', digit(octet >> 4), digit(octet & 0xF)]);
        }
        rest = &rest[at + length..];
    }
    path.push_str(rest);
}

fn without_dropped(text: &str) -> Cow<'_, str> {
    match text.bytes().any(|octet| is_dropped(&octet)) {
        true => Cow::Owned(text.replace(['\t', '\n', '\r'], "")),
        false => text.into(),
    }
}

fn is_slash(octet: u8) -> bool {
    matches!(octet, b'/' | b'\\')
}

/// Whether it is a letter of a drive of Windows, and a colon or what stands for one.
fn is_drive(segment: &str) -> bool {
    matches!(segment.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

fn is_normal_drive(segment: &str) -> bool {
    is_drive(segment) && segment.ends_with(':')
}

#[cfg(test)]
mod tests {
    use super::{file_path, normal};
    use crate::whatwg;
    use proptest::prelude::*;
    use url::Url;

    /// Host, port and path; `None` if it is refused.
    fn read(text: &str) -> Option<[String; 3]> {
        let parts = whatwg::read(text.as_bytes()).ok()?;
        let host = parts.host.map(|host| host.written().into_owned()).unwrap_or_default();
        Some([host, parts.port.unwrap_or_default().into_owned(), parts.path.written().into_owned()])
    }

    /// As Node.js does.
    #[test]
    fn a_backslash_does_not_end_the_port_of_a_scheme_that_is_not_special_and_a_login_needs_a_host() {
        for text in [
            r"telnet://host.dom:80\x",
            r"foo://h:\x",
            r"snews://u:p@h:1\",
            "foo://[::1]:80\\?",
            "foo://@",
            "mailto://u:p@",
            "foo://@\t",
        ] {
            assert_eq!(read(text), None, "{text:?}");
        }
        for (text, expected) in [
            (r"foo://h:80/\x", ["h", "80", r"/\x"]),
            (r"foo://u\:p@h", ["h", "", ""]),
            (r"foo:\\h:80\x", ["", "", r"\\h:80\x"]),
            (r"ws://h:81\x", ["h", "81", "/x"]),
            ("foo://", ["", "", ""]),
            (r"foo://h?:80\x", ["h", "", ""]),
        ] {
            assert_eq!(read(text), Some(expected.map(str::to_owned)), "{text:?}");
        }
    }

    /// As Node.js does.
    #[test]
    fn the_path_of_a_file_url_keeps_its_empty_segments_and_its_host() {
        for (text, host, path) in [
            ("file://host.dom///x", "host.dom", "///x"),
            ("file:////x", "", "//x"),
            ("file:///x//y", "", "/x//y"),
            ("FILE:////", "", "//"),
            (r"file://h\\x", "h", "//x"),
            ("file:///a/..//b", "", "//b"),
            ("file://H/C|/x", "h", "/C:/x"),
            ("file:///C|", "", "/C:"),
            ("file://C|/x", "", "/C:/x"),
            ("file:c|/../x", "", "/c:/x"),
            ("file:///a//C|", "", "/a//C|"),
            ("file:/C:\tx", "", "/C:x"),
            ("file://localhost//x", "", "//x"),
            ("file://h//\u{e9} {", "h", "//%C3%A9%20%7B"),
            (" fi\nle://h//x?y//#z//\n", "h", "//x"),
            ("file:///C:/..//", "", "/C://"),
            ("file:////%2E%2e", "", "/"),
        ] {
            assert_eq!(read(text), Some([host, "", path].map(str::to_owned)), "{text:?}");
        }
    }

    /// As Node.js does.
    #[test]
    fn a_drive_is_kept_by_two_dots_in_a_file_url_alone() {
        for (text, path) in [
            ("http://h.dom/C:/../admin", "/admin"),
            ("http://h.dom/a/C:/../x", "/a/x"),
            ("http://h.dom/C|/../x", "/x"),
            ("http://h.dom/C|/%2E./x", "/x"),
            (r"http:h.dom\C:\..\x y", "/x%20y"),
            ("http://h.dom/C:/..", "/"),
            ("http://h.dom/C:/a/../../x?C:/../y", "/x"),
            ("ftp://u:p@h.dom:21/C:/../x", "/x"),
            ("foo://h.dom/C:/../x", "/x"),
            ("foo:/C:/../x", "/x"),
            (r"foo:/C:\..\x/../y", "/y"),
            (r"foo:////C|\c:/..//a", "///a"),
            ("foo:C:/../x", "C:/../x"),
            ("gopher://h.dom//C:/../x", "//x"),
            ("tn3270://///C:/..//x", "////x"),
            (" ht\ntp://h.dom/C\t:/.\t./x ", "/x"),
            ("http://h.dom/C:/x", "/C:/x"),
            ("http://h.dom/C:x/../y", "/y"),
            ("file:///C:/../x", "/C:/x"),
            ("file://h.dom/a/C:/../x", "/a/x"),
        ] {
            assert_eq!(read(text).map(|read| read[2].clone()).as_deref(), Some(path), "{text:?}");
        }
    }

    /// As Chromium does, and Node.js 20 does not.
    #[test]
    fn a_caret_is_encoded_in_a_path_and_nowhere_else() {
        for (text, path) in [
            ("http://h.dom/a^b^", "/a%5Eb%5E"),
            ("http://h.dom/a^ b?c^d#e^f", "/a%5E%20b"),
            ("foo://h.dom/a^b", "/a%5Eb"),
            ("foo:/a^b", "/a%5Eb"),
            ("file:///a^//b", "/a%5E//b"),
            ("http://h.dom/C:/../a^b", "/a%5Eb"),
            ("foo:a^b", "a^b"),
            ("mailto:a^b@h.dom", "a^b@h.dom"),
        ] {
            assert_eq!(read(text).map(|read| read[2].clone()).as_deref(), Some(path), "{text:?}");
        }
        let parts = whatwg::read(b"http://h.dom/a?c^d#e^f").unwrap();
        assert_eq!(parts.query.map(|text| text.written().into_owned()).as_deref(), Some("c^d"));
        assert_eq!(parts.fragment.map(|text| text.written().into_owned()).as_deref(), Some("e^f"));
    }

    proptest! {
        /// What the crate writes and what is written here are the same path.
        #[test]
        fn where_the_crate_is_right_the_path_is_the_same(
            path in "([a.\u{e9} %\"<>`{}^|~]|%2[eE]|\\.\\.?[/\\\\]|[a-z][:|][a/]|[/\\\\][a-z.]){0,12}",
        ) {
            let text = format!("file:///{path}");
            if file_path(&text).is_none() {
                let url = Url::parse(&text).unwrap();
                let trimmed = path.trim_end_matches(|c: char| c <= ' ');
                prop_assert_eq!(normal(trimmed, true, true), url.path().replace('^', "%5E"), "{:?}", text);
            }
        }

        /// Neither is it lost where the crate reads another one.
        #[test]
        fn a_file_url_is_read_if_the_crate_reads_it(
            text in "file:[/\\\\]{0,4}[aC:|/.\\\\\t?#@%]{0,12}",
        ) {
            prop_assert_eq!(read(&text).is_some(), Url::parse(&text).is_ok(), "{:?}", text);
        }
    }
}
