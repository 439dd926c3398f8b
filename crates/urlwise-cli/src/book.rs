//! The rule books: the entries behind the numbers and names that messages cite, like `rustc --explain`.
//!
//! The books are the files in `docs`, compiled in. An entry is a heading `### D-31` and the text up to the next heading. Problem
//! codes, audit rules and policy rules are described by the tables that the program uses, so their pages
//! are the texts of those tables, followed by the entries that they cite.

use std::io::Write;

use urlwise_explain::{secret, wrap};
use urlwise_open::policy;
use urlwise_readings::guard::ReasonCode;

use crate::context::Context;
use crate::exit::Failure;
use crate::json::{self, Object};
use crate::language::{language, message, said};
use crate::rules::{self, key};
use crate::style;

const BOOKS: [&str; 2] = [include_str!("../docs/decisions.md"), include_str!("../docs/client-security.md")];

/// One entry of a book.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// `D-31`, `E-12`, `S-30`.
    number: &'static str,
    /// Markdown: paragraphs and lists.
    text: &'static str,
}

/// Every entry, in the order of the books.
fn entries() -> impl Iterator<Item = Entry> {
    let sections = BOOKS.into_iter().flat_map(|book| book.split("\n### ").skip(1));
    sections.filter_map(|section| {
        let (number, text) = section.split_once('\n')?;
        let end = text.find("\n## ").unwrap_or(text.len());
        Some(Entry { number, text: text[..end].trim() })
    })
}

/// The result of looking up a text that may name an entry.
#[derive(Debug)]
pub(crate) enum Answer {
    Page(Page),
    /// It looks like a number or a code, but no entry has that name. Holds the message to show.
    Unknown(String),
    /// It does not look like the name of an entry. It is probably a URL.
    Other,
}

/// The text that is printed for a number or a name.
#[derive(Debug)]
pub(crate) struct Page {
    name: &'static str,
    /// Plain text: each paragraph and each item of a list is a line.
    text: String,
}

/// The page of a number (`D-31`, `d-31` and `D-031` are the same), a problem code, an audit rule or a policy rule.
///
/// A URL is never mistaken for a name, because it has a colon.
pub(crate) fn look_up(octets: &[u8]) -> Answer {
    let Ok(name) = str::from_utf8(octets) else {
        return Answer::Other;
    };
    if let Some(key) = key(name) {
        return match entries().find(|entry| self::key(entry.number) == Some(key)) {
            Some(entry) => Answer::Page(page_of_entry(entry)),
            None => Answer::Unknown(no_such_number(name, key.0)),
        };
    }
    if let Some(known) = names().find(|known| *known == name) {
        return Answer::Page(Page { name: known, text: with_entries(text_of_name(known)) });
    }
    // `localhost` and `www.example` are more likely to be URLs than misspelt codes.
    if !name.contains('-') || name.contains([':', '.', '/', '@']) {
        return Answer::Other;
    }
    let near = names().map(|known| (strsim::damerau_levenshtein(known, name), known)).min();
    match near.filter(|(distance, _)| *distance <= name.len() / 3) {
        Some((_, near)) => {
            let shown = secret::masked(octets, false);
            Answer::Unknown(no_such_entry(&shown, near))
        }
        None => Answer::Other,
    }
}

/// Whether this is the number of an entry, such as `D-31`.
pub(crate) fn is_number(name: &str) -> bool {
    key(name).is_some()
}

fn no_such_number(name: &str, letter: char) -> String {
    let mut numbers = entries().map(|entry| entry.number).filter(|number| number.starts_with(letter));
    let first = numbers.next().unwrap_or_default();
    let last = numbers.last().unwrap_or(first);
    said!("there is no entry `{name}`; there are `{first}` to `{last}`", name = name, first = first, last = last)
}

fn no_such_entry(name: &str, near: &str) -> String {
    said!("there is no entry `{name}`; did you mean `{near}`?", name = name, near = near)
}

