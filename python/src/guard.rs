//! One verdict about a URL before it is fetched.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::IpAddr;
use std::time::Duration;
use urlwise_readings::Reader;
use urlwise_readings::guard::{Guard, HostPattern, SchemeName};

use crate::pickle::{Pickled, Reduced, pickled};
use crate::{arguments, octets};

/// Why a URL is refused.
#[pyclass(frozen, get_all, eq, hash, from_py_object, module = "urlwise")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Reason {
    /// The code, such as "hosts-differ"; `urlwise explain CODE` says more.
    code: String,
    /// What is wrong with this URL. Passwords are masked.
    message: String,
}

#[pymethods]
impl Reason {
    fn __str__(&self) -> String {
        format!("{}: {}", self.code, self.message)
    }

    fn __repr__(&self) -> String {
        format!("<urlwise.Reason {}>", self.__str__())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        self.reduce(py)
    }
}

pickled!(Reason { code, message });

/// Whether a URL may be fetched, and where to connect: true or false in a condition.
#[pyclass(frozen, get_all, module = "urlwise")]
pub struct Verdict {
    /// Whether it may be fetched.
    ok: bool,
    /// Why not: Reason objects, at most one of a code.
    reasons: Vec<Reason>,
    /// The host that each reader sees, by its name: None if it rejects the URL, "" if it sees no host. Passwords are masked.
    hosts: Py<PyDict>,
    /// The addresses to connect to; None if the URL is refused, or if its host is a name that was not looked up.
    addresses: Option<Vec<String>>,
}

#[pymethods]
impl Verdict {
    fn __bool__(&self) -> bool {
        self.ok
    }

    fn __eq__(&self, py: Python<'_>, other: &Verdict) -> PyResult<bool> {
        self.fields(py)?.eq(other.fields(py)?)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.ok, &self.reasons, &self.addresses).hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        let codes: Vec<_> = self.reasons.iter().map(|reason| reason.code.as_str()).collect();
        match self.ok {
            true => "<urlwise.Verdict ok>".to_owned(),
            false => format!("<urlwise.Verdict refused: {}>", codes.join(", ")),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        self.reduce(py)
    }
}

impl Pickled for Verdict {
    const NAME: &'static str = "Verdict";

    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (self.ok, self.reasons.clone(), &self.hosts, self.addresses.clone()).into_pyobject(py)
    }

    fn restored(fields: &Bound<'_, PyAny>) -> PyResult<Verdict> {
        let (ok, reasons, hosts, addresses) = fields.extract()?;
        Ok(Verdict { ok, reasons, hosts, addresses })
    }
}

/// guard(url, allow_schemes=None, allow_hosts=None, allow_private=False, readers=None, *, resolve=False, timeout=10.0,
/// profile="current")
///
/// Whether a URL may be fetched: a Verdict. Refuses what the readers do not agree on, schemes other than http and https or
/// `allow_schemes`, hosts other than `allow_hosts` ("good.example", "*.good.example"), and addresses that are not public. The readers
/// are models of all that urlwise knows, or those named: rfc1738, rfc3986, whatwg, urlsplit, urllib3 (also named requests), curl, go.
///
/// With `resolve` the host is looked up, within `timeout` seconds and without the GIL: connect to one of the `addresses` of the verdict
/// and do not look the name up again. No URL raises an error; a wrong option raises ValueError.
#[pyfunction]
#[pyo3(signature = (
    url, allow_schemes = None, allow_hosts = None, allow_private = false, readers = None, *,
    resolve = false, timeout = 10.0, profile = "current"
))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub fn guard(
    py: Python<'_>,
    url: &Bound<'_, PyAny>,
    allow_schemes: Option<&Bound<'_, PyAny>>,
    allow_hosts: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = arguments::allow_private)] allow_private: bool,
    readers: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = arguments::resolve)] resolve: bool,
    #[pyo3(from_py_with = arguments::timeout)] timeout: f64,
    #[pyo3(from_py_with = arguments::profile)] profile: &str,
) -> PyResult<Verdict> {
    let mut guard = Guard::new().profile(crate::profile(profile)?);
    if let Some(schemes) = allow_schemes {
        let schemes = crate::names("allow_schemes", schemes)?;
        let schemes: Result<Vec<SchemeName>, _> = schemes.iter().map(|scheme| scheme.parse()).collect();
        guard = guard.allow_schemes(schemes.map_err(|error| PyValueError::new_err(error.to_string()))?);
    }
    if let Some(hosts) = allow_hosts {
        let hosts = crate::names("allow_hosts", hosts)?;
        let hosts: Result<Vec<HostPattern>, _> = hosts.iter().map(|host| host.parse()).collect();
        guard = guard.allow_hosts(hosts.map_err(|error| PyValueError::new_err(error.to_string()))?);
    }
    if allow_private {
        guard = guard.allow_private();
    }
    if let Some(readers) = readers {
        let readers = crate::names("readers", readers)?;
        let readers = readers.iter().map(|id| Reader::from_id(id).ok_or_else(|| unknown(id)));
        let readers = readers.collect::<PyResult<Vec<_>>>()?;
        if readers.is_empty() {
            return Err(PyValueError::new_err("readers is empty; name those that check and fetch the URL"));
        }
        guard = guard.readers(&readers);
    }
    let within = Duration::try_from_secs_f64(timeout)
        .map_err(|_| PyValueError::new_err(format!("timeout is a number of seconds, not {timeout}")))?;
    let octets: &[u8] = &octets(url)?;
    let look_up = |host: &str, _: u16| urlwise_open::addresses_of(host, within).map_err(|error| format!("{error:#}"));
    let verdict = py.detach(|| match resolve {
        true => guard.check_resolved(octets, look_up),
        false => guard.check(octets),
    });
    let hosts = PyDict::new(py);
    for (reader, host) in verdict.hosts() {
        hosts.set_item(reader.id(), host)?;
    }
    let reason = |reason: &urlwise_readings::guard::Reason| Reason {
        code: reason.code().id().to_owned(),
        message: reason.sentence(),
    };
    Ok(Verdict {
        ok: verdict.is_ok(),
        reasons: verdict.reasons().iter().map(reason).collect(),
        hosts: hosts.unbind(),
        addresses: verdict.addresses().map(|addresses| addresses.iter().map(IpAddr::to_string).collect()),
    })
}

fn unknown(id: &str) -> PyErr {
    let known: Vec<_> = Reader::ALL.iter().map(|reader| reader.id()).collect();
    PyValueError::new_err(format!("unknown reader {id:?}; there are {}", known.join(", ")))
}
