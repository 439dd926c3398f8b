//! What divides a login in a text: a colon, a slash or an `@`, as it is written or escaped, once or more often.

use crate::word;

/// What divides a login, as it is written or escaped.
pub(super) struct Mark {
    pub(super) octet: u8,
    /// How often it was escaped: `%3A` once, `%253A` twice.
    pub(super) level: usize,
    /// Where the octet behind it stands.
    pub(super) end: usize,
}

impl Mark {
    /// The mark at `at`, or any other octet that stands there; `None` at the end of the text, and for an escape that is broken or of another
    /// octet.
    pub(super) fn at(octets: &[u8], at: usize) -> Option<Mark> {
        let (mut digits, mut level) = match octets.get(at..)? {
            [b'%', digits @ ..] => (digits, 1),
            [octet, ..] => return Some(Mark { octet: *octet, level: 0, end: at + 1 }),
            [] => return None,
        };
        while let [b'2', b'5', behind @ ..] = digits {
            (digits, level) = (behind, level + 1);
        }
        let octet = match digits {
            [b'3', b'A' | b'a', ..] => b':',
            [b'4', b'0', ..] => b'@',
            [b'2', b'F' | b'f', ..] => b'/',
            [b'5', b'C' | b'c', ..] => b'\\',
            _ => return None,
        };
        Some(Mark { octet, level, end: at + 1 + 2 * level })
    }
}

/// Where the last `@` of a text begins, as it is written or escaped, once or more often: no password ends behind it.
///
/// ```
/// assert_eq!(urlwise::last_at_sign(b"jim%40a.dom%2540b.dom"), Some(11));
/// ```
pub fn last_at_sign(octets: &[u8]) -> Option<usize> {
    last_at_sign_behind(octets, word::rposition(octets, b'@'))
}

/// The same, where the last that is written as it is is known.
pub(super) fn last_at_sign_behind(octets: &[u8], written: Option<usize>) -> Option<usize> {
    // None begins at an `@`.
    last_escaped_at(octets, written.unwrap_or(0)).or(written)
}

/// Where what follows an `@` begins that stands at a place, as it is written or escaped; `None` if none does.
pub(super) fn at_sign_at(octets: &[u8], at: usize) -> Option<usize> {
    Mark::at(octets, at).filter(|mark| mark.octet == b'@').map(|mark| mark.end)
}

/// Whether there may be an `@`, as it is written or escaped: few texts without one have a `4`.
pub(super) fn may_hold_at_sign(octets: &[u8]) -> bool {
    word::position_of(octets, [b'@', b'4']).is_some()
}

/// Where the last escaped `@` begins, from `start` on.
fn last_escaped_at(octets: &[u8], start: usize) -> Option<usize> {
    let octets = octets.get(start..)?;
    let mut end = word::rposition(octets, b'%')? + 1;
    // Of what is escaped more often, the digits are far from their `%`.
    while octets[end..].first_chunk() == Some(b"25") {
        end += 2;
    }
    end = octets.len().min(end + 2);
    loop {
        end = word::rposition_of_pair(&octets[..end], *b"40")?;
        let mut percent = end;
        while octets[..percent].last_chunk() == Some(b"25") {
            percent -= 2;
        }
        if octets[..percent].last() == Some(&b'%') {
            return Some(start + percent - 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_read_however_often_it_is_escaped_and_wherever_it_is_cut() {
        let digits =
            [("3A", b':'), ("3a", b':'), ("40", b'@'), ("2F", b'/'), ("2f", b'/'), ("5C", b'\\'), ("5c", b'\\')];
        for (digits, octet) in digits {
            for level in 1..4 {
                let text = alloc::format!("x%{}{digits}y", "25".repeat(level - 1));
                let mark = Mark::at(text.as_bytes(), 1).map(|mark| (mark.octet, mark.level, mark.end));
                assert_eq!(mark, Some((octet, level, text.len() - 1)), "{text}");
                for end in 2..text.len() - 1 {
                    assert!(Mark::at(&text.as_bytes()[..end], 1).is_none(), "{text} up to {end}");
                }
            }
        }
        assert!(Mark::at(b"%41", 0).is_none() && Mark::at(b"%4@", 0).is_none() && Mark::at(b"x", 1).is_none());
    }

    #[test]
    fn the_last_at_sign_may_be_written_or_escaped_and_needs_its_octet_or_a_four() {
        for (text, last) in [
            ("", None),
            ("a%41", None),
            ("40", None),
            ("@", Some(0)),
            ("%40", Some(0)),
            ("@@", Some(1)),
            ("@%40", Some(1)),
            ("%40@", Some(3)),
            ("%2540@a", Some(5)),
            ("@%252540", Some(1)),
            ("x@40", Some(1)),
        ] {
            assert_eq!(last_at_sign(text.as_bytes()), last, "{text}");
            let at = last.unwrap_or(0);
            let behind = text.len().min(text[at..].find(['@', '0']).map_or(0, |end| at + end + 1));
            assert_eq!(at_sign_at(text.as_bytes(), at), last.map(|_| behind), "{text}");
            assert_eq!(may_hold_at_sign(text.as_bytes()), last.is_some() || text.contains('4'), "{text}");
        }
    }
}
