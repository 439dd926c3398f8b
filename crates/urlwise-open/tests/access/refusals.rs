//! What is refused before a socket or a file is touched (docs/client-security.md, part A).

use crate::support::{Listener, client, client_with, failure, url};
use urlwise::registry::{NewScheme, Registry, Syntax};
use urlwise::{Profile, Scheme};
use urlwise_open::Hint;
use urlwise_open::policy::{Policy, UrlSource};
use urlwise_open::{ErrorKind, Options, PlanLine, opens};

#[test]
fn security_1_no_scheme_is_guessed() {
    for (text, class) in [
        ("mailto:a@b.example?cc=c@d.example", ErrorKind::Refused),
        ("news:comp.lang.rust", ErrorKind::NoAccess),
        ("x-odd:y", ErrorKind::NoAccess),
        ("htp://h.example/", ErrorKind::NoAccess),
        // Programs that guess would open the host: another reader, another server (E-32).
        ("localhost:8080/x", ErrorKind::Refused),
    ] {
        assert_eq!(failure(&client(), text).kind(), class, "{text}");
    }
}

#[test]
fn security_1_a_sibling_scheme_under_rfc_1738_is_named_as_such() {
    let strict = urlwise::Url::parse("https://h.example/").expect("another scheme");
    let error = client().open(&strict).expect_err("not one of the ten");
    assert_eq!(error.kind(), ErrorKind::NoAccess);
    assert!(error.to_string().contains("`current`"), "{error}");
}

#[test]
fn what_is_said_to_open_is_what_the_client_opens() {
    for &scheme in Scheme::ALL.iter().chain(&[Scheme::Other]) {
        let name = scheme.name().unwrap_or("x-odd");
        let rest = match scheme.base() {
            Scheme::Mailto => "joe@host.dom",
            Scheme::News => "comp.lang.rust",
            Scheme::Nntp => "//host.dom/comp.lang.rust",
            Scheme::Wais => "//host.dom/database",
            Scheme::File => "///etc/motd",
            Scheme::Telnet => "//host.dom/",
            _ => "//host.dom/x",
        };
        let url = urlwise::Url::parse_with(format!("{name}:{rest}"), Profile::Current).expect("a valid URL");
        let has_access = !client().plan(&url).is_err_and(|error| error.kind() == ErrorKind::NoAccess);
        assert_eq!((url.scheme(), opens(scheme)), (scheme, has_access), "{url:?}");
    }
}

#[test]
fn a_registered_scheme_is_refused_like_every_other_scheme() {
    let mut registry = Registry::new();
    let scheme = NewScheme::new("x-chat", Syntax::Internet).with_default_port(7070);
    registry.register(scheme).expect("an experimental name");
    let url = registry.parse("x-chat://host.dom/lobby").expect("a valid URL");
    assert_eq!(client().open(&url).expect_err("nobody opens it").kind(), ErrorKind::NoAccess);
    let url = registry.parse("x-chat://host.dom:25/lobby").expect("a valid URL");
    assert_eq!(client().open(&url).expect_err("port 25 is for mail").refused_by(), Some("port-foreign"));
}

#[test]
fn security_4_5_no_octet_is_sent_for_a_url_that_would_inject() {
    let listener = Listener::answering_line("");
    for path in ["/7x%09a%0D%0Ab", "/7x%09a%0Ab", "/7x%09a%00b", "/0x%00y", "/0x%1By"] {
        assert_eq!(failure(&client(), listener.gopher_url(path)).kind(), ErrorKind::Refused, "{path}");
        assert!(client().plan(&url(listener.gopher_url(path))).is_err(), "{path}");
    }
    assert_eq!(listener.asked(), Vec::<Vec<u8>>::new());
}

