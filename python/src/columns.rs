//! `columns`: the parts of an Arrow array of URLs as one array of structs.

use arrow_array::array::GenericByteViewArray;
use arrow_array::array::{
    AnyDictionaryArray, Array, ArrayRef, BooleanArray, GenericBinaryArray, GenericByteArray, GenericStringArray,
    NullArray, OffsetSizeTrait, StructArray, UInt32Array, new_empty_array,
};
use arrow_array::cast::AsArray;
use arrow_array::types::{ByteArrayType, ByteViewType};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Fields};
use arrow_select::take::{TakeOptions, take};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyInt;
use pyo3_arrow::input::AnyArray;
use pyo3_arrow::{PyArray, PyChunkedArray};
use std::ops::Range;
use std::sync::Arc;
use urlwise_columns::{Bits, Column, Offset, Packed, Reader, Source, Strings, Values};

use crate::{arguments, views};

/// columns(array, names, *, profile="current", threads=1)
///
/// The named parts of a column of URLs: an Arrow array of structs with a field for each name.
///
/// `array` is anything that speaks the Arrow PyCapsule interface (pyarrow, polars, DuckDB, pandas from version 3) and holds strings or
/// binaries, with 32 or 64 bit offsets, as views or as a dictionary, of which each text is read once; it is not copied. A table of one
/// column is that column. A stream (a chunked array, a polars Series, a DuckDB relation) gives a chunked array. A text that is not a
/// URL is null in its parts and raises nothing; `problem` says why, see `column_names()`. As in `parse`, a text is a URL and the fragment
/// that may follow it. Offsets (":start", ":end") count octets, where `ParseError` and `diagnose` count the characters of a str.
///
/// The array that is returned cannot be pickled; `pyarrow.array(...)`, or `pyarrow.chunked_array(...)` of a chunked one, makes one that can.
///
/// The GIL is released. `threads` shares the rows out, None over all cores. Strings have 32 bit offsets, or 64 bit ones where the array has these; OverflowError is raised if a column
/// has more octets than its offsets can count. An array of views gives views: parts stand in its own buffers, which they keep
/// alive, and are not copied. Passwords are as written.
#[pyfunction]
#[pyo3(
    signature = (array, names, *, profile = "current", threads = Threads(1)),
    text_signature = "(array, names, *, profile='current', threads=1)"
)]
pub fn columns<'py>(
    py: Python<'py>,
    array: &Bound<'py, PyAny>,
    names: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = arguments::profile)] profile: &str,
    threads: Threads,
) -> PyResult<Bound<'py, PyAny>> {
    let names = crate::names("names", names)?;
    let columns = names.iter().map(|name| name.parse::<Column>()).collect::<Result<Vec<_>, _>>();
    let columns = columns.map_err(|error| PyValueError::new_err(format!("{error}; column_names() lists them")))?;
    let wanted = Wanted { reader: Reader::new(&columns, crate::profile(profile)?), columns, names, threads: threads.0 };
    let read = arrow(array)?;
    let is_one = matches!(read, AnyArray::Array(_));
    let (mut chunks, field) = match nothing_but_nulls(array, &read)? {
        Some(nulls) => (vec![nulls], Arc::new(Field::new("", DataType::Null, true))),
        None => read.into_chunked_array()?.into_inner(),
    };
    if chunks.is_empty() {
        // No rows, but a type.
        chunks.push(new_empty_array(field.data_type()));
    }
    let read = py.detach(|| chunks.iter().map(|chunk| wanted.read(chunk)).collect::<Result<Vec<_>, Refused>>())?;
    match <[ArrayRef; 1]>::try_from(read) {
        Ok([one]) if is_one => Ok(PyArray::from_array_ref(one).into_pyobject(py)?.into_any()),
        Ok([one]) => Ok(PyChunkedArray::from_array_refs(vec![one])?.into_pyobject(py)?.into_any()),
        Err(read) => Ok(PyChunkedArray::from_array_refs(read)?.into_pyobject(py)?.into_any()),
    }
}

/// How many threads are asked for: without a number, one for each core.
pub struct Threads(usize);

impl FromPyObject<'_, '_> for Threads {
    type Error = PyErr;

    fn extract(threads: Borrowed<'_, '_, PyAny>) -> PyResult<Threads> {
        /// More would only take memory.
        const MOST: i64 = 1024;
        if threads.is_none() {
            return Ok(Threads(std::thread::available_parallelism().map_or(1, usize::from)));
        }
        if !threads.is_instance_of::<PyInt>() {
            let name = threads.get_type().name()?;
            return Err(PyTypeError::new_err(format!("threads is a number, or None for one on each core, not {name}")));
        }
        if threads.lt(1)? {
            let message = format!("threads is 1 or more, or None for one on each core, not {}", threads.str()?);
            return Err(PyValueError::new_err(message));
        }
        Ok(Threads(threads.extract::<i64>().map_or(MOST, |threads| threads.min(MOST)) as usize))
    }
}

