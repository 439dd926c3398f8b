//! `diagnose`, and the errors of `parse` and `build`.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple, PyType};
use std::ops::Range;
use urlwise::build::BuildError;
use urlwise::{Profile, RawReference};

use crate::pickle::{Pickled, Reduced, pickled};
use crate::url::{collect, decoded};
use crate::{arguments, octets};

/// One problem of a text: what is wrong, where, by which rule, and the way out.
#[pyclass(frozen, get_all, eq, hash, from_py_object, module = "urlwise")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Problem {
    /// The code, which never changes its meaning.
    code: String,
    /// "error", "warning" or "note".
    level: String,
    /// Where it starts, in characters of a str, in octets of bytes.
    start: usize,
    /// Where it ends.
    end: usize,
    /// Start and end in octets of UTF-8.
    octets: (usize, usize),
    /// Where the same mistake is made, in the units of `start`: this place first, at most 20.
    spans: Vec<(usize, usize)>,
    /// The section of RFC 1738.
    section: String,
    /// The number of the decision, or None.
    decision: Option<String>,
    /// What is wrong.
    message: String,
    /// The way out, or None.
    help: Option<String>,
    /// The whole in one line, with `start` and `end`.
    text: String,
}

#[pymethods]
impl Problem {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<urlwise.Problem {}>", self.text)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        self.reduce(py)
    }
}

pickled!(Problem { code, level, start, end, octets, spans, section, decision, message, help, text });

/// Converts offsets of octets to those of the caller's text.
pub struct Place<'a> {
    octets: &'a [u8],
    is_text: bool,
}

impl<'a> Place<'a> {
    pub fn new(text: &Bound<'_, PyAny>, octets: &'a [u8]) -> Place<'a> {
        let is_text = text.is_instance_of::<PyString>() && !octets.is_ascii();
        Place { octets, is_text }
    }

    /// A span in characters of a `str`; a character that begins before an offset counts as before it.
    pub fn span(&self, span: Range<usize>) -> (usize, usize) {
        if !self.is_text {
            return (span.start, span.end);
        }
        let starts = |octets: &[u8]| octets.iter().filter(|octet| (**octet as i8) >= -0x40).count();
        let start = starts(&self.octets[..span.start]);
        (start, start + starts(&self.octets[span]))
    }
}

/// Of a mistake that is made at more places, the first are listed.
const PLACES: usize = 20;

fn problem(place: &Place<'_>, problem: &urlwise::Problem<'_>) -> Problem {
    let span = problem.span();
    let (start, end) = place.span(span.clone());
    // It counts octets; the offsets beside it may count characters.
    let said = problem.to_string();
    let before = format!("{}[{}] at", problem.level().name(), problem.code());
    let rest = said.strip_prefix(&format!("{before} {}..{}:", span.start, span.end));
    let text = rest.map(|rest| format!("{before} {start}..{end}:{rest}")).unwrap_or(said);
    Problem {
        code: problem.code().to_owned(),
        level: problem.level().name().to_owned(),
        start,
        end,
        octets: (span.start, span.end),
        spans: problem.spans().take(PLACES).map(|span| place.span(span)).collect(),
        section: problem.section().to_owned(),
        decision: problem.decision().map(str::to_owned),
        message: problem.message().to_string(),
        help: problem.help().map(|help| help.to_string()),
        text,
    }
}

/// What is known of a text. It is true in a condition if the text is a URL. A fragment is not part of a URL (D-08), so a text with a fragment is
/// not one here; `parse` and `columns` take it off first.
#[pyclass(frozen, eq, hash, module = "urlwise")]
#[derive(PartialEq, Eq, Hash)]
pub struct Diagnosis {
    octets: Vec<u8>,
    /// The text was a `str`.
    is_text: bool,
    profile: Profile,
    /// Whether the text is a URL. A fragment is not part of it.
    #[pyo3(get)]
    valid: bool,
    /// All problems: errors, warnings and notes.
    #[pyo3(get)]
    problems: Vec<Problem>,
    /// The URL, valid or repaired where there is one way to do so; None if it was refused.
    #[pyo3(get)]
    repaired: Option<String>,
    /// URLs that may have been meant instead.
    #[pyo3(get)]
    suggestions: Vec<String>,
}

