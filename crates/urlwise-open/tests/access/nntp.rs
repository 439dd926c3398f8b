//! The client against INN: every form of URL, logins, TLS (RFC 1738 sections 3.6 and 3.7).

use crate::support::{
    Authority, Inn, Relay, client, client_with, document, failure, failure_kind, get, menu, require, url,
};
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use urlwise_open::policy::UrlSource;
use urlwise_open::{
    Client, Entry, EntryKind, ErrorKind, Hint, Netrc, NewsServer, OpenOptions, Options, Prompt, Realm, Roots, Secret,
    ServerLogin,
};

/// An article of RFC 5536. The server adds the date.
fn article(groups: &str, id: &str, subject: &str, rest: &str) -> Vec<u8> {
    let from = "=?utf-8?q?T=C3=A9ster?= <tester@example.net>";
    format!("From: {from}\r\nNewsgroups: {groups}\r\nSubject: {subject}\r\nMessage-ID: <{id}>\r\n{rest}").into_bytes()
}

fn articles() -> Vec<Vec<u8>> {
    vec![
        article("local.test", "one@example.net", "First article", "\r\nHello, world."),
        article(
            "local.test",
            "two@example.net",
            "Re: First article",
            "References: <one@example.net>\r\n\r\nA dot:\r\n..\r\n...two",
        ),
        article("local.test,local.c++", "a/b?c#d%e+f@example.net", "Odd message-id", "\r\ncross-posted"),
        article(
            "local.test",
            "coded@example.net",
            "=?iso-8859-1?q?Gr=FC=DFe?=",
            "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nna=C3=AFve =1B[31m",
        ),
        article("private.staff", "secret@example.net", "For staff", "\r\nsecret"),
    ]
}

/// The server with its articles, and the authority of its certificate.
fn inn() -> Option<(Inn, Authority)> {
    if !require(&["openssl"]) {
        return None;
    }
    let authority = Authority::new();
    Some((Inn::start(&authority, &articles())?, authority))
}

fn at(inn: &Inn) -> impl FnOnce(&mut Options) {
    let server = NewsServer::parse(&format!("127.0.0.1:{}", inn.port)).expect("a server");
    |options| options.news.server = Some(server)
}

fn logged_in(password: &str) -> Option<ServerLogin> {
    Some(ServerLogin::of(Inn::LOGIN.0).with_password(password))
}

fn entries(client: &Client, text: impl Into<String>) -> Vec<Entry> {
    menu(client, text).collect::<Result<_, _>>().expect("the list is whole")
}

fn listed(client: &Client, text: &str, options: &OpenOptions) -> Vec<Entry> {
    let menu = client.list_with(&url(text), options).expect("it lists");
    menu.collect::<Result<_, _>>().expect("the list is whole")
}

fn titles(entries: &[Entry]) -> Vec<String> {
    entries.iter().map(|entry| String::from_utf8_lossy(&entry.title).into_owned()).collect()
}

#[test]
fn every_form_of_url_opens_at_a_real_server() {
    let Some((inn, _)) = inn() else { return };
    let client = client_with(at(&inn));
    let raw = client_with(|options| {
        at(&inn)(options);
        options.raw = true;
    });
    let host = format!("127.0.0.1:{}", inn.port);

    // All groups, those for members left out; each can be opened by both of its URLs.
    for text in ["news:*".to_owned(), format!("news://{host}/*"), format!("news://{host}/")] {
        let groups = entries(&client, text);
        let test = groups.iter().find(|entry| entry.title == b"local.test").expect("it is there");
        assert_eq!((test.description.as_deref(), test.kind), (Some(&b"A group for tests"[..]), EntryKind::Menu));
        let urls: Vec<_> = test.url.iter().chain(&test.also).map(|url| url.as_str().to_owned()).collect();
        assert_eq!(urls, [inn.url("local.test"), "news:local.test".to_owned()]);
        assert!(!titles(&groups).contains(&"private.staff".to_owned()));
        let odd = groups.iter().find(|entry| entry.title == b"0day").expect("it is there");
        assert_eq!((&odd.url, odd.also.len()), (&None, 0), "no URL can name it");
    }

    // A group, the newest article last.
    for text in ["news:local.test".to_owned(), inn.url("local.test"), format!("news://{host}/local.test")] {
        let group = entries(&client, text);
        assert_eq!(titles(&group), ["First article", "Re: First article", "Odd message-id", "Grüße"]);
        let third = &group[2];
        assert_eq!(
            (third.number, third.lines, third.from.as_deref()),
            (Some(3), Some(1), Some("Téster <tester@example.net>".as_bytes()))
        );
        assert!(third.size.is_some_and(|size| size > 200));
        let age = SystemTime::now().duration_since(third.modified.expect("it has a date")).expect("it is past");
        assert!(age < Duration::from_secs(300), "{age:?}");
        let urls: Vec<_> = third.url.iter().chain(&third.also).map(|url| url.as_str().to_owned()).collect();
        assert_eq!(urls, [inn.url("local.test/3"), "news:a%2Fb%3Fc%23d%25e+f@example.net".to_owned()]);
        for url in urls {
            assert!(get(&client, url).ends_with(b"\n\ncross-posted\n"));
        }
    }
    assert_eq!(titles(&entries(&client, "news:local.c++")), ["Odd message-id"]);
    let mut empty = menu(&client, "news:local.empty");
    assert!(empty.next().is_none() && empty.notes()[0].code == "empty-group");

    // An article, by its number and by its Message-ID.
    for text in [inn.url("local.test/2"), "news:two@example.net".to_owned(), format!("news://{host}/two@example.net")] {
        assert!(get(&client, text.clone()).ends_with(b"\n\nA dot:\n.\n..two\n"));
        // D-74: octets as they were transmitted, where they are wanted.
        assert!(get(&raw, text).ends_with(b"\r\n\r\nA dot:\r\n.\r\n..two\r\n"));
    }
    assert_eq!(document(&client, "news:one@example.net").media_type(), Some("message/rfc822"));
    assert_eq!(titles(&entries(&client, "news:coded@example.net")), ["Grüße"]);

    for text in [inn.url("local.test/99"), inn.url("no.such/1"), "news:no.such".into(), "news:no@example.net".into()] {
        assert_eq!(failure_kind(&client, text.clone()), ErrorKind::NotFound, "{text}");
    }
}

