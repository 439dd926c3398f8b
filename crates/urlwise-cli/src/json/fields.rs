//! Writes an object of JSON field by field, without building it first: what is written for every line of a list.

use std::fmt::{self, Write as _};
use std::{io, mem};

use serde::Serialize;
use serde_json::{Map, Value};

use super::write;
use crate::exit::Failure;
use crate::input::{Answers, FULL, Full};

/// Longer values are written piece by piece, in octets.
pub(super) const PIECE: usize = 64 << 10;

/// An object that is being written: its fields follow one another in the order of the calls.
pub(crate) struct Fields<'o> {
    out: &'o mut Vec<u8>,
    is_first: bool,
    pass_on: Option<PassOn<'o>>,
}

/// Writes what there is of a long line, and clears it.
type PassOn<'o> = &'o mut dyn FnMut(&mut Vec<u8>);

/// Writes one object on one line.
pub(crate) fn line(out: &mut Vec<u8>, fields: impl FnOnce(&mut Fields<'_>)) {
    object(out, fields);
    out.push(b'\n');
}

/// The same as the answer to a record that may be long: what is written of it is passed on before the line is complete. Returns what
/// `fields` does.
pub(crate) fn answer<R>(
    answers: &mut Answers,
    full: Full<'_>,
    fields: impl FnOnce(&mut Fields<'_>) -> R,
) -> Result<R, Failure> {
    let mut done = Ok(());
    let mut line = mem::take(&mut answers.out);
    let mut pass_on = |line: &mut Vec<u8>| {
        mem::swap(line, &mut answers.out);
        if done.is_ok() {
            done = full(answers);
        }
        mem::swap(line, &mut answers.out);
        // After a failure, the rest is of no use.
        line.clear();
    };
    line.push(b'{');
    let returned = fields(&mut Fields { out: &mut line, is_first: true, pass_on: Some(&mut pass_on) });
    line.extend_from_slice(b"}\n");
    answers.out = line;
    done.map(|()| returned)
}

/// Writes one object on one line, which may be long: what there is of it is written before it is complete.
pub(crate) fn write_long(out: &mut dyn io::Write, fields: impl FnOnce(&mut Fields<'_>)) -> io::Result<()> {
    let mut done = Ok(());
    let mut line = vec![b'{'];
    let mut pass_on = |line: &mut Vec<u8>| {
        if done.is_ok() {
            done = out.write_all(line);
        }
        line.clear();
    };
    fields(&mut Fields { out: &mut line, is_first: true, pass_on: Some(&mut pass_on) });
    done?;
    line.extend_from_slice(b"}\n");
    out.write_all(&line)
}

/// Writes one object.
pub(crate) fn object(out: &mut Vec<u8>, fields: impl FnOnce(&mut Fields<'_>)) {
    out.push(b'{');
    fields(&mut Fields { out, is_first: true, pass_on: None });
    out.push(b'}');
}

impl Fields<'_> {
    /// Writes a field.
    pub(crate) fn field(&mut self, name: &str, value: impl Json) {
        value.json(self.name(name, ""));
    }

    /// Writes a field that is an object. Returns what `fields` does.
    pub(crate) fn object<R>(&mut self, name: &str, fields: impl FnOnce(&mut Fields<'_>) -> R) -> R {
        self.name(name, "").push(b'{');
        let pass_on = self.pass_on.as_mut().map(|pass_on| &mut **pass_on as PassOn<'_>);
        let returned = fields(&mut Fields { out: self.out, is_first: true, pass_on });
        self.out.push(b'}');
        returned
    }

    /// Writes a field that is an array of objects.
    pub(crate) fn objects<T>(
        &mut self,
        name: &str,
        items: impl IntoIterator<Item = T>,
        mut fields: impl FnMut(&mut Fields<'_>, T),
    ) {
        array(self.name(name, ""), items, |out, item| object(out, |object| fields(object, item)));
    }

    /// Writes a field that is an array.
    pub(crate) fn array(&mut self, name: &str, items: impl IntoIterator<Item = impl Json>) {
        array(self.name(name, ""), items, |out, item| item.json(out));
    }

    /// Writes all fields of an object that was built before.
    pub(crate) fn extend(&mut self, object: &Map<String, Value>) {
        for (name, value) in object {
            self.field(name, value);
        }
    }

    /// Writes a string; if it is not UTF-8, `null`, and its octets in hex in the field `NAME_octets`.
    pub(crate) fn text(&mut self, name: &str, octets: Option<&[u8]>) {
        // What most texts are, looked at once.
        if let Some(plain) = octets.filter(|octets| octets.len() <= PIECE && are_plain(octets)) {
            return plain_string(plain, self.name(name, ""));
        }
        let text = octets.and_then(super::writable);
        self.string(name, text);
        if let (Some(octets), None) = (octets, text) {
            self.hex_digits(name, "_octets", octets);
        }
    }

    /// Writes a string that may be long.
    #[inline]
    pub(crate) fn string(&mut self, name: &str, text: Option<&str>) {
        match text {
            Some(long) if long.len() > PIECE => self.long_string(name, long),
            short => self.field(name, short),
        }
    }

    /// Writes an array of strings that may be long. Each is made when it is written.
    pub(crate) fn strings(&mut self, name: &str, texts: impl IntoIterator<Item = impl AsRef<str>>) {
        self.name(name, "").push(b'[');
        for (i, text) in texts.into_iter().enumerate() {
            if i > 0 {
                self.out.push(b',');
            }
            self.push_long(text.as_ref());
        }
        self.out.push(b']');
    }

    fn long_string(&mut self, name: &str, text: &str) {
        self.name(name, "");
        self.push_long(text);
    }

    fn push_long(&mut self, text: &str) {
        let mut rest = text;
        self.out.push(b'"');
        while !rest.is_empty() {
            let (piece, behind) = rest.split_at(rest.floor_char_boundary(PIECE));
            match are_plain(piece.as_bytes()) {
                true => self.out.extend_from_slice(piece.as_bytes()),
                false => escape(piece, self.out),
            }
            self.relieve();
            rest = behind;
        }
        self.out.push(b'"');
    }

    /// Writes octets as two digits each.
    pub(crate) fn hex(&mut self, name: &str, octets: &[u8]) {
        self.hex_digits(name, "", octets);
    }

    fn hex_digits(&mut self, name: &str, suffix: &str, octets: &[u8]) {
        self.name(name, suffix).push(b'"');
        for piece in octets.chunks(PIECE) {
            self.out.reserve(2 * piece.len());
            self.out.extend(super::hex_digits(piece));
            self.relieve();
        }
        self.out.push(b'"');
    }

    /// Passes on what there is of a long line.
    fn relieve(&mut self) {
        if let Some(pass_on) = self.pass_on.as_mut().filter(|_| self.out.len() > FULL) {
            pass_on(self.out);
        }
    }

    /// Writes the name of a field; its value must follow.
    fn name(&mut self, name: &str, suffix: &str) -> &mut Vec<u8> {
        if !mem::take(&mut self.is_first) {
            self.out.push(b',');
        }
        // The names of fields are letters and `_`, which need no escapes.
        self.out.reserve(name.len() + suffix.len() + 3);
        self.out.push(b'"');
        self.out.extend_from_slice(name.as_bytes());
        if !suffix.is_empty() {
            self.out.extend_from_slice(suffix.as_bytes());
        }
        self.out.extend_from_slice(b"\":");
        self.out
    }
}

fn array<T>(out: &mut Vec<u8>, items: impl IntoIterator<Item = T>, mut value: impl FnMut(&mut Vec<u8>, T)) {
    out.push(b'[');
    for (i, item) in items.into_iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        value(out, item);
    }
    out.push(b']');
}

/// A value that can be written as JSON.
pub(crate) trait Json {
    fn json(self, out: &mut Vec<u8>);
}

impl Json for &str {
    fn json(self, out: &mut Vec<u8>) {
        if are_plain(self.as_bytes()) {
            return plain_string(self.as_bytes(), out);
        }
        out.push(b'"');
        escape(self, out);
        out.push(b'"');
    }
}

/// A value that was written once, for many objects.
pub(crate) struct Prewritten(Vec<u8>);

impl Prewritten {
    pub(crate) fn of(value: impl Json) -> Prewritten {
        let mut written = Vec::new();
        value.json(&mut written);
        Prewritten(written)
    }

    /// How long it is as JSON.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

impl Json for &Prewritten {
    fn json(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.0);
    }
}

impl Json for bool {
    fn json(self, out: &mut Vec<u8>) {
        out.extend_from_slice(if self { b"true" } else { b"false" });
    }
}

impl Json for usize {
    fn json(self, out: &mut Vec<u8>) {
        push_number(self, out);
    }
}

impl Json for u16 {
    fn json(self, out: &mut Vec<u8>) {
        usize::from(self).json(out);
    }
}

/// A span: its start and its end.
impl Json for std::ops::Range<usize> {
    fn json(self, out: &mut Vec<u8>) {
        array(out, [self.start, self.end], |out, end| end.json(out));
    }
}

impl<T: Json> Json for Option<T> {
    fn json(self, out: &mut Vec<u8>) {
        match self {
            Some(value) => value.json(out),
            None => out.extend_from_slice(b"null"),
        }
    }
}

impl<T: Serialize> Json for &T {
    fn json(self, out: &mut Vec<u8>) {
        // Writing to memory cannot fail, here and below.
        let _ = write(out, self);
    }
}

/// A text that is written as it is displayed.
pub(crate) struct Displayed<T>(pub(crate) T);

impl<T: fmt::Display> Json for Displayed<T> {
    fn json(self, out: &mut Vec<u8>) {
        struct Escaped<'o>(&'o mut Vec<u8>);
        impl fmt::Write for Escaped<'_> {
            fn write_str(&mut self, text: &str) -> fmt::Result {
                escape(text, self.0);
                Ok(())
            }
        }
        out.push(b'"');
        let _ = write!(Escaped(out), "{}", self.0);
        out.push(b'"');
    }
}

/// Appends a number in decimal digits.
pub(crate) fn push_number(mut number: usize, out: &mut Vec<u8>) {
    let mut digits = [0; usize::MAX.ilog10() as usize + 1];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            return out.extend_from_slice(&digits[start..]);
        }
    }
}

/// The octet that follows a backslash where a character is escaped, in JSON and in text separated by tabs.
pub(crate) const fn escape_letter(c: char) -> Option<u8> {
    Some(match c {
        '\\' => b'\\',
        '\u{8}' => b'b',
        '\t' => b't',
        '\n' => b'n',
        '\u{c}' => b'f',
        '\r' => b'r',
        _ => return None,
    })
}

/// Appends a text as it stands in a string of JSON.
fn escape(text: &str, out: &mut Vec<u8>) {
    let mut written = [0; LONGEST * AT_ONCE];
    let mut rest = text;
    while !rest.is_empty() {
        let (some, behind) = rest.split_at(rest.floor_char_boundary(AT_ONCE));
        let length = write_escaped(some, &mut written);
        out.extend_from_slice(&written[..length]);
        rest = behind;
    }
}

/// So much is escaped at once, in octets.
const AT_ONCE: usize = 64;

/// What an octet of a text takes at most in a string: `\u0000`.
const LONGEST: usize = 6;

/// How an octet is written in a string.
#[derive(Clone, Copy)]
enum Written {
    /// As it is.
    Plain,
    /// As a backslash and this octet.
    Letter(u8),
    /// By its number.
    Number,
    /// As the character outside US-ASCII that it belongs to.
    Character,
}

static WRITTEN: [Written; 256] = {
    let (mut all, mut octet) = ([Written::Character; 256], 0);
    while octet < 0x80 {
        all[octet as usize] = match escape_letter(octet as char) {
            _ if octet == b'"' => Written::Letter(octet),
            Some(letter) => Written::Letter(letter),
            None if is_plain(octet) => Written::Plain,
            None => Written::Number,
        };
        octet += 1;
    }
    all
};

/// Writes a text into memory that is long enough, octet by octet: between two escapes there may be few. Returns how much it takes.
fn write_escaped(text: &str, memory: &mut [u8; LONGEST * AT_ONCE]) -> usize {
    let mut memory = Memory { octets: memory, length: 0 };
    let octets = text.as_bytes();
    let mut at = 0;
    while let Some(&octet) = octets.get(at) {
        at += 1;
        match WRITTEN[usize::from(octet)] {
            Written::Plain => memory.push([octet]),
            Written::Letter(letter) => memory.push([b'\\', letter]),
            Written::Number => memory.push_number(octet.into()),
            Written::Character => {
                let c = text[at - 1..].chars().next().unwrap_or_default();
                match urlwise::is_harmful(c) {
                    true => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| memory.push_number(*unit)),
                    false => memory.push_character(&octets[at - 1..], c.len_utf8()),
                }
                at += c.len_utf8() - 1;
            }
        }
    }
    memory.length
}

