//! Sets of characters of US-ASCII, for tests that are made of every octet of a text.

/// A bit for each character.
#[derive(Clone, Copy, Default)]
pub(crate) struct OctetSet(u128);

impl OctetSet {
    pub(crate) const fn of(characters: &[u8]) -> Self {
        let (mut set, mut i) = (0, 0);
        while i < characters.len() {
            set |= 1 << characters[i];
            i += 1;
        }
        OctetSet(set)
    }

    /// These, and one more if it is of US-ASCII.
    pub(crate) const fn and(self, octet: u8) -> Self {
        OctetSet(if octet.is_ascii() { self.0 | 1 << octet } else { self.0 })
    }

    /// These, and all letters and digits.
    pub(crate) const fn and_alphanumerics(self) -> Self {
        const THEY: OctetSet = OctetSet::of(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
        OctetSet(self.0 | THEY.0)
    }

    /// Whether an octet is one of the characters; none beyond US-ASCII is.
    pub(crate) const fn has(self, octet: u8) -> bool {
        octet.is_ascii() && self.0 >> octet & 1 == 1
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
