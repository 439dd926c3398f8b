//! `urlwise compare`: shows readings of a text side by side.

use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::OnceLock;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};
use urlwise::Language;
use urlwise_explain::secret::{MASK, Secrets};
use urlwise_explain::wrap;
use urlwise_readings::{Cause, Difference, Reader, Reading, ReadingParts, Readings, passwords};

use crate::cli::Compare;
use crate::context::Context;
use crate::exit::{Failure, Outcome};
use crate::json::{self, Fields};
use crate::language::{language, said, words};
use crate::{each, input, style};

/// Longer URLs, parts and reasons are elided; in octets.
const WHOLE: usize = 240;
/// Most pictures are shorter, in octets.
const LENGTH: usize = 2 << 10;

/// Of a longer text, no more than two readings are held at the same time; in octets.
const KEPT: usize = 64 << 10;

/// No more readers than there are.
const READERS: usize = Reader::ALL.len();

/// Columns of the mark, of the gap before each reading, and of a reading at least.
const MARK: usize = 2;
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
    each::answer(&compare.lists, Some("compare"), input::NOTHING_READ, context, &mut out, |record, answers, full| {
        let readings = if context.json {
            json::answer(answers, full, |object| fields(object, record.octets, &readers, context))?
        } else {
            answers.out.extend_from_slice(SEPARATOR);
            picture(record.octets, &readers, context, &mut answers.out)
        };
        Ok(readings.agree() && readings.is_accepted())
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

/// Draws the readings, which are returned.
fn picture<'t>(octets: &'t [u8], readers: &[Reader], context: &Context, out: &mut Vec<u8>) -> Readings<'t> {
    if octets.len() > KEPT {
        let mut columns = Vec::with_capacity(readers.len());
        let readings = Readings::visited(octets, context.profile, readers, |readings, reader, reading| {
            columns.push(Column::of(readings, reader, reading, context).into_owned());
        });
        out.extend_from_slice(drawn(&readings, &columns, context).as_bytes());
        return readings;
    }
    let readings = Readings::by(octets, context.profile, readers);
    let mut columns = [const { Column::EMPTY }; READERS];
    let mut before = None;
    for (at, (reader, reading)) in readings.iter().enumerate() {
        columns[at] =
            Column::beside(before.map(|before| (&columns[at - 1], before)), &readings, reader, reading, context);
        before = Some(reading);
    }
    out.extend_from_slice(drawn(&readings, &columns[..readers.len()], context).as_bytes());
    readings
}

/// The text, a line for each part that some reader sees, the errors, and the sentence.
fn drawn(readings: &Readings<'_>, columns: &[Column<'_>], context: &Context) -> String {
    let look = context.look;
    let octets = readings.octets();
    let secrets = Secrets::of(octets, context.show_secrets).and(readings.passwords());
    let url = secrets.elided_in(octets, 0..octets.len(), WHOLE, language());
    let mut text = String::with_capacity(LENGTH);
    look.push(&mut text, style::URL, &url);
    text.push('\n');
    let labels = labels();
    let width = ((look.width - MARK - labels.columns) / columns.len()).saturating_sub(GAP).max(NARROWEST);
    let differs = readings.differs();
    let mut line = String::with_capacity(look.width);
    if readings.is_accepted() {
        let mut cells = [""; READERS];
        let cells = &mut cells[..columns.len()];
        for (cell, reader) in cells.iter_mut().zip(readings.readers()) {
            *cell = reader.name();
        }
        row(&mut text, "", false, cells, width, context, &mut line);
        for (at, ((part, _), name)) in PARTS.iter().zip(&labels.names).enumerate() {
            if columns.iter().any(|column| column.has[at]) {
                for (cell, column) in cells.iter_mut().zip(columns) {
                    *cell = &column.cells[at];
                }
                let refused = *part == Difference::Scheme && differs.contains(Difference::Ok);
                row(&mut text, name, differs.contains(*part) || refused, cells, width, context, &mut line);
            }
        }
    }
    for (reader, column) in readings.readers().zip(columns) {
        if let Some(reason) = column.objection.as_deref() {
            wrap::push(
                &mut text,
                &said!("{reader} rejects it: {reason}", reader = reader.to_string(), reason = reason),
                look.width,
                0,
            );
            text.push('\n');
        }
    }
    line.clear();
    wrap::push(&mut line, &sentence(readings), look.width, 0);
    look.push(&mut text, style::LABEL, &line);
    text.push('\n');
    text
}

/// What is shown of a reading.
struct Column<'p> {
    cells: [Cow<'p, str>; PARTS.len()],
    /// Whether the part is there.
    has: [bool; PARTS.len()],
    /// Why the reader rejects the text.
    objection: Option<String>,
}