/// Memory that is filled from its start.
struct Memory<'m> {
    octets: &'m mut [u8; LONGEST * AT_ONCE],
    length: usize,
}

impl Memory<'_> {
    fn push<const N: usize>(&mut self, piece: [u8; N]) {
        if let Some(place) = self.octets[self.length..].first_chunk_mut() {
            *place = piece;
        }
        self.length += N;
    }

    /// The character of so many octets, two to four, that these begin with.
    fn push_character(&mut self, octets: &[u8], length: usize) {
        match (octets, length) {
            ([a, b, ..], 2) => self.push([*a, *b]),
            ([a, b, c, ..], 3) => self.push([*a, *b, *c]),
            ([a, b, c, d, ..], _) => self.push([*a, *b, *c, *d]),
            _ => {}
        }
    }

    /// `\uHHHH`.
    fn push_number(&mut self, unit: u16) {
        let digit = |shift: u32| super::hex_digit((unit >> shift) as u8);
        self.push([b'\\', b'u', digit(12), digit(8), digit(4), digit(0)]);
    }
}

/// Writes octets that are all plain.
fn plain_string(plain: &[u8], out: &mut Vec<u8>) {
    out.reserve(plain.len() + 2);
    out.push(b'"');
    out.extend_from_slice(plain);
    out.push(b'"');
}

