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

/// Escapes the message of a command.
fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
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
