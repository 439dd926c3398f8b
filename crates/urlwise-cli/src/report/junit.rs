//! JUnit XML: one test case for each report. What makes the run fail has failed, everything else is skipped.

use std::io::{self, Write};

use super::Report;
use crate::language::said;

/// Everything before the cases. How many there are is not known yet, and readers count them.
pub(super) fn begin(out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"urlwise check\">\n")
}

/// Everything after the cases.
pub(super) fn end(complete: bool, out: &mut dyn Write) -> io::Result<()> {
    if !complete {
        let message = escaped(&said!("the run is incomplete"));
        writeln!(out, "<testcase name=\"run\"><error message=\"{message}\"/></testcase>")?;
    }
    out.write_all(b"</testsuite>\n</testsuites>\n")
}

/// One case.
pub(super) fn write(report: &Report<'_>, out: &mut Vec<u8>) {
    let (spot, text) = (report.spot(), report.text());
    out.extend_from_slice(b"<testcase classname=\"");
    push_escaped(out, text.as_deref().unwrap_or("urlwise"));
    out.extend_from_slice(b"\" name=\"");
    if let Some(spot) = &spot {
        out.extend_from_slice(format!("{}:{} ", spot.line, spot.column).as_bytes());
    }
    push_escaped(out, &report.shown_url());
    if let (Some(spot), Some(text)) = (&spot, &text) {
        out.extend_from_slice(b"\" file=\"");
        push_escaped(out, text);
        out.extend_from_slice(format!("\" line=\"{}", spot.line).as_bytes());
    }
    let rule = report.found.code;
    let result = match report.fails {
        true => format!("\"><failure type=\"{rule}\" message=\""),
        false => format!("\"><skipped message=\"{rule}: "),
    };
    out.extend_from_slice(result.as_bytes());
    push_escaped(out, &report.sentence());
    out.extend_from_slice(b"\"/></testcase>\n");
}

/// A text in an attribute.
fn escaped(text: &str) -> String {
    let mut escaped = Vec::new();
    push_escaped(&mut escaped, text);
    // Nothing but whole characters was added.
    String::from_utf8(escaped).unwrap_or_default()
}

/// Appends the same. XML cannot have most controls, even as references.
fn push_escaped(out: &mut Vec<u8>, text: &str) {
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|octet| MAY_BE_ODD[usize::from(octet)]) {
        let (plain, odd) = rest.split_at(at);
        out.extend_from_slice(plain.as_bytes());
        let c = odd.chars().next().unwrap_or_default();
        let (this, behind) = odd.split_at(c.len_utf8());
        let written = match c {
            '&' => "&amp;",
            '<' => "&lt;",
            '>' => "&gt;",
            '"' => "&quot;",
            '\n' | '\t' => " ",
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => "\u{fffd}",
            _ => this,
        };
        out.extend_from_slice(written.as_bytes());
        rest = behind;
    }
    out.extend_from_slice(rest.as_bytes());
}

/// Whether an octet is looked at more closely: it is markup, a control, or begins one or one of the last two characters of the Basic
/// Multilingual Plane.
static MAY_BE_ODD: [bool; 256] = {
    let (mut all, mut octet) = ([false; 256], 0);
    while octet < all.len() {
        all[octet] = matches!(octet as u8, ..b' ' | b'&' | b'<' | b'>' | b'"' | 0x7F | 0xC2 | 0xEF);
        octet += 1;
    }
    all
};

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn markup_and_controls_are_escaped() {
        assert_eq!(escaped("<a b=\"c\">&\n\u{1b}\u{ffff}"), "&lt;a b=&quot;c&quot;&gt;&amp; \u{fffd}\u{fffd}");
        let others = "\u{a0}\u{e9}\u{4e2d}\u{ff0f}\u{fffd}\u{1f4a9}";
        assert_eq!(
            escaped(&format!("\u{7f}\u{85}\u{9f}{others}\u{fffe}")),
            format!("{}{others}\u{fffd}", "\u{fffd}".repeat(3))
        );
    }
}
