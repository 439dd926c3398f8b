//! The machine: from a mail to the word of a server that has taken it. See the picture in [the module](super).

use super::command::{command, message, secret};
use super::extension::Extensions;
use super::note::{MAIL_IN_CLEAR, PASSWORD_IN_CLEAR};
use super::request::Request;
use super::stage::Stage;
use crate::protocol::reply::{Limits, Replies, Reply};
use crate::protocol::{Command, Event, Expected, Fault, FaultKind, Input, Io, Machine, Question, Step, masked};
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::commands::{Auth, Data, Ehlo, Mail, Quit, Rcpt, Starttls};
use lettre::transport::smtp::extension::{ClientId, MailBodyParameter, MailParameter};
use lettre::transport::smtp::response::Response;
use std::collections::VecDeque;

/// Where it is written what replies look like.
const REPLIES: &str = "RFC 5321 section 4.2";

/// What a reply may cost.
const LIMITS: Limits = Limits { line: 8 * 1024, reply: 256 * 1024, lines: 1_000 };

/// The most questions a server may ask before it lets somebody log in: `LOGIN` has two.
const CHALLENGES: usize = 2;

/// What is done about TLS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tls {
    /// The connection has it from its first octet.
    FirstOctet,
    /// `STARTTLS` is sent; where it is not offered or refused, nothing more is.
    StartTls,
    /// Everything goes over the network in clear.
    Never,
}

/// One mail and its dialogue. Its one entry is the server's word that it has taken the message.
#[derive(Debug)]
pub struct Smtp {
    request: Request,
    tls: Tls,
    /// Whether TLS is there.
    secure: bool,
    extensions: Extensions,
    /// The questions of the server that were answered.
    challenges: usize,
    phase: Phase,
    /// Stages to come.
    todo: VecDeque<Stage>,
    /// Steps that wait for the one before them to be done.
    queue: VecDeque<Step<'static, Vec<u8>>>,
    replies: Replies,
    /// What was sent and must not be shown, should the server repeat it.
    secrets: Vec<Vec<u8>>,
}

#[derive(Debug)]
enum Phase {
    Start,
    /// The next stage may begin.
    Ready,
    Awaiting(Stage),
    Asking,
    Done,
    Failed(Fault),
}

impl Smtp {
    /// A machine for a fresh connection.
    pub fn new(request: Request, tls: Tls) -> Smtp {
        Smtp {
            request,
            tls,
            secure: tls == Tls::FirstOctet,
            extensions: Extensions::default(),
            challenges: 0,
            phase: Phase::Start,
            todo: VecDeque::new(),
            queue: VecDeque::new(),
            replies: Replies::new(REPLIES),
            secrets: Vec::new(),
        }
    }

    /// Whether the whole message went and only the server's word is missing that it has taken it.
    pub fn awaits_acceptance(&self) -> bool {
        matches!(self.phase, Phase::Awaiting(Stage::Message))
    }

    fn start(&mut self) -> Result<(), Fault> {
        // Everything that would be sent, written once in vain.
        for stage in [Stage::Mail, Stage::Rcpt] {
            self.command(stage)?;
        }
        self.queue.push_back(Step::Io(Io::Connect));
        self.todo.extend([Stage::Greeting, Stage::Ehlo]);
        self.phase = Phase::Ready;
        Ok(())
    }

    /// What `stage` sends; `None` for the greeting, which comes by itself.
    fn command(&self, stage: Stage) -> Result<Option<Command>, Fault> {
        let Request { sender, recipient, .. } = &self.request;
        match stage {
            Stage::Greeting => return Ok(None),
            // An address that tells nothing: the name of this machine is nobody's business.
            Stage::Ehlo => command(Ehlo::new(ClientId::Ipv4(std::net::Ipv4Addr::LOCALHOST))),
            Stage::StartTls => command(Starttls),
            Stage::Auth => self.auth(None),
            Stage::Mail => {
                let utf8 = [MailParameter::SmtpUtfEight, MailParameter::Body(MailBodyParameter::EightBitMime)];
                let parameters = if self.request.needs_utf8() { utf8.to_vec() } else { Vec::new() };
                command(Mail::new(Some(sender.clone()), parameters))
            }
            Stage::Rcpt => command(Rcpt::new(recipient.clone(), Vec::new())),
            Stage::Data => command(Data),
            Stage::Message => Ok(message(&self.request.message)),
            Stage::Quit => command(Quit),
        }
        .map(Some)
    }

