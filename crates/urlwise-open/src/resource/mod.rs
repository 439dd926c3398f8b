//! What a URL names: a document to read, a menu of further URLs, a session, a mail to write.

mod answer;
#[cfg(feature = "news")]
pub mod article;
#[cfg(feature = "gopher")]
pub(crate) mod attributes;
#[cfg(feature = "news")]
pub mod charset;
pub(crate) mod date;
pub(crate) mod draft;
#[cfg(feature = "gopher")]
pub(crate) mod form;
#[cfg(any(feature = "gopher", feature = "news"))]
pub(crate) mod local_lines;
mod own;
mod probed;
#[cfg(feature = "telnet")]
pub(crate) mod session;

pub(crate) use answer::Entries;

use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::language::{message, words};
#[cfg(feature = "gopher")]
use crate::protocol::gopher::Opens;
use crate::protocol::{Hint, Metadata, Note};
#[cfg(feature = "telnet")]
use crate::resource::session::Session;
#[cfg(feature = "gopher")]
use attributes::ItemAttributes;
use core::fmt;
use draft::MessageDraft;
#[cfg(feature = "gopher")]
use form::Form;
use std::io::{self, BufRead, Read, Write};
use std::time::SystemTime;
use urlwise::Url;

/// What was opened. There may be others: a scheme may name something else.
#[non_exhaustive]
#[derive(Debug)]
pub enum Resource {
    /// Octets: a file, a page, a text.
    Document(Document),
    /// Entries, each with its own URL: a directory, a gopher menu.
    Menu(Menu),
    /// The attributes of Gopher+ items.
    #[cfg(feature = "gopher")]
    Attributes(ItemAttributes),
    /// Questions to answer first: a Gopher+ form.
    #[cfg(feature = "gopher")]
    Form(Form),
    /// A mail to write: mailto.
    Draft(MessageDraft),
    /// A session with a server, for a person: telnet.
    #[cfg(feature = "telnet")]
    Session(Box<Session>),
}

/// Octets, read as they arrive in constant memory.
///
/// Read it like any [`Read`] or [`BufRead`]; [`Error::of`] finds the [`Error`] inside an [`io::Error`]. The end is reported
/// only when the protocol says that the document is complete: an early end is an error of kind [`ErrorKind::Partial`].
pub struct Document {
    body: Box<dyn Body>,
    size: Option<u64>,
    max_size: Option<u64>,
    media_type: Option<String>,
    from: History,
    metadata: Metadata,
    /// The offset in the document at which the octets begin.
    offset: u64,
    /// What the server reports instead of a document, if this is the body of its answer.
    failure: Option<Error>,
    /// Octets consumed, and octets handed out that may still be consumed.
    read: u64,
    given: usize,
}

/// Entries, read as they arrive.
/// After an error there are no further entries.
pub struct Menu {
    list: Box<dyn List>,
    from: History,
    ended: bool,
    are_methods: bool,
}

/// How a resource was reached.
#[derive(Debug)]
pub(crate) struct History {
    pub(crate) final_url: Url<String>,
    pub(crate) redirects: Vec<Url<String>>,
    pub(crate) notes: Vec<Note>,
}

impl History {
    /// The resource is where the URL says.
    pub(crate) fn of(url: Url<String>) -> History {
        History { final_url: url, redirects: Vec::new(), notes: Vec::new() }
    }
}

impl Resource {
    /// Adds the URLs it was reached through, the one given first, and notes about the way.
    pub(crate) fn via(mut self, redirects: Vec<Url<String>>, notes: Vec<Note>) -> Resource {
        let from = match &mut self {
            Resource::Document(document) => Some(&mut document.from),
            Resource::Menu(menu) => Some(&mut menu.from),
            // These only know their own URL.
            #[cfg(feature = "gopher")]
            Resource::Attributes(_) | Resource::Form(_) => None,
            #[cfg(feature = "telnet")]
            Resource::Session(_) => None,
            Resource::Draft(_) => None,
        };
        if let Some(from) = from {
            from.redirects.splice(0..0, redirects);
            // Earlier stops may have added the same note.
            from.notes.retain(|note| !notes.contains(note));
            from.notes.splice(0..0, notes);
        }
        self
    }
}

