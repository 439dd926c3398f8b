//! What readers see, for `agree`, which is written in Python.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::net::IpAddr;
use urlwise::{Profile, Scheme};
use urlwise_readings::{Reader, Readings};

use crate::{arguments, octets};

/// readings(url, readers, *, profile="current")
///
/// What these readers of `Reader` see: for each a dict of parts, or of the key "error" alone; and the names of the parts in which they
/// differ.
#[pyfunction]
#[pyo3(signature = (url, readers, *, profile = "current"))]
pub fn readings<'py>(
    py: Python<'py>,
    url: &Bound<'_, PyAny>,
    readers: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = arguments::profile)] profile: &str,
) -> PyResult<(Bound<'py, PyDict>, Vec<&'static str>)> {
    let url = octets(url)?;
    let readers: Vec<_> = crate::names("readers", readers)?.iter().filter_map(|id| Reader::from_id(id)).collect();
    let readings = Readings::by(&url, crate::profile(profile)?, &readers);
    let all = PyDict::new(py);
    for (reader, reading) in readings.iter() {
        let seen = PyDict::new(py);
        match reading.parts() {
            Some(parts) => {
                seen.set_item("scheme", parts.scheme.to_ascii_lowercase())?;
                seen.set_item("user", parts.user.as_deref())?;
                seen.set_item("password", parts.password.as_deref())?;
                seen.set_item("host", parts.host.as_deref())?;
                seen.set_item("port", parts.port.as_deref())?;
                seen.set_item("path", &*parts.path)?;
                seen.set_item("query", parts.query.as_deref())?;
                seen.set_item("fragment", parts.fragment.as_deref())?;
            }
            None => seen.set_item("error", reading.error())?,
        }
        all.set_item(reader.id(), seen)?;
    }
    let differs = readings.differs().iter().map(urlwise_readings::Difference::name).collect();
    Ok((all, differs))
}

/// default_port(scheme)
///
/// The default port of a scheme, or None.
#[pyfunction]
pub fn default_port(scheme: &str) -> Option<u16> {
    Scheme::from_name(scheme.as_bytes(), Profile::Current).default_port()
}

/// address_class(address)
///
/// The class of an IP address: "public", "loopback", "private", "link-local", "metadata" ... An IPv6 address may have a zone. Raises
/// ValueError for any other text.
#[pyfunction]
pub fn address_class(#[pyo3(from_py_with = arguments::address)] address: &str) -> PyResult<&'static str> {
    let bare = address.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).unwrap_or(address);
    let ip: Option<IpAddr> = match bare.split_once('%') {
        Some((before, zone)) => before.parse().ok().filter(|ip: &IpAddr| ip.is_ipv6() && !zone.is_empty()),
        None => bare.parse().ok(),
    };
    let ip = ip.ok_or_else(|| PyValueError::new_err(format!("not an IP address: {address:?}")))?;
    Ok(urlwise::audit::AddressClass::of(ip).name())
}
