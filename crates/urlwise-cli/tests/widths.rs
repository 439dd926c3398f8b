//! Every line that people read fits the width, whatever the text.

#![allow(clippy::unwrap_used, reason = "a program that cannot be run must stop the test")]

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use support::{Ran, Tree};
use unicode_width::UnicodeWidthStr;

/// The broken texts, the URLs of the case table, and long ones.
fn texts() -> BTreeSet<String> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../urlwise/tests/data");
    let mut texts = BTreeSet::new();
    let table = fs::read_to_string(data.join("broken.tsv")).unwrap();
    let rows = table.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').nth(1).unwrap());
    texts.extend(rows.map(str::to_owned));
    for file in fs::read_dir(data.join("cases")).unwrap() {
        for line in fs::read_to_string(file.unwrap().path()).unwrap().lines() {
            let case: Value = serde_json::from_str(line).unwrap();
            texts.extend(case["url"].as_str().filter(|url| !url.contains('\0')).map(str::to_owned));
        }
    }
    let long = "a-name/that%20goes/on".repeat(20);
    for start in
        ["http://host.dom/", "ftp://joe:secret@host.dom/", "gopher://host.dom/0", "mailto:", "foo:", "wais://h/d?"]
    {
        texts.extend([format!("{start}{long}"), format!("{start}{long} {long}|x"), format!("\u{4e2d}{start}{long}")]);
    }
    texts
}

/// What people read, in files that the program reads: `texts` ends each with NUL.
const COMMANDS: [&[&str]; 4] =
    [&["explain", "-0f", "texts"], &["check", "--notes", "-0f", "texts"], &["compare", "-0f", "texts"], &["vectors"]];
const WIDTHS: [&str; 2] = ["60", "100"];

fn tree(name: &str) -> Tree {
    Tree::new(name).with("texts", texts().iter().map(|text| format!("{text}\0")).collect::<String>())
}

/// What a command prints in a language and so many columns.
fn printed(tree: &Tree, command: &[&str], options: &[&str], columns: &str) -> String {
    let ran = Ran::from(tree.program(&[command, options].concat()).env("COLUMNS", columns).output().unwrap());
    let least = if command == ["vectors"] { 100 } else { 1000 };
    assert!(ran.stdout.lines().count() > least, "{command:?} {options:?}: {}", ran.stderr);
    ran.stdout
}

/// Without the lines that are a URL and no more, which `compare` and `vectors` do not break.
fn without_urls<'t>(command: &[&str], text: &'t str) -> String {
    let mut before = "";
    let is_kept = |line: &&'t str| match command[0] {
        "compare" => !std::mem::replace(&mut before, line).is_empty(),
        "vectors" => line.starts_with(' '),
        _ => true,
    };
    text.lines().filter(is_kept).flat_map(|line| [line, "\n"]).collect()
}

/// The lines of which something is true; a handful of them.
fn some(text: &str, is_wrong: impl Fn(&str) -> bool) -> Vec<&str> {
    text.lines().filter(|line| is_wrong(line)).take(5).collect()
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    let tree = tree("widths");
    for columns in WIDTHS {
        for command in COMMANDS {
            for language in ["en", "ja", "zh"] {
                let text = without_urls(command, &printed(&tree, command, &["--lang", language], columns));
                let found = some(&text, |line| line.width() > columns.parse().unwrap());
                assert!(found.is_empty(), "{command:?} --lang {language} in {columns} columns: {found:#?}");
            }
        }
    }
}

/// What begins no line and what ends none (kinsoku).
const CLOSING: &str = "。、，．：；？！）」』］】》〉〕”’…ー";
const OPENING: &str = "（「『［【《〈〔“‘";

fn is_broken_badly(line: &str) -> bool {
    line.trim_start().starts_with(|c| CLOSING.contains(c)) || line.ends_with(|c| OPENING.contains(c))
}

