//! What the policy refuses to probe, and whose logins are sent (S-58).

#[cfg(unix)]
use super::playing;
use crate::support::{Listener, Prospero, client, client_with, url};
use urlwise::Url;
use urlwise_open::policy::Policy;
use urlwise_open::{Cause, Client, NewsServer, Probe, ProbeOptions, ProbeVerdict, Proxies, ServerLogin};

const OK: &str = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

fn linked(client: &Client, text: &str) -> Probe {
    let mut options = ProbeOptions::default();
    options.linked_from = Some(url("file:///docs/index.html"));
    client.probe(&url(text), &options)
}

fn rule(probe: &Probe) -> Option<&'static str> {
    probe.error.as_ref().and_then(urlwise_open::Error::refused_by)
}

fn allowing(rule: &str) -> Client {
    let policy = Policy::default().allow(rule).expect("it may be lifted");
    client_with(|options| options.policy = policy)
}

#[test]
fn security_58_a_link_of_a_document_does_not_lead_to_local_addresses() {
    let listener = Listener::answering(OK);
    for host in ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"] {
        for scheme in ["http", "ftp", "gopher", "telnet", "wais", "finger", "nntp", "prospero"] {
            let path = match scheme {
                "nntp" => "/a.group",
                "telnet" => "/",
                "prospero" => "//x",
                _ => "/x",
            };
            let probe = linked(&client(), &format!("{scheme}://{host}:{}{path}", listener.port));
            assert_eq!(
                (probe.verdict, rule(&probe)),
                (ProbeVerdict::Refused, Some("local-from-public")),
                "{scheme} {host}"
            );
        }
    }
    assert_eq!(listener.asked().len(), 0);
    let link = linked(&allowing("local-from-public"), &listener.http_url("/"));
    assert_eq!(link.verdict, ProbeVerdict::Alive);
    // What somebody gave may be local.
    assert_eq!(client().probe(&url(listener.http_url("/")), &ProbeOptions::default()).verdict, ProbeVerdict::Alive);
}

#[test]
fn security_58_a_connection_that_somebody_opened_does_not_serve_a_link() {
    let listener = Listener::keeping(|_, _| Some(OK.into()));
    let client = client();
    assert_eq!(client.probe(&url(listener.http_url("/")), &ProbeOptions::default()).verdict, ProbeVerdict::Alive);
    assert_eq!(linked(&client, &listener.http_url("/")).verdict, ProbeVerdict::Refused);
    assert_eq!(listener.asked().len(), 1);
    let allowing = allowing("local-from-public");
    for _ in 0..2 {
        assert_eq!(linked(&allowing, &listener.http_url("/")).verdict, ProbeVerdict::Alive);
    }
    assert_eq!(listener.numbers(), [0, 0, 1], "the rule is lifted, so the connection is kept");
}

