//! A table in Markdown, a row for each report, for summaries of CI systems.

use std::io::{self, Write};

use urlwise_explain::secret;

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
    let place = match (report.path(), report.spot()) {
        (Some(path), Some(spot)) => format!("{}:{}:{}", secret::masked_path(path), spot.line, spot.column),
        (None, Some(spot)) => format!("<stdin>:{}:{}", spot.line, spot.column),
        (_, None) => String::new(),
    };
    let (level, rule) = (report.found.level.name_in(language()), report.found.code);
    let cells = [place.as_str(), &level, rule, &report.shown_url(), &report.sentence()];
    let cells: Vec<_> = cells.iter().map(|cell| escaped(cell)).collect();
    out.extend_from_slice(format!("| {} |\n", cells.join(" | ")).as_bytes());
}

/// A text that stands for itself: nothing in it is markup or becomes a link. A backslash before any punctuation is allowed.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' => escaped.push(' '),
            c if c.is_ascii_punctuation() && !matches!(c, '/' | ',' | '-') => escaped.extend(['\\', c]),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn nothing_is_markup() {
        assert_eq!(escaped("a|b `c` <d>\nhttp://e/"), "a\\|b \\`c\\` \\<d\\> http\\://e/");
    }
}
