//! What the names of partial files end with. No document that is [named](super::name) after its URL ends so.

/// The suffix of a partial file.
pub(super) const PART: &str = ".part";

/// The suffix of the description of a partial file.
pub(super) const INFO: &str = ".part.json";

/// Both suffixes, the longer one last.
pub(super) const SUFFIXES: [&str; 2] = [PART, INFO];

/// The length of the longest suffix.
pub(super) const LONGEST_SUFFIX: usize = INFO.len();
