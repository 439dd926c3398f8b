//! Normal forms, comparing, repairing, finding, building.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use urlwise::build::Draft;
use urlwise::find::Finder;
use urlwise::{NormalForm, Reference, Verdict};

use crate::diagnosis::{self, Place};
use crate::pickle::{Pickled, Reduced, pickled};
use crate::{arguments, octets};

/// normalize(url, *, level="scheme", profile="current")
///
/// The normal form of a URL, with its fragment as it is. Level "safe" changes only what no program distinguishes; "scheme" also
/// applies the rules of the scheme. Raises ParseError if the text is not a URL.
#[pyfunction]
#[pyo3(signature = (url, *, level = "scheme", profile = "current"))]
pub fn normalize(
    url: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = arguments::level)] level: &str,
    #[pyo3(from_py_with = arguments::profile)] profile: &str,
) -> PyResult<String> {
    let octets: &[u8] = &octets(url)?;
    let profile = crate::profile(profile)?;
    let form = NormalForm::ALL
        .iter()
        .copied()
        .find(|form| form.name() == level)
        .ok_or_else(|| PyValueError::new_err(format!("unknown level {level:?}; there are 'safe' and 'scheme'")))?;
    let reference = Reference::from_octets(octets, profile).map_err(|_| diagnosis::error(url, octets, profile))?;
    let mut normal = reference.url().normalize(form).into_inner().into_owned();
    if let Some(fragment) = reference.fragment() {
        normal.push('#');
        normal.push_str(fragment.as_str());
    }
    Ok(normal)
}

/// Whether two URLs are equivalent, and why: true or false in a condition.
#[pyclass(frozen, get_all, eq, hash, module = "urlwise")]
#[derive(PartialEq, Eq, Hash)]
pub struct Comparison {
    /// Whether they are equivalent.
    same: bool,
    /// The first part that differs, or None.
    part: Option<String>,
    /// The rules that make them equivalent, or the one that makes them differ, in one line.
    reason: String,
}

#[pymethods]
impl Comparison {
    fn __bool__(&self) -> bool {
        self.same
    }

    fn __str__(&self) -> &str {
        &self.reason
    }

    fn __repr__(&self) -> String {
        format!("<urlwise.Comparison {}>", self.reason)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        self.reduce(py)
    }
}

pickled!(Comparison { same, part, reason });

/// same(url, other, *, profile="current")
///
/// Whether two URLs are equivalent: a Comparison. Fragments are compared as they are. Raises ParseError if one is not a URL.
#[pyfunction]
#[pyo3(signature = (url, other, *, profile = "current"))]
pub fn same(
    url: &Bound<'_, PyAny>,
    other: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = arguments::profile)] profile: &str,
) -> PyResult<Comparison> {
    let profile = crate::profile(profile)?;
    let (one, two): (&[u8], &[u8]) = (&octets(url)?, &octets(other)?);
    let first = Reference::from_octets(one, profile).map_err(|_| diagnosis::error(url, one, profile))?;
    let second = Reference::from_octets(two, profile).map_err(|_| diagnosis::error(other, two, profile))?;
    let compared = first.url().compare(second.url());
    let fragments = [first.fragment(), second.fragment()].map(|fragment| fragment.map(urlwise::Encoded::as_str));
    if compared.is_same() && fragments[0] != fragments[1] {
        let reason = "different in the fragment".to_owned();
        return Ok(Comparison { same: false, part: Some("fragment".to_owned()), reason });
    }
    Ok(Comparison { same: compared.is_same(), part: compared.part().map(str::to_owned), reason: compared.to_string() })
}

/// A change that a repair made.
#[pyclass(frozen, get_all, eq, hash, from_py_object, module = "urlwise")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Change {
    /// The code of the change.
    code: String,
    /// Where it starts, in characters of a str, in octets of bytes.
    start: usize,
    /// Where it ends.
    end: usize,
    /// What stands there now.
    now: String,
    /// The section of RFC 1738.
    section: String,
    /// The number of the decision, or None.
    decision: Option<String>,
    /// Why.
    message: String,
}

#[pymethods]
impl Change {
    fn __repr__(&self) -> String {
        format!("<urlwise.Change {} at {}..{}: {}>", self.code, self.start, self.end, self.message)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        self.reduce(py)
    }
}

pickled!(Change { code, start, end, now, section, decision, message });

/// A URL that may have been meant.
#[pyclass(frozen, get_all, eq, hash, from_py_object, module = "urlwise")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Suggestion {
    /// The URL.
    url: String,
    /// Why.
    why: String,
}

#[pymethods]
impl Suggestion {
    fn __str__(&self) -> &str {
        &self.url
    }

    fn __repr__(&self) -> String {
        format!("<urlwise.Suggestion {}: {}>", masked(&self.url), self.why)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        self.reduce(py)
    }
}

pickled!(Suggestion { url, why });

/// A URL without its password.
fn masked(url: &str) -> String {
    urlwise::Url::parse_current(url).map(|url| url.masked().to_string()).unwrap_or_default()
}

/// The answer of `repair`.
#[pyclass(frozen, get_all, eq, hash, module = "urlwise")]
#[derive(PartialEq, Eq, Hash)]
pub struct Repair {
    /// The URL, valid; None if the text was refused: it has several readings or none.
    url: Option<String>,
    /// What was changed.
    changes: Vec<Change>,
    /// Why the text was refused, in one line; None if it was not.
    reason: Option<String>,
    /// The code of the refusal; None if there is none.
    code: Option<String>,
    /// What may have been meant.
    suggestions: Vec<Suggestion>,
}

