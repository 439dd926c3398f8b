//! Item types as data: RFC 1436 section 3.8, the Gopher+ paper, and what today's servers add.

use crate::language::words;
use urlwise::Words;

/// How the answer for an item type is read. There will be no others: a gopher answer ends in one of these ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transfer {
    /// Lines, perhaps with doubled dots and a closing dot.
    Text,
    /// A menu, one item per line.
    Menu,
    /// Octets up to the close, unchanged.
    Binary,
    /// Not fetched by gopher at all.
    Elsewhere {
        /// Why, without a capital and a full stop.
        why: Words,
        /// The help.
        help: Words,
        /// Where the type comes from.
        rule: &'static str,
    },
}

/// What opening an item returns. There will be no others: a type that is in no table is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opens {
    /// A document.
    Document,
    /// A menu.
    Menu,
    /// A menu, after asking for words.
    Search,
    /// A session with another program (telnet, tn3270, a phone book).
    Session,
    /// Nothing: it is text to read.
    Info,
    /// Nothing: the server reports an error.
    Error,
    /// Unknown: the type is in no table.
    Unknown,
}

/// The properties of an item type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ItemType {
    /// Its name in plain words: `text`, `phone book`.
    pub name: &'static str,
    /// How its answer is read.
    pub transfer: Transfer,
    /// What opening it returns.
    pub opens: Opens,
    /// The media type of its answer; `None` if the type does not determine one (a menu, "an image").
    pub media_type: Option<&'static str>,
}

impl ItemType {
    /// The properties of the type `gtype`; a type in no table is unknown, and fetched as octets.
    pub fn of(gtype: u8) -> &'static ItemType {
        TABLE.iter().find(|(known, _)| *known == gtype).map_or(&UNKNOWN, |(_, item_type)| item_type)
    }
}

const fn row(
    gtype: u8,
    name: &'static str,
    transfer: Transfer,
    opens: Opens,
    media_type: Option<&'static str>,
) -> (u8, ItemType) {
    let item_type = ItemType { name, transfer, opens, media_type };
    (gtype, item_type)
}

const RFC_1436: &str = "RFC 1436 section 3.8";

const PHONE_BOOK: Transfer = Transfer::Elsewhere {
    why: words!("a phone book (item type 2) uses the CSO protocol"),
    help: words!("use a CSO (`ph`) client with this host and port"),
    rule: RFC_1436,
};
const TELNET: Transfer = Transfer::Elsewhere {
    why: words!("item type 8 is a telnet session"),
    help: words!("open `telnet://` with this host and port; the selector is the suggested login name"),
    rule: RFC_1436,
};
const TN3270: Transfer = Transfer::Elsewhere {
    why: words!("item type T is a TN3270 session"),
    help: words!("use a TN3270 client with this host and port; the selector is the suggested login name"),
    rule: RFC_1436,
};
const INFO: Transfer = Transfer::Elsewhere {
    why: words!("item type i is an informational line and does not refer to anything"),
    help: words!("open the menu that contains it"),
    rule: "item type i, in use without a document",
};

const UNKNOWN: ItemType = row(0, "unknown", Transfer::Binary, Opens::Unknown, None).1;

#[rustfmt::skip]
const TABLE: [(u8, ItemType); 24] = [
    // RFC 1436 section 3.8
    row(b'0', "text",          Transfer::Text,   Opens::Document, Some("text/plain")),
    row(b'1', "menu",          Transfer::Menu,   Opens::Menu,     None),
    row(b'2', "phone book",    PHONE_BOOK,       Opens::Session,  None),
    row(b'3', "error",         Transfer::Text,   Opens::Error,    Some("text/plain")),
    row(b'4', "BinHex",        Transfer::Text,   Opens::Document, Some("application/mac-binhex40")),
    row(b'5', "DOS archive",   Transfer::Binary, Opens::Document, Some("application/octet-stream")),
    row(b'6', "uuencoded",     Transfer::Text,   Opens::Document, Some("text/plain")),
    row(b'7', "search",        Transfer::Menu,   Opens::Search,   None),
    row(b'8', "telnet",        TELNET,           Opens::Session,  None),
    row(b'9', "binary",        Transfer::Binary, Opens::Document, Some("application/octet-stream")),
    row(b'T', "tn3270",        TN3270,           Opens::Session,  None),
    row(b'g', "GIF image",     Transfer::Binary, Opens::Document, Some("image/gif")),
    row(b'I', "image",         Transfer::Binary, Opens::Document, None),
    // The Gopher+ paper
    row(b':', "bitmap",        Transfer::Binary, Opens::Document, None),
    row(b';', "video",         Transfer::Binary, Opens::Document, None),
    row(b'<', "sound",         Transfer::Binary, Opens::Document, None),
    // In use without a document. HTML and mail are never stripped of dots, so they are read as octets.
    row(b'i', "info",          INFO,             Opens::Info,     None),
    row(b'h', "HTML",          Transfer::Binary, Opens::Document, Some("text/html")),
    row(b's', "sound",         Transfer::Binary, Opens::Document, None),
    row(b'd', "document",      Transfer::Binary, Opens::Document, None),
    row(b'c', "calendar",      Transfer::Binary, Opens::Document, None),
    row(b'M', "mail",          Transfer::Binary, Opens::Document, Some("multipart/mixed")),
    row(b'P', "PDF",           Transfer::Binary, Opens::Document, Some("application/pdf")),
    row(b'v', "VRML",          Transfer::Binary, Opens::Document, Some("model/vrml")),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_is_in_the_table_once() {
        for (index, (gtype, _)) in TABLE.iter().enumerate() {
            assert!(TABLE[..index].iter().all(|(other, _)| other != gtype), "{}", char::from(*gtype));
        }
    }

    #[test]
    fn unknown_type_is_fetched_as_octets() {
        assert_eq!(ItemType::of(b'~').opens, Opens::Unknown);
        assert_eq!(ItemType::of(b'~').transfer, Transfer::Binary);
    }
}
