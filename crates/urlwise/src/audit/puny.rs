//! Decoding of labels that start with `xn--`: Punycode, RFC 3492 section 6.2.

use alloc::string::String;
use alloc::vec::Vec;

/// A label has at most 63 octets (D-18), so it decodes to fewer characters.
const LONGEST: usize = 63;

/// Decodes a lowercase label without its prefix; `None` if it is not valid Punycode.
pub(super) fn decode(label: &[u8]) -> Option<String> {
    if label.len() > LONGEST {
        return None;
    }
    let (plain, digits) = match label.iter().rposition(|&octet| octet == b'-') {
        Some(hyphen) => (&label[..hyphen], &label[hyphen + 1..]),
        None => (&label[..0], label),
    };
    let mut text: Vec<char> = plain.iter().copied().map(char::from).collect();
    let (mut code, mut at, mut bias) = (128u32, 0u32, 72u32);
    let mut digits = digits.iter();
    while !digits.as_slice().is_empty() {
        let before = at;
        let mut weight = 1u32;
        for k in (36u32..).step_by(36) {
            let digit = match digits.next()? {
                letter @ b'a'..=b'z' => u32::from(letter - b'a'),
                digit @ b'0'..=b'9' => u32::from(digit - b'0') + 26,
                _ => return None,
            };
            at = at.checked_add(digit.checked_mul(weight)?)?;
            let threshold = k.saturating_sub(bias).clamp(1, 26);
            if digit < threshold {
                break;
            }
            weight = weight.checked_mul(36 - threshold)?;
        }
        let length = u32::try_from(text.len() + 1).ok()?;
        bias = adapt(at - before, length, before == 0);
        code = code.checked_add(at / length)?;
        at %= length;
        text.insert(at as usize, char::from_u32(code)?);
        at += 1;
    }
    Some(text.into_iter().collect())
}

/// RFC 3492 section 6.1.
fn adapt(delta: u32, length: u32, is_first: bool) -> u32 {
    let mut delta = if is_first { delta / 700 } else { delta / 2 };
    delta += delta / length;
    let mut k = 0;
    while delta > 455 {
        delta /= 35;
        k += 36;
    }
    k + 36 * delta / (delta + 38)
}

#[cfg(test)]
mod tests {
    use super::{adapt, decode};

    #[test]
    fn the_bias_is_that_of_rfc_3492() {
        for (delta, length, is_first, bias) in [
            (0, 1, false, 0),
            (700, 1, true, 1),
            // 455 is not divided, 456 is.
            (910, 1000, false, 33),
            (912, 1000, false, 45),
        ] {
            assert_eq!(adapt(delta, length, is_first), bias, "{delta}");
        }
    }

    #[test]
    fn labels_stand_for_their_names() {
        for (label, name) in [
            ("bcher-kva", Some("b\u{fc}cher")),
            ("fiqs8s", Some("\u{4e2d}\u{56fd}")),
            ("80ak6aa92e", Some("\u{430}\u{440}\u{440}\u{4cf}\u{435}")),
            ("ls8h", Some("\u{1f4a9}")),
            ("a-", Some("a")),
            // From RFC 3492 section 7.1: far jumps and many of them.
            (
                "ihqwcrb4cv8a8dqg056pqjye",
                Some("\u{4ed6}\u{4eec}\u{4e3a}\u{4ec0}\u{4e48}\u{4e0d}\u{8bf4}\u{4e2d}\u{6587}"),
            ),
            (
                "b1abfaaepdrnnbgefbadotcwatmq2g4l",
                Some(
                    "\u{43f}\u{43e}\u{447}\u{435}\u{43c}\u{443}\u{436}\u{435}\u{43e}\u{43d}\u{438}\u{43d}\u{435}\u{433}\
                     \u{43e}\u{432}\u{43e}\u{440}\u{44f}\u{442}\u{43f}\u{43e}\u{440}\u{443}\u{441}\u{441}\u{43a}\u{438}",
                ),
            ),
            ("fiqa18553a", Some("\u{4e2d}\u{1f4a9}\u{4e2d}")),
            ("99999999", None),
            ("a-_", None),
            ("a-b9", None),
        ] {
            assert_eq!(decode(label.as_bytes()).as_deref(), name, "{label}");
        }
    }

    #[test]
    fn a_label_that_is_too_long_is_not_read() {
        let ended = |letters: usize| "a".repeat(letters) + "-";
        assert_eq!(decode(ended(62).as_bytes()), Some("a".repeat(62)));
        assert_eq!(decode(ended(63).as_bytes()), None);
    }
}
