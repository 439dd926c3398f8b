//! `urlwise check`: reports about URLs, lists and trees, formats, and exit status.

#![allow(clippy::unwrap_used, reason = "a tree that cannot be made must stop the test")]

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use support::{Ran, Tree};

/// Two files with a problem or finding, and one without.
fn tree(name: &str) -> Tree {
    Tree::new(name)
        .with("bad.md", "\u{e9} http://host.dom/a%zz\r\nftp://jim:s3cret@host.dom/\n")
        .with("sub/port.txt", "<URL:gopher://host.dom:25/0HELO\n  x>")
        .with("good.txt", "http://host.dom/ news:a.b mailto:jim@host.dom\n")
}

fn codes(run: &Ran) -> Vec<String> {
    let code = |report: &Value| format!("{} {}", report["level"].as_str().unwrap(), report["code"].as_str().unwrap());
    run.json().iter().map(code).collect()
}

#[test]
fn arguments_with_a_scheme_are_urls_and_others_are_paths() {
    let tree = Tree::new("targets").with("mailto:x", "ftp://host.dom/~").with("plain", "http://host.dom/%");
    let run =
        |arguments: &[&str]| codes(&tree.run(&[&["check", "--json", "--profile", "rfc1738"], arguments].concat()));
    assert_eq!(run(&["mailto:x"]), ["error mailto-addrspec"]);
    assert_eq!(run(&["./mailto:x"]), ["error bnf-char"]);
    assert_eq!(run(&["--path", "mailto:x"]), ["error bnf-char"]);
    assert_eq!(run(&["plain"]), ["error bnf-escape"]);
    assert_eq!(run(&["--url", "plain"]), ["error scheme-missing"]);
    let missing = tree.run(&["check", "www.host.dom", "news:a.b"]);
    assert_eq!(missing.status, 2);
    assert!(missing.stderr.contains("cannot read www.host.dom: No such file"), "{}", missing.stderr);
}

#[test]
fn a_comment_without_a_rule_is_reported_as_one() {
    let tree = Tree::new("check-no-rule").with("a.txt", "http://host.dom/ # urlwise: ignore[]\n");
    let run = tree.run(&["check", "a.txt"]);
    assert!(run.stdout.contains("the comment names no rule") && !run.stdout.contains("``"), "{}", run.stdout);
}

#[test]
fn sarif_describes_each_rule_in_words() {
    let tree = Tree::new("check-sarif-rules").with("a.txt", "http://host.dom/%\n");
    let sarif: Value = serde_json::from_str(&tree.run(&["check", "--format", "sarif", "a.txt"]).stdout).unwrap();
    for rule in sarif["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap() {
        for text in ["/shortDescription/text", "/help/text"].map(|at| rule.pointer(at).unwrap().as_str().unwrap()) {
            assert!(!text.contains("<detail>") && !text.contains("<help>") && !text.is_empty(), "{rule}");
        }
    }
}

#[test]
fn json_has_the_problem_and_its_location() {
    let tree = tree("check-json");
    let reports = tree.run(&["check", "--json", "--sort", "path", "."]).json();
    assert_eq!(
        reports[0],
        json!({
            "code": "bnf-escape", "level": "error", "span": [17, 18], "section": "2.2", "decision": "D-10",
            "message": "`%` is not followed by two hex digits", "help": "write `%25` for a percent sign",
            "spans": [[17, 18]], "places": 1,
            "path": "bad.md", "line": 1, "column": 21, "url": "http://host.dom/a%zz",
            "more_problems": 0, "repaired": null,
            "refused": {
                "code": "bnf-escape", "span": [17, 18], "section": "2.2", "decision": "D-10",
                "message": "`%` is not followed by two hex digits", "help": "write `%25` for a percent sign",
            },
            "suggestions": [{"url": "http://host.dom/a%25zz", "profile": "current", "why": "`%` as a percent sign"}],
        })
    );
    assert_eq!(reports[1]["code"], "secret-password");
    assert_eq!((&reports[1]["line"], &reports[1]["column"]), (&json!(2), &json!(11)));
    assert_eq!(reports[1]["url"], "ftp://jim:***@host.dom/");
    let smtp: Vec<_> = reports[2..].iter().map(|report| (&report["path"], &report["code"], &report["line"])).collect();
    assert!(smtp.iter().all(|(path, ..)| **path == "sub/port.txt"), "{smtp:?}");
    assert!(smtp.iter().any(|(_, code, _)| **code == "gopher-smtp"), "{smtp:?}");
}

