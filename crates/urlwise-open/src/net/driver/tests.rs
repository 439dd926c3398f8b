use super::Dialogue;
use crate::client::{Client, Options};
use crate::language::words;
use crate::net::deadlines::{Clock, Deadlines};
use crate::net::endpoint::{Endpoint, Hop};
use crate::net::loopback::listener;
use crate::net::tcp::Connection;
use crate::protocol::{Expected, Fault, FaultKind, Input, Machine, Step, TlsMode};

/// Has nothing to say.
struct Mute;

impl Machine for Mute {
    type Entry = ();
    const HAS_REPLIES: bool = false;

    fn next<'i>(&mut self, _: &mut Input<'i>) -> Step<'i, ()> {
        Step::Done
    }

    fn expected(&self) -> Expected {
        Expected::new("nothing", &b""[..])
    }
}

fn dialogue(change: impl FnOnce(&mut Options)) -> Dialogue<Mute> {
    let mut options = Options::default();
    change(&mut options);
    let hop = Hop { host: "h.example".to_owned(), ip: None, port: 79 };
    let clock = Clock::start(Deadlines::default());
    Dialogue::new(Mute, Endpoint::new(hop, TlsMode::None), clock, Client::new(options).shared())
}

#[test]
fn security_52_a_plain_connection_that_was_kept_is_not_said_to_be_unverified() {
    let (_listener, address) = listener();
    let dialogue = dialogue(|options| options.insecure = true);
    assert!(!dialogue.has_connected(), "nothing has happened");
    let (endpoint, clock) = (dialogue.endpoint.clone(), dialogue.clock.clone());
    let kept = Connection::to_address(endpoint, address, clock).expect("somebody listens");
    let mut dialogue = dialogue.on(kept);
    assert!(dialogue.has_connected());
    assert_eq!(dialogue.take_notes(), []);
}

#[test]
fn how_a_connection_broke_is_said_where_the_answer_is_cut() {
    let mut dialogue = dialogue(|_| {});
    let mut explained = |kind, broken: Option<&str>| {
        dialogue.broken = broken.map(str::to_owned);
        dialogue.explain(Fault::new(kind, "RFC 1288", words!("the server sent no answer"))).what().to_string()
    };
    let reset = Some("Connection reset by peer");
    assert_eq!(
        explained(FaultKind::Partial, reset),
        "h.example port 79 (Connection reset by peer): the server sent no answer"
    );
    assert_eq!(explained(FaultKind::Partial, None), "h.example port 79: the server sent no answer");
    assert_eq!(explained(FaultKind::Malformed, reset), "h.example port 79: the server sent no answer");
}
