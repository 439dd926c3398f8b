//! The addr-spec of RFC 822 that a mailto URL encodes (section 3.5, D-53 to D-57).
//!
//! `addr-spec = local-part "@" domain`; a local part is words joined by dots, a word an atom or a quoted string; a domain
//! is sub-domains joined by dots, each an atom or a domain literal. Comments, blanks and folding between these are a matter
//! of mail headers and stand in no URL. Read octet by octet after decoding, without a copy.

use core::ops::Range;

use crate::class;
use crate::encoded::{self, Octets};

/// Where the parts of an address stand in its encoded text.
pub(crate) struct AddrSpec {
    pub(crate) local: Range<usize>,
    pub(crate) domain: Range<usize>,
    /// Whether it holds control octets, as only a quoted string can.
    pub(crate) has_controls: bool,
}

/// Why a text is no addr-spec, and the octets at which it cannot go on.
pub(crate) struct NoAddrSpec {
    pub(crate) at: Range<usize>,
    pub(crate) why: &'static str,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Word,
    Atom,
    Quoted,
    QuotedPair,
    QuotedCr,
    QuotedCrLf,
    QuotedEnd,
    SubDomain,
    DomainAtom,
    Literal,
    LiteralPair,
    LiteralEnd,
}

/// Whether the octet may stand in an atom: any ASCII but controls, the blank and the specials.
pub(crate) fn is_atom(octet: u8) -> bool {
    class::is(octet, class::ATOM) || matches!(octet, b'#' | b'%' | b'^' | b'`' | b'{' | b'|' | b'}' | b'~')
}

/// Where the `@` of an address stands that has nothing but atoms and dots on both sides, as most have, or one quoted string
/// before it. `None` for all others: those are for [`read`].
pub(crate) fn plain(text: &[u8]) -> Option<usize> {
    let at_sign = match text.starts_with(b"%22") {
        true => quoted(text)?,
        false => dot_atom(text, 0),
    };
    let is_plain = text.get(at_sign) == Some(&b'@') && dot_atom(text, at_sign + 1) == text.len();
    is_plain.then_some(at_sign)
}

/// Where a quoted string ends that begins the text and holds neither controls nor quoted pairs.
#[inline(never)]
fn quoted(text: &[u8]) -> Option<usize> {
    let mut at = 3;
    loop {
        at = class::skip(text, at, class::XCHAR);
        match encoded::escape_at(text, at)? {
            b'"' => return Some(at + 3),
            b'\\' => return None,
            b' '..=b'~' => at += 3,
            _ => return None,
        }
    }
}

/// Where the atoms end that begin at `start` and have a dot between them; behind the text where one is missing.
fn dot_atom(text: &[u8], start: usize) -> usize {
    let mut at = start;
    loop {
        let atom = at;
        at = class::skip_here(text, at, class::ATOM);
        match text.get(at) {
            Some(b'%') => return escaped_dot_atom(text, atom, at),
            _ if at == atom => return text.len() + 1,
            Some(b'.') => at += 1,
            _ => return at,
        }
    }
}

/// The same with escapes: goes on at `at`, in the atom that begins at `atom`.
#[inline(never)]
fn escaped_dot_atom(text: &[u8], mut atom: usize, mut at: usize) -> usize {
    loop {
        at = class::skip(text, at, class::ATOM);
        match text.get(at) {
            Some(b'%') if encoded::escape_at(text, at).is_some_and(is_atom) => at += 3,
            _ if at == atom => return text.len() + 1,
            Some(b'.') => {
                at += 1;
                atom = at;
            }
            _ => return at,
        }
    }
}

