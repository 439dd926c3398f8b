//! Rules of the dialogue one by one.

use crate::held::{Lines, hold, machine, machine_of};
use proptest::prelude::*;
use urlwise::build::Draft;
use urlwise::{Locator, Scheme, Url};
use urlwise_open::protocol::gopher::Opens;
use urlwise_open::protocol::prospero::{Found, ProsperoGoal, ProsperoRequest, ProsperoSettings};
use urlwise_open::protocol::{End, FaultKind, Input, Io, Machine, Shape, Step, plan};

const NONE: &str = "NONE-FOUND\n";

/// An answer that names these access methods.
fn methods(values: &[&str]) -> String {
    values.iter().map(|value| format!("ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE {value}\n")).collect()
}

fn open(answers: &[&str]) -> crate::held::Held {
    hold("prospero://h/x", ProsperoGoal::Open, answers)
}

fn list(answers: &[&str]) -> crate::held::Held {
    hold("prospero://h/x", ProsperoGoal::List, answers)
}

#[test]
fn a_dry_run_shows_the_dialogue_in_words() {
    let lines = plan(machine("prospero://h//pros/name;OBJECT-VERSION=3", ProsperoGoal::Open)).expect("a valid request");
    let lines: Vec<_> = lines.iter().map(|line| format!("{} {line}", line.kind())).collect();
    assert_eq!(
        lines,
        [
            "connect the host and port of the URL, by UDP",
            "send ARDP packet 1 of 1, a random connection id",
            r"send VERSION 5 urlwise\n",
            r"send AUTHENTICATE '' UNAUTHENTICATED anonymous\n",
            r"send GET-OBJECT-INFO ACCESS-METHOD ASCII '/pros/name' 3\n",
            "expect its access methods: here, that the server itself has the contents; a URL of another scheme would be opened, and \
             the links requested if there is no method",
            "connect the host and port of the URL, by UDP",
            "send ARDP packet 1 of 1, a random connection id",
            r"send VERSION 5 urlwise\n",
            r"send AUTHENTICATE '' UNAUTHENTICATED anonymous\n",
            r"send GET-OBJECT-INFO CONTENTS ASCII '/pros/name' 3\n",
            "expect the contents, as one token",
        ]
    );
}

#[test]
fn a_dry_run_of_a_list_expects_methods_and_links() {
    let lines = plan(machine("prospero://h/x", ProsperoGoal::List)).expect("a valid request");
    let expected = lines.iter().filter(|line| line.kind() == "expect").map(ToString::to_string);
    assert_eq!(expected.collect::<Vec<_>>(), ["its access methods, or none", "the links, each with its attributes"]);
}

#[test]
fn security_46_a_request_shows_its_octets_escaped() {
    let url = Url::parse("prospero://h:191/a%1Bb;OBJECT-VERSION=3").expect("a URL");
    let Locator::Prospero(prospero) = url.locator() else { panic!("a prospero URL") };
    let request = ProsperoRequest::from_url(prospero, ProsperoGoal::Open).expect("a number");
    assert_eq!(format!("{request:?}"), r"ProsperoRequest { object: h(191) a\x1bb 3, goal: Open, .. }");
}

#[test]
fn the_version_of_an_object_is_a_number_or_refused() {
    let request = |url: &str| {
        let url = Url::parse(url).expect("a URL");
        let Locator::Prospero(prospero) = url.locator() else { panic!("a prospero URL") };
        ProsperoRequest::from_url(prospero, ProsperoGoal::Open).map(|request| request.object.version)
    };
    assert_eq!(request("prospero://h/x"), Ok(0));
    assert_eq!(request("prospero://h/x;OBJECT-VERSION=%37"), Ok(7));
    assert_eq!(request("prospero://h/x;OBJECT-VERSION=3;OBJECT-VERSION=03"), Ok(3));
    for url in [
        "prospero://h/x;OBJECT-VERSION=",
        "prospero://h/x;OBJECT-VERSION=a",
        "prospero://h/x;OBJECT-VERSION=-1",
        "prospero://h/x;OBJECT-VERSION=99999999999999999999",
        "prospero://h/x;OBJECT-VERSION=3;OBJECT-VERSION=4",
    ] {
        assert_eq!(request(url).expect_err(url).kind(), FaultKind::Refused, "{url}");
    }
}

