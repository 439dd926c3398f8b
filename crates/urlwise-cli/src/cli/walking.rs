//! The options that `find` and `check` share: which files are read, and in which order.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Deserialize;
use urlwise::Level;

/// Which files are read, and how.
#[derive(Args, Debug)]
#[command(next_help_heading = "Files")]
pub(crate) struct Walking {
    /// Search hidden files and folders
    #[arg(long)]
    pub(crate) hidden: bool,

    /// Ignore .gitignore, .ignore and .rgignore
    #[arg(long)]
    pub(crate) no_ignore: bool,

    /// Order of files; `path` uses one thread
    #[arg(long, hide_short_help = true, value_enum, value_name = "ORDER", default_value = "none")]
    pub(crate) sort: Order,

    /// Number of threads [default: one per processor]
    #[arg(short = 'j', long, hide_short_help = true, value_name = "N")]
    pub(crate) threads: Option<usize>,

    /// Read settings from FILE instead of the nearest urlwise.toml
    #[arg(long, hide_short_help = true, value_name = "FILE", conflicts_with = "no_config")]
    pub(crate) config: Option<PathBuf>,

    /// Do not read urlwise.toml
    #[arg(long)]
    pub(crate) no_config: bool,
}

/// The orders in which files are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Order {
    /// In no particular order
    None,
    /// By path
    Path,
}

/// The levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Threshold {
    /// Invalid URLs, and high risks
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
