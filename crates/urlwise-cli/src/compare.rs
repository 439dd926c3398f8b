//! `urlwise compare`: shows readings of a text side by side.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use unicode_width::UnicodeWidthChar;
use urlwise::escape_for_display;
use urlwise_readings::{Cause, Difference, Reader, Reading, ReadingParts, Readings};

use crate::Context;
use crate::cli::Compare;
use crate::exit::{Failure, Outcome};
use crate::explain::wrap;
use crate::json::{self, Fields};
use crate::secret::{self, MASK, Secrets};
use crate::{input, style};

/// Longer URLs, parts and reasons are elided; in octets.
const WHOLE: usize = 240;
/// Most pictures are shorter, in octets.
const LENGTH: usize = 2 << 10;

/// Columns of the mark and the part name, of the gap before each reading, and of a reading at least.
const NAMES: usize = 10;
const GAP: usize = 2;
const NARROWEST: usize = 8;

/// A part of a reading and how to get it.
type Part = (Difference, for<'p> fn(&'p ReadingParts<'_>) -> Option<&'p str>);

static PARTS: [Part; 8] = [
    (Difference::Scheme, |parts| Some(&parts.scheme)),
    (Difference::User, |parts| parts.user.as_deref()),
    (Difference::Password, |parts| parts.password.as_deref()),
    (Difference::Host, |parts| parts.host.as_deref()),
    (Difference::Port, |parts| parts.port.as_deref()),
    (Difference::Path, |parts| Some(&parts.path)),
    (Difference::Query, |parts| parts.query.as_deref()),
    (Difference::Fragment, |parts| parts.fragment.as_deref()),
];

/// Compares the readings of every text of the input.
pub(crate) fn run(compare: &Compare, context: &Context, out: &mut (dyn Write + Send)) -> Result<Outcome, Failure> {
    let mut out = Separated { out, is_first: !context.json };
    let mut readers: Vec<Reader> = Vec::new();
    for reader in &compare.readers {
        if !readers.contains(reader) {
            readers.push(*reader);
        }
    }
    input::answer(&compare.lists, Some("compare"), input::NOTHING_READ, &mut out, |record, answers| {
        let out = &mut answers.out;
        let readings = Readings::by(record.octets, context.profile, &readers);
        if context.json {
            json::line(out, |object| fields(object, &readings, context.show_secrets));
        } else {
            out.extend_from_slice(SEPARATOR);
            out.extend_from_slice(picture(&readings, context).as_bytes());
        }
        let is_accepted = readings.iter().any(|(_, reading)| reading.is_ok());
        Ok(readings.agree() && is_accepted)
    })
}

/// Stands between two pictures.
const SEPARATOR: &[u8] = b"\n";

/// Leaves out the separator before the first picture.
struct Separated<'o> {
    out: &'o mut (dyn Write + Send),
    is_first: bool,
}

impl Write for Separated<'_> {
    fn write(&mut self, pictures: &[u8]) -> io::Result<usize> {
        if self.is_first && !pictures.is_empty() {
            self.is_first = false;
            self.out.write_all(pictures.strip_prefix(SEPARATOR).unwrap_or(pictures))?;
            return Ok(pictures.len());
        }
        self.out.write(pictures)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The text, a line for each part that some reader sees, the errors, and the sentence.
fn picture(readings: &Readings<'_>, context: &Context) -> String {
    let look = context.look;
    let url = wrap::elide(&secret::masked(readings.octets(), context.show_secrets), WHOLE);
    let mut text = String::with_capacity(LENGTH);
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{}", look.paint(style::URL, &url));
    let width = ((look.width - NAMES) / readings.iter().count()).saturating_sub(GAP).max(NARROWEST);
    let differs = readings.differs();
    if readings.iter().any(|(_, reading)| reading.is_ok()) {
        let titles: Vec<_> = readings.iter().map(|(reader, _)| reader.name().into()).collect();
        row(&mut text, "", false, &titles, width, context);
        for (part, value) in &PARTS {
            let values: Vec<_> = readings.iter().map(|(_, reading)| reading.parts().map(value)).collect();
            if values.iter().flatten().any(Option::is_some) {
                let cells: Vec<_> = values.into_iter().map(|value| cell(readings, *part, value, context)).collect();
                let refused = *part == Difference::Scheme && differs.contains(Difference::Ok);
                row(&mut text, part.name(), differs.contains(*part) || refused, &cells, width, context);
            }
        }
    }
    for (reader, reading) in readings.iter() {
        if let Some(error) = reading.error() {
            let reason = wrap::elide(&escape_for_display(error.as_bytes()).to_string(), WHOLE);
            let _ = writeln!(text, "{}", paragraph(&format!("{reader} rejects it: {reason}"), context));
        }
    }
    let _ = writeln!(text, "{}", look.paint(style::LABEL, paragraph(&sentence(readings), context)));
    text
}

/// The summary of the readings in complete sentences.
fn sentence(readings: &Readings<'_>) -> String {
    let complete = |sentence: String| {
        let mut letters = sentence.chars();
        let first = letters.next().map(|first| first.to_ascii_uppercase()).into_iter().collect::<String>();
        format!("{first}{}.", letters.as_str())
    };
    let sentence = complete(readings.sentence().to_string());
    match as_link(readings) {
        Some(link) => format!("{sentence} {}", complete(link)),
        None => sentence,
    }
}

/// How a text that all readers reject is read as a link in a page.
fn as_link(readings: &Readings<'_>) -> Option<String> {
    let readers: Vec<Reader> = readings.iter().map(|(reader, _)| reader).collect();
    readings.agree().then(|| urlwise_readings::disagreement_by(readings.octets(), readings.profile(), &readers))?
}

fn paragraph(text: &str, context: &Context) -> String {
    wrap::lines(text, context.look.width).join("\n")
}

/// One reading of a part. A refusal is shown in the row of the scheme only.
fn cell<'p>(
    readings: &Readings<'_>,
    part: Difference,
    value: Option<Option<&'p str>>,
    context: &Context,
) -> Cow<'p, str> {
    let value = match value {
        None if part == Difference::Scheme => return "<refused>".into(),
        None => return "".into(),
        Some(None) => return "<absent>".into(),
        Some(Some("")) => return "<empty>".into(),
        Some(Some(value)) => value,
    };
    match part {
        _ if context.show_secrets => wrap::elide(&escape_for_display(value.as_bytes()).to_string(), WHOLE).into(),
        Difference::Password => MASK.into(),
        _ => match readings.shown(value) {
            shown if shown.len() > WHOLE => wrap::elide(&shown, WHOLE).into(),
            shown => shown,
        },
    }
}

