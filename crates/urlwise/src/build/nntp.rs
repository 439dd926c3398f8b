//! nntp, section 3.7: `nntp://hostport/group/article-number`.

use alloc::string::ToString;

use super::state::{Before, End, Name, Nntp, Start};
use super::{Builder, Draft};
use crate::scheme::Scheme;

/// Begins an nntp URL.
///
/// ```
/// use urlwise::build;
///
/// let url = build::nntp().host("news.host.dom").group("comp.lang.c++").article(1234).build()?;
/// assert_eq!(url.as_str(), "nntp://news.host.dom/comp.lang.c++/1234");
/// # Ok::<(), build::Refused>(())
/// ```
pub fn nntp() -> Builder<Nntp, Start> {
    Builder::new(Draft::of_scheme(Scheme::Nntp))
}

/// Begins an nntps URL, which the profile `current` knows.
pub fn nntps() -> Builder<Nntp, Start> {
    Builder::new(Draft::of_scheme(Scheme::Nntps))
}

impl<S: Before<Name>> Builder<Nntp, S> {
    /// The newsgroup. Names have no escapes.
    pub fn group(self, group: impl AsRef<str>) -> Builder<Nntp, Name> {
        self.plain("group", group.as_ref())
    }
}

impl Builder<Nntp, Name> {
    /// The number of the article; without one, the URL names the group (D-61).
    pub fn article(self, number: u64) -> Builder<Nntp, End> {
        self.plain("article", &number.to_string())
    }
}
