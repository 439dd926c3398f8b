//! Documents that are pages themselves: HTML and SVG of others. They are sent from a second origin, another port, into a frame in
//! which nothing runs, and only under keys that a page of ours made.

use std::collections::VecDeque;
use std::io;
use std::sync::{Mutex, PoisonError};

use crate::session::Secret;

/// The most keys that are kept; the oldest go first.
const MOST_KEYS: usize = 256;

/// A document that is a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Framed {
    /// That of a URL.
    Url(String),
    /// The answer to a form, by its key.
    Answer(String),
}

/// The keys under which the second origin sends documents.
#[derive(Default)]
pub(crate) struct Keys(Mutex<VecDeque<(Secret, Framed)>>);

impl Keys {
    /// A key for a document.
    pub(crate) fn add(&self, document: Framed) -> io::Result<Secret> {
        let key = Secret::new()?;
        let mut keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if keys.len() == MOST_KEYS {
            keys.pop_front();
        }
        keys.push_back((key.clone(), document));
        Ok(key)
    }

    /// The document of a key.
    pub(crate) fn get(&self, key: &str) -> Option<Framed> {
        let keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        keys.iter().find(|(known, _)| known.is(key)).map(|(_, document)| document.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::{Framed, Keys, MOST_KEYS};

    #[test]
    fn security_66_a_key_opens_its_own_document_and_old_ones_go() {
        let keys = Keys::default();
        let page = Framed::Url("gopher://h/hx".to_owned());
        let first = keys.add(page.clone()).expect("random numbers");
        assert_eq!(keys.get(first.as_str()), Some(page));
        assert_eq!(keys.get("gopher://h/hx"), None);
        assert_eq!(keys.get(&first.as_str()[1..]), None);
        for _ in 0..MOST_KEYS {
            keys.add(Framed::Answer("y".to_owned())).expect("random numbers");
        }
        assert_eq!(keys.get(first.as_str()), None);
    }
}
