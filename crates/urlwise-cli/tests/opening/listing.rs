//! `urlwise ls`.

use crate::support::*;

#[test]
fn control_characters_of_a_menu_are_escaped() {
    let answer = b"0title \x1b]0;owned\x07 \xE2\x80\xAE\t/x\t127.0.0.1\t70\r\n1\x9b31m\t/y\t127.0.0.1\t70\r\n.\r\n";
    let port = answering(answer, 2);
    let url = format!("gopher://127.0.0.1:{port}/");
    for arguments in [vec!["ls", &url], vec!["ls", "--json", &url]] {
        let output = urlwise(&arguments);
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        let shown = String::from_utf8(output.stdout).expect("it is text");
        assert!(shown.contains("owned"), "{shown}");
        assert!(!shown.chars().any(|c| c != '\n' && urlwise::is_harmful(c)), "{shown:?}");
    }
}

#[test]
fn each_entry_of_a_directory_can_be_opened_again() {
    let folder = Folder::new();
    let names = ["a b", "100%", "x;y", "q?r", "h#s", "~t", "caf\u{e9}", "-l"];
    for name in names {
        folder.file(name, name);
    }
    let listing = urlwise(&["ls", "--json", &format!("{}/", file_url(&folder.0))]);
    let lines = text(&listing.stdout);
    let urls = lines.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["url"].clone());
    let urls: Vec<String> = urls.map(|url| url.as_str().unwrap().to_owned()).collect();
    assert_eq!(urls.len(), names.len());
    let arguments: Vec<&str> = ["get"].into_iter().chain(urls.iter().map(String::as_str)).collect();
    let mut expected = names;
    expected.sort_unstable();
    assert_eq!(text(&urlwise(&arguments).stdout), expected.concat());
}

#[test]
fn a_document_is_listed_with_its_metadata_and_not_downloaded() {
    let server = Server::new(|_, _, stream| {
        let headers = "HTTP/1.1 200 OK\r\nContent-Length: 123\r\nContent-Type: text/x\r\nLast-Modified: Thu, 01 Dec 1994 10:00:00 GMT\r\n";
        let _ = std::io::Write::write_all(stream, format!("{headers}\r\n").as_bytes());
    });
    let url = server.url("/a/b%20c");
    let output = urlwise(&["ls", &url]);
    assert_eq!(text(&output.stdout), format!("document           123  1994-12-01 10:00Z  b c  <URL:{url}>\n"));
    assert!(server.requests()[0].starts_with("HEAD /a/b%20c HTTP/1.1\r\n"));
    let line: serde_json::Value = serde_json::from_slice(&urlwise(&["ls", "--json", &url]).stdout).unwrap();
    assert_eq!((&line["size"], &line["type"]), (&123.into(), &"text/x".into()));
    let folder = Folder::new();
    let file = file_url(&folder.file("motd", "hello"));
    assert!(text(&urlwise(&["ls", &file]).stdout).starts_with("document             5  "));
}
