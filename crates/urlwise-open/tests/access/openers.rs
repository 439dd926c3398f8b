//! Schemes that a program opens in its own way (RFC 1738 section 4).

use crate::support::{Authority, Listener, Nginx, client_with, document, failure, get, menu, require, url};
use std::io::{self, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use urlwise::Url;
use urlwise_open::policy::{Policy, UrlSource};
use urlwise_open::protocol::gopher::{GopherMachine, GopherRequest, GopherSettings};
use urlwise_open::protocol::http::{HttpMachine, HttpRequest};
use urlwise_open::{
    Call, Client, Document, Entry, EntryKind, Error, ErrorKind, Menu, Metadata, OpenOptions, Opener, Options, Outcome,
    Plan, Resource,
};

/// Opens by a function.
struct By<F>(F);

impl<F> Opener for By<F>
where
    F: Fn(&Call<'_>) -> Result<Outcome<Resource>, Error> + Send + Sync,
{
    fn open(&self, call: &Call<'_>) -> Result<Outcome<Resource>, Error> {
        (self.0)(call)
    }

    fn plan(&self, _: &Call<'_>) -> Result<Outcome<Plan>, Error> {
        Ok(Plan::new(Vec::new()).into())
    }
}

fn with<F>(scheme: &str, opener: F) -> Client
where
    F: Fn(&Call<'_>) -> Result<Outcome<Resource>, Error> + Send + Sync + 'static,
{
    with_options(scheme, opener, |_| {})
}

fn with_options<F>(scheme: &str, opener: F, change: impl FnOnce(&mut Options)) -> Client
where
    F: Fn(&Call<'_>) -> Result<Outcome<Resource>, Error> + Send + Sync + 'static,
{
    client_with(|options| {
        options.openers.register(scheme, Arc::new(By(opener))).expect(scheme);
        change(options);
    })
}

fn text(call: &Call<'_>, text: &'static str) -> Outcome<Resource> {
    let metadata = Metadata::default().with_size(text.len() as u64).with_media_type("text/plain");
    Resource::Document(Document::from_reader(call.url().to_owned(), Cursor::new(text), metadata)).into()
}

#[test]
fn a_opener_opens_and_lists_documents() {
    let client = with("x-note", |call| Ok(text(call, "hello")));
    assert_eq!(get(&client, "X-NOTE:a"), b"hello");
    let opened = document(&client, "x-note:a");
    assert_eq!(
        (opened.size(), opened.media_type(), opened.final_url().as_str()),
        (Some(5), Some("text/plain"), "x-note:a")
    );
    let entries: Vec<_> = menu(&client, "x-note://h.example/a%20b").map(|entry| entry.expect("one")).collect();
    assert_eq!((entries[0].title.as_slice(), entries[0].size), (&b"a b"[..], Some(5)));
    // It did not say that it knows anything beforehand.
    assert_eq!(client.metadata(&url("x-note:a")).expect("nothing fails"), Metadata::default());
}

#[test]
fn a_opener_gives_a_menu_entry_by_entry() {
    let client = with("x-list", |call| {
        let base = call.url().as_str().to_owned();
        let entry = move |number: u64| {
            let mut entry = Entry::new(format!("item {number}").into_bytes(), EntryKind::Document);
            entry.url = Url::parse(format!("{base}/{number}")).ok();
            Ok(entry)
        };
        let failed = std::iter::once(Err(Error::new(ErrorKind::Server, "the list is torn")));
        Ok(Resource::Menu(Menu::from_entries(call.url().to_owned(), (0..2).map(entry).chain(failed))).into())
    });
    let entries: Vec<_> = menu(&client, "x-list:a").collect();
    let links: Vec<_> = entries.iter().flatten().filter_map(|entry| entry.url.as_ref()).map(Url::as_str).collect();
    assert_eq!(links, ["x-list:a/0", "x-list:a/1"]);
    let error = entries.last().and_then(|entry| entry.as_ref().err()).expect("the error");
    assert_eq!((error.kind(), error.url()), (ErrorKind::Server, Some("x-list:a")));
}

#[test]
fn a_opener_holds_dialogues_that_keep_to_the_policy() {
    let server = Listener::answering_line("0Motd\t/motd\th.example\t70\r\n.\r\n");
    let machine = || {
        GopherMachine::new(
            GopherRequest::new(b'1').with(|request| request.selector = b"/x".to_vec()),
            GopherSettings::default(),
        )
    };
    let opener =
        move |call: &Call<'_>| call.dialogue(machine()).open(|item| Entry::new(item.display, EntryKind::Document));
    let address = format!("x-menu://127.0.0.1:{}/", server.port);
    let entries: Vec<_> = menu(&with("x-menu", opener), address.as_str()).map(|entry| entry.expect("one")).collect();
    assert_eq!((entries.len(), entries[0].title.as_slice()), (1, &b"Motd"[..]));
    assert_eq!(server.asked(), [b"/x\r\n"]);

    let public = |options: &mut Options| options.policy = Policy::default().public_addresses_only();
    let error = failure(&with_options("x-menu", opener, public), address.as_str());
    assert_eq!(error.refused_by(), Some("address-local"));
    assert_eq!(server.asked().len(), 1);
    for (address, what) in [("x-menu:a", "no host"), ("x-menu://h.example/", "no port")] {
        let error = failure(&with("x-menu", opener), address);
        assert!(error.kind() == ErrorKind::NoAccess && error.to_string().contains(what), "{error}");
    }
}

#[test]
fn a_opener_sees_only_what_the_policy_admits() {
    let seen = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&seen);
    let client = with("x-note", move |call| {
        count.fetch_add(1, Ordering::Relaxed);
        Ok(text(call, "hello"))
    });
    assert_eq!(failure(&client, "x-note://h.example:25/").refused_by(), Some("port-foreign"));
    assert!(client.plan(&url("x-note://h.example:25/")).is_err());
    assert_eq!(seen.load(Ordering::Relaxed), 0);
    get(&client, "x-note:a");
    assert_eq!(seen.load(Ordering::Relaxed), 1);
}

#[test]
fn an_opener_can_return_another_url() {
    let server = Listener::answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    let target = server.http_url("/there");
    let client = with("x-doi", move |call| Ok(call.lead(&url(target.as_str()))));
    let opened = document(&client, "x-doi:10.1000/1");
    assert_eq!(opened.final_url().as_str(), server.http_url("/there"));
    assert_eq!(opened.redirects().iter().map(Url::as_str).collect::<Vec<_>>(), ["x-doi:10.1000/1"]);
}

#[test]
fn a_url_returned_by_an_opener_passes_the_policy() {
    // The opener's own word is judged as the URL was; a server's word as a redirect.
    let to_gopher = || url("gopher://h.example:6379/");
    let error = failure(&with("x-a", move |call| Ok(call.lead(&to_gopher()))), "x-a:b");
    assert_eq!((error.refused_by(), error.redirects()), (Some("port-foreign"), &["x-a:b".to_owned()][..]));
    let to_file = || url("file:///etc/hostname");
    let error = failure(&with("x-a", move |call| Ok(call.redirect(&to_file()))), "x-a:b");
    assert_eq!(error.refused_by(), Some("file-from-network"));
    let from = url("gopher://h.example/");
    let link = UrlSource::Link { from: &from.borrow() };
    let client = with("x-a", move |call| Ok(call.lead(&to_file())));
    let error = client.open_from(&url("x-a:b"), link).expect_err("a link");
    assert_eq!(error.refused_by(), Some("file-from-network"));
}

#[test]
fn security_21_openers_that_lead_on_for_ever_end() {
    let further = |call: &Call<'_>| Ok(call.lead(&url(format!("{}x", call.url().as_str()))));
    let error = failure(&with("x-a", further), "x-a:b");
    assert_eq!((error.kind(), error.redirects().len()), (ErrorKind::Redirects, 21), "20 may be followed");
    let error = failure(&with("x-a", |call: &Call<'_>| Ok(call.lead(call.url()))), "x-a:b");
    assert_eq!((error.kind(), error.redirects()), (ErrorKind::Redirects, &["x-a:b".to_owned()][..]), "a circle");
}

#[test]
fn a_long_way_takes_no_stack() {
    let further = |call: &Call<'_>| match call.url().as_str().len() {
        5_000.. => Ok(text(call, "there")),
        _ => Ok(call.lead(&url(format!("{}x", call.url().as_str())))),
    };
    let client = with_options("x-a", further, |options| options.max_redirects = u32::MAX);
    assert_eq!(document(&client, "x-a:b").redirects().len(), 5_000 - "x-a:b".len());
}

#[test]
fn a_document_of_a_opener_is_held_to_its_size() {
    let document = |size: Option<u64>| {
        move |call: &Call<'_>| {
            let mut metadata = Metadata::default();
            metadata.size = size;
            let document = Document::from_reader(call.url().to_owned(), Cursor::new("hello"), metadata);
            Ok(Outcome::Here(Resource::Document(document)))
        }
    };
    assert_eq!(failure(&with("x-a", document(Some(6))), "x-a:b").kind(), ErrorKind::Partial);
    assert_eq!(get(&with("x-a", document(Some(4))), "x-a:b"), b"hell");
    for size in [None, Some(5)] {
        let limited = with_options("x-a", document(size), |options| options.max_size = Some(4));
        assert_eq!(failure(&limited, "x-a:b").kind(), ErrorKind::Limit, "{size:?}");
    }
}

/// A reader that fails.
struct Failing(fn() -> io::Error);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err((self.0)())
    }
}

#[test]
fn the_error_of_a_reader_is_reported() {
    let failing = |error: fn() -> io::Error| {
        with("x-a", move |call| {
            let document = Document::from_reader(call.url().to_owned(), Failing(error), Metadata::default());
            Ok(Outcome::Here(Resource::Document(document)))
        })
    };
    let own = failure(&failing(|| Error::new(ErrorKind::Timeout, "the oracle is silent").into()), "x-a:b");
    assert_eq!((own.kind(), own.what().to_string().as_str()), (ErrorKind::Timeout, "the oracle is silent"));
    let others = failure(&failing(|| io::Error::other("a \u{1b}[m drive")), "x-a:b");
    assert_eq!(
        (others.kind(), others.what().to_string().as_str()),
        (ErrorKind::Read, r"cannot read the document: a \x1b[m drive")
    );
}

#[test]
fn an_opener_resumes_a_partial_file() {
    struct Ranged;
    impl Opener for Ranged {
        fn open(&self, call: &Call<'_>) -> Result<Outcome<Resource>, Error> {
            let start = call.options().resume.as_ref().map_or(0, |resume| resume.offset);
            let rest = Cursor::new("hello".get(start as usize..).unwrap_or_default());
            let document = Document::from_reader(call.url().to_owned(), rest, Metadata::default());
            Ok(Resource::Document(document.starting_at(start)).into())
        }

        fn metadata(&self, _: &Call<'_>) -> Result<Outcome<Metadata>, Error> {
            Ok(Metadata::default().with_size(5).into())
        }

        fn plan(&self, call: &Call<'_>) -> Result<Outcome<Plan>, Error> {
            Ok(call.lead(&url("gopher://h.example/0/x")))
        }
    }
    let client = client_with(|options| options.openers.register("x-a", Arc::new(Ranged)).expect("a name"));
    let mut options = OpenOptions::default();
    options.resume = Some(urlwise_open::Resume::new(2, Metadata::default()));
    let Ok(Resource::Document(mut rest)) = client.open_with(&url("x-a:b"), &options) else { panic!("a document") };
    assert_eq!((rest.offset(), io::read_to_string(&mut rest).expect("text")), (2, "llo".to_owned()));
    assert_eq!(client.metadata(&url("x-a:b")).expect("metadata").size, Some(5));
    let plan = client.plan(&url("x-a:b")).expect("a plan");
    let kinds: Vec<_> = plan.lines().iter().map(urlwise_open::PlanLine::kind).collect();
    assert_eq!(kinds, ["gateway", "connect", "send", "expect"]);
}

#[test]
fn a_opener_counts_more_than_the_client_and_a_gateway_more_than_a_opener() {
    let client = with("gopher", |call| Ok(text(call, "mine")));
    assert_eq!(get(&client, "gopher://h.example/0x"), b"mine");
    let routed = with_options(
        "x-a",
        |call| Ok(text(call, "mine")),
        |options| {
            options.openers.register("x-b", Arc::new(By(|call: &Call<'_>| Ok(text(call, "gate"))))).expect("x-b");
            options.gateways.route("x-a", "x-b:{schemepart}").expect("a template");
        },
    );
    assert_eq!(get(&routed, "x-a:x"), b"gate");
}

#[test]
fn a_opener_needs_a_name_that_a_scheme_may_have() {
    let mut options = Options::default();
    for name in ["", "X-Note", "x note", "1x", "url"] {
        let error = options.openers.register(name, Arc::new(By(|call: &Call<'_>| Ok(text(call, "")))));
        assert!(error.expect_err(name).to_string().contains("cannot be registered"), "{name}");
    }
    for name in ["x-note", "z39.50", "new", "telnet", "https"] {
        let done = options.openers.register(name, Arc::new(By(|call: &Call<'_>| Ok(text(call, "")))));
        done.expect(name);
    }
    assert_eq!(options.openers.schemes().collect::<Vec<_>>(), ["https", "new", "telnet", "x-note", "z39.50"]);
}

#[test]
fn a_redirect_goes_to_the_opener_of_its_scheme() {
    let server = Listener::answering("HTTP/1.1 302 Found\r\nLocation: https://h.example/x\r\n\r\n");
    let client = with("https", |call| match call.provenance() {
        UrlSource::Redirect { from } => Ok(text(call, if from.as_str().ends_with("/start") { "mine" } else { "lost" })),
        _ => Ok(text(call, "given")),
    });
    let mut there = document(&client, server.http_url("/start"));
    assert_eq!(io::read_to_string(&mut there).expect("text"), "mine");
    assert_eq!(there.final_url().as_str(), "https://h.example/x");
    assert_eq!(there.redirects(), [url(server.http_url("/start"))]);
    assert_eq!(get(&client, "https://h.example/x"), b"given");
}

#[test]
fn what_an_opener_sees_and_returns_has_a_debug_text() {
    let seen = Arc::new(std::sync::Mutex::new(Vec::new()));
    let kept = Arc::clone(&seen);
    let client = with("x-a", move |call| {
        let found = text(call, "hello");
        let elsewhere: Outcome<Resource> = call.lead(&url("gopher://h.example/0x"));
        let talk = call.dialogue(GopherMachine::new(GopherRequest::new(b'1'), GopherSettings::default()));
        let texts = [format!("{call:?}"), format!("{found:?}"), format!("{elsewhere:?}"), format!("{talk:?}")];
        kept.lock().expect("no test panics with it").extend(texts);
        Ok(found)
    });
    get(&client, "x-a://joe:s3cret@h.example/b");
    let seen = seen.lock().expect("no test panics with it");
    for (text, begin, part) in [
        (&seen[0], "Call {", "provenance: "),
        (&seen[1], "Here(Document", "final_url: "),
        (&seen[2], "Elsewhere(Elsewhere {", "gopher://h.example/0x"),
        (&seen[3], "Talk {", "tls: false"),
    ] {
        assert!(text.starts_with(begin) && text.contains(part) && !text.contains("s3cret"), "{text}");
    }
}

#[test]
fn an_opener_may_ask_for_tls_and_for_a_protocol_in_it() {
    if !require(&["openssl", "nginx"]) {
        return;
    }
    let authority = Authority::new();
    let nginx = Nginx::start(Some(&authority), "location = /alpn { return 200 \"$ssl_alpn_protocol\"; }");
    let request = HttpRequest::from_url(&Url::parse("http://h.example/alpn").expect("a URL")).expect("a URL of http");
    let trusted = authority.ca();
    let answer = |protocol: &'static [u8]| {
        let request = request.clone();
        let opener = move |call: &Call<'_>| {
            let talk = call.dialogue(HttpMachine::new(request.clone())).with_tls(protocol);
            talk.open(|never| match never {})
        };
        let client = with_options("x-a", opener, |options| options.roots = urlwise_open::Roots::Pem(trusted.clone()));
        let address = nginx.tls_url("/").replace("https:", "x-a:");
        String::from_utf8(get(&client, address)).expect("text")
    };
    assert_eq!(answer(b"http/1.1"), "http/1.1");
    assert_eq!(answer(b""), "", "none was asked for");
}
