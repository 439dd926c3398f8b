//! `urlwise parse`: splits a URL into its parts.

use std::fmt::Write as _;
use std::io::Write;
use std::ops::Range;

use serde_json::Value;
use urlwise::{Diagnosis, Part};

use crate::Context;
use crate::exit::Failure;
use crate::explain::{self, snippets, view, wrap};
use crate::json::{self, Object};
use crate::secret::Secrets;
use crate::style;

/// What a table may take beyond the length of the text, in octets; what is longer loses its middle, down to this many octets
/// at each end.
const ROOM: usize = 24 << 10;
const SHORT: usize = 100;
/// More elements of one list are counted.
const LIST: usize = 1000;
/// The least that the name of a row takes.
const NAME: usize = 12;

/// No part of a URL can hold `<`, so these are never taken for text.
const ABSENT: &str = "<absent>";
const EMPTY: &str = "<empty>";

/// Writes the parts of one text. Returns whether it is a valid URL.
pub(crate) fn show(diagnosis: &Diagnosis<'_>, context: &Context, out: &mut dyn Write) -> Result<bool, Failure> {
    if context.json {
        json::write_line(out, &json::url(diagnosis, context.most_problems()))?;
    } else {
        out.write_all(table(diagnosis, context).as_bytes())?;
    }
    Ok(diagnosis.is_valid())
}

/// One row per part: its name, its text and its decoded text; then the problems, and an empty line.
fn table(diagnosis: &Diagnosis<'_>, context: &Context) -> String {
    let octets = diagnosis.octets();
    let mut table = Table {
        diagnosis,
        secrets: Secrets::of(octets, context.show_secrets),
        rows: Vec::new(),
        room: ROOM + octets.len(),
    };
    let url = table.shown(0..octets.len());
    table.row("url", url);
    let scheme =
        diagnosis.scheme_name().map(|name| urlwise::escape_for_display(&name.to_ascii_lowercase()).to_string());
    table.row("scheme", scheme.map_or_else(|| ABSENT.into(), |scheme| wrap::elide(&scheme, SHORT)));
    table.parts(&json::outline(diagnosis));

    let width = table.rows.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    let mut text = String::new();
    // Writing to a String cannot fail.
    for (name, value) in &table.rows {
        let _ = writeln!(text, "{}  {value}", context.look.paint(style::LABEL, format_args!("{name:width$}")));
    }
    let (problems, more) = snippets::chosen(diagnosis, context.most_problems());
    for problem in problems {
        // `error[code] start..end: what is wrong (section and decision); help`
        let line = problem.to_string();
        let level = format!("{}[{}]", problem.level(), problem.code());
        let rest = line.strip_prefix(&format!("{level} at")).unwrap_or(&line);
        let _ = write!(text, "{}{rest}", context.look.paint(style::level(problem.level()), level));
        let places = problem.spans().count();
        if places > 1 {
            let _ = write!(text, "; {}", snippets::places(places - 1, places));
        }
        text.push('\n');
    }
    if more > 0 {
        let _ = writeln!(text, "{}", explain::more_problems(more));
    }
    text.push('\n');
    text
}

struct Table<'d, 'a> {
    diagnosis: &'d Diagnosis<'a>,
    secrets: Secrets,
    rows: Vec<(String, String)>,
    /// How many octets may still be shown completely.
    room: usize,
}

impl Table<'_, '_> {
    /// The parts in the order of the JSON object; lists have one row per element.
    fn parts(&mut self, parts: &Object) {
        for (name, value) in parts {
            match (name.as_str(), value) {
                ("ip", Value::Object(ip)) => self.parts(ip),
                // Shown with the host and the port.
                ("host_kind" | "port_number", _) => {}
                ("port", Value::Null) => {
                    let default = json::port_or_default(self.diagnosis).map(|port| format!("{port} (default)"));
                    self.row(name, default.unwrap_or_else(|| ABSENT.into()));
                }
                ("kind" | "form", Value::String(kind)) => self.row(name, kind.clone()),
                ("local", Value::Bool(local)) => self.row(name, if *local { "yes" } else { "no" }.into()),
                (name, Value::Null) if self.diagnosis.parts().any(|part| part.name() == name) => self.part(name),
                (_, Value::Null) => self.row(name, ABSENT.into()),
                (_, Value::Array(list)) if list.is_empty() => self.row(name, ABSENT.into()),
                _ => self.part(name),
            }
        }
    }

    fn part(&mut self, name: &str) {
        let diagnosis = self.diagnosis;
        let mut parts = diagnosis.parts().filter(|part| part.name() == name).enumerate();
        while let Some((index, part)) = parts.next() {
            if self.room == 0 || index == LIST {
                self.row(part.label(), format!("... and {} more", parts.count() + 1));
                return;
            }
            let value = self.value(&part);
            self.row(part.label(), value);
        }
    }

    fn row(&mut self, name: &str, value: String) {
        self.room = self.room.saturating_sub(name.len().max(NAME) + value.len());
        self.rows.push((name.into(), value));
    }

    /// Octets of the text as they may be shown; without their middle if there is no room for all of them.
    fn shown(&self, span: Range<usize>) -> String {
        let octets = self.diagnosis.octets();
        if span.len() <= self.room {
            let shown = self.secrets.shown(octets, span.clone());
            if shown.len() <= self.room {
                return shown;
            }
        }
        let (start, end) = (span.start + SHORT, span.end.saturating_sub(SHORT));
        if start >= end {
            return wrap::elide(&self.secrets.shown(octets, span), SHORT);
        }
        let (start, end) = (view::boundary(octets, start), view::boundary(octets, end));
        let shown = |span| self.secrets.shown(octets, span);
        format!("{} [... {} octets ...] {}", shown(span.start..start), end - start, shown(end..span.end))
    }

    fn value(&self, part: &Part<'_>) -> String {
        let octets = part.octets();
        if octets.is_empty() {
            return EMPTY.into();
        }
        let mut value = self.shown(part.span());
        if !self.secrets.touch(&part.span()) {
            let decoded = part.decode();
            if *decoded != *octets {
                let most = if octets.len() <= self.room { octets.len() } else { SHORT };
                let shown = urlwise::escape_for_display(&decoded[..decoded.len().min(4 * most)]).to_string();
                let _ = write!(value, " = {}", wrap::elide(&shown, most.max(SHORT)));
            }
        }
        value
    }
}
