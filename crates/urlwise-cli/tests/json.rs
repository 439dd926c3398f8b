//! `docs/json.md` has every field that the program writes, and the program knows every field that it has.
//!
//! A section of the file is an object: each item of a list names a field, and a link in the item says of which section the value
//! is. "The fields of ..." with a link takes over the fields of another section.

#![allow(clippy::unwrap_used, reason = "a program that cannot be run must stop the test")]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use support::Tree;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Fields of an object, each with the section that describes its value.
type Fields = BTreeMap<String, Option<String>>;

/// The sections by their names.
struct Contract(BTreeMap<String, (Fields, Vec<String>)>);

/// The target of the first link to a section: `encoded part` for `[parts](#encoded-part)`.
fn link(text: &str) -> Option<String> {
    let (_, target) = text.split_once("](#")?;
    Some(target.split_once(')')?.0.to_owned())
}

impl Contract {
    fn read() -> Contract {
        let text = fs::read_to_string(root().join("docs/json.md")).unwrap();
        let mut sections = BTreeMap::new();
        for section in text.split("\n## ").skip(1) {
            let (title, body) = section.split_once('\n').unwrap();
            let (mut fields, mut inherited) = (Fields::new(), Vec::new());
            // Joins the lines of an item or paragraph.
            for item in body.replace("\n- ", "\n\n- ").split("\n\n").map(|item| item.replace('\n', " ")) {
                let item = item.trim();
                if let Some((name, meaning)) = item.strip_prefix("- `").and_then(|item| item.split_once("`: ")) {
                    assert!(fields.insert(name.into(), link(meaning)).is_none(), "{title} has `{name}` twice");
                } else if let Some((_, source)) = item.split_once("ields of ") {
                    inherited.extend(link(source));
                }
            }
            let slug: String =
                title.to_lowercase().replace(' ', "-").chars().filter(|c| c.is_alphanumeric() || *c == '-').collect();
            sections.insert(slug, (fields, inherited));
        }
        Contract(sections)
    }

    fn fields(&self, section: &str) -> Fields {
        let (own, inherited) = self.0.get(section).unwrap_or_else(|| panic!("docs/json.md has no section {section}"));
        let mut fields: Fields = inherited.iter().flat_map(|section| self.fields(section)).collect();
        fields.extend(own.clone());
        fields
    }

    /// Checks that every field of a value is described, except in objects of a field without a section.
    fn check(&self, value: &Value, section: Option<&str>, at: &str, seen: &mut BTreeSet<String>) {
        match (value, section) {
            (Value::Array(values), _) => values.iter().for_each(|value| self.check(value, section, at, seen)),
            (Value::Object(object), Some(section)) => {
                let fields = self.fields(section);
                for (name, value) in object {
                    // `NAME_octets` is described with its field.
                    let name = name.strip_suffix("_octets").unwrap_or(name);
                    let field = fields.get(name);
                    let section =
                        field.unwrap_or_else(|| panic!("docs/json.md: {section} lacks `{name}`, which {at} writes"));
                    seen.insert(name.into());
                    self.check(value, section.as_deref(), at, seen);
                }
            }
            (Value::Object(object), None) => panic!("docs/json.md does not say what {at} writes: {object:?}"),
            (_, _) => {}
        }
    }
}

/// Every URL of the case table, valid or not, once.
fn urls() -> String {
    let mut urls = BTreeSet::new();
    for file in fs::read_dir(root().join("crates/urlwise/tests/data/cases")).unwrap().map(|file| file.unwrap().path()) {
        for line in fs::read_to_string(file).unwrap().lines() {
            let case: Value = serde_json::from_str(line).unwrap();
            urls.extend(case["url"].as_str().map(str::to_owned));
        }
    }
    assert!(urls.len() > 500, "the case table is gone");
    urls.into_iter().collect::<Vec<_>>().join("\0")
}

