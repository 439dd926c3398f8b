//! The engine of protocols in which every command is followed by a reply: FTP, NNTP, SMTP, and those that a program adds.
//!
//! A dialogue is a queue of phases. A phase is one command (or the greeting, which comes unasked), its reply, and possibly a body
//! after the reply. What these protocols share is written here once: the order of phases, questions to a person, handing over
//! steps before the next phase begins, and ending the dialogue at a fault. A protocol implements
//! [`Commands`], which says what each phase sends and what its reply means, and calls [`Engine::run`] in its
//! [`Machine::next`](super::Machine::next).
//!
//! ```
//! use urlwise_open::protocol::engine::{Commands, Engine};
//! use urlwise_open::protocol::{Command, Event, Expected, Fault, FaultKind, Input, Io, Machine, Step};
//!
//! /// Where the protocol is described: part of every message.
//! const RULE: &str = "the time protocol of this page";
//!
//! /// Asks a server for the time: the greeting `OK`, the command `TIME`, and a line with the answer.
//! struct Clock {
//!     engine: Engine<Phase, String>,
//!     line: Vec<u8>,
//! }
//!
//! #[derive(Clone, Copy)]
//! enum Phase {
//!     Greeting,
//!     Time,
//! }
//!
//! impl Commands for Clock {
//!     type Phase = Phase;
//!     type Entry = String;
//!
//!     fn engine(&mut self) -> &mut Engine<Phase, String> {
//!         &mut self.engine
//!     }
//!
//!     fn start(&mut self) -> Result<(), Fault> {
//!         self.engine.emit(Io::Connect);
//!         self.engine.extend([Phase::Greeting, Phase::Time]);
//!         Ok(())
//!     }
//!
//!     fn send(&mut self, phase: Phase) -> Result<(), Fault> {
//!         match phase {
//!             Phase::Greeting => {}
//!             Phase::Time => self.engine.emit(Io::Send(Command::new(b"TIME\n".to_vec()))),
//!         }
//!         Ok(())
//!     }
//!
//!     fn reply(&mut self, phase: Phase, input: &mut Input<'_>) -> Result<bool, Fault> {
//!         // A real protocol limits the length of a line.
//!         let end = input.octets().iter().position(|octet| *octet == b'\n');
//!         self.line.extend_from_slice(input.take(end.map_or(usize::MAX, |end| end + 1)));
//!         if end.is_none() {
//!             return Ok(false);
//!         }
//!         let line = String::from_utf8_lossy(&std::mem::take(&mut self.line)).trim_end().to_owned();
//!         match phase {
//!             Phase::Greeting if line == "OK" => {}
//!             Phase::Greeting => return Err(Fault::new(FaultKind::Malformed, RULE, "the server did not say OK")),
//!             Phase::Time => self.engine.emit(Event::Entry(line)),
//!         }
//!         Ok(true)
//!     }
//!
//!     fn closed(&mut self, _: Phase) -> Result<(), Fault> {
//!         Err(Fault::new(FaultKind::Partial, RULE, "the server closed the connection"))
//!     }
//! }
//!
//! impl Machine for Clock {
//!     type Entry = String;
//!     const HAS_REPLIES: bool = true;
//!
//!     fn next<'i>(&mut self, input: &mut Input<'i>) -> Step<'i, String> {
//!         Engine::run(self, input)
//!     }
//!
//!     fn expected(&self) -> Expected {
//!         let (what, reply): (&str, &[u8]) = match self.engine.awaited() {
//!             Some(Phase::Time) => ("the time", b"noon\n"),
//!             Some(Phase::Greeting) | None => ("OK", b"OK\n"),
//!         };
//!         Expected::new(what, reply)
//!     }
//! }
//!
//! let clock = Clock { engine: Engine::new(), line: Vec::new() };
//! let lines: Vec<_> = urlwise_open::protocol::plan(clock)?.iter().map(|line| line.kind()).collect();
//! assert_eq!(lines, ["connect", "expect", "send", "expect"]);
//! # Ok::<(), Fault>(())
//! ```

use super::{Command, Fault, FaultKind, Input, Io, Question, Step};
use crate::language::words;
use std::collections::VecDeque;

/// The state of a dialogue and its next phases.
///
/// `P` is the protocol's [phase](Commands::Phase), `E` the [entry](super::Machine::Entry) of its menus.
#[derive(Debug)]
pub struct Engine<P, E> {
    state: EngineState<P>,
    /// Phases to come.
    todo: VecDeque<P>,
    /// Steps to hand over before anything else happens.
    queue: VecDeque<Step<'static, E>>,
}

#[derive(Debug)]
enum EngineState<P> {
    Start,
    /// The next phase may begin.
    Ready,
    /// The reply to the command of this phase comes next.
    Awaiting(P),
    /// A person is asked for something that the command of this phase needs.
    Asking(P),
    /// The body after the reply of this phase is being read.
    Body(P),
    Done,
    Failed(Fault),
}

