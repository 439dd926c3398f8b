//! Documents: text line by line, pictures, pages of others in a frame, and what can only be saved.

use maud::{Markup, html};
use urlwise::{Language, Scheme, Url};

use super::super::http::fields::{answer_link, link, link_with};
use super::super::opening::without_password;
use super::text;
use crate::language::{marked, said};

/// What is known of a document.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    pub(crate) media_type: Option<String>,
    pub(crate) size: Option<u64>,
    /// Where it came from, if a redirect or a gateway led there; masked.
    pub(crate) final_url: Option<String>,
}

/// Where a document is: at a URL, or kept as the answer to the form there, by its key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'p> {
    pub(crate) url: &'p Url<&'p str>,
    pub(crate) answer: Option<&'p str>,
}

impl Place<'_> {
    /// The path of its page, or of its source.
    fn page(self, is_source: bool) -> String {
        let there = without_password(self.url);
        match (self.answer, is_source) {
            (Some(key), false) => answer_link("/answer", key),
            (Some(key), true) => [&answer_link("/answer", key), "&as=source"].concat(),
            (None, false) => link("/open", &there),
            (None, true) => link_with("/open", &there, "as", "source"),
        }
    }

    /// The path of its octets, for `/save` and `/raw`.
    fn octets(self, path: &str) -> String {
        self.answer.map_or_else(|| link(path, &without_password(self.url)), |key| answer_link(path, key))
    }
}

/// What can be done with a document besides reading it.
pub(crate) fn tools(place: Place<'_>, is_page: bool, is_source: bool, language: Language) -> Markup {
    let url = place.url;
    let there = without_password(url);
    html! {
        ul class="tools" {
            li { a href=(place.octets("/save")) { (said!(language, "Download")) } }
            @if is_page { li { a href=(place.page(true)) { (said!(language, "Source")) } } }
            @if is_source { li { a href=(place.page(false)) { (said!(language, "As a page")) } } }
            @match url.scheme().base() {
                Scheme::Http => { li { a href=(there) rel="noreferrer noopener external" { (said!(language, "Open without urlwise")) } } }
                Scheme::Prospero => { li { a href=(link_with("/open", &there, "list", "yes")) { (said!(language, "Access methods")) } } }
                Scheme::Gopher => { (gopher_tool(url, language)) }
                _ => {}
            }
        }
    }
}

/// The attributes of a gopher item, where the URL does not ask for something else already.
fn gopher_tool(url: &Url<&str>, language: Language) -> Markup {
    let has_plus = url.parts().any(|part| part.name() == "gopherplus");
    let about = (!has_plus).then(|| url.with("gopherplus", b"!").ok()).flatten();
    html! { @if let Some(about) = about { li { a href=(link("/open", about.as_str())) { (said!(language, "Gopher+ attributes")) } } } }
}

/// What is known of a document, as a list.
pub(crate) fn facts(facts: &Facts, language: Language) -> Markup {
    html! {
        dl class="facts" {
            @if let Some(media_type) = &facts.media_type { dt { (said!(language, "Type")) } dd { (text::visible(media_type)) } }
            @if let Some(size) = facts.size { dt { (said!(language, "Size")) } dd { (said!(language, "{size} ({count} octets)", size = text::size(size), count = size)) } }
            @if let Some(url) = &facts.final_url { dt { (said!(language, "Answered by")) } dd { code { (text::visible(url)) } } }
        }
    }
}

/// The beginning and the end of a text.
pub(crate) fn halves(language: Language) -> (String, &'static str) {
    const END: &str = "</pre>";
    let whole = html! {
        p class="loading" role="status" { (said!(language, "Receiving\u{2026}")) }
        // Browsers leave out the first line end.
        pre class="text" tabindex="0" aria-label=(said!(language, "Text")) { "\n" }
    };
    let whole = whole.into_string();
    (whole.strip_suffix(END).unwrap_or(&whole).to_owned(), END)
}

/// Says that the text goes on.
pub(crate) fn cut(place: Place<'_>, shown: u64, language: Language) -> Markup {
    let all = html! { a href=(place.octets("/save")) { (said!(language, "Download all of it")) } };
    let size = html! { (text::size(shown)) };
    html! {
        p class="count" role="status" {
            (marked!(language, "The first {size} are shown. {link}.", size = size, link = all))
        }
    }
}

/// A picture.
pub(crate) fn picture(place: Place<'_>, name: &str) -> Markup {
    html! { p class="picture" { img src=(place.octets("/raw")) alt=(name); } }
}

/// A page of others, in a frame of the second origin.
pub(crate) fn framed(port: u16, key: &str, language: Language) -> Markup {
    html! {
        iframe sandbox="" title=(said!(language, "The page, without scripts")) src={ "http://127.0.0.1:" (port) "/" (key) } {}
        p class="count" {
            (text::message(said!(
                language,
                "The page is shown without scripts, forms and images from elsewhere, and its links lead nowhere. A browser that does not \
                 support `Connection-Allowlist` may still look up or connect to hosts that the page names, without requesting anything \
                 from them."
            )))
        }
    }
}

/// A document that is not shown.
pub(crate) fn saved(place: Place<'_>, language: Language) -> Markup {
    html! {
        p { (said!(language, "This kind of document cannot be shown here.")) }
        p { a class="button" href=(place.octets("/save")) { (said!(language, "Download")) } }
    }
}

/// The answer to a form that is longer than what is kept.
pub(crate) fn too_long(most: u64, language: Language) -> Markup {
    let size = text::size(most);
    html! { p { (said!(language, "The answer is longer than {size}, and no more is kept of an answer. Run the command below to get it.", size = size)) } }
}

/// A terminal session: what it is, and the command to run.
pub(crate) fn session(url: &Url<&str>, command: &str, language: Language) -> Markup {
    let user = url.user().map(|user| html! { code { (text::shown(&user.decode())) } });
    html! {
        p {
            (marked!(
                language,
                "A telnet URL names an interactive session with a server (RFC 1738 section 3.8). It needs a terminal, so a page cannot \
                 hold it. Run this command in one; {key} ends it:",
                key = html! { kbd { "Ctrl-]" } }
            ))
        }
        pre class="command" tabindex="0" aria-label=(said!(language, "Command")) { code { (command) } }
        @if let Some(user) = user {
            p { (marked!(language, "The URL suggests logging in as {user}. That is advice for you; nothing sends it.", user = user)) }
        }
        p {
            (text::message(said!(
                language,
                "Others on the network can read what is typed and shown, unless the scheme is `telnets`."
            )))
        }
    }
}
