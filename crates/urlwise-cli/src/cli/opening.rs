//! The options of `get` and `ls`.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

use clap::Args;
use urlwise_open::Class;

use super::Inputs;

pub(super) const GET_EXAMPLES: &str = "\
Examples:
  urlwise get 'http://host.example/a~b?c'
  urlwise get --output motd 'file:///etc/motd'
  urlwise get --dry-run 'gopher://host.example/7/find%09old%20maps'

";

pub(super) const LS_EXAMPLES: &str = "\
Examples:
  urlwise ls 'gopher://host.example/'
  urlwise ls --json 'file:///etc/' | jq -r .url

";

/// What `get` was asked for.
#[derive(Args, Debug)]
pub(crate) struct Get {
    #[command(flatten)]
    pub(crate) inputs: Inputs,

    /// Write the document to FILE, which must not exist yet
    ///
    /// The file appears when it is whole, and not before.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Let --output overwrite
    #[arg(long, requires = "output")]
    pub(crate) force: bool,

    /// Print the dialogue that would be held; open nothing
    #[arg(long)]
    pub(crate) dry_run: bool,

    #[command(flatten)]
    pub(crate) opening: Opening,
}

/// What `ls` was asked for.
#[derive(Args, Debug)]
pub(crate) struct List {
    #[command(flatten)]
    pub(crate) inputs: Inputs,

    #[command(flatten)]
    pub(crate) opening: Opening,
}

/// How URLs are opened.
#[derive(Args, Debug)]
pub(crate) struct Opening {
    /// Lift one rule of the policy, by the name the refusal gives; may be given several times
    #[arg(long, value_name = "RULE")]
    pub(crate) allow: Vec<String>,

    /// Believe the certificates in this PEM file, and no others
    #[arg(long, value_name = "FILE")]
    pub(crate) cacert: Option<PathBuf>,

    /// The longest document, in octets
    #[arg(long, value_name = "OCTETS")]
    pub(crate) max_size: Option<u64>,

    /// The most redirects to follow; 20 by default
    #[arg(long, value_name = "COUNT")]
    pub(crate) max_redirs: Option<u32>,

    /// How long to wait for a connection, in seconds; 30 by default
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) connect_timeout: Option<Duration>,

    /// How long one URL may take in all, in seconds; no end by default
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) max_time: Option<Duration>,
}

/// Seconds, with a fraction if need be.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "give seconds, as in `10` or `0.5`".to_owned())?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(duration) if !duration.is_zero() => Ok(duration),
        _ => Err("give seconds above 0, as in `10` or `0.5`".into()),
    }
}

/// The exit codes of `get` and `ls`, from the table of the access crate.
pub(super) static OPEN_STATUS: LazyLock<String> = LazyLock::new(|| {
    let mut text = String::from("Exit status of get and ls, that of the first failure:\n");
    for class in Class::ALL {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "  {:>3}  {}", class.code(), class.meaning());
    }
    text
});
