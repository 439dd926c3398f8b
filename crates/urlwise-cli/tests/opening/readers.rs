//! `urlwise serve` under load: how soon it is there, and what many readers of a long menu cost.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crate::support::*;

/// The entries of the menu.
const ENTRIES: usize = 10_000;

/// What the gateway may hold for one reader, and for a hundred, in KiB: less than the pages, which are 2 MiB each.
const ONE: u64 = 20 << 10;
const HUNDRED: u64 = 64 << 10;

/// Ten times what people may have to wait: the machine is busy with other tests.
const START: Duration = Duration::from_millis(500);

/// A running gateway.
struct Gateway {
    process: Child,
    port: u16,
    cookie: String,
    /// From its start until it said where it is.
    took: Duration,
}

impl Drop for Gateway {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Gateway {
    fn start() -> Gateway {
        let begun = Instant::now();
        let mut serve = command(["serve", "--no-browser", "--allow", "local-from-public"]);
        let mut process = serve.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let took = begun.elapsed();
        let (port, path) = line.trim().strip_prefix("http://127.0.0.1:").unwrap().split_once('/').unwrap();
        let mut gateway = Gateway { process, port: port.parse().unwrap(), cookie: String::new(), took };
        let mut head = String::new();
        gateway.ask(&format!("/{path}")).read_to_string(&mut head).unwrap();
        gateway.cookie = head.split_once("Set-Cookie: ").unwrap().1.split(';').next().unwrap().to_owned();
        gateway
    }

    /// The answer to a request.
    fn ask(&self, path: &str) -> TcpStream {
        let Gateway { port, cookie, .. } = self;
        let mut stream = TcpStream::connect(("127.0.0.1", *port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(300))).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n\r\n").unwrap();
        stream
    }

    /// The most memory so far, in KiB, without the pages of the program's own file.
    #[cfg(target_os = "linux")]
    fn peak(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap();
        let kibibytes = |name: &str| -> u64 {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
            line.trim().trim_end_matches(" kB").parse().unwrap()
        };
        kibibytes("VmHWM:") - kibibytes("RssFile:")
    }
}

/// A gopher server of one long menu; its port.
fn long_menu() -> u16 {
    let mut menu = String::new();
    for number in 0..ENTRIES {
        write!(menu, "0Sheet {number} of the atlas\t/atlas/{number}.txt\tlibrary.example\t70\r\n").unwrap();
    }
    menu.push_str(".\r\n");
    let menu: Arc<str> = menu.into();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let menu = Arc::clone(&menu);
            thread::spawn(move || {
                let _ = stream.read(&mut [0; 256]);
                let _ = stream.write_all(menu.as_bytes());
            });
        }
    });
    port
}

/// Reads a page to its end, and gives the number of its entries.
fn entries(stream: TcpStream) -> usize {
    let mut count = 0;
    // Nothing of the page is kept: this is not what is measured.
    for piece in BufReader::new(stream).split(b'>') {
        count += usize::from(piece.unwrap().ends_with(b"<th scope=\"row\" class=\"name\""));
    }
    count
}

#[test]
#[cfg(target_os = "linux")]
#[allow(clippy::print_stdout, reason = "figures for whoever runs it with --nocapture")]
fn a_hundred_readers_of_a_long_menu_get_all_of_it_in_little_memory() {
    let gateway = Gateway::start();
    let path = format!("/open?url=gopher%3A%2F%2F127.0.0.1%3A{}%2F", long_menu());
    assert_eq!(entries(gateway.ask(&path)), ENTRIES);
    let one = gateway.peak();
    assert!(one < ONE, "{one} KiB for one reader");
    let begun = Instant::now();
    thread::scope(|scope| {
        let readers: Vec<_> = (0..100).map(|_| scope.spawn(|| entries(gateway.ask(&path)))).collect();
        for reader in readers {
            assert_eq!(reader.join().unwrap(), ENTRIES);
        }
    });
    let hundred = gateway.peak();
    println!("{one} KiB for one reader, {hundred} KiB for a hundred, in {:?}", begun.elapsed());
    assert!(hundred < HUNDRED, "{hundred} KiB for a hundred readers");
}

#[test]
#[allow(clippy::print_stdout, reason = "figures for whoever runs it with --nocapture")]
fn a_gateway_is_there_at_once() {
    let took = (0..5).map(|_| Gateway::start().took).min().unwrap();
    println!("{took:?}");
    assert!(took < START, "{took:?}");
}