/// What speaks Arrow.
///
/// # Errors
/// `TypeError` for anything else.
fn arrow(array: &Bound<'_, PyAny>) -> PyResult<AnyArray> {
    let speaks_arrow = array.hasattr("__arrow_c_array__")? || array.hasattr("__arrow_c_stream__")?;
    array.extract().or_else(|error| match speaks_arrow {
        true => Err(error),
        false => Err(PyTypeError::new_err(format!(
            "URLs are an array or a stream of Arrow, such as pyarrow.array(urls), not {}",
            array.get_type().name()?
        ))),
    })
}

/// The rows of a stream of one column without a type: what Polars makes of a list of None has buffers that Arrow does not know there.
///
/// # Errors
/// `TypeError` where it is not known how many rows there are.
fn nothing_but_nulls(array: &Bound<'_, PyAny>, read: &AnyArray) -> PyResult<Option<ArrayRef>> {
    let AnyArray::Stream(stream) = read else { return Ok(None) };
    let is_untyped = match stream.field_ref()?.data_type() {
        DataType::Struct(fields) => fields.len() == 1 && *fields[0].data_type() == DataType::Null,
        kind => *kind == DataType::Null,
    };
    if !is_untyped {
        return Ok(None);
    }
    let rows = array.len().map_err(|_| {
        PyTypeError::new_err(
            "the URLs have the type null; give them one, as by `.cast(pyarrow.string())` or `.cast(polars.String)`",
        )
    })?;
    Ok(Some(Arc::new(NullArray::new(rows))))
}

/// column_names()
///
/// The names of all columns, without suffixes (":lower", ":decoded", ":start", ":end") and without those of one scheme ("ftp.name").
#[pyfunction]
pub fn column_names() -> Vec<&'static str> {
    Column::names().collect()
}

struct Wanted {
    reader: Reader,
    columns: Vec<Column>,
    names: Vec<String>,
    threads: usize,
}

/// Why an array has no columns.
pub(crate) enum Refused {
    Type(DataType),
    TooLarge,
    Arrow(ArrowError),
}

impl From<ArrowError> for Refused {
    fn from(error: ArrowError) -> Refused {
        match error {
            ArrowError::OffsetOverflowError(_) => Refused::TooLarge,
            other => Refused::Arrow(other),
        }
    }
}

impl From<Refused> for PyErr {
    fn from(refused: Refused) -> PyErr {
        match refused {
            Refused::Type(DataType::Struct(fields)) if fields.len() != 1 => PyTypeError::new_err(format!(
                "URLs are strings or binaries, not a table of {} columns; pass one of them",
                fields.len()
            )),
            Refused::Type(kind) => PyTypeError::new_err(format!("URLs are strings or binaries, not {kind}")),
            Refused::TooLarge => PyOverflowError::new_err(
                "a column has more octets than 32 bit offsets can count; pass fewer rows at a time, or large_string",
            ),
            Refused::Arrow(error) => PyValueError::new_err(error.to_string()),
        }
    }
}

impl Wanted {
    /// Reads an array. A table of one column is that column.
    fn read(&self, array: &ArrayRef) -> Result<ArrayRef, Refused> {
        match array.data_type() {
            DataType::Struct(fields) if fields.len() == 1 && array.null_count() == 0 => {
                self.column(array.as_struct().column(0))
            }
            _ => self.column(array),
        }
    }

    fn column(&self, array: &ArrayRef) -> Result<ArrayRef, Refused> {
        match array.data_type() {
            DataType::Utf8 => self.bytes(array.as_string::<i32>()),
            DataType::LargeUtf8 => self.bytes(array.as_string::<i64>()),
            DataType::Binary => self.bytes(array.as_binary::<i32>()),
            DataType::LargeBinary => self.bytes(array.as_binary::<i64>()),
            DataType::Utf8View => self.views(array.as_string_view()),
            DataType::BinaryView => self.views(array.as_binary_view()),
            DataType::Null => self.packed::<i32>(&Nulls(array.len())),
            DataType::Dictionary(_, values) => match **values {
                DataType::Utf8
                | DataType::LargeUtf8
                | DataType::Utf8View
                | DataType::Binary
                | DataType::LargeBinary
                | DataType::BinaryView => self.dictionary(array.as_any_dictionary()),
                _ => Err(Refused::Type(array.data_type().clone())),
            },
            other => Err(Refused::Type(other.clone())),
        }
    }

    /// Reads each text once, unless there are more of them than rows.
    fn dictionary(&self, array: &dyn AnyDictionaryArray) -> Result<ArrayRef, Refused> {
        let checked = || Some(TakeOptions { check_bounds: true });
        if array.values().len() > array.len() {
            return self.column(&take(array.values(), array.keys(), checked())?);
        }
        let table = self.column(array.values())?;
        let spread = |values: &ArrayRef| take(values, array.keys(), checked());
        let arrays = table.as_struct().columns().iter().map(spread).collect::<Result<Vec<_>, _>>()?;
        let fields = table.as_struct().fields().clone();
        Ok(Arc::new(StructArray::try_new_with_length(fields, arrays, None, array.len())?))
    }

