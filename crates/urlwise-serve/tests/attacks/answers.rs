//! Answers to forms: they are kept in memory, for one session, and are shown and saved by the rules of all documents.

use std::io::{BufRead, Write};

use super::browser::{Answer, Browser, encoded, local, say, split};
use super::hosts::Host;

const FORM: &str = "+-1\r\n+INFO: 0x\t/x\t127.0.0.1\t70\t?\r\n+ASK:\r\n Note: Hello\r\n Ask: Name:\r\n AskP: Password:\r\n AskL: Text:\r\n \
                    ChooseF: File:\r\n.\r\n";
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n<script>alert(1)</script>";
const EVIL: &str = "<script>alert('x')</script>\u{1b}[2J\u{202e}";

/// A server with a form, which answers it with these octets and hears `sent` each time.
fn host(answer: impl Into<Vec<u8>>) -> Host {
    let answer = answer.into();
    Host::new(move |mut reader, log| {
        let mut line = String::new();
        let _ = reader.read_line(&mut line);
        if !line.ends_with("\t1\r\n") {
            let _ = reader.get_mut().write_all(FORM.as_bytes());
            return;
        }
        log("sent".into());
        while reader.read_line(&mut line).is_ok_and(|count| count > 0) && !line.ends_with("\r\n.\r\n") {}
        let _ = reader.get_mut().write_all(&answer);
    })
}

fn count(host: &Host) -> usize {
    host.heard().iter().filter(|line| *line == "sent").count()
}

/// Fills in the form, and gives the path of the answer.
fn sent(browser: &Browser, url: &str) -> String {
    let page = browser.open(url).text();
    let answers = "answer-1=it%27s+100%25&answer-2=s3cret&answer-3=one%0D%0A50%25s+it%27s&answer-4=body";
    let answer = browser.post("/submit", &format!("token={}&url={}&{answers}", Browser::token(&page), encoded(url)));
    assert_eq!((answer.status, answer.body.len()), (303, 0), "{}", answer.head);
    let path = answer.field("Location").to_owned();
    let key = path.strip_prefix("/answer?key=").unwrap_or_else(|| panic!("{path}"));
    assert!(key.len() == 32 && key.bytes().all(|octet| octet.is_ascii_hexdigit()), "{path}");
    path
}

/// What the gateway answers for the octets of the answer.
fn octets(browser: &Browser, path: &str, from: &str) -> Answer {
    browser.get(&path.replace("/answer?", from))
}

#[test]
fn security_70_an_answer_is_read_saved_and_gone_back_to_without_sending_the_form_again() {
    let browser = Browser::new(local());
    let host = host("+-1\r\nThank you\r\n.\r\n");
    let url = host.url("gopher", "00/x%09%09?");
    let path = sent(&browser, &url);
    let before = host.connections();
    for again in ["", "&again=yes", ""] {
        let page = browser.get(&[&path, again].concat());
        assert_eq!(page.status, 200);
        let page = page.text();
        assert!(page.contains("Thank you") && !page.contains("again=yes"), "{page}");
        assert!(!page.contains("Answered by") && !page.contains("s3cret") && !page.contains("0D%0A"), "{page}");
    }
    let saved = octets(&browser, &path, "/save?");
    assert_eq!((saved.text(), saved.is_whole), ("Thank you\n".to_owned(), true), "{}", saved.head);
    assert_eq!((count(&host), host.connections()), (1, before), "nothing is asked of the server again");
}

#[test]
fn security_64_the_key_of_another_session_or_a_guess_opens_nothing() {
    let (browser, other) = (Browser::new(local()), Browser::new(local()));
    let host = host("+-1\r\nThank you\r\n.\r\n");
    let path = sent(&browser, &host.url("gopher", "00/x%09%09?"));
    for from in ["/answer?", "/save?", "/raw?"] {
        let path = path.replace("/answer?", from);
        let answers = [
            other.get(&path),
            browser.get(&path[..path.len() - 1]),
            browser.get(&format!("{from}key={}", "0".repeat(32))),
        ];
        for answer in answers {
            assert_eq!(answer.status, 404, "{path}");
            assert!(answer.text().contains("is not kept any longer") && !answer.text().contains("Thank"), "{path}");
        }
        let site = "Sec-Fetch-Site: same-origin\r\nSec-Fetch-Dest: document\r\n";
        let head = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{site}\r\n", browser.port);
        assert_eq!(say(browser.port, head).status, 403, "no cookie");
        let elsewhere = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: document\r\n";
        assert_eq!(browser.get_with(&path, elsewhere).status, 403, "a link of another site");
    }
    assert_eq!(browser.get("/answer").status, 404);
}

#[test]
fn security_61_an_answer_that_is_too_long_is_not_kept_and_the_page_says_so() {
    let browser = Browser::new(local());
    let host = host([b"+-2\r\n".to_vec(), vec![b'x'; (8 << 20) + 1]].concat());
    let path = sent(&browser, &host.url("gopher", "9/x%09%09?"));
    let page = browser.get(&path).text();
    assert!(page.contains("The answer is longer than 8.0 MiB") && page.contains("<code>urlwise get "), "{page}");
    assert_eq!(octets(&browser, &path, "/save?").status, 404);
}

