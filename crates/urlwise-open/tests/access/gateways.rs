//! Schemes that are opened through other URLs (RFC 1738 section 4).

use crate::support::{Folder, Listener, client_with, document, failure, get, url};
use urlwise_open::policy::UrlSource;
use urlwise_open::{Client, Credentials, ErrorKind, Netrc, Options, Resource, ServerLogin};

fn routed(scheme: &str, template: &str) -> Client {
    routed_with(scheme, template, |_| {})
}

fn routed_with(scheme: &str, template: &str, change: impl FnOnce(&mut Options)) -> Client {
    client_with(|options| {
        options.gateways.route(scheme, template).expect(template);
        change(options);
    })
}

fn lines(listener: &Listener) -> Vec<String> {
    let first = |request: &Vec<u8>| String::from_utf8_lossy(request).lines().next().unwrap_or_default().to_owned();
    listener.asked().iter().map(first).collect()
}

const OK: &str = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

#[test]
fn a_scheme_that_nothing_opens_is_opened_through_its_gateway() {
    let gateway = Listener::answering(OK);
    let client = routed("prospero", &gateway.http_url("/{host}/{+hsoname}"));
    let mut document = document(&client, "prospero://h.example/pros/name");
    assert_eq!(lines(&gateway), ["GET /h.example/pros/name HTTP/1.1"]);
    assert_eq!(document.final_url().as_str(), gateway.http_url("/h.example/pros/name"));
    let redirects: Vec<_> = document.redirects().iter().map(urlwise::Url::as_str).collect();
    assert_eq!(redirects, ["prospero://h.example/pros/name"]);
    assert_eq!(document.write_to(&mut std::io::sink()).expect("it is whole"), 2);
    assert!(document.notes().iter().any(|note| note.code == "gateway"));
}

#[test]
fn what_the_client_opens_itself_can_be_routed_too() {
    let gateway = Listener::answering_line("ok");
    let client = routed("http", &gateway.gopher_url("/0{+path}"));
    assert_eq!(get(&client, "http://h.example/a/b?c"), b"ok");
    assert_eq!(gateway.asked(), [b"a/b\r\n"]);
    assert_eq!(client.metadata(&url("http://h.example/")).expect("a gopher menu has no metadata").size, None);
}

#[test]
fn a_scheme_is_routed_through_itself_once() {
    let gateway = Listener::answering(OK);
    let client = routed("http", &gateway.http_url("/?{url}"));
    assert_eq!(get(&client, "http://h.example/x"), b"ok");
    assert_eq!(lines(&gateway), ["GET /?http%3A%2F%2Fh.example%2Fx HTTP/1.1"]);
}

#[test]
fn gateways_that_lead_to_one_another_are_refused() {
    let client = routed_with("wais", "prospero://h.example/{database}", |options| {
        options.gateways.route("prospero", "wais://h.example/{hsoname}").expect("a template");
    });
    let error = failure(&client, "wais://h.example/d");
    assert_eq!(error.kind(), ErrorKind::NoAccess);
    assert!(error.to_string().contains("the scheme prospero, which has a gateway itself"), "{error}");
}

#[test]
fn a_redirect_to_a_scheme_that_is_routed_goes_through_its_gateway() {
    let gateway = Listener::answering(OK);
    let server = Listener::answering("HTTP/1.1 302 Found\r\nLocation: https://h.example/x\r\n\r\n");
    let client = routed("https", &gateway.http_url("/?{url}"));
    // From http to https, and that is routed to http, which is not: nothing is downgraded.
    let there = document(&client, server.http_url("/"));
    assert_eq!(lines(&gateway), ["GET /?https%3A%2F%2Fh.example%2Fx HTTP/1.1"]);
    assert_eq!(there.redirects().len(), 2);
    assert!(there.notes().iter().any(|note| note.code == "gateway"));
}

#[test]
fn a_redirect_of_a_gateway_is_opened_as_it_is() {
    let server = Listener::answering(OK);
    let location = server.http_url("/there");
    let gateway = Listener::answering(format!("HTTP/1.1 302 Found\r\nLocation: {location}\r\n\r\n"));
    let client = routed("http", &gateway.http_url("/?{url}"));
    assert_eq!(get(&client, "http://h.example/x"), b"ok");
    assert_eq!((gateway.asked().len(), server.asked().len()), (1, 1));
}

#[test]
fn security_10_what_logs_in_at_a_host_does_not_log_in_at_its_gateway() {
    let gateway = Listener::answering(OK);
    let template = gateway.http_url("/?{url}");
    let has_login = |change: fn(&mut Credentials)| {
        let client = routed_with("ftp", &template, |options| change(&mut options.credentials));
        assert_eq!(get(&client, "ftp://joe:s3cret@h.example/x"), b"ok");
        let request = gateway.asked().pop().expect("it was asked");
        let request = String::from_utf8_lossy(&request).into_owned();
        assert!(!request.contains("joe") && !request.contains("s3cret"), "{request}");
        request.contains("authorization: ")
    };
    assert!(!has_login(|_| {}));
    assert!(!has_login(|credentials| credentials.login = Some(ServerLogin::of("me").with_password("s3cret"))));
    assert!(!has_login(|credentials| credentials.netrc = Netrc::parse(b"machine h.example login a password b").ok()));
    // The one login that is the gateway's own.
    assert!(has_login(|credentials| credentials.netrc = Netrc::parse(b"machine 127.0.0.1 login a password b").ok()));
}

#[test]
fn security_20_a_link_cannot_reach_a_local_file_through_a_gateway() {
    let folder = Folder::new();
    folder.write("d", "mine");
    let client = routed("wais", &format!("file://{}/{{database}}", folder.path().display()));
    let (from, link) = (url("gopher://h.example/"), url("wais://h.example/d"));
    let error = client.open_from(&link, UrlSource::Link { from: &from.borrow() }).expect_err("a link");
    assert_eq!((error.kind(), error.refused_by()), (ErrorKind::Refused, Some("file-from-network")));
    assert_eq!(error.redirects(), ["wais://h.example/d"]);
    assert!(matches!(client.open(&link), Ok(Resource::Document(_))));
}

#[test]
fn both_urls_pass_the_policy_and_the_plan_names_both() {
    let client = routed("wais", "http://h.example:25/?{url}");
    for error in [failure(&client, "wais://h.example/d"), client.plan(&url("wais://h.example/d")).expect_err("port 25")]
    {
        assert_eq!(error.refused_by(), Some("port-foreign"));
        assert_eq!(error.url(), Some("http://h.example:25/?wais%3A%2F%2Fh.example%2Fd"));
        assert_eq!(error.redirects(), ["wais://h.example/d"]);
    }
    let error = failure(&routed("wais", "http://h.example/?{url}"), "wais://h.example:25/d");
    assert_eq!((error.refused_by(), error.url()), (Some("port-foreign"), Some("wais://h.example:25/d")));
    let plan = routed("wais", "http://h.example/?{url}").plan(&url("wais://w.example/d")).expect("nothing is opened");
    assert_eq!((plan.lines()[0].kind(), plan.lines()[1].to_string().as_str()), ("gateway", "h.example port 80"));
}
