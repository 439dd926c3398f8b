//! How WAIS is spoken, and what an answer may cost.

changeable!(WaisSettings);

/// How a request is sent and what its answer may cost. The default suits the servers that are out there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WaisSettings {
    /// Begin with INIT, which agrees on the size of messages. Servers answer without it, too.
    pub init: bool,
    /// The largest message that is asked for, in octets. Default 100,000: no server of the time sends more.
    pub message: u32,
    /// Octets of a document asked for at a time; fewer if the server agrees to smaller messages. Default 98,975.
    pub slice: u32,
    /// Most hits asked for. Default 200.
    pub hits: u32,
    /// Let a database name with `@` pass, which makes some servers ask another host in our name.
    pub forwarding: bool,
}

/// What a message holds besides the text of a document, rounded up.
pub(super) const OVERHEAD: u32 = 1025;

impl Default for WaisSettings {
    fn default() -> WaisSettings {
        let message = 100_000;
        WaisSettings { init: true, message, slice: message - OVERHEAD, hits: 200, forwarding: false }
    }
}
