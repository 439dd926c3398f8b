//! Schemes that are missing, or that should be others.

use crate::language::{Words, words};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::super::disarmed::disarmed;
use super::super::halt::Candidate;
use super::super::octets::{LONGEST, is_known};
use super::text::Text;
use crate::profile::Profile;
use crate::scheme::Scheme;
use crate::start::trap;

/// The first label of a host and the scheme that such hosts serve.
const BY_LABEL: [(&str, &str); 6] = [
    ("www", "http"),
    ("ftp", "ftp"),
    ("gopher", "gopher"),
    ("telnet", "telnet"),
    ("wais", "wais"),
    ("prospero", "prospero"),
];

/// What names of files rather than of hosts end with.
const FILE_SUFFIXES: [&str; 16] =
    ["md", "html", "htm", "txt", "pdf", "json", "toml", "xml", "csv", "rs", "py", "sh", "js", "png", "jpg", "zip"];

pub(super) fn missing(text: &Text<'_>) -> Option<String> {
    with_scheme(text.text)
}

/// The URL probably meant by a text without a scheme.
pub(in super::super) fn with_scheme(text: &str) -> Option<String> {
    if let Some(rest) = text.strip_prefix("//") {
        return host_length(rest).map(|_| format!("http:{text}"));
    }
    if text.starts_with('/') {
        return Some(format!("file://{text}"));
    }
    let text = text.trim_end_matches(['.', ',', ';', '!', '?']);
    if let Some((local, domain)) = text.split_once('@') {
        let behind = host_length(domain).map(|length| &domain[length..]);
        let is_whole = behind.is_some_and(|behind| behind.is_empty() || behind.starts_with('?'));
        let is_address = !local.is_empty() && !local.contains([' ', '/']) && is_whole;
        return is_address.then(|| format!("mailto:{text}"));
    }
    let host = &text[..host_length(text)?];
    if host == text && FILE_SUFFIXES.contains(&host.rsplit('.').next().unwrap_or_default()) {
        return None;
    }
    let label = host.split('.').next().unwrap_or_default();
    let scheme =
        BY_LABEL.iter().find(|(known, _)| label.eq_ignore_ascii_case(known)).map_or("http", |(_, scheme)| scheme);
    Some(format!("{scheme}://{text}"))
}

/// The length of what is clearly a host at the start of a text, if nothing but a port, path or query follows: a name with a
/// dot and letters behind the last one, an address, or `localhost`.
fn host_length(text: &str) -> Option<usize> {
    let length = text.find(['/', '?', ':', '#']).unwrap_or(text.len());
    let host = &text[..length];
    let is_label = |label: &str| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-');
    let (_, top) = host.rsplit_once('.').unwrap_or_default();
    let is_name = top.chars().count() > 1 && top.chars().all(char::is_alphabetic);
    let is_address = host.parse::<core::net::Ipv4Addr>().is_ok();
    let is_host = host.eq_ignore_ascii_case("localhost") || is_address || is_name;
    (is_host && host.split('.').all(is_label)).then_some(length)
}

/// `://host.dom/`.
pub(super) fn empty(text: &Text<'_>) -> Option<String> {
    text.text.starts_with("://").then(|| format!("http{}", text.text))
}

/// `127.0.0.1:80/x` and what else is a scheme by its form.
pub(super) fn trapped(text: &Text<'_>) -> Option<String> {
    trap::suggestion(text.text)
}

/// `news://server/group` where only nntp names a server.
pub(super) fn nntp(text: &Text<'_>) -> Option<String> {
    let (name, rest) = text.split()?;
    (name.eq_ignore_ascii_case("news") && rest.starts_with("//")).then(|| format!("nntp:{rest}"))
}

/// `nntp://host/id@host`, which news has.
pub(super) fn news(text: &Text<'_>) -> Option<String> {
    let path = text.text.get(text.authority()?.end + 1..)?;
    (text.is_scheme(&["nntp"]) && path.contains('@')).then(|| format!("news:{path}"))
}