    /// The command that begins to log in, or the answer to what the server asks then.
    fn auth(&self, challenge: Option<&Reply>) -> Result<Command, Fault> {
        let login = self.request.login.clone();
        let (Some(login), Some(mechanism)) = (login, self.extensions.mechanism) else {
            return Err(no_login("the server supports no known login mechanism"));
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
            no_login("the server asks for something other than a user and a password")
                .octets(challenge.map(Reply::last_line).unwrap_or_default())
        })?;
        let shown = match (challenge, mechanism) {
            (None, Mechanism::Plain) => "AUTH PLAIN ".len(),
            (None, _) => "AUTH LOGIN".len(),
            (Some(_), _) => 0,
        };
        secret(line, shown)
    }

    /// Begins the next stage.
    fn proceed(&mut self) -> Result<(), Fault> {
        let Some(stage) = self.todo.pop_front() else {
            self.phase = Phase::Done;
            return Ok(());
        };
        if stage == Stage::Auth && self.request.login.as_ref().is_some_and(|login| login.password.is_none()) {
            self.queue.push_back(Step::Io(Io::Ask(Question::Password)));
            self.phase = Phase::Asking;
            return Ok(());
        }
        if let Some(command) = self.command(stage)? {
            self.send(command);
        }
        let note = match stage {
            Stage::Auth => Some(PASSWORD_IN_CLEAR),
            Stage::Message => Some(MAIL_IN_CLEAR),
            _ => None,
        };
        self.queue.extend(note.filter(|_| !self.secure).map(|given| Step::Event(Event::Note(given))));
        self.phase = Phase::Awaiting(stage);
        Ok(())
    }

    fn send(&mut self, command: Command) {
        self.secrets.extend(command.secrets().map(<[u8]>::to_vec));
        self.queue.push_back(Step::Io(Io::Send(command)));
    }

    /// What a reply to the command of `stage` leads to.
    fn replied(&mut self, stage: Stage, reply: &Reply) -> Result<(), Fault> {
        let words = self.without_secrets(reply.last_line());
        // Unlike FTP, each line has the code (RFC 5321 section 4.2.1).
        let code = reply.code.to_string();
        if !reply.lines().all(|line| line.starts_with(code.as_bytes())) {
            let what = "the lines of a reply have different codes";
            return Err(Fault::new(FaultKind::Malformed, REPLIES, what).octets(&words));
        }
        self.phase = Phase::Ready;
        match (stage, reply.class()) {
            (Stage::Ehlo, 2) => {
                self.extensions = Extensions::of(reply);
                self.approach()?;
            }
            (Stage::StartTls, 2) => self.start_tls()?,
            (Stage::Auth, 3) if self.challenges < CHALLENGES => {
                self.challenges += 1;
                let answer = self.auth(Some(reply))?;
                self.send(answer);
                self.phase = Phase::Awaiting(Stage::Auth);
            }
            (Stage::Greeting | Stage::Auth | Stage::Mail | Stage::Rcpt, 2) | (Stage::Data, 3) => {}
            (Stage::Message, 2) => self.queue.push_back(Step::Event(Event::Entry(words))),
            // The message is where it should be, whatever the server says now.
            (Stage::Quit, _) => {}
            (_, 4 | 5) => {
                let fault = stage.refusal(reply.code, &words);
                let may_need_login = self.request.login.is_none() && self.extensions.mechanism.is_some();
                return Err(match stage {
                    Stage::Mail | Stage::Rcpt if may_need_login => {
                        fault.with_help("the server supports logins; give a user name")
                    }
                    _ => fault,
                });
            }
            _ => {
                let what = "the reply does not match the command";
                return Err(Fault::new(FaultKind::Malformed, REPLIES, what).octets(&words));
            }
        }
        Ok(())
    }

    /// What follows the extensions: TLS if it is wanted and not there, or the mail.
    fn approach(&mut self) -> Result<(), Fault> {
        if self.tls == Tls::StartTls && !self.secure {
            if !self.extensions.starttls {
                let what = "the server does not offer TLS; nothing was sent";
                return Err(Fault::new(FaultKind::Server, "S-17", what)
                    .lasting(true)
                    .with_help("use smtps:// for a server with TLS from the start"));
            }
            self.todo.extend([Stage::StartTls, Stage::Ehlo]);
            return Ok(());
        }
        if self.request.needs_utf8() && !self.extensions.utf8 {
            let what = "the server does not accept non-ASCII addresses; nothing was sent";
            return Err(Fault::new(FaultKind::Server, "RFC 6531 section 3.2", what)
                .lasting(true)
                .with_help("encode the domain with IDNA (xn--), or use an ASCII address"));
        }
        if self.request.login.is_some() {
            if self.extensions.mechanism.is_none() {
                return Err(no_login("the server offers no supported login mechanism; nothing was sent"));
            }
            self.todo.push_back(Stage::Auth);
        }
        self.todo.extend([Stage::Mail, Stage::Rcpt, Stage::Data, Stage::Message, Stage::Quit]);
        Ok(())
    }

    /// Whatever came with the reply came before the handshake: anybody may have written it.
    fn start_tls(&mut self) -> Result<(), Fault> {
        let early = self.replies.unread();
        if !early.is_empty() {
            let what = "extra data arrived after the reply and before the TLS handshake";
            return Err(Fault::new(FaultKind::Malformed, "S-28", what).octets(early));
        }
        self.secure = true;
        self.queue.push_back(Step::Io(Io::StartTls));
        Ok(())
    }

    /// The next reply to `stage`, if it is there.
    fn await_reply<'i>(&mut self, stage: Stage, input: &mut Input<'i>) -> Result<Option<Step<'i, Vec<u8>>>, Fault> {
        match self.replies.next(input, LIMITS) {
            Err(fault) => {
                let words = fault.raw_octets().map(|words| self.without_secrets(words));
                Err(words.into_iter().fold(fault, |fault, words| fault.octets(&words)))
            }
            Ok(Some(reply)) => self.replied(stage, &reply).map(|()| None),
            Ok(None) if input.end().is_none() => Ok(Some(Step::Io(Io::Receive))),
            Ok(None) if stage == Stage::Quit => {
                self.phase = Phase::Ready;
                Ok(None)
            }
            Ok(None) if stage == Stage::Message => {
                let what = "the server closed the connection before it confirmed the message";
                Err(Fault::new(FaultKind::Partial, "RFC 5321 section 4.2.5", what)
                    .with_help("it may have been sent: ask the recipient before sending it again"))
            }
            Ok(None) => {
                let what = "the server closed the connection; nothing was sent";
                Err(Fault::new(FaultKind::Server, "RFC 5321 section 3.8", what))
            }
        }
    }

    /// What a server said, without the secrets that it may repeat.
    fn without_secrets(&self, words: &[u8]) -> Vec<u8> {
        let password = self.request.login.as_ref().and_then(|login| login.password.as_deref());
        let secrets = password.map(str::as_bytes).into_iter().chain(self.secrets.iter().map(Vec::as_slice));
        secrets.filter(|secret| !secret.is_empty()).fold(words.to_vec(), |words, secret| masked(&words, secret))
    }

    /// One turn of the machine; `None` where the next turn follows at once.
    fn turn<'i>(&mut self, input: &mut Input<'i>) -> Result<Option<Step<'i, Vec<u8>>>, Fault> {
        if let Some(step) = self.queue.pop_front() {
            return Ok(Some(step));
        }
        match &self.phase {
            Phase::Start => self.start().map(|()| None),
            Phase::Ready => self.proceed().map(|()| None),
            Phase::Awaiting(stage) => self.await_reply(*stage, input),
            // Nobody answered.
            Phase::Asking => Err(no_login("the server requires a password, and none was given; nothing was sent")),
            Phase::Done => Ok(Some(Step::Done)),
            Phase::Failed(fault) => Err(fault.clone()),
        }
    }
}

