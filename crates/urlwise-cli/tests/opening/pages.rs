//! Pages of `urlwise serve`: the command that a page names opens what the page shows.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;

use crate::support::*;

/// A gateway and the cookie of its session.
struct Gateway {
    child: Child,
    port: String,
    cookie: String,
}

impl Gateway {
    fn new() -> Gateway {
        Gateway::with(|program| {
            program.env_remove("XDG_RUNTIME_DIR").env("TMPDIR", "/nonexistent");
        })
    }

    fn with(setting: impl FnOnce(&mut Command)) -> Gateway {
        let mut program =
            command(["serve", "--no-browser", "--allow", "local-from-public", "--files", "--idle", "60s"]);
        setting(&mut program);
        let mut child = program.stdout(Stdio::piped()).spawn().unwrap();
        let mut address = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
        let (port, start) = address.trim().strip_prefix("http://127.0.0.1:").unwrap().split_once('/').unwrap();
        let mut gateway = Gateway { child, port: port.to_owned(), cookie: String::new() };
        let answer = gateway.get(&format!("/{start}"));
        gateway.cookie = answer.split("Set-Cookie: ").nth(1).unwrap().split(';').next().unwrap().to_owned();
        gateway
    }

    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(format!("127.0.0.1:{}", self.port)).unwrap();
        let Gateway { port, cookie, .. } = self;
        // HTTP/1.0, so that the page comes in one piece.
        write!(stream, "GET {path} HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n\r\n").unwrap();
        let mut page = Vec::new();
        stream.read_to_end(&mut page).unwrap();
        text(&page)
    }

    /// The page of a URL, as text: its markup taken away and its escapes undone.
    fn page(&self, path: &str, url: &str) -> Page {
        let octet = |octet: u8| format!("%{octet:02X}");
        let html = self.get(&format!("{path}?url={}", url.bytes().map(octet).collect::<String>()));
        let after = html.split_once("<dt>Command</dt><dd><code>").unwrap_or_else(|| panic!("no command in {html}")).1;
        let command = unescaped(after.split_once("</code>").unwrap().0);
        let shown: String =
            html.split('<').map(|piece| piece.split_once('>').map_or(piece, |(_, text)| text)).collect();
        Page { shown: unescaped(&shown), command }
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Page {
    shown: String,
    command: String,
}

fn unescaped(html: &str) -> String {
    html.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

/// Runs a command line as a person would who pastes it: both streams.
fn pasted(line: &str) -> String {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_urlwise"));
    let path = format!("{}:/usr/bin:/bin", program.parent().unwrap().display());
    let mut shell = english("/bin/sh");
    shell.args(["-c", line]).env("PATH", path).env("XDG_CONFIG_HOME", "/nonexistent").env("COLUMNS", "200");
    let ran = shell.stdin(Stdio::null()).output().unwrap();
    text(&ran.stdout) + &text(&ran.stderr)
}

/// A server that greets, and answers each line by the first row whose beginning the line has.
fn server(greeting: &'static str, rows: &'static [(&'static str, &'static str)], is_closing: bool) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            thread::spawn(move || {
                let _ = stream.write_all(greeting.as_bytes());
                for line in BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok) {
                    let answer = rows.iter().find(|(begin, _)| line.starts_with(begin)).map(|(_, answer)| *answer);
                    let _ = stream.write_all(answer.unwrap_or("500 what?\r\n").as_bytes());
                    if is_closing {
                        return;
                    }
                }
            });
        }
    });
    port
}

const ITEMS: &[(&str, &str)] = &[
    ("/find\told maps", "0Hit of the search\t/hit\thost.example\t70\r\n.\r\n"),
    ("/text", "A text & what it says\r\n.\r\n"),
    ("/nothing", "3It is gone\t\terror.host\t1\r\n.\r\n"),
    ("/it's here; $(id)", "A name for shells\r\n.\r\n"),
    ("", "1Entry of the menu\t/entry\thost.example\t70\r\n.\r\n"),
];

