//! The machine: from a request to a file, a list or metadata. See the diagram in [the module](super).

use super::command;
use super::listing::FtpItem;
use super::names::{ListCommand, Names};
use super::note::{EMPTY_LIST, NO_TLS, PASSWORD_IN_CLEAR, RESUME_CHANGED, TEXT_GUESSED};
use super::passive;
use super::phase::{DIRECTORY, FtpContext, Phase, missing_secret};
use super::request::{FileMetadata, FtpGoal, FtpRequest, Path};
use super::session::FtpSession;
use super::settings::{ExplicitTls, FtpSettings};
use super::types::Type;
use crate::language::{message, words};
use crate::protocol::digits::number;
use crate::protocol::engine::{Commands, Engine};
use crate::protocol::reply::{Replies, Reply};
use crate::protocol::text::LocalText;
use crate::protocol::time::timestamp;
use crate::protocol::{
    Begin, Command, End, Event, Expected, Fault, FaultKind, Input, Io, Machine, Question, Shape, Step,
};
use std::borrow::Cow;
use urlwise::{Typecode, Words};

/// One ftp URL and its dialogue.
#[derive(Debug)]
pub struct FtpMachine {
    pub(super) request: FtpRequest,
    pub(super) path: Path,
    settings: FtpSettings,
    pub(super) session: FtpSession,
    /// The connection existed before this dialogue.
    is_kept: bool,
    /// The connection is kept after this dialogue.
    keep: bool,
    pub(super) engine: Engine<Phase, FtpItem>,
    /// What comes over the data connection.
    body: DataReader,
    replies: Replies,
    /// Whether any reply has arrived.
    is_answered: bool,
    /// Whether commands may follow: logged in, in a known directory, with no transfer under way.
    is_at_rest: bool,
    /// The answers to `SIZE` and `MDTM`.
    metadata: FileMetadata,
    /// The offset at which the transfer begins.
    offset: u64,
    /// The list has begun, though the server may have to be asked for it in another way.
    has_begun: bool,
    /// Octets expected, and received.
    announced: Option<u64>,
    received: u64,
    /// Why the file was not sent, kept until it is known whether it is a directory.
    pub(super) not_sent: Option<Fault>,
}

/// What comes over the data connection.
#[derive(Debug)]
enum DataReader {
    Octets,
    Text(LocalText),
    Names(Names),
}

/// The reference for the syntax of replies.
const REPLIES: &str = "RFC 959 section 4.2";

/// The goodbye, whose reply is not awaited.
pub(crate) const QUIT: &[u8] = b"QUIT\r\n";

impl FtpMachine {
    /// A machine for a new connection. Nothing is checked yet: a request that must not be sent fails as its first step.
    pub fn new(request: FtpRequest, settings: FtpSettings) -> FtpMachine {
        FtpMachine {
            path: request.path(&settings),
            request,
            settings,
            session: FtpSession::default(),
            is_kept: false,
            keep: false,
            engine: Engine::new(),
            body: DataReader::Octets,
            replies: Replies::new(REPLIES),
            is_answered: false,
            is_at_rest: false,
            metadata: FileMetadata::default(),
            offset: 0,
            has_begun: false,
            announced: None,
            received: 0,
            not_sent: None,
        }
    }

    /// For a connection that has TLS from its first octet: `ftps`.
    #[must_use]
    pub fn over_tls(mut self) -> FtpMachine {
        self.session.secure = true;
        self
    }

    /// For the connection of a session that [can serve](FtpSession::leads_to) the request: neither connects nor logs in.
    #[must_use]
    pub fn on(self, session: FtpSession) -> FtpMachine {
        FtpMachine { session, is_kept: true, is_at_rest: true, ..self }
    }

    /// Leaves the session to be [taken](FtpMachine::take_session) instead of ending it with `QUIT`.
    #[must_use]
    pub fn keeping_session(self) -> FtpMachine {
        FtpMachine { keep: true, ..self }
    }

    /// The session, once the dialogue is over, if its connection can serve another URL: also after a harmless failure, such as
    /// a missing file.
    pub fn take_session(&mut self) -> Option<FtpSession> {
        let in_order = self.is_at_rest && self.replies.unread().is_empty();
        (self.keep && self.engine.is_over() && in_order).then(|| std::mem::take(&mut self.session))
    }

    /// What the server said about the file; empty before it was asked.
    pub fn metadata(&self) -> FileMetadata {
        self.metadata
    }

    /// The offset in the file of the first octet handed out: that of [`Rest`](super::Rest), or 0.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Whether the server has answered anything. A kept connection that broke before that may have been closed because it was idle.
    pub fn is_answered(&self) -> bool {
        self.is_answered
    }

