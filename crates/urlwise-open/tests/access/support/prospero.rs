//! Servers of ARDP on loopback: one plays recorded sessions, one tells what a test makes up, one does whatever a test wants.
//!
//! It knows nothing of the crate it tries: what it knows of headers is written here again.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::net::{SocketAddr, UdpSocket};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// Octets in a packet of real servers.
const PACKET: usize = 1250;

/// The ports of the recorded servers, as their answers write them.
const RECORDED_PORTS: [&[u8]; 2] = [b"(21525)", b"(21526)"];

/// A server that lives as long as the test program.
pub(crate) struct Prospero {
    pub(crate) port: u16,
    asked: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl Prospero {
    /// Answers each datagram with those that `serve` makes of it.
    pub(crate) fn serving(mut serve: impl FnMut(&[u8]) -> Vec<Vec<u8>> + Send + 'static) -> Prospero {
        Prospero::start(move |_, _, datagram| serve(datagram))
    }

    /// Answers each request, whose text `answer` gets, with octets in as many packets as they need.
    pub(crate) fn telling(mut answer: impl FnMut(&[u8]) -> Vec<u8> + Send + 'static) -> Prospero {
        Prospero::telling_pieces(move |text| pieces_of(&answer(text)))
    }

    /// Answers each request, whose text `answer` gets, with one packet for each piece, be it empty.
    pub(crate) fn telling_pieces(mut answer: impl FnMut(&[u8]) -> Vec<Vec<u8>> + Send + 'static) -> Prospero {
        let mut requests: HashMap<(SocketAddr, u16), BTreeMap<u16, Vec<u8>>> = HashMap::new();
        Prospero::start(move |from, _, datagram| {
            let (id, packet, total) = (number(datagram, 1), number(datagram, 3), number(datagram, 5));
            if packet == 0 {
                return Vec::new();
            }
            let packets = requests.entry((from, id)).or_default();
            packets.insert(packet, datagram[usize::from(datagram[0])..].to_vec());
            if packets.len() < usize::from(total) {
                return Vec::new();
            }
            let text = packets.values().flatten().copied().collect::<Vec<_>>();
            packets_of(id, &answer(&text))
        })
    }

    /// Plays recorded sessions (tests/wire/prospero) one after another: the k-th exchange of the client gets the answers of the
    /// k-th one recorded, datagram by datagram, the connection id patched to the client's and the recorded port to this one. What
    /// the client repeats is answered again; an acknowledgement that the recorded client did not send is not answered.
    pub(crate) fn playing(sessions: &[&str]) -> Prospero {
        let turns: Vec<Turn> = sessions.iter().flat_map(|session| turns(session)).collect();
        let mut at = 0;
        let mut last: Option<Vec<u8>> = None;
        // Connection ids: the recorded one's stand-in.
        let mut ids: HashMap<u16, u16> = HashMap::new();
        Prospero::start(move |_, own_port, datagram| {
            let id = number(datagram, 1);
            if last.as_deref() != Some(datagram) {
                let is_notice = number(datagram, 3) == 0;
                let is_next = |turn: &Turn| match is_notice {
                    true => turn.is_notice && ids.get(&turn.id) == Some(&id),
                    false => !turn.is_notice && !ids.contains_key(&turn.id),
                };
                let places = if is_notice { at..turns.len().min(at + 1) } else { at..turns.len() };
                let Some(next) = places.into_iter().find(|place| is_next(&turns[*place])) else { return Vec::new() };
                last = Some(datagram.to_vec());
                at = next + 1;
                ids.insert(turns[next].id, id);
            }
            let Some(turn) = at.checked_sub(1).map(|turn| &turns[turn]) else { return Vec::new() };
            let port = format!("({own_port})").into_bytes();
            turn.answers.iter().map(|answer| patched(answer, &ids, &port)).collect()
        })
    }

    fn start(mut serve: impl FnMut(SocketAddr, u16, &[u8]) -> Vec<Vec<u8>> + Send + 'static) -> Prospero {
        let socket = UdpSocket::bind("127.0.0.1:0").expect("a free port");
        let port = socket.local_addr().expect("it is bound").port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&asked);
        std::thread::spawn(move || {
            let mut buffer = vec![0; 1 << 16];
            // A client that is gone makes a receive fail on some systems.
            loop {
                let Ok((count, from)) = socket.recv_from(&mut buffer) else { continue };
                let datagram = &buffer[..count];
                kept.lock().expect("no test panics with it").push(datagram.to_vec());
                for answer in serve(from, port, datagram) {
                    // Whether it arrives is the client's business.
                    let _ = socket.send_to(&answer, from);
                }
            }
        });
        Prospero { port, asked }
    }

