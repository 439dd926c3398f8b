//! Names of domains, as text and in messages (RFC 1035 sections 2.3.4, 3.1 and 4.1.4).

/// The longest label, and the longest name in a message with the lengths of its labels and the empty label at its end.
const LONGEST_LABEL: usize = 63;
const LONGEST_NAME: usize = 255;

/// The bits of a length that make it a pointer.
const POINTER: u8 = 0xc0;

/// The name in a message; `None` if it is not a name of a domain: labels of up to 63 letters, digits, hyphens and underscores.
pub(super) fn encode(name: &str) -> Option<Vec<u8>> {
    let name = name.strip_suffix('.').unwrap_or(name);
    let mut encoded = Vec::with_capacity(name.len() + 2);
    for label in name.split('.') {
        let is_label = |octet: u8| octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'_');
        let length =
            u8::try_from(label.len()).ok().filter(|length| (1..=LONGEST_LABEL).contains(&usize::from(*length)))?;
        if !label.bytes().all(is_label) {
            return None;
        }
        encoded.push(length);
        encoded.extend_from_slice(label.as_bytes());
    }
    encoded.push(0);
    (encoded.len() <= LONGEST_NAME).then_some(encoded)
}

/// The name that starts at `at` in a message, in lower case without pointers, and where what follows it starts. `None` if there is no
/// such name. A pointer must lead to an earlier place than the name or pointer before it, so that there is no loop.
pub(super) fn decode(message: &[u8], at: usize) -> Option<(Vec<u8>, usize)> {
    let mut name = Vec::new();
    let mut behind = None;
    // Where pointers may lead: before this.
    let mut limit = at;
    let mut at = at;
    loop {
        let length = *message.get(at)?;
        match length & POINTER {
            0 => {
                let label = message.get(at..=at + usize::from(length))?;
                name.extend(label.iter().map(u8::to_ascii_lowercase));
                if name.len() > LONGEST_NAME {
                    return None;
                }
                at += label.len();
                if length == 0 {
                    return Some((name, behind.unwrap_or(at)));
                }
            }
            POINTER => {
                let to = usize::from(u16::from_be_bytes([length & !POINTER, *message.get(at + 1)?]));
                behind.get_or_insert(at + 2);
                if to >= limit {
                    return None;
                }
                (limit, at) = (to, to);
            }
            // Reserved (section 4.1.4).
            _ => return None,
        }
    }
}

/// A decoded name as text, without the dot at its end; what no host has is escaped. The root is empty.
pub(super) fn text(name: &[u8]) -> String {
    let mut labels = Vec::new();
    let mut rest = name;
    while let Some((length, after)) = rest.split_first().filter(|(length, _)| **length > 0) {
        let (label, next) = after.split_at(usize::from(*length).min(after.len()));
        labels.push(urlwise::escape_for_display(label).to_string());
        rest = next;
    }
    labels.join(".")
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_LABEL, decode, encode, text};

    #[test]
    fn names_are_encoded_by_label() {
        assert_eq!(encode("a.Bc"), Some(b"\x01a\x02Bc\0".to_vec()));
        assert_eq!(encode("a."), Some(b"\x01a\0".to_vec()));
        let longest = "a".repeat(LONGEST_LABEL);
        assert_eq!(encode(&longest).map(|name| name.len()), Some(65));
        for name in ["", ".", "a..b", ".a", "a b", "\u{e9}", "a\0", &"a".repeat(LONGEST_LABEL + 1)] {
            assert_eq!(encode(name), None, "{name}");
        }
        // 255 octets with the lengths: three of 63, and one of 61.
        let name = |last: usize| [&longest, &longest, &longest, &"b".repeat(last)].map(String::as_str).join(".");
        let longest_of_all = encode(&name(61)).expect("it is no longer than a name");
        assert_eq!(longest_of_all.len(), 255);
        assert_eq!(decode(&longest_of_all, 0), Some((longest_of_all.clone(), 255)));
        assert_eq!(encode(&name(62)), None);
    }

    #[test]
    fn a_name_is_decoded_through_pointers_that_lead_back() {
        let message = b"\x01a\0\x02BC\xc0\x00\xc0\x03";
        assert_eq!(decode(message, 0), Some((b"\x01a\0".to_vec(), 3)));
        assert_eq!(decode(message, 3), Some((b"\x02bc\x01a\0".to_vec(), 8)));
        assert_eq!(decode(message, 8), Some((b"\x02bc\x01a\0".to_vec(), 10)));
        assert_eq!(text(b"\x02bc\x01a\0"), "bc.a");
        assert_eq!(text(b"\0"), "");
        assert_eq!(text(b"\x02\x1bx\0"), "\\x1bx");
    }

    #[test]
    fn loops_and_names_that_do_not_end_are_refused() {
        for (message, at) in [
            (&b"\xc0\x00"[..], 0),
            (b"\x01a\xc0\x00", 0),
            (b"\xc0\x02\xc0\x00", 0),
            (b"\0\xc0\x03\xc0\x01", 3),
            (b"\x01a\xc0\x04\0", 0),
            (b"\x05abc", 0),
            (b"\x01a", 0),
            (b"\xc0", 0),
            (b"\x40a\0", 0),
            (b"\x80a\0", 0),
            (b"", 0),
            (b"\0", 1),
        ] {
            assert_eq!(decode(message, at), None, "{message:?} at {at}");
        }
        // Every pointer leads back, and the name still does not get longer than a name.
        let mut message = Vec::new();
        message.extend_from_slice(&[b"\x3f".as_slice(), &[b'a'; 63], b"\0"].concat());
        for _ in 0..4 {
            let to = if message.len() == 65 { 0 } else { message.len() - 66 };
            message.extend_from_slice(&[b"\x3f".as_slice(), &[b'a'; 63], &[POINTER_OCTET, to as u8]].concat());
        }
        let third = 65 + 66 * 2;
        assert_eq!(decode(&message, 65 + 66).map(|(name, _)| name.len()), Some(193));
        assert_eq!(decode(&message, third), None, "257 octets");
    }

    const POINTER_OCTET: u8 = 0xc0;
}
