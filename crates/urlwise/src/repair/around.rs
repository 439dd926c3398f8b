//! What stands around one URL: blanks, marks, brackets, a Markdown link, a label, the rest of a tag (Appendix, D-07, D-14,
//! D-67, D-76).

use alloc::vec::Vec;

use super::disarmed::disarmed;
use super::draft::Rewrite;
use super::found;
use super::halt::Halt;
use super::octets::{PREFIX_LENGTH, contains, has_prefix, is_known, is_white, known_scheme_length, scheme_length};
use super::rules::{
    BLANKS, DEBRIS, FixRule, INVISIBLE_AROUND, LABEL, LINK, LIST_MARK, PREFIX, QUOTES, TOO_MANY_CHANGES, WRAPPER,
};
use crate::character::{self, Role};
use crate::problem::Problem;

/// Marks that people put around a URL in pairs. None of them can begin a scheme.
const PAIRS: [(&str, &str); 20] = [
    ("\"", "\""),
    ("'", "'"),
    ("`", "`"),
    ("(", ")"),
    ("[", "]"),
    ("{", "}"),
    ("*", "*"),
    ("_", "_"),
    ("|", "|"),
    ("\u{201C}", "\u{201D}"),
    ("\u{201E}", "\u{201C}"),
    ("\u{201E}", "\u{201D}"),
    ("\u{201D}", "\u{201D}"),
    ("\u{2018}", "\u{2019}"),
    ("\u{201A}", "\u{2018}"),
    ("\u{AB}", "\u{BB}"),
    ("\u{BB}", "\u{AB}"),
    ("\u{2039}", "\u{203A}"),
    ("\u{300C}", "\u{300D}"),
    ("\u{FF08}", "\u{FF09}"),
];

/// More marks than these around one URL are not typing.
const MOST_MARKS: usize = 16;

/// What begins an entry of a list or a quoted line, before a blank.
const LIST_MARKS: [&str; 7] = ["-", "*", "+", "\u{2022}", "\u{2192}", "\u{2013}", "\u{2014}"];

/// The marks that close something before the URL, whose beginning was not copied.
const CLOSING: [&str; 4] = ["\"", ">", "\u{201D}", "\u{BB}"];

/// A longer word before a colon is not a label.
const LONGEST_LABEL: usize = 32;

fn is_punctuation(octet: u8) -> bool {
    matches!(octet, b'.' | b',' | b';' | b':' | b'!' | b'?')
}

/// The part of a text that is left when what stands around it is taken away.
pub(super) struct Frame<'a> {
    pub(super) input: &'a [u8],
    pub(super) start: usize,
    pub(super) end: usize,
    front: Vec<Rewrite>,
    back: Vec<Rewrite>,
    /// Whether the text was in `<` and `>`, so that its end is known.
    pub(super) is_wrapped: bool,
    /// Whether a label stood before it, as in prose.
    pub(super) is_labelled: bool,
}

impl<'a> Frame<'a> {
    /// Takes away all that is certainly not part of the URL.
    pub(super) fn of(input: &'a [u8]) -> Result<Self, Halt> {
        let (front, back) = (Vec::new(), Vec::new());
        let mut frame = Frame { input, start: 0, end: input.len(), front, back, is_wrapped: false, is_labelled: false };
        let mut marks = 0;
        loop {
            frame.blanks()?;
            if frame.prefix() {
                frame.bounded()?;
                continue;
            }
            if marks == MOST_MARKS
                || !(frame.wrapper() || frame.link()? || frame.list_mark() || frame.label() || frame.pair())
            {
                break;
            }
            marks += 1;
        }
        if !frame.is_wrapped {
            frame.debris();
        }
        Ok(frame)
    }

