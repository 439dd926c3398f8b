//! Reads TOML files and reports mistakes with line and column.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use urlwise::{Language, Message};
use urlwise_explain::secret::{self, Secrets};

use crate::error::Error;
use crate::language::message;

/// The longest file, in octets.
const LONGEST: u64 = 1 << 20;

/// The path and contents of a file, which need not be TOML yet.
#[derive(Clone, Debug)]
pub struct TomlFile {
    path: PathBuf,
    text: String,
}

impl TomlFile {
    /// Reads the file at this path.
    ///
    /// # Errors
    /// The file cannot be read, is longer than 1 MiB, or is not UTF-8.
    pub fn read(path: &Path) -> Result<TomlFile, Error> {
        TomlFile::of(path, File::open(path).map_err(|error| unreadable(path, &error))?)
    }

    /// Reads what is open: a file, or octets in memory. The path is what messages name.
    ///
    /// ```
    /// use std::path::Path;
    /// use urlwise_settings::TomlFile;
    ///
    /// let error = TomlFile::of(Path::new("config.toml"), &b"\xFF"[..]).unwrap_err();
    /// assert!(error.to_string().starts_with("cannot read config.toml: "));
    /// ```
    ///
    /// # Errors
    /// Those of [`read`](TomlFile::read).
    pub fn of(path: &Path, contents: impl Read) -> Result<TomlFile, Error> {
        let mut octets = Vec::new();
        contents.take(LONGEST + 1).read_to_end(&mut octets).map_err(|error| unreadable(path, &error))?;
        // The limit may cut a character.
        if octets.len() as u64 > LONGEST {
            let name = secret::masked_path(path);
            return Err(Error::new(message!("{name} is longer than {count} MiB", name = name, count = LONGEST >> 20)));
        }
        let text =
            String::from_utf8(octets).map_err(|error| unreadable(path, &io::Error::other(error.utf8_error())))?;
        Ok(TomlFile { path: path.to_owned(), text })
    }

    /// Parses the contents.
    pub(crate) fn parse<T: DeserializeOwned>(&self) -> Result<T, Error> {
        toml::from_str(&self.text)
            .map_err(|error| self.mistake(&error.span().unwrap_or_default(), |_| error.message().to_owned()))
    }

    /// An error about a mistake in the file, with line and column; `what` says it in each language.
    pub(crate) fn mistake<D: Display>(&self, span: &Range<usize>, what: impl Fn(Language) -> D) -> Error {
        let before = &self.text[..self.text.floor_char_boundary(span.start)];
        let line = before.matches('\n').count() + 1;
        let character = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let place = format!("{}:{line}:{character}", secret::masked_path(&self.path));
        let what = Message::of_each(|language| {
            let what = what(language).to_string().trim().replace('\n', ": ");
            // What is escaped already stays as it is.
            let (secrets, all) = (Secrets::of(what.as_bytes(), false), 0..what.len());
            let plain = secrets.plain(what.as_bytes(), all.clone());
            plain.unwrap_or_else(|| secrets.shown(what.as_bytes(), all))
        });
        Error::new(message!("{text}: {message}", text = place, message = what))
    }
}

pub(crate) fn unreadable(path: &Path, error: &io::Error) -> Error {
    // Without the number of the system's error.
    let text = error.to_string();
    let plain = text.split_once(" (os error ").map_or(&*text, |(words, _)| words);
    Error::new(message!("cannot read {name}: {why}", name = secret::masked_missing(path), why = plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_too_long_is_told_so_wherever_the_limit_cuts_it() {
        for first in ["#", "# "] {
            let text = first.to_owned() + &"\u{e9}".repeat(1 << 20);
            let error = TomlFile::of(Path::new("x.toml"), text.as_bytes()).unwrap_err();
            assert_eq!(error.to_string(), "x.toml is longer than 1 MiB");
        }
    }
}
