//! [`OwnedReference`]: a reference that owns its text.

use alloc::string::{String, ToString};
use core::fmt;
use core::hash::{Hash, Hasher};
use core::str::FromStr;

use crate::encoded::Encoded;
use crate::layout::Layout;
use crate::profile::Profile;
use crate::reference::{Reference, ReferenceError};
use crate::url::{Check, Url};

/// A URL and the fragment that may follow it, in a text of its own: what [`Reference::to_owned`] makes and
/// [`resolve`](Url::resolve) gives, for programs that keep references. It is read once: [`borrow`](OwnedReference::borrow) and
/// [`url`](OwnedReference::url) cost nothing.
///
/// ```
/// use urlwise::{OwnedReference, Profile, Reference};
///
/// let mut kept: Vec<OwnedReference> = Vec::new();
/// {
///     let text = String::from("http://host.dom/a#top");
///     kept.push(Reference::parse(&text)?.to_owned());
///     kept.push(OwnedReference::parse_with(text, Profile::Rfc1738)?); // copies nothing
/// }
/// assert_eq!(kept[0], kept[1]);
/// assert_eq!(kept[0].as_str(), "http://host.dom/a#top");
/// assert_eq!(kept[0].fragment().unwrap(), "top");
///
/// let resolved = kept[0].borrow().resolve("d#e").unwrap();
/// assert_eq!(resolved.as_str(), "http://host.dom/d#e");
/// assert_eq!(resolved.into_url().as_str(), "http://host.dom/d");
/// # Ok::<(), urlwise::ReferenceError>(())
/// ```
#[must_use]
#[derive(Clone)]
pub struct OwnedReference {
    text: String,
    layout: Layout,
    /// That of a registered scheme.
    check: Option<Check>,
    /// Where the URL ends.
    end: usize,
}

impl OwnedReference {
    pub(crate) fn new(text: String, layout: Layout, check: Option<Check>, end: usize) -> Self {
        OwnedReference { text, layout, check, end }
    }

    /// Reads a text and keeps it.
    ///
    /// # Errors
    /// As for [`Reference::parse`].
    pub fn parse_with(text: String, profile: Profile) -> Result<Self, ReferenceError> {
        let (layout, end) = {
            let reference = Reference::parse_with(&text, profile)?;
            (*reference.url().layout(), reference.url().as_str().len())
        };
        Ok(OwnedReference { text, layout, check: None, end })
    }

    /// The same reference, looking at this one's text.
    pub fn borrow(&self) -> Reference<'_> {
        Reference::new(self.url(), self.text.get(self.end + 1..))
    }

    /// The whole text, with the fragment and with any password.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The URL, without the fragment.
    pub fn url(&self) -> Url<&str> {
        Url::from_layout(&self.text[..self.end], self.layout).checked_by(self.check)
    }

    /// The text after the `#`: `None` without a `#`, empty in `http://host/#`.
    pub fn fragment(&self) -> Option<Encoded<'_>> {
        self.text.get(self.end + 1..).map(Encoded::new)
    }

    /// The URL, reusing the memory of the text; the fragment is dropped.
    pub fn into_url(mut self) -> Url<String> {
        self.text.truncate(self.end);
        Url::from_layout(self.text, self.layout).checked_by(self.check)
    }
}

impl Reference<'_> {
    /// The same reference with an owned text.
    pub fn to_owned(&self) -> OwnedReference {
        let url = self.url();
        OwnedReference::new(self.to_string(), *url.layout(), url.check(), url.as_str().len())
    }
}

impl From<Reference<'_>> for OwnedReference {
    fn from(reference: Reference<'_>) -> Self {
        reference.to_owned()
    }
}

impl FromStr for OwnedReference {
    type Err = ReferenceError;

    /// Reads strictly by RFC 1738, as [`Reference::parse`].
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Reference::parse(text)?.to_owned())
    }
}

/// By the text and the [URL](Url), whose profile counts.
impl PartialEq for OwnedReference {
    fn eq(&self, other: &Self) -> bool {
        self.url() == other.url() && self.text == other.text
    }
}

impl Eq for OwnedReference {}

impl Hash for OwnedReference {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.borrow().hash(state);
    }
}

impl AsRef<str> for OwnedReference {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for OwnedReference {
    /// The text, including any password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl fmt::Debug for OwnedReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OwnedReference({}{})", self.url().masked(), &self.text[self.end..])
    }
}