/// One line of a menu.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Entry {
    /// The URL to open for it; `None` if it names nothing that can be opened, or nothing that a URL can express.
    pub url: Option<Url<String>>,
    /// Its name as the server or the file system gives it: octets; [escape](urlwise::escape_for_display) them before showing them.
    pub title: Vec<u8>,
    /// What opening it would return.
    pub kind: EntryKind,
    /// The size in octets; `None` if unknown. In Gopher+ precise to a tenth of a KiB at best.
    pub size: Option<u64>,
    /// The last change; `None` if unknown.
    pub modified: Option<SystemTime>,
    /// The media type, from the protocol or the suffix of the name; `None` if unknown.
    pub media_type: Option<String>,
    /// The number of lines; `None` if unknown, as in most protocols.
    pub lines: Option<u64>,
    /// How well it matches the search, more is better, without a defined upper bound. `None` outside of searches.
    pub score: Option<u32>,
    /// A longer description: the purpose of a newsgroup, the abstract of Gopher+. Octets like the [title](Entry::title), lines
    /// ended by LF; `None` without one.
    pub description: Option<Vec<u8>>,
    /// The author: the From header of a news article. Octets like the title; `None` in most protocols.
    pub from: Option<Vec<u8>>,
    /// Its number, where the protocol numbers entries: that of an article in its group.
    pub number: Option<u64>,
    /// The Message-ID of a news article, without `<` and `>`; `None` for everything else.
    pub message_id: Option<Vec<u8>>,
    /// The Message-IDs of the articles that a news article answers, the oldest first, at most 32. Empty for everything else.
    pub references: Vec<Vec<u8>>,
    /// Other URLs of the same thing, less specific than [`url`](Entry::url): the news URL beside an nntp URL. Mostly empty.
    pub also: Vec<Url<String>>,
}

/// What opening an [`Entry`] would return. There may be others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EntryKind {
    /// Octets.
    Document,
    /// Further entries.
    Menu,
    /// Entries, for a search with words that the user enters.
    Search,
    /// An interactive session: telnet.
    Session,
    /// Questions to answer first: Gopher+ ASK.
    Form,
    /// Nothing: a line of text for people.
    Info,
    /// Nothing: the server reports an error.
    Error,
    /// Unknown, or nothing that can be read (a device, a socket).
    Unknown,
}

/// Where a document's octets come from.
pub(crate) trait Body: Send {
    /// The available octets, after waiting until there are some; empty at the end.
    fn fill(&mut self) -> Result<&[u8], Error>;

    /// Marks the first `count` of them as used.
    fn consume(&mut self, count: usize);

    /// Notes made since the last call.
    fn take_notes(&mut self) -> Vec<Note>;
}

/// Where a menu's entries come from.
pub(crate) trait List: Send {
    /// The next entry; `None` at the end.
    fn next_entry(&mut self) -> Option<Result<Entry, Error>>;

    /// Notes made since the last call.
    fn take_notes(&mut self) -> Vec<Note>;
}

/// One entry.
struct Single(Option<Entry>);

impl List for Single {
    fn next_entry(&mut self) -> Option<Result<Entry, Error>> {
        self.0.take().map(Ok)
    }

    fn take_notes(&mut self) -> Vec<Note> {
        Vec::new()
    }
}

impl Document {
    /// A document that has not been read yet.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] if it is known to be longer than `max_size`.
    pub(crate) fn new(
        body: Box<dyn Body>,
        size: Option<u64>,
        max_size: Option<u64>,
        media_type: Option<String>,
        from: History,
    ) -> Result<Document, Error> {
        let metadata = Metadata { size, media_type: media_type.clone(), ..Metadata::default() };
        let (offset, failure, read, given) = (0, None, 0, 0);
        let document = Document { body, size, max_size, media_type, from, metadata, offset, failure, read, given };
        match (size, max_size) {
            (Some(size), Some(max)) if size > max => Err(document.too_long(max)),
            _ => Ok(document),
        }
    }

    /// The size of the whole document in octets, if it was announced.
    pub fn size(&self) -> Option<u64> {
        self.size
    }

    /// Sets all metadata of the document, and the offset of the first octet that follows.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] if it is known to be longer than `max_size`.
    pub(crate) fn with(mut self, metadata: Metadata, offset: u64) -> Result<Document, Error> {
        self.size = metadata.size.or(self.size);
        self.metadata = metadata;
        self.offset = offset;
        match (self.size, self.max_size) {
            (Some(size), Some(max)) if size > max => Err(self.too_long(max)),
            _ => Ok(self),
        }
    }

    /// Says that these are the octets of an answer that is an error.
    #[cfg(feature = "http")]
    pub(crate) fn failing(self, failure: Option<Error>) -> Document {
        let via = self.from.redirects.iter().map(|url| url.masked().to_string());
        let failure = failure.map(|error| error.at_url(&self.from.final_url).after(via));
        Document { failure, ..self }
    }

