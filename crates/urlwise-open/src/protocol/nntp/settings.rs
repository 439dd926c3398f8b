//! How NNTP is spoken, and what answers may cost.

changeable!(NntpSettings NntpLimits);

/// How a news or nntp URL is opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct NntpSettings {
    /// When TLS is begun on a connection that has none.
    pub start_tls: StartTls,
    /// What answers may cost.
    pub limits: NntpLimits,
}

/// When TLS is begun on the port of plain NNTP (RFC 4642). `nntps` and `snews` URLs have TLS from the first octet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StartTls {
    /// Before somebody logs in, if the server offers it; if it does not, the password goes in clear and a note says so.
    #[default]
    ForLogin,
    /// Before anything else; if the server refuses, nothing more is sent.
    Required,
}

/// Bounds on answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NntpLimits {
    /// Octets of a reply, without its line end. Default 8 KiB; RFC 3977 allows 510.
    pub reply: usize,
    /// Octets of one line of a list. Default 64 KiB: an overview repeats every reference.
    pub line: usize,
    /// Lines of one list. Default 10,000,000.
    pub list_lines: u64,
    /// Lines and octets of the headers of one article, where they are read for a list. Default 1,000 and 256 KiB.
    pub headers: (usize, usize),
    /// Octets of all descriptions of groups, which have to be kept until the groups come. Default 8 MiB; the others are left
    /// out.
    pub descriptions: usize,
    /// How many articles are asked for one by one, where a server knows no overview. Default 1,000, the newest.
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
