//! S-41 to S-55: files, terminals, time, memory, the environment.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::Row;
use super::play::*;
use super::servers::skipped;

pub(crate) static ROWS: &[Row] = &[
    Row {
        number: 41,
        attack: "names that lead out of the folder, hide, or come from headers",
        play: || {
            let host = Host::http(document("Content-Disposition: attachment; filename=evil\r\n", "x"));
            for (path, name) in [
                ("a/%2E%2E%2Fx", "%2E.%2Fx"),
                (".bashrc", "%2Ebashrc"),
                ("-rf", "%2Drf"),
                ("con", "%63on"),
                ("a/", "index"),
                ("x.part", "x%2Epart"),
                ("x.part.json", "x.part%2Ejson"),
            ] {
                let folder = Folder::new("41");
                assert_eq!(folder.run(&["get", "-O", &host.url("http", path)]).code, 0, "{path}");
                assert_eq!(folder.names(), [name]);
            }
        },
    },
    Row {
        number: 42,
        attack: "links, devices and second names where a document is saved",
        play: || {
            let host = Host::http(document("", "new"));
            let folder = Folder::new("42");
            folder.file("victim", "mine");
            symlink(folder.0.join("victim"), folder.0.join("link")).unwrap();
            symlink("/dev/null", folder.0.join("device")).unwrap();
            fs::hard_link(folder.0.join("victim"), folder.0.join("x.part")).unwrap();
            for name in ["victim", "link", "device"] {
                assert_eq!(folder.run(&["get", "-O", &host.url("http", name)]).code, 14, "{name}");
            }
            assert_eq!(host.connections(), 0, "that costs no request");
            assert_eq!(folder.run(&["get", "-O", "--force", &host.url("http", "x")]).code, 0);
            assert_eq!(fs::read(folder.0.join("victim")).unwrap(), b"mine");
        },
    },
    Row {
        number: 43,
        attack: "a document that poses as the beginning of another",
        play: || {
            // It serves ranges, so that whatever is trusted as a beginning becomes one.
            let good = Host::new(|talk| {
                let (text, mut from) = ("the good one", None);
                while let Some(line) = talk.line().filter(|line| !line.is_empty()) {
                    let line = line.to_lowercase();
                    let range = line.strip_prefix("range: bytes=").and_then(|range| range.strip_suffix('-'));
                    from = range.map(|range| range.parse::<usize>().unwrap()).or(from);
                }
                let rest = &text[from.unwrap_or(0)..];
                let status = match from {
                    Some(from) => format!("206 Partial Content\r\nContent-Range: bytes {from}-11/12"),
                    None => "200 OK".into(),
                };
                let length = rest.len();
                talk.say(format!("HTTP/1.1 {status}\r\nETag: \"g\"\r\nContent-Length: {length}\r\n\r\n{rest}"));
            });
            let url = good.url("http", "x");
            let folder = Folder::new("43");
            let state =
                format!("{{\"urlwise\":\"partial\",\"url\":\"{url}\",\"size\":12,\"validator\":\"\\\"g\\\"\"}}");
            for (name, octets) in [("x.part", "evil"), ("x.part.json", state.as_str())] {
                let evil = Host::http(document("", octets));
                assert_eq!(folder.run(&["get", "-O", &evil.url("http", name)]).code, 0);
            }
            assert_eq!(folder.run(&["get", "-O", "--continue", &url]).code, 0);
            assert_eq!(fs::read(folder.0.join("x")).unwrap(), b"the good one");
        },
    },
    Row {
        number: 44,
        attack: "a document that would be a program",
        play: || {
            let folder = Folder::new("44");
            assert_eq!(folder.run(&["get", "-O", &Host::http(document("", "#!/bin/sh\n")).url("http", "x")]).code, 0);
            assert_eq!(fs::metadata(folder.0.join("x")).unwrap().permissions().mode() & 0o111, 0);
        },
    },
    Row {
        number: 45,
        attack: "sizes that are too large, or lies",
        play: || {
            let lie = Host::http("HTTP/1.1 200 OK\r\nContent-Length: 9000000000000000000\r\n\r\n0123456789");
            assert_eq!(get(&lie.url("http", "")).code, 13);
            let endless = Host::new(|talk| {
                talk.line();
                while talk.say([b'x'; 4096]) {}
            });
            let shown = run(&["get", "--max-size", "10000", &endless.url("gopher", "0x")]);
            assert!(shown.code == 17 && shown.out.len() <= 10_000, "{} {}", shown.code, shown.out.len());
        },
    },
    Row {
        number: 46,
        attack: "terminal controls, also in UTF-8, in a menu, a message and a document",
        play: || {
            let menu = "0\x1b[31m\u{9b}31m\u{202e}x\tx\t127.0.0.1\t70\r\n.\r\n";
            let shown = run(&["ls", "--long", &Host::gopher(menu).url("gopher", "")]);
            assert_eq!(shown.code, 0, "{}", shown.all);
            let refusal = get(&Host::ftp(b"", &[("USER", "530 \x1b]0;x\x07\r\n")]).url("ftp", "x"));
            for all in [shown.all, refusal.all] {
                assert!(!all.chars().any(|c| c.is_control() && c != '\n' || c == '\u{202e}'), "{all:?}");
            }
            let piped = get(&Host::http(document("", "a\x1b[31mb")).url("http", ""));
            assert_eq!(piped.out, b"a\x1b[31mb", "files and pipes get it as it is");
            let at_terminal = |document: Vec<u8>| {
                let host = Host::http(document);
                let line = format!("{} get {}", env!("CARGO_BIN_EXE_urlwise"), host.url("http", ""));
                see(Command::new("script").args(["-qec", &line, "/dev/null"]).env("LC_ALL", "C").stdin(Stdio::null()))
            };
            if Command::new("script").arg("--version").output().is_err() {
                return skipped("script");
            }
            for octets in ["a\x1b[31mRED", "a\0RED", "a\u{9b}31mRED"] {
                let shown = at_terminal(document("", octets));
                assert!(shown.code == 14 && !shown.all.contains("RED"), "{octets:?}: {:?}", shown.all);
            }
        },
    },
    Row {
        number: 47,
        attack: "every octet in a menu, as JSON",
        play: || {
            let octets: Vec<u8> = (0..=255).filter(|octet| !b"\t\r\n\0".contains(octet)).collect();
            let menu = [b"0", &octets[..], b"\t", &octets[..], b"\t127.0.0.1\t7070\r\n.\r\n"].concat();
            let shown = run(&["ls", "--json", &Host::gopher(menu).url("gopher", "")]);
            let line = shown.out.strip_suffix(b"\n").unwrap();
            assert!(shown.code == 0 && !line.iter().any(u8::is_ascii_control), "{}", shown.all);
            let entry: Value = serde_json::from_slice(line).unwrap();
            let selector = entry["url"].as_str().unwrap().strip_prefix("gopher://127.0.0.1:7070/0").unwrap();
            assert_eq!(urlwise::decode(selector.as_bytes()), octets, "{selector}");
            let hex: String = octets.iter().map(|octet| format!("{octet:02x}")).collect();
            assert_eq!(entry["title_octets"], hex);
        },
    },
    Row {
        number: 48,
        attack: "servers that are silent, or send an octet at a time",
        play: || {
            let silent = Host::new(Talk::listen);
            let began = Instant::now();
            for scheme in ["http", "gopher", "ftp", "finger"] {
                let shown = run(&["get", "--first-byte-timeout", "300ms", &silent.url(scheme, "0x")]);
                assert_eq!(shown.code, 15, "{scheme}: {}", shown.all);
            }
            let drip = Host::new(|talk| {
                talk.line();
                while talk.say("x") {
                    thread::sleep(Duration::from_millis(50));
                }
            });
            assert_eq!(run(&["get", "--max-time", "500ms", &drip.url("gopher", "0x")]).code, 15);
            assert!(began.elapsed() < Duration::from_secs(60));
        },
    },
    Row {
        number: 49,
        attack: "endless lines, and ignore files that are devices, pipes or huge",
        play: || {
            let endless = Host::new(|talk| {
                talk.line();
                while talk.say([b'x'; 4096]) {}
            });
            let shown = run(&["ls", &endless.url("gopher", "")]);
            assert!([12, 17].contains(&shown.code), "{} {}", shown.code, shown.all);
            for kind in ["device", "pipe", "huge"] {
                let folder = Folder::new("49");
                folder.file("a.txt", "http://a.example/\n");
                let ignore = folder.0.join(".ignore");
                match kind {
                    "device" => symlink("/dev/zero", &ignore).unwrap(),
                    "pipe" => assert!(Command::new("mkfifo").arg(&ignore).status().unwrap().success()),
                    _ => fs::write(&ignore, "*a*b?c[d-e]*\n".repeat(1 << 20)).unwrap(),
                }
                let shown = folder.run(&["find", "--unique"]);
                assert_eq!((shown.code, &shown.out[..]), (0, &b"http://a.example/\n"[..]), "{kind}: {}", shown.all);
                assert!(shown.all.contains("warning: "), "{kind}: {}", shown.all);
            }
        },
    },
    Row {
        number: 50,
        attack: "a server that does not let go",
        play: || {
            let silent = Host::new(Talk::listen);
            let mut child = command(&["get", &silent.url("http", "")]).stderr(Stdio::null()).spawn().unwrap();
            let deadline = Instant::now() + Duration::from_secs(30);
            while !silent.heard().ends_with("\r\n\r\n") && Instant::now() < deadline {
                thread::sleep(Duration::from_millis(20));
            }
            let began = Instant::now();
            assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
            assert_eq!(child.wait().unwrap().code(), Some(130));
            assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
        },
    },
    Row {
        number: 51,
        attack: "a proxy that cannot be used",
        play: || {
            let host = Host::http(document("", "x"));
            let shown = run(&["get", "--proxy", "http://127.0.0.1:1", &host.url("http", "")]);
            assert!(shown.code != 0 && host.connections() == 0, "{}", shown.all);
            let proxy = Host::http(document("", "x"));
            let gopher = Host::gopher("x");
            // Only http asks for a proxy at all; that none is chosen for other schemes is tested in `net/proxy.rs`.
            for url in ["file:///etc/hosts", &gopher.url("gopher", "0x"), &Host::ftp(b"x", &[]).url("ftp", "x")] {
                let shown = see(command(&["get", url]).env("all_proxy", proxy.url("http", "")));
                assert_eq!((shown.code, proxy.connections()), (0, 0), "{url}: {}", shown.all);
            }
        },
    },
    Row {
        number: 52,
        attack: "a certificate that nobody vouches for",
        play: || {
            let folder = Folder::new("52");
            let Some((mut server, port)) = tls(&folder) else { return skipped("openssl") };
            let shown = get(&format!("https://127.0.0.1:{port}/"));
            let _ = server.kill();
            let heard = rest(server.stdout.take().unwrap());
            let _ = server.wait();
            assert_eq!(shown.code, 8, "{}", shown.all);
            assert!(!heard.contains("GET"), "{heard}");
        },
    },
    Row {
        number: 53,
        attack: "settings in the current folder, and settings that everybody may write",
        play: || {
            let folder = Folder::new("53");
            let evil = Host::http(document("", "evil"));
            let settings = format!("[gateway]\ngopher = \"{}?{{url}}\"\n", evil.url("http", ""));
            folder.file("urlwise.toml", "");
            folder.file("config.toml", &settings);
            let good = Host::gopher("good");
            assert_eq!(folder.run(&["get", &good.url("gopher", "0x")]).out, b"good");
            let open = folder.file("open.toml", &settings);
            fs::set_permissions(&open, fs::Permissions::from_mode(0o666)).unwrap();
            assert_eq!(folder.run(&["get", "--settings", &open, &good.url("gopher", "0x")]).code, 2);
            assert_eq!(evil.connections(), 0);
        },
    },
    Row {
        number: 54,
        attack: "nothing to do, and a failure among successes",
        play: || {
            let folder = Folder::new("54");
            let empty = folder.file("empty", "\n\n");
            for arguments in [&["get"][..], &["ls"], &["get", "-f", &empty], &["get", "x"]] {
                assert_ne!(run(arguments).code, 0, "{arguments:?}");
            }
            let host = Host::http(document("", "x"));
            assert_ne!(run(&["get", &host.url("http", ""), "http://127.0.0.1:25/", &host.url("http", "")]).code, 0);
        },
    },
    Row {
        number: 55,
        attack: "answers that are cut at every octet",
        play: || {
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabcdefghi";
            for cut in 0..answer.len() {
                let shown = get(&Host::http(&answer[..cut]).url("http", ""));
                assert!([11, 12, 13].contains(&shown.code), "{cut}: {} {}", shown.code, shown.all);
            }
            for octets in [&b"\xff\xfa\xff"[..], b"\0\0\0\0", b"9999999999z3........", b"+-9\r\n", b"\r\n\r\n\r\n.\r\n"]
            {
                let host = Host::new(move |talk| {
                    talk.say(octets);
                });
                for scheme in ["http", "gopher", "ftp", "nntp", "wais", "finger", "telnet"] {
                    let rest = if scheme == "wais" { "db?x" } else { "a/1" };
                    let shown = run(&["get", "--max-time", "5s", &host.url(scheme, rest)]);
                    assert!((0..=18).contains(&shown.code), "{scheme} {octets:?}: {} {}", shown.code, shown.all);
                    assert!(!shown.all.contains("panicked"), "{scheme} {octets:?}: {}", shown.all);
                }
            }
        },
    },
];
