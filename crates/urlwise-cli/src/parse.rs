//! `urlwise parse`: splits a URL into its parts.

use std::fmt::{self, Write as _};
use std::ops::Range;

use urlwise::{Diagnosis, Part};
use urlwise_explain::outline::{self, Entry, Field};
use urlwise_explain::secret::Secrets;
use urlwise_explain::{snippets, view, wrap};

use crate::context::Context;
use crate::exit::Failure;
use crate::input::{Answers, Full};
use crate::json;
use crate::language::{language, said};
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
pub(crate) fn show(
    diagnosis: &Diagnosis<'_>,
    context: &Context,
    answers: &mut Answers,
    full: Full<'_>,
) -> Result<bool, Failure> {
    if context.json {
        json::answer(answers, full, |object| {
            json::url(object, diagnosis, context.most_problems(diagnosis.octets()), &Secrets::default());
        })?;
    } else {
        answers.out.extend_from_slice(table(diagnosis, context).as_bytes());
    }
    Ok(diagnosis.is_valid())
}

/// One row per part: its name, its text and its decoded text; then the problems, and an empty line.
fn table(diagnosis: &Diagnosis<'_>, context: &Context) -> String {
    let octets = diagnosis.octets();
    let mut table = Table {
        diagnosis,
        secrets: Secrets::of(octets, context.show_secrets),
        rows: Vec::with_capacity(16),
        values: String::with_capacity(4 * octets.len()),
        room: ROOM + octets.len(),
    };
    table.row("url", |table| table.shown(0..octets.len()));
    table.row("scheme", |table| match diagnosis.scheme_name() {
        Some(name) => {
            let name = urlwise::escape_for_display(&name.to_ascii_lowercase()).to_string();
            table.values.push_str(&wrap::elide_in(&name, SHORT, language()));
        }
        None => table.values.push_str(ABSENT),
    });
    table.parts(outline::of(diagnosis));

    let mut text = table.text(context);
    // Writing to a String cannot fail.
    let (problems, more) = snippets::chosen(diagnosis, context.most_problems(octets));
    for problem in problems {
        // `error[code] start..end: what is wrong (section and decision); help`
        let language = context.look.language;
        let line = problem.display_in(language).to_string();
        let level = format!("{}[{}]", problem.level().name_in(language), problem.code());
        let rest = line.strip_prefix(level.as_str()).unwrap_or(&line);
        let rest = rest.strip_prefix(" at").unwrap_or(rest);
        let _ = write!(text, "{}{rest}", context.look.paint(style::level(problem.level()), level));
        let places = problem.spans().count();
        if places > 1 {
            text.push_str(&said!(
                "; {help}",
                help = snippets::places_in(places - 1, snippets::are_all(places), language)
            ));
        }
        text.push('\n');
    }
    if more > 0 {
        let _ = writeln!(text, "{}", snippets::more_problems_in(more, context.look.language));
    }
    text.push('\n');
    text
}

struct Table<'d, 'a> {
    diagnosis: &'d Diagnosis<'a>,
    secrets: Secrets,
    /// The name of each row, and where its value ends.
    rows: Vec<(&'static str, usize)>,
    /// The values, one after another.
    values: String,
    /// How many octets may still be shown completely.
    room: usize,
}

/// A text up to some length, in octets: what is longer is not written to its end.
struct Within<'t> {
    text: &'t mut String,
    most: usize,
    /// Whether all that was written is in the text.
    is_all: bool,
}

impl fmt::Write for Within<'_> {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        self.is_all &= self.text.len() + piece.len() <= self.most;
        if !self.is_all {
            return Err(fmt::Error);
        }
        self.text.push_str(piece);
        Ok(())
    }
}

