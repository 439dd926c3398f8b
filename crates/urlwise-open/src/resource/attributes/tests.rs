//! Attributes of items, from the octets of a server.

use super::ItemAttributes;
use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::protocol::Metadata;
use crate::protocol::gopher::GopherLimits;
use crate::resource::{Document, EntryKind, List};
use std::io::{Cursor, Read};
use urlwise::Url;

const SELF: &str = "+INFO: 1The menu\t/menu\th.dom\t70\t+\r\n+ADMIN:\r\n Admin: Joe <joe@h.dom>\r\n";
const OTHER: &str = "+INFO: gA picture\t/a.gif\th.dom\t70\t+\r\n+ABSTRACT:\r\n One line.\r\n";

fn attributes(octets: &str) -> ItemAttributes {
    let metadata = Metadata::default().with_size(octets.len() as u64);
    made(Cursor::new(octets.as_bytes().to_vec()), metadata)
}

fn made(reader: impl Read + Send + 'static, metadata: Metadata) -> ItemAttributes {
    let url = Url::parse_current("gopher://h.dom/1/menu%09%09$".to_owned()).expect("a URL");
    ItemAttributes::new(Document::from_reader(url, reader, metadata), Vec::new(), GopherLimits::default())
}

/// Whether they are about the menu itself, and how many lists and errors there are all the same.
fn about_itself(mut attributes: ItemAttributes) -> (Result<bool, ErrorKind>, usize, usize) {
    let is_about_itself = attributes.is_about_itself(b"/menu").map_err(|error| error.kind());
    let (lists, errors): (Vec<_>, Vec<_>) = attributes.partition(Result::is_ok);
    (is_about_itself, lists.len(), errors.len())
}

#[test]
fn a_menu_is_described_alone_if_its_own_list_is_the_only_one() {
    assert_eq!(about_itself(attributes(SELF)), (Ok(true), 1, 0));
    assert_eq!(about_itself(attributes(OTHER)), (Ok(false), 1, 0));
    assert_eq!(about_itself(attributes(&SELF.replace("/menu", "/other"))), (Ok(false), 1, 0));
    assert_eq!(about_itself(attributes(&SELF.replace("1The", "0The"))), (Ok(false), 1, 0));
    assert_eq!(about_itself(attributes(&[SELF, OTHER].concat())), (Ok(false), 2, 0));
    assert_eq!(about_itself(attributes("")), (Ok(false), 0, 0));
    // What two lists show is not asked of a third one.
    struct Torn(Cursor<Vec<u8>>);
    impl Read for Torn {
        fn read(&mut self, room: &mut [u8]) -> std::io::Result<usize> {
            match self.0.read(room)? {
                0 => Err(Error::new(ErrorKind::Timeout, "it is torn").into()),
                count => Ok(count),
            }
        }
    }
    let torn = |lists: &str| made(Torn(Cursor::new(lists.as_bytes().to_vec())), Metadata::default());
    assert_eq!(about_itself(torn(&[SELF, OTHER, OTHER].concat())), (Ok(false), 2, 1));
    assert_eq!(about_itself(torn(&[SELF, OTHER].concat())), (Err(ErrorKind::Timeout), 1, 0));
}

#[test]
fn an_item_without_views_has_the_media_type_of_its_gopher_type() {
    let mut lists = attributes(&[SELF, OTHER].concat());
    let [menu, picture] = [(); 2].map(|()| lists.next().expect("two").expect("it is whole"));
    let shown = format!("{lists:?}");
    assert!(shown.contains("h.dom"), "{shown}");
    assert_eq!(lists.octets_read(), (SELF.len() + OTHER.len()) as u64);
    let menu = lists.entry(&menu).expect("it is named");
    assert_eq!((menu.kind, menu.media_type, menu.description), (EntryKind::Menu, None, None));
    let picture = lists.entry(&picture).expect("it is named");
    assert_eq!((picture.kind, picture.media_type.as_deref()), (EntryKind::Document, Some("image/gif")));
    assert_eq!(picture.description.as_deref(), Some(&b"One line."[..]));
    assert_eq!(picture.url.expect("it can be opened").as_str(), "gopher://h.dom/g/a.gif%09%09+");
}

#[test]
fn a_menu_of_items_tells_each_note_once() {
    use super::Items;
    use crate::protocol::Note;
    use urlwise::Words;
    let mut items = Items { attributes: attributes(&[SELF, OTHER].concat()), told: 0 };
    let note = |code| Note::new(code, "S-1", Words::same("it is so"));
    assert_eq!(items.take_notes(), []);
    items.attributes.document.from.notes.push(note("first"));
    assert_eq!(items.take_notes(), [note("first")]);
    items.attributes.document.from.notes.push(note("second"));
    assert_eq!(items.take_notes(), [note("second")]);
    assert_eq!(items.take_notes(), []);
    let titles: Vec<_> =
        std::iter::from_fn(|| items.next_entry()).map(|entry| entry.expect("it is whole").title).collect();
    assert_eq!(titles, [&b"The menu"[..], b"A picture"]);
}
