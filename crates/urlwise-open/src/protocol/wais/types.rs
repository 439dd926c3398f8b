//! Types of documents. Servers send the name that was used when a document was indexed.

/// The type of a source description.
pub(super) const DESCRIPTION: &[u8] = b"WSRC";

const TABLE: &[(&[u8], &str)] = &[
    (b"TEXT", "text/plain"),
    (DESCRIPTION, "application/x-wais-source"),
    (b"HTML", "text/html"),
    (b"GIF", "image/gif"),
    (b"JPEG", "image/jpeg"),
    (b"TIFF", "image/tiff"),
    (b"PICT", "image/x-pict"),
    (b"PS", "application/postscript"),
    (b"DVI", "application/x-dvi"),
    (b"MPEG", "video/mpeg"),
];

/// Whether documents of this type describe a database: [`WaisSource`](super::WaisSource) reads them.
pub fn is_description(wtype: &[u8]) -> bool {
    wtype.eq_ignore_ascii_case(DESCRIPTION)
}

/// The media type of a document type; `None` for one that is not in the table.
pub fn media_type(wtype: &[u8]) -> Option<&'static str> {
    TABLE.iter().find(|(name, _)| name.eq_ignore_ascii_case(wtype)).map(|(_, media_type)| *media_type)
}