#[test]
fn an_unknown_field_is_not_sent_and_noted() {
    let held = hold("prospero://h/x;ID=4711;OBJECT-VERSION=2", ProsperoGoal::List, &[NONE, NONE]);
    assert_eq!(held.notes, ["field-not-sent"]);
    assert!(held.inquiries[0].1.ends_with("ASCII x 2\n"));
    assert!(held.inquiries[1].1.contains("\nDIRECTORY ASCII x 2\n"));
    let lines = plan(machine("prospero://h/x;ID=4711", ProsperoGoal::Open)).expect("a valid request");
    assert_eq!((lines[0].kind(), lines[1].kind()), ("note", "connect"));
    assert!(lines[0].to_string().contains("a field that Prospero servers ignore"), "{}", lines[0]);
}

#[test]
fn security_4_nul_in_a_name_is_refused_before_anything_is_sent() {
    let held = hold("prospero://h/a%00b", ProsperoGoal::Open, &[NONE]);
    assert_eq!((held.fault.as_ref().expect("it fails").kind(), held.inquiries.len()), (FaultKind::Refused, 0));
}

#[test]
fn the_first_method_with_a_document_is_followed() {
    let held = open(&[
        &methods(&[
            "LOCAL '' '' '' '/etc/passwd'",
            "TELNET INTERNET-D t.example ASCII ''",
            "FTP INTERNET-D f.example ASCII '/x' TEXT",
            "NFS INTERNET-D n.example ASCII x '/export'",
            "AFTP INTERNET-D a.example ASCII '/x' BINARY",
            "GOPHER INTERNET-D g.example ASCII x 0",
            "PROSPERO-CONTENTS '' '' '' ''",
            "AFTP INTERNET-D late.example ASCII '/x' BINARY",
        ]),
        "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA 'a b'\n",
    ]);
    // All failed except the server's own.
    assert_eq!(held.followed, ["ftp://a.example/x;type=i", "gopher://g.example/0x"]);
    assert_eq!(held.data, b"a b");
    assert_eq!(held.notes, ["method-failed"]);
}

#[test]
fn after_failed_contents_the_next_method_is_tried() {
    let both = methods(&["PROSPERO-CONTENTS '' '' '' ''", "AFTP INTERNET-D a.example ASCII '/x' BINARY"]);
    for failure in ["FAILURE NOT-AUTHORIZED\n", "NONE-FOUND\n"] {
        let held = open(&[&both, failure]);
        assert_eq!(held.followed, ["ftp://a.example/x;type=i"]);
        let kind = held.fault.as_ref().expect("it fails").kind();
        assert_eq!(kind, if failure.contains("AUTH") { FaultKind::Login } else { FaultKind::NotFound });
    }
}

#[test]
fn the_fault_of_an_object_without_a_document_names_the_list_of_methods() {
    let held = open(&[&methods(&["TELNET INTERNET-D t.example ASCII ''"])]);
    let fault = held.fault.expect("it fails");
    assert_eq!(fault.kind(), FaultKind::Elsewhere);
    assert!(fault.help().is_some_and(|help| help.to_string().contains("list the access methods")));
}

#[test]
fn an_object_that_exists_but_cannot_be_retrieved_is_not_missing() {
    let known = "ATTRIBUTE OBJECT INTRINSIC SIZE SEQUENCE '3 bytes'\n";
    let held = open(&[known, "FAILURE NOT-A-DIRECTORY\n"]);
    assert_eq!(held.fault.as_ref().expect("it fails").kind(), FaultKind::Elsewhere);
    assert_eq!(
        open(&[NONE, "FAILURE NOT-A-DIRECTORY\n"]).fault.as_ref().expect("it fails").kind(),
        FaultKind::NotFound
    );
}

#[test]
fn empty_contents_are_a_document() {
    let contents = methods(&["PROSPERO-CONTENTS '' '' '' ''"]);
    let held = open(&[&contents, "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA ''\n"]);
    assert!(held.is_done && held.data.is_empty() && held.begin.is_some() && held.notes.is_empty(), "{held:?}");
}