/// What is specific to a protocol: its commands and their replies.
///
/// The engine calls these methods. They decide what comes next by calling [`emit`](Engine::emit), [`push`](Engine::push) and
/// the like on [their engine](Commands::engine); only [`Machine::next`](super::Machine::next) calls [`Engine::run`].
pub trait Commands: Sized {
    /// One command and its reply, or the greeting.
    type Phase: Copy;
    /// The same as [`Machine::Entry`](super::Machine::Entry).
    type Entry;

    /// The engine of this dialogue.
    fn engine(&mut self) -> &mut Engine<Self::Phase, Self::Entry>;

    /// Checks the request, [emits](Engine::emit) [`Io::Connect`] unless there is a connection, and [pushes](Engine::push) the first
    /// phases.
    ///
    /// # Errors
    /// The fault of a request that must not be sent.
    fn start(&mut self) -> Result<(), Fault>;

    /// The question to ask a person before the command of `phase` can be sent; `None` unless overridden.
    fn question(&self, _phase: Self::Phase) -> Option<Question> {
        None
    }

    /// Takes a person's answer to the [question](Commands::question) of `phase`.
    fn answered(&mut self, _phase: Self::Phase, _answer: &[u8]) {}

    /// The fault when there was no answer to the [question](Commands::question) of `phase`.
    fn unanswered(&self, _phase: Self::Phase) -> Fault {
        let what = words!("the server requires an answer, and none was given");
        Fault::new(FaultKind::Login, "RFC 1738 section 3.1", what)
    }

    /// [Emits](Engine::emit) the command of `phase`; nothing for a greeting.
    ///
    /// # Errors
    /// The command must not be sent.
    fn send(&mut self, phase: Self::Phase) -> Result<(), Fault>;

    /// Reads the reply of `phase` and decides what comes next: by default the next phase. Returns false if the reply is not complete;
    /// all input must then have been taken.
    ///
    /// # Errors
    /// The server refused the command, or its reply breaks a rule.
    fn reply(&mut self, phase: Self::Phase, input: &mut Input<'_>) -> Result<bool, Fault>;

    /// Reads some of the body of `phase`, after [`Engine::read_body`], until [`Engine::finish_phase`] or
    /// [`Engine::await_reply`]. Returns a step to hand over, or `None` to be called again at once. Protocols whose replies have
    /// no bodies need not override it, because it is never called for them.
    ///
    /// # Errors
    /// The body breaks a rule or ended early.
    fn body<'i>(
        &mut self,
        _phase: Self::Phase,
        _input: &mut Input<'i>,
    ) -> Result<Option<Step<'i, Self::Entry>>, Fault> {
        self.engine().finish_phase();
        Ok(None)
    }

    /// The connection ended before the reply of `phase` was complete. `Ok` if the dialogue can continue without it.
    ///
    /// # Errors
    /// The dialogue has failed.
    fn closed(&mut self, phase: Self::Phase) -> Result<(), Fault>;

    /// The command to send when no phase is left, without waiting for its reply; `None` unless overridden.
    fn goodbye(&self) -> Option<Command> {
        None
    }

    /// Removes secrets that a server may have repeated from a fault.
    fn masked(&self, fault: Fault) -> Fault {
        fault
    }
}

impl<P, E> Default for Engine<P, E> {
    fn default() -> Engine<P, E> {
        Engine { state: EngineState::Start, todo: VecDeque::new(), queue: VecDeque::new() }
    }
}

impl<P: Copy, E> Engine<P, E> {
    /// The engine of a dialogue that has not begun.
    pub fn new() -> Engine<P, E> {
        Engine::default()
    }

    /// Adds `phase` after all others to come.
    pub fn push(&mut self, phase: P) {
        self.todo.push_back(phase);
    }

    /// Adds `phases` after all others to come.
    pub fn extend(&mut self, phases: impl IntoIterator<Item = P>) {
        self.todo.extend(phases);
    }

    /// Adds `phase` before all others to come.
    pub fn push_front(&mut self, phase: P) {
        self.todo.push_front(phase);
    }

    /// Inserts `phase` before the first pending phase that satisfies `is_before`. Returns whether there was one.
    pub fn insert_before(&mut self, is_before: impl Fn(&P) -> bool, phase: P) -> bool {
        let place = self.todo.iter().position(is_before);
        place.inspect(|place| self.todo.insert(*place, phase)).is_some()
    }

    /// Removes all phases to come.
    pub fn clear(&mut self) {
        self.todo.clear();
    }

    /// Hands over `step` before anything else happens.
    pub fn emit(&mut self, step: impl Into<Step<'static, E>>) {
        self.queue.push_back(step.into());
    }