#[test]
fn no_line_begins_with_closing_punctuation_or_ends_with_an_opening_one() {
    let tree = tree("kinsoku");
    for columns in WIDTHS {
        for command in COMMANDS {
            for language in ["ja", "zh"] {
                let text = without_urls(command, &printed(&tree, command, &["--lang", language], columns));
                let found = some(&text, |line| {
                    // The cells of a table are parts of a URL.
                    let is_cell = command[0] == "compare" && line.starts_with([' ', '*']);
                    !is_cell && is_broken_badly(line)
                });
                assert!(found.is_empty(), "{command:?} --lang {language} in {columns} columns: {found:#?}");
            }
        }
    }
}

/// The columns at which something is drawn.
fn drawn_at(line: &str, is_drawn: impl Fn(char) -> bool) -> Vec<usize> {
    line.char_indices().filter(|(_, c)| is_drawn(*c)).map(|(at, _)| line[..at].width()).collect()
}

/// The columns of the carets under the quoted line of each problem, in order.
fn carets(text: &str) -> Vec<Vec<usize>> {
    text.lines()
        .filter(|line| line.starts_with(" | ") && line[3..].trim_start().starts_with('^'))
        .map(|line| drawn_at(line, |c| c == '^'))
        .collect()
}

#[test]
fn carets_and_labels_stand_under_the_same_columns_in_every_language() {
    let tree = tree("carets");
    for columns in WIDTHS {
        for command in &COMMANDS[..2] {
            let english = carets(&printed(&tree, command, &[], columns));
            assert!(english.len() > 100, "{command:?}");
            for language in ["ja", "zh"] {
                let found = carets(&printed(&tree, command, &["--lang", language], columns));
                assert!(found == english, "{command:?} --lang {language} in {columns} columns");
            }
        }
    }
}

#[test]
fn labels_and_carets_stand_under_wide_characters() {
    let url = "gopher://主机.dom:70/1中文";
    for columns in WIDTHS {
        for (language, names) in [
            ("en", ["scheme", "host", "port", "type", "selector"]),
            ("ja", ["スキーム", "ホスト", "ポート", "タイプ", "セレクタ"]),
            ("zh", ["方案", "主机", "端口", "类型", "选择器"]),
        ] {
            let tree = Tree::new(&format!("labels-{columns}-{language}"));
            let mut program = tree.program(&["explain", "--lang", language, url]);
            let ran = Ran::from(program.env("COLUMNS", columns).output().unwrap());
            let lines: Vec<_> = ran.stdout.lines().take_while(|line| !line.is_empty()).collect();
            assert_eq!(lines[0], url);
            let parts = ["gopher", "主机.dom", "70", "1", "中文"].map(|part| url[..url.rfind(part).unwrap()].width());
            assert_eq!(drawn_at(lines[1], |c| c == '┬'), parts, "{lines:#?}");
            for (name, column) in names.iter().zip(parts) {
                let at = |line: &&str| line.find(name).map(|at| line[..at].width());
                assert_eq!(lines[2..].iter().find_map(at), Some(column), "{name}: {lines:#?}");
            }
            let under = |part: usize, width: usize| (parts[part] + 3..parts[part] + 3 + width).collect::<Vec<_>>();
            assert_eq!(carets(&ran.stdout), [under(1, 4), under(4, 4)], "{}", ran.stdout);
        }
    }
}

#[test]
fn ascii_draws_in_ascii_whatever_the_language() {
    let tree = tree("ascii");
    let is_drawing = |c: char| matches!(c, '\u{2190}'..='\u{21FF}' | '\u{2500}'..='\u{259F}');
    for command in &COMMANDS[..3] {
        for language in ["en", "ja", "zh"] {
            let text = printed(&tree, command, &["--ascii", "--lang", language], "60");
            let found = some(&text, |line| line.contains(is_drawing));
            assert!(found.is_empty(), "{command:?} --lang {language}: {found:#?}");
        }
    }
    // Without it there is something to find.
    assert!(printed(&tree, COMMANDS[0], &["--lang", "ja"], "60").contains(is_drawing));
}