impl<'p> Column<'p> {
    const EMPTY: Column<'static> =
        Column { cells: [const { Cow::Borrowed("") }; PARTS.len()], has: [false; PARTS.len()], objection: None };

    /// Nothing is allocated for a URL of the usual kind.
    fn of(readings: &Readings<'_>, reader: Reader, reading: &'p Reading<'_>, context: &Context) -> Column<'p> {
        Column::beside(None, readings, reader, reading, context)
    }

    /// The same beside the column of another reader and what that one read: a part that both read alike is shown alike.
    fn beside(
        other: Option<(&Column<'p>, &Reading<'_>)>,
        readings: &Readings<'_>,
        reader: Reader,
        reading: &'p Reading<'_>,
        context: &Context,
    ) -> Column<'p> {
        let mut column = Column::EMPTY;
        for (at, (part, get)) in PARTS.iter().enumerate() {
            let value = reading.parts().map(get);
            let known = other.filter(|(_, other)| other.parts().map(get) == value);
            column.has[at] = matches!(value, Some(Some(_)));
            column.cells[at] = match known {
                Some((other, _)) => other.cells[at].clone(),
                None => shown(readings, *part, value, context),
            };
        }
        let error = readings.objection_of(reader, reading, language());
        column.objection = error.map(|error| elided(error).into_owned());
        column
    }

    fn into_owned(self) -> Column<'static> {
        let Column { cells, has, objection } = self;
        Column { cells: cells.map(|cell| Cow::Owned(cell.into_owned())), has, objection }
    }
}

/// The summary of the readings in complete sentences.
fn sentence(readings: &Readings<'_>) -> String {
    let complete = |mut sentence: String| {
        if let Some(first) = sentence.get_mut(..1).filter(|_| language() == Language::En) {
            first.make_ascii_uppercase();
        }
        said!("{sentence}.", sentence = sentence)
    };
    let sentence = readings.sentence().message_in(language()).to_string();
    // What is read alike as a link is said once.
    match as_link(readings).filter(|link| *link != sentence) {
        Some(link) => said!("{first} {second}", first = complete(sentence), second = complete(link)),
        None => complete(sentence),
    }
}

/// How a text that all readers reject is read as a link in a page.
fn as_link(readings: &Readings<'_>) -> Option<String> {
    if !readings.agree() {
        return None;
    }
    Some(readings.disagreement()?.in_language(language()).to_string())
}

/// The names of the parts in the language, and the columns of the widest.
struct Labels {
    names: [Cow<'static, str>; PARTS.len()],
    columns: usize,
}

/// A list shows them for each of its texts.
fn labels() -> &'static Labels {
    static LABELS: OnceLock<Labels> = OnceLock::new();
    LABELS.get_or_init(|| {
        let names = PARTS.each_ref().map(|(part, _)| part.name_in(language()));
        let columns = names.iter().map(|name| wrap::width_of(name)).max().unwrap_or_default();
        Labels { names, columns }
    })
}

/// What stands for a part that a reader refuses, for one that is absent, and for one that is empty. A list has a thousand of them.
fn states() -> &'static [Cow<'static, str>; 3] {
    static STATES: OnceLock<[Cow<'static, str>; 3]> = OnceLock::new();
    STATES
        .get_or_init(|| [words!("<refused>"), words!("<absent>"), words!("<empty>")].map(|state| state.get(language())))
}

/// One reading of a part. A refusal is shown in the row of the scheme only.
fn shown<'p>(
    readings: &Readings<'_>,
    part: Difference,
    value: Option<Option<&'p str>>,
    context: &Context,
) -> Cow<'p, str> {
    let value = match value {
        None if part == Difference::Scheme => return (&*states()[0]).into(),
        None => return "".into(),
        Some(None) => return (&*states()[1]).into(),
        Some(Some("")) => return (&*states()[2]).into(),
        Some(Some(value)) => value,
    };
    match part {
        _ if context.show_secrets => elided(value.into()),
        Difference::Password => MASK.into(),
        _ => elided(readings.visible(value)),
    }
}

