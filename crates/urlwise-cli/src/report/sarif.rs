//! SARIF 2.1.0: one run with its rules first, then one result per report.
//!
//! Columns count characters (Unicode code points); a location in a text has octet offsets too. URLs on the command line or from
//! standard input have no artifact and are given as logical locations.

use std::io::{self, Write};
use std::path::{Component, Path};

use serde_json::{Value, json};
use urlwise::{Change, Language, Level};

use super::{Found, Report, Where};
use crate::json;
use crate::language::{language, said};
use crate::rules;

/// Precedes every result except the first.
pub(super) const DIVIDER: &[u8] = b",\n";

/// Everything before the results.
pub(super) fn begin(out: &mut dyn Write) -> io::Result<()> {
    let driver = json!({
        "name": "urlwise",
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "rules": rules(),
    });
    out.write_all(
        br#"{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":{"driver":"#,
    )?;
    json::write(out, &driver)?;
    // English is the default of SARIF, in the spelling of the United States.
    match language() {
        Language::En => out.write_all(b"}")?,
        other => write!(out, r#"}},"language":"{}""#, other.tag())?,
    }
    out.write_all(br#","columnKind":"unicodeCodePoints","redactionTokens":["***"],"results":["#)?;
    out.write_all(b"\n")
}

/// Everything after the results.
pub(super) fn end(complete: bool, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"\n],\"invocations\":[")?;
    json::write(out, &json!({ "executionSuccessful": complete }))?;
    out.write_all(b"]}]}\n")
}

/// Every code and rule once; a name that is both has both pages.
fn rules() -> Vec<Value> {
    let pages = rules::pages();
    let rule = |page: &rules::Page| {
        json!({
            "id": page.id,
            "shortDescription": { "text": text(&page.title) },
            "help": { "text": text(&page.text) },
            "defaultConfiguration": { "level": page.level.name() },
        })
    };
    pages.iter().map(rule).collect()
}

/// One result, after a comma.
pub(super) fn write(report: &Report<'_>, out: &mut Vec<u8>) {
    let Found { code, level, span, section, decision, .. } = report.found;
    let url = report.shown_url();
    let mut result = json!({
        "ruleId": code,
        "ruleIndex": rules::index(code),
        "level": match level { Level::Error => "error", Level::Warning => "warning", Level::Note => "note" },
        "message": { "text": text(&report.sentence()) },
        "locations": [location(report, &url)],
        "properties": { "url": url, "span": [span.start, span.end], "section": section, "decision": decision },
    });
    if let (Some(fix), Some(result)) = (fix(report), result.as_object_mut()) {
        result.insert("fixes".into(), vec![fix].into());
    }
    out.extend_from_slice(DIVIDER);
    // Writing to memory cannot fail.
    let _ = json::write(out, &result);
}

/// All changes of the URL as one fix, in octets of its file. Only for a URL in one piece in a text, and only without passwords:
/// what is masked cannot be written.
fn fix(report: &Report<'_>) -> Option<Value> {
    /// More changes than these are left to `check --fix`.
    const MOST: usize = 100;
    let (Some(path), Where::Text { url: Some(url), .. }) = (report.path(), report.at) else { return None };
    let repaired = report.meant()?.repaired().filter(|repaired| repaired.changes().len() <= MOST)?;
    if !report.subject.secrets.is_empty() {
        return None;
    }
    let replacement = |change: &Change<'_>| {
        let span = change.span();
        json!({
            "deletedRegion": { "byteOffset": url + span.start, "byteLength": span.len() },
            "insertedContent": { "text": change.now() },
        })
    };
    let replacements: Vec<_> = repaired.changes().iter().map(replacement).collect();
    Some(json!({
        "description": { "text": text(&report.meant()?.line_in(language())?) },
        "artifactChanges": [{ "artifactLocation": { "uri": uri(path) }, "replacements": replacements }],
    }))
}

fn location(report: &Report<'_>, url: &str) -> Value {
    let (Some(path), Some(spot)) = (report.path(), report.spot()) else {
        let line = report.spot().map(|spot| said!("line {number} of standard input", number = spot.line));
        let from = line.unwrap_or_else(|| said!("the command line"));
        return json!({ "logicalLocations": [{ "fullyQualifiedName": url }], "message": { "text": from } });
    };
    let mut region = json!({
        "startLine": spot.line,
        "startColumn": spot.character,
        "endLine": spot.end_line,
        "endColumn": spot.end_character,
    });
    if let (Where::Text { start, end, .. }, Some(region)) = (report.at, region.as_object_mut()) {
        region.insert("byteOffset".into(), start.offset.into());
        region.insert("byteLength".into(), (end.offset - start.offset).into());
    }
    json!({ "physicalLocation": { "artifactLocation": { "uri": uri(path) }, "region": region } })
}

/// A path as a relative reference (RFC 3986), or as a file URL if it is absolute.
fn uri(path: &Path) -> String {
    let mut uri = String::new();
    for component in path.components() {
        match component {
            Component::RootDir => {
                uri.push('/');
                continue;
            }
            // A Windows drive.
            Component::Prefix(prefix) => {
                uri.push('/');
                uri.push_str(&encoded(prefix.as_os_str().as_encoded_bytes()));
                continue;
            }
            _ if !uri.is_empty() && !uri.ends_with('/') => uri.push('/'),
            _ => {}
        }
        uri.push_str(&encoded(component.as_os_str().as_encoded_bytes()));
    }
    if uri.starts_with('/') { format!("file://{uri}") } else { uri }
}

fn encoded(octets: &[u8]) -> String {
    octets.iter().fold(String::new(), |mut text, &octet| {
        match octet {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => text.push(char::from(octet)),
            _ => text.push_str(&format!("%{octet:02X}")),
        }
        text
    })
}

/// Escapes a message: brackets would start a link, braces a placeholder.
fn text(plain: &str) -> String {
    let mut text = String::with_capacity(plain.len());
    for c in plain.chars() {
        match c {
            '[' | ']' | '\\' => text.extend(['\\', c]),
            '{' | '}' => text.extend([c, c]),
            _ => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_references() {
        assert_eq!(uri(Path::new("a b/c:d/%.md")), "a%20b/c%3Ad/%25.md");
        assert_eq!(uri(Path::new("../x")), "../x");
        #[cfg(unix)]
        assert_eq!(uri(Path::new("/tmp/\u{e9}")), "file:///tmp/%C3%A9");
    }

    #[test]
    fn brackets_and_braces_are_escaped() {
        assert_eq!(text(r"[a](b) {0} \"), r"\[a\](b) {{0}} \\");
    }
}
