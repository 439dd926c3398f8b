//! The notes about answers of Prospero servers.

use crate::language::words;
use crate::protocol::Note;

const URL: &str = "RFC 1738 section 3.11";

pub(super) const FIELD_NOT_SENT: Note = Note::new(
    "field-not-sent",
    URL,
    words!("the URL has a field that Prospero servers ignore, so a different version of the object may be opened"),
);
pub(super) const LINE_NOT_UNDERSTOOD: Note =
    Note::new("line-not-understood", "Prospero 5 answers", words!("a line of the answer is malformed and was skipped"));
pub(super) const METHOD_NOT_UNDERSTOOD: Note = Note::new(
    "method-not-understood",
    "Prospero 5 access methods",
    words!("an access method is malformed and was skipped"),
);
pub(super) const METHOD_FAILED: Note = Note::new(
    "method-failed",
    URL,
    words!("an earlier access method could not be opened; list the object to see all of them"),
);
pub(super) const SERVER_WARNS: Note =
    Note::new("server-warning", "Prospero 5 answers", words!("the server sent a warning; list the object to read it"));
pub(super) const UNFILTERED: Note = Note::new(
    "unfiltered",
    "Prospero 5 filters",
    words!("the directory has a filter that was not applied, so all entries are listed unchanged"),
);
pub(super) const UNION_NOT_LISTED: Note = Note::new(
    "union-not-listed",
    "Prospero 5 union links",
    words!("a directory that is merged into this one could not be listed completely and is shown as an entry"),
);
pub(super) const SIZE_DIFFERS: Note = Note::new(
    "size-differs",
    "Prospero 5 contents",
    words!("the document is longer than announced; it may have changed while it was read"),
);
