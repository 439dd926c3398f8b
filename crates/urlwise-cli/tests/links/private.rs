//! Addresses that links may not lead to, and logins that are neither shown nor sent.

use std::fs::{self, Permissions};
use std::io::Write;
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;

use crate::run::{document, objects, open, verdicts};
use crate::support::*;

fn answer(stream: &mut TcpStream, status: &str, fields: &str) {
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n{fields}\r\n");
    // The client may have closed the connection.
    let _ = stream.write_all(head.as_bytes());
}

#[test]
fn security_58_links_to_this_machine_and_private_networks_are_refused_under_every_name() {
    let folder = Folder::new();
    let server = Server::new(|_, _, stream| answer(stream, "200 OK", ""));
    let port = server.url("").rsplit(':').next().unwrap().to_owned();
    let name = text(&std::process::Command::new("uname").arg("-n").output().unwrap().stdout).trim().to_owned();
    let own = ["127.0.0.1", "localhost", "LOCALHOST", "127.1.2.3", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "[::]"];
    let others = ["10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "[fe80::1]", "[fd00::1]"];
    // Other ways to write 127.0.0.1: some are refused as misleading before they are resolved.
    let odd = ["2130706433", "0x7f000001", "0177.0.0.1", "127.1"];
    let mut links: Vec<_> =
        own.iter().chain(&others).chain(&odd).map(|host| format!("http://{host}:{port}/")).collect();
    links.push(format!("ftp://127.0.0.1:{port}/x"));
    links.push(format!("gopher://10.0.0.1:{port}/0x"));
    // The name of the machine is one that is resolved.
    links.push(format!("http://{name}:{port}/"));
    document(&folder, &links);
    let output = folder.urlwise(["check", "--open", "--json", "--no-proxy", "--allow", "port-foreign", "links.md"]);
    let found = verdicts(&output);
    assert_eq!(found.len(), links.len(), "{output:?}");
    for (link, verdict) in &found {
        assert!(
            verdict.starts_with("refused ") || verdict == "skipped placeholder" || verdict == "dead invalid-url",
            "{link}: {verdict}"
        );
    }
    for host in own.iter().chain(&others).filter(|host| **host != "LOCALHOST") {
        // No option opens metadata services (D-114).
        let rule = if *host == "169.254.169.254" { "address-metadata" } else { "local-from-public" };
        assert_eq!(found[&format!("http://{host}:{port}/")], format!("refused {rule}"), "{host}");
    }
    assert_eq!(server.requests().len(), 0);
}

/// A page from the web, by way of a proxy that knows all of it.
#[test]
fn security_58_redirects_of_the_web_do_not_lead_to_private_places() {
    let folder = Folder::new();
    let targets = [
        ("file", "file:///etc/passwd", "file-from-network"),
        ("metadata", "http://169.254.169.254/latest/meta-data/", "address-metadata"),
        ("private", "http://10.0.0.1/", "local-from-public"),
        ("loopback", "http://127.0.0.1/", "local-from-public"),
        ("six", "http://[::1]/", "local-from-public"),
        ("ftp", "ftp://127.0.0.1/x", "redirect-scheme"),
        ("gopher", "gopher://127.0.0.1:25/0x", "redirect-scheme"),
    ];
    let proxy = Server::new(move |_, head, stream| {
        let name = path(head).rsplit('/').next().unwrap();
        match targets.iter().find(|(known, ..)| *known == name) {
            Some((_, to, _)) => answer(stream, "302 Found", &format!("Location: {to}\r\n")),
            None => answer(stream, "404 Not Found", ""),
        }
    });
    document(&folder, targets.iter().map(|(name, ..)| format!("http://site.dom/{name}")));
    let output = folder.urlwise(["check", "--open", "--json", "--proxy", &proxy.url(""), "links.md"]);
    let found = verdicts(&output);
    for (name, to, rule) in targets {
        assert_eq!(found[&format!("http://site.dom/{name}")], format!("refused {rule}"), "{to}");
    }
    assert!(proxy.requests().iter().all(|head| path(head).starts_with("http://site.dom/")), "{:?}", proxy.requests());
}

#[test]
fn security_58_a_proxy_is_not_asked_for_local_names_in_links() {
    let folder = Folder::new();
    let proxy = Server::new(|_, _, stream| answer(stream, "200 OK", ""));
    let links = [
        ("http://localhost:8500/kv", "refused local-from-public"),
        ("http://x.localhost/", "refused local-from-public"),
        ("http://ip6-localhost/", "refused local-from-public"),
        ("http://metadata.google.internal/x", "refused address-metadata"),
        ("http://site.dom/", "alive"),
    ];
    document(&folder, links.iter().map(|(link, _)| (*link).to_owned()));
    let check = |options: &[&str]| {
        let proxy = proxy.url("");
        folder.urlwise([&["check", "--open", "--json", "--proxy", &proxy, "links.md"], options].concat())
    };
    let found = verdicts(&check(&[]));
    links.iter().for_each(|(link, verdict)| assert_eq!(found[*link], *verdict, "{link}"));
    assert_eq!(proxy.requests().len(), 1);
    let found = verdicts(&check(&["--allow", "local-from-public"]));
    assert_eq!(found["http://localhost:8500/kv"], "alive");
    assert_eq!(found["http://metadata.google.internal/x"], "refused address-metadata");
}

#[test]
fn security_14_58_logins_of_links_are_masked_everywhere_and_never_sent() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| match path(head) {
        "/moved" => answer(stream, "301 Moved Permanently", "Location: http://jim:MaRkEr@127.0.0.1:1/x\r\n"),
        "/wanted" => answer(stream, "401 Unauthorized", "WWW-Authenticate: Basic realm=\"x\"\r\n"),
        "/gone" => answer(stream, "404 Not Found", ""),
        _ => answer(stream, "200 OK", ""),
    });
    let with_login = |path: &str| server.url(path).replace("//", "//joe:MaRkEr@");
    let links = [
        with_login("/fine"),
        with_login("/gone"),
        with_login("/wanted"),
        server.url("/moved"),
        server.url("/fine").replace("http:", "ftp:").replace("//", "//joe:MaRkEr@"),
        "ftp://joe:MaRkEr@h.dom:25/x".into(),
        "hhtp://joe:MaRkEr@h.dom/x".into(),
        "http://joe:MaRkEr@h.dom:x/".into(),
        "http://joe:MaRkEr@www.example.com/".into(),
    ];
    document(&folder, &links);
    folder.file("text.txt", links.join("\n"));
    for format in ["human", "json", "sarif", "github", "markdown", "junit"] {
        let options = ["--format", format, "--notes", "--verbose", "--cache", "--max-time", "5", "--retry", "0"];
        for files in [&["."][..], &["-f", "text.txt"]] {
            let output = open(&folder, &[&options, files].concat());
            let said = text(&output.stdout) + &text(&output.stderr);
            assert!(said.contains("joe") && !said.contains("MaRkEr"), "{format}: {said}");
            let cache = text(&folder.read(".urlwise-cache"));
            assert!(!cache.contains("MaRkEr") && !cache.contains("joe"), "{cache}");
        }
    }
    let given = open(&folder, &["--json", &with_login("/fine")]);
    assert!(!text(&given.stdout).contains("MaRkEr") && !text(&given.stderr).contains("MaRkEr"), "{given:?}");
    // In base64, as it would be sent.
    for head in server.requests() {
        assert!(!head.to_ascii_lowercase().contains("authorization") && !head.contains("MaRkEr"), "{head}");
    }
}

