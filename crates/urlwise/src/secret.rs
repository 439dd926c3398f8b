//! Passwords in texts: what must not be shown.

use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

/// Where passwords stand in a text, in order; empty ones are none.
///
/// The password of a URL is its part after the user's colon. What people paste is wider: a URL inside a wrapper or another
/// URL, a login with two `@` or one that a raw `/` cuts in two. So every `//user:password@` is looked for, wherever it
/// stands, up to its last `@`: rather too much is found than too little. Takes time linear in the text.
///
/// ```
/// assert_eq!(urlwise::secrets(b"<URL:ftp://jim:s3cret@host.dom/>"), [15..21]);
/// assert_eq!(urlwise::secrets(b"ftp://jim:@host.dom:21/a:b@c"), []);
/// ```
pub fn secrets(octets: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(slashes) = octets[at..].windows(2).position(|pair| pair == b"//") {
        let login = at + slashes + 2;
        let rest = &octets[login..];
        let end = login + position(rest, b'/').unwrap_or(rest.len());
        let authority = &octets[login..end];
        at = login;
        match authority.iter().rposition(|&octet| octet == b'@') {
            Some(end) => {
                if let Some(colon) = position(&authority[..end], b':').filter(|colon| colon + 1 < end) {
                    found.push(login + colon + 1..login + end);
                }
            }
            // No port holds anything but digits: this is a password that a raw `/` cuts in two.
            None if !authority.starts_with(b"[") => {
                if let Some(colon) = position(authority, b':')
                    && !authority[colon + 1..].iter().all(u8::is_ascii_digit)
                    && let Some(last) = octets[end..].iter().rposition(|&octet| octet == b'@')
                {
                    found.push(login + colon + 1..end + last);
                    at = end + last;
                }
            }
            None => {}
        }
    }
    found
}

fn position(octets: &[u8], wanted: u8) -> Option<usize> {
    octets.iter().position(|&octet| octet == wanted)
}

/// Displays a text with `***` for each password.
pub(crate) struct Masked<'a>(pub(crate) &'a str);

impl fmt::Display for Masked<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let secrets = secrets(self.0.as_bytes());
        if secrets.is_empty() {
            return f.pad(self.0);
        }
        let mut at = 0;
        // Secrets begin and end at ASCII characters.
        for secret in secrets {
            write!(f, "{}***", &self.0[at..secret.start])?;
            at = secret.end;
        }
        f.write_str(&self.0[at..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn a_million_slashes_cost_linear_time() {
        let text = vec![b'/'; 1 << 20];
        assert!(secrets(&text).is_empty());
    }
}
