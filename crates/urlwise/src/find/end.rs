//! Finds the end of a bare URL, as a human reader would see it.

use super::{idn, names};

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
        0..=b' ' | 0x7F | b'<' | b'>' | b'"' | b'`' | b'{' | b'}' | b'|' | b'\\' | b'^' => Role::Outside,
        b'(' | b')' | b'[' | b']' | b'\'' | b'?' | b'#' | b',' | b';' | b'&' | 0x80.. => Role::Look,
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

/// Whether an octet of US-ASCII may belong to a URL.
#[inline]
pub(super) const fn is_inside(octet: u8) -> bool {
    octet.is_ascii() && !matches!(role(octet), Role::Outside)
}

/// The end of the URL that starts at `start`, has its colon at `colon` and extends at least to `least`. `None` if it
/// would end inside a host name or another part of the login.
#[inline]
pub(super) fn of(text: &[u8], start: usize, colon: usize, least: usize) -> Option<usize> {
    let end = reach(text, start, colon, least);
    match text.get(end) {
        Some(&next) if !next.is_ascii() && cuts_host(text, colon, end) => None,
        Some(b'{') if cuts_login(text, colon, end) => None,
        _ => Some(trim(text, start, end, least)),
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
            b'[' if in_query || text[at - 1] == b'@' || (text[at - 1] == b'/' && at == colon + 3) => square += 1,
            b']' if square > 0 => square -= 1,
            b')' | b'[' | b']' => return at,
            b'?' | b'#' => in_query = true,
            b'\'' if start > 0 && text[start - 1] == b'\'' => return at,
            b',' | b';' if names::stand(text, at + 1) => return at,
            b'&' if is_reference(&text[at + 1..]) => return at,
            0x80.. => {
                let letters = || host.get_or_insert_with(|| idn::Host::new(text, colon + 1)).letters(text, at);
                match letter(text, at).or_else(letters) {
                    Some(length) => at += length - 1,
                    None => return at,
                }
            }
            _ => {}
        }
        at += 1;
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
    let Some(login) = text[colon + 1..end].strip_prefix(b"//") else {
        return false;
    };
    if login.iter().any(|octet| matches!(octet, b'/' | b'?' | b'#')) {
        return false;
    }
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
    let Some(login) = text[colon + 1..trim_before(text, end)].strip_prefix(b"//") else {
        return false;
    };
    let is_login = !login.iter().any(|octet| matches!(octet, b'/' | b'?' | b'#'));
    is_login && (!login.contains(&b'.') || matches!(login, [.., b'.' | b'-' | b':' | b'@']))
}

/// Removes the punctuation of the surrounding text.
#[inline]
fn trim(text: &[u8], start: usize, end: usize, least: usize) -> usize {
    let mut at = end;
    if let Some(b'{' | b'>') = text.get(end) {
        at = trim_before(text, end);
    }
    while at > least {
        match text[at - 1] {
            b'.' | b',' | b';' | b':' | b'!' | b'?' | b'\'' | b'*' | b'_' | b'(' | b'[' => at -= 1,
            b'~' if start > 0 && text[start - 1] == b'~' => at -= 1,
            b'/' if at == end && text[at - 2] == b'*' => at -= 2,
            _ => break,
        }
    }
    at.max(least)
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
