//! What servers answered to forms, in memory alone: the page that a form was sent to leads on to an answer by its key, so that reading
//! it again, going back to it and saving it send no form a second time.

use std::collections::VecDeque;
use std::io::{self, Cursor};
use std::mem::size_of;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use urlwise::Url;
use urlwise_open::protocol::{Metadata, Note};
use urlwise_open::{Document, Entry, Error, Menu, Resource};

use crate::session::Secret;

/// The most that is kept, with what is being received, in octets. An answer may take all of it.
pub(crate) const MOST: usize = 8 << 20;

/// The most answers that are kept; the oldest go first.
const MOST_ANSWERS: usize = 64;

/// The answer to a form.
pub(crate) struct Answer {
    /// The URL of the form.
    pub(crate) url: Url<String>,
    /// What was filled in, as options of `get`.
    pub(crate) options: Vec<String>,
    /// What is to be known about the command with them.
    pub(crate) advice: String,
    pub(crate) content: Content,
    pub(crate) notes: Vec<Note>,
    /// Why it broke off; `None` if it is complete.
    pub(crate) failure: Option<Error>,
}

/// What an answer brought.
pub(crate) enum Content {
    /// Nothing but the failure.
    Nothing,
    /// More than is kept.
    TooLong,
    Document {
        octets: Arc<[u8]>,
        media_type: Option<String>,
    },
    Menu(Vec<Entry>),
}

impl Answer {
    /// Reads all that the server sends, as far as there is room for it. Returns whether it is a document or a
    /// menu: nothing else answers a form.
    pub(crate) fn receive(&mut self, resource: Resource, room: &mut Room<'_>) -> bool {
        self.content = match resource {
            Resource::Document(document) => self.document(document, room),
            Resource::Menu(menu) => self.menu(menu, room),
            _ => return false,
        };
        true
    }

    fn document(&mut self, mut document: Document, room: &mut Room<'_>) -> Content {
        let mut octets = Vec::new();
        loop {
            match document.fill() {
                Ok([]) => break,
                Ok(there) if !room.grow(there.len()) => return Content::TooLong,
                Ok(there) => {
                    octets.extend_from_slice(there);
                    let count = there.len();
                    document.consume_octets(count);
                }
                Err(error) => {
                    self.failure = Some(error);
                    break;
                }
            }
        }
        self.notes = document.notes().to_vec();
        match octets.is_empty() && self.failure.is_some() {
            true => Content::Nothing,
            false => Content::Document { octets: octets.into(), media_type: document.media_type().map(str::to_owned) },
        }
    }

    fn menu(&mut self, mut menu: Menu, room: &mut Room<'_>) -> Content {
        let mut entries = Vec::new();
        for entry in menu.by_ref() {
            match entry {
                Ok(entry) if !room.grow(weight(&entry)) => return Content::TooLong,
                Ok(entry) => entries.push(entry),
                Err(error) => self.failure = Some(error),
            }
        }
        self.notes = menu.notes().to_vec();
        match entries.is_empty() && self.failure.is_some() {
            true => Content::Nothing,
            false => Content::Menu(entries),
        }
    }

    /// What the server sent, to be read once more. `None` if that is not kept.
    pub(crate) fn resource(&self) -> Option<Resource> {
        match &self.content {
            Content::Nothing | Content::TooLong => None,
            Content::Document { octets, media_type } => {
                // What broke off has no size.
                let size = self.failure.is_none().then_some(octets.len() as u64);
                let mut metadata = Metadata::default();
                (metadata.size, metadata.media_type) = (size, media_type.clone());
                let reader = Cursor::new(Arc::clone(octets));
                Some(Resource::Document(Document::from_reader(self.url.clone(), reader, metadata)))
            }
            Content::Menu(entries) => {
                let entries = entries.clone().into_iter().map(Ok);
                Some(Resource::Menu(Menu::from_entries(self.url.clone(), entries)))
            }
        }
    }
}

/// About how much memory an entry takes.
fn weight(entry: &Entry) -> usize {
    let texts = [Some(&entry.title), entry.description.as_ref(), entry.from.as_ref()];
    let url = entry.url.as_ref().map_or(0, |url| url.as_str().len());
    size_of::<Entry>() + url + texts.into_iter().flatten().map(Vec::len).sum::<usize>()
}

/// The answers that are kept.
#[derive(Default)]
pub(crate) struct Answers(Mutex<State>);

#[derive(Default)]
struct State {
    /// The oldest first.
    answers: VecDeque<Kept>,
    /// The octets of all answers, and of those that are being received.
    used: usize,
}

