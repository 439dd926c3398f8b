//! prospero, section 3.11: `prospero://hostport/hsoname;field=value`.

use super::draft::field;
use super::state::{Before, Field, Name, Prospero, Start};
use super::{Builder, Draft};
use crate::grammar::{FIELD_NAME, FIELD_VALUE};
use crate::scheme::Scheme;

/// Begins a prospero URL.
///
/// ```
/// use urlwise::build;
///
/// let url = build::prospero().host("host.dom").hsoname("/pros/name").field("OBJECT-VERSION", "3;4").build()?;
/// assert_eq!(url.as_str(), "prospero://host.dom//pros/name;OBJECT-VERSION=3%3B4");
/// # Ok::<(), build::Refused>(())
/// ```
pub fn prospero() -> Builder<Prospero, Start> {
    Builder::new(Draft::of_scheme(Scheme::Prospero))
}

impl<S: Before<Name>> Builder<Prospero, S> {
    /// The host-specific object name. Its slashes mean nothing and stay as they are; may be empty (D-66).
    pub fn hsoname(self, hsoname: impl AsRef<[u8]>) -> Builder<Prospero, Name> {
        self.octets("hsoname", hsoname)
    }
}

impl<S: Before<Field>> Builder<Prospero, S> {
    /// One field, name and value; both may be empty. Fields stay in order, repeats are kept (D-66).
    pub fn field(self, name: impl AsRef<[u8]>, value: impl AsRef<[u8]>) -> Builder<Prospero, Field> {
        let Builder { mut draft, .. } = self;
        draft.push("field", &field(&FIELD_NAME.encode(name.as_ref()), &FIELD_VALUE.encode(value.as_ref())));
        Builder::new(draft)
    }
}
