//! Masks passwords in displayed parts, even if another reader reads them as something else.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::{iter, mem};

use crate::octet_set::OctetSet;
use crate::text::Text;
use urlwise::{each_secret, escape_for_display, is_shown_as_written, without_secrets};

const MASK: &str = "***";

/// What must not be shown of a text, however it is read.
pub(crate) struct Mask<'a> {
    text: &'a [u8],
    /// The passwords that only readers see.
    seen: Vec<Range<usize>>,
    /// Whether there are passwords.
    has_any: OnceLock<bool>,
    /// Their pieces, from when something long is shown.
    hidden: OnceLock<Pieces>,
    /// Values that were asked for: readers read the same parts, and reasons show the same hosts again.
    known: Mutex<Vec<(Box<str>, Visible)>>,
}

/// What may be shown of a value.
enum Visible {
    /// Nothing: it shares a piece with a password.
    Nothing,
    All,
    /// This, without its passwords.
    Without(Box<str>),
}

impl Clone for Mask<'_> {
    fn clone(&self) -> Self {
        Mask::of(self.text, self.seen.clone())
    }
}

impl<'a> Mask<'a> {
    pub(crate) fn of(text: &'a [u8], seen: Vec<Range<usize>>) -> Mask<'a> {
        Mask { text, seen, has_any: OnceLock::new(), hidden: OnceLock::new(), known: Mutex::default() }
    }

    /// The passwords that only readers see.
    pub(crate) fn seen(&self) -> &[Range<usize>] {
        &self.seen
    }

    /// All passwords of the text.
    fn passwords(&self) -> impl Iterator<Item = &'a [u8]> {
        each_secret(self.text).chain(self.seen.iter().cloned()).map(|span| &self.text[span])
    }

    /// A value from a reading of the text, safe for display.
    ///
    /// The password of one standard may be part of the host, port or query of another: `ftp://u:12?x@h/` has the port 12 in
    /// RFC 3986. So a value that shares a piece with a password is shown as `***`. In nested URLs only the password itself
    /// is masked.
    pub(crate) fn masked<'v>(&self, value: &'v str) -> Cow<'v, str> {
        self.masked_start(value.into(), usize::MAX)
    }

    /// The same of its beginning, of so many octets or a few more. It is masked for what stands behind that, too.
    pub(crate) fn masked_start<'v>(&self, value: Text<'v>, most: usize) -> Cow<'v, str> {
        // What most texts are.
        if !self.has_any() && !value.octets().contains(&b'@') {
            return shown(value.start(most));
        }
        match self.unless_hidden(value.written()) {
            Some(visible) => shown(Text::Written(visible).start(most)),
            None => MASK.into(),
        }
    }

    /// The same as [`masked`](Mask::masked), before what is not shown as it is written is escaped.
    pub(crate) fn visible<'v>(&self, value: &'v str) -> Cow<'v, str> {
        self.unless_hidden(value.into()).unwrap_or(MASK.into())
    }

    /// A value without its passwords; `None` if it shares a piece with one.
    fn unless_hidden<'v>(&self, value: Cow<'v, str>) -> Option<Cow<'v, str>> {
        if !self.has_any() && !value.as_bytes().contains(&b'@') {
            return Some(value);
        }
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, visible)) = known.iter().find(|(known, _)| **known == *value) {
            return match visible {
                Visible::Nothing => None,
                Visible::All => Some(value),
                Visible::Without(visible) => Some(visible.to_string().into()),
            };
        }
        let kept: Option<Box<str>> =
            (value.len() <= LONGEST_KNOWN && known.len() < MOST_KNOWN).then(|| value.as_ref().into());
        let visible = without_secrets_in(value);
        let visible = (!self.has_any() || !self.hides(visible.as_bytes())).then_some(visible);
        if let Some(kept) = kept {
            let of = match &visible {
                None => Visible::Nothing,
                Some(visible) if **visible == *kept => Visible::All,
                Some(visible) => Visible::Without(visible.as_ref().into()),
            };
            known.push((kept, of));
        }
        visible
    }

    fn has_any(&self) -> bool {
        *self.has_any.get_or_init(|| self.passwords().next().is_some())
    }

    /// Whether octets share a piece with a password. A text may be nothing but passwords: their pieces are put in order only for a long
    /// value.
    fn hides(&self, octets: &[u8]) -> bool {
        if octets.len() > SHORT {
            return self.hidden.get_or_init(|| Pieces::of(self)).are_in(octets);
        }
        Pieces::of_value(octets).are_in_passwords(self)
    }
}

