//! Ctrl-C (client security 50).

use std::io::Write;
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::*;

const LENGTH: usize = 4 << 20;

/// A second, on a machine that has other things to do. What is interrupted would go on for ten times as long.
const SOON: Duration = Duration::from_secs(3);

/// Sends SIGINT, like a terminal.
fn interrupt(child: &Child) {
    send("INT", child);
}

fn send(signal: &str, child: &Child) {
    let options = [format!("-{signal}"), child.id().to_string()];
    assert!(Command::new("kill").args(options).status().unwrap().success());
}

/// Interrupts a run once `ready`. Returns its exit code, the time it took to end, and its messages.
fn interrupted(mut command: Command, ready: impl Fn() -> bool) -> (i32, Duration, String) {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    while !ready() {
        assert!(Instant::now() < deadline, "it never got there");
        thread::sleep(Duration::from_millis(5));
    }
    let start = Instant::now();
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    (code(&output), start.elapsed(), text(&output.stderr))
}

/// Runs a command with signals ignored, as `nohup` and shells without job control do.
#[cfg(target_os = "linux")]
fn ignoring(signals: &str, of: &Command) -> Command {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("trap '' {signals}; exec \"$@\"")).arg("sh").arg(of.get_program()).args(of.get_args());
    let settings = of.get_envs().filter_map(|(name, value)| Some((name, value?)));
    shell.envs(settings);
    shell
}

/// Signals that the caller ignores change nothing, and the others do what they always do.
#[cfg(target_os = "linux")]
#[test]
fn security_50_what_the_caller_ignores_does_not_interrupt_and_the_rest_does() {
    for (signals, ignored, heeded) in [("HUP", &["HUP"][..], "INT"), ("HUP INT", &["HUP", "INT", "INT"], "TERM")] {
        for ends_by_signal in [false, true] {
            let goes_on = Arc::new(AtomicBool::new(false));
            let waits = Arc::clone(&goes_on);
            let server = Server::new(move |_, head, stream| {
                let whole = document(LENGTH);
                give(stream, head, &whole, "\"1\"", LENGTH / 2);
                while !waits.load(Ordering::Relaxed) {
                    thread::sleep(Duration::from_millis(5));
                }
                // Who was ended reads no more.
                let _ = stream.write_all(&whole[LENGTH / 2..]);
            });
            let folder = Folder::new();
            let url = server.url("/x");
            let mut command = ignoring(signals, &command(["get", "-O", &url]));
            let mut child = command.current_dir(&folder.0).stderr(Stdio::null()).spawn().unwrap();
            let deadline = Instant::now() + Duration::from_secs(20);
            let half = || folder.path("x.part").metadata().is_ok_and(|part| part.len() == (LENGTH / 2) as u64);
            while !half() {
                assert!(Instant::now() < deadline, "it never got there");
                thread::sleep(Duration::from_millis(5));
            }
            ignored.iter().for_each(|name| send(name, &child));
            // The time within which an interrupt ends it.
            thread::sleep(Duration::from_millis(1200));
            assert_eq!(child.try_wait().unwrap(), None, "{ignored:?}");
            let expected = if ends_by_signal { 130 } else { 0 };
            match ends_by_signal {
                true => send(heeded, &child),
                false => goes_on.store(true, Ordering::Relaxed),
            }
            assert_eq!(child.wait().unwrap().code(), Some(expected), "{signals}");
            goes_on.store(true, Ordering::Relaxed);
            assert_eq!(folder.path("x").exists(), !ends_by_signal);
        }
    }
}

/// A server that sends half of the document and then stalls.
fn halting() -> Server {
    Server::new(|number, head, stream| {
        give(stream, head, &document(LENGTH), "\"1\"", if number == 0 { LENGTH / 2 } else { LENGTH });
        if number == 0 {
            thread::sleep(Duration::from_secs(30));
        }
    })
}

#[test]
fn security_50_an_interrupt_leaves_a_partial_file_within_a_second_that_can_be_resumed() {
    let (folder, server) = (Folder::new(), halting());
    let url = server.url("/x");
    let mut command = command(["get", "-O", &url]);
    command.current_dir(&folder.0);
    let half = || folder.path("x.part").metadata().is_ok_and(|part| part.len() == (LENGTH / 2) as u64);
    let (code_of, time, told) = interrupted(command, half);
    assert_eq!(code_of, 130, "{told}");
    assert!(time < SOON, "{time:?}");
    assert!(told.contains("--continue"), "{told}");
    assert_eq!(code(&folder.urlwise(["get", "-O", "--continue", &url])), 0);
    assert!(folder.read("x") == document(LENGTH));
    assert_eq!(folder.names(), ["x"]);
}

