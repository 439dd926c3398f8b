//! Every recorded answer, complete and cut at every octet, and every recorded request that a URL can cause.

use crate::held::{Held, Lines, hold, hold_in_pieces, machine, machine_of};
use crate::recorded::{answer, answers, exchanges, request};
use urlwise_open::protocol::prospero::{ProsperoGoal, ProsperoMachine, ProsperoSettings};
use urlwise_open::protocol::{End, FaultKind, Input, Io, Machine, Step};

const NONE: &[u8] = b"NONE-FOUND\n";

/// Lists a directory without access methods.
fn list(answer: &[u8], further: &[&[u8]]) -> Held {
    hold("prospero://localhost:21525//pfs/demo", ProsperoGoal::List, &[&[NONE, answer], further].concat())
}

#[test]
fn small_directory_is_listed() {
    let held = list(&answer("01-list-small"), &[]);
    assert!(held.is_done);
    assert_eq!(
        held.lines(),
        [
            "demo prospero://LOCALHOST:21525//pfs/demo",
            "many prospero://LOCALHOST:21525//pfs/many",
            "empty prospero://LOCALHOST:21525//pfs/empty",
        ]
    );
}

#[test]
fn every_kind_of_link_is_read() {
    let [demo, union] = answers("02-list-all-link-kinds").try_into().expect("two answers");
    let held = list(&demo, &[&union, b"FAILURE NOT-A-DIRECTORY\n"]);
    assert!(held.is_done, "{held:?}");
    assert_eq!(
        held.lines(),
        [
            "readme.txt prospero://LOCALHOST:21525//pfs/demo/readme.txt",
            "sub dir prospero://LOCALHOST:21525//pfs/demo/sub%20dir",
            "it's prospero://LOCALHOST:21525//pfs/demo/it's",
            "elsewhere prospero://OTHER.EXAMPLE//remote/dir",
            "other-default-port prospero://OTHER.EXAMPLE//remote/dir2",
            "versioned prospero://LOCALHOST:21525//pfs/demo/versioned;OBJECT-VERSION=3",
            "expiring prospero://LOCALHOST:21525//pfs/demo/expiring",
            "both prospero://LOCALHOST:21525//pfs/demo/both",
            "symbolic",
            "ext-aftp ftp://FTP.EXAMPLE/pub/a%20file.txt;type=a",
            "ext-aftp-bin ftp://FTP.EXAMPLE:2121/pub/b.tar.Z;type=i",
            "ext-ftp ftp://FTP.EXAMPLE/%2Fhome/u/c.txt;type=a",
            "ext-gopher5 gopher://GOPHER.EXAMPLE/00/docs/intro",
            "ext-gopher6 gopher://GOPHER.EXAMPLE:7070/1/fun%20stuff",
            "ext-gopher-gw gopher://GOPHER.EXAMPLE/99/bin/x.zip",
            "ext-wais5",
            "ext-wais6",
            "ext-wais-gw wais://WAIS.EXAMPLE/quakes/TEXT/3%20%3Dx",
            "ext-telnet telnet://guest@TELNET.EXAMPLE/",
            "ext-tn3270",
            "ext-afs",
            "ext-nfs",
            "ext-two ftp://ftp.example/pub/z;type=i gopher://GOPHER.EXAMPLE/9ftp:ftp.example@/pub/z",
            "annotated prospero://LOCALHOST:21525//pfs/demo/annotated",
            "replica prospero://HOST-A.EXAMPLE//r/same",
            "replica prospero://HOST-B.EXAMPLE//r/same",
            "from-union prospero://LOCALHOST:21525//pfs/union/from-union",
            "readme.txt prospero://LOCALHOST:21525//pfs/union/readme.txt",
            "union-remote prospero://OTHER.EXAMPLE//pfs/u2",
        ]
    );
    // The filter of the second union link is not applied, and its server does not know the directory.
    assert_eq!(held.notes, ["unfiltered", "union-not-listed"]);
    let asked: Vec<_> = held.inquiries.iter().map(|(url, _)| url.as_str()).collect();
    assert_eq!(
        asked,
        [
            "prospero://localhost:21525//pfs/demo",
            "prospero://localhost:21525//pfs/demo",
            "prospero://LOCALHOST:21525//pfs/union",
            "prospero://OTHER.EXAMPLE//pfs/u2",
        ]
    );
}