    /// Whether all data has arrived and only the server's final reply is missing.
    pub fn awaits_confirmation(&self) -> bool {
        self.engine.awaited() == Some(Phase::Final)
    }

    fn context(&self) -> FtpContext<'_> {
        FtpContext { request: &self.request, path: &self.path, settings: &self.settings, session: &self.session }
    }

    /// Finds what must not be sent.
    fn check(&self) -> Result<(), Fault> {
        for phase in [Phase::User, Phase::Pass, Phase::Acct, Phase::Transfer] {
            self.context().command(phase)?;
        }
        // There may be a thousand.
        self.context().cwds().iter().try_for_each(|cwd| command::check(DIRECTORY, cwd, &self.settings))
    }

    /// Queues what follows the login: the directories, and what the URL asks for there.
    fn approach(&mut self) {
        let cwds = self.session.entered.len()..self.context().cwds().len();
        self.engine.extend(cwds.map(Phase::Cwd));
        if self.request.goal == FtpGoal::Exists {
            return self.prove();
        }
        if self.request.is_list() {
            if self.session.has_mlsd.is_none() && self.request.typecode != Some(Typecode::Directory) {
                self.engine.push(Phase::Feat);
            }
            self.transfer();
            return;
        }
        let asks_metadata = self.request.goal == FtpGoal::Metadata;
        // Sizes count octets, also where the file is then sent as text.
        let transfer_type = if asks_metadata { Type::Image } else { self.request.transfer_type(&self.settings) };
        if self.session.transfer_type != Some(transfer_type) {
            self.engine.push(Phase::Type(transfer_type));
        }
        let counted = transfer_type == Type::Image;
        if asks_metadata
            || (counted && (self.request.rest.is_some() || (self.request.metadata && self.session.expects_large())))
        {
            self.engine.extend([Phase::Size, Phase::Mdtm]);
        } else {
            if self.request.rest.is_some() {
                self.engine.emit(Event::Note(RESUME_CHANGED));
            }
            if self.request.date {
                self.engine.push(Phase::Mdtm);
            }
        }
        if !asks_metadata {
            self.transfer();
        }
    }

    /// Queues a transfer.
    fn transfer(&mut self) {
        let passive = if self.session.no_epsv || !self.settings.epsv { Phase::Pasv } else { Phase::Epsv };
        self.engine.extend([passive, Phase::Transfer]);
    }

    /// Queues `NLST`, because the answer to `LIST` cannot be used.
    fn list_names(&mut self) {
        self.session.no_list = true;
        self.transfer();
    }

    /// Handles a reply to the command of `phase`.
    fn replied(&mut self, phase: Phase, reply: &Reply) -> Result<(), Fault> {
        // A server sends 421 when it closes an idle connection; it is not an answer to a command.
        self.is_answered |= reply.code != 421;
        if reply.code == 421 {
            self.is_at_rest = false;
            return Err(self.refused(phase, reply));
        }
        if self.request.goal == FtpGoal::Exists
            && let Some(proven) = self.proved(phase, reply)
        {
            return proven;
        }
        match (phase, reply.class()) {
            // 120: the server will be ready soon.
            (Phase::Greeting, 1) => self.engine.await_reply(Phase::Greeting),
            (Phase::Greeting, 2) => {}
            (Phase::AuthTls, 2) => {
                self.engine.start_tls(self.replies.unread())?;
                self.session.secure = true;
            }
            (Phase::AuthTls, 4 | 5) if self.settings.explicit_tls == ExplicitTls::Offered => {
                self.engine.emit(Event::Note(NO_TLS));
            }
            // The note about the password follows.
            (Phase::AuthTls, 4 | 5) if self.settings.explicit_tls == ExplicitTls::ForLogin => {}
            (Phase::User | Phase::Pass | Phase::Acct, 2) => self.logged_in(),
            (Phase::User, 3) if reply.code != 332 => self.engine.push_front(Phase::Pass),
            (Phase::User | Phase::Pass, 3) => self.engine.push_front(Phase::Acct),
            (Phase::Pbsz | Phase::Prot, 2) => {}
            (Phase::Cwd(number), 2) => self.session.entered.extend(self.path.cwds(&self.request).get(number).cloned()),
            (Phase::Cwd(number), 5) if self.may_be_file(number, reply) => {
                self.not_sent = Some(self.refused(phase, reply));
                self.request.goal = FtpGoal::Metadata;
                self.path = self.request.path(&self.settings);
                self.engine.clear();
                self.approach();
            }
            (Phase::Type(transfer_type), 2) => self.session.transfer_type = Some(transfer_type),
            (Phase::Feat, 2) => self.session.has_mlsd = Some(has_mlst(reply)),
            (Phase::Feat, 5) => self.session.has_mlsd = Some(false),
            (Phase::Size, 2) => self.metadata.size = number(reply.text().trim_ascii()),
            (Phase::Size, 5) if reply.code == 550 && self.request.goal == FtpGoal::Metadata => {
                self.look_for_directory(phase, reply);
            }
            (Phase::Size, 4 | 5) => {}
            (Phase::Mdtm, 2 | 4 | 5) => {
                self.metadata.modified = timestamp(reply.text().trim_ascii()).filter(|_| reply.class() == 2);
                self.judge_rest();
                // What is not a directory and has no size does not exist.
                if let (None, Some(fault)) = (self.metadata.size, self.not_sent.take()) {
                    return Err(fault);
                }
            }
            (Phase::Epsv, 2) => self.open_data(passive::epsv(reply.text()), reply)?,
            (Phase::Epsv, 5) => {
                self.session.no_epsv = true;
                self.engine.push_front(Phase::Pasv);
            }
            (Phase::Pasv, 2) => self.open_data(passive::pasv(reply.text()), reply)?,
            (Phase::Rest(offset), 3) => self.offset = offset,
            (Phase::Rest(_), 4 | 5) => self.engine.emit(Event::Note(RESUME_CHANGED)),
            (Phase::Transfer, 1) => self.begin(reply),
            (Phase::Transfer, 5) if matches!(self.context().list(), Some(ListCommand::List(_))) => {
                self.engine.emit(Io::CloseData);
                self.list_names();
            }
            (Phase::Transfer, 5) if reply.code == 550 && !self.request.is_list() => {
                self.engine.emit(Io::CloseData);
                self.look_for_directory(phase, reply);
            }
            (Phase::Final, 2) => self.complete()?,
            (Phase::IsDirectory, class) => {
                if class == 2 {
                    self.session.entered.extend(self.path.name.clone());
                    return Err(is_directory(&self.request.name));
                }
                let not_sent = self.not_sent.take();
                return Err(not_sent.unwrap_or_else(|| self.refused(phase, reply)));
            }
            (Phase::Final, _) | (_, 4 | 5) => return Err(self.refused(phase, reply)),
            _ => {
                self.is_at_rest = false;
                let said = self.context().words(reply);
                let what = words!("the reply does not match the command");
                return Err(Fault::new(FaultKind::Malformed, REPLIES, what).octets(&said));
            }
        }
        Ok(())
    }

    /// The refusal of a command as a fault. The session stays usable, except in the middle of a transfer.
    pub(super) fn refused(&self, phase: Phase, reply: &Reply) -> Fault {
        self.context().refusal(phase, reply)
    }

    fn logged_in(&mut self) {
        self.is_at_rest = true;
        if self.session.secure {
            self.engine.extend([Phase::Pbsz, Phase::Prot]);
        }
        self.approach();
    }

    /// Resumes only if nothing indicates that the file has changed.
    fn judge_rest(&mut self) {
        if let (Some(size), true) = (self.metadata.size, self.request.goal != FtpGoal::Metadata) {
            self.announced = Some(size);
        }
        let Some(rest) = self.request.rest else { return };
        let Some(size) = self.metadata.size.filter(|size| rest.metadata == self.metadata && rest.offset <= *size)
        else {
            self.engine.emit(Event::Note(RESUME_CHANGED));
            return;
        };
        if rest.offset == size {
            self.offset = size;
            self.engine.clear();
            self.engine.emit(Event::Begin(Begin { shape: Shape::Document, size: Some(0), media_type: None }));
        } else if rest.offset > 0 {
            self.engine.insert_before(|phase| *phase == Phase::Transfer, Phase::Rest(rest.offset));
        }
    }

    fn open_data(&mut self, port: Option<u16>, reply: &Reply) -> Result<(), Fault> {
        let Some(port) = port else {
            self.is_at_rest = false;
            let what = words!("the reply does not contain a usable data port");
            let said = self.context().words(reply);
            return Err(Fault::new(FaultKind::Malformed, "S-25", what).octets(&said).code(reply.code));
        };
        self.engine.emit(Io::OpenData { port });
        Ok(())
    }

    /// Begins the transfer.
    fn begin(&mut self, reply: &Reply) {
        self.is_at_rest = false;
        if self.session.secure {
            self.engine.emit(Io::SecureData);
        }
        let list = self.context().list();
        let is_list = list.is_some();
        let is_text = !is_list && self.session.transfer_type == Some(Type::Ascii);
        if is_list || is_text {
            self.announced = None;
        } else if self.announced.is_none() && self.offset == 0 {
            self.announced = told_size(reply, &self.request.name);
        }
        self.session.last_size = self.announced;
        self.announced = self.announced.map(|size| size.saturating_sub(self.offset));
        if is_text && self.request.typecode.is_none() {
            self.engine.emit(Event::Note(TEXT_GUESSED));
        }
        let shape = if is_list { Shape::Menu } else { Shape::Document };
        if !std::mem::replace(&mut self.has_begun, true) {
            self.engine.emit(Event::Begin(Begin { shape, size: self.announced, media_type: None }));
        }
        self.engine.read_body(Phase::Transfer);
        self.body = if let Some(list) = list {
            DataReader::Names(Names::new(list, self.settings.limits))
        } else if is_text && !self.settings.raw {
            DataReader::Text(LocalText::default())
        } else {
            DataReader::Octets
        };
    }

    /// Whether the refused directory is the last name in the URL of a list: it may be a file.
    fn may_be_file(&self, number: usize, reply: &Reply) -> bool {
        let is_last = number + 1 == self.context().cwds().len();
        let is_name = self.request.goal == FtpGoal::List && self.path.name.is_none() && !self.request.name.is_empty();
        reply.code == 550 && is_last && is_name
    }

    /// The server does not find the file; it may be a directory.
    fn look_for_directory(&mut self, phase: Phase, reply: &Reply) {
        self.not_sent = Some(self.refused(phase, reply));
        self.engine.clear();
        self.engine.push(Phase::IsDirectory);
    }

    /// The server confirms that everything was sent.
    fn complete(&mut self) -> Result<(), Fault> {
        if let Some(announced) = self.announced.filter(|announced| self.received < *announced) {
            let what = message!("only {count} of {total} octets arrived", count = self.received, total = announced);
            return Err(Fault::new(FaultKind::Partial, "S-30", what));
        }
        self.is_at_rest = true;
        if matches!(&self.body, DataReader::Names(names) if names.is_unknown()) {
            self.list_names();
        }
        Ok(())
    }
}

