//! The options of `get --recursive`.

use std::time::Duration;

use clap::Args;
use urlwise::{Profile, Url};

use super::duration::{duration, pause};
use super::opening::{OUTPUT, size};

/// The host of a URL, and nothing else of it.
fn host(text: &str) -> Result<String, String> {
    let url = Url::parse_with(format!("http://{text}/"), Profile::Current).ok();
    let is_host = url.is_some_and(|url| url.host().is_some_and(|host| host.as_str() == text));
    let rule = "a host stands alone, without a scheme, a port or a path, as in `www.host.example`";
    if is_host { Ok(text.to_owned()) } else { Err(rule.to_owned()) }
}

/// Options for saving trees.
#[derive(Args, Debug)]
#[command(next_help_heading = "Recursion")]
pub(crate) struct Recursion {
    /// Save the URL and what it links to, in a tree of folders
    ///
    /// For http, ftp, gopher, file and prospero. Of menus and directories the entries are followed, of HTML pages the links. Each
    /// document is saved once, below a folder for its host, as `host.example/pub/file.txt`; names are made safe as by -O, and a name
    /// that another document has gets a number. Only links to the same server are followed, one at a time, and robots.txt is
    /// honoured. With --continue, complete files are left as they are and partial ones resumed, so an interrupted run can be
    /// repeated.
    #[arg(help_heading = OUTPUT, short, long, conflicts_with_all = ["parallel", "head", "compose", "send", "to", "cc"])]
    pub(crate) recursive: bool,

    /// How many links to follow in a row; 0 saves the URL alone
    #[arg(long, hide_short_help = true, value_name = "COUNT", default_value_t = 5, requires = "recursive")]
    pub(crate) depth: u32,

    /// Save only documents that match PATTERN; may be repeated
    ///
    /// The pattern is for what follows the host in the URL, as written. `*` stands for any characters, `?` for one, `[ab]` for one of
    /// them, `{a,b}` for one of several texts: `*.txt`, `/docs/*`. Other pages of http are read for their links and not saved.
    #[arg(long, hide_short_help = true, value_name = "PATTERN", requires = "recursive")]
    pub(crate) include: Vec<String>,

    /// Do not follow links that match PATTERN; may be repeated
    #[arg(long, hide_short_help = true, value_name = "PATTERN", requires = "recursive")]
    pub(crate) exclude: Vec<String>,

    /// Follow links to HOST too; may be repeated
    #[arg(long = "host", hide_short_help = true, value_name = "HOST", requires = "recursive", value_parser = host)]
    pub(crate) hosts: Vec<String>,

    /// Time between two requests; 0 for none
    #[arg(long, hide_short_help = true, value_name = "TIME", default_value = "250ms", value_parser = pause, requires = "recursive")]
    pub(crate) wait: Duration,

    /// Follow links that robots.txt of an http server forbids
    ///
    /// Rules for `urlwise` count, otherwise those for all programs (RFC 9309). They are not for the URL you give. Without an answer
    /// that makes sense, no link of the server is followed.
    #[arg(long, hide_short_help = true, requires = "recursive")]
    pub(crate) ignore_robots: bool,

    /// Stop after COUNT documents
    #[arg(long, hide_short_help = true, value_name = "COUNT", default_value_t = 10_000, requires = "recursive")]
    pub(crate) max_files: u64,

    /// Stop after SIZE octets; units as in --max-size
    #[arg(long, hide_short_help = true, value_name = "SIZE", default_value = "10G", value_parser = size, requires = "recursive")]
    pub(crate) max_total: u64,

    /// Stop after TIME
    #[arg(long, hide_short_help = true, value_name = "TIME", default_value = "24h", value_parser = duration, requires = "recursive")]
    pub(crate) max_run: Duration,
}