#[test]
fn an_object_that_is_not_a_directory_is_not_found() {
    let held = hold(
        "prospero://h/x",
        ProsperoGoal::Open,
        &[answer("15-missing-object"), answer("15-missing-object"), answer("03-list-missing-directory")],
    );
    assert_eq!(held.fault.as_ref().expect("it fails").kind(), FaultKind::NotFound);
    let texts: Vec<_> = held.inquiries.iter().map(|(_, text)| text.lines().nth(2).expect("a third line")).collect();
    assert_eq!(
        texts,
        ["GET-OBJECT-INFO ACCESS-METHOD ASCII x 0", "GET-OBJECT-INFO #ALL ASCII x 0", "DIRECTORY ASCII x"]
    );
}

#[test]
fn access_methods_are_listed_in_the_order_of_the_server() {
    let url = "prospero://localhost:21525//pfs/demo/readme.txt";
    let held = hold(url, ProsperoGoal::List, &[answer("04-object-all-attributes")]);
    assert_eq!(
        held.lines(),
        [
            "AFTP TEXT ftp://FTP.EXAMPLE/pub/readme.txt;type=a",
            "FTP TEXT ftp://FTP.EXAMPLE/%2Fhome/ftp/pub/readme.txt;type=a",
            "GOPHER gopher://GOPHER.EXAMPLE/00/pub/readme.txt",
            "GOPHER 0 gopher://GOPHER.EXAMPLE/0/pub/readme.txt",
            "WAIS INTERNET-D WAIS.EXAMPLE(210) ASCII WAIS/OBJECT/some-locator",
            "WAIS INTERNET-D WAIS.EXAMPLE(210) ASCII /pub/readme.txt some-locator",
            "TELNET telnet://TELNET.EXAMPLE/",
            "NFS INTERNET-D NFS.EXAMPLE ASCII pub/readme.txt /export",
            "AFS INTERNET-D localhost ASCII /afs/example.org/readme.txt",
            "PROSPERO-CONTENTS prospero://localhost:21525//pfs/demo/readme.txt",
            "LOCAL file:///pfs/demo/readme.txt",
        ]
    );
    assert!(held.notes.is_empty() && held.is_done);

    let held =
        hold("prospero://h/AFTP/pub/notes.txt", ProsperoGoal::List, &[answer("05-object-access-method-native-file")]);
    assert_eq!(
        held.lines(),
        [
            "PROSPERO-CONTENTS prospero://h/AFTP/pub/notes.txt",
            // Its path is not in our file system.
            "LOCAL INTERNET-D h ASCII AFTP/pub/notes.txt",
            "AFTP BINARY ftp://LOCALHOST/pub/notes.txt;type=i",
        ]
    );
}

#[test]
fn six_hundred_links_in_44_packets_are_all_listed() {
    let held = list(&answer("06-list-600-links-44-packets"), &[]);
    assert_eq!(held.lines().len(), 600);
    assert!(held.is_done && held.notes.is_empty());
}

#[test]
fn the_fault_of_a_request_that_is_not_understood_quotes_the_server() {
    for name in [
        "07-malformed-unterminated-quote",
        "08-unknown-command",
        "09-wrong-argument-count",
        "10-empty-line-in-request",
        "11-crlf-lines-refused",
        "12-version-not-supported",
        "42-empty-request",
    ] {
        let held = hold("prospero://h/x", ProsperoGoal::Open, &[answer(name)]);
        assert_eq!(held.fault.as_ref().expect("it fails").kind(), FaultKind::Server, "{name}");
        assert!(held.fault.as_ref().expect("it fails").raw_octets().is_some_and(|words| !words.is_empty()), "{name}");
    }
}

#[test]
fn an_answer_that_describes_nothing_is_malformed() {
    for name in ["13-version-query", "39-protocol-version-1"] {
        let held = hold("prospero://h/x", ProsperoGoal::Open, &[answer(name)]);
        assert_eq!(held.fault.as_ref().expect("it fails").kind(), FaultKind::Malformed, "{name}");
    }
}

