//! What holds for the texts of every crate: each crate that has tables compiles this file into its tests.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::string::{String, ToString};
use std::vec::Vec;

/// A text of the tables: in English, and in another language.
pub(super) type Pair = (String, &'static str);

type Phrases = [&'static [(&'static str, &'static str)]];

/// The texts of a crate in Japanese and in Chinese.
pub(super) struct Tables {
    phrases: [&'static Phrases; 2],
    pub(super) japanese: Vec<Pair>,
    pub(super) chinese: Vec<Pair>,
}

impl Tables {
    pub(super) fn new(japanese: &'static Phrases, chinese: &'static Phrases) -> Tables {
        let pairs = |phrases: &'static Phrases| -> Vec<Pair> {
            phrases.iter().copied().flatten().map(|(en, text)| (en.to_string(), *text)).collect()
        };
        Tables { phrases: [japanese, chinese], japanese: pairs(japanese), chinese: pairs(chinese) }
    }

    fn all(&self) -> impl Iterator<Item = &Pair> {
        self.japanese.iter().chain(&self.chinese)
    }
}

/// A text without the code in backticks and without placeholders, each of which becomes a `_`.
fn plain(text: &str) -> String {
    let words = text.split('`').enumerate().map(|(i, piece)| if i % 2 == 1 { "_" } else { piece }).collect::<String>();
    let mut pieces = words.split('{');
    let mut plain = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        plain += "_";
        plain += piece.split_once('}').map_or("", |(_, behind)| behind);
    }
    plain
}

fn is_wide(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{9FFF}' | '\u{FF00}'..='\u{FFEF}')
}

/// Sees that nothing is wrong, or says all of it.
#[track_caller]
fn assert_none(wrong: &[String]) {
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn punctuation_is_wide_and_nothing_is_spaced() {
    let mut wrong = Vec::new();
    for (en, text) in super::tables().all() {
        // The columns of a table are spaced.
        let plain: Vec<char> = plain(text).replace(" | ", "|").chars().collect();
        let is_spaced = plain.windows(2).any(|pair| {
            let is_edge = is_wide(pair[0]) != is_wide(pair[1]);
            is_edge && pair.iter().any(|c| " ,.;:!?()".contains(*c))
        });
        let ends = text.ends_with(['。', '.']) && *text != "。";
        if is_spaced || ends != (en.ends_with('.') && *en != " ...") {
            wrong.push(std::format!("{text:?}, which is {en:?}"));
        }
    }
    assert_none(&wrong);
}

#[test]
fn japanese_is_plain_and_chinese_is_simplified() {
    const POLITE: &[&str] = &["です", "ます", "ません", "ください", "でしょう"];
    const TRADITIONAL: &str = "們個這來說時為與從機檔網頁號碼類選擇轉義變數據庫單雙開關閉錯誤執請輸長負責語連結處當區種層組織號傳統該應試對話";
    let tables = super::tables();
    let is_polite = |text: &str| {
        // `ですべて` is not polite.
        let text = plain(text).replace("すべ", "_");
        POLITE.iter().any(|polite| text.contains(polite)) || text.contains(['；', '，'])
    };
    let is_foreign = |c: char| matches!(c, '\u{3040}'..='\u{30FF}' | '「' | '」') || TRADITIONAL.contains(c);
    let polite = tables.japanese.iter().map(|pair| pair.1).filter(|text| is_polite(text));
    let foreign = tables.chinese.iter().map(|pair| pair.1).filter(|text| text.contains(is_foreign));
    assert_none(&polite.chain(foreign).map(str::to_string).collect::<Vec<_>>());
}

/// What is the same in every language and is not written in backticks.
#[rustfmt::skip]
const NAMES: &[&str] = &[
    "http", "ftp", "gopher", "mailto", "news", "nntp", "telnet", "wais", "file", "prospero", "finger", "hsoname", "cwd", "wtype", "wpath",
    "url-path", "url-", "localhost", "subject", "body", "memcached", "shell", "x", "i", "https", "nntps", "telnets", "netrc", "urlwise",
    "urlwise-open",
];

/// What the pages of audit rules quote without backticks: URLs, commands and names of programs.
#[rustfmt::skip]
const NAMES_OF_PAGES: &[&str] = &[
    "flushall", "get", "set", "user", "group", "ls", "etc", "motd", "host", "inner", "dom", "joe", "relay", "dev", "xn--", "a", "b",
    "freeWAIS",
];

#[test]
fn no_english_word_is_left() {
    let mut wrong = Vec::new();
    for (en, text) in super::tables().all() {
        let plain = plain(text);
        let words = plain.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        for word in words.filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase())) {
            let is_name = NAMES.contains(&word) || en.ends_with('.') && NAMES_OF_PAGES.contains(&word);
            if !is_name {
                wrong.push(std::format!("{word} in {text:?}, which is {en:?}"));
            }
        }
    }
    assert_none(&wrong);
}

