//! [`Finder`]: what a search looks for.

use crate::profile::Profile;
use crate::registry::Registry;

/// Finds URLs in text: see the [module](crate::find).
///
/// ```
/// use urlwise::Profile;
/// use urlwise::find::Finder;
///
/// let finder = Finder::new().profile(Profile::Current);
/// let text = "Mail <mailto:jim@host.dom>, or look at https://host.dom/~jim (not at std::string).";
/// let found: Vec<_> = finder.hits(text.as_bytes()).filter(|hit| hit.is_valid()).map(|hit| hit.span()).collect();
/// assert_eq!(found, [6..25, 39..60]);
/// ```
#[must_use]
#[derive(Clone, Copy, Debug, Default)]
pub struct Finder<'r> {
    pub(super) profile: Profile,
    pub(super) registry: Option<&'r Registry>,
}

impl<'r> Finder<'r> {
    /// A finder for the schemes of the profile `current`; hits are validated by the profile `rfc1738`.
    pub const fn new() -> Self {
        Finder { profile: Profile::Rfc1738, registry: None }
    }

    /// Sets the profile that hits are validated by. It does not affect what is found.
    pub const fn profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// Also finds the schemes of this registry, and validates their URLs by its rules.
    pub const fn registry(mut self, registry: &'r Registry) -> Self {
        self.registry = Some(registry);
        self
    }
}
