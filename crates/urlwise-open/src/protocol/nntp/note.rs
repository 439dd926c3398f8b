//! What an NNTP dialogue may deserve to have said about it, one table.

use crate::protocol::Note;

pub(super) const PASSWORD_IN_CLEAR: Note = Note::new(
    "password-in-clear",
    "S-16",
    "the password went over the network in clear: everybody on the way could read it",
);
pub(super) const EMPTY_GROUP: Note =
    Note::new("empty-group", "RFC 3977 section 6.1.1.2", "the group holds no article now");
pub(super) const NO_GROUPS: Note =
    Note::new("no-groups", "RFC 3977 section 7.6.3", "the server names no group that matches");
pub(super) const LINE_SKIPPED: Note =
    Note::new("line-skipped", "RFC 3977 section 8.3", "a line of the list is left out: it is none of its kind");
pub(super) const DESCRIPTIONS_LEFT_OUT: Note = Note::new(
    "descriptions-left-out",
    "S-49",
    "the server describes its groups at more length than is kept: some descriptions are left out",
);
pub(super) const NO_OVERVIEW: Note = Note::new(
    "no-overview",
    "RFC 977 section 3.2",
    "the server has no overview of the group: the headers of its newest articles were read one by one",
);
