//! When a connection becomes a TLS connection.

/// When TLS begins. There may be other times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TlsMode {
    /// Never: everything is sent unencrypted.
    None,
    /// From the first octet, on a separate port (`ftps`, `https`, RFC 8314).
    Implicit,
    /// Within the dialogue, after a command such as `AUTH TLS` (RFC 4217) or `STARTTLS` (RFC 3207): at
    /// [`Io::StartTls`](crate::protocol::Io::StartTls). If the server does not offer it, nothing more is sent.
    Explicit,
}
