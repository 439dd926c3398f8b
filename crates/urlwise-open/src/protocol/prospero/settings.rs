//! How Prospero is spoken, and what an answer may cost.

changeable!(ProsperoSettings);

/// How a request is written and how far it is followed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProsperoSettings {
    /// The name by which the program tells itself apart. Default `urlwise`.
    pub software: Vec<u8>,
    /// The name that goes with every request, unproved. Default `anonymous`: who asks is nobody's business.
    pub user: Vec<u8>,
    /// Most servers that one URL is forwarded to. Default 20, as the protocol has it.
    pub hops: u32,
    /// Most directories listed because they belong to the one asked for. Default 20.
    pub unions: usize,
}

impl Default for ProsperoSettings {
    fn default() -> ProsperoSettings {
        ProsperoSettings { software: b"urlwise".to_vec(), user: b"anonymous".to_vec(), hops: 20, unions: 20 }
    }
}