#[test]
fn contents_of_several_values_are_one_document_without_the_tagged_ones() {
    let contents = methods(&["PROSPERO-CONTENTS '' '' '' ''"]);
    let held = open(&[
        &contents,
        "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA 'a'' '\n\
         ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE TAGGED t x\n\
         ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA b\n",
    ]);
    assert_eq!(held.data, b"a' b");
}

#[test]
fn a_document_shorter_than_announced_is_partial_and_a_longer_one_is_noted() {
    let contents = methods(&["PROSPERO-CONTENTS '' '' '' ''"]) + "ATTRIBUTE OBJECT INTRINSIC SIZE SEQUENCE '3 bytes'\n";
    let held = open(&[&contents, "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA ab\n"]);
    let fault = held.fault.expect("an octet is missing");
    assert_eq!((fault.kind(), held.data.as_slice(), held.notes.len()), (FaultKind::Partial, &b"ab"[..], 0));
    assert_eq!(fault.what().to_string(), "the document ended after 2 of 3 octets");
    let held = open(&[&contents, "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA abc\n"]);
    assert!(held.is_done && held.notes.is_empty());
    let held = open(&[&contents, "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA abcd\n"]);
    assert_eq!((held.notes, held.is_done), (vec!["size-differs"], true));
    // A document of which nothing arrived is not an empty document.
    let held = open(&[&contents, "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA ''\n"]);
    assert_eq!(held.fault.map(|fault| fault.kind()), Some(FaultKind::Partial));
}

#[test]
fn contents_that_were_not_requested_are_ignored() {
    let held = open(&["ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA 'a b'\n", NONE]);
    assert!(held.data.is_empty() && held.is_done);
    assert_eq!(held.begin.expect("it begins").shape, Shape::Menu);
    // They do not make an object without contents an empty document.
    let both = methods(&["PROSPERO-CONTENTS '' '' '' ''"]) + "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA ''\n";
    let size = "ATTRIBUTE OBJECT INTRINSIC SIZE SEQUENCE '3 bytes'\n";
    for contents in [NONE, size] {
        let fault = open(&[&both, contents]).fault.expect("there are no contents");
        assert_eq!(fault.kind(), FaultKind::NotFound, "{contents}: {fault}");
    }
}

#[test]
fn links_and_forwardings_count_only_where_they_answer_the_request() {
    let noted = vec!["line-not-understood"];
    // Links among access methods.
    let held = list(&[&(TWO.to_owned() + NONE), NONE]);
    assert_eq!((held.is_done, held.entries.len(), held.notes), (true, 0, noted.clone()));
    // A forwarding behind the first link.
    let held = list(&[NONE, &(TWO.to_owned() + "FORWARDED INTERNET-D other ASCII y 0\n")]);
    assert_eq!((held.is_done, held.entries.len(), held.inquiries.len(), held.notes), (true, 2, 2, noted));
}

#[test]
fn a_warning_is_an_entry_of_a_list_and_a_note_of_a_document() {
    let contents = methods(&["PROSPERO-CONTENTS '' '' '' ''"]);
    let warned = "WARNING OUT-OF-DATE 'a b'\n".to_owned();
    let held = list(&[&(warned.clone() + &contents)]);
    assert_eq!(held.lines()[0], "! OUT-OF-DATE a b");
    assert_eq!(list(&[NONE, &(warned.clone() + NONE)]).lines(), ["! OUT-OF-DATE a b"]);
    // A warning before another request is kept, too.
    assert_eq!(list(&[&(warned.clone() + NONE), NONE]).lines(), ["! OUT-OF-DATE a b"]);
    assert_eq!(list(&[&(warned.clone() + "FORWARDED INTERNET-D h ASCII y 0\n"), NONE, NONE]).inquiries.len(), 3);
    assert_eq!(
        open(&[&(warned.clone() + &contents), "FAILURE NOT-FOUND\n"]).fault.as_ref().expect("it fails").kind(),
        FaultKind::NotFound
    );
    let elsewhere = warned.clone() + &methods(&["GOPHER INTERNET-D g.example ASCII x 0"]);
    assert_eq!(open(&[&elsewhere]).notes[0], "server-warning");
    let document = warned + "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA x\n";
    assert_eq!(open(&[&contents, &document]).notes, ["server-warning"]);
}

