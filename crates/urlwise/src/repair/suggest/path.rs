//! Characters of paths, and what should not stand there at all.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};

use super::text::Text;
use crate::character::{self, Character, Role};
use crate::encoded;

/// Without the octets that prevent the repair, if they are a port.
pub(super) fn cut(text: &Text<'_>) -> Option<String> {
    let is_number = !text.culprit().is_empty()
        && text.culprit().trim_start_matches(':').bytes().all(|octet| octet.is_ascii_digit());
    (is_number && text.culprit().starts_with(':')).then(|| without_path(text)).flatten()
}

/// The same, whatever they are.
pub(super) fn without_path(text: &Text<'_>) -> Option<String> {
    text.replaced(text.span.clone(), "")
}

/// Without the last character, where it divides and nothing follows.
pub(super) fn without_last(text: &Text<'_>) -> Option<String> {
    text.text.strip_suffix(['/', ';']).map(ToString::to_string)
}

/// `a?x=1\&y=2`: a shell needs the backslash and the URL does not.
pub(super) fn shell(text: &Text<'_>) -> Option<String> {
    let mut rest = text.text;
    while let Some((_, behind)) = rest.split_once('\\') {
        if !behind.starts_with(['&', '?', '=', '!', '*', '(', ')', ';', '$', '\'', '"']) {
            return None;
        }
        rest = behind;
    }
    Some(text.text.replace('\\', ""))
}

/// The schemes whose readers by WHATWG take `\` for `/`, where names do not hold it.
const SLASHING: [&str; 2] = ["http", "https"];

pub(super) fn slash(text: &Text<'_>) -> Option<String> {
    let is_mixed = text.text.contains("\\/");
    let is_escape = shell(text).is_some();
    let slashed = text.text.replace('\\', "/");
    let fits = text.is_scheme(&SLASHING) && !is_escape && (!is_mixed || text.text.starts_with("http:/\\"));
    let hides_login =
        Text { text: &slashed, span: 0..0 }.authority().is_some_and(|span| slashed[span.end..].contains('@'));
    (fits && !hides_login).then_some(slashed)
}

pub(super) fn escaped_backslash(text: &Text<'_>) -> Option<String> {
    let is_path = text.authority().is_none_or(|authority| authority.end <= text.span.start);
    let is_other = shell(text).is_some() || text.text.contains("\\/");
    (is_path && !is_other && !text.is_in_login()).then(|| text.text.replace('\\', "%5C"))
}

pub(super) fn number_sign(text: &Text<'_>) -> Option<String> {
    (!text.is_in_login()).then(|| text.text.replace('#', "%23"))
}

pub(super) fn without_fragment(text: &Text<'_>) -> Option<String> {
    let (before, behind) = text.text.split_once('#')?;
    (!behind.contains('@')).then(|| before.to_string())
}

/// `%25` for the percent signs that begin no escape.
pub(super) fn percent(text: &Text<'_>) -> Option<String> {
    let mut escaped = String::with_capacity(text.text.len() + 8);
    for (at, c) in text.text.char_indices() {
        escaped.push(c);
        if c == '%' && encoded::escape_at(text.text.as_bytes(), at).is_none() {
            escaped.push_str("25");
        }
    }
    let is_script = text.text[text.span.start..].starts_with("%u");
    (!is_script && !text.is_in_login()).then_some(escaped)
}

/// The text with each invisible character removed, or a space for it where it looks like one.
pub(super) fn visible(text: &Text<'_>) -> Option<String> {
    let divides = text.is_scheme(&["gopher", "gophers"]) && text.text.contains('\t');
    let seen = |row: &Character| if row.role == Role::Space { " ".into() } else { "".into() };
    (!divides).then(|| with_tabs(with_others(text.text, Role::is_invisible, seen), ""))
}

/// The text with each invisible character as data, where it may mean something.
pub(super) fn escaped_invisible(text: &Text<'_>) -> Option<String> {
    let is_tab = text.text.contains('\t') && !text.is_scheme(&["http", "https"]);
    let is_joiner = || character::position(text.text.as_bytes(), |role| role == Role::Joiner).is_some();
    (is_tab || is_joiner()).then(|| with_tabs(with_others(text.text, Role::is_invisible, escaped), "%09"))
}

