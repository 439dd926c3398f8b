//! JUnit XML: one test case for each report. What makes the run fail has failed, everything else is skipped.

use std::io::{self, Write};

use urlwise_explain::secret;

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
    let url = report.shown_url();
    let (class, name, at) = match report.spot() {
        Some(spot) => {
            let path = escaped(&report.path().map_or_else(|| "<stdin>".into(), secret::masked_path));
            let at = format!(" file=\"{path}\" line=\"{}\"", spot.line);
            (path, format!("{}:{} {url}", spot.line, spot.column), at)
        }
        // An argument, or on a page: neither is in a file.
        None => ("urlwise".into(), url, String::new()),
    };
    let (rule, message) = (report.found.code, escaped(&report.sentence()));
    let result = match report.fails {
        true => format!("<failure type=\"{rule}\" message=\"{message}\"/>"),
        false => format!("<skipped message=\"{rule}: {message}\"/>"),
    };
    let name = escaped(&name);
    let case = format!("<testcase classname=\"{class}\" name=\"{name}\"{at}>{result}</testcase>\n");
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
