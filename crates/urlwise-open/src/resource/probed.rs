//! A resource that was opened only to see whether it can be.

use crate::error::Error;
use crate::probe::{Probe, ProbeBody};
use crate::protocol::Note;
use crate::resource::{Document, Resource};

impl Resource {
    /// The probe of a URL that was opened, with at most `body_limit` octets of a document, if any are wanted.
    ///
    /// # Errors
    /// The document could not be read so far.
    pub(crate) fn probed(self, body_limit: Option<usize>) -> Result<Probe, Error> {
        let mut probe = Probe::alive();
        match self {
            Resource::Document(mut document) => {
                document.from.notes.extend(document.body.take_notes());
                if let Some(limit) = body_limit {
                    let (body, notes) = document.beginning(limit)?;
                    (probe.body, probe.notes) = (Some(body), notes);
                } else {
                    probe.notes = document.from.notes;
                }
            }
            Resource::Menu(mut menu) => {
                menu.from.notes.extend(menu.list.take_notes());
                probe.notes = menu.from.notes;
            }
            #[cfg(feature = "gopher")]
            Resource::Attributes(_) | Resource::Form(_) => {}
            #[cfg(feature = "telnet")]
            Resource::Session(_) => {}
            Resource::Draft(_) => {}
        }
        Ok(probe)
    }
}

impl Document {
    /// At most `limit` octets from where it begins, and the notes about them.
    ///
    /// # Errors
    /// As [`fill`](Document::fill).
    pub(crate) fn beginning(mut self, limit: usize) -> Result<(ProbeBody, Vec<Note>), Error> {
        let mut octets = Vec::new();
        let is_complete = loop {
            let there = self.fill()?;
            let count = there.len().min(limit - octets.len());
            match (there.is_empty(), count) {
                (true, _) => break true,
                (false, 0) => break false,
                (false, _) => octets.extend_from_slice(&there[..count]),
            }
            self.consume_octets(count);
        };
        let media_type = self.media_type().map(str::to_owned);
        Ok((ProbeBody { octets, media_type, is_complete, is_coded: false }, self.notes().to_vec()))
    }
}
