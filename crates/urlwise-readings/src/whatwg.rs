//! The reading by WHATWG, using `url`.

use crate::reading::{Reading, ReadingParts};
use std::borrow::Cow;
use url::Url;

/// The schemes with special rules in WHATWG, which repairs their URLs and defines their default ports.
const SPECIAL: [&str; 6] = ["ftp", "file", "http", "https", "ws", "wss"];

/// Whether WHATWG calls a scheme special.
pub(crate) fn is_special(scheme: &[u8]) -> bool {
    SPECIAL.iter().any(|special| special.as_bytes().eq_ignore_ascii_case(scheme))
}

/// Parses by the URL standard.
pub(crate) fn read(octets: &[u8]) -> Reading<'static> {
    Reading(parts(octets))
}

fn parts(octets: &[u8]) -> Result<ReadingParts<'static>, String> {
    let text = std::str::from_utf8(octets).map_err(|_| "it is not UTF-8".to_owned())?;
    let url = Url::parse(text).map_err(|error| error.to_string())?;
    let own = |text: &str| Cow::Owned(text.to_owned());
    Ok(ReadingParts {
        scheme: own(url.scheme()),
        // This parser does not distinguish an empty user from none.
        user: (!url.username().is_empty() || url.password().is_some()).then(|| own(url.username())),
        password: url.password().map(own),
        host: url.host_str().map(own),
        port: url.port().map(|port| Cow::Owned(port.to_string())),
        path: own(url.path()),
        query: url.query().map(own),
        fragment: url.fragment().map(own),
    })
}
