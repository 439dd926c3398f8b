//! Client security 14: passwords are in nothing that a run leaves.

use std::net::TcpListener;

use crate::support::*;

#[test]
fn no_password_is_shown_by_any_way_of_opening() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let urls = [
        format!("http://jim:qqMARKqq@127.0.0.1:{closed}/"),
        "ftp://jim:qqMARKqq@host.dom/".into(),
        "ftp://jim:qqMARKqq@x@host.dom/".into(),
        "telnet://jim:qqMARKqq@host.dom:25/".into(),
        "x-new://jim:qqMARKqq@host.dom/".into(),
    ];
    for url in &urls {
        for command in [&["get"][..], &["get", "--json"], &["get", "--dry-run"], &["ls"], &["ls", "--json"]] {
            let output = urlwise(&[command, &[url]].concat());
            assert_ne!(code(&output), 101);
            let shown = text(&output.stdout) + &text(&output.stderr);
            assert!(!shown.contains("MARK"), "{command:?} {url}: {shown}");
        }
    }
}