/// The names that have a page, in addition to the numbers.
fn names() -> impl Iterator<Item = &'static str> {
    let reasons = ReasonCode::ALL.iter().map(|code| code.id());
    rules::ids().chain(policy::RULES.iter().map(|rule| rule.id)).chain(reasons)
}

fn page_of_entry(entry: Entry) -> Page {
    let mut text = format!("{}\n\n{}", entry.number, plain(entry.text));
    if let Some(rule) = urlwise::audit::RULES.iter().find(|rule| rule.number == entry.number) {
        text = format!("{text}\n\n{}", text_of_name(rule.id));
    }
    Page { name: entry.number, text }
}

/// The text about a name from the tables of the language and the client.
fn text_of_name(name: &str) -> String {
    let mut texts: Vec<String> =
        rules::pages().into_iter().filter(|page| page.id == name).map(|page| page.text).collect();
    if let Some(rule) = policy::RULES.iter().find(|rule| rule.id == name) {
        let language = language();
        let lift = match rule.allowable {
            true => message!("Use `--allow {name}` to open such a URL.", name = name),
            false => message!("The rule cannot be allowed: {reason}.", reason = rule.reason_in(language)),
        };
        let page = said!(
            "{name}: `get` and `ls` refuse a URL if {when} ({reference}). {lift}",
            name = name,
            when = rule.when_in(language),
            reference = rule.reference_in(language),
            lift = lift
        );
        texts.push(page + "\n");
    }
    if let Some(code) = ReasonCode::ALL.iter().find(|code| code.id() == name) {
        let page = said!(
            "{name}: a reason for which `guard` refuses a URL (D-106). {about}",
            name = name,
            about = code.about_in(language())
        );
        texts.push(page + "\n");
    }
    texts.join("\n").trim_end().to_owned()
}

/// A text, followed by the entries that it cites.
fn with_entries(mut text: String) -> String {
    // Not D-10 for D-105.
    let is_cited =
        |number: &str| text.split(number).skip(1).any(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()));
    let cited: Vec<_> = entries().filter(|entry| is_cited(entry.number)).collect();
    for entry in cited {
        text.push_str(&format!("\n\n{}\n\n{}", entry.number, plain(entry.text)));
    }
    text
}

/// Markdown without its markup, one line per paragraph and list item.
fn plain(markdown: &str) -> String {
    let paragraph =
        |paragraph: &str| paragraph.replace("\n- ", "\0- ").replace("\n  ", " ").replace('\n', " ").replace('\0', "\n");
    let text = markdown.split("\n\n").map(paragraph).collect::<Vec<_>>().join("\n\n");
    // Stars and brackets in code spans are literal.
    let spans = text.split('`').enumerate().map(|(i, span)| match i % 2 {
        0 => without_links(&span.replace('*', "")),
        _ => format!("`{span}`"),
    });
    spans.collect()
}

/// `[text](target)` becomes `text`.
fn without_links(markdown: &str) -> String {
    let mut text = String::new();
    let mut rest = markdown;
    while let Some((before, link)) = rest.split_once("](") {
        let (before, label) = before.rsplit_once('[').unwrap_or((before, ""));
        text.push_str(before);
        text.push_str(label);
        rest = link.split_once(')').map_or("", |(_, rest)| rest);
    }
    text + rest
}