impl Commands for FtpMachine {
    type Phase = Phase;
    type Entry = FtpItem;

    fn engine(&mut self) -> &mut Engine<Phase, FtpItem> {
        &mut self.engine
    }

    fn start(&mut self) -> Result<(), Fault> {
        self.check()?;
        if self.is_kept {
            self.approach();
            return Ok(());
        }
        self.engine.emit(Io::Connect);
        self.engine.push(Phase::Greeting);
        let asks_for_tls = match self.settings.explicit_tls {
            ExplicitTls::Never => false,
            ExplicitTls::ForLogin => self.request.has_secret(),
            ExplicitTls::Offered | ExplicitTls::Required => true,
        };
        if asks_for_tls && !self.session.secure {
            self.engine.push(Phase::AuthTls);
        }
        self.engine.push(Phase::User);
        Ok(())
    }

    fn question(&self, phase: Phase) -> Option<Question> {
        let login = &self.request.login;
        match phase {
            Phase::Pass if login.user.is_some() && login.password.is_none() => Some(Question::Password),
            Phase::Acct if login.account.is_none() => Some(Question::Account),
            _ => None,
        }
    }

    fn answered(&mut self, phase: Phase, answer: &[u8]) {
        let secret = match phase {
            Phase::Acct => &mut self.request.login.account,
            _ => &mut self.request.login.password,
        };
        *secret = Some(answer.to_vec());
    }

