//! `urlwise.toml`: settings of `find` and `check`, kept with the texts they are for.
//!
//! The file is looked for in the current folder and those above it, up to the one that holds `.git`. It holds data: it names no
//! program, no file and no host, so the worst that the file of a foreign tree can do is to silence rules or leave files out.
//! Whoever judges such a tree says `--no-config`. What is not known in it is an error, with its place.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;

use crate::cli::{Threshold, Walking};
use crate::exit::Failure;
use crate::toml_file::TomlFile;

/// The name of the file.
const NAME: &str = "urlwise.toml";

/// What the file says; all of it may be left out.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct ConfigFile {
    profile: Option<Grammar>,
    hidden: bool,
    no_ignore: bool,
    schemes: Vec<Spanned<String>>,
    select: Option<Vec<Spanned<String>>>,
    ignore: Vec<Spanned<String>>,
    severity: BTreeMap<Spanned<String>, Severity>,
    notes: bool,
    fail_on: Option<Threshold>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Grammar {
    Rfc1738,
    Current,
}

/// What becomes of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Severity {
    Error,
    Warning,
    Note,
    Off,
}

/// The settings of a file; those of no file are all left out.
#[derive(Debug, Default)]
pub(crate) struct Config {
    settings: ConfigFile,
    file: Option<TomlFile>,
}

impl Config {
    /// The file that the options name, else the nearest.
    pub(crate) fn of(options: &Walking) -> Result<Config, Failure> {
        match &options.config {
            Some(path) => Config::read(path),
            None if options.no_config => Ok(Config::default()),
            None => {
                let folder = std::env::current_dir()
                    .map_err(|error| Failure::Input(format!("cannot determine the current directory: {error}")))?;
                nearest(&folder).map_or_else(|| Ok(Config::default()), |path| Config::read(&path))
            }
        }
    }

    fn read(path: &Path) -> Result<Config, Failure> {
        let file = TomlFile::read(path)?;
        Ok(Config { settings: file.parse()?, file: Some(file) })
    }

    /// Takes each text to what it names; the first that names nothing is a mistake in the file.
    fn each<'c, T>(
        &self,
        texts: impl IntoIterator<Item = &'c Spanned<String>>,
        named: impl Fn(&str) -> Result<T, String>,
    ) -> Result<Vec<T>, Failure> {
        let mistake = |text: &Spanned<String>, message: String| match &self.file {
            Some(file) => file.mistake(&text.span(), &message),
            None => Failure::Input(message),
        };
        let texts = texts.into_iter();
        texts.map(|text| named(text.get_ref()).map_err(|message| mistake(text, message))).collect()
    }

    pub(crate) fn profile(&self) -> Option<urlwise::Profile> {
        self.settings.profile.map(|grammar| match grammar {
            Grammar::Rfc1738 => urlwise::Profile::Rfc1738,
            Grammar::Current => urlwise::Profile::Current,
        })
    }

    /// The schemes that `find` looks for; all if there are none.
    pub(crate) fn schemes<T>(&self, named: impl Fn(&str) -> Result<T, String>) -> Result<Vec<T>, Failure> {
        self.each(&self.settings.schemes, named)
    }

    /// What is to be reported; `None` where the file does not say.
    pub(crate) fn select<T>(&self, named: impl Fn(&str) -> Result<T, String>) -> Result<Option<Vec<T>>, Failure> {
        self.settings.select.as_ref().map(|texts| self.each(texts, named)).transpose()
    }

    /// What is not.
    pub(crate) fn ignore<T>(&self, named: impl Fn(&str) -> Result<T, String>) -> Result<Vec<T>, Failure> {
        self.each(&self.settings.ignore, named)
    }

    /// What is raised, lowered or silenced.
    pub(crate) fn severities<T>(
        &self,
        named: impl Fn(&str) -> Result<T, String>,
    ) -> Result<Vec<(T, Severity)>, Failure> {
        let rules = self.each(self.settings.severity.keys(), named)?;
        Ok(rules.into_iter().zip(self.settings.severity.values().copied()).collect())
    }

    pub(crate) fn notes(&self) -> bool {
        self.settings.notes
    }

    pub(crate) fn fail_on(&self) -> Option<Threshold> {
        self.settings.fail_on
    }

    pub(crate) fn hidden(&self) -> bool {
        self.settings.hidden
    }

    pub(crate) fn no_ignore(&self) -> bool {
        self.settings.no_ignore
    }
}

/// The file in this folder or the nearest above it; none above the one that holds `.git`.
fn nearest(folder: &Path) -> Option<PathBuf> {
    for folder in folder.ancestors() {
        let file = folder.join(NAME);
        if file.is_file() {
            return Some(file);
        }
        if folder.join(".git").exists() {
            return None;
        }
    }
    None
}
