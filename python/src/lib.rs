//! The Python package of urlwise: the native half, `urlwise._urlwise`. Its docstrings are those that Python shows.

mod agreement;
mod calls;
mod columns;
mod diagnosis;
mod explain;
mod guard;
mod url;

use ::urlwise::Profile;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// The octets of a `str` or of `bytes`.
///
/// # Errors
/// `TypeError` for anything else, `ValueError` for a `str` with a lone surrogate: no octets stand for it.
fn octets<'a>(text: &'a Bound<'_, PyAny>) -> PyResult<&'a [u8]> {
    if let Ok(text) = text.cast::<PyString>() {
        return Ok(text.to_str()?.as_bytes());
    }
    match text.cast::<PyBytes>() {
        Ok(octets) => Ok(octets.as_bytes()),
        Err(_) => Err(PyTypeError::new_err(format!("a URL is str or bytes, not {}", text.get_type().name()?))),
    }
}

fn profile(name: &str) -> PyResult<Profile> {
    name.parse()
        .map_err(|_| PyValueError::new_err(format!("unknown profile {name:?}; there are 'current' and 'rfc1738'")))
}

/// The native half of the package `urlwise`.
#[pymodule]
mod _urlwise {
    #[pymodule_export]
    use crate::agreement::{address_class, default_port, readings};
    #[pymodule_export]
    use crate::calls::{Change, Comparison, Found, Repair, Suggestion};
    #[pymodule_export]
    use crate::calls::{build, find, normalize, repair, same};
    #[pymodule_export]
    use crate::columns::{column_names, columns};
    #[pymodule_export]
    use crate::diagnosis::{Diagnosis, Problem, diagnose};
    #[pymodule_export]
    use crate::explain::explain;
    #[pymodule_export]
    use crate::guard::{Reason, Verdict, guard};
    #[pymodule_export]
    use crate::url::{Url, parse};
}
