//! The output of a visitor.

/// The output for a text is written at once, unless it is longer than this, in octets.
const FULL: usize = 1 << 20;

/// What a visitor writes of a block.
pub(crate) struct Out<'o> {
    octets: &'o mut Vec<u8>,
    write: &'o dyn Fn(&[u8]),
}

impl<'o> Out<'o> {
    /// Gathers in `octets` what `write` writes, which may wait for its turn.
    pub(super) fn new(octets: &'o mut Vec<u8>, write: &'o dyn Fn(&[u8])) -> Out<'o> {
        Out { octets, write }
    }

    /// What was not written yet, to add to.
    pub(crate) fn octets(&mut self) -> &mut Vec<u8> {
        self.octets
    }

    /// Writes what is there if that is much, so that it is not held until the block ends.
    pub(crate) fn relieve(&mut self) {
        if self.octets.len() > FULL {
            (self.write)(self.octets);
            self.octets.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FULL, Out};
    use std::cell::RefCell;

    #[test]
    fn much_is_written_at_once_and_little_is_kept() {
        let (mut octets, written) = (Vec::new(), RefCell::new(Vec::new()));
        let write = |octets: &[u8]| written.borrow_mut().push(octets.len());
        let mut out = Out::new(&mut octets, &write);
        for length in [FULL, 1, 2 * FULL, 3] {
            out.octets().extend(vec![0; length]);
            out.relieve();
        }
        assert_eq!((written.into_inner(), octets.len()), (vec![FULL + 1, 2 * FULL], 3));
    }
}
