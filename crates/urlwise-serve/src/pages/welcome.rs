//! The page to begin with.

use maud::{Markup, html};
use urlwise::{Language, Words};

use super::super::http::fields::link;
use super::frame::Frame;
use super::text;
use crate::language::{said, words};

/// The ten schemes, what each names, and a URL to begin with.
const SCHEMES: &[(&str, Words, &str)] = &[
    ("gopher", words!("Menus, texts, searches and forms"), "gopher://gopher.floodgap.com/"),
    ("ftp", words!("Directories and files"), "ftp://ftp.gnu.org/gnu/"),
    ("http", words!("Documents on the web"), "http://example.com/"),
    ("news", words!("Newsgroups and articles on your news server"), "news:news.software.readers"),
    ("nntp", words!("Newsgroups and articles on a server of your choice"), "nntp://news.gmane.io/gmane.test"),
    ("wais", words!("Searches in databases, with scores"), "wais://host.example/database"),
    ("prospero", words!("Directories of names, and where to get what they name"), "prospero://host.example/pub"),
    ("mailto", words!("Drafts of mails"), "mailto:friend@host.example"),
    ("telnet", words!("Sessions in a terminal"), "telnet://host.example/"),
    ("file", words!("Files on this machine, if the gateway was started with `--files`"), "file:///usr/share/doc/"),
];

/// The page.
pub(crate) fn page(language: Language) -> String {
    let frame = Frame {
        language,
        title: said!(language, "Open any URL of RFC 1738").to_owned(),
        subtitle: said!(language, "Type or paste one above. This machine opens it and shows it here.").to_owned(),
        ..Frame::default()
    };
    frame.around(&content(language))
}

fn content(language: Language) -> Markup {
    html! {
        section aria-labelledby="schemes" {
            h2 id="schemes" { (said!(language, "The ten schemes")) }
            dl class="schemes" {
                @for (name, what, url) in SCHEMES {
                    div {
                        dt { (name) }
                        dd { (text::message(&what.get(language))) }
                        dd { a href=(link("/open", url)) { (url) } }
                    }
                }
            }
        }
        p { a href="/handlers" { (said!(language, "Open links from other pages here")) } }
    }
}