/// So many values are remembered, none of them longer than this, in octets.
const MOST_KNOWN: usize = 16;
const LONGEST_KNOWN: usize = 1 << 16;

/// What is shown of a reading is mostly a host, a port or a short path; in octets.
const SHORT: usize = 1 << 10;

/// What divides passwords and values, by any standard.
const DELIMITERS: OctetSet = OctetSet::of(b"@:/\\?#&=;");
/// Ends a piece in memory.
const END: u8 = b'@';

/// The pieces of passwords between delimiters: decoded, lowercase, without octets that WHATWG drops and without leading zeros, so
/// that different notations of a piece are equal. A long text may have a million, so they stand one behind the other.
#[derive(Clone, Default)]
struct Pieces {
    octets: Vec<u8>,
    /// Where each starts, the first of them in the order of what they are.
    starts: Vec<u32>,
    /// How many these are.
    ordered: usize,
    /// How long the longest is.
    longest: usize,
    /// What they begin with, in US-ASCII.
    firsts: OctetSet,
    /// The text is too long for these numbers, so whatever is shown may be one.
    are_all: bool,
}

impl Pieces {
    /// Those of all passwords in a text.
    fn of(mask: &Mask<'_>) -> Pieces {
        let text = mask.text;
        let mut pieces = Pieces { are_all: u32::try_from(text.len()).is_err(), ..Pieces::default() };
        if !pieces.are_all {
            // They are no longer than the text, and a million that grow would be moved.
            pieces.octets.reserve(text.len());
            mask.passwords().for_each(|password| pieces.add(password));
            pieces.sort();
        }
        pieces
    }

    /// Those of a value, which some readers encode once more.
    fn of_value(value: &[u8]) -> Pieces {
        let mut pieces = Pieces::default();
        pieces.add(value);
        if value.contains(&b'%') {
            pieces.add(&decoded(value.iter().copied()).collect::<Vec<_>>());
        }
        pieces.sort();
        pieces
    }

    /// Whether a password of the text has one of these.
    fn are_in_passwords(&self, mask: &Mask<'_>) -> bool {
        let mut piece = Vec::new();
        !self.starts.is_empty()
            && mask.passwords().any(|password| self.are_among(decoded(password.iter().copied()), &mut piece))
    }

    /// Adds the pieces of a password.
    fn add(&mut self, password: &[u8]) {
        /// So many may wait to be put in order.
        const MANY: usize = 1 << 12;
        let mut start = self.octets.len();
        for octet in decoded(password.iter().copied()).chain(iter::once(END)) {
            if !DELIMITERS.has(octet) {
                push(octet, &mut self.octets, start);
                continue;
            }
            let piece = &self.octets[start..];
            if piece.is_empty() || self.has(piece) {
                self.octets.truncate(start);
                continue;
            }
            self.longest = self.longest.max(piece.len());
            self.firsts = self.firsts.and(piece[0]);
            self.octets.push(END);
            self.starts.extend(u32::try_from(start));
            start = self.octets.len();
            if self.starts.len() > MANY + 2 * self.ordered {
                self.sort();
            }
        }
    }

    /// Puts them in order, each once.
    fn sort(&mut self) {
        let mut starts = mem::take(&mut self.starts);
        starts.sort_unstable_by(|one, other| self.piece(*one).cmp(self.piece(*other)));
        starts.dedup_by(|one, other| self.piece(*one).eq(self.piece(*other)));
        self.ordered = starts.len();
        self.starts = starts;
    }

