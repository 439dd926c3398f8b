//! Opens URLs.

pub mod protocol;
pub mod text;
