//! Arguments of one type. The error of pyo3 names them in a note alone, which is not in its text.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// # Errors
/// `TypeError` for anything else, with the name of the argument.
fn argument<'a, 'py, T: FromPyObject<'a, 'py>>(name: &str, kind: &str, value: &'a Bound<'py, PyAny>) -> PyResult<T> {
    value.extract().map_err(|error: T::Error| {
        let error: PyErr = error.into();
        match value.get_type().name() {
            Ok(given) if error.is_instance_of::<PyTypeError>(value.py()) => {
                PyTypeError::new_err(format!("{name} is {kind}, not {given}"))
            }
            _ => error,
        }
    })
}

/// A function for each argument.
macro_rules! arguments {
    ($($name:ident: $type:ty, $kind:literal;)*) => {$(
        #[allow(clippy::needless_lifetimes, reason = "those that are text borrow it")]
        pub fn $name<'a>(value: &'a Bound<'_, PyAny>) -> PyResult<$type> {
            argument(stringify!($name), $kind, value)
        }
    )*};
}

arguments! {
    address: &'a str, "str";
    allow_private: bool, "bool";
    ascii: bool, "bool";
    level: &'a str, "str";
    name: &'a str, "str";
    profile: &'a str, "str";
    resolve: bool, "bool";
    scheme: &'a str, "str";
    timeout: f64, "float";
    width: i64, "int";
}

/// One that may be None.
pub fn profile_or_none<'a>(value: &'a Bound<'_, PyAny>) -> PyResult<Option<&'a str>> {
    argument("profile", "str or None", value)
}