const METHODS: &[&str] = &["PROSPERO-CONTENTS '' '' '' ''", "LOCAL '' '' '' ''"];
const TWO: &str = "LINK L FILE a INTERNET-D h ASCII a 0\nLINK L FILE b INTERNET-D h ASCII b 0\n";

#[test]
fn a_directory_with_attributes_of_its_own_is_listed() {
    let entries = ["a prospero://h/a", "b prospero://h/b"];
    assert_eq!(list(&[&methods(METHODS), TWO]).lines(), entries);
    // Methods of other servers are listed; those that every object has are not.
    let held = list(&[&methods(&[METHODS, &["AFTP INTERNET-D f.example ASCII '/x' DIRECTORY"]].concat()), TWO]);
    assert_eq!(held.lines(), [&["AFTP DIRECTORY ftp://f.example/x;type=d"][..], &entries].concat());
    // When opened, it looks like an empty file, or like one that cannot be read.
    for contents in ["ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA ''\n", "FAILURE NOT-FOUND\n", NONE] {
        let held = open(&[&methods(METHODS), contents, TWO]);
        assert_eq!((held.lines(), held.is_done), (entries.map(str::to_owned).to_vec(), true), "{contents}");
    }
    // Without links, the methods are listed.
    let held = list(&[&methods(METHODS), NONE]);
    assert_eq!((held.lines().len(), held.is_done), (2, true));
}

#[test]
fn an_empty_file_is_an_empty_document_whatever_the_answer_about_its_links() {
    let contents = methods(METHODS);
    let empty = "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA ''\n";
    for links in ["FAILURE NOT-A-DIRECTORY\n", "FAILURE SERVER-FAILED\n", "ERROR no\n", "LINK L FIL", NONE] {
        let held = open(&[&contents, empty, links]);
        assert_eq!((held.is_done, held.data.len(), held.entries.len()), (true, 0, 0), "{links}");
        assert_eq!(held.begin.expect("it begins").shape, Shape::Document);
    }
    // The links of an object that is known to be empty are not requested.
    let held = open(&[&(contents + "ATTRIBUTE OBJECT INTRINSIC SIZE SEQUENCE '0 bytes'\n"), empty]);
    assert_eq!((held.is_done, held.inquiries.len()), (true, 2));
}

#[test]
fn links_may_be_readable_if_attributes_are_not() {
    for failure in ["FAILURE NOT-AUTHORIZED\n", "FAILURE AUTHENTICATION-REQUIRED\n", "FAILURE UNIMPLEMENTED\n"] {
        for goal in [ProsperoGoal::List, ProsperoGoal::Open] {
            let held = hold("prospero://h/x", goal, &[failure, TWO]);
            assert_eq!((held.lines().len(), held.is_done), (2, true), "{failure}");
            assert!(hold("prospero://h/x", goal, &[failure, NONE]).is_done, "{failure}");
            // If the links are not readable either, the first failure is the reason.
            let fault = hold("prospero://h/x", goal, &[failure, "FAILURE NOT-A-DIRECTORY\n"]).fault.expect("it fails");
            assert_ne!(fault.kind(), FaultKind::NotFound, "{failure}");
            assert_eq!(fault.help().is_some(), fault.kind() == FaultKind::Login, "{fault}");
        }
    }
}

