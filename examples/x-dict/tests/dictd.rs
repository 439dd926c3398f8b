//! The scheme against the server that most dictionaries are served by: dictd, with a dictionary of two words.

#![cfg(unix)]

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use urlwise_open::{Client, Options, Resource};

/// What the dictionary says, by its headwords in the order of the index.
const WORDS: [(&str, &str); 3] = [
    ("00databaseshort", "     Tales of Type\n"),
    ("gopher", "gopher\n  An animal, and a protocol.\n"),
    ("gopher hole", "gopher hole\n  Where menus lead.\n"),
];

/// A server for one test, which ends with it.
struct Dictd {
    server: Child,
    folder: PathBuf,
    port: u16,
}

impl Drop for Dictd {
    fn drop(&mut self) {
        // What is gone already needs no end.
        let _ = self.server.kill();
        let _ = self.server.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A number as in an index of dictd.
fn number(mut number: usize) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut digits = Vec::new();
    loop {
        digits.insert(0, DIGITS[number % 64]);
        number /= 64;
        if number == 0 {
            return String::from_utf8(digits).expect("ASCII");
        }
    }
}

/// Starts dictd; `None` where it is not installed, which is a failure with `CI=true`.
#[expect(clippy::print_stderr, reason = "the test runner keeps it and shows it beside the test's name")]
fn dictd() -> Option<Dictd> {
    let program =
        ["/usr/sbin/dictd", "/usr/local/sbin/dictd"].into_iter().find(|program| fs::exists(program).is_ok_and(|is| is));
    let Some(program) = program else {
        assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "dictd is not installed");
        eprintln!("skipped: dictd is not installed");
        return None;
    };
    let folder = std::env::temp_dir().join(format!("x-dict-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a new folder");
    let (mut text, mut index) = (String::new(), String::new());
    for (word, says) in WORDS {
        index += &format!("{word}\t{}\t{}\n", number(text.len()), number(says.len()));
        text += says;
    }
    let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port").port();
    let path = |name: &str| folder.join(name).display().to_string();
    fs::write(path("tales.dict"), text).expect("a file");
    fs::write(path("tales.index"), index).expect("a file");
    let config = format!(
        "global {{ port {port}\n listen_to 127.0.0.1 }}\naccess {{ allow * }}\n\
         database tales {{ data \"{}\"\n index \"{}\" }}\n",
        path("tales.dict"),
        path("tales.index")
    );
    fs::write(path("dictd.conf"), config).expect("a file");
    let (config, pid) = (path("dictd.conf"), path("pid"));
    let mut command = Command::new(program);
    command.args(["-d", "nodetach", "--locale", "C", "-c", &config, "--pid-file", &pid]);
    let server = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let dictd = Dictd { server, folder, port };
    for _ in 0..200 {
        if TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return Some(dictd);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("dictd does not listen");
}

#[test]
fn dictd_is_listed_and_read() {
    let Some(dictd) = dictd() else { return };
    let client: Client = x_dict::client(Options::default()).expect("a name that a scheme may have");
    let url = |path: &str| {
        let text = format!("x-dict://127.0.0.1:{}/{path}", dictd.port);
        x_dict::scheme().parse(text).expect("a URL")
    };
    let list = |path: &str| -> Vec<String> {
        let entries = client.list(&url(path)).expect("a menu").map(|entry| entry.expect("it is whole"));
        entries.map(|entry| String::from_utf8_lossy(&entry.title).into_owned()).collect()
    };
    assert_eq!(list(""), ["Tales of Type"]);
    assert_eq!(list("tales/gop"), ["gopher", "gopher hole"]);
    assert_eq!(list("tales/zz"), [""; 0]);
    let Ok(Resource::Document(mut document)) = client.open(&url("*/gopher%20hole")) else { panic!("a document") };
    let text = std::io::read_to_string(&mut document).expect("it is whole");
    assert_eq!(text, "From Tales of Type:\n\ngopher hole\n  Where menus lead.\n");
}
