//! Finds the end of a bare URL, as a human reader would see it.

use super::{idn, names};
use crate::display::is_harmful;

/// The role of an octet after a URL has started.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It belongs to the URL.
    Inside,
    /// It depends on the octets around it.
    Look,
    /// It ends the URL: section 2.2 calls it unsafe as a delimiter of URLs, or it is not a graphic character.
    Outside,
}

const fn role(octet: u8) -> Role {
    match octet {
        0..=b' ' | 0x7F | b'<' | b'>' | b'"' | b'`' | b'{' | b'}' | b'\\' | b'^' => Role::Outside,
        b'(' | b')' | b'[' | b']' | b'\'' | b'?' | b'#' | b',' | b';' | b'&' | b'|' | 0x80.. => Role::Look,
        _ => Role::Inside,
    }
}

static ROLES: [Role; 256] = {
    let mut roles = [Role::Inside; 256];
    let mut octet = 0;
    while octet < 256 {
        roles[octet] = role(octet as u8);
        octet += 1;
    }
    roles
};

/// Whether an octet of US-ASCII may belong to a URL, wherever it stands.
#[inline]
pub(super) const fn is_inside(octet: u8) -> bool {
    octet.is_ascii() && octet != b'|' && !matches!(role(octet), Role::Outside)
}

/// The end of the URL that starts at `start`, has its colon at `colon` and extends at least to `least`. `None` if it
/// would end inside a host name or another part of the login.
#[inline]
pub(super) fn of(text: &[u8], start: usize, colon: usize, least: usize) -> Option<usize> {
    let end = reach(text, start, colon, least);
    match text.get(end) {
        Some(&next) if !next.is_ascii() && cuts_host(text, colon, end) => None,
        Some(b'{') if cuts_login(text, colon, end) => None,
        _ if names::is_of_versions(&text[..start]) => {
            Some(trim(text, start, before_version(text, colon, end).max(least), least))
        }
        _ => Some(trim(text, start, end, least)),
    }
}

/// The end of the URL in what a program for versions reads, as pip, npm and Cargo write it: a version behind the path (`@v1.0`) and all
/// from the `#` on (`#egg=name`, `#semver:1`) is for the program.
#[cold]
fn before_version(text: &[u8], colon: usize, end: usize) -> usize {
    let url = &text[..end];
    let find = |from: usize, marks: &[u8]| url[from..].iter().position(|octet| marks.contains(octet));
    let path = find(colon + 1, b"#?").map_or(end, |length| colon + 1 + length);
    // Behind the slashes stands the login, in which an `@` is another one.
    let login = find(colon + 3, b"/").map_or(path, |length| colon + 3 + length).min(path);
    let version = url[login..path].iter().rposition(|&octet| octet == b'@').map(|length| login + length);
    match version.filter(|&at| url[at - 1] != b'/') {
        Some(version) => version,
        None => find(colon + 1, b"#").map_or(end, |length| colon + 1 + length),
    }
}

/// The end of the octets that may belong to the URL.
#[inline]
fn reach(text: &[u8], start: usize, colon: usize, least: usize) -> usize {
    let mut at = least;
    let mut round = 0usize;
    let mut square = 0usize;
    let mut in_query = false;
    let mut host = None;
    let mut quoted = None;
    loop {
        while at < text.len() && ROLES[usize::from(text[at])] == Role::Inside {
            at += 1;
        }
        if at == text.len() || ROLES[usize::from(text[at])] == Role::Outside {
            return at;
        }
        match text[at] {
            b'(' => round += 1,
            b')' if round > 0 => round -= 1,
            b'[' if in_query && is_in_query(text, at) => square += 1,
            b'[' if text[at - 1] == b'@' || (text[at - 1] == b'/' && at == colon + 3) => square += 1,
            b']' if square > 0 => square -= 1,
            b')' | b'[' | b']' => return at,
            b'?' | b'#' => in_query = true,
            b'\'' if start > 0 && text[start - 1] == b'\'' => return at,
            b',' | b';' if names::stand(text, at + 1) => return at,
            b'&' if is_reference(&text[at + 1..]) => return at,
            b'|' => {
                let is_quoted = quoted.get_or_insert_with(|| Quoted::of(text, start, colon, at)).contains(at);
                if !is_quoted || names::stand(text, at + 1) {
                    return at;
                }
            }
            0x80.. => {
                let letters = || host.get_or_insert_with(|| idn::Host::new(text, colon + 1)).letters(text, at);
                let quoted = || quoted.get_or_insert_with(|| Quoted::of(text, start, colon, at)).character(text, at);
                match letter(text, at).or_else(letters).or_else(quoted) {
                    Some(length) => at += length - 1,
                    None => return at,
                }
            }
            _ => {}
        }
        at += 1;
    }
}

