//! JSON output (docs/json.md): JSON Lines, fields in a fixed order, no raw controls.
//!
//! An encoded part is `{"raw", "decoded"}`; absent is `null`, empty is `{"raw": "", "decoded": ""}`. Octets that are not UTF-8
//! are never lost: a text that is not UTF-8 is `null`, and its octets are given in hex (`url_octets`,
//! `raw_octets`, `octets`). Everything is as written, including passwords: the reader has the text anyway.

mod fields;
mod meant;
mod url;

use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::str;

use serde_json::{Map, Serializer, Value};
use urlwise::Level;
use urlwise_explain::alike::Alike;

use crate::language::language;
use fields::Json;
pub(crate) use fields::{Displayed, Fields, Prewritten, answer, escape_letter, line, object, push_number, write_long};
pub(crate) use meant::{masked_suggestions, refused, suggestion, verdict};
pub(crate) use url::{decoded, encoded, problem, problems, too_long, url};

/// One line of output.
pub(crate) type Object = Map<String, Value>;

/// Writes one object and a line end.
pub(crate) fn write_line(out: &mut dyn Write, object: &Object) -> io::Result<()> {
    write(out, object)?;
    out.write_all(b"\n")
}

/// Writes a value on one line, without a line end.
pub(crate) fn write(out: &mut dyn Write, value: &impl serde::Serialize) -> io::Result<()> {
    Ok(value.serialize(&mut Serializer::with_formatter(&mut *out, NoControls))?)
}

/// Like [`write_line`], to memory.
pub(crate) fn push_line(out: &mut Vec<u8>, object: &Object) {
    // Writing to memory cannot fail.
    let _ = write_line(out, object);
}

/// The path of a file; `null` for standard input.
pub(crate) fn path(object: &mut Object, path: Option<&Path>) {
    text(object, "path", path.map(|path| path.as_os_str().as_encoded_bytes()));
}

/// Of a mistake that is made at more places than this, the first places are listed.
pub(crate) const PLACES: usize = 20;

/// Whether texts that take so many octets in JSON fit into an object about a text of `given` octets.
pub(crate) fn fits(octets: usize, given: usize) -> bool {
    /// What they may take beyond three times that.
    const ROOM: usize = 48 << 10;
    octets <= 3 * given + ROOM
}

fn omitted_part(name: &str, span: &Range<usize>) -> Value {
    let mut object = Object::new();
    object.insert("name".into(), name.into());
    object.insert("span".into(), vec![span.start, span.end].into());
    object.into()
}

/// The list of what is omitted, where that is one field.
pub(crate) fn omitted(name: &str, span: Range<usize>) -> Value {
    vec![omitted_part(name, &span)].into()
}

/// How long octets are in JSON, as text or in hex.
pub(crate) fn length(octets: &[u8]) -> usize {
    // What most texts are.
    if fields::are_plain(octets) {
        return octets.len();
    }
    let Ok(text) = str::from_utf8(octets) else { return 2 * octets.len() };
    let length = |c: char| match c {
        '"' | '\\' => 2,
        ' '..='~' => 1,
        _ if c.is_ascii() || urlwise::is_harmful(c) => 6 * c.len_utf16(),
        _ => c.len_utf8(),
    };
    text.chars().map(length).sum()
}

/// Writes the fields that whatever is said of a URL begins with; `source` is the section and the decision.
pub(crate) fn said(
    object: &mut Fields<'_>,
    code: &str,
    level: Level,
    span: Range<usize>,
    source: (&str, Option<&str>),
    message: impl Json,
    help: Option<impl Json>,
) {
    let (section, decision) = source;
    object.field("code", code);
    object.field("level", level.name());
    object.field("span", span);
    object.field("section", section);
    object.field("decision", decision);
    object.field("message", message);
    object.field("help", help);
}

/// Writes a finding of the audit with these fields, and its places.
pub(crate) fn finding(object: &mut Fields<'_>, alike: &Alike<'_, '_>) {
    let finding = alike.first();
    let source = (finding.section(), Some(finding.decision()));
    let message = Displayed(finding.message_in(language()));
    let help = Displayed(finding.help_in(language()));
    said(object, finding.code(), finding.level(), finding.span(), source, message, Some(help));
    object.array("spans", alike.spans().take(PLACES));
    object.field("places", alike.places());
}

/// A string; if it is not UTF-8, `null`, and its octets in hex in the field `NAME_octets`.
pub(crate) fn text(object: &mut Object, name: &str, octets: Option<&[u8]>) {
    let written = octets.and_then(writable);
    object.insert(name.into(), written.into());
    if let (Some(octets), None) = (octets, written) {
        object.insert(format!("{name}_octets"), hex(octets).into());
    }
}

/// The octets as a string, unless they are not UTF-8 or are shorter in hex than as a long string.
fn writable(octets: &[u8]) -> Option<&str> {
    /// Shorter texts are written as text.
    const LONG: usize = 4 << 10;
    let is_text = octets.len() <= LONG || length(octets) <= 2 * octets.len();
    str::from_utf8(octets).ok().filter(|_| is_text)
}

/// The lower-case digit of a number below 16.
fn hex_digit(number: u8) -> u8 {
    b"0123456789abcdef"[usize::from(number & 15)]
}

/// Two lower-case digits per octet.
pub(crate) fn hex(octets: &[u8]) -> String {
    let mut text = String::with_capacity(octets.len() * 2);
    text.extend(hex_digits(octets).map(char::from));
    text
}

fn hex_digits(octets: &[u8]) -> impl Iterator<Item = u8> {
    octets.iter().flat_map(|octet| [hex_digit(octet >> 4), hex_digit(octet & 15)])
}

/// Escapes everything that could harm a terminal; JSON itself only requires C0.
struct NoControls;

impl serde_json::ser::Formatter for NoControls {
    fn write_string_fragment<W: Write + ?Sized>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        if fields::are_plain(fragment.as_bytes()) {
            return out.write_all(fragment.as_bytes());
        }
        let mut plain = 0;
        for (at, harmful) in fragment.char_indices().filter(|(_, c)| urlwise::is_harmful(*c)) {
            out.write_all(&fragment.as_bytes()[plain..at])?;
            for unit in harmful.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
            plain = at + harmful.len_utf8();
        }
        out.write_all(&fragment.as_bytes()[plain..])
    }
}
