//! What of an answer is kept until it is whole, or until the next link.

use super::attribute::Attribute;
use super::failure::Failure;
use super::line::{Pointer, Target};
use crate::protocol::{Fault, FaultKind};

/// The most that the attributes of one object or link may hold, in octets of memory.
const MOST_ATTRIBUTES: usize = 1024 * 1024;

/// What has come of the answer to one request.
#[derive(Debug)]
pub(super) struct ProsperoAnswer {
    /// Nothing has come that says anything.
    pub(super) is_empty: bool,
    pub(super) forwarded: Option<Target>,
    pub(super) failure: Option<Failure>,
    /// The link that is not given yet: attributes may follow.
    pub(super) link: Option<Pointer>,
    pub(super) attributes: HeldAttributes,
}

/// Attributes of the link, or of the object.
#[derive(Debug, Default)]
pub(super) struct HeldAttributes {
    pub(super) list: Vec<Attribute>,
    octets: usize,
}

impl Default for ProsperoAnswer {
    fn default() -> ProsperoAnswer {
        ProsperoAnswer {
            is_empty: true,
            forwarded: None,
            failure: None,
            link: None,
            attributes: HeldAttributes::default(),
        }
    }
}

impl ProsperoAnswer {
    /// Keeps an attribute.
    ///
    /// # Errors
    /// There are too many.
    pub(super) fn keep(&mut self, attribute: Attribute) -> Result<(), Fault> {
        let HeldAttributes { list, octets } = &mut self.attributes;
        *octets += attribute.octets();
        if *octets > MOST_ATTRIBUTES {
            let what = format!("the attributes of one object have more than {MOST_ATTRIBUTES} octets");
            return Err(Fault::new(FaultKind::Limit, "S-49", what));
        }
        list.push(attribute);
        Ok(())
    }
}