#[test]
fn an_object_that_only_others_may_read_requires_a_login() {
    for name in ["40-object-not-authorized", "14-not-authorized-directory", "30-authentication-refused"] {
        assert_eq!(
            hold("prospero://h/x", ProsperoGoal::Open, &[answer(name)]).fault.as_ref().expect("it fails").kind(),
            FaultKind::Login,
            "{name}"
        );
        assert_eq!(list(&answer(name), &[]).fault.as_ref().expect("it fails").kind(), FaultKind::Login, "{name}");
    }
}

#[test]
fn an_empty_directory_is_a_menu_without_entries() {
    for name in ["16-none-found", "29-verify-existing"] {
        let held = list(&answer(name), &[]);
        assert_eq!((held.lines().len(), held.is_done), (0, true), "{name}");
    }
}

#[test]
fn components_are_never_requested_and_never_links() {
    let held = list(&answer("17-one-component-external"), &[NONE, NONE]);
    assert_eq!(held.lines(), ["ext-gopher6 gopher://GOPHER.EXAMPLE:7070/1/fun%20stuff"]);
    for name in ["18-several-components-unresolved", "44-real-client-unresolved"] {
        let held = list(&answer(name), &[]);
        assert_eq!(held.lines(), ["away prospero://OTHER.EXAMPLE//away"], "{name}");
        assert_eq!(held.notes, ["line-not-understood"], "{name}");
    }
    for name in ["19-several-components-resolved", "43-real-client-several-components"] {
        let bottom = "bottom prospero://LOCALHOST:21525//pfs/demo/sub%20dir/deeper/bottom";
        assert_eq!(list(&answer(name), &[]).lines(), [bottom], "{name}");
    }
    assert_eq!(list(&answer("41-wildcard"), &[NONE, NONE]).lines().len(), 3);
}

#[test]
fn a_forwarded_object_is_requested_from_its_new_server() {
    let held = hold(
        "prospero://localhost:21525//pfs/demo/moved",
        ProsperoGoal::List,
        &[answer("20-forwarded-object"), answer("04-object-all-attributes")],
    );
    assert_eq!(held.inquiries[1].0, "prospero://LOCALHOST:21525//pfs/demo/readme.txt");
    assert_eq!(held.lines().len(), 11);

    let directory = [NONE.to_vec(), answer("21-forwarded-directory"), answer("01-list-small")];
    let held = hold("prospero://localhost:21525//pfs/movedir", ProsperoGoal::Open, &directory);
    assert_eq!(held.inquiries[2].0, "prospero://LOCALHOST:21525//pfs/demo");
    assert_eq!(held.lines().len(), 3);
}

#[test]
fn contents_are_a_document_octet_by_octet() {
    let methods = answer("05-object-access-method-native-file");
    let open = |contents| hold("prospero://h/x", ProsperoGoal::Open, &[methods.clone(), contents]);
    let held = open(answer("24-contents-text"));
    assert_eq!(held.data, b"First line of the notes.\nSecond line.\n");
    assert!(held.is_done && held.notes.is_empty() && held.followed.is_empty());
    let held = open(answer("25-contents-binary-256"));
    assert_eq!(held.data, (0..=255).collect::<Vec<u8>>());
    assert!(held.is_done && held.notes.is_empty());
}

#[test]
fn links_may_have_an_id_or_hide_their_target() {
    let held = list(&answer("26-link-with-id-and-empty-line"), &[]);
    assert_eq!(held.lines().len(), 3);
    assert!(held.notes.is_empty());
    assert_eq!(list(&answer("27-link-list-only"), &[]).lines(), ["visible but unreadable"]);
}

#[test]
fn links_before_a_failure_are_returned() {
    let held = list(&answer("28-two-commands-one-request"), &[]);
    assert_eq!((held.lines().len(), held.fault.as_ref().expect("it fails").kind()), (3, FaultKind::NotFound));
}

