//! Settings of WAIS, and limits on answers.

changeable!(WaisSettings);

/// Settings of WAIS, with limits on answers. The default suits real servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WaisSettings {
    /// Begin with INIT, which negotiates the size of messages. Servers also answer without it.
    pub init: bool,
    /// The largest message that is asked for, in octets. Default 100,000: no server of the time sends more.
    pub message: u32,
    /// Octets of a document requested at a time; fewer if the server accepts only smaller messages. Default 98,975.
    pub slice: u32,
    /// Most hits requested. Default 200.
    pub hits: u32,
    /// Allow a database name with `@`, which makes some servers forward the request to another host.
    pub forwarding: bool,
}

/// What a message contains besides the text of a document, rounded up.
pub(super) const OVERHEAD: u32 = 1025;

impl Default for WaisSettings {
    fn default() -> WaisSettings {
        let message = 100_000;
        WaisSettings { init: true, message, slice: message - OVERHEAD, hits: 200, forwarding: false }
    }
}
