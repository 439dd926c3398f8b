//! The Python package of urlwise: the native half, `urlwise._urlwise`. Its docstrings are those that Python shows.

mod agreement;
mod arguments;
mod calls;
mod columns;
mod diagnosis;
mod explain;
mod guard;
mod pickle;
mod url;
mod views;

use ::urlwise::Profile;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyString};
use std::borrow::Cow;

/// The octets of a `str` or of `bytes`. A `str` may have a lone surrogate, as one that was JSON: its octets are not UTF-8, so that
/// such a text is not a URL and raises nothing else.
///
/// # Errors
/// `TypeError` for anything else.
fn octets<'a>(text: &'a Bound<'_, PyAny>) -> PyResult<Cow<'a, [u8]>> {
    if let Ok(text) = text.cast::<PyString>() {
        if let Ok(text) = text.to_str() {
            return Ok(Cow::Borrowed(text.as_bytes()));
        }
        let octets = text.call_method1("encode", ("utf-8", "surrogatepass"))?;
        return Ok(Cow::Owned(octets.cast_into::<PyBytes>()?.as_bytes().to_vec()));
    }
    match text.cast::<PyBytes>() {
        Ok(octets) => Ok(Cow::Borrowed(octets.as_bytes())),
        Err(_) => Err(PyTypeError::new_err(format!("a URL is str or bytes, not {}", text.get_type().name()?))),
    }
}

/// The octets of a part: those of a `str` or of `bytes`, the digits of an `int`.
///
/// # Errors
/// `TypeError` for anything else.
fn part<'a>(name: &str, value: &'a Bound<'_, PyAny>) -> PyResult<Cow<'a, [u8]>> {
    if value.is_instance_of::<PyInt>() {
        return Ok(Cow::Owned(value.str()?.to_str()?.as_bytes().to_vec()));
    }
    if value.is_instance_of::<PyString>() || value.is_instance_of::<PyBytes>() {
        return octets(value);
    }
    Err(PyTypeError::new_err(format!("{name} is str, bytes or int, not {}", value.get_type().name()?)))
}

/// The names in a list. A `str` is no list of its letters.
///
/// # Errors
/// `TypeError` for anything else.
fn names(argument: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let refused = |of: &str, value: &Bound<'_, PyAny>| -> PyResult<PyErr> {
        Ok(PyTypeError::new_err(format!("{argument} is a list of str, not {of}{}", value.get_type().name()?)))
    };
    if value.is_instance_of::<PyString>() || value.is_instance_of::<PyBytes>() || !value.hasattr("__iter__")? {
        return Err(refused("", value)?);
    }
    let mut names = Vec::new();
    for name in value.try_iter()? {
        let name = name?;
        match name.cast::<PyString>() {
            Ok(text) => names.push(text.to_string_lossy().into_owned()),
            Err(_) => return Err(refused("of ", &name)?),
        }
    }
    Ok(names)
}

fn profile(name: &str) -> PyResult<Profile> {
    name.parse()
        .map_err(|_| PyValueError::new_err(format!("unknown profile {name:?}; there are 'current' and 'rfc1738'")))
}

/// The native half of the package `urlwise`.
#[pymodule]
mod _urlwise {
    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "this is what Python calls it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

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
    use crate::pickle::restored;
    #[pymodule_export]
    use crate::url::{Url, parse};
}
