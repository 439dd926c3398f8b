//! Which `urlwise.toml` is read.

use urlwise_settings::Config;

use crate::cli::Walking;
use crate::exit::{Failure, os_message};
use crate::language::said;

/// Reads the file of `--config`, otherwise the nearest one.
pub(crate) fn of(options: &Walking) -> Result<Config, Failure> {
    Ok(match &options.config {
        Some(path) => Config::read(path)?,
        None if options.no_config => Config::default(),
        None => {
            let folder = std::env::current_dir().map_err(|error| {
                Failure::Input(said!("cannot determine the current directory: {why}", why = os_message(&error)))
            })?;
            Config::near(&folder)?
        }
    })
}

#[cfg(test)]
mod schema;
