//! Reads TOML files and reports mistakes with line and column.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use urlwise_explain::secret;

use crate::exit::Failure;
use crate::language::{about, said};
use crate::position::Position;

/// The longest file, in octets.
const LONGEST: u64 = 1 << 20;

/// The path and contents of a file.
#[derive(Debug)]
pub(crate) struct TomlFile {
    path: PathBuf,
    text: String,
}

impl TomlFile {
    /// Reads the file at this path.
    pub(crate) fn read(path: &Path) -> Result<TomlFile, Failure> {
        TomlFile::of(path, File::open(path))
    }

    /// Reads an opened file.
    pub(crate) fn of(path: &Path, file: io::Result<File>) -> Result<TomlFile, Failure> {
        let mut text = String::new();
        let read = file.and_then(|file| file.take(LONGEST + 1).read_to_string(&mut text));
        let name = || secret::masked_path(path);
        read.map_err(|error| {
            Failure::Input(said!("cannot read {name}: {why}", name = name(), why = error.to_string()))
        })?;
        if text.len() as u64 > LONGEST {
            return Err(Failure::Input(said!(
                "{name} is longer than {count} MiB",
                name = name(),
                count = LONGEST >> 20
            )));
        }
        Ok(TomlFile { path: path.to_owned(), text })
    }

    /// Parses the contents.
    pub(crate) fn parse<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        toml::from_str(&self.text).map_err(|error| self.mistake(&error.span().unwrap_or_default(), error.message()))
    }

    /// An error about a mistake in the file, with line and column.
    pub(crate) fn mistake(&self, span: &Range<usize>, message: &str) -> Failure {
        let Position { line, character, .. } =
            Position::START.after(self.text.as_bytes().get(..span.start).unwrap_or_default());
        let message = secret::masked(message.trim().replace('\n', ": ").as_bytes(), false);
        Failure::Input(about(format!("{}:{line}:{character}", secret::masked_path(&self.path)), message))
    }
}

#[cfg(test)]
mod tests;
