//! Several URLs in one run.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::*;

#[test]
fn the_exit_code_is_that_of_the_first_failure_and_the_other_urls_are_downloaded() {
    let folder = Folder::new();
    let url = file_url(&folder.file("there", "there\n"));
    let output = urlwise(&["get", "file:///no/such", &url, "telnet://h.dom/"]);
    assert_eq!((code(&output), text(&output.stdout)), (10, "there\n".into()));
}

#[test]
fn documents_on_standard_output_come_in_the_order_of_their_urls() {
    let folder = Folder::new();
    let urls: String = (0..50).map(|n| file_url(&folder.file(&n.to_string(), format!("{n}\n"))) + "\n").collect();
    folder.file("urls", urls);
    let expected: String = (0..50).map(|n| format!("{n}\n")).collect();
    for option in ["-i", "-f", "--file"] {
        assert_eq!(text(&folder.urlwise(["get", option, "urls"]).stdout), expected);
    }
}

#[test]
fn parallel_downloads_run_at_the_same_time_up_to_the_limit() {
    let folder = Folder::new();
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (busy, peak) = (Arc::clone(&now), Arc::clone(&most));
    let server = Server::new(move |_, head, stream| {
        peak.fetch_max(busy.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(30));
        busy.fetch_sub(1, Ordering::SeqCst);
        give(stream, head, path(head).as_bytes(), "\"1\"", 999);
    });
    let urls: String = (0..40).map(|n| server.url(&format!("/{n}")) + "\n").collect();
    folder.file("urls", urls);
    let output = folder.urlwise(["get", "-O", "--parallel", "4", "--output-dir", "to", "-i", "urls"]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    for n in 0..40 {
        assert_eq!(text(&folder.read(&format!("to/{n}"))), format!("/{n}"));
    }
    assert_eq!(most.load(Ordering::SeqCst), 4);
}

#[test]
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
fn sixty_four_downloads_take_no_thread_each() {
    let folder = Folder::new();
    let may_end = Arc::new(std::sync::Barrier::new(65));
    let ends = Arc::clone(&may_end);
    let server = Server::new(move |_, head, stream| {
        ends.wait();
        give(stream, head, path(head).as_bytes(), "\"1\"", 999);
    });
    let urls: String = (0..64).map(|n| server.url(&format!("/{n}")) + "\n").collect();
    folder.file("urls", urls);
    let mut command = command(["get", "-q", "-O", "--parallel", "64", "--output-dir", "to", "-i", "urls"]);
    let mut child = command.current_dir(&folder.0).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    while server.requests().len() < 64 {
        assert!(Instant::now() < deadline, "{} have begun", server.requests().len());
        std::thread::sleep(Duration::from_millis(5));
    }
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    may_end.wait();
    assert!(child.wait().unwrap().success());
    // The one that reads the list, the event loop, and the one for signals.
    assert!(status.contains("\nThreads:\t3\n"), "{status}");
    assert_eq!(text(&folder.read("to/63")), "/63");
}

/// As one after the other, where the second finds the file.
#[test]
fn security_42_of_parallel_downloads_with_one_name_one_is_saved_and_the_others_are_not_requested() {
    for more in [&["-q"][..], &["-q", "--force"]] {
        let folder = Folder::new();
        let (refused, are_refused) = mpsc::channel();
        let are_refused = Mutex::new(are_refused);
        let server = Server::new(move |_, head, stream| {
            are_refused.lock().unwrap().recv().unwrap();
            give(stream, head, path(head).as_bytes(), "\"1\"", 999);
        });
        let urls = [server.url("/a/x"), server.url("/b/x"), server.url("/a/x")];
        let arguments = ["get", "-O", "--parallel", "3"].into_iter().chain(more.iter().copied());
        let mut command = command(arguments.chain(urls.iter().map(String::as_str)));
        let mut child = command.current_dir(&folder.0).stderr(Stdio::piped()).spawn().unwrap();
        let errors = BufReader::new(child.stderr.take().unwrap()).lines();
        for error in errors.take(2).map(Result::unwrap) {
            assert!(error.contains("another transfer of this run is being saved as x; use --output"), "{error}");
        }
        refused.send(()).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(14));
        assert_eq!((server.requests().len(), folder.names()), (1, vec!["x".to_owned()]));
        assert_eq!(text(&folder.read("x")), path(&server.requests()[0]));
    }
}

