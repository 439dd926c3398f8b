//! [`Provenance`]: where a URL came from.

#[cfg(doc)]
use super::rules::HOST_LOCAL;

/// Where a URL came from. Users may open any host they name themselves; URLs written by others are restricted
/// ([`HOST_LOCAL`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Provenance {
    /// Given by the user or the calling program.
    #[default]
    Given,
    /// Found in a text written by others.
    Text,
    /// Returned by a server as a redirect.
    Redirect,
    /// Found in a menu or document of a server.
    Link,
}