#[test]
fn security_58_a_link_within_a_local_server_is_opened_and_leads_to_no_other() {
    let other = Listener::answering(OK);
    let [outside, named] = [other.http_url("/"), other.http_url("/").replace("127.0.0.1", "localhost")];
    let [by_redirect, by_name] = [outside.clone(), named.clone()];
    let server = Listener::keeping(move |_, request| {
        let to = match request.split(|octet| *octet == b' ').nth(1) {
            Some(b"/out") => &by_redirect,
            Some(b"/name") => &by_name,
            _ => return Some(OK.into()),
        };
        Some(format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n").into_bytes())
    });
    let client = client();
    let link = |to: &str| {
        let mut options = ProbeOptions::default();
        options.linked_from = Some(url(server.http_url("/page")));
        let probe = client.probe(&url(to), &options);
        (probe.verdict, rule(&probe))
    };
    let (inside, alive) = (server.http_url("/x"), (ProbeVerdict::Alive, None));
    let refused = (ProbeVerdict::Refused, Some("local-from-public"));
    assert_eq!(link(&inside), refused, "nobody has opened the page");
    assert_eq!(client.probe(&url(server.http_url("/page")), &ProbeOptions::default()).verdict, ProbeVerdict::Alive);
    assert_eq!(link(&inside), alive);
    for to in [&outside, &named, &server.http_url("/out"), &server.http_url("/name"), &inside.replace("http", "ftp")] {
        assert_eq!(link(to), refused, "{to}");
    }
    assert_eq!(other.asked().len(), 0);
}

#[cfg(unix)]
#[test]
fn security_58_nor_does_a_session_of_ftp_or_news() {
    let ftp = playing("220 hello\r\n", &[("USER", "230 in\r\n"), ("MLST", "250-\r\n type=file; x\r\n250 end\r\n")]);
    let news =
        playing("200 hello\r\n", &[("CAPABILITIES", "101 list\r\nREADER\r\n.\r\n"), ("GROUP", "211 1 1 1 g\r\n")]);
    let client = client();
    for text in [format!("ftp://127.0.0.1:{ftp}/x"), format!("nntp://127.0.0.1:{news}/a.group")] {
        for _ in 0..2 {
            assert_eq!(
                client.probe(&url(text.as_str()), &ProbeOptions::default()).verdict,
                ProbeVerdict::Alive,
                "{text}"
            );
        }
        let link = linked(&client, &text);
        assert_eq!((link.verdict, rule(&link)), (ProbeVerdict::Refused, Some("local-from-public")), "{text}");
    }
}

#[cfg(unix)]
#[test]
fn security_58_a_login_of_ftp_in_the_netrc_file_replaces_that_of_the_link() {
    let greeting = "220 hello\r\n";
    let port = playing(greeting, &[("USER", "331 password\r\n"), ("PASS", "230 in\r\n"), ("MLST", "250 x\r\n")]);
    let verdict = |netrc: &str, login: &str| {
        let client = client_with(|options| {
            options.credentials.netrc = Some(urlwise_open::Netrc::parse(netrc.as_bytes()).expect("well-formed"));
            options.policy = Policy::default().allow("local-from-public").expect("it may be lifted");
        });
        linked(&client, &format!("ftp://{login}127.0.0.1:{port}/x")).verdict
    };
    let netrc = "machine 127.0.0.1 login joe password s3cret";
    for (netrc, login, expected) in [
        (netrc, "", ProbeVerdict::Alive),
        (netrc, "joe@", ProbeVerdict::Alive),
        (netrc, "joe:other@", ProbeVerdict::Alive),
        (netrc, "jim:other@", ProbeVerdict::Unknown(Cause::Login)),
        ("", "joe:other@", ProbeVerdict::Unknown(Cause::Login)),
        ("", "joe@", ProbeVerdict::Unknown(Cause::Login)),
        ("", "anonymous:a%40b@", ProbeVerdict::Alive),
        ("", "", ProbeVerdict::Alive),
    ] {
        assert_eq!(verdict(netrc, login), expected, "{netrc:?} {login}");
    }
}

#[test]
fn security_58_a_proxy_does_not_hide_a_local_address_in_a_link() {
    let proxy = Listener::answering(OK);
    let client = client_with(|options| {
        options.proxies = Proxies::all(&format!("127.0.0.1:{}", proxy.port)).expect("well-formed");
    });
    assert_eq!(rule(&linked(&client, "http://127.0.0.1:8080/")), Some("local-from-public"));
    assert_eq!(proxy.asked().len(), 0);
    assert_eq!(linked(&client, "http://h.example/").verdict, ProbeVerdict::Alive);
    assert_eq!(proxy.asked().len(), 1);
}

#[test]
fn security_58_local_names_in_a_link_are_refused_as_written_with_a_proxy_and_without() {
    let proxy = Listener::answering(OK);
    let proxies = [Proxies::default(), Proxies::all(&format!("127.0.0.1:{}", proxy.port)).expect("well-formed")];
    for (host, expected) in [
        ("localhost", "local-from-public"),
        ("LOCALHOST.", "local-from-public"),
        ("x.localhost", "local-from-public"),
        ("ip6-localhost", "local-from-public"),
        ("printer.local", "local-from-public"),
        ("db.internal", "local-from-public"),
        ("metadata.google.internal", "address-metadata"),
        ("METADATA", "address-metadata"),
        ("instance-data.", "address-metadata"),
    ] {
        for proxies in &proxies {
            let client = |policy| client_with(|options| (options.proxies, options.policy) = (proxies.clone(), policy));
            for scheme in ["http", "https", "gopher"] {
                let text = format!("{scheme}://{host}:{}/0x", proxy.port);
                let probe = linked(&client(Policy::default()), &text);
                assert_eq!((probe.verdict, rule(&probe)), (ProbeVerdict::Refused, Some(expected)), "{text}");
            }
            let lifted = Policy::default().allow("local-from-public").expect("it may be lifted");
            let keys = linked(&client(lifted), "http://metadata.google.internal/x");
            assert_eq!(rule(&keys), Some("address-metadata"));
        }
    }
    assert_eq!(proxy.asked().len(), 0);
    let through = |policy| client_with(|options| (options.proxies, options.policy) = (proxies[1].clone(), policy));
    let lifted = Policy::default().allow("local-from-public").expect("it may be lifted");
    assert_eq!(linked(&through(lifted), "http://localhost:8500/kv").verdict, ProbeVerdict::Alive);
    // Names that only begin like them may have any address.
    assert_eq!(linked(&through(Policy::default()), "http://localhost.example/").verdict, ProbeVerdict::Alive);
    // What somebody gave may be local.
    for text in ["http://localhost:8500/kv", "http://metadata.google.internal/x"] {
        let given = through(Policy::default()).probe(&url(text), &ProbeOptions::default());
        assert_eq!(given.verdict, ProbeVerdict::Alive, "{text}");
    }
    assert_eq!(proxy.asked().len(), 4);
}

#[test]
fn security_58_a_redirect_behind_a_proxy_does_not_lead_a_link_to_a_local_name() {
    let proxy = Listener::keeping(move |_, request| {
        let to = match request.split(|octet| *octet == b' ').nth(1) {
            Some(b"http://h.example/local") => "http://localhost:8500/kv",
            Some(b"http://h.example/keys") => "http://metadata.google.internal/x",
            _ => return Some(OK.into()),
        };
        Some(format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n").into_bytes())
    });
    let client = client_with(|options| {
        options.proxies = Proxies::all(&format!("127.0.0.1:{}", proxy.port)).expect("well-formed");
    });
    for (path, expected) in [("local", "local-from-public"), ("keys", "address-metadata")] {
        let probe = linked(&client, &format!("http://h.example/{path}"));
        assert_eq!((probe.verdict, rule(&probe)), (ProbeVerdict::Refused, Some(expected)), "{path}");
    }
    assert_eq!(proxy.asked().len(), 2);
}

#[test]
fn security_9_no_redirect_leads_to_a_metadata_service_whatever_is_known_of_its_server() {
    let listener = Listener::keeping(|_, request| {
        let to = match request.split(|octet| *octet == b' ').nth(1) {
            Some(b"http://h.example/keys" | b"/keys") => "http://169.254.169.254/x",
            Some(b"http://h.example/names" | b"/names") => "http://metadata.google.internal/x",
            Some(b"http://metadata.google.internal/itself") => "http://metadata.google.internal/x",
            Some(b"http://h.example/local") => "http://localhost:8500/kv",
            _ => return Some(OK.into()),
        };
        Some(format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n").into_bytes())
    });
    let proxies = Proxies::all(&format!("127.0.0.1:{}", listener.port)).expect("well-formed");
    let given = |text: &str, proxies: &Proxies| {
        let client = client_with(|options| options.proxies = proxies.clone());
        let probe = client.probe(&url(text), &ProbeOptions::default());
        (probe.verdict, rule(&probe))
    };
    let refused = (ProbeVerdict::Refused, Some("address-metadata"));
    for path in ["keys", "names"] {
        assert_eq!(given(&format!("http://h.example/{path}"), &proxies), refused, "{path}");
        let local = format!("http://127.0.0.1:{}/{path}", listener.port);
        assert_eq!(given(&local, &Proxies::default()), refused, "{path}");
    }
    assert_eq!(listener.asked().len(), 4);
    for text in ["http://metadata.google.internal/itself", "http://h.example/local"] {
        assert_eq!(given(text, &proxies), (ProbeVerdict::Alive, None), "{text}");
    }
}

#[test]
fn security_58_behind_a_proxy_a_page_of_a_local_server_links_to_that_server() {
    let proxy = Listener::keeping(|_, _| Some(OK.into()));
    for host in ["localhost", "127.0.0.1"] {
        let client = client_with(|options| {
            options.proxies = Proxies::all(&format!("127.0.0.1:{}", proxy.port)).expect("well-formed");
        });
        let link = |to: &str| {
            let mut options = ProbeOptions::default();
            options.linked_from = Some(url(format!("http://{host}:8500/page")));
            let probe = client.probe(&url(to), &options);
            (probe.verdict, rule(&probe))
        };
        let (inside, outside) = (format!("http://{host}:8500/x"), format!("http://{host}:8501/x"));
        let refused = (ProbeVerdict::Refused, Some("local-from-public"));
        assert_eq!(link(&inside), refused, "nobody has opened the page");
        client.probe(&url(format!("http://{host}:8500/page")), &ProbeOptions::default());
        assert_eq!(link(&inside), (ProbeVerdict::Alive, None), "{host}");
        assert_eq!(link(&outside), refused, "{host}");
    }
}

#[test]
fn security_8_58_foreign_ports_and_other_dangers_are_refused_before_anything_is_connected() {
    for (text, expected) in [
        ("http://127.0.0.1:22/", "port-foreign"),
        ("http://127.0.0.1:1/", "port-reserved"),
        ("http://h.example:6379/", "port-foreign"),
        ("gopher://h.example:25/0x", "gopher-smtp"),
        ("ftp://h.example:0/x", "port-zero"),
        ("ftp://h.example/a%0d%0ab", "ctl-crlf"),
        ("file://h.example/etc/motd", "file-remote"),
        ("ftp://-u@h.example/", "host-option"),
    ] {
        let probe = linked(&client(), text);
        assert_eq!((probe.verdict, rule(&probe)), (ProbeVerdict::Refused, Some(expected)), "{text}");
        assert_eq!(probe.final_url.as_ref().map(Url::as_str), None, "{text}");
    }
}

#[test]
fn security_58_only_the_netrc_file_logs_in_for_a_link() {
    let listener = Listener::keeping(|_, _| Some(OK.into()));
    let client = client_with(|options| {
        options.credentials.login = Some(ServerLogin::of("joe").with_password("s3cret"));
        options.credentials.http_userinfo = true;
        options.policy = Policy::default().allow("local-from-public").expect("it may be lifted");
    });
    let text = listener.http_url("/").replace("://", "://own:s3cret@");
    assert_eq!(linked(&client, &text).verdict, ProbeVerdict::Alive);
    let asked = String::from_utf8(listener.asked().concat()).expect("ASCII");
    assert!(!asked.to_ascii_lowercase().contains("authorization"), "{asked}");
    client.probe(&url(listener.http_url("/")), &ProbeOptions::default());
    let asked = String::from_utf8(listener.asked().concat()).expect("ASCII");
    assert!(asked.to_ascii_lowercase().contains("authorization: basic"), "{asked}");

    // The login in an ftp URL: nothing is connected to.
    let ftp = linked(&client, &format!("ftp://joe:s3cret@127.0.0.1:{}/x", listener.port));
    assert_eq!(ftp.verdict, ProbeVerdict::Unknown(Cause::Login));
    assert_eq!(listener.asked().len(), 2);
}

#[test]
fn security_9_a_server_that_the_settings_name_may_be_local_and_one_that_a_link_names_may_not() {
    let server = Listener::line(|mut stream| {
        use std::io::Write as _;
        let _ = stream.write_all(b"400 not now\r\n");
    });
    let news = NewsServer::parse(&format!("127.0.0.1:{}", server.port)).expect("a server");
    let client = client_with(|options| options.news.server = Some(news));
    let named = linked(&client, &format!("nntp://127.0.0.1:{}/a.group", server.port));
    assert_eq!(named.verdict, ProbeVerdict::Refused);
    let of_settings = linked(&client, "news:a.group");
    assert_ne!(of_settings.verdict, ProbeVerdict::Refused, "{:?}", of_settings.error);
}

#[test]
fn security_58_a_gateway_may_be_local_and_where_it_redirects_to_may_not() {
    let inside = Listener::answering(OK);
    let target = inside.http_url("/");
    let gateway = Listener::answering_with(move || format!("HTTP/1.1 302 Found\r\nLocation: {target}\r\n\r\n"));
    let plain = Listener::answering(OK);
    for (through, expected) in [(&plain, ProbeVerdict::Alive), (&gateway, ProbeVerdict::Refused)] {
        let client = client_with(|options| {
            options.gateways.route("wais", &through.http_url("/{host}/{database}")).expect("a template");
        });
        let probe = linked(&client, "wais://h.example/d");
        assert_eq!((probe.verdict, through.asked().len()), (expected, 1), "{:?}", probe.error);
    }
    assert_eq!(inside.asked().len(), 0);
}

#[test]
fn a_prospero_server_does_not_forward_a_link_to_a_local_one() {
    let server = Prospero::telling(|_| b"FORWARDED ASCII 127.0.0.1(1525) ASCII /x 0\n".to_vec());
    let refused = linked(&client(), &format!("prospero://127.0.0.1:{}//x", server.port));
    assert_eq!((refused.verdict, server.asked().len()), (ProbeVerdict::Refused, 0));
}
