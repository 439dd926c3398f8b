//! The machine: from a request to an article or a list. See the picture in [the module](super).

use super::Item;
use super::block::{Lines, Octets, Piece};
use super::list::{Descriptions, Group};
use super::note::{DESCRIPTIONS_LEFT_OUT, EMPTY_GROUP, LINE_SKIPPED, NO_GROUPS, NO_OVERVIEW, PASSWORD_IN_CLEAR};
use super::overview::{Article, Headers, number};
use super::reply::{Line, Reply, malformed};
use super::request::{Request, Wanted};
use super::settings::{Settings, StartTls};
use super::stage::{Context, Stage};
use crate::protocol::{
    Begin, Command, Event, Expected, Fault, FaultKind, Input, Io, Machine, Note, Question, Shape, Step,
};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::RangeInclusive;

/// One news or nntp URL and its dialogue.
#[derive(Debug)]
pub struct Nntp {
    request: Request,
    settings: Settings,
    phase: Phase,
    /// Stages to come.
    todo: VecDeque<Stage>,
    /// Steps that wait for the one before them to be done.
    queue: VecDeque<Step<'static, Item>>,
    line: Line,
    /// The connection has TLS.
    secure: bool,
    capabilities: Capabilities,
    /// `MODE READER` was sent.
    is_reader: bool,
    has_begun: bool,
    /// The articles to list.
    range: RangeInclusive<u64>,
    /// The newest numbers of the group, as many as are wanted.
    newest: VecDeque<u64>,
    descriptions: Descriptions,
    headers: Headers,
    /// Lines that were given as entries.
    entries: u64,
    /// Notes that were made, each once.
    noted: Vec<&'static str>,
}

#[derive(Debug)]
enum Phase {
    Start,
    /// The next stage may begin.
    Ready,
    Awaiting(Stage),
    Asking,
    /// The lines that follow the reply to a stage.
    Lines(Stage, Lines),
    Octets(Octets),
    /// Nothing is left but to say goodbye.
    Over,
    Done,
    Failed(Fault),
}

/// What the server says it can do, as far as that decides what it is asked.
#[derive(Debug, Default)]
struct Capabilities {
    /// It knows `CAPABILITIES`.
    are_known: bool,
    reader: bool,
    start_tls: bool,
}

/// The most numbers that are kept to find the newest articles of a group with gaps.
const MOST_NUMBERS: u64 = 1 << 20;

