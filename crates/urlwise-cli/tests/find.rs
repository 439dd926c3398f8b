//! `urlwise find` in trees of files: which files are read, in which order, and the exit status.

#![allow(clippy::unwrap_used, reason = "a tree that cannot be made must stop the test")]

mod support;

use std::fs;
use std::io::{Read, Write};
use std::process::Stdio;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use support::{Ran, Tree};

/// The lines, sorted: the order of files is not fixed.
fn lines(run: &Ran) -> Vec<&str> {
    let mut lines: Vec<_> = run.stdout.lines().collect();
    lines.sort_unstable();
    lines
}

/// A tree with one URL per file, which shows whether the file was read.
fn tree(name: &str) -> Tree {
    Tree::new(name)
        .with("readme.md", "see http://readme.dom/.\n")
        .with("src/main.rs", "// ftp://main.dom/x;type=a\n")
        .with(".gitignore", "*.log\n")
        .with("build.log", "http://gitignore.dom/\n")
        .with(".ignore", "tmp/\n")
        .with("tmp/a.txt", "http://ignore.dom/\n")
        .with(".rgignore", "*.min.js\n")
        .with("a.min.js", "http://rgignore.dom/\n")
        .with(".hidden", "http://hidden.dom/\n")
        .with("binary.dat", b"http://binary.dom/ \0\n")
}

#[test]
fn folders_are_searched_like_ripgrep_does() {
    let tree = tree("walk");
    let all = ["find", "--unique"];
    let found = |options: &[&str]| tree.run(&[&all[..], options].concat()).stdout;
    assert_eq!(found(&[]), "ftp://main.dom/x;type=a\nhttp://readme.dom/\n");
    assert_eq!(found(&["--hidden"]), "ftp://main.dom/x;type=a\nhttp://hidden.dom/\nhttp://readme.dom/\n");
    let ignored = "http://gitignore.dom/\nhttp://ignore.dom/\n";
    assert_eq!(
        found(&["--no-ignore"]),
        format!("ftp://main.dom/x;type=a\n{ignored}http://readme.dom/\nhttp://rgignore.dom/\n")
    );
    assert_eq!(found(&["src"]), "ftp://main.dom/x;type=a\n");
}

#[test]
fn a_named_file_is_always_searched() {
    let tree = tree("named");
    let run = tree.run(&["find", "--unique", "binary.dat", ".hidden", "build.log"]);
    assert_eq!(lines(&run), ["http://binary.dom/", "http://gitignore.dom/", "http://hidden.dom/"]);
}

#[cfg(unix)]
#[test]
fn links_in_folders_are_not_followed_but_named_links_are() {
    let tree = tree("links");
    std::os::unix::fs::symlink(tree.path("build.log"), tree.path("link")).unwrap();
    std::os::unix::fs::symlink(tree.path(""), tree.path("loop")).unwrap();
    assert_eq!(lines(&tree.run(&["find", "--unique"])), ["ftp://main.dom/x;type=a", "http://readme.dom/"]);
    assert_eq!(tree.run(&["find", "--unique", "link"]).stdout, "http://gitignore.dom/\n");
}

#[test]
fn a_file_that_is_named_twice_is_searched_once() {
    let tree =
        Tree::new("twice").with("a", "http://a.dom/").with("sub/.b", "http://b.dom/").with("sub/c", "http://c.dom/");
    for (paths, count) in [(&["a", "./a"][..], 1), (&["a", ".", "sub"], 2), (&["sub/.b", "sub", ".", "sub/.b"], 3)] {
        let run = tree.run(&[&["find"], paths].concat());
        assert_eq!((run.status, lines(&run).len()), (0, count), "{}", run.stdout);
    }
    let run = tree.run(&["find", "no", "no"]);
    assert_eq!((run.status, run.stderr.lines().count()), (2, 2), "{}", run.stderr);
}

