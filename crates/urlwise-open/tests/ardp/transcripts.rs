//! Every recorded session: complete, cut, duplicated and reordered. `wire/prospero/README.md` says where they come from.

use crate::support::{REQUEST, usual};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::num::NonZeroU16;
use std::path::PathBuf;
use urlwise_open::protocol::FaultKind;
use urlwise_open::protocol::ardp::{ArdpSettings, Header};
use urlwise_open::testing::DatagramExchange;

/// Sessions of the clients of 1994, which sent the same datagrams as ours.
const REAL_CLIENT: [&str; 8] = ["01", "02", "03", "04", "05", "06", "43", "44"];

/// Sessions whose servers answer without the id of the request: the request had none, or was in the older protocol.
const WITHOUT_ID: [&str; 2] = ["31", "39"];

/// Datagrams of one exchange of a session.
#[derive(Default)]
struct Exchange {
    session: String,
    id: u16,
    client: Vec<Vec<u8>>,
    server: Vec<Vec<u8>>,
}

impl Exchange {
    /// The text of the request: packets in the order of their numbers.
    fn request(&self) -> Vec<u8> {
        joined(&self.client)
    }

    fn answer(&self) -> Vec<u8> {
        joined(&self.server)
    }

    fn is_of(&self, sessions: &[&str]) -> bool {
        sessions.iter().any(|session| self.session.starts_with(session))
    }

    fn driver(&self) -> DatagramExchange {
        // One session has an empty request, which is refused now.
        let request = if self.request().is_empty() { REQUEST.to_vec() } else { self.request() };
        DatagramExchange::new(&request, NonZeroU16::new(self.id).expect("not 0"), ArdpSettings::default())
    }
}

/// Reads a number of a header, independently of the code under test.
fn number(datagram: &[u8], at: usize) -> Option<u16> {
    (usize::from(datagram[0]) >= at + 2).then(|| u16::from(datagram[at]) << 8 | u16::from(datagram[at + 1]))
}

fn joined(datagrams: &[Vec<u8>]) -> Vec<u8> {
    let packets = datagrams.iter().map(|datagram| (number(datagram, 3).unwrap_or(1), datagram));
    let packets: BTreeMap<_, _> = packets.filter(|(packet, _)| *packet > 0).collect();
    packets.values().flat_map(|datagram| &datagram[usize::from(datagram[0])..]).copied().collect()
}

/// Every exchange of every session, in order.
fn exchanges() -> Vec<Exchange> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/wire/prospero");
    let listed = |folder: &PathBuf| {
        let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        entries.map(|entry| entry.expect("it can be listed").path()).collect::<BTreeSet<_>>()
    };
    let mut exchanges = Vec::new();
    for folder in listed(&root).into_iter().filter(|path| path.is_dir()) {
        let session = folder.file_name().expect("a name").to_string_lossy().into_owned();
        let mut of_session: Vec<Exchange> = Vec::new();
        for file in listed(&folder) {
            let datagram = fs::read(&file).expect("it can be read");
            let id = number(&datagram, 1).unwrap_or(0);
            let is_client = file.to_string_lossy().ends_with("-c2s.bin");
            let at = of_session.iter().position(|exchange| exchange.id == id).unwrap_or_else(|| {
                of_session.push(Exchange { session: session.clone(), id, ..Exchange::default() });
                of_session.len() - 1
            });
            let side = if is_client { &mut of_session[at].client } else { &mut of_session[at].server };
            side.push(datagram);
        }
        exchanges.append(&mut of_session);
    }
    assert!(exchanges.len() > 45, "{}", exchanges.len());
    exchanges
}

/// Those whose answers carry the id of their request.
fn answered() -> impl Iterator<Item = Exchange> {
    exchanges().into_iter().filter(|exchange| !exchange.is_of(&WITHOUT_ID))
}

/// The text of each answer.
pub(crate) fn recorded_answers() -> impl Iterator<Item = Vec<u8>> {
    answered().map(|exchange| exchange.answer())
}

#[test]
fn every_recorded_answer_is_complete_after_its_last_datagram() {
    for exchange in answered() {
        let mut driver = exchange.driver();
        for datagram in &exchange.server {
            driver.receive(datagram);
        }
        assert!(driver.is_done(), "{}: {:?}", exchange.session, driver.end);
        assert_eq!(driver.data, exchange.answer(), "{}", exchange.session);
    }
}

