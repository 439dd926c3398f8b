//! The recorded dialogues, a test for each protocol.

use crate::{Ends, hold, hold_in_memory};
use std::fs;
use std::path::{Path, PathBuf};
use urlwise::{Locator, Profile, Url};
use urlwise_open::protocol::TlsMode;
use urlwise_open::protocol::finger::{FingerMachine, FingerRequest, FingerSettings};
use urlwise_open::protocol::ftp::{FtpGoal, FtpMachine, FtpRequest, FtpSettings};
use urlwise_open::protocol::gopher::{GopherMachine, GopherRequest, GopherSettings};
use urlwise_open::protocol::http::{HttpMachine, HttpRequest};
use urlwise_open::protocol::nntp::{NntpMachine, NntpSettings};
use urlwise_open::protocol::prospero::{ProsperoGoal, ProsperoMachine, ProsperoRequest, ProsperoSettings};
use urlwise_open::protocol::smtp::{SmtpLogin, SmtpMachine, SmtpRequest};
use urlwise_open::protocol::telnet::{TelnetMachine, TelnetSettings};
use urlwise_open::protocol::wais::{DocumentId, WaisGoal, WaisMachine, WaisRequest, WaisSettings};

#[path = "../wire/turns.rs"]
mod turns;
use turns::{dialogue, recorded};

fn folder(protocol: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wire").join(protocol)
}

/// The names of the recorded dialogues, without their endings.
fn names(protocol: &str, ending: &str) -> Vec<String> {
    let files = fs::read_dir(folder(protocol)).expect("there are transcripts").map(|file| file.expect("a file"));
    let name = |file: fs::DirEntry| file.file_name().to_str()?.strip_suffix(ending).map(str::to_owned);
    let mut names: Vec<_> = files.filter_map(name).collect();
    names.sort();
    assert!(names.len() > 5, "{protocol}: {names:?}");
    names
}

