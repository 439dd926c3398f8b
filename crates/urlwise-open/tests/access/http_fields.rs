//! Header fields that somebody adds, heads alone, and the bodies of errors.

use crate::support::{Listener, client, client_with, document, url};
use std::sync::{Arc, OnceLock};
use urlwise_open::protocol::http::RequestField;
use urlwise_open::{Client, Document, ErrorKind, OpenOptions, Resource};

const OK: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";

fn with_fields(fields: &[&str]) -> Client {
    let fields = fields.iter().map(|field| field.parse::<RequestField>().expect("a field")).collect();
    client_with(|options| options.fields = fields)
}

fn opened(client: &Client, text: String, change: impl FnOnce(&mut OpenOptions)) -> Document {
    let mut options = OpenOptions::default();
    change(&mut options);
    match client.open_with(&url(text), &options).expect("it opens") {
        Resource::Document(document) => document,
        other => panic!("not a document: {other:?}"),
    }
}

fn text(document: &mut Document) -> String {
    let mut octets = Vec::new();
    document.write_to(&mut octets).expect("it can be read");
    String::from_utf8(octets).expect("ASCII")
}

/// Everything that was asked.
fn heard(listener: &Listener) -> String {
    String::from_utf8_lossy(&listener.asked().concat()).into_owned()
}

#[test]
fn fields_are_sent_and_replace_those_of_the_request() {
    let listener = Listener::answering(OK);
    let client = with_fields(&["X-A: 1", "X-A: 2", "Accept: text/html", "User-Agent: me"]);
    document(&client, listener.http_url("/"));
    let heard = heard(&listener).to_ascii_lowercase();
    let fields: Vec<_> = heard.lines().filter(|line| line.contains(": ") && !line.starts_with("host")).collect();
    assert_eq!(fields, ["x-a: 1", "x-a: 2", "accept: text/html", "user-agent: me"]);
}

#[test]
fn security_56_fields_do_not_follow_a_redirect_to_another_origin_or_back() {
    let (next, back) = <(Arc<OnceLock<String>>, Arc<OnceLock<String>>)>::default();
    let redirect = |target: &Arc<OnceLock<String>>| {
        let target = Arc::clone(target);
        move || {
            let to = target.get().map_or("", String::as_str);
            format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        }
    };
    let first = Listener::answering_with(redirect(&next));
    let other = Listener::answering_with(redirect(&back));
    next.set(other.http_url("/away")).expect("it is set once");
    back.set(first.http_url("/")).expect("it is set once");
    // A circle: the first server is asked once, the other once, and then the circle is seen.
    let error = with_fields(&["Authorization: Bearer s3cret"]).open(&url(first.http_url("/"))).expect_err("a circle");
    assert_eq!(error.kind(), ErrorKind::Redirects);
    assert!(heard(&first).contains("s3cret") && !heard(&other).contains("s3cret"));
    let last = Listener::answering(OK);
    let via = Listener::answering_with({
        let to = last.http_url("/");
        move || format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    });
    let notes = |fields: &[&str], text| {
        let document = document(&with_fields(fields), text);
        document.notes().iter().map(|note| note.code).collect::<Vec<_>>()
    };
    assert_eq!(notes(&["X-A: s3cret"], via.http_url("/")), ["fields-not-sent"]);
    assert!(!heard(&last).contains("s3cret"));
    assert_eq!(notes(&[], via.http_url("/")), [] as [&str; 0], "there are none to send");
    assert_eq!(notes(&["X-A: s3cret"], last.http_url("/")), [] as [&str; 0], "they are sent");
}

#[test]
fn security_56_fields_and_logins_are_for_links_of_the_same_origin_only() {
    let here = Listener::answering(OK);
    let there = Listener::answering(OK);
    let client = with_fields(&["X-A: s3cret"]);
    for listener in [&here, &there] {
        let from = url(here.http_url("/page"));
        opened(&client, listener.http_url("/"), |options| options.linked_from = Some(from));
    }
    assert!(heard(&here).contains("s3cret") && !heard(&there).contains("s3cret"));
}

#[test]
fn security_16_a_field_with_credentials_needs_tls_where_tls_is_required() {
    let listener = Listener::answering(OK);
    for (field, is_sent) in [("Authorization: Basic x", false), ("Cookie: x", false), ("X-A: x", true)] {
        let client = client_with(|options| {
            options.fields = vec![field.parse().expect("a field")];
            options.require_tls = true;
        });
        assert_eq!(client.open(&url(listener.http_url("/"))).is_ok(), is_sent, "{field}");
    }
    let notes = document(&with_fields(&["Cookie: x"]), listener.http_url("/")).notes().to_vec();
    assert!(notes.iter().any(|note| note.code == "password-in-clear"), "{notes:?}");
}

#[test]
fn the_head_is_a_document_whatever_the_status() {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\nX-A: b\r\n\r\n";
    let listener = Listener::answering(head);
    let mut document = opened(&client(), listener.http_url("/"), |options| options.head = true);
    assert_eq!((document.media_type(), document.size()), (Some("message/http"), Some(head.len() as u64)));
    assert_eq!((text(&mut document).as_str(), document.failure().is_none()), (head, true));
    assert!(heard(&listener).starts_with("HEAD / "));
    let gone = "HTTP/1.1 404 Not Found\r\nContent-Length: 7\r\n\r\n";
    let listener = Listener::answering(gone);
    let mut document = opened(&client(), listener.http_url("/"), |options| options.head = true);
    assert_eq!(text(&mut document), gone);
    let failure = document.take_failure().expect("it was not found");
    assert_eq!((failure.kind(), failure.url()), (ErrorKind::NotFound, Some(&*listener.http_url("/"))));
}

#[test]
fn the_body_of_an_error_is_a_document_where_it_is_wanted() {
    let answer = "HTTP/1.1 503 Busy\r\nContent-Type: text/plain\r\nContent-Length: 7\r\n\r\nlater\r\n";
    let listener = Listener::answering(answer);
    let error = client().open(&url(listener.http_url("/"))).expect_err("it is an error");
    let mut document = opened(&client(), listener.http_url("/"), |options| options.error_body = true);
    assert_eq!((document.size(), document.media_type()), (Some(7), Some("text/plain")));
    assert_eq!(document.failure().expect("it is an error").to_string(), error.to_string());
    assert_eq!(text(&mut document), "later\r\n");
    let cut = Listener::answering(&answer[..answer.len() - 1]);
    let mut document = opened(&client(), cut.http_url("/"), |options| options.error_body = true);
    assert_eq!(document.write_to(&mut Vec::new()).expect_err("it is cut").kind(), ErrorKind::Partial);
}

#[test]
fn a_list_of_what_refuses_head_asks_with_get() {
    for status in ["405 Method Not Allowed", "501 Not Implemented"] {
        let count = std::sync::atomic::AtomicUsize::new(0);
        let refusal = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        let listener =
            Listener::answering_with(move || match count.fetch_add(1, std::sync::atomic::Ordering::Relaxed) {
                0 => refusal.clone(),
                _ => String::from_utf8_lossy(OK).into_owned(),
            });
        let mut menu = client().list(&url(listener.http_url("/x"))).expect("it lists");
        let entry = menu.next().expect("one entry").expect("an entry");
        assert_eq!((entry.size, &entry.title[..]), (Some(2), &b"x"[..]));
        assert!(menu.notes().iter().any(|note| note.code == "head-refused"), "{:?}", menu.notes());
    }
    let never = Listener::answering("HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n\r\n");
    assert_eq!(client().list(&url(never.http_url("/x"))).expect_err("GET is refused, too").kind(), ErrorKind::Server);
}