    /// The error that the server reports, if this is not the document but what an
    /// [error answer](crate::OpenOptions::error_body) brings. `None` for every document that was found.
    pub fn failure(&self) -> Option<&Error> {
        self.failure.as_ref()
    }

    /// Takes the [error](Document::failure), to return it once the answer has been read.
    pub fn take_failure(&mut self) -> Option<Error> {
        self.failure.take()
    }

    /// The offset of its first octet in the complete document: 0 unless it was [resumed](crate::OpenOptions::resume).
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The metadata of the complete document.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// How many octets have been read so far.
    pub fn octets_read(&self) -> u64 {
        self.read
    }

    /// The media type from the server or the suffix of the name, unverified; octets that are not printable ASCII are escaped.
    /// `None` if unknown.
    pub fn media_type(&self) -> Option<&str> {
        self.media_type.as_deref()
    }

    /// The charset that the [media type](Document::media_type) names; `None` if it names none.
    pub fn charset(&self) -> Option<&str> {
        charset_of(self.media_type()?)
    }

    /// The URL that answered: the last redirect, or the one given.
    pub fn final_url(&self) -> &Url<String> {
        &self.from.final_url
    }

    /// The URLs before [`final_url`](Document::final_url), the one given first; empty without redirects and gateways.
    pub fn redirects(&self) -> &[Url<String>] {
        &self.from.redirects
    }

    /// Notes about the document so far; complete once it has been read to its end.
    pub fn notes(&self) -> &[Note] {
        &self.from.notes
    }

    /// A menu with this document as its only entry. The document is not read.
    pub(crate) fn listed(self) -> Menu {
        let url = &self.from.final_url;
        // What follows a slash is a path; there may be a password before the first one.
        let name = url.schemepart().trim_start_matches('/').rsplit_once('/').map_or("", |(_, name)| name);
        let title = match name {
            "" => url.masked().to_string().into(),
            name => urlwise::decode(name.as_bytes()).into_owned(),
        };
        let entry = Entry {
            url: Some(url.clone()),
            size: self.size,
            modified: self.metadata.modified,
            media_type: self.media_type,
            ..Entry::new(title, EntryKind::Document)
        };
        Menu::single(entry, self.from)
    }

    /// The available octets, after waiting until there are some; empty at the end.
    ///
    /// # Errors
    /// Every [`Error`] of a transfer, and [`ErrorKind::Limit`] after the last allowed octet if more arrived.
    pub fn fill(&mut self) -> Result<&[u8], Error> {
        let url = &self.from.final_url;
        let filled = self.body.fill().map(<[u8]>::len);
        self.from.notes.extend(self.body.take_notes());
        let there = filled.map_err(|error| error.at_url(url))?;
        let left = self.max_size.map_or(u64::MAX, |max| max.saturating_sub(self.offset + self.read));
        if there == 0 {
            return Ok(&[]);
        }
        if left == 0 {
            return Err(self.too_long(self.max_size.unwrap_or(u64::MAX)));
        }
        self.given = there.min(usize::try_from(left).unwrap_or(usize::MAX));
        // Does not wait: these are the octets that were counted.
        Ok(&self.body.fill()?[..self.given])
    }

    /// Marks the first `count` octets from [`fill`](Document::fill) as used, at most as many as it returned.
    pub fn consume_octets(&mut self, count: usize) {
        let count = count.min(self.given);
        self.given -= count;
        self.body.consume(count);
        self.read += count as u64;
    }

    /// Writes the rest of the document. Returns the number of octets written.
    ///
    /// # Errors
    /// As [`fill`](Document::fill), and [`ErrorKind::Write`] if `sink` fails.
    pub fn write_to(&mut self, sink: &mut dyn Write) -> Result<u64, Error> {
        let before = self.read;
        loop {
            let octets = self.fill()?;
            let count = octets.len();
            if count == 0 {
                return Ok(self.read - before);
            }
            sink.write_all(octets).map_err(|error| {
                let why = crate::error::system_words(&error);
                Error::new(ErrorKind::Write, message!("cannot write the result: {cause}", cause = why))
                    .with_source(error)
            })?;
            self.consume_octets(count);
        }
    }

    fn too_long(&self, max: u64) -> Error {
        Error::new(ErrorKind::Limit, message!("the document is longer than {count} octets", count = max))
            .with_reference("S-45")
            .with_help(words!("raise the size limit to get all of it"))
            .with_hint(Hint::MaxSize)
            .at_url(&self.from.final_url)
    }
}

