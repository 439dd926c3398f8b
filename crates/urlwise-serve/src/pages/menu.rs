//! Menus, directories, hits and groups: a table that is sent row by row, as the entries arrive.

use maud::{Markup, html};
use urlwise::{Language, Locator, Scheme, Url, Words};
use urlwise_open::protocol::Note;
use urlwise_open::{Entry, EntryKind};

use super::super::http::fields::link;
use super::super::opening::without_password;
use super::text;
use crate::language::{said, words};

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
pub(crate) fn halves(columns: Columns, language: Language) -> (String, String) {
    const ROWS: &str = "<!-- rows -->";
    let table = html! {
        p class="loading" role="status" { (said!(language, "Receiving\u{2026}")) }
        table class="menu" {
            thead {
                tr {
                    th scope="col" class="kind" { (said!(language, "Kind")) }
                    @if columns.score { th scope="col" class="number" { (said!(language, "Score")) } }
                    @if columns.number { th scope="col" class="number minor" { (said!(language, "Number")) } }
                    th scope="col" class="name" { (said!(language, "Name")) }
                    @if columns.author { th scope="col" class="author" { (said!(language, "From")) } }
                    @if columns.lines { th scope="col" class="number minor" { (said!(language, "Lines")) } }
                    @if columns.facts {
                        th scope="col" class="number" { (said!(language, "Size")) }
                        th scope="col" class="date" { (said!(language, "Date (UTC)")) }
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
pub(crate) fn row(entry: &Entry, depth: usize, columns: Columns, language: Language) -> Markup {
    let title = text::shown(&entry.title);
    match entry.kind {
        EntryKind::Info => html! { tr class="info" { td colspan=(columns.count()) { (text::line(&title)) } } },
        EntryKind::Error => {
            html! { tr class="error" { td class="kind" { (said!(language, "Error")) } td colspan=(columns.count() - 1) { (title) } } }
        }
        _ => whole_row(entry, &title, depth, columns, language),
    }
}

fn whole_row(entry: &Entry, title: &str, depth: usize, columns: Columns, language: Language) -> Markup {
    let (label, class) = kind(entry);
    let name = if title.trim().is_empty() { said!(language, "(no name)") } else { title };
    let path = entry.url.as_ref().map(|url| link("/open", &without_password(&url.borrow())));
    let date = entry.modified_text();
    html! {
        tr {
            td class={ "kind " (class) } { (label.get(language)) }
            @if columns.score { td class="number score" data-name=(said!(language, "Score")) { @if let Some(score) = entry.score { (score) } } }
            @if columns.number { td class="number minor" { @if let Some(number) = entry.number { (number) } } }
            th scope="row" class={ "name" @if depth > 0 { " answer depth-" (depth.min(DEEPEST)) } } {
                @if depth > 0 { span class="unseen" { (said!(language, "Answer, level {depth}: ", depth = depth)) } }
                @match &path {
                    Some(path) => a href=(path) { (name) },
                    None => { (name) " " small { (said!(language, "(no URL can name it)")) } },
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

/// The name of a kind for people, as its scheme calls it, and its class.
fn kind(entry: &Entry) -> (Words, &'static str) {
    let scheme = entry.url.as_ref().map(|url| url.scheme().base());
    match entry.kind {
        EntryKind::Document if entry.message_id.is_some() => (words!("Article"), "document"),
        EntryKind::Document => (words!("Document"), "document"),
        EntryKind::Menu => match scheme {
            Some(Scheme::Ftp | Scheme::File | Scheme::Prospero) => (words!("Directory"), "folder"),
            Some(Scheme::News | Scheme::Nntp) => (words!("Group"), "folder"),
            Some(Scheme::Wais) => (words!("Database"), "folder"),
            _ => (words!("Menu"), "folder"),
        },
        EntryKind::Search => (words!("Search"), "search"),
        EntryKind::Session => (words!("Session"), "session"),
        EntryKind::Form => (words!("Form"), "form"),
        EntryKind::Info | EntryKind::Error | EntryKind::Unknown => (words!("Other"), "other"),
        _ => (words!("Other"), "other"),
    }
}

/// How many entries there are, without lines of text, and notes about the answer as a whole.
pub(crate) fn end(count: usize, notes: &[Note], is_cut: bool, language: Language) -> Markup {
    html! {
        p class="count" role="status" {
            @match (count, is_cut) {
                (_, true) => (said!(language, "{count} entries. There are more; the command lists them all.", count = count)),
                (0, false) => (said!(language, "No entries.")),
                (1, false) => (said!(language, "1 entry.")),
                (_, false) => (said!(language, "{count} entries.", count = count)),
            }
        }
        (super::problem::notes(notes, language))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_indented_by_its_level_up_to_the_deepest_style() {
        let url = Url::parse("nntp://h.example/g.x").expect("a valid URL");
        let entry = Entry::new(b"Re: x".to_vec(), EntryKind::Document);
        let shown = |depth| row(&entry, depth, Columns::of(&url), Language::En).into_string();
        assert!(!shown(0).contains("answer"));
        assert!(shown(1).contains(" answer depth-1") && shown(8).contains("depth-8"));
        assert!(shown(9).contains("depth-8") && shown(9).contains("Answer, level 9"));
    }
}
