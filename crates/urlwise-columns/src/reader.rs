//! Reads rows into columns.

use crate::column::{Column, ColumnType, Place, Suffix, What, schemes};
use crate::source::{Offset, Source};
use crate::values::{Flags, Numbers, Strings, Values};
use std::fmt;
use std::ops::Range;
use urlwise::audit::AddressClass;
use urlwise::build::PartKind;
use urlwise::{FirstError, Locator, NewsKind, Octets, Profile, Reference};

/// Reads texts into [columns](Column). It can be used any number of times, by many threads.
///
/// ```
/// use urlwise::Profile;
/// use urlwise_columns::{Column, Reader, Values};
///
/// let columns: Vec<Column> = ["host", "port"].iter().map(|name| name.parse()).collect::<Result<_, _>>()?;
/// let reader = Reader::new(&columns, Profile::Current);
/// let table = reader.read::<i32>(&["https://host.dom/a", "no URL"][..])?;
/// let [Values::Text(hosts), Values::Numbers(ports)] = &table[..] else { unreachable!() };
/// assert_eq!((hosts.get(0), ports.get(0)), (Some(&b"host.dom"[..]), Some(443)));
/// assert_eq!((hosts.get(1), ports.get(1)), (None, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Reader {
    columns: Vec<Step>,
    profile: Profile,
}

/// A column, and what is looked up once instead of for each row.
#[derive(Clone, Debug)]
struct Step {
    column: Column,
    /// By the number of a scheme: its part of the column's name.
    kinds: Vec<Option<&'static PartKind>>,
}

impl Reader {
    /// A reader of these columns by the grammar of a profile.
    pub fn new(columns: &[Column], profile: Profile) -> Reader {
        let step = |column: &Column| Step { column: column.clone(), kinds: kinds(column) };
        Reader { columns: columns.iter().map(step).collect(), profile }
    }

    /// Reads all rows of a source. A row that is null is null in all columns; one that is not a URL is null in those of its
    /// parts.
    ///
    /// # Errors
    /// A column has more octets than offsets of this type can count: read fewer rows at a time, or use `i64`.
    pub fn read<O: Offset>(&self, source: &(impl Source + ?Sized)) -> Result<Vec<Values<O>>, TooLarge> {
        self.read_rows(source, 0..source.rows())
    }

    /// Reads some rows of a source: for threads that share the work.
    ///
    /// # Errors
    /// As for [`read`](Reader::read).
    pub fn read_rows<O: Offset>(
        &self,
        source: &(impl Source + ?Sized),
        rows: Range<usize>,
    ) -> Result<Vec<Values<O>>, TooLarge> {
        let rows = rows.start..rows.end.min(source.rows());
        let room = rows.len();
        let empty = |step: &Step| match step.column.column_type() {
            ColumnType::Text => Values::Text(Strings::with_room(room)),
            ColumnType::Octets => Values::Octets(Strings::with_room(room)),
            ColumnType::Number => Values::Numbers(Numbers::with_room(room)),
            ColumnType::Flag => Values::Flags(Flags::with_room(room)),
        };
        let mut table: Vec<Values<O>> = self.columns.iter().map(empty).collect();
        let mut normal = String::new();
        for index in rows {
            let row = source.row(index).map(|octets| Row::new(octets, self.profile));
            for (step, values) in self.columns.iter().zip(&mut table) {
                step.push(row.as_ref(), values, &mut normal).ok_or(TooLarge)?;
            }
        }
        Ok(table)
    }
}

/// By the number of a scheme: its part of the column's name.
fn kinds(column: &Column) -> Vec<Option<&'static PartKind>> {
    let What::Place(Place::Part(name)) = column.what else {
        return Vec::new();
    };
    let mut kinds = Vec::new();
    for scheme in schemes() {
        let number = scheme as usize;
        if kinds.len() <= number {
            kinds.resize(number + 1, None);
        }
        kinds[number] = scheme.parts().iter().find(|kind| kind.contract_name() == name);
    }
    kinds
}

/// A row that is not null.
struct Row<'a> {
    octets: &'a [u8],
    profile: Profile,
    reference: Result<Reference<'a>, FirstError>,
}

impl<'a> Row<'a> {
    fn new(octets: &'a [u8], profile: Profile) -> Row<'a> {
        Row { octets, profile, reference: Reference::from_octets(octets, profile) }
    }
}

impl Step {
    /// Adds the value of a row; `None` if it does not fit. Normal forms are written to `normal` first, whose room serves all
    /// rows.
    fn push<O: Offset>(&self, row: Option<&Row<'_>>, values: &mut Values<O>, normal: &mut String) -> Option<()> {
        let row = row.filter(|row| match (self.column.only, &row.reference) {
            (None, _) => true,
            (Some(only), Ok(reference)) => reference.url().scheme() == only,
            (Some(_), Err(_)) => false,
        });
        match values {
            Values::Text(strings) | Values::Octets(strings) => {
                let is_valid = row.is_some_and(|row| self.write(row, normal, &mut strings.octets).is_some());
                strings.end(is_valid)?;
            }
            Values::Numbers(numbers) => numbers.push(row.and_then(|row| self.number(row))),
            Values::Flags(flags) => flags.push(row.and_then(|row| self.flag(row))),
        }
        Some(())
    }

