//! How people write a scheme so that the URL is not opened by mistake: `hxxp` (D-82).

use super::octets::starts_with;
use crate::character;

/// The names, and what each stands for.
const DISARMED: [(&str, &str); 7] = [
    ("hxxps", "https"),
    ("hxxp", "http"),
    ("h**ps", "https"),
    ("h**p", "http"),
    ("htxp", "http"),
    ("fxps", "ftps"),
    ("fxp", "ftp"),
];

/// The name in place of a scheme and what it stands for: `hxxp` for `http`.
pub(super) fn disarmed(text: &[u8]) -> Option<(&'static str, &'static str)> {
    let is_end = |behind: &[u8]| !character::first_character(behind).is_some_and(char::is_alphanumeric);
    DISARMED.into_iter().find(|(name, _)| starts_with(text, name) && is_end(&text[name.len()..]))
}