#[test]
fn duplicated_or_acknowledged_packets_do_not_change_an_answer() {
    let small = list(&answer("33-request-repeated"), &[]);
    for name in ["31-header-of-1-octet", "32-header-of-3-octets"] {
        assert_eq!(list(&answer(name), &[]), small, "{name}");
    }
    for name in ["34-request-in-2-packets-reversed", "35-request-in-3-packets-total-last-with-ack"] {
        assert_eq!(list(&answer(name), &[]).lines().len(), 1, "{name}");
    }
    // Attributes were not requested here.
    assert_eq!(list(&answer("36-window-of-2-with-acks"), &[NONE, NONE]).lines().len(), 26);
}

#[test]
fn a_gopher_menu_through_the_gateway_is_a_directory() {
    let held = list(&answer("37-gopher-gateway-wait-180-and-ack"), &[]);
    assert_eq!(
        held.lines(),
        [
            "! MESSAGE Encountered unrecognized Gopher message: hWeb page\tGET /x\tWWW.EXAMPLE\t80",
            "About this gopher://GOPHER.EXAMPLE/00/about",
            "A menu prospero://LOCALHOST:21525/GOPHER-GW/GOPHER.EXAMPLE(70)/1/1/menu",
            "Binary gopher://GOPHER.EXAMPLE:7070/99/bin/x",
            "Picture gopher://GOPHER.EXAMPLE/9g/pic.gif",
            "Search prospero://LOCALHOST:21525/GOPHER-GW/GOPHER.EXAMPLE(70)/7/7/find",
            "Login telnet://guest@TELNET.EXAMPLE/",
            "Login plain telnet://TELNET.EXAMPLE/",
            "Big iron",
            "Via ftp ftp://FTP.EXAMPLE/pub/notes.txt;type=a gopher://GOPHER.EXAMPLE/0ftp:FTP.EXAMPLE@/pub/notes.txt",
        ]
    );
    for answer in answers("38-gopher-gateway-no-ack-server-pings") {
        assert!(list(&answer, &[]).is_done);
    }
}

#[test]
fn a_version_or_an_identity_does_not_change_how_answers_are_read() {
    for name in ["22-object-version", "23-select-id"] {
        let held = hold("prospero://h//x;OBJECT-VERSION=3", ProsperoGoal::List, &[answer(name)]);
        assert_eq!(held.lines(), ["PROSPERO-CONTENTS prospero://h//x;OBJECT-VERSION=3", "LOCAL file:///x"], "{name}");
    }
}

#[test]
fn a_server_without_forwarding_is_asked_for_all_attributes() {
    let held =
        hold("prospero://h/AFTP/pub/notes.txt", ProsperoGoal::List, &answers("45-other-build-native-file-needs-all"));
    assert_eq!(held.lines().len(), 3);
    assert!(held.inquiries[1].1.contains("GET-OBJECT-INFO #ALL ASCII 'AFTP/pub/notes.txt' 0\n"));
}

#[test]
fn all_answers_mean_the_same_cut_at_every_octet() {
    let names: Vec<_> = names().collect();
    assert_eq!(names.len(), 45);
    for name in names {
        let answers = answers(&name);
        // Large answers take long, and are cut at every octet in other tests.
        let pieces: &[usize] = if name.starts_with("06") { &[1, 97] } else { &[1, 2, 3, 5, 1250] };
        for goal in [ProsperoGoal::Open, ProsperoGoal::List] {
            for first in
                [None, Some(NONE), Some(b"ATTRIBUTE OBJECT FIELD ACCESS-METHOD PROSPERO-CONTENTS '' '' '' ''\n")]
            {
                let dialogue: Vec<&[u8]> = first.into_iter().chain(answers.iter().map(Vec::as_slice)).collect();
                let whole = hold("prospero://h/x", goal, &dialogue);
                for &piece in pieces {
                    let cut = hold_in_pieces(machine("prospero://h/x", goal), &dialogue, piece, End::Closed);
                    assert_eq!(cut, whole, "{name} in pieces of {piece}");
                }
            }
        }
    }
}