#[test]
fn contents_of_another_object_are_a_url_to_follow() {
    let other = methods(&["PROSPERO-CONTENTS INTERNET-D other.example(1600) ASCII y"]);
    assert_eq!(open(&[&other]).followed, ["prospero://other.example:1600/y"]);
    let named = methods(&["PROSPERO-CONTENTS '' '' '' y"]);
    assert_eq!(open(&[&named]).followed, ["prospero://h/y"]);
    assert_eq!(list(&[&named]).lines(), ["PROSPERO-CONTENTS prospero://h/y"]);
    // The version is that of the object that was asked for, and of no other.
    let held = hold("prospero://h/x;OBJECT-VERSION=3", ProsperoGoal::List, &[&named]);
    assert_eq!(held.lines(), ["PROSPERO-CONTENTS prospero://h/y"]);
    // The same object under another name is requested at once.
    for same in ["PROSPERO-CONTENTS INTERNET-D H ASCII x", "PROSPERO-CONTENTS '' 'h(1525)' '' ''"] {
        let held = open(&[&methods(&[same]), "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA abc\n"]);
        assert_eq!((held.data.as_slice(), held.followed.len()), (&b"abc"[..], 0), "{same}");
    }
    // Values that are not valid in a URL are not followed.
    for nowhere in ["PROSPERO-CONTENTS VIRTUAL-SYSTEM v ASCII y", "PROSPERO-CONTENTS INTERNET-D 'a b' ASCII y"] {
        let held = open(&[&methods(&[nowhere])]);
        assert_eq!((held.followed.len(), held.fault.map(|fault| fault.kind())), (0, Some(FaultKind::Elsewhere)));
    }
}

#[test]
fn a_last_line_that_is_cut_is_a_partial_answer() {
    let whole = "LINK L FILE a INTERNET-D h ASCII a 0\nLINK L FILE 'b c' INTERNET-D h ASCII '/b' 12\n";
    for length in 38..whole.len() {
        let held = list(&[NONE, &whole[..length]]);
        assert_eq!(held.fault.map(|fault| fault.kind()), Some(FaultKind::Partial), "cut at {length}");
    }
    assert!(list(&[NONE, whole]).is_done && list(&[NONE, &whole[..37]]).is_done);
    let contents = methods(METHODS);
    let document = "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA abc";
    assert_eq!(open(&[&contents, document]).fault.map(|fault| fault.kind()), Some(FaultKind::Partial));
    // Real servers leave out the line feed here.
    assert_eq!(list(&[NONE, "NONE-FOUND"]).fault, None);
}

#[test]
fn information_lines_of_a_gopher_menu_are_text_entries() {
    let line = |item: &str| format!("WARNING MESSAGE Encountered' unrecognized Gopher message: {item}'\n");
    let menu = line("iWelcome\tfake\t(NULL)\t0") + TWO + &line("i\t\t\t") + &line("hA page\tGET /\tw.example\t80");
    let held = list(&[NONE, &menu]);
    let texts: Vec<_> = held
        .entries
        .iter()
        .filter_map(|found| match found {
            Found::Text(text) => Some(text.as_slice()),
            _ => None,
        })
        .collect();
    assert_eq!(texts, [&b"Welcome"[..], b""]);
    assert_eq!((held.lines()[0].as_str(), held.lines().len()), ("Welcome", 5));
    // The same line as the target of an access method.
    let link = "LINK L EXTERNAL 'Read me' INTERNET-D 'g.example(70)' ASCII i 0\nATTRIBUTE LINK FIELD ACCESS-METHOD GOPHER '' '' '' '' i\n";
    let held = list(&[NONE, link]);
    let [Found::Link(link)] = held.entries.as_slice() else { panic!("{held:?}") };
    assert_eq!((link.urls().count(), link.opens()), (0, Opens::Info));
}

#[test]
fn the_attributes_of_a_link_are_read() {
    let held = list(&[
        NONE,
        "LINK L FILE a INTERNET-D H ASCII x 0\n\
         ATTRIBUTE OBJECT INTRINSIC SIZE SEQUENCE '38 bytes'\n\
         ATTRIBUTE OBJECT INTRINSIC LAST-MODIFIED SEQUENCE 19940101000000Z\n\
         ATTRIBUTE LINK APPLICATION MENU-ITEM-DESCRIPTION SEQUENCE 'An a'\n\
         ATTRIBUTE OBJECT APPLICATION OBJECT-INTERPRETATION SEQUENCE IMAGE GIF\n\
         ATTRIBUTE> LINK APPLICATION MENU-ITEM-DESCRIPTION SEQUENCE 'not of a'\n",
    ]);
    let found: Vec<_> = held.entries.iter().collect();
    let [Found::Link(link)] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((link.size, link.media_type()), (Some(38), Some("image/gif")));
    assert_eq!(link.description.as_deref(), Some(&b"An a"[..]));
    assert_eq!(
        link.modified.and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok()).map(|at| at.as_secs()),
        Some(757_382_400)
    );
}