#[test]
fn paths_lines_and_columns_are_printed_in_order() {
    let tree =
        tree("order").with("src/b.txt", "\u{e9} http://one.dom/ news:a.b\r\n\r\n  <URL:http://two.dom/a\r\n  b>\r\n");
    let run = tree.run(&["find", "--sort", "path"]);
    assert_eq!(
        run.stdout,
        "readme.md:1:5: http://readme.dom/\n\
         src/b.txt:1:4: http://one.dom/\n\
         src/b.txt:1:20: news:a.b\n\
         src/b.txt:3:8: http://two.dom/ab\n\
         src/main.rs:1:4: ftp://main.dom/x;type=a\n"
    );
    let threads: Vec<_> = ["1", "2", "7"].map(|threads| tree.run(&["find", "-j", threads])).into();
    for run in &threads {
        assert_eq!(lines(run), lines(&threads[0]));
    }
}

#[test]
fn json_has_spans_in_the_whole_text() {
    let tree = Tree::new("json").with("a.txt", "\nsee <URL:http://h.dom/a-\n b#c>");
    assert_eq!(
        tree.run(&["find", "--json", "a.txt"]).json(),
        [json!({
            "path": "a.txt", "line": 2, "column": 10, "span": [10, 30], "form": "wrapped", "url": "http://h.dom/a-b",
            "fragment": "c", "alternative": "http://h.dom/ab", "valid": true,
        })]
    );
    let run = tree.feed(&["find", "--json"], "ftp://h.dom/~x");
    assert_eq!(
        run.json(),
        [json!({
            "path": null, "line": 1, "column": 1, "span": [0, 14], "form": "bare", "url": "ftp://h.dom/~x",
            "fragment": null, "alternative": null, "valid": false,
        })]
    );
}

#[test]
fn counts_are_by_file_or_by_url() {
    let tree = Tree::new("count").with("a", "http://a.dom/ http://b.dom/\nhttp://a.dom/#x").with("b", "none");
    assert_eq!(lines(&tree.run(&["find", "--count", "."])), ["a:3"]);
    assert_eq!(tree.run(&["find", "--count", "--unique", "."]).stdout, "2 http://a.dom/\n1 http://b.dom/\n");
    assert_eq!(tree.feed(&["find", "--count"], "http://a.dom/").stdout, "1\n");
    assert_eq!(tree.run(&["find", "--count", "--json", "a"]).json(), [json!({ "path": "a", "count": 3 })]);
    assert_eq!(
        tree.run(&["find", "-cu", "--json", "a"]).json(),
        [json!({ "url": "http://a.dom/", "count": 2 }), json!({ "url": "http://b.dom/", "count": 1 })]
    );
}

#[test]
fn only_selected_schemes_are_found() {
    let tree = Tree::new("scheme").with("a", "HTTP://a.dom/ ftp://b.dom/ https://c.dom/ gopher://d.dom/");
    assert_eq!(tree.run(&["find", "--scheme", "http,Gopher", "-u", "a"]).stdout, "HTTP://a.dom/\ngopher://d.dom/\n");
    assert_eq!(tree.run(&["find", "--scheme", "news", "a"]).status, 1);
    let wrong = tree.run(&["find", "--scheme", "ht tp", "a"]);
    assert_eq!((wrong.status, wrong.stdout.as_str()), (2, ""));
    assert!(wrong.stderr.contains("`ht tp` is not a valid scheme name"), "{}", wrong.stderr);
}

