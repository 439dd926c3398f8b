//! [`Phrases`]: the translation of an English text, found by the compiler.

type Row = (&'static str, &'static str);

/// Twice as many as any crate has rows, and a power of two.
const SLOTS: usize = 4096;

/// The tables of a language, whose rows are an English text and its translation, by the hashes of the English texts.
///
/// The compiler interprets the search of each text that a crate has. To look at one row after the other took it as long as all else
/// together.
#[doc(hidden)]
pub struct Phrases([Option<&'static Row>; SLOTS]);

impl Phrases {
    /// # Panics
    /// If a text has two rows, or there are too many; in a `const` that is an error of compilation.
    pub const fn new(tables: &'static [&'static [Row]]) -> Phrases {
        let mut slots = [None; SLOTS];
        let (mut table, mut count) = (0, 0);
        while table < tables.len() {
            let rows = tables[table];
            let mut i = 0;
            while i < rows.len() {
                let slot = slot(&slots, rows[i].0);
                assert!(slots[slot].is_none(), "a text has two translations");
                slots[slot] = Some(&rows[i]);
                i += 1;
            }
            count += rows.len();
            table += 1;
        }
        assert!(count <= SLOTS / 2, "there are too many texts for the slots");
        Phrases(slots)
    }

    /// The translation of an English text.
    ///
    /// # Panics
    /// If the text has no row; in a `const` that is an error of compilation.
    pub const fn translation(&self, en: &str) -> &'static str {
        match self.0[slot(&self.0, en)] {
            Some(row) => row.1,
            None => panic!("a text has no translation"),
        }
    }
}

/// The slot of the text, or the free one where it belongs.
const fn slot(slots: &[Option<&'static Row>; SLOTS], en: &str) -> usize {
    let mut slot = hash(en.as_bytes());
    while let Some(row) = slots[slot] {
        if is_same(row.0.as_bytes(), en.as_bytes()) {
            break;
        }
        slot = (slot + 1) % SLOTS;
    }
    slot
}

/// Four octets at a time and without calls, which are what takes an interpreter longest.
const fn hash(text: &[u8]) -> usize {
    const PRIME: u64 = 0x9E37_79B1;
    let (mut hash, mut rest) = (text.len() as u64, text);
    while let [a, b, c, d, behind @ ..] = rest {
        let word = *a as u64 | (*b as u64) << 8 | (*c as u64) << 16 | (*d as u64) << 24;
        hash = (hash ^ word) * PRIME % 0xFFFF_FFFB;
        rest = behind;
    }
    while let [octet, behind @ ..] = rest {
        hash = (hash ^ *octet as u64) * PRIME % 0xFFFF_FFFB;
        rest = behind;
    }
    hash as usize % SLOTS
}

/// Whether two texts are the same.
pub(super) const fn is_same(a: &[u8], b: &[u8]) -> bool {
    let (mut a, mut b) = (a, b);
    while let ([a0, a1, a2, a3, behind_a @ ..], [b0, b1, b2, b3, behind_b @ ..]) = (a, b) {
        if !(*a0 == *b0 && *a1 == *b1 && *a2 == *b2 && *a3 == *b3) {
            return false;
        }
        (a, b) = (behind_a, behind_b);
    }
    while let ([octet, behind_a @ ..], [other, behind_b @ ..]) = (a, b) {
        if *octet != *other {
            return false;
        }
        (a, b) = (behind_a, behind_b);
    }
    a.len() == b.len()
}

#[cfg(test)]
mod tests {
    use super::{Phrases, SLOTS, hash, is_same};
    use crate::language::{ja, zh};

    #[test]
    fn texts_are_the_same_octet_for_octet() {
        let text = b"another text";
        for length in 0..=text.len() {
            assert!(is_same(&text[..length], &text[..length]), "{length}");
            for other in 0..length {
                assert!(!is_same(&text[..length], &text[..other]) && !is_same(&text[..other], &text[..length]));
                let mut changed = *text;
                changed[other] ^= 1;
                assert!(!is_same(&text[..length], &changed[..length]), "{length} {other}");
            }
        }
    }

    #[test]
    fn a_text_has_the_translation_of_its_row() {
        for tables in [ja::PHRASES, zh::PHRASES] {
            let phrases = Phrases::new(tables);
            for (en, text) in tables.iter().copied().flatten() {
                assert_eq!(phrases.translation(en), *text, "{en}");
            }
        }
    }

    #[test]
    #[should_panic = "a text has no translation"]
    fn a_text_without_a_row_does_not_compile() {
        Phrases::new(&[&[("one", "一")]]).translation("two");
    }

    #[test]
    #[should_panic = "a text has two translations"]
    fn a_text_with_two_rows_does_not_compile() {
        Phrases::new(&[&[("one", "一")], &[("one", "壱")]]);
    }

    #[test]
    fn a_hash_is_of_four_octets_at_a_time_and_of_the_rest_one_by_one() {
        for text in ["", "a", "ab", "abc", "abcd", "dcba", "abcdefg", "\u{FFFD}\u{7FF} 12", "a text, and another one"] {
            let words = text.as_bytes().chunks_exact(4);
            let rest = words.remainder().iter().map(|octet| u64::from(*octet));
            let words = words.map(|word| word.iter().rfold(0, |number, octet| number << 8 | u64::from(*octet)));
            let mix = |hash: u64, number: u64| (hash ^ number) * 0x9E37_79B1 % 0xFFFF_FFFB;
            assert_eq!(
                hash(text.as_bytes()),
                words.chain(rest).fold(text.len() as u64, mix) as usize % SLOTS,
                "{text}"
            );
        }
    }

    #[test]
    fn texts_are_spread_over_the_slots() {
        let mut counts = [0; SLOTS];
        for (en, _) in ja::PHRASES.iter().copied().flatten() {
            counts[hash(en.as_bytes())] += 1;
        }
        assert!(*counts.iter().max().expect("there are slots") <= 4);
    }
}