#[test]
fn every_field_in_the_output_is_documented() {
    let contract = Contract::read();
    let mut seen = BTreeSet::new();
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let tree = Tree::new("json")
        .with("urls", urls())
        .with("README.md", readme)
        .with("odd", b"ftp://h/\xff\0x:\xc3\n".as_slice())
        .with("long", "x".repeat((4 << 20) + 1));
    let here = format!("file://{}/", tree.path("").display());
    for (section, arguments) in [
        ("parse", &["parse", "-0f", "urls"][..]),
        ("parse", &["parse", "--profile", "current", "-0f", "urls"]),
        ("parse", &["parse", "-0f", "odd"]),
        ("line-that-is-too-long", &["parse", "-f", "long"]),
        ("explain", &["explain", "-0f", "urls"]),
        ("explain", &["explain", "--profile", "current", "-0f", "urls"]),
        ("rule-book-entry", &["explain", "D-31", "bnf-char"]),
        ("normalize", &["normalize", "-0f", "urls"]),
        ("normalize", &["normalize", "--profile", "current", "--level", "safe", "-0f", "urls"]),
        ("same", &["same", "http://h.dom/%61", "http://H.dom:80/a"]),
        ("same", &["same", "http://h.dom/%2F", "http://h.dom//"]),
        ("compare", &["compare", "-0f", "urls"]),
        ("compare", &["compare", "--profile", "current", "-0f", "urls"]),
        ("compare", &["compare", "--readers", "urlsplit,requests,curl,go", "-0f", "urls"]),
        ("guard", &["guard", "-0f", "urls"]),
        ("guard", &["guard", "http://h.dom/", "http://8.8.8.8/", "http://127.0.0.1\\@1.1.1.1"]),
        ("guard", &["guard", "--readers", "requests,go", "-0f", "odd"]),
        ("vectors", &["vectors"]),
        ("resolve", &["resolve", "http://h.dom/a/b", "../c#d", "?", "a b", "mailto:"]),
        ("repair", &["repair", "-0f", "urls"]),
        ("repair", &["repair", "--profile", "current", "<URL:http://h.dom/~a b>", "http://a@b@c/", "http://h\\x/"]),
        ("find", &["find", "README.md"]),
        ("find", &["find", "--unique", "--count", "README.md"]),
        ("find", &["find", "--count", "README.md"]),
        ("check", &["check", "--code", "--select", "all", "README.md"]),
        ("check", &["check", "--select", "all", "-0f", "urls"]),
        ("check---open", &["check", "--open", "--offline", "README.md"]),
        ("build", &["build", "ftp", "user=a", "host=h.dom", "name=b"]),
        ("build", &["build", "ftp", "host=h om"]),
        ("build", &["build", "--remove", "user", "-0f", "urls"]),
        ("encode", &["encode", "--list"]),
        ("encode", &["encode", "--part", "ftp.name", "--hex", "ff61"]),
        ("encode", &["decode", "--part", "ftp.name", "a%3Bb"]),
        ("schemes", &["schemes"]),
        ("get---dry-run", &["get", "--dry-run", "--news-server", "n.dom", "-0f", "urls"]),
        (
            "get---dry-run",
            &["get", "--dry-run", "--gateway", "wais=http://g.dom/{url}", "wais://h.dom/d", "mailto:a@h.dom"],
        ),
        ("get", &["get", "-O", "--output-dir", "got", &format!("{here}README.md"), "file:///nosuch", "http://h:0/"]),
        ("ls", &["ls", &here, &format!("{here}README.md")]),
    ] {
        let mut arguments = arguments.to_vec();
        arguments.insert(1, "--json");
        let ran = tree.run(&arguments);
        assert_ne!(ran.status, 2, "{arguments:?}: {}", ran.stderr);
        let lines = ran.json();
        assert!(!lines.is_empty(), "{arguments:?} writes nothing");
        for object in lines {
            contract.check(&object, Some(section), &format!("{arguments:?}"), &mut seen);
        }
    }
    for (section, command) in [("find", "find"), ("check", "check")] {
        let ran = tree.feed(&[command, "--json", "-"], "http://h.dom:25/\n");
        ran.json().iter().for_each(|object| contract.check(object, Some(section), command, &mut seen));
        assert_eq!(ran.json().first().map(|object| object["path"].is_null()), Some(true), "{command}");
    }
    assert!(seen.len() > 90, "only {} fields were seen", seen.len());
}

/// Every text in quotes in the sources of a folder.
fn literals(folder: &Path, found: &mut BTreeSet<String>) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            literals(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.extend(fs::read_to_string(path).unwrap().split('"').map(str::to_owned));
        }
    }
}

#[test]
fn every_documented_field_exists_in_the_program() {
    let mut known = BTreeSet::new();
    for sources in
        ["urlwise/src", "urlwise-cli/src", "urlwise-explain/src", "urlwise-formats/src", "urlwise-readings/src"]
    {
        literals(&root().join("crates").join(sources), &mut known);
    }
    for (section, (fields, inherited)) in &Contract::read().0 {
        for linked in fields.values().flatten().chain(inherited) {
            assert!(Contract::read().0.contains_key(linked), "{section} links to a missing section {linked}");
        }
        let stale: Vec<_> = fields.keys().filter(|name| !known.contains(*name)).collect();
        assert!(stale.is_empty(), "{section} has {stale:?}, which nothing writes");
    }
}

#[test]
fn a_dry_run_of_many_steps_shows_the_first_and_says_that_others_follow() {
    let tree = Tree::new("json-steps");
    let steps = |directories: usize| {
        let url = format!("ftp://h.dom/{}x", "a/".repeat(directories));
        let steps = tree.run(&["get", "--dry-run", "--json", &url]).json();
        let last = steps.last().unwrap();
        (steps.len(), format!("{} {}", last["step"].as_str().unwrap(), last["text"].as_str().unwrap()))
    };
    let (without, last) = steps(0);
    let fit = (100 - without) / 2;
    // Each directory is a command and its reply.
    assert_eq!(steps(fit), (without + 2 * fit, last));
    for directories in [fit + 1, 900] {
        assert_eq!(steps(directories), (101, "note ... and more".to_owned()));
    }
}
