//! A page on this machine by which any browser opens the URLs of RFC 1738.
//!
//! A [`Gateway`] listens on loopback and shows what URLs name: menus as tables, articles with their headers decoded, forms as forms.
//! What is opened and what is refused is decided by [`urlwise_open`], and nothing here knows a protocol but HTTP.
//!
//! ```
//! let gateway = urlwise_serve::Gateway::bind(urlwise_serve::Options::default())?;
//! assert!(gateway.start_url().starts_with("http://127.0.0.1:"));
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # Security
//! Every page of the web can send a browser here, and every server decides what its menus say. The rules that follow from it are S-59
//! to S-72 in `docs/client-security.md` of the project. The rooms: `http` reads requests and writes heads, without I/O where it can;
//! `guard` and `session` decide who asks; `opening` turns a URL into something to show; `pages` show it, by a template engine that
//! escapes, in the words of `language`; `foreign` is the second origin, for documents that are pages themselves; `kept` has the pages to go back to, and `socket` is for
//! programs of the same person.

mod answers;
mod foreign;
mod guard;
mod http;
mod kept;
mod language;
mod opening;
mod options;
mod pages;
mod routes;
mod server;
mod session;
#[cfg(unix)]
mod socket;
#[cfg(feature = "testing")]
pub mod testing;

pub use options::{CommandOptions, Options};
pub use server::Gateway;
#[cfg(unix)]
pub use socket::{running, session_folder};

/// What a text is, as a page that is a file by itself: the parts of the URL in colour, what it means, its problems, risks, what other
/// readers see, and the dialogue that opening it would cause.
///
/// The page is that of the gateway at `/explain`. It loads nothing and has no links. Passwords are masked. `asked` is the profile to
/// read it by, `None` for both.
///
/// ```
/// let client = urlwise_open::Client::new(urlwise_open::Options::default());
/// let page = urlwise_serve::explanation(b"ftp://host.dom/%2Fetc/motd", None, &client);
/// assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<b>/etc</b>") && !page.contains("href="));
/// ```
pub fn explanation(octets: &[u8], asked: Option<urlwise::Profile>, client: &urlwise_open::Client) -> String {
    explanation_in(octets, asked, client, urlwise::Language::En)
}

/// [`explanation`] in a language.
pub fn explanation_in(
    octets: &[u8],
    asked: Option<urlwise::Profile>,
    client: &urlwise_open::Client,
    language: urlwise::Language,
) -> String {
    pages::explain::page(octets, asked, client, pages::explain::Place::File, language)
}
