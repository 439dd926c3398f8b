//! The reading by WHATWG, using `url`.

use crate::reading::ReadingParts;
use crate::text::Text;
use std::borrow::Cow;
use std::ops::Range;
use url::{Position, Url};

/// The schemes with special rules in WHATWG, which repairs their URLs and defines their default ports.
const SPECIAL: [&str; 6] = ["ftp", "file", "http", "https", "ws", "wss"];

/// Whether WHATWG calls a scheme special.
pub(crate) fn is_special(scheme: &[u8]) -> bool {
    SPECIAL.iter().any(|special| special.as_bytes().eq_ignore_ascii_case(scheme))
}

/// Parses by the URL standard.
pub(crate) fn read(octets: &[u8]) -> Result<ReadingParts<'_, Text<'_>>, String> {
    let text = std::str::from_utf8(octets).map_err(|_| "it is not UTF-8".to_owned())?;
    let url = Url::parse(text).map_err(|error| error.to_string())?;
    let range = |start: Position, end: Position| url[..start].len()..url[..end].len();
    let user = range(Position::BeforeUsername, Position::AfterUsername);
    let password = url.password().map(|_| range(Position::BeforePassword, Position::AfterPassword));
    let host = url.host_str().map(|_| range(Position::BeforeHost, Position::AfterHost));
    let path = range(Position::BeforePath, Position::AfterPath);
    let query = url.query().map(|_| range(Position::BeforeQuery, Position::AfterQuery));
    let fragment = url.fragment().map(|_| range(Position::BeforeFragment, Position::AfterFragment));
    let scheme = 0..url.scheme().len();
    let port = url.port().map(|port| Cow::Owned(port.to_string()));
    let serialized = Serialized { text, url: String::from(url) };
    Ok(ReadingParts {
        scheme: serialized.part(scheme).written(),
        // This parser does not distinguish an empty user from none.
        user: (!user.is_empty() || password.is_some()).then(|| serialized.part(user)),
        password: password.map(|range| serialized.part(range)),
        host: host.map(|range| serialized.part(range)),
        port,
        query: query.map(|range| serialized.part(range)),
        fragment: fragment.map(|range| serialized.part(range)),
        // Most often the longest.
        path: serialized.last_part(path),
    })
}

/// A URL as the parser writes it, and the text that it was read from.
struct Serialized<'a> {
    text: &'a str,
    url: String,
}

impl<'a> Serialized<'a> {
    /// A part of the text if it is the same there but for capitals, most often at the same distance from the start or from the end.
    fn written(&self, range: &Range<usize>) -> Option<Text<'a>> {
        let part = &self.url[range.clone()];
        let from_end = (self.text.len() + range.start).checked_sub(self.url.len());
        let is_there = |written: &&str| written.eq_ignore_ascii_case(part);
        let at = |start: usize| self.text.get(start..start + part.len()).filter(is_there);
        let written = at(range.start).or_else(|| at(from_end?))?;
        if written == part {
            return Some(Text::from(written));
        }
        let lowercase = written.bytes().map(|octet| octet.to_ascii_lowercase());
        lowercase.eq(part.bytes()).then_some(Text::Lowercase(written))
    }

    fn part(&self, range: Range<usize>) -> Text<'a> {
        self.written(&range).unwrap_or_else(|| Text::Written(Cow::Owned(self.url[range].to_owned())))
    }

    /// The same, without a copy.
    fn last_part(mut self, range: Range<usize>) -> Text<'a> {
        if let Some(written) = self.written(&range) {
            return written;
        }
        self.url.truncate(range.end);
        self.url.drain(..range.start);
        Text::Written(Cow::Owned(self.url))
    }
}
