//! finger against fingerd, and against servers that mean harm (RFC 1288).

#[cfg(unix)]
use crate::support::{Fingerd, require};
use crate::support::{Listener, client, client_with, document, failure, get, menu, url};
use std::io::Write as _;
use std::time::{Duration, Instant};
use urlwise::{Profile, Url};
use urlwise_open::policy::Policy;
use urlwise_open::{ErrorKind, Metadata};

fn finger_url(listener: &Listener, path: &str) -> String {
    format!("finger://127.0.0.1:{}{path}", listener.port)
}

#[cfg(unix)]
#[test]
fn fingerd_answers_what_it_is_asked() {
    if !require(Fingerd::PROGRAMS) {
        return;
    }
    let server = Fingerd::start();
    for (path, answer) in [
        ("", "Login    Name\njoe      Joe Doe\n"),
        ("/", "Login    Name\njoe      Joe Doe\n"),
        ("/joe", "Login: joe\t\t\tName: Joe Doe\n"),
        ("/%2FW%20joe", "Login: joe\t\t\tName: Joe Doe\nPlan:\nTo be on time.\n"),
        ("/jim", "finger: jim: no such user.\n"),
    ] {
        assert_eq!(String::from_utf8_lossy(&get(&client(), server.url(path))), answer, "{path}");
    }
    let forwarding = client_with(|options| options.policy = Policy::default().allow("E-35").expect("it may be lifted"));
    assert_eq!(get(&forwarding, server.url("/joe@inner.dom")), b"fingerd: forwarding not allowed\n");
}

#[test]
fn an_answer_is_a_text_and_a_list_of_one_entry() {
    let listener = Listener::answering_line("Login: joe\r\n");
    let text = document(&client(), finger_url(&listener, "/joe"));
    assert_eq!((text.media_type(), text.size()), (Some("text/plain"), None));
    let entries: Vec<_> = menu(&client(), finger_url(&listener, "/joe")).map(|entry| entry.expect("one")).collect();
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0].media_type.as_deref(), Some("text/plain"));
}

#[test]
fn line_ends_become_local_unless_they_are_asked_for_raw() {
    let listener = Listener::answering_line("one\r\ntwo\r\n");
    let local = if cfg!(windows) { "one\r\ntwo\r\n" } else { "one\ntwo\n" };
    assert_eq!(get(&client(), finger_url(&listener, "/joe")), local.as_bytes());
    let raw = client_with(|options| options.raw = true);
    assert_eq!(get(&raw, finger_url(&listener, "/joe")), b"one\r\ntwo\r\n");
}

#[test]
fn metadata_and_a_dry_run_do_not_connect() {
    let listener = Listener::answering_line("");
    let url = url(finger_url(&listener, "/%2FW%20joe"));
    let text = Metadata::default().with_media_type("text/plain");
    assert_eq!(client().metadata(&url).expect("it is known"), text);
    let plan = client().plan(&url).expect("a harmless request").to_string();
    assert!(plan.contains(r"send: /W joe\r\n"), "{plan}");
    assert_eq!(listener.asked(), Vec::<Vec<u8>>::new());
}

#[test]
fn security_4_5_no_octet_is_sent_for_a_finger_url_that_would_inject() {
    let listener = Listener::answering_line("");
    let lax = client_with(|options| options.policy = Policy::default().allow("ctl-other").expect("it may be lifted"));
    for path in ["/a%0D%0Ab", "/a%0Ab", "/a%0D", "/a%00b", "/a%1Bb", "/%2FW%20a%7F"] {
        for client in [&client(), &lax] {
            assert_eq!(failure(client, finger_url(&listener, path)).kind(), ErrorKind::Refused, "{path}");
            assert!(client.plan(&url(finger_url(&listener, path))).is_err(), "{path}");
        }
    }
    assert_eq!(listener.asked(), Vec::<Vec<u8>>::new());
}

#[test]
fn a_request_for_another_host_is_sent_only_if_the_rule_is_lifted() {
    let listener = Listener::answering_line("ok\n");
    for path in ["/joe@inner.dom", "/joe%40inner.dom", "/%40inner.dom"] {
        let error = failure(&client(), finger_url(&listener, path));
        assert_eq!((error.kind(), error.refused_by()), (ErrorKind::Refused, Some("finger-forward")), "{path}");
    }
    assert_eq!(listener.asked(), Vec::<Vec<u8>>::new());
    for name in ["finger-forward", "E-35"] {
        let client = client_with(|options| options.policy = Policy::default().allow(name).expect("it may be lifted"));
        assert_eq!(get(&client, finger_url(&listener, "/joe%40inner.dom")), b"ok\n");
    }
    assert_eq!(listener.asked(), [b"joe@inner.dom\r\n", b"joe@inner.dom\r\n"]);
}

#[test]
fn under_rfc1738_nothing_opens_it_and_the_error_names_the_profile() {
    let url = Url::parse_with("finger://h.example/joe", Profile::Rfc1738).expect("another scheme");
    let error = client().open(&url).expect_err("not one of the ten");
    assert_eq!(error.kind(), ErrorKind::NoAccess);
    assert!(error.to_string().contains("`current`"), "{error}");
}

#[test]
fn security_45_48_silent_and_endless_servers_end_at_their_limits() {
    let silent = Listener::line(|stream| {
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_secs(20));
            drop(stream);
        });
    });
    let impatient = client_with(|options| options.deadlines.first_byte = Duration::from_millis(200));
    let start = Instant::now();
    assert_eq!(failure(&impatient, finger_url(&silent, "/joe")).kind(), ErrorKind::Timeout);
    assert!(start.elapsed() < Duration::from_secs(5));

    let endless = Listener::line(|mut stream| while stream.write_all(&[b'x'; 4096]).is_ok() {});
    let limited = client_with(|options| options.max_size = Some(1 << 20));
    assert_eq!(failure(&limited, finger_url(&endless, "/joe")).kind(), ErrorKind::Limit);
}
