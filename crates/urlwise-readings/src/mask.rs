//! Masks passwords in displayed parts, even if another reader reads them as something else.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use urlwise::{decode, escape_for_display, secrets};

const MASK: &str = "***";

/// A value from a reading of `text`, in which `passwords` are, safe for display.
///
/// The password of one standard may be part of the host, port or query of another: `ftp://u:12?x@h/` has the port 12 in
/// RFC 3986. So a value that shares a piece with a password is shown as `***`. In nested URLs only the password itself
/// is masked.
pub(crate) fn masked<'v>(text: &[u8], passwords: &[Range<usize>], value: &'v str) -> Cow<'v, str> {
    // What most texts are.
    if passwords.is_empty() {
        if is_plain(value) {
            return value.into();
        }
        if !value.contains('@') {
            return shown(value);
        }
    }
    let visible = without_passwords(value);
    let mut hidden = BTreeSet::new();
    for span in passwords {
        any_piece(&text[span.clone()], |piece| {
            if !hidden.contains(piece) {
                hidden.insert(piece.to_vec());
            }
            false
        });
    }
    // Some readers encode the `%` of an escape once more.
    let is_hidden = |octets: &[u8]| any_piece(octets, |piece| hidden.contains(piece));
    if !hidden.is_empty() && (is_hidden(visible.as_bytes()) || is_hidden(&decode(visible.as_bytes()))) {
        return MASK.into();
    }
    match visible {
        Cow::Borrowed(visible) => shown(visible),
        Cow::Owned(visible) => shown(&visible).into_owned().into(),
    }
}

/// A text as it is displayed.
fn shown(text: &str) -> Cow<'_, str> {
    match is_plain(text) {
        true => text.into(),
        false => escape_for_display(text.as_bytes()).to_string().into(),
    }
}

/// Whether a text is displayed as it is, and has no `@`, before which a password may stand.
fn is_plain(text: &str) -> bool {
    // Without an early end, so that many octets are looked at at once.
    text.bytes().fold(true, |plain, octet| plain & matches!(octet, b' '..=b'~') & (octet != b'\\') & (octet != b'@'))
}

/// A text with each password in it replaced.
pub(crate) fn without_passwords(text: &str) -> Cow<'_, str> {
    let secrets = secrets(text.as_bytes());
    if secrets.is_empty() {
        return text.into();
    }
    let mut visible = String::new();
    let mut at = 0;
    // Secrets start and end at ASCII characters.
    for secret in secrets {
        visible.push_str(text.get(at..secret.start).unwrap_or_default());
        visible.push_str(MASK);
        at = secret.end;
    }
    visible.push_str(text.get(at..).unwrap_or_default());
    visible.into()
}

/// Whether a condition holds for one of the pieces between the delimiters of any standard: decoded, lowercase, without octets that
/// WHATWG drops and without leading zeros, so that different notations of a piece are equal.
fn any_piece(octets: &[u8], mut condition: impl FnMut(&[u8]) -> bool) -> bool {
    let decoded = decode(octets);
    let mut piece = Vec::new();
    decoded.split(|octet| b"@:/\\?#&=;".contains(octet)).any(|written| {
        let octets = written.iter().copied().filter(|octet| *octet > b' ');
        piece.clear();
        piece.extend(octets.skip_while(|octet| *octet == b'0').map(|octet| octet.to_ascii_lowercase()));
        !piece.is_empty() && condition(&piece)
    })
}

#[cfg(test)]
mod tests {
    use super::{masked, secrets};

    #[test]
    fn a_piece_of_a_password_is_hidden_wherever_it_turns_up() {
        let text = b"ftp://jim:0012?Se%63@host.dom/";
        for (value, expected) in [
            ("12", "***"),
            ("Sec@host.dom/", "***"),
            ("host.dom", "host.dom"),
            ("jim", "jim"),
            ("", ""),
            ("Se%2563", "***"),
        ] {
            assert_eq!(masked(text, &secrets(text), value), expected);
        }
        let nested = b"http://h.dom/ftp://jim:s@h/";
        assert_eq!(masked(nested, &secrets(nested), "/ftp://jim:s@h/"), "/ftp://jim:***@h/");
        assert_eq!(masked(b"http://h.dom/", &[], "\u{1b}"), urlwise::escape_for_display(b"\x1b").to_string());
    }
}
