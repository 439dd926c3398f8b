//! The names by which parts are written: those that parts have, and those of what is written as other parts.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up must stop")]

use urlwise::build::BuildError;
use urlwise::{Profile, Scheme, Url};

#[test]
fn an_unknown_part_is_answered_with_every_name_that_is_taken() {
    let known = |text: &str| match Url::parse_current(text).unwrap().with("zz", "") {
        Err(BuildError::UnknownPart { known, .. }) => known,
        other => panic!("{other:?}"),
    };
    assert_eq!(known("http://h.dom/"), ["user", "password", "host", "port", "path", "segment", "search"]);
    assert_eq!(known("mailto:a@h.dom"), ["address", "local", "domain", "header"]);
    for text in ["http://h.dom/", "mailto:a@h.dom", "ftp://h.dom/x", "file:///x", "news:a.b", "wais://h.dom/d"] {
        for name in known(text) {
            let set = Url::parse_current(text).unwrap().with(name, "1");
            assert!(!matches!(set, Err(BuildError::UnknownPart { .. })), "{text} {name}");
            let removed = Url::parse_current(text).unwrap().without(name);
            assert!(!matches!(removed, Err(BuildError::UnknownPart { .. })), "{text} {name}");
        }
    }
}

#[test]
fn what_is_written_as_other_parts_is_taken_away_by_its_own_name() {
    let url = Url::parse("http://h.dom/a/b").unwrap();
    assert_eq!(url.without("path").unwrap().as_str(), "http://h.dom");
    let mut draft = url.edit();
    draft.set_all("path", &["c/d"]).unwrap();
    assert_eq!(draft.build().unwrap().as_str(), "http://h.dom/c/d");
    draft.remove("path").unwrap();
    assert_eq!(draft.build().unwrap().as_str(), "http://h.dom");
    assert_eq!(draft.set_all("path", &["c", "d"]), Err(BuildError::Repeated { part: "path" }));
    assert!(matches!(draft.add_field("path", "a", "b"), Err(BuildError::Form { part: "path", .. })));
    let refused = Url::parse("mailto:a@h.dom").unwrap().without("local").unwrap_err();
    assert!(refused.to_string().starts_with("error[mailto-addrspec]"), "{refused}");
}

#[test]
fn a_search_is_also_called_a_query() {
    let url = Url::parse("http://h.dom/a?b").unwrap();
    assert_eq!((url.query().unwrap().as_str(), url.with("query", "c").unwrap().as_str()), ("b", "http://h.dom/a?c"));
    assert_eq!(url.without("query").unwrap().as_str(), "http://h.dom/a");
    let url = Url::parse("wais://h.dom/d?b").unwrap();
    assert_eq!((url.query().unwrap().as_str(), url.with("query", "c").unwrap().as_str()), ("b", "wais://h.dom/d?c"));
}

#[test]
fn an_ipv6_address_needs_no_brackets_as_a_host() {
    let url = Url::parse_current("http://h.dom/").unwrap();
    for host in ["::1", "[::1]"] {
        assert_eq!(url.with_host(host).unwrap().as_str(), "http://[::1]/");
    }
    assert!(url.with_host("::1::").is_err());
    assert!(Url::parse("http://h.dom/").unwrap().with_host("::1").is_err());
}

#[test]
fn a_url_with_another_scheme_is_read_by_the_rules_of_that_scheme() {
    let read = |text: &'static str, profile| Url::parse_with(text, profile).unwrap();
    for (text, scheme, expected) in [
        ("http://h.dom:80/%7Ea?b", "HTTPS", "https://h.dom:80/%7Ea?b"),
        ("HTTP://h.dom/", "http", "HTTP://h.dom/"),
        ("ftp://joe:pw@h.dom/a/b;type=i", "ftps", "ftps://joe:pw@h.dom/a/b;type=i"),
        ("gopher://h.dom/1/a", "http", "http://h.dom/1/a"),
        ("http://h.dom/a", "x-odd", "x-odd://h.dom/a"),
        ("x-a:b", "news", "news:b"),
    ] {
        let url = read(text, Profile::Current).with_scheme(scheme).unwrap();
        assert_eq!(url.as_str(), expected);
        assert_eq!(url, Url::parse_current(expected).unwrap(), "it is what is read");
    }
    assert_eq!(read("http://h.dom/", Profile::Current).with_scheme("https").unwrap().port_or_default(), Some(443));
    // By the strict profile https has no rules.
    let other = read("http://h.dom/", Profile::Rfc1738).with_scheme("https").unwrap();
    assert_eq!((other.scheme(), other.profile()), (Scheme::Other, Profile::Rfc1738));
    let refused = |text, scheme: &str| read(text, Profile::Rfc1738).with_scheme(scheme).unwrap_err().to_string();
    for (text, scheme, said) in [
        ("ftp://joe@h.dom/a", "http", "error[http-userinfo]"),
        ("http://h.dom", "nntp", "error["),
        ("http://h.dom:80/a", "file", "error["),
        ("http://h.dom/a", "x y", "error[bnf-char] at 1..2"),
        ("http://h.dom/a", "ftp://x", "error[bnf-char] at 3..6"),
        ("http://h.dom/a", "ftp:", "error[bnf-char] at 3..4"),
        ("http://h.dom/a", "caf\u{e9}", "error[bnf-char] at 3..5"),
        ("http://h.dom/a", "", "error["),
    ] {
        let error = refused(text, scheme);
        assert!(error.starts_with(said), "{text} {scheme:?}: {error}");
    }
    let secret = refused("ftp://joe:s3cret@h.dom/a", "http");
    assert!(!secret.contains("s3cret"), "{secret}");
}
