//! The dialogue that opening the URL would cause, from a dry run of the protocol machines.

use std::fmt::Display;

use urlwise::Url;
use urlwise::audit;
use urlwise_open::{Client, ErrorKind};

use super::ends::Ends;
use crate::secret::Secrets;

/// At most this many lines are shown; the others are counted.
const LINES: usize = 40;
/// Longer lines are elided; in octets.
const LINE: usize = 240;

/// The lines of the dialogue, each with its kind: `gateway`, `note`, `connect`, `send`, `expect`, `read`, or `refused` if the
/// policy would refuse the URL. `None` for schemes that cannot be opened. Nothing is resolved, connected or opened.
pub(crate) fn dialogue(client: &Client, url: &Url<&str>, secrets: &Secrets) -> Option<Vec<(&'static str, String)>> {
    let shown = |text: &dyn Display| Ends::of(text).shown(secrets, LINE);
    match client.plan(url) {
        Ok(plan) => {
            let lines = plan.lines();
            let mut dialogue: Vec<_> = lines.iter().take(LINES).map(|line| (line.kind(), shown(line))).collect();
            if lines.len() > LINES {
                dialogue.push(("...", format!("{} more lines", lines.len() - LINES)));
            }
            Some(dialogue)
        }
        Err(error) if error.kind() == ErrorKind::NoAccess => None,
        // A problem with the gateway's URL is reported here.
        Err(error) if !error.redirects().is_empty() => {
            Some(vec![("gateway", shown(&error.url().unwrap_or_default())), ("refused", shown(&error))])
        }
        // The audit's finding is drawn below.
        Err(error) => Some(vec![match error.refused_by().and_then(audit::rule) {
            Some(rule) => ("refused", format!("by default, before connecting: `{}`, see below", rule.id)),
            None => ("refused", shown(&error)),
        }]),
    }
}
