//! The machine: from a mail to the reply of a server that has accepted it. See the diagram in [the module](super).

use super::command::{command, message, secret};
use super::extension::Extensions;
use super::note::{MAIL_IN_CLEAR, PASSWORD_IN_CLEAR};
use super::phase::Phase;
use super::request::SmtpRequest;
use crate::language::words;
use crate::protocol::engine::{Commands, Engine};
use crate::protocol::reply::{Replies, Reply, ReplyLimits};
use crate::protocol::{
    Command, Event, Expected, Fault, FaultKind, Input, Io, Machine, Question, Step, TlsMode, masked,
};
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::commands::{Auth, Data, Ehlo, Mail, Quit, Rcpt, Starttls};
use lettre::transport::smtp::extension::{ClientId, MailBodyParameter, MailParameter};
use lettre::transport::smtp::response::Response;
use urlwise::Words;

/// The reference for the syntax of replies.
const REPLIES: &str = "RFC 5321 section 4.2";

/// Limits on a reply.
const LIMITS: ReplyLimits = ReplyLimits { line: 8 * 1024, reply: 256 * 1024, lines: 1_000 };

/// The most challenges of a server during a login: `LOGIN` has two.
const CHALLENGES: usize = 2;

/// One mail and its dialogue. Its one entry is the server's reply that it has accepted the message.
#[derive(Debug)]
pub struct SmtpMachine {
    request: SmtpRequest,
    tls: TlsMode,
    /// Whether the connection has TLS.
    secure: bool,
    extensions: Extensions,
    /// The number of challenges that were answered.
    challenges: usize,
    engine: Engine<Phase, Vec<u8>>,
    replies: Replies,
    /// Secrets that were sent, in case the server repeats them.
    secrets: Vec<Vec<u8>>,
}

impl SmtpMachine {
    /// A machine for a fresh connection.
    pub fn new(request: SmtpRequest, tls: TlsMode) -> SmtpMachine {
        SmtpMachine {
            request,
            tls,
            secure: tls == TlsMode::Implicit,
            extensions: Extensions::default(),
            challenges: 0,
            engine: Engine::new(),
            replies: Replies::new(REPLIES),
            secrets: Vec::new(),
        }
    }

    /// Whether the whole message was sent and only the server's final reply is missing.
    pub fn awaits_acceptance(&self) -> bool {
        self.engine.awaited() == Some(Phase::Message)
    }

    /// What `phase` sends; `None` for the greeting, which arrives without a command.
    fn command(&self, phase: Phase) -> Result<Option<Command>, Fault> {
        let SmtpRequest { sender, recipients, .. } = &self.request;
        match phase {
            Phase::Greeting => return Ok(None),
            // An address that reveals nothing: the server need not know the name of this machine.
            Phase::Ehlo => command(Ehlo::new(ClientId::Ipv4(std::net::Ipv4Addr::LOCALHOST))),
            Phase::StartTls => command(Starttls),
            Phase::Auth => self.auth(None),
            Phase::Mail => {
                let utf8 = [MailParameter::SmtpUtfEight, MailParameter::Body(MailBodyParameter::EightBitMime)];
                let parameters = if self.request.needs_utf8() { utf8.to_vec() } else { Vec::new() };
                command(Mail::new(Some(sender.clone()), parameters))
            }
            Phase::Rcpt(index) => {
                let Some(recipient) = recipients.get(index) else { return Ok(None) };
                command(Rcpt::new(recipient.clone(), Vec::new()))
            }
            Phase::Data => command(Data),
            Phase::Message => Ok(message(&self.request.message)),
            Phase::Quit => command(Quit),
        }
        .map(Some)
    }

