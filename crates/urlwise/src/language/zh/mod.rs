//! Chinese in simplified characters, with the terms of the mainland (D-108), no space beside Latin letters.

mod details;
mod parts;
mod problems;

pub(super) use problems::PROBLEMS;

/// All other texts, by the English ones.
pub(super) const PHRASES: &[&[(&str, &str)]] = &[parts::PARTS, details::DETAILS];