#[test]
fn security_4_lifting_the_rule_for_control_octets_opens_both_gates() {
    let listener = Listener::answering_line("ok");
    assert_eq!(failure(&client_with(|_| {}), listener.gopher_url("/0x%1By")).kind(), ErrorKind::Refused);
    assert_eq!(listener.asked(), Vec::<Vec<u8>>::new());
    let allowed = |options: &mut Options| {
        options.policy = Policy::default().allow("ctl-other").expect("it may be allowed");
    };
    assert_eq!(crate::support::get(&client_with(allowed), listener.gopher_url("/0x%1By")), b"ok");
    assert_eq!(listener.asked(), [b"x\x1by\r\n"]);
}

#[test]
fn security_9_local_addresses_are_refused_at_connect_time_on_demand() {
    let listener = Listener::answering("HTTP/1.1 200 OK\r\n\r\n");
    let public = client_with(|options| options.policy = Policy::default().public_addresses_only());
    for host in ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "[::1]"] {
        let error = failure(&public, format!("http://{host}:{}/", listener.port));
        assert_eq!((error.kind(), error.refused_by()), (ErrorKind::Refused, Some("address-local")), "{host}");
    }
    assert_eq!(listener.asked(), Vec::<Vec<u8>>::new());
}

#[test]
fn security_9_odd_spellings_of_addresses_are_not_valid() {
    for text in ["http://127.1/", "http://0x7f.1/", "http://2130706433/", "http://017700000001/"] {
        assert!(urlwise::Url::parse_with(text, Profile::Current).is_err(), "{text}");
    }
}

#[test]
fn security_2_the_host_that_is_shown_is_the_host_that_is_dialled() {
    for login in ["a%40evil.example", "a;b", "a%23b", "a%5Cb", "a%00b:c%2Fd", "evil.example:80", ""] {
        let address = url(format!("http://{login}@h.example:8080/%40evil.example"));
        let plan = client().plan(&address).expect("nothing is opened");
        let shown = address.host().expect("http has one").as_str().to_owned();
        assert_eq!(plan.lines()[0], PlanLine::Connect { host: shown, port: 8080, tls: false }, "{login}");
        assert!(plan.to_string().contains(r"host: h.example:8080\r\n"), "{plan}");
        assert!(!plan.to_string().to_lowercase().contains("authorization"), "{plan}");
    }
}

#[test]
fn security_3_escapes_in_a_host_make_no_url() {
    for text in ["http://a%2Fb/", "http://a%40b/", "gopher://h%0d%0a/", "http://h%00.example/"] {
        assert!(urlwise::Url::parse_with(text, Profile::Current).is_err(), "{text}");
    }
}

#[test]
fn security_20_a_link_from_the_network_never_opens_a_file() {
    let menu = urlwise::Url::parse("gopher://h.example/").expect("valid");
    let error = client()
        .open_from(&url("file:///etc/motd"), UrlSource::Link { from: &menu })
        .expect_err("a file of this machine");
    assert_eq!((error.kind(), error.refused_by()), (ErrorKind::Refused, Some("file-from-network")));
}

#[test]
fn security_14_a_password_is_in_no_message() {
    let listener = Listener::answering("HTTP/1.1 404 Not Found\r\n\r\n");
    let error = failure(&client(), format!("http://urluser:s3cret@127.0.0.1:{}/", listener.port));
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(error.url().expect("it is named").contains("urluser:***@"));
    let error = failure(&client(), "ftp://urluser:s3cret@h.example:23/");
    assert_eq!(error.kind(), ErrorKind::Refused);
}

#[test]
fn clients_may_be_shared_and_resources_sent_between_threads() {
    fn shared<T: Send + Sync>() {}
    fn sent<T: Send>() {}
    shared::<urlwise_open::Client>();
    shared::<urlwise_open::Error>();
    sent::<urlwise_open::Resource>();
}

#[test]
fn a_refusal_has_a_rule_a_reference_and_help() {
    let error = failure(&client(), "http://h.example:25/");
    assert_eq!(error.refused_by(), Some("port-foreign"));
    assert_eq!(error.reference(), Some("RFC 1738 section 6, E-03"));
    assert_eq!((error.help(), error.hint()), (None, Some(Hint::AllowRule("port-foreign"))));
}
