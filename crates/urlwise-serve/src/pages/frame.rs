//! What every page has: a field for a URL, the way to the page, its URL, and the command that does the same.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use urlwise::Language;

use super::crumbs::Crumb;
use super::text;
use crate::language::said;

/// What stands around the content of a page.
#[derive(Debug, Default)]
pub(crate) struct Frame {
    pub(crate) language: Language,
    /// The heading, and the title.
    pub(crate) title: String,
    /// What the page is about, before the heading in its title: the URL, where many pages have one heading; empty for none.
    pub(crate) about: String,
    /// A line under the heading; empty for none.
    pub(crate) subtitle: String,
    /// What the field for a URL holds.
    pub(crate) field: String,
    pub(crate) crumbs: Vec<Crumb>,
    /// The URL that the page stands for, as it is shown; empty for none.
    pub(crate) url: String,
    /// The path that reloads the page from its server; empty for none.
    pub(crate) again: String,
    /// The commands that do the same.
    pub(crate) commands: Vec<String>,
    /// What is to be known about the commands; empty for nothing.
    pub(crate) advice: String,
    /// A class of the heading, for titles of another kind.
    pub(crate) is_code: bool,
    /// Whether the page is a file by itself, which holds its style and leads nowhere.
    pub(crate) is_file: bool,
}

/// The style of every page.
pub(crate) const STYLE: &str = include_str!("../style.css");

/// What a page that is a file may load: nothing but its own style.
const FILE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// Where the content goes. What others wrote never holds this: its `<` is escaped.
const CONTENT: &str = "<!-- content -->";

impl Frame {
    /// The page with this content.
    pub(crate) fn around(&self, content: &Markup) -> String {
        self.page(content).into_string()
    }

    /// What stands before and after the content.
    pub(crate) fn halves(&self) -> (String, String) {
        let page = self.page(&PreEscaped(CONTENT.to_owned())).into_string();
        match page.split_once(CONTENT) {
            Some((before, after)) => (before.to_owned(), after.to_owned()),
            None => (page, String::new()),
        }
    }

    fn page(&self, content: &Markup) -> Markup {
        let language = self.language;
        html! {
            (DOCTYPE)
            html lang=(language.tag()) {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    @if self.is_file { meta http-equiv="Content-Security-Policy" content=(FILE_POLICY); }
                    title { @if !self.about.is_empty() { (self.about) " \u{2013} " } (self.title) " \u{2013} urlwise" }
                    @if self.is_file {
                        style { (PreEscaped(STYLE)) }
                    } @else {
                        link rel="stylesheet" href="/style.css";
                        link rel="icon" href="/icon.svg" type="image/svg+xml";
                    }
                }
                body {
                    @if !self.is_file {
                        a class="skip" href="#content" { (said!(language, "Skip to content")) }
                        header {
                            a class="home" href="/" { "urlwise" }
                            (address(&self.field, language))
                        }
                    }
                    @if self.crumbs.len() > 1 {
                        nav aria-label=(said!(language, "Breadcrumb")) {
                            ol {
                                @for crumb in &self.crumbs {
                                    li { (crumb.markup()) }
                                }
                            }
                        }
                    }
                    main id="content" tabindex="-1" {
                        h1 class=[self.is_code.then_some("code")] { (self.title) }
                        @if !self.subtitle.is_empty() { p class="subtitle" { (self.subtitle) } }
                        (content)
                    }
                    @if !self.url.is_empty() {
                        footer {
                            dl {
                                dt { "URL" } dd { code { (self.url) } }
                                @if !self.commands.is_empty() {
                                    dt { (said!(language, "Command")) }
                                    @for command in &self.commands { dd { code { (command) } } }
                                    @if !self.advice.is_empty() { dd { (text::message(&self.advice)) } }
                                }
                                @if !self.again.is_empty() {
                                    dt { (said!(language, "Page")) }
                                    dd { a href=(self.again) { (said!(language, "Reload from the server")) } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The field for a URL.
fn address(value: &str, language: Language) -> Markup {
    html! {
        form class="address" role="search" aria-label="URL" action="/open" method="get" {
            label for="url" { "URL" }
            input id="url" name="url" type="text" inputmode="url" value=(value) placeholder="gopher://host/1/path"
                autocomplete="off" autocapitalize="none" spellcheck="false" required;
            button { (said!(language, "Open")) }
            button class="quiet" formaction="/explain" { (said!(language, "Explain")) }
        }
    }
}
