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

    /// One with its index.
    #[inline]
    pub(crate) fn find(&self, is_it: impl Fn(&T) -> bool) -> Option<(usize, &T)> {
        self.kept.iter().enumerate().find_map(|(index, one)| Some((index, one.as_ref().filter(|one| is_it(one))?)))
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
        let last = |recent: &Recent<i32>| recent.get(recent.last_index()).copied();
        assert_eq!((last(&recent), recent.find(|_| true)), (None, None));
        for new in 1..=5 {
            recent.push(new);
            assert_eq!(last(&recent), Some(new));
        }
        assert_eq!(
            [1, 2, 3, 4, 5].map(|one| recent.find(|known| *known == one)),
            [None, Some((1, &2)), Some((2, &3)), Some((3, &4)), Some((0, &5))]
        );
        recent.renew(2);
        assert_eq!(last(&recent), Some(3));
        recent.push(6);
        assert_eq!((last(&recent), recent.get(1), recent.find(|known| *known == 2)), (Some(6), Some(&6), None));
    }
}
