//! Commands of GitHub's workflows, one a line: they become annotations of the files.

use urlwise::Level;

use super::{Found, Report};

/// `::error file=...,line=...::message`. URLs of the command line and of standard input have no file.
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
        properties.push(("file", crate::walk::shown(path)));
        properties.push(("line", spot.line.to_string()));
        properties.push(("endLine", spot.end_line.to_string()));
        // Columns of several lines are an error there.
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

/// The text of a command.
fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_a_property_or_a_command_is_escaped() {
        assert_eq!(property("a:b,c%\r\n"), "a%3Ab%2Cc%25%0D%0A");
        assert_eq!(message("a:b,c%\r\n"), "a:b,c%25%0D%0A");
    }
}
