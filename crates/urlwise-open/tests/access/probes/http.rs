//! Probes of http against nginx, and against answers that nginx does not give.

use super::{Row, assert_consistent, check, codes, probe};
use crate::support::{Authority, Listener, Nginx, client, client_with, require, url};
use std::fmt::Write as _;
use std::time::Duration;
use urlwise_open::{Cause, Netrc, ProbeOptions, ProbeVerdict, Roots};

/// What nginx answers besides files; statuses are added below.
const LOCATIONS: &str = r#"
    location = /retry/429 { add_header Retry-After 7 always; return 429; }
    location = /retry/503 { add_header Retry-After 120 always; return 503; }
    location = /retry/200 { add_header Retry-After 5 always; return 200 ok; }
    location = /challenge/403 { add_header cf-mitigated challenge always; return 403; }
    location = /challenge/503 { add_header cf-mitigated challenge always; return 503; }
    location = /challenge/202 { add_header x-amzn-waf-action challenge always; return 202; }
    location = /challenge/405 { add_header x-amzn-waf-action captcha always; return 405; }
    location = /challenge/429 { add_header x-vercel-mitigated challenge always; return 429; }
    location = /login { auth_basic "staff"; auth_basic_user_file FOLDER/users; }
    location = /head/silent { if ($request_method = HEAD) { return 444; } return 200 ok; }
    location = /both/silent { return 444; }
    location = /head/dead { if ($request_method = HEAD) { return 403; } return 404; }
    location = /head/gone { if ($request_method = HEAD) { return 405; } return 410; }
    location = /head/moved { if ($request_method = HEAD) { return 405; } return 301 /lf.txt; }
    location = /head/429 { if ($request_method = HEAD) { return 429; } return 200 ok; }
    location = /r/301 { return 301 /lf.txt; }
    location = /r/302 { return 302 /lf.txt; }
    location = /r/303 { return 303 /lf.txt; }
    location = /r/307 { return 307 /lf.txt; }
    location = /r/308 { return 308 /lf.txt; }
    location = /r/301-308 { return 301 /r/308; }
    location = /r/301-302 { return 301 /r/302; }
    location = /r/302-301 { return 302 /r/301; }
    location = /r/301-404 { return 301 /nowhere; }
    location = /r/301-403 { return 301 /status/403; }
    location = /r/fragment { return 301 /lf.txt#part; }
    location = /r/loop { return 301 /r/loop2; }
    location = /r/loop2 { return 301 /r/loop; }
    location = /r/self { return 301 /r/self; }
    location ~ ^/r/count/(.*)$ { return 301 /r/count/1$1; }
    location = /r/file { return 301 file:///etc/motd; }
    location = /r/ftp { return 301 ftp://127.0.0.1:10021/lf.txt; }
    location = /r/gopher { return 302 gopher://127.0.0.1/; }
    location = /r/smtp { return 302 http://127.0.0.1:25/; }
    location = /r/control { return 302 "/a\x01b"; }
    location = /r/login { return 302 http://user:s3cret@127.0.0.1:PORT/lf.txt; }
    location = /r/none { return 304; }
"#;

/// Statuses that nginx gives to both methods.
const STATUSES: &[u16] = &[
    200, 204, 400, 401, 402, 403, 404, 405, 406, 407, 409, 410, 411, 413, 414, 415, 416, 418, 421, 423, 425, 429, 431,
    451, 500, 501, 502, 503, 504, 505, 507, 508, 511, 520, 530, 599, 999,
];

/// Statuses that it gives to HEAD alone.
const HEAD_STATUSES: &[u16] = &[400, 403, 404, 405, 406, 500, 501];

fn nginx(authority: Option<&Authority>) -> Option<Nginx> {
    if !require(&["nginx"]) {
        return None;
    }
    let mut locations = LOCATIONS.to_owned();
    for status in STATUSES {
        let _ = writeln!(locations, "location = /status/{status} {{ return {status}; }}");
    }
    for status in HEAD_STATUSES {
        let head = format!("if ($request_method = HEAD) {{ return {status}; }}");
        let _ = writeln!(locations, "location = /head/{status} {{ {head} return 200 ok; }}");
    }
    let nginx = Nginx::start(authority, &locations);
    nginx.write("lf.txt", "line1\nline2\nline3\n");
    nginx.write("empty", "");
    nginx.write("a b.txt", "space\n");
    nginx.write("page.html", "<h1 id=part>Part</h1>\n".repeat(10));
    nginx.write("../users", "joe:{PLAIN}s3cret\n");
    Some(nginx)
}

const NGINX: &[Row] = &[
    ("/lf.txt", "alive", Some(200)),
    ("/lf.txt?a=b", "alive", Some(200)),
    ("/empty", "alive", Some(200)),
    ("/a%20b.txt", "alive", Some(200)),
    ("/status/200", "alive", Some(200)),
    ("/status/204", "alive", Some(204)),
    ("/retry/200", "alive", Some(200)),
    ("/nowhere", "dead (not-found)", Some(404)),
    ("/status/404", "dead (not-found)", Some(404)),
    ("/status/410", "dead (gone)", Some(410)),
    ("/status/400", "unknown (rejected)", Some(400)),
    ("/status/401", "unknown (login)", Some(401)),
    ("/status/402", "unknown (rejected)", Some(402)),
    ("/status/403", "unknown (forbidden)", Some(403)),
    ("/status/405", "unknown (rejected)", Some(405)),
    ("/status/406", "unknown (rejected)", Some(406)),
    ("/status/407", "unknown (login)", Some(407)),
    ("/status/409", "unknown (rejected)", Some(409)),
    ("/status/411", "unknown (rejected)", Some(411)),
    ("/status/413", "unknown (rejected)", Some(413)),
    ("/status/414", "unknown (rejected)", Some(414)),
    ("/status/415", "unknown (rejected)", Some(415)),
    ("/status/416", "unknown (rejected)", Some(416)),
    ("/status/418", "unknown (rejected)", Some(418)),
    ("/status/421", "unknown (rejected)", Some(421)),
    ("/status/423", "unknown (rejected)", Some(423)),
    ("/status/425", "unknown (server-error)", Some(425)),
    ("/status/429", "unknown (rate-limit)", Some(429)),
    ("/status/431", "unknown (rejected)", Some(431)),
    ("/status/451", "unknown (forbidden)", Some(451)),
    ("/status/500", "unknown (server-error)", Some(500)),
    ("/status/501", "unknown (server-error)", Some(501)),
    ("/status/502", "unknown (server-error)", Some(502)),
    ("/status/503", "unknown (server-error)", Some(503)),
    ("/status/504", "unknown (server-error)", Some(504)),
    ("/status/505", "unknown (server-error)", Some(505)),
    ("/status/507", "unknown (server-error)", Some(507)),
    ("/status/508", "unknown (server-error)", Some(508)),
    ("/status/511", "unknown (server-error)", Some(511)),
    ("/status/520", "unknown (server-error)", Some(520)),
    ("/status/530", "unknown (server-error)", Some(530)),
    ("/status/599", "unknown (server-error)", Some(599)),
    ("/status/999", "unknown (challenge)", Some(999)),
    ("/retry/429", "unknown (rate-limit)", Some(429)),
    ("/retry/503", "unknown (rate-limit)", Some(503)),
    ("/challenge/403", "unknown (challenge)", Some(403)),
    ("/challenge/503", "unknown (challenge)", Some(503)),
    ("/challenge/202", "unknown (challenge)", Some(202)),
    ("/challenge/405", "unknown (challenge)", Some(405)),
    ("/challenge/429", "unknown (challenge)", Some(429)),
    ("/login", "unknown (login)", Some(401)),
    ("/head/400", "alive", Some(200)),
    ("/head/403", "alive", Some(200)),
    ("/head/404", "alive", Some(200)),
    ("/head/405", "alive", Some(200)),
    ("/head/406", "alive", Some(200)),
    ("/head/500", "alive", Some(200)),
    ("/head/501", "alive", Some(200)),
    ("/head/silent", "alive", Some(200)),
    ("/both/silent", "unknown (server-error)", None),
    ("/head/dead", "dead (not-found)", Some(404)),
    ("/head/gone", "dead (gone)", Some(410)),
    ("/head/moved", "moved", Some(200)),
    ("/head/429", "unknown (rate-limit)", Some(429)),
    ("/r/301", "moved", Some(200)),
    ("/r/302", "alive", Some(200)),
    ("/r/303", "alive", Some(200)),
    ("/r/307", "alive", Some(200)),
    ("/r/308", "moved", Some(200)),
    ("/r/301-308", "moved", Some(200)),
    ("/r/301-302", "alive", Some(200)),
    ("/r/302-301", "alive", Some(200)),
    ("/r/301-404", "dead (not-found)", Some(404)),
    ("/r/301-403", "unknown (forbidden)", Some(403)),
    ("/r/fragment", "moved", Some(200)),
    ("/r/loop", "unknown (redirects)", None),
    ("/r/self", "unknown (redirects)", None),
    ("/r/count/", "unknown (redirects)", None),
    ("/r/file", "refused", None),
    ("/r/ftp", "refused", None),
    ("/r/gopher", "refused", None),
    ("/r/smtp", "refused", None),
    ("/r/control", "unknown (protocol)", None),
    ("/r/login", "alive", Some(200)),
    ("/r/none", "unknown (rejected)", Some(304)),
];

#[test]
fn every_url_of_nginx_has_its_verdict() {
    let Some(nginx) = nginx(None) else { return };
    check(&client(), NGINX, |path| nginx.url(path));
}

#[test]
fn security_58_no_refusal_limit_challenge_failure_or_timeout_is_dead() {
    let dead: Vec<_> = NGINX.iter().filter(|(_, verdict, _)| verdict.starts_with("dead")).collect();
    assert!(dead.iter().all(|(_, _, status)| matches!(status, Some(404 | 410))), "{dead:?}");
}

#[test]
fn what_moved_says_where_to_and_what_did_not_says_who_answered() {
    let Some(nginx) = nginx(None) else { return };
    let client = client();
    for (path, last) in [
        ("/lf.txt", None),
        ("/r/301", Some("/lf.txt")),
        ("/r/301-302", Some("/lf.txt")),
        ("/r/fragment", Some("/lf.txt")),
        ("/r/301-404", Some("/nowhere")),
        ("/r/loop", Some("/r/loop2")),
        ("/r/ftp", None),
    ] {
        let found = probe(&client, nginx.url(path)).final_url.map(|url| url.as_str().to_owned());
        assert_eq!(found, last.map(|last| nginx.url(last)), "{path}");
    }
    let rules =
        ["/r/file", "/r/ftp", "/r/smtp"].map(|path| probe(&client, nginx.url(path)).error.and_then(|e| e.refused_by()));
    assert_eq!(rules, [Some("file-from-network"), Some("redirect-scheme"), Some("port-foreign")]);
}

#[test]
fn the_last_redirect_that_names_a_fragment_gives_it() {
    let listener = Listener::keeping(|_, request| {
        let text = String::from_utf8_lossy(request);
        let to = match text.split(' ').nth(1)? {
            "/one" => "/end#a b",
            "/two" => "/one#first",
            "/kept" => "/plain#kept",
            "/plain" => "/end",
            "/empty" => "/end#",
            _ => return Some(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".to_vec()),
        };
        let answer = format!("HTTP/1.1 301 Moved\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n");
        Some(answer.into_bytes())
    });
    for (path, fragment) in [
        ("/end", None),
        ("/plain", None),
        ("/one", Some("a%20b")),
        ("/two", Some("a%20b")),
        ("/kept", Some("kept")),
        ("/empty", Some("")),
    ] {
        let probe = probe(&client(), listener.http_url(path));
        assert_eq!(probe.fragment.as_deref(), fragment, "{path}");
        assert!(probe.final_url.is_none_or(|url| url.as_str().ends_with("/end")), "{path}");
    }
}

#[test]
fn a_server_says_when_to_ask_again() {
    let Some(nginx) = nginx(None) else { return };
    for (path, wait) in
        [("/retry/429", Some(7)), ("/retry/503", Some(120)), ("/retry/200", Some(5)), ("/status/429", None)]
    {
        assert_eq!(probe(&client(), nginx.url(path)).retry_after, wait.map(Duration::from_secs), "{path}");
    }
}

#[test]
fn get_follows_head_only_where_its_answer_proves_nothing() {
    let notes = |path| {
        let Some(nginx) = nginx(None) else { return Vec::new() };
        codes(&probe(&client(), nginx.url(path)))
    };
    if !require(&["nginx"]) {
        return;
    }
    assert_eq!(notes("/head/405"), ["head-refused"]);
    assert_eq!(notes("/head/silent"), ["head-failed"]);
    assert_eq!(notes("/lf.txt"), [] as [&str; 0]);
    assert_eq!(notes("/head/dead"), [] as [&str; 0]);

    for (status, requests) in [
        ("200 OK", 1),
        ("408 Slow", 1),
        ("404 No", 2),
        ("403 No", 2),
        ("410 Gone", 1),
        ("429 No", 1),
        ("503 No", 1),
        ("401 No", 1),
        ("502 No", 1),
    ] {
        let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n");
        let listener = Listener::keeping(move |_, _| Some(answer.clone().into_bytes()));
        probe(&client(), listener.http_url("/"));
        let asked = listener.asked();
        assert_eq!(asked.len(), requests, "{status}");
        assert!(asked[0].starts_with(b"0 HEAD "), "{status}");
        // On the same connection.
        assert!(asked.get(1).is_none_or(|request| request.starts_with(b"1 GET ")), "{status}");
    }
}

#[test]
fn a_guard_that_answers_403_is_not_asked_twice() {
    let answer = "HTTP/1.1 403 Forbidden\r\nServer: cloudflare\r\nContent-Length: 0\r\n\r\n";
    let listener = Listener::keeping(move |_, _| Some(answer.into()));
    let probe = probe(&client(), listener.http_url("/"));
    assert_eq!((probe.verdict, listener.asked().len()), (ProbeVerdict::Unknown(Cause::Challenge), 1));
    let what = probe.error.expect("it says so").what().to_string();
    assert_eq!(what, "the server answers 403 with a challenge instead of the document");
}

#[test]
fn a_status_without_a_name_is_a_number() {
    for (status, shown) in [("520 Whatever", "520"), ("502 Whatever", "502 Bad Gateway")] {
        let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n");
        let listener = Listener::keeping(move |_, _| Some(answer.clone().into_bytes()));
        let error = probe(&client(), listener.http_url("/")).error.expect("it failed");
        let what = error.what().to_string();
        assert!(what.ends_with(&format!(": the server answers {shown}")), "{what}");
    }
}

#[test]
fn the_document_is_not_read_and_the_connection_is_kept() {
    let Some(nginx) = nginx(None) else { return };
    let client = client();
    for _ in 0..3 {
        assert_eq!(probe(&client, nginx.url("/lf.txt")).verdict, ProbeVerdict::Alive);
    }
    let listener = Listener::keeping(|_, _| Some(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n".to_vec()));
    for _ in 0..3 {
        assert_eq!(probe(&client, listener.http_url("/")).verdict, ProbeVerdict::Alive);
    }
    assert_eq!(listener.numbers(), [0, 1, 2]);

    // GET is closed after the headers of an endless document.
    let endless = Listener::http(|mut stream| {
        use std::io::Write as _;
        let head = b"HTTP/1.1 200 OK\r\n\r\n";
        let _ = stream.write_all(head);
        while stream.write_all(&[b'x'; 4096]).is_ok() {}
    });
    let mut options = ProbeOptions::default();
    options.body_limit = Some(10_000);
    let found = client.probe(&url(endless.http_url("/")), &options);
    let body = found.body.expect("it was asked for");
    assert_eq!((body.octets.len(), body.is_complete), (10_000, false));
}

#[test]
fn a_body_is_given_as_far_as_it_is_wanted() {
    let Some(nginx) = nginx(None) else { return };
    let wanted = |path: &str, limit| {
        let mut options = ProbeOptions::default();
        options.body_limit = Some(limit);
        let probe = client().probe(&url(nginx.url(path)), &options);
        assert_consistent(&probe);
        probe
    };
    let body = wanted("/lf.txt", 100).body.expect("a document");
    assert_eq!((body.octets.as_slice(), body.is_complete), (&b"line1\nline2\nline3\n"[..], true));
    assert_eq!(body.media_type.as_deref(), Some("text/plain"));
    for (limit, is_complete) in [(17, false), (18, true), (19, true), (0, false)] {
        let body = wanted("/lf.txt", limit).body.expect("a document");
        assert_eq!((body.octets.len(), body.is_complete), (limit.min(18), is_complete), "{limit}");
    }
    let empty = wanted("/empty", 0).body.expect("a document");
    assert_eq!((empty.octets.len(), empty.is_complete), (0, true));
    let moved = wanted("/r/301", 5);
    assert_eq!(
        (moved.verdict, moved.body.expect("a document").octets.as_slice()),
        (ProbeVerdict::Moved, &b"line1"[..])
    );
    let missing = wanted("/nowhere", 5);
    assert_eq!((missing.verdict, missing.body), (ProbeVerdict::Dead(Cause::NotFound), None));
    assert_eq!(probe(&client(), nginx.url("/lf.txt")).body, None);
    // A limit of the client on documents says nothing about the URL.
    let small = client_with(|options| options.max_size = Some(3));
    assert_eq!(probe(&small, nginx.url("/lf.txt")).verdict, ProbeVerdict::Alive);
}

#[test]
fn a_compressed_body_is_given_decompressed() {
    let Some(nginx) = nginx(None) else { return };
    let compressed = client_with(|options| options.compressed = true);
    let mut options = ProbeOptions::default();
    options.body_limit = Some(1_000);
    let body = compressed.probe(&url(nginx.url("/lf.txt")), &options).body.expect("a document");
    assert_eq!((body.octets.as_slice(), body.is_complete), (&b"line1\nline2\nline3\n"[..], true));
}

#[test]
fn security_34_gzip_that_nobody_asked_for_is_undone_as_far_as_the_body_is_wanted() {
    use std::io::Write as _;
    let gzip = |octets: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(octets).expect("in memory");
        encoder.finish().expect("in memory")
    };
    let found = |coding: &str, octets: &[u8], limit| {
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: {coding}\r\nContent-Length: {}\r\n\r\n",
            octets.len()
        );
        let answer = [head.as_bytes(), octets].concat();
        let listener = Listener::keeping(move |_, request| {
            assert!(!String::from_utf8_lossy(request).to_ascii_lowercase().contains("accept-encoding"));
            Some(answer.clone())
        });
        let mut options = ProbeOptions::default();
        options.body_limit = Some(limit);
        let probe = client().probe(&url(listener.http_url("/")), &options);
        assert_consistent(&probe);
        assert_eq!(probe.verdict, ProbeVerdict::Alive, "{coding}");
        let codes = codes(&probe);
        let body = probe.body.expect("a document");
        assert_eq!(codes, if body.is_coded { vec!["content-encoding"] } else { vec![] }, "{coding}");
        (body.octets, body.is_complete, body.is_coded)
    };
    let (plain, once) = (b"<p id=a>".to_vec(), gzip(b"<p id=a>"));
    assert_eq!(found("gzip", &once, 100), (plain.clone(), true, false));
    assert_eq!(found("X-Gzip, identity", &once, 100), (plain.clone(), true, false));
    assert_eq!(found("gzip, gzip", &gzip(&once), 100), (plain.clone(), true, false));
    assert_eq!(found("identity", &plain, 100), (plain.clone(), true, false));
    // What comes before a mistake is there.
    assert_eq!(found("gzip", &[&once[..], b"behind"].concat(), 100), (plain.clone(), false, false));
    assert_eq!(found("gzip", &once[..once.len() - 4], 100), (plain.clone(), false, false));
    // A bomb is not unpacked beyond what is wanted.
    let bomb = gzip(&vec![b'x'; 10_000_000]);
    let (octets, is_complete, is_coded) = found("gzip", &bomb, 100_000);
    assert_eq!((octets.len(), is_complete, is_coded), (100_000, false, false));
    for (coding, octets) in [("br", &plain), ("gzip, br", &once), ("gzip", &plain), ("gzip, gzip, gzip, gzip", &once)] {
        assert_eq!(found(coding, octets, 1_000), (octets.clone(), true, true), "{coding}");
    }
}

#[test]
fn an_untrusted_certificate_proves_nothing() {
    if !require(&["nginx", "openssl"]) {
        return;
    }
    let authority = Authority::new();
    let Some(nginx) = nginx(Some(&authority)) else { return };
    let trusting = client_with(|options| options.roots = Roots::Pem(authority.ca()));
    assert_eq!(probe(&trusting, nginx.tls_url("/lf.txt")).verdict, ProbeVerdict::Alive);
    assert_eq!(probe(&trusting, nginx.tls_url("/nowhere")).verdict, ProbeVerdict::Dead(Cause::NotFound));
    assert_eq!(probe(&client(), nginx.tls_url("/lf.txt")).verdict, ProbeVerdict::Unknown(Cause::Tls));
    // The name of another host, and a server without TLS.
    let other = nginx.tls_url("/lf.txt").replace("localhost", "127.0.0.2");
    assert_eq!(probe(&trusting, other).verdict, ProbeVerdict::Unknown(Cause::Tls));
    let plain = nginx.url("/lf.txt").replace("http:", "https:");
    assert_eq!(probe(&trusting, plain).verdict, ProbeVerdict::Unknown(Cause::Tls));
}

#[test]
fn a_login_of_the_netrc_file_is_used_at_its_host() {
    let Some(nginx) = nginx(None) else { return };
    let netrc = |host: &str| {
        let text = format!("machine {host} login joe password s3cret");
        client_with(|options| {
            options.credentials.netrc = Some(Netrc::parse(text.as_bytes()).expect("well-formed"));
            options.policy = options.policy.clone().allow("local-from-public").expect("it may be lifted");
        })
    };
    let mut link = ProbeOptions::default();
    link.linked_from = Some(url("file:///docs/index.html"));
    for options in [ProbeOptions::default(), link] {
        let verdict = |client: urlwise_open::Client| client.probe(&url(nginx.url("/login")), &options).verdict;
        // There is no such file behind the login.
        assert_eq!(verdict(netrc("127.0.0.1")), ProbeVerdict::Dead(Cause::NotFound));
        assert_eq!(verdict(netrc("h.example")), ProbeVerdict::Unknown(Cause::Login));
    }
}
