//! The character set of gopher: Latin-1 (RFC 1436 section 3.4), and UTF-8 on the servers of today.

use std::borrow::Cow;

/// What a server wrote, as text for people: UTF-8, or Latin-1 if it is not. Control characters stay in it, so it has to be
/// [escaped](urlwise::escape_for_display) before it is shown.
///
/// ```
/// use urlwise_open::protocol::gopher::text;
///
/// assert_eq!(text(b"caf\xe9"), "caf\u{e9}");
/// assert_eq!(text("caf\u{e9}".as_bytes()), "caf\u{e9}");
/// ```
pub fn text(octets: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(octets) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(octets.iter().map(|octet| char::from(*octet)).collect()),
    }
}