/// One row of the table. Long cells are wrapped.
fn row(text: &mut String, name: &str, differs: bool, cells: &[Cow<'_, str>], width: usize, context: &Context) {
    let look = context.look;
    let mut rest: Vec<&str> = cells.iter().map(|cell| &**cell).collect();
    let (mut mark, mut name) = (if differs { "* " } else { "  " }, name);
    let style = if differs { style::URL } else { anstyle::Style::new() };
    let mut written = String::with_capacity(look.width);
    loop {
        written.push_str(name);
        wrap::blank(&mut written, NAMES - 2 - name.len());
        text.push_str(mark);
        look.push(text, style::LABEL, &written);
        written.clear();
        for rest in &mut rest {
            let (piece, behind) = rest.split_at(beginning(rest, width));
            wrap::blank(&mut written, GAP);
            written.push_str(piece);
            let columns = if piece.is_ascii() { piece.len() } else { piece.chars().count() };
            wrap::blank(&mut written, width.saturating_sub(columns));
            *rest = behind;
        }
        look.push(text, style, written.trim_end());
        text.push('\n');
        if rest.iter().all(|rest| rest.is_empty()) {
            return;
        }
        (mark, name) = ("  ", "");
        written.clear();
    }
}

/// How many octets of a text fit in so many columns.
fn beginning(text: &str, width: usize) -> usize {
    if text.len() <= width && wrap::width_of(text) == text.len() {
        return text.len();
    }
    let mut columns = 0;
    let mut fits = |c: char| {
        columns += c.width().unwrap_or_default();
        columns <= width
    };
    text.char_indices().find(|&(_, c)| !fits(c)).map_or(text.len(), |(at, _)| at)
}

/// What the parts of all readings may take in JSON beyond twice the length of the text, in octets. The text takes its own length; a
/// longer one than this is omitted.
const ROOM: usize = 24 << 10;

/// Writes the fields of docs/json.md. What does not fit in the room is null.
fn fields(object: &mut Fields<'_>, readings: &Readings<'_>, show_secrets: bool) {
    let octets = readings.octets();
    let secrets = Secrets::of(octets, show_secrets);
    let mut omitted = Vec::new();
    let shown = Some(secrets.covered(octets, 0..octets.len())).filter(|text| json::length(text) <= ROOM + octets.len());
    if shown.is_none() {
        omitted.push("url".to_owned());
    }
    object.text("url", shown.as_deref());
    let mut room = ROOM + 2 * octets.len();
    object.object("readings", |object| {
        for (reader, read) in readings.iter() {
            object.object(reader.id(), |object| {
                let fits = |part: Difference, value: &str| {
                    let left = room.checked_sub(json::length(value.as_bytes()));
                    match left {
                        Some(left) => room = left,
                        None => omitted.push(format!("{}.{}", reader.id(), part.name())),
                    }
                    left.is_some()
                };
                reading(object, readings, read, &secrets, show_secrets, fits);
            });
        }
    });
    if !omitted.is_empty() {
        object.objects("omitted", &omitted, |object, name| {
            object.field("name", name.as_str());
            object.field("span", 0..octets.len());
        });
    }
    object.field("agree", readings.agree());
    object.array("differs", readings.differs().iter().map(Difference::name));
    object.field("cause", readings.cause().map(Cause::id));
    object.field("sentence", json::Displayed(readings.sentence()));
}

/// Writes the fields of a reading; those values that `fits` refuses are null.
pub(crate) fn reading(
    object: &mut Fields<'_>,
    readings: &Readings<'_>,
    reading: &Reading<'_>,
    secrets: &Secrets,
    show_secrets: bool,
    mut fits: impl FnMut(Difference, &str) -> bool,
) {
    object.field("ok", reading.is_ok());
    object.field("error", reading.error());
    for (part, value) in &PARTS {
        let value = reading.parts().and_then(value).filter(|value| fits(*part, value));
        let masked = value.map(|value| match part {
            _ if show_secrets => Cow::Borrowed(value),
            Difference::Password if !value.is_empty() => Cow::Borrowed(MASK),
            _ if secrets.is_empty() => Cow::Borrowed(value),
            _ => readings.shown(value),
        });
        object.field(part.name(), masked.as_deref());
    }
}
