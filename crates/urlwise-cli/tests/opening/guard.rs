//! Attacks by URLs, by servers and by other users of the machine (client security 9, 12, 16, 42, 43, 54).

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::os::unix::fs::symlink;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::*;

/// Octets of one server never become the beginning of another one's document.
#[test]
fn security_43_no_document_is_named_like_the_state_of_a_transfer() {
    let folder = Folder::new();
    let good = Server::new(|_, head, stream| give(stream, head, b"the good document", "\"g\"", 99));
    let url = good.url("/x");
    let forged = format!("{{\"urlwise\":\"partial\",\"url\":\"{url}\",\"size\":17,\"validator\":\"\\\"g\\\"\"}}\n");
    let evil = Server::new(move |_, head, stream| {
        let octets = if path(head).ends_with("json") { forged.as_bytes() } else { b"evil " };
        give(stream, head, octets, "\"e\"", 999);
    });
    for name in ["x.part", "x.part.json", "x.PART"] {
        let saved = folder.urlwise(["get", "-O", &evil.url(&format!("/{name}"))]);
        assert_eq!(code(&saved), 0, "{name}: {}", text(&saved.stderr));
    }
    assert_eq!(folder.names(), ["x%2EPART", "x%2Epart", "x.part%2Ejson"]);
    let output = folder.urlwise(["get", "-O", "--continue", &url]);
    assert_eq!((code(&output), folder.read("x")), (0, b"the good document".to_vec()), "{}", text(&output.stderr));
}

#[test]
fn security_43_an_output_file_is_not_named_like_the_state_of_a_transfer() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| give(stream, head, b"x", "\"1\"", 9));
    fs::create_dir(folder.path("d.part")).unwrap();
    for more in [&["-o", "x.part"][..], &["-o", "x.PART.json"], &["--output-dir", "d.part", "-o", "x.part"]] {
        let refused = folder.urlwise([&["get", "--force", &server.url("/x")], more].concat());
        assert_eq!((code(&refused), server.requests().len()), (2, 0), "{more:?}: {}", text(&refused.stderr));
        assert!(text(&refused.stderr).contains("partial transfers"), "{}", text(&refused.stderr));
    }
    for (name, saved) in [("x.part.txt", "x.part.txt"), ("part", "part"), ("d.part", "d.part/x")] {
        assert_eq!(code(&folder.urlwise(["get", "-o", name, &server.url("/x")])), 0, "{name}");
        assert_eq!(folder.read(saved), b"x");
    }
}

#[test]
fn security_42_a_name_from_a_url_never_writes_to_a_pipe_or_device() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| give(stream, head, b"new", "\"1\"", 3));
    rustix::fs::mknodat(rustix::fs::CWD, folder.path("pipe"), rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    symlink("/dev/full", folder.path("link")).unwrap();
    for name in ["pipe", "link"] {
        let began = Instant::now();
        let refused = folder.urlwise(["get", "-O", &server.url(&format!("/{name}"))]);
        assert_eq!(code(&refused), 14, "{name}: {}", text(&refused.stderr));
        assert!(text(&refused.stderr).contains("already exists"), "{}", text(&refused.stderr));
        assert!(began.elapsed() < Duration::from_secs(20), "nobody waits for a reader");
        assert_eq!(code(&folder.urlwise(["get", "-O", "--force", &server.url(&format!("/{name}"))])), 0);
        assert_eq!(folder.read(name), b"new");
        assert!(fs::symlink_metadata(folder.path(name)).unwrap().is_file(), "it is replaced");
    }
    // A device that is named was meant.
    assert_eq!(code(&folder.urlwise(["get", "-o", "/dev/null", &server.url("/x")])), 0);
    assert_eq!(code(&folder.urlwise(["get", "-o", "/dev/full", &server.url("/x")])), 14);
}

