//! The URLs that a text holds, for a refusal that names them (D-77, D-78).

use crate::language::words;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

use super::halt::{Candidate, Halt};
use super::octets::{is_known, is_white, known_scheme_length};
use super::rules::SECOND_URL;
use crate::find::Finder;
use crate::profile::Profile;
use crate::word;

/// So many URLs of one text are named.
const MOST_NAMED: usize = 4;

/// A URL in a text.
pub(super) struct Found {
    pub(super) span: Range<usize>,
    url: String,
}

/// The URLs in a text that differ, with one more than are named.
pub(super) fn urls(text: &[u8]) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    for hit in Finder::new().profile(Profile::Current).hits(text) {
        if found.iter().all(|earlier| earlier.url != hit.as_str()) {
            found.push(Found { span: hit.span(), url: hit.as_str().to_string() });
        }
        if found.len() > MOST_NAMED {
            return found;
        }
    }
    if let (Some(first), true) = (found.first(), found.len() == 1) {
        let end = first.span.end;
        found.extend(host_behind(text, end));
    }
    found
}

/// The name of a web server without its scheme, behind a URL and white space.
pub(super) fn host_behind(text: &[u8], end: usize) -> Option<Found> {
    const WWW: &[u8] = b"www.";
    let mut start = end;
    loop {
        start += word::position_of(text.get(start..)?, *b"wW")?;
        let is_www = text[start..].get(..WWW.len()).is_some_and(|www| www.eq_ignore_ascii_case(WWW));
        if is_www && start > 0 && is_white(text[start - 1]) {
            break;
        }
        start += 1;
    }
    let length = text[start..].iter().take_while(|octet| !is_white(**octet)).count();
    let host = core::str::from_utf8(&text[start..start + length]).ok()?;
    Some(Found { span: start..start + length, url: alloc::format!("http://{host}") })
}

/// The refusal with the URLs that were found.
pub(super) fn named(halt: Halt, found: Vec<Found>) -> Halt {
    let candidate = |found: Found| Candidate::repaired(found.url, words!("found in the text"));
    halt.with(found.into_iter().take(MOST_NAMED).map(candidate).collect())
}

/// Whether the label of a link, where it is a URL, is the URL of the link; `start` is the place of the label in the input.
pub(super) fn agree(label: &[u8], target: &[u8], start: usize) -> Result<(), Halt> {
    if !label.contains(&b':') {
        return Ok(());
    }
    let mut shown = urls(label);
    let leads = urls(target);
    let Some(first) = shown.first().filter(|first| leads.first().is_none_or(|target| target.url != first.url)) else {
        return Ok(());
    };
    let span = start + first.span.start..start + first.span.end;
    shown.truncate(1);
    shown.extend(leads);
    Err(named(Halt::ambiguous(&SECOND_URL, span), shown))
}

/// Where a known scheme and its colon stand right behind another one: `http://http://host.dom/`.
pub(super) fn nested(text: &[u8]) -> Option<usize> {
    let outer = known_scheme_length(text)?;
    let rest = &text[outer + 1..];
    let slashes = rest.iter().take_while(|octet| **octet == b'/').count();
    let inner = &rest[slashes..];
    let authority = &inner[..word::position(inner, b'/').unwrap_or(inner.len())];
    let label = authority.iter().rposition(|octet| *octet == b'.').map_or(0, |dot| dot + 1);
    if slashes == 2 && label > 0 && authority.ends_with(b":") && inner[authority.len()..].starts_with(b"//") {
        let is_scheme = is_known(&authority[label..authority.len() - 1]);
        return is_scheme.then(|| text.len() - inner.len() + label);
    }
    let length = known_scheme_length(inner)?;
    let is_url = inner[length..].starts_with(b":/") || slashes < 2 || inner.contains(&b'@');
    is_url.then_some(text.len() - inner.len())
}

#[cfg(test)]
mod tests {
    use super::host_behind;

    #[test]
    fn the_name_of_a_web_server_stands_behind_white_space_and_not_at_the_start() {
        let found = |text: &[u8], end| host_behind(text, end).map(|found| (found.span, found.url));
        assert_eq!(found(b"www.h.dom:80/", 0), None);
        assert_eq!(found(b"a:b.www.c wWw.h.dom d", 0), Some((10..19, "http://wWw.h.dom".into())));
        assert_eq!(found(b"a www.h.dom", 3), None);
    }
}
