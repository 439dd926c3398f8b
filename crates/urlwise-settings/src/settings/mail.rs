//! The table `[mail]`: the sender, how mail is sent, and the program that composes.

use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::Deserialize;
use toml::Spanned;
use urlwise_open::{MailServer, Sender};

use crate::error::Error;
use crate::language::words;
use crate::toml_file::TomlFile;

/// The table as written.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Table {
    server: Option<Spanned<String>>,
    sendmail: Option<Spanned<String>>,
    from: Option<Spanned<String>>,
    compose: Option<Spanned<Vec<String>>>,
}

/// The table `[mail]` of [`Settings`](crate::Settings). Each is `None` if the file does not say.
#[derive(Debug, Default)]
pub struct Mail {
    /// The server that sends.
    pub server: Option<MailServer>,
    /// The program that sends. There is either a server or a program.
    pub sendmail: Option<PathBuf>,
    /// The sender.
    pub from: Option<Sender>,
    /// The command that composes mail, not empty; the URL is appended.
    pub compose: Option<Vec<OsString>>,
}

impl Mail {
    pub(super) fn of(table: Table, file: &TomlFile) -> Result<Mail, Error> {
        let Table { server, sendmail, from, compose } = table;
        if let (Some(_), Some(sendmail)) = (&server, &sendmail) {
            let both = words!("`server` and `sendmail` cannot be used together");
            return Err(file.mistake(&sendmail.span(), |language| both.get(language)));
        }
        let program = |name: &str, span: &Range<usize>| {
            // Such a path would be relative to the current folder.
            if name.is_empty() || Path::new(name).is_relative() && Path::new(name).components().count() > 1 {
                let help = words!("use a program name or an absolute path");
                return Err(file.mistake(span, |language| help.get(language)));
            }
            Ok(())
        };
        if let Some(sendmail) = &sendmail {
            program(sendmail.get_ref(), &sendmail.span())?;
        }
        if let Some(compose) = &compose {
            program(compose.get_ref().first().map_or("", String::as_str), &compose.span())?;
        }
        Ok(Mail {
            server: read(server, file)?,
            sendmail: sendmail.map(|sendmail| sendmail.into_inner().into()),
            from: read(from, file)?,
            compose: compose.map(|words| words.into_inner().into_iter().map(OsString::from).collect()),
        })
    }
}

fn read<T>(text: Option<Spanned<String>>, file: &TomlFile) -> Result<Option<T>, Error>
where
    T: FromStr<Err = urlwise_open::Error>,
{
    let Some(text) = text else { return Ok(None) };
    let read: Result<T, urlwise_open::Error> = text.get_ref().parse();
    read.map(Some).map_err(|error| file.mistake(&text.span(), |language| error.message_in(language).to_string()))
}
