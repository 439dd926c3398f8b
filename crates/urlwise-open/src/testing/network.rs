//! What the network and the peer do.

use crate::protocol::End;

/// What the network does with what the server sends.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Network<'n> {
    /// Octets that arrive at a time; 0 counts as 1.
    pub piece: usize,
    /// Where else a piece ends, counted in octets from the first one of the connection, or of an answer by datagrams; in
    /// ascending order. A place that is given twice makes a piece without octets.
    pub cuts: &'n [usize],
    /// Octets that arrive at most.
    pub limit: usize,
    /// How the connection, or an answer by datagrams, ends when nothing is left; `None` is a server that falls silent.
    pub end: Option<End>,
    /// What arrives on every data connection.
    pub data: &'n [u8],
    /// The same as [`cuts`](Network::cuts) for data connections.
    pub data_cuts: &'n [usize],
    /// How data connections end.
    pub data_end: End,
    /// The answer to questions; `None` if nobody can be asked.
    pub answer: Option<&'n [u8]>,
}

impl Default for Network<'_> {
    /// Everything arrives at once, and the connection is closed when nothing is left. Nobody can be asked.
    fn default() -> Self {
        let most = usize::MAX;
        let (end, data_end) = (Some(End::Closed), End::Closed);
        Network { piece: most, cuts: &[], limit: most, end, data: &[], data_cuts: &[], data_end, answer: None }
    }
}

impl<'n> Network<'n> {
    /// The same with a change: other crates cannot write the fields as a literal, since more may be added.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Network<'n>)) -> Network<'n> {
        change(&mut self);
        self
    }
}

/// What a server answers to one command.
///
/// Made of octets by `From`, so a server that only has octets to send returns these.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerAnswer {
    pub(super) octets: Vec<u8>,
    pub(super) end: Option<End>,
    pub(super) is_last: bool,
}

impl From<Vec<u8>> for ServerAnswer {
    fn from(octets: Vec<u8>) -> ServerAnswer {
        ServerAnswer { octets, ..ServerAnswer::default() }
    }
}

impl ServerAnswer {
    /// The dialogue is recorded up to here, as if the server had fallen silent.
    pub fn none() -> ServerAnswer {
        ServerAnswer { is_last: true, ..ServerAnswer::default() }
    }

    /// The same answer, ending like this instead of as the [`Network`] says.
    #[must_use]
    pub fn ending(self, end: End) -> ServerAnswer {
        ServerAnswer { end: Some(end), ..self }
    }
}

/// A server that sends `octets` as soon as the connection is made, and nothing else.
pub fn says(octets: &[u8]) -> impl FnMut(&[u8]) -> Vec<u8> + '_ {
    let mut octets = Some(octets);
    move |_: &[u8]| octets.take().unwrap_or_default().to_vec()
}
