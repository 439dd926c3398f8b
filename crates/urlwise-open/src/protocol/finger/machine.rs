//! The machine: from a request to its answer. See the picture in [the module](super).

use super::request::{FingerRequest, FingerSettings};
use crate::language::words;
use crate::protocol::text::LocalText;
use crate::protocol::{Begin, Command, End, Event, Expected, Fault, FaultKind, Input, Io, Machine, Shape, Step};
use std::borrow::Cow;
use std::convert::Infallible;

/// One finger request and its answer. The answer gets the line ends of this system unless [`FingerSettings::raw`] is set. It
/// has no size limit, because it is passed on as it arrives.
#[derive(Clone, Debug)]
pub struct FingerMachine {
    request: FingerRequest,
    settings: FingerSettings,
    phase: Phase,
}

#[derive(Clone, Debug)]
enum Phase {
    Start,
    Connected(Command),
    Sent,
    /// With the converter of its line ends.
    Body(Option<LocalText>),
    Done,
    Failed(Fault),
}

impl FingerMachine {
    /// A machine for this request. A request that must not be sent fails as its first step.
    pub fn new(request: FingerRequest, settings: FingerSettings) -> FingerMachine {
        FingerMachine { request, settings, phase: Phase::Start }
    }

    fn fail(&mut self, fault: Fault) -> Step<'static, Infallible> {
        self.phase = Phase::Failed(fault.clone());
        Step::Fail(fault)
    }

    fn end(&mut self, end: End) -> Step<'static, Infallible> {
        match end {
            End::Closed => {
                self.phase = Phase::Done;
                Step::Done
            }
            End::Unauthenticated | End::Broken => {
                let what = words!("the connection broke, so the answer may not be complete");
                self.fail(Fault::new(FaultKind::Partial, "RFC 1288 section 2.2", what))
            }
        }
    }
}

impl Machine for FingerMachine {
    type Entry = Infallible;
    const HAS_REPLIES: bool = false;

    fn next<'i>(&mut self, input: &mut Input<'i>) -> Step<'i, Infallible> {
        match &mut self.phase {
            Phase::Start => match self.request.command(self.settings) {
                Ok(command) => {
                    self.phase = Phase::Connected(command);
                    Step::Io(Io::Connect)
                }
                Err(fault) => self.fail(fault),
            },
            Phase::Connected(command) => {
                let send = Io::Send(command.clone());
                self.phase = Phase::Sent;
                Step::Io(send)
            }
            Phase::Sent if input.octets().is_empty() && input.end().is_none() => Step::Io(Io::Receive),
            Phase::Sent => {
                self.phase = Phase::Body((!self.settings.raw).then(LocalText::default));
                let media_type = Some("text/plain".to_owned());
                Step::Event(Event::Begin(Begin { shape: Shape::Document, size: None, media_type }))
            }
            Phase::Body(text) => {
                let octets = input.take(usize::MAX);
                let piece = match text {
                    Some(text) => text.piece(octets),
                    None => Cow::Borrowed(octets),
                };
                if !piece.is_empty() {
                    return Step::Event(Event::Data(piece));
                }
                let Some(end) = input.end() else {
                    return Step::Io(Io::Receive);
                };
                match text.as_mut().map_or_else(Default::default, LocalText::end) {
                    [] => self.end(end),
                    last => Step::Event(Event::Data(Cow::Owned(last.to_vec()))),
                }
            }
            Phase::Done => Step::Done,
            Phase::Failed(fault) => Step::Fail(fault.clone()),
        }
    }

    fn expected(&self) -> Expected {
        let what = words!("text, until the server closes");
        Expected { what: what.into(), reply: Cow::Borrowed(b"Login: joe\r\n"), closes: true }
    }
}
