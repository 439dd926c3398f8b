//! [`Provenance`]: where a URL came from.

use core::fmt;
use core::str::FromStr;

#[cfg(doc)]
use super::rules::HOST_LOCAL;
use crate::unknown_name::UnknownName;

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

impl Provenance {
    /// Every provenance.
    pub const ALL: &'static [Provenance] =
        &[Provenance::Given, Provenance::Text, Provenance::Redirect, Provenance::Link];

    /// `given`, `text`, `redirect` or `link`.
    pub const fn name(self) -> &'static str {
        match self {
            Provenance::Given => "given",
            Provenance::Text => "text",
            Provenance::Redirect => "redirect",
            Provenance::Link => "link",
        }
    }
}

impl fmt::Display for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Provenance {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let known = Provenance::ALL.iter().copied().find(|provenance| provenance.name() == name);
        known.ok_or(UnknownName::because("a provenance is `given`, `text`, `redirect` or `link`"))
    }
}
