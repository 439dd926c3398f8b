//! The targets, by name. Each file says what it proves, and what its input is.

mod ardp;
mod find;
mod finger;
mod ftp;
mod gopher;
mod http;
mod nntp;
mod parse;
mod prospero;
mod repair;
mod smtp;
mod telnet;
mod wais;

/// A target: it panics if what it proves is not true of an input.
pub type Target = fn(&[u8]);

/// All targets, in the order of their names. Each has a dictionary in `fuzz/dicts`.
#[rustfmt::skip]
pub const ALL: &[(&str, Target)] = &[
    ("ardp", ardp::run),
    ("find", find::run),
    ("finger", finger::run),
    ("ftp", ftp::run),
    ("gopher", gopher::run),
    ("http", http::run),
    ("nntp", nntp::run),
    ("parse", parse::run),
    ("prospero", prospero::run),
    ("repair", repair::run),
    ("smtp", smtp::run),
    ("telnet", telnet::run),
    ("wais", wais::run),
];

/// The target of this name.
pub fn named(name: &str) -> Option<Target> {
    ALL.iter().find(|(known, _)| *known == name).map(|(_, target)| *target)
}
