//! The options of `get` and `ls` for news.

use clap::Args;

/// How news is read.
#[derive(Args, Debug)]
#[command(next_help_heading = "How news is read")]
pub(crate) struct News {
    /// Open news URLs that name no server at this one: `HOST`, `HOST:PORT`, or `nntps://HOST` for TLS
    ///
    /// Without it, the variable NNTPSERVER names the server; without that, `server` in the table `news` of the settings. None
    /// is guessed.
    #[arg(long, value_name = "SERVER")]
    pub(crate) news_server: Option<String>,

    /// List the newest COUNT articles of a group; all of them by default
    #[arg(long, value_name = "COUNT")]
    pub(crate) last: Option<u64>,

    /// Of `news:*` list the groups that match a pattern, as in `comp.*,!comp.os.*`
    ///
    /// `*` stands for any characters and `?` for one; of several patterns with commas between, the last that matches decides,
    /// and after `!` it takes groups away.
    #[arg(long, value_name = "PATTERN")]
    pub(crate) groups: Option<String>,
}
