//! The machine: from a request to an article or a list. See the diagram in [the module](super).

use super::NntpItem;
use super::block::{BlockLines, BlockOctets, BlockPiece};
use super::list::{Descriptions, Group};
use super::note::{DESCRIPTIONS_LEFT_OUT, EMPTY_GROUP, LINE_SKIPPED, NO_GROUPS, NO_OVERVIEW, PASSWORD_IN_CLEAR};
use super::overview::{Article, Headers};
use super::phase::{NntpContext, Phase};
use super::reply::{LineReader, NntpReply, malformed};
use super::request::{NntpGoal, NntpRequest};
use super::settings::{NntpSettings, StartTls};
use crate::language::words;
use crate::protocol::digits::number;
use crate::protocol::engine::{Commands, Engine};
use crate::protocol::{
    Begin, Command, Event, Expected, Fault, FaultKind, Hint, Input, Io, Machine, Note, Question, Shape, Step,
};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::RangeInclusive;

/// One news or nntp URL and its dialogue.
#[derive(Debug)]
pub struct NntpMachine {
    request: NntpRequest,
    settings: NntpSettings,
    engine: Engine<Phase, NntpItem>,
    /// What follows a reply: octets of an article, or lines of anything else.
    octets: BlockOctets,
    lines: BlockLines,
    line: LineReader,
    /// The connection has TLS.
    secure: bool,
    capabilities: Capabilities,
    /// The connection existed before this dialogue, and is kept after it.
    is_kept: bool,
    keep: bool,
    /// Whether the server has answered anything, and whether it can be asked more.
    is_answered: bool,
    is_at_rest: bool,
    /// `MODE READER` was sent.
    is_reader: bool,
    has_begun: bool,
    /// The articles to list.
    range: RangeInclusive<u64>,
    /// The newest numbers of the group, as many as requested.
    newest: VecDeque<u64>,
    descriptions: Descriptions,
    headers: Headers,
    /// The number of lines handed out as entries.
    entries: u64,
    /// Notes that have been made, each once.
    noted: Vec<&'static str>,
}

/// The capabilities that decide which commands are sent.
#[derive(Debug, Default)]
struct Capabilities {
    /// It knows `CAPABILITIES`.
    are_known: bool,
    reader: bool,
    start_tls: bool,
}

/// The goodbye, whose reply is not awaited.
pub(crate) const QUIT: &[u8] = b"QUIT\r\n";

/// The most numbers kept to find the newest articles of a group with gaps.
const MOST_NUMBERS: u64 = 1 << 20;

impl NntpMachine {
    /// A machine for a new connection. Nothing is checked yet: a request that must not be sent fails as its first step.
    pub fn new(request: NntpRequest, settings: NntpSettings) -> NntpMachine {
        NntpMachine {
            request,
            settings,
            engine: Engine::new(),
            octets: BlockOctets::default(),
            lines: BlockLines::default(),
            line: LineReader::default(),
            secure: false,
            capabilities: Capabilities::default(),
            is_kept: false,
            keep: false,
            is_answered: false,
            is_at_rest: true,
            is_reader: false,
            has_begun: false,
            range: 1..=1,
            newest: VecDeque::new(),
            descriptions: Descriptions::default(),
            headers: Headers::default(),
            entries: 0,
            noted: Vec::new(),
        }
    }

    /// For a connection that has TLS from its first octet: `nntps` and `snews`.
    #[must_use]
    pub fn over_tls(self) -> NntpMachine {
        NntpMachine { secure: true, ..self }
    }

    /// For a connection on which another dialogue with the same login has ended: neither connects nor logs in.
    #[must_use]
    pub fn on_kept_connection(self) -> NntpMachine {
        NntpMachine { is_kept: true, ..self }
    }

    /// Leaves the connection open instead of ending it with `QUIT`.
    #[must_use]
    pub fn keeping_connection(self) -> NntpMachine {
        NntpMachine { keep: true, ..self }
    }

    /// Whether the server has answered at all. A kept connection that broke before that may have been closed because it was idle.
    pub fn is_answered(&self) -> bool {
        self.is_answered
    }

