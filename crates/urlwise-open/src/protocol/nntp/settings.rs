//! Settings of NNTP, and limits on answers.

changeable!(NntpSettings NntpLimits);

/// How a news or nntp URL is opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct NntpSettings {
    /// When to begin TLS on a connection without it.
    pub start_tls: StartTls,
    /// Limits on answers.
    pub limits: NntpLimits,
}

/// When to begin TLS on the port of plain NNTP (RFC 4642). `nntps` and `snews` URLs have TLS from the first octet. There may be
/// other rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StartTls {
    /// Before a login, if the server offers it; if it does not, the password is sent without encryption and a note says so.
    #[default]
    ForLogin,
    /// Before anything else; if the server refuses, nothing more is sent.
    Required,
}

/// Limits on answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NntpLimits {
    /// Octets of a reply, without its line end. Default 8 KiB; RFC 3977 allows 510.
    pub reply: usize,
    /// Octets of one line of a list. Default 64 KiB: an overview repeats every reference.
    pub line: usize,
    /// Lines of one list. Default 10,000,000.
    pub list_lines: u64,
    /// Lines and octets of the headers of one article, when they are read for a list. Default 1,000 and 256 KiB.
    pub headers: (usize, usize),
    /// Octets of all descriptions of groups, which are kept until the groups arrive. Default 8 MiB; the rest are left out.
    pub descriptions: usize,
    /// How many articles are requested one by one if a server has no overview. Default 1,000, the newest.
    pub heads: u64,
}

impl Default for NntpLimits {
    fn default() -> NntpLimits {
        NntpLimits {
            reply: 8 * 1024,
            line: 64 * 1024,
            list_lines: 10_000_000,
            headers: (1_000, 256 * 1024),
            descriptions: 8 * 1024 * 1024,
            heads: 1_000,
        }
    }
}