    fn unanswered(&self, phase: Phase) -> Fault {
        missing_secret(phase)
    }

    fn send(&mut self, phase: Phase) -> Result<(), Fault> {
        if let Some(command) = self.context().command(phase)? {
            self.engine.emit(Io::Send(command));
        }
        if phase == Phase::Pass && login_is_secret(&self.request) && !self.session.secure {
            self.engine.emit(Event::Note(PASSWORD_IN_CLEAR));
        }
        Ok(())
    }

    fn reply(&mut self, phase: Phase, input: &mut Input<'_>) -> Result<bool, Fault> {
        match self.replies.next(input, self.settings.limits.of_replies()) {
            Err(fault) => {
                self.is_at_rest = false;
                let words = fault.raw_octets().map(|words| self.context().without_secrets(words));
                Err(words.into_iter().fold(fault, |fault, words| fault.octets(&words)))
            }
            Ok(Some(reply)) => self.replied(phase, &reply).map(|()| true),
            Ok(None) => Ok(false),
        }
    }

    fn body<'i>(&mut self, _: Phase, input: &mut Input<'i>) -> Result<Option<Step<'i, FtpItem>>, Fault> {
        let body = &mut self.body;
        if let DataReader::Names(names) = body {
            if let Some(step) = names.next(input)? {
                return Ok(Some(step));
            }
        } else if !input.octets().is_empty() {
            let octets = input.take(usize::MAX);
            self.received += octets.len() as u64;
            let piece = match body {
                DataReader::Text(text) => text.piece(octets),
                DataReader::Octets | DataReader::Names(_) => Cow::Borrowed(octets),
            };
            return Ok((!piece.is_empty()).then_some(Step::Event(Event::Data(piece))));
        }
        match input.end() {
            None => return Ok(Some(Step::Io(Io::ReceiveData))),
            Some(End::Closed) => {}
            Some(End::Unauthenticated) => {
                let what = words!("the data connection ended without `close_notify`, so octets may be missing");
                return Err(cut(what));
            }
            Some(End::Broken) => return Err(cut(words!("the data connection broke"))),
        }
        match body {
            DataReader::Octets => {}
            DataReader::Text(text) => {
                let waiting = text.end();
                if !waiting.is_empty() {
                    self.engine.emit(Event::Data(Cow::Borrowed(waiting)));
                }
            }
            DataReader::Names(names) => {
                if let Some(last) = names.last() {
                    self.engine.emit(Event::Entry(last));
                }
                if names.is_empty() && self.path.name.is_some() {
                    self.engine.emit(Event::Note(EMPTY_LIST));
                }
                if let Some(note) = names.note() {
                    self.engine.emit(Event::Note(note));
                }
            }
        }
        self.engine.emit(Io::CloseData);
        self.engine.await_reply(Phase::Final);
        Ok(None)
    }

    fn closed(&mut self, phase: Phase) -> Result<(), Fault> {
        self.is_at_rest = false;
        Err(match phase {
            Phase::Final => cut(words!("the server closed the control connection before confirming the transfer")),
            _ => {
                let what = words!("the server closed the control connection");
                Fault::new(FaultKind::Server, "RFC 959 section 5.4", what)
            }
        })
    }

    fn goodbye(&self) -> Option<Command> {
        (!self.keep).then(|| Command::new(QUIT.to_vec()))
    }
}

