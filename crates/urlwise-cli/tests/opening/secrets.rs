//! Client security 14: passwords are not in messages, files or file names.

use std::fs;
use std::io::Write;
use std::net::TcpListener;

use crate::support::*;

const MARKER: &str = "MaRkEr";

/// Neither the output nor any file or file name in the folder contains the marker.
#[track_caller]
fn holds_no_marker(folder: &Folder, arguments: &[&str], output: &std::process::Output) {
    assert_ne!(output.status.code(), Some(101), "{arguments:?}");
    let said = text(&output.stdout) + &text(&output.stderr);
    assert!(!said.contains(MARKER), "{arguments:?} says it: {said}");
    for name in folder.names() {
        assert!(!name.contains(MARKER), "{arguments:?} names {name}");
        let octets = folder.read(&name);
        assert!(!text(&octets).contains(MARKER), "{arguments:?} writes it to {name}");
        fs::remove_file(folder.path(&name)).unwrap();
    }
}

/// Runs every way with every URL.
fn none_holds_the_marker(folder: &Folder, urls: &[String], ways: &[&[&str]]) {
    for (url, way) in urls.iter().flat_map(|url| ways.iter().map(move |way| (url, *way))) {
        let arguments = [way, &[url]].concat();
        let output = folder.urlwise(&arguments);
        holds_no_marker(folder, &arguments, &output);
    }
}

#[test]
fn security_14_opening_never_shows_or_writes_a_password() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    // Large documents are described at the start, small ones when the transfer ends.
    let cut = Server::new(|_, head, stream| give(stream, head, &document(3 << 20), "\"1\"", 1 << 20));
    let cut = cut.url("").strip_prefix("http://").unwrap().to_owned();
    let urls = [
        format!("http://jim:{MARKER}@{cut}/x"),
        format!("http://jim:{MARKER}@{cut}"),
        format!("http://jim:{MARKER}@127.0.0.1:{closed}/"),
        format!("ftp://jim:{MARKER}@127.0.0.1:{closed}/a;type=i"),
        format!("ftp://jim:{MARKER}@x@host.dom/"),
        format!("telnet://jim:{MARKER}@host.dom:25/"),
        format!("x-new://jim:{MARKER}@host.dom/"),
    ];
    let ways: [&[&str]; 14] = [
        &["get"],
        &["get", "-q"],
        &["get", "--json"],
        &["get", "--dry-run"],
        &["get", "--dry-run", "--json"],
        &["get", "-O"],
        &["get", "-O", "--json"],
        &["get", "-O", "--continue"],
        &["get", "-O", "--force", "--parallel", "2"],
        &["get", "-o", "x", "--allow", "port-foreign"],
        &["get", "--retry", "1", "--max-time", "0.5"],
        &["get", "--max-size", "1"],
        &["ls"],
        &["ls", "--json"],
    ];
    none_holds_the_marker(&Folder::new(), &urls, &ways);
}

/// A URL inside a URL has a password of its own, of which a part of the outer one is made.
#[test]
fn security_14_passwords_of_urls_in_urls_are_in_no_dialogue_sentence_or_error() {
    let server = Server::new(|_, _, stream| {
        let answer = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/x; from=ftp://jim:{MARKER}@h/\r\nX: jim:{MARKER}@h\r\nContent-Length: 1\r\n\r\nx"
        );
        let _ = stream.write_all(answer.as_bytes());
    });
    let inner = format!("http://jim:{MARKER}@h/");
    let urls = [
        server.url(&format!("x?u={inner}")),
        server.url(&inner),
        format!("http://a.invalid/{inner}"),
        format!("ftp://a.invalid/{inner}"),
        format!("ftp://a.invalid//jim:{MARKER}@h/x;type=d"),
        format!("ftp://jim:pw@a.invalid//jim:x%2F{MARKER}@h/x"),
        format!("gopher://a.invalid/0URL:{inner}"),
        format!("gopher://a.invalid/7/x%09{inner}"),
        format!("prospero://a.invalid/{inner}"),
        format!("wais://a.invalid/db?http:%2F%2Fjim:{MARKER}@h"),
        format!("file:///{inner}"),
        server.url(&format!("x?u=http%3A%2F%2Fjim%3A{MARKER}%40h%2F")),
        format!("ftp://a.invalid/http%3A%2F%2Fjim%3A{MARKER}%40h%2F"),
        format!("gopher://a.invalid/7/x%09http%3A//jim%3A{MARKER}%40h/"),
    ];
    let ways: [&[&str]; 8] = [
        &["get", "--dry-run"],
        &["get", "--dry-run", "--json"],
        &["get", "-v", "--max-time", "2"],
        &["get", "--json", "-o", "x", "--force", "--max-time", "2"],
        &["explain"],
        &["explain", "--json"],
        &["explain", "--html"],
        &["explain", "--lang", "ja"],
    ];
    let folder = Folder::new();
    none_holds_the_marker(&folder, &urls, &ways);
    // Of these only the dry run is a dialogue: a draft is a document, and the document-id is no URL of RFC 1738.
    for url in [
        format!("wais://a.invalid/db/TEXT/1=http://jim:{MARKER}@h%3B"),
        format!("mailto:a@b.dom?subject={inner}&body={inner}"),
    ] {
        let arguments = ["get", "--dry-run", &url];
        holds_no_marker(&folder, &arguments, &folder.urlwise(arguments));
    }
}

