//! Host names in scripts that put words next to each other without a space.
//!
//! In such a script nothing but the dots tells where a name ends, so only in a host letters of all scripts belong to
//! the URL.

/// A host is searched no further than this from the start of the login, in octets, so that the search stays linear.
const LONGEST: usize = 1 << 10;

/// The number of octets of the letters here that belong to a host name; `None` where the host has no such letters. The
/// scheme-specific part starts at `start`.
#[cold]
pub(super) fn letters(text: &[u8], start: usize, at: usize) -> Option<usize> {
    if at - start > LONGEST {
        return None;
    }
    let login = text[start..at].strip_prefix(b"//")?;
    if login.iter().any(|octet| matches!(octet, b'/' | b'?' | b'#')) {
        return None;
    }
    let length = run(&text[at..text.len().min(at + LONGEST)]);
    (length > 0 && (continues(&text[at + length..]) || is_label(login, &text[at + length..]))).then_some(length)
}

/// The length of the letters at the start.
fn run(text: &[u8]) -> usize {
    let valid = match core::str::from_utf8(text) {
        Ok(text) => text,
        // The window may cut a character.
        Err(error) => core::str::from_utf8(&text[..error.valid_up_to()]).unwrap_or_default(),
    };
    valid.chars().take_while(|&character| is_letter(character)).map(char::len_utf8).sum()
}

/// Whether a character outside US-ASCII can be part of a label: letters and digits, and the signs within words of
/// South Asian scripts and Thai that Unicode does not call alphabetic.
fn is_letter(character: char) -> bool {
    let is_sign = matches!(character, '\u{300}'..='\u{36F}' | '\u{E47}'..='\u{E4E}' | '\u{1039}' | '\u{103A}' | '\u{17D2}')
        || matches!(character, '\u{900}'..='\u{DFF}' if matches!(u32::from(character) & 0x7F, 0x3C | 0x4D));
    !character.is_ascii() && (character.is_alphanumeric() || is_sign)
}

/// Whether the next label follows, which no other text would.
fn continues(behind: &[u8]) -> bool {
    matches!(behind, [b'.' | b'-', next, ..] if next.is_ascii_alphanumeric() || !next.is_ascii())
}

/// Whether letters with this text around them are a label, and not the text behind a URL: they start a label, and the
/// URL goes on behind them or is not complete without them.
fn is_label(login: &[u8], behind: &[u8]) -> bool {
    let host = login.iter().rposition(|&octet| octet == b'@').map_or(login, |sign| &login[sign + 1..]);
    let starts = host.last().is_none_or(|last| matches!(last, b'.' | b'-') || !last.is_ascii());
    let goes_on = matches!(behind, [b'/' | b'?' | b'#', ..] | [b':', b'0'..=b'9', ..]);
    let has_no_end = !host.is_ascii() || host.iter().filter(|octet| **octet == b'.').count() < 2;
    starts && (goes_on || has_no_end)
}
