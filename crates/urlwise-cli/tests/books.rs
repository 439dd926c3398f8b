//! The rule books: every number that the project cites has an entry, and the program prints it.

#![allow(clippy::unwrap_used, reason = "a program that cannot be run must stop the test")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const BOOKS: [&str; 2] = ["docs/decisions.md", "docs/client-security.md"];

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The numbers in a text, with `D-1` for `D-01`: a letter of a book, a hyphen and one or two digits, unless they are
/// part of a longer name.
fn numbers(text: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-_%/".contains(c);
    let mut numbers = BTreeSet::new();
    for (at, _) in text.match_indices('-') {
        let (before, after) = (&text[..at], &text[at + 1..]);
        let Some(letter) = before.chars().next_back().filter(|letter| "DES".contains(*letter)) else { continue };
        let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
        let stands_alone =
            !before[..before.len() - 1].ends_with(is_part) && !after[digits.len()..].starts_with(is_part);
        if stands_alone && (1..=2).contains(&digits.len()) {
            numbers.insert(format!("{letter}-{}", digits.parse::<u32>().unwrap()));
        }
    }
    numbers
}

/// Every text file of the project, by path.
fn texts(folder: &Path, texts: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let (path, name) = (entry.path(), entry.file_name());
        let kind = entry.file_type().unwrap();
        if kind.is_dir() && !["target", ".git", "corpus"].iter().any(|skipped| name == *skipped) {
            self::texts(&path, texts);
        } else if kind.is_file()
            && path
                .extension()
                .is_some_and(|ending| ["rs", "md", "jsonl", "txt", "tsv", "toml"].iter().any(|text| ending == *text))
            && let Ok(text) = fs::read_to_string(&path)
        {
            texts.insert(path.display().to_string(), text);
        }
    }
}

#[test]
fn every_number_that_is_cited_has_an_entry() {
    let headings = BOOKS.map(|book| fs::read_to_string(root().join(book)).unwrap());
    let headings = headings.iter().flat_map(|book| book.lines()).filter_map(|line| line.strip_prefix("### "));
    let entries: BTreeSet<String> = headings.flat_map(numbers).collect();
    let mut read = BTreeMap::new();
    texts(root(), &mut read);
    let mut cited = BTreeSet::new();
    for (path, text) in &read {
        let numbers = numbers(text);
        let missing: Vec<_> = numbers.difference(&entries).collect();
        assert!(missing.is_empty(), "{path} cites {missing:?}, which no book has");
        cited.extend(numbers);
    }
    // Check that the walk found the files: the code cites nearly every entry.
    assert!(cited.len() > 150, "only {} numbers are cited", cited.len());
}

#[test]
fn similar_looking_names_are_not_numbers() {
    let expected = BTreeSet::from(["D-1", "E-12", "S-30"].map(String::from));
    assert_eq!(numbers("(D-01), `E-12`; S-30: ISO-8859-1, UTF-8, USD-10, D-, E-123, -D-11-, xS-2"), expected);
}

#[test]
fn the_books_in_the_package_are_those_of_the_project() {
    for book in BOOKS {
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join(book);
        assert_eq!(fs::read(own).unwrap(), fs::read(root().join(book)).unwrap(), "{book}");
    }
}

fn explain(arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_urlwise"));
    program
        .arg("explain")
        .args(arguments)
        .env("LC_ALL", "C.UTF-8")
        .env("XDG_CONFIG_HOME", "/nonexistent")
        .env("COLUMNS", "80");
    let output = program.stdin(Stdio::null()).output().unwrap();
    let text = |octets| String::from_utf8(octets).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_number_or_a_code_is_explained_by_its_entry() {
    for (name, begins, holds) in [
        ("D-31", "D-31\n\nEmpty segments.", "get --skip-empty-cwd"),
        ("e-12", "E-12\n\n`telnet-crlf`", "a program never sends it"),
        ("S-30", "S-30\n\nThe end of a transfer.", "close_notify"),
        ("bnf-char", "bnf-char: error", "\nD-10\n\nCharacters"),
        ("gopher-smtp", "E-10 gopher-smtp", "`--allow"),
        ("redirect-scheme", "redirect-scheme: `get` and `ls` refuse", "\nS-20\n"),
    ] {
        let (status, text, errors) = explain(&[name]);
        assert_eq!((status, errors.as_str()), (Some(0), ""), "{name}");
        assert!(text.starts_with(begins) && text.contains(holds), "{name}: {text}");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{name}: {text}");
    }
}

#[test]
fn an_unknown_number_is_an_error_that_says_which_there_are() {
    for (name, first, last) in [("d-0", "D-01", "D-118"), ("d-999", "D-01", "D-118"), ("s-0", "S-1", "S-72")] {
        let (status, text, errors) = explain(&[name]);
        assert_eq!((status, text.as_str()), (Some(2), ""));
        assert_eq!(errors, format!("urlwise: there is no entry `{name}`; there are `{first}` to `{last}`\n"));
    }
}

#[test]
fn an_entry_has_json() {
    let (_, text, _) = explain(&["--json", "D-31"]);
    let object: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(object["entry"], "D-31");
    assert!(object["text"].as_str().unwrap().starts_with("D-31\n\nEmpty segments."));
}

#[test]
fn a_report_ends_with_how_to_read_the_entries() {
    let (_, text, _) = explain(&["http://a@host.example:99999/a b"]);
    let lead = "\nfor more about D-26, D-23 or D-10, run `urlwise explain D-26`\n";
    assert!(text.ends_with(&format!("{lead}\n")), "{text}");
    let (_, text, _) = explain(&["--json", "http://a@host.example:99999/a b"]);
    assert!(!text.contains("for more about"), "{text}");
    let (_, text, _) = explain(&["http://host.example/"]);
    assert!(!text.contains("for more about"), "{text}");
}
