//! Where a public server may lead (S-9). The servers of tests are all local, so one of them is passed off as public while it
//! answers.

use super::{Client, Options};
use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::net::peers::Peers;
use crate::policy::{Place, Policy, UrlSource};
use crate::resource::Resource;
use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, TcpListener};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use urlwise::Url;

const PUBLIC: Place = Place::Address(IpAddr::V4(Ipv4Addr::new(8, 8, 8, 8)));

/// A server at 127.0.0.2 that calls `before` and then redirects to the next location; without one it answers `here`.
fn server(locations: Vec<String>, before: impl Fn() + Send + 'static) -> (u16, Arc<Mutex<usize>>) {
    let listener = TcpListener::bind("127.0.0.2:0").expect("a free port");
    let port = listener.local_addr().expect("it is bound").port();
    let asked = Arc::new(Mutex::new(0));
    let count = Arc::clone(&asked);
    std::thread::spawn(move || {
        let mut locations = locations.into_iter();
        for stream in listener.incoming() {
            let mut stream = stream.expect("a connection");
            let mut request = Vec::new();
            while !request.ends_with(b"\r\n\r\n") {
                let mut octet = [0];
                if stream.read(&mut octet).expect("a request") == 0 {
                    break;
                }
                request.extend(octet);
            }
            *count.lock().expect("nobody panicked") += 1;
            before();
            let answer = match locations.next() {
                Some(location) => format!("302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n"),
                None => "200 OK\r\nContent-Length: 4\r\n\r\nhere".to_owned(),
            };
            let _ = stream.write_all(format!("HTTP/1.1 {answer}").as_bytes());
        }
    });
    (port, asked)
}

/// What a server that counts as public, or not, comes to by redirecting to a local one; and how often that was asked.
fn redirected(is_public: bool, policy: Policy) -> (Result<Resource, Error>, usize) {
    let peers: Arc<OnceLock<Arc<Peers>>> = Arc::default();
    let (target, asked) = server(Vec::new(), || {});
    let of_client = Arc::clone(&peers);
    let (port, _) = server(vec![format!("http://127.0.0.2:{target}/inside")], move || {
        if is_public {
            of_client.get().expect("the client is made").saw("127.0.0.2", PUBLIC);
        }
    });
    let client = Client::new(Options { policy, ..Options::default() });
    assert!(peers.set(Arc::clone(&client.context.shared.peers)).is_ok());
    let found = client.open(&Url::parse(format!("http://127.0.0.2:{port}/")).expect("a URL"));
    let asked = *asked.lock().expect("nobody panicked");
    (found, asked)
}

#[test]
fn security_9_a_public_server_does_not_redirect_to_a_local_one() {
    let (found, asked) = redirected(true, Policy::default());
    let Err(error) = found else { panic!("it is refused") };
    assert_eq!(
        (error.kind(), error.refused_by(), asked),
        (ErrorKind::Refused, Some("local-from-public"), 0),
        "{error}"
    );
    assert!(error.to_string().contains("127.0.0.2"), "{error}");
    let allowed = redirected(true, Policy::default().allow("local-from-public").expect("it may be lifted"));
    assert!(matches!(allowed, (Ok(Resource::Document(_)), 1)));
}

#[test]
fn security_9_a_local_server_redirects_within_its_network() {
    assert!(matches!(redirected(false, Policy::default()), (Ok(Resource::Document(_)), 1)));
}

#[test]
fn security_9_a_link_of_a_public_menu_does_not_lead_to_a_local_server_even_over_a_kept_connection() {
    let (target, asked) = server(Vec::new(), || {});
    let client = Client::new(Options::default());
    let url = Url::parse(format!("http://127.0.0.2:{target}/")).expect("a URL");
    let from = Url::parse("gopher://menu.example/").expect("a URL");
    client.context.shared.peers.saw("menu.example", PUBLIC);
    let open = |source| client.open_from(&url.borrow(), source);
    assert!(open(UrlSource::Given).is_ok());
    let Err(error) = open(UrlSource::Link { from: &from }) else { panic!("it is refused") };
    assert_eq!((error.refused_by(), *asked.lock().expect("nobody panicked")), (Some("local-from-public"), 1));
}

#[cfg(feature = "news")]
#[test]
fn security_9_a_news_server_that_a_public_menu_names_is_not_local_and_one_of_the_settings_may_be() {
    let (port, asked) = server(Vec::new(), || {});
    let mut options = Options::default();
    options.news.server = Some(crate::NewsServer::parse(&format!("127.0.0.2:{port}")).expect("a server"));
    // It waits for the client to speak first, as web servers do.
    options.deadlines.connect = Duration::from_millis(300);
    let client = Client::new(options);
    client.context.shared.peers.saw("menu.example", PUBLIC);
    let from = Url::parse("gopher://menu.example/").expect("a URL");
    let refused = |text: &str| {
        let url = Url::parse(text).expect("a URL");
        client.open_from(&url, UrlSource::Link { from: &from }).expect_err("no news").refused_by()
    };
    assert_eq!(refused(&format!("nntp://127.0.0.2:{port}/a.group")), Some("local-from-public"));
    assert_eq!(*asked.lock().expect("nobody panicked"), 0);
    assert_eq!(refused("news:a.group"), None, "it is connected to");
}

