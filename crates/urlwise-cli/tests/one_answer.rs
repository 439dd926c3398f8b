//! `explain`, `repair`, `check` and `check --fix` give one answer to a broken text, for every text of
//! `crates/urlwise/tests/data/broken.tsv` and for texts made at random.

#![allow(clippy::unwrap_used, reason = "a table that cannot be read must stop the test")]

mod support;

use std::fs;

use serde_json::Value;
use support::{Ran, Tree};

const TABLE: &str = include_str!("../../urlwise/tests/data/broken.tsv");

/// The texts of a profile, each once. The format is described in `crates/urlwise/tests/data/README.md`.
fn table(profile: &str) -> Vec<Vec<u8>> {
    let rows = TABLE.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect::<Vec<_>>());
    let texts = rows.filter(|row| row[0] == profile).map(|row| octets(row[1]));
    // These are lists of records that end in NUL.
    let mut texts: Vec<_> = texts.filter(|text| !text.contains(&0)).collect();
    texts.sort();
    texts.dedup();
    assert!(texts.len() > 100, "the table is gone");
    texts
}

fn octets(text: &str) -> Vec<u8> {
    let mut octets = Vec::new();
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let (octet, length) = match rest.as_bytes() {
            [b'\\', b't', ..] => (vec![b'\t'], 2),
            [b'\\', b'n', ..] => (vec![b'\n'], 2),
            [b'\\', b'r', ..] => (vec![b'\r'], 2),
            [b'\\', b'\\', ..] => (vec![b'\\'], 2),
            [b'\\', b'x', ..] => (vec![u8::from_str_radix(&rest[2..4], 16).unwrap()], 4),
            [b'\\', b'u', ..] => {
                let end = rest.find('}').unwrap();
                let code = u32::from_str_radix(&rest[3..end], 16).unwrap();
                (char::from_u32(code).unwrap().to_string().into_bytes(), end + 1)
            }
            _ => (next.to_string().into_bytes(), next.len_utf8()),
        };
        octets.extend(octet);
        rest = &rest[length..];
    }
    octets
}

/// Texts made of pieces that mean something to one reader or another, in an order that a fixed seed gives.
fn made(count: usize) -> Vec<Vec<u8>> {
    const PIECES: [&str; 40] = [
        "http:", "https:", "ftp:", "file:", "gopher:", "mailto:", "news:", "wais:", "//", "/", "host.dom", "h", "@",
        ":", "80", "?", "#", ";type=a", " ", "\t", "\"", "<", ">", "(", ")", "%", "%20", "%zz", "\\", "|", "~",
        "\u{e9}", "\u{200b}", "a", "b", "URL:", "[::1]", "..", "joe", "=",
    ];
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % bound as u64).unwrap()
    };
    (0..count).map(|_| (0..2 + next(7)).map(|_| PIECES[next(PIECES.len())]).collect::<String>().into_bytes()).collect()
}

/// Texts as records that end in NUL.
fn list(texts: &[Vec<u8>]) -> Vec<u8> {
    texts.iter().flat_map(|text| text.iter().copied().chain([0])).collect()
}

fn agree(name: &str, profile: &str, texts: &[Vec<u8>]) {
    let tree = Tree::new(name).with("list", list(texts)).with("fixed", list(texts));
    let run = |arguments: &[&str]| tree.run(&[arguments, &["--profile", profile, "-0f", "list"]].concat());
    let (explained, repaired) =
        (run(&["explain", "--json", "--show-secrets"]).json(), run(&["repair", "--json"]).json());
    let checked = run(&["check", "--json", "--notes"]).json();
    assert_eq!((explained.len(), repaired.len()), (texts.len(), texts.len()));
    let ran = tree.run(&["check", "--fix", "--quiet", "--profile", profile, "-0f", "fixed"]);
    assert_ne!(ran.status, 2, "{}", ran.stderr);
    let fixed = fs::read(tree.path("fixed")).unwrap();
    let fixed: Vec<&[u8]> = fixed.split(|&octet| octet == 0).collect();
    let mut count = 0;
    for (i, text) in texts.iter().enumerate() {
        let shown = text.escape_ascii();
        let (explain, repair) = (&explained[i], &repaired[i]);
        // What `explain` has is what `repair` prints, or why it does not.
        let (valid, url) = (explain["valid"].as_bool().unwrap(), repair["url"].as_str());
        assert_eq!(explain["refused"], repair["refused"], "{shown}");
        assert_eq!(explain["suggestions"], repair["suggestions"], "{shown}");
        let is_changed = url.is_some() && repair["changes"] != Value::Array(Vec::new());
        assert_eq!(explain["repaired"], if is_changed { repair["url"].clone() } else { Value::Null }, "{shown}");
        assert!(!valid || explain["refused"].is_null() || !is_changed, "{shown}");
        // So has the first error that `check` reports.
        let of_text = |report: &&Value| report["line"] == i + 1 && report["level"] == "error";
        if let Some(first) = checked.iter().find(of_text).filter(|_| !valid) {
            let has_password = first["repaired"].as_str().is_some_and(|url| url.contains("***"));
            assert!(has_password || first["repaired"] == explain["repaired"], "{shown}: {first}");
            assert_eq!(first["refused"], explain["refused"], "{shown}");
        }
        // A record is rewritten if it is broken and has one reading on one line.
        match url {
            Some(url) if !valid && !text.iter().any(|octet| b"\r\n".contains(octet)) => {
                assert_eq!(fixed[i], url.as_bytes(), "{shown}");
                count += 1;
            }
            _ => assert_eq!(fixed[i], text, "{shown}"),
        }
    }
    assert!(count > texts.len() / 100, "only {count} of {} texts were rewritten", texts.len());
    // What was rewritten is valid and stays.
    let again = tree.run(&["check", "--diff", "--profile", profile, "-0f", "fixed"]);
    assert_eq!((again.status, again.stdout.as_str()), (0, ""), "{}", again.stderr);
}

