//! The Gopher+ attributes of an item or of all items of a menu, as a resource.

use super::{Document, Entry, EntryKind, History, List, Menu};
use crate::error::Error;
use crate::protocol::gopher::{AttributeList, AttributeReader, GopherLimits, MenuItem, PlusMark};
use crate::protocol::{End, Input, Note};
use core::fmt;
use std::collections::VecDeque;
use urlwise::Url;

/// Attribute lists that are read as they arrive, one for each item: what a gopher URL with `!` or `$` names (RFC 1738 sections
/// 3.4.6 and 3.4.7).
///
/// Attributes that were not asked for are left out. After an error there are no further lists.
pub struct ItemAttributes {
    document: Document,
    reader: AttributeReader,
    /// The attributes asked for; all if empty.
    names: Vec<Vec<u8>>,
    /// Lists that have already been read.
    ahead: VecDeque<AttributeList>,
    ended: bool,
}

impl ItemAttributes {
    /// The attributes in a document that has not been read yet.
    pub(crate) fn new(document: Document, names: Vec<Vec<u8>>, limits: GopherLimits) -> ItemAttributes {
        ItemAttributes { document, reader: AttributeReader::new(limits), names, ahead: VecDeque::new(), ended: false }
    }

    /// The URL that answered.
    pub fn final_url(&self) -> &Url<String> {
        self.document.final_url()
    }

    /// Notes about the answer so far; complete once it has been read to its end.
    pub fn notes(&self) -> &[Note] {
        self.document.notes()
    }

    /// How many octets have been read so far.
    pub fn octets_read(&self) -> u64 {
        self.document.octets_read()
    }

    /// The rest of the answer as the server sends it: all of it before the first list is read.
    pub fn into_document(self) -> Document {
        self.document
    }

    /// An item as an entry of a menu, with the metadata of its attributes; `None` if they do not say which item it is.
    pub fn entry(&self, list: &AttributeList) -> Option<Entry> {
        described(list, self.final_url())
    }

    /// Whether the only item described is the menu itself, with this selector, though its items were asked for: so a server
    /// without Gopher+ (gophernicus) points Gopher+ clients to its menu.
    pub(crate) fn is_about_itself(&mut self, selector: &[u8]) -> Result<bool, Error> {
        while self.ahead.len() < 2 {
            match self.next_list().transpose()? {
                Some(list) => self.ahead.push_back(list),
                None => break,
            }
        }
        let is_menu = |item: MenuItem| item.gtype == b'1' && item.selector == selector;
        Ok(self.ahead.len() == 1 && self.ahead[0].info().is_some_and(is_menu))
    }

    fn next_list(&mut self) -> Option<Result<AttributeList, Error>> {
        let is_counted = self.document.size().is_some();
        while !self.ended {
            let octets = match self.document.fill() {
                Ok(octets) => octets,
                Err(error) => {
                    self.ended = true;
                    return Some(Err(error));
                }
            };
            let (count, is_over) = (octets.len(), octets.is_empty());
            // Only a length proves that the last octet was meant to be the last.
            let end = if is_counted { End::Closed } else { End::Broken };
            let mut input = if is_over { Input::closed(end) } else { Input::new(octets) };
            let next = self.reader.next(&mut input);
            let taken = count - input.octets().len();
            self.document.consume_octets(taken);
            match next {
                Some(Ok(list)) => return Some(Ok(list.only(&self.names))),
                Some(Err(fault)) => {
                    self.ended = true;
                    return Some(Err(Error::from(fault).at_url(self.final_url())));
                }
                None => self.ended = is_over,
            }
        }
        None
    }

    /// The items as a menu.
    pub(crate) fn into_menu(self) -> Menu {
        let from = History::of(self.final_url().clone());
        Menu::new(Box::new(Items { attributes: self, told: 0 }), from)
    }
}

impl Iterator for ItemAttributes {
    type Item = Result<AttributeList, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.ahead.pop_front().map(Ok).or_else(|| self.next_list())
    }
}

impl fmt::Debug for ItemAttributes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ItemAttributes").field("document", &self.document).finish_non_exhaustive()
    }
}

/// The items of attribute lists as entries.
struct Items {
    attributes: ItemAttributes,
    /// How many notes have been passed on.
    told: usize,
}

impl List for Items {
    fn next_entry(&mut self) -> Option<Result<Entry, Error>> {
        loop {
            match self.attributes.next()? {
                Ok(list) => {
                    if let Some(entry) = self.attributes.entry(&list) {
                        return Some(Ok(entry));
                    }
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }

    fn take_notes(&mut self) -> Vec<Note> {
        let fresh = self.attributes.notes()[self.told..].to_vec();
        self.told += fresh.len();
        fresh
    }
}

/// The entry of an item with its metadata: size and type are those of the preferred view.
fn described(list: &AttributeList, menu: &Url<String>) -> Option<Entry> {
    let entry = entry(&list.info()?, menu);
    let view = list.views().into_iter().next();
    let media_type = view.as_ref().map(|view| urlwise::escape_for_display(&view.media_type).to_string());
    Some(Entry {
        size: view.and_then(|view| view.size),
        modified: list.modified(),
        media_type: media_type.or(entry.media_type),
        description: list.description(),
        ..entry
    })
}

/// A menu line as an entry with an untrusted link.
pub(crate) fn entry(item: &MenuItem, menu: &Url<String>) -> Entry {
    let item_type = item.item_type();
    let kind = match item.plus {
        Some(PlusMark::Form) => EntryKind::Form,
        _ => item_type.opens.into(),
    };
    Entry {
        url: item.url(menu),
        media_type: item_type.media_type.map(str::to_owned),
        ..Entry::new(item.display.clone(), kind)
    }
}

#[cfg(test)]
mod tests;