impl Read for Document {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let octets = self.fill()?;
        let count = octets.len().min(buffer.len());
        buffer[..count].copy_from_slice(&octets[..count]);
        self.consume_octets(count);
        Ok(count)
    }
}

impl BufRead for Document {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        Ok(self.fill()?)
    }

    fn consume(&mut self, count: usize) {
        self.consume_octets(count);
    }
}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document")
            .field("size", &self.size)
            .field("media_type", &self.media_type)
            .field("from", &self.from)
            .finish_non_exhaustive()
    }
}

impl Menu {
    pub(crate) fn new(list: Box<dyn List>, from: History) -> Menu {
        Menu { list, from, ended: false, are_methods: false }
    }

    /// Says that the entries are access methods.
    #[cfg(feature = "prospero")]
    pub(crate) fn of_methods(self) -> Menu {
        Menu { are_methods: true, ..self }
    }

    /// A menu with one entry.
    pub(crate) fn single(entry: Entry, from: History) -> Menu {
        Menu::new(Box::new(Single(Some(entry))), from)
    }

    /// The URL that answered.
    pub fn final_url(&self) -> &Url<String> {
        &self.from.final_url
    }

    /// The URLs before [`final_url`](Menu::final_url), the one given first; empty without redirects and gateways.
    pub fn redirects(&self) -> &[Url<String>] {
        &self.from.redirects
    }

    /// Whether the entries are ways to get one object, as Prospero lists them (RFC 1738 section 3.11), and not parts of it.
    pub fn lists_access_methods(&self) -> bool {
        self.are_methods
    }

    /// Notes about the menu so far; complete once it has been read to its end.
    pub fn notes(&self) -> &[Note] {
        &self.from.notes
    }
}

impl Iterator for Menu {
    type Item = Result<Entry, Error>;

    fn next(&mut self) -> Option<Result<Entry, Error>> {
        if self.ended {
            return None;
        }
        let next = self.list.next_entry();
        self.from.notes.extend(self.list.take_notes());
        self.ended = !matches!(next, Some(Ok(_)));
        next.map(|entry| entry.map_err(|error| error.at_url(&self.from.final_url)))
    }
}

impl fmt::Debug for Menu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Menu").field("from", &self.from).finish_non_exhaustive()
    }
}

impl Entry {
    /// An entry with only a title and a kind.
    ///
    /// ```
    /// use urlwise_open::{Entry, EntryKind};
    ///
    /// let mut entry = Entry::new(b"Motd".to_vec(), EntryKind::Document);
    /// entry.url = urlwise::Url::parse("gopher://host.dom/0/motd".to_owned()).ok();
    /// entry.size = Some(214);
    /// ```
    pub fn new(title: Vec<u8>, kind: EntryKind) -> Entry {
        Entry {
            url: None,
            title,
            kind,
            size: None,
            modified: None,
            media_type: None,
            lines: None,
            score: None,
            description: None,
            from: None,
            number: None,
            message_id: None,
            references: Vec::new(),
            also: Vec::new(),
        }
    }

    /// [`modified`](Entry::modified) as RFC 3339 text in UTC.
    pub fn modified_text(&self) -> Option<String> {
        self.modified.and_then(date::rfc3339)
    }
}

impl EntryKind {
    /// The stable name: `document`, `menu`, `search`, `session`, `form`, `info`, `error` or `unknown`.
    pub const fn name(self) -> &'static str {
        match self {
            EntryKind::Document => "document",
            EntryKind::Menu => "menu",
            EntryKind::Search => "search",
            EntryKind::Session => "session",
            EntryKind::Form => "form",
            EntryKind::Info => "info",
            EntryKind::Error => "error",
            EntryKind::Unknown => "unknown",
        }
    }
}

#[cfg(feature = "gopher")]
impl From<Opens> for EntryKind {
    fn from(opens: Opens) -> EntryKind {
        match opens {
            Opens::Document => EntryKind::Document,
            Opens::Menu => EntryKind::Menu,
            Opens::Search => EntryKind::Search,
            Opens::Session => EntryKind::Session,
            Opens::Info => EntryKind::Info,
            Opens::Error => EntryKind::Error,
            Opens::Unknown => EntryKind::Unknown,
        }
    }
}

impl fmt::Display for EntryKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The parameter `charset` of a media type, without its quotation marks.
fn charset_of(media_type: &str) -> Option<&str> {
    media_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches('"'))
    })
}

#[cfg(test)]
mod tests;
