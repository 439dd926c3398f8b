//! The notes of mail dialogues, one table.

use crate::protocol::Note;

pub(super) const PASSWORD_IN_CLEAR: Note = Note::new(
    "password-in-clear",
    "S-16",
    "the password was sent without encryption; others on the network path could read it",
);
pub(super) const MAIL_IN_CLEAR: Note = Note::new(
    "mail-in-clear",
    "S-17",
    "the message was sent without encryption, as requested; others on the network path could read it",
);
