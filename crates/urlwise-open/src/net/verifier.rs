//! The verification of certificates: rustls's own, with two differences (S-52).
//!
//! A certificate that was itself given as trusted is accepted although it calls itself an authority, as `openssl req -x509` makes
//! them; curl accepts it too. And one that is self-signed and not trusted is called that.

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{VerifierBuilderError, WebPkiServerVerifier, verify_server_name};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, DigitallySignedStruct, Error, OtherError, RootCertStore, SignatureScheme};
use std::fmt;
use std::sync::Arc;
use webpki::EndEntityCert;

/// What is wrong with a certificate that rustls has no name for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CertificateFault {
    /// Its issuer is its owner, and it is not trusted.
    SelfSigned,
    /// It is that of an authority, not of a server.
    Authority,
}

impl fmt::Display for CertificateFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            CertificateFault::SelfSigned => "self-signed",
            CertificateFault::Authority => "of an authority",
        })
    }
}

impl std::error::Error for CertificateFault {}

impl From<CertificateFault> for Error {
    fn from(fault: CertificateFault) -> Error {
        CertificateError::Other(OtherError(Arc::new(fault))).into()
    }
}

/// The fault in an error, if it is one of ours.
pub(super) fn fault_of(error: &CertificateError) -> Option<CertificateFault> {
    match error {
        CertificateError::Other(OtherError(other)) => other.downcast_ref().copied(),
        _ => None,
    }
}

/// Verifies certificates.
#[derive(Debug)]
pub(super) struct Verifier {
    usual: Arc<WebPkiServerVerifier>,
    /// Certificates that the user gave: of authorities, or of servers.
    given: Vec<CertificateDer<'static>>,
}

impl Verifier {
    pub(super) fn new(
        roots: Arc<RootCertStore>,
        given: Vec<CertificateDer<'static>>,
        provider: Arc<CryptoProvider>,
    ) -> Result<Verifier, VerifierBuilderError> {
        let usual = WebPkiServerVerifier::builder_with_provider(roots, provider).build()?;
        Ok(Verifier { usual, given })
    }
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let fault = match self.usual.verify_server_cert(certificate, intermediates, name, ocsp, now) {
            Err(Error::InvalidCertificate(fault)) => fault,
            verified => return verified,
        };
        let parsed = EndEntityCert::try_from(certificate).map_err(|_| CertificateError::BadEncoding)?;
        let is_self_signed = parsed.issuer() == parsed.subject();
        match fault {
            // The dates have been checked by then, and the name has not.
            CertificateError::Other(OtherError(other)) if is_authority(&*other) => {
                if self.given.contains(certificate) {
                    return match verify_server_name(&ParsedCertificate::try_from(certificate)?, name) {
                        Ok(()) => Ok(ServerCertVerified::assertion()),
                        Err(fault) if is_nameless(&fault) => Err(CertificateFault::Authority.into()),
                        Err(fault) => Err(fault),
                    };
                }
                let fault = if is_self_signed { CertificateFault::SelfSigned } else { CertificateFault::Authority };
                Err(fault.into())
            }
            CertificateError::UnknownIssuer
            | CertificateError::BadSignature
            | CertificateError::UnsupportedSignatureAlgorithmForPublicKeyContext { .. }
                if is_self_signed =>
            {
                Err(CertificateFault::SelfSigned.into())
            }
            fault => Err(fault.into()),
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.usual.verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.usual.verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.usual.supported_verify_schemes()
    }
}

/// Whether a certificate was refused only because it is that of an authority; rustls has no name for that.
fn is_authority(error: &(dyn std::error::Error + 'static)) -> bool {
    matches!(error.downcast_ref(), Some(webpki::Error::CaUsedAsEndEntity))
}

/// Whether a certificate has no names of hosts at all, as those of authorities have none.
fn is_nameless(error: &Error) -> bool {
    let Error::InvalidCertificate(CertificateError::NotValidForNameContext { presented, .. }) = error else {
        return false;
    };
    presented.is_empty()
}

/// Accepts any certificate, but checks that the server holds its key.
#[derive(Debug)]
pub(super) struct AnyCertificate(pub(super) Arc<CryptoProvider>);

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        rustls::crypto::verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        rustls::crypto::verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::{CertificateFault, is_authority};

    #[test]
    fn only_a_certificate_of_an_authority_is_refused_as_one() {
        assert!(is_authority(&webpki::Error::CaUsedAsEndEntity));
        assert!(!is_authority(&webpki::Error::NameConstraintViolation));
        assert!(!is_authority(&CertificateFault::Authority));
    }

    #[test]
    fn the_faults_that_rustls_has_no_name_for_have_texts() {
        let shown = [CertificateFault::SelfSigned, CertificateFault::Authority].map(|fault| fault.to_string());
        assert_eq!(shown, ["self-signed", "of an authority"]);
    }
}
