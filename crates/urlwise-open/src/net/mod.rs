//! Everything that touches a socket: connections, datagrams, TLS, proxies, deadlines, and the loops that drive the
//! [machines](crate::protocol) over them.

pub(crate) mod arrivals;
pub(crate) mod aside;
pub(crate) mod deadlines;
pub(crate) mod dns;
pub(crate) mod driver;
#[cfg(feature = "telnet")]
pub(crate) mod duplex;
pub(crate) mod endpoint;
pub(crate) mod exchange;
pub(crate) mod inquiries;
#[cfg(test)]
pub(crate) mod loopback;
pub(crate) mod many;
pub(crate) mod name_servers;
pub(crate) mod peers;
pub(crate) mod pool;
#[cfg(feature = "http")]
pub(crate) mod proxy;
mod race;
pub(crate) mod roots;
pub(crate) mod shared;
pub(crate) mod stream;
pub(crate) mod tcp;
#[cfg(feature = "tls")]
pub(crate) mod tls;
#[cfg(not(feature = "tls"))]
#[path = "no_tls.rs"]
pub(crate) mod tls;
pub(crate) mod transcript;
pub(crate) mod udp;
#[cfg(feature = "tls")]
mod verifier;
