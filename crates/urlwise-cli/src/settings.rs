//! `config.toml`: the user's settings, for the commands that open URLs.
//!
//! It is read from `$XDG_CONFIG_HOME/urlwise`, otherwise `~/.config/urlwise`; on Windows
//! `%APPDATA%\urlwise`. It may name hosts and programs, so it is never read from the current folder or its parents
//! (S-53), and a world-writable file is refused. An unknown key is an error that names its line and column.
//!
//! ```toml
//! [gateway]
//! wais = "http://gateway.example/wais?{url}"
//!
//! [news]
//! server = "news.example"
//!
//! [mail]
//! from = "Joe Doe <joe@host.example>"
//! server = "smtps://joe@mail.example" # or: sendmail = "/usr/sbin/sendmail"
//! compose = ["thunderbird", "-compose"]
//! ```

mod mail;

use std::collections::BTreeMap;
use std::env;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;
use urlwise_open::{Gateways, NewsServer};

use crate::cli::Own;
use crate::exit::Failure;
use crate::secret;
use crate::toml_file::TomlFile;
pub(crate) use mail::Mail;

/// The path within the folder for settings.
const NAME: [&str; 2] = ["urlwise", "config.toml"];

/// The contents of the file. Every key is optional.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Tables {
    gateway: BTreeMap<Spanned<String>, Spanned<String>>,
    mail: mail::Table,
    news: News,
}

/// The table `[news]`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct News {
    server: Option<Spanned<String>>,
}

/// The settings of a file, or the defaults if there is none.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    gateways: Gateways,
    news_server: Option<NewsServer>,
    pub(crate) mail: Mail,
}

impl Settings {
    /// The client's options from the settings; the command line overrides them.
    pub(crate) fn opening(&self) -> urlwise_open::Options {
        let mut options = urlwise_open::Options::default();
        options.gateways.clone_from(&self.gateways);
        options.news.server.clone_from(&self.news_server);
        options
    }

    /// Reads the file of `--settings`, otherwise the user's file, if there is one.
    pub(crate) fn of(options: &Own) -> Result<Settings, Failure> {
        match (&options.settings, default_path()) {
            (Some(path), _) => Settings::read(path, File::open(path)),
            (None, Some(path)) if !options.no_settings => match File::open(&path) {
                Err(error) if is_missing(&error) => Ok(Settings::default()),
                file => Settings::read(&path, file),
            },
            _ => Ok(Settings::default()),
        }
    }

    fn read(path: &Path, file: io::Result<File>) -> Result<Settings, Failure> {
        if file.as_ref().is_ok_and(is_world_writable) {
            let what = format!(
                "{} is writable by everybody but may name programs to run; remove that permission, as in `chmod o-w`",
                secret::masked_path(path)
            );
            return Err(Failure::Input(what));
        }
        let file = TomlFile::of(path, file)?;
        let tables: Tables = file.parse()?;
        let mut settings = Settings { mail: Mail::of(tables.mail, &file)?, ..Settings::default() };
        for (scheme, template) in &tables.gateway {
            let routed = settings.gateways.route(scheme.get_ref(), template.get_ref());
            routed.map_err(|error| file.mistake(&template.span(), &error.to_string()))?;
        }
        if let Some(server) = &tables.news.server {
            let named = NewsServer::parse(server.get_ref());
            let named = named.map_err(|error| file.mistake(&server.span(), &error.to_string()))?;
            settings.news_server = Some(named);
        }
        Ok(settings)
    }
}

/// Whether the file or its folder does not exist.
fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// The path of the user's file; `None` if the environment does not say. Relative paths are ignored, because they would be in the
/// current folder.
fn default_path() -> Option<PathBuf> {
    let folder = |name: &str| env::var_os(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let settings = match cfg!(windows) {
        true => folder("APPDATA"),
        false => folder("XDG_CONFIG_HOME").or_else(|| folder("HOME").map(|home| home.join(".config"))),
    };
    settings.map(|settings| settings.join(NAME.iter().collect::<PathBuf>()))
}

#[cfg(unix)]
fn is_world_writable(file: &File) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    const WRITABLE: u32 = 0o002;
    file.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & WRITABLE != 0)
}

#[cfg(not(unix))]
fn is_world_writable(_: &File) -> bool {
    false
}
