//! Drafts: a mailto URL is shown, saved as a message file, passed to a mailer, or sent (S-38 and S-39).
//!
//! Sending requires `--send` and a confirmation or `--yes`. It happens once, regardless of `--retry`.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use unicode_width::UnicodeWidthStr;
use urlwise::{Locator, Message, MessageValue, Url, Words, escape_for_display};
use urlwise_explain::wrap;
use urlwise_open::{
    Delivery, ErrorKind, Gateways, Letter, MailAddress, MessageDraft, PlanLine, Recipients, Resource, Sender,
};
use urlwise_settings::Mail;

use super::Run;
use super::attempt::AttemptError;
use crate::access;
use crate::cli;
use crate::console::shown;
use crate::exit::{Failure, Status, os_message};
use crate::language::{about, language, list, message, said, words};
use crate::lock::locked;
use crate::terminal::{Echo, TerminalPrompt};

/// Programs that open mailto URLs, on Windows, macOS and freedesktop.org systems; the first one found is used. The URL is the
/// last argument.
const MAILERS: &[&[&str]] = if cfg!(windows) {
    &[&["rundll32.exe", "url.dll,FileProtocolHandler"]]
} else if cfg!(target_os = "macos") {
    &[&["open"]]
} else {
    &[&["xdg-email"], &["xdg-open"]]
};

/// The default path of sendmail.
const SENDMAIL: &str = "/usr/sbin/sendmail";

/// The place of a program that no option names.
const OF_SETTINGS: Words = words!("`sendmail` in your settings");

/// What to do with drafts.
#[derive(Debug)]
pub(super) enum DraftAction {
    /// Show or save them.
    Show,
    /// Pass them to this program. The URL is appended to these arguments.
    Compose(Vec<OsString>),
    /// Send them.
    Send(Sender, Delivery),
}

impl DraftAction {
    /// From the options, otherwise from the settings.
    pub(super) fn of(mail: &cli::Mail, settings: Mail) -> Result<DraftAction, Failure> {
        if mail.compose {
            let of_settings =
                |words| found(words).map_err(|program| absent(words!("`compose` in your settings"), &program));
            return settings.compose.map_or_else(mailer, of_settings).map(DraftAction::Compose);
        }
        if !mail.send {
            return Ok(DraftAction::Show);
        }
        let sender = match &mail.from {
            Some(from) => Some(from.parse().map_err(|error| access::unusable("--from", &error))?),
            None => settings.from,
        };
        let Some(sender) = sender else {
            return Err(Failure::Input(said!("--send requires a sender: use --from, or `from` in the settings")));
        };
        let delivery = match (&mail.sendmail, &mail.mail_server) {
            (Some(Some(program)), _) => sendmail("--sendmail", program)?,
            (Some(None), _) => {
                sendmail(OF_SETTINGS, settings.sendmail.as_deref().unwrap_or(Path::new(SENDMAIL)).as_os_str())?
            }
            (None, Some(server)) => {
                Delivery::Server(server.parse().map_err(|error| access::unusable("--mail-server", &error))?)
            }
            (None, None) => match (settings.server, settings.sendmail) {
                (Some(server), _) => Delivery::Server(server),
                (None, Some(program)) => sendmail(OF_SETTINGS, program.as_os_str())?,
                (None, None) => {
                    return Err(Failure::Input(said!(
                        "--send requires --mail-server or --sendmail, or `server` or `sendmail` in the settings"
                    )));
                }
            },
        };
        Ok(DraftAction::Send(sender, delivery))
    }