/// Whether the `[` here belongs to the query or fragment that it stands in, as in `?a[]=1`, `?a[b]`, `?a=[1,2]` and `#a[1]`. Behind the words
/// of a value or fragment, with words in it and with nothing of a query behind it, it begins the label of a link in AsciiDoc:
/// `http://host.dom/?a=b[label]`.
fn is_in_query(text: &[u8], at: usize) -> bool {
    /// More octets than a key has.
    const LONGEST: usize = 64;
    if !text[at - 1].is_ascii_alphanumeric() {
        return true;
    }
    let inside = &text[at + 1..];
    let inside = &inside[..inside.len().min(LONGEST)];
    let Some(end) = inside.iter().position(|&octet| !is_inside(octet) || matches!(octet, b'[' | b']')) else {
        return false;
    };
    let before = &text[at.saturating_sub(LONGEST)..at];
    let is_key = || matches!(before.iter().rev().find(|octet| b"?&=#".contains(octet)), Some(b'?' | b'&'));
    let goes_on = || matches!(inside.get(end + 1), Some(b'=' | b'&' | b'[' | b'.'));
    inside[end] == b']' && (inside[..end].iter().all(u8::is_ascii_digit) || goes_on() || is_key())
}

/// The rest of a URL between quotation marks, of which all characters belong to it.
struct Quoted {
    end: usize,
}

impl Quoted {
    /// What is behind a place, if the mark before the URL stands there again, and nothing before it that ends a URL.
    #[cold]
    fn of(text: &[u8], start: usize, colon: usize, at: usize) -> Self {
        /// Longer texts in quotation marks are no URLs that somebody wrote by hand.
        const LONGEST: usize = 1024;
        let before = start.checked_sub(1).map(|before| text[before]);
        let Some(mark @ (b'"' | b'\'')) = before.filter(|_| !is_in_login(&text[colon + 1..at])) else {
            return Quoted { end: at };
        };
        let rest = &text[at..];
        let rest = &rest[..rest.len().min(LONGEST)];
        let ends = |octet: u8| octet == mark || octet.is_ascii() && octet != b'|' && !is_inside(octet);
        let end = rest.iter().position(|&octet| ends(octet));
        Quoted { end: end.filter(|&end| rest[end] == mark).map_or(at, |end| at + end) }
    }

    fn contains(&self, at: usize) -> bool {
        at < self.end
    }

    /// The length of the character here, if it is in it.
    fn character(&self, text: &[u8], at: usize) -> Option<usize> {
        if !self.contains(at) {
            return None;
        }
        idn::character(&text[at..self.end]).filter(|c| !is_harmful(*c)).map(char::len_utf8)
    }
}

/// The HTML character references for characters that end a URL, without their `&`.
const REFERENCES: [&[u8]; 16] = [
    b"quot;", b"lt;", b"gt;", b"apos;", b"nbsp;", b"#34;", b"#39;", b"#60;", b"#62;", b"#x22;", b"#x27;", b"#x3c;",
    b"#x3e;", b"rdquo;", b"rsquo;", b"raquo;",
];

