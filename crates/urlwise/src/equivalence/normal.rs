//! Writes a normal form in one pass over the parts, copying the text only if something changes.

use alloc::borrow::Cow;
use alloc::string::String;
use core::ops::Range;

use super::Form;
use super::reason::{Reasons, Why};
use crate::class::{self, UCHAR};
use crate::encoded::{escape_at, push_escape};
use crate::grammar::{
    ADDR_SPEC, ARTICLE, DATABASE, FIELD_VALUE, FILE_PATH, FTP_PATH, GOPHER_SEARCH, GOPHERPLUS, GTYPE, HFIELD, HPATH,
    HSONAME, PASSWORD, Rule, SCHEMEPART, SEARCH, SELECTOR, URLPATH, USER, WAIS_SEARCH, WTYPE,
};
use crate::layout::{self, Layout, OWN, Slot};
use crate::profile::Profile;
use crate::scheme::{Scheme, ftp, gopher, http, news};

/// How the escapes of a slot are written.
#[derive(Clone, Copy)]
enum How {
    /// There are none.
    Plain,
    /// According to what is reserved in this part.
    By(&'static Rule),
    /// Only their case changes, since it is unknown what is reserved.
    Opaque,
}

/// The four slots that each scheme names for itself. The names and the values of fields reserve the same octets, and so do
/// the delimiters between the parts of one slot.
const fn own_slots(base: Scheme) -> [How; 4] {
    use How::{By, Opaque, Plain};
    match base {
        Scheme::Ftp => [By(&FTP_PATH), By(&FTP_PATH), Plain, Plain],
        Scheme::Http => [By(&HPATH), By(&SEARCH), Plain, Plain],
        Scheme::Gopher => [By(&GTYPE), By(&SELECTOR), By(&GOPHER_SEARCH), By(&GOPHERPLUS)],
        Scheme::Mailto => [By(&ADDR_SPEC), Plain, Plain, By(&HFIELD)],
        // The right side of a Message-ID has escapes only under the current profile.
        Scheme::News => [Plain, By(&ARTICLE), By(&SCHEMEPART), Plain],
        // A document-id is opaque (D-62).
        Scheme::Wais => [By(&DATABASE), By(&WAIS_SEARCH), By(&WTYPE), Opaque],
        Scheme::File => [By(&FILE_PATH), Plain, Plain, Plain],
        Scheme::Prospero => [By(&HSONAME), By(&FIELD_VALUE), Plain, Plain],
        _ => [Plain; 4],
    }
}

/// The rule that says what is reserved in one of the scheme's own slots; `None` if it has no escapes or if that is
/// unknown, as in other schemes.
pub(crate) const fn own_rule(base: Scheme, slot: usize) -> Option<&'static Rule> {
    match own_slots(base)[slot - OWN] {
        How::By(rule) => Some(rule),
        How::Plain | How::Opaque => None,
    }
}

/// The index for changes that belong to no slot.
pub(super) const SCHEME_NAME: usize = 8;
pub(super) const BETWEEN: usize = 9;

/// Why each part was changed.
pub(super) type Changes = [Reasons; 10];

/// A normal form and the reasons for its changes.
pub(super) struct Normal<'a> {
    pub(super) text: Cow<'a, str>,
    /// The positions of its parts; `None` if it must be parsed to find them.
    pub(super) layout: Option<Layout>,
    pub(super) changes: Changes,
}

/// The end of host and port, or of the scheme's colon if there is no host.
pub(super) fn authority_end(layout: &Layout) -> usize {
    let slots = [layout::PORT, layout::HOST].map(|slot| layout.slots[slot].range());
    let colon = || layout.scheme_name.range().map_or(0, |name| name.end + 1);
    slots.into_iter().flatten().next().map_or_else(colon, |span| span.end)
}

