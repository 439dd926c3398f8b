//! Dialogues recorded from vsftpd, proftpd and pure-ftpd, held again by the machine: from the URL to the commands that were
//! recorded, and from the recorded replies and data to what a reader gets, in pieces of every size and cut at every octet.

use crate::hold::hold;
use crate::turns::{Turns, dialogue};
use std::collections::BTreeSet;
use std::path::PathBuf;
use urlwise::{Locator, Url};
use urlwise_open::protocol::ftp::{
    FileMetadata, FtpGoal, FtpItem, FtpMachine, FtpRequest, FtpSettings, ItemKind, Rest,
};
use urlwise_open::protocol::{End, Fault, FaultKind};
use urlwise_open::testing::{DialogueRecord, Network};

const SERVERS: [&str; 3] = ["vsftpd", "proftpd", "pureftpd"];

/// A dialogue: its commands in turn with what came back, the greeting first, and what came over the data connection.
struct Transcript {
    turns: Turns,
    data: Vec<u8>,
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/wire/ftp")
}

fn read(name: &str) -> Transcript {
    let (turns, data) = dialogue(&folder().join(format!("{name}.txt")));
    Transcript { turns, data }
}

/// The same dialogue, its octets arriving as `network` says.
fn replay(transcript: &Transcript, machine: impl Fn() -> FtpMachine, network: Network<'_>) -> DialogueRecord<FtpItem> {
    let mut turns = transcript.turns.iter();
    let server = |command: &[u8]| match turns.next() {
        Some((recorded, reply)) => {
            assert_eq!(String::from_utf8_lossy(command), String::from_utf8_lossy(recorded));
            reply.clone()
        }
        None => {
            assert_eq!(command, b"QUIT\r\n", "more than was recorded");
            Vec::new()
        }
    };
    let held = hold(&mut machine(), server, network);
    if network.end.is_none() {
        assert_eq!(turns.next(), None, "less than was recorded");
    }
    held
}

/// In pieces of every size all comes to the same.
fn replay_in_pieces(transcript: &Transcript, machine: impl Fn() -> FtpMachine) -> DialogueRecord<FtpItem> {
    let network = Network::default().with(|network| {
        network.end = None;
        network.data = &transcript.data;
    });
    let whole = replay(transcript, &machine, network);
    for piece in 1..200 {
        assert_eq!(
            replay(transcript, &machine, network.with(|network| network.piece = piece)),
            whole,
            "in pieces of {piece}"
        );
    }
    whole
}

fn request(url: &str) -> FtpRequest {
    let url = Url::parse(url).expect("a valid URL");
    let Locator::Ftp(ftp) = url.locator() else { panic!("not ftp") };
    FtpRequest::from_url(ftp)
}

fn plain(url: &str) -> FtpMachine {
    FtpMachine::new(request(url), FtpSettings::default())
}

fn each(dialogue: &str, machine: impl Fn() -> FtpMachine, check: impl Fn(&str, &DialogueRecord<FtpItem>, &Transcript)) {
    for server in SERVERS {
        let transcript = read(&format!("{server}-{dialogue}"));
        let held = replay_in_pieces(&transcript, &machine);
        check(server, &held, &transcript);
    }
}

#[test]
fn files_arrive_octet_for_octet() {
    for (dialogue, url, octets) in [
        ("image", "ftp://h/pub/caf%E9.txt;type=i", &b"latin1\n"[..]),
        ("iac", "ftp://h/pub/ff%FF.bin", b"byteff\n"),
        ("user", "ftp://urluser:s3cret@h/etc/motd", b"relative motd\n"),
    ] {
        each(
            dialogue,
            || plain(url),
            |server, held, _| {
                assert_eq!((held.is_done, &held.data[..]), (true, octets), "{server} {dialogue}");
                let size = held.begin.as_ref().expect("it begins").size;
                assert_eq!(size, (server != "pureftpd").then_some(octets.len() as u64), "pure-ftpd tells no size");
            },
        );
    }
}