struct Kept {
    key: Secret,
    answer: Arc<Answer>,
    length: usize,
}

impl State {
    fn drop_oldest(&mut self) {
        if let Some(oldest) = self.answers.pop_front() {
            self.used -= oldest.length;
        }
    }
}

impl Answers {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer of this key.
    pub(crate) fn get(&self, key: &str) -> Option<Arc<Answer>> {
        let state = self.state();
        state.answers.iter().find(|kept| kept.key.is(key)).map(|kept| Arc::clone(&kept.answer))
    }

    /// Room for an answer that is being received, none at first.
    pub(crate) fn room(&self) -> Room<'_> {
        Room { answers: self, length: 0 }
    }
}

/// The room that an answer takes while it is received. Dropped before the answer is [kept](Room::keep), it is free again.
pub(crate) struct Room<'a> {
    answers: &'a Answers,
    length: usize,
}

impl Room<'_> {
    /// Takes so much more. Older answers go for it; returns whether there is room then.
    fn grow(&mut self, count: usize) -> bool {
        let mut state = self.answers.state();
        // What cannot fit lets the others stay.
        if count > MOST - self.length {
            return false;
        }
        while state.used + count > MOST && !state.answers.is_empty() {
            state.drop_oldest();
        }
        let is_free = state.used + count <= MOST;
        if is_free {
            state.used += count;
            self.length += count;
        }
        is_free
    }

    /// Keeps the answer, under a key that nobody can guess.
    pub(crate) fn keep(mut self, answer: Answer) -> io::Result<Secret> {
        let key = Secret::new()?;
        let is_kept = !matches!(answer.content, Content::Nothing | Content::TooLong);
        let length = if is_kept { std::mem::take(&mut self.length) } else { 0 };
        let mut state = self.answers.state();
        while state.answers.len() >= MOST_ANSWERS {
            state.drop_oldest();
        }
        state.answers.push_back(Kept { key: key.clone(), answer: Arc::new(answer), length });
        drop(state);
        Ok(key)
    }
}

impl Drop for Room<'_> {
    fn drop(&mut self) {
        self.answers.state().used -= self.length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keep(answers: &Answers, size: usize) -> Secret {
        let url = Url::parse_with("gopher://h.example/0/x".to_owned(), crate::opening::PROFILE).expect("a URL");
        let mut answer = Answer {
            url: url.clone(),
            options: Vec::new(),
            advice: String::new(),
            content: Content::Nothing,
            notes: Vec::new(),
            failure: None,
        };
        let mut room = answers.room();
        let document = Document::from_reader(url, Cursor::new(vec![b'x'; size]), Metadata::default());
        assert!(answer.receive(Resource::Document(document), &mut room));
        room.keep(answer).expect("random numbers")
    }

    fn kept(answers: &Answers, key: &Secret) -> Option<usize> {
        answers.get(key.as_str()).map(|answer| match &answer.content {
            Content::Document { octets, .. } => octets.len(),
            _ => 0,
        })
    }

    #[test]
    fn security_61_answers_are_bounded_in_size_and_the_oldest_go_first() {
        let answers = Answers::default();
        let (first, second) = (keep(&answers, MOST / 2), keep(&answers, MOST / 2));
        assert_eq!((kept(&answers, &first), kept(&answers, &second)), (Some(MOST / 2), Some(MOST / 2)));
        let third = keep(&answers, 1);
        assert_eq!((kept(&answers, &first), kept(&answers, &second)), (None, Some(MOST / 2)));
        assert_eq!((kept(&answers, &third), answers.state().used), (Some(1), MOST / 2 + 1));
        let long = keep(&answers, MOST + 1);
        assert!(matches!(answers.get(long.as_str()).expect("it says so").content, Content::TooLong));
        let whole = keep(&answers, MOST);
        assert_eq!((kept(&answers, &whole), kept(&answers, &third), answers.state().used), (Some(MOST), None, MOST));
    }

    #[test]
    fn security_61_answers_are_bounded_in_number() {
        let answers = Answers::default();
        let first = keep(&answers, 1);
        for _ in 0..MOST_ANSWERS {
            keep(&answers, 1);
        }
        assert!(answers.get(first.as_str()).is_none());
        let state = answers.state();
        assert_eq!((state.answers.len(), state.used), (MOST_ANSWERS, MOST_ANSWERS));
    }

    #[test]
    fn security_70_what_is_not_kept_takes_no_room() {
        let answers = Answers::default();
        let mut room = answers.room();
        assert!(room.grow(MOST) && !room.grow(1) && !answers.room().grow(1));
        drop(room);
        assert_eq!(answers.state().used, 0);
    }
}
