//! Sets of characters of US-ASCII, for tests that are made of every octet of a text.

/// A bit for each octet. Those beyond US-ASCII are never set: with room for them, no test has to ask for them first.
#[derive(Clone, Copy, Default)]
pub(crate) struct OctetSet([u64; 4]);

impl OctetSet {
    pub(crate) const fn of(characters: &[u8]) -> Self {
        let (mut set, mut i) = (OctetSet([0; 4]), 0);
        while i < characters.len() {
            set = set.and(characters[i]);
            i += 1;
        }
        set
    }

    /// These, and one more if it is of US-ASCII.
    pub(crate) const fn and(mut self, octet: u8) -> Self {
        if octet.is_ascii() {
            self.0[(octet / 64) as usize] |= 1 << (octet % 64);
        }
        self
    }

    /// These, and all letters and digits.
    pub(crate) const fn and_alphanumerics(self) -> Self {
        const THEY: OctetSet = OctetSet::of(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
        let ([low, high, ..], [low_too, high_too, ..]) = (self.0, THEY.0);
        OctetSet([low | low_too, high | high_too, 0, 0])
    }

    /// Whether an octet is one of the characters; none beyond US-ASCII is.
    pub(crate) const fn has(self, octet: u8) -> bool {
        self.0[(octet / 64) as usize] >> (octet % 64) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::OctetSet;

    #[test]
    fn a_set_has_what_it_was_made_of_and_nothing_else() {
        for characters in [&b""[..], b"a", b"\0/?#~\x7F", b" \r\n\t/:#?!@{}[]\\$'\"^`*<>=;,+&()%|"] {
            for octet in 0..=255 {
                let is_one = characters.contains(&octet);
                assert_eq!(OctetSet::of(characters).has(octet), is_one, "{octet}");
                let with = OctetSet::of(characters).and(octet);
                assert!(with.has(octet) == octet.is_ascii() && characters.iter().all(|one| with.has(*one)), "{octet}");
                let with_all = OctetSet::of(characters).and_alphanumerics();
                assert_eq!(with_all.has(octet), is_one || octet.is_ascii_alphanumeric(), "{octet}");
            }
        }
    }
}
