use super::{failed, system_roots};
use crate::error::kind::ErrorKind;
use crate::net::endpoint::{Endpoint, Hop};
use crate::protocol::{Hint, TlsMode};
use rustls::{CertificateError, Error, InvalidMessage};
use std::io;
use std::sync::Arc;

#[test]
fn a_handshake_that_failed_is_explained_with_a_way_out() {
    let hop = Hop { host: "h.example".to_owned(), ip: None, port: 443 };
    let endpoint = Endpoint::new(hop, TlsMode::Implicit);
    let of_tls = |error: Error| io::Error::new(io::ErrorKind::InvalidData, error);
    let port = "the server may not use TLS on this port";
    for (error, why, help, hint) in [
        (io::ErrorKind::UnexpectedEof.into(), "the server closed the connection during the handshake", port, None),
        (io::Error::other("the cable is cut"), "the cable is cut", "try again later", None),
        (of_tls(Error::InvalidMessage(InvalidMessage::InvalidContentType)), "the answer is not TLS", port, None),
        (
            of_tls(CertificateError::Expired.into()),
            "its certificate has expired",
            "check the clock of this machine, or tell the owner of the server",
            None,
        ),
        (
            of_tls(CertificateError::UnknownIssuer.into()),
            "the issuer of its certificate is not trusted",
            "if you trust the issuer, give a PEM file with its certificate",
            Some(Hint::Roots),
        ),
    ] {
        let error = failed(&endpoint, error);
        let what = format!("TLS handshake with h.example port 443 failed: {why}");
        assert_eq!((error.kind(), error.what().to_string(), error.hint()), (ErrorKind::Tls, what, hint));
        assert_eq!(error.help().map(ToString::to_string).as_deref(), Some(help), "{why}");
    }
}

#[test]
fn the_certificates_of_the_system_are_read_once_for_all_clients() {
    let (first, second) = (system_roots(), system_roots());
    assert!(!first.is_empty());
    // A system without certificates is asked again.
    let has_some = !rustls_native_certs::load_native_certs().certs.is_empty();
    assert_eq!(Arc::ptr_eq(&first, &second), has_some);
}