#[test]
fn security_42_43_a_second_name_of_a_partial_file_keeps_its_octets() {
    let folder = Folder::new();
    let cutting = Server::new(|_, head, stream| give(stream, head, b"0123456789", "\"1\"", 5));
    let whole = Server::new(|_, head, stream| give(stream, head, b"0123456789", "\"1\"", 99));
    folder.file("victim", "precious");
    fs::hard_link(folder.path("victim"), folder.path("x.part")).unwrap();
    let forced = folder.urlwise(["get", "-O", "--force", &whole.url("/x")]);
    assert_eq!((code(&forced), folder.read("victim")), (0, b"precious".to_vec()), "{}", text(&forced.stderr));
    assert_eq!(folder.read("x"), b"0123456789");

    assert_eq!(code(&folder.urlwise(["get", "-O", &cutting.url("/y")])), 13);
    fs::hard_link(folder.path("y.part"), folder.path("other")).unwrap();
    let resumed = folder.urlwise(["get", "-O", "--continue", &cutting.url("/y")]);
    assert_eq!((code(&resumed), folder.read("other")), (14, b"01234".to_vec()), "{}", text(&resumed.stderr));
    assert!(text(&resumed.stderr).contains("--force"), "{}", text(&resumed.stderr));
}

#[test]
fn security_54_no_url_is_a_failure() {
    let folder = Folder::new();
    folder.file("empty", "");
    folder.file("blank", "\n\r\n\n");
    for arguments in [&["get"][..], &["get", "-f", "empty"], &["get", "-f", "blank"], &["ls", "-f", "empty"]] {
        let output = folder.urlwise(arguments.iter().copied());
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert!(text(&output.stderr).contains("no URL"), "{arguments:?}");
    }
}

#[test]
fn security_12_without_a_terminal_no_empty_password_is_sent() {
    let server = Server::new(|_, head, stream| give(stream, head, b"x", "\"1\"", 1));
    // `setsid` takes the terminal away, if the test has one.
    let mut command = english("setsid");
    command.args(["--wait", env!("CARGO_BIN_EXE_urlwise"), "get", "--user", "joe", &server.url("/")]);
    let output = command.env("XDG_CONFIG_HOME", "/nonexistent").stdin(Stdio::null()).output().unwrap();
    assert_eq!((code(&output), server.requests().len()), (9, 0), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("no password was given"), "{}", text(&output.stderr));
}

#[test]
fn security_9_public_only_refuses_local_addresses() {
    let server = Server::new(|_, head, stream| give(stream, head, b"x", "\"1\"", 1));
    for command in ["get", "ls"] {
        let output = urlwise(&[command, "--no-proxy", "--public-only", &server.url("/")]);
        assert_eq!((code(&output), server.requests().len()), (4, 0), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains("address-local"), "{}", text(&output.stderr));
    }
    assert_eq!(code(&urlwise(&["get", "--no-proxy", &server.url("/")])), 0);
}

#[test]
fn security_9_a_leading_zero_means_the_same_in_every_scheme() {
    for scheme in ["http", "ftp", "gopher", "telnet", "wais", "prospero", "nntp"] {
        let rest = if scheme == "nntp" { "a.b/1" } else { "" };
        for host in ["127.000.000.010", "127.000.000.001", "127.0.0.01"] {
            let refused = urlwise(&["get", "--no-proxy", &format!("{scheme}://{host}:2121/{rest}")]);
            assert_eq!(code(&refused), 4, "{scheme} {host}: {}", text(&refused.stderr));
            assert!(text(&refused.stderr).contains("read-differently"), "{scheme}: {}", text(&refused.stderr));
        }
        let plan = urlwise(&["get", "--dry-run", &format!("{scheme}://127.0.0.1:2121/{rest}")]);
        assert_eq!(code(&plan), 0, "{scheme}: {}", text(&plan.stderr));
    }
}

#[test]
fn security_16_a_password_for_ftp_is_sent_by_tls_where_it_is_offered() {
    for offers in [true, false] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let said = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut said = Vec::new();
            stream.write_all(b"220 here\r\n").unwrap();
            for line in BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok) {
                let reply = match &line[..4] {
                    "AUTH" if offers => "234 go\r\n",
                    "AUTH" => "502 no\r\n",
                    "USER" => "331 who?\r\n",
                    _ => "530 no\r\n",
                };
                let is_handshake = reply.starts_with("234");
                stream.write_all(reply.as_bytes()).unwrap();
                said.push(line);
                if is_handshake {
                    break;
                }
            }
            said
        });
        let output = urlwise(&["get", &format!("ftp://joe:secret@127.0.0.1:{port}/x")]);
        assert_ne!(code(&output), 0);
        let said = said.join().unwrap();
        let expected: &[&str] = if offers { &["AUTH TLS"] } else { &["AUTH TLS", "USER joe", "PASS secret"] };
        assert_eq!(said[..expected.len()], *expected, "{}", text(&output.stderr));
        assert!(!offers || said.len() == 1, "nothing follows in clear: {said:?}");
    }
}
