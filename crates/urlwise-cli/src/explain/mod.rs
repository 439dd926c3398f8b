//! `urlwise explain`: shows the parts of a URL, its meaning, and its problems.
//!
//! From top to bottom: the diagram, the meaning in one sentence, scheme and port, the dialogue, the problems, and for a valid URL
//! the findings of the audit. The output is
//! bounded: the middle of long text is elided, and of many problems only the worst are drawn and the others counted.

mod dialogue;
mod findings;
mod labels;
mod meaning;
mod parts;
pub(crate) mod snippets;
pub(crate) mod view;
pub(crate) mod wrap;

use std::fmt::Write as _;
use std::io::Write;

use urlwise::{Diagnosis, Level, Profile, Scheme, Section};
use urlwise_open::Client;

use crate::Context;
use crate::book;
use crate::exit::Failure;
use crate::input::Place;
use crate::json;
use crate::secret::{MASK, Secrets};
use crate::style;

use labels::Line;
use view::View;

/// Of longer text only the beginning and the end are drawn. All in octets.
const WHOLE: usize = 600;
const BEGINNING: usize = 360;
const END: usize = 120;
/// Longer sentences are elided; in octets.
const SENTENCE: usize = 600;

/// Writes the explanation of one text. `client` is used for the dry run. Returns whether the text is a valid URL.
pub(crate) fn show(
    diagnosis: &Diagnosis<'_>,
    place: Option<Place<'_>>,
    client: &Client,
    context: &Context,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    if context.json {
        let mut object = json::url(diagnosis);
        let sentence = diagnosis.url().map(|url| meaning::meaning(&url));
        object.insert("meaning".into(), sentence.into());
        object.insert("findings".into(), findings::json(diagnosis));
        json::write_line(out, &object)?;
    } else {
        let text = explanation(diagnosis, place, client, context);
        match context.look.ascii {
            true => out.write_all(text.chars().map(view::escaped).collect::<String>().as_bytes())?,
            false => out.write_all(text.as_bytes())?,
        }
    }
    Ok(diagnosis.is_valid())
}

fn explanation(diagnosis: &Diagnosis<'_>, place: Option<Place<'_>>, client: &Client, context: &Context) -> String {
    let secrets = Secrets::of(diagnosis.octets(), context.show_secrets);
    let mut text = String::new();
    // Writing to a String cannot fail.
    if let Some(place) = place {
        let place = format!("{}:{}", place.file, place.number);
        let _ = writeln!(text, "{}", context.look.paint(style::DIM, place));
    }
    let _ = writeln!(text, "{}", diagram(diagnosis, &secrets, context));
    let width = context.look.width;
    let url = diagnosis.url();
    let sentence = match &url {
        Some(url) => {
            let sentence = secrets.masked_text(&meaning::meaning(url));
            wrap::elide(&sentence, SENTENCE)
        }
        None => verdict(diagnosis),
    };
    for line in wrap::lines(&sentence, width) {
        let _ = writeln!(text, "{line}");
    }
    let dialogue = url.and_then(|url| dialogue::dialogue(client, &url, &secrets)).unwrap_or_default();
    for rows in [implied(diagnosis, &secrets), dialogue] {
        text.push_str(&table(&rows, context));
    }
    let (problems, more) = snippets::draw(diagnosis, &secrets, context);
    for problem in problems {
        let _ = write!(text, "\n{problem}\n");
    }
    if more > 0 {
        let _ = write!(text, "\n... and {more} more problems; run `urlwise parse` to list them all\n");
    }
    text.push_str(&findings::draw(diagnosis, &secrets, context));
    if let Some(line) = book::see_also(&names(diagnosis)) {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "\n{}", wrap::lines(&line, width).join("\n"));
    }
    text.push('\n');
    text
}

