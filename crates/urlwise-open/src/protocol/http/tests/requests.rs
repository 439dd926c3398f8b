//! The octets of requests, and what is shown of them.

use super::{request, said};
use crate::protocol::http::{HttpGoal, HttpLogin, HttpMachine, HttpRequest, RequestField, Route};
use crate::protocol::plan;
use urlwise::Url;

/// The requests as they are displayed, line by line.
fn sent(request: HttpRequest) -> Vec<String> {
    let lines = plan(HttpMachine::new(request)).expect("a harmless request");
    lines.iter().filter(|line| line.kind() == "send").map(ToString::to_string).collect()
}

fn field(text: &str) -> RequestField {
    text.parse().expect("a field")
}

#[test]
fn a_request_names_its_program_if_it_has_a_name() {
    let connect = HttpRequest { tls: true, port: 443, route: Route::Proxy(None), ..request() };
    for (user_agent, lines) in [("test", 1), ("", 0)] {
        for (request, requests) in [(request(), 1), (connect.clone(), 2)] {
            let sent = sent(HttpRequest { user_agent: user_agent.to_owned(), ..request });
            let named = sent.iter().filter(|line| line.starts_with("user-agent:")).count();
            assert_eq!(named, lines * requests, "{sent:?}");
        }
    }
    let login = Route::Proxy(Some(HttpLogin::new("joe", "s3cret")));
    assert_eq!(
        sent(HttpRequest { route: login, ..connect })[..5],
        [
            r"CONNECT h.example:443 HTTP/1.1\r\n",
            r"host: h.example:443\r\n",
            r"user-agent: test\r\n",
            r"proxy-authorization: Basic ***\r\n",
            r"\r\n",
        ]
    );
}

#[test]
fn security_14_56_an_added_field_replaces_one_of_its_name_and_its_value_is_not_shown() {
    let long = "X-A-Name-Longer-Than-All-Lines-Before-It-Together: s3cret";
    let fields = [long, "Accept: text/html", "X-Key: s3cret", "X-Empty:", "Authorization: Bearer t0ken"];
    let login = Some(HttpLogin::new("joe", "s3cret"));
    let request = HttpRequest { fields: fields.map(field).to_vec(), login, ..request() };
    assert_eq!(
        sent(request),
        [
            r"GET / HTTP/1.1\r\n",
            r"host: h.example\r\n",
            r"user-agent: test\r\n",
            r"x-a-name-longer-than-all-lines-before-it-together: ***\r\n",
            r"accept: ***\r\n",
            r"x-key: ***\r\n",
            r"x-empty: \r\n",
            r"authorization: ***\r\n",
            r"\r\n",
        ]
    );
}

#[test]
fn the_request_of_a_url_is_protected_if_its_scheme_is() {
    let request = |url: &str| HttpRequest::from_url(&Url::parse_current(url).expect("a URL")).expect("http or https");
    let (plain, protected) = (request("http://h.example/a?b"), request("https://h.example/"));
    assert_eq!((plain.tls, plain.port, plain.selector.as_str()), (false, 80, "/a?b"));
    assert_eq!((protected.tls, protected.port, protected.selector.as_str()), (true, 443, "/"));
}

#[test]
fn security_14_debug_texts_hide_logins_and_fields() {
    let login = HttpLogin::new("a\x1bb", "s3cret");
    assert_eq!(format!("{login:?}"), r#"HttpLogin { user: "a\\x1bb", password: "***" }"#);
    assert_eq!(format!("{:?}", field("X-Key: s3cret")), r#"RequestField { name: "x-key", value: "***" }"#);
}

#[test]
fn security_14_secrets_are_passwords_what_is_sent_of_them_and_credentials() {
    let fields = ["Cookie: c00kie", "Authorization:", "X-Key: key"].map(field).to_vec();
    let proxy = Route::Proxy(Some(HttpLogin::new("p", "")));
    let login = Some(HttpLogin::new("a", "s3cret"));
    let secrets = HttpRequest { login, fields, route: proxy, ..request() }.secrets();
    assert_eq!(secrets, [&b"YTpzM2NyZXQ="[..], b"s3cret", b"cDo=", b"c00kie"]);
    assert!(request().secrets().is_empty());
}

#[test]
fn a_request_has_room_for_any_number_of_fields_and_any_selector() {
    let fields: Vec<_> = (0..400).map(|number| field(&format!("x{number}:"))).collect();
    let sent_fields = sent(HttpRequest { fields, ..request() });
    assert_eq!(sent_fields.iter().filter(|line| line.starts_with('x')).count(), 400);
    let selector = format!("/{}", "x".repeat(50_000));
    assert_eq!(
        sent(HttpRequest { selector: selector.clone(), ..request() })[0],
        format!(r"GET {selector} HTTP/1.1\r\n")
    );
}

#[test]
fn a_dry_run_says_what_each_goal_waits_for() {
    let document = "status 200 to 299, headers and the document; a redirect is checked before it is followed";
    let headers = "status 200 to 299 and headers; a redirect is checked before it is followed";
    for (goal, what) in [(HttpGoal::Document, document), (HttpGoal::Metadata, headers), (HttpGoal::Head, headers)] {
        let request = HttpRequest { tls: true, route: Route::Proxy(None), goal, ..request() };
        let said = said(request);
        let expected: Vec<_> = said.lines().filter_map(|line| line.strip_prefix("expect: ")).collect();
        assert_eq!(expected, ["status 200 to 299, the tunnel is open", what]);
    }
}
