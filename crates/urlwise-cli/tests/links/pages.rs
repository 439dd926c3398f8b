//! Fragments of documents, in files and in pages of the web.

use std::io::Write;

use crate::run::{open, verdicts};
use crate::support::*;

const PAGE: &str = "# Install\n## Usage\n## Usage\n### Usage 1\n## What's new?\n# 🚀 Launch\n# 1️⃣ First\n# Äpfel & Öl\n\
                    # a_b\n# <b>Bold</b> `code()`\n\n<a name=\"Named\"></a>\n\n<p id=\"an id\">x</p>\n\nSetext\n---\n\n\
                    ```\n# No heading\n```\n";

/// Fragments, and whether the page has them as Markdown, and as HTML, where nothing is a heading.
const FRAGMENTS: [(&str, bool, bool); 24] = [
    ("install", true, false),
    ("INSTALL", true, false),
    ("user-content-install", true, false),
    ("usage", true, false),
    ("usage-1", true, false),
    ("usage-1-1", true, false),
    ("usage-2", false, false),
    ("whats-new", true, false),
    ("what's-new", false, false),
    ("-launch", true, false),
    ("launch", false, false),
    ("1%EF%B8%8F%E2%83%A3-first", true, false),
    ("%C3%A4pfel--%C3%B6l", true, false),
    ("%C3%84pfel--%C3%96l", true, false),
    ("a_b", true, false),
    ("bold-code", true, false),
    ("Named", true, true),
    ("named", false, false),
    ("an%20id", true, true),
    ("setext", true, false),
    ("no-heading", false, false),
    ("top", true, true),
    (":~:text=Install", true, true),
    ("user-content-none", false, false),
];

#[test]
fn fragments_are_those_of_markdown_and_html_in_files_and_in_pages() {
    let folder = Folder::new();
    folder.file("page.md", PAGE);
    folder.file("page.html", PAGE);
    folder.file("page.txt", PAGE);
    let server = Server::new(|_, head, stream| {
        let media = match path(head) {
            "/page.md" => "text/markdown; charset=utf-8",
            "/page.html" => "Text/HTML",
            _ => "text/plain",
        };
        let length = PAGE.len();
        let fields = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: {media}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
        );
        // The client may have closed the connection.
        let _ = stream.write_all(fields.as_bytes()).and_then(|()| stream.write_all(PAGE.as_bytes()));
    });
    let pages = ["page.md", "page.html", "page.txt"];
    let places: Vec<_> = pages.iter().flat_map(|page| [(*page).to_owned(), server.url(&format!("/{page}"))]).collect();
    let links = places.iter().flat_map(|page| FRAGMENTS.map(|(fragment, ..)| format!("{page}#{fragment}")));
    crate::run::document(&folder, links);
    let found = verdicts(&open(&folder, &["--json", "links.md"]));
    assert_eq!(found.len(), places.len() * FRAGMENTS.len());
    for place in &places {
        for (fragment, in_markdown, in_html) in FRAGMENTS {
            let is_there = match place.rsplit('.').next() {
                Some("md") => in_markdown,
                Some("html") => in_html,
                // Lines of texts have no names that are known here.
                _ => true,
            };
            let wanted = if is_there { "alive" } else { "dead no-fragment" };
            assert_eq!(found[&format!("{place}#{fragment}")], wanted, "{place} {fragment}");
        }
    }
    assert_eq!(server.requests().len(), 3, "one for each page");
}

#[test]
fn fragments_of_folders_and_of_what_is_too_long_to_read_are_not_judged() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("folder.md")).unwrap();
    folder.file("long.md", vec![b'\n'; (16 << 20) + 1]);
    folder.file("short.md", vec![b'\n'; 1 << 20]);
    crate::run::document(&folder, ["folder.md#x", "long.md#x", "short.md#x", "short.md/#x"]);
    let found = verdicts(&open(&folder, &["--json", "links.md"]));
    assert_eq!((&*found["folder.md#x"], &*found["long.md#x"]), ("alive", "alive"));
    assert_eq!((&*found["short.md#x"], &*found["short.md/#x"]), ("dead no-fragment", "dead not-found"));
}