/// A text without passwords, escaped, and elided if it is long.
fn elided(text: Cow<'_, str>) -> Cow<'_, str> {
    match text.len() <= WHOLE && urlwise::is_shown_as_written(text.as_bytes()) {
        true => text,
        false => Secrets::default().elided_in(text.as_bytes(), 0..text.len(), WHOLE, language()).into(),
    }
}

/// One row of the table. Long cells are wrapped. `written` is memory for a line.
fn row(
    text: &mut String,
    name: &str,
    differs: bool,
    cells: &[&str],
    width: usize,
    context: &Context,
    written: &mut String,
) {
    let look = context.look;
    let mut rest = [""; READERS];
    let rest = &mut rest[..cells.len()];
    rest.copy_from_slice(cells);
    let (mut mark, mut name) = (if differs { "* " } else { "  " }, name);
    let style = if differs { style::URL } else { anstyle::Style::new() };
    loop {
        written.clear();
        written.push_str(name);
        wrap::blank(written, labels().columns - wrap::width_of(name));
        text.push_str(mark);
        look.push(text, style::LABEL, written);
        written.clear();
        // Blanks that are not written until something follows them.
        let mut owed = 0;
        let mut is_last = true;
        // Most cells are the same as the one before.
        let (mut before, mut known) = ("", (0, 0));
        for rest in &mut *rest {
            owed += GAP;
            let (end, columns) = match *rest == before {
                true => known,
                false => beginning(rest, width),
            };
            (before, known) = (*rest, (end, columns));
            let (piece, behind) = rest.split_at(end);
            if !piece.is_empty() {
                wrap::blank(written, owed);
                owed = 0;
                written.push_str(piece);
            }
            owed += width.saturating_sub(columns);
            is_last &= behind.is_empty();
            *rest = behind;
        }
        look.push(text, style, written.trim_end());
        text.push('\n');
        if is_last {
            return;
        }
        (mark, name) = ("  ", "");
    }
}

/// How many octets of a text fit in so many columns without a part of an escape, and how many columns these take.
fn beginning(text: &str, width: usize) -> (usize, usize) {
    if text.len() <= width && wrap::is_plain(text) {
        return (text.len(), text.len());
    }
    let mut columns = 0;
    let mut fits = |c: char| {
        columns += c.width().unwrap_or_default();
        columns <= width
    };
    let end = text.char_indices().find(|&(_, c)| !fits(c)).map_or(text.len(), |(at, _)| wrap::before_escape(text, at));
    (end, text[..end].width())
}

/// What the parts of all readings may take in JSON beyond twice the length of the text, in octets. The text takes its own length; a
/// longer one than this is omitted.
const ROOM: usize = 24 << 10;

/// Writes the fields of docs/json.md, and returns the readings. What does not fit in the room is null.
fn fields<'t>(object: &mut Fields<'_>, octets: &'t [u8], readers: &[Reader], context: &Context) -> Readings<'t> {
    let show_secrets = context.show_secrets;
    let secrets = Secrets::of(octets, show_secrets).and(&passwords(octets, context.profile, readers));
    let is_masked = !secrets.is_empty();
    let mut omitted = Vec::new();
    let shown = Some(secrets.covered(octets, 0..octets.len())).filter(|text| json::length(text) <= ROOM + octets.len());
    if shown.is_none() {
        omitted.push("url".to_owned());
    }
    object.text("url", shown.as_deref());
    drop((shown, secrets));
    let mut room = ROOM + 2 * octets.len();
    let readings = object.object("readings", |object| {
        Readings::visited(octets, context.profile, readers, |readings, reader, read| {
            object.object(reader.id(), |object| {
                let fits = |part: Difference, value: &str| {
                    let left = room.checked_sub(json::length(value.as_bytes()));
                    match left {
                        Some(left) => room = left,
                        None => omitted.push(format!("{}.{}", reader.id(), part.name())),
                    }
                    left.is_some()
                };
                reading(object, readings, (reader, read), is_masked, show_secrets, fits);
            });
        })
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
    object.field("sentence", json::Displayed(readings.sentence().message_in(language())));
    readings
}

/// Writes the fields of a reading; those values that `fits` refuses are null.
pub(crate) fn reading(
    object: &mut Fields<'_>,
    readings: &Readings<'_>,
    (reader, reading): (Reader, &Reading<'_>),
    is_masked: bool,
    show_secrets: bool,
    mut fits: impl FnMut(Difference, &str) -> bool,
) {
    object.field("ok", reading.is_ok());
    object.field("error", readings.objection_of(reader, reading, language()).as_deref());
    for (part, value) in &PARTS {
        let value = reading.parts().and_then(value).filter(|value| fits(*part, value));
        let masked = value.map(|value| match part {
            _ if show_secrets => Cow::Borrowed(value),
            Difference::Password if !value.is_empty() => Cow::Borrowed(MASK),
            _ if !is_masked => Cow::Borrowed(value),
            _ => readings.shown(value),
        });
        object.string(part.name(), masked.as_deref());
    }
}

#[cfg(test)]
mod tests {
    use super::beginning;

    #[test]
    fn a_line_of_a_cell_ends_before_an_escape_that_has_no_room_in_it() {
        for (text, width, expected) in [
            ("ab%41c", 4, (2, 2)),
            ("ab%41c", 5, (5, 5)),
            ("ab%41", 5, (5, 5)),
            ("中\\x1bc", 5, (3, 2)),
            ("%41", 2, (2, 2)),
        ] {
            assert_eq!(beginning(text, width), expected, "{text} in {width}");
        }
    }
}
