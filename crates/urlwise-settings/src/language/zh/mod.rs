//! Chinese: simplified characters, terms of the mainland (D-108), no space beside Latin letters.

mod files;

/// All texts of this crate, by the English ones: a file for each subject.
pub(crate) const PHRASES: &[&[(&str, &str)]] = &[files::FILES];
