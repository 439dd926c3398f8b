//! `urlwise.toml`: settings of `find` and `check` for a project.
//!
//! The file is searched for in the current folder and its parents, up to the one that contains `.git`. It cannot name a
//! program, a file or a host to open, so the worst that the file of an untrusted tree can do is to silence rules, skip files or keep
//! links from being opened. Use `--no-config` for such a tree. An unknown key is an error that names its line and column.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;
use urlwise::{Level, Profile};
use urlwise_explain::secret;

use crate::error::Error;
use crate::language::message;
use crate::toml_file::{TomlFile, unreadable};

#[cfg(feature = "schema")]
pub(crate) mod schema;

/// The name of the file.
const NAME: &str = "urlwise.toml";

// The comments below are the descriptions of config.schema.json, which a test writes from these types.

/// Settings of `urlwise find` and `urlwise check` for a project. Every key is optional, and options on the command line win.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "urlwise.toml"))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct ConfigFile {
    /// The grammar that URLs are held to, as with --profile.
    #[cfg_attr(feature = "schema", schemars(with = "Grammar"))]
    profile: Option<Grammar>,
    /// Search hidden files and folders.
    hidden: bool,
    /// Do not respect .gitignore, .ignore and .rgignore.
    no_ignore: bool,
    /// The schemes that `find` looks for; without any, all.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<schema::SchemeName>"))]
    schemes: Vec<Spanned<String>>,
    /// The only rules and codes that `check` reports; `all` stands for all of them.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<schema::RuleName>"))]
    select: Option<Vec<Spanned<String>>>,
    /// Rules and codes that `check` does not report.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<schema::RuleName>"))]
    ignore: Vec<Spanned<String>>,
    /// The levels at which `check` reports rules and codes.
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<schema::RuleName, Severity>"))]
    severity: BTreeMap<Spanned<String>, Severity>,
    /// Also report notes, as `fail-on = "note"` does.
    notes: bool,
    /// The lowest level that makes the exit status of `check` 1. With `note`, notes are reported.
    #[cfg_attr(feature = "schema", schemars(with = "Threshold"))]
    fail_on: Option<Threshold>,
    exclude: Excluded,
}

/// Links that `check --open` does not open.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Excluded {
    /// Patterns of whole URLs, or of links as they are written: `http://localhost*`.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    urls: Vec<Spanned<String>>,
    /// Patterns of hosts: `*.internal`.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    hosts: Vec<Spanned<String>>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
enum Grammar {
    /// The grammar of RFC 1738.
    Rfc1738,
    /// What is in use today.
    Current,
}

/// The level of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "they are the levels, and comments are descriptions of the schema")]
pub enum Severity {
    Error,
    Warning,
    Note,
    /// Not reported.
    Off,
}

// The comments are the help of `--fail-on` too.

/// The levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Threshold {
    /// Invalid URLs, and high risks
    Error,
    /// Errors, and what is likely to go wrong
    Warning,
    /// Everything
    Note,
    /// With --open: dead links
    Dead,
    /// With --open: dead links, and those that may be dead
    Unknown,
}

impl Threshold {
    /// The level of problems and findings; `None` if it is about links alone.
    pub fn level(self) -> Option<Level> {
        match self {
            Threshold::Error => Some(Level::Error),
            Threshold::Warning => Some(Level::Warning),
            Threshold::Note => Some(Level::Note),
            Threshold::Dead | Threshold::Unknown => None,
        }
    }
}

/// The settings of a project, `urlwise.toml`, or the defaults if there is no file.
///
/// Names and patterns in it are known to the caller alone. What takes a function gives it each of them; the first that it refuses is
/// an error with the function's message, which is the same in every language, and the place in the file.
#[derive(Debug, Default)]
pub struct Config {
    settings: ConfigFile,
    file: Option<TomlFile>,
}

impl Config {
    /// Reads the file at this path.
    ///
    /// # Errors
    /// Those of [`TomlFile::read`] and of [`in_file`](Config::in_file).
    pub fn read(path: &Path) -> Result<Config, Error> {
        Config::in_file(TomlFile::read(path)?)
    }