    /// What is left.
    pub(super) fn text(&self) -> &'a [u8] {
        &self.input[self.start..self.end]
    }

    /// The changes before and after what is left, each in order.
    pub(super) fn into_changes(mut self) -> (Vec<Rewrite>, Vec<Rewrite>) {
        self.back.reverse();
        (self.front, self.back)
    }

    fn cut_front(&mut self, rule: &'static FixRule, length: usize) {
        if length > 0 {
            let end = self.start + length;
            match self.front.last_mut().filter(|last| is_one_change(last, rule)) {
                Some(last) => last.span.end = end,
                None => self.front.push(Rewrite::delete(rule, self.start..end)),
            }
            self.start = end;
        }
    }

    fn cut_back(&mut self, rule: &'static FixRule, length: usize) {
        if length > 0 {
            let start = self.end - length;
            match self.back.last_mut().filter(|last| is_one_change(last, rule)) {
                Some(last) => last.span.start = start,
                None => self.back.push(Rewrite::delete(rule, start..self.end)),
            }
            self.end = start;
        }
    }

    /// Refuses a text of which too much would be cut away, piece by piece.
    fn bounded(&self) -> Result<(), Halt> {
        let is_too_long = |changes: &&Vec<Rewrite>| changes.len() >= Problem::MOST_PLACES;
        match [&self.front, &self.back].into_iter().find(is_too_long).and_then(|changes| changes.last()) {
            Some(last) => Err(Halt::ambiguous(&TOO_MANY_CHANGES, last.span.clone())),
            None => Ok(()),
        }
    }

    /// White space at both ends, and what cannot be seen there; a NUL at the end is that of a string in C.
    fn blanks(&mut self) -> Result<(), Halt> {
        loop {
            let blanks = self.text().iter().take_while(|octet| is_white(**octet)).count();
            self.cut_front(&BLANKS, blanks);
            let Some(length) =
                character::first_character(self.text()).filter(|c| is_cut_at_an_end(*c)).map(char::len_utf8)
            else {
                break;
            };
            self.cut_front(&INVISIBLE_AROUND, length);
            self.bounded()?;
        }
        loop {
            let blanks = self.text().iter().rev().take_while(|octet| is_white(**octet)).count();
            self.cut_back(&BLANKS, blanks);
            let length = match last_char(self.text()) {
                Some('\0') => self.text().iter().rev().take_while(|octet| **octet == 0).count(),
                Some(c) if is_cut_at_an_end(c) => c.len_utf8(),
                _ => break,
            };
            self.cut_back(&INVISIBLE_AROUND, length);
            self.bounded()?;
        }
        Ok(())
    }

    fn prefix(&mut self) -> bool {
        // Between the brackets nothing else can be meant.
        let is_all = self.is_wrapped && self.text().eq_ignore_ascii_case(b"URL:");
        let is_there = is_all || has_prefix(self.text());
        if is_there {
            self.cut_front(&PREFIX, PREFIX_LENGTH);
        }
        is_there
    }

    /// `<` and `>`, once.
    fn wrapper(&mut self) -> bool {
        if self.is_wrapped || !self.text().starts_with(b"<") {
            return false;
        }
        let behind = self.punctuation();
        let inside = &self.text()[1..self.text().len() - behind];
        if !inside.ends_with(b">") || is_tag(inside) {
            return false;
        }
        self.is_wrapped = true;
        self.cut_front(&WRAPPER, 1);
        self.cut_back(&WRAPPER, 1 + behind);
        true
    }

    fn pair(&mut self) -> bool {
        let text = self.text();
        let behind = self.punctuation();
        let inside = &text[..text.len() - behind];
        let fits = |(open, close): &&(&str, &str)| {
            inside.strip_prefix(open.as_bytes()).is_some_and(|rest| rest.ends_with(close.as_bytes()))
        };
        let Some((open, close)) = PAIRS.iter().find(fits) else {
            return false;
        };
        self.cut_front(&QUOTES, open.len());
        self.cut_back(&QUOTES, close.len() + behind);
        true
    }

    /// `[label](URL)`, `![label](URL "title")` and `[label]: URL`.
    fn link(&mut self) -> Result<bool, Halt> {
        let text = self.text();
        let bang = usize::from(text.starts_with(b"!"));
        if text.get(bang) != Some(&b'[') {
            return Ok(false);
        }
        let Some(close) = text.iter().position(|&octet| octet == b']') else {
            return Ok(false);
        };
        if let [b':', blank, ..] = text[close + 1..] {
            if bang == 0 && is_white(blank) {
                self.cut_front(&LINK, close + 2);
                return Ok(true);
            }
        }
        let behind = self.punctuation();
        let inside = &text[..text.len() - behind];
        if text.get(close + 1) != Some(&b'(') || inside.len() < close + 3 || !inside.ends_with(b")") {
            return Ok(false);
        }
        let target = &inside[close + 2..inside.len() - 1];
        let title = target.windows(2).position(|pair| is_white(pair[0]) && matches!(pair[1], b'"' | b'\'' | b'('));
        let title = title.map_or(0, |at| target.len() - at);
        found::agree(&text[bang + 1..close], &target[..target.len() - title], self.start + bang + 1)?;
        self.cut_front(&LINK, close + 2);
        self.cut_back(&LINK, title + 1 + behind);
        Ok(true)
    }

    fn list_mark(&mut self) -> bool {
        let text = self.text();
        let quotes = text.iter().take_while(|octet| **octet == b'>').count();
        let length = match quotes {
            0 => LIST_MARKS.iter().find(|mark| text.starts_with(mark.as_bytes())).map_or(0, |mark| mark.len()),
            _ => quotes,
        };
        let is_mark = length > 0 && text.get(length).is_some_and(|octet| is_white(*octet));
        if is_mark {
            self.cut_front(&LIST_MARK, length);
        }
        is_mark
    }

    /// One word and a colon before a URL: `Link: http://host.dom/`.
    fn label(&mut self) -> bool {
        let text = self.text();
        let word = text.iter().take_while(|octet| octet.is_ascii_alphabetic() || **octet == b'-').count();
        if word == 0 || word > LONGEST_LABEL || text.get(word) != Some(&b':') || is_known(&text[..word]) {
            return false;
        }
        let rest = &text[word + 1..];
        let blanks = rest.iter().take_while(|octet| is_white(**octet)).count();
        let rest = &rest[blanks..];
        let open = PAIRS.iter().map(|(open, _)| *open).chain(["<"]).find(|open| rest.starts_with(open.as_bytes()));
        let rest = &rest[open.map_or(0, str::len)..];
        let is_label = blanks > 0 && (known_scheme_length(rest).is_some() || disarmed(rest).is_some());
        if is_label {
            self.is_labelled = true;
            self.cut_front(&LABEL, word + 1);
        }
        is_label
    }

    /// The rest of a tag or quotation whose beginning was not copied: `">` behind a URL. A mark with a partner is data.
    fn debris(&mut self) {
        let text = self.text();
        let mut rest = &text[..text.len() - self.punctuation()];
        let mut first = None;
        while let Some(mark) = CLOSING.iter().find(|mark| rest.ends_with(mark.as_bytes())) {
            rest = &rest[..rest.len() - mark.len()];
            first = Some(*mark);
            if *mark == ">" && rest.ends_with(b"\"/") {
                rest = &rest[..rest.len() - 1];
            }
        }
        let Some(first) = first else { return };
        let marks = ["\"", "<", ">", "\u{201C}", "\u{201D}", "\u{201E}", "\u{AB}", "\u{BB}"];
        let is_data = marks.iter().any(|mark| contains(rest, mark.as_bytes()));
        // Some readers take a quotation mark into a host.
        let ends_host = first != ">" && !has_path(rest);
        if !is_data && !ends_host && scheme_length(text).is_some() {
            self.cut_back(&DEBRIS, text.len() - rest.len());
        }
    }

    /// The length of the punctuation at the end.
    fn punctuation(&self) -> usize {
        self.text().iter().rev().take_while(|octet| is_punctuation(**octet)).count()
    }
}

