//! Probes of file and mailto URLs, and of schemes that nothing opens.

use super::{Row, check, probe};
use crate::support::{Folder, client, url};
use std::fs;
use urlwise_open::{Cause, ProbeOptions, ProbeVerdict};

const FILES: &[Row] = &[
    ("/plain.txt", "alive", None),
    ("/a%20b.txt", "alive", None),
    ("/a%23b.txt", "alive", None),
    ("/sub/", "alive", None),
    ("/sub", "alive", None),
    ("/sub/deep.txt", "alive", None),
    ("/nowhere.txt", "dead (not-found)", None),
    ("/Plain.txt", "dead (not-found)", None),
    ("/plain.txt/x", "dead (not-found)", None),
    ("/sub/nowhere/deep.txt", "dead (not-found)", None),
];

#[test]
fn a_file_is_named_octet_for_octet() {
    let folder = Folder::new();
    fs::create_dir(folder.join("sub")).expect("our folder");
    for name in ["plain.txt", "a b.txt", "a#b.txt", "sub/deep.txt"] {
        folder.write(name, name);
    }
    check(&client(), FILES, |path| format!("file://{}{path}", folder.text("").trim_end_matches('/')));
    let mut options = ProbeOptions::default();
    options.body_limit = Some(5);
    let found = client().probe(&url(format!("file://{}", folder.text("plain.txt"))), &options);
    assert_eq!(found.body.map(|body| (body.octets, body.is_complete)), Some((b"plain".to_vec(), false)));
}

#[cfg(unix)]
#[test]
fn a_device_is_refused_and_not_opened() {
    let probe = probe(&client(), "file:///dev/zero");
    assert_eq!(probe.verdict, ProbeVerdict::Refused, "{:?}", probe.error);
}

const OTHERS: &[Row] = &[
    ("mailto:joe@host.dom", "alive", None),
    ("mailto:joe@host.dom?subject=Hello", "alive", None),
    ("mailto:joe@host.dom?cc=jim@host.dom", "refused", None),
    ("news:comp.lang.c", "skipped (no-server)", None),
    ("news:id@host.dom", "skipped (no-server)", None),
    ("hhtp://h.example/", "skipped (unsupported)", None),
    ("tel:+15550100", "skipped (unsupported)", None),
    ("gopher://h.example/8login", "skipped (unsupported)", None),
    ("gopher://h.example/hURL:http://other.example/", "skipped (unsupported)", None),
];

#[test]
fn what_needs_no_server_is_judged_without_one() {
    check(&client(), OTHERS, str::to_owned);
    assert_eq!(probe(&client(), "news:comp.lang.c").verdict, ProbeVerdict::Skipped(Cause::NoServer));
}
