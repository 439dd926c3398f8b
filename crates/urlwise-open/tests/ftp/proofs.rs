//! What is known without the file: whether it exists, what a machine tells of its dialogue, and lists that are nearly empty.

use crate::rules::{kind, next_of, request, sent, server};
use urlwise_open::protocol::ftp::{FileMetadata, FtpGoal, FtpMachine, FtpRequest, FtpSettings, ItemKind, Rest};
use urlwise_open::protocol::{End, FaultKind};
use urlwise_open::testing::{Network, hold};

const LOGIN: &str = "USER anonymous|PASS urlwise@example.com|";

fn proof(url: &str) -> FtpRequest {
    request(url).with(|request| request.goal = FtpGoal::Exists)
}

#[test]
fn existence_is_proven_without_a_data_connection() {
    const UNKNOWN: (&str, &str) = ("MLST", "500 what?");
    const NO_TIME: (&str, &str) = ("MDTM", "550 not a file");
    const NO_SIZE: (&str, &str) = ("SIZE", "550 not a file");
    type Row = (&'static str, &'static [(&'static str, &'static str)], &'static str, Proof);
    type Proof = Result<&'static [&'static str], FaultKind>;
    let rows: &[Row] = &[
        ("x", &[("MLST", "250-\r\n type=file;size=3; x\r\n250 end")], "MLST x|QUIT|", Ok(&[])),
        ("x", &[("MLST", "250-\r\n type=dir; x\r\n250 end")], "MLST x|QUIT|", Ok(&["is-directory"])),
        ("x", &[("MLST", "550 none")], "MLST x|", Err(FaultKind::NotFound)),
        ("x", &[("MLST", "450 busy")], "MLST x|", Err(FaultKind::Server)),
        ("x", &[UNKNOWN], "MLST x|MDTM x|QUIT|", Ok(&[])),
        ("x", &[UNKNOWN, NO_TIME], "MLST x|MDTM x|TYPE I|SIZE x|QUIT|", Ok(&[])),
        ("x", &[UNKNOWN, NO_TIME, NO_SIZE], "MLST x|MDTM x|TYPE I|SIZE x|CWD x|QUIT|", Ok(&["is-directory"])),
        (
            "x",
            &[UNKNOWN, NO_TIME, NO_SIZE, ("CWD", "550 none")],
            "MLST x|MDTM x|TYPE I|SIZE x|CWD x|",
            Err(FaultKind::NotFound),
        ),
        ("a/", &[], "CWD a|QUIT|", Ok(&[])),
        ("a/", &[("CWD", "550 none")], "CWD a|", Err(FaultKind::NotFound)),
        ("a;type=d", &[], "CWD a|QUIT|", Ok(&[])),
        ("a;type=d", &[("CWD", "550 none")], "CWD a|", Err(FaultKind::NotFound)),
    ];
    for (path, odd, commands, result) in rows {
        let mut machine = FtpMachine::new(proof(&format!("ftp://h/{path}")), FtpSettings::default());
        let held = hold(&mut machine, server(odd), Network::default());
        assert_eq!(sent(&held), format!("{LOGIN}{commands}"), "{odd:?}");
        assert_eq!((held.ports.len(), held.begin.is_none()), (0, true), "{odd:?}");
        match result {
            Ok(notes) => assert_eq!((held.is_done, &held.notes[..]), (true, *notes), "{odd:?}"),
            Err(fault) => assert_eq!(kind(&held), Some(*fault), "{odd:?}"),
        }
    }
}

#[test]
fn a_proof_resumes_nothing() {
    let rest = Some(Rest::new(4, FileMetadata::default()));
    let mut machine = FtpMachine::new(proof("ftp://h/x").with(|request| request.rest = rest), FtpSettings::default());
    let held = hold(&mut machine, server(&[("MLST", "500 what?")]), Network::default());
    assert_eq!((sent(&held), held.notes.len()), (format!("{LOGIN}MLST x|MDTM x|QUIT|"), 0));
}

