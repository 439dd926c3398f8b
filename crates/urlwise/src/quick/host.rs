//! The `hostname` and `hostnumber` of section 5, where there is nothing to report: a quick look that takes most hosts of most
//! URLs, and leaves all others to the reader that knows the whole grammar.

#[cfg(not(feature = "simd"))]
pub(crate) use super::host_machine::plain;
#[cfg(feature = "simd")]
pub(crate) use super::host_marks::plain;

/// Where the `hostnumber` that begins at `start` ends; `start` itself where none begins there, or one with a group of more
/// than three digits. What follows it may be another digit.
pub(crate) fn plain_number(octets: &[u8], start: usize) -> usize {
    let mut at = start;
    for group in 0..4 {
        if group > 0 {
            if octets.get(at) != Some(&b'.') {
                return start;
            }
            at += 1;
        }
        let first = at;
        let mut number = 0;
        while at - first < 3 {
            let Some(octet @ b'0'..=b'9') = octets.get(at) else { break };
            number = number * 10 + u32::from(octet - b'0');
            at += 1;
        }
        if at == first || number > 255 {
            return start;
        }
    }
    at
}

/// The number of the `port` whose colon is at `colon`, and where its digits end: one to five digits. `None` where there is no
/// colon or no digit, and where the number is larger than ports are.
pub(crate) fn plain_port(octets: &[u8], colon: usize) -> Option<(u16, usize)> {
    let [b':', digits @ ..] = octets.get(colon..)? else {
        return None;
    };
    let mut port = 0u32;
    let mut length = 0;
    for &octet in digits.iter().take(5) {
        if !octet.is_ascii_digit() {
            break;
        }
        port = port * 10 + u32::from(octet - b'0');
        length += 1;
    }
    match u16::try_from(port) {
        Ok(port) if length > 0 => Some((port, colon + 1 + length)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{plain, plain_number, plain_port};

    #[track_caller]
    fn ends(text: &str, end: usize) {
        assert_eq!(plain(text.as_bytes(), 0), end, "{text}");
    }

    #[test]
    fn names_end_where_their_characters_end() {
        ends("host.dom", 8);
        ends("3com.a-b--c.d0/x", 14);
        ends("a:80", 1);
        ends("a@b", 1);
    }

    #[test]
    fn anything_that_needs_a_closer_look_is_not_a_plain_name() {
        for text in ["", ".", "a.", "a..b", "-a", "a-", "a-.b", "a.-b", "1.2.3.4", "a.1b", "a.b.1", "_a", "[::1]", "/"]
        {
            ends(text, 0);
        }
    }

    #[test]
    fn four_groups_up_to_255_are_a_number() {
        for (text, end) in [
            ("192.0.2.44/", 10),
            ("0.0.0.0", 7),
            ("255.255.255.255:80", 15),
            ("1.2.3.004", 9),
            ("1.2.3.0044", 9), // the caller sees the fourth digit
            ("1.2.3.256", 0),
            ("1.2.3", 0),
            ("1.2.3.", 0),
            ("1..3.4", 0),
            ("a.2.3.4", 0),
            ("", 0),
        ] {
            assert_eq!(plain_number(text.as_bytes(), 0), end, "{text}");
        }
    }

    #[test]
    fn one_to_five_digits_are_a_port() {
        for (text, port) in [
            (":80/", Some((80, 3))),
            (":8080", Some((8080, 5))),
            (":65535", Some((65535, 6))),
            (":65536", None),
            (":99999", None),
            (":00080", Some((80, 6))),
            (":655350", Some((65535, 6))), // the caller sees a digit where the port should have ended
            (":", None),
            (":a", None),
            ("80", None),
            ("", None),
        ] {
            assert_eq!(plain_port(text.as_bytes(), 0), port, "{text}");
        }
    }
}
