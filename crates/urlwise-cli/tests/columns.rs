//! `parse --columns` and `--template`: what stands in a line, exactly.

#![allow(clippy::unwrap_used, reason = "a program that cannot be run must stop the test")]

mod support;

use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use support::Tree;

fn lines(arguments: &[&str], input: &[u8]) -> (i32, String) {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let run = Tree::new(&format!("columns-{}", RUNS.fetch_add(1, Ordering::Relaxed)))
        .feed(&[&["parse"], arguments].concat(), input);
    (run.status, run.stdout)
}

#[test]
fn each_url_has_a_line_and_a_text_that_is_none_has_null_and_its_problem() {
    let (status, text) = lines(
        &["--columns", "scheme,host,port,query,fragment,valid,problem,problem:start,problem:end"],
        b"https://host.dom/a?#top\nno url\n\nftp://[::1]:21/\n",
    );
    assert_eq!(
        (status, text.as_str()),
        (
            1,
            "https\thost.dom\t443\t\ttop\ttrue\t\\N\t\\N\t\\N\n\
             \\N\t\\N\t\\N\t\\N\t\\N\tfalse\tscheme-missing\t0\t6\n\
             ftp\t[::1]\t21\t\\N\t\\N\ttrue\t\\N\t\\N\t\\N\n"
        )
    );
}

#[test]
fn columns_are_read_by_current_unless_told_otherwise() {
    assert_eq!(lines(&["--columns", "valid"], b"http://h.dom/~jim\n"), (0, "true\n".into()));
    assert_eq!(lines(&["--columns", "valid", "--profile", "rfc1738"], b"http://h.dom/~jim\n"), (1, "false\n".into()));
}

#[test]
fn parts_of_a_scheme_are_columns_by_their_names_in_json() {
    let (status, text) =
        lines(&["--columns", "selector:decoded,ftp.name,gopher.host:lower"], b"gopher://H/7/a%20b\nftp://h/x/y\n");
    assert_eq!((status, text.as_str()), (0, "/a b\t\\N\th\n\\N\ty\t\\N\n"));
}

#[test]
fn csv_quotes_what_rfc_4180_wants_quoted_and_null_is_nothing() {
    let columns = ["--columns", "path:decoded,query,url", "--format", "csv"];
    let (_, text) = lines(&columns, b"http://h/a,b?\nhttp://h/%22%0A\nx\n");
    assert_eq!(text, "\"/a,b\",\"\",\"http://h/a,b?\"\n\"/\"\"\n\",,http://h/%22%0A\n,,x\n");
    let (_, text) = lines(&[&columns[..], &["--header"]].concat(), b"x\n");
    assert_eq!(text, "path:decoded,query,url\n,,x\n");
}

#[test]
fn jsonl_has_an_object_for_each_url() {
    for format in [&["--format", "jsonl"][..], &["--json"]] {
        let (_, text) =
            lines(&[&["--columns", "host,port,valid,url"][..], format].concat(), b"http://h:1/\nhttp://\xE9/\n");
        assert_eq!(
            text,
            "{\"host\":\"h\",\"port\":1,\"valid\":true,\"url\":\"http://h:1/\"}\n\
             {\"host\":null,\"port\":null,\"valid\":false,\"url\":null,\"url_octets\":\"687474703a2f2fe92f\"}\n"
        );
    }
}

#[test]
fn a_template_is_filled_and_texts_that_are_not_urls_are_reported() {
    let tree = Tree::new("template");
    let run =
        tree.feed(&["parse", "--template", "{{{scheme}}}={host}:{port}{query}"], "http://h/\nno url\nftp://g:1/\n");
    assert_eq!((run.status, run.stdout.as_str()), (1, "{http}=h:80\n{ftp}=g:1\n"));
    assert!(run.stderr.starts_with("urlwise: <stdin>:2: no url: error[scheme-missing]"), "{}", run.stderr);
    assert_eq!(run.stderr.lines().count(), 1);
    let run = tree.feed(&["parse", "--template", "{valid} {problem} {host}"], "http://h/\nno url\n");
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("true  h\nfalse scheme-missing \n", ""));
}

#[test]
fn a_text_has_one_first_error_in_columns_and_templates() {
    let tree = Tree::new("first-error");
    // The fragment may be there, its space may not; where the URL is wrong, that comes first.
    for (text, column) in [
        ("http://a.dom/#a b", "bnf-char\t15\t16"),
        ("http://a.dom/x y#a b", "bnf-char\t14\t15"),
        ("#a", "scheme-missing\t0\t0"),
    ] {
        let columns = ["parse", "--columns", "problem,problem:start,problem:end", text];
        assert_eq!(tree.run(&columns).stdout, format!("{column}\n"), "{text}");
        let said = tree.run(&["parse", "--template", "{host}", text]).stderr;
        let [code, start, end] = column.split('\t').collect::<Vec<_>>()[..] else { panic!("{column}") };
        assert!(said.starts_with(&format!("urlwise: {text}: error[{code}] at {start}..{end}:")), "{said}");
    }
}