/// Whatever is to name a server may hold a login.
#[test]
fn security_14_options_that_are_wrong_are_quoted_without_passwords() {
    let folder = Folder::new();
    for login in [format!("nntps://jim:{MARKER}@h.invalid/x"), format!("jim:{MARKER}@h.invalid/x")] {
        let ways: [&[&str]; 5] = [
            &["get", "news:a.b", "--news-server"],
            &["get", "--json", "-O", "news:a.b", "--news-server"],
            &["get", "http://a.invalid/", "--proxy"],
            &["get", "--send", "--from", "a@b.dom", "mailto:a@b.dom", "--mail-server"],
            &["check", "--open", "news:a.b", "--news-server"],
        ];
        for way in ways {
            let arguments = [way, &[&login]].concat();
            let output = folder.urlwise(&arguments);
            assert_ne!(output.status.code(), Some(0), "{arguments:?}");
            holds_no_marker(&folder, &arguments, &output);
        }
    }
    for way in [["get", "--allow"], ["get", "--netrc-file"], ["get", "--gateway"]] {
        let (value, url) = (format!("http://jim:{MARKER}@h=x"), "http://a.invalid/");
        let arguments = [&way[..], &[&value, url]].concat();
        holds_no_marker(&folder, &arguments, &folder.urlwise(&arguments));
    }
    for way in [
        &["get", "http://a.invalid/", "--allow"][..],
        &["get", "wais://a.invalid/x", "--gateway"],
        &["serve", "--gateway"],
        &["check", "--open", "--suggest", "--archive"],
        &["check", "--ignore"],
        &["find", "--scheme"],
        &["encode", "x", "--part"],
    ] {
        for value in [
            format!("jim:{MARKER}@h.invalid"),
            format!("jim:{MARKER}@h.invalid=x"),
            format!("wais=jim:{MARKER}@h.invalid"),
        ] {
            let arguments = [way, &[&value]].concat();
            let output = folder.urlwise(&arguments);
            assert_ne!(output.status.code(), Some(0), "{arguments:?}");
            holds_no_marker(&folder, &arguments, &output);
        }
    }
    // Without a scheme before the login, and as the parser of arguments quotes them.
    for way in [
        &["http://a.invalid/", "--settings"][..],
        &["check", "x", "--config"],
        &["get", "http://a.invalid/", "--netrc-file"],
        &["get", "http://a.invalid/", "--header"],
        &["guard", "http://a.invalid/", "--allow-host"],
        &["compare", "http://a.invalid/", "--readers"],
        &["explain", "http://a.invalid/", "--profile"],
        &["explain", "http://a.invalid/", "--lang"],
        &["explain", "http://a.invalid/", "--color"],
        &["check", "x", "-j"],
        &["check", "x", "--format"],
        &["vectors", "--hostile", "e.example", "--trusted"],
        &["parse", "x", "--columns"],
        &["parse", "x", "--template"],
        &["completions"],
    ] {
        let login = format!("u:{MARKER}@h.dom");
        let arguments = [way, &[&login]].concat();
        let output = folder.urlwise(&arguments);
        assert_ne!(output.status.code(), Some(0), "{arguments:?}");
        holds_no_marker(&folder, &arguments, &output);
    }
    for option in [format!("--u:{MARKER}@h.dom"), format!("--settings=u:{MARKER}@h.dom")] {
        let arguments = ["get", &option, "http://a.invalid/"];
        let output = folder.urlwise(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        holds_no_marker(&folder, &arguments, &output);
    }
    for table in
        [format!("wais = \"jim:{MARKER}@h.invalid\""), format!("\"jim:{MARKER}@h.invalid\" = \"http://h.invalid/\"")]
    {
        fs::write(folder.path("s.toml"), format!("[gateway]\n{table}\n")).unwrap();
        let arguments = ["get", "--settings", "s.toml", "wais://a.invalid/x"];
        let output = folder.urlwise(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        fs::remove_file(folder.path("s.toml")).unwrap();
        holds_no_marker(&folder, &arguments, &output);
    }
}

#[test]
fn security_14_patterns_that_are_wrong_are_quoted_without_passwords() {
    let folder = Folder::new();
    for pattern in [format!("http://jim:{MARKER}@h.invalid/["), format!("jim:{MARKER}@h.invalid/{{a")] {
        fs::write(folder.path("urlwise.toml"), format!("[exclude]\nurls = [\"{pattern}\"]\n")).unwrap();
        let of_file: &[&str] = &["check", "--open", "http://a.invalid/"];
        let option = |name| vec!["get", "-r", "http://a.invalid/", name, &pattern];
        let of_check = [&["check", "--no-config", "--exclude", &pattern], &of_file[1..]].concat();
        for arguments in [of_file.to_vec(), of_check, option("--include"), option("--exclude")] {
            let output = folder.urlwise(&arguments);
            assert_eq!(output.status.code(), Some(2), "{arguments:?}");
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(said.contains("jim:***@h.invalid/") && said.contains("missing"), "{arguments:?} {said}");
            fs::remove_file(folder.path("urlwise.toml")).ok();
            holds_no_marker(&folder, &arguments, &output);
        }
    }
}

/// A second run finds the files of the first.
#[test]
fn security_14_messages_about_partial_files_have_no_password() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| give(stream, head, &document(3 << 20), "\"1\"", 1 << 20));
    let url = server.url("/x").replace("http://", &format!("http://jim:{MARKER}@"));
    let other = server.url("/y/x").replace("http://", &format!("http://jim:{MARKER}@"));
    assert_eq!(code(&folder.urlwise(["get", "-O", &url])), 13);
    for arguments in [["get", "-O", "--json", &url], ["get", "-O", "--continue", &other]] {
        let output = folder.urlwise(arguments);
        assert_eq!(code(&output), 14);
        assert!(!text(&output.stderr).contains(MARKER) && !text(&output.stdout).contains(MARKER), "{output:?}");
    }
    assert!(!text(&folder.read("x.part.json")).contains(MARKER));
}