#[test]
fn a_request_contains_the_names_of_the_settings() {
    let settings = ProsperoSettings::default().with(|settings| {
        settings.software = b"a b".to_vec();
        settings.user = b"it's".to_vec();
    });
    let mut machine = machine_of("prospero://h/x", ProsperoGoal::Open, settings);
    let Step::Io(Io::Inquire(inquiry)) = machine.next(&mut Input::none()) else { panic!("a request") };
    assert!(inquiry.command.octets().starts_with(b"VERSION 5 'a b'\nAUTHENTICATE '' UNAUTHENTICATED 'it''s'\n"));
}

proptest! {
    /// Whatever a name contains, the request has the same lines, and the name is one token of the last.
    #[test]
    fn a_name_never_ends_its_token_or_its_line(name in prop::collection::vec(1_u8.., 0..20), tricks in "[' +\r\n\t/a]{0,12}") {
        let name = [name, tricks.into_bytes()].concat();
        let url = Draft::of(Scheme::Prospero).with("host", "h").with("hsoname", &name).build().expect("any octets make a name");
        let mut machine = machine(url.as_str(), ProsperoGoal::Open);
        let Step::Io(Io::Inquire(inquiry)) = machine.next(&mut Input::none()) else { panic!("a request") };
        let start = b"VERSION 5 urlwise\nAUTHENTICATE '' UNAUTHENTICATED anonymous\nGET-OBJECT-INFO ACCESS-METHOD ASCII ";
        let request = inquiry.command.octets();
        let token = request.strip_prefix(&start[..]).and_then(|rest| rest.strip_suffix(b" 0\n")).expect("one token");
        match token.strip_prefix(b"'") {
            None => prop_assert!(token == name && !token.iter().any(|octet| b" '\r\n\t+/".contains(octet))),
            Some(quoted) => {
                let quoted = quoted.strip_suffix(b"'").expect("a closing quote");
                // Quote characters occur in pairs, so none of them closes the quote.
                let mut inside = Vec::new();
                let mut octets = quoted.iter();
                while let Some(octet) = octets.next() {
                    inside.push(*octet);
                    if *octet == b'\'' {
                        prop_assert_eq!(octets.next(), Some(&b'\''));
                    }
                }
                prop_assert_eq!(inside, name);
            }
        }
    }
}

#[test]
fn links_are_optional_only_if_something_else_is_known() {
    let asked = |answers: &[&str]| {
        let (mut machine, mut answers) = (machine("prospero://h/x", ProsperoGoal::Open), answers.iter());
        let (mut octets, mut pending, mut is_over, mut asked): (&[u8], _, _, _) = (b"", None, false, Vec::new());
        loop {
            let mut input = if is_over { Input::closed(End::Closed) } else { Input::new(octets) };
            let step = machine.next(&mut input);
            octets = &octets[octets.len() - input.octets().len()..];
            match step {
                Step::Io(Io::Inquire(inquiry)) => {
                    asked.push(inquiry.is_optional);
                    (octets, pending, is_over) = (b"", answers.next(), false);
                }
                Step::Io(Io::Receive) => match pending.take() {
                    Some(answer) => octets = answer.as_bytes(),
                    None => is_over = true,
                },
                Step::Done | Step::Fail(_) => return asked,
                _ => {}
            }
        }
    };
    let contents = methods(&["PROSPERO-CONTENTS '' '' '' ''"]);
    // Methods, contents that are not there, and then the links.
    assert_eq!(asked(&[&contents, NONE, NONE]), [false, false, true]);
    assert_eq!(asked(&[NONE, TWO]), [false, false]);
    assert_eq!(asked(&["FAILURE NOT-AUTHORIZED\n", TWO]), [false, true]);
    assert_eq!(asked(&["FAILURE NOT-FOUND\n", "FAILURE NOT-FOUND\n", TWO]), [false; 3]);
    // The links of another object are the answer.
    let forwarded = "FORWARDED INTERNET-D other.dom ASCII y 0\n";
    assert_eq!(asked(&["FAILURE NOT-AUTHORIZED\n", forwarded, TWO]), [false, true, false]);
}