#[test]
fn lists_are_as_long_as_was_asked_for() {
    let Some((inn, _)) = inn() else { return };
    let last = |count| {
        let mut options = OpenOptions::default();
        options.last = Some(count);
        titles(&listed(&client_with(at(&inn)), "news:local.test", &options))
    };
    assert_eq!(last(1), ["Grüße"]);
    assert_eq!(last(2), ["Odd message-id", "Grüße"]);
    assert_eq!((last(0).len(), last(4).len(), last(u64::MAX).len()), (0, 4, 4));
    let mut some = OpenOptions::default();
    some.groups = Some("local.*,!local.test*".to_owned());
    assert_eq!(titles(&listed(&client_with(at(&inn)), "news:*", &some)), ["local.empty", "local.c++"]);
}

#[test]
fn articles_are_decoded_for_people_and_harm_no_terminal() {
    let Some((inn, _)) = inn() else { return };
    let client = client_with(|options| {
        at(&inn)(options);
        options.news.as_text = true;
    });
    let text = String::from_utf8(get(&client, "news:coded@example.net")).expect("UTF-8");
    for line in ["From: Téster <tester@example.net>\n", "Subject: Grüße\n", "Message-ID: <coded@example.net>\n"] {
        assert!(text.contains(line), "{text}");
    }
    assert!(text.ends_with("\n\nnaïve \\x1b[31m\n"), "{text}");
    assert_eq!(document(&client, "news:coded@example.net").media_type(), Some("text/plain; charset=utf-8"));
}

#[test]
fn without_a_server_the_error_says_how_to_name_one() {
    let client = client();
    let error = failure(&client, "news:local.test");
    assert_eq!(error.kind(), ErrorKind::NoAccess);
    assert_eq!(error.hint(), Some(Hint::NewsServer));
    let plan = client.plan(&url("news:local.test")).expect("the dialogue is known").to_string();
    assert!(plan.starts_with("need: a news server") && plan.contains("send: GROUP local.test\\r\\n"), "{plan}");
    let plan = client.plan(&url("nntp://h.example/local.test/7")).expect("a dialogue").to_string();
    assert!(plan.starts_with("connect: h.example port 119\n") && plan.contains("ARTICLE 7"), "{plan}");
}

#[test]
fn security_8_a_server_named_with_a_foreign_port_is_refused_too() {
    let client = client_with(|options| {
        options.news.server = Some(NewsServer::parse("127.0.0.1:25").expect("a server"));
    });
    assert_eq!(failure(&client, "news:local.test").refused_by(), Some("port-foreign"));
    for text in ["", "h/x", "http://h", "h:x", "h h", "nntp://u:p@h", "h:99999"] {
        assert_eq!(NewsServer::parse(text).expect_err(text).kind(), ErrorKind::Setting);
    }
}

