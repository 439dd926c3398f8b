//! What of a document is read for its links.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use urlwise::{Profile, Url};
use urlwise_links::Format;
use urlwise_open::{Document, Error};

use crate::pages::{self, LONGEST_PAGE};

/// Whether a document is HTML: by its media type, otherwise by its name.
pub(super) fn is_html(media_type: Option<&str>, name: &Path) -> bool {
    match media_type {
        Some(media_type) => pages::format(media_type) == Some(Format::Html),
        None => Format::of_path(name) == Format::Html,
    }
}

/// The beginning of a page that was saved.
pub(super) fn page(place: &Path) -> io::Result<Vec<u8>> {
    let mut octets = Vec::new();
    File::open(place)?.take(LONGEST_PAGE as u64).read_to_end(&mut octets)?;
    Ok(octets)
}

/// The first octets of a document.
pub(super) fn beginning(document: &mut Document, most: u64) -> Result<Vec<u8>, Error> {
    let mut octets = Vec::new();
    loop {
        let room = usize::try_from(most).unwrap_or(usize::MAX).saturating_sub(octets.len());
        let next = document.fill()?;
        let count = next.len().min(room);
        if count == 0 {
            return Ok(octets);
        }
        octets.extend_from_slice(&next[..count]);
        document.consume_octets(count);
    }
}

/// The URL of a reference in a page, without its fragment. As browsers do, tabs and line ends are dropped, and octets that no URL
/// may contain are encoded; with a backslash or another control character it is refused.
pub(super) fn resolved(base: &Url<String>, reference: &[u8]) -> Option<Url<String>> {
    let reference = reference.split(|octet| *octet == b'#').next().unwrap_or_default();
    let reference: Vec<u8> = reference.iter().copied().filter(|octet| !b"\t\n\r".contains(octet)).collect();
    if reference.is_empty() || reference.iter().any(|octet| octet.is_ascii_control() || *octet == b'\\') {
        return None;
    }
    let base = Url::parse_with(base.as_str(), Profile::Current).ok()?;
    base.resolve(&urlwise::encode_raw(&reference)).ok().map(urlwise::OwnedReference::into_url)
}
