//! [`Url`]: a text with one exact reading.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};

use self::objection::Objection;
use crate::encoded::Encoded;
use crate::host::Host;
use crate::layout::{self, Layout};
use crate::parts::Parts;
use crate::profile::Profile;
use crate::scheme::secret::Masked;
use crate::scheme::{Locator, Scheme, view::View};
use crate::text::Text;

pub(crate) mod common;
pub(crate) mod objection;
pub(crate) mod parse;
pub(crate) mod parse_error;
pub(crate) mod rules;

/// A valid URL. It keeps its text as it came, borrowed or owned, and knows where each part stands.
///
/// `T` holds the text: `&str`, `String`, `Box<str>`, `Cow<str>`. Parsing copies and allocates nothing.
///
/// Two URLs are equal when text and profile are, and what a [registry](crate::registry) has said of it: the default port, and
/// whether it has a host. The profile counts because one text may have two readings, which hold even where they happen to be the
/// same: the path of `x-y://host.dom/a?b` ends at the `?` by `current` and does not by `rfc1738`. Different texts may still mean
/// the same (section 2.2): [`compare`](Url::compare) knows. URLs are ordered by text, then by profile; so `Url` is not
/// `Borrow<str>`.
///
/// ```
/// use urlwise::{Locator, Url};
///
/// let url = Url::parse("ftp://@host.com/pub/;type=d")?;
/// assert_eq!(url.as_str(), "ftp://@host.com/pub/;type=d");
/// assert!(url.user().unwrap().is_empty()); // an empty user name is not an absent one: section 3.1
/// assert_eq!(url.password(), None);
/// assert_eq!(url.port_or_default(), Some(21));
/// # Ok::<(), urlwise::ParseError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Url<T> {
    text: T,
    layout: Layout,
    /// That of a registered scheme; what else such a URL was read by is in the layout.
    check: Option<Check>,
}

/// A scheme's own check: looks at a URL whose syntax is in order, and may object. See [`NewScheme::with_check`](crate::registry::NewScheme::with_check).
pub type Check = fn(&Url<&str>) -> Result<(), Objection>;

impl<T: AsRef<str>> Url<T> {
    pub(crate) fn from_layout(text: T, layout: Layout) -> Self {
        Url { text, layout, check: None }
    }

    /// The same, read by the rules of a registered scheme that has this check.
    pub(crate) fn checked_by(self, check: Option<Check>) -> Self {
        Url { check, ..self }
    }

    /// That of the registered scheme that it was read by.
    pub(crate) fn check(&self) -> Option<Check> {
        self.check
    }

    #[inline]
    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The text as it came.
    #[inline]
    pub fn as_str(&self) -> &str {
        self.text.as_ref()
    }

    /// The holder of the text.
    pub fn into_inner(self) -> T {
        self.text
    }

    /// The same URL, looking at this one's text.
    pub fn borrow(&self) -> Url<&str> {
        Url::from_layout(self.as_str(), self.layout).checked_by(self.check)
    }

    /// The same URL with an owned text.
    pub fn to_owned(&self) -> Url<String> {
        Url::from_layout(self.as_str().to_owned(), self.layout).checked_by(self.check)
    }

    /// The grammar it was read by.
    pub fn profile(&self) -> Profile {
        self.layout.profile()
    }

    /// The scheme; [`Scheme::Other`] for those without rules under this profile.
    #[inline]
    pub fn scheme(&self) -> Scheme {
        self.layout.scheme().unwrap_or(Scheme::Other)
    }

    /// The port in force: the one written, else the scheme's default; `None` where there is neither.
    pub fn port_or_default(&self) -> Option<u16> {
        self.layout.port_or_default()
    }

    /// The port in force where none is written: the scheme's, also that of a [registered](crate::registry) one; `None` where it
    /// has none.
    pub fn default_port(&self) -> Option<u16> {
        self.scheme().default_port().or(self.layout.registered_port())
    }

    /// The text with each password replaced by `***`, also those of URLs inside it ([`secrets`](crate::secrets)): what belongs
    /// in messages and logs.
    ///
    /// ```
    /// let url = urlwise::Url::parse("ftp://jim:s3cret@host.dom/x")?;
    /// assert_eq!(url.masked().to_string(), "ftp://jim:***@host.dom/x");
    /// # Ok::<(), urlwise::ParseError>(())
    /// ```
    pub fn masked(&self) -> impl fmt::Display + '_ {
        Masked(self.as_str())
    }
}

