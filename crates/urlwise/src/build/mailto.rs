//! mailto, section 3.5: the encoding of an RFC 822 addr-spec.

use super::state::{End, Mailto, Start};
use super::{Builder, Draft};
use crate::scheme::Scheme;

/// Begins a mailto URL.
///
/// ```
/// use urlwise::build;
///
/// assert_eq!(build::mailto().address("user%host@relay.dom").build()?.as_str(), "mailto:user%25host@relay.dom");
/// assert_eq!(build::mailto().address("jim").build().unwrap_err().problem().code(), "mailto-addrspec");
/// # Ok::<(), build::Refused>(())
/// ```
pub fn mailto() -> Builder<Mailto, Start> {
    Builder::new(Draft::of_scheme(Scheme::Mailto))
}

impl Builder<Mailto, Start> {
    /// The whole address, `local@domain`.
    pub fn address(self, address: impl AsRef<[u8]>) -> Builder<Mailto, End> {
        self.octets("address", address)
    }
}