#[test]
fn a_login_of_the_netrc_file_is_sent_to_its_host_alone_and_shown_nowhere() {
    let folder = Folder::new();
    let server =
        Server::new(|_, head, stream| match (path(head), head.contains("uthorization: Basic am9lOk1hUmtFcg==")) {
            ("/moved", _) => answer(stream, "302 Found", "Location: /wanted\r\n"),
            (_, true) => answer(stream, "200 OK", ""),
            (_, false) => answer(stream, "401 Unauthorized", "WWW-Authenticate: Basic realm=\"x\"\r\n"),
        });
    let elsewhere = server.url("/wanted").replace("127.0.0.1", "localhost");
    document(&folder, [server.url("/wanted"), server.url("/moved"), elsewhere.clone()]);
    let netrc = folder.file("netrc", "machine 127.0.0.1 login joe password MaRkEr\n");
    fs::set_permissions(&netrc, Permissions::from_mode(0o600)).unwrap();
    let output = open(&folder, &["--json", "--verbose", "--cache", "--netrc-file", "netrc", "links.md"]);
    let found = verdicts(&output);
    assert_eq!((&*found[&server.url("/wanted")], &*found[&server.url("/moved")]), ("alive", "alive"), "{output:?}");
    assert_eq!(found[&elsewhere], "unknown login");
    assert_eq!(objects(&output).len(), 3);
    let said = text(&output.stdout) + &text(&output.stderr) + &text(&folder.read(".urlwise-cache"));
    assert!(!said.contains("MaRkEr") && !said.contains("am9lOk1hUmtFcg"), "{said}");
    for head in server.requests().iter().filter(|head| head.contains("localhost")) {
        assert!(!head.contains("uthorization"), "{head}");
    }
}

