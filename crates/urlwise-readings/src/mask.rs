//! Keeps passwords out of what is shown, wherever another reader puts their octets.

use std::collections::BTreeSet;

use urlwise::{decode, secrets, shown};

const MASK: &str = "***";

/// A value from some reading of `text`, fit to be shown.
///
/// One reader's password may be another's host, port or query, whole or in part: `ftp://u:12?x@h/` has the port 12 by RFC 3986. So
/// a value is `***` where a piece of it is a piece of a password. In nested URLs the password alone is.
pub(crate) fn masked(text: &[u8], value: &str) -> String {
    let visible = without_passwords(value);
    let hidden: BTreeSet<Vec<u8>> = secrets(text).into_iter().flat_map(|span| pieces(&text[span])).collect();
    if !hidden.is_empty() && pieces(visible.as_bytes()).iter().any(|piece| hidden.contains(piece)) {
        return MASK.to_owned();
    }
    shown(visible.as_bytes()).to_string()
}

/// A text with each password in it replaced.
pub(crate) fn without_passwords(text: &str) -> String {
    let mut visible = String::new();
    let mut at = 0;
    // Secrets begin and end at ASCII characters.
    for secret in secrets(text.as_bytes()) {
        visible.push_str(text.get(at..secret.start).unwrap_or_default());
        visible.push_str(MASK);
        at = secret.end;
    }
    visible.push_str(text.get(at..).unwrap_or_default());
    visible
}

/// What stands between the octets that part a text to some reader: decoded, in lower case, without what WHATWG readers drop and
/// zeros before numbers. Different writings of one piece are the same then.
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
        assert_eq!(masked(b"http://h.dom/", "\u{1b}"), urlwise::shown(b"\x1b").to_string());
    }
}