    /// Writes the value of a row; `None`, and nothing is written, if it is null.
    fn write(&self, row: &Row<'_>, normal: &mut String, out: &mut Vec<u8>) -> Option<()> {
        match &self.column.what {
            What::Url => out.extend_from_slice(row.octets),
            What::Place(place) => {
                let written = &row.octets[self.span(place, row.reference.as_ref().ok()?)?];
                match self.column.suffix {
                    Suffix::Lower => out.extend(written.iter().map(u8::to_ascii_lowercase)),
                    Suffix::Decoded => decode(written, out),
                    Suffix::Written | Suffix::Start | Suffix::End => out.extend_from_slice(written),
                }
            }
            What::HostKind => {
                let host = row.reference.as_ref().ok()?.url().host()?;
                out.extend_from_slice(host.kind().name().as_bytes());
            }
            What::NewsKind => {
                let Locator::News(news) = row.reference.as_ref().ok()?.url().locator() else { return None };
                out.extend_from_slice(match news.kind() {
                    NewsKind::All => b"all",
                    NewsKind::Group(_) => b"group",
                    NewsKind::Article { .. } => b"article",
                });
            }
            What::WaisForm => {
                let Locator::Wais(wais) = row.reference.as_ref().ok()?.url().locator() else { return None };
                out.extend_from_slice(wais.form().name().as_bytes());
            }
            What::Address => {
                let ip = row.reference.as_ref().ok()?.url().host()?.ip()?;
                out.extend_from_slice(AddressClass::of(ip).name().as_bytes());
            }
            What::Problem => out.extend_from_slice(row.reference.as_ref().err()?.code().as_bytes()),
            What::Normal(form) => {
                row.reference.as_ref().ok()?.url().normalize_into(*form, normal);
                out.extend_from_slice(normal.as_bytes());
            }
            // Numbers and flags.
            What::Port | What::Valid | What::IsLocal => return None,
            #[cfg(feature = "agree")]
            What::Agree => return None,
        }
        Some(())
    }

    fn number(&self, row: &Row<'_>) -> Option<u32> {
        let span = match &self.column.what {
            What::Port => return row.reference.as_ref().ok()?.url().port_or_default().map(u32::from),
            What::Place(place) => self.span(place, row.reference.as_ref().ok()?)?,
            What::Problem => row.reference.as_ref().err()?.span(),
            _ => return None,
        };
        // Longer texts are refused.
        u32::try_from(if self.column.suffix == Suffix::Start { span.start } else { span.end }).ok()
    }

    fn flag(&self, row: &Row<'_>) -> Option<bool> {
        match &self.column.what {
            What::Valid => Some(row.reference.is_ok()),
            What::IsLocal => match row.reference.as_ref().ok()?.url().locator() {
                Locator::File(file) => Some(file.is_local()),
                _ => None,
            },
            #[cfg(feature = "agree")]
            What::Agree => Some(urlwise_readings::Readings::of(row.octets, row.profile).agree()),
            _ => None,
        }
    }

    /// Where a part stands in a row.
    fn span(&self, place: &Place, reference: &Reference<'_>) -> Option<Range<usize>> {
        let url = reference.url();
        match place {
            Place::Scheme => Some(0..url.scheme_name().len()),
            Place::User => url.spans().user,
            Place::Password => url.spans().password,
            Place::Host => url.spans().host,
            Place::Port => url.spans().port,
            Place::Path => Some(url.spans().path),
            Place::Query => url.spans().query,
            Place::Fragment => {
                let start = url.as_str().len() + 1;
                reference.fragment().map(|fragment| start..start + fragment.as_str().len())
            }
            Place::Part(_) => url.span_of((*self.kinds.get(url.scheme() as usize)?)?),
        }
    }
}

/// Writes what an encoded part stands for.
fn decode(written: &[u8], out: &mut Vec<u8>) {
    out.extend(Octets::new(written));
}

/// A column has more octets than its offsets can count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a column has more octets than its offsets can count; read fewer rows at a time, or use 64-bit offsets",
        )
    }
}

impl std::error::Error for TooLarge {}

#[cfg(test)]
mod tests {
    use super::{Reader, TooLarge};
    use urlwise::Profile;

    #[test]
    fn offsets_that_cannot_count_the_octets_of_a_column_are_an_error() {
        let reader = Reader::new(&["url".parse().expect("a column")], Profile::Current);
        let rows = ["x".repeat(100), "x".repeat(27), String::new(), "x".to_owned()];
        assert!(reader.read::<i8>(&rows[..3]).is_ok());
        assert_eq!(reader.read::<i8>(&rows[..]), Err(TooLarge));
        assert!(reader.read::<i32>(&rows[..]).is_ok());
    }
}
