//! Menus: one item per line, closed by a line with a single dot. RFC 1436 section 3.4 and appendix.
//!
//! Read leniently, because of real servers: LF may end a line, the closing dot may be missing, and a line that is not an item
//! is text.
//! Only a last line without its end is not read: half a line would name another selector, host or port.

use super::charset;
use super::item_type::ItemType;
use super::note::PROBABLE_ERROR;
use super::settings::GopherLimits;
use crate::language::{message, words};
use crate::protocol::digits::number;
use crate::protocol::{End, Fault, FaultKind, Input, Note};
use urlwise::Message;

/// What a server marks in the fifth field of a menu line. There will be no others: Gopher+ has these two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlusMark {
    /// `+`: the item supports Gopher+.
    Item,
    /// `?`: the item supports Gopher+ and has a form to fill in.
    Form,
}

/// One line of a menu, in the server's own octets: never decoded, never encoded again.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MenuItem {
    /// The item type. Of a `+` line (a duplicate server) it is the type of the item it duplicates.
    pub gtype: u8,
    /// A line of type `+`: another location of the item before it.
    pub duplicate: bool,
    /// The display string, raw: [`title`](MenuItem::title) makes it fit for display.
    pub display: Vec<u8>,
    /// The selector.
    pub selector: Vec<u8>,
    /// The host; empty means the server that sent the menu.
    pub host: Vec<u8>,
    /// The port as written; see [`port_number`](MenuItem::port_number).
    pub port: Vec<u8>,
    /// The Gopher+ mark; `None` without one.
    pub plus: Option<PlusMark>,
}

impl MenuItem {
    /// Parses one line without its line end. A line with fewer than three tabs is not an item: it becomes text (type `i`), up
    /// to the first tab if it has one.
    ///
    /// ```
    /// use urlwise_open::protocol::gopher::{MenuItem, PlusMark};
    /// let item = MenuItem::parse(b"0About\t0/about.txt\tgopher.example.org\t70\t+");
    /// assert_eq!((item.gtype, item.title().as_str(), item.port_number()), (b'0', "About", Some(70)));
    /// assert_eq!(item.plus, Some(PlusMark::Item));
    /// ```
    pub fn parse(line: &[u8]) -> MenuItem {
        let mut fields = line.split(|octet| *octet == b'\t');
        let typed = fields.next().unwrap_or_default();
        let selector = fields.next();
        let host = fields.next();
        let port = fields.next();
        let extra = fields.next();
        let (Some((gtype, display)), Some(selector), Some(host), Some(port)) =
            (typed.split_first(), selector, host, port)
        else {
            return MenuItem::info(if selector.is_some() { typed.get(1..).unwrap_or_default() } else { typed });
        };
        MenuItem {
            gtype: *gtype,
            duplicate: false,
            display: display.to_vec(),
            selector: selector.to_vec(),
            host: host.to_vec(),
            port: port.to_vec(),
            plus: match extra {
                Some(b"+") => Some(PlusMark::Item),
                Some(b"?") => Some(PlusMark::Form),
                _ => None,
            },
        }
    }

    fn info(display: &[u8]) -> MenuItem {
        MenuItem {
            gtype: b'i',
            duplicate: false,
            display: display.to_vec(),
            selector: Vec::new(),
            host: Vec::new(),
            port: Vec::new(),
            plus: None,
        }
    }

    /// The properties of its type.
    pub fn item_type(&self) -> &'static ItemType {
        ItemType::of(self.gtype)
    }

    /// The port as a number; `None` if the field is empty or not a number from 0 to 65535.
    pub fn port_number(&self) -> Option<u16> {
        number(self.port.trim_ascii())
    }

    /// The display string as text: UTF-8, otherwise Latin-1, without control characters. It may still contain direction overrides.
    pub fn title(&self) -> String {
        charset::text(&self.display).chars().filter(|character| !character.is_control()).collect()
    }

    /// Whether the item, as the only one of an answer, is how servers report a failure.
    fn is_error(&self) -> bool {
        self.gtype == b'3' || (self.gtype == b'0' && self.names_error_host())
    }

    /// Whether the host is the one by which servers mark an error about the item that was asked for.
    pub(super) fn names_error_host(&self) -> bool {
        self.host == b"error.host"
    }

    /// The fault that an answer of this item alone stands for; `None` if it is an item like others.
    pub(super) fn fault(&self) -> Option<Fault> {
        let (kind, what) = match self.names_error_host() {
            true => (FaultKind::NotFound, words!("the server answers that the item is not available")),
            false => (FaultKind::Server, words!("the server answers with an error")),
        };
        self.is_error().then(|| Fault::new(kind, "RFC 1436 section 3.8", what).octets(&self.display))
    }
}

/// The result of reading.
#[derive(Debug)]
pub(super) enum MenuPiece {
    /// All input is taken and more is needed.
    More,
    Entry(MenuItem),
    Note(Note),
    Fail(Fault),
    /// The menu is complete; `dot` is whether a closing dot ended it.
    End {
        dot: bool,
    },
}