const NEWS: &[(&str, &str)] = &[
    ("CAPABILITIES", "101 these\r\nVERSION 2\r\nREADER\r\nOVER\r\n.\r\n"),
    ("GROUP", "211 1 7 7 a.b\r\n"),
    (
        "OVER",
        "224 these\r\n7\tSubject of the list\tjoe@host.example\tSat, 21 Nov 2026 07:00:00 +0000\t<7@host.example>\t\t430\t1\r\n.\r\n",
    ),
    (
        "ARTICLE",
        "220 7 <7@host.example>\r\nSubject: A subject\r\nFrom: joe@host.example\r\n\r\nBody of the article\r\n.\r\n",
    ),
];

#[test]
fn a_port_in_use_is_named_with_a_way_out() {
    let gateway = Gateway::new();
    let ran = urlwise(&["serve", "--no-browser", "--port", &gateway.port]);
    let expected = format!("urlwise: port {} of loopback is in use; name another one with `--port`", gateway.port);
    assert_eq!((ran.status.code(), &*text(&ran.stdout)), (Some(2), ""));
    let said = text(&ran.stderr);
    assert!(said.starts_with(&expected) && said.contains("`urlwise open`") && said.lines().count() == 1, "{said}");
}

#[test]
fn security_72_the_help_names_the_schemes_that_the_page_offers_and_no_other() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let gateway = Gateway::with(|program| {
        program.args(["--port", &port]).env_remove("XDG_RUNTIME_DIR").env("TMPDIR", "/nonexistent");
    });
    let page = gateway.get("/handlers");
    let buttons = page.split("<button type=\"button\" value=\"").skip(1);
    let offered: Vec<&str> = buttons.filter_map(|button| button.split('"').next()).collect();
    let (last, others) = offered.split_last().unwrap();
    let expected = format!("for links to {} and {last} URLs.", others.join(", "));
    let help = text(&urlwise(&["serve", "--help"]).stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains(&expected), "{expected} {help}");
}

#[test]
fn options_that_a_command_has_no_use_for_are_not_offered_and_refused() {
    for (name, arguments) in [
        ("serve", &["--no-browser"][..]),
        ("open", &["--no-browser", "gopher://h.example/"]),
        ("register", &["--dry-run"]),
        ("unregister", &["--dry-run"]),
        ("man", &[]),
        ("completions", &["bash"]),
    ] {
        let help = text(&urlwise(&[name, "--help"]).stdout);
        for option in [&["--json"][..], &["--all-problems"], &["--show-secrets"], &["--profile", "rfc1738"]] {
            assert!(
                !help.contains(&[option[0], "\n"].concat()) && !help.contains(&[option[0], " <"].concat()),
                "{name}: {help}"
            );
            // Before the command or behind it.
            for line in [[option, &[name], arguments].concat(), [&[name], arguments, option].concat()] {
                let ran = urlwise(&line);
                let said = format!("urlwise: {}: this command has no use for it\n", option[0]);
                assert_eq!(
                    (ran.status.code(), text(&ran.stderr), text(&ran.stdout)),
                    (Some(2), said, String::new()),
                    "{line:?}"
                );
            }
        }
        assert!(help.contains("--lang"), "{help}");
    }
}

