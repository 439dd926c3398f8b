//! Telnet sessions, at the terminal or on standard input and output (RFC 1738 section 3.8, S-40).
//!
//! If standard input and output are terminals, the session is [interactive](terminal). Otherwise [lines](streams) come from
//! standard input and text goes to standard output. The user and password of the URL are shown and never sent.

#[cfg(unix)]
mod prompt;
mod screen;
#[cfg(unix)]
mod signals;
mod streams;
#[cfg(unix)]
mod terminal;
#[cfg(unix)]
mod wait;

use std::io::{self, IsTerminal, Write};

use urlwise::escape_for_display;
use urlwise_open::protocol::telnet::{TelnetSettings, Terminal};
use urlwise_open::{ErrorKind, Session};

use super::Run;
use super::attempt::AttemptError;
use crate::access;
use crate::cli::Get;
use crate::exit::Status;
use crate::language::{language, message, said, words};
use screen::Screen;

/// Input is not read while this many octets are waiting to be sent.
const UNSENT: usize = 64 * 1024;

/// The Telnet settings, from the options and the terminal.
pub(super) fn settings(get: &Get) -> TelnetSettings {
    let mut settings = TelnetSettings::default();
    settings.raw = get.opening.ftp.raw;
    settings.line_end = get.telnet.enter.map(Into::into).unwrap_or_default();
    settings.terminal = is_interactive().then(|| {
        let name = get.telnet.terminal_type.clone().unwrap_or_default();
        #[cfg(unix)]
        let window = terminal::window();
        #[cfg(not(unix))]
        let window = urlwise_open::protocol::telnet::Window::default();
        Terminal::new(name, window)
    });
    settings
}

/// Whether standard input and output are terminals. Only Unix terminals are supported; others are used line by line.
fn is_interactive() -> bool {
    cfg!(unix) && io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Runs a session to its end. Returns how many octets the server sent, and the result. Without `input`, standard input is not read.
pub(super) fn hold(
    run: &Run<'_>,
    mut session: Session,
    input: bool,
    out: &mut dyn Write,
) -> (u64, Result<(), AttemptError>) {
    let interactive = input && is_interactive();
    announce(run, &session, interactive);
    // An interactive session passes control sequences to the terminal; otherwise they are escaped.
    let mut screen = Screen::new(out, !interactive && io::stdout().is_terminal());
    #[cfg(unix)]
    let end = if interactive {
        terminal::hold(run, &mut session, &mut screen)
    } else {
        streams::hold(&mut session, input, &mut screen)
    };
    #[cfg(not(unix))]
    let end = streams::hold(&mut session, input, &mut screen);
    access::notes(session.notes(), &run.console);
    session.close();
    (screen.octets(), end)
}

/// The error for a session that should be saved to a file.
pub(super) fn not_saved() -> AttemptError {
    let what =
        said!("the URL names a session, not a document: run it without an output file, or redirect standard output");
    AttemptError::Local(Status::Failed(ErrorKind::NoAccess), what)
}

/// Prints the server, and the login that the URL suggests.
fn announce(run: &Run<'_>, session: &Session, interactive: bool) {
    let peer = session.peer().message();
    let mut line = match session.is_tls() {
        true => message!("connected to {peer}, encrypted", peer = peer),
        false => message!(
            "connected to {peer}, not encrypted: anyone on the network path can read what you type",
            peer = peer
        ),
    };
    if !interactive && io::stdin().is_terminal() {
        let echoed = words!("what you type is echoed here, passwords too, because standard output is not a terminal");
        line = message!("{sentence}; {help}", sentence = line, help = echoed);
    }
    if let (true, Some(key)) = (interactive, run.get.telnet.escape_key.unwrap_or_default().0) {
        let key = message!("the escape key is {key}", key = key_name(key));
        line = message!("{sentence}; {help}", sentence = line, help = key);
    }
    run.console.remark(&line.in_language(language()).to_string());
    if let Some(advice) = advice(session, run.context.show_secrets) {
        run.console.remark(&advice);
    }
}

/// The login that the URL suggests, for the user to type (section 3.8).
fn advice(session: &Session, show_secrets: bool) -> Option<String> {
    let login = session.login()?;
    let user = escape_for_display(&login.user).to_string();
    Some(match &login.password {
        None => said!("the URL suggests the user `{user}`, which is not sent", user = user),
        Some(password) if show_secrets => said!(
            "the URL suggests the user `{user}` and the password `{password}`, which are not sent",
            user = user,
            password = escape_for_display(password.reveal()).to_string()
        ),
        Some(_) => said!(
            "the URL suggests the user `{user}` and a password, which are not sent; --show-secrets shows the password",
            user = user
        ),
    })
}

/// `Ctrl-]`, or the character.
fn key_name(key: u8) -> String {
    if key.is_ascii_control() { format!("Ctrl-{}", char::from(key ^ 0x40)) } else { char::from(key).to_string() }
}

#[cfg(test)]
mod tests {
    use super::key_name;

    #[test]
    fn keys_have_readable_names() {
        assert_eq!([0x1d, 0, 0x7f, b'~'].map(key_name), ["Ctrl-]", "Ctrl-@", "Ctrl-?", "~"]);
    }
}
