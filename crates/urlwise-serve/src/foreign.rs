//! Documents that are pages themselves: HTML and SVG of others. They are sent from a second origin, another port, into a frame in
//! which nothing runs, and only under keys that a page of ours made.

use std::collections::VecDeque;
use std::io;
use std::sync::{Mutex, PoisonError};

use crate::session::Secret;

/// The most keys that are kept; the oldest go first.
const MOST_KEYS: usize = 256;

/// The keys under which the second origin sends documents.
#[derive(Default)]
pub(crate) struct Keys(Mutex<VecDeque<(Secret, String)>>);

impl Keys {
    /// A key for the document of a URL.
    pub(crate) fn add(&self, url: &str) -> io::Result<Secret> {
        let key = Secret::new()?;
        let mut keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if keys.len() == MOST_KEYS {
            keys.pop_front();
        }
        keys.push_back((key.clone(), url.to_owned()));
        Ok(key)
    }

    /// The URL of a key.
    pub(crate) fn url(&self, key: &str) -> Option<String> {
        let keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        keys.iter().find(|(known, _)| known.is(key)).map(|(_, url)| url.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::{Keys, MOST_KEYS};

    #[test]
    fn security_66_a_key_opens_its_own_document_and_old_ones_go() {
        let keys = Keys::default();
        let first = keys.add("gopher://h/hx").expect("random numbers");
        assert_eq!(keys.url(first.as_str()).as_deref(), Some("gopher://h/hx"));
        assert_eq!(keys.url("gopher://h/hx"), None);
        assert_eq!(keys.url(&first.as_str()[1..]), None);
        for _ in 0..MOST_KEYS {
            keys.add("gopher://h/hy").expect("random numbers");
        }
        assert_eq!(keys.url(first.as_str()), None);
    }
}
