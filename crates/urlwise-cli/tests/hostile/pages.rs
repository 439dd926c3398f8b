//! S-59 to S-72: pages of `serve`. The attacks in detail are tests of urlwise-serve; here each number is tried on the program.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use super::Row;
use super::play::*;

/// A running gateway with an open session.
struct Gateway {
    child: Child,
    port: u16,
    start: String,
    cookie: String,
}

impl Gateway {
    fn new(options: &[&str]) -> Gateway {
        let mut program = command(&[&["serve", "--no-browser"], options].concat());
        let mut child = program.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut address = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
        let (port, start) = address.trim().strip_prefix("http://127.0.0.1:").unwrap().split_once('/').unwrap();
        let mut gateway =
            Gateway { child, port: port.parse().unwrap(), start: format!("/{start}"), cookie: String::new() };
        let answer = gateway.say(&format!("GET {} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n", gateway.start));
        gateway.cookie = answer.split("Set-Cookie: ").nth(1).unwrap().split(';').next().unwrap().to_owned();
        gateway
    }

    fn local() -> Gateway {
        Gateway::new(&["--allow", "local-from-public"])
    }

    /// Sends a text, and reads the answer with its head.
    fn say(&self, text: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        rest(stream)
    }

    fn get(&self, path: &str, fields: &str) -> String {
        let Gateway { port, cookie, .. } = self;
        self.say(&format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n{fields}\r\n"))
    }

    fn open(&self, url: &str) -> String {
        self.get(&path("/open", url), "")
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A path of the gateway for a URL.
fn path(path: &str, url: &str) -> String {
    let octet = |octet: u8| match octet.is_ascii_alphanumeric() {
        true => char::from(octet).to_string(),
        false => format!("%{octet:02X}"),
    };
    format!("{path}?url={}", url.bytes().map(octet).collect::<String>())
}

#[track_caller]
fn is(answer: &str, status: u16) {
    assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
}

const EVIL: &str = "<script>alert(1)</script>";

pub(crate) static ROWS: &[Row] = &[
    Row {
        number: 59,
        attack: "a neighbour who connects to the gateway by another address of the machine",
        play: || {
            let gateway = Gateway::local();
            let socket = std::net::UdpSocket::bind("0.0.0.0:0").unwrap();
            // Nothing is sent: this finds the address that would be used.
            if socket.connect("192.0.2.1:9").is_ok() {
                let own = socket.local_addr().unwrap().ip();
                assert!(own.is_loopback() || TcpStream::connect((own, gateway.port)).is_err());
            }
            assert_eq!(run(&["serve", "--no-browser", "--port", &gateway.port.to_string()]).code, 2);
        },
    },
    Row {
        number: 60,
        attack: "a second request that hides behind the first",
        play: || {
            let (gateway, host) = (Gateway::local(), Host::gopher(".\r\n"));
            let own = format!("Host: 127.0.0.1:{}\r\nCookie: {}\r\n", gateway.port, gateway.cookie);
            let second = format!("GET {} HTTP/1.1\r\n{own}\r\n", path("/open", &host.url("gopher", "")));
            for fields in [
                "",
                "Content-Length: 3\r\n",
                "Transfer-Encoding: chunked\r\n",
                "Content-Length: 0\r\nContent-Length: 5\r\n",
            ] {
                let answer = gateway.say(&format!("GET /style.css HTTP/1.1\r\n{own}{fields}\r\n{second}"));
                assert!(!answer.starts_with("HTTP/1.1 200") && answer.matches("HTTP/1.1").count() == 1, "{answer}");
            }
            assert_eq!(host.connections(), 0);
        },
    },
    Row {
        number: 61,
        attack: "a head without an end, a text without an end",
        play: || {
            let gateway = Gateway::local();
            is(&gateway.say(&format!("GET / HTTP/1.1\r\nX: {}", "a".repeat(70_000))), 431);
            let host = Host::new(|talk| while talk.say([b'a'; 8192]) {});
            let answer = gateway.open(&host.url("gopher", "0/a"));
            assert!(answer.len() < 4 << 20 && answer.contains("are shown"), "{}", answer.len());
        },
    },
    Row {
        number: 62,
        attack: "names and searches that end a field of the answer",
        play: || {
            let (gateway, host) = (Gateway::local(), Host::http(document("", "x")));
            let answer = gateway.get(&path("/save", &host.url("http", "a%0D%0ASet-Cookie:x=y%22.txt")), "");
            let head = answer.split("\r\n\r\n").next().unwrap();
            assert!(head.contains("\r\nContent-Disposition: attachment"), "{head}");
            assert!(!head.lines().any(|line| line.starts_with("Set-Cookie")), "{head}");
        },
    },
    Row {
        number: 63,
        attack: "a name that was pointed at the gateway, and pages that ask by it",
        play: || {
            let (gateway, host) = (Gateway::local(), Host::gopher(".\r\n"));
            let path = path("/open", &host.url("gopher", ""));
            let rebound = format!(
                "GET {path} HTTP/1.1\r\nHost: evil.example:{}\r\nCookie: {}\r\n\r\n",
                gateway.port, gateway.cookie
            );
            is(&gateway.say(&rebound), 421);
            for fields in
                ["Sec-Fetch-Site: cross-site\r\n", "Sec-Fetch-Site: same-site\r\n", "Origin: http://evil.example\r\n"]
            {
                is(&gateway.get(&path, fields), 403);
            }
            let asked = gateway.get(&path, "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: document\r\n");
            assert!(asked.contains("Nothing has been opened yet"), "{asked}");
            assert_eq!(host.connections(), 0);
        },
    },
    Row {
        number: 64,
        attack: "a stranger without the cookie, and an address used twice",
        play: || {
            let mut gateway = Gateway::local();
            is(
                &gateway.say(&format!("GET {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", gateway.start, gateway.port)),
                403,
            );
            is(&gateway.get("/", ""), 200);
            gateway.cookie = "a=b".into();
            is(&gateway.get("/", ""), 403);
        },
    },
    Row {
        number: 65,
        attack: "a page that is put into a frame or runs a script",
        play: || {
            let page = Gateway::local().get("/", "");
            for needed in [
                "default-src 'none'",
                "frame-ancestors 'none'",
                "base-uri 'none'",
                "nosniff",
                "no-referrer",
                "no-store",
            ] {
                assert!(page.contains(needed), "{page}");
            }
            assert!(!page.contains("<script") && !page.contains("script-src") && !page.contains("unsafe-"), "{page}");
        },
    },
    Row {
        number: 66,
        attack: "a page of others that runs in our origin, and one that calls itself a picture",
        play: || {
            let gateway = Gateway::local();
            let host = Host::http(document("Content-Type: text/html\r\n", EVIL));
            let page = gateway.open(&host.url("http", ""));
            assert!(page.contains("<iframe sandbox=\"\"") && !page.contains(EVIL), "{page}");
            assert!(!page.contains(&format!("src=\"http://127.0.0.1:{}/", gateway.port)), "{page}");
            is(&gateway.get(&path("/raw", &host.url("http", "a.png")), ""), 404);
        },
    },
    Row {
        number: 67,
        attack: "a menu whose names are scripts",
        play: || {
            let host = Host::gopher(format!("0{EVIL}\t/{EVIL}\t{EVIL}\t70\r\ni{EVIL}\u{202e}\t\t\t0\r\n.\r\n"));
            let page = Gateway::local().open(&host.url("gopher", ""));
            assert!(
                page.contains("&lt;script&gt;") && !page.contains("<script") && !page.contains('\u{202e}'),
                "{page}"
            );
        },
    },
    Row {
        number: 68,
        attack: "pages and redirects that lead to files, to this machine, and to other services",
        play: || {
            let (gateway, inside) = (Gateway::new(&[]), Host::http(document("", "x")));
            for url in
                [inside.url("http", "admin"), "file:///etc/passwd".into(), "gopher://h.example:6379/0FLUSHALL".into()]
            {
                is(&gateway.open(&url), 403);
            }
            let away = Host::redirecting("file:///etc/passwd");
            is(&Gateway::local().open(&away.url("http", "")), 403);
            assert_eq!(inside.connections(), 0);
        },
    },
    Row {
        number: 69,
        attack: "a link with a login, to see what is sent and shown",
        play: || {
            let host = Host::ftp(b"x", &[]);
            let page = Gateway::local().open(&host.url("ftp", "a").replace("//", "//joe:s3cret@"));
            assert!(!page.contains("s3cret") && !host.heard().contains("s3cret"), "{page}");
            assert_eq!(run(&["serve", "--no-browser", "--user", "joe"]).code, 2);
        },
    },
    Row {
        number: 70,
        attack: "a browser that goes away, and one that never comes back",
        play: || {
            let gateway = Gateway::local();
            let gone = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
            let log = std::sync::Arc::clone(&gone);
            let host = Host::new(move |talk| {
                talk.line();
                while talk.say("iHello\t\t\t0\r\n") {
                    std::thread::sleep(Duration::from_millis(20));
                }
                log.store(true, std::sync::atomic::Ordering::SeqCst);
            });
            let mut stream = TcpStream::connect(("127.0.0.1", gateway.port)).unwrap();
            let head = format!("Host: 127.0.0.1:{}\r\nCookie: {}\r\n", gateway.port, gateway.cookie);
            write!(stream, "GET {} HTTP/1.1\r\n{head}\r\n", path("/open", &host.url("gopher", ""))).unwrap();
            assert!(stream.read(&mut [0; 4096]).unwrap() > 0);
            drop(stream);
            let start = Instant::now();
            while !gone.load(std::sync::atomic::Ordering::SeqCst) {
                assert!(start.elapsed() < Duration::from_secs(10), "the dialogue goes on");
                std::thread::sleep(Duration::from_millis(20));
            }
            assert_eq!(run(&["serve", "--no-browser", "--idle", "200ms"]).code, 0);
        },
    },
    Row {
        number: 71,
        attack: "a folder that others can enter, in which they wait for programs with URLs",
        play: || {
            let outer = Folder::new("71");
            let folder = outer.0.join("run");
            std::fs::create_dir(&folder).unwrap();
            #[cfg(unix)]
            for (mode, is_found) in [(0o755, false), (0o700, true)] {
                use std::os::unix::fs::PermissionsExt;
                std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(mode)).unwrap();
                let mut program = command(&["serve", "--no-browser", "--idle", "300ms"]);
                assert!(program.env("XDG_RUNTIME_DIR", &folder).stdout(Stdio::piped()).spawn().is_ok_and(
                    |mut child| {
                        let mut address = String::new();
                        BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
                        assert_eq!(folder.join("urlwise.sock").exists(), is_found, "{mode:o}");
                        child.wait().unwrap().success()
                    }
                ));
                assert!(!folder.join("urlwise.sock").exists(), "it goes with the gateway");
            }
        },
    },
    Row {
        number: 72,
        attack: "text that wants to be on the page with the script, and links that the browser then leads here",
        play: || {
            let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
            let gateway = Gateway::new(&["--port", &port]);
            let page = gateway.get(&path("/handlers", EVIL), "");
            is(&page, 200);
            assert!(page.contains("; script-src 'nonce-") && !page.contains("unsafe"), "{page}");
            assert!(page.matches("<script").count() == 1 && !page.contains("alert"), "{page}");
            assert!(!Gateway::new(&[]).get("/handlers", "").contains("script-src"), "its port is not one to rely on");
            let fields = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: document\r\n";
            is(&gateway.get("/handlers", fields), 403);
            let mail = path("/open", "mailto:joe@host.example");
            assert!(gateway.get(&mail, fields).contains("Nothing has been opened yet"));
            assert!(gateway.get(&mail, "").contains("A mail to write"));
        },
    },
];
