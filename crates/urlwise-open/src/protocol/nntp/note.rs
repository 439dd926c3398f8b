//! The notes of NNTP dialogues, one table.

use crate::language::words;
use crate::protocol::Note;

pub(super) const PASSWORD_IN_CLEAR: Note = Note::new(
    "password-in-clear",
    "S-16",
    words!("the password was sent without encryption; others on the network path could read it"),
);
pub(super) const EMPTY_GROUP: Note = Note::new("empty-group", "RFC 3977 section 6.1.1.2", words!("the group is empty"));
pub(super) const NO_GROUPS: Note = Note::new("no-groups", "RFC 3977 section 7.6.3", words!("no group matches"));
pub(super) const LINE_SKIPPED: Note =
    Note::new("line-skipped", "RFC 3977 section 8.3", words!("a line of the list is malformed and was skipped"));
pub(super) const DESCRIPTIONS_LEFT_OUT: Note =
    Note::new("descriptions-left-out", "S-49", words!("the group descriptions are too long; some were left out"));
pub(super) const NO_OVERVIEW: Note = Note::new(
    "no-overview",
    "RFC 977 section 3.2",
    words!("the server has no overview of the group; the headers of its newest articles were read one by one"),
);
