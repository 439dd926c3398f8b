//! Sending: a dialogue with a server, or a program on this machine.

use super::letter::Letter;
use super::server::MailServer;
use crate::credentials::{Realm, ServerLogin, Wallet};
use crate::error::kind::ErrorKind;
use crate::error::{Error, system_words};
use crate::language::{message, words};
use crate::net::aside::Aside;
use crate::net::deadlines::Clock;
use crate::net::driver::Dialogue;
use crate::net::endpoint::Endpoint;
use crate::protocol::smtp::{SmtpLogin, SmtpMachine};
use crate::protocol::{Note, TlsMode, shown};
use crate::scheme::context::Context;
use crate::scheme::plan::Plan;
use lettre::Transport as _;
use lettre::address::Envelope;
use lettre::transport::sendmail::{Error as SendmailError, SendmailTransport};
use std::error::Error as _;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use urlwise::Message;
use urlwise::escape_for_display;

/// How to send a letter. There may be others.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Delivery {
    /// A mail server.
    Server(MailServer),
    /// A program that accepts mail, with the arguments of sendmail.
    Sendmail(PathBuf),
}

/// A letter was accepted for delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sent {
    /// The server's reply when it accepted it; empty for a program. Octets, to be [escaped](urlwise::escape_for_display).
    pub reply: Vec<u8>,
    /// Notes about how it was sent.
    pub notes: Vec<Note>,
}

/// A dialogue with a server, before it begins.
struct SmtpCall {
    machine: SmtpMachine,
    endpoint: Endpoint,
    /// The user whose password may be asked for.
    asking: Option<(Realm, Vec<u8>)>,
}

/// Sends a letter, once: see [`Client::send`](crate::Client::send).
pub(crate) fn send(context: &Context, letter: &Letter, by: &Delivery, clock: Clock) -> Result<Sent, Error> {
    let sent = match by {
        Delivery::Server(server) => send_to(context, server, letter, clock),
        Delivery::Sendmail(program) => run(program, letter, clock),
    };
    sent.map_err(|error| error.at(&letter.url))
}

/// The dry run of [`send`].
pub(crate) fn plan(context: &Context, letter: &Letter, by: &Delivery) -> Result<Plan, Error> {
    let plan = match by {
        Delivery::Server(server) => {
            call(context, server, letter).and_then(|call| Plan::of_machine(call.machine, &call.endpoint, None))
        }
        Delivery::Sendmail(program) => {
            envelope(letter).map(|_| Plan::of_program(program, &arguments(letter), letter.octets()))
        }
    };
    plan.map_err(|error| error.at(&letter.url))
}

fn call(context: &Context, server: &MailServer, letter: &Letter) -> Result<SmtpCall, Error> {
    let mut request = letter.request()?;
    let own = server.user().map(ServerLogin::of);
    let login = context.wallet().login_to(Some(server.host()), own);
    let mut asking = None;
    if let Some(login) = login {
        let realm = server.realm();
        if server.tls() == TlsMode::None && context.require_tls {
            return Err(Wallet::refuse_clear(&realm));
        }
        let text = |octets: &[u8]| {
            String::from_utf8(octets.to_vec()).map_err(|_| {
                Error::new(ErrorKind::Login, words!("the user name and password of a mail server must be UTF-8"))
                    .with_reference("RFC 4616 section 2")
            })
        };
        let password = login.password.as_ref().map(|password| text(password.reveal())).transpose()?;
        request = request.with_login(SmtpLogin { user: text(&login.user)?, password });
        asking = Some((realm, login.user));
    }
    Ok(SmtpCall { machine: SmtpMachine::new(request, server.tls()), endpoint: server.endpoint(), asking })
}

fn send_to(context: &Context, server: &MailServer, letter: &Letter, clock: Clock) -> Result<Sent, Error> {
    let SmtpCall { machine, endpoint, asking } = call(context, server, letter)?;
    let mut dialogue = Dialogue::new(machine, endpoint, clock, context.shared())
        .on_error(|machine, error| if machine.awaits_acceptance() { not_confirmed(error) } else { error });
    if let Some((realm, user)) = asking {
        dialogue = dialogue.asking(realm, user);
    }
    let Some(reply) = dialogue.next_entry()? else {
        return Err(Error::new(ErrorKind::Protocol, words!("the server did not accept the message")));
    };
    // The mail has been accepted, even if the goodbye fails.
    while dialogue.next().is_ok_and(|event| event.is_some()) {}
    Ok(Sent { reply, notes: dialogue.take_notes() })
}

/// The whole mail was sent; without the server's reply it is unknown whether it was accepted.
fn not_confirmed(error: Error) -> Error {
    let class = match error.kind() {
        ErrorKind::Timeout | ErrorKind::Server => ErrorKind::Partial,
        class => class,
    };
    Error::new(class, message!("it is unknown whether the message was sent: {cause}", cause = error.what().clone()))
        .with_reference("RFC 5321 section 4.5.3.2")
        .with_help(words!("ask the recipient before sending it again"))
        .with_source(error)
}

fn envelope(letter: &Letter) -> Result<Envelope, Error> {
    let request = letter.request()?;
    // An address is one argument of the program, which could take one that looks like an option for an option (S-6).
    for address in letter.recipients().iter().map(String::as_str).chain([letter.sender()]) {
        if address.starts_with('-') {
            let what = message!(
                "the address {address} looks like a command-line option",
                address = escape_for_display(address.as_bytes()).to_string()
            );
            return Err(Error::new(ErrorKind::Refused, what)
                .with_reference("S-6")
                .with_help(words!("send it through a server")));
        }
    }
    request.envelope().map_err(|error| Error::new(ErrorKind::Refused, error.to_string()))
}

/// The arguments of the program: as lettre passes them, which a test checks.
fn arguments(letter: &Letter) -> Vec<&str> {
    let recipients = letter.recipients().iter().map(String::as_str);
    ["-i", "-f", letter.sender(), "--"].into_iter().chain(recipients).collect()
}

/// Hands the letter to the program, in a thread that is abandoned when it is too slow.
fn run(program: &Path, letter: &Letter, mut clock: Clock) -> Result<Sent, Error> {
    let envelope = envelope(letter)?;
    let (transport, message) = (SendmailTransport::new_with_command(program), letter.octets().to_vec());
    let failed = |why: &str| {
        let program = shown(program.as_os_str().as_encoded_bytes());
        let cause = match why.trim() {
            "" => words!("it failed without a message").into(),
            why => Message::from(escape_for_display(why.as_bytes()).to_string()),
        };
        let what = message!("{program} failed to send the message: {cause}", program = program, cause = cause);
        Error::new(ErrorKind::Server, what)
    };
    let run = Aside::start(move || transport.send_raw(&envelope, &message).map_err(Arc::new))
        .map_err(|error| failed(&system_words(&error)).with_source(error))?;
    clock.asked();
    loop {
        let wait = clock.wait().map_err(not_confirmed)?;
        match run.wait(wait.at_most) {
            Some(Ok(())) => return Ok(Sent { reply: Vec::new(), notes: Vec::new() }),
            Some(Err(error)) => return Err(failed(&why(&error)).with_source(error)),
            None => clock.ran_out(wait).map_err(not_confirmed)?,
        }
    }
}

/// The program's own message, or the system's.
fn why(error: &SendmailError) -> String {
    let source = error.source();
    match source.and_then(|source| source.downcast_ref::<io::Error>()) {
        Some(error) => system_words(error),
        None => source.map_or_else(|| error.to_string(), ToString::to_string),
    }
}
