//! Conversions to and from `url::Url` and `http::Uri`: the same text and the same reading, or an error that names the part.

#![cfg(feature = "http")]
#![allow(clippy::unwrap_used, reason = "a table that cannot be read must stop the test")]

use std::fs;
use std::path::Path;

use http::Uri;
use serde_json::Value;
use urlwise::{Profile, Url};
use urlwise_readings::convert::{ConvertError, from_uri, from_url, to_uri, to_url};

fn ours(text: &str) -> Url<&str> {
    Url::parse(text).unwrap()
}

#[track_caller]
fn differs(error: &ConvertError, part: &str) {
    assert_eq!(error.part(), Some(part), "{error}");
}

#[test]
fn url_keeps_what_it_would_not_change() {
    for text in [
        "http://host.dom/a?b",
        "ftp://jim:pw@host.dom:2121/a/b;type=a",
        "gopher://host.dom/0a%09b",
        "mailto:joe@host.dom",
        "file:///etc/motd",
        "news:comp.lang.c",
    ] {
        let other = to_url(&ours(text)).unwrap();
        assert_eq!(other.as_str(), text);
        assert_eq!(from_url(&other).unwrap().as_str(), text);
    }
}

#[test]
fn what_url_changes_is_an_error_that_names_the_part() {
    for (text, part) in [
        ("HTTP://host.dom/", "scheme"),
        ("http://HOST.dom/", "host"),
        ("http://host.dom", "path"),
        ("http://host.dom:80/", "port"),
        ("ftp://@host.dom/", "user"),
        ("ftp://u:@host.dom/", "password"),
        ("http://host.dom/a/../b", "path"),
        ("http://host.dom/?a'b", "search"),
        ("file://localhost/x", "host"),
        ("http://192.0.2.07/", "host"),
    ] {
        differs(&to_url(&ours(text)).unwrap_err(), part);
    }
}

#[test]
fn what_url_reads_differently_is_an_error() {
    // RFC 1738 reads the name of an article here.
    differs(&to_url(&ours("news://host.dom/a@b.dom")).unwrap_err(), "host");
    // Under `rfc1738` there is no host with an underscore.
    differs(&to_url(&ours("foo://a_b/")).unwrap_err(), "host");
}

#[test]
fn a_fragment_of_url_is_not_lost_but_refused() {
    let other = url::Url::parse("http://host.dom/#top").unwrap();
    let error = from_url(&other).unwrap_err();
    assert_eq!(error.part(), None);
    assert!(error.to_string().contains("a fragment is not part of a URL"), "{error}");
}

#[test]
fn http_keeps_what_it_would_not_change() {
    for text in ["http://host.dom/", "http://host.dom:8080/a?b", "ftp://jim:pw@host.dom/x"] {
        let uri = to_uri(&ours(text)).unwrap();
        assert_eq!(uri.to_string(), text);
        assert_eq!(from_uri(&uri).unwrap().as_str(), text);
    }
}

#[test]
fn what_http_changes_reads_differently_or_has_no_place_for_is_an_error() {
    differs(&to_uri(&ours("http://host.dom")).unwrap_err(), "path");
    differs(&to_uri(&ours("HTTP://host.dom/")).unwrap_err(), "scheme");
    // A host and a port to this crate.
    differs(&to_uri(&ours("localhost:8080")).unwrap_err(), "scheme");
    let error = to_uri(&ours("mailto:joe@host.dom")).unwrap_err();
    assert!(error.part().is_some() || error.to_string().contains("refuses"), "{error}");
    let path = Uri::from_static("/a/b");
    assert!(from_uri(&path).unwrap_err().to_string().contains("scheme-missing"));
}

#[test]
fn no_error_holds_a_password() {
    for text in ["ftp://jim:s3cret@HOST.dom:21/", "ftp://jim:s3cret@host.dom"] {
        for error in [to_url(&ours(text)).err(), to_uri(&ours(text)).err()].into_iter().flatten() {
            assert!(!format!("{error} {error:?}").contains("s3cret"), "{error}");
        }
    }
}

#[test]
fn over_the_case_table_nothing_changes_in_silence() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../urlwise/tests/data/cases");
    let (mut kept, mut refused) = ([0, 0], [0, 0]);
    for file in fs::read_dir(folder).unwrap() {
        for line in fs::read_to_string(file.unwrap().path()).unwrap().lines() {
            let case: Value = serde_json::from_str(line).unwrap();
            let Some(text) = case["url"].as_str() else { continue };
            for &profile in Profile::ALL {
                let Ok(url) = Url::parse_with(text, profile) else { continue };
                let texts = [
                    to_url(&url)
                        .map(|other| (other.as_str().to_owned(), other.port(), other.host_str().map(str::to_owned))),
                    to_uri(&url).map(|uri| (uri.to_string(), uri.port_u16(), uri.host().map(str::to_owned))),
                ];
                for (i, result) in texts.into_iter().enumerate() {
                    match result {
                        Ok((written, port, host)) => {
                            assert_eq!(written, text);
                            assert_eq!(port, url.port().and_then(|port| port.parse().ok()), "{text}");
                            let ours = url.host().map(urlwise::Host::as_str).filter(|host| !host.is_empty());
                            assert_eq!(host.as_deref().filter(|host| !host.is_empty()), ours, "{text}");
                            kept[i] += 1;
                        }
                        Err(error) => {
                            assert!(error.part().is_some() || error.to_string().contains("rejects"), "{text}: {error}");
                            refused[i] += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(kept[0] > 200 && kept[1] > 100 && refused[0] > 50 && refused[1] > 50, "{kept:?} {refused:?}");
}

#[test]
fn an_error_honours_the_width_of_a_format() {
    let error = to_uri(&ours("http://host.dom")).unwrap_err();
    let plain = error.to_string();
    let width = plain.chars().count() + 2;
    assert_eq!(format!("{error:>width$}|{error:.3}"), format!("  {plain}|{}", &plain[..3]));
}
