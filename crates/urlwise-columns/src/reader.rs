//! Reads rows into columns.

use crate::cell::Cell;
use crate::column::{Column, Place, Suffix, What, schemes};
use crate::source::{Offset, Source};
use crate::values::{TooLarge, Values};
use std::ops::Range;
use urlwise::audit::AddressClass;
use urlwise::build::PartKind;
use urlwise::{Locator, NewsKind, Octets, Problem, Profile, RawReference, Reference};

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
        let empty = |step: &Step| Values::with_room(step.column.column_type(), rows.len());
        let mut table: Vec<Values<O>> = self.columns.iter().map(empty).collect();
        let mut scratch = Scratch::default();
        for index in rows {
            let text = source.row(index);
            let row = text.map(|text| self.row(text));
            let mut done = Ok(());
            self.cells(row.as_ref(), &mut scratch, |number, cell| {
                done = done.and(table[number].push(text.unwrap_or_default(), cell.as_ref()));
            });
            done?;
        }
        Ok(table)
    }

    /// Reads one text, whose [cells](Reader::cells) may be wanted later.
    #[inline]
    pub fn row<'a>(&self, text: &'a [u8]) -> Row<'a> {
        Row {
            read: RawReference::read(text, self.profile),
            is_kept: true,
            #[cfg(feature = "agree")]
            profile: self.profile,
        }
    }

    /// The row of a text that is longer than its reader keeps: `valid` is false, `problem` is `url-length`, and all other columns
    /// are null.
    ///
    /// ```
    /// use urlwise::Profile;
    /// use urlwise_columns::{Reader, Scratch};
    ///
    /// let columns = ["url".parse()?, "host".parse()?, "problem".parse()?];
    /// let reader = Reader::new(&columns, Profile::Current);
    /// let mut cells = Vec::new();
    /// reader.cells(Some(&reader.too_long()), &mut Scratch::default(), |_, cell| cells.push(cell.is_some()));
    /// assert_eq!(cells, [false, false, true]);
    /// # Ok::<(), urlwise_columns::UnknownColumn>(())
    /// ```
    pub fn too_long(&self) -> Row<'static> {
        Row {
            read: RawReference::too_long(self.profile),
            is_kept: false,
            #[cfg(feature = "agree")]
            profile: self.profile,
        }
    }

    /// Visits the cells of a row in the order of the columns, each with the number of its column, from 0; `None` is null, and so
    /// is each cell of no row. For programs that write rows one by one: nothing is copied, and `scratch` serves all rows.
    ///
    /// ```
    /// use urlwise::Profile;
    /// use urlwise_columns::{Cell, Column, Reader, Scratch};
    ///
    /// let columns: Vec<Column> = ["host", "port", "query"].iter().map(|name| name.parse()).collect::<Result<_, _>>()?;
    /// let (reader, mut scratch) = (Reader::new(&columns, Profile::Current), Scratch::default());
    /// let row = reader.row(b"https://host.dom/a");
    /// let mut cells = Vec::new();
    /// reader.cells(Some(&row), &mut scratch, |_, cell| cells.push(format!("{cell:?}")));
    /// assert_eq!(cells, ["Some(Part(8..16))", "Some(Number(443))", "None"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn cells(&self, row: Option<&Row<'_>>, scratch: &mut Scratch, mut visit: impl FnMut(usize, Option<Cell<'_>>)) {
        for (number, step) in self.columns.iter().enumerate() {
            visit(number, row.and_then(|row| step.cell(row, scratch)));
        }
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

/// A text that was read: a row that is not null.
#[derive(Clone, Debug)]
pub struct Row<'a> {
    read: RawReference<'a>,
    /// The text is there.
    is_kept: bool,
    #[cfg(feature = "agree")]
    profile: Profile,
}

impl<'a> Row<'a> {
    /// The text.
    #[inline]
    pub fn text(&self) -> &'a [u8] {
        self.read.octets()
    }

    /// Whether it is a URL.
    #[inline]
    pub fn is_url(&self) -> bool {
        self.read.error().is_none()
    }

    /// The first error with all that is said of it; `None` if the text is a URL.
    pub fn problem(&self) -> Option<Problem<'a>> {
        self.read.problem()
    }

    /// With parts that are texts, for what has to be read once more.
    fn reference(&self) -> Option<Reference<'a>> {
        self.read.reference().ok()
    }
}

/// Room for what is [made](Cell::Made) of a text, for one row after another.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    octets: Vec<u8>,
    normal: String,
}

