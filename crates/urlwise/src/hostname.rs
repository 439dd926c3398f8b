//! The `hostname` and `hostnumber` of section 5, where they leave nothing to say: a quick look that takes most hosts of most
//! URLs, and leaves all others to the reader that knows the whole grammar.

use crate::block;

/// Where the host name that begins at `start` ends; `start` itself where none begins there, or one that ends with a digit
/// label, an empty label or a hyphen.
///
/// `*[ domainlabel "." ] toplabel`: labels of letters, digits and inner hyphens, the last one beginning with a letter. So all
/// that matters is what is no letter or digit: those octets are picked out of eight at a time.
pub(crate) fn plain(octets: &[u8], start: usize) -> usize {
    let mut toplabel = start;
    // After the last octet that is no letter or digit: there must be one here, but for hyphens in a row.
    let mut after = start;
    block::find_other(octets, start, |at| {
        let octet = octets.get(at);
        if at == after && !(octet == Some(&b'-') && at > toplabel) {
            return Some(start);
        }
        after = at + 1;
        match octet {
            Some(b'.') => toplabel = after,
            Some(b'-') => {}
            _ if octets[toplabel].is_ascii_alphabetic() => return Some(at),
            _ => return Some(start),
        }
        None
    })
    .unwrap_or(start)
}

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
        while at - first < 3
            && let Some(octet @ b'0'..=b'9') = octets.get(at)
        {
            number = number * 10 + u32::from(octet - b'0');
            at += 1;
        }
        if at == first || number > 255 {
            return start;
        }
    }
    at
}

/// The number of the `port` whose colon is at `colon`, and where its digits end: one to four digits, which are a port for
/// certain. `None` where there is no colon or no digit.
pub(crate) fn plain_port(octets: &[u8], colon: usize) -> Option<(u16, usize)> {
    let [b':', digits @ ..] = octets.get(colon..)? else {
        return None;
    };
    let mut port = 0;
    let mut length = 0;
    for &octet in digits.iter().take(4) {
        if !octet.is_ascii_digit() {
            break;
        }
        port = port * 10 + u16::from(octet - b'0');
        length += 1;
    }
    (length > 0).then_some((port, colon + 1 + length))
}

#[cfg(test)]
mod tests {
    use super::plain;

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
    fn whatever_needs_a_closer_look_is_no_plain_name() {
        for text in ["", ".", "a.", "a..b", "-a", "a-", "a-.b", "a.-b", "1.2.3.4", "a.1b", "a.b.1", "_a", "[::1]", "/"]
        {
            ends(text, 0);
        }
    }
}
