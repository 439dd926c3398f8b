//! JUnit XML: one test case for each report. What makes the run fail has failed, everything else is skipped.

use std::io::{self, Write};

use super::Report;
use crate::secret;

/// Everything before the cases. How many there are is not known yet, and readers count them.
pub(super) fn begin(out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"urlwise check\">\n")
}

/// Everything after the cases.
pub(super) fn end(complete: bool, out: &mut dyn Write) -> io::Result<()> {
    if !complete {
        let error = "<testcase name=\"run\"><error message=\"the run is incomplete\"/></testcase>\n";
        out.write_all(error.as_bytes())?;
    }
    out.write_all(b"</testsuite>\n</testsuites>\n")
}

/// One case.
pub(super) fn write(report: &Report<'_>, out: &mut Vec<u8>) {
    let place = report.path().map_or_else(|| "<stdin>".into(), secret::masked_path);
    let (spot, url) = (report.spot(), report.shown_url());
    let (line, name) = match &spot {
        Some(spot) => (format!(" line=\"{}\"", spot.line), format!("{}:{} {url}", spot.line, spot.column)),
        None => (String::new(), url),
    };
    let (rule, message) = (report.found.code, escaped(&report.sentence()));
    let result = match report.fails {
        true => format!("<failure type=\"{rule}\" message=\"{message}\"/>"),
        false => format!("<skipped message=\"{rule}: {message}\"/>"),
    };
    let (place, name) = (escaped(&place), escaped(&name));
    let case = format!("<testcase classname=\"{place}\" name=\"{name}\" file=\"{place}\"{line}>{result}</testcase>\n");
    out.extend_from_slice(case.as_bytes());
}

/// A text in an attribute. XML cannot have most controls, even as references.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn markup_and_controls_are_escaped() {
        assert_eq!(escaped("<a b=\"c\">&\n\u{1b}\u{ffff}"), "&lt;a b=&quot;c&quot;&gt;&amp; \u{fffd}\u{fffd}");
    }
}