    /// Refuses URLs that do not make a draft, or whose draft is made by a gateway, where an option needs one.
    pub(super) fn admit(&self, url: &Url<&str>, added: &Recipients, gateways: &Gateways) -> Result<(), AttemptError> {
        let option = match self {
            DraftAction::Show if !added.to.is_empty() => "--to",
            DraftAction::Show if !added.cc.is_empty() => "--cc",
            DraftAction::Show => return Ok(()),
            DraftAction::Compose(_) => "--compose",
            DraftAction::Send(..) => "--send",
        };
        let why = match url.locator() {
            Locator::Mailto(_) if gateways.get(url.scheme_name()).is_none() => return Ok(()),
            Locator::Mailto(_) => {
                said!("{option} requires a mailto URL, and this URL is opened through a gateway", option = option)
            }
            _ => said!("{option} requires a mailto URL, and this is not one", option = option),
        };
        Err(AttemptError::Local(Status::Failed(ErrorKind::NoAccess), why))
    }
}

/// The recipients of --to and --cc.
pub(super) fn recipients(mail: &cli::Mail) -> Result<Recipients, Failure> {
    let addresses = |option: &'static str, texts: &[String]| -> Result<Vec<MailAddress>, Failure> {
        let read = |text: &String| text.parse().map_err(|error| access::unusable(option, &error));
        texts.iter().map(read).collect()
    };
    Ok(Recipients { to: addresses("--to", &mail.to)?, cc: addresses("--cc", &mail.cc)? })
}

/// The program that takes the mail, and where it was named.
fn sendmail(named: impl Into<MessageValue>, program: &OsStr) -> Result<Delivery, Failure> {
    place(program).map(Delivery::Sendmail).ok_or_else(|| absent(named, program))
}

/// A command with the full path of its program; the error is the name of the program.
fn found(mut words: Vec<OsString>) -> Result<Vec<OsString>, OsString> {
    if let Some(program) = words.first_mut() {
        *program = place(program).ok_or_else(|| program.clone())?.into_os_string();
    }
    Ok(words)
}

fn absent(named: impl Into<MessageValue>, program: &OsStr) -> Failure {
    let what = message!("program not found: {name}; name one that is in PATH, or give its path", name = shown(program));
    Failure::Input(about(named, what))
}

/// A program of this system that opens mailto URLs.
fn mailer() -> Result<Vec<OsString>, Failure> {
    let there = MAILERS.iter().find_map(|words| found(words.iter().map(Into::into).collect()).ok());
    there.ok_or_else(|| {
        let names = list(MAILERS.iter().map(|words| Message::from(words[0])));
        Failure::Input(about("--compose", message!("no mailer found; tried {names}", names = names)))
    })
}

/// Finds a program. A bare name is searched for in PATH, except in relative folders: they are
/// below the current folder, which may contain anything (S-53).
fn place(program: &OsStr) -> Option<PathBuf> {
    if Path::new(program).components().count() != 1 {
        return Some(program.into());
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let mut folders = env::split_paths(&path).filter(|folder| folder.is_absolute());
    folders.find_map(|folder| Some(folder.join(program)).filter(|file| file.is_file()))
}

/// What would be done with the draft of a URL.
pub(super) fn plan(run: &Run<'_>, url: &Url<&str>) -> Result<Vec<PlanLine>, AttemptError> {
    let draft = match &run.draft_action {
        DraftAction::Show => return Ok(Vec::new()),
        // Making a draft does not connect: `admit` has excluded gateways.
        _ => match run.client.open_with(url, &super::job::call(run))? {
            Resource::Draft(draft) => draft,
            _ => return Ok(Vec::new()),
        },
    };
    match &run.draft_action {
        DraftAction::Show => Ok(Vec::new()),
        DraftAction::Compose(program) => {
            let words = program.iter().map(|word| word.as_encoded_bytes().to_vec());
            let url = draft.mailto()?.to_string().into_bytes();
            Ok(vec![PlanLine::Run { words: words.chain([url]).collect() }])
        }
        DraftAction::Send(sender, delivery) => {
            let letter = draft.letter(sender, SystemTime::now())?;
            Ok(run.client.plan_sending(&letter, delivery)?.lines().to_vec())
        }
    }
}

/// Passes a draft to the mailer, or sends it.
pub(super) fn act(run: &Run<'_>, draft: &MessageDraft) -> Result<(), AttemptError> {
    match &run.draft_action {
        DraftAction::Show => Ok(()),
        DraftAction::Compose(program) => compose(run, program, draft),
        DraftAction::Send(sender, delivery) => {
            let letter = draft.letter(sender, SystemTime::now())?;
            confirm_sending(run, draft, &letter, delivery)?;
            let sent = run.client.send(&letter, delivery)?;
            access::notes(&sent.notes, &run.console);
            let done = said!("sent to {recipients}", recipients = recipients_of(&letter));
            run.console.remark(&match sent.reply.as_slice() {
                b"" => done,
                reply => about(done, escape_for_display(reply).to_string()),
            });
            Ok(())
        }
    }
}

fn compose(run: &Run<'_>, program: &[OsString], draft: &MessageDraft) -> Result<(), AttemptError> {
    let url = draft.mailto()?;
    let [name, arguments @ ..] = program else { return Ok(()) };
    let shown = shown(name);
    if io::stdin().is_terminal() && !run.get.mail.yes {
        let question = said!("Pass {url} to {name}?", url = url.to_string(), name = shown.as_str());
        agreed(run, &format!("{question} [y/N] "), words!("use --yes to skip the question"))?;
    }
    let failed = |why: String| {
        let what = said!("{name} did not accept the draft: {why}", name = shown.as_str(), why = why);
        AttemptError::Local(Status::Failed(ErrorKind::NoAccess), what)
    };
    let status = Command::new(name).args(arguments).arg(OsStr::new(url.as_str())).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(failed(status.to_string())),
        Err(error) => Err(failed(os_message(&error))),
    }
}

