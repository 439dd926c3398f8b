//! S-56 to S-58: what people add to requests, trees, and links that are probed.

use super::Row;
use super::play::*;

pub(crate) static ROWS: &[Row] = &[
    Row {
        number: 56,
        attack: "header fields that smuggle, and redirects that collect them",
        play: || {
            let thief = Host::http(document("", "x"));
            let host = Host::redirecting(&thief.url("http", ""));
            for field in
                ["X-A: b\r\nX-B: c", "Host: h", "Content-Length: 1", "transfer-encoding: chunked", "Range: bytes=1-"]
            {
                assert_eq!(run(&["get", "-H", field, &host.url("http", "")]).code, 2, "{field}");
            }
            assert_eq!(run(&["get", "-A", "a\nb", &host.url("http", "")]).code, 2);
            assert_eq!(host.connections(), 0);
            let shown = run(&["get", "-v", "-H", "Authorization: Bearer s3cret", &host.url("http", "")]);
            assert_eq!((shown.code, shown.all.contains("s3cret")), (0, false), "{}", shown.all);
            assert!(host.heard().contains("s3cret") && !thief.heard().contains("s3cret"), "{}", thief.heard());
        },
    },
    Row {
        number: 57,
        attack: "a tree without an end, of names that are paths, that leads elsewhere",
        play: || {
            let other = Host::http(document("", "x"));
            let away = other.url("http", "");
            let host = Host::new(move |talk| {
                let line = talk.line().unwrap_or_default();
                talk.head();
                let number = talk.number;
                let page = format!(
                    "<a href='{away}'>a</a><a href='/%2E%2E%2F%2E%2E%2Fevil'>b</a><a href='/..%5Cevil'>c</a>\
                     <a href='file:///etc/passwd'>d</a><a href='/{number}/a'>e</a><a href='/{number}'>f</a><a href='/CON'>g</a>"
                );
                let page = if line.contains("robots") { String::new() } else { page };
                talk.say(document("Content-Type: text/html\r\nConnection: close\r\n", &page));
            });
            let folder = Folder::new("tree");
            let limits = ["--wait", "0", "--depth", "1000", "--max-files", "40", "--max-run", "20s"];
            let shown =
                folder.run(&[&["get", "-r", "--output-dir", "to"], &limits[..], &[&host.url("http", "")]].concat());
            assert_eq!(shown.code, 17, "{}", shown.all);
            assert_eq!((folder.names(), other.connections()), (vec!["to".to_owned()], 0));
            let mut folders = vec![folder.0.join("to")];
            let mut count = 0;
            while let Some(next) = folders.pop() {
                for entry in std::fs::read_dir(next).unwrap().map(Result::unwrap) {
                    let name = entry.file_name().into_string().unwrap();
                    assert!(!name.starts_with('.') && !name.contains('\\') && name != "CON", "{name}");
                    if entry.path().is_dir() { folders.push(entry.path()) } else { count += 1 }
                }
            }
            assert_eq!(count, 40);
        },
    },
    Row {
        number: 58,
        attack: "a document whose links lead to local servers and collect logins",
        play: || {
            let inside = Host::http(document("", "x"));
            let folder = Folder::new("links");
            let links = [
                inside.url("http", "admin"),
                inside.url("http", "admin").replace("127.0.0.1", "localhost"),
                inside.url("ftp", "x"),
                inside.url("ftp", "x").replace("//", "//joe:s3cret@"),
                inside.url("gopher", "0x"),
                inside.url("telnet", ""),
                "file:///etc/../etc/passwd%00".to_owned(),
            ];
            folder.file("a.md", links.map(|link| format!("<{link}>\n")).concat());
            let shown = folder.run(&["check", "--open", "--json", "--no-proxy", "a.md"]);
            assert_eq!(inside.connections(), 0, "{}", shown.all);
            assert!(!shown.all.contains("\"alive\"") && !shown.all.contains("s3cret"), "{}", shown.all);

            // Where the rule is lifted, the login of a link is still not sent.
            let allowed = folder.run(&["check", "--open", "--no-proxy", "--allow", "local-from-public", "a.md"]);
            assert!(inside.connections() > 0, "{}", allowed.all);
            assert!(!inside.heard().contains("s3cret") && !inside.heard().contains("joe"), "{}", inside.heard());
        },
    },
];
