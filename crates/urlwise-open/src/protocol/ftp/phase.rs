//! The phases of a dialogue: what each sends, what it waits for, and what a refusal means.

use super::command::{command, secret};
use super::names::ListCommand;
use super::request::{FtpRequest, Path};
use super::session::FtpSession;
use super::settings::FtpSettings;
use super::types::Type;
use crate::language::{message, words};
use crate::protocol::reply::Reply;
use crate::protocol::{Command, Expected, Fault, FaultKind, Hint, masked};
use std::borrow::Cow;
use urlwise::{Message, Typecode, Words, escape_for_display};

/// One command and its reply, or the greeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Greeting,
    AuthTls,
    User,
    Pass,
    Acct,
    Pbsz,
    Prot,
    /// The directory of this number.
    Cwd(usize),
    Type(Type),
    Feat,
    Size,
    Mdtm,
    /// Whether the name exists, and what it is.
    Mlst,
    Epsv,
    Pasv,
    Rest(u64),
    /// The command that uses the data connection.
    Transfer,
    /// The reply that ends a transfer.
    Final,
    /// A file that the server does not send may be a directory: `CWD` finds out.
    IsDirectory,
}

/// What the argument of `CWD` is.
pub(super) const DIRECTORY: Words = words!("directory");

/// What a URL needs, and what is known so far.
pub(super) struct FtpContext<'a> {
    pub(super) request: &'a FtpRequest,
    pub(super) path: &'a Path,
    pub(super) settings: &'a FtpSettings,
    pub(super) session: &'a FtpSession,
}

