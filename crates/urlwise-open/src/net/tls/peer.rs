//! The server's end of TLS, for tests.

use crate::net::loopback::listener;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::net::{SocketAddr, TcpStream};
use std::process::Command;
use std::sync::{Arc, OnceLock};

/// The server's end of a connection.
pub(crate) type Peer = StreamOwned<ServerConnection, TcpStream>;

/// Serves one connection with a certificate that nobody trusts. `None` where openssl is not installed.
pub(crate) fn serving(act: impl FnOnce(Peer) + Send + 'static) -> Option<SocketAddr> {
    let config = Arc::clone(config()?);
    let (listener, address) = listener();
    std::thread::spawn(move || {
        let (tcp, _) = listener.accept().expect("somebody comes");
        act(StreamOwned::new(ServerConnection::new(config).expect("it can be used"), tcp));
    });
    Some(address)
}

fn config() -> Option<&'static Arc<ServerConfig>> {
    static CONFIG: OnceLock<Option<Arc<ServerConfig>>> = OnceLock::new();
    let make = || {
        let mut openssl = Command::new("openssl");
        openssl.args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]);
        openssl.args(["-subj", "/CN=localhost", "-keyout", "/dev/stdout", "-out", "/dev/stdout"]);
        let Ok(output) = openssl.output() else {
            assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "openssl is not installed");
            return None;
        };
        let certificate = CertificateDer::from_pem_slice(&output.stdout).expect("openssl wrote it");
        let key = PrivateKeyDer::from_pem_slice(&output.stdout).expect("openssl wrote it");
        let builder = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("ring has them");
        let config = builder.with_no_client_auth().with_single_cert(vec![certificate], key).expect("they fit");
        Some(Arc::new(config))
    };
    CONFIG.get_or_init(make).as_ref()
}
