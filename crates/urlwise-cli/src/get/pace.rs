//! `--limit-rate`: how long to wait so that all transfers together stay below a rate.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::lock::locked;

/// After a pause, transfers may be this far ahead of the rate: what has not been used is not saved up.
const CREDIT: Duration = Duration::from_millis(100);

/// The pace of a run.
#[derive(Debug, Default)]
pub(super) struct Pace {
    /// Octets per second; `None` is no limit.
    rate: Option<u64>,
    /// When what has been received so far would have arrived at the rate.
    due: Mutex<Option<Instant>>,
}

impl Pace {
    pub(super) fn new(rate: Option<u64>) -> Pace {
        Pace { rate, due: Mutex::default() }
    }

    /// How many octets are passed on at most before a [wait](Pace::wait): those of an eighth of a second, so that waits are short.
    pub(super) fn step(&self) -> usize {
        let rate = self.rate.filter(|rate| *rate > 0);
        rate.map_or(usize::MAX, |rate| usize::try_from(rate / 8).unwrap_or(usize::MAX).max(1))
    }

    /// How long to wait after these octets, which arrived at `now`.
    pub(super) fn wait(&self, octets: usize, now: Instant) -> Duration {
        let Some(rate) = self.rate.filter(|rate| *rate > 0) else { return Duration::ZERO };
        let mut due = locked(&self.due);
        let from = due.map_or(now, |due| due.max(now.checked_sub(CREDIT).unwrap_or(now)));
        let takes = Duration::from_secs_f64(octets as f64 / rate as f64);
        let until = from + takes;
        *due = Some(until);
        until.saturating_duration_since(now)
    }
}

#[cfg(test)]
mod tests {
    use super::{CREDIT, Pace};
    use std::time::{Duration, Instant};

    #[test]
    fn octets_take_the_time_of_their_rate_and_pauses_are_not_saved_up() {
        let (pace, start) = (Pace::new(Some(1_000)), Instant::now());
        assert_eq!(pace.wait(500, start), Duration::from_millis(500));
        // A second transfer waits for both.
        assert_eq!(pace.wait(500, start), Duration::from_secs(1));
        let later = start + Duration::from_secs(1);
        assert_eq!(pace.wait(250, later), Duration::from_millis(250));
        let much_later = later + Duration::from_secs(60);
        assert_eq!(pace.wait(1_000, much_later), Duration::from_secs(1) - CREDIT);
    }

    #[test]
    fn octets_of_a_rate_come_in_steps() {
        let steps = [None, Some(0), Some(1), Some(100), Some(1 << 20)].map(|rate| Pace::new(rate).step());
        assert_eq!(steps, [usize::MAX, usize::MAX, 1, 12, 1 << 17]);
    }

    #[test]
    fn without_a_rate_nothing_waits() {
        assert_eq!(Pace::new(None).wait(usize::MAX, Instant::now()), Duration::ZERO);
    }
}
