//! `urlwise compare`: shows three readings of a text side by side.

use std::fmt::Write as _;
use std::io::Write;

use unicode_width::UnicodeWidthChar;
use urlwise::escape_for_display;
use urlwise_readings::{Cause, Difference, Reading, ReadingParts, Readings, Standard};

use crate::Context;
use crate::cli::Inputs;
use crate::exit::{Failure, Outcome};
use crate::explain::wrap;
use crate::json::{self, Object};
use crate::secret::{self, MASK};
use crate::{access, input, style};

/// Longer URLs, parts and reasons are elided; in octets.
const WHOLE: usize = 240;

/// Columns of the mark and the part name, and of the gap before each reading.
const NAMES: usize = 10;
const GAP: usize = 2;

/// A part of a reading and how to get it.
type Part = (Difference, fn(&ReadingParts<'_>) -> Option<String>);

static PARTS: [Part; 8] = [
    (Difference::Scheme, |parts| Some(parts.scheme.as_ref().to_owned())),
    (Difference::User, |parts| owned(parts.user.as_deref())),
    (Difference::Password, |parts| owned(parts.password.as_deref())),
    (Difference::Host, |parts| owned(parts.host.as_deref())),
    (Difference::Port, |parts| owned(parts.port.as_deref())),
    (Difference::Path, |parts| Some(parts.path.as_ref().to_owned())),
    (Difference::Query, |parts| owned(parts.query.as_deref())),
    (Difference::Fragment, |parts| owned(parts.fragment.as_deref())),
];

fn owned(part: Option<&str>) -> Option<String> {
    part.map(str::to_owned)
}

/// Compares the readings of every text of the input.
pub(crate) fn run(inputs: &Inputs, context: &Context, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let (mut all_agree, mut is_first) = (true, true);
    let count = input::for_each(inputs, Some("compare"), |record| {
        let readings = Readings::of(record.octets, context.profile);
        let are_refused = !Standard::ALL.iter().any(|standard| readings.reading(*standard).is_ok());
        all_agree &= readings.agree() && !are_refused;
        if context.json {
            json::write_line(out, &object(&readings))?;
        } else {
            let separator = if is_first { "" } else { "\n" };
            write!(out, "{separator}{}", picture(&readings, context))?;
        }
        is_first = false;
        Ok(())
    })?;
    if count == 0 {
        access::message("no URL in the input");
    }
    Ok(if all_agree && count > 0 { Outcome::Fine } else { Outcome::Findings })
}

/// The text, a line for each part that some reader sees, the errors, and the sentence.
fn picture(readings: &Readings<'_>, context: &Context) -> String {
    let look = context.look;
    let url = wrap::elide(&secret::masked(readings.octets(), context.show_secrets), WHOLE);
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{}", look.paint(style::URL, &url));
    let width = (look.width - NAMES) / Standard::ALL.len() - GAP;
    let differs = readings.differs();
    if Standard::ALL.iter().any(|standard| readings.reading(*standard).is_ok()) {
        let titles: Vec<_> = Standard::ALL.iter().map(|standard| standard.name().to_owned()).collect();
        row(&mut text, "", false, &titles, width, context);
        for (part, value) in &PARTS {
            let values: Vec<_> =
                Standard::ALL.iter().map(|standard| readings.reading(*standard).parts().map(value)).collect();
            if values.iter().flatten().any(Option::is_some) {
                let cells: Vec<_> = values.into_iter().map(|value| cell(readings, *part, value, context)).collect();
                let refused = *part == Difference::Scheme && differs.contains(Difference::Ok);
                row(&mut text, part.name(), differs.contains(*part) || refused, &cells, width, context);
            }
        }
    }
    for &standard in Standard::ALL {
        if let Some(error) = readings.reading(standard).error() {
            let reason = wrap::elide(&escape_for_display(error.as_bytes()).to_string(), WHOLE);
            let _ = writeln!(text, "{}", paragraph(&format!("{standard} rejects it: {reason}"), context));
        }
    }
    let _ = writeln!(text, "{}", look.paint(style::LABEL, paragraph(&sentence(readings), context)));
    text
}

/// The summary of the readings as a complete sentence.
fn sentence(readings: &Readings<'_>) -> String {
    let sentence = readings.sentence().to_string();
    let mut letters = sentence.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase()).into_iter().collect::<String>();
    format!("{first}{}.", letters.as_str())
}

fn paragraph(text: &str, context: &Context) -> String {
    wrap::lines(text, context.look.width).join("\n")
}

/// One reading of a part. A refusal is shown in the row of the scheme only.
fn cell(readings: &Readings<'_>, part: Difference, value: Option<Option<String>>, context: &Context) -> String {
    let value = match value {
        None if part == Difference::Scheme => return "<refused>".into(),
        None => return String::new(),
        Some(None) => return "<absent>".into(),
        Some(Some(value)) if value.is_empty() => return "<empty>".into(),
        Some(Some(value)) => value,
    };
    match part {
        _ if context.show_secrets => wrap::elide(&escape_for_display(value.as_bytes()).to_string(), WHOLE),
        Difference::Password => MASK.into(),
        _ => wrap::elide(&readings.shown(&value), WHOLE),
    }
}

/// One row of the table. Long cells are wrapped.
fn row(text: &mut String, name: &str, differs: bool, cells: &[String], width: usize, context: &Context) {
    let look = context.look;
    let cells: Vec<_> = cells.iter().map(|cell| cut(cell, width)).collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or_default();
    for line in 0..height {
        let (mark, name) = if line == 0 { (if differs { "*" } else { " " }, name) } else { (" ", "") };
        let _ = write!(text, "{mark} {}", look.paint(style::LABEL, format!("{name:<w$}", w = NAMES - 2)));
        let mut written = String::new();
        for cell in &cells {
            let piece = cell.get(line).map_or("", String::as_str);
            let _ = write!(written, "{:GAP$}{piece:<width$}", "");
        }
        let style = if differs { style::URL } else { anstyle::Style::new() };
        let _ = writeln!(text, "{}", look.paint(style, written.trim_end()));
    }
}

/// Cuts the text into pieces of a width.
fn cut(text: &str, width: usize) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut column = 0;
    for c in text.chars() {
        let columns = c.width().unwrap_or_default();
        if column + columns > width {
            pieces.push(String::new());
            column = 0;
        }
        column += columns;
        if let Some(piece) = pieces.last_mut() {
            piece.push(c);
        }
    }
    pieces
}

/// The JSON object (docs/json.md).
fn object(readings: &Readings<'_>) -> Object {
    let mut object = Object::new();
    json::text(&mut object, "url", Some(readings.octets()));
    let mut all = Object::new();
    for &standard in Standard::ALL {
        all.insert(standard.id().into(), reading(readings.reading(standard)).into());
    }
    object.insert("readings".into(), all.into());
    object.insert("agree".into(), readings.agree().into());
    object.insert("differs".into(), readings.differs().iter().map(Difference::name).collect());
    object.insert("cause".into(), readings.cause().map(Cause::id).into());
    object.insert("sentence".into(), readings.sentence().to_string().into());
    object
}

fn reading(reading: &Reading<'_>) -> Object {
    let mut object = Object::new();
    object.insert("ok".into(), reading.is_ok().into());
    object.insert("error".into(), reading.error().into());
    for (part, value) in &PARTS {
        object.insert(part.name().into(), reading.parts().and_then(value).into());
    }
    object
}