#[pymethods]
impl Repair {
    fn __bool__(&self) -> bool {
        self.url.is_some()
    }

    fn __repr__(&self) -> String {
        match &self.url {
            Some(_) => format!("<urlwise.Repair changes={}>", self.changes.len()),
            None => format!("<urlwise.Repair refused: {}>", self.code.as_deref().unwrap_or_default()),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        self.reduce(py)
    }
}

pickled!(Repair { url, changes, reason, code, suggestions });

/// repair(text, *, profile="current")
///
/// Makes pasted text a URL where there is one way to do so, and says what was changed: a Repair. Guesses nothing.
#[pyfunction]
#[pyo3(signature = (text, *, profile = "current"))]
pub fn repair(text: &Bound<'_, PyAny>, #[pyo3(from_py_with = arguments::profile)] profile: &str) -> PyResult<Repair> {
    let octets: &[u8] = &octets(text)?;
    let profile = crate::profile(profile)?;
    let place = Place::new(text, octets);
    let verdict = urlwise::verdict(octets, profile);
    let suggestions = verdict.suggestions().iter();
    let suggestions = suggestions.map(|it| Suggestion { url: it.url().to_owned(), why: it.why().to_owned() }).collect();
    let url = verdict.url().map(|url| url.as_str().to_owned());
    let (changes, reason, code) = match &verdict {
        Verdict::Valid { .. } => (Vec::new(), None, None),
        Verdict::Repaired(repaired) => {
            let change = |change: &urlwise::Change<'_>| {
                let (start, end) = place.span(change.span());
                Change {
                    code: change.code().to_owned(),
                    start,
                    end,
                    now: change.now().to_owned(),
                    section: change.section().to_owned(),
                    decision: change.decision().map(str::to_owned),
                    message: change.message().to_owned(),
                }
            };
            (repaired.changes().iter().map(change).collect(), None, None)
        }
        Verdict::Refused(refused) => (Vec::new(), Some(refused.to_string()), Some(refused.code().to_owned())),
    };
    Ok(Repair { url, changes, reason, code, suggestions })
}

/// A URL in a text.
#[pyclass(frozen, get_all, eq, hash, module = "urlwise")]
#[derive(PartialEq, Eq, Hash)]
pub struct Found {
    /// The URL and its fragment, its lines joined.
    url: String,
    /// Where it starts, in characters of a str, in octets of bytes.
    start: usize,
    /// Where it ends.
    end: usize,
    /// Whether it is valid.
    valid: bool,
    /// The other reading if a line ends with a hyphen, or None.
    alternative: Option<String>,
}

#[pymethods]
impl Found {
    fn __str__(&self) -> &str {
        &self.url
    }

    fn __repr__(&self) -> String {
        format!("<urlwise.Found {} at {}..{}>", masked(&self.url), self.start, self.end)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        self.reduce(py)
    }
}

pickled!(Found { url, start, end, valid, alternative });

/// find(text, *, profile="current")
///
/// The URLs in a text, in order, as people write them and as RFC 1738's Appendix recommends: a list of Found.
#[pyfunction]
#[pyo3(signature = (text, *, profile = "current"))]
pub fn find(text: &Bound<'_, PyAny>, #[pyo3(from_py_with = arguments::profile)] profile: &str) -> PyResult<Vec<Found>> {
    let octets: &[u8] = &octets(text)?;
    let is_text = text.is_instance_of::<pyo3::types::PyString>() && !octets.is_ascii();
    // Counted once over the text, not from the start for each.
    let (mut at, mut characters) = (0, 0);
    let mut place = |to: usize| {
        if !is_text {
            return to;
        }
        if to < at {
            (at, characters) = (0, 0);
        }
        characters += octets[at..to].iter().filter(|octet| (**octet as i8) >= -0x40).count();
        at = to;
        characters
    };
    let finder = Finder::new().profile(crate::profile(profile)?);
    let found = finder.hits(octets).map(|hit| {
        let span = hit.span();
        Found {
            url: hit.reference().to_owned(),
            start: place(span.start),
            end: place(span.end),
            valid: hit.is_valid(),
            alternative: hit.alternative().map(str::to_owned),
        }
    });
    Ok(found.collect())
}

/// build(scheme, *, profile="current", **parts)
///
/// Builds a URL of parts by their names, which are encoded as needed: `build("ftp", host="host.dom", cwd=["a/b", "c"])`. A list
/// gives a part several times, None leaves it out. Raises ParseError if the parts make no URL, with what they make as `built`, and
/// ValueError if the scheme has no such part or parts cannot stand together.
#[pyfunction]
#[pyo3(signature = (scheme, *, profile = "current", **parts))]
pub fn build(
    py: Python<'_>,
    #[pyo3(from_py_with = arguments::scheme)] scheme: &str,
    #[pyo3(from_py_with = arguments::profile)] profile: &str,
    parts: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    let mut draft = Draft::new(scheme, crate::profile(profile)?);
    for (name, value) in parts.into_iter().flatten() {
        let name: String = name.extract()?;
        if value.is_none() {
            continue;
        }
        if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
            for item in value.try_iter()? {
                draft.add(&name, &crate::part(&name, &item?)?).map_err(|error| diagnosis::build_error(py, &error))?;
            }
        } else {
            draft.add(&name, &crate::part(&name, &value)?).map_err(|error| diagnosis::build_error(py, &error))?;
        }
    }
    Ok(draft.build().map_err(|error| diagnosis::build_error(py, &error))?.into_inner())
}