/// What a dry run says of a URL that others may have chosen.
fn planned(text: &str, policy: Policy) -> Result<(), Error> {
    let client = Client::new(Options { policy, ..Options::default() });
    let options = crate::OpenOptions { untrusted: true, ..crate::OpenOptions::default() };
    client.plan_with(&Url::parse_current(text).expect("a URL"), &options).map(|_| ())
}

#[test]
fn security_68_a_dry_run_judges_addresses_and_local_names_as_opening_does_and_leaves_other_names_to_it() {
    let judged = |text| {
        let refused = planned(text, Policy::default()).expect_err(text);
        assert_eq!((refused.kind(), refused.refused_by()), (ErrorKind::Refused, Some("local-from-public")), "{text}");
        let lifted = Policy::default().allow("local-from-public").expect("it may be lifted");
        assert!(planned(text, lifted).is_ok(), "{text}");
        let url = Url::parse_current(text).expect("a URL");
        assert!(Client::new(Options::default()).plan(&url).is_ok(), "{text}: a person gave it");
    };
    for text in [
        "http://127.0.0.1/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        #[cfg(feature = "ftp")]
        "ftp://10.0.0.1/",
        #[cfg(feature = "gopher")]
        "gopher://192.168.1.1:7070/0x",
        #[cfg(feature = "telnet")]
        "telnet://127.0.0.1/",
    ] {
        let url = Url::parse_current(text).expect("a URL");
        let public = Options { policy: Policy::default().public_addresses_only(), ..Options::default() };
        let refused = Client::new(public).plan(&url).expect_err(text);
        assert_eq!(refused.refused_by(), Some("address-local"), "{text}");
        judged(text);
    }
    for text in ["http://localhost/", "http://printer.local/"] {
        judged(text);
    }
    for text in ["http://8.8.8.8/", "http://h.example/", "mailto:joe@h.example", "file:///etc/motd"] {
        assert!(planned(text, Policy::default()).is_ok(), "{text}");
    }
    for text in ["http://169.254.169.254/latest/", "http://metadata.google.internal/x"] {
        let lifted = Policy::default().allow("local-from-public").expect("it may be lifted");
        let refused = planned(text, lifted).expect_err("a metadata service");
        assert_eq!(refused.refused_by(), Some("address-metadata"), "{text}");
    }
}

#[cfg(feature = "ftp")]
#[test]
fn security_58_a_dry_run_of_a_url_of_others_uses_its_login_as_little_as_opening_does() {
    for text in ["ftp://joe:s3cret@h.example/a", "ftp://joe@h.example/", "ftps://joe@h.example/"] {
        let refused = planned(text, Policy::default()).expect_err(text);
        assert_eq!((refused.kind(), refused.reference()), (ErrorKind::Login, Some("S-58")), "{text}");
        let url = Url::parse_current(text).expect("a URL");
        assert!(Client::new(Options::default()).plan(&url).is_ok(), "{text}: a person gave it");
    }
    for text in ["ftp://h.example/a", "ftp://anonymous@h.example/a", "ftp://joe:@h.example/a"] {
        assert!(planned(text, Policy::default()).is_ok(), "{text}");
    }
}

#[test]
fn security_68_a_refused_metadata_service_is_not_to_be_passed_again() {
    let refused = planned("http://169.254.169.254/latest/", Policy::default()).expect_err("a metadata service");
    assert_eq!(
        refused.what().to_string(),
        "`169.254.169.254` is the metadata service of a cloud, and others may have chosen the URL"
    );
    assert_eq!(refused.help(), None);
}

#[test]
fn security_9_a_kept_connection_to_a_metadata_service_is_not_used_for_others() {
    let policy = Policy::default().allow("local-from-public").expect("it may be lifted");
    let client = Client::new(Options { policy, ..Options::default() });
    let shared = client.shared();
    for (host, address) in [("inside", "10.0.0.1"), ("keys", "169.254.169.254"), ("outside", "8.8.8.8")] {
        shared.peers.saw(host, Place::Address(address.parse().expect("an address")));
    }
    let others = client.clock().sent_by(Some(crate::policy::Sender::Unknown));
    let kept = |host| (shared.may_be_kept(&client.clock(), host), shared.may_be_kept(&others, host));
    assert_eq!((kept("inside"), kept("keys"), kept("outside")), ((true, true), (true, false), (true, true)));
    let from = |address: &str| {
        shared.peers.saw("server", Place::Address(address.parse().expect("an address")));
        client.clock().sent_from(Some(shared.peers.sending("server")))
    };
    for (server, may_be_kept) in
        [("8.8.8.8", [true, false]), ("10.0.0.2", [true, false]), ("169.254.169.254", [true, true])]
    {
        let clock = from(server);
        assert_eq!(["inside", "keys"].map(|host| shared.may_be_kept(&clock, host)), may_be_kept, "{server}");
    }
    assert!(!shared.may_be_kept(&from("8.8.8.8"), "unknown") && shared.may_be_kept(&from("10.0.0.2"), "unknown"));
    let strict = Client::new(Options::default());
    strict.shared().peers.saw("inside", Place::Address("10.0.0.1".parse().expect("an address")));
    assert!(!strict.shared().may_be_kept(&others, "inside") && !strict.shared().may_be_kept(&others, "unknown"));
}