#[pymethods]
impl Diagnosis {
    /// The scheme in lower case, or None.
    #[getter]
    fn scheme(&self) -> Option<String> {
        let diagnosis = urlwise::diagnose(&self.octets, self.profile);
        diagnosis.scheme_name().map(|name| String::from_utf8_lossy(name).to_ascii_lowercase())
    }

    /// The parts that could be read, as written: str, or bytes where the octets are not UTF-8.
    #[getter]
    fn parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        collect(py, urlwise::diagnose(&self.octets, self.profile).parts(), |part| {
            Ok(match std::str::from_utf8(part.octets()) {
                Ok(text) => PyString::new(py, text).into_any(),
                Err(_) => PyBytes::new(py, part.octets()).into_any(),
            })
        })
    }

    fn __bool__(&self) -> bool {
        self.valid
    }

    fn __repr__(&self) -> String {
        let problems = self.problems.len();
        format!("<urlwise.Diagnosis valid={} problems={problems}>", if self.valid { "True" } else { "False" })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        self.reduce(py)
    }
}

/// The text and the profile: it is read again.
impl Pickled for Diagnosis {
    const NAME: &'static str = "Diagnosis";

    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (PyBytes::new(py, &self.octets), self.is_text, self.profile.name()).into_pyobject(py)
    }

    fn restored(fields: &Bound<'_, PyAny>) -> PyResult<Diagnosis> {
        let (octets, is_text, profile): (Bound<'_, PyBytes>, bool, String) = fields.extract()?;
        if !is_text {
            return diagnose(&octets, &profile);
        }
        diagnose(&octets.call_method1("decode", ("utf-8", "surrogatepass"))?, &profile)
    }
}

/// diagnose(text, *, profile="current")
///
/// Reads any text as a URL and says everything that is wrong with it: a Diagnosis. Never raises for what the text is. A fragment is not
/// part of a URL (D-08): of `http://host.dom/#top`, `parse` and `columns` read a URL and its fragment, and this reports the `#`.
#[pyfunction]
#[pyo3(signature = (text, *, profile = "current"))]
pub fn diagnose(
    text: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = arguments::profile)] profile: &str,
) -> PyResult<Diagnosis> {
    let octets: &[u8] = &octets(text)?;
    let profile = crate::profile(profile)?;
    let place = Place::new(text, octets);
    let diagnosis = urlwise::diagnose(octets, profile);
    let verdict = urlwise::verdict(octets, profile);
    Ok(Diagnosis {
        octets: octets.to_vec(),
        is_text: text.is_instance_of::<PyString>(),
        profile,
        valid: diagnosis.is_valid(),
        problems: diagnosis.problems().iter().map(|found| problem(&place, found)).collect(),
        repaired: verdict.url().map(|url| url.as_str().to_owned()),
        suggestions: verdict.suggestions().iter().map(|suggestion| suggestion.url().to_owned()).collect(),
    })
}

/// A `ParseError` for a text that is not a URL, with the error that the column `problem` gives.
pub fn error(text: &Bound<'_, PyAny>, octets: &[u8], profile: Profile) -> PyErr {
    let found = RawReference::read(octets, profile).problem();
    let place = Place::new(text, octets);
    parse_error(text.py(), found.map(|found| problem(&place, &found)), None)
}

/// A `ParseError` for parts that make a text which is no URL, and a `ValueError` for those that make no text.
pub fn build_error(py: Python<'_>, error: &BuildError) -> PyErr {
    let BuildError::Refused(refused) = error else { return PyValueError::new_err(error.to_string()) };
    let octets = refused.octets();
    let built = decoded(py, octets);
    let found = problem(&Place::new(&built, octets), &refused.problem());
    parse_error(py, Some(found), Some(built))
}

/// A `ParseError` with a problem, and the text that parts make.
fn parse_error(py: Python<'_>, problem: Option<Problem>, built: Option<Bound<'_, PyAny>>) -> PyErr {
    static TYPE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let raise = || -> PyResult<PyErr> {
        let kind = TYPE.import(py, "urlwise._errors", "ParseError")?;
        Ok(PyErr::from_value(kind.call1((problem, built))?))
    };
    raise().unwrap_or_else(|error| error)
}