/// The password of a URL that a server redirects to is shown nowhere, whether the URL is followed, refused or malformed.
#[test]
fn security_14_a_password_in_a_redirect_is_masked() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| {
        let host = head.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
        let target = match path(head) {
            "/followed" => format!("http://evil:{MARKER}@{host}/end"),
            "/refused" => format!("ftp://evil:{MARKER}@{host}/"),
            "/relative" => format!("//evil:{MARKER}@{host}/["),
            "/twice" => format!("http://evil:{MARKER}@evil@{host}/"),
            "/login" => format!("gopher://evil:{MARKER}@{host}/"),
            "/control" => format!("http://evil:{MARKER}@{host}/\u{1}"),
            _ => return drop(stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nend")),
        };
        drop(
            stream
                .write_all(format!("HTTP/1.1 302 Found\r\nLocation: {target}\r\nContent-Length: 0\r\n\r\n").as_bytes()),
        );
    });
    for (page, status, shown) in [
        ("/followed", 0, "location-login"),
        ("/refused", 4, "ftp://evil:***@127.0.0.1"),
        ("/relative", 12, "//evil:***@127.0.0.1"),
        ("/twice", 12, "http://evil:***@127.0.0.1"),
        ("/login", 12, "gopher://evil:***@127.0.0.1"),
        ("/control", 12, "http://evil:***@127.0.0.1"),
    ] {
        let url = server.url(page);
        for way in [&["get"][..], &["get", "-v"], &["get", "--json"], &["get", "-O", "-v"], &["ls"], &["ls", "--json"]]
        {
            let arguments = [way, &[&url]].concat();
            let output = folder.urlwise(&arguments);
            holds_no_marker(&folder, &arguments, &output);
            if way[0] == "get" {
                assert_eq!(code(&output), status, "{arguments:?}: {output:?}");
                assert!(text(&output.stderr).contains(shown), "{arguments:?}: {output:?}");
            }
        }
    }
}

/// Where slashes are missing, a login is still read behind the name of a scheme, and by WHATWG behind `ws:`.
#[test]
fn security_14_a_password_is_masked_wherever_a_reader_sees_it_though_slashes_are_missing() {
    let folder = Folder::new();
    for scheme in ["gopher", "gophers", "wais", "nntp", "prospero", "finger", "http", "ws"] {
        for slashes in ["/", "", ":", "/ /", "%2F/"] {
            // WHATWG takes what is escaped for a path.
            if scheme == "ws" && !["/", ""].contains(&slashes) {
                continue;
            }
            let url = format!("{scheme}:{slashes}u:{MARKER}@h.invalid/x");
            for way in [
                &["explain"][..],
                &["explain", "--json"],
                &["--html"],
                &["--svg"],
                &["check"],
                &["check", "--json"],
                &["check", "--format", "sarif"],
                &["compare"],
                &["guard"],
                &["get"],
                &["ls"],
            ] {
                let arguments = [way, &[&url]].concat();
                holds_no_marker(&folder, &arguments, &folder.urlwise(&arguments));
            }
        }
    }
    // The page shows what all readers see.
    let url = format!("foo:/u:{MARKER}@h.invalid/x");
    holds_no_marker(&folder, &["--html", &url], &folder.urlwise(["--html", &url]));
}
