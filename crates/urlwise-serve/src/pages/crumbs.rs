//! The way to a page, made of the parts of its URL: the server, its directories, the group of an article.

use maud::{Markup, html};
use urlwise::{Language, Locator, NestedSecrets, Url};
use urlwise_open::protocol::wais::DocumentId;

use super::super::http::fields::link;
use super::super::opening::PROFILE;
use super::text;
use crate::language::said;

/// The longest name of a step, in characters.
const LONGEST: usize = 60;

/// A step of the way.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Crumb {
    /// What it is called.
    pub(crate) name: String,
    /// Where it leads; `None` for the page itself, and where no URL names the step.
    pub(crate) path: Option<String>,
    /// Whether it is the page itself.
    pub(crate) is_here: bool,
}

impl Crumb {
    pub(crate) fn markup(&self) -> Markup {
        html! {
            @match (&self.path, self.is_here) {
                (Some(path), _) => a href=(path) { (self.name) },
                (None, true) => span aria-current="page" { (self.name) },
                (None, false) => span { (self.name) },
            }
        }
    }
}

/// The parts that are steps, by the names of the contract, and what follows one in the URL of its step.
const STEPS: &[(&str, &str)] = &[
    ("host", "/"),
    ("cwds", "/"),
    ("segments", "/"),
    ("name", ""),
    ("selector", ""),
    ("search", ""),
    ("gopherplus", ""),
    ("database", ""),
    ("wtype", ""),
    ("group", ""),
    ("article", ""),
    ("hsoname", ""),
];

/// The way to a URL.
pub(crate) fn of(url: &Url<&str>, language: Language) -> Vec<Crumb> {
    let text = url.as_str();
    let nested = NestedSecrets::of(text.as_bytes());
    let mut steps: Vec<(String, String)> = Vec::new();
    for part in url.parts() {
        let Some((_, after)) = STEPS.iter().find(|(name, _)| *name == part.name()) else { continue };
        // A port belongs to its host.
        let is_host = part.name() == "host";
        let port = is_host.then(|| url.parts().find(|part| part.name() == "port")).flatten();
        let end = port.map_or(part.span().end, |port| port.span().end);
        let name = match (part.name(), &*part.decode()) {
            ("host", _) => text.get(part.span().start..end).unwrap_or_default().to_owned(),
            ("gopherplus", b"!") => said!(language, "Attributes").to_owned(),
            ("gopherplus", [b'?', ..]) => said!(language, "Form").to_owned(),
            // The type of all documents is mostly the same; what they are called is in their ids.
            ("wtype", decoded) => match url.locator() {
                Locator::Wais(wais) => {
                    let name = wais.wpath().map(|wpath| DocumentId::from_wpath(wpath).name());
                    text::shown(&name.filter(|name| !name.is_empty()).unwrap_or_else(|| decoded.to_vec()))
                }
                _ => text::shown(decoded),
            },
            (_, decoded) => text::shown(decoded),
        };
        if !name.is_empty() {
            steps.push((shortened(&nested.masked(&name)), [text.get(..end).unwrap_or_default(), after].concat()));
        }
    }
    let last = steps.len().saturating_sub(1);
    let crumb = |(at, (name, prefix)): (usize, (String, String))| {
        let is_here = at == last;
        let step = Url::parse_with(prefix, PROFILE).ok().filter(|_| !is_here);
        let path = step.map(|step| link("/open", &super::super::opening::without_password(&step.borrow())));
        Crumb { name, path, is_here }
    };
    steps.into_iter().enumerate().map(crumb).collect()
}

/// The step before what is missing, with its path: before the directory with this number, if a server refused that one, else before
/// the page.
pub(crate) fn above(url: &Url<&str>, directory: Option<usize>, language: Language) -> Option<(String, String)> {
    let refused = directory.and_then(|number| url.parts().filter(|part| part.name() == "cwds").nth(number));
    let there = refused.and_then(|part| url.as_str().get(..part.span().end));
    let there = there.and_then(|there| Url::parse_with(there, PROFILE).ok()).unwrap_or(*url);
    of(&there, language).into_iter().rev().find_map(|crumb| Some((crumb.name, crumb.path?)))
}