#[test]
fn security_16_logins_go_over_tls_where_it_is_offered_and_nowhere_else_if_required() {
    let Some((inn, authority)) = inn() else { return };
    let private = inn.url("private.staff/1");
    assert_eq!(failure_kind(&client(), private.clone()), ErrorKind::Login);

    let relay = Relay::start(inn.port);
    let through = |path: &str| format!("nntp://localhost:{}/{path}", relay.port);
    let trusting = |password: &str| {
        client_with(|options| {
            options.roots = Roots::Pem(authority.ca());
            options.credentials.login = logged_in(password);
        })
    };
    assert!(get(&trusting(Inn::LOGIN.1), through("private.staff/1")).ends_with(b"\n\nsecret\n"));
    assert_eq!(failure_kind(&trusting("wrong"), through("private.staff/1")), ErrorKind::Login);
    let said = relay.said();
    for lines in &said {
        assert_eq!(lines[..2], [b"CAPABILITIES\r\n".to_vec(), b"STARTTLS\r\n".to_vec()]);
        assert!(!lines.concat().windows(8).any(|window| window == b"AUTHINFO"), "the login is not seen");
    }
    // Where TLS is required, it begins before anything else, with or without a login.
    let required = client_with(|options| {
        options.roots = Roots::Pem(authority.ca());
        options.require_tls = true;
    });
    assert_eq!(entries(&required, through("local.test")).len(), 4);
    let said = relay.said();
    assert_eq!(said.last().expect("it was used")[0], b"STARTTLS\r\n");
    // Nobody vouches for the certificate: nothing is logged in to.
    let doubting = client_with(|options| options.credentials.login = logged_in(Inn::LOGIN.1));
    assert_eq!(failure_kind(&doubting, through("private.staff/1")), ErrorKind::Tls);
}

#[test]
fn security_10_12_a_stored_login_is_that_of_the_server_and_not_for_links() {
    let Some((inn, authority)) = inn() else { return };
    let stored = |host: &str| {
        client_with(|options| {
            options.roots = Roots::Pem(authority.ca());
            let (user, password) = Inn::LOGIN;
            let netrc = format!("machine {host} login {user} password {password}");
            options.credentials.netrc = Some(Netrc::parse(netrc.as_bytes()).expect("well-formed"));
            options.news.server = Some(NewsServer::parse(&format!("localhost:{}", inn.port)).expect("a server"));
        })
    };
    let secret = "news:secret@example.net";
    assert!(get(&stored("localhost"), secret).ends_with(b"\n\nsecret\n"));
    assert_eq!(failure_kind(&stored("elsewhere.example"), secret), ErrorKind::Login);
    let menu = url("gopher://h.example/");
    let followed = stored("localhost").open_from(&url(secret), UrlSource::Link { from: &menu.borrow() });
    assert_eq!(followed.expect_err("nobody logs in").kind(), ErrorKind::Login);
}

#[derive(Debug)]
struct Person;

impl Prompt for Person {
    fn password(&self, realm: &Realm, user: &[u8]) -> Option<Secret> {
        assert!(realm.to_string().starts_with("nntps://localhost:"));
        (user == Inn::LOGIN.0.as_bytes()).then(|| Secret::new(Inn::LOGIN.1))
    }
}

#[test]
fn security_52_tls_from_the_first_octet_is_what_nntps_and_snews_mean() {
    let Some((inn, authority)) = inn() else { return };
    let trusting = |server: Option<String>| {
        client_with(|options| {
            options.roots = Roots::Pem(authority.ca());
            options.credentials.login = Some(ServerLogin::of(Inn::LOGIN.0));
            options.credentials.prompt = Some(Arc::new(Person));
            options.news.server = server.map(|server| NewsServer::parse(&server).expect("a server"));
        })
    };
    let client = trusting(None);
    let staff = entries(&client, inn.tls_url("private.staff"));
    assert_eq!(staff[0].url.as_ref().map(|url| url.as_str().to_owned()), Some(inn.tls_url("private.staff/1")));
    assert!(get(&client, inn.tls_url("private.staff/1")).ends_with(b"\n\nsecret\n"));
    let host = format!("localhost:{}", inn.tls_port);
    assert!(get(&client, format!("snews://{host}/secret@example.net")).ends_with(b"\n\nsecret\n"));
    // A server that is named with TLS, or asked for it by the scheme.
    for (server, text) in [
        (format!("nntps://{host}"), "news:secret@example.net"),
        (format!("nntps://{host}/"), "snews:secret@example.net"),
        (host, "snews:secret@example.net"),
    ] {
        assert!(get(&trusting(Some(server)), text).ends_with(b"\n\nsecret\n"), "{text}");
    }
    assert_eq!(failure_kind(&crate::support::client(), inn.tls_url("local.test/1")), ErrorKind::Tls);
}

#[test]
fn security_4_exactly_these_octets_are_sent() {
    let Some((inn, _)) = inn() else { return };
    let relay = Relay::start(inn.port);
    let client = client();
    get(&client, format!("news://127.0.0.1:{}/a%2Fb%3Fc%23d%25e+f@example.net", relay.port));
    let said = relay.said_to_the_end();
    assert_eq!(
        said[0],
        [&b"CAPABILITIES\r\n"[..], b"ARTICLE <a/b?c#d%e+f@example.net>\r\n", b"QUIT\r\n"].map(<[u8]>::to_vec)
    );
}
