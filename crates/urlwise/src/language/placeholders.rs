//! [`Placeholders`]: what a text fills in, as the compiler sees it.

/// No text has more.
const MOST: usize = 12;

/// The `{name}` of a text: where each name begins and ends.
pub(super) struct Placeholders<'t> {
    text: &'t [u8],
    names: [(usize, usize); MOST],
    count: usize,
}

impl<'t> Placeholders<'t> {
    /// # Panics
    /// If a brace is not closed, or there are too many; in a `const` that is an error of compilation.
    pub(super) const fn of(text: &'t str) -> Placeholders<'t> {
        let text = text.as_bytes();
        let (mut names, mut count) = ([(0, 0); MOST], 0);
        let mut at = 0;
        while at < text.len() {
            if text[at] == b'{' {
                let start = at + 1;
                while text[at] != b'}' {
                    at += 1;
                }
                names[count] = (start, at);
                count += 1;
            }
            at += 1;
        }
        Placeholders { text, names, count }
    }

    /// Whether both have the same names, each once or more.
    pub(super) const fn are_those_of(&self, other: &Placeholders<'_>) -> bool {
        self.are_in(other) && other.are_in(self)
    }

    const fn are_in(&self, other: &Placeholders<'_>) -> bool {
        let mut i = 0;
        while i < self.count {
            let (start, end) = self.names[i];
            if !other.has(self.text, start, end) {
                return false;
            }
            i += 1;
        }
        true
    }

    /// Whether there is one with this name.
    pub(super) const fn has_name(&self, name: &str) -> bool {
        self.has(name.as_bytes(), 0, name.len())
    }

    /// Sees that each has one of these names.
    ///
    /// # Panics
    /// If one has not; in a `const` that is an error of compilation.
    pub(super) const fn assert_named(&self, names: &[&str]) {
        let mut i = 0;
        while i < self.count {
            let mut name = 0;
            while name < names.len() && !self.is(i, names[name].as_bytes(), 0, names[name].len()) {
                name += 1;
            }
            assert!(name < names.len(), "a placeholder has no value");
            i += 1;
        }
    }

    /// Whether there is one with the name that stands there in `text`.
    const fn has(&self, text: &[u8], start: usize, end: usize) -> bool {
        let mut i = 0;
        while i < self.count {
            if self.is(i, text, start, end) {
                return true;
            }
            i += 1;
        }
        false
    }

    const fn is(&self, number: usize, text: &[u8], start: usize, end: usize) -> bool {
        let (ours, our_end) = self.names[number];
        if our_end - ours != end - start {
            return false;
        }
        let mut i = 0;
        while start + i < end {
            if self.text[ours + i] != text[start + i] {
                return false;
            }
            i += 1;
        }
        true
    }
}