/// Echo the mail and its sender and recipients, and asks for confirmation.
fn confirm_sending(
    run: &Run<'_>,
    draft: &MessageDraft,
    letter: &Letter,
    delivery: &Delivery,
) -> Result<(), AttemptError> {
    if run.get.mail.yes {
        return Ok(());
    }
    let by = match delivery {
        Delivery::Server(server) => server.to_string(),
        Delivery::Sendmail(program) => shown(program),
        _ => String::new(),
    };
    let sender = escape_for_display(letter.sender().as_bytes()).to_string();
    let mut text = String::new();
    let labels = [words!("from"), words!("to"), words!("by")].map(|label| label.get(language()));
    let width = labels.iter().map(|label| label.width()).max().unwrap_or_default();
    for (label, value) in labels.into_iter().zip([sender, recipients_of(letter), by]) {
        text += &label;
        wrap::blank(&mut text, width + 1 - label.width());
        text += &value;
        text.push('\n');
    }
    text.push('\n');
    for line in letter.headers() {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{}", escape_for_display(line));
    }
    if draft.body().is_some() {
        // The readable text; the one that is sent may be encoded.
        let draft = draft.to_string();
        let _ = write!(text, "\n{}", draft.split_once("\n\n").map_or("", |(_, body)| body));
    }
    let question = said!("Send this mail?");
    agreed(run, &format!("{text}\n{question} [y/N] "), words!("use --yes to send it without asking"))
}

fn recipients_of(letter: &Letter) -> String {
    escape_for_display(letter.recipients().join(", ").as_bytes()).to_string()
}

/// Asks at the terminal, one question at a time.
fn agreed(run: &Run<'_>, question: &str, otherwise: Words) -> Result<(), AttemptError> {
    let _terminal = locked(&run.terminal);
    let prompt = TerminalPrompt { console: run.console.clone(), cancel: Some(run.cancel.clone()) };
    let what = match prompt.line(question, Echo::On) {
        Some(answer) if [&b"y"[..], b"yes"].contains(&answer.reveal().to_ascii_lowercase().as_slice()) => return Ok(()),
        _ if run.cancel.is_requested() => return Err(AttemptError::Local(Status::Interrupted, said!("interrupted"))),
        Some(_) => said!("not confirmed, so nothing was done"),
        None => said!("cannot ask for confirmation without a terminal, so nothing was done; {help}", help = otherwise),
    };
    Err(AttemptError::Local(Status::Failed(ErrorKind::Refused), what))
}