#[test]
fn texts_arrive_with_local_line_ends_and_raw_as_they_came() {
    let raw = || {
        FtpMachine::new(
            request("ftp://h/pub/lf.txt;type=a"),
            FtpSettings::default().with(|settings| settings.raw = true),
        )
    };
    each("text", raw, |server, held, transcript| {
        assert_eq!((&held.data, held.data.len()), (&transcript.data, 21), "{server}");
    });
    each(
        "text",
        || plain("ftp://h/pub/lf.txt"),
        |server, held, _| {
            let local = if cfg!(windows) { "line1\r\nline2\r\nline3\r\n" } else { "line1\nline2\nline3\n" };
            assert_eq!(held.data, local.as_bytes(), "{server}");
            assert_eq!(held.begin.as_ref().expect("it begins").size, None, "the size of a text is not that on disk");
        },
    );
}

#[test]
fn pasv_serves_where_epsv_is_not_wanted() {
    let pasv =
        || FtpMachine::new(request("ftp://h/pub/-l"), FtpSettings::default().with(|settings| settings.epsv = false));
    each("pasv", pasv, |server, held, _| assert_eq!(held.data, b"dash\n", "{server}"));
}

#[test]
fn lists_name_what_is_there() {
    each(
        "nlst-here",
        || plain("ftp://h/list/;type=d"),
        |server, held, _| {
            let names: BTreeSet<_> = held.entries.iter().map(|item| item.name.as_slice()).collect();
            assert_eq!(names, BTreeSet::from([&b"f1"[..], b"f2", b"f3"]), "{server}: neither . nor .. is an entry");
        },
    );
    each(
        "nlst",
        || plain("ftp://h/sub%20dir;type=d"),
        |server, held, _| {
            // There is no such directory: one server says so, the others send nothing.
            assert_eq!(held.entries.len(), 0);
            assert!(held.fault.is_some() || held.notes == ["empty-list"], "{server}: {held:?}");
        },
    );
    each(
        "mlsd",
        || plain("ftp://h/pub/"),
        |server, held, _| {
            assert!(held.is_done);
            let item = |name: &[u8]| held.entries.iter().find(|item| item.name == name).expect("it is listed");
            // vsftpd has no MLSD, and its LIST says as much.
            assert_eq!(item(b"m1.bin").size, Some(1_000_000), "{server}");
            assert!(item(b"m1.bin").modified.is_some(), "{server}");
            assert_eq!(
                item(b"lf.txt").modified.is_some(),
                server != "vsftpd",
                "without a year and without the present"
            );
            assert_eq!(item(b"sub dir").kind, ItemKind::Directory, "{server}");
            assert!(held.entries.iter().all(|item| item.name != b"." && item.name != b".."));
            for name in [&b"ff\xff.bin"[..], b"caf\xe9.txt", b"name;type=a", b"-l", b"~x"] {
                item(name);
            }
        },
    );
}

#[test]
fn the_null_cwd_is_sent_and_its_refusal_explained() {
    each(
        "null-cwd",
        || plain("ftp://h//pub/lf.txt;type=i"),
        |server, held, _| {
            if server == "pureftpd" {
                assert_eq!(held.data, b"line1\nline2\nline3\n");
                return;
            }
            let fault = held.fault.as_ref().expect("it is refused");
            let text = fault.to_string();
            assert!(text.contains("null argument") && text.contains("segment 1") && text.contains("%2F"), "{text}");
            assert!(text.contains("skip empty segments") && fault.kind() == FaultKind::Server);
        },
    );
}

#[test]
fn what_is_not_a_file_is_said_to_be_what_it_is() {
    each(
        "missing",
        || plain("ftp://h/pub/none"),
        |server, held, _| {
            assert_eq!(held.fault.as_ref().map(Fault::kind), Some(FaultKind::NotFound), "{server}");
        },
    );
    each(
        "directory",
        || plain("ftp://h/pub"),
        |server, held, _| {
            let fault = held.fault.as_ref().expect("it is not a file");
            assert!(
                fault.kind() == FaultKind::Elsewhere && fault.to_string().contains("names a directory"),
                "{server}: {fault}"
            );
        },
    );
    each(
        "login",
        || plain("ftp://urluser:wrong@h/x"),
        |server, held, _| {
            let fault = held.fault.as_ref().expect("it is refused");
            assert!(fault.kind() == FaultKind::Login && fault.to_string().contains("\"urluser\""), "{server}: {fault}");
        },
    );
}

