//! Chinese: simplified characters, terms of the mainland (D-108), no space beside Latin letters.

mod causes;
mod guard;
mod sentences;

/// All texts of this crate, by the English ones: a file for each subject.
pub(crate) const PHRASES: &[&[(&str, &str)]] = &[causes::CAUSES, guard::GUARD, sentences::SENTENCES];
