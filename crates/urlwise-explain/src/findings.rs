//! Audit findings of a valid URL, drawn like problems but titled as risks.

use std::cmp::Reverse;
use std::fmt::Write as _;

use urlwise::audit::{Audit, Finding, Provenance, Severity};
use urlwise::{Level, Profile, Url};
#[cfg(feature = "open")]
use urlwise_open::policy::{Policy, PolicyRule};

use super::alike::Alike;
use super::drawn::Drawn;
use super::snippets::{Window, places_in, source_in};
use super::wrap;
use crate::language::{filled, listed, words};
use crate::secret::Secrets;
use crate::style::Look;

/// All findings of the audit, including different readings (E-32), ordered by position.
pub fn of<'u>(url: &Url<&'u str>) -> Vec<Finding<'u>> {
    let audit = Audit::new();
    let mut findings = audit.check(url, Provenance::Given);
    findings.extend(urlwise_readings::finding(url).and_then(|finding| audit.weigh(finding)));
    findings.sort_by_key(|finding| finding.span().start);
    findings
}

/// Appends a line that counts the findings, then the findings, only the worst if there are too many. Without findings it appends nothing.
pub(crate) fn draw(
    findings: &[Finding<'_>],
    url: &Url<&str>,
    secrets: &Secrets,
    most: usize,
    look: Look,
    text: &mut String,
) {
    let language = look.language;
    if findings.is_empty() {
        return;
    }
    let mut alike = Alike::of(findings);
    let worst_first = || Severity::ALL.iter().copied().rev();
    let of = |severity: Severity| alike.iter().filter(move |one| one.first().severity() == severity);
    let counts: Vec<_> = worst_first()
        .map(|severity| (of(severity).count(), severity))
        .filter(|(count, _)| *count > 0)
        .map(|(count, severity)| (count, severity.name_in(language)))
        .collect();
    let risks = match &counts[..] {
        [(1, severity)] => filled!(language, "1 {severity} risk", severity = severity).text(),
        [(count, severity)] => filled!(language, "{count} {severity} risks", count = count, severity = severity).text(),
        counts => {
            let each = counts.iter().map(|(count, severity)| {
                filled!(language, "{count} {severity}", count = count, severity = severity).text()
            });
            let list = listed(each, [words!(", "); 2], language);
            filled!(language, "{count} risks ({list})", count = alike.len(), list = list).text()
        }
    };
    let line = match url.profile() {
        Profile::Rfc1738 => words!("The URL is valid; the audit found {risks}:"),
        Profile::Current => words!("The URL is valid today; the audit found {risks}:"),
    };
    let line = line.filled(language, |_, f| f.write_str(&risks)).to_string();
    text.push('\n');
    wrap::push(text, &line, look.width, 0);
    text.push('\n');
    let more = alike.len().saturating_sub(most);
    alike.sort_by_key(|one| Reverse(one.first().severity()));
    alike.truncate(most);
    alike.sort_by_key(|one| one.first().span().start);
    for one in &alike {
        text.push('\n');
        text.push_str(&drawn(one, url, secrets, look));
        text.push('\n');
    }
    if more > 0 {
        let more = filled!(language, "... and {count} more; `--all-problems` shows up to 1000", count = more);
        // Writing to a String cannot fail.
        let _ = write!(text, "\n{more}\n");
    }
}

/// Findings that are alike, under all their octets.
fn drawn(alike: &Alike<'_, '_>, url: &Url<&str>, secrets: &Secrets, look: Look) -> String {
    let finding = alike.first();
    let (severity, language) = (finding.severity(), look.language);
    let level = match severity {
        Severity::High => Level::Error,
        Severity::Medium => Level::Warning,
        Severity::Low => Level::Note,
    };
    let name = filled!(language, "{severity} risk", severity = severity.name_in(language)).text();
    let window = Window::new(url.as_str().as_bytes(), alike.spans(), secrets, look);
    let message = finding.message_in(language).to_string();
    let mut drawn = Drawn::new(level, &name, finding.code(), &message, &window, None, look);
    let more = alike.places() - window.spans.len();
    if more > 0 {
        drawn = drawn.note(&places_in(more, alike.are_all(), language));
    }
    drawn = drawn.note(&source_in(finding.section(), Some(finding.decision()), language));
    #[cfg(feature = "open")]
    if let Some(rule) = refusal(finding, url) {
        let note = match rule.allowable {
            true => filled!(language, "not opened by default; use `--allow {rule}` to open it", rule = rule.id).text(),
            false => filled!(language, "never opened: {reason}", reason = rule.reason_in(language)).text(),
        };
        drawn = drawn.wrapped_note(&note);
    }
    drawn.help(&finding.help_in(language).to_string()).finish()
}

/// The rule by which a client with default options refuses the URL for this finding; `None` if it does not.
#[cfg(feature = "open")]
pub fn refusal(finding: &Finding<'_>, url: &Url<&str>) -> Option<&'static PolicyRule> {
    Policy::default().refusing(finding, url)
}

#[cfg(test)]
mod tests {
    use urlwise::Profile;

    use crate::{Explanation, Look};

    #[test]
    fn findings_that_are_alike_are_drawn_as_one_and_those_out_of_sight_are_counted() {
        let text = |octets: &str, most: usize| {
            Explanation::of(octets.as_bytes(), Some(Profile::Rfc1738), false).text(Look::default(), most, &[])
        };
        let drawn = text("http://host.dom/%41/%41/%42/%41", 20);
        assert!(drawn.contains("found 1 medium risk:"), "{drawn}");
        assert!(drawn.contains("\n |                 ^^^ ^^^ ^^^ ^^^\n") && !drawn.contains("more place"), "{drawn}");
        assert_eq!(drawn.matches("risk[enc-needless]").count(), 1, "{drawn}");
        // One drawing is left, and the other risk.
        let drawn = text("http://host.dom/%41/%2F", 1);
        assert!(drawn.contains("\n... and 1 more; `--all-problems` shows"), "{drawn}");
        let drawn = text(&format!("http://host.dom/%41/{}/%41", "x".repeat(80)), 20);
        assert!(drawn.contains("\n = note: and in 1 more place of the URL\n"), "{drawn}");
    }
}
