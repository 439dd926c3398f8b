//! Going back, and threads of articles: what is shown again comes from memory, for the session alone.

use super::browser::{Browser, encoded, local, say};
use super::hosts::Host;

const SAME: &str = "Sec-Fetch-Site: same-origin\r\nSec-Fetch-Dest: document\r\n";

#[test]
fn security_70_going_back_asks_no_server_and_loading_again_does() {
    let host = Host::gopher("0One\t/1\th\t70\r\n.\r\n");
    let browser = Browser::new(local());
    let path = ["/open?url=", &encoded(&host.url("gopher", ""))].concat();
    let first = browser.get(&path);
    assert_eq!((first.status, host.connections()), (200, 1));
    let second = browser.get(&path);
    assert_eq!((second.status, second.text(), host.connections()), (200, first.text(), 1));
    assert_eq!(second.field("Content-Security-Policy"), first.field("Content-Security-Policy"));
    assert_eq!(second.field("Cache-Control"), "no-store", "nothing is stored by the browser");
    assert!(first.text().contains("&amp;again=yes\">Reload from the server"), "{}", first.text());
    for (again, connections) in [(format!("{path}&again=yes"), 2), (path.clone(), 2)] {
        assert_eq!((browser.get(&again).status, host.connections()), (200, connections));
    }
    for field in ["Cache-Control: max-age=0\r\n", "Cache-Control: no-cache\r\n"] {
        browser.get_with(&path, &[SAME, field].concat());
    }
    assert_eq!(host.connections(), 4, "the browser reloads");
    // Who has no session gets nothing of it.
    let head = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{SAME}\r\n", browser.port);
    let stranger = say(browser.port, head);
    assert_eq!(stranger.status, 403);
    assert!(!stranger.text().contains("One"), "{}", stranger.text());
}

#[test]
fn security_70_what_failed_is_asked_for_again() {
    let browser = Browser::new(local());
    let host = Host::gopher("0One\t/1\th\t70\r\n0Broken");
    let url = host.url("gopher", "");
    let status = browser.open(&url).status;
    let before = host.connections();
    assert_eq!(browser.open(&url).status, status);
    assert_eq!(host.connections(), before + 1, "a menu that broke off");
    let broken = Host::lines(vec![("", b"400 no\r\n".to_vec())]);
    let url = broken.url("nntp", "g.x");
    assert_ne!(browser.open(&url).status, 200);
    let asked = broken.connections();
    assert_ne!(browser.open(&url).status, 200);
    assert!(broken.connections() > asked && before > 0);
}

#[test]
fn articles_of_a_group_are_shown_by_thread() {
    let line = |number: u32, subject: &str, id: &str, references: &str| {
        format!("{number}\t{subject}\tjoe@h\tSat, 21 Nov 2026 07:00:00 +0000\t<{id}>\t{references}\t430\t1\r\n")
    };
    let rows = [
        line(1, "Maps", "a@h", ""),
        line(2, "Menus", "b@h", ""),
        line(3, "Re: =?iso-8859-1?q?M=E4ps?=", "c@h", "<a@h>"),
        line(4, "Re: Re: Maps", "d@h", "<a@h> <c@h>"),
    ];
    let overview = format!("224 these\r\n{}.\r\n", rows.concat());
    let host = Host::lines(vec![
        ("", b"200 hello\r\n".to_vec()),
        ("CAPABILITIES", b"101 these\r\nVERSION 2\r\nREADER\r\nOVER\r\n.\r\n".to_vec()),
        ("GROUP", b"211 4 1 4 g.x\r\n".to_vec()),
        ("OVER", overview.into_bytes()),
    ]);
    let page = Browser::new(local()).open(&host.url("nntp", "g.x")).text();
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text} in {page}"));
    assert!(at(">Maps</a>") < at(">Re: M\u{e4}ps</a>") && at(">Re: M\u{e4}ps</a>") < at(">Re: Re: Maps</a>"));
    assert!(at(">Re: Re: Maps</a>") < at(">Menus</a>"), "{page}");
    assert!(page.contains("class=\"name answer depth-1\"") && page.contains("Answer, level 2: "), "{page}");
    assert_eq!(page.matches("depth-").count(), 2, "{page}");
}
