//! `check --fix` and `--diff`: what is rewritten, what never is, and how it ends.

#![allow(clippy::unwrap_used, reason = "a tree that cannot be made must stop the test")]

mod support;

use std::fs;

use serde_json::json;
use support::Tree;

/// A text with a URL that has one reading, one that has several, a valid one, and one with a fragment.
const TEXT: &str = "See http://host.dom/%7e?a[b] and http://a@b@host.dom/x,\r\nftp://host.dom/ok \u{e9}\n\
                    http://host.dom/\u{e9}#sec\n\n<URL:http://host.dom/?c[\n  d]>\n";
const FIXED: &str = "See http://host.dom/%7e?a%5Bb%5D and http://a@b@host.dom/x,\r\nftp://host.dom/ok \u{e9}\n\
                     http://host.dom/%C3%A9#sec\n\n<URL:http://host.dom/?c%5B\n  d%5D>\n";

fn read(tree: &Tree, name: &str) -> String {
    fs::read_to_string(tree.path(name)).unwrap()
}

#[test]
fn only_urls_with_one_reading_are_rewritten_and_a_second_run_changes_nothing() {
    let tree = Tree::new("fix").with("a.md", TEXT).with("sub/good.txt", "http://host.dom/\n");
    let before = fs::metadata(tree.path("sub/good.txt")).unwrap().modified().unwrap();
    let ran = tree.run(&["check", "--fix", "."]);
    assert_eq!(read(&tree, "a.md"), FIXED);
    // What has several readings is left, and is reported.
    assert_eq!(ran.status, 1);
    assert!(ran.stdout.contains("at-twice") && !ran.stdout.contains("bnf-char"), "{}", ran.stdout);
    assert!(ran.stderr.contains("a.md:1:5: rewritten: http://host.dom/%7e?a%5Bb%5D\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains("urlwise: rewrote 3 URLs in 1 file\n"), "{}", ran.stderr);
    assert_eq!(fs::metadata(tree.path("sub/good.txt")).unwrap().modified().unwrap(), before);
    let again = tree.run(&["check", "--fix", "."]);
    assert!(again.stderr.contains("rewrote 0 URLs in 0 files"), "{}", again.stderr);
    assert_eq!((again.status, read(&tree, "a.md").as_str()), (1, FIXED));
    assert_eq!(fs::read_dir(tree.path(".")).unwrap().count(), 3, "nothing is left beside the file");
}

#[test]
fn a_diff_is_one_that_patch_applies_and_changes_nothing() {
    let text = "1\n2\n3\n4\nhttp://host.dom/?a[b]\n6\n7\n8\n9\n10\n11\n12\n13\nhttp://host.dom/%zz";
    let tree = Tree::new("diff").with("a.md", text);
    let ran = tree.run(&["check", "--diff", "a.md"]);
    let expected = "--- a/a.md\n+++ b/a.md\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-http://host.dom/?a[b]\n+http://host.dom/?a%5Bb%5D\n 6\n 7\n 8\n";
    assert_eq!((ran.status, ran.stdout.as_str()), (1, expected));
    assert_eq!(ran.stderr, "urlwise: would rewrite 1 URL in 1 file\n");
    assert_eq!(read(&tree, "a.md"), text);
    // `--diff` wins over `--fix`.
    assert_eq!(tree.run(&["check", "--fix", "--diff", "a.md"]).stdout, expected);
    assert_eq!(read(&tree, "a.md"), text);
    let good = tree.run(&["check", "--diff", "--ignore", "bnf-char", "a.md"]);
    assert_eq!((good.status, good.stdout.as_str()), (0, ""));
}

#[cfg(unix)]
#[test]
fn a_diff_can_be_applied_whatever_the_names_are() {
    use std::io::Write;
    use std::process::{Command, Stdio};

    let names = ["a b.txt", "blank ", "q\"\\.txt", "l\ni\tne\r.txt", "caf\u{e9}/x", "\u{202e}.txt", "x"];
    let (text, fixed) = ("a\nhttp://h.dom/\u{e9}\n", "a\nhttp://h.dom/%C3%A9\n");
    // One file is outside of the current folder, one is named by its whole path.
    let other = Tree::new("diff-names-other").with("o.txt", text);
    for tool in [&["git", "apply"][..], &["patch", "-s", "-p1"]] {
        let mut tree = Tree::new("diff-names");
        for name in names {
            tree = tree.with(name, text);
        }
        let whole = tree.path("x");
        let mut arguments = vec!["check", "--diff", whole.to_str().unwrap()];
        arguments.extend(&names[..names.len() - 1]);
        let diff = tree.run(&arguments).stdout;
        assert_eq!(diff.matches("\n+++ ").count() + 1, names.len() + 1, "{diff}");
        let mut program =
            Command::new(tool[0]).args(&tool[1..]).current_dir(tree.path("")).stdin(Stdio::piped()).spawn().unwrap();
        program.stdin.take().unwrap().write_all(diff.as_bytes()).unwrap();
        assert!(program.wait().unwrap().success(), "{tool:?} {diff}");
        for name in names {
            assert_eq!(read(&tree, name), fixed, "{tool:?} {name:?}");
        }
        let outside = tree.run(&["check", "--diff", other.path("o.txt").to_str().unwrap()]);
        let real = fs::canonicalize(other.path("o.txt")).unwrap();
        assert!(outside.stdout.starts_with(&format!("--- a{}\n+++ b{0}\n", real.display())), "{}", outside.stdout);
    }
}

#[test]
fn a_missing_line_end_is_kept_and_shown() {
    let tree = Tree::new("diff-end").with("a", "http://host.dom/?a[b]c");
    let ran = tree.run(&["check", "--diff", "a"]);
    let end = "-http://host.dom/?a[b]c\n\\ No newline at end of file\n+http://host.dom/?a%5Bb%5Dc\n\\ No newline at end of file\n";
    assert!(ran.stdout.ends_with(end), "{}", ran.stdout);
    tree.run(&["check", "--fix", "a"]);
    assert_eq!(read(&tree, "a"), "http://host.dom/?a%5Bb%5Dc");
}

#[test]
fn passwords_are_masked_in_what_is_shown_and_kept_in_what_is_written() {
    let tree = Tree::new("fix-secret").with("a", "ftp://jim:s3cret@host.dom/?a[b]\n");
    let diff = tree.run(&["check", "--diff", "a"]);
    assert!(
        !diff.stdout.contains("s3cret") && diff.stdout.contains("+ftp://jim:***@host.dom/?a%5Bb%5D"),
        "{}",
        diff.stdout
    );
    let open = tree.run(&["check", "--diff", "--show-secrets", "a"]);
    assert!(open.stdout.contains("+ftp://jim:s3cret@host.dom/?a%5Bb%5D\n"), "{}", open.stdout);
    let fix = tree.run(&["check", "--fix", "a"]);
    assert!(!fix.stderr.contains("s3cret") && !fix.stdout.contains("s3cret"), "{fix:?}");
    assert_eq!(read(&tree, "a"), "ftp://jim:s3cret@host.dom/?a%5Bb%5D\n");
}

#[test]
fn json_says_what_was_rewritten_and_what_is_left() {
    let tree = Tree::new("fix-json").with("a", "x http://host.dom/?a[b]\nhttp://host.dom/%zz\n");
    let object = |written: bool| {
        json!({ "path": "a", "line": 1, "column": 3, "was": "http://host.dom/?a[b]", "now": "http://host.dom/?a%5Bb%5D",
                "written": written })
    };
    assert_eq!(tree.run(&["check", "--diff", "--json", "a"]).json(), [object(false)]);
    let lines = tree.run(&["check", "--fix", "--json", "a"]).json();
    assert_eq!(lines[0], object(true));
    assert_eq!((lines.len(), &lines[1]["code"]), (2, &json!("bnf-escape")));
}

#[test]
fn lists_are_rewritten_line_by_line() {
    let tree = Tree::new("fix-list").with("list", "http://host.dom/a b\r\n\r\n  news:a.b\nnews:a b\n");
    let ran = tree.run(&["check", "--fix", "--file", "list"]);
    assert_eq!(read(&tree, "list"), "http://host.dom/a%20b\r\n\r\nnews:a.b\nnews:a b\n");
    assert_eq!(ran.status, 1);
}

#[test]
fn a_byte_order_mark_before_a_list_stays() {
    let tree =
        Tree::new("fix-mark").with("list", "\u{feff}http://h.dom/\n").with("wrong", "\u{feff}http://h.dom/a b\n");
    assert!(tree.run(&["check", "--fix", "--file", "list"]).stderr.contains("rewrote 0 URLs"));
    assert_eq!(read(&tree, "list"), "\u{feff}http://h.dom/\n");
    tree.run(&["check", "--fix", "--file", "wrong"]);
    assert_eq!(read(&tree, "wrong"), "\u{feff}http://h.dom/a%20b\n");
}

#[test]
fn a_file_that_is_named_twice_is_rewritten_and_counted_once() {
    for threads in ["1", "4"] {
        for paths in [&["z.txt", "."][..], &[".", "sub", "./z.txt", "z.txt"], &["sub/../z.txt", "sub", "."]] {
            let text = "http://h.dom/\u{e9}\n";
            let tree = Tree::new("fix-twice").with("z.txt", text).with("sub/y.txt", text);
            let ran = tree.run(&[&["check", "--fix", "-j", threads], paths].concat());
            assert_eq!(ran.status, 0, "{}", ran.stderr);
            assert!(ran.stderr.contains("urlwise: rewrote 2 URLs in 2 files\n"), "{}", ran.stderr);
            assert!(ran.stderr.contains("urlwise: nothing to report in 2 URLs of 2 files\n"), "{}", ran.stderr);
        }
    }
}

#[test]
fn files_that_are_being_written_are_not_read() {
    let mut tree = Tree::new("fix-beside");
    for number in 0..200 {
        tree = tree.with(format!("{number}"), "http://h.dom/\u{e9}\n");
    }
    let ran = tree.run(&["check", "--fix", "--hidden", "-j", "8", "."]);
    assert!(ran.stderr.contains("urlwise: rewrote 200 URLs in 200 files\n"), "{}", ran.stderr);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
}

/// A text as programs of Windows store it.
fn utf_16(text: &str) -> Vec<u8> {
    format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect()
}

#[test]
fn a_text_in_utf_16_is_not_rewritten_and_a_message_says_so() {
    let stored = utf_16("<http://h.dom/\u{e9}> x\n");
    let tree = Tree::new("fix-utf-16").with("u.txt", &stored).with("good.txt", utf_16("http://h.dom/\n"));
    for option in ["--fix", "--diff"] {
        let ran = tree.run(&["check", option, "."]);
        assert_eq!(ran.status, 2);
        assert!(ran.stderr.contains("u.txt: not rewritten: compressed or in UTF-16\n"), "{}", ran.stderr);
        assert!(!ran.stderr.contains("good.txt") && !ran.stdout.contains("+++"), "{}{}", ran.stdout, ran.stderr);
        assert_eq!(fs::read(tree.path("u.txt")).unwrap(), stored);
    }
}

#[test]
fn what_is_not_certain_stays() {
    // A hyphen at a line end, a URL that would end elsewhere once it is rewritten, and empty lines of a list.
    let text = "<URL:http://host.dom/?a[-\nb]>\n";
    let tree = Tree::new("fix-certain").with("a", text).with("list", "\n\nhttp://host.dom/ok\n\n");
    assert!(tree.run(&["check", "--fix", "a"]).stderr.contains("rewrote 0 URLs"));
    assert_eq!(read(&tree, "a"), text);
    assert!(tree.run(&["check", "--fix", "--file", "list"]).stderr.contains("rewrote 0 URLs"));
    assert_eq!(read(&tree, "list"), "\n\nhttp://host.dom/ok\n\n");
}

#[test]
fn relative_links_are_not_rewritten() {
    let tree = Tree::new("fix-relative").with("a.html", "<a href=\"a[b]\">http://host.dom/?a[b]</a>\n");
    tree.run(&["check", "--fix", "--profile", "rfc1738", "a.html"]);
    assert_eq!(read(&tree, "a.html"), "<a href=\"a[b]\">http://host.dom/?a%5Bb%5D</a>\n");
}

#[test]
fn what_cannot_be_rewritten_is_an_error_of_usage() {
    let tree = Tree::new("fix-usage");
    for (arguments, message) in [
        (&["check", "--fix", "http://host.dom/a b"][..], "nothing to rewrite"),
        (&["check", "--fix", "-"], "standard input cannot be rewritten"),
        (&["check", "--diff", "--file", "-"], "standard input cannot be rewritten"),
    ] {
        let ran = tree.run(arguments);
        assert_eq!(ran.status, 2, "{arguments:?}");
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
    }
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    use super::*;

    const BROKEN: &str = "http://host.dom/?a[b]c\n";
    const MENDED: &str = "http://host.dom/?a%5Bb%5Dc\n";

    #[test]
    fn the_mode_is_kept() {
        let tree = Tree::new("fix-mode").with("a", BROKEN);
        fs::set_permissions(tree.path("a"), fs::Permissions::from_mode(0o750)).unwrap();
        assert_eq!(tree.run(&["check", "--fix", "a"]).status, 0);
        assert_eq!((read(&tree, "a").as_str(), fs::metadata(tree.path("a")).unwrap().mode() & 0o7777), (MENDED, 0o750));
    }

    #[test]
    fn another_name_of_the_file_keeps_its_content() {
        let tree = Tree::new("fix-links").with("a", BROKEN);
        fs::hard_link(tree.path("a"), tree.path("b")).unwrap();
        tree.run(&["check", "--fix", "a"]);
        assert_eq!((read(&tree, "a").as_str(), read(&tree, "b").as_str()), (MENDED, BROKEN));
    }

    #[test]
    fn a_link_is_not_rewritten_wherever_it_leads_and_a_file_of_a_linked_folder_is_if_it_is_below_the_current_one() {
        let tree = Tree::new("fix-link-inside").with("real/a", BROKEN);
        symlink("real/a", tree.path("link")).unwrap();
        symlink("real", tree.path("folder")).unwrap();
        let ran = tree.run(&["check", "--fix", "link"]);
        assert!(ran.status == 2 && ran.stderr.contains("not rewritten"), "{}", ran.stderr);
        assert_eq!(read(&tree, "real/a"), BROKEN);
        assert_eq!(tree.run(&["check", "--fix", "folder/a"]).status, 0);
        assert_eq!(read(&tree, "real/a"), MENDED);
    }

    #[test]
    fn nothing_outside_is_rewritten_through_symbolic_links() {
        let outside = Tree::new("fix-outside").with("a", BROKEN).with("sub/b", BROKEN);
        let tree = Tree::new("fix-inside").with("c", BROKEN);
        symlink(outside.path("a"), tree.path("link")).unwrap();
        symlink(outside.path("sub"), tree.path("folder")).unwrap();
        for arguments in
            [&["check", "--fix", "link"][..], &["check", "--fix", "folder"], &["check", "--fix", "--file", "link"]]
        {
            let ran = tree.run(arguments);
            assert_eq!(ran.status, 2, "{arguments:?}");
            assert!(ran.stderr.contains("not rewritten"), "{}", ran.stderr);
        }
        // A folder is walked without following links.
        assert_eq!(tree.run(&["check", "--fix", "."]).status, 0);
        assert_eq!((read(&outside, "a").as_str(), read(&outside, "sub/b").as_str()), (BROKEN, BROKEN));
        assert_eq!(read(&tree, "c"), MENDED);
        assert!(fs::symlink_metadata(tree.path("link")).unwrap().is_symlink());
    }

    #[test]
    fn binary_files_and_devices_are_left_alone() {
        let tree = Tree::new("fix-binary").with("a", [BROKEN.as_bytes(), b"\0"].concat());
        let ran = tree.run(&["check", "--fix", "a"]);
        assert!(ran.status == 2 && ran.stderr.contains("a: not rewritten: a binary file"), "{}", ran.stderr);
        let null = tree.run(&["check", "--fix", "/dev/null"]);
        assert!(null.status == 2 && null.stderr.contains("not a regular file"), "{}", null.stderr);
    }
}
