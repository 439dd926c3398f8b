//! Any request, any answer, in any pieces: the gopher machine never panics, keeps its contract, holds back no more than it
//! may, sends one request, and reads the answer the same whole and in pieces. The answer is read as attributes too; the form in
//! them, filled with the fields of the request, makes one request or none.
//!
//! The input is: item type, flags, the end, the length of the first pieces, the request up to the first `FE`, the answer.

use urlwise::{GopherPlus, Profile, Url};
use urlwise_open::protocol::gopher::{
    AttributeList, AttributeReader, GopherLimits, GopherMachine, GopherRequest, GopherSettings, fill,
};
use urlwise_open::protocol::{End, Event, Input, Io, Machine, Step, plan};
use urlwise_open::testing::{Network, hold, says};

fn limits() -> GopherLimits {
    GopherLimits::default().with(|limits| {
        limits.total = Some(3000);
        limits.line = 200;
        limits.lines = 100;
        limits.held = 300;
    })
}

/// The most octets that may wait inside the machine: a line, a text held back, an error message, the look for an error.
const MOST_WAITING: usize = 8 * 1024;

pub(crate) fn run(input: &[u8]) {
    let [gtype, flags, end, piece, rest @ ..] = input else { return };
    let (asked, answer) = match rest.iter().position(|octet| *octet == 0xfe) {
        Some(at) => (&rest[..at], &rest[at + 1..]),
        None => (rest, &[][..]),
    };
    let mut fields = asked.splitn(3, |octet| *octet == 0xff).map(<[u8]>::to_vec);
    let request = GopherRequest::new(*gtype).with(|request| {
        request.selector = fields.next().unwrap_or_default();
        request.search = fields.next();
        request.plus = fields.next();
    });
    let settings = GopherSettings::default().with(|settings| {
        settings.literal = flags & 1 != 0;
        settings.strict = flags & 2 != 0;
        settings.controls = flags & 4 != 0;
        settings.limits = limits();
    });
    let end = [Some(End::Closed), Some(End::Unauthenticated), Some(End::Broken), None][usize::from(end % 4)];
    let machine = || GopherMachine::new(request.clone(), settings);

    let run = |piece| {
        hold(
            &mut machine(),
            says(answer),
            Network::default().with(|network| {
                network.end = end;
                network.piece = piece;
            }),
        )
    };
    let whole = run(usize::MAX);
    let pieces = run(usize::from(*piece) + 1);
    assert_eq!(whole, pieces);

    assert_eq!(plan(machine()).is_ok(), whole.connects == 1);
    one_request(&whole.sent.concat(), &request);
    bounded(machine(), answer, usize::from(*piece) + 1);
    attributes(answer, usize::from(*piece) + 1, asked);

    let menu = Url::parse_with("gophers://host.example/", Profile::Current).expect("a gophers URL");
    for item in whole.entries {
        assert!(!item.title().chars().any(char::is_control));
        if let Some(url) = item.url(&menu) {
            assert!(!url.as_str().contains(char::is_control));
        }
    }
}

/// Without a filled form what is sent is one line and no field more than asked for.
fn one_request(sent: &[u8], request: &GopherRequest) {
    let is_form = request.plus.as_deref().is_some_and(|plus| plus.contains(&b'\n'));
    if sent.is_empty() || is_form {
        return;
    }
    let line = sent.strip_suffix(b"\r\n").expect("a request ends its line");
    assert!(!line.iter().any(|octet| matches!(octet, b'\r' | b'\n' | 0)));
    let tabs = line.iter().filter(|octet| **octet == b'\t').count();
    assert!(tabs <= 2);
}

/// Octets that went in and neither came out nor were dropped are waiting inside.
fn bounded(mut machine: GopherMachine, answer: &[u8], piece: usize) {
    let mut pieces = answer.chunks(piece);
    let mut input = Input::none();
    let (mut taken, mut given) = (0, 0);
    let mut is_document = true;
    loop {
        match machine.next(&mut input) {
            Step::Io(Io::Receive) => {
                assert!(!is_document || taken <= given + MOST_WAITING);
                let Some(next) = pieces.next() else { return };
                taken += next.len();
                input = Input::new(next);
            }
            Step::Event(Event::Data(octets)) => given += octets.len(),
            Step::Event(Event::Entry(_)) => is_document = false,
            Step::Done | Step::Fail(_) => return,
            Step::Io(Io::Connect | Io::Send(_)) | Step::Event(Event::Begin(_) | Event::Note(_)) => {}
            other => panic!("gopher has no such step: {other:?}"),
        }
    }
}

/// Attributes are the same whole and in pieces, and a form that is filled is a filled form.
fn attributes(answer: &[u8], piece: usize, asked: &[u8]) {
    let (whole, is_good) = lists([answer]);
    assert_eq!(lists(answer.chunks(piece)), (whole.clone(), is_good));
    let answers: Vec<_> = asked.split(|octet| *octet == 0xff).map(|answer| Some(answer.to_vec())).collect();
    for list in whole {
        let _ = (list.info(), list.views(), list.modified(), list.description());
        let Some(form) = list.form() else { continue };
        if let Ok(lines) = fill(&form, &answers) {
            let values = lines.into_iter().map(|line| line.octets).collect();
            assert!(GopherPlus::FilledForm { view: None, values }.to_octets().is_some());
        }
    }
}

fn lists<'i>(pieces: impl IntoIterator<Item = &'i [u8]>) -> (Vec<AttributeList>, bool) {
    let mut reader = AttributeReader::new(limits());
    let mut lists = Vec::new();
    for mut input in pieces.into_iter().map(Input::new).chain([Input::closed(End::Closed)]) {
        while let Some(next) = reader.next(&mut input) {
            match next {
                Ok(list) => lists.push(list),
                Err(_) => return (lists, false),
            }
        }
    }
    (lists, true)
}
