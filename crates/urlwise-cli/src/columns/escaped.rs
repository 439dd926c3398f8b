//! Reads text as databases write it: what [`rows`](super::rows) escapes, and the other escapes that they know.

use std::borrow::Cow;

/// The octets that a field stands for; `None` for NULL.
pub(super) fn read(field: &[u8]) -> Option<Cow<'_, [u8]>> {
    let Some(mut at) = memchr::memchr(b'\\', field) else { return Some(Cow::Borrowed(field)) };
    if field == b"\\N" {
        return None;
    }
    let mut octets = Vec::with_capacity(field.len());
    let mut rest = field;
    loop {
        octets.extend_from_slice(&rest[..at]);
        let (octet, length) = escape(&rest[at..]);
        octets.push(octet);
        rest = &rest[at + length..];
        match memchr::memchr(b'\\', rest) {
            Some(next) => at = next,
            None => break,
        }
    }
    octets.extend_from_slice(rest);
    Some(Cow::Owned(octets))
}

/// The octet that an escape stands for, and the escape's length. A backslash that begins none is itself.
fn escape(text: &[u8]) -> (u8, usize) {
    let octet = match text {
        [_, b'b', ..] => 8,
        [_, b't', ..] => b'\t',
        [_, b'n', ..] => b'\n',
        [_, b'v', ..] => 11,
        [_, b'f', ..] => 12,
        [_, b'r', ..] => b'\r',
        [_, b'0', ..] => 0,
        [_, octet @ (b'\\' | b'\''), ..] => *octet,
        [_, b'x', high, low, ..] => {
            let digit = |octet: u8| char::from(octet).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
            return match (digit(*high), digit(*low)) {
                (Some(high), Some(low)) => (high << 4 | low, 4),
                _ => (b'\\', 1),
            };
        }
        _ => return (b'\\', 1),
    };
    (octet, 2)
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn escapes_are_octets_and_other_backslashes_are_themselves() {
        for (field, expected) in [
            (&b""[..], Some(&b""[..])),
            (b"http://h/", Some(b"http://h/")),
            (b"\\N", None),
            (b"\\\\N", Some(b"\\N")),
            (b"a\\N", Some(b"a\\N")),
            (br"\b\t\n\v\f\r\0\\\'", Some(b"\x08\t\n\x0B\x0C\r\0\\'")),
            (br"a\\@\x7F\xe9b", Some(b"a\\@\x7F\xE9b")),
            (br"\q\x\xA\xAg\", Some(br"\q\x\xA\xAg\")),
        ] {
            assert_eq!(read(field).as_deref(), expected, "{}", field.escape_ascii());
        }
    }
}
