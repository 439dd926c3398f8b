//! gopher, section 3.4: a type character, a selector, a search and a Gopher+ string.

use super::state::{Before, Gopher, Name, Plus, Search, Start};
use super::{Builder, Draft};
use crate::gopherplus::GopherPlus;
use crate::scheme::Scheme;

/// Begins a gopher URL.
///
/// ```
/// use urlwise::{GopherPlus, build};
///
/// let url = build::gopher().host("host.dom").item(b'7', "find").search("old maps").build()?;
/// assert_eq!(url.as_str(), "gopher://host.dom/7find%09old%20maps");
///
/// // An empty search stands before a Gopher+ string (section 3.4.9).
/// let form = GopherPlus::FilledForm { view: None, values: vec![b"red".to_vec()] };
/// let url = build::gopher().host("host.dom").item(b'0', "form").gopherplus(&form).build()?;
/// assert_eq!(url.as_str(), "gopher://host.dom/0form%09%09+%091%0D%0A+-1%0D%0Ared%0D%0A.%0D%0A");
///
/// let error = build::gopher().host("host.dom").item(b'0', "a\r\nb").build().unwrap_err();
/// assert_eq!(error.problem().code(), "gopher-selector-ctl");
/// # Ok::<(), build::Refused>(())
/// ```
pub fn gopher() -> Builder<Gopher, Start> {
    Builder::new(Draft::of_scheme(Scheme::Gopher))
}

/// Begins a gophers URL, which the profile `current` knows.
pub fn gophers() -> Builder<Gopher, Start> {
    Builder::new(Draft::of_scheme(Scheme::Gophers))
}

impl<S: Before<Name>> Builder<Gopher, S> {
    /// The item type, such as `b'0'`, and the selector. Neither may hold HT, LF or CR (D-42, D-44).
    pub fn item(self, gtype: u8, selector: impl AsRef<[u8]>) -> Builder<Gopher, Name> {
        self.octets::<Name>("gtype", [gtype]).octets("selector", selector)
    }
}

impl Builder<Gopher, Name> {
    /// What to search for; may be empty. HT cannot stand in it (D-43).
    pub fn search(self, search: impl AsRef<[u8]>) -> Builder<Gopher, Search> {
        self.octets("search", search)
    }
}

impl<S: Before<Plus>> Builder<Gopher, S> {
    /// What is asked of a Gopher+ server. What gives no string of this form is a problem: `gopherplus-form` (D-46).
    pub fn gopherplus(mut self, plus: &GopherPlus) -> Builder<Gopher, Plus> {
        if !self.draft.has("search") {
            self.draft.push("search", b"");
        }
        self.draft.push_gopherplus(plus);
        Builder::new(self.draft)
    }
}
