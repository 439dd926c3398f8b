//! `urlwise.toml`: settings of `find` and `check` for a project.
//!
//! The file is searched for in the current folder and its parents, up to the one that contains `.git`. It cannot name a
//! program, a file or a host, so the worst that the file of an untrusted tree can do is to silence rules or skip files.
//! Use `--no-config` for such a tree. An unknown key is an error that names its line and column.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;

use crate::cli::{Threshold, Walking};
use crate::exit::Failure;
use crate::language::said;
use crate::toml_file::TomlFile;

/// The name of the file.
const NAME: &str = "urlwise.toml";

// The comments below are the descriptions of config.schema.json, which a test writes from these types.

/// Settings of `urlwise find` and `urlwise check` for a project. Every key is optional, and options on the command line win.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "urlwise.toml"))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct ConfigFile {
    /// The grammar that URLs are held to, as with --profile.
    #[cfg_attr(test, schemars(with = "Grammar"))]
    profile: Option<Grammar>,
    /// Search hidden files and folders.
    hidden: bool,
    /// Do not respect .gitignore, .ignore and .rgignore.
    no_ignore: bool,
    /// The schemes that `find` looks for; without any, all.
    #[cfg_attr(test, schemars(with = "Vec<schema::SchemeName>"))]
    schemes: Vec<Spanned<String>>,
    /// The only rules and codes that `check` reports; `all` stands for all of them.
    #[cfg_attr(test, schemars(with = "Vec<schema::RuleName>"))]
    select: Option<Vec<Spanned<String>>>,
    /// Rules and codes that `check` does not report.
    #[cfg_attr(test, schemars(with = "Vec<schema::RuleName>"))]
    ignore: Vec<Spanned<String>>,
    /// The levels at which `check` reports rules and codes.
    #[cfg_attr(test, schemars(with = "BTreeMap<schema::RuleName, Severity>"))]
    severity: BTreeMap<Spanned<String>, Severity>,
    /// Also report notes.
    notes: bool,
    /// The lowest level that makes the exit status of `check` 1.
    #[cfg_attr(test, schemars(with = "Threshold"))]
    fail_on: Option<Threshold>,
    exclude: Excluded,
}

/// Links that `check --open` does not open.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Excluded {
    /// Patterns of whole URLs, or of links as they are written: `http://localhost*`.
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    urls: Vec<Spanned<String>>,
    /// Patterns of hosts: `*.internal`.
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    hosts: Vec<Spanned<String>>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
enum Grammar {
    /// The grammar of RFC 1738.
    Rfc1738,
    /// What is in use today.
    Current,
}

/// The level of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Severity {
    Error,
    Warning,
    Note,
    /// Not reported.
    Off,
}

/// The settings of a file, or the defaults if there is none.
#[derive(Debug, Default)]
pub(crate) struct Config {
    settings: ConfigFile,
    file: Option<TomlFile>,
}

impl Config {
    /// Reads the file of `--config`, otherwise the nearest one.
    pub(crate) fn of(options: &Walking) -> Result<Config, Failure> {
        match &options.config {
            Some(path) => Config::read(path),
            None if options.no_config => Ok(Config::default()),
            None => {
                let folder = std::env::current_dir().map_err(|error| {
                    Failure::Input(said!("cannot determine the current directory: {why}", why = error.to_string()))
                })?;
                nearest(&folder).map_or_else(|| Ok(Config::default()), |path| Config::read(&path))
            }
        }
    }

    fn read(path: &Path) -> Result<Config, Failure> {
        Config::in_file(TomlFile::read(path)?)
    }

    /// The settings of a file that has been read.
    pub(crate) fn in_file(file: TomlFile) -> Result<Config, Failure> {
        Ok(Config { settings: file.parse()?, file: Some(file) })
    }

    /// Looks up each text. The first that is unknown is an error with its location in the file.
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

    /// The schemes to find; empty means all.
    pub(crate) fn schemes<T>(&self, named: impl Fn(&str) -> Result<T, String>) -> Result<Vec<T>, Failure> {
        self.each(&self.settings.schemes, named)
    }

    /// What to report; `None` if the file does not say.
    pub(crate) fn select<T>(&self, named: impl Fn(&str) -> Result<T, String>) -> Result<Option<Vec<T>>, Failure> {
        self.settings.select.as_ref().map(|texts| self.each(texts, named)).transpose()
    }

    /// What not to report.
    pub(crate) fn ignore<T>(&self, named: impl Fn(&str) -> Result<T, String>) -> Result<Vec<T>, Failure> {
        self.each(&self.settings.ignore, named)
    }

    /// Changed levels.
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

    /// The patterns of URLs and of hosts that are not opened.
    pub(crate) fn excluded<T>(&self, read: impl Fn(&str) -> Result<T, String>) -> Result<(Vec<T>, Vec<T>), Failure> {
        let Excluded { urls, hosts } = &self.settings.exclude;
        Ok((self.each(urls, &read)?, self.each(hosts, &read)?))
    }

    pub(crate) fn hidden(&self) -> bool {
        self.settings.hidden
    }

    pub(crate) fn no_ignore(&self) -> bool {
        self.settings.no_ignore
    }
}

/// The file in this folder or the nearest parent, up to the one that contains `.git`.
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

#[cfg(test)]
mod schema;