#[test]
fn a_session_remembers_how_existence_is_proven() {
    let old = [("MLST", "500 what?"), ("MDTM", "550 not a file")];
    let (_, session) = next_of(proof("ftp://h/x"), None, &old);
    let (second, session) = next_of(proof("ftp://h/y"), session, &old);
    assert_eq!(second, "MDTM y|SIZE y|", "neither MLST nor TYPE again");
    // The directory that a name turned out to be was entered.
    let refused = [old[0], old[1], ("SIZE", "550 not a file")];
    let (third, session) = next_of(proof("ftp://h/z"), session, &refused);
    assert_eq!(third, "MDTM z|SIZE z|CWD z|");
    let session = session.expect("in order");
    let settings = FtpSettings::default();
    assert_eq!(session.leads_to(&request("ftp://h/z/x"), &settings), Some(1));
    assert_eq!(session.leads_to(&request("ftp://h/x"), &settings), None);
    let (_, session) = next_of(proof("ftp://h/x"), None, &[("MLST", "250-\r\n type=file; x\r\n250 end")]);
    assert_eq!(next_of(proof("ftp://h/y"), session, &[]).0, "MLST y|");
}

#[test]
fn a_machine_tells_how_far_its_dialogue_came() {
    let told = |odd: &[(&str, &str)], end| {
        let mut machine = FtpMachine::new(request("ftp://h/x"), FtpSettings::default()).keeping_session();
        assert!(!machine.is_answered() && !machine.awaits_confirmation());
        let network = Network::default().with(|network| {
            network.end = end;
            network.data = b"0123456789";
        });
        let held = hold(&mut machine, server(odd), network);
        (held.is_done, machine.is_answered(), machine.awaits_confirmation())
    };
    assert_eq!(told(&[], None), (true, true, false));
    assert_eq!(told(&[("RETR", "150 here")], None), (false, true, true), "the file is there, its confirmation is not");
    assert_eq!(told(&[("RETR", "550 none")], None), (false, true, false));
    assert_eq!(told(&[("", "421 idle")], None), (false, false, false), "a server that closes has not answered");
    assert_eq!(told(&[("USER", "421 idle")], None), (false, true, false), "the greeting was an answer");
}

#[test]
fn a_session_is_taken_only_at_the_end_and_only_where_it_is_kept() {
    let (_, session) = next_of(request("ftp://h/x"), None, &[]);
    let session = session.expect("in order");
    let mut begun = FtpMachine::new(request("ftp://h/y"), FtpSettings::default()).on(session.clone()).keeping_session();
    assert_eq!(begun.take_session(), None, "the dialogue has not been held");
    let mut ended = FtpMachine::new(request("ftp://h/y"), FtpSettings::default()).on(session);
    let network = Network::default().with(|network| network.data = b"");
    assert!(hold(&mut ended, server(&[]), network).is_done);
    assert_eq!(ended.take_session(), None, "it was ended by QUIT");
}

#[test]
fn a_rest_from_the_first_octet_is_the_file() {
    let network = Network::default().with(|network| network.data = b"0123456789");
    let asked = request("ftp://h/x").with(|request| request.goal = FtpGoal::Metadata);
    let mut machine = FtpMachine::new(asked, FtpSettings::default());
    assert!(hold(&mut machine, server(&[]), network).is_done);
    let rest = Rest::new(0, machine.metadata());
    let request = request("ftp://h/x").with(|request| request.rest = Some(rest));
    let held = hold(&mut FtpMachine::new(request, FtpSettings::default()), server(&[]), network);
    assert_eq!(sent(&held), format!("{LOGIN}TYPE I|SIZE x|MDTM x|EPSV|RETR x|QUIT|"));
    assert_eq!((held.is_done, held.notes.len(), &held.data[..]), (true, 0, &b"0123456789"[..]));
}

#[test]
fn a_directory_and_its_parent_are_not_in_its_list() {
    let list = |url: &str, data: &[u8]| {
        let network = Network::default().with(|network| {
            network.data = data;
            network.data_end = End::Closed;
        });
        let held = hold(&mut FtpMachine::new(request(url), FtpSettings::default()), server(&[]), network);
        assert!(held.is_done, "{held:?}");
        let names: Vec<_> = held.entries.iter().map(|item| (item.name.escape_ascii().to_string(), item.kind)).collect();
        (names, held.notes)
    };
    let facts = b"type=cdir;modify=19941201000000; /pub\r\ntype=PDIR; /\r\ntype=dir; d\r\ntype=file; .\r\n";
    assert_eq!(list("ftp://h/pub/", facts), (vec![("d".into(), ItemKind::Directory)], vec![]));
    // `NLST` answers alike for an empty directory and for none.
    assert_eq!(list("ftp://h/pub;type=d", b""), (vec![], vec!["empty-list"]));
    assert_eq!(list("ftp://h/pub;type=d", b"x\r\n"), (vec![("x".into(), ItemKind::Unknown)], vec![]));
    assert_eq!(list("ftp://h/pub;type=d", b"x"), (vec![("x".into(), ItemKind::Unknown)], vec![]));
}