/// A long name with its middle left out.
pub(crate) fn shortened(name: &str) -> String {
    let count = name.chars().count();
    if count <= LONGEST {
        return name.to_owned();
    }
    let (begin, end) = (LONGEST / 2, count - LONGEST / 2 + 1);
    let begin: String = name.chars().take(begin).collect();
    let end: String = name.chars().skip(end).collect();
    [&begin, "\u{2026}", &end].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(text: &str) -> Vec<(String, Option<String>)> {
        let url = Url::parse_with(text, PROFILE).expect("a valid URL");
        let path = |path: String| {
            let query = path.split_once('?').expect("a query").1.to_owned();
            super::super::super::http::fields::Form::read(query.as_bytes()).text("url").expect("a URL").to_owned()
        };
        of(&url.borrow(), Language::En).into_iter().map(|crumb| (crumb.name, crumb.path.map(path))).collect()
    }

    #[test]
    fn the_way_is_made_of_the_parts_of_the_url() {
        let here = |name: &str| (name.to_owned(), None);
        let there = |name: &str, url: &str| (name.to_owned(), Some(url.to_owned()));
        for (url, expected) in [
            (
                "ftp://joe:pw@h.example:2121/%2Fetc/a%20b/c.txt;type=i",
                vec![
                    there("h.example:2121", "ftp://joe@h.example:2121/"),
                    there("/etc", "ftp://joe@h.example:2121/%2Fetc/"),
                    there("a b", "ftp://joe@h.example:2121/%2Fetc/a%20b/"),
                    here("c.txt"),
                ],
            ),
            (
                "http://h.example/ftp://joe:S3kr@g.example/a",
                vec![
                    there("h.example", "http://h.example/"),
                    there("ftp:", "http://h.example/ftp:/"),
                    there("joe:***@g.example", "http://h.example/ftp://joe@g.example/"),
                    here("a"),
                ],
            ),
            (
                "http://h.example/?u=ftp://joe:S3kr@g.example",
                vec![there("h.example", "http://h.example/"), here("u=ftp://joe:***@g.example")],
            ),
            ("gopher://h.example/", vec![here("h.example")]),
            (
                "gopher://h.example/7/find%09old%20maps",
                vec![
                    there("h.example", "gopher://h.example/"),
                    there("/find", "gopher://h.example/7/find"),
                    here("old maps"),
                ],
            ),
            (
                "gopher://h.example/0form%09%09?",
                vec![
                    there("h.example", "gopher://h.example/"),
                    there("form", "gopher://h.example/0form"),
                    here("Form"),
                ],
            ),
            (
                "gopher://h.example/0form%09%09!",
                vec![
                    there("h.example", "gopher://h.example/"),
                    there("form", "gopher://h.example/0form"),
                    here("Attributes"),
                ],
            ),
            ("news:comp.lang.c", vec![here("comp.lang.c")]),
            (
                "nntp://h.example/comp.lang.c/12",
                vec![here("h.example"), there("comp.lang.c", "nntp://h.example/comp.lang.c"), here("12")],
            ),
            (
                "wais://h.example/db?maps",
                vec![there("h.example", "wais://h.example/"), there("db", "wais://h.example/db"), here("maps")],
            ),
            (
                "wais://h.example/db/TEXT/214/2=/idx;3=0%20214%20/d/note.txt;7=%00;",
                vec![there("h.example", "wais://h.example/"), there("db", "wais://h.example/db"), here("note.txt")],
            ),
            (
                "http://h.example/a/b?c",
                vec![
                    there("h.example", "http://h.example/"),
                    there("a", "http://h.example/a/"),
                    there("b", "http://h.example/a/b/"),
                    here("c"),
                ],
            ),
            ("file:///a/b", vec![there("a", "file:///a/"), here("b")]),
            ("mailto:joe@h.example", vec![]),
        ] {
            assert_eq!(steps(url), expected, "{url}");
        }
    }

    #[test]
    fn what_is_missing_is_looked_for_before_the_directory_that_was_refused() {
        let url = Url::parse_with("ftp://h.example//a/b/c/d.txt", PROFILE).expect("a valid URL");
        for (directory, name, path) in [
            (None, "c", "ftp://h.example//a/b/c/"),
            (Some(3), "b", "ftp://h.example//a/b/"),
            (Some(2), "a", "ftp://h.example//a/"),
            (Some(1), "h.example", "ftp://h.example/"),
            (Some(9), "c", "ftp://h.example//a/b/c/"),
        ] {
            let expected = Some((name.to_owned(), link("/open", path)));
            assert_eq!(above(&url.borrow(), directory, Language::En), expected, "{directory:?}");
        }
    }

    #[test]
    fn long_names_keep_both_ends() {
        let name = "x".repeat(LONGEST);
        assert_eq!(shortened(&name), name);
        let long = shortened(&format!("a{}z", "x".repeat(LONGEST)));
        assert_eq!((long.chars().count(), long.starts_with('a'), long.ends_with('z')), (LONGEST, true, true));
    }
}