#[test]
fn code_in_backticks_is_the_same_in_every_language() {
    let code = |text: &str| -> BTreeSet<String> { text.split('`').skip(1).step_by(2).map(str::to_string).collect() };
    let tables = super::tables();
    let wrong = tables.all().filter(|(en, text)| code(text) != code(en));
    assert_none(&wrong.map(|(en, text)| std::format!("{text:?}, which is {en:?}")).collect::<Vec<_>>());
}

/// The source of the crate, without the translations.
fn source() -> String {
    fn files(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("it is our source") {
            let path = entry.expect("it is our source").path();
            match path.is_dir() {
                true if path.ends_with("language/ja") || path.ends_with("language/zh") => {}
                true => files(&path, found),
                false => found.push(path),
            }
        }
    }
    let mut found = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    let sources = found.iter().filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let text: String = sources.map(|path| fs::read_to_string(path).expect("it is our source")).collect();
    // Long texts are written on several lines.
    let text: String = text.split("\\\n").map(str::trim_start).collect();
    // Some characters by their numbers.
    let mut pieces = text.split("\\u{");
    let mut shown = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        let (digits, behind) = piece.split_once('}').unwrap_or((piece, ""));
        let c = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
        shown.push(c.unwrap_or(char::REPLACEMENT_CHARACTER));
        shown += behind;
    }
    shown
}

#[test]
fn no_translation_is_left_behind() {
    let (source, mut wrong) = (source(), Vec::new());
    for (table, name) in super::tables().phrases.into_iter().zip(["ja", "zh"]) {
        let mut seen = BTreeSet::new();
        for (en, _) in table.iter().copied().flatten() {
            let written = en.replace('\\', "\\\\").replace('"', "\\\"");
            if !source.contains(&std::format!("\"{written}\"")) {
                wrong.push(std::format!("{name} translates {en:?}, which nothing says"));
            }
            if !seen.insert(en) {
                wrong.push(std::format!("{name} translates {en:?} twice"));
            }
        }
    }
    assert_none(&wrong);
}

/// The rows of the glossary: English terms, Japanese, Chinese.
fn terms() -> Vec<[String; 3]> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/glossary.md");
    let glossary = fs::read_to_string(path).expect("it is our glossary");
    let (_, table) =
        glossary.split_once("| English | Japanese | Chinese |\n|---|---|---|\n").expect("there is a table");
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_string()).collect::<Vec<_>>();
    rows.map(|line| cells(line).try_into().expect("rows have three cells")).collect()
}

/// Whether a term stands in an English text as a word, in the singular or plural.
fn says(en: &str, term: &str) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '-');
    en.match_indices(term).any(|(at, _)| {
        let behind = en[at + term.len()..].strip_prefix('s').unwrap_or(&en[at + term.len()..]);
        !is_word(en[..at].chars().next_back()) && !is_word(behind.chars().next())
    })
}

/// English terms in another sense, and the texts that they stand in.
const FREE: &[(&str, &str)] = &[
    ("host", "Each segment of an ftp path"),   // in an example
    ("escape", "RFC 1738 gives `.` and `..`"), // to leave a directory
    ("article", "Section 6 speaks of"),        // a command
    ("scheme name", "The URL has no host, and its scheme names"),
    ("reader", "101, the capabilities"), // a command
];

#[test]
fn one_term_stands_for_one_thing() {
    let terms = terms();
    assert!(terms.len() > 40, "{}", terms.len());
    let (tables, mut wrong) = (super::tables(), Vec::new());
    for (pairs, column) in [(&tables.japanese, 1), (&tables.chinese, 2)] {
        for (en, text) in pairs {
            let mut rest = plain(en).to_ascii_lowercase();
            // Longer terms come first: a host name is not a host.
            for term in &terms {
                if !says(&rest, &term[0]) {
                    continue;
                }
                rest = rest.replace(&term[0], "_");
                let is_said = term[column].split(", ").any(|word| text.contains(word));
                let is_free = FREE.iter().any(|(free, start)| *free == term[0] && en.starts_with(start));
                if !is_said && !is_free {
                    wrong.push(std::format!("{}: {en:?} is {text:?}, without {}", term[0], term[column]));
                }
            }
        }
    }
    assert_none(&wrong);
}