/// Whether all octets are written as they are.
pub(super) fn are_plain(octets: &[u8]) -> bool {
    // Without an early end, so that many are looked at at once.
    octets.iter().fold(true, |plain, &octet| plain & is_plain(octet))
}

/// Whether an octet is written as it is, and is a character of its own.
const fn is_plain(octet: u8) -> bool {
    matches!(octet, b' '..=b'~') && octet != b'"' && octet != b'\\'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(fields: impl FnOnce(&mut Fields<'_>)) -> String {
        let mut out = Vec::new();
        object(&mut out, fields);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_character_is_written_as_the_serializer_writes_it() {
        let all: String = (0..=0x2_FFFF).chain(0xE_0000..0xE_0100).filter_map(char::from_u32).collect();
        let (mut direct, mut built) = (Vec::new(), Vec::new());
        all.as_str().json(&mut direct);
        write(&mut built, &Value::from(all.as_str())).unwrap();
        assert!(direct == built);
        direct.clear();
        Displayed(&all).json(&mut direct);
        assert!(direct == built);
        assert_eq!(serde_json::from_slice::<Value>(&direct).unwrap(), all);
    }

    #[test]
    fn fields_and_items_are_separated_by_commas() {
        assert_eq!(written(|_| {}), "{}");
        let object = written(|object| {
            object.field("a", true);
            object.field("b", None::<usize>);
            object.field("c", 65535u16);
            object.object("d", |object| object.field("e", 1..2));
            object.array("f", ["x", "y"]);
            object.array("g", None::<bool>);
            object.strings("s", ["x", "\""]);
            object.strings("t", None::<&str>);
            object.objects("h", [3usize, 4], |object, number| object.field("i", number));
        });
        assert_eq!(
            object,
            r#"{"a":true,"b":null,"c":65535,"d":{"e":[1,2]},"f":["x","y"],"g":[],"s":["x","\""],"t":[],"h":[{"i":3},{"i":4}]}"#
        );
    }

    #[test]
    fn a_long_answer_is_passed_on_in_pieces_which_are_the_whole() {
        let long = "\u{4e2d}\u{1}\"ab".repeat(FULL / 6);
        let fields = |object: &mut Fields<'_>| {
            object.text("a", Some(long.as_bytes()));
            object.object("b", |object| object.string("c", Some(&long)));
            object.text("d", Some(&[0xFF; 2 * FULL]));
            object.hex("e", long.as_bytes());
            object.strings("f", ["", &long, &long]);
        };
        let mut whole = Vec::new();
        line(&mut whole, fields);
        let (mut passed, mut pieces) = (Vec::new(), 0);
        let mut answers = Answers::default();
        answers.out.extend_from_slice(b"before ");
        let done = answer(
            &mut answers,
            &mut |answers| {
                // What is passed on is not much more than what has to be.
                assert!((FULL..FULL + 8 * PIECE).contains(&answers.out.len()));
                passed.append(&mut answers.out);
                pieces += 1;
                Ok(())
            },
            fields,
        );
        assert!(done.is_ok() && pieces > 5);
        passed.append(&mut answers.out);
        assert!(passed == [&b"before "[..], &whole].concat());
    }

    #[test]
    fn nothing_is_passed_on_after_a_failure() {
        let (mut answers, mut count) = (Answers::default(), 0);
        let mut fail = |_: &mut Answers| {
            count += 1;
            Err(Failure::Enough)
        };
        let done = answer(&mut answers, &mut fail, |object| object.hex("a", &[0; 4 * FULL]));
        assert!(done.is_err());
        assert_eq!(count, 1);
        assert!(answers.out.len() < 2 * FULL);
    }

    #[test]
    fn octets_that_are_no_text_are_written_in_hex() {
        let object = written(|object| {
            object.text("a", Some(b"x"));
            object.text("b", Some(b"\xE9\x01"));
            object.text("c", None);
        });
        assert_eq!(object, r#"{"a":"x","b":null,"b_octets":"e901","c":null}"#);
    }
}
