//! Servers that mean harm: they cost their own links time, and nobody else anything.

use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::run::{document, objects, open, verdicts};
use crate::support::*;
use crate::table::closed_port;

fn answer(stream: &mut TcpStream, status: &str, fields: &str) {
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n{fields}\r\n");
    // The client may have closed the connection.
    let _ = stream.write_all(head.as_bytes());
}

/// A server that does something with each connection, and how many there were.
fn server(serve: impl Fn(TcpStream) + Clone + Send + 'static) -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            counted.fetch_add(1, Ordering::Relaxed);
            let serve = serve.clone();
            thread::spawn(move || serve(stream));
        }
    });
    (port, count)
}

#[test]
fn what_a_redirect_leads_to_does_not_make_the_links_of_its_server_dead() {
    let folder = Folder::new();
    let closed = closed_port();
    let server = Server::new(move |_, head, stream| match path(head) {
        "/no-host" => answer(stream, "301 Moved Permanently", "Location: http://no-such-host.invalid/\r\n"),
        "/busy" => answer(stream, "429 Too Many Requests", "Retry-After: 86400\r\n"),
        fine if fine.starts_with("/fine") => answer(stream, "200 OK", ""),
        _ => answer(stream, "302 Found", &format!("Location: http://localhost:{closed}/\r\n")),
    });
    let busy = Server::new(|_, _, stream| answer(stream, "429 Too Many Requests", "Retry-After: 86400\r\n"));
    let to_busy = busy.url("/").replace("127.0.0.1", "localhost");
    let redirecting = Server::new(move |_, _, stream| answer(stream, "302 Found", &format!("Location: {to_busy}\r\n")));
    let gone = (0..6).map(|number| server.url(&format!("/gone{number}")));
    let fine: Vec<_> = (0..30).map(|number| server.url(&format!("/fine{number}"))).collect();
    let redirected = (0..3).map(|number| redirecting.url(&format!("/{number}")));
    document(&folder, [server.url("/no-host")].into_iter().chain(gone).chain(fine.iter().cloned()).chain(redirected));
    let verdicts = verdicts(&open(&folder, &["--json", "links.md"]));
    for link in &fine {
        assert_eq!(verdicts[link], "alive", "{link}");
    }
    assert_eq!(verdicts[&server.url("/gone0")], "unknown no-route");
    // Each of them was asked: that the other server wants a day off says nothing about this one.
    assert_eq!(redirecting.requests().len(), 6, "each at first and as a suspect: {:?}", redirecting.requests());
}

#[test]
fn a_server_that_drips_costs_its_own_links_their_time_and_others_nothing() {
    let folder = Folder::new();
    let (dripping, _) = server(|mut stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nX: ");
        while stream.write_all(b"x").is_ok() {
            thread::sleep(Duration::from_millis(50));
        }
    });
    let start = Instant::now();
    let last = Arc::new(Mutex::new(start));
    let seen = Arc::clone(&last);
    let quick = Server::new(move |_, _, stream| {
        *seen.lock().unwrap() = Instant::now();
        answer(stream, "200 OK", "");
    });
    let slow = (0..30).map(|number| format!("http://127.0.0.1:{dripping}/{number}"));
    let links: Vec<_> = (0..30).map(|number| quick.url(&format!("/{number}"))).collect();
    document(&folder, slow.chain(links.iter().cloned()));
    let output = open(&folder, &["--json", "--max-time", "5", "links.md"]);
    let elapsed = start.elapsed();
    // Three times in a row without an answer, two of them at once, and the second attempt.
    assert!((Duration::from_secs(15)..Duration::from_secs(60)).contains(&elapsed), "{elapsed:?}");
    let all_asked = *last.lock().unwrap() - start;
    assert!(all_asked < Duration::from_secs(5), "the quick server was asked last after {all_asked:?}");
    let found = verdicts(&output);
    assert_eq!(found.len(), 60);
    for (link, verdict) in &found {
        assert_eq!(verdict, if links.contains(link) { "alive" } else { "unknown timeout" }, "{link}");
    }
}

#[test]
fn thousands_of_links_of_a_dead_server_are_not_asked_for_one_by_one() {
    let (mute, connections) = server(|stream| {
        thread::sleep(Duration::from_secs(60));
        drop(stream);
    });
    for (port, cause) in [(closed_port(), "no-route"), (mute, "timeout")] {
        let folder = Folder::new();
        document(&folder, (0..3_000).map(|number| format!("http://127.0.0.1:{port}/{number}")));
        let start = Instant::now();
        let output = open(&folder, &["--json", "--max-time", "1", "links.md"]);
        assert!(start.elapsed() < Duration::from_secs(60), "{cause}: {:?}", start.elapsed());
        let objects = objects(&output);
        assert_eq!((objects.len(), code(&output)), (3_000, 0));
        assert!(objects.iter().all(|object| object["cause"] == cause && object["verdict"] == "unknown"));
        assert!(objects.iter().filter(|object| object["seconds"].is_number()).count() < 5, "the others were not asked");
    }
    // HEAD and GET of three links, and of one again.
    let connections = connections.load(Ordering::Relaxed);
    assert!(connections <= 10, "{connections}");
}

