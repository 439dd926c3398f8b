//! SARIF 2.1.0: one run with its rules first, then one result per report.
//!
//! Columns count characters (Unicode code points); a location in a text has octet offsets too, unless it is compressed or in UTF-16: then they
//! would be those of other octets than the file has. URLs on the command line or from
//! standard input have no artifact and are given as logical locations. The artifact of a page is its URL.

use std::io::{self, Write};
use std::path::{Component, Path};

use serde_json::{Value, json};
use urlwise::{Change, Language, Level};

use super::{Found, Report, Where};
use crate::json::{self, Fields};
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
    out.extend_from_slice(DIVIDER);
    json::object(out, |result| {
        result.field("ruleId", *code);
        result.field("ruleIndex", rules::index(code));
        let level = match level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "note",
        };
        result.field("level", level);
        message(result, "message", &text(&report.sentence()));
        result.objects("locations", [()], |result, ()| location(result, report, &url));
        result.object("properties", |properties| {
            properties.field("url", url.as_str());
            properties.field("span", span.clone());
            properties.field("section", *section);
            properties.field("decision", *decision);
        });
        fix(result, report);
    });
}

fn message(object: &mut Fields<'_>, name: &str, text: &str) {
    object.object(name, |message| message.field("text", text));
}

/// All changes of the URL as one fix, in octets of its file. Only for a URL in one piece in a text that is not decoded, and only without
/// passwords: what is masked cannot be written.
fn fix(result: &mut Fields<'_>, report: &Report<'_>) {
    /// More changes than these are left to `check --fix`.
    const MOST: usize = 100;
    let (Some(path), Where::Text { url: Some(url), is_decoded: false, .. }) = (report.path(), report.at) else {
        return;
    };
    let Some(meant) = report.meant().filter(|_| report.subject.secrets.is_empty()) else { return };
    let Some(repaired) = meant.repaired().filter(|repaired| repaired.changes().len() <= MOST) else { return };
    let Some(line) = meant.line_in(language()) else { return };
    result.objects("fixes", [()], |fix, ()| {
        message(fix, "description", &text(&line));
        fix.objects("artifactChanges", [()], |change, ()| {
            change.object("artifactLocation", |location| location.field("uri", uri(path).as_str()));
            change.objects("replacements", repaired.changes(), |replacement, change: &Change<'_>| {
                let span = change.span();
                replacement.object("deletedRegion", |region| {
                    region.field("byteOffset", url + span.start);
                    region.field("byteLength", span.len());
                });
                message(replacement, "insertedContent", change.now());
            });
        });
    });
}

fn location(object: &mut Fields<'_>, report: &Report<'_>, url: &str) {
    let artifact = match report.at {
        Where::Argument => None,
        Where::Line { path, .. } | Where::Text { path, .. } => path.map(uri),
        Where::Page { url, .. } => Some(url.to_owned()),
    };
    let (Some(artifact), Some(spot)) = (artifact, report.spot()) else {
        let line = report.spot().map(|spot| said!("line {number} of standard input", number = spot.line));
        let from = line.unwrap_or_else(|| said!("the command line"));
        object.objects("logicalLocations", [()], |location, ()| location.field("fullyQualifiedName", url));
        return message(object, "message", &from);
    };
    object.object("physicalLocation", |location| {
        location.object("artifactLocation", |location| location.field("uri", artifact.as_str()));
        location.object("region", |region| {
            region.field("startLine", spot.line);
            region.field("startColumn", spot.character);
            region.field("endLine", spot.end_line);
            region.field("endColumn", spot.end_character);
            if let Where::Text { start, end, is_decoded: false, .. } = report.at {
                region.field("byteOffset", start.offset);
                region.field("byteLength", end.offset - start.offset);
            }
        });
    });
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
    let mut text = String::with_capacity(plain.len() + 16);
    let mut rest = plain;
    while let Some(at) = rest.find(['[', ']', '\\', '{', '}']) {
        // Each is one octet.
        let (before, behind) = rest.split_at(at + 1);
        let mark = &before[at..];
        text.push_str(&before[..at]);
        text.push_str(if matches!(mark, "{" | "}") { mark } else { "\\" });
        text.push_str(mark);
        rest = behind;
    }
    text + rest
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
