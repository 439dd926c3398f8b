//! The page that offers this gateway to the browser as what opens schemes: the only page with a script, since browsers let nothing
//! else ask them. Nothing on it comes from a URL or a server.

use maud::{Markup, PreEscaped, html};

use super::frame::Frame;
use super::text;

/// The schemes of RFC 1738 that browsers let pages register for: the safelist of the HTML standard, section "Custom scheme handlers".
const SCHEMES: [&str; 4] = ["ftp", "mailto", "news", "nntp"];

const SCRIPT: &str = include_str!("handlers.js");

/// The page; `nonce` is what lets its script run, `None` for a gateway whose port is another one each time, which offers nothing.
pub(crate) fn page(nonce: Option<u128>) -> String {
    let frame = Frame { title: "Open links of other pages here".to_owned(), ..Frame::default() };
    frame.around(&html! {
        section aria-labelledby="browser" {
            h2 id="browser" { "In this browser" }
            @match nonce {
                Some(nonce) => (offers(nonce)),
                None => {
                    p { "This gateway has a port that was free. The next one will have another, so a browser cannot rely on it." }
                    p { (text::message("Start it with a port of your choice, and this page offers more: `urlwise serve --port 8017`.")) }
                }
            }
        }
        section aria-labelledby="desktop" {
            h2 id="desktop" { "On this desktop" }
            p {
                "Browsers let pages register for only a few schemes. The desktop knows all of them, with any port and without a script: "
                (text::message("run `urlwise register` in a terminal. It asks about each scheme; `--dry-run` shows what it would write."))
            }
        }
    })
}

fn offers(nonce: u128) -> Markup {
    html! {
        p {
            "The browser asks you to confirm each scheme, and lists it in its settings, where you can remove it. "
            "A link then leads to this gateway, which asks before it opens anything. It has to be running, on this port."
        }
        div id="offers" hidden {
            @for scheme in SCHEMES { button type="button" value=(scheme) { "Open " (scheme) " links" } }
        }
        p id="said" role="status" { "This browser does not let the page ask, or runs no scripts." }
        script nonce={ (format_args!("{nonce:032x}")) } { (PreEscaped(SCRIPT)) }
    }
}
