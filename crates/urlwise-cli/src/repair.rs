//! `urlwise repair`: turns pasted text into a valid URL and lists the changes.

use std::fmt::Write as _;
use std::io::Write;

use serde_json::Value;
use urlwise::{Change, Profile, Repaired};
use urlwise_explain::meant::{self, Meant};
use urlwise_explain::profile_of;
use urlwise_explain::secret::{self, Secrets};
use urlwise_explain::wrap;

use crate::cli::Lists;
use crate::context::Context;
use crate::exit::{Failure, Outcome};
use crate::input;
use crate::json::{self, Object};
use crate::language::{about, language, said, words};

/// The most changes that are listed for one text.
const MOST_CHANGES: usize = 20;
/// The longest text that its JSON repeats, and the most that the list of its changes takes, in octets of JSON.
const INPUT: usize = 16 << 10;
const CHANGES: usize = 24 << 10;

/// Repairs every text of the input.
pub(crate) fn run(lists: &Lists, context: &Context, out: &mut (dyn Write + Send)) -> Result<Outcome, Failure> {
    input::answer(lists, Some("repair"), words!("no text in the input"), out, |record, answers, _| {
        let profile = context.asked.unwrap_or_else(|| profile_of(record.octets));
        let meant = Meant::of(record.octets, profile, context.show_secrets);
        let is_repaired = meant.refused().is_none();
        if context.json {
            json::push_line(&mut answers.out, &object(record.octets, &meant, profile));
            return Ok(is_repaired);
        }
        match (meant.url(), meant.repaired(), meant.refused()) {
            (Some(url), repaired, _) => {
                answers.out.extend_from_slice(url.as_bytes());
                answers.out.push(b'\n');
                let said = match repaired {
                    Some(repaired) => list(record.octets, repaired, context),
                    None => doubt(record.octets, &meant, context),
                };
                if !said.is_empty() {
                    answers.aside(said.as_bytes());
                }
            }
            (None, _, Some(refused)) => answers.message(&meant::refusal_in(record.octets, refused, &meant, language())),
            (None, _, None) => {}
        }
        Ok(is_repaired)
    })
}

/// What may have been meant by a valid URL, for people; empty if it looks right.
fn doubt(input: &[u8], meant: &Meant<'_>, context: &Context) -> String {
    let Some(question) = meant.question_in(language()) else { return String::new() };
    let shown = secret::elided_in(input, context.show_secrets, meant::QUOTED, language());
    format!("urlwise: {}\n", said!("{url}: valid; {question}", url = shown, question = question))
}

/// The changes for people, after the repaired URL; empty if there are none.
fn list(input: &[u8], repaired: &Repaired<'_>, context: &Context) -> String {
    let changes = repaired.changes();
    let mut text = String::new();
    if changes.is_empty() {
        return text;
    }
    let url = repaired.url().as_str().as_bytes();
    // Only one of the texts may be readable as a login, so the secrets of both are masked.
    let (before, after) = (Secrets::of(input, context.show_secrets), Secrets::of(url, context.show_secrets));
    let shown = after.elided_in(url, 0..url.len(), meant::QUOTED, language());
    // Writing to a String cannot fail.
    let _ = writeln!(text, "urlwise: {}", said!("{url}: repaired", url = shown));
    for (change, now) in meant::placed(changes).take(MOST_CHANGES) {
        let span = change.span();
        let place = format!("{}..{}", span.start, span.end);
        let line = about(place, meant::sentence_in(change, &now, &before, &after, language()));
        for (i, line) in wrap::lines(&line, context.look.width - 4).into_iter().enumerate() {
            let _ = writeln!(text, "{}{line}", if i == 0 { "  " } else { "    " });
        }
    }
    if let Some(more @ 1..) = changes.len().checked_sub(MOST_CHANGES) {
        let _ = writeln!(text, "  {}", said!("and {count} more; use `--json` to list all", count = more));
    }
    text
}

fn object(input: &[u8], result: &Meant<'_>, profile: Profile) -> Object {
    let url = result.url();
    let mut object = Object::new();
    // The URL takes up to three times the text, so a long text is not repeated.
    let is_long = json::length(input) > INPUT;
    json::text(&mut object, "input", Some(input).filter(|_| !is_long));
    if is_long {
        object.insert("omitted".into(), json::omitted("input", 0..input.len()));
    }
    object.insert("profile".into(), profile.name().into());
    object.insert("url".into(), url.into());
    object.insert("valid".into(), url.is_some().into());
    let changes = result.repaired().map(Repaired::changes).unwrap_or_default();
    let mut room = CHANGES;
    let mut list: Vec<Value> = Vec::new();
    for change in changes {
        /// The names of the fields, the code, the message and the section.
        const FRAME: usize = 250;
        let length = FRAME + json::length(change.was()) + change.now().len();
        let Some(left) = room.checked_sub(length) else { break };
        room = left;
        list.push(change_object(change));
    }
    let more = changes.len() - list.len();
    object.insert("changes".into(), list.into());
    object.insert("more_changes".into(), more.into());
    object.insert("refused".into(), result.refused().map(json::refused).into());
    object.insert("suggestions".into(), result.suggestions().iter().map(json::suggestion).collect());
    object
}

fn change_object(change: &Change<'_>) -> Value {
    let mut object = Object::new();
    object.insert("code".into(), change.code().into());
    object.insert("kind".into(), change.kind().name().into());
    object.insert("span".into(), vec![change.span().start, change.span().end].into());
    json::text(&mut object, "was", Some(change.was()));
    object.insert("now".into(), change.now().into());
    object.insert("section".into(), change.section().into());
    object.insert("decision".into(), change.decision().into());
    object.insert("message".into(), change.message_in(language()).into());
    object.into()
}
