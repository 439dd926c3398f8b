//! What can be known of a document as a whole, and where to resume one (S-31).

use std::time::SystemTime;

/// What is known of a document as a whole; `None` means unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// Its length in octets.
    pub size: Option<u64>,
    /// When it was last changed.
    pub modified: Option<SystemTime>,
    /// A text that stays the same only while the octets do: the strong `ETag` of HTTP, with its quotation marks.
    pub validator: Option<String>,
    /// The media type as the server or the name gives it; octets that are not printable US-ASCII are escaped.
    pub media_type: Option<String>,
}

/// The part of a document that is already there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resume {
    /// Its length in octets, counted from the first one.
    pub offset: u64,
    /// What was known of the document when that part was transferred.
    pub metadata: Metadata,
}
