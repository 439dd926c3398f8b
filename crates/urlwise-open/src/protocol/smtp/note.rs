//! What a mail dialogue may deserve to have said about it, one table.

use crate::protocol::Note;

pub(super) const PASSWORD_IN_CLEAR: Note = Note::new(
    "password-in-clear",
    "S-16",
    "the password went over the network in clear: everybody on the way could read it",
);
pub(super) const MAIL_IN_CLEAR: Note = Note::new(
    "mail-in-clear",
    "S-17",
    "the mail went to the server in clear, as was asked for: everybody on the way could read it",
);