    /// Looks for the file in this folder and its parents, up to the one that contains `.git`, and reads the nearest. Without a file,
    /// returns the defaults.
    ///
    /// # Errors
    /// Those of [`read`](Config::read), or it is not a regular file or a link to one.
    pub fn near(folder: &Path) -> Result<Config, Error> {
        let Some(path) = nearest(folder) else { return Ok(Config::default()) };
        // A pipe is not opened: that may take forever.
        if !fs::metadata(&path).map_err(|error| unreadable(&path, &error))?.is_file() {
            let name = secret::masked_path(&path);
            return Err(Error::new(message!("{name} is not a regular file", name = name)));
        }
        Config::read(&path)
    }

    /// The settings of a file that has been read.
    ///
    /// # Errors
    /// It is not TOML, or has an unknown key or a value of the wrong kind.
    pub fn in_file(file: TomlFile) -> Result<Config, Error> {
        Ok(Config { settings: file.parse()?, file: Some(file) })
    }

    /// Looks up each text. The first that is unknown is an error with its location in the file.
    fn each<'c, T>(
        &self,
        texts: impl IntoIterator<Item = &'c Spanned<String>>,
        named: impl Fn(&str) -> Result<T, String>,
    ) -> Result<Vec<T>, Error> {
        let mistake = |text: &Spanned<String>, message: String| match &self.file {
            Some(file) => file.mistake(&text.span(), |_| &message),
            None => Error::new(message.into()),
        };
        let texts = texts.into_iter();
        texts.map(|text| named(text.get_ref()).map_err(|message| mistake(text, message))).collect()
    }

    /// The grammar that URLs are held to; `None` if the file does not say.
    pub fn profile(&self) -> Option<Profile> {
        self.settings.profile.map(|grammar| match grammar {
            Grammar::Rfc1738 => Profile::Rfc1738,
            Grammar::Current => Profile::Current,
        })
    }

    /// The schemes to find; empty means all.
    ///
    /// # Errors
    /// The first text that the function refuses.
    pub fn schemes<T>(&self, named: impl Fn(&str) -> Result<T, String>) -> Result<Vec<T>, Error> {
        self.each(&self.settings.schemes, named)
    }

    /// What to report; `None` if the file does not say.
    ///
    /// # Errors
    /// The first text that the function refuses.
    pub fn select<T>(&self, named: impl Fn(&str) -> Result<T, String>) -> Result<Option<Vec<T>>, Error> {
        self.settings.select.as_ref().map(|texts| self.each(texts, named)).transpose()
    }

    /// What not to report.
    ///
    /// # Errors
    /// The first text that the function refuses.
    pub fn ignore<T>(&self, named: impl Fn(&str) -> Result<T, String>) -> Result<Vec<T>, Error> {
        self.each(&self.settings.ignore, named)
    }

    /// Changed levels.
    ///
    /// # Errors
    /// The first text that the function refuses.
    pub fn severities<T>(&self, named: impl Fn(&str) -> Result<T, String>) -> Result<Vec<(T, Severity)>, Error> {
        let rules = self.each(self.settings.severity.keys(), named)?;
        Ok(rules.into_iter().zip(self.settings.severity.values().copied()).collect())
    }

    /// Whether notes are reported too.
    pub fn notes(&self) -> bool {
        self.settings.notes
    }

    /// The lowest level that makes a check fail; `None` if the file does not say.
    pub fn fail_on(&self) -> Option<Threshold> {
        self.settings.fail_on
    }

    /// The patterns of URLs and of hosts that are not opened.
    ///
    /// # Errors
    /// The first text that the function refuses.
    pub fn excluded<T>(&self, read: impl Fn(&str) -> Result<T, String>) -> Result<(Vec<T>, Vec<T>), Error> {
        let Excluded { urls, hosts } = &self.settings.exclude;
        Ok((self.each(urls, &read)?, self.each(hosts, &read)?))
    }

    /// Whether hidden files and folders are searched.
    pub fn hidden(&self) -> bool {
        self.settings.hidden
    }

    /// Whether ignore files are not respected.
    pub fn no_ignore(&self) -> bool {
        self.settings.no_ignore
    }
}

/// What has the name in this folder or the nearest parent, up to the one that contains `.git`.
fn nearest(folder: &Path) -> Option<PathBuf> {
    for folder in folder.ancestors() {
        let file = folder.join(NAME);
        if fs::symlink_metadata(&file).is_ok() {
            return Some(file);
        }
        if folder.join(".git").exists() {
            return None;
        }
    }
    None
}
