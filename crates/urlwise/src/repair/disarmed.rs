//! How people write a scheme so that the URL is not opened by mistake: `hxxp` (D-82).

use super::octets::starts_with;

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
pub(super) fn disarmed(text: &str) -> Option<(&'static str, &'static str)> {
    DISARMED
        .into_iter()
        .find(|(name, _)| starts_with(text, name) && !text[name.len()..].starts_with(char::is_alphanumeric))
}
