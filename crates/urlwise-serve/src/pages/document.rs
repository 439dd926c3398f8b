//! Documents: text line by line, pictures, pages of others in a frame, and what can only be saved.

use maud::{Markup, html};
use urlwise::{Scheme, Url};

use super::super::http::fields::{link, link_with};
use super::super::opening::without_password;
use super::text;

/// What is known of a document.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    pub(crate) media_type: Option<String>,
    pub(crate) size: Option<u64>,
    /// Where it came from, if a redirect or a gateway led there; masked.
    pub(crate) final_url: Option<String>,
}

/// What can be done with a document besides reading it.
pub(crate) fn tools(url: &Url<&str>, is_page: bool, is_source: bool) -> Markup {
    let there = without_password(url);
    html! {
        ul class="tools" {
            li { a href=(link("/save", &there)) { "Download" } }
            @if is_page { li { a href=(link_with("/open", &there, "as", "source")) { "Source" } } }
            @if is_source { li { a href=(link("/open", &there)) { "As a page" } } }
            @match url.scheme().base() {
                Scheme::Http => { li { a href=(there) rel="noreferrer noopener external" { "Open without urlwise" } } }
                Scheme::Prospero => { li { a href=(link_with("/open", &there, "list", "yes")) { "Access methods" } } }
                Scheme::Gopher => { (gopher_tool(url)) }
                _ => {}
            }
        }
    }
}

/// The attributes of a gopher item, where the URL does not ask for something else already.
fn gopher_tool(url: &Url<&str>) -> Markup {
    let has_plus = url.parts().any(|part| part.name() == "gopherplus");
    let about = (!has_plus).then(|| url.with("gopherplus", b"!").ok()).flatten();
    html! { @if let Some(about) = about { li { a href=(link("/open", about.as_str())) { "Gopher+ attributes" } } } }
}

/// What is known of a document, as a list.
pub(crate) fn facts(facts: &Facts) -> Markup {
    html! {
        dl class="facts" {
            @if let Some(media_type) = &facts.media_type { dt { "Type" } dd { (text::visible(media_type)) } }
            @if let Some(size) = facts.size { dt { "Size" } dd { (text::size(size)) " (" (size) " octets)" } }
            @if let Some(url) = &facts.final_url { dt { "Answered by" } dd { code { (text::visible(url)) } } }
        }
    }
}

/// The beginning and the end of a text.
pub(crate) const TEXT: (&str, &str) = (
    "<p class=\"loading\" role=\"status\">Receiving\u{2026}</p><pre class=\"text\" tabindex=\"0\" aria-label=\"Text\">\n",
    "</pre>",
);

/// Says that the text goes on.
pub(crate) fn cut(url: &Url<&str>, shown: u64) -> Markup {
    html! {
        p class="count" role="status" {
            "The first " (text::size(shown)) " are shown. "
            a href=(link("/save", &without_password(url))) { "Download all of it" } "."
        }
    }
}

/// A picture.
pub(crate) fn picture(url: &Url<&str>, name: &str) -> Markup {
    html! { p class="picture" { img src=(link("/raw", &without_password(url))) alt=(name); } }
}

/// A page of others, in a frame of the second origin.
pub(crate) fn framed(port: u16, key: &str) -> Markup {
    html! {
        iframe sandbox="" title="The page, in which nothing runs" src={ "http://127.0.0.1:" (port) "/" (key) } {}
        p class="count" {
            "The page is shown without scripts, forms and pictures from elsewhere, and its links lead nowhere. A browser that does not know "
            code { "Connection-Allowlist" }
            " may still look up or connect to a host that the page names, without asking it for anything."
        }
    }
}

/// A document that is not shown.
pub(crate) fn saved(url: &Url<&str>) -> Markup {
    html! {
        p { "This kind of document is not shown here." }
        p { a class="button" href=(link("/save", &without_password(url))) { "Download" } }
    }
}

/// A terminal session: what it is and the command to run.
pub(crate) fn session(url: &Url<&str>) -> Markup {
    html! {
        p {
            "A telnet URL names an interactive session with a server (RFC 1738 section 3.8). It needs a terminal, so a page cannot hold it. "
            "Run this command in one; " kbd { "Ctrl-]" } " ends it:"
        }
        pre class="command" tabindex="0" aria-label="Command" { code { (text::command("get", url)) } }
        @if let Some(user) = url.user() {
            p { "The URL suggests to log in as " code { (text::shown(&user.decode())) } ". This is advice to you, and nothing sends it." }
        }
        p { "What is typed and shown can be read by others on the way, unless the scheme is " code { "telnets" } "." }
    }
}
