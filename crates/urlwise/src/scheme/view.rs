//! What every typed view looks at, and the parts that several schemes have.

use crate::encoded::{self, Encoded};
use crate::host::Host;
use crate::layout::{self, Layout};

/// A valid text and where its parts stand: what every typed view looks at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    pub(crate) text: &'a str,
    /// By value, so that the parts live as long as the text and not only as long as the URL.
    pub(crate) layout: Layout,
}

impl<'a> View<'a> {
    #[inline]
    pub(crate) fn plain(self, slot: usize) -> Option<&'a str> {
        let span = self.layout.slots[slot].range()?;
        // One comparison less than by the range.
        self.text.get(..span.end)?.get(span.start..)
    }

    #[inline]
    pub(crate) fn encoded(self, slot: usize) -> Option<Encoded<'a>> {
        self.plain(slot).map(Encoded::new)
    }

    #[inline]
    pub(crate) fn host(self) -> Option<Host<'a>> {
        self.plain(layout::HOST).map(|text| Host::new(text, self.layout.host_kind()))
    }
}

/// `host [ ":" port ]` of section 3.1.
#[derive(Clone, Copy)]
pub struct Hostport<'a>(pub(crate) View<'a>);

impl<'a> Hostport<'a> {
    /// The host.
    #[inline]
    pub fn host(self) -> Host<'a> {
        self.0.host().unwrap_or(Host::new("", self.0.layout.host_kind()))
    }

    /// The port's digits as written; `None` without a port, empty only under the profile `current` (D-22).
    #[inline]
    pub fn port(self) -> Option<&'a str> {
        self.0.plain(layout::PORT)
    }

    /// The port in force, 0 to 65535: the one written, else the scheme's default. `None` where the scheme has no default
    /// and none is written.
    #[inline]
    pub fn port_or_default(self) -> Option<u16> {
        self.0.layout.port_or_default()
    }
}

/// `[ user [ ":" password ] "@" ] hostport` of section 3.1.
#[derive(Clone, Copy)]
pub struct Login<'a>(pub(crate) View<'a>);

impl<'a> Login<'a> {
    /// The user name: `None` without a login, empty in `//@host` (D-24).
    #[inline]
    pub fn user(self) -> Option<Encoded<'a>> {
        self.0.encoded(layout::USER)
    }

    /// The password: `None` without one, empty in `//user:@host` (D-24). There is none without a user.
    #[inline]
    pub fn password(self) -> Option<Encoded<'a>> {
        self.0.encoded(layout::PASSWORD)
    }

    /// The host and the port.
    #[inline]
    pub fn hostport(self) -> Hostport<'a> {
        Hostport(self.0)
    }
}

/// Gives a view `Debug` that never shows a password: the masked text of the whole URL.
macro_rules! masked_debug {
    ($($view:ident),*) => {$(
        impl core::fmt::Debug for $view<'_> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(f, concat!(stringify!($view), "({})"), $crate::scheme::secret::Masked(self.0.text))
            }
        }
    )*};
}
pub(crate) use masked_debug;

masked_debug!(Hostport, Login);

/// `name=value` pairs between separators, in order, repeats kept.
#[derive(Clone, Debug)]
pub struct Fields<'a> {
    rest: Option<&'a str>,
    separator: u8,
}

impl<'a> Fields<'a> {
    pub(crate) fn new(text: Option<&'a str>, separator: u8) -> Self {
        Fields { rest: text, separator }
    }
}

/// A field by its name and its value.
fn halves(field: &str) -> (Encoded<'_>, Option<Encoded<'_>>) {
    let (name, value) = encoded::split(field, b'=');
    (Encoded::new(name), value.map(Encoded::new))
}

impl<'a> Iterator for Fields<'a> {
    type Item = (Encoded<'a>, Option<Encoded<'a>>);

    fn next(&mut self) -> Option<Self::Item> {
        let (field, rest) = encoded::split(self.rest?, self.separator);
        self.rest = rest;
        Some(halves(field))
    }
}

impl DoubleEndedIterator for Fields<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let (rest, field) = encoded::split_last(self.rest?, self.separator);
        self.rest = rest;
        Some(halves(field))
    }
}

impl core::iter::FusedIterator for Fields<'_> {}
