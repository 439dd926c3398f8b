//! The options that `find` and `check` share: which files of a tree are read, and in which order.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Deserialize;
use urlwise::Level;

/// Which files are read, and how.
#[derive(Args, Debug)]
#[command(next_help_heading = "Files")]
pub(crate) struct Walking {
    /// Read hidden files and folders too
    #[arg(long)]
    pub(crate) hidden: bool,

    /// Read what .gitignore, .ignore and .rgignore leave out
    #[arg(long)]
    pub(crate) no_ignore: bool,

    /// Go through folders in this order; `path` takes one thread
    #[arg(long, value_enum, value_name = "ORDER", default_value = "none")]
    pub(crate) sort: Order,

    /// How many threads read files; as many as the machine has by default
    #[arg(short = 'j', long, value_name = "N")]
    pub(crate) threads: Option<usize>,

    /// Take settings from FILE, not from the nearest urlwise.toml
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub(crate) config: Option<PathBuf>,

    /// Take no settings from any file
    #[arg(long)]
    pub(crate) no_config: bool,
}

/// The orders in which files are read, with the help of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Order {
    /// As they are ready
    None,
    /// By their paths
    Path,
}

/// The levels, with the help of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Threshold {
    /// What is no URL, and what is refused when opened
    Error,
    /// Errors, and what is likely to go wrong
    Warning,
    /// Everything
    Note,
}

impl From<Threshold> for Level {
    fn from(threshold: Threshold) -> Level {
        match threshold {
            Threshold::Error => Level::Error,
            Threshold::Warning => Level::Warning,
            Threshold::Note => Level::Note,
        }
    }
}
