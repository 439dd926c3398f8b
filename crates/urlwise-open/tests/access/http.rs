//! http against nginx, and what goes over the wire (RFC 1738 section 3.3, D-40).

use crate::support::{Listener, Nginx, client, client_with, document, failure, get, require, url};
use urlwise_open::{ErrorKind, PlanLine};

const LOCATIONS: &str = r#"
    location / { autoindex on; }
    location /auth/ { return 401; }
    location /gone { return 410; }
    location /broken { return 500; }
    location /busy { return 503; }
    location = /r/rel { return 302 ../pub/lf.txt; }
    location = /r/abs { return 301 http://127.0.0.1:PORT/pub/lf.txt; }
    location = /r/303 { return 303 /pub/lf.txt; }
    location = /r/307 { return 307 /pub/lf.txt; }
    location = /r/308 { return 308 /pub/lf.txt; }
    location = /r/otherhost { return 302 http://localhost:PORT/echo; }
    location = /r/creds { return 302 http://evil:pw@127.0.0.1:PORT/echo; }
    location = /r/file { return 302 file:///etc/motd; }
    location = /r/ftp { return 302 ftp://127.0.0.1:10021/pub/lf.txt; }
    location = /r/gopher { return 302 gopher://127.0.0.1:10070/; }
    location = /r/mailto { return 302 mailto:a@b.example; }
    location = /r/smtp { return 302 http://127.0.0.1:25/; }
    location = /r/loop { return 302 /r/loop2; }
    location = /r/loop2 { return 302 /r/loop; }
    location = /r/frag { return 302 /pub/lf.txt#part; }
    location = /r/space { return 302 "/pub/a b.txt"; }
    location ~ ^/r/count/(.*)$ { return 302 /r/count/1$1; }
    location = /echo {
        default_type text/plain;
        return 200 "$request\nhost=$http_host\nauth=$http_authorization\nreferer=$http_referer\ncookie=$http_cookie\ncoding=$http_accept_encoding\n";
    }
"#;

fn nginx() -> Option<Nginx> {
    if !require(&["nginx"]) {
        return None;
    }
    let nginx = Nginx::start(None, LOCATIONS);
    nginx.write("pub/lf.txt", "line1\nline2\nline3\n");
    Some(nginx)
}

#[test]
fn a_document_of_nginx_has_size_and_media_type() {
    let Some(nginx) = nginx() else { return };
    let document = document(&client(), nginx.url("/pub/lf.txt"));
    assert_eq!((document.size(), document.media_type()), (Some(18), Some("text/plain")));
    assert!(document.redirects().is_empty() && document.notes().is_empty());
    assert_eq!(get(&client(), nginx.url("/pub/lf.txt")), b"line1\nline2\nline3\n");
}

#[cfg(unix)]
#[test]
fn escaped_octets_name_the_file_of_those_octets() {
    let Some(nginx) = nginx() else { return };
    for (name, path) in [
        ("a b.txt", "/pub/a%20b.txt"),
        ("a#b.txt", "/pub/a%23b.txt"),
        ("a?b.txt", "/pub/a%3Fb.txt"),
        ("100%.txt", "/pub/100%25.txt"),
        ("x;y.txt", "/pub/x;y.txt"),
        ("~x", "/pub/%7Ex"),
        ("caf\u{e9}", "/pub/caf%C3%A9"),
    ] {
        nginx.write(&format!("pub/{name}"), name);
        assert_eq!(get(&client(), nginx.url(path)), name.as_bytes(), "{path}");
    }
}

#[test]
fn a_long_document_arrives_whole() {
    let Some(nginx) = nginx() else { return };
    let octets: Vec<u8> = (0..5_000_011_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    nginx.write("big.bin", &octets);
    assert!(get(&client(), nginx.url("/big.bin")) == octets);
}

#[test]
fn each_status_has_its_class() {
    let Some(nginx) = nginx() else { return };
    for (path, class) in [
        ("/no/such", ErrorKind::NotFound),
        ("/gone", ErrorKind::NotFound),
        ("/auth/x", ErrorKind::Login),
        ("/broken", ErrorKind::Server),
        ("/busy", ErrorKind::Server),
    ] {
        let error = failure(&client(), nginx.url(path));
        assert_eq!(error.kind(), class, "{error}");
        assert_eq!(error.url(), Some(&*nginx.url(path)));
    }
}

#[test]
fn redirects_are_followed_and_the_chain_is_kept() {
    let Some(nginx) = nginx() else { return };
    for path in ["/r/rel", "/r/abs", "/r/303", "/r/307", "/r/308", "/r/frag"] {
        let mut document = document(&client(), nginx.url(path));
        assert_eq!(document.final_url().as_str(), nginx.url("/pub/lf.txt"));
        assert_eq!(document.redirects(), [url(nginx.url(path))]);
        let mut octets = Vec::new();
        assert_eq!(document.write_to(&mut octets).expect("it can be read"), 18, "{path}");
    }
}

#[test]
fn security_20_redirects_to_other_schemes_are_refused() {
    let Some(nginx) = nginx() else { return };
    for (path, rule) in [
        ("/r/file", "file-from-network"),
        ("/r/ftp", "redirect-scheme"),
        ("/r/gopher", "redirect-scheme"),
        ("/r/mailto", "redirect-scheme"),
        ("/r/smtp", "port-foreign"),
    ] {
        let error = failure(&client(), nginx.url(path));
        assert_eq!((error.kind(), error.refused_by()), (ErrorKind::Refused, Some(rule)), "{path}");
        assert_eq!(error.redirects(), [nginx.url(path)], "what led there");
        assert_ne!(error.url(), Some(&*nginx.url(path)), "the target is at fault");
    }
}

#[test]
fn security_21_circles_and_counts_end_and_show_the_chain() {
    let Some(nginx) = nginx() else { return };
    let error = failure(&client(), nginx.url("/r/loop"));
    assert_eq!(error.kind(), ErrorKind::Redirects);
    assert_eq!(error.redirects(), [nginx.url("/r/loop"), nginx.url("/r/loop2")]);
    let error = failure(&client(), nginx.url("/r/count/"));
    assert_eq!((error.kind(), error.redirects().len()), (ErrorKind::Redirects, 21), "20 may be followed");
    let none = client_with(|options| options.max_redirects = 0);
    assert_eq!(failure(&none, nginx.url("/r/abs")).kind(), ErrorKind::Redirects);
    assert_eq!(get(&none, nginx.url("/pub/lf.txt")).len(), 18);
}

#[test]
fn security_22_a_space_in_a_redirect_is_encoded_and_noted() {
    let Some(nginx) = nginx() else { return };
    nginx.write("pub/a b.txt", "space");
    let mut document = document(&client(), nginx.url("/r/space"));
    assert_eq!(document.final_url().as_str(), nginx.url("/pub/a%20b.txt"));
    assert_eq!(document.notes()[0].code, "location-encoded");
    let mut octets = Vec::new();
    document.write_to(&mut octets).expect("it can be read");
    assert_eq!(octets, b"space");
}

#[test]
fn security_10_11_15_35_nothing_is_sent_that_was_not_asked_for() {
    let Some(nginx) = nginx() else { return };
    let bare = |host: &str, port: u16| {
        format!("GET /echo HTTP/1.1\nhost={host}:{port}\nauth=\nreferer=\ncookie=\ncoding=\n").into_bytes()
    };
    let direct = format!("http://urluser:s3cret@127.0.0.1:{}/echo", nginx.port);
    assert_eq!(get(&client(), &*direct), bare("127.0.0.1", nginx.port));
    assert_eq!(document(&client(), direct).notes()[0].code, "login-not-sent");
    assert_eq!(get(&client(), nginx.url("/r/otherhost")), bare("localhost", nginx.port));
    assert_eq!(get(&client(), nginx.url("/r/creds")), bare("127.0.0.1", nginx.port));
}

#[test]
fn security_34_nothing_is_decompressed() {
    let Some(nginx) = nginx() else { return };
    // nginx compresses text for whoever asks; nobody asks here.
    let document = document(&client(), nginx.url("/pub/lf.txt"));
    assert!(document.notes().is_empty());
    let compressed = Listener::answering("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nxyz");
    let mut octets = Vec::new();
    let mut document = crate::support::document(&client(), compressed.http_url("/"));
    document.write_to(&mut octets).expect("it can be read");
    assert_eq!(octets, b"xyz");
    assert_eq!(document.notes()[0].code, "content-encoding");
}

#[test]
fn d_40_the_selector_arrives_octet_for_octet() {
    let listener = Listener::answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    let paths = [
        "/",
        "/%7Euser",
        "/~user",
        "/a;b;c=d",
        "//a//b",
        "/../x/./y/..",
        "/%2e%2E/%2F",
        "/caf%c3%a9",
        "/caf%C3%A9",
        "/?",
        "/x?",
        "/?a=b&c;d",
        "/?a/b?c",
        "/a:b@c&d=e",
        "/$-_.+!*'(),",
        "/%00%0D%0A",
        "/%25%32%46",
    ];
    for path in paths {
        get(&client(), listener.http_url(path));
    }
    get(&client(), listener.http_url(""));
    let asked = listener.asked();
    for (request, path) in asked.iter().zip(paths.iter().chain(&["/"])) {
        let line = format!("GET {path} HTTP/1.1\r\n");
        assert!(request.starts_with(line.as_bytes()), "{path}: {}", String::from_utf8_lossy(request));
    }
    assert_eq!(asked.len(), paths.len() + 1);
}

#[test]
fn a_search_without_a_path_is_sent_with_its_slash() {
    let listener = Listener::answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    get(&client(), listener.http_url("?q"));
    assert!(listener.asked()[0].starts_with(b"GET /?q HTTP/1.1\r\n"));
}

#[test]
fn the_host_header_is_the_host_as_written_and_the_port_only_if_it_differs() {
    let plan = |text: &str| client().plan(&url(text)).expect("nothing is opened").to_string();
    assert!(plan("http://LocalHost:8080/").contains("host: LocalHost:8080\\r\\n"));
    assert!(plan("http://LocalHost/").contains("host: LocalHost\\r\\n"));
    assert!(plan("http://LocalHost:80/").contains("host: LocalHost\\r\\n"));
    assert!(plan("http://LocalHost:0080/").contains("host: LocalHost\\r\\n"));
    assert!(plan("https://h.example:443/").contains("host: h.example\\r\\n"));
    assert!(plan("https://h.example:8080/").contains("host: h.example:8080\\r\\n"));
    assert!(plan("http://[::1]:8080/").contains("host: [::1]:8080\\r\\n"));
}

#[test]
fn the_plan_is_what_is_sent_octet_for_octet() {
    let listener = Listener::answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    for path in ["/", "/a%20b?c;d", "//x/../y?"] {
        let text = listener.http_url(path);
        let plan = client().plan(&url(&text)).expect("nothing is opened");
        let planned: Vec<u8> = plan
            .lines()
            .iter()
            .filter_map(|line| match line {
                PlanLine::Send(command) => Some(command.octets()),
                _ => None,
            })
            .collect::<Vec<_>>()
            .concat();
        assert_eq!(
            plan.lines()[0],
            PlanLine::Connect { host: "127.0.0.1".to_owned(), port: listener.port, tls: false }
        );
        assert_eq!(plan.lines().last().map(PlanLine::kind), Some("expect"));
        get(&client(), text);
        assert_eq!(listener.asked().pop().expect("it was asked"), planned);
    }
}

#[test]
fn a_plan_resolves_no_name_and_does_not_connect() {
    let plan = client().plan(&url("https://no-such-host.invalid/x")).expect("nothing is opened");
    assert_eq!(plan.lines()[0].to_string(), "no-such-host.invalid port 443, with TLS from the first octet");
    assert!(plan.lines().iter().any(|line| line.to_string() == r"GET /x HTTP/1.1\r\n"));
}

#[test]
fn chunks_are_joined_however_they_arrive() {
    let answer = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n5\r\nhello\r\n1;x=y\r\n,\r\n006\r\n world\r\n0\r\nTrailer: x\r\n\r\n";
    let whole = Listener::answering(answer);
    assert_eq!(get(&client(), whole.http_url("/")), b"hello, world");
    let dripping = Listener::http(move |mut stream| {
        stream.set_nodelay(true).expect("a socket");
        for octet in answer {
            std::io::Write::write_all(&mut stream, &[*octet]).expect("it is read");
        }
    });
    assert_eq!(get(&client(), dripping.http_url("/")), b"hello, world");
}

#[test]
fn an_answer_without_a_length_ends_with_the_connection() {
    let listener = Listener::answering("HTTP/1.0 200 OK\r\n\r\nto the end");
    let document = document(&client(), listener.http_url("/"));
    assert_eq!((document.size(), document.media_type()), (None, None));
    assert_eq!(get(&client(), listener.http_url("/")), b"to the end");
}

#[test]
fn interim_answers_are_passed_over() {
    let listener = Listener::answering(
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
    );
    assert_eq!(get(&client(), listener.http_url("/")), b"ok");
}

#[test]
fn a_user_agent_that_would_inject_is_refused_before_the_connection() {
    let listener = Listener::answering("HTTP/1.1 200 OK\r\n\r\n");
    let client = client_with(|options| "x\r\ny: z".clone_into(&mut options.user_agent));
    let error = failure(&client, listener.http_url("/"));
    assert_eq!(error.kind(), ErrorKind::Setting);
    let said =
        "the option `user_agent` contains a control character (RFC 9110 section 5.5); remove the control character";
    assert_eq!(error.to_string(), said);
    assert!(listener.asked().is_empty());
}
