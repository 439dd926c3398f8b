//! Document-ids: opaque octets that are returned to the server unchanged, and how URLs write them (D-62).

use super::field::{WaisFields, write_field};
use crate::language::{listed, message, words};
use crate::protocol::digits::number;
use std::fmt::{self, Write as _};
use urlwise::{Encoded, Message, Words, escape_for_display};

/// The tags that freeWAIS puts into a document-id: server, database and local id of the original (1, 2, 3) and of the
/// distributor (4, 5, 6), the copyright disposition (7), and three that are reserved.
const TAGS: std::ops::RangeInclusive<u32> = 1..=10;

/// Stands in a plan for the id of a hit that is not known yet.
pub(super) const FORESEEN: &[u8] = b"the document-id of that hit";

/// The meaning of each tag; those after them are reserved.
const NAMES: [Words; 7] = [
    words!("server"),
    words!("database"),
    words!("local id"),
    words!("distributor's server"),
    words!("distributor's database"),
    words!("distributor's local id"),
    words!("copyright disposition"),
];

/// The name of a document on its server. The host inside it is never connected to: the URL's host is the peer.
#[derive(Clone, PartialEq, Eq)]
pub struct DocumentId {
    octets: Vec<u8>,
    length: Option<u64>,
}

impl DocumentId {
    /// An id as a server sent it.
    pub fn new(octets: impl Into<Vec<u8>>) -> DocumentId {
        DocumentId { octets: octets.into(), length: None }
    }

    /// The id in a wpath, in any of the forms in use, tried in this order:
    ///
    /// 1. text, `2=/idx;3=0%20214%20/note;7=%00;`: fields of a tag and a value, the value encoded;
    /// 2. the same after the document's length and a slash, as Lynx writes it;
    /// 3. the octets of the id, encoded, as in RFC 1738;
    /// 4. 1 or 2 encoded once more, as the grammar of RFC 1738 requires;
    /// 5. anything else: the decoded octets.
    ///
    /// ```
    /// use urlwise::{Locator, Profile, Url};
    /// use urlwise_open::protocol::wais::DocumentId;
    ///
    /// let id = |text: &str| {
    ///     let url = Url::parse_with(text.to_owned(), Profile::Current).expect("a wais URL");
    ///     let Locator::Wais(wais) = url.locator() else { unreachable!() };
    ///     DocumentId::from_wpath(wais.wpath().expect("a document"))
    /// };
    /// let opaque = id("wais://h.dom/db/TEXT/%02%04%2Fidx%03%06%30%20%31%20%2Fa");
    /// assert_eq!(id("wais://h.dom/db/TEXT/2=/idx;3=0%201%20/a;").octets(), opaque.octets());
    /// assert_eq!(id("wais://h.dom/db/TEXT/214/2=/idx;3=0%201%20/a;").length(), Some(214));
    /// assert_eq!(id("wais://h.dom/db/TEXT/2%3D%2Fidx%3B3%3D0%2520%31%2520%2Fa%3B").octets(), opaque.octets());
    /// ```
    pub fn from_wpath(wpath: Encoded<'_>) -> DocumentId {
        let decoded = wpath.decode();
        from_text(wpath.as_str().as_bytes())
            .or_else(|| is_fields(&decoded).then(|| DocumentId::new(&*decoded)))
            .or_else(|| from_text(&decoded))
            .unwrap_or_else(|| DocumentId::new(decoded.into_owned()))
    }

    /// The octets that are sent.
    pub fn octets(&self) -> &[u8] {
        &self.octets
    }

    /// The octets for display, escaped: the fields of freeWAIS by their names, anything else unchanged.
    pub fn in_words(&self) -> Message {
        if *self.octets == *FORESEEN {
            return words!("the document-id of that hit").into();
        }
        if !is_fields(&self.octets) {
            return self.to_string().into();
        }
        let mut fields = WaisFields::of(&self.octets);
        let mut pieces = Vec::new();
        while let Ok(Some(field)) = fields.next() {
            let name = (field.tag as usize).checked_sub(1).and_then(|index| NAMES.get(index));
            let name = match name {
                Some(name) => Message::from(*name),
                None => message!("field {number}", number = field.tag),
            };
            let value = escape_for_display(field.octets).to_string();
            pieces.push(message!("{name} \"{value}\"", name = name, value = value));
        }
        listed(pieces)
    }

