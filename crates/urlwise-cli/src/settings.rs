//! Which `config.toml` is read.

use urlwise_settings::Settings;

use crate::cli::Own;
use crate::exit::Failure;

/// Reads the file of `--settings`, otherwise the user's file, if there is one.
pub(crate) fn of(options: &Own) -> Result<Settings, Failure> {
    Ok(match &options.settings {
        Some(path) => Settings::read(path)?,
        None if options.no_settings => Settings::default(),
        None => Settings::of_user()?,
    })
}
