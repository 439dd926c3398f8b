//! Menus, directories, hits and groups: a table that is sent row by row, as the entries arrive.

use maud::{Markup, html};
use urlwise::{Locator, Scheme, Url};
use urlwise_open::protocol::Note;
use urlwise_open::{Entry, EntryKind};

use super::super::http::fields::link;
use super::super::opening::without_password;
use super::text;

/// The deepest answers that are indented by more than those above.
const DEEPEST: usize = 8;

/// Which columns a table has besides kind, name, size and date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Columns {
    score: bool,
    author: bool,
    lines: bool,
    number: bool,
    /// Size and date: gopher has them in Gopher+ alone.
    facts: bool,
}

impl Columns {
    /// The columns of the menu of a URL.
    pub(crate) fn of(url: &Url<&str>) -> Columns {
        let (is_wais, is_news) = match url.scheme().base() {
            Scheme::Wais => (true, false),
            Scheme::News | Scheme::Nntp => (false, true),
            _ => (false, false),
        };
        let is_plain_gopher = matches!(url.locator(), Locator::Gopher(gopher) if gopher.gopherplus().is_none());
        Columns { score: is_wais, author: is_news, lines: is_wais || is_news, number: is_news, facts: !is_plain_gopher }
    }

    fn count(self) -> usize {
        let more = [self.score, self.author, self.lines, self.number, self.facts, self.facts];
        2 + more.into_iter().filter(|is_there| *is_there).count()
    }
}

/// The beginning of the table, and its end.
pub(crate) fn halves(columns: Columns) -> (String, String) {
    const ROWS: &str = "<!-- rows -->";
    let table = html! {
        p class="loading" role="status" { "Receiving\u{2026}" }
        table class="menu" {
            thead {
                tr {
                    th scope="col" class="kind" { "Kind" }
                    @if columns.score { th scope="col" class="number" { "Score" } }
                    @if columns.number { th scope="col" class="number minor" { "Number" } }
                    th scope="col" class="name" { "Name" }
                    @if columns.author { th scope="col" class="author" { "From" } }
                    @if columns.lines { th scope="col" class="number minor" { "Lines" } }
                    @if columns.facts {
                        th scope="col" class="number" { "Size" }
                        th scope="col" class="date" { "Date (UTC)" }
                    }
                }
            }
            tbody { (maud::PreEscaped(ROWS)) }
        }
    };
    let table = table.into_string();
    match table.split_once(ROWS) {
        Some((before, after)) => (before.to_owned(), after.to_owned()),
        None => (table, String::new()),
    }
}

/// The row of an entry, so deep in its thread.
pub(crate) fn row(entry: &Entry, depth: usize, columns: Columns) -> Markup {
    let title = text::shown(&entry.title);
    match entry.kind {
        EntryKind::Info => html! { tr class="info" { td colspan=(columns.count()) { (text::line(&title)) } } },
        EntryKind::Error => {
            html! { tr class="error" { td class="kind" { "Error" } td colspan=(columns.count() - 1) { (title) } } }
        }
        _ => whole_row(entry, &title, depth, columns),
    }
}

fn whole_row(entry: &Entry, title: &str, depth: usize, columns: Columns) -> Markup {
    let (label, class) = kind(entry.kind);
    let name = if title.trim().is_empty() { "(no name)" } else { title };
    let path = entry.url.as_ref().map(|url| link("/open", &without_password(&url.borrow())));
    let date = entry.modified_text();
    html! {
        tr {
            td class={ "kind " (class) } { (label) }
            @if columns.score { td class="number" { @if let Some(score) = entry.score { (score) } } }
            @if columns.number { td class="number minor" { @if let Some(number) = entry.number { (number) } } }
            th scope="row" class={ "name" @if depth > 0 { " answer depth-" (depth.min(DEEPEST)) } } {
                @if depth > 0 { span class="unseen" { "Answer, level " (depth) ": " } }
                @match &path {
                    Some(path) => a href=(path) { (name) },
                    None => { (name) " " small { "(no URL can name it)" } },
                }
                @if let Some(description) = &entry.description { p { (text::shown(description)) } }
            }
            @if columns.author {
                td class="author" { @if let Some(from) = &entry.from { (text::shown(from)) } }
            }
            @if columns.lines { td class="number minor" { @if let Some(lines) = entry.lines { (lines) } } }
            @if columns.facts {
                td class="number" { @if let Some(size) = entry.size { (text::size(size)) } }
                td class="date" {
                    @if let Some(date) = &date { time datetime=(date) { (date.get(..10).unwrap_or_default()) } }
                }
            }
        }
    }
}

/// The name of a kind for people, and its class.
fn kind(kind: EntryKind) -> (&'static str, &'static str) {
    match kind {
        EntryKind::Document => ("Document", "document"),
        EntryKind::Menu => ("Menu", "folder"),
        EntryKind::Search => ("Search", "search"),
        EntryKind::Session => ("Session", "session"),
        EntryKind::Form => ("Form", "form"),
        EntryKind::Info | EntryKind::Error | EntryKind::Unknown => ("Other", "other"),
        _ => ("Other", "other"),
    }
}

/// How many entries there are, and what is to be said about the answer as a whole.
pub(crate) fn end(count: usize, notes: &[Note], is_cut: bool) -> Markup {
    html! {
        p class="count" role="status" {
            @match count {
                0 => "No entries.",
                1 => "1 entry.",
                _ => { (count) " entries." },
            }
            @if is_cut { " There are more; the command shows them all." }
        }
        (super::problem::notes(notes))
    }
}
