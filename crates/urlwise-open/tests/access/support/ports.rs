//! Ports for servers that are told where to listen.

use std::net::{TcpListener, UdpSocket};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU16, Ordering};

/// A port below those that the system and our ftp servers give out by themselves, so that nothing of this process can get it meanwhile. Nor
/// can another process that asks here: its server would answer instead of the one that is started.
pub(crate) fn free_port() -> u16 {
    const PORTS: u16 = 10_000;
    static COUNT: AtomicU16 = AtomicU16::new(0);
    /// The process that has the port for datagrams so much further up has the port.
    static KEPT: Mutex<Vec<UdpSocket>> = Mutex::new(Vec::new());
    loop {
        // Processes begin at different places.
        let number = (std::process::id() as u16).wrapping_mul(61).wrapping_add(COUNT.fetch_add(1, Ordering::Relaxed));
        let port = 12_000 + number % PORTS;
        let Ok(kept) = UdpSocket::bind(("127.0.0.1", port + PORTS)) else { continue };
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            KEPT.lock().expect("nothing panics with it").push(kept);
            return port;
        }
    }
}