    /// Whether a piece is one of those that were put in order.
    fn has(&self, piece: &[u8]) -> bool {
        // None is empty, and most do not begin like one of them.
        if !piece.first().is_some_and(|first| self.may_begin(*first)) {
            return false;
        }
        let ordered = &self.starts[..self.ordered];
        ordered.binary_search_by(|start| self.piece(*start).cmp(piece.iter().copied())).is_ok()
    }

    /// Whether one may begin with this octet.
    fn may_begin(&self, first: u8) -> bool {
        !first.is_ascii() || self.firsts.has(first)
    }

    fn piece(&self, start: u32) -> impl Iterator<Item = u8> {
        self.octets[start as usize..].iter().copied().take_while(|octet| *octet != END)
    }

    /// Whether octets share a piece with them.
    fn are_in(&self, octets: &[u8]) -> bool {
        let written = || octets.iter().copied();
        if self.are_all || self.starts.is_empty() {
            return self.are_all;
        }
        let piece = &mut Vec::new();
        if !octets.contains(&b'%') {
            return self.are_among(written(), piece);
        }
        // Some readers encode the `%` of an escape once more, so one is left.
        let is_encoded_twice = || decoded(written()).any(|octet| octet == b'%');
        self.are_among(decoded(written()), piece)
            || is_encoded_twice() && self.are_among(decoded(decoded(written())), piece)
    }

    /// Whether decoded octets share a piece with them; `piece` is memory for one, and empty.
    fn are_among(&self, octets: impl Iterator<Item = u8>, piece: &mut Vec<u8>) -> bool {
        octets.chain(iter::once(END)).any(|octet| {
            if !DELIMITERS.has(octet) {
                // What begins like none of them, or is longer than the longest, need not be complete to be told apart.
                if piece.len() <= self.longest && piece.first().is_none_or(|first| self.may_begin(*first)) {
                    push(octet, piece, 0);
                }
                return false;
            }
            let is_found = self.has(piece);
            piece.clear();
            is_found
        })
    }
}

/// Appends an octet to the piece that starts there, unless it is dropped.
fn push(octet: u8, piece: &mut Vec<u8>, start: usize) {
    if octet > b' ' && (octet != b'0' || piece.len() > start) {
        piece.push(octet.to_ascii_lowercase());
    }
}

/// Octets with their escapes decoded, one after another: a long value may be decoded twice, and is in memory as it is.
fn decoded(mut octets: impl Iterator<Item = u8> + Clone) -> impl Iterator<Item = u8> + Clone {
    iter::from_fn(move || {
        let first = octets.next()?;
        if first != b'%' {
            return Some(first);
        }
        let mut behind = octets.clone();
        let mut digit = || char::from(behind.next()?).to_digit(16);
        let escaped = digit().and_then(|high| u8::try_from(16 * high + digit()?).ok());
        if escaped.is_some() {
            octets = behind;
        }
        escaped.or(Some(first))
    })
}

