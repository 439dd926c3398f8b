//! Host names sixteen octets at a time, by marks for their dots and hyphens.

use crate::block::{self, SIZE};

/// As many octets as there are marks in a word: a longer name is left to the full reader.
const LONGEST: u32 = u64::BITS;

/// What the function of the same name in `host_machine` says, of names of up to 63 octets; `start` for longer ones.
#[inline]
pub(crate) fn plain(octets: &[u8], start: usize) -> usize {
    let (mut dots, mut hyphens, mut ends) = (0, 0, 0);
    let mut read = 0;
    while ends == 0 {
        if read == LONGEST {
            return start;
        }
        let [more_dots, more_hyphens, more_ends] = marks(octets, start + read as usize);
        dots |= u64::from(more_dots) << read;
        hyphens |= u64::from(more_hyphens) << read;
        ends |= u64::from(more_ends) << read;
        read += SIZE as u32;
    }
    let end = ends & ends.wrapping_neg();
    let before = end - 1;
    dots &= before;
    hyphens &= before;
    // Nothing but a letter or digit stands at the start, at the end, or beside a dot.
    let inner = dots | hyphens;
    let odd = (dots << 1 | 1) & (inner | end) | (inner << 1) & (dots | end);
    let last_label = start + (u64::BITS - dots.leading_zeros()) as usize;
    match odd == 0 && octets.get(last_label).is_some_and(u8::is_ascii_alphabetic) {
        true => start + end.trailing_zeros() as usize,
        false => start,
    }
}

/// Those of the block at a place; an end where the text ends.
#[inline(always)]
fn marks(octets: &[u8], at: usize) -> [u32; 3] {
    if let Some(block) = octets.get(at..).and_then(<[u8]>::first_chunk) {
        return block::host_marks(block);
    }
    let left = octets.len().saturating_sub(at);
    match octets.last_chunk::<SIZE>() {
        // Those before the place are shifted out.
        Some(block) => {
            let [dots, hyphens, ends] = block::host_marks(block).map(|marks| marks >> (SIZE - left));
            [dots, hyphens, ends | 1 << left]
        }
        None => {
            let mut block = [0; SIZE];
            block[..left].copy_from_slice(&octets[at..]);
            block::host_marks(&block)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::host_machine;
    use super::plain;
    use std::vec::Vec;

    /// All texts of up to seven of these octets, behind names that move them through the blocks.
    #[test]
    fn names_end_where_the_machine_ends_them() {
        const OCTETS: &[u8; 6] = b"a0.-:%";
        for before in [0, 1, 7, 11, 12, 15, 16, 17, 27, 31, 43, 47, 48, 55] {
            for number in 0..6usize.pow(6) {
                let mut name = "b".repeat(before).into_bytes();
                name.extend((0..6u32).map(|place| OCTETS[number / 6usize.pow(place) % 6]));
                for start in [0, before.min(3)] {
                    assert_eq!(plain(&name, start), host_machine::plain(&name, start), "{name:?} {start}");
                }
            }
        }
    }

    #[test]
    fn texts_of_every_length_end_where_they_end() {
        for length in 0..40usize {
            for rest in ["", "/", ".", "-", ".1", ":80/a.b-c", "/abcdefghijklmnopqrstuvwxyz"] {
                let text: Vec<u8> = [&b"host.example.of.many.labels.and.a.domain"[..length], rest.as_bytes()].concat();
                for start in 0..=text.len() {
                    assert_eq!(plain(&text, start), host_machine::plain(&text, start), "{text:?} {start}");
                }
            }
        }
    }

    #[test]
    fn a_name_of_63_octets_is_taken_and_a_longer_one_left_to_the_reader() {
        for (length, rest) in [(62, "/"), (63, "/"), (63, ""), (64, "/"), (64, ""), (65, "/"), (200, "")] {
            let text = "a".repeat(length) + rest;
            assert_eq!(plain(text.as_bytes(), 0), if length < 64 { length } else { 0 }, "{length} {rest}");
        }
    }
}
