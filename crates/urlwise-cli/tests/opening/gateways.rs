//! Schemes opened through gateways.

use crate::support::*;

fn gateway() -> Server {
    Server::new(|_, head, stream| {
        use std::io::Write as _;
        let asked = head.split(' ').nth(1).unwrap_or_default();
        let _ = write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{asked}", asked.len());
    })
}

#[test]
fn get_opens_a_scheme_through_a_gateway_and_says_so() {
    let server = gateway();
    let template = format!("wais={}", server.url("/{host}:{port}/{database}?{search}"));
    let output = urlwise(&["get", "--gateway", &template, "wais://h.example/jobs?chief%20cook"]);
    assert_eq!((code(&output), text(&output.stdout).as_str()), (0, "/h.example:210/jobs?chief%20cook"));
    assert!(text(&output.stderr).contains("note[gateway]: "), "{}", text(&output.stderr));

    let output = urlwise(&["get", "--json", "--gateway", &template, "wais://h.example/jobs?a"]);
    let line = text(&output.stderr).lines().find(|line| line.starts_with('{')).unwrap().to_owned();
    let object: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(object["url"], "wais://h.example/jobs?a");
    assert_eq!(object["final_url"], server.url("/h.example:210/jobs?a"));
}

#[test]
fn ls_lists_through_a_gateway() {
    let folder = Folder::new();
    folder.file("a.txt", "x");
    let template = format!("x-notes={}/{{+schemepart}}", file_url(&folder.0));
    let output = urlwise(&["ls", "--gateway", &template, "x-notes:"]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("a.txt  <URL:file://"), "{}", text(&output.stdout));
}

#[test]
fn the_policy_sees_the_url_and_that_of_the_gateway() {
    for (template, url, rule) in [
        ("wais=http://h.example:25/?{url}", "wais://h.example/d", "port-foreign"),
        ("wais=http://h.example/?{url}", "wais://h.example:25/d", "port-foreign"),
        ("x-y=file:///etc/{schemepart}", "x-y:a/b", "file-escape"),
    ] {
        for arguments in [&["get"][..], &["get", "--dry-run"], &["ls"]] {
            let output = urlwise(&[arguments, &["--gateway", template, url]].concat());
            let shown = text(&output.stderr);
            assert!(
                code(&output) != 0 && output.stdout.is_empty() && shown.contains(rule),
                "{template} {url}: {shown}"
            );
        }
    }
}

#[test]
fn explain_shows_the_gateway() {
    let folder = Folder::new();
    folder.file(
        "mine.toml",
        "[gateway]\nwais = \"http://gateway.example/wais?{url}\"\nnews = \"http://g.example:25/{group}\"\n",
    );
    let shown = text(&folder.urlwise(["--settings", "mine.toml", "wais://h.example/d"]).stdout);
    assert!(shown.contains("gateway   http://gateway.example/wais?wais%3A%2F%2Fh.example%2Fd\n"), "{shown}");
    assert!(shown.contains("connect   gateway.example port 80\n"), "{shown}");
    let shown = text(&folder.urlwise(["--settings", "mine.toml", "news:comp.lang.c"]).stdout);
    assert!(
        shown.contains("gateway   http://g.example:25/comp.lang.c\n") && shown.contains("`port-foreign`"),
        "{shown}"
    );
}

#[test]
fn a_gateway_that_makes_no_sense_says_why() {
    for (text_of, why) in [
        ("wais", "has no `=`"),
        ("wais=http://g.example/{user}", "a login is only for the host of the URL"),
        ("wais=http://u:s3cret@g.example/{oops}", "`{oops}` is not a variable"),
    ] {
        let output = urlwise(&["get", "--dry-run", "--gateway", text_of, "wais://h.example/d"]);
        let shown = text(&output.stderr);
        assert!(code(&output) == 2 && shown.contains("--gateway: ") && shown.contains(why), "{text_of}: {shown}");
        assert!(!shown.contains("s3cret"), "{shown}");
    }
}