    /// Whether another dialogue may follow on the connection: also after a harmless failure, such as a missing article. `unread`
    /// are octets that arrived and were not taken. Call it once the dialogue is over.
    pub fn leaves_connection(&self, unread: &[u8]) -> bool {
        self.keep && self.engine.is_over() && self.is_at_rest && unread.is_empty()
    }

    fn password(&self) -> Option<&[u8]> {
        self.request.login.as_ref()?.password.as_deref()
    }

    fn context(&self) -> NntpContext<'_> {
        NntpContext { request: &self.request, range: &self.range }
    }

    /// Queues what follows once the capabilities are known.
    fn introduce(&mut self) {
        if !self.capabilities.reader && !self.is_reader {
            self.is_reader = true;
            self.engine.push(Phase::ModeReader);
            if self.capabilities.are_known {
                self.engine.push(Phase::Capabilities);
                return;
            }
        }
        if self.request.login.is_some() && self.capabilities.start_tls && !self.secure {
            self.engine.push(Phase::StartTls);
        }
        self.approach();
    }

    /// Queues the login, and what the URL asks for.
    fn approach(&mut self) {
        if self.request.login.is_some() && !self.is_kept {
            self.engine.push(Phase::User);
        }
        let article = match (self.request.stat, self.request.list) {
            (true, _) => Phase::Stat,
            (false, true) => Phase::Head,
            (false, false) => Phase::Article,
        };
        match self.request.goal {
            NntpGoal::Groups { .. } if self.request.stat => {}
            NntpGoal::Groups { .. } => self.engine.extend([Phase::ListNewsgroups, Phase::ListActive]),
            NntpGoal::Group { .. } => self.engine.push(Phase::Group),
            NntpGoal::Number { .. } => self.engine.extend([Phase::Group, article]),
            NntpGoal::Message { .. } => self.engine.push(article),
        }
    }

    /// Handles a reply to the command of `phase`.
    fn replied(&mut self, phase: Phase, reply: &NntpReply, input: &Input<'_>) -> Result<(), Fault> {
        match (phase, reply.code) {
            (Phase::Greeting, 200 | 201) | (Phase::ModeReader, 200 | 201 | 500 | 501 | 503) => {}
            (Phase::User | Phase::Pass, 281) | (Phase::Stat, 223) => {}
            (Phase::User, 381) => self.engine.push_front(Phase::Pass),
            (Phase::StartTls, 382) => {
                self.engine.start_tls(input.octets())?;
                self.secure = true;
            }
            (Phase::Capabilities, 101)
            | (Phase::ListNewsgroups | Phase::ListActive | Phase::List, 215)
            | (Phase::ListGroup | Phase::ListGroupFrom(_), 211)
            | (Phase::Over | Phase::Xover, 224)
            | (Phase::HeadOf(_) | Phase::Head, 221) => self.expect_lines(phase),
            (Phase::Article, 220) => {
                let media_type = Some("message/rfc822".to_owned());
                self.begin(Shape::Document, media_type);
                self.octets = BlockOctets::default();
                self.engine.read_body(phase);
            }
            (Phase::Group, 211) => self.entered(reply)?,
            // What follows works without it.
            (Phase::Capabilities, 500..) => self.introduce(),
            // The server requires TLS, and `STARTTLS` has not been sent.
            (_, 483) if !self.secure && !self.has_begun && phase != Phase::StartTls => {
                self.engine.clear();
                self.engine.push(Phase::StartTls);
                self.approach();
            }
            (Phase::ListNewsgroups, 500 | 501 | 503) => self.begin(Shape::Menu, None),
            (Phase::ListActive, 500 | 501 | 503) if self.request.goal == (NntpGoal::Groups { wildmat: None }) => {
                self.engine.push(Phase::List);
            }
            (Phase::ListGroupFrom(_), 500 | 501 | 503) => self.engine.push(Phase::ListGroup),
            (Phase::ListGroup, 500 | 501 | 503) => self.newest(self.wanted_last()),
            (Phase::Over | Phase::Xover, 420 | 423) => self.empty(),
            (Phase::Over, 500 | 501 | 503) => self.engine.push(Phase::Xover),
            (Phase::Xover, 500 | 501 | 503) => self.one_by_one(),
            (Phase::HeadOf(number), 420 | 423 | 430) => self.head_after(number),
            (_, 400..) => return Err(self.context().refusal(phase, reply)),
            _ => return Err(malformed(words!("the reply does not match the command"), &reply.line)),
        }
        Ok(())
    }

    /// The lines after a reply.
    fn expect_lines(&mut self, phase: Phase) {
        match phase {
            Phase::Capabilities => self.capabilities = Capabilities { are_known: true, ..Capabilities::default() },
            Phase::HeadOf(number) => self.headers = Headers::of(Some(number)),
            Phase::Head => {
                let asked = match &self.request.goal {
                    NntpGoal::Number { number, .. } => self::number(number),
                    _ => None,
                };
                self.headers = Headers::of(asked);
                self.begin(Shape::Menu, None);
            }
            _ => self.begin(Shape::Menu, None),
        }
        self.lines = BlockLines::default();
        self.engine.read_body(phase);
    }

    /// Begins the answer, once.
    fn begin(&mut self, shape: Shape, media_type: Option<String>) {
        if !std::mem::replace(&mut self.has_begun, true) {
            self.engine.emit(Event::Begin(Begin { shape, size: None, media_type }));
        }
    }

    fn note(&mut self, note: Note) {
        if !self.noted.contains(&note.code) {
            self.noted.push(note.code);
            self.engine.emit(Event::Note(note));
        }
    }

    /// `GROUP` returns the number of articles, the lowest number and the highest.
    fn entered(&mut self, reply: &NntpReply) -> Result<(), Fault> {
        let NntpGoal::Group { last, .. } = self.request.goal else { return Ok(()) };
        if self.request.stat {
            return Ok(());
        }
        let numbers: Option<Vec<u64>> = reply.words().take(3).map(number).collect();
        let Some([count, low, high]) = numbers.and_then(|numbers| <[u64; 3]>::try_from(numbers).ok()) else {
            return Err(malformed(words!("the reply does not contain the article numbers"), &reply.line));
        };
        if count == 0 || high == 0 || high < low {
            self.empty();
            return Ok(());
        }
        self.range = low..=high;
        match last {
            Some(0) => self.empty(),
            // The count may be too high but never too low (RFC 3977 section 6.1.1.2).
            Some(last) if last < count && last <= MOST_NUMBERS => {
                let start = low.max(high.saturating_sub(last.saturating_mul(4).saturating_add(100)));
                let knows_ranges = self.capabilities.are_known && start > low;
                self.engine.push(if knows_ranges { Phase::ListGroupFrom(start) } else { Phase::ListGroup });
            }
            Some(last) if last < count => self.newest(last),
            _ => self.engine.push(Phase::Over),
        }
        Ok(())
    }

    fn empty(&mut self) {
        self.begin(Shape::Menu, None);
        if !matches!(self.request.goal, NntpGoal::Group { last: Some(0), .. }) {
            self.note(EMPTY_GROUP);
        }
    }

    /// Requests the overview of the highest numbers, of which some may have no article.
    fn newest(&mut self, last: u64) {
        self.only_last(last);
        self.engine.push(Phase::Over);
    }

    /// How many articles of a group to list.
    fn wanted_last(&self) -> u64 {
        match self.request.goal {
            NntpGoal::Group { last: Some(last), .. } => last,
            _ => u64::MAX,
        }
    }

    fn only_last(&mut self, last: u64) {
        let (start, end) = (*self.range.start(), *self.range.end());
        self.range = start.max(end.saturating_sub(last.saturating_sub(1)))..=end;
    }

    /// Without an overview, requests the headers of the newest articles.
    fn one_by_one(&mut self) {
        self.begin(Shape::Menu, None);
        self.note(NO_OVERVIEW);
        self.only_last(self.settings.limits.heads.max(1));
        self.engine.push(Phase::HeadOf(*self.range.start()));
    }

    fn head_after(&mut self, number: u64) {
        match number.checked_add(1).filter(|next| self.range.contains(next)) {
            Some(next) => self.engine.push(Phase::HeadOf(next)),
            None if self.entries == 0 => self.note(EMPTY_GROUP),
            None => {}
        }
    }

    /// Handles one line of a block.
    fn line(&mut self, phase: Phase, line: &[u8]) -> Result<(), Fault> {
        match phase {
            Phase::Capabilities => {
                let label = line.split(|octet| matches!(octet, b' ' | b'\t')).next().unwrap_or_default();
                self.capabilities.reader |= label.eq_ignore_ascii_case(b"READER");
                self.capabilities.start_tls |= label.eq_ignore_ascii_case(b"STARTTLS");
            }
            Phase::ListNewsgroups => {
                if !self.descriptions.take(line, self.settings.limits.descriptions) {
                    self.note(DESCRIPTIONS_LEFT_OUT);
                }
            }
            Phase::ListActive | Phase::List => {
                let group = Group::of_active(line)
                    .map(|group| Group { description: self.descriptions.of(&group.name), ..group });
                self.entry(group.map(NntpItem::Group));
            }
            Phase::ListGroup | Phase::ListGroupFrom(_) => {
                match number(line.trim_ascii()).filter(|number| self.range.contains(number)) {
                    Some(number) => self.newest.push_back(number),
                    None => self.note(LINE_SKIPPED),
                }
                if self.newest.len() as u64 > self.wanted_last() {
                    self.newest.pop_front();
                }
            }
            Phase::Over | Phase::Xover => {
                let is_asked = |article: &Article| article.number.is_some_and(|number| self.range.contains(&number));
                let article = Article::of_overview(line).filter(is_asked);
                self.entry(article.map(|article| NntpItem::Article(Box::new(article))));
            }
            // The headers end at the empty line, even if more follows.
            _ => self.headers.line(line, &self.settings.limits)?,
        }
        Ok(())
    }

    fn entry(&mut self, item: Option<NntpItem>) {
        match item {
            Some(item) => {
                self.entries += 1;
                self.engine.emit(Event::Entry(item));
            }
            None => self.note(LINE_SKIPPED),
        }
    }

    /// Handles the end of a block.
    fn block_ended(&mut self, phase: Phase) {
        match phase {
            Phase::Capabilities => self.introduce(),
            Phase::ListActive | Phase::List if self.entries == 0 => self.note(NO_GROUPS),
            // There are more gaps than expected.
            Phase::ListGroupFrom(_) if (self.newest.len() as u64) < self.wanted_last() => {
                self.newest.clear();
                self.engine.push(Phase::ListGroup);
            }
            Phase::ListGroup | Phase::ListGroupFrom(_) => match (self.newest.front(), self.newest.back()) {
                (Some(&first), Some(&last)) if first <= last => {
                    self.range = first..=last;
                    self.engine.push(Phase::Over);
                }
                _ => self.empty(),
            },
            Phase::Over | Phase::Xover if self.entries == 0 => self.empty(),
            Phase::HeadOf(number) => {
                let article = std::mem::take(&mut self.headers).end();
                self.entry(Some(NntpItem::Article(Box::new(article))));
                self.head_after(number);
            }
            Phase::Head => {
                let article = std::mem::take(&mut self.headers).end();
                self.entry(Some(NntpItem::Article(Box::new(article))));
            }
            _ => {}
        }
    }

    /// All input is taken, and the answer is incomplete.
    fn more<'i>(&self, input: &Input<'i>) -> Result<Step<'i, NntpItem>, Fault> {
        if input.end().is_none() {
            return Ok(Step::Io(Io::Receive));
        }
        Err(self.ended())
    }

    /// The connection ended before the answer did.
    fn ended(&self) -> Fault {
        if self.has_begun {
            let what = words!("the connection closed before the end of the answer");
            Fault::new(FaultKind::Partial, "RFC 3977 section 3.1.1", what)
        } else {
            let what = match self.line.is_empty() {
                true => words!("the server closed the connection"),
                false => words!("the server closed the connection within a reply"),
            };
            Fault::new(FaultKind::Server, "RFC 3977 section 3.2", what)
        }
    }
}

