//! Japanese: である調, terms of the RFC's Japanese translations where they are right (D-108), no space beside Latin letters.

mod audit;
mod characters;
mod compare;
mod details;
mod errors;
mod findings;
mod parts;
mod problems;
mod repair;

pub(super) use audit::RULES;
pub(super) use characters::CHARACTERS;
pub(super) use problems::PROBLEMS;

/// All other texts, by the English ones.
pub(crate) const PHRASES: &[&[(&str, &str)]] =
    &[parts::PARTS, details::DETAILS, findings::FINDINGS, repair::REPAIR, compare::COMPARE, errors::ERRORS];