fn url(text: &str) -> Url<String> {
    Url::parse_with(text.to_owned(), Profile::Current).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// What the server said in turn, and what came over the data connection.
fn replies(protocol: &str, name: &str) -> (Vec<Vec<u8>>, Vec<u8>) {
    let (turns, data) = dialogue(&folder(protocol).join(format!("{name}.txt")));
    (turns.into_iter().map(|(_, reply)| reply).collect(), data)
}

/// Requests of several lines are one turn.
fn answer(protocol: &str, name: &str) -> Vec<Vec<u8>> {
    vec![Vec::new(), replies(protocol, name).0.concat()]
}

#[test]
fn ftp() {
    for name in names("ftp", ".txt") {
        let (replies, data) = replies("ftp", &name);
        let (_, kind) = name.split_once('-').expect("server and dialogue");
        let text = match kind {
            "text" => "ftp://h/pub/lf.txt;type=a",
            "image" => "ftp://h/pub/caf%E9.txt;type=i",
            "iac" => "ftp://h/pub/ff%FF.bin",
            "user" => "ftp://urluser:s3cret@h/etc/motd",
            "login" => "ftp://urluser:wrong@h/x",
            "pasv" => "ftp://h/pub/-l",
            "nlst" => "ftp://h/sub%20dir;type=d",
            "nlst-here" => "ftp://h/list/;type=d",
            "mlsd" => "ftp://h/pub/",
            "null-cwd" => "ftp://h//pub/lf.txt;type=i",
            "missing" => "ftp://h/pub/none",
            "directory" => "ftp://h/pub",
            "facts" => "ftp://h/pub/lf.txt",
            // The machine needs to know what to resume; without that, the dialogue is that of a document.
            "rest" => "ftp://h/pub/lf.txt;type=i",
            other => panic!("no URL for {other}"),
        };
        let url = url(text);
        let Locator::Ftp(ftp) = url.locator() else { panic!("{text} is an ftp URL") };
        let mut request = FtpRequest::from_url(ftp);
        if kind == "facts" {
            request.goal = FtpGoal::Metadata;
        }
        let settings = FtpSettings::default().with(|settings| settings.epsv = kind != "pasv");
        hold(&name, || FtpMachine::new(request.clone(), settings.clone()), &replies, &data, Ends::Itself);
    }
}

#[test]
fn http() {
    for name in names("http", ".txt") {
        let request = HttpRequest::new("h.example", 80, "/");
        let ends = if name == "nginx-closed" { Ends::WithConnection } else { Ends::Itself };
        hold(&name, || HttpMachine::new(request.clone()), &answer("http", &name), &[], ends);
    }
}

#[test]
fn gopher_and_gopher_plus() {
    for name in names("gopher", ".txt") {
        // The first connection of a file with two of them.
        let lines = recorded::recorded(&folder("gopher").join(format!("{name}.txt")));
        let lines = lines.split(|(mark, octets)| *mark == '#' && octets == b"connection 2").next().unwrap_or_default();
        let of = |wanted: char| {
            lines.iter().filter(|(mark, _)| *mark == wanted).flat_map(|(_, octets)| octets.clone()).collect::<Vec<_>>()
        };
        let (sent, said) = (of('>'), of('<'));
        let is_menu = ["menu", "search", "dirinfo-filter-not"].iter().any(|word| name.contains(word));
        let gtype = if is_menu { '1' } else { '0' };
        let asks = |word: &[u8]| sent.windows(word.len()).any(|octets| octets == word);
        let text = match () {
            () if asks(b"\t!") => "gopher://h/0x%09%09!".to_owned(),
            () if asks(b"\t$") => "gopher://h/1x%09%09$".to_owned(),
            () if asks(b"\t+") => format!("gopher://h/{gtype}x%09%09+"),
            () if name.contains("binary") => "gopher://h/9x".to_owned(),
            () => format!("gopher://h/{gtype}x"),
        };
        let url = url(&text);
        let Locator::Gopher(gopher) = url.locator() else { panic!("{text} is a gopher URL") };
        let request = GopherRequest::from_url(gopher);
        let machine = || GopherMachine::new(request.clone(), GopherSettings::default());
        hold(&name, machine, &[Vec::new(), said], &[], Ends::WithConnection);
    }
}

#[test]
fn nntp() {
    for (name, request) in crate::news::own() {
        let (replies, _) = replies("nntp", &format!("urlwise-{name}"));
        let machine = || NntpMachine::new(request.clone(), NntpSettings::default());
        hold(name, machine, &replies, &[], Ends::Itself);
    }
}

#[test]
fn smtp() {
    for name in names("smtp", ".txt") {
        let mut request = SmtpRequest::new("joe@h.example", "jim@h.example", b"Subject: x\r\n\r\n.\r\ny\r\n".to_vec())
            .expect("a mail");
        if ["plain", "login", "wrong-password"].iter().any(|kind| name.ends_with(kind)) && !name.ends_with("no-login") {
            request = request.with_login(SmtpLogin::new("urluser", Some("s3cret".to_owned())));
        }
        let tls = match name.as_str() {
            "exim-clear" | "exim-no-mailbox" | "exim-utf8" => TlsMode::None,
            "exim-login" => TlsMode::Implicit,
            _ => TlsMode::Explicit,
        };
        let (replies, _) = replies("smtp", &name);
        hold(&name, || SmtpMachine::new(request.clone(), tls), &replies, &[], Ends::Itself);
    }
}

#[test]
fn finger() {
    let url = url("finger://h/joe");
    let Locator::Finger(finger) = url.locator() else { panic!("a finger URL") };
    for name in names("finger", ".txt") {
        let machine = || FingerMachine::new(FingerRequest::from_url(finger), FingerSettings::default());
        hold(&name, machine, &answer("finger", &name), &[], Ends::WithConnection);
    }
}

#[test]
fn telnet() {
    for name in names("telnet", ".txt") {
        let said = vec![replies("telnet", &name).0.concat()];
        hold(&name, || TelnetMachine::new(TelnetSettings::default()), &said, &[], Ends::WithConnection);
    }
}

/// Octets of the header before a message of WAIS, and the type of an answer to INIT, behind the length of its fields.
const HEADER: usize = 25;
const INIT_RESPONSE: u8 = 21;

#[test]
fn wais() {
    for name in names("wais", ".s2c.bin") {
        let octets = fs::read(folder("wais").join(format!("{name}.s2c.bin"))).expect("a transcript");
        let (mut rest, mut replies) = (octets.as_slice(), vec![Vec::new()]);
        while !rest.is_empty() {
            let length: usize = std::str::from_utf8(&rest[..10]).expect("digits").parse().expect("a length");
            let (message, behind) = rest.split_at(HEADER + length);
            replies.push(message.to_vec());
            rest = behind;
        }
        let init = replies[1].get(HEADER + 2) == Some(&INIT_RESPONSE);
        let settings = WaisSettings::default().with(|settings| (settings.init, settings.slice) = (init, 10_000));
        let goal = match name.contains("fetch") {
            true => WaisGoal::Document { wtype: b"TEXT".to_vec(), id: DocumentId::new(b"x".as_slice()) },
            false => WaisGoal::Search(b"x".to_vec()),
        };
        let request = WaisRequest::new("db", goal);
        hold(&name, || WaisMachine::new(request.clone(), settings), &replies, &[], Ends::Itself);
    }
}

#[test]
fn prospero() {
    let url = url("prospero://h/x");
    let Locator::Prospero(object) = url.locator() else { panic!("a prospero URL") };
    let contents = b"ATTRIBUTE OBJECT FIELD ACCESS-METHOD PROSPERO-CONTENTS '' '' '' ''\n";
    for name in names("prospero", "").into_iter().filter(|name| !name.contains('.')) {
        let answers = crate::recorded::answers(&name);
        let (goal, first) = match name.contains("contents") {
            true => (ProsperoGoal::Open, contents.to_vec()),
            false => (ProsperoGoal::List, b"NONE-FOUND\n".to_vec()),
        };
        let request = ProsperoRequest::from_url(object, goal).expect("a harmless URL");
        let machine = || ProsperoMachine::new(request.clone(), ProsperoSettings::default());
        // Of most directories that belong to one of them, nothing was recorded.
        let unions = std::iter::repeat_n(b"NONE-FOUND\n".to_vec(), 3);
        let replies: Vec<_> = [first].into_iter().chain(answers).chain(unions).collect();
        // It comes in datagrams.
        hold_in_memory(&name, machine, &replies, &[], Ends::WithConnection);
    }
}
