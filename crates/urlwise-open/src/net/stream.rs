//! What a connection is made of: TCP of the system. In builds for tests, a call that reaches no network has connections in memory.

#[cfg(feature = "testing")]
pub(crate) use crate::testing::stream::TcpStream;
#[cfg(not(feature = "testing"))]
pub(crate) use std::net::TcpStream;
