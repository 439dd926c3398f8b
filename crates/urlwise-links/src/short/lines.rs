//! Which lines of Markdown are plain.

use memchr::memmem::Finder;

/// Lines with an empty line before.
pub(super) struct Lines {
    pub(super) start: usize,
    /// The end of the first ones that are plain without emphasis.
    pub(super) plain: usize,
    pub(super) end: usize,
    kind: u8,
}

impl Lines {
    /// The lines from `start` to the next empty line. Only the last one of a document may have no end.
    pub(super) fn of(octets: &[u8], start: usize, empty_line: &Finder) -> Self {
        let plain = start + plain_lines(&octets[start..]);
        let end = match octets.get(plain) {
            // An empty line ends plain ones, too.
            None | Some(b'\n') => plain,
            Some(_) => empty_line.find(&octets[plain..]).map_or(octets.len(), |length| plain + length + 1),
        };
        let mut lines = Lines { start, plain, end, kind: 0 };
        let mut rest = &octets[plain..end];
        // Behind a special line, none is looked at.
        while !rest.is_empty() && lines.kind & SPECIAL == 0 {
            let (line, behind) = rest.split_at(memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1));
            lines.push(line);
            rest = behind;
        }
        lines
    }

    /// Whether each of them is plain, but for emphasis.
    pub(super) fn are_plain(&self) -> bool {
        self.kind & SPECIAL == 0
    }

    /// Adds what there is in the next line, where none before it is special.
    fn push(&mut self, line: &[u8]) {
        let may_begin = line[0].is_ascii_alphabetic() || line[0] == b'[';
        self.kind |= if may_begin && line.ends_with(b"\n") { kind(line) } else { SPECIAL };
        if self.kind & BRACKET != 0 && !only_refers(line) {
            self.kind |= SPECIAL;
        }
        if self.kind == 0 {
            self.plain += line.len();
        }
    }
}

/// How long the plain lines at the start of a text are: lines that begin with a letter, [mean](kind) nothing, and end. Lines with `^`
/// or DEL are not looked at more closely.
fn plain_lines(text: &[u8]) -> usize {
    if !text.first().is_some_and(u8::is_ascii_alphabetic) {
        return 0;
    }
    // All octets up to this one are plain.
    let mut last = 0;
    while text[last..].first_chunk().is_some_and(are_plain) {
        last += MANY;
    }
    while let Some(octets) = text[last..].first_chunk() {
        let plain = plain_octets(octets);
        last += plain;
        if plain < BLOCK {
            break;
        }
    }
    last += text[last..].windows(2).take_while(|octets| !is_odd(octets[0], octets[1])).count();
    memchr::memrchr(b'\n', &text[..=last]).map_or(0, |end| end + 1)
}

/// So many octets are compared at once, and so many before anybody asks what was found.
const BLOCK: usize = 16;
const MANY: usize = 4 * BLOCK;

/// Whether all octets behind the first are plain.
#[inline(always)]
fn are_plain(octets: &[u8; 1 + MANY]) -> bool {
    let mut are_odd = [false; BLOCK];
    for start in (0..MANY).step_by(BLOCK) {
        for at in 0..BLOCK {
            are_odd[at] |= is_odd(octets[start + at], octets[start + at + 1]);
        }
    }
    are_odd == [false; BLOCK]
}

/// How many octets behind the first stand before one that is not certain to be plain.
#[inline(always)]
fn plain_octets(octets: &[u8; 1 + BLOCK]) -> usize {
    let mut are_odd = [0; BLOCK];
    for at in 0..BLOCK {
        are_odd[at] = u8::from(is_odd(octets[at], octets[at + 1]));
    }
    u128::from_le_bytes(are_odd).trailing_zeros() as usize / 8
}

/// Whether an octet behind another one is not certain to be plain.
#[inline(always)]
fn is_odd(before: u8, octet: u8) -> bool {
    let begins_badly = (before == b'\n') & (octet.cast_signed() < b'A'.cast_signed());
    // `@`, `[`, `\`, `]`, `^`, `_`, `{`, `|`, `}`, `~`, DEL, and the backquote, which is `@` with one bit more.
    let upper = octet & !0x20;
    let is_mark = (upper.wrapping_sub(b'[') < 5) | (upper == b'@') | (octet & !2 == b'<');
    begins_badly | is_mark | (octet == b'&') | (octet == b'*') | ((octet < b' ') & (octet != b'\n'))
}

/// An octet that may start, end or escape something in the middle of a line. A tab or CR is one, too.
const SPECIAL: u8 = 1;
/// What may start or end emphasis.
const EMPHASIS: u8 = 2;
/// `[` or `]`.
const BRACKET: u8 = 4;

/// Whether no bracket of a line ends the text of a link or the label of a definition.
fn only_refers(line: &[u8]) -> bool {
    memchr::memchr_iter(b']', line).all(|at| !matches!(line.get(at + 1), Some(b'(' | b'[' | b':')))
}

/// What there is in a line.
fn kind(line: &[u8]) -> u8 {
    let kind_of = |octet: u8| {
        // With one bit less, `{ | }` are `[ \ ]`, and the backquote is `@`.
        let upper = octet & !0x20;
        let is_bracket = (octet == b'[') | (octet == b']');
        let is_special = ((upper.wrapping_sub(b'[') < 3) & !is_bracket)
            | (upper == b'@')
            | (octet & !2 == b'<')
            | (octet == b'&')
            | ((octet < b' ') & (octet != b'\n'));
        let is_emphasis = (octet == b'*') | (octet == b'_') | (octet == b'~');
        (u8::from(is_special) * SPECIAL) | (u8::from(is_emphasis) * EMPHASIS) | (u8::from(is_bracket) * BRACKET)
    };
    // Blocks without a branch. The last overlaps the one before.
    let Some(last) = line.last_chunk::<BLOCK>() else {
        return line.iter().fold(0, |kind, octet| kind | kind_of(*octet));
    };
    let mut kinds = [0; BLOCK];
    let mut add = |block: &[u8; BLOCK]| {
        for (kind, octet) in kinds.iter_mut().zip(block) {
            *kind |= kind_of(*octet);
        }
    };
    line.as_chunks().0.iter().for_each(&mut add);
    add(last);
    kinds.iter().fold(0, |all, kind| all | kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_plain_up_to_the_first_octet_that_means_something() {
        let is_plain = |line: &[u8]| {
            let has_end = line.len() > 1 && line.ends_with(b"\n");
            has_end && line[0].is_ascii_alphabetic() && kind(line) == 0
        };
        let by_lines = |text: &[u8]| -> usize {
            text.split_inclusive(|octet| *octet == b'\n').take_while(|line| is_plain(line)).map(<[u8]>::len).sum()
        };
        let plain = ["Some words", "azAZ09 .,;:!", "x\u{e9}\u{4e2d}"].join("\n").repeat(6).into_bytes();
        for length in [1, 2, 3, 15, 16, 17, 18, 33, 50, 64, 65, 66, 80, 150] {
            let mut text = plain[..length].to_vec();
            *text.last_mut().unwrap() = b'\n';
            for at in 0..length {
                let was = text[at];
                for octet in 0..=u8::MAX {
                    text[at] = octet;
                    let (found, expected) = (plain_lines(&text), by_lines(&text));
                    // Of what looks odd, two octets are not.
                    let is_sure = !matches!(octet, b'^' | 0x7F);
                    assert!(found == expected || !is_sure && found < expected, "{found} {expected} {text:?}");
                }
                text[at] = was;
            }
            assert_eq!(plain_lines(&text), if length > 1 { length } else { 0 });
        }
    }
}