/// How much of an overlong line is shown.
const SHOWN: usize = 60;

/// Reads one menu.
#[derive(Debug)]
pub(super) struct MenuReader {
    limits: GopherLimits,
    /// The length of the menu was announced, so its last line is whole without a line end.
    is_counted: bool,
    /// The beginning of an incomplete line.
    line: Vec<u8>,
    lines: u64,
    /// The type that a `+` line takes over.
    previous: Option<u8>,
    /// The first item, while it may be an error on its own.
    suspect: Option<MenuItem>,
    /// An item to return before reading more.
    ready: Option<MenuItem>,
    ended: Option<bool>,
}

impl MenuReader {
    pub(super) fn new(limits: GopherLimits, is_counted: bool) -> MenuReader {
        MenuReader {
            limits,
            is_counted,
            line: Vec::new(),
            lines: 0,
            previous: None,
            suspect: None,
            ready: None,
            ended: None,
        }
    }

    pub(super) fn next(&mut self, input: &mut Input<'_>) -> MenuPiece {
        loop {
            if let Some(item) = self.ready.take() {
                return MenuPiece::Entry(item);
            }
            if let Some(dot) = self.ended {
                return match self.suspect.take().and_then(|item| item.fault()) {
                    Some(fault) => MenuPiece::Fail(fault),
                    None => MenuPiece::End { dot },
                };
            }
            let octets = input.octets();
            let length = octets.iter().position(|octet| *octet == b'\n');
            let part = &octets[..length.unwrap_or(octets.len())];
            if self.line.len() + part.len() > self.limits.line {
                let begin: Vec<u8> = self.line.iter().chain(part).take(SHOWN).copied().collect();
                let most = self.limits.line;
                let what = message!("a menu line is longer than the limit of {count} octets allows", count = most);
                let fault = limit_fault(what);
                return MenuPiece::Fail(fault.octets(&begin));
            }
            let piece = if length.is_none() {
                self.line.extend_from_slice(input.take(part.len()));
                match input.end() {
                    None => return MenuPiece::More,
                    Some(end) => self.end(end),
                }
            } else {
                input.take(part.len() + 1);
                if self.line.is_empty() {
                    self.read(part)
                } else {
                    let mut line = std::mem::take(&mut self.line);
                    line.extend_from_slice(part);
                    self.read(&line)
                }
            };
            if let Some(piece) = piece {
                return piece;
            }
        }
    }

    /// Handles a complete line, without its LF.
    fn read(&mut self, line: &[u8]) -> Option<MenuPiece> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line == b"." {
            self.ended = Some(true);
            return None;
        }
        self.lines += 1;
        if self.lines > self.limits.lines {
            let most = self.limits.lines;
            let what = message!("a menu has more lines than the limit of {count} allows", count = most);
            return Some(MenuPiece::Fail(limit_fault(what)));
        }
        if line.is_empty() {
            return None;
        }
        let mut item = MenuItem::parse(line);
        if item.gtype == b'+' {
            item.duplicate = true;
            item.gtype = self.previous.unwrap_or(b'+');
        } else if item.gtype != b'i' {
            // Text between an item and its duplicate has no other location.
            self.previous = Some(item.gtype);
        }
        if let Some(suspect) = self.suspect.take() {
            self.ready = Some(item);
            return Some(MenuPiece::Entry(suspect));
        }
        let is_first = self.lines == 1;
        if is_first && item.is_error() {
            self.suspect = Some(item);
            return None;
        }
        if is_first && item.gtype == b'i' && item.display.starts_with(b"Error: ") {
            self.ready = Some(item);
            return Some(MenuPiece::Note(PROBABLE_ERROR));
        }
        Some(MenuPiece::Entry(item))
    }

    /// No more octets come. A last line without its LF counts only if it cannot have been cut to another meaning: the closing
    /// dot, an error, or the end of an announced length.
    fn end(&mut self, end: End) -> Option<MenuPiece> {
        let line = std::mem::take(&mut self.line);
        let is_dot = matches!(&line[..], b"." | b".\r");
        let is_error = self.lines == 0 && MenuItem::parse(&line).is_error();
        let piece = if line.is_empty() || end == End::Broken {
            None
        } else if is_dot {
            self.read(b".")
        } else if self.is_counted || is_error {
            self.read(&line)
        } else {
            if let Some(suspect) = self.suspect.take() {
                // More followed it, so it is an item among others.
                self.line = line;
                return Some(MenuPiece::Entry(suspect));
            }
            let what = words!("the connection closed in the middle of a menu line");
            let fault = Fault::new(FaultKind::Partial, "RFC 1436 section 3.4", what);
            let shown = &line[..line.len().min(SHOWN)];
            Some(MenuPiece::Fail(fault.octets(shown).with_help(words!("ask again"))))
        };
        self.ended.get_or_insert(false);
        piece
    }
}

fn limit_fault(what: Message) -> Fault {
    Fault::new(FaultKind::Limit, "S-49", what).with_help(words!("raise the limit if you trust the server"))
}
