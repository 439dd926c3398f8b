//! What the answers of a Prospero server may deserve to have said about them, one table.

use crate::protocol::Note;

const URL: &str = "RFC 1738 section 3.11";

pub(super) const FIELD_NOT_SENT: Note = Note::new(
    "field-not-sent",
    URL,
    "the URL has a field that says nothing to a Prospero server: what is opened may be another version of the object",
);
pub(super) const LINE_NOT_UNDERSTOOD: Note = Note::new(
    "line-not-understood",
    "Prospero 5 answers",
    "a line of the answer is none of the protocol, and is left out",
);
pub(super) const METHOD_NOT_UNDERSTOOD: Note = Note::new(
    "method-not-understood",
    "Prospero 5 access methods",
    "an access method has not as many parts as it should, and is left out",
);
pub(super) const METHOD_FAILED: Note = Note::new(
    "method-failed",
    URL,
    "an access method that the server named before could not be opened, or must not be: `ls` shows them all",
);
pub(super) const SERVER_WARNS: Note =
    Note::new("server-warning", "Prospero 5 answers", "the server warns of something: `ls` shows its words");
pub(super) const UNFILTERED: Note = Note::new(
    "unfiltered",
    "Prospero 5 filters",
    "the directory has a filter that was not applied: entries that it would leave out or change are listed as they are",
);
pub(super) const UNION_NOT_LISTED: Note = Note::new(
    "union-not-listed",
    "Prospero 5 union links",
    "a directory that belongs to this one could not be listed whole: it is an entry of its own",
);
pub(super) const SIZE_DIFFERS: Note = Note::new(
    "size-differs",
    "Prospero 5 contents",
    "the document has not as many octets as the server said: it may have changed while it was read",
);
