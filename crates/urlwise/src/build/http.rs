//! http, section 3.3: `http://hostport/path?searchpart`.

use super::state::{Before, End, Http, Path, Search, Start};
use super::{Builder, Draft};
use crate::scheme::Scheme;

/// Begins an http URL.
///
/// ```
/// use urlwise::build;
///
/// let url = build::http().host("host.dom").port(8001).segments(["a", "", "b/c"]).search("q=1&r=/").build()?;
/// assert_eq!(url.as_str(), "http://host.dom:8001/a//b%2Fc?q=1&r=%2F");
/// assert_eq!(build::http().host("host.dom").search("").build()?.as_str(), "http://host.dom/?");
/// # Ok::<(), build::Refused>(())
/// ```
pub fn http() -> Builder<Http, Start> {
    Builder::new(Draft::of_scheme(Scheme::Http))
}

/// Begins an https URL, which the profile `current` knows.
pub fn https() -> Builder<Http, Start> {
    Builder::new(Draft::of_scheme(Scheme::Https))
}

impl<S: Before<Path>> Builder<Http, S> {
    /// One segment of the path; a `/` in it is data.
    pub fn segment(self, segment: impl AsRef<[u8]>) -> Builder<Http, Path> {
        self.octets("segment", segment)
    }

    /// The segments of the path that come next. Without any, the path is absent.
    pub fn segments<O: AsRef<[u8]>>(mut self, segments: impl IntoIterator<Item = O>) -> Builder<Http, Path> {
        segments.into_iter().for_each(|segment| self.draft.push_octets("segment", segment.as_ref()));
        Builder::new(self.draft)
    }
}

impl<S: Before<Search>> Builder<Http, S> {
    /// What follows the `?`. `&` and `=` stay as they are: the search is one part, and what a form means by them is a matter of
    /// that form. A URL with a search has a path, if need be an empty one (D-37).
    pub fn search(mut self, search: impl AsRef<[u8]>) -> Builder<Http, End> {
        if !self.draft.has("segment") {
            self.draft.push("segment", b"");
        }
        self.octets("search", search)
    }
}