/// A text as it is displayed.
fn shown(text: Cow<'_, str>) -> Cow<'_, str> {
    match is_shown_as_written(text.as_bytes()) {
        true => text,
        false => escape_for_display(text.as_bytes()).to_string().into(),
    }
}

/// The same as [`without_secrets`], of a text that may be our own.
fn without_secrets_in(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => without_secrets(text),
        Cow::Owned(text) => match without_secrets(&text) {
            Cow::Owned(visible) => visible.into(),
            Cow::Borrowed(_) => text.into(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::{Mask, Pieces, SHORT};

    #[test]
    fn each_piece_is_kept_once_and_none_is_lost() {
        let distinct: Vec<String> = (0..6000).map(|number| format!("x{number}")).collect();
        let pieces: String = distinct.iter().map(|piece| format!("%30{piece}:")).collect();
        let text = format!("ftp://u:{}S:s:S@h", pieces.repeat(8));
        let pieces = Pieces::of(&Mask::of(text.as_bytes(), Vec::new()));
        assert_eq!(pieces.starts.len(), distinct.len() + 1);
        assert!(pieces.octets.len() < text.len() / 3);
        assert!(distinct.iter().all(|piece| pieces.are_in(piece.as_bytes())));
        assert!(pieces.are_in(b"y/S") && !pieces.are_in(b"y/u/x6000"));
    }

    #[test]
    fn a_piece_of_a_password_is_hidden_wherever_it_turns_up() {
        let text = b"ftp://jim:0012?Se%63@host.dom/";
        for (value, expected) in [
            ("12", "***"),
            ("Sec@host.dom/", "***"),
            ("host.dom", "host.dom"),
            ("jim", "jim"),
            ("", ""),
            ("Se%2563", "***"),
            ("h%6Fst.dom", "h%6Fst.dom"),
            ("%2541", "%2541"),
        ] {
            assert_eq!(Mask::of(text, Vec::new()).masked(value), expected);
            let hidden = expected == "***";
            assert_eq!(Pieces::of(&Mask::of(text, Vec::new())).are_in(value.as_bytes()), hidden, "{value}");
            assert_eq!(
                Pieces::of_value(value.as_bytes()).are_in_passwords(&Mask::of(text, Vec::new())),
                hidden,
                "{value}"
            );
            // What is long is looked up in another way.
            let long = format!("{}/{value}", "x".repeat(SHORT));
            assert_eq!(Mask::of(text, Vec::new()).masked(&long) == "***", hidden, "{value}");
            // What is cut is masked for what is cut off.
            assert_eq!(
                Mask::of(text, Vec::new()).masked_start(long.as_str().into(), 2),
                if hidden { "***" } else { "xx" }
            );
        }
        let beyond = Mask::of("ftp://jim:é1@h.dom/".as_bytes(), Vec::new());
        for length in [0, SHORT] {
            let path = "/".repeat(length);
            assert_eq!(beyond.masked(&format!("{path}h?é1")), "***");
            assert_eq!(beyond.masked(&format!("{path}h?é")), format!("{path}h?é"));
        }
        let without = Mask::of(b"http://h.dom/%3a", Vec::new());
        assert_eq!(without.masked("//jim:s@h/"), "//jim:***@h/", "a reader may decode what stands for one");
        assert_eq!(without.visible("//jim:s@h/"), "//jim:***@h/");
        let nested = b"http://h.dom/ftp://jim:s@h/";
        assert_eq!(Mask::of(nested, Vec::new()).masked("/ftp://jim:s@h/"), "/ftp://jim:***@h/");
        assert_eq!(
            Mask::of(b"http://h.dom/", Vec::new()).masked("\u{1b}"),
            urlwise::escape_for_display(b"\x1b").to_string()
        );
    }

    #[test]
    fn security_14_a_password_that_only_a_reader_sees_is_hidden_too() {
        let mask = Mask::of(b"u:SEKRET@h.example/", std::iter::once(2..8).collect());
        for (value, expected) in
            [("SEKRET@h.example/", "***"), ("sekret", "***"), ("u", "u"), ("h.example", "h.example")]
        {
            assert_eq!(mask.masked(value), expected);
            let long = format!("{}/{value}", "x".repeat(SHORT));
            assert_eq!(mask.masked(&long) == "***", expected == "***", "{value}");
        }
    }

    #[test]
    fn a_value_that_is_asked_for_again_is_shown_as_it_was() {
        use super::{LONGEST_KNOWN, MOST_KNOWN};
        let mask = Mask::of(b"ftp://jim:s3cret@host.dom/", Vec::new());
        let long = "x".repeat(LONGEST_KNOWN + 1);
        let values = [
            ("s3cret", "***"),
            ("host.dom", "host.dom"),
            ("http://a:b@c.dom/", "http://a:***@c.dom/"),
            ("jim", "jim"),
            ("", ""),
            ("jim:s3cret", "***"),
            (&long, &long),
        ];
        let others: Vec<String> = (0..2 * MOST_KNOWN).map(|number| format!("o{number}")).collect();
        for _ in 0..3 {
            for (value, expected) in values {
                assert_eq!(mask.masked(value), expected);
                assert_eq!(mask.visible(value), expected);
            }
            others.iter().for_each(|other| assert_eq!(mask.masked(other), *other));
        }
        assert_eq!(mask.known.lock().unwrap().len(), MOST_KNOWN);
    }
}