#[test]
fn all_commands_agree_about_the_table() {
    for profile in ["rfc1738", "current"] {
        agree("agree-table", profile, &table(profile));
    }
}

#[test]
fn all_commands_agree_about_texts_made_at_random() {
    let texts = made(1500);
    for profile in ["rfc1738", "current"] {
        agree("agree-made", profile, &texts);
    }
}

/// The diff that people see holds the repaired URL, and no other change is drawn.
#[test]
fn the_help_of_explain_shows_the_repaired_url() {
    let texts = table("rfc1738");
    let tree = Tree::new("agree-help").with("list", list(&texts));
    let repaired = tree.run(&["repair", "--json", "--profile", "rfc1738", "-0f", "list"]).json();
    let mut program = tree.program(&["explain", "--show-secrets", "--profile", "rfc1738", "-0f", "list"]);
    let explained = Ran::from(program.env("COLUMNS", "120").output().unwrap()).stdout;
    let pages: Vec<&str> = explained.split("list:").skip(1).collect();
    assert_eq!(pages.len(), repaired.len());
    let is_short = |repair: &Value| repair["url"].as_str().is_none_or(|url| url.len() < 110);
    for (page, repair) in pages.iter().zip(&repaired).filter(|(_, repair)| is_short(repair)) {
        let shown: Vec<_> = page.lines().filter_map(|line| line.strip_prefix(" + ")).collect();
        let urls: Vec<_> = match repair["url"].as_str() {
            Some(url) if repair["changes"] != Value::Array(Vec::new()) => vec![url],
            _ => match repair["suggestions"].as_array().unwrap().as_slice() {
                [one] => vec![one["url"].as_str().unwrap()],
                _ => Vec::new(),
            },
        };
        assert_eq!(shown, urls, "{page}");
    }
}

/// What `repair` prints for texts, each with whether it is a valid URL as it is.
fn repaired(tree: &Tree, name: &str, texts: &[Vec<u8>]) -> Vec<Option<String>> {
    fs::write(tree.path(name), list(texts)).unwrap();
    let lines = tree.run(&["repair", "--json", "--profile", "rfc1738", "-0f", name]).json();
    assert_eq!(lines.len(), texts.len());
    lines.iter().map(|line| line["url"].as_str().map(str::to_owned)).collect()
}