#[test]
fn schemes_that_no_url_is_found_by_without_a_prefix_are_named() {
    let tree = Tree::new("scheme-unknown").with("a", "irc://a.dom/ <URL:irc://b.dom/> http://c.dom/");
    let run = tree.run(&["find", "--scheme", "irc", "-u", "a"]);
    assert_eq!((run.status, run.stdout.as_str()), (0, "irc://b.dom/\n"));
    assert_eq!(run.stderr, "urlwise: URLs of the scheme `irc` are found only as in `<URL:irc:...>`\n");
    let run = tree.run(&["find", "--scheme", "FTPS,htp", "a"]);
    assert_eq!(run.status, 1);
    let said = "urlwise: URLs of the scheme `htp` are found only as in `<URL:htp:...>`; did you mean `http`?\n";
    assert_eq!(run.stderr, said);
    assert_eq!(tree.run(&["find", "--quiet", "--scheme", "htp", "a"]).stderr, "");
    let set = Tree::new("scheme-unknown-set").with("urlwise.toml", "schemes = [\"htp\"]\n").with("a", "http://c.dom/");
    assert_eq!(set.run(&["find", "a"]).stderr, said);
    // Once, whatever reads the files.
    for way in [&["check"][..], &["check", "--fix"], &["check", "--diff"], &["check", "--open", "--offline"]] {
        let stderr = set.run(&[way, &["a"]].concat()).stderr;
        assert!(stderr.starts_with(said) && stderr.matches("are found only").count() == 1, "{way:?}: {stderr}");
        let quiet = set.run(&[way, &["--quiet", "a"]].concat()).stderr;
        assert!(!quiet.contains("are found only"), "{way:?}: {quiet}");
    }
    // A list is checked whatever its schemes are.
    let listed = set.run(&["check", "http://c.dom/"]).stderr;
    assert!(!listed.contains("are found only"), "{listed}");
}

#[test]
fn nul_ends_paths_and_unique_urls() {
    let tree = Tree::new("null").with("a:b", "http://a.dom/");
    assert_eq!(tree.run(&["find", "--null"]).stdout, "a:b\x001:1: http://a.dom/\n");
    assert_eq!(tree.run(&["find", "--null", "--count"]).stdout, "a:b\x001\n");
    assert_eq!(tree.run(&["find", "--null", "--unique"]).stdout, "http://a.dom/\0");
}

#[test]
fn the_status_is_that_of_ripgrep() {
    let tree = tree("status").with("empty", "");
    assert_eq!(tree.run(&["find", "readme.md"]).status, 0);
    assert_eq!(tree.run(&["find", "empty"]).status, 1);
    let missing = tree.run(&["find", "nowhere", "readme.md"]);
    assert_eq!((missing.status, missing.stdout.as_str()), (2, "readme.md:1:5: http://readme.dom/\n"));
    assert_eq!(missing.stderr, "urlwise: cannot read nowhere: No such file or directory\n");
    // With --quiet, one hit is enough even if other files cannot be read.
    let quiet = tree.run(&["find", "--quiet", "-j1", "readme.md", "nowhere"]);
    assert_eq!((quiet.status, quiet.stdout.as_str()), (0, ""));
    assert_eq!(tree.run(&["find", "--quiet", "empty"]).status, 1);
}

#[cfg(unix)]
#[test]
fn names_and_texts_may_be_any_octets() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let name = OsStr::from_bytes(b"\xFF\x1b[31m");
    let tree = Tree::new("octets").with(name, b"\xFD\xFEhttp://a.dom/\xFF\x1b http://b.dom/\n");
    let run = tree.run(&["find"]);
    assert_eq!(run.stdout, "\\xff\\x1b[31m:1:3: http://a.dom/\n\\xff\\x1b[31m:1:19: http://b.dom/\n");
    let json = tree.run(&["find", "--json"]).json();
    assert_eq!((&json[0]["path"], &json[0]["path_octets"]), (&json!(null), &json!("ff1b5b33316d")));
    let raw = tree.program(&["find", "-0c"]).output().unwrap().stdout;
    assert_eq!(raw, b"\xFF\x1b[31m\x002\n");
}

