//! The end of a run that somebody or something ends: an interrupt in each phase, closed output, a cache that cannot be written.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::pty::Pty;
use crate::run::{LOCAL, document, open, verdicts};
use crate::support::*;

fn answer(stream: &mut TcpStream, status: &str, fields: &str) {
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n{fields}\r\n");
    // The client may have closed the connection.
    let _ = stream.write_all(head.as_bytes());
}

/// Says nothing until the client hangs up.
fn hang(stream: &mut TcpStream) {
    let _ = stream.read(&mut [0; 1]);
}

/// Starts the program. A shell that starts the tests in the background has them ignore interrupts, which `env` undoes.
fn start(folder: &Folder, arguments: &[&str]) -> Child {
    let direct = command([&["check", "--open"], &LOCAL[..], arguments].concat());
    let mut program = english("env");
    program.arg("--default-signal=INT").arg(direct.get_program()).args(direct.get_args());
    for (name, value) in direct.get_envs() {
        match value {
            Some(value) => program.env(name, value),
            None => program.env_remove(name),
        };
    }
    program.current_dir(&folder.0).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[track_caller]
fn wait_until(holds: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !holds() {
        assert!(Instant::now() < deadline, "it never holds");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Interrupts a run as soon as something holds. Returns its output, and how long it took to end.
fn interrupted(child: Child, holds: impl Fn() -> bool) -> (Output, Duration) {
    wait_until(holds);
    thread::sleep(Duration::from_millis(300));
    let begin = Instant::now();
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    (output, begin.elapsed())
}

/// A port where nothing listens.
fn closed_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

const SOON: Duration = Duration::from_secs(3);

#[test]
fn an_interrupt_while_links_are_searched_ends_at_once() {
    let folder = Folder::new();
    let fifo = folder.path("list");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let child = start(&folder, &["--json", "-f", "list"]);
    // Somebody writes, and does not end.
    let mut writer = fs::OpenOptions::new().write(true).open(&fifo).unwrap();
    writer.write_all(b"http://h.dom/\n").unwrap();
    let (output, elapsed) = interrupted(child, || true);
    let is_interrupted = output.status.signal() == Some(2) || output.status.code() == Some(130);
    assert!(is_interrupted && output.stdout.is_empty() && elapsed < SOON, "{output:?} {elapsed:?}");
}

#[test]
fn an_interrupt_while_links_are_opened_reports_what_is_known() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| match path(head) {
        "/gone" => answer(stream, "404 Not Found", ""),
        "/hangs" => hang(stream),
        _ => answer(stream, "200 OK", ""),
    });
    document(&folder, ["/gone", "/fine", "/hangs"].map(|path| server.url(path)).iter().chain([&"gone.md".to_owned()]));
    let child = start(&folder, &["--json", "--cache", "links.md"]);
    let (output, elapsed) = interrupted(child, || server.requests().iter().any(|head| path(head) == "/hangs"));
    assert_eq!(code(&output), 130, "{output:?}");
    assert!(elapsed < SOON, "{elapsed:?}");
    let found = verdicts(&output);
    assert_eq!(found.len(), 3, "{found:?}");
    assert_eq!((&*found[&server.url("/gone")], &*found["gone.md"]), ("dead not-found", "dead not-found"));
    let cache = text(&folder.read(".urlwise-cache"));
    assert!(cache.contains("/fine") && !cache.contains("/hangs") && !cache.contains("/gone"), "{cache}");
}

#[test]
fn an_interrupt_while_suspects_are_asked_again_reports_their_first_answer() {
    let folder = Folder::new();
    let server = Server::new(|number, _, stream| match number {
        0 => answer(stream, "503 Service Unavailable", ""),
        _ => hang(stream),
    });
    document(&folder, [server.url("/flaky")]);
    let (output, elapsed) = interrupted(start(&folder, &["--json", "links.md"]), || server.requests().len() == 2);
    assert_eq!((code(&output), verdicts(&output)[&server.url("/flaky")].as_str()), (130, "unknown server-error"));
    assert!(elapsed < SOON, "{elapsed:?}");
}

#[test]
fn a_report_after_an_interrupt_says_that_it_is_not_whole() {
    let folder = Folder::new();
    folder.file("links.md", "[1](gone.md)\n[2](links.md) <!-- urlwise: ignore[link-dead] -->\n");
    let server = Server::new(|_, _, stream| hang(stream));
    folder.file("more.md", format!("<{}>\n", server.url("/hangs")));
    let child = start(&folder, &["--format", "sarif", "links.md", "more.md"]);
    let (output, _) = interrupted(child, || !server.requests().is_empty());
    let sarif: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let run = &sarif["runs"][0];
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    let rules: Vec<_> = run["results"].as_array().unwrap().iter().map(|result| &result["ruleId"]).collect();
    assert_eq!(rules, ["link-dead"], "whether the comment is needed is not known");
}

#[test]
fn an_interrupt_while_a_server_wants_patience_ends_the_wait() {
    let folder = Folder::new();
    let server = Server::new(|_, _, stream| answer(stream, "429 Too Many Requests", "Retry-After: 50\r\n"));
    document(&folder, [server.url("/busy"), server.url("/other")]);
    let (output, elapsed) =
        interrupted(start(&folder, &["--json", "--per-host", "1", "links.md"]), || !server.requests().is_empty());
    assert_eq!(code(&output), 130, "{output:?}");
    assert!(elapsed < SOON, "{elapsed:?}");
    let found = verdicts(&output);
    assert_eq!(found.into_iter().collect::<Vec<_>>(), [(server.url("/busy"), "unknown rate-limit".to_owned())]);
}

#[test]
fn a_report_after_an_interrupt_is_not_cut_off_when_its_reader_is_slow() {
    let folder = Folder::new();
    let server = Server::new(|_, _, stream| hang(stream));
    let known = (0..2_000).map(|number| format!("gone{number}.md"));
    document(&folder, known.chain([server.url("/hangs")]));
    let mut child = start(&folder, &["--json", "links.md"]);
    wait_until(|| !server.requests().is_empty());
    thread::sleep(Duration::from_secs(2));
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    thread::sleep(Duration::from_secs(2));
    assert!(child.try_wait().unwrap().is_none(), "the report is longer than a pipe holds");
    let output = child.wait_with_output().unwrap();
    assert_eq!((code(&output), verdicts(&output).len()), (130, 2_000), "{}", text(&output.stderr));
}

#[test]
fn closed_output_ends_the_run_without_a_panic() {
    let folder = Folder::new();
    document(&folder, (0..2_000).map(|number| format!("gone{number}.md")));
    for format in ["human", "json", "sarif", "junit"] {
        let mut child = start(&folder, &["--format", format, "links.md"]);
        let mut head = [0; 100];
        child.stdout.take().unwrap().read_exact(&mut head).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(!text(&output.stderr).contains("panicked"), "{output:?}");
        assert!(output.status.signal().is_none() && code(&output) < 3, "{format}: {output:?}");
    }
}

#[test]
fn a_cache_that_cannot_be_written_is_a_message_and_one_that_cannot_be_read_an_error() {
    let folder = Folder::new();
    document(&folder, ["links.md"]);
    let unwritable = open(&folder, &["--json", "--cache=nowhere/cache", "links.md"]);
    assert_eq!(code(&unwritable), 0, "{unwritable:?}");
    let message = text(&unwritable.stderr);
    assert!(message.contains("--cache: cannot write nowhere/cache: "), "{message}");
    assert_eq!(verdicts(&unwritable)["links.md"], "alive");
    fs::create_dir(folder.path("folder")).unwrap();
    let unreadable = open(&folder, &["--cache=folder", "links.md"]);
    assert_eq!(code(&unreadable), 2, "{unreadable:?}");
    assert!(text(&unreadable.stderr).contains("--cache: cannot read folder: "), "{unreadable:?}");
    // Nothing is left beside it.
    assert_eq!(folder.names(), ["folder", "links.md"]);
}

const NO_SERVER: &str = "no server was reached: is there a network?";

#[test]
fn a_run_that_reaches_no_server_says_so_and_how_to_make_it_fail() {
    let folder = Folder::new();
    let server = Server::new(|_, _, stream| answer(stream, "404 Not Found", ""));
    let (closed, answers) = (format!("http://127.0.0.1:{}/", closed_port()), server.url("/x"));
    let file = format!("file://{}", folder.path("links.md").display());
    let hint = "`--fail-on unknown` makes such a run fail";
    for (links, arguments, expected, has_hint) in [
        (&[closed.as_str(), "links.md", &file, "mailto:joe@host.dom"][..], &[][..], 0, Some(true)),
        (&[&closed, "gopher://127.0.0.1:25/0HELO", "news:comp.infosystems"], &["--quiet"], 0, Some(true)),
        (&[&closed], &["--fail-on", "unknown"], 1, Some(false)),
        (&[&closed, &answers], &[], 1, None),
        (&[&closed], &["--offline"], 0, None),
        (&["links.md", "mailto:joe@host.dom"], &[], 0, None),
    ] {
        document(&folder, links);
        let output = open(&folder, &[&["--connect-timeout", "2s", "--retry", "0"], arguments, &["links.md"]].concat());
        assert_eq!(code(&output), expected, "{links:?} {arguments:?}: {output:?}");
        let told = text(&output.stderr);
        let said = told.contains(NO_SERVER).then(|| told.contains(hint));
        assert_eq!(said, has_hint, "{links:?} {arguments:?}: {told}");
    }
}

#[test]
fn what_is_known_from_the_cache_is_no_server_that_was_reached() {
    let folder = Folder::new();
    let server = Server::new(|_, _, stream| answer(stream, "200 OK", ""));
    document(&folder, [server.url("/x")]);
    assert_eq!(code(&open(&folder, &["--cache", "links.md"])), 0);
    document(&folder, [server.url("/x"), format!("http://127.0.0.1:{}/", closed_port())]);
    let output = open(&folder, &["--cache", "--json", "links.md"]);
    assert_eq!((verdicts(&output)[&server.url("/x")].as_str(), server.requests().len()), ("alive", 1));
    assert!(text(&output.stderr).contains(NO_SERVER), "{output:?}");
}

#[test]
fn a_name_server_for_mail_is_a_server_only_if_it_is_asked() {
    let folder = Folder::new();
    document(&folder, ["mailto:joe@host.dom"]);
    let port = UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let output = open(&folder, &["--json", "--dns", "--dns-server", &format!("127.0.0.1:{port}"), "links.md"]);
    assert_eq!(verdicts(&output)["mailto:joe@host.dom"], "unknown resolver");
    assert!(text(&output.stderr).contains(NO_SERVER), "{output:?}");
}

#[test]
fn a_terminal_shows_the_progress_and_then_only_the_report() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| match path(head) {
        "/slow" => {
            thread::sleep(Duration::from_millis(1_500));
            answer(stream, "404 Not Found", "");
        }
        _ => answer(stream, "200 OK", ""),
    });
    document(&folder, [server.url("/a"), server.url("/slow"), "links.md".into()]);
    let file = folder.path("links.md").display().to_string();
    let arguments = [&["check", "--open"], &LOCAL[..], &[file.as_str()]].concat();
    let mut pty = Pty::piped(&arguments);
    pty.until("2 of 3 links, ");
    let (status, rest) = pty.end();
    assert_eq!(status.code(), Some(1));
    let report = rest.rsplit("\x1b[2K").next().unwrap();
    assert!(report.contains("dead") && report.contains("/slow") && !report.contains(" of 3 links,"), "{rest:?}");
    assert!(rest.contains("3 links in 1 file: 2 alive, 1 dead"), "{rest:?}");

    let quiet = Pty::piped(&[&arguments[..], &["--quiet"]].concat()).end();
    assert_eq!((quiet.0.code(), quiet.1.as_str()), (Some(1), ""));
}