impl Machine for Smtp {
    /// What the server said as it took the message.
    type Entry = Vec<u8>;
    const HAS_REPLIES: bool = true;

    fn next<'i>(&mut self, input: &mut Input<'i>) -> Step<'i, Vec<u8>> {
        loop {
            match self.turn(input) {
                Ok(Some(step)) => return step,
                Ok(None) => {}
                Err(fault) => {
                    self.queue.clear();
                    self.phase = Phase::Failed(fault.clone());
                    return Step::Fail(fault);
                }
            }
        }
    }

    fn expected(&self) -> Expected {
        match &self.phase {
            Phase::Awaiting(stage) => stage.expected(),
            _ => Stage::Greeting.expected(),
        }
    }

    fn answer(&mut self, answer: Option<&[u8]>) {
        let (Phase::Asking, Some(answer), Some(login)) = (&self.phase, answer, &mut self.request.login) else { return };
        // What is no text fits no login of SASL, which is UTF-8 (RFC 4616 section 2): no server will take it.
        login.password = Some(String::from_utf8_lossy(answer).into_owned());
        self.todo.push_front(Stage::Auth);
        self.phase = Phase::Ready;
    }
}

fn no_login(what: &'static str) -> Fault {
    Fault::new(FaultKind::Login, "RFC 4954 section 4", what)
}
