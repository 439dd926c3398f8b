//! The page to begin with.

use maud::{Markup, html};

use super::super::http::fields::link;
use super::frame::Frame;

/// The ten schemes, what each names, and a URL to begin with.
const SCHEMES: &[(&str, &str, &str)] = &[
    ("gopher", "Menus, texts, searches and forms", "gopher://gopher.floodgap.com/"),
    ("ftp", "Directories and files", "ftp://ftp.gnu.org/gnu/"),
    ("http", "Documents of the web", "http://example.com/"),
    ("news", "Newsgroups and articles, from your news server", "news:news.software.readers"),
    ("nntp", "Articles of one news server", "nntp://news.gmane.io/gmane.test"),
    ("wais", "Searches in databases, with scores", "wais://host.example/database"),
    ("prospero", "Directories of names, and how to get what they name", "prospero://host.example/pub"),
    ("mailto", "A mail to write", "mailto:friend@host.example"),
    ("telnet", "A session in a terminal", "telnet://host.example/"),
    ("file", "Files of this machine, if it was allowed at the start", "file:///usr/share/doc/"),
];

/// The page.
pub(crate) fn page() -> String {
    let frame = Frame {
        title: "Open any URL of RFC 1738".to_owned(),
        subtitle: "Type or paste one above. It is opened by this machine, and shown here.".to_owned(),
        ..Frame::default()
    };
    frame.around(&content())
}

fn content() -> Markup {
    html! {
        section aria-labelledby="schemes" {
            h2 id="schemes" { "The ten schemes" }
            dl class="schemes" {
                @for (name, what, url) in SCHEMES {
                    div {
                        dt { (name) }
                        dd { (what) }
                        dd { a href=(link("/open", url)) { (url) } }
                    }
                }
            }
        }
        p { a href="/handlers" { "Open links of other pages here" } }
    }
}
