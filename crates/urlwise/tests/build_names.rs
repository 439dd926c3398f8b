//! The names by which parts are written: those that parts have, and those of what is written as other parts.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up must stop")]

use urlwise::Url;
use urlwise::build::BuildError;

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