impl Machine for FtpMachine {
    type Entry = FtpItem;
    const HAS_REPLIES: bool = true;

    fn next<'i>(&mut self, input: &mut Input<'i>) -> Step<'i, FtpItem> {
        Engine::run(self, input)
    }

    fn expected(&self) -> Expected {
        match (self.engine.awaited(), &self.body) {
            (Some(phase), _) => self.context().expected(phase),
            (None, DataReader::Names(_)) => data(words!("the names in the directory")),
            (None, DataReader::Octets | DataReader::Text(_)) => data(words!("the octets of the file")),
        }
    }

    fn answer(&mut self, answer: Option<&[u8]>) {
        Engine::answer(self, answer);
    }
}

fn data(what: Words) -> Expected {
    Expected { what: what.into(), reply: Cow::Borrowed(b""), closes: true }
}

/// Whether the argument of `PASS` is a secret.
fn login_is_secret(request: &FtpRequest) -> bool {
    request.login.password.as_ref().is_some_and(|password| !password.is_empty())
}

fn has_mlst(reply: &Reply) -> bool {
    let is_mlst = |line: &[u8]| line.trim_ascii().get(..4).is_some_and(|word| word.eq_ignore_ascii_case(b"MLST"));
    reply.lines().any(is_mlst)
}

/// The size that many servers announce when a transfer begins: `150 Opening BINARY mode data connection for x (18 bytes).`
fn told_size(reply: &Reply, name: &[u8]) -> Option<u64> {
    const BYTES: &[u8] = b" bytes)";
    // The server repeats the name, which must not be mistaken for a size.
    if name.windows(BYTES.len()).any(|window| window == BYTES) {
        return None;
    }
    let text = reply.text();
    let text = text.strip_suffix(b".").unwrap_or(text).strip_suffix(BYTES)?;
    let open = text.iter().rposition(|octet| *octet == b'(')?;
    number(&text[open + 1..])
}

fn is_directory(name: &[u8]) -> Fault {
    Fault::new(FaultKind::Elsewhere, "RFC 1738 section 3.2.2", words!("the URL names a directory, not a file"))
        .octets(name)
        .with_help(words!("list it, or end its URL with a slash"))
}

fn cut(what: Words) -> Fault {
    Fault::new(FaultKind::Partial, "S-30", what)
}