#[test]
fn security_58_links_of_a_page_to_its_own_local_server_are_opened_and_followed_and_no_others() {
    let folder = Folder::new();
    let other = Server::new(|_, _, stream| answer(stream, "200 OK", ""));
    let (there, by_name) = (other.url("/x"), other.url("/x").replace("127.0.0.1", "localhost"));
    let links = format!("<a href=/gone>1</a><a href=/sub/>2</a><a href='{there}'>3</a><a href='{by_name}'>4</a>");
    let page = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n{links}");
    let server = Server::new(move |_, head, stream| match path(head) {
        "/" | "/sub/" => _ = stream.write_all(page.as_bytes()),
        _ => answer(stream, "404 Not Found", ""),
    });
    let check = |options: &[&str]| {
        folder.urlwise([&["check", "--open", "--no-proxy", "--no-config"], options, &[&server.url("/")]].concat())
    };
    for options in [&["--json"][..], &["--json", "--recursive"]] {
        let output = check(options);
        let found = verdicts(&output);
        let expected = [
            (there.as_str(), "refused local-from-public"),
            (by_name.as_str(), "refused local-from-public"),
            ("/gone", "dead not-found"),
            ("/sub/", "alive"),
        ];
        expected.iter().for_each(|(link, verdict)| assert_eq!(found[*link], *verdict, "{options:?} {link}"));
        let pages: std::collections::BTreeSet<_> =
            objects(&output).iter().map(|one| one["page"].as_str().unwrap_or_default().to_owned()).collect();
        assert_eq!(pages.contains(&server.url("/sub/")), options.len() > 1, "{pages:?}");
    }
    assert_eq!(other.requests().len(), 0);

    let output = check(&[]);
    let [shown, summary] = [text(&output.stdout), text(&output.stderr)];
    assert!(!shown.contains("--allow"), "{shown}");
    assert_eq!(summary.matches("use `--allow local-from-public`").count(), 1, "{summary}");
}

#[test]
fn a_link_that_a_finding_says_is_refused_is_reported_once() {
    let folder = Folder::new();
    document(&folder, ["http://h.dom:6379/"]);
    let check = |options: &[&str]| folder.urlwise([&["check", "--open", "--no-proxy", "links.md"], options].concat());
    for format in ["sarif", "github", "markdown", "junit", "human"] {
        let output = check(&["--format", format]);
        let shown = text(&output.stdout);
        assert_eq!(shown.matches("belongs to Redis").count(), 1, "{format}: {shown}");
    }
    let ignored = check(&["--format", "github", "--ignore", "port-foreign"]);
    assert_eq!(text(&ignored.stdout).matches("title=link-refused").count(), 1, "{ignored:?}");
    assert_eq!(verdicts(&check(&["--json"]))["http://h.dom:6379/"], "refused port-foreign");
}