/// Each text alone on its line of a text file: what `find` takes for a URL there becomes what `repair` prints for it, and
/// everything else stays. Where that is the whole line, it is what `explain` shows for the text, or all refuse.
#[test]
fn a_line_of_a_text_becomes_what_repair_prints() {
    let mut texts = table("rfc1738");
    texts.retain(|text| !text.is_empty() && !text.iter().any(|octet| b"\r\n".contains(octet)));
    let lines: Vec<u8> = texts.iter().flat_map(|text| text.iter().copied().chain(*b"\n\n")).collect();
    let tree = Tree::new("agree-lines").with("a.txt", &lines).with("fixed.txt", &lines);
    let whole = repaired(&tree, "whole", &texts);
    let explained = tree.run(&["explain", "--json", "--show-secrets", "--profile", "rfc1738", "-0f", "whole"]).json();
    let hits = tree.run(&["find", "--json", "--profile", "rfc1738", "a.txt"]).json();
    let urls: Vec<_> = hits.iter().map(|hit| hit["url"].as_str().unwrap().as_bytes().to_vec()).collect();
    let of_hits = repaired(&tree, "hits", &urls);
    let ran = tree.run(&["check", "--fix", "--quiet", "--profile", "rfc1738", "fixed.txt"]);
    assert_ne!(ran.status, 2, "{}", ran.stderr);
    let fixed = fs::read(tree.path("fixed.txt")).unwrap();
    let fixed: Vec<&[u8]> = fixed.split(|&octet| octet == b'\n').step_by(2).collect();
    let (mut broken, mut rewritten, mut alone) = (0, 0, 0);
    let mut start = 0;
    for (i, text) in texts.iter().enumerate() {
        let shown = text.escape_ascii();
        let is_valid = explained[i]["valid"].as_bool().unwrap();
        broken += usize::from(!is_valid);
        let mut expected = text.clone();
        let number = |hit: &Value, i: usize| usize::try_from(hit["span"][i].as_u64().unwrap()).unwrap();
        let end = start + text.len();
        let here = hits.iter().enumerate().filter(|(_, hit)| (start..end).contains(&number(hit, 0)));
        for (index, hit) in here.collect::<Vec<_>>().into_iter().rev() {
            let (at, url) = (number(hit, 0) - start, &urls[index]);
            if *url == *text {
                alone += 1;
                assert_eq!(of_hits[index], whole[i], "{shown}");
                let is_refused = !explained[i]["refused"].is_null();
                assert_eq!(is_refused, whole[i].is_none(), "{shown}");
                if let Some(repaired) = whole[i].as_ref().filter(|_| !is_valid) {
                    assert_eq!(explained[i]["repaired"].as_str(), Some(repaired.as_str()), "{shown}");
                }
            }
            let repaired = of_hits[index].as_ref().filter(|_| hit["valid"] == false && text[at..].starts_with(url));
            if let Some(repaired) = repaired {
                expected.splice(at..at + url.len(), repaired.bytes());
            }
        }
        assert_eq!(fixed[i].escape_ascii().to_string(), expected.escape_ascii().to_string(), "{shown}");
        rewritten += usize::from(expected != *text);
        start = end + 2;
    }
    assert!(broken >= 300 && rewritten >= 45 && alone >= 150, "{broken} {rewritten} {alone}");
}

#[test]
fn explain_refers_only_to_what_it_shows() {
    let tree = Tree::new("agree-names");
    for (text, line) in [
        ("C:\\Users\\x", "for more about D-10 or D-85, run `urlwise explain D-10`"),
        ("file://C:\\x\\y.txt", "for more about D-63 or D-85, run `urlwise explain D-63`"),
        ("http://host.dom/a b", "for more about D-10, run `urlwise explain D-10`"),
        ("C:/Users/x", "for more about D-02 or D-04, run `urlwise explain D-02`"),
    ] {
        let ran = tree.run(&["explain", "--profile", "rfc1738", text]);
        let last = ran.stdout.lines().rfind(|line| line.starts_with("for more"));
        assert_eq!(last, Some(line), "{text}");
    }
}

#[test]
fn changes_of_one_kind_share_a_reason() {
    let tree = Tree::new("agree-reasons");
    for (text, reason) in [
        ("news:<id@h>", "removed `<` and `>`: the `<` and `>` around a Message-ID are not part of it"),
        (
            "[x](http://host.dom/a)",
            "removed `[x](` and `)`: the label and the brackets of a Markdown link are not part of the URL",
        ),
        (
            "((((http://host.dom/a))))",
            "removed `(` and `)`: quotation marks and brackets around a URL are not part of it",
        ),
        (
            "({['http://host.dom/a']})",
            "removed `(`, `{`, `[` and others: quotation marks and brackets around a URL are not part of it",
        ),
    ] {
        let ran = Ran::from(tree.program(&["explain", text]).env("COLUMNS", "200").output().unwrap());
        let notes: Vec<_> = ran.stdout.lines().filter(|line| line.starts_with(" = note: removed")).collect();
        assert_eq!(notes.len(), 1, "{}", ran.stdout);
        assert!(notes[0].contains(reason), "{}", ran.stdout);
    }
}