impl Commands for NntpMachine {
    type Phase = Phase;
    type Entry = NntpItem;

    fn engine(&mut self) -> &mut Engine<Phase, NntpItem> {
        &mut self.engine
    }

    fn start(&mut self) -> Result<(), Fault> {
        self.request.check()?;
        if let Some(login) = &self.request.login {
            self.context().command(Phase::User)?;
            if login.password.is_some() {
                self.context().command(Phase::Pass)?;
            }
        }
        if self.is_kept {
            self.approach();
            return Ok(());
        }
        self.engine.emit(Io::Connect);
        self.engine.push(Phase::Greeting);
        if self.settings.start_tls == StartTls::Required && !self.secure {
            self.engine.push(Phase::StartTls);
        }
        self.engine.push(Phase::Capabilities);
        Ok(())
    }

    fn question(&self, phase: Phase) -> Option<Question> {
        (phase == Phase::Pass && self.password().is_none()).then_some(Question::Password)
    }

    fn answered(&mut self, _: Phase, answer: &[u8]) {
        if let Some(login) = &mut self.request.login {
            login.password = Some(answer.to_vec());
        }
    }

    fn unanswered(&self, _: Phase) -> Fault {
        missing_secret()
    }

    fn send(&mut self, phase: Phase) -> Result<(), Fault> {
        if let Some(command) = self.context().command(phase)? {
            self.engine.emit(Io::Send(command));
        }
        let is_secret = phase == Phase::Pass && self.password().is_some_and(|password| !password.is_empty());
        if is_secret && !self.secure {
            self.note(PASSWORD_IN_CLEAR);
        }
        Ok(())
    }

