//! Time, number and memory, and browsers that go away.

use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::browser::{Browser, connect, encoded, hear, local};
use super::hosts::Host;

/// A menu that never ends, an entry now and then, and whether the gateway has gone.
fn endless() -> (Host, Arc<AtomicBool>) {
    let gone = Arc::new(AtomicBool::new(false));
    let log = Arc::clone(&gone);
    let host = Host::new(move |mut reader, heard| {
        heard("asked".into());
        while reader.get_mut().write_all(b"0An entry\t/a\th.example\t70\r\n").is_ok() {
            thread::sleep(Duration::from_millis(20));
        }
        log.store(true, Ordering::SeqCst);
    });
    (host, gone)
}

fn eventually(what: &str, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(10), "{what}");
        thread::sleep(Duration::from_millis(20));
    }
}

fn head(browser: &Browser, url: &str) -> String {
    let (port, cookie, url) = (browser.port, &browser.cookie, encoded(url));
    format!("GET /open?url={url} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n\r\n")
}

#[test]
fn security_70_a_browser_that_closes_ends_the_dialogue() {
    let (host, gone) = endless();
    let browser = Browser::new(local());
    let mut stream = connect(browser.port);
    stream.write_all(head(&browser, &host.url("gopher", "")).as_bytes()).unwrap();
    let mut some = [0; 4096];
    assert!(stream.read(&mut some).unwrap() > 0, "entries are shown as they arrive");
    drop(stream);
    eventually("the dialogue goes on", || gone.load(Ordering::SeqCst));
}

#[test]
fn security_70_a_browser_that_closes_before_anything_came_ends_the_waiting() {
    let gone = Arc::new(AtomicBool::new(false));
    let log = Arc::clone(&gone);
    // It accepts and never speaks.
    let host = Host::new(move |mut reader, heard| {
        heard("asked".into());
        let mut rest = Vec::new();
        let _ = reader.read_to_end(&mut rest);
        log.store(true, Ordering::SeqCst);
    });
    let browser = Browser::new(local());
    let mut stream = connect(browser.port);
    stream.write_all(head(&browser, &host.url("gopher", "")).as_bytes()).unwrap();
    eventually("nothing was asked", || host.connections() == 1);
    drop(stream);
    eventually("the waiting goes on", || gone.load(Ordering::SeqCst));
}

#[test]
fn security_61_more_pages_than_may_be_made_are_told_to_come_back() {
    let (host, _) = endless();
    let mut options = local();
    options.pages = 2;
    let browser = Browser::new(options);
    let request = head(&browser, &host.url("gopher", ""));
    let mut streams = Vec::new();
    // The request that opened the session may still have its place.
    while host.connections() < 2 {
        let mut stream = connect(browser.port);
        let _ = stream.write_all(request.as_bytes());
        let mut begin = [0; 12];
        if stream.read_exact(&mut begin).is_ok() && begin.ends_with(b"200") {
            streams.push(stream);
        }
    }
    let answer = hear(&mut connect(browser.port));
    assert_eq!(answer.status, 503);
    drop(streams);
    eventually("no page is made any more", || browser.get("/").status == 200);
}

#[test]
fn security_61_a_text_without_an_end_is_cut_and_says_so() {
    let octets = Arc::new(AtomicUsize::new(0));
    let sent = Arc::clone(&octets);
    let host = Host::new(move |mut reader, _| {
        let line = [b'a'; 8192];
        while reader.get_mut().write_all(&line).is_ok() {
            sent.fetch_add(line.len(), Ordering::SeqCst);
        }
    });
    let answer = Browser::new(local()).open(&host.url("gopher", "0/long"));
    assert!(answer.is_whole && answer.body.len() < 4 << 20, "{}", answer.body.len());
    assert!(answer.text().contains("are shown"), "it does not say that there is more");
}

#[test]
fn security_61_a_menu_of_more_than_100_000_entries_is_cut_and_says_so() {
    let menu =
        |count: usize| Browser::new(local()).open(&Host::gopher("0e\t/e\th\t70\r\n".repeat(count)).url("gopher", ""));
    let (whole, cut) = (menu(100_000).text(), menu(100_001).text());
    for (page, said) in [(&whole, "100000 entries.</p>"), (&cut, "100000 entries. There are more")] {
        assert_eq!(page.matches("<tr><td class=\"kind").count(), 100_000);
        assert!(page.contains(said), "{}", &page[page.len() - 1000..]);
    }
}

#[test]
fn security_61_an_article_that_is_too_long_to_be_held_is_offered_as_a_download() {
    let article = |size: usize| {
        let lines = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcd\r\n".repeat(size / 64);
        let host = Host::lines(vec![
            ("", b"200 hello\r\n".to_vec()),
            ("CAPABILITIES", b"101 these\r\nVERSION 2\r\nREADER\r\n.\r\n".to_vec()),
            ("GROUP", b"211 1 1 1 g.x\r\n".to_vec()),
            ("ARTICLE", format!("220 1 <a@h>\r\nSubject: Long\r\n\r\n{lines}.\r\n").into_bytes()),
        ]);
        Browser::new(local()).open(&host.url("nntp", "g.x/1")).text()
    };
    assert!(article(1 << 16).contains("abcdef"));
    let page = article(5 << 20);
    assert!(!page.contains("abcdef") && page.contains("href=\"/save?url=nntp"), "{}", page.len());
}

#[test]
fn security_66_a_download_that_breaks_off_is_seen_to_break_off() {
    let browser = Browser::new(local());
    let save = |body: &str| {
        let host = Host::http(format!("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n{body}"));
        browser.get(&format!("/save?url={}", encoded(&host.url("http", "a.bin"))))
    };
    let answer = save("only this");
    assert!(answer.status == 502 && answer.text().contains("partial"), "{}", answer.text());
    let answer = save(&"x".repeat(50_000));
    assert!(answer.status == 200 && !answer.is_whole && answer.body.len() > 30_000, "{}", answer.body.len());
}

#[test]
fn security_70_an_idle_gateway_ends() {
    let mut options = local();
    options.idle = Some(Duration::from_millis(300));
    let gateway = urlwise_serve::Gateway::bind(options).unwrap();
    let start = Instant::now();
    gateway.run().unwrap();
    assert!((Duration::from_millis(300)..Duration::from_secs(10)).contains(&start.elapsed()));
}

#[test]
fn security_70_nothing_is_kept_by_the_browser() {
    let host = Host::gopher("iHello\t\t\t0\r\n.\r\n");
    let browser = Browser::new(local());
    for path in [format!("/open?url={}", encoded(&host.url("gopher", ""))), "/".into(), "/nothing".into()] {
        assert_eq!(browser.get(&path).field("Cache-Control"), "no-store", "{path}");
    }
}