#[test]
fn the_same_octets_are_sent_as_by_real_clients() {
    for exchange in exchanges().iter().filter(|exchange| exchange.is_of(&REAL_CLIENT)) {
        let mut driver = exchange.driver();
        for datagram in &exchange.server {
            driver.receive(datagram);
        }
        assert_eq!(driver.take_sent(), exchange.client, "{}", exchange.session);
    }
}

#[test]
fn recorded_headers_are_read_and_written_back() {
    for exchange in exchanges() {
        for datagram in exchange.client.iter().chain(&exchange.server) {
            let (header, data) = Header::decode(datagram).expect("a recorded datagram is ARDP");
            assert_eq!(data, &datagram[usize::from(datagram[0])..], "{}", exchange.session);
            // Other headers have a different length and the same meaning.
            let has_flags = datagram[0] == 12 && datagram[11] != 0;
            if matches!(datagram[0], 9 | 11) || has_flags {
                assert_eq!(&header.encode(data), datagram, "{}", exchange.session);
            }
        }
    }
}

#[test]
fn an_answer_cut_after_any_datagram_is_a_prefix_and_times_out() {
    for exchange in answered() {
        let answer = exchange.answer();
        for count in 0..exchange.server.len() {
            let mut driver = exchange.driver();
            for datagram in &exchange.server[..count] {
                driver.receive(datagram);
            }
            // The servers of some sessions send duplicates at the end.
            if !driver.is_done() {
                driver.wait_for_end();
                assert_eq!(driver.fault().kind(), FaultKind::Silent, "{} {count}", exchange.session);
            }
            assert!(answer.starts_with(&driver.data), "{} {count}", exchange.session);
        }
    }
}

#[test]
fn datagrams_cut_at_any_octet_are_shorter_or_invalid() {
    for exchange in exchanges() {
        for datagram in exchange.client.iter().chain(&exchange.server) {
            let whole = Header::decode(datagram).expect("ARDP");
            for cut in 0..datagram.len() {
                match Header::decode(&datagram[..cut]) {
                    Ok((header, data)) => {
                        assert_eq!(header, whole.0);
                        assert!(whole.1.starts_with(data));
                    }
                    Err(_) => assert!(cut < usize::from(datagram[0]), "{} {cut}", exchange.session),
                }
            }
        }
    }
}

#[test]
fn an_answer_with_one_datagram_cut_at_any_octet_ends() {
    for exchange in answered().filter(|exchange| exchange.server.len() < 5) {
        for (index, datagram) in exchange.server.iter().enumerate() {
            for cut in 0..datagram.len() {
                let mut driver = exchange.driver();
                for (other, datagram) in exchange.server.iter().enumerate() {
                    driver.receive(if other == index { &datagram[..cut] } else { datagram });
                }
                driver.wait_for_end();
                assert!(driver.data.len() <= exchange.answer().len());
            }
        }
    }
}

#[test]
fn an_answer_reversed_or_duplicated_is_the_same() {
    for exchange in answered() {
        let backwards = exchange.server.iter().rev().collect::<Vec<_>>();
        let doubled = exchange.server.iter().flat_map(|datagram| [datagram, datagram]).collect();
        for datagrams in [backwards, doubled] {
            let mut driver = exchange.driver();
            for datagram in datagrams {
                driver.receive(datagram);
            }
            assert!(driver.is_done(), "{}: {:?}", exchange.session, driver.end);
            assert_eq!(driver.data, exchange.answer(), "{}", exchange.session);
        }
    }
}

#[test]
fn answers_without_the_id_of_the_request_are_ignored() {
    for exchange in exchanges().iter().filter(|exchange| exchange.is_of(&WITHOUT_ID)) {
        for datagram in &exchange.server {
            let mut driver = usual();
            assert!(!driver.receive(datagram), "{}", exchange.session);
        }
    }
}

#[test]
fn a_late_answer_of_another_exchange_changes_nothing() {
    // Datagrams 04 and 06 of this session belong to another request and arrive among those of the first.
    let exchanges = exchanges();
    let [first, other] = ["38"; 2].map(|session| exchanges.iter().filter(move |exchange| exchange.is_of(&[session])));
    let (first, other) = (first.clone().next().expect("one"), other.clone().nth(1).expect("another"));
    let mut driver = first.driver();
    assert!(!driver.receive(&other.server[0]));
    assert!(driver.receive(&first.server[0]) && !driver.receive(&other.server[0]) && driver.receive(&first.server[1]));
    assert_eq!((driver.is_done(), &driver.data), (true, &first.answer()));
    assert!(!driver.receive(&first.server[2]), "the duplicate arrives after the end");
}
