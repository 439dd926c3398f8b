//! TLS: which certificates to trust, and why a handshake failed (S-52).
//!
//! rustls with ring. Verification is on, against the host of the URL; no environment variable turns it off, and the option that
//! does adds a note to every document. Programs choose whose certificates to trust: the system's, or those of one PEM file.

use super::endpoint::Endpoint;
use super::roots::Roots;
use super::verifier::{AnyCertificate, CertificateFault, Verifier, fault_of};
use crate::error::kind::ErrorKind;
use crate::error::{Error, system_words};
use crate::language::{message, words};
use crate::protocol::{Hint, setting_shown};
use rustls::client::Resumption;
use rustls::client::danger::ServerCertVerifier;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{CertificateError, ClientConfig, RootCertStore};
pub(crate) use rustls::{ClientConnection, StreamOwned};
use std::io;
use std::net::IpAddr;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use urlwise::{Message, Words, escape_for_display};

/// How many servers' sessions are kept in the cache of one control connection.
const SESSIONS: usize = 2;

/// The TLS settings of one client; certificates are read when first needed.
pub(crate) struct Tls {
    source: CertificateSource,
    config: OnceLock<Result<Arc<ClientConfig>, Message>>,
}

enum CertificateSource {
    Roots(Roots),
    /// Certificates are not verified.
    Unverified,
    /// The certificates of another, with a separate session cache.
    Other(Arc<Tls>),
}

impl Tls {
    pub(crate) fn new(roots: Roots) -> Tls {
        Tls { source: CertificateSource::Roots(roots), config: OnceLock::new() }
    }

    /// Without verification: any server is accepted.
    pub(crate) fn unverified() -> Tls {
        Tls { source: CertificateSource::Unverified, config: OnceLock::new() }
    }

    pub(crate) fn is_verified(&self) -> bool {
        match &self.source {
            CertificateSource::Roots(_) => true,
            CertificateSource::Unverified => false,
            CertificateSource::Other(other) => other.is_verified(),
        }
    }

    /// The same settings with a session cache of their own. A server that requires the data connections of FTP to resume the
    /// session of the control connection accepts no other session.
    pub(crate) fn apart(other: &Arc<Tls>) -> Tls {
        Tls { source: CertificateSource::Other(Arc::clone(other)), config: OnceLock::new() }
    }

    fn config(&self) -> Result<&Arc<ClientConfig>, &Message> {
        let make = || match &self.source {
            CertificateSource::Roots(roots) => configure(Some(roots)),
            CertificateSource::Unverified => configure(None),
            CertificateSource::Other(other) => {
                let mut config = ClientConfig::clone(other.config().map_err(Message::clone)?);
                config.resumption = Resumption::in_memory_sessions(SESSIONS);
                Ok(Arc::new(config))
            }
        };
        self.config.get_or_init(make).as_ref()
    }

    /// A session with `host`, asking for the application protocol `alpn` (empty: none).
    pub(crate) fn session(
        &self,
        host: &str,
        ip: Option<IpAddr>,
        alpn: &'static [u8],
    ) -> Result<ClientConnection, Error> {
        let config = self.config().map_err(|why| {
            Error::new(ErrorKind::Tls, why.clone()).with_help(words!(
                "install the certificates of the system, or give a PEM file with certificate authorities"
            ))
        })?;
        // Certificates have names without the final dot of the DNS root.
        let bare = host.strip_suffix('.').unwrap_or(host);
        let name = match ip {
            Some(ip) => ServerName::IpAddress(ip.into()),
            None => ServerName::try_from(bare.to_owned()).map_err(|error| {
                unverifiable(host, words!("the host {host} is not a name that a certificate can contain"))
                    .with_source(error)
            })?,
        };
        let alpn = (!alpn.is_empty()).then(|| vec![alpn.to_vec()]);
        ClientConnection::new_with_alpn(Arc::clone(config), name, alpn.unwrap_or_default())
            .map_err(|error| unverifiable(host, words!("the host {host} cannot be used for TLS")).with_source(error))
    }
}

fn unverifiable(host: &str, why: Words) -> Error {
    let host = escape_for_display(host.as_bytes()).to_string();
    Error::new(ErrorKind::Tls, Message::new(why).with("host", host))
}

/// Without roots, certificates are not verified.
fn configure(roots: Option<&Roots>) -> Result<Arc<ClientConfig>, Message> {
    let failed = |error: &dyn std::error::Error| message!("TLS is not available: {cause}", cause = error.to_string());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| failed(&error))?;
    let verifier: Arc<dyn ServerCertVerifier> = match roots {
        Some(roots) => {
            let (store, given) = match roots {
                Roots::Pem(path) => read_pem(path)?,
                Roots::System => (system_roots(), Vec::new()),
            };
            Arc::new(Verifier::new(store, given, provider).map_err(|error| failed(&error))?)
        }
        None => Arc::new(AnyCertificate(provider)),
    };
    Ok(Arc::new(builder.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth()))
}