/// The normal form of a valid URL.
pub(super) fn normal<'a>(text: &'a str, layout: &Layout, form: Form) -> Normal<'a> {
    let scheme = layout.scheme().unwrap_or(Scheme::Other);
    let out = String::new();
    let changes = [Reasons::NONE; 10];
    let writer = Writer { text, layout, form, out, copied: 0, moved: *layout, is_nested: false, changes };
    writer.write(scheme)
}

struct Writer<'a, 'l> {
    text: &'a str,
    layout: &'l Layout,
    form: Form,
    /// The output so far; `None` while nothing has changed.
    out: String,
    /// How much of the text `out` covers.
    copied: usize,
    /// The new positions of the parts.
    moved: Layout,
    /// Whether a slot inside another one was rewritten.
    is_nested: bool,
    changes: Changes,
}

impl<'a> Writer<'a, '_> {
    fn write(mut self, scheme: Scheme) -> Normal<'a> {
        self.lower(self.layout.scheme_name.range(), SCHEME_NAME, Why::SchemeCase);
        match scheme {
            Scheme::Other => self.other(),
            _ => self.known(scheme),
        }
        let text = match self.copied {
            0 => Cow::Borrowed(self.text),
            copied => {
                self.out.push_str(&self.text[copied..]);
                Cow::Owned(self.out)
            }
        };
        let layout = (!self.is_nested).then_some(self.moved);
        Normal { text, layout, changes: self.changes }
    }

    fn known(&mut self, scheme: Scheme) {
        let base = scheme.base();
        self.is_nested = base == Scheme::Mailto;
        if base == Scheme::File {
            self.file_host();
        } else {
            self.login(&USER, &PASSWORD);
        }
        if self.form == Form::Scheme {
            self.same_path(base);
        }
        for (index, how) in own_slots(base).into_iter().enumerate() {
            self.slot(OWN + index, how);
        }
        match base {
            Scheme::Ftp => self.typecode(),
            Scheme::News => self.all_groups(),
            _ => {}
        }
    }

    /// Unknown schemes reserve every character they can. If `//` does not start the common Internet syntax, other
    /// programs may still see a host after it, so nothing is decoded (D-06).
    fn other(&mut self) {
        let [schemepart, path, query] = [OWN, OWN + 1, OWN + 2];
        if self.slot_range(layout::HOST).is_some() {
            self.login(&SCHEMEPART, &SCHEMEPART);
            self.slot(path, How::By(&URLPATH));
            self.slot(query, How::By(&SCHEMEPART));
            let start = self.slot_range(schemepart).map_or(0, |span| span.start);
            self.moved.slots[schemepart] = Slot::new(start, self.place(self.text.len()));
            return;
        }
        self.is_nested = true;
        let is_guess = self.slot_range(schemepart).is_some_and(|span| self.text[span].starts_with("//"));
        self.slot(schemepart, if is_guess { How::Opaque } else { How::By(&SCHEMEPART) });
    }

    fn login(&mut self, user: &'static Rule, password: &'static Rule) {
        self.slot(layout::USER, How::By(user));
        self.slot(layout::PASSWORD, How::By(password));
        self.lower(self.slot_range(layout::HOST), layout::HOST, Why::HostCase);
        self.keep(layout::HOST);
        self.port();
    }

    /// Removes an empty or default port with its colon, and leading zeros (D-22, D-23).
    fn port(&mut self) {
        let Some(digits) = self.slot_range(layout::PORT) else {
            return;
        };
        let Range { start, end } = digits;
        let is_default = self.layout.port_number() == self.layout.default_port();
        if digits.is_empty() || is_default {
            let why = if digits.is_empty() { Why::PortEmpty } else { Why::PortDefault };
            self.replace(start - 1..end, "", layout::PORT, why);
            self.moved.slots[layout::PORT] = Slot::ABSENT;
            return;
        }
        let zeros = self.text[start..end - 1].bytes().take_while(|&digit| digit == b'0').count();
        if zeros > 0 {
            self.replace(start..start + zeros, "", layout::PORT, Why::PortZeros);
        }
        self.moved.slots[layout::PORT] = Slot::new(self.place(start + zeros), self.place(end));
    }

    /// The empty host and `localhost` are equivalent (D-63), and `file:/path` has an empty host (D-64).
    fn file_host(&mut self) {
        let all = self.form == Form::Scheme;
        match self.slot_range(layout::HOST) {
            Some(host) if all && self.text[host.clone()].eq_ignore_ascii_case("localhost") => {
                self.replace(host, "", layout::HOST, Why::FileLocalhost);
                self.empty(layout::HOST);
            }
            Some(host) => self.lower(Some(host), layout::HOST, Why::HostCase),
            None if all => {
                let path = authority_end(self.layout);
                self.replace(path..path, "//", layout::HOST, Why::FileShort);
                self.empty(layout::HOST);
            }
            None => {}
        }
    }

    /// Writes a path that is equivalent to none as a single slash.
    fn same_path(&mut self, base: Scheme) {
        let end = authority_end(self.layout);
        let rest = self.text.len() - end;
        match base {
            Scheme::Ftp if self.slot_range(ftp::NAME).is_none() => {
                self.replace(end..end, "/", ftp::NAME, Why::FtpSlash);
                self.empty(ftp::NAME);
            }
            Scheme::Http if self.slot_range(http::PATH).is_none() => {
                self.replace(end..end, "/", http::PATH, Why::HttpSlash);
                self.empty(http::PATH);
            }
            Scheme::Telnet if rest == 0 => self.replace(end..end, "/", BETWEEN, Why::TelnetSlash),
            // The profile `current` allows a path and ignores it.
            Scheme::Telnet if rest > 1 => self.replace(end + 1..end + rest, "", BETWEEN, Why::TelnetSlash),
            Scheme::Gopher if rest == 0 => self.replace(end..end, "/", BETWEEN, Why::GopherDefault),
            Scheme::Gopher => {
                let is_empty = |slot| self.slot_range(slot).is_none_or(|span| span.is_empty());
                if let Some(gtype) = self.slot_range(gopher::GTYPE_SLOT)
                    && matches!(&self.text[gtype.clone()], "1" | "%31")
                    && is_empty(gopher::SELECTOR_SLOT)
                    && self.slot_range(gopher::SEARCH).is_none()
                {
                    self.replace(gtype, "", gopher::GTYPE_SLOT, Why::GopherDefault);
                    self.moved.slots[gopher::GTYPE_SLOT] = Slot::ABSENT;
                    self.moved.slots[gopher::SELECTOR_SLOT] = Slot::ABSENT;
                }
            }
            _ => {}
        }
    }

    /// `;type=` in lower case (D-03), and the letter after it (D-28).
    fn typecode(&mut self) {
        const MARK: &str = ";type=";
        let Some(letter) = self.slot_range(ftp::TYPECODE_SLOT) else {
            return;
        };
        let mark = letter.start - MARK.len()..letter.start;
        if self.text[mark.clone()] != *MARK {
            self.replace(mark, MARK, BETWEEN, Why::TypeLiteral);
        }
        if self.form == Form::Scheme {
            self.lower(Some(letter), ftp::TYPECODE_SLOT, Why::TypecodeCase);
        }
    }

    /// `news:%2A`, which the current profile reads, is `news:*` (D-58).
    fn all_groups(&mut self) {
        if let Some(all) = self.slot_range(news::ALL)
            && self.text[all.clone()].starts_with('%')
        {
            let start = self.place(all.start);
            self.replace(all, "*", news::ALL, Why::NeedlessEscape);
            self.moved.slots[news::ALL] = Slot::new(start, self.out.len());
        }
    }

    fn slot_range(&self, slot: usize) -> Option<Range<usize>> {
        self.layout.slots[slot].range()
    }

    /// Writes a part by its rule unless it was removed.
    fn slot(&mut self, slot: usize, how: How) {
        let Some(span) = self.layout.slots[slot].range().filter(|_| !self.moved.slots[slot].is_absent()) else {
            return;
        };
        // The sides of an address lie in what has been written.
        if span.start < self.copied {
            return;
        }
        let (start, end) = (self.place(span.start), span.end);
        self.escapes(span, slot, how);
        self.moved.slots[slot] = Slot::new(start, self.place(end));
    }

    /// Writes a part with its escapes normalized.
    fn escapes(&mut self, span: Range<usize>, slot: usize, how: How) {
        let Range { start, end } = span;
        let octets = &self.text.as_bytes()[..end];
        let (plain, decode) = match how {
            How::Plain => return,
            How::Opaque => (None, class::NONE),
            How::By(rule) if self.form == Form::Scheme => (Some(rule), rule.written),
            How::By(rule) => (Some(rule), UCHAR),
        };
        let skipped = match plain {
            Some(rule) if self.form == Form::Scheme => rule.written,
            Some(rule) => rule.class[Profile::Rfc1738 as usize],
            None => class::XCHAR_CURRENT,
        };
        let mut at = start;
        loop {
            at = class::skip(octets, at, skipped);
            let Some(&octet) = octets.get(at) else {
                return;
            };
            if let Some(decoded) = escape_at(octets, at) {
                let is_reserved = plain.is_none_or(|rule| rule.reserves(decoded, self.layout.profile()));
                if class::is(decoded, decode) && !is_reserved {
                    self.copy(at..at + 3);
                    self.out.push(char::from(decoded));
                    self.changes[slot].add(Why::NeedlessEscape);
                } else if octets[at + 1..at + 3].iter().any(u8::is_ascii_lowercase) {
                    self.escape(at..at + 3, decoded, slot, Why::HexCase);
                }
                at += 3;
                continue;
            }
            if plain.is_some_and(|rule| !rule.reserves(octet, self.layout.profile())) {
                let why = if octet == b'~' { Why::Tilde } else { Why::MissingEscape };
                self.escape(at..at + 1, octet, slot, why);
            }
            at += 1;
        }
    }

    fn escape(&mut self, span: Range<usize>, octet: u8, slot: usize, why: Why) {
        self.copy(span);
        push_escape(&mut self.out, octet);
        self.changes[slot].add(why);
    }

    fn lower(&mut self, span: Option<Range<usize>>, slot: usize, why: Why) {
        let Some(span) = span else {
            return;
        };
        if self.text.as_bytes()[span.clone()].iter().any(u8::is_ascii_uppercase) {
            let start = self.place(span.start);
            self.replace(span.clone(), &self.text[span], slot, why);
            self.out[start..].make_ascii_lowercase();
        }
    }

    /// The new position of a place after everything that was rewritten.
    fn place(&self, at: usize) -> usize {
        self.out.len() + at - self.copied
    }

    /// Records that the part just written has kept its length.
    fn keep(&mut self, slot: usize) {
        if let Some(Range { start, end }) = self.slot_range(slot) {
            let place = self.place(end);
            self.moved.slots[slot] = Slot::new(place - (end - start), place);
        }
    }

    /// The part is empty, and here.
    fn empty(&mut self, slot: usize) {
        self.moved.slots[slot] = Slot::new(self.out.len(), self.out.len());
    }

    /// Copies the text before the span and writes the replacement. Spans must be in order.
    fn replace(&mut self, span: Range<usize>, with: &str, slot: usize, why: Why) {
        self.copy(span);
        self.out.push_str(with);
        self.changes[slot].add(why);
    }

    /// Copies the text before the span and skips the span.
    #[inline]
    fn copy(&mut self, span: Range<usize>) {
        if self.copied == 0 {
            // At most a few characters are inserted; each octet that is escaped adds two.
            self.out.reserve(self.text.len() + 4);
        }
        self.out.push_str(&self.text[self.copied..span.start]);
        self.copied = span.end;
    }
}