#[test]
fn a_reason_is_given_once_for_all_that_it_changes() {
    let tree = Tree::new("agree-reason-once");
    let explain =
        |text: &str| Ran::from(tree.program(&["explain", text]).env("COLUMNS", "300").output().unwrap()).stdout;
    let drive = explain("file://C:\\x\\y.txt");
    assert!(
        drive.contains(" = note: replaced `//` with `///` and replaced `\\\\` with `/`: a drive letter"),
        "{drive}"
    );
    assert_eq!(drive.matches("a drive letter").count(), 1, "{drive}");
    // Four different ones are counted, the fifth is not reached.
    let many = explain("(\"{['http://host.dom/a']}\")");
    assert!(many.contains("removed `(`, `\"`, `{` and others: "), "{many}");
    let three = explain("(\"http://host.dom/a\")");
    assert!(three.contains("removed `(`, `\"` and `)`: "), "{three}");
    // Seven reasons are one too many.
    let reasons = "\u{feff} Link: <URL:http:\\/\\/host.dom\\/index.html#sec>";
    let notes = explain(reasons).lines().filter(|line| line.starts_with(" = note: ")).count();
    assert!(notes <= 7, "{notes}");
}

#[test]
fn thousands_of_changes_are_explained_in_linear_time() {
    let tree = Tree::new("agree-many");
    let text = format!("<http://host.dom/{}>", "a\n ".repeat(5000));
    let start = std::time::Instant::now();
    let ran = tree.run(&["explain", &text]);
    assert!(ran.stdout.contains(" = note: removed `\\n"), "{}", ran.stdout);
    assert!(start.elapsed().as_secs() < 15, "{:?}", start.elapsed());
}

#[test]
fn only_a_fragment_is_cut_unasked() {
    let tree = Tree::new("agree-fragment");
    let note = |text: &str| tree.run(&["get", text]).stderr.contains("fragment-cut");
    assert!(note("http://127.0.0.1:1/a#x"));
    for text in
        ["http://127.0.0.1:1/a b#x", "http://127.0.0.1:1/a#x ", "http://127.0.0.1:1/a b", "ftp://127.0.0.1:1/a#x"]
    {
        assert!(!note(text), "{text}");
    }
}

#[test]
fn a_character_that_cannot_be_seen_is_named_unless_it_is_in_a_password() {
    let tree = Tree::new("agree-named");
    let refused = |text: &str| tree.run(&["repair", text]).stderr;
    for (text, name) in [
        ("http://host.dom/a\u{200b}b", "ZERO WIDTH SPACE (U+200B): an invisible character"),
        ("http://host.dom/a\tb", "HT (09): an invisible character"),
        ("http://host.dom/it\u{2019}s", "RIGHT SINGLE QUOTATION MARK (U+2019): a typographic quotation mark"),
    ] {
        assert!(refused(text).contains(name), "{}", refused(text));
    }
    let secret = refused("ftp://joe:s\u{200b}3@host.dom/");
    assert!(secret.contains("an invisible character") && !secret.contains("200"), "{secret}");
    assert!(refused("ftp://j\u{200b}oe:s3@host.dom/").contains("U+200B"));
}

#[test]
fn a_help_says_why_once_and_keeps_passwords() {
    let tree = Tree::new("agree-help-why");
    let explain =
        |text: &str| Ran::from(tree.program(&["explain", text]).env("COLUMNS", "200").output().unwrap()).stdout;
    // A `#` that may belong to a login is not drawn as the start of a fragment.
    assert!(!explain("ftp://host#x@evil.dom/").contains("fragment?"));
    assert!(explain("ftp://h.dom/a.txt#x").contains("fragment?"));
    // The problem above has said why.
    let drawn = explain("http://host.dom:x/");
    assert!(drawn.contains("changes nothing, because of `port-char`\n\n"), "{drawn}");
    let other = explain("http://host.dom\u{202e}/\u{7}a");
    assert!(
        other.contains("changes nothing, because the text has more than one reading or none\n = note: "),
        "{other}"
    );
    let password = explain("ftp://joe:s\"3cret@host.dom/");
    assert!(
        password.contains("only the password changes") && password.contains("changed a password (masked)"),
        "{password}"
    );
    assert!(!password.contains("3cret"), "{password}");
    let wrapped = explain("<ftp://joe:s3\ncret@host.dom/>");
    assert!(wrapped.contains("changed a password (masked)") && !wrapped.contains("removed `\\n"), "{wrapped}");
}

#[test]
fn no_help_of_a_problem_leads_to_a_url_that_repair_refuses() {
    let tree = Tree::new("one-answer-refused");
    let text = r"http://127.0.0.1\@1.1.1.1/";
    let explained = tree.run(&["explain", text]).stdout;
    let checked = tree.run(&["check", "--url", text]).stdout;
    let line = tree.run(&["check", "--format", "github", "--url", text]).stdout;
    for answer in [&explained, &checked] {
        assert!(!answer.contains("= help: write `%5C`"), "{answer}");
        assert!(answer.contains("= help: write `/` or `%5C`"), "{answer}");
    }
    assert!(line.contains("; a backslash, which some programs read as `/` and others as data; write `/` or"), "{line}");
    assert_eq!(line.matches("; write").count(), 1, "{line}");
}
