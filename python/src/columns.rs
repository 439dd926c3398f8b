//! `columns`: the parts of an Arrow array of URLs as one array of structs.

use arrow_array::array::GenericByteViewArray;
use arrow_array::array::{
    AnyDictionaryArray, Array, ArrayRef, BooleanArray, GenericBinaryArray, GenericByteArray, GenericStringArray,
    OffsetSizeTrait, StructArray, UInt32Array, new_empty_array,
};
use arrow_array::cast::AsArray;
use arrow_array::types::{ByteArrayType, ByteViewType};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Fields};
use arrow_select::take::{TakeOptions, take};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;
use pyo3_arrow::{PyArray, PyChunkedArray};
use std::ops::Range;
use std::sync::Arc;
use urlwise_columns::{Bits, Column, Offset, Packed, Reader, Source, Strings, Values};

/// columns(array, names, *, profile="current", threads=1)
///
/// The named parts of a column of URLs: an Arrow array of structs with a field for each name.
///
/// `array` is anything that speaks the Arrow PyCapsule interface (pyarrow, polars, DuckDB, pandas) and holds strings or binaries,
/// with 32 or 64 bit offsets, as views or as a dictionary, of which each text is read once; it is not copied. A stream (a chunked
/// array, a polars Series) gives a chunked array. A text that is not a URL is null in its parts and raises nothing; `problem` says why, see `column_names()`.
///
/// The GIL is released. Strings have 32 bit offsets, or 64 bit ones where the array has these; OverflowError is raised if a column
/// has more octets than its offsets can count. Passwords are as written.
#[pyfunction]
#[pyo3(signature = (array, names, *, profile = "current", threads = 1))]
pub fn columns<'py>(
    py: Python<'py>,
    array: AnyArray,
    names: Vec<String>,
    profile: &str,
    threads: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let columns = names.iter().map(|name| name.parse::<Column>()).collect::<Result<Vec<_>, _>>();
    let columns = columns.map_err(|error| PyValueError::new_err(error.to_string()))?;
    let wanted = Wanted { reader: Reader::new(&columns, crate::profile(profile)?), names, threads: threads.max(1) };
    let is_one = matches!(array, AnyArray::Array(_));
    let (mut chunks, field) = array.into_chunked_array()?.into_inner();
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

/// column_names()
///
/// The names of all columns, without suffixes (":lower", ":decoded", ":start", ":end") and without those of one scheme ("ftp.name").
#[pyfunction]
pub fn column_names() -> Vec<&'static str> {
    Column::names().collect()
}

struct Wanted {
    reader: Reader,
    names: Vec<String>,
    threads: usize,
}

/// Why an array has no columns.
enum Refused {
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
            Refused::Type(kind) => PyTypeError::new_err(format!("URLs are strings or binaries, not {kind}")),
            Refused::TooLarge => PyOverflowError::new_err(
                "a column has more octets than 32 bit offsets can count; pass fewer rows at a time, or large_string",
            ),
            Refused::Arrow(error) => PyValueError::new_err(error.to_string()),
        }
    }
}

impl Wanted {
    fn read(&self, array: &ArrayRef) -> Result<ArrayRef, Refused> {
        match array.data_type() {
            DataType::Utf8 => self.bytes(array.as_string::<i32>()),
            DataType::LargeUtf8 => self.bytes(array.as_string::<i64>()),
            DataType::Binary => self.bytes(array.as_binary::<i32>()),
            DataType::LargeBinary => self.bytes(array.as_binary::<i64>()),
            DataType::Utf8View => self.rows::<i32>(&Views(array.as_string_view())),
            DataType::BinaryView => self.rows::<i32>(&Views(array.as_binary_view())),
            DataType::Null => self.rows::<i32>(&Nulls(array.len())),
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
            return self.read(&take(array.values(), array.keys(), checked())?);
        }
        let table = self.read(array.values())?;
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
            None => self.rows::<T::Offset>(&source),
            Some(nulls) => self.rows::<T::Offset>(&source.with_validity(nulls.validity(), nulls.offset())),
        }
    }

    /// Reads the rows, by several threads if asked to, and joins what they read.
    fn rows<O: Offset + OffsetSizeTrait>(&self, source: &(impl Source + Sync + ?Sized)) -> Result<ArrayRef, Refused> {
        /// Fewer rows are not worth a thread.
        const ROWS: usize = 10_000;
        let rows = source.rows();
        let threads = self.threads.min(rows / ROWS).max(1);
        let range = |thread: usize| rows * thread / threads..rows * (thread + 1) / threads;
        if threads == 1 {
            return self.part::<O>(source, 0..rows);
        }
        let parts = std::thread::scope(|scope| {
            let workers: Vec<_> =
                (1..threads).map(|thread| scope.spawn(move || self.part::<O>(source, range(thread)))).collect();
            let first = self.part::<O>(source, range(0));
            let others = workers
                .into_iter()
                .map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            std::iter::once(first).chain(others).collect::<Result<Vec<_>, _>>()
        })?;
        let parts: Vec<&dyn Array> = parts.iter().map(AsRef::as_ref).collect();
        Ok(arrow_select::concat::concat(&parts)?)
    }

    fn part<O: Offset + OffsetSizeTrait>(
        &self,
        source: &(impl Source + ?Sized),
        rows: Range<usize>,
    ) -> Result<ArrayRef, Refused> {
        let count = rows.len();
        let table = self.reader.read_rows::<O>(source, rows).map_err(|_| Refused::TooLarge)?;
        let arrays = table.into_iter().map(array::<O>).collect::<Result<Vec<_>, _>>()?;
        let field = |(name, array): (&String, &ArrayRef)| Arc::new(Field::new(name, array.data_type().clone(), true));
        let fields: Vec<FieldRef> = self.names.iter().zip(&arrays).map(field).collect();
        Ok(Arc::new(StructArray::try_new_with_length(Fields::from(fields), arrays, None, count)?))
    }
}

/// The vectors of a column as an array, without a copy.
fn array<O: Offset + OffsetSizeTrait>(values: Values<O>) -> Result<ArrayRef, ArrowError> {
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

fn nulls(validity: Bits) -> Option<NullBuffer> {
    (validity.unset() > 0).then(|| NullBuffer::new(bits(validity)))
}

/// Rows that are views.
struct Views<'a, T: ByteViewType>(&'a GenericByteViewArray<T>);

impl<T: ByteViewType> Source for Views<'_, T> {
    fn rows(&self) -> usize {
        self.0.len()
    }

    fn row(&self, index: usize) -> Option<&[u8]> {
        self.0.is_valid(index).then(|| self.0.value(index).as_ref())
    }
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
