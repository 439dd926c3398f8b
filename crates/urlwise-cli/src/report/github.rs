//! GitHub workflow commands, one per line, which become annotations.

use urlwise::Level;

use super::{Found, Report};

/// `::error file=...,line=...::message`. What is in no file says its place in the message: standard input and pages have one.
pub(super) fn write(report: &Report<'_>, out: &mut Vec<u8>) {
    let Found { code, level, .. } = report.found;
    let command = match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "notice",
    };
    out.extend_from_slice(format!("::{command} ").as_bytes());
    let spot = report.spot();
    if let (Some(path), Some(spot)) = (report.path(), &spot) {
        out.extend_from_slice(b"file=");
        push_property(out, &urlwise_explain::secret::masked_path(path));
        out.extend_from_slice(format!(",line={},endLine={},", spot.line, spot.end_line).as_bytes());
        // GitHub rejects columns for a range of several lines.
        if spot.line == spot.end_line {
            let columns = format!("col={},endColumn={},", spot.character, spot.end_character);
            out.extend_from_slice(columns.as_bytes());
        }
    }
    out.extend_from_slice(b"title=");
    push_property(out, code);
    out.extend_from_slice(b"::");
    let place = report.place().filter(|_| report.path().is_none());
    for text in place.into_iter().chain([report.shown_url()]) {
        push_message(out, &text);
        out.extend_from_slice(b": ");
    }
    push_message(out, &report.sentence());
    out.push(b'\n');
}

/// Appends what is said in a command.
fn push_message(out: &mut Vec<u8>, text: &str) {
    push_escaped(out, text, |octets| memchr::memchr3(b'%', b'\r', b'\n', octets));
}

/// Appends the value of a property.
fn push_property(out: &mut Vec<u8>, text: &str) {
    let is_escaped = |octet: &u8| matches!(octet, b'%' | b'\r' | b'\n' | b':' | b',');
    push_escaped(out, text, |octets| octets.iter().position(is_escaped));
}

/// Appends a text in which each octet that is found is `%` and its number in two digits.
fn push_escaped(out: &mut Vec<u8>, text: &str, find: impl Fn(&[u8]) -> Option<usize>) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let mut rest = text.as_bytes();
    while let Some(at) = find(rest) {
        let octet = rest[at];
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(&[b'%', DIGITS[usize::from(octet >> 4)], DIGITS[usize::from(octet & 15)]]);
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_are_escaped() {
        let pushed = |push: fn(&mut Vec<u8>, &str)| {
            let mut out = b"title=".to_vec();
            push(&mut out, "a:b,\u{e9}%\r\n");
            String::from_utf8(out).unwrap()
        };
        assert_eq!(pushed(push_property), "title=a%3Ab%2C\u{e9}%25%0D%0A");
        assert_eq!(pushed(push_message), "title=a:b,\u{e9}%25%0D%0A");
    }
}
