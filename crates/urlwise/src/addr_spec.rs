//! The addr-spec of RFC 822 that a mailto URL encodes (section 3.5, D-53 to D-57).
//!
//! `addr-spec = local-part "@" domain`; a local part is words joined by dots, a word an atom or a quoted string; a domain
//! is sub-domains joined by dots, each an atom or a domain literal. Comments, blanks and folding between these are a matter
//! of mail headers and stand in no URL. Read octet by octet after decoding, without a copy.

use core::ops::Range;

use crate::class;
use crate::encoded::Octets;
use crate::language::{Words, words};

/// Where the parts of an address stand in its encoded text.
pub(crate) struct AddrSpec {
    pub(crate) local: Range<usize>,
    pub(crate) domain: Range<usize>,
    /// Whether it holds control octets, as only a quoted string can.
    pub(crate) has_controls: bool,
}

/// Why a text is not an addr-spec, and the octets at which reading stopped.
pub(crate) struct NoAddrSpec {
    pub(crate) at: Range<usize>,
    pub(crate) why: Words,
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
        if matches!(state, Word | Atom | SubDomain | DomainAtom) && octets.pass(class::ATOM) {
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
            (Quoted | Literal | QuotedPair | LiteralPair, 0x80..) => return Err(no(here, NOT_ASCII)),
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
            (Literal, b'[' | b'\r') => return Err(no(here, words!("a domain literal contains `[` or CR"))),
            (Literal | LiteralPair, _) => Literal,
            (QuotedCr | QuotedCrLf, _) => {
                return Err(no(cr, words!("CR in a quoted string is not part of a folded line")));
            }
            (Word, b'@') if start == 0 => return Err(no(here, words!("the local part of the address is missing"))),
            (state, octet) => return Err(no(here, why(state, octet))),
        };
    }
    let end = text.len()..text.len();
    let Some(at_sign) = at_sign else {
        return Err(no(end, words!("the address has no `@`")));
    };
    if !matches!(state, DomainAtom | LiteralEnd) {
        return Err(no(end, words!("the domain of the address is incomplete")));
    }
    Ok(AddrSpec { local: 0..at_sign.start, domain: at_sign.end..text.len(), has_controls })
}

/// Messages name the character instead.
const NOT_ASCII: Words = words!("the address contains an octet outside US-ASCII");

fn no(at: Range<usize>, why: Words) -> NoAddrSpec {
    NoAddrSpec { at, why }
}

fn why(state: State, octet: u8) -> Words {
    match (state, octet) {
        (State::DomainAtom | State::LiteralEnd | State::SubDomain, b'@') => words!("the address has a second `@`"),
        (_, b',') => words!("lists of addresses are not allowed: RFC 822 reserves the `,`"),
        (_, b'(' | b')') => words!("comments are not allowed in the address of a URL"),
        (_, b'<' | b'>' | b':' | b';') => words!("phrases, routes and groups are not allowed in the address of a URL"),
        (_, 0x80..) => NOT_ASCII,
        (_, b' ' | b'\t') => words!("spaces are not allowed in an address outside a quoted string"),
        (_, 0..=0x1F | 0x7F) => words!("control characters are not allowed in an address outside a quoted string"),
        (State::Word, b'@') => words!("the local part of the address ends with a dot"),
        (State::Word, b'.') => words!("the local part starts with a dot or has two in a row"),
        (State::SubDomain, _) => words!("a sub-domain of the address is missing"),
        (State::QuotedEnd, _) => words!("a quoted string must be followed by `.` or `@`"),
        (State::LiteralEnd, _) => words!("a domain literal must be followed by `.` or the end of the address"),
        _ => words!("`\"`, `\\`, `[` and `]` are not allowed in an atom of an address"),
    }
}

#[cfg(test)]
mod tests {
    use super::is_atom;

    #[test]
    fn an_atom_holds_all_of_ascii_but_controls_the_blank_and_the_specials() {
        for octet in 0..=255u8 {
            let is_special = b"()<>@,;:\\\".[]".contains(&octet);
            assert_eq!(is_atom(octet), octet.is_ascii_graphic() && !is_special, "{octet:02X}");
        }
    }
}
