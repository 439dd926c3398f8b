//! The answer of a [`Dialogue`] as a resource: its octets are a body, its entries a list.

use crate::error::Error;
use crate::net::driver::Dialogue;
use crate::protocol::{Machine, Note, Shape};
use crate::resource::{Body, Document, Entry, History, List, Menu, Resource};

impl<M: Machine + Send> Body for Dialogue<M> {
    fn fill(&mut self) -> Result<&[u8], Error> {
        Dialogue::fill(self)
    }

    fn consume(&mut self, count: usize) {
        Dialogue::consume(self, count);
    }

    fn take_notes(&mut self) -> Vec<Note> {
        Dialogue::take_notes(self)
    }
}

/// The entries of a menu that is still arriving.
pub(crate) struct Entries<M, F> {
    dialogue: Dialogue<M>,
    entry: F,
}

impl<M: Machine, F: FnMut(M::Entry) -> Entry> Entries<M, F> {
    /// The entries of the answer; `entry` converts each entry of the machine.
    pub(crate) fn new(dialogue: Dialogue<M>, entry: F) -> Entries<M, F> {
        Entries { dialogue, entry }
    }
}

impl<M: Machine + Send, F: FnMut(M::Entry) -> Entry + Send> List for Entries<M, F> {
    fn next_entry(&mut self) -> Option<Result<Entry, Error>> {
        let next = self.dialogue.next_entry().transpose()?;
        Some(next.map(&mut self.entry))
    }

    fn take_notes(&mut self) -> Vec<Note> {
        self.dialogue.take_notes()
    }
}

impl Resource {
    /// The resource of an answer that has begun; `menu` makes the list if it consists of entries.
    pub(crate) fn of_dialogue<M: Machine + Send + 'static, L: List + 'static>(
        mut dialogue: Dialogue<M>,
        from: History,
        max_size: Option<u64>,
        menu: impl FnOnce(Dialogue<M>) -> L,
    ) -> Result<Resource, Error> {
        let begin = dialogue.begun()?;
        match begin.shape {
            Shape::Menu => Ok(Resource::Menu(Menu::new(Box::new(menu(dialogue)), from))),
            Shape::Document => {
                Document::new(Box::new(dialogue), begin.size, max_size, begin.media_type, from).map(Resource::Document)
            }
        }
    }
}
