//! Texts with the line ends of this system: RFC 959 section 3.1.1.1 and RFC 854 end each line with CRLF.

use std::borrow::Cow;

/// Converts CRLF to the line end of this system, in pieces of any size. A CR or LF alone is kept (D-74).
///
/// The machines of ftp, finger and telnet do this themselves unless their settings say `raw`. Those of gopher and nntp hand
/// over texts unchanged.
///
/// ```
/// use urlwise_open::protocol::LocalText;
///
/// let mut text = LocalText::default();
/// let pieces = [text.piece(b"one\r").into_owned(), text.piece(b"\ntwo\r\n").into_owned(), text.end().to_vec()];
/// # #[cfg(not(windows))]
/// assert_eq!(pieces.concat(), b"one\ntwo\n");
/// ```
#[derive(Clone, Debug, Default)]
pub struct LocalText {
    /// A CR at the end of the previous piece, whose LF may follow.
    cr: bool,
}

impl LocalText {
    /// The next piece; borrowed if unchanged, empty if all of it is held back.
    pub fn piece<'i>(&mut self, octets: &'i [u8]) -> Cow<'i, [u8]> {
        if cfg!(windows) || (!self.cr && !octets.contains(&b'\r')) {
            return Cow::Borrowed(octets);
        }
        let mut local = Vec::with_capacity(octets.len() + 1);
        for &octet in octets {
            if std::mem::take(&mut self.cr) && octet != b'\n' {
                local.push(b'\r');
            }
            match octet {
                b'\r' => self.cr = true,
                _ => local.push(octet),
            }
        }
        Cow::Owned(local)
    }

    /// What was held back at the end of the text.
    pub fn end(&mut self) -> &'static [u8] {
        if std::mem::take(&mut self.cr) { b"\r" } else { b"" }
    }
}

#[cfg(all(test, not(windows)))]
mod tests {
    use super::LocalText;

    fn convert(text: &[u8], size: usize) -> Vec<u8> {
        let mut converter = LocalText::default();
        let mut local: Vec<u8> = text.chunks(size).flat_map(|piece| converter.piece(piece).into_owned()).collect();
        local.extend_from_slice(converter.end());
        local
    }

    #[test]
    fn line_ends_become_local_and_nothing_else_changes() {
        for (wire, local) in [
            (&b"line1\r\nline2\r\n"[..], &b"line1\nline2\n"[..]),
            (b"a\rb\r\r\nc\nd\r", b"a\rb\r\nc\nd\r"),
            (b"", b""),
            (b"\xff\0\r\n", b"\xff\0\n"),
        ] {
            for size in 1..=wire.len().max(1) {
                assert_eq!(convert(wire, size), local, "{wire:?} in pieces of {size}");
            }
        }
    }
}
