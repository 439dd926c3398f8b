//! News articles: their headers decoded, the articles that they answer, and their text.

use maud::{Markup, html};
use urlwise::Language;
use urlwise::build::Draft;
use urlwise_open::article::Article;

use super::super::http::fields::link;
use super::super::opening::PROFILE;
use super::text;
use crate::language::said;

/// The most articles before one that are linked: the first and the last of a long thread are among them.
const MOST_REFERENCES: usize = 20;

/// The article.
pub(crate) fn markup(article: &Article, language: Language) -> Markup {
    html! {
        article {
            dl class="headers" {
                @for (name, value) in &article.headers {
                    dt { (name) }
                    dd {
                        @match *name {
                            "References" => (references(value)),
                            "Newsgroups" | "Followup-To" => (groups(value)),
                            _ => (text::line(value)),
                        }
                    }
                }
            }
            pre class="text" tabindex="0" aria-label=(said!(language, "Text of the article")) {
                @for line in article.text.split_inclusive('\n') {
                    @let end = if line.ends_with('\n') { "\n" } else { "" };
                    @let line = line.strip_suffix('\n').unwrap_or(line);
                    @if line.starts_with('>') { span class="quoted" { (text::line(line)) } } @else { (text::line(line)) }
                    (end)
                }
            }
        }
    }
}

/// The articles before this one, the oldest first.
fn references(value: &str) -> Markup {
    let all: Vec<&str> = value.split_ascii_whitespace().collect();
    let skipped = all.len().saturating_sub(MOST_REFERENCES);
    html! {
        ol class="references" {
            @for id in all.iter().skip(skipped) {
                @let bare = id.trim_start_matches('<').trim_end_matches('>');
                @let url = news("article", bare);
                li {
                    @match &url {
                        Some(url) => a href=(link("/open", url)) { (bare) },
                        None => (bare),
                    }
                }
            }
        }
    }
}

/// Newsgroups with their links.
fn groups(value: &str) -> Markup {
    html! {
        @for (at, group) in value.split(',').map(str::trim).enumerate() {
            @if at > 0 { ", " }
            @match news("group", group) {
                Some(url) => a href=(link("/open", &url)) { (group) },
                None => (group),
            }
        }
    }
}

/// The news URL of a group or an article; `None` if it has none.
fn news(part: &str, name: &str) -> Option<String> {
    let draft = Draft::new("news", PROFILE);
    let draft = match part {
        "group" => draft.with("group", name),
        _ => {
            let (unique, host) = name.rsplit_once('@')?;
            draft.with("unique", unique).with("host", host)
        }
    };
    draft.build().ok().map(urlwise::Url::into_inner)
}
