//! What the steps of repair recognize in the octets of a text: white space, the prefix `URL:`, names of schemes.

use crate::class;
use crate::profile::Profile;
use crate::scheme::{LONGEST_NAME, Scheme};

/// The longest text for which a guess is made: a URL that stands for another one is typed or copied by a person.
pub(super) const LONGEST: usize = 4096;

/// The white space that line breaks may insert into a URL (D-68).
pub(super) fn is_white(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t' | b'\r' | b'\n' | 0x0B | 0x0C)
}

/// Whether the text contains the wanted octets.
pub(super) fn contains(text: &[u8], wanted: &[u8]) -> bool {
    text.windows(wanted.len()).any(|octets| octets == wanted)
}

/// Whether the text starts with `start`, ignoring the case of letters.
pub(super) fn starts_with(text: &[u8], start: &str) -> bool {
    text.get(..start.len()).is_some_and(|octets| octets.eq_ignore_ascii_case(start.as_bytes()))
}

/// The length of the prefix `URL:`.
pub(super) const PREFIX_LENGTH: usize = b"URL:".len();

/// Whether `URL:` precedes a scheme or a wrapper; otherwise it is a scheme itself.
pub(super) fn has_prefix(text: &[u8]) -> bool {
    let Some((prefix, rest)) = text.split_at_checked(PREFIX_LENGTH) else {
        return false;
    };
    let blanks = rest.iter().take_while(|octet| is_white(**octet)).count();
    let rest = &rest[blanks..];
    prefix.eq_ignore_ascii_case(b"URL:") && (rest.starts_with(b"<") || scheme_length(rest).is_some())
}

/// The length of the scheme's name if the text starts with a scheme and a colon.
pub(super) fn scheme_length(text: &[u8]) -> Option<usize> {
    let length = class::skip(text, 0, class::SCHEME);
    (length > 0 && text.get(length) == Some(&b':')).then_some(length)
}

/// The same if a scheme of that name has rules in some profile.
pub(super) fn known_scheme_length(text: &[u8]) -> Option<usize> {
    // No longer name is looked for to its end.
    let beginning = &text[..text.len().min(LONGEST_NAME + 1)];
    scheme_length(beginning).filter(|length| is_known(&text[..*length]))
}

/// Whether a scheme of this name has rules in some profile.
pub(super) fn is_known(name: &[u8]) -> bool {
    Scheme::from_name(name, Profile::Current) != Scheme::Other
}

#[cfg(test)]
mod tests {
    use super::{known_scheme_length, scheme_length};
    use crate::scheme::Scheme;

    #[test]
    fn each_scheme_that_has_rules_is_known_by_its_name_and_a_colon() {
        for name in Scheme::ALL.iter().filter_map(|scheme| scheme.name()) {
            for (text, length) in [
                (alloc::format!("{name}://h/"), Some(name.len())),
                (alloc::format!("{}:", name.to_uppercase()), Some(name.len())),
                (name.into(), None),
                (alloc::format!("{name}-x:"), None),
            ] {
                assert_eq!(known_scheme_length(text.as_bytes()), length, "{text}");
            }
        }
        assert_eq!(
            (scheme_length(b"foo:"), known_scheme_length(b"foo:"), known_scheme_length(b"")),
            (Some(3), None, None)
        );
    }
}