#[test]
fn a_line_that_is_too_long_is_a_row_of_nulls_and_stops_no_other() {
    let long = format!("data:text/plain,{}", "x".repeat(5_000_000));
    let list = |end: &str| ["http://a.dom/", &long, "http://b.dom/", &long, ""].join(end);
    let tree = Tree::new("too-long").with("list", list("\n")).with("records", list("\0"));
    let columns = ["parse", "--columns", "host,valid,problem,url,agree"];
    let rows = "a.dom\ttrue\t\\N\thttp://a.dom/\ttrue\n\\N\tfalse\turl-length\t\\N\t\\N\n\
                b.dom\ttrue\t\\N\thttp://b.dom/\ttrue\n\\N\tfalse\turl-length\t\\N\t\\N\n";
    for input in [&["-f", "list"][..], &["-0f", "records"], &["-f", "list", "--escaped"], &["-f", "list", "-j", "1"]] {
        let run = tree.run(&[&columns[..], input].concat());
        assert_eq!((run.status, run.stdout.as_str(), run.stderr.as_str()), (1, rows, ""), "{input:?}");
    }
    for (arguments, expected) in [
        (&["--columns", "host,problem", "--format", "csv"][..], "a.dom,\n,url-length\nb.dom,\n,url-length\n"),
        (
            &["--columns", "host,problem", "--json"],
            "{\"host\":\"a.dom\",\"problem\":null}\n{\"host\":null,\"problem\":\"url-length\"}\n\
             {\"host\":\"b.dom\",\"problem\":null}\n{\"host\":null,\"problem\":\"url-length\"}\n",
        ),
        (&["--columns", "host", "--unique"], "a.dom\n\\N\nb.dom\n"),
        (&["--columns", "problem", "--count"], "2\t\\N\n2\turl-length\n"),
        (&["--template", "{host} {problem}"], "a.dom \n url-length\nb.dom \n url-length\n"),
    ] {
        let run = tree.run(&[&["parse", "-f", "list"][..], arguments].concat());
        assert_eq!((run.status, run.stdout.as_str(), run.stderr.as_str()), (1, expected, ""), "{arguments:?}");
    }
    // A template without a column that such a text has.
    let run = tree.run(&["parse", "--template", "{host}", "-f", "list"]);
    assert_eq!((run.status, run.stdout.as_str()), (1, "a.dom\nb.dom\n"));
    let message =
        |line| format!("urlwise: list: line {line} is longer than 4 MiB; is it a list with one URL per line?\n");
    assert_eq!(run.stderr, message(2) + &message(4));
}

#[test]
fn unique_keeps_the_first_of_equal_lines_and_count_counts_them() {
    let list: String = (0..30_000).map(|i| format!("http://host{}.dom/{i}\n", (i * i) % 1000)).collect();
    let tree = Tree::new("unique").with("urls", &list);
    let all = tree.run(&["parse", "--template", "{host}", "-f", "urls", "-j", "1"]).stdout;
    let mut expected: Vec<&str> = Vec::new();
    for line in all.lines().filter(|line| !line.is_empty()) {
        if !expected.contains(&line) {
            expected.push(line);
        }
    }
    assert!(expected.len() > 100);
    for threads in ["1", "3"] {
        let arguments = ["parse", "--columns", "host", "-f", "urls", "-j", threads];
        let unique = tree.run(&[&arguments[..], &["--unique"]].concat());
        assert!(unique.stdout.lines().eq(expected.iter().copied()), "{threads}");
        let counted = tree.run(&[&arguments[..], &["--count"]].concat());
        let mut before = u64::MAX;
        let mut sum = 0;
        for line in counted.stdout.lines() {
            let (count, host) = line.split_once('\t').unwrap();
            let count: u64 = count.parse().unwrap();
            assert_eq!(count, all.lines().filter(|line| *line == host).count() as u64, "{host}");
            assert!(count <= before);
            (before, sum) = (count, sum + count);
        }
        assert_eq!((sum, counted.stdout.lines().count()), (30_000, expected.len()));
    }
}

#[test]
fn counts_stand_where_the_format_has_room_for_them() {
    let input = b"http://h/\nhttp://g/\nhttp://h/a\n";
    for (arguments, expected) in [
        (&["--columns", "host", "--count", "--header"][..], "count\thost\n2\th\n1\tg\n"),
        (&["--columns", "host", "--count", "--header", "--format", "csv"], "count,host\n2,h\n1,g\n"),
        (&["--columns", "host", "--count", "--json"], "{\"count\":2,\"host\":\"h\"}\n{\"count\":1,\"host\":\"g\"}\n"),
        (&["--template", "<{host}>", "--count"], "2\t<h>\n1\t<g>\n"),
    ] {
        assert_eq!(lines(arguments, input).1, expected);
    }
}

