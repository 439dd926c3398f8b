//! `parse`, and the URL that it returns.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};
use std::hash::{DefaultHasher, Hash, Hasher};
use urlwise::{Encoded, Part, Reference};

use crate::diagnosis;
use crate::pickle::{Pickled, Reduced};
use crate::{arguments, octets};

/// A valid URL and the fragment that may follow it. Immutable; equal to another of the same text.
///
/// An absent part is None, an empty one is "". Parts are as written unless said otherwise; `str(url)` is the text, `repr(url)` masks
/// passwords.
#[pyclass(frozen, module = "urlwise")]
pub struct Url {
    url: urlwise::Url<String>,
    fragment: Option<String>,
}

/// parse(url, *, profile="current")
///
/// Reads a URL and the fragment that may follow it: the whole text, nothing is repaired or left out. Of the URL alone, `diagnose` says
/// whether it is valid.
///
/// Raises ParseError if the text is not a URL. The profile "rfc1738" is RFC 1738 strictly, "current" also what its successors
/// allow.
#[pyfunction]
#[pyo3(signature = (url, *, profile = "current"))]
pub fn parse(url: &Bound<'_, PyAny>, #[pyo3(from_py_with = arguments::profile)] profile: &str) -> PyResult<Url> {
    let octets: &[u8] = &octets(url)?;
    let profile = crate::profile(profile)?;
    match Reference::from_octets(octets, profile) {
        Ok(reference) => Ok(Url {
            url: reference.url().to_owned(),
            fragment: reference.fragment().map(|fragment| fragment.as_str().to_owned()),
        }),
        Err(_) => Err(diagnosis::error(url, octets, profile)),
    }
}

/// What `parts` and errors give: a `str` where the octets are UTF-8, else `bytes`.
pub fn decoded<'py>(py: Python<'py>, octets: &[u8]) -> Bound<'py, PyAny> {
    match std::str::from_utf8(octets) {
        Ok(text) => text.into_pyobject(py).map_or_else(|error| match error {}, |text| text.into_any()),
        Err(_) => PyBytes::new(py, octets).into_any(),
    }
}

#[pymethods]
impl Url {
    /// The scheme, in lower case.
    #[getter]
    fn scheme(&self) -> String {
        self.url.scheme_name().to_ascii_lowercase()
    }

    /// The user, with its escapes.
    #[getter]
    fn user(&self) -> Option<&str> {
        self.url.user().map(Encoded::as_str)
    }

    /// The password, with its escapes.
    #[getter]
    fn password(&self) -> Option<&str> {
        self.url.password().map(Encoded::as_str)
    }

    /// The host; an IPv6 address in brackets.
    #[getter]
    fn host(&self) -> Option<String> {
        self.url.host().map(|host| host.as_str().to_owned())
    }

    /// "name", "ipv4" or "ipv6"; None without a host.
    #[getter]
    fn host_kind(&self) -> Option<&'static str> {
        self.url.host().map(|host| host.kind().name())
    }

    /// The port in force: the one written, or the default of the scheme.
    #[getter]
    fn port(&self) -> Option<u16> {
        self.url.port_or_default()
    }

    /// The port as written.
    #[getter]
    fn port_written(&self) -> Option<&str> {
        self.url.port()
    }

    /// From the "/" after the host, or from the scheme's colon, up to the query.
    #[getter]
    fn path(&self) -> &str {
        self.url.path()
    }

    /// Behind the "?", where that is not data.
    #[getter]
    fn query(&self) -> Option<&str> {
        self.url.query().map(Encoded::as_str)
    }

    /// Behind the "#".
    #[getter]
    fn fragment(&self) -> Option<&str> {
        self.fragment.as_deref()
    }

    /// The profile that the URL was read by.
    #[getter]
    fn profile(&self) -> &'static str {
        self.url.profile().name()
    }

    /// The typed parts of the scheme by their names, decoded: str, or bytes where the octets are not UTF-8; a part that may be
    /// repeated is a list.
    #[getter]
    fn parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.collect(py, |part| Ok(decoded(py, &part.decode())))
    }

    /// As `parts`, with the escapes as they are written.
    #[getter]
    fn raw_parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.collect(py, |part| Ok(decoded(py, part.octets())))
    }

    /// Where each part stands in the text: pairs of offsets in characters.
    #[getter]
    fn spans<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        // A valid URL is US-ASCII, so octets are characters.
        self.collect(py, |part| Ok(PyTuple::new(py, [part.span().start, part.span().end])?.into_any()))
    }

    /// The URL with one part changed, which is encoded as needed: `url.with_part("host", "host.dom")`.
    ///
    /// Raises ParseError if the parts make no URL, and ValueError if the scheme has no such part. The fragment stays.
    fn with_part(&self, #[pyo3(from_py_with = arguments::name)] name: &str, value: &Bound<'_, PyAny>) -> PyResult<Url> {
        let py = value.py();
        let value = if value.is_none() { None } else { Some(crate::part(name, value)?) };
        let url = match value {
            Some(value) => self.url.with(name, &value),
            None => self.url.without(name),
        };
        let url = url.map_err(|error| diagnosis::build_error(py, &error))?;
        Ok(Url { url, fragment: self.fragment.clone() })
    }

    fn __str__(&self) -> String {
        let mut text = self.url.as_str().to_owned();
        if let Some(fragment) = &self.fragment {
            text.push('#');
            text.push_str(fragment);
        }
        text
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        self.reduce(py)
    }

    fn __repr__(&self) -> String {
        let fragment = self.fragment.as_ref().map(|fragment| format!("#{fragment}")).unwrap_or_default();
        format!("urlwise.Url('{}{fragment}')", self.url.masked())
    }

    fn __eq__(&self, other: &Url) -> bool {
        self.url == other.url && self.fragment == other.fragment
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.url.as_str(), &self.fragment).hash(&mut hasher);
        hasher.finish()
    }
}

/// The text and the profile: it is read again.
impl Pickled for Url {
    const NAME: &'static str = "Url";

    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (self.__str__(), self.profile()).into_pyobject(py)
    }

    fn restored(fields: &Bound<'_, PyAny>) -> PyResult<Url> {
        let (text, profile): (Bound<'_, PyAny>, String) = fields.extract()?;
        parse(&text, &profile)
    }
}

impl Url {
    fn collect<'py>(
        &self,
        py: Python<'py>,
        value: impl Fn(&Part<'_>) -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        collect(py, self.url.parts(), value)
    }
}

/// Parts by their names; lists are lists.
pub fn collect<'py, 'a>(
    py: Python<'py>,
    parts: impl Iterator<Item = Part<'a>>,
    value: impl Fn(&Part<'_>) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    for part in parts {
        let value = value(&part)?;
        match (part.index(), all.get_item(part.name())?) {
            (None, _) => all.set_item(part.name(), value)?,
            (Some(_), Some(list)) => list.cast::<PyList>()?.append(value)?,
            (Some(_), None) => all.set_item(part.name(), PyList::new(py, [value])?)?,
        }
    }
    Ok(all)
}
