//! Who logs in, where, and where never (S-10 to S-16).

use crate::support::{
    Folder, Listener, Nginx, client, client_with, document, failure, failure_kind, get, require, url,
};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use urlwise_open::policy::UrlSource;
use urlwise_open::{Client, Credentials, ErrorKind, Netrc, Prompt, Realm, Secret, ServerLogin};

const OK: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

fn urluser() -> ServerLogin {
    ServerLogin::of("urluser").with_password("s3cret")
}

fn logged_in() -> Client {
    client_with(|options| options.credentials.login = Some(urluser()))
}

fn with(credentials: impl FnOnce(&mut Credentials)) -> Client {
    client_with(|options| credentials(&mut options.credentials))
}

/// For each request whether it held a login.
fn logins(listener: &Listener) -> Vec<bool> {
    let has_login = |request: &Vec<u8>| String::from_utf8_lossy(request).contains("authorization: ");
    listener.asked().iter().map(has_login).collect()
}

fn redirecting(to: impl Fn() -> String + Send + Sync + 'static) -> Listener {
    Listener::answering_with(move || format!("HTTP/1.1 302 Found\r\nLocation: {}\r\n\r\n", to()))
}

fn nginx() -> Option<Nginx> {
    if !require(&["nginx"]) {
        return None;
    }
    let locations = r#"location /auth/ { auth_basic "the innermost"; auth_basic_user_file FOLDER/www/users; }
        location = /in { return 302 /auth/x; }"#;
    let nginx = Nginx::start(None, locations);
    nginx.write("users", "urluser:{PLAIN}s3cret\na@b:{PLAIN}p@q\n");
    nginx.write("auth/x", "inside");
    Some(nginx)
}

#[test]
fn a_login_opens_what_is_closed_and_a_refusal_names_the_realm() {
    let Some(nginx) = nginx() else { return };
    assert_eq!(get(&logged_in(), nginx.url("/auth/x")), b"inside");
    assert_eq!(get(&logged_in(), nginx.url("/in")), b"inside");
    let error = failure(&client(), nginx.url("/auth/x"));
    assert_eq!(error.kind(), ErrorKind::Login);
    assert!(
        error.to_string().contains("the innermost") && error.to_string().contains("user name and password"),
        "{error}"
    );
    let wrong = with(|credentials| credentials.login = Some(ServerLogin::of("urluser").with_password("x")));
    let error = failure(&wrong, nginx.url("/auth/x"));
    assert_eq!(error.kind(), ErrorKind::Login);
    assert!(error.to_string().contains("check the user"), "{error}");
}

#[test]
fn security_13_the_login_of_a_url_is_sent_on_demand_alone_and_decoded() {
    let Some(nginx) = nginx() else { return };
    let text = format!("http://a%40b:p%40q@127.0.0.1:{}/auth/x", nginx.port);
    assert_eq!(failure_kind(&client(), &*text), ErrorKind::Login);
    let willing = with(|credentials| credentials.http_userinfo = true);
    assert_eq!(get(&willing, text), b"inside");
}

#[test]
fn security_13_a_login_stands_in_no_line_but_its_own() {
    let listener = Listener::answering(OK);
    let willing = with(|credentials| credentials.http_userinfo = true);
    get(&willing, format!("http://a%40b:p%3Aq@127.0.0.1:{}/x", listener.port));
    let request = String::from_utf8(listener.asked().remove(0)).expect("it is text");
    assert!(
        request.starts_with("GET /x HTTP/1.1\r\n") && request.contains("authorization: Basic YUBiOnA6cQ==\r\n"),
        "{request}"
    );
    assert!(request.contains(&format!("host: 127.0.0.1:{}\r\n", listener.port)), "{request}");
}

#[test]
fn security_10_a_login_goes_to_no_other_host_or_port_and_not_back_again() {
    let back: Arc<OnceLock<String>> = Arc::default();
    let target = Arc::clone(&back);
    let other = redirecting(move || target.get().expect("it is set below").clone());
    let next = Arc::new(OnceLock::new());
    let next_of_first = Arc::clone(&next);
    let count = AtomicUsize::new(0);
    // Within its realm the login goes along; then elsewhere, and back.
    let first = Listener::answering_with(move || match count.fetch_add(1, Ordering::Relaxed) {
        0 => "HTTP/1.1 302 Found\r\nLocation: /same\r\n\r\n".to_owned(),
        1 => format!("HTTP/1.1 302 Found\r\nLocation: {}\r\n\r\n", next_of_first.get().map_or("", String::as_str)),
        _ => String::from_utf8_lossy(OK).into_owned(),
    });
    next.set(other.http_url("/away")).expect("it is set once");
    back.set(first.http_url("/back")).expect("it is set once");
    assert_eq!(get(&logged_in(), first.http_url("/")), b"ok");
    assert_eq!((logins(&first), logins(&other)), (vec![true, true, false], vec![false]));
}

