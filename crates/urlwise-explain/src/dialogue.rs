//! The dialogue that opening the URL would cause, from a dry run of the protocol machines.

use std::fmt::Display;

use urlwise::audit;
use urlwise::{Language, Url};
use urlwise_open::{Client, ErrorKind, Plan};

use super::ends::Ends;
use crate::language::filled;
use crate::secret::Secrets;

/// At most this many lines are shown; the others are counted.
const LINES: usize = 40;
/// Longer lines are elided; in octets.
const LINE: usize = 240;

/// The lines of the dialogue, each with its kind: `gateway`, `note`, `connect`, `send`, `expect`, `read`, or `refused` if the
/// policy would refuse the URL. `None` for schemes that cannot be opened. Nothing is resolved, connected or opened.
pub(crate) fn dialogue(
    client: &Client,
    url: &Url<&str>,
    secrets: &Secrets,
    language: Language,
) -> Option<Vec<(&'static str, String)>> {
    let shown = |text: &dyn Display| Ends::of(text).shown(secrets, LINE, language);
    match client.plan(url) {
        Ok(plan) => Some(planned(&plan, secrets, language)),
        Err(error) if error.kind() == ErrorKind::NoAccess => None,
        // A problem with the gateway's URL is reported here.
        Err(error) if !error.redirects().is_empty() => {
            let gateway = shown(&error.url().unwrap_or_default());
            Some(vec![("gateway", gateway), ("refused", shown(&error.message_in(language)))])
        }
        // The audit's finding is drawn elsewhere.
        Err(error) => Some(vec![match error.refused_by().and_then(audit::rule) {
            Some(rule) => {
                let refused = filled!(language, "by default, before connecting: `{rule}`", rule = rule.id);
                ("refused", refused.to_string())
            }
            None => ("refused", shown(&error.message_in(language))),
        }]),
    }
}

/// The lines of a dialogue that is planned, as they may be shown.
pub(crate) fn planned(plan: &Plan, secrets: &Secrets, language: Language) -> Vec<(&'static str, String)> {
    let lines = plan.lines();
    let mut ends = Ends::new();
    let shown = lines.iter().take(LINES).map(|line| {
        ends.clear();
        // Writing to memory cannot fail.
        let _ = line.write_in(language, &mut ends);
        (line.kind(), ends.show(secrets, LINE, language))
    });
    let more = lines.len().saturating_sub(LINES);
    let rest = (more > 0).then(|| ("...", filled!(language, "{count} more lines", count = more).text()));
    shown.chain(rest).collect()
}