#[test]
fn security_50_all_parallel_transfers_end() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| {
        give(stream, head, &document(LENGTH), "\"1\"", LENGTH / 2);
        thread::sleep(Duration::from_secs(30));
    });
    let urls: Vec<String> = (0..20).map(|n| server.url(&format!("/{n}"))).collect();
    let arguments = ["get", "-O", "--parallel", "4"].map(str::to_owned);
    let mut command = command(arguments.iter().chain(&urls));
    command.current_dir(&folder.0);
    let (code_of, time, told) = interrupted(command, || server.requests().len() == 4);
    assert_eq!((code_of, server.requests().len()), (130, 4), "{told}");
    assert!(time < SOON, "{time:?}");
}

#[test]
fn security_50_a_silent_server_does_not_delay_the_end() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://127.0.0.1:{}/", listener.local_addr().unwrap().port());
    let accepted = thread::spawn(move || listener.accept().unwrap());
    let (code_of, time, told) = interrupted(command(["get", &url]), || accepted.is_finished());
    assert_eq!(code_of, 130, "{told}");
    assert!(time < SOON, "{time:?}");
}

#[test]
fn security_50_a_blocked_pipe_does_not_delay_the_end() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| give(stream, head, &document(LENGTH), "\"1\"", LENGTH));
    let url = server.url("/x");
    let mut program = command(["get", &url]);
    // A pipe holds less than the document.
    let mut child = program.current_dir(&folder.0).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    while server.requests().is_empty() {
        thread::sleep(Duration::from_millis(5));
    }
    thread::sleep(Duration::from_millis(300));
    let start = Instant::now();
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
}

#[test]
fn security_50_waiting_for_a_retry_is_interrupted() {
    let server = Server::new(|_, _, stream| {
        let _ = stream.write_all(b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n");
    });
    let url = server.url("/x");
    let (code_of, time, told) = interrupted(command(["get", "--retry", "9", &url]), || server.requests().len() == 3);
    // It ends by itself, not by the timer.
    assert!(code_of == 130 && told.ends_with("interrupted\n"), "{code_of}: {told}");
    assert!(time < SOON, "{time:?}");
}

#[test]
fn security_50_a_list_ends_where_it_is_interrupted() {
    let folder = Folder::new();
    let server = Server::new(|number, head, stream| {
        // The tenth document stays incomplete.
        give(stream, head, path(head).as_bytes(), "\"1\"", if number == 9 { 1 } else { 999 });
        if number == 9 {
            thread::sleep(Duration::from_secs(30));
        }
    });
    folder.file("urls", (0..10_000).map(|n| server.url(&format!("/{n}")) + "\n").collect::<String>());
    let mut command = command(["get", "-O", "--output-dir", "to", "--max-time", "60", "-i", "urls"]);
    command.current_dir(&folder.0);
    let ended = |n: usize| folder.path(&format!("to/{n}")).is_file();
    let (code_of, time, told) = interrupted(command, || ended(8) && server.requests().len() >= 10);
    assert_eq!(code_of, 130, "{told}");
    assert!(time < SOON, "{time:?}");
    for n in 0..9 {
        assert_eq!(text(&folder.read(&format!("to/{n}"))), format!("/{n}"), "what was complete stays");
    }
    assert_eq!(server.requests().len(), 10, "and nothing more is asked for");
}

#[test]
fn security_50_a_listing_is_interrupted_after_the_entries_that_have_arrived() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("gopher://127.0.0.1:{}/", listener.local_addr().unwrap().port());
    let served = thread::spawn(move || {
        let mut stream = listener.accept().unwrap().0;
        for n in 0..1_000 {
            write!(stream, "0Entry {n}\t/{n}\th.example\t70\r\n").unwrap();
        }
        stream
    });
    let folder = Folder::new();
    let mut command = command(["ls", &url]);
    command.current_dir(&folder.0);
    let (code_of, time, told) = interrupted(command, || served.is_finished());
    assert_eq!(code_of, 130, "{told}");
    assert!(time < SOON, "{time:?}");
    assert!(folder.names().is_empty(), "a listing leaves nothing");
}

#[test]
fn security_50_a_list_that_is_an_open_pipe_ends_after_what_it_has_named() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| give(stream, head, path(head).as_bytes(), "\"1\"", 999));
    let mut program = command(["get", "-O", "-i", "-"]);
    let mut child = program.current_dir(&folder.0).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut list = child.stdin.take().unwrap();
    list.write_all(format!("{}\n", server.url("/x")).as_bytes()).unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    while !folder.path("x").is_file() {
        assert!(Instant::now() < deadline, "a URL is not kept waiting for the end of its list");
        thread::sleep(Duration::from_millis(5));
    }
    let start = Instant::now();
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 130, "{}", text(&output.stderr));
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    assert_eq!((folder.read("x"), folder.names()), (b"/x".to_vec(), vec!["x".to_owned()]));
    drop(list);
}

