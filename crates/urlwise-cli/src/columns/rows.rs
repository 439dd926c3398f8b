//! Writes the rows of a table as lines.

use std::io::Write as _;

use urlwise_columns::Values;

use super::Template;
use crate::json;

/// The columns of some rows.
type Table = [Values<u32>];

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
    Octets(&'t [u8]),
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

    /// Appends a row.
    pub(super) fn row(&self, table: &Table, plain: &[bool], row: usize, out: &mut Vec<u8>) {
        match self {
            Format::Tsv => separated(table, row, b'\t', out, |column, value, out| match value {
                None => out.extend_from_slice(b"\\N"),
                Some(value) => value.escaped(plain[column], out),
            }),
            Format::Csv { is_shown } => separated(table, row, b',', out, |_, value, out| {
                if let Some(value) = value {
                    value.quoted(*is_shown, out);
                }
            }),
            Format::Jsonl(names) => json::line(out, |object| {
                for (name, values) in names.iter().zip(table) {
                    match Value::of(values, row) {
                        None => object.field(name, None::<bool>),
                        Some(Value::Octets(octets)) => object.text(name, Some(octets)),
                        Some(Value::Number(number)) => object.field(name, number as usize),
                        Some(Value::Flag(flag)) => object.field(name, flag),
                    }
                }
            }),
            Format::Template(template) => {
                for (column, values) in table.iter().enumerate() {
                    out.extend_from_slice(template.text(column).as_bytes());
                    if let Some(value) = Value::of(values, row) {
                        value.escaped(plain[column], out);
                    }
                }
                out.extend_from_slice(template.text(table.len()).as_bytes());
                out.push(b'\n');
            }
        }
    }
}

/// Whether the octets of a column are written as they are, looked at once for all rows.
pub(super) fn is_plain(values: &Values<u32>) -> bool {
    match values {
        // Without an early end, so that many are looked at at once.
        Values::Text(strings) | Values::Octets(strings) => {
            strings.octets.iter().fold(true, |plain, &octet| plain & matches!(octet, b' '..=b'~') & (octet != b'\\'))
        }
        _ => true,
    }
}

fn separated(
    table: &Table,
    row: usize,
    separator: u8,
    out: &mut Vec<u8>,
    mut write: impl FnMut(usize, Option<Value<'_>>, &mut Vec<u8>),
) {
    for (column, values) in table.iter().enumerate() {
        if column > 0 {
            out.push(separator);
        }
        write(column, Value::of(values, row), out);
    }
    out.push(b'\n');
}

impl<'t> Value<'t> {
    fn of(values: &'t Values<u32>, row: usize) -> Option<Value<'t>> {
        match values {
            Values::Text(strings) | Values::Octets(strings) => strings.get(row).map(Value::Octets),
            Values::Numbers(numbers) => numbers.get(row).map(Value::Number),
            Values::Flags(flags) => flags.get(row).map(Value::Flag),
            _ => None,
        }
    }

    /// With the escapes that `ClickHouse` and `PostgreSQL` read in text separated by tabs. What is written is UTF-8 that a
    /// terminal cannot obey; what is read again is the octets.
    fn escaped(&self, is_plain: bool, out: &mut Vec<u8>) {
        match *self {
            Value::Octets(octets) if is_plain => out.extend_from_slice(octets),
            Value::Octets(octets) => {
                for chunk in octets.utf8_chunks() {
                    chunk.valid().chars().for_each(|c| escape(c, out));
                    chunk.invalid().iter().for_each(|octet| hex(*octet, out));
                }
            }
            _ => self.unquoted(out),
        }
    }

    /// Quoted where RFC 4180 wants it, and where it is empty: nothing at all is NULL.
    fn quoted(&self, is_shown: bool, out: &mut Vec<u8>) {
        let Value::Octets(octets) = *self else { return self.unquoted(out) };
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

    fn unquoted(&self, out: &mut Vec<u8>) {
        let _ = match self {
            Value::Octets(octets) => out.write_all(octets),
            Value::Number(number) => write!(out, "{number}"),
            Value::Flag(flag) => write!(out, "{flag}"),
        };
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
