//! What must follow the name of a scheme and its colon to make it a URL.

use crate::class;
use crate::encoded::escape_at;
use crate::registry::Syntax;
use crate::scheme::Needs;

use super::{end, idn};

impl Needs {
    pub(super) const fn of_syntax(syntax: Syntax) -> Needs {
        match syntax {
            Syntax::Internet => Needs::Host,
            Syntax::Opaque => Needs::Something,
        }
    }

    /// The end of the octets that satisfy the requirement, if the text after the colon does: the minimum extent of the
    /// URL. After a prefix, a group does not need a `.` to be distinguished from a word.
    ///
    /// Looks no further than the next colon, except for a login, which ends at its `/`, so that no octet is read for
    /// many colons.
    #[inline]
    pub(super) fn met(self, text: &[u8], start: usize, colon: usize, announced: bool) -> Option<usize> {
        let at = colon + 1;
        match self {
            Needs::Host => host(text, slashes(text, at)?),
            Needs::Path if !announced && is_of_other_programs(text, start, colon) => None,
            Needs::Path => path(text, at),
            Needs::Address => address(text, at),
            // `*news:*` is an emphasised word.
            Needs::Group if text[at..].starts_with(b"*") && text[..start].ends_with(b"*") => None,
            Needs::Group => group(text, at, announced),
            Needs::Something => {
                let first = *text.get(at)?;
                (first.is_ascii_alphanumeric() || first == b'/' || escape_at(text, at).is_some()).then_some(at + 1)
            }
            Needs::Prefix => None,
        }
    }
}

/// The position after `//`.
#[inline]
fn slashes(text: &[u8], at: usize) -> Option<usize> {
    text[at..].starts_with(b"//").then_some(at + 2)
}

/// The end of the first octet of the host, if there is one, after an optional login.
#[inline]
fn host(text: &[u8], at: usize) -> Option<usize> {
    match *text.get(at)? {
        first if first.is_ascii_alphanumeric() => Some(at + 1),
        _ => odd_host(text, at),
    }
}

/// The same where no letter or digit comes first.
#[cold]
fn odd_host(text: &[u8], at: usize) -> Option<usize> {
    let rest = &text[at..];
    let length =
        rest.iter().take_while(|&&octet| !matches!(octet, b'/' | b'?' | b'#') && end::is_inside(octet)).count();
    let host = at + rest[..length].iter().rposition(|&octet| octet == b'@').map_or(0, |sign| sign + 1);
    match text[host..] {
        [first, ..] if first.is_ascii_alphanumeric() => Some(host + 1),
        [b'_', second, ..] if second.is_ascii_alphanumeric() => Some(host + 2),
        [b'[', ..] => literal(text, host),
        [_, ..] => end::letter(text, host)
            .or_else(|| idn::Host::new(text, at - 2).letters(text, host))
            .map(|length| host + length),
        [] => None,
    }
}

/// The end of an address in square brackets.
fn literal(text: &[u8], at: usize) -> Option<usize> {
    let inside = text.get(at..)?.strip_prefix(b"[")?;
    let length = inside.iter().take_while(|octet| octet.is_ascii_hexdigit() || matches!(octet, b':' | b'.')).count();
    (length > 1 && inside.get(length) == Some(&b']')).then_some(at + length + 2)
}

/// The end of the required part of an address's domain.
fn domain(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at)? {
        b'[' => literal(text, at),
        b'%' => escape_at(text, at).map(|_| at + 3),
        first => first.is_ascii_alphanumeric().then_some(at + 1),
    }
}

/// Whether a name without `//` looks like those that socat and Kerberos write, `FILE:/etc/krb5.keytab` and `file:/dev/ttyS0,raw`, or is
/// that of a regular expression: `/^file:/i`.
fn is_of_other_programs(text: &[u8], start: usize, colon: usize) -> bool {
    let behind = &text[colon + 1..];
    !behind.starts_with(b"//")
        && (text[start..colon].iter().any(u8::is_ascii_uppercase)
            || behind.starts_with(b"/dev/")
            || matches!(text[..start], [.., b'^' | b'/'] | [.., b'\\', b'b']))
}