/// The certificates of the system, read once for all clients of a process; Mozilla's as long as the system has none.
fn system_roots() -> Arc<RootCertStore> {
    static SYSTEM: OnceLock<Arc<RootCertStore>> = OnceLock::new();
    if let Some(store) = SYSTEM.get() {
        return Arc::clone(store);
    }
    let mut store = RootCertStore::empty();
    store.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if store.is_empty() {
        store.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
        return Arc::new(store);
    }
    Arc::clone(SYSTEM.get_or_init(|| Arc::new(store)))
}

/// The certificates of a file, as a store and as they are.
fn read_pem(path: &Path) -> Result<(Arc<RootCertStore>, Vec<CertificateDer<'static>>), Message> {
    let name = path.as_os_str().as_encoded_bytes();
    let failed = |cause: Message| {
        let path = setting_shown(name);
        message!("cannot read the certificates of {path}: {cause}", path = path, cause = cause)
    };
    let certificates = CertificateDer::pem_file_iter(path).map_err(|e| failed(shown(&e)))?;
    let mut store = RootCertStore::empty();
    let mut given = Vec::new();
    for certificate in certificates {
        let certificate = certificate.map_err(|error| failed(shown(&error)))?;
        store.add(certificate.clone()).map_err(|error| failed(shown(&error)))?;
        given.push(certificate);
    }
    if store.is_empty() {
        return Err(failed(words!("the file contains none").into()));
    }
    Ok((Arc::new(store), given))
}

/// The error of a handshake with `peer` that failed.
pub(crate) fn failed(peer: &Endpoint, error: io::Error) -> Error {
    let failed = |cause: Message, help: Words| {
        let what = message!("TLS handshake with {peer} failed: {cause}", peer = peer, cause = cause);
        Error::new(ErrorKind::Tls, what).with_help(help)
    };
    let cause = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
    let (why, help) = match cause {
        // The sentence says all of it; the library's own words are those of its code.
        Some(rustls::Error::InvalidCertificate(fault)) => {
            let (why, help) = explain(fault);
            let error = failed(why, help);
            return if is_about_trust(fault) { error.with_hint(Hint::Roots) } else { error };
        }
        Some(rustls::Error::InvalidMessage(_)) => {
            (words!("the answer is not TLS").into(), words!("the server may not use TLS on this port"))
        }
        Some(other) => (shown(other), words!("the server may be too old or require a client certificate")),
        None if error.kind() == io::ErrorKind::UnexpectedEof => (
            words!("the server closed the connection during the handshake").into(),
            words!("the server may not use TLS on this port"),
        ),
        None => (system_words(&error).into(), words!("try again later")),
    };
    failed(why, help).with_source(error)
}

/// Whether the certificate would be accepted if it, or its issuer, were trusted.
fn is_about_trust(fault: &CertificateError) -> bool {
    matches!(fault, CertificateError::UnknownIssuer | CertificateError::BadSignature)
        || fault_of(fault) == Some(CertificateFault::SelfSigned)
}

fn explain(fault: &CertificateError) -> (Message, Words) {
    match fault_of(fault) {
        Some(CertificateFault::SelfSigned) => {
            return (
                words!("its certificate is self-signed: nobody else confirms whose it is").into(),
                words!("if you know that it is right, give a PEM file with it"),
            );
        }
        Some(CertificateFault::Authority) => {
            return (
                words!("its certificate belongs to a certificate authority, not to a server").into(),
                words!("the server needs a certificate with `CA:FALSE`"),
            );
        }
        None => {}
    }
    match fault {
        CertificateError::UnknownIssuer => (
            words!("the issuer of its certificate is not trusted").into(),
            words!("if you trust the issuer, give a PEM file with its certificate"),
        ),
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => (
            words!("its certificate is for a different name").into(),
            words!("check the host; another server may be impersonating it"),
        ),
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => (
            words!("its certificate has expired").into(),
            words!("check the clock of this machine, or tell the owner of the server"),
        ),
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            (words!("its certificate is not valid yet").into(), words!("check the clock of this machine"))
        }
        CertificateError::BadSignature => (
            words!("its certificate is not signed by the issuer that it names").into(),
            words!(
                "another issuer may have the same name; if you trust the right one, give a PEM file with its certificate"
            ),
        ),
        other => (
            message!("its certificate is not valid: {cause}", cause = shown(other)),
            words!("tell the owner of the server"),
        ),
    }
}

/// What the library says.
fn shown(error: &dyn std::fmt::Display) -> Message {
    escape_for_display(error.to_string().as_bytes()).to_string().into()
}

#[cfg(test)]
pub(crate) mod peer;

#[cfg(test)]
mod tests;
