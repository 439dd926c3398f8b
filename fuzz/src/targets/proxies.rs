//! Any answers of proxies, and of gateways behind them: a request to a proxy is absolute or asks for a tunnel, only the proxy gets its
//! password, and all that is true of a call without one.
//!
//! The input is: the URL, what is done, how it is routed, then answers that `FE` parts.

use crate::calls;
use urlwise_open::testing::{Sent, offline};
use urlwise_open::{Client, Proxies};

const URLS: &[&str] = &[
    "http://h.example/a?b",
    "http://h.example:8080/",
    "http://joe:pa55@h.example/a",
    "https://h.example/a",
    "http://direct.example/a",
    "wais://h.example/db?words",
    "prospero://h.example/a",
    "gopher://h.example/0a",
    "news:a@b.example",
];

const GATEWAYS: [(&str, &str); 4] = [
    ("wais", "http://g.example/wais?{url}"),
    ("prospero", "http://direct.example/{host}/{+hsoname}"),
    ("gopher", "https://g.example:{port}/{gtype}/{selector}"),
    ("news", "nntp://h.example/group/12"),
];

const PROXY: (&str, u16) = ("p.example", 3128);
/// The login of the proxy, and of the URL, as http sends them.
const PROXY_LOGIN: &[u8] = b"am9lOnMzY3JldA==";
const URL_LOGIN: &[u8] = b"am9lOnBhNTU=";

pub(crate) fn run(input: &[u8]) {
    // Who sends what a server has named is not known.
    if [PROXY_LOGIN, URL_LOGIN, b"s3cret", b"pa55"].iter().any(|secret| calls::holds(input, secret)) {
        return;
    }
    let [which, flags, routes, rest @ ..] = input else { return };
    let url = calls::parsed(URLS[usize::from(*which) % URLS.len()]);
    let mut options = calls::options(*flags);
    options.credentials.http_userinfo = true;
    // No handshake gets so far that a certificate is judged, and the roots are many.
    options.insecure = true;
    if routes & 1 == 0 {
        options.proxies = Proxies::all("http://joe:s3cret@p.example:3128").expect("a proxy").except("direct.example");
    }
    for (scheme, template) in GATEWAYS {
        options.gateways.route(scheme, template).expect("a template");
    }
    let (_, sent) = offline(calls::answers(rest), || calls::call(&Client::new(options), &url, *flags));
    let is_proxy = |sent: &&Sent| (&*sent.host, sent.port) == PROXY && routes & 1 == 0;
    for sent in sent.iter().filter(|sent| !is_proxy(sent)) {
        assert!(!calls::holds(&sent.octets, PROXY_LOGIN), "{sent:?}");
        // A redirect within the realm keeps the login of the URL.
        assert!(sent.host == "h.example" || !calls::holds(&sent.octets, URL_LOGIN), "{sent:?}");
    }
    // What is said to a server there by another protocol is not for the proxy.
    if !calls::holds(rest, PROXY.0) {
        sent.iter().filter(is_proxy).for_each(check);
    }
}

/// What is said to a proxy: whole heads, each of whose lines is clean.
fn check(sent: &Sent) {
    // What goes through a tunnel is encrypted.
    let end = memchr::memmem::find(&sent.octets, calls::TLS_HANDSHAKE).unwrap_or(sent.octets.len());
    let text = std::str::from_utf8(&sent.octets[..end]).expect("US-ASCII");
    for head in text.split_inclusive("\r\n\r\n") {
        let (first, _) = head.split_once(" HTTP/1.").expect("a request line");
        let (method, target) = first.split_once(' ').expect("a method");
        match method {
            "GET" | "HEAD" => assert!(target.starts_with("http://") || target.starts_with("/"), "{head:?}"),
            "CONNECT" => assert!(target.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok())),
            _ => panic!("{head:?}"),
        }
        let lines = head.strip_suffix("\r\n\r\n").expect("a whole head").split("\r\n");
        lines.for_each(|line| assert!(!line.contains(char::is_control), "{line:?}"));
    }
}
