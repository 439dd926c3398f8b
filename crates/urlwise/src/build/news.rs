//! news, section 3.6: all groups, one group, or one article.

use super::state::{End, News, Start};
use super::{Builder, Draft};
use crate::scheme::Scheme;

/// Begins a news URL.
///
/// ```
/// use urlwise::build;
///
/// assert_eq!(build::news().all().build()?.as_str(), "news:*");
/// assert_eq!(build::news().group("comp.lang.c++").build()?.as_str(), "news:comp.lang.c++");
/// assert_eq!(build::news().article("3e4@", "host.dom").build().unwrap_err().problem().code(), "news-msgid");
/// # Ok::<(), build::Refused>(())
/// ```
pub fn news() -> Builder<News, Start> {
    Builder::new(Draft::of_scheme(Scheme::News))
}

/// Begins an snews URL, which the profile `current` knows.
pub fn snews() -> Builder<News, Start> {
    Builder::new(Draft::of_scheme(Scheme::Snews))
}

impl Builder<News, Start> {
    /// All newsgroups.
    pub fn all(self) -> Builder<News, End> {
        self.plain("all", "*")
    }

    /// One newsgroup. Names have no escapes.
    pub fn group(self, group: impl AsRef<str>) -> Builder<News, End> {
        self.plain("group", group.as_ref())
    }

    /// One article by the two sides of its Message-ID, without `<` and `>`. A `/` is encoded: RFC 5538 would divide there.
    pub fn article(self, unique: impl AsRef<[u8]>, host: impl AsRef<str>) -> Builder<News, End> {
        self.octets::<End>("unique", unique).plain("host", host.as_ref())
    }
}
