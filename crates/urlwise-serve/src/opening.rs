//! From the text of a request to what a page shows: the URL is read once, judged as one that others may have chosen, and opened.

use std::borrow::Cow;

use crate::http::fields::Form as Fields;
use urlwise::{Locator, Profile, Scheme, Url, WaisForm};
pub(crate) use urlwise_explain::secret::left_out;
use urlwise_open::charset::Charset;
use urlwise_open::{Cancel, Client, Document, Error, OpenOptions, Plan, Resource};

/// The profile by which URLs are read: that of `get`.
pub(crate) const PROFILE: Profile = Profile::Current;

/// The way in which a URL is opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wish {
    /// List it: access methods of prospero, the metadata of a document.
    pub(crate) is_list: bool,
    /// Show the source of a document.
    pub(crate) is_source: bool,
}

impl Wish {
    /// What the fields of a request say.
    pub(crate) fn of(fields: &Fields) -> Wish {
        Wish { is_list: fields.get("list").is_some(), is_source: fields.text("as") == Some("source") }
    }
}

/// What a URL needs before anything is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// Nothing.
    Nothing,
    /// Words to search for.
    Words,
    /// A terminal: telnet.
    Terminal,
}

/// What a URL needs. Its own parts say so.
pub(crate) fn need(url: &Url<&str>) -> Need {
    match url.locator() {
        Locator::Gopher(gopher) => match (gopher.gtype(), gopher.search(), gopher.gopherplus()) {
            (Some(b'7'), None, None) => Need::Words,
            _ => Need::Nothing,
        },
        Locator::Wais(wais) => match wais.form() {
            WaisForm::Database => Need::Words,
            WaisForm::Index | WaisForm::Doc => Need::Nothing,
        },
        Locator::Telnet(_) => Need::Terminal,
        _ => Need::Nothing,
    }
}

/// Opens URLs for pages.
pub(crate) struct Opening {
    client: Client,
    /// The URL of the gateway, which is the page that every URL is on.
    own: Url<String>,
    /// What is asked of every call.
    call: OpenOptions,
    /// Whether file URLs are opened.
    files: bool,
}

impl Opening {
    /// # Errors
    /// The gateway's own address makes no URL, which does not happen.
    pub(crate) fn new(
        mut options: urlwise_open::Options,
        call: OpenOptions,
        port: u16,
        files: bool,
    ) -> std::io::Result<Opening> {
        // Nobody sits at a terminal, and articles are read here.
        options.credentials.prompt = None;
        options.news.as_text = false;
        let own = Url::parse_with(format!("http://127.0.0.1:{port}/"), PROFILE);
        let own = own.map_err(|error| std::io::Error::other(error.to_string()))?;
        Ok(Opening { client: Client::new(options), own, call, files })
    }

    /// The options of a call: the policy judges the URL as one of a page that others wrote.
    fn call(&self, url: &Url<&str>, cancel: &Cancel) -> OpenOptions {
        let mut call = self.call.clone();
        call.cancel = Some(cancel.clone());
        if !(self.files && url.scheme() == Scheme::File) {
            call.untrusted = true;
            call.linked_from = Some(self.own.clone());
        }
        call
    }

    /// What the URL names.
    pub(crate) fn open(&self, url: &Url<&str>, wish: Wish, cancel: &Cancel) -> Result<Resource, Error> {
        let call = self.call(url, cancel);
        match wish.is_list {
            true => self.client.list_with(url, &call).map(Resource::Menu),
            false => self.client.open_with(url, &call),
        }
    }

    /// The dialogue that opening the URL would cause, or why it would not be opened, as far as that is known before anything is asked
    /// for.
    pub(crate) fn plan(&self, url: &Url<&str>) -> Result<Plan, Error> {
        self.client.plan_with(url, &self.call(url, &Cancel::new()))
    }

    /// The client, for dry runs.
    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    /// What a filled form brings.
    pub(crate) fn submit(&self, filled: &urlwise_open::FilledForm, cancel: &Cancel) -> Result<Resource, Error> {
        self.client.submit_with(filled, &self.call(&filled.url().borrow(), cancel))
    }
}