#[test]
fn security_10_another_name_of_the_same_server_is_another_realm() {
    let next = Arc::new(OnceLock::<String>::new());
    let target = Arc::clone(&next);
    let count = AtomicUsize::new(0);
    let listener = Listener::answering_with(move || match count.fetch_add(1, Ordering::Relaxed) {
        0 => format!("HTTP/1.1 302 Found\r\nLocation: {}\r\n\r\n", target.get().map_or("", String::as_str)),
        _ => String::from_utf8_lossy(OK).into_owned(),
    });
    next.set(format!("http://localhost:{}/", listener.port)).expect("it is set once");
    assert_eq!(get(&logged_in(), listener.http_url("/")), b"ok");
    assert_eq!(logins(&listener), [true, false]);
}

#[test]
fn security_10_a_login_is_not_for_the_links_of_a_menu() {
    let listener = Listener::answering(OK);
    let menu = urlwise::Url::parse("gopher://h.example/").expect("valid");
    let link = url(listener.http_url("/"));
    logged_in().open_from(&link, UrlSource::Link { from: &menu }).expect("it opens");
    assert_eq!(logins(&listener), [false]);
}

#[test]
fn security_11_a_login_in_a_redirect_is_not_used_even_on_demand() {
    let target = Listener::answering(OK);
    let location = format!("http://evil:pw@127.0.0.1:{}/", target.port);
    let listener = redirecting(move || location.clone());
    let willing = with(|credentials| {
        credentials.http_userinfo = true;
        credentials.netrc =
            Some(Netrc::parse(b"machine 127.0.0.1 login urluser password s3cret").expect("well-formed"));
    });
    assert_eq!(get(&willing, listener.http_url("/")), b"ok");
    assert_eq!((logins(&listener), logins(&target)), (vec![true], vec![false]));
}

#[cfg(unix)]
#[test]
fn security_12_stored_logins_are_for_the_hosts_they_name_and_from_private_files() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new();
    folder.write("netrc", "machine localhost login urluser password s3cret\ndefault login x password y\n");
    let mode = |mode| std::fs::set_permissions(folder.join("netrc"), std::fs::Permissions::from_mode(mode));
    mode(0o644).expect("our file");
    assert_eq!(Netrc::read(&folder.join("netrc")).expect_err("others may read it").kind(), ErrorKind::Refused);
    mode(0o600).expect("our file");
    let netrc = Netrc::read(&folder.join("netrc")).expect("it is private");
    let client = with(|credentials| credentials.netrc = Some(netrc));
    let listener = Listener::answering(OK);
    get(&client, format!("http://localhost:{}/", listener.port));
    get(&client, listener.http_url("/"));
    assert_eq!(logins(&listener), [true, false]);
}

#[derive(Debug, Default)]
struct Person(AtomicUsize);

impl Prompt for Person {
    fn password(&self, realm: &Realm, user: &[u8]) -> Option<Secret> {
        self.0.fetch_add(1, Ordering::Relaxed);
        assert_eq!((realm.host(), user), ("127.0.0.1", &b"urluser"[..]));
        Some(Secret::new("s3cret"))
    }
}

#[test]
fn a_password_that_is_missing_is_asked_for_once() {
    let Some(nginx) = nginx() else { return };
    let person = Arc::new(Person::default());
    let asked = Arc::clone(&person);
    let client = with(|credentials| {
        credentials.login = Some(ServerLogin::of("urluser"));
        credentials.prompt = Some(asked);
    });
    for _ in 0..2 {
        assert_eq!(get(&client, nginx.url("/auth/x")), b"inside");
    }
    assert_eq!(person.0.load(Ordering::Relaxed), 1);
}

#[test]
fn security_16_a_password_in_clear_is_reported_once_or_refused_before_anything_is_sent() {
    let listener = Listener::answering(OK);
    let document = document(&logged_in(), listener.http_url("/"));
    let notes: Vec<_> = document.notes().iter().map(|note| note.code).collect();
    assert_eq!(notes, ["password-in-clear"]);
    let strict = client_with(|options| {
        options.credentials.login = Some(urluser());
        options.require_tls = true;
    });
    let before = listener.asked().len();
    let error = failure(&strict, listener.http_url("/"));
    assert_eq!(error.kind(), ErrorKind::Refused);
    assert!(strict.plan(&url(listener.http_url("/"))).is_err());
    assert_eq!(listener.asked().len(), before);
}

#[test]
fn security_14_a_plan_masks_the_login() {
    let plan = logged_in().plan(&url("http://h.example/")).expect("nothing is opened").to_string();
    assert!(plan.contains("authorization: Basic ***\\r\\n") && !plan.contains("dXJsd"), "{plan}");
    assert!(!format!("{:?}", logged_in()).contains("s3cret"));
}

#[test]
fn security_15_a_redirect_is_followed_without_a_referrer() {
    let target = Listener::answering(OK);
    let location = target.http_url("/");
    let listener = redirecting(move || location.clone());
    get(&logged_in(), listener.http_url("/secret-path"));
    let request = String::from_utf8_lossy(&target.asked()[0]).to_ascii_lowercase();
    assert!(!request.contains("secret-path") && !request.contains("referer"), "{request}");
}
