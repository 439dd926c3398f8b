//! A second reader of RFC 1738, to test urlwise against.
//!
//! It shares nothing with urlwise: it takes the BNF of section 5 as the RFC prints it, tries every alternative, and then applies
//! what the [decisions](expected::FORBIDDEN_BY) say beyond the BNF. What it expects of a text, valid or not and where each part
//! stands, is what [`urlwise::Url::parse`] must find; only [`compare`] knows urlwise.

pub mod compare;
pub mod expected;
pub mod generate;
pub mod grammar;
pub mod reading;
