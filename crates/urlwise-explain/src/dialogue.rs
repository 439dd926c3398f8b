//! The dialogue that opening the URL would cause, from a dry run of the protocol machines.

use std::fmt::Display;

use urlwise::audit;
use urlwise::{Language, Url};
use urlwise_open::{Client, ErrorKind, OpenOptions, Plan, PlanLine};

use super::ends::Ends;
use crate::language::filled;
use crate::secret::Secrets;

/// At most this many lines are shown; the others are counted.
const LINES: usize = 40;
/// So many are worked out, to count them.
const COUNTED: usize = 2 * LINES;
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
    options.steps = Some(COUNTED);
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
    let rest = match lines.len().saturating_sub(LINES) {
        0 => None,
        // The last line of one that is cut says that there are more.
        more if plan.is_cut() => Some(filled!(language, "at least {count} more lines", count = more - 1).text()),
        more => Some(filled!(language, "{count} more lines", count = more).text()),
    };
    let rest = rest.map(|rest| ("...", rest));
    shown.chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use urlwise::Profile;
    use urlwise_open::{Client, Options};

    use crate::Explanation;

    #[test]
    fn of_a_long_dialogue_the_beginning_is_shown_and_the_rest_is_counted_up_to_a_limit() {
        let client = Client::new(Options::default());
        let last = |directories: usize| {
            let text = format!("ftp://h.dom/{}x", "a/".repeat(directories));
            let dialogue = Explanation::of(text.as_bytes(), Some(Profile::Rfc1738), false).dialogue(&client);
            (dialogue.len(), dialogue.last().map(|(kind, line)| format!("{kind} {line}")).unwrap_or_default())
        };
        let (without, _) = last(0);
        // Each directory is a command and its reply.
        let fit = (40 - without) / 2;
        assert!(last(fit).0 <= 40 && !last(fit).1.starts_with("..."));
        let more = without + 2 * (fit + 1) - 40;
        assert_eq!(last(fit + 1), (41, format!("... {more} more lines")));
        let counted = (80 - without) / 2;
        assert_eq!(last(counted), (41, format!("... {} more lines", without + 2 * counted - 40)));
        for directories in [counted + 1, 900] {
            assert_eq!(last(directories), (41, "... at least 40 more lines".into()));
        }
    }
}
