//! Writes a normal form in one pass over the parts, copying the text only if something changes.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use core::ops::Range;

use super::form::NormalForm;
use crate::class::{self, UCHAR};
use crate::encoded::{escape_at, push_escape};
use crate::grammar::{PASSWORD, Production, SCHEMEPART, URLPATH, USER};
use crate::host::{Host, HostKind};
use crate::layout::{self, Layout, OWN, SLOTS, Slot};
use crate::profile::Profile;
use crate::reason::{Reasons, Why};
use crate::scheme::other::{PATH, QUERY, SCHEMEPART_SLOT};
use crate::scheme::{Definition, Escapes, Lead, Same, Scheme};

/// The index for changes that belong to no slot.
pub(super) const SCHEME_NAME: usize = SLOTS;
pub(super) const BETWEEN: usize = SLOTS + 1;

/// Why each part was changed.
pub(super) type Changes = [Reasons; SLOTS + 2];

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
pub(super) fn normal<'a>(text: &'a str, layout: &Layout, form: NormalForm) -> Normal<'a> {
    let mut out = String::new();
    let Written { is_changed, layout, changes } = write(text, layout, form, &mut out);
    Normal { text: if is_changed { Cow::Owned(out) } else { Cow::Borrowed(text) }, layout, changes }
}

/// What [`write`] has done.
pub(super) struct Written {
    /// Otherwise the normal form is the text, and nothing was written.
    pub(super) is_changed: bool,
    pub(super) layout: Option<Layout>,
    changes: Changes,
}

/// Writes the normal form of a valid URL, unless that is the text itself. `out` is empty.
pub(super) fn write(text: &str, layout: &Layout, form: NormalForm, out: &mut String) -> Written {
    let scheme = layout.scheme().unwrap_or(Scheme::Other);
    let changes = [Reasons::NONE; SLOTS + 2];
    let writer = Writer { text, layout, form, out, copied: 0, moved: *layout, is_nested: false, changes };
    writer.write(scheme)
}

struct Writer<'a> {
    text: &'a str,
    layout: &'a Layout,
    form: NormalForm,
    /// The output so far; empty while nothing has changed.
    out: &'a mut String,
    /// How much of the text `out` covers.
    copied: usize,
    /// The new positions of the parts.
    moved: Layout,
    /// Whether a slot inside another one was rewritten.
    is_nested: bool,
    changes: Changes,
}

