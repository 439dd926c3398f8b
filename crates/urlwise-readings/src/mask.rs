//! Masks passwords in displayed parts, even if another reader reads them as something else.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::OnceLock;

use urlwise::{decode, each_secret, escape_for_display};

const MASK: &str = "***";

/// What must not be shown of a text, however it is read.
#[derive(Clone)]
pub(crate) struct Mask<'a> {
    text: &'a [u8],
    /// The pieces of the passwords if there are any, from when something is shown.
    hidden: OnceLock<Option<BTreeSet<Vec<u8>>>>,
}

impl<'a> Mask<'a> {
    pub(crate) fn of(text: &'a [u8]) -> Mask<'a> {
        Mask { text, hidden: OnceLock::new() }
    }

    /// A value from a reading of the text, safe for display.
    ///
    /// The password of one standard may be part of the host, port or query of another: `ftp://u:12?x@h/` has the port 12 in
    /// RFC 3986. So a value that shares a piece with a password is shown as `***`. In nested URLs only the password itself
    /// is masked.
    pub(crate) fn masked<'v>(&self, value: &'v str) -> Cow<'v, str> {
        // What most texts are.
        let hidden = self.hidden.get_or_init(|| self.pieces());
        if hidden.is_none() {
            if is_plain(value) {
                return value.into();
            }
            if !value.contains('@') {
                return shown(value);
            }
        }
        let visible = without_passwords(value);
        if hidden.as_ref().is_some_and(|hidden| hides(hidden, visible.as_bytes())) {
            return MASK.into();
        }
        match visible {
            Cow::Borrowed(visible) => shown(visible),
            Cow::Owned(visible) if is_shown_as_written(&visible) => visible.into(),
            Cow::Owned(visible) => shown(&visible).into_owned().into(),
        }
    }

    fn pieces(&self) -> Option<BTreeSet<Vec<u8>>> {
        let mut passwords = each_secret(self.text).peekable();
        passwords.peek()?;
        let mut pieces = BTreeSet::new();
        for span in passwords {
            any_piece(&self.text[span], |piece| {
                if !pieces.contains(piece) {
                    pieces.insert(piece.to_vec());
                }
                false
            });
        }
        Some(pieces)
    }
}

/// Whether octets share a piece with a password.
fn hides(hidden: &BTreeSet<Vec<u8>>, octets: &[u8]) -> bool {
    let is_hidden = |octets: &[u8]| any_piece(octets, |piece| hidden.contains(piece));
    // Some readers encode the `%` of an escape once more.
    !hidden.is_empty() && (is_hidden(octets) || octets.contains(&b'%') && is_hidden(&decode(octets)))
}

/// A text as it is displayed.
fn shown(text: &str) -> Cow<'_, str> {
    match is_shown_as_written(text) {
        true => text.into(),
        false => escape_for_display(text.as_bytes()).to_string().into(),
    }
}

/// Whether a text is displayed as it is, and has no `@`, before which a password may stand.
fn is_plain(text: &str) -> bool {
    // Without an early end, so that many octets are looked at at once.
    text.bytes().fold(true, |plain, octet| plain & matches!(octet, b' '..=b'~') & (octet != b'\\') & (octet != b'@'))
}

/// Whether a text is displayed as it is.
fn is_shown_as_written(text: &str) -> bool {
    text.bytes().fold(true, |plain, octet| plain & matches!(octet, b' '..=b'~') & (octet != b'\\'))
}

/// A text with each password in it replaced.
pub(crate) fn without_passwords(text: &str) -> Cow<'_, str> {
    let mut secrets = each_secret(text.as_bytes()).peekable();
    if secrets.peek().is_none() {
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
    let is_delimiter = |octet: &u8| matches!(octet, b'@' | b':' | b'/' | b'\\' | b'?' | b'#' | b'&' | b'=' | b';');
    decoded.split(is_delimiter).any(|written| {
        let octets = written.iter().copied().filter(|octet| *octet > b' ');
        piece.clear();
        piece.extend(octets.skip_while(|octet| *octet == b'0').map(|octet| octet.to_ascii_lowercase()));
        !piece.is_empty() && condition(&piece)
    })
}

#[cfg(test)]
mod tests {
    use super::Mask;

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
            assert_eq!(Mask::of(text).masked(value), expected);
        }
        let nested = b"http://h.dom/ftp://jim:s@h/";
        assert_eq!(Mask::of(nested).masked("/ftp://jim:s@h/"), "/ftp://jim:***@h/");
        assert_eq!(Mask::of(b"http://h.dom/").masked("\u{1b}"), urlwise::escape_for_display(b"\x1b").to_string());
    }
}
