//! `urlwise repair`: turns pasted text into a valid URL and lists the changes.

use std::fmt::Write as _;
use std::io::Write;

use urlwise::{Change, Profile, Repaired};
use urlwise_explain::meant::{self, Meant};
use urlwise_explain::profile_of;
use urlwise_explain::secret::{self, Secrets};
use urlwise_explain::wrap;

use crate::cli::Lists;
use crate::context::Context;
use crate::each;
use crate::exit::{Failure, Outcome};
use crate::json::{self, Fields};
use crate::language::{filled, language, said, words};

/// The most changes that are listed for one text.
const MOST_CHANGES: usize = 20;
/// The longest text that its JSON repeats, and the most that the list of its changes takes, in octets of JSON.
const INPUT: usize = 16 << 10;
const CHANGES: usize = 24 << 10;

/// Repairs every text of the input.
pub(crate) fn run(lists: &Lists, context: &Context, out: &mut (dyn Write + Send)) -> Result<Outcome, Failure> {
    each::answer(lists, Some("repair"), words!("no text in the input"), context, out, |record, answers, _| {
        let profile = context.asked.unwrap_or_else(|| profile_of(record.octets));
        let meant = Meant::of(record.octets, profile, context.show_secrets);
        let is_repaired = meant.refused().is_none();
        if context.json {
            json::line(&mut answers.out, |line| write(record.octets, &meant, profile, line));
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
    let (before, after) = (Secrets::of_url(input, context.show_secrets), Secrets::of_url(url, context.show_secrets));
    let shown = after.elided_in(url, 0..url.len(), meant::QUOTED, language());
    // Writing to a String cannot fail.
    let _ = writeln!(text, "urlwise: {}", said!("{url}: repaired", url = shown));
    let has_secrets = !(before.is_empty() && after.is_empty());
    // Most changes do what one before them does, elsewhere.
    let mut said: Vec<(&Change<'_>, String)> = Vec::new();
    for (change, now) in meant::placed(changes).take(MOST_CHANGES) {
        let span = change.span();
        let place = format!("{}..{}", span.start, span.end);
        let does_so = |other: &Change<'_>| {
            !has_secrets && other.is_like(change) && other.was() == change.was() && other.now() == change.now()
        };
        let known = said.iter().position(|(other, _)| does_so(other)).unwrap_or_else(|| {
            said.push((change, meant::sentence_in(change, &now, &before, &after, language())));
            said.len() - 1
        });
        let line = filled!(language(), "{text}: {message}", text = place, message = said[known].1).text();
        for (i, line) in wrap::lines(&line, context.look.width - 4).into_iter().enumerate() {
            let _ = writeln!(text, "{}{line}", if i == 0 { "  " } else { "    " });
        }
    }
    if let Some(more @ 1..) = changes.len().checked_sub(MOST_CHANGES) {
        let _ = writeln!(text, "  {}", said!("and {count} more; use `--json` to list all", count = more));
    }
    text
}

fn write(input: &[u8], result: &Meant<'_>, profile: Profile, object: &mut Fields<'_>) {
    let url = result.url();
    // The URL takes up to three times the text, so a long text is not repeated.
    let is_long = json::length(input) > INPUT;
    object.text("input", Some(input).filter(|_| !is_long));
    if is_long {
        object.field("omitted", &json::omitted("input", 0..input.len()));
    }
    object.field("profile", profile.name());
    object.string("url", url);
    object.field("valid", url.is_some());
    let changes = result.repaired().map(Repaired::changes).unwrap_or_default();
    let mut room = CHANGES;
    let has_room = |change: &&Change<'_>| {
        /// The names of the fields, the code, the message and the section.
        const FRAME: usize = 250;
        let left = room.checked_sub(FRAME + json::length(change.was()) + change.now().len());
        left.inspect(|left| room = *left).is_some()
    };
    let listed = changes.iter().take_while(has_room).count();
    object.objects("changes", &changes[..listed], write_change);
    object.field("more_changes", changes.len() - listed);
    object.field("refused", result.refused().map(json::refused).as_ref());
    object.array("suggestions", &result.suggestions().iter().map(json::suggestion).collect::<Vec<_>>());
}

fn write_change(object: &mut Fields<'_>, change: &Change<'_>) {
    object.field("code", change.code());
    object.field("kind", change.kind().name());
    object.field("span", change.span());
    object.text("was", Some(change.was()));
    object.string("now", Some(change.now()));
    object.field("section", change.section());
    object.field("decision", change.decision());
    object.field("message", &*change.message_in(language()));
}
