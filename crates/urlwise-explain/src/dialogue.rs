//! The dialogue that opening the URL would cause, from a dry run of the protocol machines.

use std::fmt::Display;

use urlwise::audit;
use urlwise::{Language, Url};
use urlwise_open::{Client, ErrorKind, OpenOptions, Plan, PlanLine};

use super::ends::Ends;
use crate::language::filled;
use crate::secret::Secrets;

/// At most this many lines are shown, and no more are worked out.
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
    let mut options = OpenOptions::default();
    options.steps = Some(LINES);
    match client.plan_with(url, &options) {
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
    let none = Secrets::of(b"", true);
    let shown = lines.iter().take(LINES).map(|line| {
        ends.clear();
        // Writing to memory cannot fail.
        let _ = line.write_in(language, &mut ends);
        // The client masks what is sent and what is expected.
        let is_masked = matches!(line, PlanLine::Send(_) | PlanLine::Expect(_) | PlanLine::Need(_));
        (line.kind(), ends.show(if is_masked { &none } else { secrets }, LINE, language))
    });
    // If the plan is cut, its own last line says so, and is left out here.
    let rest = (lines.len() > LINES).then(|| ("...", filled!(language, "more lines").text()));
    shown.chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use urlwise::Profile;
    use urlwise_open::{Client, Options};

    use crate::Explanation;

    #[test]
    fn of_a_long_dialogue_the_beginning_is_shown_and_that_there_is_more() {
        let client = Client::new(Options::default());
        let dialogue = |directories: usize| {
            let text = format!("ftp://h.dom/{}x", "a/".repeat(directories));
            let lines = Explanation::of(text.as_bytes(), Some(Profile::Rfc1738), false).dialogue(&client);
            lines.into_iter().map(|(kind, line)| format!("{kind} {line}")).collect::<Vec<_>>()
        };
        // Each directory is a command and its reply.
        let fit = (40 - dialogue(0).len()) / 2;
        let whole = dialogue(fit);
        assert!((39..=40).contains(&whole.len()) && whole.iter().all(|line| !line.starts_with("...")), "{whole:?}");
        for directories in [fit + 1, 900] {
            let cut = dialogue(directories);
            assert_eq!((cut.len(), cut[40].as_str()), (41, "... more lines"));
            assert_eq!(cut[..30], whole[..30]);
        }
    }
}
