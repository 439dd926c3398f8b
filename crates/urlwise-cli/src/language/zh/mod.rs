//! Chinese: simplified characters, terms of the mainland (D-108), no space beside Latin letters.

mod get;
mod input;
mod links;
mod opening;
mod program;
mod reports;
mod rules;
mod serving;
mod session;

/// All texts of this crate, by the English ones: a file for each subject.
#[rustfmt::skip]
pub(crate) const PHRASES: &[&[(&str, &str)]] = &[
    get::GET,
    input::INPUT,
    links::LINKS,
    opening::OPENING,
    program::PROGRAM,
    reports::REPORTS,
    rules::RULES,
    serving::SERVING,
    session::SESSION,
];
