//! Menus, directories, hits and groups: a table that is sent row by row, as the entries arrive.

use maud::{Markup, html};
use urlwise::{Language, Locator, NewsKind, Scheme, Url, Words};
use urlwise_explain::gopher_type;
use urlwise_open::protocol::Note;
use urlwise_open::{Entry, EntryKind};

use super::super::http::fields::link;
use super::super::opening::without_password;
use super::text;
use crate::language::{said, words};

/// The deepest answers that are indented by more than those above.
const DEEPEST: usize = 8;

/// Which columns a table may have besides kind and name. One that stays empty is not shown (style.css).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Columns {
    /// The scheme whose words are used for kinds, where no URL names an entry.
    scheme: Scheme,
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
        let scheme = url.scheme().base();
        let (is_wais, is_news) = match url.locator() {
            Locator::Wais(_) => (true, false),
            // Of groups, names and descriptions are known.
            Locator::News(news) => (false, news.kind() != NewsKind::All),
            Locator::Nntp(_) => (false, true),
            _ => (false, false),
        };
        let facts = match url.locator() {
            Locator::Gopher(gopher) => gopher.gopherplus().is_some(),
            Locator::News(_) => is_news,
            _ => true,
        };
        Columns { scheme, score: is_wais, author: is_news, lines: is_wais || is_news, number: is_news, facts }
    }

    fn count(self) -> usize {
        let more = [self.score, self.author, self.lines, self.number, self.facts, self.facts];
        2 + more.into_iter().filter(|is_there| *is_there).count()
    }
}

