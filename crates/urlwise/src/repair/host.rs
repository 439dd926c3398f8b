//! Host names outside US-ASCII (D-19, D-72).

use crate::language::words;
use alloc::format;
use alloc::string::String;
use core::ops::Range;

use super::halt::{Candidate, Halt};
use super::rules::{HOST_NOT_IDNA, HOST_NOT_UTF8};
use crate::character::{self, Role};
use crate::diagnosis::Diagnosis;
use crate::scheme::Scheme;
use crate::word;

/// The span of a host outside US-ASCII and its ASCII form; `None` if there is nothing to do.
pub(super) fn to_ascii(diagnosis: &Diagnosis<'_>) -> Result<Option<(Range<usize>, String)>, Halt> {
    let octets = diagnosis.octets();
    let Some(span) = span(diagnosis).filter(|span| !octets[span.clone()].is_ascii()) else {
        return Ok(None);
    };
    let Ok(name) = core::str::from_utf8(&octets[span.clone()]) else {
        return Err(Halt::ambiguous(&HOST_NOT_UTF8, span));
    };
    if character::position(name.as_bytes(), |role| matches!(role, Role::Quote | Role::Ellipsis)).is_some() {
        // It was hardly meant, though IDNA has a form for it.
        return Ok(None);
    }
    match ascii(name) {
        Some(ascii) if ascii.parse::<core::net::Ipv4Addr>().is_ok() => {
            // Digits of other scripts make an address that readers do not recognise.
            let text = escaped(&octets[..span.start]) + &ascii + &escaped(&octets[span.end..]);
            let candidate = Candidate::repaired(text, words!("the address that the digits stand for"));
            Err(Halt::ambiguous(&HOST_NOT_IDNA, span).with(alloc::vec![candidate]))
        }
        Some(ascii) => Ok(Some((span, ascii))),
        None => Err(Halt::ambiguous(&HOST_NOT_IDNA, span)),
    }
}

/// The same text with octets that are not UTF-8 as escapes.
fn escaped(octets: &[u8]) -> String {
    let mut text = String::with_capacity(octets.len());
    for chunk in octets.utf8_chunks() {
        text.push_str(chunk.valid());
        for octet in chunk.invalid() {
            text.push_str(&format!("%{octet:02X}"));
        }
    }
    text
}

/// The longest label that is mapped, in octets (D-115): 63 characters of four octets, because a label of DNS has 63. IDNA takes the square
/// of its length. A longer one can only fit by characters that mean nothing.
#[cfg(feature = "idna")]
const LONGEST_LABEL: usize = 252;

/// The most labels that a name of 253 octets has, and the root behind its last dot. IDNA takes ten times the memory of a longer one.
#[cfg(feature = "idna")]
const MOST_LABELS: usize = 127 + 1;

/// UTS 46 restricted to the characters of host names, so that no character can become a delimiter.
#[cfg(feature = "idna")]
pub(super) fn ascii(name: &str) -> Option<String> {
    use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};

    let is_dot = |c: char| matches!(c, '.' | '\u{3002}' | '\u{FF0E}' | '\u{FF61}');
    if name.split(is_dot).enumerate().any(|(at, label)| at >= MOST_LABELS || label.len() > LONGEST_LABEL) {
        return None;
    }
    let (deny, hyphens, length) = (AsciiDenyList::STD3, Hyphens::CheckFirstLast, DnsLength::VerifyAllowRootDot);
    Uts46::new().to_ascii(name.as_bytes(), deny, hyphens, length).ok().map(Into::into)
}

#[cfg(not(feature = "idna"))]
pub(super) fn ascii(_: &str) -> Option<String> {
    None
}

/// The span of the host. For an unknown scheme, the span that other standards read as the host, since they disagree
/// about escapes there. For mailto, the domain.
fn span(diagnosis: &Diagnosis<'_>) -> Option<Range<usize>> {
    if let Some(host) = diagnosis.parts().find(|part| part.name() == "host") {
        return Some(host.span());
    }
    let octets = diagnosis.octets();
    let start = diagnosis.scheme_span()?.end + 1;
    let until = |range: Range<usize>, stops: [u8; 2]| {
        let length = word::position_of(&octets[range.clone()], stops);
        length.map_or(range.end, |length| range.start + length)
    };
    let after_at = |from: usize, end: usize| word::rposition(&octets[from..end], b'@').map(|at| from + at + 1);
    match diagnosis.scheme()? {
        Scheme::Mailto => {
            let end = until(start..octets.len(), [b'?'; 2]);
            after_at(start, end).map(|domain| domain..end)
        }
        Scheme::Other if octets[start..].starts_with(b"//") => {
            let login = start + 2;
            let end = until(login..octets.len(), *b"/?");
            let host = after_at(login, end).unwrap_or(login);
            Some(host..until(host..end, [b':'; 2]))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #[cfg(feature = "idna")]
    use super::ascii;

    #[cfg(feature = "idna")]
    #[test]
    fn a_label_is_mapped_if_it_is_at_most_252_octets_long() {
        for dot in [".", "\u{3002}", "\u{ff0e}", "\u{ff61}"] {
            // IDNA drops the selectors.
            let name = |letters: &str| alloc::format!("\u{ff41}{dot}{}{letters}{dot}dom", "\u{fe0f}".repeat(83));
            assert_eq!(ascii(&name("\u{e9}b")).as_deref(), Some("a.xn--b-9fa.dom"));
            assert_eq!(ascii(&name("bcd")).as_deref(), Some("a.bcd.dom"));
            assert_eq!(ascii(&name("bcde")), None);
        }
    }

    #[cfg(feature = "idna")]
    #[test]
    fn as_many_labels_are_mapped_as_a_name_can_have() {
        let name = |labels: usize| "\u{ff41}.".repeat(labels);
        assert_eq!(ascii(&name(127)), Some("a.".repeat(127)));
        assert_eq!(ascii(&name(128)), None);
    }
}