#[test]
fn findings_that_are_alike_are_one_report_with_all_their_places() {
    let tree = Tree::new("check-alike").with("a.txt", "see http://host.dom/%41/%2F/%41/%42/%41 there\n");
    let run = tree.run(&["check", "a.txt"]);
    assert!(run.stdout.contains("\n |                 ^^^     ^^^ ^^^ ^^^\n"), "{}", run.stdout);
    assert_eq!(run.stdout.matches("[enc-needless]").count(), 1, "{}", run.stdout);
    let summary = "urlwise: 1 warning in 1 URL of 1 file; `--notes` shows 1 note\n";
    assert!(run.stderr.starts_with(summary), "{}", run.stderr);
    let places = |run: &Ran| {
        let place = |report: &Value| (report["span"].clone(), report["spans"].to_string(), report["places"].clone());
        run.json().iter().map(place).collect::<Vec<_>>()
    };
    let run = tree.run(&["check", "--json", "a.txt"]);
    assert_eq!(places(&run), [(json!([16, 19]), "[[16,19],[24,27],[28,31],[32,35]]".to_owned(), json!(4))]);
    let run = tree.run(&["explain", "--json", "http://host.dom/%41/%2F/%42"]);
    assert_eq!(run.json()[0]["findings"][0]["spans"], json!([[16, 19], [24, 27]]));
    assert_eq!(run.json()[0]["findings"][0]["places"], json!(2));
    let run = tree.run(&["check", "--format", "github", "a.txt"]);
    assert!(run.stdout.contains("need no escape, and in 3 more places of the URL; write"), "{}", run.stdout);
    // Of one rule, the audit finds 64; 20 of them are listed.
    for (found, said) in
        [(63, "and in 62 more places"), (64, "and in at least 63 more"), (65, "and in at least 63 more")]
    {
        let url = format!("http://host.dom/{}", "%41/".repeat(found));
        let run = tree.run(&["check", "--format", "github", &url]);
        assert!(run.stdout.contains(said), "{}", run.stdout);
        let report = &tree.run(&["check", "--json", &url]).json()[0];
        assert_eq!((report["spans"].as_array().unwrap().len(), &report["places"]), (20, &json!(found.min(64))));
        let drawn = tree.run(&["explain", &url]).stdout;
        assert_eq!(drawn.contains("and in at least "), found > 63, "{drawn}");
    }
}

#[test]
fn standard_input_has_one_url_per_line_or_text() {
    let tree = Tree::new("stdin");
    let input = "news:a.b\r\n\nsee http://host.dom/%\n";
    let list = tree.feed(&["check", "--json"], input).json();
    assert_eq!((&list[0]["line"], &list[0]["column"]), (&json!(3), &json!(4)));
    let text = tree.feed(&["check", "--json", "--text"], input).json();
    assert_eq!((&text[0]["code"], &text[0]["line"], &text[0]["column"]), (&json!("bnf-escape"), &json!(3), &json!(21)));
    assert_eq!(tree.feed(&["check", "--json", "--text", "-"], input).json(), text);
    let records = tree.feed(&["check", "--json", "--null", "-"], "news:a\n\0news:*\0");
    assert_eq!(records.json()[0]["span"], json!([6, 7]));
}

