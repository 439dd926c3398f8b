//! Access methods one by one: the value that a server sends, and its URL.

use crate::held::{Lines, hold};
use urlwise_open::protocol::prospero::ProsperoGoal;

/// The entry for a value of an object of host `h`, port 191.
fn entry(value: &str) -> String {
    let answer = format!("ATTRIBUTE OBJECT FIELD ACCESS-METHOD {value}\n");
    let held = hold("prospero://h:191//obj", ProsperoGoal::List, &[answer.as_str(), "NONE-FOUND\n"]);
    match held.lines().as_slice() {
        [line] => line.clone(),
        [] => held.notes.join(" "),
        lines => panic!("{lines:?}"),
    }
}

#[test]
fn values_become_urls() {
    for (value, line) in [
        ("AFTP INTERNET-D f.dom ASCII '/pub/a b;c' TEXT", "AFTP TEXT ftp://f.dom/pub/a%20b%3Bc;type=a"),
        ("AFTP INTERNET-D f.dom ASCII '/pub/x' ASCII", "AFTP ASCII ftp://f.dom/pub/x;type=a"),
        ("AFTP INTERNET-D f.dom(21) ASCII '//pub//x' BINARY", "AFTP BINARY ftp://f.dom/pub/x;type=i"),
        ("AFTP INTERNET-D f.dom(2121) ASCII pub DIRECTORY", "AFTP DIRECTORY ftp://f.dom:2121/pub;type=d"),
        ("FTP INTERNET-D f.dom ASCII '/usr/x' BINARY", "FTP BINARY ftp://f.dom/%2Fusr/x;type=i"),
        ("FTP INTERNET-D f.dom ASCII x BINARY", "FTP BINARY ftp://f.dom/x;type=i"),
        ("GOPHER INTERNET-D g.dom ASCII '0/about'", "GOPHER gopher://g.dom/00/about"),
        ("GOPHER INTERNET-D g.dom(71) ASCII '/a b' 9", "GOPHER 9 gopher://g.dom:71/9/a%20b"),
        ("GOPHER INTERNET-D g.dom ASCII x TEXT", "GOPHER TEXT gopher://g.dom/0x"),
        ("GOPHER INTERNET-D g.dom ASCII x BINARY", "GOPHER BINARY gopher://g.dom/9x"),
        (
            "WAIS INTERNET-D g.dom ASCII 'WAIS-GW/w.dom(8210)/TEXT/d%20b/1%2f/2'",
            "WAIS wais://w.dom:8210/d%20b/TEXT/1%2F%2F2",
        ),
        ("TELNET INTERNET-D t.dom(24) ASCII ''", "TELNET telnet://t.dom:24/"),
        ("TELNET INTERNET-D t.dom ASCII '' 'Use the account name \"a@b\" to log in'", "TELNET telnet://a%40b@t.dom/"),
        ("TELNET INTERNET-D t.dom ASCII '' 'Use the account name \"\" to log in'", "TELNET telnet://t.dom/"),
        ("TELNET INTERNET-D t.dom ASCII '' 'some text' more", "TELNET telnet://t.dom/"),
        ("LOCAL '' '' '' '/a b/c'", "LOCAL file:///a%20b/c"),
        ("PROSPERO-CONTENTS '' '' '' ''", "PROSPERO-CONTENTS prospero://h:191//obj"),
    ] {
        assert_eq!(entry(value), line, "{value}");
    }
}

#[test]
fn empty_tokens_are_those_of_the_object_but_never_the_port_of_prospero() {
    assert_eq!(entry("AFTP '' '' '' '' TEXT"), "AFTP TEXT ftp://h/obj;type=a");
    assert_eq!(entry("GOPHER '' '' '' '' 0"), "GOPHER 0 gopher://h/0/obj");
    assert_eq!(entry("TELNET '' 't.dom(99)' '' ''"), "TELNET telnet://t.dom:99/");
}

#[test]
fn a_value_without_a_url_is_shown_in_full() {
    for (value, line) in [
        ("TN3270 INTERNET-D t.dom ASCII ''", "TN3270 INTERNET-D t.dom ASCII /obj"),
        ("NFS INTERNET-D n.dom ASCII pub '/export'", "NFS INTERNET-D n.dom ASCII pub /export"),
        ("AFS '' '' '' '/afs/x'", "AFS INTERNET-D h ASCII /afs/x"),
        ("RCP INTERNET-D r.dom ASCII x", "RCP INTERNET-D r.dom ASCII x"),
        ("WAIS INTERNET-D w.dom ASCII 'WAIS/OBJECT/x'", "WAIS INTERNET-D w.dom ASCII WAIS/OBJECT/x"),
        ("WAIS INTERNET-D w.dom ASCII 'WAIS-GW/w.dom/TEXT/db'", "WAIS INTERNET-D w.dom ASCII WAIS-GW/w.dom/TEXT/db"),
        ("PROSPERO-CONTENTS INTERNET-D 'h(0)' ASCII ''", "PROSPERO-CONTENTS INTERNET-D h(0) ASCII /obj"),
        ("LOCAL '' '' '' obj", "LOCAL INTERNET-D h ASCII obj"),
        ("X-NEW INTERNET-D n.dom ASCII x y z", "X-NEW INTERNET-D n.dom ASCII x y z"),
        ("AFTP INTERNET-D f.dom ASCII x EBCDIC", "AFTP INTERNET-D f.dom ASCII x EBCDIC"),
        ("AFTP VIRTUAL-SYSTEM f.dom ASCII x TEXT", "AFTP VIRTUAL-SYSTEM f.dom ASCII x TEXT"),
        ("AFTP INTERNET-D f.dom UNICODE x TEXT", "AFTP INTERNET-D f.dom UNICODE x TEXT"),
        ("GOPHER INTERNET-D g.dom ASCII ' ' XYZ", "GOPHER INTERNET-D g.dom ASCII   XYZ"),
        ("GOPHER INTERNET-D g.dom ASCII 'a\r\nb' 0", "GOPHER INTERNET-D g.dom ASCII a\r\nb 0"),
    ] {
        assert_eq!(entry(value), line, "{value}");
    }
}

#[test]
fn a_value_of_the_wrong_length_is_skipped_and_noted() {
    for value in [
        "AFTP",
        "AFTP INTERNET-D f.dom ASCII x",
        "AFTP INTERNET-D f.dom ASCII x TEXT y",
        "GOPHER INTERNET-D g.dom ASCII x 0 1",
        "LOCAL '' '' '' '' ''",
        "PROSPERO-CONTENTS",
        "X-NEW a b c",
    ] {
        assert_eq!(entry(value), "method-not-understood", "{value}");
    }
}

#[test]
fn security_2_a_host_with_delimiters_has_no_url() {
    for host in
        ["f.dom/x", "u@f.dom", "f.dom:80", "f.dom#", "f.dom?x", "f.dom(0)", "f.dom(70000)", "f.dom(", "f dom", "[::1"]
    {
        for value in [
            format!("AFTP INTERNET-D '{host}' ASCII x TEXT"),
            format!("GOPHER INTERNET-D '{host}' ASCII x 0"),
            format!("TELNET INTERNET-D '{host}' ASCII ''"),
            format!("WAIS INTERNET-D w ASCII 'WAIS-GW/{host}/TEXT/db/1'"),
        ] {
            // A slash separates the names of the gateway, so this is another host.
            if value.starts_with("WAIS") && host.contains('/') {
                continue;
            }
            assert!(!entry(&value).contains("://"), "{value}: {}", entry(&value));
        }
    }
}
