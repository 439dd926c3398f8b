//! A table in Markdown, a row for each report, for summaries of CI systems.

use std::io::{self, Write};

use super::Report;
use crate::language::{language, said};

/// The head of the table.
pub(super) fn begin(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "| {} |\n|---|---|---|---|---|", said!("Place | Level | Rule | URL | Message"))
}

/// What follows the table.
pub(super) fn end(complete: bool, out: &mut dyn Write) -> io::Result<()> {
    match complete {
        true => writeln!(out),
        false => writeln!(out, "\n{}\n", said!("The run is incomplete.")),
    }
}

/// One row.
pub(super) fn write(report: &Report<'_>, out: &mut Vec<u8>) {
    let place = report.place().unwrap_or_default();
    let (level, rule) = (report.found.level.name_in(language()), report.found.code);
    for cell in [place.as_str(), &level, rule, &report.shown_url(), &report.sentence()] {
        out.extend_from_slice(b"| ");
        push_escaped(out, cell);
        out.push(b' ');
    }
    out.extend_from_slice(b"|\n");
}

/// A text that stands for itself: nothing in it is markup or becomes a link. A backslash before any punctuation is allowed.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = Vec::new();
    push_escaped(&mut escaped, text);
    // Only characters of US-ASCII were added.
    String::from_utf8(escaped).unwrap_or_default()
}

/// Appends the same.
fn push_escaped(out: &mut Vec<u8>, text: &str) {
    let mut at = out.len();
    // An octet that is left out is a backslash, so that each one takes the same few steps.
    out.resize(at + 2 * text.len(), b'\\');
    for octet in text.bytes() {
        let (is_mark, written) = WRITTEN[usize::from(octet)];
        at += usize::from(is_mark);
        out[at] = written;
        at += 1;
    }
    out.truncate(at);
}

/// Whether a backslash stands before an octet, and what is written for it.
static WRITTEN: [(bool, u8); 256] = {
    let (mut all, mut octet) = ([(false, 0); 256], 0);
    while octet < all.len() {
        all[octet] = match octet as u8 {
            b'\n' | b'\r' => (false, b' '),
            plain @ (b'/' | b',' | b'-') => (false, plain),
            other => (other.is_ascii_punctuation(), other),
        };
        octet += 1;
    }
    all
};

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn nothing_is_markup() {
        assert_eq!(escaped("a|b `c` <d>\nhttp://e/"), "a\\|b \\`c\\` \\<d\\> http\\://e/");
        assert_eq!(escaped("\u{e9}\r-,\\.\u{4e2d}"), "\u{e9} -,\\\\\\.\u{4e2d}");
    }
}
