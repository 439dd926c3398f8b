//! wais, section 3.9: a database, a search in it, or one of its documents.

use super::state::{Before, End, Name, Start, Wais};
use super::{Builder, Draft};
use crate::scheme::Scheme;

/// Begins a wais URL.
///
/// ```
/// use urlwise::build;
///
/// let url = build::wais().host("host.dom").database("archie").search("gopher client").build()?;
/// assert_eq!(url.as_str(), "wais://host.dom/archie?gopher%20client");
/// let url = build::wais().host("host.dom").database("src").document("TEXT", b"\x02\x03/db").build()?;
/// assert_eq!(url.as_str(), "wais://host.dom/src/TEXT/%02%03%2Fdb");
/// # Ok::<(), build::Refused>(())
/// ```
pub fn wais() -> Builder<Wais, Start> {
    Builder::new(Draft::of_scheme(Scheme::Wais))
}

impl<S: Before<Name>> Builder<Wais, S> {
    /// The database; alone, one that can be searched.
    pub fn database(self, database: impl AsRef<[u8]>) -> Builder<Wais, Name> {
        self.octets("database", database)
    }
}

impl Builder<Wais, Name> {
    /// The words to search for.
    pub fn search(self, search: impl AsRef<[u8]>) -> Builder<Wais, End> {
        self.octets("search", search)
    }

    /// One document: its type and the octets of its document-id, as the server gave them. The id is opaque (section 3.9), so
    /// every octet that is reserved or unsafe is encoded.
    pub fn document(self, wtype: impl AsRef<[u8]>, id: impl AsRef<[u8]>) -> Builder<Wais, End> {
        self.octets::<Name>("wtype", wtype).octets("wpath", id)
    }
}
