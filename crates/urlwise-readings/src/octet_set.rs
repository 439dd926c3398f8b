//! Sets of characters of US-ASCII, for tests that are made of every octet of a text.

/// A bit for each character.
#[derive(Clone, Copy)]
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
                assert_eq!(OctetSet::of(characters).has(octet), characters.contains(&octet), "{octet}");
            }
        }
    }
}
