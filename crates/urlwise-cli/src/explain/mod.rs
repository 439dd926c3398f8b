//! `urlwise explain`: shows the parts of a URL, its meaning, and its problems.
//!
//! From top to bottom: the diagram, the meaning in one sentence, the verdict, or both side by side where profiles differ, scheme and port, the dialogue, the problems, for a
//! valid URL the findings of the audit, and one help for the whole text. The output is bounded: the middle of long text is
//! elided, and of many problems only the worst are drawn and the others counted.

mod dialogue;
pub(crate) mod drawn;
pub(crate) mod ends;
mod findings;
mod labels;
mod meaning;
mod parts;
mod readings;
pub(crate) mod snippets;
pub(crate) mod view;
pub(crate) mod wrap;

use std::fmt::Write as _;

use urlwise::audit::Finding;
use urlwise::{Diagnosis, Level, Problem, Scheme, Section};
use urlwise_open::Client;

use crate::Context;
use crate::book;
use crate::input::Place;
use crate::json;
use crate::meant::Meant;
use crate::outline;
use crate::secret::{MASK, Secrets};
use crate::style;

use ends::Ends;
use labels::{Line, Mark};
pub(crate) use readings::{Readings, profile_of};
use view::View;

/// Of longer text only the beginning and the end are drawn. All in octets.
const WHOLE: usize = 600;
const BEGINNING: usize = 360;
const END: usize = 120;
/// Most explanations are shorter, in octets.
const LENGTH: usize = 2 << 10;
/// Longer sentences are elided; in octets.
const SENTENCE: usize = 600;
/// The same in JSON.
const JSON_SENTENCE: usize = 2000;

/// Writes the explanation of one text. `client` is used for the dry run. Returns whether the text is a valid URL.
pub(crate) fn show(
    readings: &Readings<'_>,
    place: Option<Place<'_>>,
    client: &Client,
    context: &Context,
    out: &mut Vec<u8>,
) -> bool {
    let judged = &readings.judged;
    let meant = Meant::of(judged.octets(), judged.profile(), context.show_secrets);
    if context.json {
        json::line(out, |object| fields(object, readings, &meant, context));
    } else {
        let text = explanation(readings, &meant, place, client, context);
        match context.look.ascii {
            true => out.extend_from_slice(text.chars().map(view::escaped).collect::<String>().as_bytes()),
            false => out.extend_from_slice(text.as_bytes()),
        }
    }
    judged.is_valid()
}

/// The fields of `parse --json` with passwords masked, and what explaining adds.
fn fields(object: &mut json::Fields<'_>, readings: &Readings<'_>, meant: &Meant<'_>, context: &Context) {
    let judged = &readings.judged;
    let secrets = Secrets::of(judged.octets(), context.show_secrets);
    json::url(object, judged, context.most_problems(), &secrets);
    let sentence = |diagnosis: &Diagnosis<'_>| {
        let url = diagnosis.url()?;
        Some(Ends::of(meaning::meaning(&url)).shown(&secrets, JSON_SENTENCE))
    };
    object.field("meaning", sentence(judged).as_deref());
    let (findings, more) = findings::json(judged, context.most_problems());
    object.field("findings", &findings);
    object.field("more_findings", more);
    let both = [Some(judged), readings.other.as_ref()];
    object.objects("readings", both.into_iter().flatten(), |object, diagnosis| {
        object.field("profile", diagnosis.profile().name());
        object.field("valid", diagnosis.is_valid());
        object.field("meaning", sentence(diagnosis).as_deref());
    });
    object.extend(&meant.object());
}

fn explanation(
    readings: &Readings<'_>,
    meant: &Meant<'_>,
    place: Option<Place<'_>>,
    client: &Client,
    context: &Context,
) -> String {
    let (judged, drawn) = (&readings.judged, readings.drawn());
    let secrets = Secrets::of(judged.octets(), context.show_secrets);
    let mut text = String::with_capacity(LENGTH);
    // Writing to a String cannot fail.
    if let Some(place) = place {
        let place = format_args!("{}:{}", place.file, place.number);
        let _ = writeln!(text, "{}", context.look.paint(style::DIM, place));
    }
    diagram(drawn, meant, &secrets, context, &mut text);
    let width = context.look.width;
    let url = drawn.url();
    let meaning = url.as_ref().map(|url| Ends::of(meaning::meaning(url)));
    let both = readings.side_by_side(meaning.as_ref(), &secrets);
    let sentence = meaning.map(|meaning| meaning.shown(&secrets, SENTENCE));
    let verdict = if both.is_empty() { readings.verdict() } else { None };
    for (i, line) in sentence.into_iter().chain(verdict).enumerate() {
        text.push_str(if i == 0 { "\n" } else { "" });
        wrap::push(&mut text, &line, width, 0);
        text.push('\n');
    }
    let dialogue = url.as_ref().and_then(|url| dialogue::dialogue(client, url, &secrets)).unwrap_or_default();
    for rows in [both.into_iter().chain(implied(drawn, &secrets)).collect(), dialogue] {
        table(&rows, context, &mut text);
    }
    let (mut problems, more) = snippets::chosen(judged, context.most_problems());
    // The verdict says what RFC 1738 makes of the scheme.
    problems
        .retain(|problem| readings.other.is_none() || !["scheme-sibling", "scheme-current"].contains(&problem.code()));
    // What a note says about a broken text may not hold for the repaired or suggested URL, and what the refusal says goes before the problems' help.
    let repaired = meant.repaired().map(|repaired| urlwise::diagnose(repaired.url().as_str(), judged.profile()));
    let suggested = meant.refused().and_then(|refused| refused.suggestions().first());
    let repaired = repaired.or_else(|| suggested.map(|one| urlwise::diagnose(one.url(), one.profile())));
    let holds = |problem: &Problem<'_>| {
        let codes = repaired.iter().flat_map(Diagnosis::problems).map(Problem::code);
        problem.level() == Level::Error || repaired.is_none() || codes.into_iter().any(|code| code == problem.code())
    };
    problems.retain(|problem| holds(problem));
    let codes: Vec<_> = problems.iter().map(|problem| problem.code()).collect();
    for problem in &problems {
        let is_covered = meant.covers(problem.code(), problem.level(), &codes);
        let _ = write!(text, "\n{}\n", snippets::draw(problem, judged.octets(), !is_covered, &secrets, context));
    }
    if more > 0 {
        let _ = write!(text, "\n{}\n", more_problems(more));
    }
    let findings = url.as_ref().map(findings::findings).unwrap_or_default();
    if let Some(url) = &url {
        text.push_str(&findings::draw(&findings, url, &secrets, context));
    }
    let mut names = names(&problems, &findings);
    if let Some(help) = meant.help(&codes, context) {
        let _ = write!(text, "\n{}", help.text);
        for cited in help.cited {
            if !names.contains(&cited) {
                names.push(cited);
            }
        }
    }
    if let Some(line) = book::see_also(&names) {
        text.push('\n');
        wrap::push(&mut text, &line, width, 0);
        text.push('\n');
    }
    text.push('\n');
    text
}

