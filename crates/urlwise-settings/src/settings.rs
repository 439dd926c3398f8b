//! `config.toml`: the user's settings, for the commands that open URLs.
//!
//! It is read from `$XDG_CONFIG_HOME/urlwise`, otherwise `~/.config/urlwise`; on Windows
//! `%APPDATA%\urlwise`. It may name hosts and programs, so it is never read from the current folder or its parents
//! (S-53), and a file that others own or may write is refused. An unknown key is an error that names its line and column.
//!
//! ```toml
//! [gateway]
//! wais = "http://gateway.example/wais?{url}"
//!
//! [news]
//! server = "news.example"
//!
//! [archive]
//! url = "https://archive.example/{url}"
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
use urlwise::{Message, Words};
use urlwise_explain::secret;
use urlwise_open::protocol::ftp::ExplicitTls;
use urlwise_open::{Gateways, NewsServer};

use crate::error::Error;
use crate::language::{message, words};
use crate::toml_file::{TomlFile, unreadable};
pub use mail::Mail;

/// The path within the folder for settings.
const NAME: [&str; 2] = ["urlwise", "config.toml"];

/// The contents of the file. Every key is optional.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Tables {
    archive: Archive,
    gateway: BTreeMap<Spanned<String>, Spanned<String>>,
    mail: mail::Table,
    news: News,
}

/// The table `[archive]`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Archive {
    url: Option<String>,
}

/// The table `[news]`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct News {
    server: Option<Spanned<String>>,
}

/// The settings of a user, `config.toml`, or the defaults if there is no file.
///
/// ```
/// use std::path::Path;
/// use urlwise_settings::{Settings, TomlFile};
///
/// let text = "[gateway]\nwais = \"http://gateway.example/wais?{url}\"\n";
/// let settings = Settings::in_file(&TomlFile::of(Path::new("config.toml"), text.as_bytes())?)?;
/// assert!(settings.opening().gateways.get("wais").is_some());
/// # Ok::<(), urlwise_settings::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Settings {
    gateways: Gateways,
    news_server: Option<NewsServer>,
    /// How mail is written and sent.
    pub mail: Mail,
    /// The template of the archive of `check --open --suggest`; `None` if the file does not say.
    pub archive: Option<String>,
}

impl Settings {
    /// The client's options by default and from the settings; the command line overrides them.
    pub fn opening(&self) -> urlwise_open::Options {
        let mut options = urlwise_open::Options::default();
        // As news does.
        options.ftp.explicit_tls = ExplicitTls::ForLogin;
        options.gateways.clone_from(&self.gateways);
        options.news.server.clone_from(&self.news_server);
        options
    }

    /// Reads the file at this path.
    ///
    /// # Errors
    /// Others own the file or may write it, or those of [`TomlFile::read`] and of [`in_file`](Settings::in_file).
    pub fn read(path: &Path) -> Result<Settings, Error> {
        Settings::of(path, File::open(path))
    }

    /// Reads the user's file from the folder that the environment names. Without a file, returns the defaults.
    ///
    /// # Errors
    /// Those of [`read`](Settings::read).
    pub fn of_user() -> Result<Settings, Error> {
        let Some(path) = user_path() else { return Ok(Settings::default()) };
        match File::open(&path) {
            Err(error) if is_missing(&error) => Ok(Settings::default()),
            file => Settings::of(&path, file),
        }
    }

    fn of(path: &Path, file: io::Result<File>) -> Result<Settings, Error> {
        let file = file.map_err(|error| unreadable(path, &error))?;
        if let Some((what, help)) = not_ones_own(&file) {
            let sentence = Message::new(what).with("path", secret::masked_path(path));
            return Err(Error::new(message!("{sentence}; {help}", sentence = sentence, help = help)));
        }
        Settings::in_file(&TomlFile::of(path, file)?)
    }

    /// The settings of a file that has been read.
    ///
    /// # Errors
    /// It is not TOML, has an unknown key or a value of the wrong kind, or names what cannot be a gateway, a server or a sender.
    pub fn in_file(file: &TomlFile) -> Result<Settings, Error> {
        let tables: Tables = file.parse()?;
        let mut settings =
            Settings { mail: Mail::of(tables.mail, file)?, archive: tables.archive.url, ..Settings::default() };
        for (scheme, template) in &tables.gateway {
            let routed = settings.gateways.route(scheme.get_ref(), template.get_ref());
            routed.map_err(|error| file.mistake(&template.span(), |language| error.message_in(language)))?;
        }
        if let Some(server) = &tables.news.server {
            let named = NewsServer::parse(server.get_ref());
            let named = named
                .map_err(|error| file.mistake(&server.span(), |language| error.message_in(language).to_string()))?;
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
fn user_path() -> Option<PathBuf> {
    let folder = |name: &str| env::var_os(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let settings = match cfg!(windows) {
        true => folder("APPDATA"),
        false => folder("XDG_CONFIG_HOME").or_else(|| folder("HOME").map(|home| home.join(".config"))),
    };
    settings.map(|settings| settings.join(NAME.iter().collect::<PathBuf>()))
}

/// Why others could have written the file, and what to do; `None` if only the user and the system could. Devices and pipes, as of a
/// shell's `<(...)`, were chosen by the caller. A group with the number of its user is that user's own: many systems make files
/// writable by it.
#[cfg(unix)]
fn not_ones_own(file: &File) -> Option<(Words, Words)> {
    use std::os::unix::fs::MetadataExt as _;
    const BY_GROUP: u32 = 0o020;
    const BY_EVERYBODY: u32 = 0o002;
    const ROOT: u32 = 0;
    let found = file.metadata().ok().filter(std::fs::Metadata::is_file)?;
    let by_group = found.mode() & BY_GROUP != 0 && found.gid() != found.uid();
    if by_group || found.mode() & BY_EVERYBODY != 0 {
        return Some((
            words!("{path} is writable by others but may name programs to run"),
            words!("remove that permission, as in `chmod go-w`"),
        ));
    }
    let is_owner = [ROOT, rustix::process::geteuid().as_raw()].contains(&found.uid());
    let belongs = words!("{path} belongs to another user but may name programs to run");
    (!is_owner).then_some((belongs, words!("use a file of your own")))
}

#[cfg(not(unix))]
fn not_ones_own(_: &File) -> Option<(Words, Words)> {
    None
}