impl Step {
    /// The cell of a row; `None` where it is null.
    #[inline]
    fn cell<'c>(&self, row: &Row<'_>, scratch: &'c mut Scratch) -> Option<Cell<'c>> {
        let read = &row.read;
        if self.column.only.is_some() && self.column.only != read.scheme() {
            return None;
        }
        Some(match &self.column.what {
            What::Url if row.is_kept => Cell::Part(0..row.text().len()),
            What::Url => return None,
            What::Place(place) => return self.part(row, self.span(place, read)?, scratch),
            What::Port => Cell::Number(u32::from(read.port_or_default()?)),
            What::HostKind => Cell::Made(read.host_kind()?.name().as_bytes()),
            What::NewsKind => {
                let Locator::News(news) = row.reference()?.url().locator() else { return None };
                Cell::Made(match news.kind() {
                    NewsKind::All => b"all",
                    NewsKind::Group(_) => b"group",
                    NewsKind::Article { .. } => b"article",
                })
            }
            What::WaisForm => {
                let Locator::Wais(wais) = row.reference()?.url().locator() else { return None };
                Cell::Made(wais.form().name().as_bytes())
            }
            What::IsLocal => {
                let Locator::File(file) = row.reference()?.url().locator() else { return None };
                Cell::Flag(file.is_local())
            }
            What::Address => Cell::Made(AddressClass::of(row.reference()?.url().host()?.ip()?).name().as_bytes()),
            What::Valid => Cell::Flag(row.is_url()),
            What::Problem => {
                let error = read.error()?;
                match self.column.suffix {
                    Suffix::Start => offset(error.span().start)?,
                    Suffix::End => offset(error.span().end)?,
                    Suffix::Written | Suffix::Lower | Suffix::Decoded => Cell::Made(error.code().as_bytes()),
                }
            }
            What::Normal(form) => {
                row.reference()?.url().normalize_into(*form, &mut scratch.normal);
                Cell::Made(scratch.normal.as_bytes())
            }
            #[cfg(feature = "agree")]
            What::Agree if !row.is_kept => return None,
            #[cfg(feature = "agree")]
            What::Agree => Cell::Flag(urlwise_readings::agree(row.text(), row.profile)),
        })
    }

    /// The cell of a part that stands in the text.
    #[inline]
    fn part<'c>(&self, row: &Row<'_>, span: Range<usize>, scratch: &'c mut Scratch) -> Option<Cell<'c>> {
        let written = &row.text()[span.clone()];
        Some(match self.column.suffix {
            Suffix::Lower if written.iter().any(u8::is_ascii_uppercase) => {
                scratch.octets.clear();
                scratch.octets.extend(written.iter().map(u8::to_ascii_lowercase));
                Cell::Made(&scratch.octets)
            }
            Suffix::Decoded if written.contains(&b'%') => {
                scratch.octets.clear();
                match self.kind(&row.read).filter(|kind| kind.is_list()) {
                    Some(kind) => decode_list(written, kind, &mut scratch.octets),
                    None => scratch.octets.extend(Octets::new(written)),
                }
                Cell::Made(&scratch.octets)
            }
            Suffix::Written | Suffix::Lower | Suffix::Decoded => Cell::Part(span),
            Suffix::Start => offset(span.start)?,
            Suffix::End => offset(span.end)?,
        })
    }

    /// Where a part stands in a row.
    #[inline]
    fn span(&self, place: &Place, read: &RawReference<'_>) -> Option<Range<usize>> {
        match place {
            Place::Scheme => read.scheme_name(),
            Place::User => read.spans()?.user,
            Place::Password => read.spans()?.password,
            Place::Host => read.spans()?.host,
            Place::Port => read.spans()?.port,
            Place::Path => Some(read.spans()?.path),
            Place::Query => read.spans()?.query,
            Place::Fragment => read.fragment(),
            Place::Part(_) => read.span_of(self.kind(read)?),
        }
    }

    /// The part of the row's scheme that the column's name means.
    #[inline]
    fn kind(&self, read: &RawReference<'_>) -> Option<&'static PartKind> {
        *self.kinds.get(read.scheme()? as usize)?
    }
}

/// Appends a list with its escapes decoded, but for those of what divides it and of `%`: it can be split, and its parts decoded after
/// that.
fn decode_list(written: &[u8], kind: &PartKind, out: &mut Vec<u8>) {
    const ESCAPE: usize = "%00".len();
    let mut rest = written;
    while let Some(at) = rest.iter().position(|&octet| octet == b'%') {
        let (escape, behind) = rest[at..].split_at(ESCAPE.min(rest.len() - at));
        out.extend_from_slice(&rest[..at]);
        let mut octets = Octets::new(escape);
        match octets.clone().any(|octet| octet == b'%' || kind.divides(octet)) {
            true => out.extend(escape.iter().map(u8::to_ascii_uppercase)),
            false => out.extend(&mut octets),
        }
        rest = behind;
    }
    out.extend_from_slice(rest);
}

/// An offset in a text; texts that are longer are not URLs.
fn offset(at: usize) -> Option<Cell<'static>> {
    u32::try_from(at).ok().map(Cell::Number)
}

#[cfg(test)]
mod tests {
    use super::Reader;
    use crate::TooLarge;
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
