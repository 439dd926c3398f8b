//! Settings of WAIS, and limits on answers.

changeable!(WaisSettings);

/// Settings of WAIS, with limits on answers. The default suits real servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WaisSettings {
    /// Begin with INIT, which negotiates the size of messages. Servers also answer without it.
    pub init: bool,
    /// The largest message that is asked for, in octets. Default 1,000,000: the server agrees to as much of it as it can send,
    /// freeWAIS to 100,000. Hits that do not fit are missing, so more room brings more hits.
    pub message: u32,
    /// Octets of a document asked for at a time; fewer if the server agrees to smaller messages. Default 98,975: freeWAIS writes
    /// beyond its own buffer when it is asked for some hundred more.
    pub slice: u32,
    /// Most hits that are given. Default 200. Further ones are counted in a note.
    pub hits: u32,
    /// Most hits that the server is asked for, or [`hits`](WaisSettings::hits) if that is more. Default 1,000: what is asked for
    /// beyond those that are given reports how many there are.
    pub asked: u32,
    /// Let a database name with `@` pass, which makes some servers ask another host in our name.
    pub forwarding: bool,
}

/// The largest message of a server that did not say how large its messages are, in octets: that of freeWAIS.
pub(super) const UNSAID: u32 = 100_000;

/// What a message holds besides the text of a document, rounded up.
pub(super) const OVERHEAD: u32 = 1025;

impl Default for WaisSettings {
    fn default() -> WaisSettings {
        WaisSettings {
            init: true,
            message: 1_000_000,
            slice: UNSAID - OVERHEAD,
            hits: 200,
            asked: 1_000,
            forwarding: false,
        }
    }
}
