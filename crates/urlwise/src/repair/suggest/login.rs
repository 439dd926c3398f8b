//! Logins and mail addresses.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};

use super::text::Text;
use crate::word;

/// Without user and password.
pub(super) fn removed(text: &Text<'_>) -> Option<String> {
    let (_, host) = text.text[text.authority()?].split_once('@')?;
    (!host.contains('@')).then(|| text.with_authority(host)).flatten()
}

/// `finger://joe@host/`, whose user is a path here. A password is never moved to where it would be shown.
pub(super) fn finger_user(text: &Text<'_>) -> Option<String> {
    let (user, host) = text.text[text.authority()?].split_once('@')?;
    let path = &text.text[text.authority()?.end..];
    let is_bare = text.is_scheme(&["finger"]) && path.len() < 2 && !user.contains(':');
    is_bare.then(|| format!("finger://{host}/{user}"))
}

/// `finger:joe@host`.
pub(super) fn finger(text: &Text<'_>) -> Option<String> {
    let (_, rest) = text.split()?;
    let (user, host) = rest.split_once('@')?;
    let is_bare = text.is_scheme(&["finger"]) && !user.contains(':');
    is_bare.then(|| format!("finger://{host}/{user}"))
}

/// A mail address as the user of an ftp login: the last `@` ends it.
pub(super) fn first_at_escaped(text: &Text<'_>) -> Option<String> {
    let authority = &text.text[text.authority()?];
    let is_plain = text.is_scheme(&["ftp", "ftps"]) && authority.matches('@').count() == 2;
    is_plain.then(|| text.with_authority(&authority.replacen('@', "%40", 1))).flatten()
}

/// `ftp://joe@host.dom:pw/x`.
pub(super) fn swapped(text: &Text<'_>) -> Option<String> {
    let (user, hostport) = text.text[text.authority()?].split_once('@')?;
    let (host, password) = hostport.split_once(':')?;
    let is_password = !user.contains(':') && password.bytes().any(|octet| octet.is_ascii_alphabetic());
    is_password.then(|| text.with_authority(&format!("{user}:{password}@{host}"))).flatten()
}

/// `ftp://joe:pa/ss@host.dom/`.
pub(super) fn slash_in_password(text: &Text<'_>) -> Option<String> {
    let authority = text.authority()?;
    let rest = text.text.get(authority.end + 1..)?;
    let (password, host) = rest.split_once('@')?;
    let is_login = !password.contains(['/', '@']) && !host.contains('@');
    is_login.then(|| text.replaced(authority.end..authority.end + 1, "%2F")).flatten()
}

/// The address inside a name with brackets, a comment, a route, or before punctuation or a port.
pub(super) fn mailbox(text: &Text<'_>) -> Option<String> {
    let (name, rest) = text.split().filter(|_| text.is_scheme(&["mailto"]))?;
    let decoded = without(rest, &[("%20", " "), ("%3C", "<"), ("%3E", ">")]);
    let address = match (decoded.split_once('<'), decoded.split_once('('), decoded.strip_prefix('@')) {
        (Some((_, rest)), _, _) => rest.split('>').next()?.to_string(),
        (None, Some((before, rest)), _) => format!("{before}{}", rest.split_once(')')?.1),
        (None, None, Some(route)) => route.split_once(':')?.1.to_string(),
        (None, None, None) => {
            let (address, port) = decoded.split_once(':').unwrap_or((&decoded, ""));
            let address = if port.bytes().all(|octet| octet.is_ascii_digit()) { address } else { &decoded };
            address.trim_end_matches(['.', ',', ';']).to_string()
        }
    };
    (address != rest && address.contains('@')).then(|| format!("{name}:{}", address.trim()))
}

/// A text with these characters in place of their escapes.
fn without<'a>(text: &'a str, escapes: &[(&str, &str)]) -> Cow<'a, str> {
    escapes.iter().fold(text.into(), |text, (escape, character)| match text.contains(escape) {
        true => text.replace(escape, character).into(),
        false => text,
    })
}

fn list<'a>(text: &Text<'a>) -> Option<(&'a str, &'a str, &'a str)> {
    let (name, rest) = text.split().filter(|_| text.is_scheme(&["mailto"]))?;
    let comma = word::position_of(rest.as_bytes(), *b",;")?;
    let (first, second) = (&rest[..comma], &rest[comma + 1..]);
    let are_two = first.contains('@') && second.contains('@') && !second.contains([',', ';']);
    are_two.then(|| (name, first.trim(), second.trim_start_matches("%20").trim()))
}

pub(super) fn first_mailbox(text: &Text<'_>) -> Option<String> {
    list(text).map(|(name, first, _)| format!("{name}:{first}"))
}

pub(super) fn second_mailbox(text: &Text<'_>) -> Option<String> {
    list(text).map(|(name, _, second)| format!("{name}:{second}"))
}

/// `joe doe@host.dom` as `"joe doe"@host.dom`.
pub(super) fn quoted(text: &Text<'_>) -> Option<String> {
    let (name, rest) = text.split().filter(|_| text.is_scheme(&["mailto"]))?;
    let (local, domain) = rest.rsplit_once('@')?;
    let words = without(local, &[("%20", " ")]);
    let are_words =
        words.contains(' ') && words.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, ' ' | '.' | '-'));
    are_words.then(|| format!("{name}:%22{}%22@{domain}", words.replace(' ', "%20")))
}