impl<'a> FtpContext<'a> {
    /// The directories to enter.
    pub(super) fn cwds(&self) -> &'a [Vec<u8>] {
        self.path.cwds(self.request)
    }

    /// The command that lists; `None` for a file. `LIST` has no argument, which many servers would read as options of `ls`.
    pub(super) fn list(&self) -> Option<ListCommand> {
        if !self.request.is_list() {
            return None;
        }
        let wants_names = self.request.typecode == Some(Typecode::Directory);
        let has_argument = self.path.name.is_some();
        Some(if self.session.has_mlsd == Some(true) && !wants_names {
            ListCommand::Mlsd
        } else if wants_names || has_argument || self.session.no_list {
            ListCommand::Nlst(self.path.name.clone())
        } else {
            ListCommand::List(self.request.now)
        })
    }

    fn name(&self) -> Option<(Words, &[u8])> {
        let name = self.path.name.as_deref();
        // A file has a name, though it may be empty; a list without a name is requested without an argument.
        let name = if self.request.is_list() { name } else { Some(name.unwrap_or_default()) };
        name.map(|name| (words!("name"), name))
    }

    /// What `phase` sends; `None` for the greeting and the end of a transfer, which arrive without a command.
    ///
    /// # Errors
    /// An argument that must not be sent.
    pub(super) fn command(&self, phase: Phase) -> Result<Option<Command>, Fault> {
        let login = &self.request.login;
        let write = |verb, argument| command(verb, argument, self.settings);
        let plain =
            |verb, argument: &str| command(verb, Some((words!("argument"), argument.as_bytes())), self.settings);
        let sent = match phase {
            Phase::Greeting | Phase::Final => return Ok(None),
            Phase::AuthTls => plain("AUTH", "TLS"),
            Phase::User => write("USER", Some((words!("user"), login.user.as_deref().unwrap_or(b"anonymous")))),
            Phase::Pass => match (&login.user, &login.password) {
                (None, None) => write("PASS", Some((words!("anonymous address"), self.settings.anonymous.as_bytes()))),
                (_, password) => {
                    let password = password.as_deref().unwrap_or_default();
                    secret("PASS", words!("password"), password, self.settings)
                }
            },
            Phase::Acct => {
                let account = login.account.as_deref().unwrap_or_default();
                secret("ACCT", words!("account"), account, self.settings)
            }
            Phase::Pbsz => plain("PBSZ", "0"),
            Phase::Prot => plain("PROT", "P"),
            Phase::Cwd(number) => {
                let cwd = self.cwds().get(number).map(Vec::as_slice).unwrap_or_default();
                write("CWD", Some((DIRECTORY, cwd)))
            }
            Phase::Type(transfer_type) => plain("TYPE", transfer_type.code()),
            Phase::Feat => write("FEAT", None),
            Phase::Size => write("SIZE", self.name()),
            Phase::Mdtm => write("MDTM", self.name()),
            Phase::Mlst => write("MLST", self.name()),
            Phase::Epsv => write("EPSV", None),
            Phase::Pasv => write("PASV", None),
            Phase::Rest(offset) => plain("REST", &offset.to_string()),
            Phase::Transfer => write(self.list().map_or("RETR", |list| list.verb()), self.name()),
            Phase::IsDirectory => write("CWD", self.name()),
        };
        sent.map(Some)
    }

    /// The expected reply to the command of `phase`.
    pub(super) fn expected(&self, phase: Phase) -> Expected {
        let (what, reply): (_, &'static [u8]) = match phase {
            Phase::Greeting => (words!("220, the greeting"), b"220 \r\n"),
            Phase::AuthTls => (words!("234, and nothing after it"), b"234 \r\n"),
            Phase::User => (words!("331 if a password is required, 230 if not"), b"331 \r\n"),
            Phase::Pass => (words!("230, logged in"), b"230 \r\n"),
            Phase::Acct => (words!("230, logged in"), b"230 \r\n"),
            Phase::Pbsz => (Words::same("200"), b"200 \r\n"),
            Phase::Prot => (words!("200, data will be encrypted"), b"200 \r\n"),
            Phase::Cwd(_) => (words!("250, directory changed"), b"250 \r\n"),
            Phase::Type(_) => (Words::same("200"), b"200 \r\n"),
            Phase::Feat => (words!("211, with MLST among the features"), b"211-\r\n MLST\r\n211 \r\n"),
            Phase::Size => (words!("213, the size in octets"), b"213 0\r\n"),
            Phase::Mdtm => (words!("213, the modification time"), b"213 19941201000000\r\n"),
            Phase::Mlst => (words!("250, what the name is"), b"250-\r\n type=file; \r\n250 \r\n"),
            Phase::Epsv => (words!("229, a port"), b"229 (|||65535|)\r\n"),
            Phase::Pasv => (words!("227, an address, which is ignored, and a port"), b"227 (0,0,0,0,255,255)\r\n"),
            Phase::Rest(_) => (Words::same("350"), b"350 \r\n"),
            Phase::Transfer => (words!("150, the transfer begins"), b"150 \r\n"),
            Phase::Final => (words!("226, the transfer is complete"), b"226 \r\n"),
            Phase::IsDirectory => (words!("550, not a directory"), b"550 \r\n"),
        };
        Expected { what: what.into(), reply: Cow::Borrowed(reply), closes: false }
    }

    /// The fault when the server refused the command of `phase`.
    pub(super) fn refusal(&self, phase: Phase, reply: &Reply) -> Fault {
        let said = self.words(reply);
        let refused = |kind, rule, what: Message| {
            // 4yz is temporary, 5yz permanent (RFC 959 section 4.2).
            Fault::new(kind, rule, what).octets(&said).code(reply.code).lasting(reply.code >= 500)
        };
        if reply.code == 421 {
            let what = words!("the server closes the connection");
            return refused(FaultKind::Server, "RFC 959 section 5.4", what.into());
        }
        let kind = match reply.code {
            530 | 532 => FaultKind::Login,
            550 => FaultKind::NotFound,
            _ => FaultKind::Server,
        };
        match phase {
            Phase::Greeting => {
                refused(FaultKind::Server, "RFC 959 section 5.4", words!("the server refuses the connection").into())
            }
            Phase::AuthTls => refused(FaultKind::Server, "S-17", words!("the server refuses TLS").into())
                .with_help(words!("nothing was sent without encryption; TLS is required by your options")),
            Phase::User | Phase::Pass | Phase::Acct => {
                let user = self.request.login.user.as_deref().map(|user| escape_for_display(user).to_string());
                let what = match user {
                    Some(user) => message!("the server rejects the login of the user \"{user}\"", user = user),
                    None => words!("the server rejects the login of anonymous users").into(),
                };
                let kind = if reply.class() == 5 { FaultKind::Login } else { FaultKind::Server };
                refused(kind, "RFC 1738 section 3.2.1", what)
            }
            Phase::Pbsz | Phase::Prot => {
                refused(FaultKind::Server, "S-29", words!("the server does not encrypt data connections").into())
                    .with_help(words!("nothing was transferred without encryption"))
            }
            Phase::Cwd(number) => self.cwd_refused(number, kind, &refused),
            Phase::Transfer if self.request.is_list() => {
                refused(kind, "RFC 1738 section 3.2.2", words!("the server refuses to send the list").into())
            }
            Phase::Transfer | Phase::IsDirectory | Phase::Size | Phase::Mdtm | Phase::Mlst => {
                let name = escape_for_display(&self.request.name).to_string();
                let what = message!("the server refuses to send the file \"{name}\"", name = name);
                refused(kind, "RFC 1738 section 3.2.2", what)
            }
            Phase::Final => {
                refused(FaultKind::Partial, "S-30", words!("the server reports an incomplete transfer").into())
            }
            Phase::Type(_) | Phase::Feat | Phase::Rest(_) => {
                refused(kind, "RFC 959 section 5.4", words!("the server refuses the command").into())
            }
            Phase::Epsv | Phase::Pasv => {
                refused(kind, "RFC 2428 section 3", words!("the server refuses to open a data port").into())
            }
        }
    }

    fn cwd_refused(
        &self,
        number: usize,
        kind: FaultKind,
        refused: &dyn Fn(FaultKind, &'static str, Message) -> Fault,
    ) -> Fault {
        let cwd = self.cwds().get(number).map(Vec::as_slice).unwrap_or_default();
        if cwd.is_empty() {
            let what = message!(
                "the server refuses `CWD` with a null argument, which the empty segment {number} of the path requires",
                number = number + 1
            );
            return refused(FaultKind::Server, "RFC 1738 section 3.2.2, D-31", what)
                .with_help(words!(
                    "for an absolute path write `%2F`, as in `ftp://host/%2Fetc/motd`, or skip empty segments"
                ))
                .with_hint(Hint::SkipEmptyCwd);
        }
        let name = escape_for_display(cwd).to_string();
        let what = message!("the server refuses to change to the directory \"{name}\"", name = name);
        let fault = refused(kind, "RFC 1738 section 3.2.2", what).directory(number);
        if number + 1 < self.cwds().len() {
            return fault
                .with_help(words!("if only the last directory is accessible, change to the whole path at once"))
                .with_hint(Hint::SingleCwd);
        }
        fault
    }

    /// The last line of a reply, for people.
    pub(super) fn words(&self, reply: &Reply) -> Vec<u8> {
        self.without_secrets(reply.last_line())
    }

    /// The server's message, without secrets that it may repeat.
    pub(super) fn without_secrets(&self, words: &[u8]) -> Vec<u8> {
        let login = &self.request.login;
        let secrets = [&login.password, &login.account].into_iter().flatten().filter(|secret| !secret.is_empty());
        secrets.fold(words.to_vec(), |words, secret| masked(&words, secret))
    }
}

/// The fault if what a phase sends was not given.
pub(super) fn missing_secret(phase: Phase) -> Fault {
    let (what, help) = match phase {
        Phase::Acct => (words!("the server requires an account, and none was given"), words!("give the account")),
        _ => (
            words!("the server requires the password of the user in the URL, and none was given"),
            words!("give the password, or write it into the URL after the user and a colon"),
        ),
    };
    Fault::new(FaultKind::Login, "RFC 1738 section 3.2.1", what).with_help(help)
}