/// Whether one of these is here.
fn is_reference(text: &[u8]) -> bool {
    let is_it = |name: &&[u8]| text.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    // Most text after a `&` is a field name, which starts differently.
    matches!(text, [b'#' | b'A' | b'G' | b'L' | b'N' | b'Q' | b'R' | b'a' | b'g' | b'l' | b'n' | b'q' | b'r', ..])
        && REFERENCES.iter().any(is_it)
}

/// The length of the non-ASCII letter here, if it belongs to a script that separates words with spaces: the characters
/// from U+00C0 to U+058F in UTF-8. Scripts above may put text next to a URL without a space.
pub(super) fn letter(text: &[u8], at: usize) -> Option<usize> {
    match text[at..] {
        [0xC3..=0xD5, 0x80..=0xBF, ..] | [0xD6, 0x80..=0x8F, ..] => Some(2),
        _ => None,
    }
}

/// Whether the URL, if it ended here before a non-ASCII octet, would lose part of its host: a wrong host is worse than
/// none. The octet is not part of it if it is not a letter, or if the name so far can be complete.
#[cold]
fn cuts_host(text: &[u8], colon: usize, end: usize) -> bool {
    if !is_in_login(&text[colon + 1..end]) {
        return false;
    }
    let login = &text[colon + 3..end];
    match idn::character(&text[end..]) {
        Some(next) => next.is_alphanumeric() && !login.contains(&b'.'),
        // In single-octet character sets, letters are above.
        None => text[end] >= 0xC0,
    }
}

/// Whether the URL, if it ended before this `{`, would lose a part of its login that a variable stands for, as in
/// `http://www.%{HOST}/` and `http://host.dom:${PORT}/`. In `https://host.dom{/path}` it loses nothing.
#[cold]
fn cuts_login(text: &[u8], colon: usize, end: usize) -> bool {
    let login = &text[colon + 1..trim_before(text, end)];
    is_in_login(login) && (!login.contains(&b'.') || matches!(login, [.., b'.' | b'-' | b':' | b'@']))
}

/// Whether what follows the colon ends in the login.
fn is_in_login(rest: &[u8]) -> bool {
    rest.strip_prefix(b"//").is_some_and(|login| !login.iter().any(|octet| matches!(octet, b'/' | b'?' | b'#')))
}

/// Removes the punctuation of the surrounding text.
#[inline]
fn trim(text: &[u8], start: usize, end: usize, least: usize) -> usize {
    let mut at = end;
    if let Some(b'{' | b'>') = text.get(end) {
        at = trim_before(text, end);
    }
    let is_enclosed = at == end && is_enclosed(text, start, end);
    while at > least {
        match text[at - 1] {
            b'_' if is_enclosed && at == end => break,
            b'.' | b',' | b';' | b':' | b'!' | b'?' | b'\'' | b'*' | b'_' | b'(' | b'[' => at -= 1,
            b'~' if start > 0 && text[start - 1] == b'~' => at -= 1,
            b'/' if at == end && text[at - 2] == b'*' => at -= 2,
            _ => break,
        }
    }
    at.max(least)
}

/// Whether a URL stands alone between quotation marks or in parentheses, where no emphasis ends with it.
fn is_enclosed(text: &[u8], start: usize, end: usize) -> bool {
    let before = start.checked_sub(1).map(|before| text[before]);
    matches!((before, text.get(end)), (Some(b'"'), Some(b'"')) | (Some(b'\''), Some(b'\'')) | (Some(b'('), Some(b')')))
}

/// The end without what belongs to the `{` or `>` that follows: `${...}`, `-->`.
#[cold]
fn trim_before(text: &[u8], end: usize) -> usize {
    match &text[..end] {
        [.., b'$' | b'#' | b'%'] if text[end] == b'{' => end - 1,
        [.., b'-', b'-'] if text[end] == b'>' => end - 2,
        _ => end,
    }
}
