//! The address of a mailto URL, where it has no comments, controls or quoted pairs.

use crate::addr_spec::is_atom;
use crate::class;
use crate::encoded;

/// Where the `@` of an address stands that has nothing but atoms and dots on both sides, as most have, or one quoted string
/// before it. `None` for all others, which the [full reader](crate::addr_spec::read) knows.
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

/// The same with escapes: continues at `at`, in the atom that begins at `atom`.
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

#[cfg(test)]
mod tests {
    use super::plain;
    use crate::addr_spec::read;

    #[test]
    fn what_the_quick_look_takes_the_full_reader_reads_alike() {
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
    fn what_most_addresses_hold_is_taken_by_the_quick_look() {
        for local in ["jim", "jim.doe", "a%25b.c", "a.%25b", "%25.%26b", "%22jim%20doe%22", "%22a.b%40c%22"] {
            for domain in ["h.dom", "h%25.dom"] {
                assert_eq!(plain([local, "@", domain].concat().as_bytes()), Some(local.len()), "{local}@{domain}");
            }
        }
    }
}