/// The beginning of the table, and its end. Access methods are ways to get one document.
pub(crate) fn halves(columns: Columns, is_of_methods: bool, language: Language) -> (String, String) {
    const ROWS: &str = "<!-- rows -->";
    let table = html! {
        @if is_of_methods {
            p { (said!(language, "The server names these ways to get the document (RFC 1738 section 3.11). The first that works is taken when it is opened.")) }
        }
        p class="loading" role="status" { (said!(language, "Receiving\u{2026}")) }
        table class="menu" {
            thead {
                tr {
                    th scope="col" class="kind" { (said!(language, "Kind")) }
                    @if columns.score { th scope="col" class="number score" { (said!(language, "Score")) } }
                    @if columns.number { th scope="col" class="number which minor" { (said!(language, "Number")) } }
                    th scope="col" class="name" { (said!(language, "Name")) }
                    @if columns.author { th scope="col" class="author" { (said!(language, "From")) } }
                    @if columns.lines { th scope="col" class="number lines minor" { (said!(language, "Lines")) } }
                    @if columns.facts {
                        th scope="col" class="number size" { (said!(language, "Size")) }
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
    let (label, class) = kind(entry, columns.scheme);
    let name = if title.trim().is_empty() { said!(language, "(no name)") } else { title };
    let path = entry.url.as_ref().map(|url| link("/open", &without_password(&url.borrow())));
    let date = entry.modified_text();
    html! {
        tr {
            td class={ "kind " (class) } { (text::capital(&label.get(language))) }
            @if columns.score { td class="number score" data-name=(said!(language, "Score")) { @if let Some(score) = entry.score { (score) } } }
            @if columns.number { td class="number which minor" { @if let Some(number) = entry.number { (number) } } }
            th scope="row" class={ "name" @if depth > 0 { " answer depth-" (depth.min(DEEPEST)) } } {
                @if depth > 0 { span class="unseen" { (said!(language, "Answer, level {depth}: ", depth = depth)) } }
                @match &path {
                    Some(path) => a href=(path) { (name) },
                    None => { (name) " " small { (said!(language, "(no URL can name it)")) } },
                }
                @if let Some(elsewhere) = elsewhere(entry, columns.scheme) { p { code { (text::url(&elsewhere)) } } }
                @if let Some(description) = &entry.description { p { (text::shown(description)) } }
            }
            @if columns.author {
                td class="author" { @if let Some(from) = &entry.from { (text::shown(from)) } }
            }
            @if columns.lines { td class="number lines minor" { @if let Some(lines) = entry.lines { (lines) } } }
            @if columns.facts {
                td class="number size" { @if let Some(size) = entry.size { (text::size(size)) } }
                td class="date" {
                    @if let Some(date) = &date { time datetime=(date) { (date.get(..10).unwrap_or_default()) } }
                }
            }
        }
    }
}

/// The URL of an entry that a Prospero server leaves to another one, which is what there is to know of it.
fn elsewhere(entry: &Entry, menu: Scheme) -> Option<Url<&str>> {
    let url = entry.url.as_ref().map(Url::borrow)?;
    (menu == Scheme::Prospero && url.scheme().base() != Scheme::Prospero).then_some(url)
}

/// The name of a kind for people, as the scheme of the entry calls it, and its class. An entry without a URL is of the scheme of its menu.
fn kind(entry: &Entry, menu: Scheme) -> (Words, &'static str) {
    let scheme = entry.url.as_ref().map_or(menu, |url| url.scheme().base());
    let (words, class) = of_scheme(entry, scheme);
    match entry.url.as_ref().map(Url::locator) {
        Some(Locator::Gopher(gopher)) if !matches!(entry.kind, EntryKind::Form | EntryKind::Unknown) => {
            (gopher_type(gopher.gtype().unwrap_or(b'1')), class)
        }
        // In a menu of gopher it is a link to the web.
        Some(Locator::Http(_)) if menu == Scheme::Gopher => (words!("Web page"), class),
        _ => (words, class),
    }
}

fn of_scheme(entry: &Entry, scheme: Scheme) -> (Words, &'static str) {
    match entry.kind {
        EntryKind::Document if entry.message_id.is_some() => (words!("Article"), "document"),
        EntryKind::Document => (words!("Document"), "document"),
        EntryKind::Menu => match scheme {
            Scheme::Ftp | Scheme::File | Scheme::Prospero => (words!("Directory"), "folder"),
            Scheme::News | Scheme::Nntp => (words!("Group"), "folder"),
            Scheme::Wais => (words!("Database"), "folder"),
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
    use urlwise::Profile;

    /// The first cell of a row.
    fn kind_of(menu: &str, kind: EntryKind, url: Option<&str>) -> String {
        let menu = Url::parse_with(menu, Profile::Current).expect("a valid URL");
        let mut entry = Entry::new(b"x".to_vec(), kind);
        entry.url = url.map(|url| Url::parse_with(url.to_owned(), Profile::Current).expect("a valid URL"));
        let row = row(&entry, 0, Columns::of(&menu), Language::En).into_string();
        row.split('>').nth(2).and_then(|rest| rest.split('<').next()).expect("a cell").to_owned()
    }

    #[test]
    fn a_kind_is_named_as_its_scheme_names_it() {
        let gopher = "gopher://h.example/";
        for (kind, rest, name) in [
            (EntryKind::Document, "0x", "Text file"),
            (EntryKind::Menu, "1x", "Menu"),
            (EntryKind::Session, "2x", "CSO phone book"),
            (EntryKind::Search, "7x", "Search"),
            (EntryKind::Document, "9x", "Binary file"),
            (EntryKind::Document, "Ix", "Image"),
            (EntryKind::Document, "hx", "HTML page"),
            (EntryKind::Form, "1x%09%09?", "Form"),
            (EntryKind::Unknown, "Zx", "Other"),
        ] {
            assert_eq!(kind_of(gopher, kind, Some(&[gopher, rest].concat())), name, "{rest}");
        }
        assert_eq!(kind_of(gopher, EntryKind::Document, Some("http://h.example/x")), "Web page");
        assert_eq!(kind_of("ftp://h.example/", EntryKind::Document, Some("ftp://h.example/x")), "Document");
        for (menu, name) in [
            ("news:*", "Group"),
            ("nntp://h.example/g.x", "Group"),
            ("ftp://h.example/", "Directory"),
            ("prospero://h.example/x", "Directory"),
            ("gopher://h.example/", "Menu"),
        ] {
            assert_eq!(kind_of(menu, EntryKind::Menu, None), name, "no URL names an entry of {menu}");
        }
    }

    #[test]
    fn a_table_has_no_column_for_what_is_never_known() {
        let columns = |url: &str| {
            let columns = Columns::of(&Url::parse_with(url, Profile::Current).expect("a valid URL"));
            let head = halves(columns, false, Language::En).0;
            let names: Vec<_> = head.split("<th ").skip(1).filter_map(|th| th.split(['>', '<']).nth(1)).collect();
            assert_eq!(names.len(), columns.count());
            names.join(", ")
        };
        assert_eq!(columns("news:*"), "Kind, Name");
        assert_eq!(columns("gopher://h.example/"), "Kind, Name");
        assert_eq!(columns("ftp://h.example/"), "Kind, Name, Size, Date (UTC)");
        assert_eq!(columns("news:g.x"), "Kind, Number, Name, From, Lines, Size, Date (UTC)");
        assert_eq!(columns("wais://h.example/db?x"), "Kind, Score, Name, Lines, Size, Date (UTC)");
    }

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
