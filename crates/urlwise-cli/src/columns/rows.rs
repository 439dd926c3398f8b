//! Writes the rows of a table as lines.

use std::io::Write as _;

use urlwise_columns::{Cell, Reader, Row, Scratch};

use crate::cli::Template;
use crate::json;

/// How rows are written.
pub(super) enum Format {
    Tsv,
    Csv {
        /// What a terminal might obey is escaped.
        is_shown: bool,
    },
    /// With the names of the columns.
    Jsonl(Vec<String>),
    Template(Template),
}

/// A value of a row.
enum Value<'t> {
    Octets {
        octets: &'t [u8],
        /// They are written as they are.
        is_plain: bool,
    },
    Number(u32),
    Flag(bool),
}

impl Format {
    /// The line of the columns' names; nothing where they stand elsewhere.
    pub(super) fn header(&self, names: &[String], out: &mut Vec<u8>) {
        let separator = match self {
            Format::Tsv => b'\t',
            Format::Csv { .. } => b',',
            Format::Jsonl(_) | Format::Template(_) => return,
        };
        for (index, name) in names.iter().enumerate() {
            out.extend((index > 0).then_some(separator));
            // Names need no escapes and no quotes.
            out.extend_from_slice(name.as_bytes());
        }
        out.push(b'\n');
    }

    /// A counted line, both with their ends.
    pub(super) fn counted(&self, line: &[u8], count: u64, out: &mut Vec<u8>) {
        // Writing to memory cannot fail, here and below.
        let _ = match (self, line) {
            (Format::Jsonl(_), [b'{', fields @ ..]) => {
                let _ = write!(out, "{{\"count\":{count},");
                out.extend_from_slice(fields);
                return;
            }
            (Format::Csv { .. }, _) => write!(out, "{count},"),
            (Format::Tsv | Format::Jsonl(_) | Format::Template(_), _) => write!(out, "{count}\t"),
        };
        out.extend_from_slice(line);
    }

    /// Appends the line of a row; without one, all columns are null.
    pub(super) fn row(&self, reader: &Reader, row: Option<&Row<'_>>, scratch: &mut Scratch, out: &mut Vec<u8>) {
        match self {
            Format::Tsv => separated(reader, row, scratch, b'\t', out, |value, out| match value {
                None => out.extend_from_slice(b"\\N"),
                Some(value) => value.escaped(out),
            }),
            Format::Csv { is_shown } => separated(reader, row, scratch, b',', out, |value, out| {
                if let Some(value) = value {
                    value.quoted(*is_shown, out);
                }
            }),
            Format::Jsonl(names) => json::line(out, |object| {
                values(reader, row, scratch, |column, value| {
                    let name = &names[column];
                    match value {
                        None => object.field(name, None::<bool>),
                        Some(Value::Octets { octets, .. }) => object.text(name, Some(octets)),
                        Some(Value::Number(number)) => object.field(name, number as usize),
                        Some(Value::Flag(flag)) => object.field(name, flag),
                    }
                });
            }),
            Format::Template(template) => {
                values(reader, row, scratch, |column, value| {
                    out.extend_from_slice(template.text(column).as_bytes());
                    if let Some(value) = value {
                        value.escaped(out);
                    }
                });
                out.extend_from_slice(template.text(template.columns().len()).as_bytes());
                out.push(b'\n');
            }
        }
    }
}

/// Visits the values in the order of the columns.
#[inline]
fn values(
    reader: &Reader,
    row: Option<&Row<'_>>,
    scratch: &mut Scratch,
    mut visit: impl FnMut(usize, Option<Value<'_>>),
) {
    let text = row.map(Row::text).unwrap_or_default();
    // URLs have no other octets, nor have their parts.
    let is_url = row.is_some_and(Row::is_url);
    reader.cells(row, scratch, |column, cell| {
        let value = cell.map(|cell| match cell {
            Cell::Part(span) => Value::octets(&text[span], is_url),
            Cell::Made(octets) => Value::octets(octets, false),
            Cell::Number(number) => Value::Number(number),
            Cell::Flag(flag) => Value::Flag(flag),
        });
        visit(column, value);
    });
}

/// Whether an octet is written as it is.
fn is_plain(octet: u8) -> bool {
    matches!(octet, b' '..=b'~') && octet != b'\\'
}

#[inline]
fn separated(
    reader: &Reader,
    row: Option<&Row<'_>>,
    scratch: &mut Scratch,
    separator: u8,
    out: &mut Vec<u8>,
    mut write: impl FnMut(Option<Value<'_>>, &mut Vec<u8>),
) {
    values(reader, row, scratch, |column, value| {
        if column > 0 {
            out.push(separator);
        }
        write(value, out);
    });
    out.push(b'\n');
}

impl<'t> Value<'t> {
    #[inline]
    fn octets(octets: &'t [u8], is_plain: bool) -> Value<'t> {
        Value::Octets { octets, is_plain: is_plain || octets.iter().all(|octet| self::is_plain(*octet)) }
    }

    /// With the escapes that `ClickHouse` and `PostgreSQL` read in text separated by tabs. What is written is UTF-8 that a
    /// terminal cannot obey; what is read again is the octets.
    #[inline]
    fn escaped(&self, out: &mut Vec<u8>) {
        match *self {
            Value::Octets { octets, is_plain: true } => out.extend_from_slice(octets),
            Value::Octets { octets, is_plain: false } => {
                for chunk in octets.utf8_chunks() {
                    chunk.valid().chars().for_each(|c| escape(c, out));
                    chunk.invalid().iter().for_each(|octet| hex(*octet, out));
                }
            }
            Value::Number(_) | Value::Flag(_) => self.unquoted(out),
        }
    }

    /// Quoted where RFC 4180 wants it, and where it is empty: nothing at all is NULL.
    fn quoted(&self, is_shown: bool, out: &mut Vec<u8>) {
        let Value::Octets { octets, .. } = *self else { return self.unquoted(out) };
        let shown;
        let octets = match is_shown {
            true => {
                shown = urlwise::escape_for_display(octets).to_string();
                shown.as_bytes()
            }
            false => octets,
        };
        if !octets.is_empty() && !octets.iter().any(|octet| b",\"\r\n".contains(octet)) {
            return out.extend_from_slice(octets);
        }
        out.push(b'"');
        for &octet in octets {
            out.extend((octet == b'"').then_some(b'"'));
            out.push(octet);
        }
        out.push(b'"');
    }

    #[inline]
    fn unquoted(&self, out: &mut Vec<u8>) {
        match self {
            Value::Octets { octets, .. } => out.extend_from_slice(octets),
            Value::Number(number) => json::push_number(*number as usize, out),
            Value::Flag(flag) => out.extend_from_slice(if *flag { b"true" } else { b"false" }),
        }
    }
}

fn escape(c: char, out: &mut Vec<u8>) {
    if let Some(letter) = json::escape_letter(c) {
        out.extend([b'\\', letter]);
        return;
    }
    let mut buffer = [0; 4];
    let octets = c.encode_utf8(&mut buffer).as_bytes();
    match urlwise::is_harmful(c) {
        true => octets.iter().for_each(|octet| hex(*octet, out)),
        false => out.extend_from_slice(octets),
    }
}

fn hex(octet: u8, out: &mut Vec<u8>) {
    let _ = write!(out, "\\x{octet:02X}");
}
