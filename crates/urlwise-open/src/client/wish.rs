//! What can be wished for beside a document, and what can be known of one (S-31).

use std::time::SystemTime;

/// Wishes for one call of [`Client::open_with`](crate::Client::open_with).
///
/// ```
/// use urlwise_open::{Resume, Wish};
///
/// let mut wish = Wish::default();
/// wish.facts = true;
/// wish.resume = Some(Resume { offset: 1_000, ..Resume::default() });
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Wish {
    /// To go on from a part that is there. It is granted only if the document is provably the same; otherwise it comes from
    /// its beginning, and [`Document::offset`](crate::Document::offset) is 0.
    pub resume: Option<Resume>,
    /// To know enough of the document to [resume](Wish::resume) it should the transfer break. With http and file that is told
    /// anyway; ftp servers are asked for `SIZE` and `MDTM`, two commands more, but not after a file of less than 1 MiB.
    pub facts: bool,
    /// To get a gopher item in another view than the default one. The server is asked first which it has (Gopher+); other
    /// schemes have none, and refuse.
    pub view: Option<ViewWish>,
}

/// A representation to get an item in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ViewWish {
    /// The media type; case does not count.
    pub media_type: String,
    /// The language, such as `de` or `De_DE`; case does not count. `None` takes the first the server has.
    pub language: Option<String>,
}

impl ViewWish {
    /// The Gopher+ string for a server that names its views like this: RFC 1738 section 3.4.8.
    pub(crate) fn gopher_plus(&self) -> Vec<u8> {
        let language = self.language.as_ref().map(|language| format!(" {language}")).unwrap_or_default();
        format!("+{}{language}", self.media_type).into_bytes()
    }
}

/// What is there of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resume {
    /// So many octets, from the first one on.
    pub offset: u64,
    /// What was known of the document when they came.
    pub facts: Facts,
}

/// What is known of a document as a whole; `None` is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// How many octets it has.
    pub size: Option<u64>,
    /// When it was changed last.
    pub modified: Option<SystemTime>,
    /// A text that is the same only for the same octets: the strong `ETag` of http, with its quotation marks.
    pub validator: Option<String>,
    /// The media type, without judgement; octets that are not printable ASCII are escaped.
    pub media_type: Option<String>,
}

/// What one call asks for.
#[derive(Clone, Debug)]
pub(crate) enum Asks {
    /// What the URL names.
    Open(Wish),
    /// A menu, even where only that tells it from a document.
    List,
    /// What is known of a document, and not the document.
    Facts,
}

impl Asks {
    pub(crate) fn resume(&self) -> Option<&Resume> {
        match self {
            Asks::Open(wish) => wish.resume.as_ref(),
            Asks::List | Asks::Facts => None,
        }
    }
}
