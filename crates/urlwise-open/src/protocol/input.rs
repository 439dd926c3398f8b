//! What has arrived from the peer, and how the connection ended.

/// How the peer's octets ended. There will be no others: this is all that a machine has to tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The peer closed in order: TCP FIN, under TLS after a `close_notify`.
    Closed,
    /// TLS ended without `close_notify`: the peer may have ended it, or an attacker in between.
    Unauthenticated,
    /// The connection broke (reset, or any other failure to read): octets may be missing.
    Broken,
}

/// What has arrived and is not yet taken, and whether the peer has ended after it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Input<'i> {
    pub(super) octets: &'i [u8],
    pub(super) end: Option<End>,
}

impl<'i> Input<'i> {
    /// Nothing has arrived.
    pub fn none() -> Input<'i> {
        Input::default()
    }

    /// These octets have arrived; the peer may send more.
    pub fn new(octets: &'i [u8]) -> Input<'i> {
        Input { octets, end: None }
    }

    /// No octets, and none will follow.
    pub fn closed(end: End) -> Input<'i> {
        Input { octets: &[], end: Some(end) }
    }

    /// The octets not yet taken.
    pub fn octets(&self) -> &'i [u8] {
        self.octets
    }

    /// How the peer ended; `None` while octets are left to take, or while it has not ended.
    pub fn end(&self) -> Option<End> {
        if self.octets.is_empty() { self.end } else { None }
    }

    /// Takes the first `count` octets, or all if there are fewer.
    pub fn take(&mut self, count: usize) -> &'i [u8] {
        let (taken, left) = self.octets.split_at(count.min(self.octets.len()));
        self.octets = left;
        taken
    }
}