/// What may have been meant by a valid text.
pub(in super::super) fn of_valid(text: &str) -> Vec<Candidate> {
    if text.len() > LONGEST {
        return Vec::new();
    }
    let one = |text: String, why| alloc::vec![Candidate { text, why, is_exact: true }];
    if let Some((name, scheme)) = disarmed(text.as_bytes()) {
        return one(format!("{scheme}{}", &text[name.len()..]), words!("the URL before it was defanged"));
    }
    let Some((name, rest)) = text.split_once(':') else { return Vec::new() };
    if let Some(meant) = trap::suggestion(text).filter(|meant| meant != text) {
        let is_file = name.eq_ignore_ascii_case("file");
        let why = if is_file { of_file(rest) } else { Some(words!("with a known scheme")) };
        if let Some(why) = why {
            return one(meant, why);
        }
    }
    let doubled = doubled(name, rest);
    if !doubled.is_empty() {
        return doubled;
    }
    if rest.contains('&') && rest.contains("&amp;") && rest.contains('?') && !name.eq_ignore_ascii_case("mailto") {
        return one(text.replace("&amp;", "&"), words!("`&amp;` is HTML for `&`"));
    }
    let trimmed = text.trim_end_matches(['.', ',', ';', '!', '\'', ':']);
    let trimmed = match trimmed.strip_suffix(')') {
        Some(inside) if !inside.contains('(') => inside,
        _ => trimmed,
    };
    let trimmed = &text[..trimmed.len().max(end_of_attributes(name, text))];
    // Three dots stand for a name that was cut, and two are a segment of their own.
    let is_name = text.ends_with("...") || text.ends_with("/..");
    match trimmed.len() < text.len() && !is_name {
        true => one(trimmed.to_string(), words!("the punctuation at the end usually belongs to the sentence")),
        false => Vec::new(),
    }
}

/// Why three slashes may have been meant in a file URL; `None` if its host is this machine in another spelling.
fn of_file(rest: &str) -> Option<Words> {
    let Some(rest) = rest.strip_prefix("//") else {
        return Some(words!("`//` and an empty host must precede the path of a file"));
    };
    match rest.split('/').next().unwrap_or_default() {
        "" => Some(words!("with one slash before the path")),
        host if host.eq_ignore_ascii_case("localhost") => None,
        _ => Some(words!("with the name as the first directory of a local path")),
    }
}

/// The end of a Gopher+ string `!`, which asks for attributes; 0 if the URL has none.
fn end_of_attributes(name: &str, text: &str) -> usize {
    let is_gopher = Scheme::from_name(name.as_bytes(), Profile::Current).base() == Scheme::Gopher;
    let mut tabs = text.match_indices("%09").filter(|_| is_gopher);
    let start = tabs.nth(1).map(|(start, tab)| start + tab.len());
    start.filter(|&start| text[start..].starts_with('!')).map_or(0, |start| start + 1)
}

/// `https://http//host.dom/` and `http://http://host.dom/`: the second scheme, which stands before the host. Without its
/// colon it may also be what is left of a scheme that was replaced by the first one.
fn doubled(name: &str, rest: &str) -> Vec<Candidate> {
    let why = words!("there is one scheme too many");
    for known in ["http", "https", "ftp"] {
        let inner = rest.strip_prefix("//").and_then(|rest| rest.strip_prefix(known));
        let Some(inner) = inner.filter(|_| is_known(name.as_bytes())) else { continue };
        let schemes = match inner.starts_with(':') {
            true => &[known][..],
            false => &[known, name][..],
        };
        let slashes = inner.strip_prefix(':').unwrap_or(inner);
        if slashes.starts_with("//") {
            let candidate = |scheme| Candidate { text: format!("{scheme}:{slashes}"), why, is_exact: true };
            return schemes.iter().map(candidate).collect();
        }
    }
    Vec::new()
}
