//! The notes of mail dialogues, one table.

use crate::language::words;
use crate::protocol::Note;

pub(super) const PASSWORD_IN_CLEAR: Note = Note::new(
    "password-in-clear",
    "S-16",
    words!("the password was sent without encryption; others on the network path could read it"),
);
pub(super) const MAIL_IN_CLEAR: Note = Note::new(
    "mail-in-clear",
    "S-17",
    words!("the message was sent without encryption, as requested; others on the network path could read it"),
);
