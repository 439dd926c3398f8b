//! The two readers side by side.

use crate::expected::{Expected, Part};
use urlwise::{Profile, Url};

/// What the two readers make of a text.
#[derive(Debug)]
pub struct Compared {
    /// By the table: the parts of a URL, or why it is not one.
    pub expected: Result<Vec<Part>, &'static str>,
    /// By urlwise; `None` if it is no URL.
    pub found: Option<Vec<Part>>,
}

impl Compared {
    /// Reads the text by both.
    pub fn of(expected: &Expected, text: &[u8]) -> Compared {
        let found = Url::from_octets(text, Profile::Rfc1738).ok().map(|url| {
            let mut parts: Vec<Part> = url.parts().map(|part| (part.name(), part.span())).collect();
            parts.sort_by_key(|(name, at)| (at.start, at.end, *name));
            parts
        });
        Compared { expected: expected.of(text), found }
    }

    /// Whether both read the same URL, or neither reads one.
    pub fn agrees(&self) -> bool {
        self.expected.as_ref().ok() == self.found.as_ref()
    }
}