#[test]
fn facts_are_what_the_server_says() {
    let goal = || {
        FtpMachine::new(
            request("ftp://h/pub/lf.txt").with(|request| request.goal = FtpGoal::Metadata),
            FtpSettings::default(),
        )
    };
    each("facts", goal, |server, held, _| assert!(held.is_done && held.begin.is_none(), "{server}"));
    for server in SERVERS {
        let transcript = read(&format!("{server}-facts"));
        let mut machine = goal();
        let mut turns = transcript.turns.iter();
        hold(
            &mut machine,
            |_| turns.next().map(|turn| turn.1.clone()).unwrap_or_default(),
            Network::default().with(|network| network.data = b""),
        );
        let metadata = machine.metadata();
        assert!(metadata.size == Some(18) && metadata.modified.is_some(), "{server}: {metadata:?}");
        // With this metadata the rest of the file is what follows.
        let rest = Rest::new(6, metadata);
        let resumed = || {
            FtpMachine::new(
                request("ftp://h/pub/lf.txt;type=i").with(|request| request.rest = Some(rest)),
                FtpSettings::default(),
            )
        };
        let held = replay_in_pieces(&read(&format!("{server}-rest")), resumed);
        assert_eq!((held.data, held.is_done), (b"line2\nline3\n".to_vec(), true), "{server}");
        // With others nothing is resumed; the transcript has no dialogue for that.
        assert_ne!(metadata, FileMetadata::default());
    }
}

#[test]
fn security_30_a_dialogue_cut_at_any_octet_is_never_a_success() {
    for server in SERVERS {
        for (dialogue, url) in [("image", "ftp://h/pub/caf%E9.txt;type=i"), ("text", "ftp://h/pub/lf.txt")] {
            let transcript = read(&format!("{server}-{dialogue}"));
            let full =
                replay(&transcript, || plain(url), Network::default().with(|network| network.data = &transcript.data));
            assert!(full.is_done);
            for cut in 0..=transcript.data.len() {
                for data_end in [End::Broken, End::Unauthenticated] {
                    let network = Network::default().with(|network| {
                        network.data_end = data_end;
                        network.data = &transcript.data[..cut];
                    });
                    let held = replay(&transcript, || plain(url), network);
                    assert_eq!(held.fault.map(|fault| fault.kind()), Some(FaultKind::Partial), "{server} {cut}");
                    assert!(full.data.starts_with(held.data.strip_suffix(b"\r").unwrap_or(&held.data)));
                }
            }
            let octets: usize = transcript.turns.iter().map(|turn| turn.1.len()).sum();
            for cut in 0..octets {
                let mut left = cut;
                let mut turns = transcript.turns.iter();
                let server_cut = |_: &[u8]| {
                    let reply = turns.next().map(|turn| turn.1.clone()).unwrap_or_default();
                    let given = reply.len().min(left);
                    left -= given;
                    reply[..given].to_vec()
                };
                let held = hold(
                    &mut plain(url),
                    server_cut,
                    Network::default().with(|network| network.data = &transcript.data),
                );
                // The last line may lose its line end and its text, but a multi-line reply needs its last line.
                assert!(!held.is_done && held.fault.is_some(), "{server}-{dialogue} cut at {cut}");
                if held.begin.is_some() {
                    assert_eq!(held.fault.map(|fault| fault.kind()), Some(FaultKind::Partial));
                }
            }
        }
    }
}

#[test]
fn every_transcript_is_replayed() {
    let dialogues = [
        "text",
        "image",
        "iac",
        "user",
        "login",
        "pasv",
        "nlst",
        "nlst-here",
        "mlsd",
        "null-cwd",
        "missing",
        "directory",
        "facts",
        "rest",
    ];
    let expected: BTreeSet<_> =
        SERVERS.iter().flat_map(|server| dialogues.map(|dialogue| format!("{server}-{dialogue}.txt"))).collect();
    let files = std::fs::read_dir(folder()).expect("the folder").map(|file| file.expect("a file").file_name());
    let found: BTreeSet<_> =
        files.map(|name| name.into_string().expect("ASCII")).filter(|name| name.ends_with(".txt")).collect();
    assert_eq!(found, expected);
}