    /// The command that begins the login, or the answer to a challenge.
    fn auth(&self, challenge: Option<&Reply>) -> Result<Command, Fault> {
        let login = self.request.login.clone();
        let (Some(login), Some(mechanism)) = (login, self.extensions.mechanism) else {
            return Err(no_login(words!("the server supports no known login mechanism")));
        };
        let credentials = Credentials::new(login.user, login.password.unwrap_or_default());
        let line = match challenge {
            None => Auth::new(mechanism, credentials, None),
            Some(reply) => {
                let text: String = reply.lines().map(|line| format!("{}\r\n", line.escape_ascii())).collect();
                text.parse::<Response>().and_then(|response| Auth::new_from_response(mechanism, credentials, &response))
            }
        };
        let line = line.map_err(|_| {
            no_login(words!("the server asks for something other than a user and a password"))
                .octets(challenge.map(Reply::last_line).unwrap_or_default())
        })?;
        let shown = match (challenge, mechanism) {
            (None, Mechanism::Plain) => "AUTH PLAIN ".len(),
            (None, _) => "AUTH LOGIN".len(),
            (Some(_), _) => 0,
        };
        secret(line, shown)
    }

    fn give(&mut self, command: Command) {
        self.secrets.extend(command.secrets().map(<[u8]>::to_vec));
        self.engine.emit(Io::Send(command));
    }

    /// Handles a reply to the command of `phase`.
    fn replied(&mut self, phase: Phase, reply: &Reply) -> Result<(), Fault> {
        let words = self.without_secrets(reply.last_line());
        // Unlike FTP, each line has the code (RFC 5321 section 4.2.1).
        let code = reply.code.to_string();
        if !reply.lines().all(|line| line.starts_with(code.as_bytes())) {
            let what = words!("the lines of a reply have different codes");
            return Err(Fault::new(FaultKind::Malformed, REPLIES, what).octets(&words));
        }
        match (phase, reply.class()) {
            (Phase::Ehlo, 2) => {
                self.extensions = Extensions::of(reply);
                self.approach()?;
            }
            (Phase::StartTls, 2) => {
                self.engine.start_tls(self.replies.unread())?;
                self.secure = true;
            }
            (Phase::Auth, 3) if self.challenges < CHALLENGES => {
                self.challenges += 1;
                let answer = self.auth(Some(reply))?;
                self.give(answer);
                self.engine.await_reply(Phase::Auth);
            }
            (Phase::Greeting | Phase::Auth | Phase::Mail | Phase::Rcpt(_), 2) | (Phase::Data, 3) => {}
            (Phase::Message, 2) => self.engine.emit(Event::Entry(words)),
            // The message has been accepted, even if the server now reports an error.
            (Phase::Quit, _) => {}
            (_, 4 | 5) => {
                let fault = phase.refusal(reply.code, &words, &self.request.recipients);
                let may_need_login = self.request.login.is_none() && self.extensions.mechanism.is_some();
                return Err(match phase {
                    Phase::Mail | Phase::Rcpt(_) if may_need_login => {
                        fault.with_help(words!("the server supports logins; give a user name"))
                    }
                    _ => fault,
                });
            }
            _ => {
                let what = words!("the reply does not match the command");
                return Err(Fault::new(FaultKind::Malformed, REPLIES, what).octets(&words));
            }
        }
        Ok(())
    }

    /// Queues what follows `EHLO`: TLS if required and not yet begun, or the mail.
    fn approach(&mut self) -> Result<(), Fault> {
        if self.tls == TlsMode::Explicit && !self.secure {
            if !self.extensions.starttls {
                let what = words!("the server does not offer TLS; nothing was sent");
                return Err(Fault::new(FaultKind::Server, "S-17", what)
                    .lasting(true)
                    .with_help(words!("use `smtps://` for a server with TLS from the start")));
            }
            self.engine.extend([Phase::StartTls, Phase::Ehlo]);
            return Ok(());
        }
        if self.request.needs_utf8() && !self.extensions.utf8 {
            let what = words!("the server does not accept non-ASCII addresses; nothing was sent");
            return Err(Fault::new(FaultKind::Server, "RFC 6531 section 3.2", what)
                .lasting(true)
                .with_help(words!("encode the domain with IDNA (`xn--`), or use an ASCII address")));
        }
        if self.request.login.is_some() {
            if self.extensions.mechanism.is_none() {
                return Err(no_login(words!("the server offers no supported login mechanism; nothing was sent")));
            }
            self.engine.push(Phase::Auth);
        }
        // The message follows when every recipient is accepted.
        self.engine.push(Phase::Mail);
        self.engine.extend(self.recipients());
        self.engine.extend([Phase::Data, Phase::Message, Phase::Quit]);
        Ok(())
    }