#[test]
fn wrong_use_is_refused_with_the_way_out() {
    let tree = Tree::new("columns-usage");
    for (arguments, expected) in [
        (&["--columns", "hots"][..], "unknown column `hots`; did you mean `host`?"),
        (&["--columns", "pth:decoded"], "did you mean `path:decoded`?"),
        (&["--columns", "HOST"], "unknown column `HOST`; did you mean `host`?"),
        (
            &["--columns", "host:upper"],
            "the column `host` has no form `:upper`; the forms of parts are `:lower`, `:decoded`, `:start` and `:end`\n",
        ),
        (&["--template", "{valid:lower}"], "the column `valid` has no form `:lower`; only parts of a URL have forms\n"),
        (&["--columns", "ip"], "it is an object, whose fields are columns: `user`, `host`, `port` ...\n"),
        (&["--columns", "host,port,host", "--json"], "an object cannot have the column `host` twice"),
        (&["--template", "{host"], "write `{{` for a brace"),
        (&["--json", "--template", "{host}"], "use --columns for --json"),
        (&["--unique"], "--columns"),
        (&["--header"], "--columns"),
        (&["--columns", "host", "--template", "{host}"], "cannot be used with"),
        (&["--columns", "host", "--unique", "--count"], "cannot be used with"),
    ] {
        let run = tree.run(&[&["parse", "http://h/"], arguments].concat());
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(run.stderr.contains(expected), "{arguments:?}: {}", run.stderr);
    }
}

/// What a reader of text separated by tabs makes of a value.
fn unescape(value: &[u8]) -> Option<Vec<u8>> {
    if value == b"\\N" {
        return None;
    }
    let mut octets = Vec::new();
    let mut rest = value.iter().copied();
    while let Some(octet) = rest.next() {
        octets.push(match octet {
            b'\\' => match rest.next().unwrap() {
                b'b' => 8,
                b't' => b'\t',
                b'n' => b'\n',
                b'f' => 12,
                b'r' => b'\r',
                b'x' => {
                    let digits = [rest.next().unwrap(), rest.next().unwrap()];
                    u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap()
                }
                b'\\' => b'\\',
                other => panic!("an escape that nobody knows: {other}"),
            },
            octet => octet,
        });
    }
    Some(octets)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn every_octet_comes_back_from_tsv_and_csv(
        texts in prop::collection::vec(prop_oneof![
            prop::collection::vec(1..=255_u8, 0..20),
            "[\\\\,\"\t\r\n\u{7f}-\u{9f}\u{202e}Nx]{0,9}".prop_map(String::into_bytes),
        ], 1..20)
    ) {
        let input: Vec<u8> = texts.iter().flat_map(|text| [text.as_slice(), b"\0"].concat()).collect();
        let (_, tsv) = lines(&["--null", "--columns", "url,valid"], &input);
        prop_assert!(!tsv.chars().any(|c| c != '\n' && c != '\t' && urlwise::is_harmful(c)), "{tsv:?}");
        let read: Vec<_> = tsv.lines().map(|line| unescape(line.split('\t').next().unwrap().as_bytes())).collect();
        prop_assert_eq!(read, texts.iter().cloned().map(Some).collect::<Vec<_>>());
        let column: String = tsv.lines().map(|line| format!("{}\n", line.split('\t').next().unwrap())).collect();
        prop_assert_eq!(&lines(&["--escaped", "--columns", "url,valid"], column.as_bytes()).1, &tsv);

        let tree = Tree::new("columns-csv");
        let tree = tree.with("list", &input);
        let csv = ["parse", "--null", "-f", "list", "--columns", "url", "--format", "csv"];
        let csv = tree.program(&csv).output().unwrap().stdout;
        let mut read = Vec::new();
        let mut rest = csv.as_slice();
        while !rest.is_empty() {
            let mut value = Vec::new();
            if let Some(quoted) = rest.strip_prefix(b"\"") {
                rest = quoted;
                loop {
                    let end = rest.iter().position(|octet| *octet == b'"').unwrap();
                    value.extend_from_slice(&rest[..end]);
                    rest = &rest[end + 1..];
                    match rest.strip_prefix(b"\"") {
                        Some(more) => rest = more,
                        None => break,
                    }
                    value.push(b'"');
                }
            } else {
                let end = rest.iter().position(|octet| *octet == b'\n').unwrap();
                value.extend_from_slice(&rest[..end]);
                rest = &rest[end..];
            }
            rest = rest.strip_prefix(b"\n").unwrap();
            read.push(value);
        }
        prop_assert_eq!(read, texts);
    }
}

#[test]
fn escaped_lines_have_one_line_each_and_null_is_null() {
    let columns = ["--columns", "host,valid,url", "--escaped"];
    let (status, text) = lines(&columns, b"http://h/\n\\N\n\nhttp://127.0.0.1\\\\@g/\nx\\ty\\\\N\n");
    let expected = "h\ttrue\thttp://h/\n\\N\t\\N\t\\N\n\\N\tfalse\t\n\\N\tfalse\thttp://127.0.0.1\\\\@g/\n\\N\tfalse\tx\\ty\\\\N\n";
    assert_eq!((status, text.as_str()), (1, expected));
    assert_eq!(lines(&columns, b"\\N\n"), (0, "\\N\t\\N\t\\N\n".into()));
    assert_eq!(lines(&["--template", "<{host}>", "--escaped"], b"\\N\nhttp://h/\nx\n"), (1, "<>\n<h>\n".into()));
}