#[test]
fn a_directory_that_is_read_like_a_file_is_listed_before_other_methods_are_tried() {
    let both = methods(&["PROSPERO-CONTENTS '' '' '' ''", "AFTP INTERNET-D f.dom ASCII x TEXT"]);
    let held = open(&[&both, "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA ''\n", TWO]);
    // The directory shows the other method as well.
    assert_eq!((held.is_done, held.lines().len(), held.followed.len()), (true, 3, 0), "{held:?}");
}

#[test]
fn a_link_opens_what_its_kind_says() {
    let link = |kind: &str| {
        let held = list(&[NONE, &format!("LINK L {kind} n INTERNET-D h ASCII /n 0\n")]);
        match held.entries.into_iter().next() {
            Some(Found::Link(link)) => (link.opens(), link.urls().count()),
            other => panic!("{kind}: {other:?}"),
        }
    };
    assert_eq!(link("FILE"), (Opens::Document, 1));
    assert_eq!(link("DIRECTORY"), (Opens::Menu, 1));
    assert_eq!(link("DIRECTORY+FILE"), (Opens::Menu, 1));
    assert_eq!(link("OBJECT"), (Opens::Unknown, 1));
    assert_eq!(link("SYMBOLIC"), (Opens::Unknown, 0));
    for (word, opens) in [("SEARCH", Opens::Search), ("DOCUMENT", Opens::Menu)] {
        let interpretation = format!("ATTRIBUTE LINK FIELD OBJECT-INTERPRETATION SEQUENCE {word}\n");
        let held = list(&[NONE, &format!("LINK L DIRECTORY n INTERNET-D h ASCII /n 0\n{interpretation}")]);
        assert!(matches!(&held.entries[..], [Found::Link(link)] if link.opens() == opens), "{held:?}");
    }
}

#[test]
fn only_targets_within_prospero_and_the_internet_are_objects() {
    for (kind, host_type, name_type, is_object) in [
        ("FILE", "INTERNET-D", "ASCII", true),
        ("FILE", "X.25", "ASCII", false),
        ("FILE", "INTERNET-D", "UNICODE", false),
        ("FILE", "X.25", "UNICODE", false),
        ("EXTERNAL", "INTERNET-D", "ASCII", false),
        ("EXTERNAL", "X.25", "ASCII", false),
    ] {
        let held = list(&[NONE, &format!("LINK L {kind} a {host_type} h {name_type} a 0\n")]);
        let Some(Found::Link(link)) = held.entries.first() else { panic!("{held:?}") };
        assert_eq!(link.object.is_some(), is_object, "{kind} {host_type} {name_type}");
    }
}

#[test]
fn a_target_without_a_host_is_at_the_server_and_so_are_its_contents() {
    let contents = "ATTRIBUTE LINK FIELD ACCESS-METHOD PROSPERO-CONTENTS '' '' '' ''\n";
    let held = list(&[NONE, &format!("LINK L FILE a INTERNET-D '' ASCII a 0\n{contents}")]);
    assert_eq!(held.lines(), ["a prospero://h/a prospero://h/a"]);
}

#[test]
fn security_49_a_hundred_warnings_are_kept() {
    for (sent, kept) in [(99, 99), (100, 100), (101, 100)] {
        let held = list(&[&("WARNING MESSAGE w\n".repeat(sent) + NONE), TWO]);
        assert_eq!((held.is_done, held.entries.len()), (true, kept + 2), "{sent}");
    }
}

#[test]
fn a_line_that_ends_the_answer_too_early_is_not_noise() {
    for (answer, kind) in [("UNRESOLVED a", FaultKind::Partial), ("WHATEVER a", FaultKind::Malformed)] {
        assert_eq!(open(&[answer]).fault.expect("no answer").kind(), kind, "{answer}");
    }
}
