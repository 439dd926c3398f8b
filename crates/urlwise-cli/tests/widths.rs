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

#[test]
fn no_line_is_wider_than_the_terminal() {
    let texts = texts();
    let tree = Tree::new("widths").with("texts", texts.iter().map(|text| format!("{text}\0")).collect::<String>());
    for columns in ["60", "100"] {
        for command in [&["explain", "-0f", "texts"][..], &["check", "--notes", "-0f", "texts"]] {
            let ran = Ran::from(tree.program(command).env("COLUMNS", columns).output().unwrap());
            assert!(ran.stdout.lines().count() > 10 * texts.len() / 2, "{command:?}");
            let wide = |line: &&str| line.width() > columns.parse().unwrap();
            let found: Vec<_> = ran.stdout.lines().filter(wide).take(5).collect();
            assert!(found.is_empty(), "{command:?} in {columns} columns: {found:#?}");
        }
    }
}
