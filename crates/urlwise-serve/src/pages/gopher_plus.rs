//! The attributes of Gopher+ items: administrator, abstract, and the views in which an item can be had.

use maud::{Markup, html};
use urlwise::Language;
use urlwise_open::ItemAttributes;
use urlwise_open::protocol::gopher::AttributeList;

use super::super::http::fields::link;
use super::super::opening::without_password;
use super::text;
use crate::language::said;

/// One item.
pub(crate) fn item(all: &ItemAttributes, list: &AttributeList, language: Language) -> Markup {
    let entry = all.entry(list);
    let url = entry.as_ref().and_then(|entry| entry.url.clone()).unwrap_or_else(|| all.final_url().clone());
    let plain = url.without("gopherplus").unwrap_or(url);
    html! {
        section {
            @if let Some(entry) = &entry {
                h2 { a href=(link("/open", &without_password(&plain.borrow()))) { (text::shown(&entry.title)) } }
            }
            dl class="headers" {
                @for block in list.blocks() {
                    @if block.name != b"VIEWS" && block.name != b"INFO" {
                        dt { (text::shown(&block.name)) }
                        dd {
                            @if !block.head.is_empty() { p { (text::line(&text::shown(&block.head))) } }
                            @for line in &block.lines { p { (text::line(&text::shown(line))) } }
                        }
                    }
                }
                @if !list.views().is_empty() {
                    dt { (said!(language, "Views")) }
                    @for view in list.views() {
                        @let there = plain.with("gopherplus", view.gopher_plus()).ok();
                        @let spoken = view.language.as_deref().map(text::shown).unwrap_or_default();
                        dd {
                            @match &there {
                                Some(there) => a href=(link("/open", there.as_str())) { (text::shown(&view.media_type)) " " (spoken) },
                                None => { (text::shown(&view.media_type)) " " (spoken) },
                            }
                            @if let Some(size) = view.size { " " small { (text::size(size)) } }
                        }
                    }
                }
            }
        }
    }
}