#[test]
fn security_66_answers_are_sent_by_the_rules_of_all_documents() {
    let mut options = local();
    options.file_name = |_| "a\r\n\"x.png".into();
    let browser = Browser::new(options);
    let picture = host([b"+-2\r\n", PNG].concat());
    let path = sent(&browser, &picture.url("gopher", "I/x%09%09?"));
    let key = path.strip_prefix("/answer").unwrap();
    let page = browser.get(&path).text();
    assert!(page.contains(&format!("<img src=\"/raw{key}\"")), "{page}");
    assert!(page.contains(&format!("<a href=\"/save{key}\"")), "{page}");
    for (from, media_type) in [("/raw?", "image/png"), ("/save?", "application/octet-stream")] {
        let answer = octets(&browser, &path, from);
        assert_eq!((answer.status, answer.field("Content-Type"), &*answer.body), (200, media_type, PNG));
        assert!(answer.field("Content-Security-Policy").starts_with("sandbox; default-src 'none'"), "{}", answer.head);
        assert_eq!((answer.field("X-Content-Type-Options"), answer.field("Cache-Control")), ("nosniff", "no-store"));
        assert_eq!(answer.field("Content-Length"), PNG.len().to_string());
    }
    let name = octets(&browser, &path, "/save?").field("Content-Disposition").to_owned();
    assert_eq!(name, "attachment; filename=\"a___x.png\"; filename*=UTF-8''a%0D%0A%22x.png");

    let html = host(format!("+-2\r\n<p>{EVIL}"));
    let path = sent(&browser, &html.url("gopher", "h/x%09%09?"));
    let answer = browser.get(&path);
    let page = answer.text();
    assert!(!page.contains("<script"), "{page}");
    assert!(page.contains(&path.replace('&', "&amp;")) && page.contains("as=source"), "{page}");
    let frame = page.split_once("<iframe sandbox=\"\"").and_then(|(_, rest)| rest.split_once("src=\"")).unwrap().1;
    let (port, frame) = split(frame.split('"').next().unwrap());
    assert!(answer.field("Content-Security-Policy").contains(&format!("frame-src http://127.0.0.1:{port}")));
    let head = format!("GET {frame} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nSec-Fetch-Dest: iframe\r\n\r\n");
    let framed = say(port, head);
    assert_eq!((framed.status, framed.text()), (200, format!("<p>{EVIL}")));
    assert!(framed.field("Content-Security-Policy").starts_with("sandbox; default-src 'none'"), "{}", framed.head);
    assert_eq!(octets(&browser, &path, "/raw?").status, 404, "it is no picture");
    let source = browser.get(&[&path, "&as=source"].concat()).text();
    assert!(source.contains("&lt;script&gt;") && !source.contains("<script"), "{source}");
    assert_eq!((count(&picture), count(&html)), (1, 1));
}

#[test]
fn security_67_nothing_of_an_answer_is_unescaped() {
    let browser = Browser::new(local());
    let text = host(format!("+-1\r\n{EVIL}\r\n.\r\n")).url("gopher", "00/x%09%09?");
    let menu = host(format!("+-1\r\n0{EVIL}\t/{EVIL}\t{EVIL}\t70\r\n.\r\n")).url("gopher", "1/x%09%09?");
    let error = host(format!("--1\r\n1 {EVIL} <{EVIL}>\r\n{EVIL}\r\n.\r\n")).url("gopher", "00/x%09%09?");
    for url in [text, menu, error] {
        let path = sent(&browser, &url);
        for _ in 0..2 {
            let page = browser.get(&path).text();
            assert!(page.contains("alert") && !page.contains("<script"), "{url}: {page}");
            assert!(!page.contains(['\u{1b}', '\u{202e}']), "{url}: {page}");
        }
    }
}

#[test]
fn an_answer_that_broke_off_says_so_each_time_and_is_saved_as_one() {
    let browser = Browser::new(local());
    let host = host("+100\r\nhalf of it");
    let path = sent(&browser, &host.url("gopher", "00/x%09%09?"));
    for _ in 0..2 {
        let page = browser.get(&path).text();
        assert!(page.contains("half of it") && page.contains("role=\"alert\""), "{page}");
    }
    let saved = octets(&browser, &path, "/save?");
    assert_eq!((&*saved.body, saved.is_whole), (&b"half of it"[..], false));
    assert_eq!(count(&host), 1);
}

#[cfg(unix)]
#[test]
fn the_command_of_an_answer_is_one_for_every_shell_and_says_what_to_add() {
    let browser = Browser::new(local());
    let host = host("+-1\r\nThank you\r\n.\r\n");
    let url = host.url("gopher", "00/x%09%09?");
    let page = browser.get(&sent(&browser, &url)).text();
    let command = page.split_once("<code>urlwise ").unwrap().1.split_once("</code>").unwrap().0;
    let command = command.replace("&#39;", "'").replace("&quot;", "\"").replace("&amp;", "&");
    let ran = std::process::Command::new("sh").args(["-c", &format!("printf '%s|' {command}")]).output().unwrap();
    let words = String::from_utf8(ran.stdout).unwrap();
    assert_eq!(
        words,
        format!("get|--answer|1=it's 100%|--answer|3=one\n50%s it's|--answer|4=FILE|{url}|"),
        "{command}"
    );
    let advice = "The command sends the form again. Write the name of a file in place of <code>FILE</code>. It asks for secret answers \
                  at the terminal.";
    assert!(page.contains(advice), "{page}");
}
