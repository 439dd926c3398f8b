//! What an ftp dialogue may deserve to have said about it, one table.

use crate::protocol::Note;

pub(super) const PASSWORD_IN_CLEAR: Note = Note::new(
    "password-in-clear",
    "S-16",
    "the password went over the network in clear: everybody on the way could read it",
);
pub(super) const NO_TLS: Note = Note::new(
    "no-tls",
    "RFC 4217 section 4",
    "the server does not offer TLS: everything went over the network in clear",
);
pub(super) const EMPTY_LIST: Note = Note::new(
    "empty-list",
    "RFC 959 section 5.4",
    "the list is empty: so is the directory, or the server has none of that name",
);
pub(super) const LINE_SKIPPED: Note =
    Note::new("line-skipped", "RFC 3659 section 7.2", "a line of the list is left out: it holds no facts and name");
pub(super) const RESUME_CHANGED: Note = Note::new(
    "resume-changed",
    "S-31",
    "the file is not, or cannot be shown to be, the one that was begun: it is sent from its beginning",
);
