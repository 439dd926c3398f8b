//! E-10 and E-11: lines of a gopher request that other servers read as commands.

use super::auditor::Auditor;
use super::finding::Detail;
use super::rules::{GOPHER_SMTP, GOPHER_VERB};
use crate::encoded::Octets;
use crate::language::{Words, words};
use crate::scheme::Scheme;
use crate::scheme::gopher::{PLUS, SEARCH, SELECTOR_SLOT};

/// A command of another protocol. A word that is only ever a command counts in every line and in any case; an ordinary
/// English word counts in the first line only if it is uppercase or the port is not the gopher port.
struct Verb {
    words: &'static [u8],
    protocol: Words,
    is_distinct: bool,
    is_mail: bool,
}

const fn verb(words: &'static [u8], protocol: Words, is_distinct: bool) -> Verb {
    Verb { words, protocol, is_distinct, is_mail: false }
}

const fn mail(words: &'static [u8], is_distinct: bool) -> Verb {
    Verb { words, protocol: Words::same("SMTP"), is_distinct, is_mail: true }
}

static VERBS: &[Verb] = &[
    mail(b"HELO", true),
    mail(b"EHLO", true),
    mail(b"MAIL FROM:", true),
    mail(b"RCPT TO:", true),
    mail(b"MAIL FROM", true),
    mail(b"RCPT TO", true),
    mail(b"DATA", false),
    verb(b"GET", words!("HTTP and memcached"), false),
    verb(b"HEAD", Words::same("HTTP"), false),
    verb(b"POST", words!("HTTP and NNTP"), false),
    verb(b"PUT", Words::same("HTTP"), false),
    verb(b"DELETE", words!("HTTP and memcached"), false),
    verb(b"OPTIONS", Words::same("HTTP"), false),
    verb(b"CONNECT", Words::same("HTTP"), false),
    verb(b"USER", words!("FTP, POP3 and IRC"), false),
    verb(b"PASS", words!("FTP, POP3 and IRC"), false),
    verb(b"STAT", words!("FTP, POP3 and NNTP"), false),
    verb(b"RETR", words!("FTP and POP3"), true),
    verb(b"STOR", Words::same("FTP"), true),
    verb(b"DELE", words!("FTP and POP3"), true),
    verb(b"RNFR", Words::same("FTP"), true),
    verb(b"GROUP", Words::same("NNTP"), false),
    verb(b"ARTICLE", Words::same("NNTP"), false),
    verb(b"IHAVE", Words::same("NNTP"), true),
    verb(b"NICK", Words::same("IRC"), false),
    verb(b"PRIVMSG", Words::same("IRC"), true),
    verb(b"SET", words!("Redis and memcached"), false),
    verb(b"EVAL", Words::same("Redis"), false),
    verb(b"CONFIG", Words::same("Redis"), false),
    verb(b"SLAVEOF", Words::same("Redis"), true),
    verb(b"FLUSHALL", Words::same("Redis"), true),
    verb(b"FLUSHDB", Words::same("Redis"), true),
    verb(b"FLUSH_ALL", Words::same("memcached"), true),
];

/// The length of the longest command plus one octet.
const LOOK: usize = 11;

pub(super) fn check(a: &mut Auditor<'_, '_>) {
    // The selector, the search and the Gopher+ string are sent; the type is not.
    if a.base != Scheme::Gopher {
        return;
    }
    let is_at_home = a.url.port_or_default() == Scheme::Gopher.default_port();
    let mut is_new_line = true;
    let mut is_first = true;
    for slot in [SELECTOR_SLOT, SEARCH, PLUS] {
        let Some(span) = a.slot(slot) else { continue };
        let part = &a.octets[span.clone()];
        let has_escapes = part.contains(&b'%');
        let mut octets = Octets::new(part);
        loop {
            if is_new_line {
                let start = span.start + octets.position();
                if let Some((verb, length)) = command(octets.clone(), is_first && is_at_home) {
                    let rule = if verb.is_mail { GOPHER_SMTP } else { GOPHER_VERB };
                    let words = core::str::from_utf8(verb.words).unwrap_or_default();
                    let line = words!("sends a line that starts with `{text}`, a command of {protocol}");
                    let detail = Detail::Filled(line, words.into(), verb.protocol);
                    a.report(rule, start..start + length, words!("selector"), detail);
                }
            }
            // Without escapes there can be no line ends.
            is_new_line = false;
            is_first = false;
            if !has_escapes || !octets.any(|octet| matches!(octet, b'\r' | b'\n')) {
                break;
            }
            is_new_line = true;
        }
    }
}

/// The command at the start of a line, and its length as written.
fn command(mut line: Octets<'_>, is_calm: bool) -> Option<(&'static Verb, usize)> {
    let start = line.position();
    let mut octets = [b'\n'; LOOK];
    let mut ends = [0; LOOK];
    for (octet, end) in octets.iter_mut().zip(&mut ends) {
        *octet = line.next().unwrap_or(b'\n');
        *end = line.position() - start;
    }
    if !octets[0].is_ascii_alphabetic() {
        return None;
    }
    let verb = VERBS.iter().find(|verb| {
        let (begin, behind) = octets.split_at(verb.words.len());
        let is_same = match is_calm && !verb.is_distinct {
            true => begin == verb.words,
            false => begin.eq_ignore_ascii_case(verb.words),
        };
        let ends = verb.words.ends_with(b":") || matches!(behind.first(), Some(b' ' | b'\t' | b'\r' | b'\n'));
        is_same && ends
    })?;
    Some((verb, ends[verb.words.len() - 1]))
}