impl Nntp {
    /// A machine for a fresh connection. Nothing is checked yet: a request that must not be made fails as its first step.
    pub fn new(request: Request, settings: Settings) -> Nntp {
        Nntp {
            request,
            settings,
            phase: Phase::Start,
            todo: VecDeque::new(),
            queue: VecDeque::new(),
            line: Line::default(),
            secure: false,
            capabilities: Capabilities::default(),
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
    pub fn over_tls(self) -> Nntp {
        Nntp { secure: true, ..self }
    }

    fn context(&self) -> Context<'_> {
        Context { request: &self.request, range: &self.range }
    }

    fn start(&mut self) -> Result<(), Fault> {
        self.request.check()?;
        if let Some(login) = &self.request.login {
            self.context().command(Stage::User)?;
            if login.password.is_some() {
                self.context().command(Stage::Pass)?;
            }
        }
        self.phase = Phase::Ready;
        self.queue.push_back(Step::Io(Io::Connect));
        self.todo.push_back(Stage::Greeting);
        if self.settings.start_tls == StartTls::Required && !self.secure {
            self.todo.push_back(Stage::StartTls);
        }
        self.todo.push_back(Stage::Capabilities);
        Ok(())
    }

    /// What follows once it is known what the server can do.
    fn introduce(&mut self) {
        if !self.capabilities.reader && !self.is_reader {
            self.is_reader = true;
            self.todo.push_back(Stage::ModeReader);
            if self.capabilities.are_known {
                self.todo.push_back(Stage::Capabilities);
                return;
            }
        }
        if self.request.login.is_some() && self.capabilities.start_tls && !self.secure {
            self.todo.push_back(Stage::StartTls);
        }
        self.approach();
    }

    /// The login, and what the URL asks for.
    fn approach(&mut self) {
        if self.request.login.is_some() {
            self.todo.push_back(Stage::User);
        }
        let article = if self.request.list { Stage::Head } else { Stage::Article };
        match self.request.wanted {
            Wanted::Groups { .. } => self.todo.extend([Stage::ListNewsgroups, Stage::ListActive]),
            Wanted::Group { .. } => self.todo.push_back(Stage::Group),
            Wanted::Number { .. } => self.todo.extend([Stage::Group, article]),
            Wanted::Message { .. } => self.todo.push_back(article),
        }
    }

    /// Begins the next stage, or ends.
    fn proceed(&mut self) -> Result<(), Fault> {
        let Some(stage) = self.todo.pop_front() else {
            self.phase = Phase::Over;
            return Ok(());
        };
        if stage == Stage::Pass {
            let Some(password) = self.request.login.as_ref().and_then(|login| login.password.as_ref()) else {
                self.queue.push_back(Step::Io(Io::Ask(Question::Password)));
                self.phase = Phase::Asking;
                return Ok(());
            };
            if !password.is_empty() && !self.secure {
                self.note(PASSWORD_IN_CLEAR);
            }
        }
        if let Some(command) = self.context().command(stage)? {
            // What is noted of a command comes after it.
            self.queue.push_front(Step::Io(Io::Send(command)));
        }
        self.phase = Phase::Awaiting(stage);
        Ok(())
    }

    /// What a reply to the command of `stage` leads to.
    fn replied(&mut self, stage: Stage, reply: &Reply, input: &Input<'_>) -> Result<(), Fault> {
        self.phase = Phase::Ready;
        match (stage, reply.code) {
            (Stage::Greeting, 200 | 201) | (Stage::ModeReader, 200 | 201 | 500 | 501 | 503) => {}
            (Stage::User | Stage::Pass, 281) => {}
            (Stage::User, 381) => self.todo.push_front(Stage::Pass),
            (Stage::StartTls, 382) => self.start_tls(input)?,
            (Stage::Capabilities, 101)
            | (Stage::ListNewsgroups | Stage::ListActive | Stage::List, 215)
            | (Stage::ListGroup | Stage::ListGroupFrom(_), 211)
            | (Stage::Over | Stage::Xover, 224)
            | (Stage::HeadOf(_) | Stage::Head, 221) => self.lines(stage),
            (Stage::Article, 220) => {
                let media_type = Some("message/rfc822".to_owned());
                self.begin(Shape::Document, media_type);
                self.phase = Phase::Octets(Octets::default());
            }
            (Stage::Group, 211) => self.entered(reply)?,
            // What follows does without.
            (Stage::Capabilities, 500..) => self.introduce(),
            // The server wants TLS, and has not been asked for it.
            (_, 483) if !self.secure && !self.has_begun && stage != Stage::StartTls => {
                self.todo = VecDeque::from([Stage::StartTls]);
                self.approach();
            }
            (Stage::ListNewsgroups, 500 | 501 | 503) => self.begin(Shape::Menu, None),
            (Stage::ListActive, 500 | 501 | 503) if self.request.wanted == (Wanted::Groups { wildmat: None }) => {
                self.todo.push_back(Stage::List);
            }
            (Stage::ListGroupFrom(_), 500 | 501 | 503) => self.todo.push_back(Stage::ListGroup),
            (Stage::ListGroup, 500 | 501 | 503) => self.newest(self.wanted_last()),
            (Stage::Over | Stage::Xover, 420 | 423) => self.empty(),
            (Stage::Over, 500 | 501 | 503) => self.todo.push_back(Stage::Xover),
            (Stage::Xover, 500 | 501 | 503) => self.one_by_one(),
            (Stage::HeadOf(number), 420 | 423 | 430) => self.head_after(number),
            (_, 400..) => return Err(self.context().refusal(stage, reply)),
            _ => return Err(malformed("the reply does not match the command", &reply.line)),
        }
        Ok(())
    }

    /// Whatever came with the reply came before the handshake: anybody may have written it (CVE-2021-22947).
    fn start_tls(&mut self, input: &Input<'_>) -> Result<(), Fault> {
        if !input.octets().is_empty() {
            let what = "extra data arrived after the reply and before the TLS handshake";
            return Err(Fault::new(FaultKind::Malformed, "S-28", what).octets(input.octets()));
        }
        self.secure = true;
        self.queue.push_back(Step::Io(Io::StartTls));
        Ok(())
    }

    /// The lines after a reply.
    fn lines(&mut self, stage: Stage) {
        match stage {
            Stage::Capabilities => self.capabilities = Capabilities { are_known: true, ..Capabilities::default() },
            Stage::HeadOf(number) => self.headers = Headers::of(Some(number)),
            Stage::Head => {
                let asked = match &self.request.wanted {
                    Wanted::Number { number, .. } => self::number(number),
                    _ => None,
                };
                self.headers = Headers::of(asked);
                self.begin(Shape::Menu, None);
            }
            _ => self.begin(Shape::Menu, None),
        }
        self.phase = Phase::Lines(stage, Lines::default());
    }

    /// The answer begins, once.
    fn begin(&mut self, shape: Shape, media_type: Option<String>) {
        if !std::mem::replace(&mut self.has_begun, true) {
            self.queue.push_back(Step::Event(Event::Begin(Begin { shape, size: None, media_type })));
        }
    }

    fn note(&mut self, note: Note) {
        if !self.noted.contains(&note.code) {
            self.noted.push(note.code);
            self.queue.push_back(Step::Event(Event::Note(note)));
        }
    }

    /// `GROUP` says how many articles there are, and from where to where their numbers go.
    fn entered(&mut self, reply: &Reply) -> Result<(), Fault> {
        let Wanted::Group { last, .. } = self.request.wanted else { return Ok(()) };
        let numbers: Option<Vec<u64>> = reply.words().take(3).map(number).collect();
        let Some([count, low, high]) = numbers.and_then(|numbers| <[u64; 3]>::try_from(numbers).ok()) else {
            return Err(malformed("the reply does not contain the article numbers", &reply.line));
        };
        if count == 0 || high == 0 || high < low {
            self.empty();
            return Ok(());
        }
        self.range = low..=high;
        match last {
            Some(0) => self.empty(),
            // The count may be too high; it is never too low (RFC 3977 section 6.1.1.2).
            Some(last) if last < count && last <= MOST_NUMBERS => {
                let start = low.max(high.saturating_sub(last.saturating_mul(4).saturating_add(100)));
                let knows_ranges = self.capabilities.are_known && start > low;
                self.todo.push_back(if knows_ranges { Stage::ListGroupFrom(start) } else { Stage::ListGroup });
            }
            Some(last) if last < count => self.newest(last),
            _ => self.todo.push_back(Stage::Over),
        }
        Ok(())
    }

    fn empty(&mut self) {
        self.begin(Shape::Menu, None);
        if !matches!(self.request.wanted, Wanted::Group { last: Some(0), .. }) {
            self.note(EMPTY_GROUP);
        }
    }

    /// Asks for the overview of the highest numbers: not more articles than these have them.
    fn newest(&mut self, last: u64) {
        self.only_last(last);
        self.todo.push_back(Stage::Over);
    }

    /// How many articles are wanted of a group.
    fn wanted_last(&self) -> u64 {
        match self.request.wanted {
            Wanted::Group { last: Some(last), .. } => last,
            _ => u64::MAX,
        }
    }

    fn only_last(&mut self, last: u64) {
        let (start, end) = (*self.range.start(), *self.range.end());
        self.range = start.max(end.saturating_sub(last.saturating_sub(1)))..=end;
    }

    /// Without an overview the newest articles are asked for their headers.
    fn one_by_one(&mut self) {
        self.begin(Shape::Menu, None);
        self.note(NO_OVERVIEW);
        self.only_last(self.settings.limits.heads.max(1));
        self.todo.push_back(Stage::HeadOf(*self.range.start()));
    }

    fn head_after(&mut self, number: u64) {
        match number.checked_add(1).filter(|next| self.range.contains(next)) {
            Some(next) => self.todo.push_back(Stage::HeadOf(next)),
            None if self.entries == 0 => self.note(EMPTY_GROUP),
            None => {}
        }
    }

    /// One line of a block.
    fn read(&mut self, stage: Stage, line: &[u8]) -> Result<(), Fault> {
        match stage {
            Stage::Capabilities => {
                let label = line.split(|octet| matches!(octet, b' ' | b'\t')).next().unwrap_or_default();
                self.capabilities.reader |= label.eq_ignore_ascii_case(b"READER");
                self.capabilities.start_tls |= label.eq_ignore_ascii_case(b"STARTTLS");
            }
            Stage::ListNewsgroups => {
                if !self.descriptions.take(line, self.settings.limits.descriptions) {
                    self.note(DESCRIPTIONS_LEFT_OUT);
                }
            }
            Stage::ListActive | Stage::List => {
                let group = Group::of_active(line)
                    .map(|group| Group { description: self.descriptions.of(&group.name), ..group });
                self.entry(group.map(Item::Group));
            }
            Stage::ListGroup | Stage::ListGroupFrom(_) => {
                match number(line.trim_ascii()).filter(|number| self.range.contains(number)) {
                    Some(number) => self.newest.push_back(number),
                    None => self.note(LINE_SKIPPED),
                }
                if self.newest.len() as u64 > self.wanted_last() {
                    self.newest.pop_front();
                }
            }
            Stage::Over | Stage::Xover => {
                let is_asked = |article: &Article| article.number.is_some_and(|number| self.range.contains(&number));
                let article = Article::of_overview(line).filter(is_asked);
                self.entry(article.map(|article| Item::Article(Box::new(article))));
            }
            // The headers end at the empty line, should more come.
            _ => self.headers.line(line, &self.settings.limits)?,
        }
        Ok(())
    }

    fn entry(&mut self, item: Option<Item>) {
        match item {
            Some(item) => {
                self.entries += 1;
                self.queue.push_back(Step::Event(Event::Entry(item)));
            }
            None => self.note(LINE_SKIPPED),
        }
    }

    /// The end of a block.
    fn block_ended(&mut self, stage: Stage) {
        match stage {
            Stage::Capabilities => self.introduce(),
            Stage::ListActive | Stage::List if self.entries == 0 => self.note(NO_GROUPS),
            // There are more gaps than was thought.
            Stage::ListGroupFrom(_) if (self.newest.len() as u64) < self.wanted_last() => {
                self.newest.clear();
                self.todo.push_back(Stage::ListGroup);
            }
            Stage::ListGroup | Stage::ListGroupFrom(_) => match (self.newest.front(), self.newest.back()) {
                (Some(&first), Some(&last)) if first <= last => {
                    self.range = first..=last;
                    self.todo.push_back(Stage::Over);
                }
                _ => self.empty(),
            },
            Stage::Over | Stage::Xover if self.entries == 0 => self.empty(),
            Stage::HeadOf(number) => {
                let article = std::mem::take(&mut self.headers).end();
                self.entry(Some(Item::Article(Box::new(article))));
                self.head_after(number);
            }
            Stage::Head => {
                let article = std::mem::take(&mut self.headers).end();
                self.entry(Some(Item::Article(Box::new(article))));
            }
            _ => {}
        }
    }

    /// What comes after a reply.
    fn block<'i>(&mut self, input: &mut Input<'i>) -> Result<Option<Step<'i, Item>>, Fault> {
        match &mut self.phase {
            Phase::Octets(octets) => match octets.next(input) {
                Piece::Some(octets) => return Ok(Some(Step::Event(Event::Data(octets)))),
                Piece::End => self.phase = Phase::Ready,
                Piece::More => return self.more(input).map(Some),
            },
            Phase::Lines(stage, lines) => {
                let stage = *stage;
                match lines.next(input, &self.settings.limits)? {
                    Piece::Some(line) => self.read(stage, &line)?,
                    Piece::End => {
                        self.phase = Phase::Ready;
                        self.block_ended(stage);
                    }
                    Piece::More => return self.more(input).map(Some),
                }
            }
            _ => {}
        }
        Ok(None)
    }

    /// All input is taken, and the answer is not complete.
    fn more<'i>(&self, input: &Input<'i>) -> Result<Step<'i, Item>, Fault> {
        if input.end().is_none() {
            return Ok(Step::Io(Io::Receive));
        }
        Err(if self.has_begun {
            let what = "the connection closed before the end of the answer";
            Fault::new(FaultKind::Partial, "RFC 3977 section 3.1.1", what)
        } else {
            let how = if self.line.is_empty() { "" } else { " within a reply" };
            let what = format!("the server closed the connection{how}");
            Fault::new(FaultKind::Server, "RFC 3977 section 3.2", what)
        })
    }

    /// The next reply to `stage`, if it is there.
    fn await_reply<'i>(&mut self, stage: Stage, input: &mut Input<'i>) -> Result<Option<Step<'i, Item>>, Fault> {
        match self.line.reply(input, &self.settings.limits)? {
            Some(reply) => self.replied(stage, &reply, input).map(|()| None),
            None => self.more(input).map(Some),
        }
    }

    /// One turn of the machine; `None` where the next turn follows at once.
    fn turn<'i>(&mut self, input: &mut Input<'i>) -> Result<Option<Step<'i, Item>>, Fault> {
        if let Some(step) = self.queue.pop_front() {
            return Ok(Some(step));
        }
        match &self.phase {
            Phase::Start => self.start().map(|()| None),
            Phase::Ready => self.proceed().map(|()| None),
            Phase::Awaiting(stage) => self.await_reply(*stage, input),
            // Nobody answered.
            Phase::Asking => Err(nobody_asked()),
            Phase::Lines(..) | Phase::Octets(_) => self.block(input),
            Phase::Over => {
                self.phase = Phase::Done;
                Ok(Some(Step::Io(Io::Send(Command::new(b"QUIT\r\n".to_vec())))))
            }
            Phase::Done => Ok(Some(Step::Done)),
            Phase::Failed(fault) => Ok(Some(Step::Fail(fault.clone()))),
        }
    }
}

impl Machine for Nntp {
    type Entry = Item;
    const HAS_REPLIES: bool = true;

    fn next<'i>(&mut self, input: &mut Input<'i>) -> Step<'i, Item> {
        loop {
            match self.turn(input) {
                Ok(Some(step)) => return step,
                Ok(None) => {}
                Err(fault) => {
                    self.queue.clear();
                    self.phase = Phase::Failed(self.context().without_secrets(fault));
                }
            }
        }
    }

    fn expected(&self) -> Expected {
        match &self.phase {
            Phase::Awaiting(stage) => self.context().expected(*stage),
            _ => Expected { what: Cow::Borrowed("the rest"), reply: Cow::Borrowed(b".\r\n"), closes: false },
        }
    }

    fn answer(&mut self, answer: Option<&[u8]>) {
        let (Phase::Asking, Some(login), Some(answer)) = (&self.phase, &mut self.request.login, answer) else { return };
        login.password = Some(answer.to_vec());
        self.todo.push_front(Stage::Pass);
        self.phase = Phase::Ready;
    }
}

fn nobody_asked() -> Fault {
    let what = "the server requires a password, and none was given";
    Fault::new(FaultKind::Login, "RFC 4643 section 2.3", what).with_help("put it into a netrc file")
}