    /// A phase for each recipient.
    fn recipients(&self) -> impl Iterator<Item = Phase> + use<> {
        (0..self.request.recipients.len()).map(Phase::Rcpt)
    }

    /// The server's message, without secrets that it may repeat.
    fn without_secrets(&self, words: &[u8]) -> Vec<u8> {
        let password = self.request.login.as_ref().and_then(|login| login.password.as_deref());
        let secrets = password.map(str::as_bytes).into_iter().chain(self.secrets.iter().map(Vec::as_slice));
        secrets.filter(|secret| !secret.is_empty()).fold(words.to_vec(), |words, secret| masked(&words, secret))
    }
}

impl Commands for SmtpMachine {
    type Phase = Phase;
    type Entry = Vec<u8>;

    fn engine(&mut self) -> &mut Engine<Phase, Vec<u8>> {
        &mut self.engine
    }

    fn start(&mut self) -> Result<(), Fault> {
        // Writes everything that would be sent once, to find what must not be sent.
        for phase in [Phase::Mail].into_iter().chain(self.recipients()) {
            self.command(phase)?;
        }
        self.engine.emit(Io::Connect);
        self.engine.extend([Phase::Greeting, Phase::Ehlo]);
        Ok(())
    }

    fn question(&self, phase: Phase) -> Option<Question> {
        let is_missing = self.request.login.as_ref().is_some_and(|login| login.password.is_none());
        (phase == Phase::Auth && is_missing).then_some(Question::Password)
    }

    fn answered(&mut self, _: Phase, answer: &[u8]) {
        if let Some(login) = &mut self.request.login {
            // SASL logins are UTF-8 (RFC 4616 section 2), so no server would accept other octets.
            login.password = Some(String::from_utf8_lossy(answer).into_owned());
        }
    }

    fn unanswered(&self, _: Phase) -> Fault {
        no_login(words!("the server requires a password, and none was given; nothing was sent"))
    }

    fn send(&mut self, phase: Phase) -> Result<(), Fault> {
        if let Some(command) = self.command(phase)? {
            self.give(command);
        }
        let note = match phase {
            Phase::Auth => Some(PASSWORD_IN_CLEAR),
            Phase::Message => Some(MAIL_IN_CLEAR),
            _ => None,
        };
        if let Some(note) = note.filter(|_| !self.secure) {
            self.engine.emit(Event::Note(note));
        }
        Ok(())
    }

    fn reply(&mut self, phase: Phase, input: &mut Input<'_>) -> Result<bool, Fault> {
        match self.replies.next(input, LIMITS) {
            Err(fault) => {
                let words = fault.raw_octets().map(|words| self.without_secrets(words));
                Err(words.into_iter().fold(fault, |fault, words| fault.octets(&words)))
            }
            Ok(Some(reply)) => self.replied(phase, &reply).map(|()| true),
            Ok(None) => Ok(false),
        }
    }

    fn closed(&mut self, phase: Phase) -> Result<(), Fault> {
        match phase {
            // The mail has been accepted.
            Phase::Quit => Ok(()),
            Phase::Message => {
                let what = words!("the server closed the connection before it confirmed the message");
                Err(Fault::new(FaultKind::Partial, "RFC 5321 section 4.2.5", what)
                    .with_help(words!("it may have been sent: ask the recipient before sending it again")))
            }
            _ => {
                let what = words!("the server closed the connection; nothing was sent");
                Err(Fault::new(FaultKind::Server, "RFC 5321 section 3.8", what))
            }
        }
    }
}

impl Machine for SmtpMachine {
    /// The server's reply when it accepted the message.
    type Entry = Vec<u8>;
    const HAS_REPLIES: bool = true;

    fn next<'i>(&mut self, input: &mut Input<'i>) -> Step<'i, Vec<u8>> {
        Engine::run(self, input)
    }

    fn expected(&self) -> Expected {
        self.engine.awaited().unwrap_or(Phase::Greeting).expected()
    }

    fn answer(&mut self, answer: Option<&[u8]>) {
        Engine::answer(self, answer);
    }
}

fn no_login(what: Words) -> Fault {
    Fault::new(FaultKind::Login, "RFC 4954 section 4", what)
}