    /// The file that freeWAIS has the document in, and the octet of the file at which the document begins: the local id of the
    /// distributor, or of the original, which is written `START END PATH`. `None` for any other id.
    ///
    /// ```
    /// use urlwise_open::protocol::wais::DocumentId;
    ///
    /// let id = DocumentId::new(&b"\x02\x04/idx\x03\x0d7 214 /d/note"[..]);
    /// assert_eq!(id.file(), Some((7, &b"/d/note"[..])));
    /// ```
    pub fn file(&self) -> Option<(u64, &[u8])> {
        if !is_fields(&self.octets) {
            return None;
        }
        let mut fields = WaisFields::of(&self.octets);
        let (mut original, mut distributor) = (None, None);
        while let Ok(Some(field)) = fields.next() {
            match field.tag {
                3 => original = Some(field.octets),
                6 => distributor = Some(field.octets),
                _ => {}
            }
        }
        let mut parts = distributor.or(original)?.splitn(3, |octet| *octet == b' ');
        let mut number = || std::str::from_utf8(parts.next()?).ok()?.parse::<u64>().ok();
        let (start, _end) = (number()?, number()?);
        let path = parts.next().filter(|path| !path.is_empty())?;
        Some((start, path))
    }

    /// The name of the document: that of the [file](DocumentId::file), after the octet where it begins if the file holds several, or
    /// else the id itself.
    ///
    /// ```
    /// use urlwise_open::protocol::wais::DocumentId;
    ///
    /// assert_eq!(DocumentId::new(&b"\x02\x04/idx\x03\x0d7 214 /d/note"[..]).name(), b"7-note");
    /// assert_eq!(DocumentId::new(&b"note 18"[..]).name(), b"note 18");
    /// ```
    pub fn name(&self) -> Vec<u8> {
        match self.file() {
            Some((start, path)) => {
                let last = path.rsplit(|octet| *octet == b'/').find(|segment| !segment.is_empty()).unwrap_or_default();
                if start == 0 { last.to_vec() } else { [start.to_string().as_bytes(), b"-", last].concat() }
            }
            None => self.octets.clone(),
        }
    }

    /// The length of the document in octets, where the URL says it; only the form of Lynx does.
    pub fn length(&self) -> Option<u64> {
        self.length
    }

    /// The wpath that Lynx reads, for a document of that many octets: form 2 above. `None` for an id that does not consist of
    /// freeWAIS fields. It is valid under the profile `current` only.
    pub fn lynx_wpath(&self, length: u64) -> Option<String> {
        if !is_fields(&self.octets) {
            return None;
        }
        let mut fields = WaisFields::of(&self.octets);
        let mut text = format!("{length}/");
        while let Ok(Some(field)) = fields.next() {
            // Writing to a String cannot fail.
            let _ = write!(text, "{}=", field.tag);
            for &octet in field.octets {
                let _ = match octet {
                    b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'/' | b'-' | b'_' | b'$' => {
                        write!(text, "{}", char::from(octet))
                    }
                    _ => write!(text, "%{octet:02X}"),
                };
            }
            text.push(';');
        }
        Some(text)
    }
}

impl fmt::Display for DocumentId {
    /// The octets, escaped.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        escape_for_display(&self.octets).fmt(f)
    }
}

impl fmt::Debug for DocumentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DocumentId({self}")?;
        match self.length {
            Some(length) => write!(f, ", {length} octets)"),
            None => f.write_str(")"),
        }
    }
}

/// Whether these octets are exactly the fields of a freeWAIS id.
fn is_fields(octets: &[u8]) -> bool {
    let mut fields = WaisFields::of(octets);
    loop {
        match fields.next() {
            Ok(Some(field)) if TAGS.contains(&field.tag) => {}
            Ok(None) => return !octets.is_empty(),
            _ => return false,
        }
    }
}

/// The id in text form, with or without the length that Lynx puts before it.
fn from_text(text: &[u8]) -> Option<DocumentId> {
    let (length, fields) = match text.iter().position(|octet| !octet.is_ascii_digit()) {
        Some(slash) if slash > 0 && text[slash] == b'/' => (Some(number(&text[..slash])?), &text[slash + 1..]),
        _ => (None, text),
    };
    let mut octets = Vec::new();
    for field in fields.split(|octet| *octet == b';').filter(|field| !field.is_empty()) {
        let equals = field.iter().position(|octet| *octet == b'=')?;
        let tag = number(&field[..equals]).filter(|tag| TAGS.contains(tag))?;
        write_field(tag, &urlwise::decode(&field[equals + 1..]), &mut octets);
    }
    (!octets.is_empty()).then_some(DocumentId { octets, length })
}