/// Reads an encoded address.
pub(crate) fn read(text: &[u8]) -> Result<AddrSpec, NoAddrSpec> {
    use State::*;
    let mut octets = Octets::new(text);
    let mut state = Word;
    let mut at_sign = None;
    let mut has_controls = false;
    let mut cr = 0..0;
    loop {
        // Most of an address is written raw and ends nothing: go over such a run at once.
        if let Word | Atom | SubDomain | DomainAtom = state
            && octets.pass(class::ATOM)
        {
            state = if matches!(state, Word | Atom) { Atom } else { DomainAtom };
        }
        if let Quoted | Literal = state {
            octets.pass(class::XCHAR);
        }
        let start = octets.position();
        let Some(octet) = octets.next() else { break };
        let here = start..octets.position();
        has_controls |= octet.is_ascii_control();
        state = match (state, octet) {
            (Quoted | Literal | QuotedPair | LiteralPair, 0x80..) => {
                return Err(no(here, "the address contains a non-ASCII octet"));
            }
            (Word, b'"') => Quoted,
            (Word | Atom, octet) if is_atom(octet) => Atom,
            (Atom | QuotedEnd, b'.') => Word,
            (Atom | QuotedEnd, b'@') => {
                at_sign = Some(here);
                SubDomain
            }
            (Quoted, b'"') => QuotedEnd,
            (Quoted, b'\\') => QuotedPair,
            (Quoted, b'\r') => {
                cr = here;
                QuotedCr
            }
            (Quoted | QuotedPair, _) => Quoted,
            (QuotedCr, b'\n') => QuotedCrLf,
            (QuotedCrLf, b' ' | b'\t') => Quoted,
            (SubDomain, b'[') => Literal,
            (SubDomain | DomainAtom, octet) if is_atom(octet) => DomainAtom,
            (DomainAtom | LiteralEnd, b'.') => SubDomain,
            (Literal, b']') => LiteralEnd,
            (Literal, b'\\') => LiteralPair,
            (Literal, b'[' | b'\r') => return Err(no(here, "a domain literal contains `[` or CR")),
            (Literal | LiteralPair, _) => Literal,
            (QuotedCr | QuotedCrLf, _) => return Err(no(cr, "CR in a quoted string is not part of a folded line")),
            (state, octet) => return Err(no(here, why(state, octet))),
        };
    }
    let end = text.len()..text.len();
    let Some(at_sign) = at_sign else {
        return Err(no(end, "the address has no `@`"));
    };
    if !matches!(state, DomainAtom | LiteralEnd) {
        return Err(no(end, "the domain of the address is incomplete"));
    }
    Ok(AddrSpec { local: 0..at_sign.start, domain: at_sign.end..text.len(), has_controls })
}

fn no(at: Range<usize>, why: &'static str) -> NoAddrSpec {
    NoAddrSpec { at, why }
}

fn why(state: State, octet: u8) -> &'static str {
    match (state, octet) {
        (State::DomainAtom | State::LiteralEnd | State::SubDomain, b'@') => "the address has a second `@`",
        (_, b',') => "lists of addresses are not allowed: RFC 822 reserves the `,`",
        (_, b'(' | b')') => "comments are not allowed in the address of a URL",
        (_, b'<' | b'>' | b':' | b';') => "phrases, routes and groups are not allowed in the address of a URL",
        (_, 0x80..) => "the address contains a non-ASCII octet",
        (_, b' ' | b'\t') => "spaces are not allowed in an address outside a quoted string",
        (State::Word, b'@') => "the local part of the address is missing or ends with a dot",
        (State::Word, _) => "a word of the local part is missing",
        (State::SubDomain, _) => "a sub-domain of the address is missing",
        (State::QuotedEnd, _) => "a quoted string must be followed by `.` or `@`",
        _ => "the octet is not allowed in an atom of an address",
    }
}

#[cfg(test)]
mod tests {
    use super::{is_atom, plain, read};

    #[test]
    fn what_the_short_way_takes_the_machine_reads_alike() {
        let words =
            ["", "a", ".", "@", "a.b", "%25", "%2E", "%40", "%22", "%22%22", "%22a%20b%22", "%22%5C%22", "%22%00%22"];
        let mut taken = 0;
        for first in words {
            for second in words {
                for third in words {
                    for text in [[first, second, "@", third].concat(), [first, "@", second, third].concat()] {
                        let Some(at_sign) = plain(text.as_bytes()) else { continue };
                        let spec = read(text.as_bytes());
                        let spec = spec.ok().filter(|spec| !spec.has_controls).map(|spec| (spec.local, spec.domain));
                        assert_eq!(spec, Some((0..at_sign, at_sign + 1..text.len())), "{text}");
                        taken += 1;
                    }
                }
            }
        }
        assert!(taken > 100);
    }

    #[test]
    fn an_atom_holds_all_of_ascii_but_controls_the_blank_and_the_specials() {
        for octet in 0..=255u8 {
            let is_special = b"()<>@,;:\\\".[]".contains(&octet);
            assert_eq!(is_atom(octet), octet.is_ascii_graphic() && !is_special, "{octet:02X}");
        }
    }
}
