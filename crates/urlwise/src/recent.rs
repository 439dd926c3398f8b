//! What was met last, of what a text may hold again and again.

/// How many are remembered: a text may make the same few mistakes in turn, at every octet.
const RECENT: usize = 4;

/// As many as are remembered. The index of one stays the same until it is forgotten, which is when that many others have come.
pub(crate) struct Recent<T> {
    kept: [Option<T>; RECENT],
    /// The index of the one that was met last.
    last: usize,
    /// The index of the next one that comes.
    next: usize,
}

impl<T> Recent<T> {
    pub(crate) const fn new() -> Self {
        Recent { kept: [const { None }; RECENT], last: 0, next: 0 }
    }

    /// The one that was met last.
    #[inline]
    pub(crate) fn last(&self) -> Option<&T> {
        self.kept[self.last].as_ref()
    }

    /// The one that was met last, to add to it.
    pub(crate) fn last_mut(&mut self) -> Option<&mut T> {
        self.kept[self.last].as_mut()
    }

    /// The one at an index.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<&T> {
        self.kept[index].as_ref()
    }

    /// The index of the one that was met last.
    #[inline]
    pub(crate) fn last_index(&self) -> usize {
        self.last
    }

    /// The index of one.
    #[inline]
    pub(crate) fn index_of(&self, is_it: impl Fn(&T) -> bool) -> Option<usize> {
        (0..RECENT).find(|index| self.kept[*index].as_ref().is_some_and(&is_it))
    }

    /// One that was not among them.
    pub(crate) fn push(&mut self, new: T) {
        self.last = self.next;
        self.next = (self.next + 1) % RECENT;
        self.kept[self.last] = Some(new);
    }

    /// The one at an index was met again.
    #[inline]
    pub(crate) fn renew(&mut self, index: usize) {
        self.last = index;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_ones_keep_their_index_until_as_many_others_have_come() {
        let mut recent = Recent::new();
        assert_eq!((recent.last(), recent.index_of(|_| true)), (None, None));
        for new in 1..=5 {
            recent.push(new);
            assert_eq!(recent.last(), Some(&new));
        }
        assert_eq!(
            [1, 2, 3, 4, 5].map(|one| recent.index_of(|known| *known == one)),
            [None, Some(1), Some(2), Some(3), Some(0)]
        );
        recent.renew(2);
        assert_eq!(recent.last(), Some(&3));
        recent.push(6);
        assert_eq!((recent.last(), recent.index_of(|known| *known == 2)), (Some(&6), None));
    }
}