#[test]
fn parallel_downloads_exit_with_the_first_failure_in_url_order() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| {
        let status = if path(head) == "/slow" { "404 Not Found" } else { "500 Oh" };
        if path(head) == "/slow" {
            std::thread::sleep(Duration::from_millis(100));
        }
        let _ = stream.write_all(format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n").as_bytes());
    });
    let urls = [server.url("/slow"), server.url("/x"), server.url("/y")];
    let output = folder.urlwise(["get", "-O", "--parallel", "3", &urls[0], &urls[1], &urls[2]]);
    assert_eq!(code(&output), 10);
}

#[test]
fn every_url_has_a_line_of_json() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| give(stream, head, path(head).as_bytes(), "\"1\"", 999));
    let bad = "http://h.dom/a b";
    let arguments = ["get", "-O", "--json", "--parallel", "2"].map(str::to_owned);
    let urls: Vec<String> = (0..20).map(|n| server.url(&format!("/{n}"))).chain([bad.to_owned()]).collect();
    let output = folder.urlwise(arguments.iter().chain(&urls));
    assert_eq!(code(&output), 3);
    let lines: Vec<Value> = text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut told: Vec<&str> = lines.iter().map(|line| line["url"].as_str().unwrap()).collect();
    told.sort_unstable();
    let mut expected: Vec<&str> = urls.iter().map(String::as_str).collect();
    expected.sort_unstable();
    assert_eq!(told, expected);
    for line in lines {
        let is_bad = line["url"] == bad;
        assert_eq!((line["ok"] == false, line["exit"] == 3), (is_bad, is_bad), "{line}");
        assert_eq!(line["saved_as"].is_null(), is_bad);
    }
}

#[test]
fn with_fail_fast_nothing_is_started_after_a_failure() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| match path(head) {
        "/bad" => drop(stream.write_all(b"HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")),
        other => give(stream, head, other.as_bytes(), "\"1\"", 999),
    });
    let urls = [server.url("/a"), server.url("/bad"), server.url("/b")];
    for parallel in ["1", "2"] {
        let arguments = ["get", "-O", "--force", "--fail-fast", "--parallel", parallel];
        let many: Vec<&str> = arguments.into_iter().chain([urls[0].as_str(), &urls[1]]).collect();
        let many: Vec<&str> = many.into_iter().chain(std::iter::repeat_n(urls[2].as_str(), 100)).collect();
        let before = server.requests().len();
        let output = folder.urlwise(&many);
        assert_eq!(code(&output), 10);
        assert!(server.requests().len() - before < 10, "{}", server.requests().len());
    }
    let all = folder.urlwise(["get", &urls[0], &urls[1], &urls[2]]);
    assert_eq!((code(&all), text(&all.stdout)), (10, "/a/b".into()));
}

#[test]
fn parallel_downloads_require_files() {
    let output = urlwise(&["get", "--parallel", "2", "file:///x"]);
    assert_eq!(code(&output), 2);
    assert!(text(&output.stderr).contains("--remote-name"));
    for count in ["0", "257", "-1"] {
        assert_eq!(code(&urlwise(&["get", "-O", "--parallel", count, "file:///x"])), 2);
    }
}

#[test]
fn one_file_takes_one_url() {
    let folder = Folder::new();
    let url = file_url(&folder.file("from", "x"));
    let output = folder.urlwise(["get", "-o", "to", &url, &url]);
    assert_eq!(code(&output), 2);
    assert!(text(&output.stderr).contains("--remote-name"));
    assert_eq!(folder.names(), ["from"], "arguments are counted before anything is opened");
}

