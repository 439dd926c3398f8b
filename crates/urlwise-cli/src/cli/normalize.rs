//! The options of `normalize`.

use clap::{Args, ValueEnum};
use urlwise::NormalForm;

use super::Lists;

pub(super) const NORMALIZE_EXAMPLES: &str = "\
Examples:
  urlwise normalize 'HTTP://Host.example:80/%7ejim/%61'
  urlwise normalize --level safe --file urls.txt | sort -u

";

pub(super) const NORMALIZE_STATUS: &str = "\
Exit status of normalize:
  0  every URL is valid
  1  some URLs are not valid, or there were none
  2  the command could not run: a wrong option, a file that cannot be read";

/// The arguments of `normalize`.
#[derive(Args, Debug)]
pub(crate) struct Normalize {
    #[command(flatten)]
    pub(crate) lists: Lists,

    /// Normal form to write
    #[arg(long, value_enum, value_name = "LEVEL", default_value = "scheme")]
    pub(crate) level: Level,
}

/// The normal forms.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Level {
    /// Decode only letters, digits and $-_.+!*'(), so that every reader sees the same URL
    Safe,
    /// Apply all rules of the scheme: decode what is not reserved, and write equivalent forms one way
    Scheme,
}

impl From<Level> for NormalForm {
    fn from(level: Level) -> NormalForm {
        match level {
            Level::Safe => NormalForm::Safe,
            Level::Scheme => NormalForm::Scheme,
        }
    }
}
