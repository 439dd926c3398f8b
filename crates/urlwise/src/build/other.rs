//! All other schemes, section 5: a scheme-specific part, or the common Internet syntax (D-06).

use super::state::{Before, End, Other, Start};
use super::{Builder, Draft};
use crate::profile::Profile;

/// Begins a URL of a scheme that RFC 1738 gives no rules. Nobody knows what is reserved there, so everything reserved that is
/// given as an octet is encoded (section J of the decisions).
///
/// ```
/// use urlwise::build;
///
/// assert_eq!(build::other("x-tel").schemepart("+49 12").build()?.as_str(), "x-tel:+49%2012");
/// let url = build::other("rlogin").user("guest").host("host.dom").port(513).build()?;
/// assert_eq!(url.as_str(), "rlogin://guest@host.dom:513");
/// assert_eq!(build::other("a b").schemepart("").build().unwrap_err().problem().code(), "scheme-char");
/// # Ok::<(), build::Refused>(())
/// ```
///
/// A name with rules of its own makes a URL only if the parts suit these rules.
pub fn other(scheme: impl AsRef<str>) -> Builder<Other, Start> {
    Builder::new(Draft::without_rules(scheme.as_ref(), Profile::Rfc1738))
}

impl Builder<Other, Start> {
    /// All that follows the colon, as one part.
    pub fn schemepart(self, schemepart: impl AsRef<[u8]>) -> Builder<Other, End> {
        self.octets("schemepart", schemepart)
    }
}

impl<S: Before<End>> Builder<Other, S> {
    /// What follows the `/` after the host, as one part.
    pub fn urlpath(self, urlpath: impl AsRef<[u8]>) -> Builder<Other, End> {
        self.octets("urlpath", urlpath)
    }
}
