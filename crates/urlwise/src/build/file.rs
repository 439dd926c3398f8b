//! file, section 3.10: `file://host/path`; the host may be empty.

use super::state::{Before, File, Host, Path, Start};
use super::{Builder, Draft};
use crate::scheme::Scheme;

/// Begins a file URL. For the paths of an operating system there is [`path`](crate::path).
///
/// ```
/// use urlwise::build;
///
/// assert_eq!(build::file().local().segments(["etc", "a?b"]).build()?.as_str(), "file:///etc/a%3Fb");
/// assert_eq!(build::file().host("vms.host.edu").segment("x").build()?.as_str(), "file://vms.host.edu/x");
/// # Ok::<(), build::Refused>(())
/// ```
pub fn file() -> Builder<File, Start> {
    Builder::new(Draft::of_scheme(Scheme::File))
}

impl Builder<File, Start> {
    /// The machine that interprets the URL: the host is empty (D-63).
    pub fn local(self) -> Builder<File, Host> {
        self.plain("host", "")
    }
}

impl<S: Before<Path>> Builder<File, S> {
    /// One segment of the path; a `/` in it is data, and names no file (D-65). A directory ends with an empty one.
    pub fn segment(self, segment: impl AsRef<[u8]>) -> Builder<File, Path> {
        self.octets("segment", segment)
    }

    /// The segments of the path that come next; a file URL has at least one.
    pub fn segments<O: AsRef<[u8]>>(mut self, segments: impl IntoIterator<Item = O>) -> Builder<File, Path> {
        segments.into_iter().for_each(|segment| self.draft.push_octets("segment", segment.as_ref()));
        Builder::new(self.draft)
    }
}
