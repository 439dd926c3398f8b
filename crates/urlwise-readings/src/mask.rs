//! Masks passwords in displayed parts, even if another reader reads them as something else.

use std::collections::BTreeSet;

use urlwise::{decode, escape_for_display, secrets};

const MASK: &str = "***";

/// A value from a reading of `text`, safe for display.
///
/// The password of one standard may be part of the host, port or query of another: `ftp://u:12?x@h/` has the port 12 in
/// RFC 3986. So a value that shares a piece with a password is shown as `***`. In nested URLs only the password itself
/// is masked.
pub(crate) fn masked(text: &[u8], value: &str) -> String {
    // What most texts are.
    if !text.contains(&b'@') && !value.contains('@') {
        return escape_for_display(value.as_bytes()).to_string();
    }
    let visible = without_passwords(value);
    let hidden: BTreeSet<Vec<u8>> = secrets(text).into_iter().flat_map(|span| pieces(&text[span])).collect();
    if !hidden.is_empty() && pieces(visible.as_bytes()).iter().any(|piece| hidden.contains(piece)) {
        return MASK.to_owned();
    }
    escape_for_display(visible.as_bytes()).to_string()
}

/// A text with each password in it replaced.
pub(crate) fn without_passwords(text: &str) -> String {
    let mut visible = String::new();
    let mut at = 0;
    // Secrets start and end at ASCII characters.
    for secret in secrets(text.as_bytes()) {
        visible.push_str(text.get(at..secret.start).unwrap_or_default());
        visible.push_str(MASK);
        at = secret.end;
    }
    visible.push_str(text.get(at..).unwrap_or_default());
    visible
}

/// The pieces between the delimiters of any standard: decoded, lowercase, without octets that WHATWG drops and without
/// leading zeros, so that different notations of a piece are equal.
fn pieces(octets: &[u8]) -> Vec<Vec<u8>> {
    let decoded = decode(octets).to_ascii_lowercase();
    let kept = |piece: &[u8]| {
        let octets = piece.iter().copied().filter(|octet| *octet > b' ');
        octets.skip_while(|octet| *octet == b'0').collect::<Vec<u8>>()
    };
    decoded.split(|octet| b"@:/\\?#&=;".contains(octet)).map(kept).filter(|piece| !piece.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::masked;

    #[test]
    fn a_piece_of_a_password_is_hidden_wherever_it_turns_up() {
        let text = b"ftp://jim:0012?Se%63@host.dom/";
        for (value, expected) in
            [("12", "***"), ("Sec@host.dom/", "***"), ("host.dom", "host.dom"), ("jim", "jim"), ("", "")]
        {
            assert_eq!(masked(text, value), expected);
        }
        assert_eq!(masked(b"http://h.dom/ftp://jim:s@h/", "/ftp://jim:s@h/"), "/ftp://jim:***@h/");
        assert_eq!(masked(b"http://h.dom/", "\u{1b}"), urlwise::escape_for_display(b"\x1b").to_string());
    }
}