/// How many problems were left out, and the option that shows them.
pub(crate) fn more_problems(more: usize) -> String {
    format!("... and {more} more problem{}; `--all-problems` shows up to 1000", if more == 1 { "" } else { "s" })
}

/// What the books say more about, the worst first: the number that each problem shown and each finding cites, or its code if it
/// cites none.
fn names(problems: &[&Problem<'_>], findings: &[Finding<'_>]) -> Vec<&'static str> {
    let problems = problems.iter().map(|problem| (problem.level(), problem.decision().unwrap_or(problem.code())));
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

/// The labels of a text. Where a fragment is all that is not part of the URL, it has a label of its own (D-86); and so has a path
/// of Windows, in which no host and no port is meant (D-85).
fn marks(diagnosis: &Diagnosis<'_>, meant: &Meant<'_>, secrets: &Secrets) -> Vec<Mark> {
    let octets = diagnosis.octets();
    let fragment = meant.fragment().filter(|(span, _)| span.end == octets.len());
    let url = fragment.as_ref().map(|(span, _)| urlwise::diagnose(&octets[..span.start], diagnosis.profile()));
    if let (Some(url), Some((fragment, label))) = (url.filter(Diagnosis::is_valid), fragment) {
        let mut marks = parts::marks(&url, secrets);
        marks.push(Mark { span: fragment.start + 1..fragment.end, label: label.into() });
        return marks;
    }
    let mut marks = parts::marks(diagnosis, secrets);
    if let (Some(_), Some(scheme)) = (meant.change("drive-letter"), diagnosis.scheme_span()) {
        let slashes = octets[scheme.end + 1..].iter().take_while(|octet| matches!(octet, b'/' | b'\\')).count();
        marks.retain(|mark| mark.span == scheme);
        marks.push(Mark { span: scheme.end + 1 + slashes..octets.len(), label: "Windows path".into() });
    }
    marks
}

/// Appends the text with a label under each part.
fn diagram(diagnosis: &Diagnosis<'_>, meant: &Meant<'_>, secrets: &Secrets, context: &Context, text: &mut String) {
    let octets = diagnosis.octets();
    let marks = marks(diagnosis, meant, secrets);
    let draw = |text: &mut String, range: std::ops::Range<usize>| {
        let view = View::new(octets, range, secrets, context.look.ascii);
        for line in labels::draw(&view, &marks, context.look.width, context.look.ascii) {
            match line {
                Line::Text(piece) => context.look.push(text, style::URL, &piece),
                Line::Labels(row) => context.look.push(text, style::LABEL, &row),
            }
            text.push('\n');
        }
        view.range()
    };
    match octets.len() {
        0 => text.push_str("<empty>\n"),
        1..=WHOLE => {
            draw(text, 0..octets.len());
        }
        length => {
            let shown = draw(text, 0..BEGINNING);
            let left_out = format!("[... {} octets ...]", length - END - shown.end);
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{}", context.look.paint(style::DIM, left_out));
            draw(text, length - END..length);
        }
    }
}

/// Where a scheme is defined: a section of RFC 1738, or a later RFC.
fn defined_in(scheme: Scheme) -> String {
    match scheme.section() {
        other if other.starts_with("RFC ") => other.to_owned(),
        section => format!("RFC 1738 {}", Section(section)),
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
        let port = match (outline::port_or_default(diagnosis), written, scheme.default_port()) {
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

/// Appends an empty line, then rows of a name and a text.
fn table(rows: &[(&str, String)], context: &Context, text: &mut String) {
    const NAMES: usize = 8;
    let mut padded = String::with_capacity(NAMES);
    for (i, (name, value)) in rows.iter().enumerate() {
        padded.clear();
        padded.push_str(name);
        wrap::blank(&mut padded, NAMES.saturating_sub(name.len()));
        text.push_str(if i == 0 { "\n" } else { "" });
        context.look.push(text, style::LABEL, &padded);
        text.push_str("  ");
        wrap::push(text, value, context.look.width - NAMES - 2, NAMES + 2);
        text.push('\n');
    }
}
