//! Probes of gopher against gophernicus and pygopherd, and of answers that they do not give.

use super::{Row, check, codes, probe};
use crate::support::{Authority, Gophernicus, Listener, Pygopherd, client, client_with, require, url};
use urlwise_open::{Cause, ProbeOptions, ProbeVerdict, Roots};

const GOPHERNICUS: &[Row] = &[
    ("", "alive", None),
    ("/", "alive", None),
    ("/1/docs", "alive", None),
    ("/0/about.txt", "alive", None),
    ("/9/data.bin", "alive", None),
    ("/0/docs/a%20b.txt", "alive", None),
    ("/0/nowhere.txt", "dead (not-found)", None),
    ("/1/nowhere", "dead (not-found)", None),
    ("/9/nowhere.bin", "dead (not-found)", None),
];

#[test]
fn every_item_of_gophernicus_has_its_verdict() {
    if !require(Gophernicus::PROGRAMS) {
        return;
    }
    let server = Gophernicus::start();
    server.write("about.txt", "Hello\n.\n..two dots\nEnd.\n");
    server.write("data.bin", (0..=255).collect::<Vec<u8>>());
    server.write("docs/a b.txt", "space\n");
    server.write("gophermap", "!Test menu\n0About\t/about.txt\n1Docs\t/docs\n");
    check(&client(), GOPHERNICUS, |path| server.url(path));
}

const PYGOPHERD: &[Row] = &[
    ("/1", "alive", None),
    ("/0/about.txt", "alive", None),
    ("/0/about.txt%09%09+", "alive", None),
    ("/0/about.txt%09%09!", "alive", None),
    ("/0/nowhere.txt", "dead (not-found)", None),
    ("/0/nowhere.txt%09%09+", "dead (not-found)", Some(1)),
];

#[test]
fn every_item_of_pygopherd_has_its_verdict() {
    if !require(Pygopherd::PROGRAMS) || !require(&["openssl"]) {
        return;
    }
    let authority = Authority::new();
    let Some(server) = Pygopherd::start(Some(&authority)) else { return };
    server.write("about.txt", "Hello\n");
    check(&client(), PYGOPHERD, |path| server.url(path));
    let trusting = client_with(|options| options.roots = Roots::Pem(authority.ca()));
    assert_eq!(probe(&trusting, server.tls_url("/0/about.txt")).verdict, ProbeVerdict::Alive);
    assert_eq!(probe(&client(), server.tls_url("/0/about.txt")).verdict, ProbeVerdict::Unknown(Cause::Tls));
}

/// Answers, and the verdicts of an item of type 0, 1, 7 and 9 that is answered so.
const ANSWERS: &[(&str, [&str; 4])] = &[
    ("Hello\r\n.\r\n", ["alive", "alive", "alive", "alive"]),
    (
        "3'/x' does not exist\t\terror.host\t1\r\n.\r\n",
        ["dead (not-found)", "dead (not-found)", "skipped (needs-input)", "dead (not-found)"],
    ),
    (
        "3Something went wrong\t\terror.host\t1\r\n.\r\n",
        ["dead (not-found)", "dead (not-found)", "skipped (needs-input)", "dead (not-found)"],
    ),
    ("3'/x' does not exist\tfake\t(NULL)\t0\r\n.\r\n", ["alive", "dead (not-found)", "skipped (needs-input)", "alive"]),
    (
        "--1\r\n1 Joe <joe@h.example>\r\nNo such item\r\n.\r\n",
        ["dead (not-found)", "dead (not-found)", "skipped (needs-input)", "dead (not-found)"],
    ),
    (
        "--1\r\n2 Joe <joe@h.example>\r\nBusy\r\n.\r\n",
        ["unknown (server-error)", "unknown (server-error)", "skipped (needs-input)", "unknown (server-error)"],
    ),
];

#[test]
fn errors_of_gopher_are_known_in_place_of_an_item() {
    for (answer, verdicts) in ANSWERS {
        let listener = Listener::answering_line(*answer);
        for (gtype, verdict) in "0179".chars().zip(verdicts) {
            let probe = probe(&client(), listener.gopher_url(&format!("/{gtype}x")));
            assert_eq!(probe.verdict.to_string(), *verdict, "{gtype} {answer}");
        }
    }
    let listener = Listener::answering_line("3no match\t\terror.host\t1\r\n.\r\n");
    let searched = probe(&client(), listener.gopher_url("/7x%09words"));
    assert_eq!(searched.verdict, ProbeVerdict::Dead(Cause::NotFound), "the search is not what is missing");
    let listener = Listener::answering_line("3Something went wrong\tfake\t(NULL)\t0\r\n.\r\n");
    let plus = probe(&client(), listener.gopher_url("/1x%09%09+"));
    assert_eq!(plus.verdict, ProbeVerdict::Dead(Cause::NotFound), "a menu of Gopher+ with nothing but an error");
}

#[test]
fn an_empty_answer_is_noted_and_what_looks_like_an_error_proves_nothing() {
    let empty = probe(&client(), Listener::answering_line("").gopher_url("/0x"));
    assert_eq!((empty.verdict, codes(&empty)), (ProbeVerdict::Alive, vec!["empty-answer"]));
    for (words, verdict) in [
        ("Error: File or directory not found!\r\n", "dead (not-found)"),
        ("Error: Access denied!\r\n", "unknown (rejected)"),
    ] {
        for gtype in "019".chars() {
            let looks = probe(&client(), Listener::answering_line(words).gopher_url(&format!("/{gtype}x")));
            assert_eq!(looks.verdict.to_string(), verdict, "{gtype} {words}");
        }
    }
}

#[test]
fn a_body_of_gopher_is_cut_where_it_is_asked_to_be() {
    let text = "line\r\n".repeat(400);
    let listener = Listener::answering_line(text.clone());
    for (limit, is_complete) in [(5, false), (600, false), (1_999, false), (2_000, true), (3_000, true)] {
        let mut options = ProbeOptions::default();
        options.body_limit = Some(limit);
        let body = client().probe(&url(listener.gopher_url("/0x")), &options).body.expect("a document");
        assert_eq!((body.octets.len(), body.is_complete), (limit.min(2_000), is_complete), "{limit}");
    }
    let menu = Listener::answering_line("0Item\t/x\th\t70\r\n.\r\n");
    let mut options = ProbeOptions::default();
    options.body_limit = Some(100);
    let found = client().probe(&url(menu.gopher_url("/1x")), &options);
    assert_eq!((found.verdict, found.body), (ProbeVerdict::Alive, None), "a menu is not a document");
}
