//! S-24 to S-40: ftp, http, file, mailto, telnet.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::play::*;
use super::{Missing, Row};

pub(crate) static ROWS: &[Row] = &[
    Row {
        number: 24,
        attack: "a PASV reply with another host's address",
        play: || {
            // The reader of replies returns the port alone, so no address can be trusted by mistake further on.
            let host = Host::ftp(b"here", &[("EPSV", "502 no\r\n"), ("PASV", "227 go (10,0,0,1,P1,P2)\r\n")]);
            let shown = get(&host.url("ftp", "x"));
            assert_eq!((shown.code, &shown.out[..]), (0, &b"here"[..]), "{}", shown.all);
        },
    },
    Row {
        number: 25,
        attack: "replies that name no usable port",
        play: || {
            for changes in [
                &[("EPSV", "229 go (|||80|)\r\n")],
                &[("EPSV", "229 go (|||65536|)\r\n")],
                &[("EPSV", "229 go (|1|10.0.0.1|5000|)\r\n")],
            ] {
                assert_eq!(get(&Host::ftp(b"x", changes).url("ftp", "x")).code, 12, "{changes:?}");
            }
            // Some of these would be a usable port if they were read less strictly.
            for numbers in [
                "127,0,0,1,0,80",
                "127,0,0,1,3,255",
                "127,0,0,1,256,1",
                "127,0,0,1,9,256",
                "256,0,0,1,P1,P2",
                "127,0,0,1,+P1,P2",
                "127,0,0,1,P1,P2,",
                "127,0,0,1,9",
                "127,0,0,1,9,1,1",
            ] {
                let reply: &'static str = Box::leak(format!("227 go ({numbers})\r\n").into_boxed_str());
                let changes: &'static [_] = Box::leak(Box::new([("EPSV", "502 no\r\n"), ("PASV", reply)]));
                assert_eq!(get(&Host::ftp(b"x", changes).url("ftp", "x")).code, 12, "{numbers}");
            }
        },
    },
    Row {
        number: 26,
        attack: "a server that wants to connect to us",
        play: || {
            // It would agree to PORT and EPRT, which no code of the client can write.
            let changes =
                &[("EPSV", "502 no\r\n"), ("PASV", "502 no\r\n"), ("PORT", "200 yes\r\n"), ("EPRT", "200 yes\r\n")];
            let host = Host::ftp(b"x", changes);
            assert_eq!(get(&host.url("ftp", "x")).code, 11);
            assert!(host.heard().ends_with("PASV\r\n") || host.heard().ends_with("QUIT\r\n"), "{}", host.heard());
            assert!(!host.heard().contains("PORT") && !host.heard().contains("EPRT"), "{}", host.heard());
        },
    },
    Row {
        number: 27,
        attack: "replies without an end",
        play: || {
            for endless in ["220-and so on\r\n", "220 x", "22\0 x\r\n", "220 \0x\r\n"] {
                let host = Host::new(move |talk| while talk.say(endless) {});
                let shown = get(&host.url("ftp", "x"));
                assert!([12, 17].contains(&shown.code), "{endless:?}: {} {}", shown.code, shown.all);
            }
            // One fault each, in replies that are short and end.
            let lines: &'static str = Box::leak(("220-x\r\n".repeat(1000) + "220 x\r\n").into_boxed_str());
            let long: &'static str = Box::leak(format!("220 {}\r\n", "x".repeat(8189)).into_boxed_str());
            for (greeting, expected) in [(lines, 17), (long, 17), ("220 \0x\r\n", 12), ("2200 x\r\n", 12)] {
                let changes: &'static [_] = Box::leak(Box::new([("greeting", greeting)]));
                let host = Host::ftp(b"x", changes);
                assert_eq!(get(&host.url("ftp", "x")).code, expected, "{:?}", &greeting[..6]);
                assert_eq!(host.heard(), "");
            }
        },
    },
    Row {
        number: 28,
        attack: "octets that are sent along before the handshake",
        play: || {
            let host = Host::ftp(b"x", &[("AUTH", "234 go\r\n230 you are in\r\n")]);
            assert_eq!(run(&["get", "--insecure", "--require-tls", &host.url("ftp", "x")]).code, 12);
            assert!(!host.heard().contains("USER"), "{}", host.heard());
        },
    },
    Row {
        number: 29,
        attack: "a server with TLS that sends data in clear",
        play: || {
            let folder = Folder::new("29");
            let Some((mut server, port)) = tls(&folder) else { return skipped("openssl") };
            let (mut says, heard) = (server.stdin.take().unwrap(), BufReader::new(server.stdout.take().unwrap()));
            let talk = std::thread::spawn(move || {
                says.write_all(b"220 here\r\n").unwrap();
                let mut said = Vec::new();
                for line in heard.lines().map_while(Result::ok) {
                    let reply = match line.get(..4).unwrap_or_default() {
                        "USER" => "230 in\r\n",
                        "PROT" => "534 no\r\n",
                        _ => "200 fine\r\n",
                    };
                    said.push(line);
                    if says.write_all(reply.as_bytes()).is_err() {
                        break;
                    }
                }
                said
            });
            let shown = run(&["get", "--insecure", &format!("ftps://127.0.0.1:{port}/x")]);
            let _ = server.kill();
            let _ = server.wait();
            let said = talk.join().unwrap();
            assert!(shown.code == 11 && shown.all.contains("S-29"), "{}", shown.all);
            let after: Vec<_> = said.iter().skip_while(|line| *line != "PROT P").skip(1).collect();
            assert!(said.iter().any(|line| line == "PROT P"), "{said:?}");
            assert!(after.iter().all(|line| *line == "QUIT"), "nothing is asked for after the refusal: {said:?}");
        },
    },
    Row {
        number: 30,
        attack: "a transfer that ends early, and one that nobody confirms",
        play: || {
            let short = Host::ftp(b"0123456789", &[("RETR", "150 go (100 bytes).\r\n")]);
            let denied = Host::ftp(b"0123456789", &[("done", "426 oh\r\n")]);
            for host in [short, denied] {
                let folder = Folder::new("30");
                assert_eq!(folder.run(&["get", "-O", &host.url("ftp", "x")]).code, 13);
                assert_eq!(folder.names(), ["x.part", "x.part.json"]);
            }
        },
    },
    Row {
        number: 31,
        attack: "another document in the place of the one that was begun",
        play: || {
            let host = Host::new(|talk| {
                talk.head();
                let (tag, octets) = if talk.number == 0 { ("a", "aaaa") } else { ("b", "bbbbbbbb") };
                talk.say(format!("HTTP/1.1 200 OK\r\nETag: \"{tag}\"\r\nContent-Length: 8\r\n\r\n{octets}"));
            });
            let folder = Folder::new("31");
            assert_eq!(folder.run(&["get", "-O", &host.url("http", "x")]).code, 13);
            assert_eq!(folder.run(&["get", "-O", "--continue", &host.url("http", "x")]).code, 0);
            assert_eq!(std::fs::read(folder.0.join("x")).unwrap(), b"bbbbbbbb");
        },
    },
    Row {
        number: 32,
        attack: "names in a list that are paths and escape sequences",
        play: || {
            let host = Host::ftp(b"../../etc/x\r\n\x1b[31mred\r\na%2Fb\r\n", &[]);
            let shown = run(&["ls", &host.url("ftp", "d/")]);
            assert_eq!(shown.code, 0, "{}", shown.all);
            assert!(!shown.all.contains('\x1b') && shown.all.contains("%1B"), "{:?}", shown.all);
        },
    },
    Row {
        number: 33,
        attack: "heads and chunks that are endless or contradict themselves",
        play: || {
            let endless = Host::new(|talk| {
                talk.head();
                talk.say("HTTP/1.1 200 OK\r\n");
                while talk.say(format!("X: {}\r\n", "y".repeat(1000))) {}
            });
            let both = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n";
            let chunk = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nx";
            for host in [endless, Host::http(both), Host::http(chunk)] {
                let shown = get(&host.url("http", ""));
                assert!([12, 17].contains(&shown.code), "{} {}", shown.code, shown.all);
            }
        },
    },
    Row {
        number: 34,
        attack: "a hundred megabytes of zeros, compressed",
        play: || {
            let made = Command::new("sh").args(["-c", "head -c 100000000 /dev/zero | gzip -9"]).output().unwrap();
            assert!(made.stdout.len() > 1000, "gzip is everywhere");
            let head =
                format!("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {}\r\n\r\n", made.stdout.len());
            let host = Host::http([head.into_bytes(), made.stdout].concat());
            let shown = run(&["get", "--compressed", "--max-size", "1M", &host.url("http", "")]);
            assert!(shown.code == 17 && shown.out.len() <= 1 << 20, "{} {}", shown.code, shown.out.len());
            let shown = run(&["get", "--compressed", &host.url("http", "")]);
            assert!(shown.code == 17 && shown.out.len() < 18 << 20, "the ratio: {} {}", shown.code, shown.out.len());
        },
    },
    Row {
        number: 35,
        attack: "a cookie",
        play: || {
            let host = Host::new(|talk| {
                talk.head();
                let head = match talk.number {
                    0 => "302 Found\r\nLocation: /b",
                    _ => "200 OK\r\nStrict-Transport-Security: max-age=1000",
                };
                talk.say(format!("HTTP/1.1 {head}\r\nSet-Cookie: a=b; Path=/\r\nContent-Length: 0\r\n\r\n"));
            });
            assert_eq!(run(&["get", &host.url("http", "a"), &host.url("http", "c")]).code, 0);
            assert!(
                host.heard().contains("GET /c") && !host.heard().to_lowercase().contains("cookie"),
                "{}",
                host.heard()
            );
        },
    },
    Row {
        number: 36,
        attack: "file URLs of other machines",
        play: || {
            for url in ["file://127.0.0.1/etc/hostname", "file://h.example/x", "file:////h.example/x"] {
                assert_eq!(get(url).code, 4, "{url}");
            }
        },
    },
    Row {
        number: 37,
        attack: "devices, pipes and separators in file URLs",
        play: || {
            let folder = Folder::new("37");
            let pipe = folder.0.join("pipe");
            assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
            let pipe = format!("file://{}", pipe.display());
            for (url, rule) in [
                ("file:///dev/zero", "file-escape"),
                ("file:///etc%2Fhostname", "file-escape"),
                ("file:///etc/host%00name", "file-escape"),
                (pipe.as_str(), "--special-files"),
            ] {
                let shown = get(url);
                assert!(shown.code == 4 && shown.all.contains(rule), "{url}: {}", shown.all);
            }
            let shown = run(&["get", "--special-files", "--max-size", "10", "file:///dev/zero"]);
            assert_eq!((shown.code, shown.out.len()), (17, 10));
        },
    },
    Row {
        number: 38,
        attack: "mail to more people than are seen, sent unasked",
        play: || {
            for url in [
                "mailto:a@b.example?bcc=x@y.example",
                "mailto:a@b.example?subject=x%0D%0ABcc:%20x@y.example",
                "mailto:a@b.example?subject=x%0ABcc:%20x@y.example",
                "mailto:a@b.example?subject=x%0DBcc:%20x@y.example",
            ] {
                let shown = get(url);
                assert!(shown.code == 4 && shown.all.contains("mailto-inject"), "{url}: {} {}", shown.code, shown.all);
            }
            let draft = get("mailto:a@b.example?subject=x");
            assert!(draft.code == 0 && draft.all.contains("Subject: x"), "{}", draft.all);
        },
    },
    Row {
        number: 39,
        attack: "a URL that is shell code, for a mailer",
        play: || {
            let folder = Folder::new("39");
            let mailer = folder.file("xdg-email", "#!/bin/sh\necho \"$#\" \"$1\" > \"${0%/*}/words\"\n");
            std::fs::set_permissions(mailer, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
            let path = format!("{}:/usr/bin:/bin", folder.0.display());
            let shown =
                see(command(&["get", "--compose", "mailto:%22$(id)%22@h.example?subject=-x"]).env("PATH", path));
            assert_eq!(shown.code, 0, "{}", shown.all);
            let words = std::fs::read_to_string(folder.0.join("words")).unwrap();
            assert_eq!(words, "1 mailto:%22$(id)%22@h.example?subject=-x\n");
        },
    },
    Row {
        number: 40,
        attack: "a telnet server that asks for the environment and the login",
        play: || {
            let host = Host::new(|talk| {
                talk.say(b"\xff\xfd\x27\xff\xfd\x18\xff\xfa\x27\x01\x00USER\xff\xf0login: ");
                std::thread::sleep(Duration::from_millis(300));
            });
            let url = format!("telnet://joe:MaRkEr@127.0.0.1:{}/", host.port);
            let began = Instant::now();
            let shown = see(command(&["get", &url]).env("USER", "EnViRoN").stdin(Stdio::null()));
            assert!(began.elapsed() < Duration::from_secs(90) && shown.code >= 0, "{}", shown.all);
            assert_eq!(host.connections(), 1, "{}", shown.all);
            for secret in ["joe", "MaRkEr", "EnViRoN"] {
                assert!(!host.heard().contains(secret), "{}", host.heard());
            }
            assert!(!shown.all.contains("MaRkEr"), "{}", shown.all);
        },
    },
];

/// Ends a row that cannot be played on this machine; with `CI=true` that is a failure.
pub(crate) fn skipped(missing: &'static str) {
    assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "{missing} is not installed");
    std::panic::resume_unwind(Box::new(Missing(missing)));
}