/// Blocks are 1 MiB: lines and URLs across their ends, longer lines, and a line longer than the largest block.
#[test]
fn long_texts_and_lines_are_searched_completely() {
    let line = "word http://line.dom/ \u{e9} <URL:http://wrapped.dom/\n  x> word\n";
    let lines = (5 << 18) / line.len();
    let long = format!("{} http://long.dom/ ", "x".repeat(1000)).repeat(2000);
    let endless = format!("{}\"http://end.dom/\"", "a,".repeat((17 << 20) / 2));
    let tree = Tree::new("long").with("lines", line.repeat(lines)).with("long", &long).with("endless", endless);
    let counts = tree.run(&["find", "--count", "-u"]);
    let expected =
        format!("1 http://end.dom/\n{lines} http://line.dom/\n2000 http://long.dom/\n{lines} http://wrapped.dom/x\n");
    assert_eq!(counts.stdout, expected);
    for run in [tree.run(&["find", "--json", "lines"]), tree.feed(&["find", "--json", "-"], line.repeat(lines))] {
        let hits = run.json();
        assert_eq!(hits.len(), 2 * lines);
        for (number, hits) in hits.chunks(2).enumerate() {
            let at = number * line.len();
            assert_eq!((&hits[0]["line"], &hits[0]["column"]), (&json!(2 * number + 1), &json!(6)));
            assert_eq!(hits[0]["span"], json!([at + 5, at + 21]));
            assert_eq!((&hits[1]["line"], &hits[1]["column"]), (&json!(2 * number + 1), &json!(31)));
            assert_eq!(hits[1]["url"], "http://wrapped.dom/x");
        }
    }
    for (number, hit) in tree.run(&["find", "--json", "long"]).json().iter().enumerate() {
        assert_eq!((&hit["line"], &hit["column"]), (&json!(1), &json!(1002 + 1018 * number)));
    }
}

#[test]
fn several_threads_print_of_one_long_text_what_one_prints() {
    // Blocks of many lines, and a line that is longer than a block.
    let words = "and more words ".repeat(50);
    let line = |number: usize| format!("\u{e9} http://host.dom/{} <ftp://h:0/{number}> {words}\n", number % 9);
    let (before, after) = ((0..2000).map(line).collect::<String>(), (2000..4000).map(line).collect::<String>());
    let text = before + &"words without an end ".repeat(100_000) + &after;
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    let zipped = encoder.finish().unwrap();
    let tree = Tree::new("spread").with("long.txt", &text).with("long.txt.gz", &zipped);
    let tree = tree.with("cut.txt.gz", &zipped[..zipped.len() * 3 / 4]);
    for (options, status) in [
        (&["find", "long.txt"][..], 0),
        (&["find", "--json", "long.txt"], 0),
        (&["find", "--count", "long.txt"], 0),
        (&["find", "--unique", "--count", "long.txt"], 0),
        (&["find", "-z", "long.txt.gz"], 0),
        (&["find", "-z", "cut.txt.gz"], 2),
        (&["check", "--json", "long.txt"], 1),
        (&["check", "long.txt"], 1),
    ] {
        let one = tree.run(&[options, &["-j", "1"]].concat());
        assert!(!one.stdout.is_empty() && one.status == status, "{options:?}: {} {}", one.status, one.stderr);
        for threads in ["2", "5"] {
            let several = tree.run(&[options, &["-j", threads]].concat());
            assert!(several.stdout == one.stdout, "{options:?} with {threads} threads");
            assert_eq!((several.status, several.stderr), (one.status, one.stderr.clone()), "{options:?}");
        }
    }
    for threads in ["1", "4"] {
        let run = tree.feed(&["find", "-j", threads, "--count"], text.as_str());
        assert_eq!(run.stdout, "8000\n");
        assert_eq!(tree.run(&["find", "-j", threads, "--quiet", "long.txt"]).status, 0);
    }
}

