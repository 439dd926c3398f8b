//! Options whose values make no sense are refused before anything is done, with the reason and the way out.

#![allow(clippy::unwrap_used, reason = "a program that cannot be run must stop the test")]

mod support;

use support::{Ran, Tree};

/// What each command says, and with which code it ends.
#[track_caller]
fn refused(tree: &Tree, cases: &[(&[&str], i32, &str)]) {
    for (arguments, status, says) in cases {
        let ran = tree.run(arguments);
        assert_eq!((ran.status, &*ran.stdout), (*status, ""), "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(says), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn values_that_make_no_sense_are_refused_with_the_rule() {
    let tree = Tree::new("senseless").with("r.md", "[x](/a)\n");
    refused(
        &tree,
        &[
            (&["guard", "--allow-scheme", "x y", "http://a/"], 2, "a scheme has letters, digits"),
            (&["get", "-r", "--host", "http://x", "http://h.invalid/"], 2, "a host stands alone"),
            (&["parse", "-j", "99999", "http://a/"], 2, "99999 is not in 0..=512"),
            (&["check", "-j", "99999", "http://a/"], 2, "99999 is not in 0..=512"),
            (&["check", "--open", "--offline", "--root-dir", "nosuch", "r.md"], 2, "nosuch: it is not a directory"),
            (&["check", "--root-dir", "r.md", "r.md"], 2, "--root-dir: cannot use r.md: it is not a directory"),
            (&["vectors", "--trusted", "a.example"], 2, "the first with at least two characters"),
            (
                &["vectors", "--trusted", "ab.example", "--hostile", "AB.example"],
                2,
                "--hostile: it is the host of --trusted",
            ),
        ],
    );
    for host in ["www.host.example", "h", "127.0.0.1", "[::1]"] {
        let ran = tree.run(&["get", "-r", "--dry-run", "--host", host, "http://h.example/"]);
        assert_eq!(ran.status, 0, "{host}: {}", ran.stderr);
    }
}

#[test]
fn a_part_that_no_url_has_is_refused_before_anything_is_built() {
    let tree = Tree::new("parts");
    refused(
        &tree,
        &[
            (&["build", "--hex", "nosuch", "http", "host=a"], 2, "--hex: http URLs have no part `nosuch`"),
            (&["build", "--remove", "nosuch", "http://a/"], 2, "--remove: no scheme has a part `nosuch`"),
            (&["build", "--set", "nosuch=x", "http://a/"], 2, "--set: no scheme has a part `nosuch`"),
            (&["build", "--set", "port=70", "--hex", "nosuch", "http://a/"], 2, "--hex: no scheme has a part `nosuch`"),
            // Another scheme has it.
            (
                &["build", "--remove", "typecode", "http://a/"],
                1,
                "http URLs have no part `typecode`; known parts: host, port, path,",
            ),
        ],
    );
    assert_eq!(tree.run(&["build", "--hex", "path", "http", "host=a", "path=62"]).stdout, "http://a/b\n");
    assert_eq!(tree.run(&["build", "--remove", "path", "http://a/b/c"]).stdout, "http://a\n");
}

#[test]
fn options_for_access_are_judged_before_anything_is_opened() {
    let tree = Tree::new("access").with("netrc", "machine").with("folder/x", "");
    let from = ["get", "--send", "--from", "a@b.dom", "--yes", "--sendmail=nosuch", "mailto:a@b.dom"];
    refused(
        &tree,
        &[
            (&["get", "--cacert", "nosuch", "http://h.invalid/"], 2, "--cacert: cannot read nosuch: No such file"),
            (&["get", "--cacert", "folder", "http://h.invalid/"], 2, "--cacert: cannot read folder: it is a directory"),
            (&["get", "--anonymous", "a\r\nb", "--dry-run", "ftp://host.dom/x"], 2, "--anonymous: a control character"),
            (&["get", "--netrc-file", "folder", "http://h.invalid/"], 2, "cannot read folder: it is a directory"),
            (&from, 2, "--sendmail: program not found: nosuch; name one"),
            (&["get", "--public-only", "http://127.0.0.1:8999/"], 4, "leave out `--public-only`"),
        ],
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let private = std::fs::Permissions::from_mode(0o600);
        std::fs::set_permissions(tree.path("netrc"), private).unwrap();
        let missing = "netrc: syntax error in line 1: a value is missing after `machine`";
        refused(&tree, &[(&["get", "--netrc-file", "netrc", "http://h.invalid/"], 2, missing)]);
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_a_result_that_cannot_be_written() {
    let tree = Tree::new("unmade").with("file", "x");
    for folder in ["file", "file/below"] {
        let ran = tree.run(&["get", "-O", "--output-dir", folder, "file:///etc/hostname"]);
        let said = format!("urlwise: --output-dir: cannot create the directory {folder}: it is not a directory\n");
        assert_eq!((ran.status, ran.stderr), (14, said));
    }
}

#[test]
fn a_variable_of_the_environment_that_is_wrong_is_named() {
    let tree = Tree::new("variables");
    for (variable, value, url, says) in [
        ("http_proxy", "::", "http://127.0.0.1:8999/", "http_proxy: cannot use the proxy"),
        ("ALL_PROXY", "socks5://p.invalid", "https://127.0.0.1:8999/", "ALL_PROXY: cannot use the proxy"),
        ("NNTPSERVER", "a b", "news:x.y", "NNTPSERVER: \"a b\" is not a valid news server"),
    ] {
        let ran = Ran::from(tree.program(&["get", url]).env(variable, value).output().unwrap());
        assert_eq!(ran.status, 2, "{variable}: {}", ran.stderr);
        assert!(ran.stderr.contains(says), "{}", ran.stderr);
    }
}

#[test]
fn a_number_of_the_books_is_explained_by_explain() {
    let tree = Tree::new("numbers");
    refused(
        &tree,
        &[
            (&["check", "--explain", "D-31"], 2, "run `urlwise explain D-31` to read it"),
            (&["explain", &["D", "999"].join("-")], 2, "there are `D-01` to `D-"),
        ],
    );
}

#[test]
fn a_tip_for_what_begins_with_a_dash_names_all_of_it_or_there_is_none() {
    let tree = Tree::new("dashes");
    let tip = |arguments: &[&str]| {
        let ran = tree.run(arguments);
        assert_eq!(ran.status, 2, "{arguments:?}");
        ran.stderr.lines().find(|line| line.contains("tip:")).map(|line| line.trim().to_owned())
    };
    assert_eq!(tip(&["find", "-odd.txt"]).as_deref(), Some("tip: to pass '-odd.txt' as a value, use '-- -odd.txt'"));
    assert_eq!(tip(&["get", "-r", "--depth", "-1", "http://h.invalid/"]), None);
    assert_eq!(tip(&["get", "-O=x", "http://h.invalid/"]), None);
    assert_eq!(
        tip(&["get", "--outptu", "x", "http://h.invalid/"]).as_deref(),
        Some("tip: a similar argument exists: '--output'")
    );
}
