//! Columns of views: a part of a text is where the text itself is, in the buffers of the array that was read.

use arrow_array::array::{Array, ArrayRef, GenericByteViewArray};
use arrow_array::builder::make_view;
use arrow_array::types::{BinaryViewType, ByteViewType, StringViewType};
use arrow_buffer::{Buffer, ScalarBuffer};
use arrow_schema::ArrowError;
use std::ops::Range;
use std::sync::Arc;
use urlwise_columns::{Bits, Cell, Column, ColumnType, Reader, Scratch, TooLarge, Values};

use crate::columns::{Refused, array, nulls};

/// The columns of some rows.
pub fn read<T: ByteViewType>(
    texts: &GenericByteViewArray<T>,
    rows: Range<usize>,
    reader: &Reader,
    columns: &[Column],
) -> Result<Vec<ArrayRef>, Refused> {
    let next_buffer = u32::try_from(texts.data_buffers().len()).map_err(|_| Refused::TooLarge)?;
    let kinds = columns.iter().map(Column::column_type);
    let mut table: Vec<ViewsOrValues> =
        kinds.map(|kind| ViewsOrValues::with_room(kind, rows.len(), next_buffer)).collect();
    let mut scratch = Scratch::default();
    for index in rows {
        let text: &[u8] = if texts.is_null(index) { &[] } else { texts.value(index).as_ref() };
        let row = texts.is_valid(index).then(|| reader.row(text));
        let mut done = Ok(());
        reader.cells(row.as_ref(), &mut scratch, |number, cell| {
            done = done.and(match &mut table[number] {
                ViewsOrValues::Text(views) | ViewsOrValues::Octets(views) => {
                    views.push(texts.views()[index], text, cell)
                }
                ViewsOrValues::Values(values) => values.push(text, cell.as_ref()),
            });
        });
        done.map_err(|_| Refused::TooLarge)?;
    }
    let arrays = table.into_iter().map(|column| match column {
        ViewsOrValues::Text(views) => views.array::<StringViewType>(texts.data_buffers()),
        ViewsOrValues::Octets(views) => views.array::<BinaryViewType>(texts.data_buffers()),
        ViewsOrValues::Values(values) => array(values),
    });
    Ok(arrays.collect::<Result<_, _>>()?)
}

/// A column.
enum ViewsOrValues {
    Text(Views),
    Octets(Views),
    /// Numbers and flags.
    Values(Values<i32>),
}

impl ViewsOrValues {
    fn with_room(kind: ColumnType, rows: usize, made_buffer: u32) -> ViewsOrValues {
        let views = || Views {
            views: Vec::with_capacity(rows),
            made_buffer,
            made: Vec::new(),
            validity: Bits::with_room(rows),
        };
        match kind {
            ColumnType::Text => ViewsOrValues::Text(views()),
            ColumnType::Octets => ViewsOrValues::Octets(views()),
            kind => ViewsOrValues::Values(Values::with_room(kind, rows)),
        }
    }
}

/// Views of parts of texts, and of what was made of them.
struct Views {
    views: Vec<u128>,
    /// The number of the buffer of what was made; those of the texts come before.
    made_buffer: u32,
    made: Vec<u8>,
    validity: Bits,
}

impl Views {
    /// Adds the cell of a text that has this view.
    #[inline]
    fn push(&mut self, of_text: u128, text: &[u8], cell: Option<Cell<'_>>) -> Result<(), TooLarge> {
        let octets = cell.as_ref().and_then(|cell| cell.octets(text));
        let view = match (&cell, octets) {
            // From the low end: a length, four octets, the number of a buffer, an offset in it, each of 32 bits. A text that is
            // too short to be in a buffer has no part that is longer.
            (Some(Cell::Part(span)), Some(octets)) => {
                make_view(octets, (of_text >> 64) as u32, ((of_text >> 96) as u32).wrapping_add(span.start as u32))
            }
            (_, Some(octets)) => {
                let start = self.made.len();
                if octets.len() > INLINE {
                    self.made.extend_from_slice(octets);
                }
                i32::try_from(self.made.len()).map_err(|_| TooLarge)?;
                make_view(octets, self.made_buffer, start as u32)
            }
            (_, None) => 0,
        };
        self.views.push(view);
        self.validity.push(octets.is_some());
        Ok(())
    }

    fn array<T: ByteViewType>(self, buffers: &[Buffer]) -> Result<ArrayRef, ArrowError> {
        let buffers: Vec<Buffer> = buffers.iter().cloned().chain([Buffer::from_vec(self.made)]).collect();
        let views = ScalarBuffer::from(self.views);
        Ok(Arc::new(GenericByteViewArray::<T>::try_new(views, buffers, nulls(self.validity))?))
    }
}

/// So many octets are in the view itself.
const INLINE: usize = 12;
