//! Pages that were shown a moment ago, so that going back asks no server again. They are in memory alone: browsers are told to store
//! nothing, which keeps them from keeping the page themselves.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::http::response::Head;

/// The most that is kept, with what is being made, in octets.
const MOST: usize = 8 << 20;

/// How long a page is kept.
const LIFE: Duration = Duration::from_secs(10 * 60);

/// The body of a page, in the pieces in which it was made.
pub(crate) type Pieces = Vec<Box<[u8]>>;

/// The pages that are kept.
#[derive(Default)]
pub(crate) struct Kept(Mutex<State>);

#[derive(Default)]
struct State {
    /// The oldest first.
    pages: VecDeque<Page>,
    /// The octets of all pages, and of the copies of those that are being made.
    used: usize,
}

struct Page {
    key: String,
    head: Head,
    body: Arc<Pieces>,
    since: Instant,
}

/// The copy of a page that is being made. Dropped before it is [finished](Copy::finish), it leaves nothing.
pub(crate) struct Copy<'k> {
    kept: &'k Kept,
    key: String,
    head: Head,
    body: Pieces,
    /// `None` once there was no room.
    length: Option<usize>,
}

impl Kept {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The page of this key, if it was made a moment ago.
    pub(crate) fn get(&self, key: &str) -> Option<(Head, Arc<Pieces>)> {
        let mut state = self.state();
        while state.pages.front().is_some_and(|page| page.since.elapsed() >= LIFE) {
            state.drop_oldest();
        }
        let page = state.pages.iter().find(|page| page.key == key)?;
        Some((page.head.clone(), Arc::clone(&page.body)))
    }

    /// Begins the copy of a page.
    pub(crate) fn copy(&self, key: String, head: Head) -> Copy<'_> {
        Copy { kept: self, key, head, body: Vec::new(), length: Some(0) }
    }
}

impl State {
    fn drop_oldest(&mut self) {
        if let Some(page) = self.pages.pop_front() {
            self.used -= length(&page.body);
        }
    }
}

fn length(body: &Pieces) -> usize {
    body.iter().map(|piece| piece.len()).sum()
}

impl Copy<'_> {
    /// Adds what is sent. Where there is no room, older pages go, and then the copy itself.
    pub(crate) fn push(&mut self, octets: &[u8]) {
        let Some(length) = self.length else { return };
        let mut state = self.kept.state();
        while state.used + octets.len() > MOST && !state.pages.is_empty() {
            state.drop_oldest();
        }
        if state.used + octets.len() > MOST {
            state.used -= length;
            (self.length, self.body) = (None, Vec::new());
            return;
        }
        state.used += octets.len();
        self.length = Some(length + octets.len());
        self.body.push(octets.into());
    }

    /// Keeps the page, which is complete.
    pub(crate) fn finish(mut self) {
        if self.length.take().is_none() {
            return;
        }
        let mut state = self.kept.state();
        if let Some(at) = state.pages.iter().position(|page| page.key == self.key) {
            let old = state.pages.remove(at);
            state.used -= old.map_or(0, |page| length(&page.body));
        }
        let (key, body) = (std::mem::take(&mut self.key), Arc::new(std::mem::take(&mut self.body)));
        state.pages.push_back(Page { key, head: self.head.clone(), body, since: Instant::now() });
    }
}

impl Drop for Copy<'_> {
    fn drop(&mut self) {
        if let Some(length) = self.length {
            self.kept.state().used -= length;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::response::Status;

    fn keep(kept: &Kept, key: &str, pieces: &[&[u8]]) {
        let mut copy = kept.copy(key.to_owned(), Head::page(Status::Ok));
        pieces.iter().for_each(|piece| copy.push(piece));
        copy.finish();
    }

    fn text(kept: &Kept, key: &str) -> Option<usize> {
        kept.get(key).map(|(_, body)| length(&body))
    }

    #[test]
    fn security_61_what_is_kept_is_bounded_and_the_oldest_goes_first() {
        let kept = Kept::default();
        let quarter = vec![0; MOST / 4];
        for key in ["a", "b", "c", "d"] {
            keep(&kept, key, &[&quarter]);
        }
        assert_eq!((text(&kept, "a"), kept.state().used), (Some(MOST / 4), MOST));
        keep(&kept, "e", &[b"x"]);
        assert_eq!((text(&kept, "a"), text(&kept, "b"), text(&kept, "e")), (None, Some(MOST / 4), Some(1)));
        keep(&kept, "f", &[&quarter, &quarter, &quarter, &quarter]);
        assert_eq!((text(&kept, "e"), text(&kept, "f"), kept.state().used), (None, Some(MOST), MOST));
        keep(&kept, "g", &[&quarter, &quarter, &quarter, &quarter, b"x"]);
        assert_eq!((text(&kept, "f"), text(&kept, "g"), kept.state().used), (None, None, 0), "it is too long");
    }

    #[test]
    fn security_70_what_broke_off_or_is_old_is_not_kept() {
        let kept = Kept::default();
        let mut copy = kept.copy("a".to_owned(), Head::page(Status::Ok));
        copy.push(b"half");
        assert_eq!(kept.state().used, 4);
        drop(copy);
        assert_eq!((text(&kept, "a"), kept.state().used), (None, 0));
        keep(&kept, "a", &[b"first"]);
        keep(&kept, "a", &[b"newer one"]);
        assert_eq!((text(&kept, "a"), kept.state().used), (Some(9), 9));
        if let Some(long_ago) = Instant::now().checked_sub(LIFE) {
            kept.state().pages[0].since = long_ago;
            assert_eq!((text(&kept, "a"), kept.state().used), (None, 0));
        }
    }
}
