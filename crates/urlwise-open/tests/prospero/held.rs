//! Runs a dialogue with answers from memory: the k-th for the k-th request.

use urlwise::{Locator, Url};
use urlwise_open::protocol::End;
use urlwise_open::protocol::prospero::{Found, ProsperoGoal, ProsperoMachine, ProsperoRequest, ProsperoSettings};
use urlwise_open::testing::{self, DialogueRecord, Network, ServerAnswer};

pub(crate) type Held = DialogueRecord<Found>;

pub(crate) fn machine(url: &str, goal: ProsperoGoal) -> ProsperoMachine {
    machine_of(url, goal, ProsperoSettings::default())
}

pub(crate) fn machine_of(url: &str, goal: ProsperoGoal, settings: ProsperoSettings) -> ProsperoMachine {
    let url = Url::parse(url).expect("a URL");
    let Locator::Prospero(prospero) = url.locator() else { panic!("{url} is a prospero URL") };
    ProsperoMachine::new(ProsperoRequest::from_url(prospero, goal).expect("a harmless URL"), settings)
}

/// Each answer arrives complete, then ends.
pub(crate) fn hold<A: AsRef<[u8]>>(url: &str, goal: ProsperoGoal, answers: &[A]) -> Held {
    hold_in_pieces(machine(url, goal), answers, usize::MAX, End::Closed)
}

/// The answers arrive in pieces of `piece` octets; the last one ends as `last` says. To a request for links after the last answer,
/// the server says that the object is not a directory.
pub(crate) fn hold_in_pieces<A: AsRef<[u8]>>(
    mut machine: ProsperoMachine,
    answers: &[A],
    piece: usize,
    last: End,
) -> Held {
    let mut left = answers.iter();
    let mut has_listed = false;
    let server = |request: &[u8]| {
        let is_list = request.windows(5).any(|word| word == b"LIST ");
        let is_first = is_list && !has_listed;
        has_listed |= is_list;
        match left.next().map(|answer| ServerAnswer::from(answer.as_ref().to_vec())) {
            Some(answer) if left.len() == 0 => answer.ending(last),
            Some(answer) => answer,
            None if is_first => b"FAILURE NOT-A-DIRECTORY\n".to_vec().into(),
            None => ServerAnswer::none(),
        }
    };
    testing::hold(&mut machine, server, Network::default().with(|network| network.piece = piece))
}

/// The result of a dialogue.
pub(crate) trait Lines {
    /// The entries as `name URL URL ...`, with names and titles unescaped.
    fn lines(&self) -> Vec<String>;
}

impl Lines for Held {
    fn lines(&self) -> Vec<String> {
        let line = |found: &Found| match found {
            Found::Link(link) => {
                let urls = link.urls().map(|url| format!(" {url}")).collect::<String>();
                String::from_utf8_lossy(&link.name).into_owned() + &urls
            }
            Found::Method(method) => {
                let url = method.url.as_ref().map(|url| format!(" {url}")).unwrap_or_default();
                String::from_utf8_lossy(&method.title()).into_owned() + &url
            }
            Found::Text(text) => String::from_utf8_lossy(text).into_owned(),
            Found::Warning(words) => format!("! {}", String::from_utf8_lossy(words)),
            other => panic!("{other:?}"),
        };
        self.entries.iter().map(line).collect()
    }
}