/// S-70: whatever pages are shown and documents saved, the program writes nothing but its socket.
#[cfg(target_os = "linux")]
#[test]
fn security_70_nothing_is_written_to_disk() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt};
    let (folder, gopher) = (Folder::new(), server("", ITEMS, true));
    let home = &folder.path("");
    std::fs::set_permissions(home, std::fs::Permissions::from_mode(0o700)).unwrap();
    let gateway = Gateway::with(|program| {
        for name in ["HOME", "TMPDIR", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"] {
            program.env(name, home);
        }
        program.current_dir(home);
    });
    let of_process = format!("/proc/{}", gateway.child.id());
    // What the kernel has counted as written to any disk. The folder with its socket may be, a block of it.
    let written = || {
        let counts = std::fs::read_to_string(format!("{of_process}/io")).unwrap();
        let octets = counts.lines().find_map(|line| line.strip_prefix("write_bytes: ")).unwrap();
        octets.parse::<u64>().unwrap()
    };
    let before = written();
    assert!(before <= 64 << 10, "{before}");
    for path in ["/", "/handlers", "/explain?url=ftp://joe:s3cret@h.example/"] {
        gateway.get(path);
    }
    for rest in ["", "0/text", "7/find%2509old%20maps", "9/text"] {
        for path in ["/open", "/save", "/raw"] {
            let page = gateway.get(&format!("{path}?url=gopher://127.0.0.1:{gopher}/{rest}"));
            assert!(page.starts_with("HTTP/1.1 "), "{page}");
        }
    }
    let found: Vec<_> = std::fs::read_dir(home).unwrap().map(|entry| entry.unwrap()).collect();
    assert!(found.iter().all(|entry| entry.file_type().unwrap().is_socket()), "{found:?}");
    assert_eq!(written(), before);
    // What could be written to now; what this test got from who started it, the program has too.
    let files = |process: &str| -> BTreeSet<PathBuf> {
        let open = std::fs::read_dir(format!("{process}/fd")).unwrap();
        open.filter_map(|open| std::fs::read_link(open.unwrap().path()).ok()).filter(|to| to.is_file()).collect()
    };
    let opened: Vec<_> = files(&of_process).difference(&files("/proc/self")).cloned().collect();
    assert!(opened.is_empty(), "{opened:?} are open");
}

#[test]
fn the_command_of_a_page_opens_what_the_page_shows() {
    let gateway = Gateway::new();
    let (gopher, news) = (server("", ITEMS, true), server("200 hello\r\n", NEWS, false));
    let gopher = |rest: &str| format!("gopher://127.0.0.1:{gopher}/{rest}");
    let news = |rest: &str| format!("nntp://127.0.0.1:{news}/{rest}");
    let folder = Folder::new();
    let file = folder.file("a file.txt", "Lines of the file\n");
    for (kind, url, verb, says) in [
        ("menu", gopher(""), "ls", "Entry of the menu"),
        ("document", gopher("0/text"), "get", "A text & what it says"),
        ("document whose name a shell would read", gopher("0/it's%20here;%20$(id)"), "get", "A name for shells"),
        ("search", gopher("7/find%09old%20maps"), "ls", "Hit of the search"),
        ("group", news("a.b"), "ls", "Subject of the list"),
        ("article", news("a.b/7"), "get", "Body of the article"),
        ("directory", file_url(&folder.0) + "/", "ls", "a file.txt"),
        ("file", file_url(&file).replace(' ', "%20"), "get", "Lines of the file"),
        ("draft", "mailto:joe@host.example".to_owned(), "get", "joe@host.example"),
        ("error", gopher("0/nothing"), "get", "It is gone"),
        ("refusal", "gopher://host.example:6379/0x".to_owned(), "get", "port-foreign"),
        ("invalid URL", "gopher://host.example/0a b".to_owned(), "explain", "gopher://host.example/0a%20b"),
    ] {
        let Page { shown, command } = gateway.page("/open", &url);
        assert!(shown.contains(says), "the page of the {kind}: {shown}");
        assert!(command.starts_with(&format!("urlwise {verb} ")), "the {kind}: {command}");
        let printed = pasted(&command);
        assert!(printed.contains(says), "the {kind}: {command} prints {printed}");
    }
    let Page { command, .. } = gateway.page("/explain", "htp:/x");
    assert!(pasted(&command).contains("htp:"), "{command}");
}

/// A form has no words yet: its command says where they belong.
#[test]
fn the_command_of_a_search_form_has_a_place_for_the_words() {
    let gateway = Gateway::new();
    let port = server("", ITEMS, true);
    let Page { shown, command } = gateway.page("/open", &format!("gopher://127.0.0.1:{port}/7/find"));
    assert!(shown.contains("Words to search for"), "{shown}");
    assert_eq!(command, format!("urlwise ls --allow local-from-public 'gopher://127.0.0.1:{port}/7/find%09WORDS'"));
    assert!(pasted(&command.replace("WORDS", "old%20maps")).contains("Hit of the search"));
    let Page { command, .. } = gateway.page("/open", "wais://host.example/db");
    assert_eq!(command, "urlwise ls --allow local-from-public 'wais://host.example/db?WORDS'");
}