impl Writer<'_> {
    fn write(mut self, scheme: Scheme) -> Written {
        self.lower(self.layout.scheme_name.range(), SCHEME_NAME, Why::SchemeCase);
        match scheme {
            Scheme::Other => self.other(),
            known => self.known(known.definition()),
        }
        let is_changed = self.copied > 0;
        if is_changed {
            self.out.push_str(&self.text[self.copied..]);
        }
        Written { is_changed, layout: (!self.is_nested).then_some(self.moved), changes: self.changes }
    }

    fn known(&mut self, definition: &Definition) {
        self.is_nested = definition.parts.iter().any(|part| matches!(part.lead, Lead::Side(_)));
        match definition.same.iter().any(|same| matches!(same, Same::LocalHost)) {
            true => self.file_host(),
            false => self.login(&USER, &PASSWORD),
        }
        if self.form == NormalForm::Scheme {
            definition.same.iter().for_each(|same| self.same_path(*same));
        }
        for part in definition.parts.iter().filter(|part| part.slot >= OWN) {
            self.slot(part.slot, part.escapes());
        }
        definition.same.iter().for_each(|same| self.same_part(*same));
    }

    /// Unknown schemes reserve every character they can. If `//` does not start the common Internet syntax, other
    /// programs may still see a host after it, so nothing is decoded (D-06).
    fn other(&mut self) {
        if self.slot_range(layout::HOST).is_some() {
            self.login(&SCHEMEPART, &SCHEMEPART);
            self.slot(PATH, Escapes::By(&URLPATH));
            self.slot(QUERY, Escapes::By(&SCHEMEPART));
            let start = self.slot_range(SCHEMEPART_SLOT).map_or(0, |span| span.start);
            self.moved.slots[SCHEMEPART_SLOT] = Slot::new(start, self.place(self.text.len()));
            return;
        }
        self.is_nested = true;
        let is_guess = self.slot_range(SCHEMEPART_SLOT).is_some_and(|span| self.text[span].starts_with("//"));
        self.slot(SCHEMEPART_SLOT, if is_guess { Escapes::Opaque } else { Escapes::By(&SCHEMEPART) });
    }

    fn login(&mut self, user: &'static Production, password: &'static Production) {
        self.slot(layout::USER, Escapes::By(user));
        self.slot(layout::PASSWORD, Escapes::By(password));
        self.host();
        self.port();
    }

    /// Writes a host in lower case, and an IPv6 address in the one spelling of RFC 5952 (D-21).
    fn host(&mut self) {
        let Some(span) = self.slot_range(layout::HOST) else {
            return;
        };
        let written = &self.text[span.clone()];
        let address = match self.layout.host_kind() {
            HostKind::Ipv6 => Host::new(written, HostKind::Ipv6).ip().map(|address| format!("[{address}]")),
            HostKind::Name | HostKind::Ipv4 => None,
        };
        match address {
            Some(address) if !address.eq_ignore_ascii_case(written) => {
                let start = self.place(span.start);
                self.replace(span, &address, layout::HOST, Why::HostIpv6);
                self.moved.slots[layout::HOST] = Slot::new(start, self.out.len());
            }
            Some(_) | None => {
                self.lower(Some(span), layout::HOST, Why::HostCase);
                self.keep(layout::HOST);
            }
        }
    }

    /// Removes an empty or default port with its colon, and leading zeros (D-22, D-23).
    fn port(&mut self) {
        let Some(digits) = self.slot_range(layout::PORT) else {
            return;
        };
        let Range { start, end } = digits;
        let is_default = self.layout.port_or_default() == self.default_port();
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

    fn default_port(&self) -> Option<u16> {
        self.layout.scheme().and_then(Scheme::default_port).or(self.layout.registered_port())
    }

    /// The empty host and `localhost` are equivalent (D-63), and `file:/path` has an empty host (D-64).
    fn file_host(&mut self) {
        let all = self.form == NormalForm::Scheme;
        match self.slot_range(layout::HOST) {
            Some(host) if all && self.text[host.clone()].eq_ignore_ascii_case("localhost") => {
                self.replace(host, "", layout::HOST, Why::FileLocalhost);
                self.empty(layout::HOST);
            }
            Some(_) => self.host(),
            None if all => {
                let path = authority_end(self.layout);
                self.replace(path..path, "//", layout::HOST, Why::FileShort);
                self.empty(layout::HOST);
            }
            None => {}
        }
    }

    /// Paths that mean the same as no path are written in one way: the slash alone.
    fn same_path(&mut self, same: Same) {
        let end = authority_end(self.layout);
        let rest = self.text.len() - end;
        match same {
            Same::Slash(slot, reason) => {
                if !self.text[end..].starts_with('/') {
                    self.copy(end..end);
                    self.out.push('/');
                    self.changes[slot].add_own(reason);
                    self.empty(slot);
                }
            }
            Same::AllBehindHost if rest == 0 => self.replace(end..end, "/", BETWEEN, Why::TelnetSlash),
            // The profile `current` allows a path and ignores it.
            Same::AllBehindHost if rest > 1 => self.replace(end + 1..end + rest, "", BETWEEN, Why::TelnetSlash),
            Same::TopMenu { .. } if rest == 0 => self.replace(end..end, "/", BETWEEN, Why::GopherDefault),
            Same::TopMenu { gtype, selector, search } => {
                let is_empty = |slot| self.slot_range(slot).is_none_or(|span| span.is_empty());
                let is_default = |span: &Range<usize>| {
                    matches!(&self.text[span.clone()], "1" | "%31")
                        && is_empty(selector)
                        && self.slot_range(search).is_none()
                };
                if let Some(span) = self.slot_range(gtype).filter(is_default) {
                    self.replace(span, "", gtype, Why::GopherDefault);
                    self.moved.slots[gtype] = Slot::ABSENT;
                    self.moved.slots[selector] = Slot::ABSENT;
                }
            }
            Same::AllBehindHost | Same::LocalHost | Same::Typecode(_) | Same::Asterisk(_) => {}
        }
    }

    /// What means the same inside a part.
    fn same_part(&mut self, same: Same) {
        match same {
            Same::Typecode(slot) => self.typecode(slot),
            Same::Asterisk(slot) => self.asterisk(slot),
            Same::LocalHost | Same::Slash(..) | Same::AllBehindHost | Same::TopMenu { .. } => {}
        }
    }

    /// `;type=` in lower case (D-03), and the letter after it (D-28).
    fn typecode(&mut self, slot: usize) {
        const MARK: &str = ";type=";
        let Some(letter) = self.slot_range(slot) else {
            return;
        };
        let mark = letter.start - MARK.len()..letter.start;
        if self.text[mark.clone()] != *MARK {
            self.replace(mark, MARK, BETWEEN, Why::TypeLiteral);
        }
        if self.form == NormalForm::Scheme {
            self.lower(Some(letter), slot, Why::TypecodeCase);
        }
    }

    /// `news:%2A`, which the current profile reads, is `news:*` (D-58).
    fn asterisk(&mut self, slot: usize) {
        if let Some(all) = self.slot_range(slot).filter(|all| self.text[all.clone()].starts_with('%')) {
            let start = self.place(all.start);
            self.replace(all, "*", slot, Why::NeedlessEscape);
            self.moved.slots[slot] = Slot::new(start, self.out.len());
        }
    }

    fn slot_range(&self, slot: usize) -> Option<Range<usize>> {
        self.layout.slots[slot].range()
    }

    /// Writes a part by its rule unless it was removed.
    fn slot(&mut self, slot: usize, how: Escapes) {
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
    fn escapes(&mut self, span: Range<usize>, slot: usize, how: Escapes) {
        let Range { start, end } = span;
        let octets = &self.text.as_bytes()[..end];
        let (plain, decode) = match how {
            Escapes::None => return,
            Escapes::Opaque => (None, class::NONE),
            Escapes::By(rule) if self.form == NormalForm::Scheme => (Some(rule), rule.written),
            Escapes::By(rule) => (Some(rule), UCHAR),
        };
        let skipped = match plain {
            Some(rule) if self.form == NormalForm::Scheme => rule.written,
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
                } else if octets[at..at + 3].iter().any(u8::is_ascii_lowercase) {
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
        push_escape(self.out, octet);
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
