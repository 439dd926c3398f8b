//! The state of an answer: what is kept until its end, or until the next link.

use super::attribute::Attribute;
use super::failure::Failure;
use super::line::{Pointer, Target};
use crate::language::message;
use crate::protocol::{Fault, FaultKind};

/// The most memory for the attributes of one object or link, in octets.
const MOST_ATTRIBUTES: usize = 1024 * 1024;

/// What has been read of the answer to one request.
#[derive(Debug)]
pub(super) struct ProsperoAnswer {
    /// Nothing has been read that describes the object.
    pub(super) is_empty: bool,
    pub(super) forwarded: Option<Target>,
    pub(super) failure: Option<Failure>,
    /// The last link, whose attributes may follow.
    pub(super) link: Option<Pointer>,
    pub(super) attributes: HeldAttributes,
}

/// The attributes of that link, or of the object.
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
    /// The attributes need too much memory.
    pub(super) fn keep(&mut self, attribute: Attribute) -> Result<(), Fault> {
        let HeldAttributes { list, octets } = &mut self.attributes;
        *octets += attribute.octets();
        if *octets > MOST_ATTRIBUTES {
            let what = message!("the attributes of one object have more than {count} octets", count = MOST_ATTRIBUTES);
            return Err(Fault::new(FaultKind::Limit, "S-49", what));
        }
        list.push(attribute);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Attribute, MOST_ATTRIBUTES, ProsperoAnswer};
    use crate::protocol::FaultKind;
    use crate::protocol::prospero::attribute::Precedence;

    #[test]
    fn security_49_attributes_of_exactly_the_limit_are_kept_and_no_octet_more() {
        let named =
            |length| Attribute { depth: 0, precedence: Precedence::Own, name: vec![b'a'; length], value: vec![] };
        let mut answer = ProsperoAnswer::default();
        answer.keep(named(MOST_ATTRIBUTES - 10)).expect("less than the limit");
        answer.keep(named(10)).expect("the limit");
        assert_eq!(answer.keep(named(1)).expect_err("more than the limit").kind(), FaultKind::Limit);
    }
}
