//! [`Text`]: what holds the text of a URL, and how long its parts live.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::sync::Arc;

/// A holder of text, looked at for `'i`, whose text lives for `'t`.
///
/// The text of a `&'t str` outlives the reference, so the parts of a `Url<&'t str>` live as long as the text. The text
/// of a `String` lives as long as the `String`. Code that is generic over the holder calls [`Url::borrow`](crate::Url::borrow)
/// first.
///
/// ```
/// use urlwise::{Locator, ParseError, Url};
///
/// fn host(text: &str) -> Result<Option<&str>, ParseError> {
///     Ok(Url::parse(text)?.host().map(|host| host.as_str()))
/// }
///
/// assert_eq!(host("gopher://host.dom/1")?, Some("host.dom"));
///
/// // So do the parts of its typed view.
/// fn name(text: &str) -> Result<Option<&str>, ParseError> {
///     match Url::parse(text)?.locator() {
///         Locator::Ftp(ftp) => Ok(ftp.name().map(|name| name.as_str())),
///         _ => Ok(None),
///     }
/// }
///
/// assert_eq!(name("ftp://host.dom/pub/motd")?, Some("motd"));
/// # Ok::<(), ParseError>(())
/// ```
pub trait Text<'i, 't>: sealed::Sealed {
    /// The text.
    fn text(&'i self) -> &'t str;
}

impl<'t> Text<'_, 't> for &'t str {
    #[inline]
    fn text(&self) -> &'t str {
        self
    }
}

mod sealed {
    /// Other holders would add nothing: a URL of any other can be borrowed.
    pub trait Sealed {}
}

impl sealed::Sealed for &str {}

macro_rules! holders {
    ($($holder:ty),*) => {$(
        impl<'i> Text<'i, 'i> for $holder {
            #[inline]
            fn text(&'i self) -> &'i str {
                self
            }
        }

        impl sealed::Sealed for $holder {}
    )*};
}

holders!(String, Box<str>, Cow<'_, str>, Rc<str>, Arc<str>);