impl<'a> Table<'_, 'a> {
    /// The parts in the order of the JSON object; lists have one row per element.
    fn parts(&mut self, outline: Vec<Entry<'a>>) {
        for (name, field) in outline {
            match field {
                Field::Parts(Some(parts)) => self.parts(parts),
                // Shown with the host and the port.
                Field::HostKind(_) | Field::PortNumber(_) => {}
                Field::Plain(None) if name == "port" => match outline::port_or_default(self.diagnosis) {
                    Some(port) => self.text_row(name, &said!("{port} (default)", port = port)),
                    None => self.text_row(name, ABSENT),
                },
                Field::Plain(Some(part)) | Field::Encoded(Some(part)) | Field::Decoded(Some(part)) => {
                    self.elements(part.label(), std::iter::once(part));
                }
                Field::Plain(None) | Field::Encoded(None) | Field::Decoded(None) | Field::Parts(None) => {
                    self.text_row(name, ABSENT);
                }
                Field::Kind(kind) => self.text_row(name, kind.unwrap_or(ABSENT)),
                Field::Local(local) => self.text_row(name, if local { "yes" } else { "no" }),
                Field::List(_) => self.list(name),
            }
        }
    }

    fn list(&mut self, name: &'static str) {
        let mut elements = self.diagnosis.parts().filter(|part| part.name() == name).peekable();
        match elements.peek() {
            Some(first) => self.elements(first.label(), elements),
            None => self.text_row(name, ABSENT),
        }
    }

    /// A row for each, as long as there is room.
    fn elements(&mut self, label: &'static str, mut parts: impl Iterator<Item = Part<'a>>) {
        let mut index = 0;
        while let Some(part) = parts.next() {
            if self.room == 0 || index == LIST {
                self.text_row(label, &said!("... and {count} more", count = parts.count() + 1));
                return;
            }
            self.row(label, |table| table.value(&part));
            index += 1;
        }
    }

    fn text_row(&mut self, name: &'static str, value: &str) {
        self.row(name, |table| table.values.push_str(value));
    }

    /// `value` appends the value to those of the rows before.
    fn row(&mut self, name: &'static str, value: impl FnOnce(&mut Self)) {
        let start = self.values.len();
        value(self);
        let end = self.values.len();
        self.room = self.room.saturating_sub(name.len().max(NAME) + end - start);
        self.rows.push((name, end));
    }

    /// Appends octets of the text as they may be shown; without their middle if there is no room for all of them.
    fn shown(&mut self, span: Range<usize>) {
        let octets = self.diagnosis.octets();
        let start = self.values.len();
        if span.len() <= self.room {
            let mut within = Within { text: &mut self.values, most: start + self.room, is_all: true };
            self.secrets.show(octets, span.clone(), &mut within);
            if within.is_all {
                return;
            }
            self.values.truncate(start);
        }
        let (start, end) = (span.start + SHORT, span.end.saturating_sub(SHORT));
        if start >= end {
            self.values.push_str(&self.secrets.elided_in(octets, span, SHORT, language()));
            return;
        }
        let (start, end) = (view::boundary(octets, start), view::boundary(octets, end));
        self.secrets.show(octets, span.start..start, &mut self.values);
        let _ = write!(self.values, " {} ", said!("[... {count} octets ...]", count = end - start));
        self.secrets.show(octets, end..span.end, &mut self.values);
    }

    fn value(&mut self, part: &Part<'_>) {
        let octets = part.octets();
        if octets.is_empty() {
            self.values.push_str(EMPTY);
            return;
        }
        self.shown(part.span());
        if !self.secrets.touch(&part.span()) {
            let decoded = part.decode();
            if *decoded != *octets {
                let most = if octets.len() <= self.room { octets.len() } else { SHORT };
                let shown = urlwise::escape_for_display(&decoded[..decoded.len().min(4 * most)]).to_string();
                let _ = write!(self.values, " = {}", wrap::elide_in(&shown, most.max(SHORT), language()));
            }
        }
    }

    /// The rows, their values below one another.
    fn text(&self, context: &Context) -> String {
        let width = self.rows.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
        let mut text = String::with_capacity(self.values.len() + self.rows.len() * (width + 3) + 1);
        let mut start = 0;
        for &(name, end) in &self.rows {
            match context.look.color {
                true => {
                    let _ = write!(text, "{}", context.look.paint(style::LABEL, format_args!("{name:width$}")));
                }
                // The same, without the machinery.
                false => {
                    text.push_str(name);
                    wrap::blank(&mut text, width - name.len());
                }
            }
            text.push_str("  ");
            text.push_str(&self.values[start..end]);
            text.push('\n');
            start = end;
        }
        text
    }
}