/// Writes a page.
pub(crate) fn show(page: &Page, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    if context.json {
        let mut object = Object::new();
        object.insert("entry".into(), page.name.into());
        object.insert("text".into(), page.text.as_str().into());
        return Ok(json::write_line(out, &object)?);
    }
    for line in page.text.lines() {
        let indent = if line.starts_with("- ") { 2 } else { 0 };
        let wrapped = wrap::hanging(line, context.look.width, indent).replace('\n', &format!("\n{:indent$}", ""));
        match key(line) {
            Some(_) => writeln!(out, "{}", context.look.paint(style::LABEL, wrapped))?,
            None => writeln!(out, "{wrapped}")?,
        }
    }
    writeln!(out)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(name: &str) -> String {
        match look_up(name.as_bytes()) {
            Answer::Page(page) => page.text,
            other => panic!("{name}: {other:?}"),
        }
    }

    fn unknown(name: &str) -> String {
        match look_up(name.as_bytes()) {
            Answer::Unknown(message) => message,
            other => panic!("{name}: {other:?}"),
        }
    }

    /// How many there are; none is ever taken back.
    const DECISIONS: usize = 118;
    const BEHAVIOURS: usize = 72;

    #[test]
    fn the_books_number_their_entries_without_gaps() {
        for (letter, last) in [('D', DECISIONS), ('E', urlwise::audit::RULES.len()), ('S', BEHAVIOURS)] {
            let numbers = entries().filter_map(|entry| key(entry.number)).filter(|(other, _)| *other == letter);
            let numbers: Vec<_> = numbers.map(|(_, value)| value as usize).collect();
            assert_eq!(numbers, (1..=last).collect::<Vec<_>>(), "{letter}");
        }
    }

    #[test]
    fn every_code_and_every_rule_has_a_page_with_its_entries() {
        for name in names() {
            let page = page(name);
            assert!(page.contains(name), "{name}");
            for (number, _) in rules::pages().iter().filter(|page| page.id == name).map(|page| (page.number, ())) {
                assert!(
                    number.is_empty() || page.contains(&format!("\n\n{number}\n\n")),
                    "the page of {name} lacks the entry {number}"
                );
            }
        }
    }

    #[test]
    fn audit_entries_name_their_rule_and_its_severity() {
        for rule in urlwise::audit::RULES {
            let entry = entries().find(|entry| entry.number == rule.number).unwrap();
            assert!(entry.text.starts_with(&format!("**`{}`** (", rule.id)), "{}", rule.number);
            assert!(entry.text.contains(&format!("{} risk", rule.severity)), "{}", rule.number);
            assert!(page(rule.number).contains(rule.page), "{}", rule.number);
        }
    }

    #[test]
    fn an_entry_is_not_cited_by_a_longer_number() {
        let page = page("hosts-differ");
        assert!(page.contains("\n\nD-106\n\n") && !page.contains("\n\nD-10\n\n"), "{page}");
    }

    #[test]
    fn case_and_leading_zeros_of_numbers_do_not_matter() {
        for name in ["D-7", "d-07", "D-007"] {
            assert!(page(name).starts_with("D-07\n"), "{name}");
        }
    }

    #[test]
    fn unknown_names_get_a_suggestion() {
        for (name, near) in [("bnf-chr", "`bnf-char`"), ("gopher-stmp", "`gopher-smtp`")] {
            assert!(unknown(name).ends_with(&format!("did you mean {near}?")), "{name}");
        }
    }

    #[test]
    fn unknown_numbers_get_the_range_of_those_that_exist() {
        for (letter, digits, first, last) in [
            ("D", "999", "01", DECISIONS),
            ("e", "0", "01", urlwise::audit::RULES.len()),
            ("S", "99999999999", "1", BEHAVIOURS),
        ] {
            let name = [letter, digits].join("-");
            let letter = letter.to_uppercase();
            assert_eq!(
                unknown(&name),
                format!("there is no entry `{name}`; there are `{letter}-{first}` to `{letter}-{last}`"),
            );
        }
    }

    #[test]
    fn texts_that_could_be_urls_are_not_names() {
        for text in [
            "localhost",
            "www.host-name.example",
            "ftp://D-31/",
            "bnf-chr:x",
            "D",
            "D-",
            "D-x",
            "x-1",
            "a-completely-different-name",
        ] {
            assert!(matches!(look_up(text.as_bytes()), Answer::Other), "{text}");
        }
        assert!(matches!(look_up(b"D-\xff"), Answer::Other));
    }

    #[test]
    fn markup_is_removed_outside_of_code_spans() {
        let markdown =
            "**Bold** and *weak*, `*` stays\nin [a link](decisions.md#d-01).\n\n- one\n  more\n- two\n\nEnd.";
        assert_eq!(plain(markdown), "Bold and weak, `*` stays in a link.\n\n- one more\n- two\n\nEnd.");
    }
}
