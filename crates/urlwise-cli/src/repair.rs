//! `urlwise repair`: turns pasted text into a valid URL and lists the changes.

use std::fmt::Write as _;
use std::io::{self, Write};

use serde_json::Value;
use urlwise::{Change, RepairError, Repaired, Section};

use crate::Context;
use crate::cli::Inputs;
use crate::exit::{Failure, Outcome};
use crate::explain::wrap;
use crate::json::{self, Object};
use crate::secret::{self, Secrets};
use crate::{access, input};

/// The most changes that are listed for one text, and the most octets that are quoted.
const MOST_CHANGES: usize = 20;
const MOST_OCTETS: usize = 60;

/// Repairs every text of the input.
pub(crate) fn run(inputs: &Inputs, context: &Context, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let mut all_repaired = true;
    let count = input::for_each(inputs, Some("repair"), |record| {
        let result = urlwise::repair(record.octets, context.profile);
        all_repaired &= result.is_ok();
        if context.json {
            return Ok(json::write_line(out, &object(record.octets, &result, context))?);
        }
        match &result {
            Ok(repaired) => {
                writeln!(out, "{}", repaired.url())?;
                let list = list(record.octets, repaired, context);
                if !list.is_empty() {
                    // If both go to a terminal, the changes follow the URL.
                    out.flush()?;
                    // If this fails, there is nowhere left to report it.
                    let _ = io::stderr().write_all(list.as_bytes());
                }
            }
            Err(refused) => {
                let text = secret::masked(record.octets, context.show_secrets);
                access::message(&format!("{}: {refused}", wrap::elide(&text, MOST_OCTETS)));
            }
        }
        Ok(())
    })?;
    if count == 0 {
        access::message("no text in the input");
    }
    Ok(if all_repaired && count > 0 { Outcome::Fine } else { Outcome::Findings })
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
    let shown = wrap::elide(&after.shown(url, 0..url.len()), MOST_OCTETS);
    // Writing to a String cannot fail.
    let _ = writeln!(text, "urlwise: {shown}: repaired");
    let (mut read, mut written) = (0, 0);
    for change in changes.iter().take(MOST_CHANGES) {
        written += change.span().start - read;
        read = change.span().end;
        let now = written..written + change.now().len();
        written = now.end;
        let is_secret = before.touch(&change.span()) || after.touch(&now);
        for (i, line) in wrap::lines(&sentence(change, is_secret), context.look.width - 4).into_iter().enumerate() {
            let _ = writeln!(text, "{}{line}", if i == 0 { "  " } else { "    " });
        }
    }
    if let Some(more) = changes.len().checked_sub(MOST_CHANGES + 1) {
        let _ = writeln!(text, "  and {} more; use --json to list all", more + 1);
    }
    text
}

/// One change: its span, what was done, and why.
fn sentence(change: &Change<'_>, is_secret: bool) -> String {
    let shown = |octets: &[u8]| wrap::elide(&urlwise::escape_for_display(octets).to_string(), MOST_OCTETS);
    let done = match (change.was(), change.now()) {
        _ if is_secret => "changed a password (masked)".into(),
        (was, "") => format!("removed `{}`", shown(was)),
        ([], now) => format!("inserted `{}`", shown(now.as_bytes())),
        (was, now) => format!("replaced `{}` with `{}`", shown(was), shown(now.as_bytes())),
    };
    let span = change.span();
    let decision = change.decision().map(|decision| format!(", {decision}")).unwrap_or_default();
    format!("{}..{}: {done}: {} ({}{decision})", span.start, span.end, change.message(), Section(change.section()))
}

fn object(input: &[u8], result: &Result<Repaired<'_>, RepairError>, context: &Context) -> Object {
    let (url, changes, refused) = match result {
        Ok(repaired) => (Some(repaired.url().as_str()), repaired.changes(), None),
        Err(refused) => (None, &[][..], Some(refused)),
    };
    let mut object = Object::new();
    json::text(&mut object, "input", Some(input));
    object.insert("profile".into(), context.profile.name().into());
    object.insert("url".into(), url.into());
    object.insert("valid".into(), url.is_some().into());
    object.insert("changes".into(), changes.iter().map(change_object).collect());
    object.insert("refused".into(), refused.map(refused_object).into());
    object
}

fn change_object(change: &Change<'_>) -> Value {
    let mut object = Object::new();
    object.insert("code".into(), change.code().into());
    object.insert("span".into(), vec![change.span().start, change.span().end].into());
    json::text(&mut object, "was", Some(change.was()));
    object.insert("now".into(), change.now().into());
    object.insert("section".into(), change.section().into());
    object.insert("decision".into(), change.decision().into());
    object.insert("message".into(), change.message().into());
    object.into()
}

fn refused_object(refused: &RepairError) -> Object {
    let mut object = Object::new();
    object.insert("code".into(), refused.code().into());
    object.insert("span".into(), vec![refused.span().start, refused.span().end].into());
    object.insert("section".into(), refused.section().into());
    object.insert("decision".into(), refused.decision().into());
    object.insert("message".into(), refused.message().into());
    object.insert("help".into(), refused.help().into());
    object
}