/// The parts live as long as the text: as long as `'t` where `T` is `&'t str`.
impl<'i, 't, T: Text<'i, 't>> Url<T> {
    /// The typed view of this scheme's parts. It copies their places, so that its parts live as long as the text; a URL that is
    /// generic over its holder is [borrowed](Url::borrow) first.
    #[inline]
    pub fn locator(&'i self) -> Locator<'t> {
        let scheme = self.layout.scheme().unwrap_or(Scheme::Other);
        Locator::new(scheme, View { text: self.text.text(), layout: self.layout })
    }

    /// As [`borrow`](Url::borrow), but it lives as long as the text: what is made of it outlives a `&Url<&str>`.
    pub fn reborrow(&'i self) -> Url<&'t str> {
        Url::from_layout(self.text.text(), self.layout).checked_by(self.check)
    }

    /// The scheme's name as written, in any case (D-02).
    pub fn scheme_name(&'i self) -> &'t str {
        let name = self.layout.scheme_name.range();
        name.and_then(|span| self.text.text().get(span)).unwrap_or_default()
    }

    /// All that follows the scheme's colon.
    pub fn schemepart(&'i self) -> &'t str {
        let name = self.layout.scheme_name.range();
        name.and_then(|span| self.text.text().get(span.end + 1..)).unwrap_or_default()
    }

    /// The user name: `None` where no login is written, empty in `//@host` (section 3.1, D-24).
    pub fn user(&'i self) -> Option<Encoded<'t>> {
        self.slot(layout::USER).map(Encoded::new)
    }

    /// The password: `None` where none is written, empty in `//user:@host` (section 3.1, D-24).
    pub fn password(&'i self) -> Option<Encoded<'t>> {
        self.slot(layout::PASSWORD).map(Encoded::new)
    }

    /// The host; `None` for schemes without one, empty only in `file:///path`. The host of a Message-ID does not count.
    pub fn host(&'i self) -> Option<Host<'t>> {
        self.slot(layout::HOST).map(|text| Host::new(text, self.layout.host_kind()))
    }

    /// The port's digits as written; `None` where no port is written.
    pub fn port(&'i self) -> Option<&'t str> {
        self.slot(layout::PORT)
    }

    /// All parts in the order they stand, each with its place in the text.
    pub fn parts(&'i self) -> Parts<'t> {
        Parts::new(self.text.text().as_bytes(), self.layout)
    }

    #[inline]
    fn slot(&'i self, slot: usize) -> Option<&'t str> {
        let span = self.layout.slots[slot].range()?;
        self.text.text().get(span)
    }
}

impl<'a> Url<&'a str> {
    /// The text, for as long as it lives.
    pub(crate) fn text(&self) -> &'a str {
        self.text
    }
}

impl<T: AsRef<str>> AsRef<str> for Url<T> {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl<T: AsRef<str>> fmt::Display for Url<T> {
    /// The text as it came, password and all; see [`masked`](Url::masked).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl<T: AsRef<str>> fmt::Debug for Url<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Url({})", self.masked())
    }
}

impl<T: AsRef<str>> Url<T> {
    /// What tells two URLs apart. Only a registry can read one text by one profile with or without a host or a default port.
    fn identity(&self) -> (&str, Profile, Option<u16>, bool) {
        let has_no_host = self.layout.slots[layout::HOST].is_absent();
        (self.as_str(), self.profile(), self.layout.registered_port(), has_no_host)
    }
}

impl<T: AsRef<str>, U: AsRef<str>> PartialEq<Url<U>> for Url<T> {
    fn eq(&self, other: &Url<U>) -> bool {
        self.identity() == other.identity()
    }
}

impl<T: AsRef<str>> Eq for Url<T> {}

impl<T: AsRef<str>, U: AsRef<str>> PartialOrd<Url<U>> for Url<T> {
    fn partial_cmp(&self, other: &Url<U>) -> Option<Ordering> {
        Some(self.identity().cmp(&other.identity()))
    }
}

impl<T: AsRef<str>> Ord for Url<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.identity().cmp(&other.identity())
    }
}

impl<T: AsRef<str>> Hash for Url<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.as_str(), self.profile()).hash(state);
    }
}

impl<T: AsRef<str>> PartialEq<str> for Url<T> {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl<T: AsRef<str>> PartialEq<&str> for Url<T> {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl From<Url<String>> for String {
    fn from(url: Url<String>) -> Self {
        url.into_inner()
    }
}

impl From<Url<&str>> for Url<String> {
    fn from(url: Url<&str>) -> Self {
        url.to_owned()
    }
}