    fn reply(&mut self, phase: Phase, input: &mut Input<'_>) -> Result<bool, Fault> {
        let reply = self.line.reply(input, &self.settings.limits).inspect_err(|_| self.is_at_rest = false)?;
        let Some(reply) = reply else { return Ok(false) };
        // After these the server closes the connection, or nobody is logged in as the next dialogue expects.
        self.is_at_rest &= !matches!(reply.code, 400 | 480..=483 | 502);
        self.is_answered |= reply.code != 400;
        self.replied(phase, &reply, input).map(|()| true)
    }

    fn body<'i>(&mut self, phase: Phase, input: &mut Input<'i>) -> Result<Option<Step<'i, NntpItem>>, Fault> {
        if phase == Phase::Article {
            match self.octets.next(input) {
                BlockPiece::Some(octets) => return Ok(Some(Step::Event(Event::Data(octets)))),
                BlockPiece::End => self.engine.finish_phase(),
                BlockPiece::More => return self.more(input).map(Some),
            }
            return Ok(None);
        }
        match self.lines.next(input, &self.settings.limits)? {
            BlockPiece::Some(line) => self.line(phase, &line)?,
            BlockPiece::End => {
                self.engine.finish_phase();
                self.block_ended(phase);
            }
            BlockPiece::More => return self.more(input).map(Some),
        }
        Ok(None)
    }

    fn closed(&mut self, _: Phase) -> Result<(), Fault> {
        self.is_at_rest = false;
        Err(self.ended())
    }

    fn goodbye(&self) -> Option<Command> {
        (!self.keep).then(|| Command::new(QUIT.to_vec()))
    }

    fn masked(&self, fault: Fault) -> Fault {
        self.context().without_secrets(fault)
    }
}

impl Machine for NntpMachine {
    type Entry = NntpItem;
    const HAS_REPLIES: bool = true;

    fn next<'i>(&mut self, input: &mut Input<'i>) -> Step<'i, NntpItem> {
        Engine::run(self, input)
    }

    fn expected(&self) -> Expected {
        match self.engine.awaited() {
            Some(phase) => self.context().expected(phase),
            None => Expected { what: words!("the rest").into(), reply: Cow::Borrowed(b".\r\n"), closes: false },
        }
    }

    fn answer(&mut self, answer: Option<&[u8]>) {
        Engine::answer(self, answer);
    }
}

fn missing_secret() -> Fault {
    let what = words!("the server requires a password, and none was given");
    Fault::new(FaultKind::Login, "RFC 4643 section 2.3", what)
        .with_help(words!("put it into a netrc file"))
        .with_hint(Hint::Login)
}