#[test]
fn security_57_an_interrupted_tree_leaves_what_is_complete_and_a_partial_file_that_can_be_resumed() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| match path(head) {
        "/" => {
            let page = "<a href=done>1</a><a href=half>2</a><a href=later>3</a>";
            let length = page.len();
            let kind = "Content-Type: text/html\r\nConnection: close";
            let _ =
                write!(stream, "HTTP/1.1 200 OK\r\n{kind}\r\nETag: \"1\"\r\nContent-Length: {length}\r\n\r\n{page}");
        }
        "/robots.txt" => {
            let _ = stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        }
        "/half" if !head.to_ascii_lowercase().contains("\r\nrange:") => {
            give(stream, head, &document(LENGTH), "\"1\"", LENGTH / 2);
            thread::sleep(Duration::from_secs(30));
        }
        "/half" => give(stream, head, &document(LENGTH), "\"1\"", LENGTH),
        name => give(stream, head, name.as_bytes(), "\"1\"", 999),
    });
    let url = server.url("/");
    let authority = url.strip_prefix("http://").unwrap().trim_end_matches('/');
    let saved = |name: &str| format!("{}/{name}", authority.replace(':', "_"));
    let arguments = ["get", "--recursive", "--wait", "0", &url];
    let mut command = command(arguments);
    command.current_dir(&folder.0);
    let half = || folder.path(&saved("half.part")).metadata().is_ok_and(|part| part.len() == (LENGTH / 2) as u64);
    let (code_of, time, told) = interrupted(command, half);
    assert_eq!(code_of, 130, "{told}");
    assert!(time < SOON, "{time:?}");
    assert_eq!(text(&folder.read(&saved("done"))), "/done", "what was complete stays");
    assert!(folder.path(&saved("half.part")).is_file() && !folder.path(&saved("half")).exists(), "{told}");
    assert!(!server.requests().iter().any(|head| path(head) == "/later"), "and nothing more is asked for");
    let resumed = folder.urlwise([&arguments[..], &["--continue"]].concat());
    assert_eq!(code(&resumed), 0, "{}", text(&resumed.stderr));
    assert!(folder.read(&saved("half")) == document(LENGTH) && folder.read(&saved("later")) == b"/later");
    assert!(!folder.path(&saved("half.part")).exists());
}

/// Gives a command an input that does not end, interrupts it when it has printed what it can, and checks that the signal ends it.
/// Returns what was printed.
fn ended_by_the_signal(arguments: &[&str], input: &str) -> String {
    use std::io::Read;
    use std::os::unix::process::ExitStatusExt;

    let mut program = english("env");
    program.args(["--default-signal=INT", env!("CARGO_BIN_EXE_urlwise")]).args(arguments);
    let mut child = program.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut writer = child.stdin.take().unwrap();
    let mut output = child.stdout.take().unwrap();
    let count = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&count);
    let printed = thread::spawn(move || {
        let (mut printed, mut some) = (Vec::new(), [0; 4096]);
        while let Ok(length @ 1..) = output.read(&mut some) {
            printed.extend_from_slice(&some[..length]);
            seen.store(printed.len(), Ordering::Relaxed);
        }
        text(&printed)
    });
    // More than a pipe holds, and no end: the input stays open. A line that is being written would be cut.
    writer.write_all(input.repeat(20_000).as_bytes()).unwrap();
    let mut before = usize::MAX;
    while before != count.load(Ordering::Relaxed) {
        before = count.load(Ordering::Relaxed);
        thread::sleep(Duration::from_millis(500));
    }
    let begin = Instant::now();
    interrupt(&child);
    while child.try_wait().unwrap().is_none() && begin.elapsed() < SOON {
        thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    assert_eq!(child.wait().unwrap().signal(), Some(2), "{arguments:?}: {:?}", begin.elapsed());
    printed.join().unwrap()
}

#[test]
fn an_interrupted_search_ends_by_the_signal_and_has_printed_whole_lines() {
    let printed = ended_by_the_signal(&["find", "--no-config", "-"], "see http://h.example/ there\n");
    assert!(printed.is_empty() || printed.ends_with('\n'), "{:?}", printed.lines().last());
}

#[test]
fn a_list_that_is_an_open_pipe_is_ended_by_the_signal() {
    for command in [&["check"][..], &["check", "--json"], &["parse"], &["explain"]] {
        ended_by_the_signal(&[command, &["-f", "-"]].concat(), "http://h .example/\nhttp://h.example/\n");
    }
}

#[test]
fn security_16_that_a_password_went_in_clear_is_said_when_the_wait_for_another_attempt_is_interrupted() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let server = Server::new(move |_, _, _| {
        count.fetch_add(1, Ordering::Relaxed);
    });
    let url = server.url("/").replace("//", "//jim:MaRkEr@");
    let get = command(["get", "--http-userinfo", "--retry", "3", &url]);
    let (code, _, shown) = interrupted(get, || {
        let is_asked = asked.load(Ordering::Relaxed) == 1;
        if is_asked {
            thread::sleep(Duration::from_millis(400)); // the first wait takes a second
        }
        is_asked
    });
    assert_eq!((code, asked.load(Ordering::Relaxed)), (130, 1), "{shown}");
    assert_eq!(
        (shown.matches("retrying in 1s").count(), shown.matches("password-in-clear").count()),
        (1, 1),
        "{shown}"
    );
    assert!(!shown.contains("MaRkEr"), "{shown}");
}
