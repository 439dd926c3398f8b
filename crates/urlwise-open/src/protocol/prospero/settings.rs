//! Settings of Prospero requests, and limits on answers.

changeable!(ProsperoSettings);

/// How a request is written, and how far forwarding and union links are followed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProsperoSettings {
    /// The name of the client software. Default `urlwise`.
    pub software: Vec<u8>,
    /// The user name in every request, without proof. Default `anonymous`.
    pub user: Vec<u8>,
    /// The most times that a request is forwarded. Default 20, the limit of the protocol.
    pub hops: u32,
    /// The most union links whose targets are listed. Default 20.
    pub unions: usize,
}

impl Default for ProsperoSettings {
    fn default() -> ProsperoSettings {
        ProsperoSettings { software: b"urlwise".to_vec(), user: b"anonymous".to_vec(), hops: 20, unions: 20 }
    }
}
