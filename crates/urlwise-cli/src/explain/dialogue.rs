//! What would be said to whom if the URL were opened: the dry run of the machines that would say it.

use urlwise::Url;
use urlwise::audit;
use urlwise_open::{Client, ErrorKind};

use super::wrap;
use crate::secret::Secrets;

/// More lines than this are counted, not shown.
const LINES: usize = 40;
/// The longest line that is shown whole, in octets.
const LINE: usize = 240;

/// The lines of the dialogue, each with its kind: `gateway`, `note`, `connect`, `send`, `expect`, `read`, or `refused` where it
/// would not be held. `None` for schemes that nothing here opens. Nothing is looked up, connected or opened.
pub(crate) fn dialogue(client: &Client, url: &Url<&str>, secrets: &Secrets) -> Option<Vec<(&'static str, String)>> {
    let shown = |text: &dyn ToString| wrap::elide(&secrets.masked_text(&text.to_string()), LINE);
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
        // What is wrong with the URL of a gateway is told here.
        Err(error) if !error.redirects().is_empty() => {
            Some(vec![("gateway", shown(&error.url().unwrap_or_default())), ("refused", shown(&error))])
        }
        // What the audit found is drawn below.
        Err(error) => Some(vec![match error.refused_by().and_then(audit::rule) {
            Some(rule) => ("refused", format!("by default, before connecting: `{}`, see below", rule.id)),
            None => ("refused", shown(&error)),
        }]),
    }
}