#[test]
fn what_stands_before_the_break_of_a_compressed_file_is_found_and_checked() {
    let gzip = |text: &str| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::none());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let text = |open: &str, close: &str| {
        let line = |number: usize| format!("{open}http://h/{number:04}{close}\n");
        gzip(&(0..100).map(line).collect::<String>())
    };
    // The rest of the file is 8 octets behind the text, and the last URL breaks off before its last digits.
    let cut = |mut file: Vec<u8>, length: usize| {
        file.truncate(file.len() - 8 - length);
        file
    };
    let tree = Tree::new("broken")
        .with("cut.txt.gz", cut(text("<", ">"), 4))
        .with("cut.md.gz", cut(text("[x](", ")"), 4))
        .with("cut.html.gz", cut(text("<a href='", "'>x</a>"), 11))
        .with("sum.txt.gz", cut(text("", ""), 0));
    for (name, count) in [("cut.txt.gz", 99), ("cut.md.gz", 99), ("cut.html.gz", 99), ("sum.txt.gz", 100)] {
        for threads in ["1", "4"] {
            let run = tree.run(&["find", "-z", "-j", threads, "--unique", name]);
            let found: Vec<_> = run.stdout.lines().filter_map(|line| line.split_once("http://h/")).collect();
            let expected: Vec<_> = (0..count).map(|number| format!("{number:04}")).collect();
            assert!(found.iter().map(|(_, number)| number).eq(&expected), "{name}: {}", run.stdout);
            assert_eq!(run.status, 2, "{name}");
            assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
            assert!(run.stderr.starts_with(&format!("urlwise: cannot read {name}: ")), "{}", run.stderr);
        }
    }
    let run = tree.with("bad.txt.gz", cut(gzip("http://h.dom:25/ http://i.dom:25/"), 2)).run(&[
        "check",
        "-z",
        "--text",
        "bad.txt.gz",
    ]);
    assert!(run.stdout.contains("http://h.dom:25/") && !run.stdout.contains("i.dom"), "{}", run.stdout);
    assert_eq!(run.status, 2);
}