    /// The datagrams so far.
    pub(crate) fn asked(&self) -> Vec<Vec<u8>> {
        self.asked.lock().expect("no test panics with it").clone()
    }
}

/// What came back to one datagram of the recorded client.
struct Turn {
    id: u16,
    /// Outside the sequence: an acknowledgement.
    is_notice: bool,
    answers: Vec<Vec<u8>>,
}

/// Datagrams of a session in their order, and whether they are the client's.
pub(crate) fn recorded(session: &str) -> Vec<(bool, Vec<u8>)> {
    // From the crate whose tests start the server: this one, or one beside it.
    let crates = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = crates.join("urlwise-open/tests/wire/prospero").join(session);
    let mut files: Vec<_> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("it can be listed").path())
        .collect();
    files.sort();
    let is_client = |file: &PathBuf| file.to_string_lossy().ends_with("-c2s.bin");
    files.iter().map(|file| (is_client(file), fs::read(file).expect("it can be read"))).collect()
}

/// Datagrams of the client that follow each other are one turn: a request in several packets.
fn turns(session: &str) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    for (is_client, datagram) in recorded(session) {
        let id = number(&datagram, 1);
        match turns.last_mut() {
            Some(turn) if !is_client => turn.answers.push(datagram),
            Some(turn) if turn.id == id && turn.answers.is_empty() => {}
            _ => turns.push(Turn { id, is_notice: number(&datagram, 3) == 0, answers: Vec::new() }),
        }
    }
    turns
}

/// The big-endian number at a place of a header; what servers take where the header is cut before it.
fn number(datagram: &[u8], at: usize) -> u16 {
    let header = datagram.get(..datagram.first().map_or(0, |length| usize::from(*length))).unwrap_or_default();
    let cut = if matches!(at, 3 | 5) { 1 } else { 0 };
    header.get(at..at + 2).map_or(cut, |octets| u16::from_be_bytes([octets[0], octets[1]]))
}

fn patched(answer: &[u8], ids: &HashMap<u16, u16>, port: &[u8]) -> Vec<u8> {
    let mut answer = answer.to_vec();
    if let Some(id) = ids.get(&number(&answer, 1)).filter(|_| answer.len() >= 3) {
        answer[1..3].copy_from_slice(&id.to_be_bytes());
    }
    // Ports of this machine's choice have five digits, as those recorded.
    for at in 0..answer.len().saturating_sub(port.len() - 1) {
        if RECORDED_PORTS.contains(&&answer[at..at + port.len()]) {
            answer[at..at + port.len()].copy_from_slice(port);
        }
    }
    answer
}

/// What goes into the packets of a real server; at least one.
fn pieces_of(answer: &[u8]) -> Vec<Vec<u8>> {
    if answer.is_empty() {
        return vec![Vec::new()];
    }
    answer.chunks(PACKET).map(<[u8]>::to_vec).collect()
}

/// Pieces of an answer as the packets of a real server: headers of 7 octets, the total in the last.
pub(crate) fn packets_of(id: u16, pieces: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let last = pieces.len();
    let packet = |(index, piece): (usize, &Vec<u8>)| {
        let total = if index + 1 == last { last as u16 } else { 0 };
        let header = [7_u16 << 8 | id >> 8, id << 8].map(u16::to_be_bytes).concat();
        [&header[..3], &(index as u16 + 1).to_be_bytes(), &total.to_be_bytes(), piece].concat()
    };
    pieces.iter().enumerate().map(packet).collect()
}
