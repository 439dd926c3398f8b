//! TLS: which certificates to trust, and why a handshake failed (S-52).
//!
//! rustls with ring. Verification is on, against the host of the URL; no environment variable turns it off, and the option that
//! does adds a note to every document. Programs choose whose certificates to trust: the system's, or those of one PEM file.

use super::roots::Roots;
use crate::error::kind::ErrorKind;
use crate::error::{Error, words};
use rustls::client::Resumption;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
pub(crate) use rustls::{ClientConnection, StreamOwned};
use std::io;
use std::net::IpAddr;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use urlwise::escape_for_display;

/// How many servers' sessions are kept in the cache of one control connection.
const SESSIONS: usize = 2;

/// The TLS settings of one client; certificates are read when first needed.
pub(crate) struct Tls {
    source: CertificateSource,
    config: OnceLock<Result<Arc<ClientConfig>, String>>,
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

    fn config(&self) -> Result<&Arc<ClientConfig>, &String> {
        let make = || match &self.source {
            CertificateSource::Roots(roots) => configure(Some(roots)),
            CertificateSource::Unverified => configure(None),
            CertificateSource::Other(other) => {
                let mut config = ClientConfig::clone(other.config().map_err(String::clone)?);
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
            Error::new(ErrorKind::Tls, why.clone())
                .with_help("install the certificates of the system, or give a PEM file with certificate authorities")
        })?;
        // Certificates have names without the final dot of the DNS root.
        let bare = host.strip_suffix('.').unwrap_or(host);
        let name = match ip {
            Some(ip) => ServerName::IpAddress(ip.into()),
            None => ServerName::try_from(bare.to_owned())
                .map_err(|error| unverifiable(host, "is not a name that a certificate can contain").source(error))?,
        };
        let alpn = (!alpn.is_empty()).then(|| vec![alpn.to_vec()]);
        ClientConnection::new_with_alpn(Arc::clone(config), name, alpn.unwrap_or_default())
            .map_err(|error| unverifiable(host, "cannot be used for TLS").source(error))
    }
}

fn unverifiable(host: &str, why: &str) -> Error {
    Error::new(ErrorKind::Tls, format!("the host {} {why}", escape_for_display(host.as_bytes())))
}

/// Without roots, certificates are not verified.
fn configure(roots: Option<&Roots>) -> Result<Arc<ClientConfig>, String> {
    let mut store = RootCertStore::empty();
    match roots {
        None => {}
        Some(Roots::Pem(path)) => read_pem(path, &mut store)?,
        Some(Roots::System) => {
            let found = rustls_native_certs::load_native_certs();
            store.add_parsable_certificates(found.certs);
            if store.is_empty() {
                store.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
            }
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| format!("TLS is not available: {error}"))?;
    let builder = match roots {
        Some(_) => builder.with_root_certificates(store),
        None => builder.dangerous().with_custom_certificate_verifier(Arc::new(BelieveAnybody(provider))),
    };
    Ok(Arc::new(builder.with_no_client_auth()))
}

/// Accepts any certificate, but checks that the server holds its key.
#[derive(Debug)]
struct BelieveAnybody(Arc<CryptoProvider>);

impl ServerCertVerifier for BelieveAnybody {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        rustls::crypto::verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        rustls::crypto::verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

fn read_pem(path: &Path, store: &mut RootCertStore) -> Result<(), String> {
    let name = path.as_os_str().as_encoded_bytes();
    let failed = |why: String| {
        format!("cannot read the certificates of {}: {}", escape_for_display(name), escape_for_display(why.as_bytes()))
    };
    let certificates = CertificateDer::pem_file_iter(path).map_err(|e| failed(e.to_string()))?;
    for certificate in certificates {
        let certificate = certificate.map_err(|error| failed(error.to_string()))?;
        store.add(certificate).map_err(|error| failed(error.to_string()))?;
    }
    if store.is_empty() {
        return Err(failed("the file contains none".to_owned()));
    }
    Ok(())
}

/// The error of a handshake with `peer` that failed.
pub(crate) fn failed(peer: &str, error: io::Error) -> Error {
    let cause = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
    let (why, help) = match cause {
        Some(rustls::Error::InvalidCertificate(fault)) => explain(fault),
        Some(rustls::Error::InvalidMessage(_)) => {
            ("the answer is not TLS".to_owned(), "the server may not use TLS on this port")
        }
        Some(other) => (other.to_string(), "the server may be too old or require a client certificate"),
        None if error.kind() == io::ErrorKind::UnexpectedEof => (
            "the server closed the connection during the handshake".to_owned(),
            "the server may not use TLS on this port",
        ),
        None => (words(&error), "try again later"),
    };
    Error::new(ErrorKind::Tls, format!("TLS handshake with {peer} failed: {}", escape_for_display(why.as_bytes())))
        .with_help(help)
        .source(error)
}

fn explain(fault: &CertificateError) -> (String, &'static str) {
    match fault {
        CertificateError::UnknownIssuer => (
            "the issuer of its certificate is not trusted".to_owned(),
            "if you trust the issuer, give a PEM file with its certificate",
        ),
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => (
            "its certificate is for a different name".to_owned(),
            "check the host; another server may be impersonating it",
        ),
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => (
            "its certificate has expired".to_owned(),
            "check the clock of this machine, or tell the owner of the server",
        ),
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            ("its certificate is not valid yet".to_owned(), "check the clock of this machine")
        }
        CertificateError::BadSignature => (
            "its certificate is not signed by the issuer that it names".to_owned(),
            "another issuer may have the same name; if you trust the right one, give a PEM file with its certificate",
        ),
        // Errors of the verifier that the library has no name for.
        CertificateError::Other(other) if other.to_string() == "CaUsedAsEndEntity" => (
            "its certificate belongs to a certificate authority, not to a server".to_owned(),
            "the server needs a certificate with `CA:FALSE`, which openssl does not set by default",
        ),
        other => (format!("its certificate is not valid: {other:?}"), "tell the owner of the server"),
    }
}
