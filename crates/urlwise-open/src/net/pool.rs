//! Connections kept for the next URL of the same server (S-19).

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The most connections kept, for all servers together.
const MOST: usize = 32;

/// How long a connection is kept: servers close idle ones, usually after a minute or more.
const LONGEST: Duration = Duration::from_secs(60);

/// Kept connections, by keys that hold everything that must be equal.
pub(crate) struct Pool<K, T>(Mutex<Vec<Pooled<K, T>>>);

struct Pooled<K, T> {
    key: K,
    since: Instant,
    what: T,
}

impl<K: PartialEq, T> Pool<K, T> {
    /// Takes the connection of the highest rank, of several the one used last. One without a rank is not usable, and one that is not
    /// silent, on which something has arrived unasked, is closed.
    pub(crate) fn take(
        &self,
        key: &K,
        rank: impl Fn(&T) -> Option<usize>,
        is_silent: impl Fn(&mut T) -> bool,
    ) -> Option<T> {
        loop {
            let mut best = self.best(key, &rank)?;
            if is_silent(&mut best) {
                return Some(best);
            }
        }
    }

    fn best(&self, key: &K, rank: impl Fn(&T) -> Option<usize>) -> Option<T> {
        // Declared before the lock, so dropped after it: closing a connection may send a goodbye, which must not hold the lock.
        let _outdated: Vec<Pooled<K, T>>;
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        _outdated = all.extract_if(.., |kept| kept.since.elapsed() > LONGEST).collect();
        let fitting = all.iter().enumerate().filter(|(_, kept)| kept.key == *key);
        let (place, _) =
            fitting.filter_map(|(place, kept)| Some((place, rank(&kept.what)?))).max_by_key(|(_, rank)| *rank)?;
        Some(all.remove(place).what)
    }

    /// Keeps a connection; drops the oldest if there are too many.
    pub(crate) fn put(&self, key: K, what: T) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let oldest = (all.len() >= MOST).then(|| all.remove(0));
        all.push(Pooled { key, since: Instant::now(), what });
        drop(all);
        drop(oldest);
    }
}

impl<K, T> Default for Pool<K, T> {
    fn default() -> Pool<K, T> {
        Pool(Mutex::default())
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, MOST, Pool, Pooled};
    use std::sync::Mutex;
    use std::time::{Duration, Instant};

    #[test]
    fn what_was_kept_for_too_long_is_gone_and_what_was_not_stays() {
        let kept = |what, age: Duration| {
            let since = Instant::now().checked_sub(age).expect("a time");
            Pooled { key: (), since, what }
        };
        let second = Duration::from_secs(1);
        let pool = Pool(Mutex::new(vec![kept(1, LONGEST + second), kept(2, LONGEST / 2), kept(3, 2 * LONGEST)]));
        assert_eq!([pool.take(&(), |_| Some(0), |_| true), pool.take(&(), |_| Some(0), |_| true)], [Some(2), None]);
    }

    #[test]
    fn security_19_only_what_has_the_same_key_is_given() {
        let pool = Pool::default();
        pool.put("a", 1);
        assert_eq!(pool.take(&"b", |_| Some(0), |_| true), None);
        assert_eq!(pool.take(&"a", |_| None, |_| true), None);
        assert_eq!(pool.take(&"a", |_| Some(0), |_| true), Some(1));
        assert_eq!(pool.take(&"a", |_| Some(0), |_| true), None);
    }

    #[test]
    fn the_best_is_given_first_and_the_last_used_of_the_best() {
        let pool = Pool::default();
        for number in [3, 1, 2, 13] {
            pool.put((), number);
        }
        let taken: Vec<_> = std::iter::from_fn(|| pool.take(&(), |number| Some(number % 10), |_| true)).collect();
        assert_eq!(taken, [13, 3, 2, 1]);
    }

    #[test]
    fn security_19_what_is_not_silent_is_not_given_and_goes() {
        let pool = Pool::default();
        for number in [2, 4, 1, 3] {
            pool.put((), number);
        }
        let taken: Vec<_> =
            std::iter::from_fn(|| pool.take(&(), |number| Some(*number), |number| *number < 3)).collect();
        assert_eq!(taken, [2, 1]);
    }

    #[test]
    fn the_number_kept_is_bounded_and_the_oldest_goes() {
        let pool = Pool::default();
        for number in 0..=MOST {
            pool.put((), number);
        }
        let taken: Vec<_> = std::iter::from_fn(|| pool.take(&(), |_| Some(0), |_| true)).collect();
        assert_eq!((taken.len(), taken.contains(&0)), (MOST, false));
    }
}
