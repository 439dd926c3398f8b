//! Objects in other processes: what `pickle` and `copy` need.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::calls::{Change, Comparison, Found, Repair, Suggestion};
use crate::diagnosis::{Diagnosis, Problem};
use crate::guard::{Reason, Verdict};
use crate::url::Url;

/// What `__reduce__` returns: a function and its arguments.
pub type Reduced<'py> = (Bound<'py, PyAny>, (&'static str, Bound<'py, PyTuple>));

/// An object that can be made again of a tuple.
pub trait Pickled: Sized {
    /// The name of its class.
    const NAME: &'static str;

    /// What it is made of.
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>>;

    /// Makes it again.
    fn restored(fields: &Bound<'_, PyAny>) -> PyResult<Self>;

    /// How `pickle` makes it again.
    fn reduce<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let restore = py.import("urlwise._urlwise")?.getattr("restored")?;
        Ok((restore, (Self::NAME, self.fields(py)?)))
    }
}

/// Makes a class of plain fields [`Pickled`]: all of them, by their names.
macro_rules! pickled {
    ($class:ident { $($field:ident),+ }) => {
        impl crate::pickle::Pickled for $class {
            const NAME: &'static str = stringify!($class);

            fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyTuple>> {
                ($(self.$field.clone(),)+).into_pyobject(py)
            }

            fn restored(fields: &Bound<'_, PyAny>) -> PyResult<Self> {
                let ($($field,)+) = fields.extract()?;
                Ok($class { $($field),+ })
            }
        }
    };
}
pub(crate) use pickled;

/// restored(name, fields)
///
/// An object of the class of this name, as `pickle` and `copy` make it again.
#[pyfunction]
pub fn restored<'py>(py: Python<'py>, name: &str, fields: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    /// One branch for each class.
    macro_rules! one_of {
        ($($class:ident)+) => {
            match name {
                $($class::NAME => Ok(Bound::new(py, $class::restored(fields)?)?.into_any()),)+
                _ => Err(PyValueError::new_err(format!("no class of urlwise: {name:?}"))),
            }
        };
    }
    one_of!(Change Comparison Diagnosis Found Problem Reason Repair Suggestion Url Verdict)
}