    fn bytes<T: ByteArrayType>(&self, array: &GenericByteArray<T>) -> Result<ArrayRef, Refused>
    where
        T::Offset: Offset + OffsetSizeTrait,
    {
        let source = Packed::new(array.value_offsets(), array.value_data());
        match array.nulls() {
            None => self.packed::<T::Offset>(&source),
            Some(nulls) => self.packed::<T::Offset>(&source.with_validity(nulls.validity(), nulls.offset())),
        }
    }

    fn packed<O: Offset + OffsetSizeTrait>(&self, source: &(impl Source + Sync + ?Sized)) -> Result<ArrayRef, Refused> {
        self.rows(source.rows(), |rows| {
            let table = self.reader.read_rows::<O>(source, rows).map_err(|_| Refused::TooLarge)?;
            Ok(table.into_iter().map(array::<O>).collect::<Result<_, _>>()?)
        })
    }

    fn views<T: ByteViewType>(&self, array: &GenericByteViewArray<T>) -> Result<ArrayRef, Refused> {
        self.rows(array.len(), |rows| views::read(array, rows, &self.reader, &self.columns))
    }

    /// Reads the rows, by several threads if asked to, and joins what they read.
    fn rows(
        &self,
        rows: usize,
        read: impl Fn(Range<usize>) -> Result<Vec<ArrayRef>, Refused> + Sync,
    ) -> Result<ArrayRef, Refused> {
        /// Fewer rows are not worth a thread.
        const ROWS: usize = 10_000;
        let threads = self.threads.min(rows / ROWS).max(1);
        let part = |thread: usize| {
            let range = rows * thread / threads..rows * (thread + 1) / threads;
            let count = range.len();
            self.table(read(range)?, count)
        };
        if threads == 1 {
            return part(0);
        }
        let parts = std::thread::scope(|scope| {
            let part = &part;
            let workers: Vec<_> = (1..threads).map(|thread| scope.spawn(move || part(thread))).collect();
            let first = part(0);
            let others = workers
                .into_iter()
                .map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            std::iter::once(first).chain(others).collect::<Result<Vec<_>, _>>()
        })?;
        let parts: Vec<&dyn Array> = parts.iter().map(AsRef::as_ref).collect();
        Ok(arrow_select::concat::concat(&parts)?)
    }

    /// The columns of so many rows as one array.
    fn table(&self, arrays: Vec<ArrayRef>, rows: usize) -> Result<ArrayRef, Refused> {
        let field = |(name, array): (&String, &ArrayRef)| Arc::new(Field::new(name, array.data_type().clone(), true));
        let fields: Vec<FieldRef> = self.names.iter().zip(&arrays).map(field).collect();
        Ok(Arc::new(StructArray::try_new_with_length(Fields::from(fields), arrays, None, rows)?))
    }
}

/// The vectors of a column as an array, without a copy.
pub(crate) fn array<O: Offset + OffsetSizeTrait>(values: Values<O>) -> Result<ArrayRef, ArrowError> {
    fn parts<O: Offset + OffsetSizeTrait>(strings: Strings<O>) -> (OffsetBuffer<O>, Buffer, Option<NullBuffer>) {
        let offsets = OffsetBuffer::new(ScalarBuffer::from(strings.offsets));
        (offsets, Buffer::from_vec(strings.octets), nulls(strings.validity))
    }
    Ok(match values {
        Values::Text(strings) => {
            let (offsets, octets, nulls) = parts(strings);
            Arc::new(GenericStringArray::<O>::try_new(offsets, octets, nulls)?)
        }
        Values::Octets(strings) => {
            let (offsets, octets, nulls) = parts(strings);
            Arc::new(GenericBinaryArray::<O>::try_new(offsets, octets, nulls)?)
        }
        Values::Numbers(numbers) => {
            Arc::new(UInt32Array::try_new(ScalarBuffer::from(numbers.values), nulls(numbers.validity))?)
        }
        Values::Flags(flags) => Arc::new(BooleanArray::new(bits(flags.values), nulls(flags.validity))),
        _ => return Err(ArrowError::NotYetImplemented("a type of columns that this version does not know".to_owned())),
    })
}

fn bits(bits: Bits) -> BooleanBuffer {
    let length = bits.len();
    BooleanBuffer::new(Buffer::from_vec(bits.into_octets()), 0, length)
}

pub(crate) fn nulls(validity: Bits) -> Option<NullBuffer> {
    (validity.unset() > 0).then(|| NullBuffer::new(bits(validity)))
}

/// Rows that are all null.
struct Nulls(usize);

impl Source for Nulls {
    fn rows(&self) -> usize {
        self.0
    }

    fn row(&self, _: usize) -> Option<&[u8]> {
        None
    }
}
