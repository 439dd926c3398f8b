//! Holds a dialogue with answers from memory: the k-th to the k-th request.

use urlwise::{Locator, Url};
use urlwise_open::protocol::prospero::{Found, Prospero, Request, Settings, Wanted};
use urlwise_open::protocol::{Begin, End, Event, Fault, Input, Io, Machine, Note, Step};

/// What the machine gave to whoever asked for the URL. Data in pieces is one event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Given {
    Begin(Begin),
    Data(Vec<u8>),
    Entry(Found),
    Note(&'static str),
    Done,
    Fail(Fault),
}

/// A dialogue that has been held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Held {
    /// Whom the requests were about, and their texts.
    pub(crate) inquiries: Vec<(String, String)>,
    /// URLs that were to be followed, none of which could be opened.
    pub(crate) followed: Vec<String>,
    pub(crate) events: Vec<Given>,
}

pub(crate) fn machine(url: &str, wanted: Wanted) -> Prospero {
    machine_of(url, wanted, Settings::default())
}

pub(crate) fn machine_of(url: &str, wanted: Wanted, settings: Settings) -> Prospero {
    let url = Url::parse(url).expect("a URL");
    let Locator::Prospero(prospero) = url.locator() else { panic!("{url} is a prospero URL") };
    Prospero::new(Request::from_url(prospero, wanted).expect("a harmless URL"), settings)
}

/// Hands in each answer whole, then its end.
pub(crate) fn hold<A: AsRef<[u8]>>(url: &str, wanted: Wanted, answers: &[A]) -> Held {
    hold_in_pieces(machine(url, wanted), answers, usize::MAX, End::Closed)
}

/// Hands in the answers in pieces of `piece` octets; the last one ends as `last` says.
pub(crate) fn hold_in_pieces<A: AsRef<[u8]>>(mut machine: Prospero, answers: &[A], piece: usize, last: End) -> Held {
    let mut held = Held { inquiries: Vec::new(), followed: Vec::new(), events: Vec::new() };
    let mut left = answers.iter().map(AsRef::as_ref);
    let mut answer: &[u8] = &[];
    let mut end = End::Closed;
    let mut input = Input::none();
    let mut has_begun = false;
    loop {
        let event = match machine.next(&mut input) {
            Step::Io(Io::Inquire(inquiry)) => {
                let text = String::from_utf8_lossy(inquiry.command.octets()).into_owned();
                held.inquiries.push((inquiry.url.to_string(), text));
                let Some(next) = left.next() else { return held };
                answer = next;
                end = if left.len() == 0 { last } else { End::Closed };
                input = Input::none();
                continue;
            }
            Step::Io(Io::Receive) => {
                assert!(input.octets().is_empty(), "the machine asks for more and has not taken all");
                assert_eq!(input.end(), None, "the machine asks for more though the answer has ended");
                let (next, rest) = answer.split_at(piece.min(answer.len()));
                answer = rest;
                input = if next.is_empty() { Input::closed(end) } else { Input::new(next) };
                continue;
            }
            Step::Event(Event::Follow(url)) => {
                held.followed.push(url.to_string());
                continue;
            }
            Step::Event(Event::Begin(begin)) => {
                assert!(!has_begun, "a second beginning");
                has_begun = true;
                Given::Begin(begin)
            }
            Step::Event(Event::Data(octets)) => {
                assert!(has_begun && !octets.is_empty(), "data without a beginning, or without octets");
                if let Some(Given::Data(data)) = held.events.last_mut() {
                    data.extend_from_slice(&octets);
                    continue;
                }
                Given::Data(octets.into_owned())
            }
            Step::Event(Event::Entry(found)) => {
                assert!(has_begun, "an entry without a beginning");
                Given::Entry(found)
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
            step => panic!("no step of Prospero: {step:?}"),
        };
        held.events.push(event);
    }
}

impl Held {
    pub(crate) fn fault(&self) -> &Fault {
        match self.events.last() {
            Some(Given::Fail(fault)) => fault,
            end => panic!("no fault but {end:?}"),
        }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.events.last() == Some(&Given::Done)
    }

    pub(crate) fn notes(&self) -> Vec<&'static str> {
        let code = |event: &Given| if let Given::Note(code) = event { Some(*code) } else { None };
        self.events.iter().filter_map(code).collect()
    }

    /// The octets of the document.
    pub(crate) fn data(&self) -> Vec<u8> {
        let data = |event: &Given| if let Given::Data(data) = event { Some(data.clone()) } else { None };
        self.events.iter().filter_map(data).flatten().collect()
    }

    pub(crate) fn found(&self) -> impl Iterator<Item = &Found> {
        self.events.iter().filter_map(|event| if let Given::Entry(found) = event { Some(found) } else { None })
    }

    /// The entries as `name URL URL ...`, names and titles as they are.
    pub(crate) fn lines(&self) -> Vec<String> {
        let line = |found: &Found| match found {
            Found::Link(link) => {
                let urls = link.urls().map(|url| format!(" {url}")).collect::<String>();
                String::from_utf8_lossy(&link.name).into_owned() + &urls
            }
            Found::Method(method) => {
                let url = method.url.as_ref().map(|url| format!(" {url}")).unwrap_or_default();
                String::from_utf8_lossy(&method.title()).into_owned() + &url
            }
            Found::Warning(words) => format!("! {}", String::from_utf8_lossy(words)),
            other => panic!("{other:?}"),
        };
        self.found().map(line).collect()
    }
}
