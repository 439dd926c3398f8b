//! The page that offers this gateway to the browser as what opens schemes: the only page with a script, since browsers let nothing
//! else ask them. Nothing on it comes from a URL or a server.

use maud::{Markup, PreEscaped, html};
use urlwise::{Language, Words};

use super::frame::Frame;
use super::text;
use crate::language::{said, words};

/// The schemes of RFC 1738 that browsers let pages register for: the safelist of the HTML standard, section "Custom scheme handlers".
/// Without mailto: the gateway shows a draft and leaves it to the mail program, which these links would then not reach (D-110).
const SCHEMES: [&str; 3] = ["ftp", "news", "nntp"];

/// What the script says when the browser asks the person, and when it refuses.
const ASKED: Words = words!("The browser now asks about {scheme}, unless you answered before.");
const REFUSED: Words = words!("The browser refuses {scheme}: {cause}");

const SCRIPT: &str = include_str!("handlers.js");

/// The page; `nonce` is what lets its script run, `None` for a gateway whose port is another one each time, which offers nothing.
pub(crate) fn page(nonce: Option<u128>, language: Language) -> String {
    let title = said!(language, "Open links from other pages here").to_owned();
    let frame = Frame { language, title, ..Frame::default() };
    frame.around(&html! {
        section aria-labelledby="browser" {
            h2 id="browser" { (said!(language, "In this browser")) }
            @match nonce {
                Some(nonce) => (offers(nonce, language)),
                None => {
                    p {
                        (said!(
                            language,
                            "This gateway runs on a random port, and the next one will have another, so a browser cannot be pointed here."
                        ))
                    }
                    p {
                        (text::message(said!(
                            language,
                            "Start it on a port of your choice, as in `urlwise serve --port 8017`, and this page lets you register it."
                        )))
                    }
                }
            }
        }
        section aria-labelledby="desktop" {
            h2 id="desktop" { (said!(language, "On this desktop")) }
            p {
                (text::message(said!(
                    language,
                    "Browsers let pages register for a few schemes only. The desktop can open all of them, on any port and without a script: \
                     run `urlwise register` in a terminal. It asks about each scheme; `--dry-run` shows what it would write."
                )))
            }
        }
    })
}

fn offers(nonce: u128, language: Language) -> Markup {
    html! {
        p {
            (said!(
                language,
                "The browser asks you to confirm each scheme, and lists it in its settings, where you can remove it. \
                 Links then lead to this gateway, which asks before it opens anything. It has to run on this port."
            ))
        }
        div id="offers" hidden {
            @for scheme in SCHEMES {
                button type="button" value=(scheme) { (said!(language, "Open {scheme} links", scheme = scheme)) }
            }
        }
        // The script fills in what it says.
        p id="said" role="status" data-asked=(ASKED.get(language)) data-refused=(REFUSED.get(language)) {
            (said!(language, "This browser does not let pages register, or runs no scripts."))
        }
        script nonce={ (format_args!("{nonce:032x}")) } { (PreEscaped(SCRIPT)) }
    }
}
