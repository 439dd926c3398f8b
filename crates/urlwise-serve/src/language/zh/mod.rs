//! Chinese: simplified characters, terms of the mainland (D-108), no space beside Latin letters.

mod documents;
mod explain;
mod frame;
mod handlers;
mod menus;
mod problems;
mod requests;

/// All texts of this crate, by the English ones: a file for each subject.
#[rustfmt::skip]
pub(crate) const PHRASES: &[&[(&str, &str)]] = &[
    documents::DOCUMENTS,
    explain::EXPLAIN,
    frame::FRAME,
    handlers::HANDLERS,
    menus::MENUS,
    problems::PROBLEMS,
    requests::REQUESTS,
];