/// The entries to point to, the worst first: the number that each problem and finding cites, otherwise its code.
fn names(diagnosis: &Diagnosis<'_>) -> Vec<&'static str> {
    let problems = diagnosis.problems().iter();
    let problems = problems.map(|problem| (problem.level(), problem.decision().unwrap_or(problem.code())));
    let findings = diagnosis.url().map(|url| findings::findings(&url)).unwrap_or_default();
    let findings = findings.iter().map(|finding| (finding.level(), finding.decision()));
    let mut named: Vec<_> = problems.chain(findings).collect();
    named.sort_by_key(|(level, _)| *level);
    let mut names = Vec::new();
    for (_, name) in named {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The text with a label under each part.
fn diagram(diagnosis: &Diagnosis<'_>, secrets: &Secrets, context: &Context) -> String {
    let octets = diagnosis.octets();
    let marks = parts::marks(diagnosis, secrets);
    let mut text = String::new();
    let draw = |text: &mut String, range: std::ops::Range<usize>| {
        let view = View::new(octets, range, secrets, context.look.ascii);
        for line in labels::draw(&view, &marks, context.look.width, context.look.ascii) {
            // Writing to a String cannot fail.
            let _ = match line {
                Line::Text(piece) => writeln!(text, "{}", context.look.paint(style::URL, piece)),
                Line::Labels(row) => writeln!(text, "{}", context.look.paint(style::LABEL, row)),
            };
        }
        view.range()
    };
    match octets.len() {
        0 => text.push_str("<empty>\n"),
        1..=WHOLE => {
            draw(&mut text, 0..octets.len());
        }
        length => {
            let shown = draw(&mut text, 0..BEGINNING);
            let left_out = format!("[... {} octets ...]", length - END - shown.end);
            let _ = writeln!(text, "{}", context.look.paint(style::DIM, left_out));
            draw(&mut text, length - END..length);
        }
    }
    text
}

/// The sentence about a text that is not a valid URL.
fn verdict(diagnosis: &Diagnosis<'_>) -> String {
    let count = |level: Level| diagnosis.problems().iter().filter(|problem| problem.level() == level).count();
    let counts = [Level::Error, Level::Warning, Level::Note]
        .into_iter()
        .map(|level| (count(level), level.name()))
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| format!("{count} {name}{}", if count == 1 { "" } else { "s" }));
    let counts: Vec<_> = counts.collect();
    let grammar = match diagnosis.profile() {
        Profile::Rfc1738 => "Not a valid RFC 1738 URL",
        Profile::Current => "Not a valid URL, even under the profile `current`",
    };
    format!("{grammar}: {}.", counts.join(", "))
}

/// Where a scheme is defined: a section of RFC 1738, or a later RFC.
fn defined_in(scheme: Scheme) -> String {
    match scheme.since() {
        Profile::Rfc1738 => format!("RFC 1738 {}", Section(scheme.section())),
        Profile::Current => scheme.section().to_owned(),
    }
}

/// What the URL implies: how its scheme is read, the port, and a warning about a password.
fn implied(diagnosis: &Diagnosis<'_>, secrets: &Secrets) -> Vec<(&'static str, String)> {
    let mut rows = Vec::new();
    let part = |name: &str| diagnosis.parts().find(|part| part.name() == name);
    if let Some(scheme) = diagnosis.scheme() {
        let how = match (scheme, scheme.base()) {
            (Scheme::Other, _) => "not defined by RFC 1738: only the generic syntax is checked (section 5)".into(),
            (scheme, base) if scheme == base => defined_in(base),
            (_, base) => format!("read like {} ({})", base.name().unwrap_or_default(), defined_in(base)),
        };
        rows.push(("scheme", how));
        let written = part("port").is_some_and(|port| !port.octets().is_empty());
        let port = match (json::port_or_default(diagnosis), written, scheme.default_port()) {
            (Some(port), false, _) => Some(format!("{port}, the default of {}", scheme.name().unwrap_or_default())),
            (Some(port), true, Some(default)) if port == default => {
                Some(format!("{port}, the default, given explicitly"))
            }
            (Some(port), true, Some(default)) => Some(format!("{port}, not the default ({default})")),
            (Some(port), true, None) => Some(port.to_string()),
            _ => None,
        };
        // Without a host there is nothing to connect to.
        rows.extend(port.filter(|_| part("host").is_some()).map(|port| ("port", port)));
    }
    if part("password").is_some_and(|password| secrets.touch(&password.span())) {
        rows.push(("password", format!("in the URL, readable by anybody; shown here as {MASK}")));
    }
    rows
}

/// An empty line, then rows of a name and a text.
fn table(rows: &[(&str, String)], context: &Context) -> String {
    const NAME: usize = 8;
    let mut text = String::new();
    for (i, (name, value)) in rows.iter().enumerate() {
        // Writing to a String cannot fail.
        let lines = wrap::lines(value, context.look.width - NAME - 2);
        let name = context.look.paint(style::LABEL, format!("{name:NAME$}"));
        let before = if i == 0 { "\n" } else { "" };
        let _ = writeln!(text, "{before}{name}  {}", lines.join(&format!("\n{:1$}", "", NAME + 2)));
    }
    text
}
