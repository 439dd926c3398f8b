//! Metadata of complete documents, and where to resume a transfer (S-31).

use std::time::SystemTime;

/// The metadata of a complete document; `None` means unknown.
///
/// ```
/// use urlwise_open::Metadata;
///
/// let metadata = Metadata::default().with_size(1_024).with_media_type("text/plain");
/// assert_eq!((metadata.size, metadata.modified), (Some(1_024), None));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
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

impl Metadata {
    /// With this length in octets.
    #[must_use]
    pub fn with_size(self, size: u64) -> Metadata {
        Metadata { size: Some(size), ..self }
    }

    /// With this time of the last change.
    #[must_use]
    pub fn with_modified(self, modified: SystemTime) -> Metadata {
        Metadata { modified: Some(modified), ..self }
    }

    /// With this validator.
    #[must_use]
    pub fn with_validator(self, validator: impl Into<String>) -> Metadata {
        Metadata { validator: Some(validator.into()), ..self }
    }

    /// With this media type.
    #[must_use]
    pub fn with_media_type(self, media_type: impl Into<String>) -> Metadata {
        Metadata { media_type: Some(media_type.into()), ..self }
    }
}

/// The part of a document that was already transferred.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Resume {
    /// Its length in octets, counted from the first one.
    pub offset: u64,
    /// The metadata of the document when that part was transferred.
    pub metadata: Metadata,
}

impl Resume {
    /// Resumes after the first `offset` octets of a document that had this `metadata`.
    pub fn new(offset: u64, metadata: Metadata) -> Resume {
        Resume { offset, metadata }
    }
}

#[cfg(test)]
mod tests {
    use super::Metadata;
    use std::time::SystemTime;

    #[test]
    fn each_field_is_set_beside_the_others() {
        let (size, modified, text) = (Some(1), Some(SystemTime::UNIX_EPOCH), |text: &str| Some(text.to_owned()));
        let (validator, media_type) = (text("v"), text("a/b"));
        let whole = Metadata { size, modified, validator, media_type };
        let metadata = Metadata::default().with_size(1).with_modified(SystemTime::UNIX_EPOCH);
        assert_eq!(metadata.with_validator("v").with_media_type("a/b"), whole);
        let metadata = Metadata::default().with_media_type("a/b").with_validator("v");
        assert_eq!(metadata.with_modified(SystemTime::UNIX_EPOCH).with_size(1), whole);
    }
}
