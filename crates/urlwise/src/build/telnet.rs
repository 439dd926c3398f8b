//! telnet, section 3.8: a login and nothing else.

use super::state::{Start, Telnet};
use super::{Builder, Draft};
use crate::scheme::Scheme;

/// Begins a telnet URL.
///
/// ```
/// use urlwise::build;
///
/// let url = build::telnet().user("guest").password("").host("host.dom").build()?;
/// assert_eq!(url.as_str(), "telnet://guest:@host.dom");
/// # Ok::<(), build::Refused>(())
/// ```
pub fn telnet() -> Builder<Telnet, Start> {
    Builder::new(Draft::of_scheme(Scheme::Telnet))
}

/// Begins a telnets URL, which the profile `current` knows.
pub fn telnets() -> Builder<Telnet, Start> {
    Builder::new(Draft::of_scheme(Scheme::Telnets))
}
