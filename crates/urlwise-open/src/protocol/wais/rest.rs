//! How a document is resumed: a WAIS server sends no date or validator for a document, so its beginning is compared.

use std::fmt;
use std::str::FromStr;
use urlwise::padded;

/// Most octets of a document that are compared.
const COMPARED: usize = 4096;

/// The part of a document that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WaisRest {
    /// Its length in octets, counted from the first one.
    pub offset: u64,
    /// How the document began.
    pub beginning: WaisBeginning,
}

/// The first octets of a document: how many, and their FNV-1a hash of 64 bits. Displays as a validator, which [`FromStr`] reads.
///
/// ```
/// use urlwise_open::protocol::wais::WaisBeginning;
///
/// let beginning = WaisBeginning::of(b"a");
/// assert_eq!(beginning.to_string(), "wais-1-af63dc4c8601ec8c");
/// assert_eq!("wais-1-af63dc4c8601ec8c".parse(), Ok(beginning));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaisBeginning {
    length: u16,
    hash: u64,
}

/// A text that is not a validator of a WAIS document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotABeginning;

impl WaisRest {
    /// The first `offset` octets of a document that began like this are there already.
    pub const fn new(offset: u64, beginning: WaisBeginning) -> WaisRest {
        WaisRest { offset, beginning }
    }
}

impl WaisBeginning {
    /// That of a document that begins with these octets; the first 4,096 count.
    pub fn of(octets: &[u8]) -> WaisBeginning {
        let compared = &octets[..octets.len().min(COMPARED)];
        let hash = compared
            .iter()
            .fold(0xcbf2_9ce4_8422_2325, |hash: u64, octet| (hash ^ u64::from(*octet)).wrapping_mul(0x0100_0000_01b3));
        // No more than COMPARED.
        WaisBeginning { length: compared.len() as u16, hash }
    }

    /// How many octets are compared.
    pub fn length(&self) -> u64 {
        u64::from(self.length)
    }
}

impl fmt::Display for WaisBeginning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        padded(f, |f| write!(f, "wais-{}-{:016x}", self.length, self.hash))
    }
}

impl FromStr for WaisBeginning {
    type Err = NotABeginning;

    fn from_str(text: &str) -> Result<WaisBeginning, NotABeginning> {
        let (length, hash) = text.strip_prefix("wais-").and_then(|rest| rest.split_once('-')).ok_or(NotABeginning)?;
        let length = length.parse().map_err(|_| NotABeginning)?;
        let hash = u64::from_str_radix(hash, 16).map_err(|_| NotABeginning)?;
        let read = WaisBeginning { length, hash };
        // Any other way to write it is not ours, nor is a length of 0 or of more than is compared.
        if length == 0 || usize::from(length) > COMPARED || read.to_string() != text {
            return Err(NotABeginning);
        }
        Ok(read)
    }
}

impl fmt::Display for NotABeginning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("not a validator of a WAIS document")
    }
}

impl std::error::Error for NotABeginning {}

#[cfg(test)]
mod tests {
    use super::WaisBeginning;

    #[test]
    fn only_the_first_4096_octets_count() {
        let mut octets = vec![b'x'; 4096];
        let whole = WaisBeginning::of(&octets);
        assert_eq!(whole.length(), 4096);
        octets.push(b'y');
        assert_eq!(WaisBeginning::of(&octets), whole);
        octets[4095] = b'y';
        assert_ne!(WaisBeginning::of(&octets), whole);
    }

    #[test]
    fn texts_that_it_never_writes_are_not_read() {
        for text in [
            "",
            "wais-1",
            "wais-1-",
            "wais-0-cbf29ce484222325",
            "wais-4097-af63dc4c8601ec8c",
            "wais-1-AF63DC4C8601EC8C",
            "wais-+1-af63dc4c8601ec8c",
            "\"etag\"",
        ] {
            assert!(text.parse::<WaisBeginning>().is_err(), "{text}");
        }
        assert_eq!("wais-4096-00000000000000ff".parse::<WaisBeginning>().map(|read| read.length()), Ok(4096));
    }
}