#[test]
fn every_interrupted_answer_is_partial_and_keeps_what_arrived() {
    for (name, goal) in [("02-list-all-link-kinds", ProsperoGoal::List), ("24-contents-text", ProsperoGoal::Open)] {
        let first = match goal {
            ProsperoGoal::List => NONE.to_vec(),
            ProsperoGoal::Open => answer("05-object-access-method-native-file"),
        };
        let whole = answers(name).remove(0);
        for cut in 0..whole.len() {
            let held = hold_in_pieces(machine("prospero://h/x", goal), &[&first, &whole[..cut]], 400, End::Broken);
            assert_eq!(held.fault.as_ref().expect("it fails").kind(), FaultKind::Partial, "{name} cut at {cut}");
        }
    }
}

#[test]
fn requests_are_those_of_the_real_client() {
    for (name, url) in [
        ("03-list-missing-directory", "prospero://h//pfs/nowhere"),
        ("05-object-access-method-native-file", "prospero://h/AFTP/pub/notes.txt"),
        ("15-missing-object", "prospero://h//pfs/demo/nope"),
        ("16-none-found", "prospero://h//pfs/empty"),
        ("22-object-version", "prospero://h//pfs/demo/versioned;OBJECT-VERSION=3"),
        ("24-contents-text", "prospero://h/AFTP/pub/notes.txt"),
    ] {
        let recorded = request(name);
        let ours = texts(url);
        assert!(ours.contains(&decoded(&recorded)), "{name}: {:?} is not among {ours:?}", decoded(&recorded));
    }
    // The same octets, except that the real client quotes less.
    let recorded = String::from_utf8(request("45-other-build-native-file-needs-all")).expect("ASCII");
    let recorded = recorded.replace("AFTP/pub/notes.txt", "'AFTP/pub/notes.txt'");
    let settings = ProsperoSettings::default().with(|settings| {
        settings.software = b"test".to_vec();
        settings.user = b"guest".to_vec();
    });
    let first = first_inquiry(machine_of("prospero://h/AFTP/pub/notes.txt", ProsperoGoal::Open, settings));
    assert_eq!(String::from_utf8_lossy(&first), recorded);
}

fn first_inquiry(mut machine: ProsperoMachine) -> Vec<u8> {
    match machine.next(&mut Input::none()) {
        Step::Io(Io::Inquire(inquiry)) => inquiry.command.octets().to_vec(),
        step => panic!("{step:?}"),
    }
}

/// All requests for a URL, as unquoted tokens.
fn texts(url: &str) -> Vec<Vec<Vec<String>>> {
    let contents = b"ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE PROSPERO-CONTENTS '' '' '' ''\n";
    let dialogues =
        [hold(url, ProsperoGoal::Open, &[NONE, NONE]), hold(url, ProsperoGoal::Open, &[&contents[..], NONE])];
    dialogues.iter().flat_map(|held| &held.inquiries).map(|(_, text)| decoded(text.as_bytes())).collect()
}

/// The lines of a request as tokens, without those for the user and the format of lists.
fn decoded(request: &[u8]) -> Vec<Vec<String>> {
    let text = String::from_utf8_lossy(request);
    let told = text.lines().filter(|line| !line.starts_with("VERSION") && !line.starts_with("AUTHENTICATE"));
    told.map(|line| {
        if line.starts_with("LIST ") {
            return vec!["LIST".to_owned(), "COMPONENTS".to_owned()];
        }
        // No name in these requests contains a quote character.
        let tokens = line.split(' ').filter(|token| !token.is_empty());
        tokens.map(|token| token.replace('\'', "")).collect()
    })
    .collect()
}

fn names() -> impl Iterator<Item = String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/wire/prospero");
    let files = std::fs::read_dir(folder).expect("transcripts").map(|file| file.expect("a file"));
    let folders = files.filter(|file| file.path().is_dir());
    folders.map(|file| file.file_name().into_string().expect("ASCII"))
}

#[test]
fn every_recorded_session_has_requests_and_answers() {
    for name in names() {
        let exchanges = exchanges(&name);
        assert!(!exchanges.is_empty() && exchanges.iter().all(|(_, answer)| !answer.is_empty()), "{name}");
    }
}
