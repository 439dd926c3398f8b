//! [`Placeholders`]: what a text fills in, as the compiler sees it.

use super::phrases::is_same;

/// No text has more.
const MOST: usize = 12;

/// The names of the `{name}` of a text.
pub(super) struct Placeholders<'t> {
    names: [&'t [u8]; MOST],
    count: usize,
}

impl<'t> Placeholders<'t> {
    /// # Panics
    /// If a brace is not closed, or there are too many; in a `const` that is an error of compilation.
    pub(super) const fn of(text: &'t str) -> Placeholders<'t> {
        let text = text.as_bytes();
        let mut found = Placeholders { names: [&[]; MOST], count: 0 };
        let mut at = 0;
        while at < text.len() {
            if text[at] == b'{' {
                let start = at + 1;
                while text[at] != b'}' {
                    at += 1;
                }
                found.names[found.count] = text.split_at(at).0.split_at(start).1;
                found.count += 1;
            }
            at += 1;
        }
        found
    }

    /// These names.
    ///
    /// # Panics
    /// If there are too many; in a `const` that is an error of compilation.
    pub(super) const fn named(names: &[&'t str]) -> Placeholders<'t> {
        let mut found = Placeholders { names: [&[]; MOST], count: names.len() };
        let mut i = 0;
        while i < names.len() {
            found.names[i] = names[i].as_bytes();
            i += 1;
        }
        found
    }

    /// Whether each of these names, however often, is one of the other ones.
    pub(super) const fn are_in(&self, other: &Placeholders<'_>) -> bool {
        let mut i = 0;
        while i < self.count {
            let mut place = 0;
            while place < other.count && !is_same(self.names[i], other.names[place]) {
                place += 1;
            }
            if place == other.count {
                return false;
            }
            i += 1;
        }
        true
    }
}
