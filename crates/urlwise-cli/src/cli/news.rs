//! The options of `get` and `ls` for news.

use clap::Args;

/// Options for news and nntp.
#[derive(Args, Debug)]
#[command(next_help_heading = "News")]
pub(crate) struct News {
    /// News server: `HOST`, `HOST:PORT` or `nntps://HOST` for TLS
    ///
    /// For news URLs, which have no host. The default is the variable NNTPSERVER, then `server` in the table `news` of the
    /// settings; no server is guessed.
    #[arg(long, hide_short_help = true, value_name = "SERVER")]
    pub(crate) news_server: Option<String>,

    /// List only the newest COUNT articles of a group
    #[arg(long, hide_short_help = true, value_name = "COUNT")]
    pub(crate) last: Option<u64>,

    /// List only groups that match, as in `comp.*,!comp.os.*`
    ///
    /// For `news:*`. `*` matches any characters and `?` one. Patterns are separated by commas, and the last one that matches
    /// decides; `!` excludes groups.
    #[arg(long, hide_short_help = true, value_name = "PATTERN")]
    pub(crate) groups: Option<String>,
}