#[test]
fn settings_come_from_the_nearest_file_above() {
    let tree = tree("config")
        .with("urlwise.toml", "hidden = true\nschemes = [\"http\"]\n")
        .with("src/deep/a.txt", "http://deep.dom/ ftp://deep.dom/\n");
    assert_eq!(lines(&tree.run(&["find", "-u"])), ["http://deep.dom/", "http://hidden.dom/", "http://readme.dom/"]);
    assert_eq!(lines(&tree.run(&["find", "-u", "--scheme", "ftp"])), ["ftp://deep.dom/", "ftp://main.dom/x;type=a"]);
    assert!(!tree.run(&["find", "-u", "--no-config"]).stdout.contains("hidden"));
    let deep = |arguments: &[&str]| {
        let output = tree.program(arguments).current_dir(tree.path("src/deep")).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(deep(&["find", "-u"]), "http://deep.dom/\n");
    // A nearer file and the root of a repository hide it.
    fs::write(tree.path("src/urlwise.toml"), "").unwrap();
    assert_eq!(deep(&["find", "-u"]), "ftp://deep.dom/\nhttp://deep.dom/\n");
    fs::remove_file(tree.path("src/urlwise.toml")).unwrap();
    fs::create_dir(tree.path("src/.git")).unwrap();
    assert_eq!(deep(&["find", "-u"]), "ftp://deep.dom/\nhttp://deep.dom/\n");
    assert_eq!(deep(&["find", "-u", "--config", "../../urlwise.toml"]), "http://deep.dom/\n");
}

#[test]
fn mistakes_in_settings_are_reported_with_line_and_column() {
    for (settings, message) in [
        ("hidden = true\nhiden = true\n", "2:1: unknown field `hiden`"),
        ("\nhidden = 1\n", "2:10: invalid type: integer `1`, expected a boolean"),
        ("schemes = [\"a b\"]\n", "1:12: `a b` is not a valid scheme name"),
        ("profile = \"strict\"\n", "1:11: unknown variant `strict`, expected `rfc1738` or `current`"),
        ("schemes = [\"\\u001b[31m\"]\n", "1:12: `\\x1b[31m` is not a valid scheme name"),
        ("hidden = \n", "1:10: "),
        ("\u{e9} = \"\x1b\"\n", "1:1: "),
    ] {
        let tree = Tree::new("mistakes").with("urlwise.toml", settings).with("a", "http://a.dom/");
        let run = tree.run(&["find"]);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{settings}");
        assert!(run.stderr.contains(&format!("urlwise.toml:{message}")), "{settings}: {}", run.stderr);
        assert!(!run.stderr.contains('\x1b') && run.stderr.lines().count() == 1, "{}", run.stderr);
    }
    let tree = Tree::new("no-settings").with("a", "http://a.dom/");
    let run = tree.run(&["find", "--config", "nowhere.toml"]);
    assert_eq!(run.stderr, "urlwise: cannot read nowhere.toml: No such file or directory\n");
    assert_eq!(run.status, 2);
}

#[test]
fn a_closed_pipe_ends_the_walk_quietly() {
    let tree =
        Tree::new("pipe").with("a", "http://a.dom/%\n".repeat(20_000)).with("b", "http://b.dom/%\n".repeat(20_000));
    for arguments in
        [&["find", "."][..], &["find", "--json", "."], &["check", "--json", "."], &["check", "--file", "a"]]
    {
        let mut program = tree.program(arguments);
        let mut child = program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = [0; 16];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{arguments:?}");
    }
}

/// Ignore files of a tree that is not trusted: reading them ends soon, and what they would have hidden is found.
#[cfg(unix)]
#[test]
fn security_49_53_ignore_files_that_are_not_files_or_too_large_are_skipped() {
    let odd: String = (0..20_000).map(|number| format!("*a{number}*b[c-{number}]?\n")).collect();
    for name in [".gitignore", ".ignore", ".rgignore", ".git/info/exclude"] {
        for (kind, why) in [
            ("device", "not a regular file"),
            ("pipe", "not a regular file"),
            ("link", "not a regular file"),
            ("odd", "longer than"),
            ("many", "more than 2000 patterns"),
            ("sparse", "longer than"),
        ] {
            let tree = Tree::new("ignores").with("a.txt", "http://a.dom/\n").with("other", "*.txt\n");
            let path = tree.path(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            match kind {
                "device" => std::os::unix::fs::symlink("/dev/zero", &path).unwrap(),
                "link" => std::os::unix::fs::symlink(tree.path("other"), &path).unwrap(),
                "pipe" => {
                    let kind = rustix::fs::FileType::Fifo;
                    rustix::fs::mknodat(rustix::fs::CWD, &path, kind, 0o600.into(), 0).unwrap();
                }
                "odd" => fs::write(&path, &odd).unwrap(),
                "many" => fs::write(&path, "*.txt\n".repeat(2_001)).unwrap(),
                _ => fs::File::create(&path).unwrap().set_len(1 << 40).unwrap(),
            }
            for command in
                [&["find", "--unique"][..], &["find", "--unique", "-j", "4", "."], &["check", "-j", "3", "."]]
            {
                let began = std::time::Instant::now();
                let run = tree.run(command);
                assert!(began.elapsed().as_secs() < 20, "{name} {kind}");
                assert!(command[0] == "check" || run.stdout == "http://a.dom/\n", "{name} {kind}: {run:?}");
                assert_eq!(run.status, 0, "{name} {kind}: {run:?}");
                assert_eq!(run.stderr.matches("warning: ").count(), 1, "{name} {kind}: {run:?}");
                assert!(run.stderr.contains(why), "{name} {kind}: {run:?}");
            }
        }
    }
}

/// Thousands of braces within one another overflowed the stack, and a warning showed the line that it was about.
#[test]
fn security_49_53_a_pattern_that_cannot_be_used_is_left_out_and_not_shown() {
    let nested = format!("{}x{}\n*.md\n", "{".repeat(50_000), "}".repeat(50_000));
    for (text, why) in [
        (nested.as_str(), "line 1 of the ignore file is skipped: the pattern has more than 64 braces"),
        ("*.md\nhttp://joe:s3cret@host.dom/{\n", "line 2 of the ignore file is skipped: unclosed alternate group"),
        ("*.md\n[z-\u{1b}]\n", "line 2 of the ignore file is skipped: invalid range; 'z' > '\\x1b'"),
    ] {
        let tree = Tree::new("unusable").with("a.txt", "http://a.dom/\n").with("b.md", "http://b.dom/\n");
        let run = tree.with(".ignore", text).run(&["find", "--unique"]);
        assert_eq!((run.status, run.stdout.as_str()), (0, "http://a.dom/\n"), "{run:?}");
        assert!(run.stderr.contains(why) && !run.stderr.contains("s3cret"), "{run:?}");
        assert!(run.stderr.len() < 300, "{run:?}");
    }
}

#[test]
fn the_largest_ignore_file_is_used() {
    let tree = Tree::new("largest").with("a.txt", "http://a.dom/\n").with("b.md", "http://b.dom/\n");
    let tree = tree.with(".gitignore", format!("# a comment\n\n{}*.txt\n", "none\n".repeat(1_999)));
    let run = tree.run(&["find", "--unique"]);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("http://b.dom/\n", ""));
}

#[test]
fn the_patterns_of_a_user_rule_in_repositories_and_are_not_read_for_a_pipe() {
    let tree = Tree::new("global")
        .with(".config/git/ignore", "*.log\n{\n")
        .with("a.log", "http://log.dom/")
        .with("a.txt", "http://text.dom/");
    for threads in ["1", "4"] {
        let run = tree.run(&["find", "--unique", "-j", threads]);
        assert_eq!(run.stdout, "http://text.dom/\n", "-j {threads}");
        assert_eq!(run.stderr.matches("git/ignore").count(), 1, "{}", run.stderr);
    }
    let run = tree.run(&["find", "--unique", "--no-ignore"]);
    assert_eq!((lines(&run), run.stderr.as_str()), (vec!["http://log.dom/", "http://text.dom/"], ""));
    let run = tree.feed(&["find", "--unique"], "http://pipe.dom/");
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("http://pipe.dom/\n", ""));
}

