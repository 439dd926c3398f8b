//! Audit findings of a valid URL, drawn like problems but titled as risks.

use std::fmt::Write as _;

use serde_json::Value;
use urlwise::audit::{Audit, Finding, Provenance, Severity};
use urlwise::{Diagnosis, Level, Profile, Url};
use urlwise_open::policy::{Policy, Refusal};

use super::drawn::Drawn;
use super::snippets::{Window, source};
use super::wrap;
use crate::Context;
use crate::json;
use crate::secret::Secrets;

/// The worst findings of a valid URL with the fields of a problem, and whether `get` refuses the URL for each; then how many
/// others there are.
pub(super) fn json(diagnosis: &Diagnosis<'_>, most: usize) -> (Value, usize) {
    let Some(url) = diagnosis.url() else {
        return (Value::Array(Vec::new()), 0);
    };
    let finding = |finding: &Finding<'_>| {
        let mut object = json::finding(finding);
        object.insert("refused".into(), refusal(finding, &url).is_some().into());
        object
    };
    let mut findings = findings(&url);
    let more = findings.len().saturating_sub(most);
    if more > 0 {
        findings.sort_by_key(Finding::level);
        findings.truncate(most);
        findings.sort_by_key(|finding| finding.span().start);
    }
    (findings.iter().map(finding).collect(), more)
}

/// All findings of the audit, including different readings (E-32), ordered by position.
pub(super) fn findings<'u>(url: &Url<&'u str>) -> Vec<Finding<'u>> {
    let audit = Audit::new();
    let mut findings = audit.check(url, Provenance::Given);
    findings.extend(urlwise_readings::finding(url).and_then(|finding| audit.weigh(finding)));
    findings.sort_by_key(|finding| finding.span().start);
    findings
}

/// A line that counts the findings, then the findings, only the worst if there are too many. Empty if there are none.
pub(super) fn draw(findings: &[Finding<'_>], url: &Url<&str>, secrets: &Secrets, context: &Context) -> String {
    let mut text = String::new();
    if findings.is_empty() {
        return text;
    }
    let worst_first = || Severity::ALL.iter().copied().rev();
    let of = |severity: Severity| findings.iter().filter(move |finding| finding.severity() == severity);
    let counts: Vec<_> = worst_first()
        .map(|severity| (of(severity).count(), severity))
        .filter(|(count, _)| *count > 0)
        .map(|(count, severity)| format!("{count} {severity}"))
        .collect();
    let risks = match &counts[..] {
        [count] => format!("{count} risk{}", if findings.len() == 1 { "" } else { "s" }),
        counts => format!("{} risks ({})", findings.len(), counts.join(", ")),
    };
    let valid = match url.profile() {
        Profile::Rfc1738 => "valid",
        Profile::Current => "valid today",
    };
    let line = format!("The URL is {valid}; the audit found {risks}:");
    // Writing to a String cannot fail.
    let _ = writeln!(text, "\n{}", wrap::lines(&line, context.look.width).join("\n"));
    let mut chosen: Vec<_> = worst_first().flat_map(of).take(context.most_problems()).collect();
    chosen.sort_by_key(|finding| finding.span().start);
    for finding in &chosen {
        let _ = write!(text, "\n{}\n", one(finding, url, secrets, context));
    }
    if findings.len() > chosen.len() {
        let more = findings.len() - chosen.len();
        let _ = write!(text, "\n... and {more} more; `--all-problems` shows up to 1000\n");
    }
    text
}

fn one(finding: &Finding<'_>, url: &Url<&str>, secrets: &Secrets, context: &Context) -> String {
    let severity = finding.severity();
    let level = match severity {
        Severity::High => Level::Error,
        Severity::Medium => Level::Warning,
        Severity::Low => Level::Note,
    };
    let name = format!("{} risk", severity.name());
    let window = Window::new(url.as_str().as_bytes(), [finding.span()], secrets, context);
    let message = finding.message().to_string();
    let mut drawn = Drawn::new(level, &name, finding.code(), &message, &window, None, context);
    drawn = drawn.note(&source(finding.section(), Some(finding.decision())));
    if let Some(refusal) = refusal(finding, url) {
        let rule = refusal.rule();
        let note = match rule.allowable {
            true => format!("not opened by default; use `--allow {}` to open it", rule.id),
            false => format!("never opened: {}", rule.reason),
        };
        drawn = drawn.wrapped_note(&note);
    }
    drawn.help(&finding.help().to_string()).finish()
}

/// Why `get` refuses the URL for this finding, without options.
fn refusal(finding: &Finding<'_>, url: &Url<&str>) -> Option<Refusal> {
    Policy::default().admit_in_spite_of(finding, url).err()
}