/// Whether this is what follows the `<` of a tag with attributes.
fn is_tag(inside: &[u8]) -> bool {
    let name = inside.iter().take_while(|octet| octet.is_ascii_alphanumeric()).count();
    name > 0 && inside.get(name).is_some_and(|octet| is_white(*octet)) && contains(inside, b"=")
}

/// Whether something follows what any reader takes for a host, slashes or not; or there is an address in its place.
fn has_path(text: &[u8]) -> bool {
    let colon = text.iter().position(|&octet| octet == b':').map_or(0, |colon| colon + 1);
    let slashes = text[colon..].iter().take_while(|octet| matches!(octet, b'/' | b'\\')).count();
    let rest = &text[colon + slashes..];
    rest.iter().any(|octet| matches!(octet, b'/' | b'?')) || (slashes == 0 && rest.contains(&b'@'))
}

fn last_char(text: &[u8]) -> Option<char> {
    let from = text.iter().rposition(|octet| !(0x80..0xC0).contains(octet))?;
    core::str::from_utf8(&text[from..]).ok()?.chars().next()
}

/// Whether a deletion beside the last change is a part of it: invisible characters side by side are one change.
fn is_one_change(last: &Rewrite, rule: &FixRule) -> bool {
    core::ptr::eq(rule, &INVISIBLE_AROUND) && core::ptr::eq(last.rule, rule)
}

/// Whether nothing can be meant by the character at an end of a text.
fn is_cut_at_an_end(c: char) -> bool {
    character::of(c).is_some_and(|row| match row.role {
        Role::Invisible | Role::Joiner | Role::Direction | Role::Space => true,
        Role::Override | Role::Quote | Role::Ellipsis | Role::Lookalike(_) => false,
    })
}
