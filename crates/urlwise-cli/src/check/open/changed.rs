//! `--changed`: only the lines that a unified diff adds.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use urlwise_explain::secret;
use urlwise_formats::diff::AddedLines;

use crate::exit::{Failure, os_message};
use crate::language::{about, message, said};

/// The longest diff, in octets: it is kept in memory.
const LONGEST: u64 = 256 << 20;

/// Reads a diff; `-` is standard input.
pub(super) fn read(path: &Path) -> Result<AddedLines, Failure> {
    let mut text = Vec::new();
    let read = match path == Path::new("-") {
        true => io::stdin().lock().take(LONGEST + 1).read_to_end(&mut text),
        false => File::open(path).and_then(|file| file.take(LONGEST + 1).read_to_end(&mut text)),
    };
    let failed = |why: &str| {
        let message = message!("cannot read {name}: {why}", name = secret::masked_missing(path), why = why);
        Failure::Input(about("--changed", message))
    };
    read.map_err(|error| failed(&os_message(&error)))?;
    if text.len() as u64 > LONGEST {
        return Err(failed(&said!("it is longer than {count} MiB", count = LONGEST >> 20)));
    }
    let added = AddedLines::parse(&text, Path::exists);
    added.ok_or_else(|| failed(&said!("it is not a unified diff, as of `git diff`")))
}

/// A diff that was made in another folder: it has added lines, and none of its files is here.
pub(super) fn is_of_elsewhere(added: &AddedLines) -> bool {
    !added.is_empty() && !added.files().any(|(path, _)| path.exists())
}

/// The files with added lines that exist, in order.
pub(super) fn files(added: &AddedLines) -> Vec<PathBuf> {
    let mut files: Vec<_> = added.files().filter(|(path, _)| path.is_file()).map(|(path, _)| path.to_owned()).collect();
    files.sort();
    files
}