#[test]
fn lists_come_from_files_too() {
    let tree = Tree::new("lists").with("list", "news:*\nhttp://host.dom/%\n");
    let run = tree.run(&["check", "--json", "--file", "list", "--file", "nowhere", "http://host.dom:25/"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("cannot read nowhere"));
    let places: Vec<_> = run.json().iter().map(|report| (report["path"].clone(), report["line"].clone())).collect();
    assert_eq!(places, [(json!(null), json!(null)), (json!("list"), json!(2))]);
}

#[test]
fn fail_on_decides_the_status() {
    let tree = tree("fail-on");
    let status = |arguments: &[&str]| tree.run(&[&["check"], arguments].concat()).status;
    assert_eq!(status(&["good.txt"]), 0);
    assert_eq!(status(&["bad.md"]), 1);
    let warning = "ftp://jim:pw@host.dom/";
    assert_eq!(status(&[warning]), 1);
    assert_eq!(status(&["--fail-on", "error", warning]), 0);
    let note = "http://host.dom/%2525";
    assert_eq!((status(&[note]), status(&["--notes", note])), (0, 0));
    assert_eq!(status(&["--notes", "--fail-on", "note", note]), 1);
    assert_eq!(status(&["--select", "nonsense", note]), 2);
    let quiet = tree.run(&["check", "--quiet", "nowhere", "bad.md"]);
    assert_eq!((quiet.status, quiet.stdout.as_str()), (1, ""));
}

#[test]
fn notes_that_make_the_run_fail_are_reported_without_notes() {
    let (tree, url) = (Tree::new("fail-on-note"), "http://host.dom/%2525");
    let run_in = |tree: &Tree, arguments: &[&str]| tree.run(&[&["check", "--json"], arguments, &[url]].concat());
    let run = run_in(&tree, &["--fail-on", "note"]);
    assert_eq!((codes(&run), run.status), (vec!["note enc-double".to_owned()], 1));
    let human = tree.run(&["check", "--fail-on", "note", url]);
    assert!(human.stderr.starts_with("urlwise: 1 note in 1 URL\n"), "{}", human.stderr);
    // Another selection stays as it is.
    assert_eq!(run_in(&tree, &["--fail-on", "note", "--select", "E-01"]).status, 0);
    let tree = Tree::new("fail-on-note-set").with("urlwise.toml", "fail-on = \"note\"\n");
    let run = run_in(&tree, &[]);
    assert_eq!((codes(&run), run.status), (vec!["note enc-double".to_owned()], 1));
    let run = run_in(&tree, &["--fail-on", "warning"]);
    assert_eq!((codes(&run), run.status), (Vec::new(), 0));
}

#[test]
fn rules_are_selected_and_ignored_by_name_and_number() {
    let tree = Tree::new("rules");
    let run = |arguments: &[&str]| {
        codes(&tree.run(&[&["check", "--json"], arguments, &["http://a.dom:25/%41?%2525"]].concat()))
    };
    assert_eq!(run(&[]), ["error port-foreign", "warning enc-needless"]);
    assert_eq!(run(&["--notes"]), ["error port-foreign", "warning enc-needless", "note enc-double"]);
    assert_eq!(run(&["--select", "enc-double"]), ["note enc-double"]);
    assert_eq!(run(&["--select", "all", "--ignore", "E-03,enc-needless"]), ["error port-reserved", "note enc-double"]);
    assert_eq!(run(&["--select", "E-01,E-23"]), ["warning port-nondefault", "note enc-double"]);
    assert_eq!(run(&["--ignore", "all"]), [""; 0]);
    let wrong = tree.run(&["check", "--ignore", "port-foriegn", "x:y"]);
    assert_eq!(wrong.stderr, "urlwise: --ignore: unknown rule or code `port-foriegn`; did you mean `port-foreign`?\n");
}

#[test]
fn settings_have_the_options_and_levels() {
    let settings = "\
        profile = \"current\"\nignore = [\"enc-needless\"]\nnotes = true\nfail-on = \"error\"\n\
        [severity]\nE-23 = \"warning\"\nport-foreign = \"note\"\nE-22 = \"off\"\n";
    let tree = Tree::new("check-config").with("urlwise.toml", settings);
    let url = "https://a.dom:25/%41/a%2F~?%2525";
    let run = tree.run(&["check", "--json", url]);
    assert_eq!(codes(&run), ["note port-foreign", "note tilde", "warning enc-double"]);
    assert_eq!(run.status, 0);
    assert_eq!(tree.run(&["check", "--fail-on", "warning", url]).status, 1);
    assert_eq!(
        codes(&tree.run(&["check", "--json", "--select", "E-24", "--no-config", "--profile", "current", url])),
        ["warning enc-needless"]
    );
    let wrong = Tree::new("check-wrong").with("urlwise.toml", "[severity]\nport-foriegn = \"error\"\n");
    let run = wrong.run(&["check", url]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("urlwise.toml:2:1: unknown rule or code `port-foriegn`"), "{}", run.stderr);
}

#[test]
fn hyphens_at_line_ends_and_fragments_are_checked_in_texts() {
    let tree = Tree::new("texts").with("a", "<URL:http://host.dom/a-\n  b> http://host.dom/#%");
    let reports = tree.run(&["check", "--json", "a"]).json();
    let seen: Vec<_> = reports.iter().map(|report| (&report["code"], &report["line"], &report["column"])).collect();
    assert_eq!(
        seen,
        [(&json!("hyphen-ambiguous"), &json!(1), &json!(23)), (&json!("bnf-escape"), &json!(2), &json!(23))],
    );
}

#[test]
fn github_format_has_one_command_per_line() {
    let tree = tree("github").with("a,b:%.txt", "\u{e9}\u{e9} ftp://host.dom/%");
    let run = tree.run(&["check", "--format", "github", "--sort", "path", "."]);
    assert!(run.stdout.lines().all(|line| line.starts_with("::error ") || line.starts_with("::warning ")));
    assert_eq!(
        run.stdout.lines().next().unwrap(),
        "::error file=a%2Cb%3A%25.txt,line=1,endLine=1,col=19,endColumn=20,title=bnf-escape::ftp://host.dom/%25: `%25` is \
         not followed by two hex digits; write `%2525` for a percent sign; did you mean `ftp://host.dom/%2525`?"
    );
    assert!(!run.stdout.contains("s3cret"));
    let argument = tree.run(&["check", "--format", "github", "http://host.dom:25/"]);
    assert!(argument.stdout.starts_with("::error title=port-foreign::http://host.dom:25/: "), "{}", argument.stdout);
}

#[test]
fn the_page_of_a_rule_is_printed() {
    let tree = Tree::new("pages");
    for (name, words) in
        [("E-10", "gopher-smtp"), ("port-foreign", "E-03"), ("bnf-char", "section 2.2"), ("scheme-trap", "E-28")]
    {
        let run = tree.run(&["check", "--explain", name]);
        assert!(run.status == 0 && run.stdout.contains(words), "{name}: {}", run.stdout);
    }
    let list = tree.run(&["check", "--explain", "all"]).stdout;
    for line in list.lines() {
        let id = line.split(' ').next().unwrap();
        let page = tree.run(&["check", "--explain", id]).stdout;
        assert!(page.contains(id) && page.lines().count() > 2, "{id}: {page}");
    }
    assert!(list.lines().count() > 100);
    assert_eq!(tree.run(&["check", "--explain", "nonsense"]).status, 2);
}

/// The folder of a crate that the tests depend on.
fn folder_of(crate_name: &str) -> PathBuf {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut metadata = Command::new(cargo);
    metadata.args(["metadata", "--format-version", "1", "--locked"]);
    let output = metadata.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let package =
        metadata["packages"].as_array().unwrap().iter().find(|package| package["name"] == crate_name).unwrap();
    Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap().into()
}

/// Checks against the published schema that `serde-sarif` is generated from, and parses the results with its types.
#[test]
fn sarif_is_valid_by_its_published_schema() {
    let schema: Value =
        serde_json::from_slice(&std::fs::read(folder_of("serde-sarif").join("src/schema.json")).unwrap()).unwrap();
    assert_eq!(schema["$id"].as_str().unwrap().rsplit('/').next(), Some("sarif-schema-2.1.0.json"));
    let (mut schemas, mut compiler) = (boon::Schemas::new(), boon::Compiler::new());
    compiler.enable_format_assertions();
    compiler.add_resource("sarif.json", schema).unwrap();
    let schema = compiler.compile("sarif.json", &mut schemas).unwrap();
    let tree = tree("sarif").with("a b/\u{e9}.txt", "[x](http://host.dom/%) {0} http://host.dom:25/");
    let everything = ["check", "--format", "sarif", "--notes", "--sort", "path"];
    let absolute = tree.path("bad.md");
    for (run, results) in [
        (tree.run(&[&everything[..], &["--lang", "ja", "."]].concat()), 1..99),
        (tree.run(&[&everything[..], &["."]].concat()), 1..99),
        (tree.run(&[&everything[..], &["good.txt"]].concat()), 0..1),
        (tree.run(&[&everything[..], &[absolute.to_str().unwrap(), "nowhere"]].concat()), 1..99),
        (tree.run(&[&everything[..], &["http://host.dom:25/[{0}]", "ftp://jim:s3cret@host.dom/"]].concat()), 2..99),
        (tree.feed(&everything, "hello\nhttp://host.dom/\u{e9}\n\u{0}\n"), 3..99),
    ] {
        let log: Value = serde_json::from_str(&run.stdout).unwrap();
        if let Err(error) = schemas.validate(&log, schema) {
            panic!("{error:#}\n{log:#}");
        }
        let log: serde_sarif::sarif::Sarif = serde_json::from_value(log).unwrap();
        let run_of_log = &log.runs[0];
        let rules = run_of_log.tool.driver.rules.as_ref().unwrap();
        let found = run_of_log.results.as_ref().unwrap();
        assert!(results.contains(&found.len()), "{found:#?}");
        for result in found {
            let rule = &rules[usize::try_from(result.rule_index.unwrap()).unwrap()];
            assert_eq!(Some(&rule.id), result.rule_id.as_ref());
        }
        assert!(!run.stdout.contains("s3cret"));
    }
}

#[test]
fn sarif_places_count_characters_and_octets() {
    let tree = tree("sarif-places");
    let run = tree.run(&["check", "--format", "sarif", "--sort", "path", "bad.md"]);
    let log: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(log["runs"][0]["columnKind"], "unicodeCodePoints");
    assert_eq!(log["runs"][0]["language"], Value::Null);
    let chinese = tree.run(&["check", "--format", "sarif", "--lang", "zh", "bad.md"]);
    assert_eq!(serde_json::from_str::<Value>(&chinese.stdout).unwrap()["runs"][0]["language"], "zh");
    let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "bad.md");
    assert_eq!(
        place["region"],
        json!({
            "startLine": 1, "startColumn": 20, "endLine": 1, "endColumn": 21, "byteOffset": 20, "byteLength": 1,
        })
    );
    assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], true);
}

#[test]
fn a_span_before_a_line_break_ends_in_its_line() {
    let tree = Tree::new("breaks").with("a", "<URL:http://host.dom:25\n  /x>");
    let run = tree.run(&["check", "--format", "github", "--select", "port-foreign", "a"]);
    assert!(run.stdout.starts_with("::error file=a,line=1,endLine=1,col=22,endColumn=24,"), "{}", run.stdout);
}