/// The path of a file, with an optional host.
fn path(text: &[u8], at: usize) -> Option<usize> {
    let begins = |octet: &u8| octet.is_ascii_alphanumeric() || matches!(octet, b'~' | b'_' | b'%');
    let Some(host) = slashes(text, at) else {
        let name = text.get(at..)?.strip_prefix(b"/")?;
        if let Some(end) = drive(text, at + 1) {
            return Some(end);
        }
        let dots = name.iter().take_while(|octet| **octet == b'.').count();
        return name.get(dots).filter(|octet| begins(octet)).map(|_| at + dots + 2);
    };
    match text.get(host)? {
        b'/' => drive(text, host + 1).or(Some(host + 1)),
        first if begins(first) || *first == b'.' => {
            let length = class::skip(text, host, class::HOST_CURRENT) - host;
            // `~` and escapes are not valid in a host, but people write them there.
            let length = length.max(1);
            match text.get(host + length) {
                Some(b'/') => Some(host + length + 1),
                _ => drive(text, host),
            }
        }
        _ => None,
    }
}

/// The end of a drive letter with its `:` or `|`, and of the backslashes behind it that stand for slashes (D-85). Two in a row are
/// an escape of a programming language, which is left alone.
fn drive(text: &[u8], at: usize) -> Option<usize> {
    let (letter, rest) = text.get(at..)?.split_first()?;
    let (b':' | b'|', path) = rest.split_first()? else { return None };
    match path {
        _ if !letter.is_ascii_alphabetic() => None,
        [b'/', ..] => Some(at + 3),
        [b'\\', b'\\', ..] => None,
        [b'\\', ..] => {
            let length = path.iter().take_while(|&&octet| octet == b'\\' || end::is_inside(octet)).count();
            let last = path[..length].iter().rposition(|&octet| octet == b'\\')?;
            Some(at + 3 + last)
        }
        _ => None,
    }
}

/// The run of octets up to the next colon or the end of the URL.
fn run(text: &[u8], at: usize) -> &[u8] {
    let length = text[at..].iter().take_while(|&&octet| octet != b':' && end::is_inside(octet)).count();
    &text[at..at + length]
}

/// An address, up to the first octet of its domain: `local@d`.
fn address(text: &[u8], at: usize) -> Option<usize> {
    let run = run(text, at);
    let sign = (0..run.len()).find(|&i| matches!(run[i], b'@' | b'?' | b'#') || run[i..].starts_with(AT))?;
    let length = match run[sign] {
        b'@' => 1,
        b'%' => AT.len(),
        _ => return None,
    };
    match sign {
        0 => None,
        _ => domain(text, at + sign + length),
    }
}

/// An escaped `@`, which is one too (D-56).
const AT: &[u8] = b"%40";

/// What news names, far enough to distinguish it from a word.
fn group(text: &[u8], at: usize, announced: bool) -> Option<usize> {
    if let Some(host_start) = slashes(text, at) {
        return host(text, host_start);
    }
    let run = run(text, at);
    if let [b'*'] = run {
        return Some(at + 1);
    }
    if let Some(sign) = run.iter().position(|&octet| octet == b'@') {
        return match sign {
            0 => None,
            _ => domain(text, at + sign + 1),
        };
    }
    if !run.first()?.is_ascii_alphabetic() {
        return None;
    }
    if announced {
        return Some(at + 1);
    }
    let name = &run[..class::skip(run, 0, class::GROUP)];
    let dot = name.iter().position(|&octet| octet == b'.')?;
    name.get(dot + 1).filter(|octet| octet.is_ascii_alphanumeric()).map(|_| at + dot + 2)
}
