//! Quick looks: they take what most URLs are made of, at a few instructions an octet, and leave all else to the readers that know
//! the whole grammar.
//!
//! Each stands beside the test that holds it to the full reader: what it takes, the reader takes alike and reports nothing.

pub(crate) mod address;
pub(crate) mod host;
#[cfg(any(test, not(feature = "simd")))]
mod host_machine;
#[cfg(feature = "simd")]
mod host_marks;
pub(crate) mod login;