#[test]
fn transient_failures_are_retried_and_others_are_not() {
    let folder = Folder::new();
    let server = Server::new(|number, head, stream| match (path(head), number) {
        ("/busy", 0) => drop(stream.write_all(b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n")),
        ("/gone", _) => drop(stream.write_all(b"HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")),
        ("/forbidden", _) => drop(stream.write_all(b"HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n")),
        (other, _) => give(stream, head, other.as_bytes(), "\"1\"", 999),
    });
    let start = Instant::now();
    let output = folder.urlwise(["get", "--retry", "1", &server.url("/busy")]);
    assert_eq!((code(&output), text(&output.stdout)), (0, "/busy".into()));
    assert!(start.elapsed() >= Duration::from_secs(1), "it waits before the second attempt");
    assert!(text(&output.stderr).contains("retrying in 1s"), "{}", text(&output.stderr));
    assert_eq!(code(&folder.urlwise(["get", "--retry", "5", &server.url("/gone")])), 10);
    assert_eq!(code(&folder.urlwise(["get", "--retry", "5", &server.url("/forbidden")])), 11);
    assert_eq!(server.requests().len(), 4);
}

#[test]
fn quiet_prints_failures_only() {
    let folder = Folder::new();
    let url = file_url(&folder.file("x", "x"));
    let remark = folder.urlwise(["get", "-O", "--continue", &url]);
    assert_eq!(text(&remark.stderr), "urlwise: x is already complete\n");
    let quiet = folder.urlwise(["get", "-q", "-O", "--continue", &url]);
    assert_eq!((code(&quiet), text(&quiet.stderr)), (0, String::new()));
    assert!(!folder.urlwise(["get", "-q", "file:///no/such"]).stderr.is_empty());
}

/// A gopher server whose menus have as many entries as the selector says, after as many milliseconds; and how many it served at once.
fn menus() -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (port, most, now) = (listener.local_addr().unwrap().port(), Arc::default(), Arc::new(AtomicUsize::new(0)));
    let peak = Arc::clone(&most);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, now, peak) = (stream.unwrap(), Arc::clone(&now), Arc::<AtomicUsize>::clone(&peak));
            std::thread::spawn(move || {
                let mut line = String::new();
                BufReader::new(&stream).read_line(&mut line).unwrap();
                let mut numbers = line.trim().split('/').skip(1).map(|number| number.parse::<usize>().unwrap());
                let (entries, wait) = (numbers.next().unwrap(), numbers.next().unwrap());
                peak.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                std::thread::sleep(Duration::from_millis(wait as u64));
                let menu: String = (0..entries).map(|n| format!("0{entries}-{n}\t/{n}\t127.0.0.1\t70\r\n")).collect();
                now.fetch_sub(1, Ordering::SeqCst);
                // Fails if the other end has had enough.
                let _ = stream.write_all((menu + ".\r\n").as_bytes());
            });
        }
    });
    (port, most)
}

#[test]
fn listings_at_the_same_time_are_printed_as_one_after_another() {
    let folder = Folder::new();
    let (port, most) = menus();
    // The first one is the slowest; two are larger than what is kept before their turn; some fail.
    let mut urls = format!("gopher://127.0.0.1:{port}/1/10/300\n");
    for n in 0..40_usize {
        urls += &match n % 5 {
            0 => format!("gopher://127.0.0.1:{port}/1/{}/{}\n", if n % 20 == 0 { 9000 } else { 7 }, 40 - n),
            1 => "file:///no/such/folder\n".to_owned(),
            2 => format!("gopher://127.0.0.1:{port}/1 {n}\n"),
            3 => format!("mailto:joe{n}@h.dom\n"),
            _ => format!("gopher://127.0.0.1:{port}/1/{n}/0#x\n"),
        };
    }
    folder.file("urls", urls);
    let one = folder.urlwise(["ls", "-f", "urls"]);
    assert_eq!(most.swap(0, Ordering::SeqCst), 1);
    let many = folder.urlwise(["ls", "--parallel", "8", "-f", "urls"]);
    let most = most.load(Ordering::SeqCst);
    assert!((3..=8).contains(&most), "{most}");
    assert_eq!(code(&one), 10);
    assert_eq!(code(&many), 10);
    assert!(text(&one.stdout).lines().count() > 18_000, "{}", text(&one.stderr));
    assert!(one.stdout == many.stdout, "{}", text(&many.stdout));
    assert_eq!(text(&many.stderr), text(&one.stderr));
}

#[test]
fn listings_that_wait_for_their_turn_take_little_memory() {
    let folder = Folder::new();
    let (port, _) = menus();
    // Some 1 MB for each line but the first, which takes its time.
    let mut urls = format!("gopher://127.0.0.1:{port}/1/1/2500\n");
    for _ in 0..40 {
        urls += &format!("gopher://127.0.0.1:{port}/1/20000/0\n");
    }
    folder.file("urls", urls);
    let mut child = command(["ls", "--parallel", "8", "-f", "urls"]);
    let mut child = child.current_dir(&folder.0).stdout(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    out.read_line(&mut first).unwrap();
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap().trim().trim_end_matches(" kB");
    let peak: usize = peak.parse().unwrap();
    assert!(peak < 40_000, "{peak} kB");
    assert_eq!(first.matches("1-0").count(), 1, "{first}");
    assert_eq!(out.lines().count(), 40 * 20_000);
    assert!(child.wait().unwrap().success());
}