#[test]
fn what_never_ends_is_cut_and_what_is_huge_is_not_repeated() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| {
        let endless = |stream: &mut TcpStream, head: &str, unit: &[u8]| {
            let _ = stream.write_all(head.as_bytes());
            while stream.write_all(unit).is_ok() {}
        };
        let html = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n";
        match path(head) {
            "/headers" => {
                endless(stream, "HTTP/1.1 200 OK\r\n", b"X-Padding: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\r\n");
            }
            "/header" => endless(stream, "HTTP/1.1 200 OK\r\nX: ", &[b'x'; 1000]),
            "/reason" => endless(stream, "HTTP/1.1 404 ", &[b'x'; 1000]),
            "/interim" => endless(stream, "", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
            "/body" => endless(stream, html, &[b'<'; 4096]),
            "/location" => {
                answer(stream, "301 Moved Permanently", &format!("Location: /{}\r\n", "x".repeat(1 << 20)));
            }
            "/query" => answer(stream, "302 Found", &format!("Location: /?{}\r\n", "x".repeat(60_000))),
            _ => answer(stream, "404 Not Found", ""),
        }
    });
    let wanted = [
        ("/headers", "unknown limit"),
        ("/header", "unknown limit"),
        ("/reason", "unknown limit"),
        ("/interim", "unknown limit"),
        ("/location", "unknown limit"),
        // What is behind the part that is read is not known.
        ("/body#there", "alive"),
    ];
    document(&folder, wanted.iter().map(|(path, _)| server.url(path)).chain([server.url("/query")]));
    let start = Instant::now();
    let output = open(&folder, &["--json", "--max-time", "20", "links.md"]);
    let found = verdicts(&output);
    for (path, verdict) in wanted {
        assert_eq!(found[&server.url(path)], verdict, "{path}: {output:?}");
    }
    assert_ne!(found[&server.url("/query")], "alive");
    assert!(output.stdout.len() < 200_000, "{} octets", output.stdout.len());
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    let human = open(&folder, &["--max-time", "20", "links.md"]);
    assert!(human.stdout.len() < 10_000, "{}", text(&human.stdout));
}

/// What could harm a terminal: controls of ASCII and of Latin-1, and changes of the direction of text.
fn harms(c: char) -> bool {
    (c.is_control() && c != '\n') || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// What servers say, names of files, and texts of links with controls in them.
#[test]
fn no_control_reaches_a_terminal_or_a_report() {
    let folder = Folder::new();
    let evil = "\x1b]0;owned\x07\x1b[31m\u{9b}2J\u{202e}\x08";
    let http = Server::new(move |_, head, stream| {
        let text = match path(head) {
            "/reason" => format!("HTTP/1.1 404 Not{evil}Found\r\nContent-Length: 0\r\n\r\n"),
            "/field" => format!("HTTP/1.1 301 Moved\r\nLocation: /{evil}\r\nContent-Length: 0\r\n\r\n"),
            "/type" => format!("HTTP/1.1 200 OK\r\nContent-Type: text/{evil}\r\nContent-Length: 0\r\n\r\n"),
            _ => format!("{evil} 220 nonsense\r\n\r\n"),
        };
        let _ = stream.write_all(text.as_bytes());
    });
    let says = |line: String| {
        let (port, _) = server(move |mut stream| {
            let _ = stream.write_all(line.as_bytes());
            thread::sleep(Duration::from_millis(300));
        });
        port
    };
    let ftp = says(format!("530 go {evil} away\r\n"));
    let news = says(format!("502 go {evil} away\r\n"));
    let gopher = says(format!("3no {evil} such item\t\terror.host\t1\r\n.\r\n"));
    let links = [
        http.url("/reason"),
        http.url("/field"),
        http.url("/type#x"),
        http.url("/other"),
        format!("ftp://127.0.0.1:{ftp}/x"),
        format!("nntp://127.0.0.1:{news}/a.group"),
        format!("gopher://127.0.0.1:{gopher}/0x"),
        format!("gone{evil}.md"),
        "gone%1B%5B31m.md".into(),
        format!("http://127.0.0.1:1/{evil}"),
        format!("other.md#{evil}"),
        format!("hhtp://host.dom/{evil}"),
    ];
    folder.file("other.md", "# There\n");
    document(&folder, links);
    std::fs::rename(folder.path("links.md"), folder.path("a\x1b[31m\u{202e}b.md")).unwrap();
    for format in ["human", "json", "sarif", "github", "markdown", "junit"] {
        let output = open(&folder, &["--format", format, "--notes", "--retry", "0", "."]);
        assert_eq!(code(&output), 1, "{output:?}");
        for octets in [&output.stdout, &output.stderr] {
            let shown = std::str::from_utf8(octets).expect("UTF-8");
            if let Some(line) = shown.lines().find(|line| line.contains(harms)) {
                panic!("{format}: {line:?}");
            }
        }
        // The value of a JSON string may hold what its text escapes; a message does not.
        if format == "json" {
            let found = objects(&output);
            assert_eq!(found.len(), 12, "{}", text(&output.stderr));
            for object in found {
                let message = object["message"].as_str().unwrap_or_default();
                assert!(!message.contains(harms), "{object}");
            }
        }
    }
}
