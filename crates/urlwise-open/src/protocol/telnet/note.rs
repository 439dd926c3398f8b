//! The notes of sessions, one table.

use crate::language::words;
use crate::protocol::Note;

pub(super) const END_NOT_AUTHENTICATED: Note = Note::new(
    "end-not-authenticated",
    "RFC 8446 section 6.1",
    words!("TLS ended without `close_notify`, so it is unknown whether the server ended the session"),
);
