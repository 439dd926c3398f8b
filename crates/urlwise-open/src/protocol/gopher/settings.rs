//! Settings of gopher requests and answers, and limits on answers.

changeable!(GopherSettings GopherLimits);

/// How a request is sent and an answer read. The default suits real servers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GopherSettings {
    /// Send an empty search before a Gopher+ string, as RFC 1738 section 3.4.3 says, though the reference server refuses it (D-47).
    pub literal: bool,
    /// Read texts by the rule of RFC 1436: the first lone dot ends them, two leading dots become one.
    pub strict: bool,
    /// Allow control octets other than CR, LF, TAB and NUL in selector and search.
    pub controls: bool,
    /// Limits on an answer.
    pub limits: GopherLimits,
}

/// Limits on one answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GopherLimits {
    /// Octets of the answer (after a Gopher+ header); `None`, the default, means no limit: documents and menus are streamed.
    pub total: Option<u64>,
    /// Octets of one menu line, without its LF. Default 8 KiB.
    pub line: usize,
    /// Lines of one menu, empty ones too. Default 10,000,000.
    pub lines: u64,
    /// Octets of a text held back until it is clear whether the server doubles leading dots. Default 1 MiB.
    pub held: usize,
}

impl Default for GopherLimits {
    fn default() -> GopherLimits {
        GopherLimits { total: None, line: 8 * 1024, lines: 10_000_000, held: 1024 * 1024 }
    }
}
