//! GitHub workflow commands, one per line, which become annotations.

use urlwise::Level;

use super::{Found, Report};

/// `::error file=...,line=...::message`. URLs on the command line or from standard input have no file.
pub(super) fn write(report: &Report<'_>, out: &mut Vec<u8>) {
    let Found { code, level, .. } = report.found;
    let command = match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "notice",
    };
    let mut properties = Vec::new();
    let spot = report.spot();
    if let (Some(path), Some(spot)) = (report.path(), &spot) {
        properties.push(("file", urlwise_explain::secret::masked_path(path)));
        properties.push(("line", spot.line.to_string()));
        properties.push(("endLine", spot.end_line.to_string()));
        // GitHub rejects columns for a range of several lines.
        if spot.line == spot.end_line {
            properties.push(("col", spot.character.to_string()));
            properties.push(("endColumn", spot.end_character.to_string()));
        }
    }
    properties.push(("title", (*code).into()));
    let properties: Vec<_> = properties.iter().map(|(name, value)| format!("{name}={}", property(value))).collect();
    let message = message(&format!("{}: {}", report.shown_url(), report.sentence()));
    out.extend_from_slice(format!("::{command} {}::{message}\n", properties.join(",")).as_bytes());
}

/// What is escaped in a command: the first three in its message, all of them in the value of a property.
const ESCAPES: [(u8, &str); 5] = [(b'%', "%25"), (b'\r', "%0D"), (b'\n', "%0A"), (b':', "%3A"), (b',', "%2C")];

/// Escapes the message of a command.
fn message(text: &str) -> String {
    escaped(text, &ESCAPES[..3])
}

/// Escapes the value of a property.
fn property(text: &str) -> String {
    escaped(text, &ESCAPES)
}

fn escaped(text: &str, escapes: &[(u8, &str)]) -> String {
    let mut written = String::with_capacity(text.len() + text.len() / 2);
    let mut start = 0;
    for (at, octet) in text.bytes().enumerate() {
        if let Some((_, escape)) = escapes.iter().find(|(character, _)| *character == octet) {
            written.push_str(&text[start..at]);
            written.push_str(escape);
            start = at + 1;
        }
    }
    written + &text[start..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_are_escaped() {
        assert_eq!(property("a:b,c%\r\n"), "a%3Ab%2Cc%25%0D%0A");
        assert_eq!(message("a:b,c%\r\n"), "a:b,c%25%0D%0A");
    }
}
