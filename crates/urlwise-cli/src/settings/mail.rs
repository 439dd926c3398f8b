//! The table `[mail]`: the sender, how mail is sent, and the program that composes.

use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::Deserialize;
use toml::Spanned;
use urlwise_open::{Error, MailServer, Sender};

use crate::exit::Failure;
use crate::language::{language, said};
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

/// The mail settings; options override them.
#[derive(Debug, Default)]
pub(crate) struct Mail {
    /// The server that sends.
    pub(crate) server: Option<MailServer>,
    /// The program that sends. There is either a server or a program.
    pub(crate) sendmail: Option<PathBuf>,
    /// The sender.
    pub(crate) from: Option<Sender>,
    /// The command that composes mail, not empty; the URL is appended.
    pub(crate) compose: Option<Vec<OsString>>,
}

impl Mail {
    pub(super) fn of(table: Table, file: &TomlFile) -> Result<Mail, Failure> {
        let Table { server, sendmail, from, compose } = table;
        if let (Some(_), Some(sendmail)) = (&server, &sendmail) {
            return Err(file.mistake(&sendmail.span(), &said!("`server` and `sendmail` cannot be used together")));
        }
        let program = |name: &str, span: &Range<usize>| {
            // Such a path would be relative to the current folder.
            if name.is_empty() || Path::new(name).is_relative() && Path::new(name).components().count() > 1 {
                return Err(file.mistake(span, &said!("use a program name or an absolute path")));
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

fn read<T: FromStr<Err = Error>>(text: Option<Spanned<String>>, file: &TomlFile) -> Result<Option<T>, Failure> {
    let Some(text) = text else { return Ok(None) };
    text.get_ref()
        .parse()
        .map(Some)
        .map_err(|error: Error| file.mistake(&text.span(), &error.message_in(language()).to_string()))
}
