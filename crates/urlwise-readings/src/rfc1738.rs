//! The reading by RFC 1738, in the form of the others.

use crate::reading::{Reading, ReadingParts};
use std::borrow::Cow;
use urlwise::{Locator, Profile, Url};

/// Parses by RFC 1738 or its successors.
pub(crate) fn read(octets: &[u8], profile: Profile) -> Reading<'_> {
    Reading(match Url::from_octets(octets, profile) {
        Ok(url) => Ok(parts(&url)),
        Err(error) => Err(error.problem().message().to_string()),
    })
}

/// The parts of a URL that has been read.
pub(crate) fn parts<'a>(url: &Url<&'a str>) -> ReadingParts<'a> {
    let text = (*url).into_inner();
    // ReadingParts are slices of the text; those of a view cannot outlive it, so they are sliced again by their spans.
    let cut = |name: &str| url.parts().find(|part| part.name() == name).map(|part| Cow::Borrowed(&text[part.span()]));
    // Nothing connects to the host in a Message-ID, only to the server of a news URL.
    let host = cut("server").or_else(|| url.host().and_then(|_| cut("host")));
    let query = match url.locator() {
        Locator::Http(_) | Locator::Wais(_) => cut("search"),
        Locator::Other(_) => cut("query"),
        _ => None,
    };
    let last = if cut("server").is_some() { ["server", "port"] } else { ["host", "port"] };
    let places = url.parts().filter(|part| host.is_some() && last.contains(&part.name()));
    let behind = places.map(|part| part.span().end).max();
    let start = behind.unwrap_or(url.scheme_name().len() + 1);
    let end = query.as_ref().map_or(text.len(), |query| text.len() - query.len() - 1);
    let path = text.get(start..end).unwrap_or_default();
    ReadingParts {
        scheme: Cow::Borrowed(&text[..url.scheme_name().len()]),
        user: cut("user"),
        password: cut("password"),
        host,
        port: cut("port"),
        path: Cow::Borrowed(path),
        query,
        fragment: None,
    }
}
