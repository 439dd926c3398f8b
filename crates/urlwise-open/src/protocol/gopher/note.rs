//! The notes of gopher answers, one table.

use crate::language::words;
use crate::protocol::Note;

pub(super) const END_NOT_AUTHENTICATED: Note = Note::new(
    "end-not-authenticated",
    "RFC 8446 section 6.1",
    words!("TLS ended without `close_notify`, so the answer may be incomplete"),
);
pub(super) const NOT_GOPHER_PLUS: Note = Note::new(
    "not-gopher-plus",
    "Gopher+ section 2.3",
    words!("the server answered without a Gopher+ header, so this is the plain gopher answer"),
);
pub(super) const PROBABLE_ERROR: Note = Note::new(
    "probable-error",
    "RFC 1436 section 3.8",
    words!("the answer looks like an error message, not like the item"),
);
pub(super) const DOTS_KEPT: Note = Note::new(
    "dots-kept",
    "RFC 1436 appendix",
    words!(
        "lines that start with two dots are unchanged: the text is too long to find out whether the server doubles dots"
    ),
);
pub(super) const CLOSING_DOT_MISSING: Note = Note::new(
    "closing-dot-missing",
    "Gopher+ section 2.3",
    words!("the server announced a final line with a single dot but closed without it; the answer may be incomplete"),
);
pub(super) const MENU_DOT_MISSING: Note = Note::new(
    "closing-dot-missing",
    "RFC 1436 section 3.4",
    words!(
        "the menu does not end with a single dot on a line; it may be incomplete, though some servers never send the dot"
    ),
);
pub(super) const FORM_NOT_FILLED: Note = Note::new(
    "form-not-filled",
    "RFC 1738 section 3.4.5",
    words!("the URL names a form; this is its description (`!`), since `?` is never sent"),
);
pub(super) const EMPTY_ANSWER: Note = Note::new("empty-answer", "RFC 1436 section 3", words!("the answer is empty"));
