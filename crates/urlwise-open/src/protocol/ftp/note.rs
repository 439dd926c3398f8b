//! The notes of ftp dialogues, one table.

use crate::language::words;
use crate::protocol::Note;

pub(super) const PASSWORD_IN_CLEAR: Note = Note::new(
    "password-in-clear",
    "S-16",
    words!("the password was sent without encryption; others on the network path could read it"),
);
pub(super) const NO_TLS: Note = Note::new(
    "no-tls",
    "RFC 4217 section 4",
    words!("the server does not offer TLS; everything was sent without encryption"),
);
pub(super) const TEXT_GUESSED: Note = Note::new(
    "text-guessed",
    "RFC 1738 section 3.2.3, D-34",
    words!("the file was sent as text because of its name, so its octets may differ; `;type=i` in the URL keeps them"),
);
pub(super) const EMPTY_LIST: Note = Note::new(
    "empty-list",
    "RFC 959 section 5.4",
    words!("the list is empty: the directory is empty or does not exist"),
);
pub(super) const MLSD_LINE_SKIPPED: Note = line_skipped("RFC 3659 section 7.2");
pub(super) const LIST_LINE_SKIPPED: Note = line_skipped("RFC 959 section 4.1.3, D-97");
pub(super) const LIST_DATES: Note = Note::new(
    "list-dates",
    "RFC 959 section 4.1.3, D-97",
    words!("the dates of this list are in the server's time zone, which is unknown; they are shown as UTC"),
);
pub(super) const RESUME_CHANGED: Note = Note::new(
    "resume-changed",
    "S-31",
    words!("the file may have changed since the partial transfer; it is sent from the beginning"),
);
pub(super) const IS_DIRECTORY: Note = Note::new(
    "is-directory",
    "RFC 1738 section 3.2.2",
    words!("the URL names a directory without the slash that lists it"),
);

const fn line_skipped(rule: &'static str) -> Note {
    Note::new("line-skipped", rule, words!("a line of the list is malformed and was skipped"))
}
