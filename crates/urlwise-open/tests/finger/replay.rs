//! Drives a protocol machine with octets from memory, and holds it to the contract of `protocol::Machine`.

use std::borrow::Cow;
use urlwise_open::protocol::{Begin, End, Event, Fault, Input, Io, Machine, Note, Step};

/// What a machine gave to whoever asked for the URL. Data in pieces is one event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Given<E> {
    Begin(Begin),
    Data(Vec<u8>),
    Entry(E),
    Note(&'static str),
    Done,
    Fail(Fault),
}

/// A dialogue that has been held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Replay<E> {
    pub(crate) sent: Vec<u8>,
    pub(crate) connects: usize,
    pub(crate) events: Vec<Given<E>>,
}

/// Hands in `chunks` one by one, then `end`. `None` for `end` is a peer that stays silent after the last chunk: the replay
/// then stops where the machine asks for more, without `Done` or `Fail`.
pub(crate) fn replay<'i, M: Machine>(
    mut machine: M,
    chunks: impl IntoIterator<Item = &'i [u8]>,
    end: Option<End>,
) -> Replay<M::Entry>
where
    M::Entry: Clone + PartialEq + std::fmt::Debug,
{
    let mut inputs = chunks.into_iter().map(Input::new).chain(end.map(Input::closed));
    let mut input = Input::none();
    let mut held = Replay { sent: Vec::new(), connects: 0, events: Vec::new() };
    let mut has_begun = false;
    loop {
        let before = input.octets();
        let step = machine.next(&mut input);
        let taken = &before[..before.len() - input.octets().len()];
        let event = match step {
            Step::Io(Io::Connect) => {
                held.connects += 1;
                continue;
            }
            Step::Io(Io::Send(command)) => {
                assert!(held.connects > 0, "nothing can be sent before a connection");
                held.sent.extend_from_slice(command.octets());
                continue;
            }
            Step::Io(Io::Receive) => {
                assert!(input.octets().is_empty(), "the machine asks for more and has not taken all");
                assert_eq!(input.end(), None, "the machine asks for more though the peer has ended");
                match inputs.next() {
                    Some(next) => input = next,
                    None => return held,
                }
                continue;
            }
            Step::Event(Event::Data(octets)) => {
                assert!(has_begun, "data without a beginning");
                assert!(!octets.is_empty(), "data of no octets");
                if let Cow::Borrowed(part) = octets {
                    assert!(taken.as_ptr_range().contains(&part.as_ptr()), "borrowed data is no part of the input");
                }
                if let Some(Given::Data(data)) = held.events.last_mut() {
                    data.extend_from_slice(&octets);
                    continue;
                }
                Given::Data(octets.into_owned())
            }
            Step::Event(Event::Entry(entry)) => {
                assert!(has_begun, "an entry without a beginning");
                Given::Entry(entry)
            }
            Step::Event(Event::Begin(begin)) => {
                assert!(!has_begun, "a second beginning");
                has_begun = true;
                Given::Begin(begin)
            }
            Step::Event(Event::Note(Note { code, .. })) => Given::Note(code),
            Step::Done => {
                assert!(matches!(machine.next(&mut input), Step::Done), "Done is not the last word");
                held.events.push(Given::Done);
                return held;
            }
            Step::Fail(fault) => {
                assert_eq!(machine.next(&mut input), Step::Fail(fault.clone()), "Fail is not the last word");
                held.events.push(Given::Fail(fault));
                return held;
            }
            _ => panic!("a step this replay does not know"),
        };
        held.events.push(event);
    }
}