/// How a document is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// As text.
    Text,
    /// As a picture of this type.
    Picture(&'static str),
    /// As an article with headers.
    Article,
    /// As a page of its own, from the second origin, as this type.
    Page(&'static str),
    /// Not at all: it is saved.
    Saved,
}

/// Whether a document is a news article.
pub(crate) fn is_article(document: &Document) -> bool {
    let is_message = document.media_type().map(essence).as_deref() == Some("message/rfc822");
    is_message && matches!(document.final_url().scheme().base(), Scheme::News | Scheme::Nntp)
}

/// How a document is shown, by its type and by how it begins. Pictures are what their own octets say they are.
///
/// # Errors
/// The document could not be read so far.
pub(crate) fn form(document: &mut Document, wish: Wish) -> Result<Form, Error> {
    let media_type = document.media_type().map(essence);
    let is_article = is_article(document);
    let charset = document.charset().and_then(Charset::of);
    let beginning = document.fill()?;
    if let Some(picture) = picture(beginning) {
        return Ok(Form::Picture(picture));
    }
    // In UTF-16 every other octet may be NUL.
    let is_text = match charset.filter(|charset| !charset.has_lines()) {
        Some(charset) => is_text(charset.decode(beginning).as_bytes()),
        None => is_text(beginning),
    };
    Ok(match media_type.as_deref() {
        Some(_) if is_article && !wish.is_source => Form::Article,
        Some("text/html" | "application/xhtml+xml") if !wish.is_source => Form::Page("text/html"),
        Some("image/svg+xml") if !wish.is_source => Form::Page("image/svg+xml"),
        _ if is_text => Form::Text,
        _ => Form::Saved,
    })
}

fn essence(media_type: &str) -> String {
    media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// The type of a picture that every browser shows, by its first octets.
fn picture(octets: &[u8]) -> Option<&'static str> {
    match octets {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => Some("image/png"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        [0xFF, 0xD8, 0xFF, ..] => Some("image/jpeg"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}

/// Whether octets look like text: no NUL, and no control characters but those of texts.
fn is_text(octets: &[u8]) -> bool {
    octets.iter().take(4096).all(|octet| !matches!(octet, 0..=8 | 11 | 14..=26 | 28..=31 | 127))
}

/// The URL without its passwords, as it may stand in a link: a mask would be sent as the password.
pub(crate) fn without_password<'u>(url: &Url<&'u str>) -> Cow<'u, str> {
    left_out((*url).into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url<&str> {
        Url::parse_with(text, PROFILE).expect("a valid URL")
    }

    #[test]
    fn what_a_url_needs_is_in_its_parts() {
        for (text, expected) in [
            ("gopher://h.example/7/find", Need::Words),
            ("gopher://h.example/7/find%09maps", Need::Nothing),
            ("gopher://h.example/7/find%09", Need::Nothing),
            ("gopher://h.example/1/find", Need::Nothing),
            ("gopher://h.example/", Need::Nothing),
            ("wais://h.example/db", Need::Words),
            ("wais://h.example/db?maps", Need::Nothing),
            ("wais://h.example/db/TEXT/1", Need::Nothing),
            ("telnet://h.example/", Need::Terminal),
            ("telnets://h.example/", Need::Terminal),
            ("mailto:a@h.example", Need::Nothing),
            ("ftp://h.example/", Need::Nothing),
        ] {
            assert_eq!(need(&url(text)), expected, "{text}");
        }
    }

    #[test]
    fn security_66_pictures_are_what_their_octets_say() {
        for (octets, expected) in [
            (&b"\x89PNG\r\n\x1a\nrest"[..], Some("image/png")),
            (b"GIF89a", Some("image/gif")),
            (b"GIF88a", None),
            (b"\xff\xd8\xff\xe0", Some("image/jpeg")),
            (b"RIFF1234WEBPVP8", Some("image/webp")),
            (b"RIFF1234WAVE", None),
            (b"<svg xmlns='http://www.w3.org/2000/svg'>", None),
            (b"<html>GIF89a", None),
            (b"", None),
        ] {
            assert_eq!(picture(octets), expected, "{octets:?}");
        }
        assert!(is_text(b"caf\xe9\r\n\tx\x0c\x1b[m") && !is_text(b"a\0") && !is_text(b"\x7fELF"));
    }

    #[test]
    fn security_69_links_carry_no_password() {
        assert_eq!(without_password(&url("ftp://joe:s3cret@h.example/a")), "ftp://joe@h.example/a");
        assert_eq!(without_password(&url("ftp://joe@h.example/a")), "ftp://joe@h.example/a");
        let nested = url("gopher://h.example/0URL:ftp://joe:s3cret@h.example/");
        assert_eq!(without_password(&nested), "gopher://h.example/0URL:ftp://joe@h.example/");
    }
}