/// The text with something else for its characters of some roles.
fn with_others(text: &str, is_meant: impl Fn(Role) -> bool, other: impl Fn(&Character) -> Cow<'static, str>) -> String {
    let (mut others, mut at) = (String::with_capacity(text.len()), 0);
    // Many are the same character again and again.
    let mut last = ('\0', "".into());
    for (start, row) in character::each(text.as_bytes()).filter(|(_, row)| is_meant(row.role)) {
        others.push_str(&text[at..start]);
        if last.0 != row.character {
            last = (row.character, other(row));
        }
        others.push_str(&last.1);
        at = start + row.character.len_utf8();
    }
    others.push_str(&text[at..]);
    others
}

/// The text with something else for each tab.
fn with_tabs(text: String, other: &str) -> String {
    if text.contains('\t') { text.replace('\t', other) } else { text }
}

fn escaped(row: &Character) -> Cow<'static, str> {
    encoded::escape_all(row.character.encode_utf8(&mut [0; 4]).as_bytes())
}

/// The apostrophe of keyboards for that of typesetters.
pub(super) fn straight(text: &Text<'_>) -> Option<String> {
    let straight = text.text.replace(['\u{2018}', '\u{2019}', '\u{201B}'], "'");
    (straight != text.text).then_some(straight)
}

pub(super) fn escaped_quotes(text: &Text<'_>) -> Option<String> {
    Some(with_others(text.text, |role| role == Role::Quote, escaped))
}

/// The two lines joined with their hyphens.
pub(super) fn with_hyphen(text: &Text<'_>) -> Option<String> {
    text.replaced(text.span.start + 1..text.span.end, "")
}

/// The two lines joined without the hyphen.
pub(super) fn without_hyphen(text: &Text<'_>) -> Option<String> {
    text.replaced(text.span.clone(), "")
}

/// The references to characters of HTML that stand for one that is escaped in a URL.
const ENTITIES: [(&str, &str); 5] =
    [("&lt;", "%3C"), ("&gt;", "%3E"), ("&quot;", "%22"), ("&amp;", "&"), ("&#39;", "'")];

/// Whether one of these ends with this semicolon, of which a text may be full.
pub(in super::super) fn is_entity(octets: &[u8], semicolon: usize) -> bool {
    /// What stands before the semicolon of the longest.
    const LONGEST: usize = "&quot".len();
    let end = octets.len().min(semicolon + 1);
    let last = &octets[end.saturating_sub(LONGEST + 1)..end];
    let start = last.iter().rposition(|octet| *octet == b'&');
    start.is_some_and(|start| ENTITIES.iter().any(|(entity, _)| last[start..] == *entity.as_bytes()))
}

pub(super) fn entity_decoded(text: &Text<'_>) -> Option<String> {
    let mut decoded = text.text.to_string();
    for (entity, character) in ENTITIES {
        decoded = decoded.replace(entity, character);
    }
    Some(decoded)
}

pub(super) fn entity_kept(text: &Text<'_>) -> Option<String> {
    Some(text.text.replace(';', "%3B"))
}

/// `;type=` without a typecode.
pub(super) fn without_typecode(text: &Text<'_>) -> Option<String> {
    text.text.strip_suffix(";type=").map(ToString::to_string)
}

/// `;type=` with an escaped typecode.
pub(super) fn typecode(text: &Text<'_>) -> Option<String> {
    let (before, code) = text.text.rsplit_once(";type=")?;
    let decoded = encoded::decode(code.as_bytes());
    match decoded.as_ref() {
        [letter @ (b'a' | b'i' | b'd' | b'A' | b'I' | b'D')] => Some(format!("{before};type={}", char::from(*letter))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{ENTITIES, is_entity};
    use std::format;

    #[test]
    fn a_semicolon_ends_a_reference_that_stands_right_before_it() {
        for (entity, _) in ENTITIES {
            for before in ["", "a;", "&&"] {
                let text = format!("{before}{entity}b");
                let semicolon = before.len() + entity.len() - 1;
                assert!(is_entity(text.as_bytes(), semicolon), "{text}");
                assert!(!is_entity(text.as_bytes(), semicolon - 1), "{text}");
                assert!(!is_entity(&text.as_bytes()[before.len() + 1..], entity.len() - 2), "{text}");
            }
        }
        for text in ["&nbsp;", "quot;", "&quott;", "&;", ";", "&lt;;"] {
            assert!(!is_entity(text.as_bytes(), text.len() - 1), "{text}");
        }
    }
}
