//! Progress bars, only at a terminal.

use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::support::*;

/// A slow server.
fn slow() -> Server {
    Server::new(|_, head, stream| {
        give(stream, head, &document(100_000), "\"1\"", 50_000);
        thread::sleep(Duration::from_millis(400));
        let _ = std::io::Write::write_all(stream, &document(100_000)[50_000..]);
    })
}

/// The output in a terminal of 60 columns.
fn on_a_terminal(folder: &Folder, arguments: &str) -> String {
    let command = format!("stty cols 60; {} get {arguments}", env!("CARGO_BIN_EXE_urlwise"));
    let output = english("script")
        .args(["-qec", &command, "/dev/null"])
        .env_remove("COLUMNS")
        .env("TERM", "xterm")
        .current_dir(&folder.0)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output.stdout));
    text(&output.stdout)
}

#[test]
fn each_transfer_has_a_bar_and_there_is_a_total() {
    let (folder, server) = (Folder::new(), slow());
    let urls = ["/one", "/two%1B"].map(|path| format!("'{}'", server.url(path)));
    let shown = on_a_terminal(&folder, &format!("-O --parallel 2 {}", urls.join(" ")));
    for expected in ["one  ", "two%1B  ", "all  ", "0 of 2", "KiB", "50% ", "/97.66 KiB"] {
        assert!(shown.contains(expected), "{expected}: {shown:?}");
    }
    assert!(shown.ends_with("\x1b[2K") || shown.ends_with('\r'), "nothing of the bars is left: {shown:?}");
}

#[test]
fn there_are_no_bars_without_a_terminal() {
    let (folder, server) = (Folder::new(), slow());
    let url = server.url("/x");
    assert!(folder.urlwise(["get", "-O", &url]).stderr.is_empty());
    assert_eq!(on_a_terminal(&folder, &format!("-q -o quiet '{url}'")), "");
}

#[test]
fn a_document_on_a_terminal_is_not_drawn_over() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| {
        give(stream, head, b"first\nsecond\n", "\"1\"", 6);
        thread::sleep(Duration::from_millis(400));
        let _ = std::io::Write::write_all(stream, b"second\n");
    });
    assert_eq!(on_a_terminal(&folder, &format!("'{}'", server.url("/x"))), "first\r\nsecond\r\n");
}