#[test]
fn ignore_files_rule_as_in_ripgrep() {
    let tree = Tree::new("rules")
        .with(".gitignore", "*.log\n!keep.log\n/only-here.txt\ndeep/\n{\n")
        .with("x.log", "http://x.dom/")
        .with("keep.log", "http://keep.dom/")
        .with("only-here.txt", "http://here.dom/")
        .with("sub/only-here.txt", "http://sub.dom/")
        .with("sub/deep/a", "http://deep.dom/")
        .with("sub/.ignore", "!x.log\n!.shown\n")
        .with("sub/x.log", "http://again.dom/")
        .with("sub/.shown", "http://shown.dom/")
        .with("sub/.hidden", "http://hidden.dom/")
        .with(".git/info/exclude", "excluded\n")
        .with("excluded", "http://excluded.dom/")
        .with("inner/.git/info/exclude", "")
        .with("inner/y.log", "http://inner.dom/");
    let expected =
        ["http://again.dom/", "http://inner.dom/", "http://keep.dom/", "http://shown.dom/", "http://sub.dom/"];
    for threads in ["1", "4"] {
        let run = tree.run(&["find", "--unique", "-j", threads]);
        assert_eq!(lines(&run), expected, "-j {threads}");
        assert_eq!(run.stderr.matches("line 5 of the ignore file").count(), 1, "{}", run.stderr);
    }
    // From a folder below, what is above still rules.
    let mut below = tree.program(&["find", "--unique", "-j", "1"]);
    let below = Ran::from(below.current_dir(tree.path("sub")).output().unwrap());
    assert_eq!(lines(&below), ["http://again.dom/", "http://shown.dom/", "http://sub.dom/"]);
}
