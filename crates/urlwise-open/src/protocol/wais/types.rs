//! Types of documents. Servers send whatever name was used when a document was indexed.

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

/// The media type of a document type; `None` if it is not in the table.
pub fn media_type(wtype: &[u8]) -> Option<&'static str> {
    TABLE.iter().find(|(name, _)| name.eq_ignore_ascii_case(wtype)).map(|(_, media_type)| *media_type)
}