    /// Begins TLS, after a reply that allows it. `early` is what arrived together with that reply.
    ///
    /// # Errors
    /// `early` is not empty. It arrived before the handshake, so an attacker may have sent it (S-28, CVE-2021-22947).
    pub fn start_tls(&mut self, early: &[u8]) -> Result<(), Fault> {
        if !early.is_empty() {
            let what = words!("extra data arrived after the reply and before the TLS handshake");
            return Err(Fault::new(FaultKind::Malformed, "S-28", what).octets(early));
        }
        self.emit(Io::StartTls);
        Ok(())
    }

    /// Waits for a reply of `phase`: another one, or the one after a body.
    pub fn await_reply(&mut self, phase: P) {
        self.state = EngineState::Awaiting(phase);
    }

    /// Reads the [body](Commands::body) that follows the reply of `phase`.
    pub fn read_body(&mut self, phase: P) {
        self.state = EngineState::Body(phase);
    }

    /// Ends the phase after its body: the next one may begin.
    pub fn finish_phase(&mut self) {
        self.state = EngineState::Ready;
    }

    /// The phase whose reply is being waited for, if any.
    pub fn awaited(&self) -> Option<P> {
        match self.state {
            EngineState::Awaiting(phase) => Some(phase),
            EngineState::Start
            | EngineState::Ready
            | EngineState::Asking(_)
            | EngineState::Body(_)
            | EngineState::Done
            | EngineState::Failed(_) => None,
        }
    }

    /// Whether the dialogue has ended, well or not.
    pub fn is_over(&self) -> bool {
        matches!(self.state, EngineState::Done | EngineState::Failed(_))
    }

    /// The next step of `dialogue`: the whole of its [`Machine::next`](super::Machine::next).
    pub fn run<'i, C: Commands<Phase = P, Entry = E>>(dialogue: &mut C, input: &mut Input<'i>) -> Step<'i, E> {
        loop {
            match Engine::turn(dialogue, input) {
                Ok(Some(step)) => return step,
                Ok(None) => {}
                Err(fault) => {
                    let fault = dialogue.masked(fault);
                    let engine = dialogue.engine();
                    engine.queue.clear();
                    engine.state = EngineState::Failed(fault);
                }
            }
        }
    }

    /// One turn; `None` if the next one follows at once.
    fn turn<'i, C>(dialogue: &mut C, input: &mut Input<'i>) -> Result<Option<Step<'i, E>>, Fault>
    where
        C: Commands<Phase = P, Entry = E>,
    {
        let engine = dialogue.engine();
        if let Some(step) = engine.queue.pop_front() {
            return Ok(Some(step));
        }
        match &engine.state {
            EngineState::Start => {
                engine.state = EngineState::Ready;
                dialogue.start().map(|()| None)
            }
            EngineState::Ready => Engine::begin_phase(dialogue),
            EngineState::Awaiting(phase) => {
                let phase = *phase;
                // The protocol overrides this if a body or another reply follows.
                engine.state = EngineState::Ready;
                if dialogue.reply(phase, input)? {
                    return Ok(None);
                }
                if input.end().is_some() {
                    return dialogue.closed(phase).map(|()| None);
                }
                dialogue.engine().state = EngineState::Awaiting(phase);
                Ok(Some(Step::Io(Io::Receive)))
            }
            EngineState::Asking(phase) => {
                let phase = *phase;
                Err(dialogue.unanswered(phase))
            }
            EngineState::Body(phase) => {
                let phase = *phase;
                dialogue.body(phase, input)
            }
            EngineState::Done => Ok(Some(Step::Done)),
            EngineState::Failed(fault) => Ok(Some(Step::Fail(fault.clone()))),
        }
    }

    /// Begins the next phase, or ends the dialogue if no phase is left.
    fn begin_phase<'i, C>(dialogue: &mut C) -> Result<Option<Step<'i, E>>, Fault>
    where
        C: Commands<Phase = P, Entry = E>,
    {
        let Some(phase) = dialogue.engine().todo.pop_front() else {
            dialogue.engine().state = EngineState::Done;
            return Ok(dialogue.goodbye().map(|command| Step::Io(Io::Send(command))));
        };
        if let Some(question) = dialogue.question(phase) {
            dialogue.engine().state = EngineState::Asking(phase);
            return Ok(Some(Step::Io(Io::Ask(question))));
        }
        dialogue.engine().state = EngineState::Awaiting(phase);
        dialogue.send(phase).map(|()| None)
    }

    /// Takes a person's answer: the whole of the [`Machine::answer`](super::Machine::answer) of a protocol that asks questions.
    pub fn answer<C: Commands<Phase = P, Entry = E>>(dialogue: &mut C, answer: Option<&[u8]>) {
        let EngineState::Asking(phase) = dialogue.engine().state else { return };
        let Some(answer) = answer else { return };
        dialogue.answered(phase, answer);
        let engine = dialogue.engine();
        engine.todo.push_front(phase);
        engine.state = EngineState::Ready;
    }
}
