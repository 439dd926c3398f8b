//! Section 4: what is made of a URL of a registered scheme is read by the rules of its registry again.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up must stop")]

use std::collections::HashSet;

use urlwise::build::BuildError;
use urlwise::registry::{NewScheme, Objection, Registry, Syntax};
use urlwise::{NormalForm, Profile, Url};

/// A room is named, and it is written in small letters.
fn names_a_room(url: &Url<&str>) -> Result<(), Objection> {
    match url.parts().find(|part| part.name() == "urlpath") {
        Some(room) if room.octets().iter().any(u8::is_ascii_uppercase) => {
            Err(Objection::new(room.span(), "rooms are small"))
        }
        Some(room) if !room.octets().is_empty() => Ok(()),
        _ => Err(Objection::new(url.as_str().len()..url.as_str().len(), "no room is named")),
    }
}

fn registry() -> Registry {
    let mut registry = Registry::new();
    let chat = NewScheme::new("x-chat", Syntax::Internet).with_default_port(7070).with_check(names_a_room);
    registry.register(chat.with_relative_references()).unwrap();
    registry.register(NewScheme::new("x-note", Syntax::Opaque)).unwrap();
    registry.register(NewScheme::new("nfs", Syntax::Internet).with_default_port(2049)).unwrap();
    registry
}

/// Whether a URL still knows its registry: the default port, and what the check refuses.
#[track_caller]
fn assert_checked<T: AsRef<str>>(url: &Url<T>) {
    assert_eq!(url.default_port(), Some(7070), "{url}");
    for refused in [url.with("urlpath", ""), url.with("urlpath", "LOUD"), url.without("urlpath")] {
        let Err(BuildError::Refused(refused)) = refused else { panic!("{refused:?}") };
        assert_eq!(refused.problem().code(), "scheme-check", "{url}");
    }
    assert_eq!(url.with("urlpath", "quiet").unwrap().default_port(), Some(7070));
}

#[test]
fn an_edit_of_a_registered_url_is_checked_and_keeps_the_default_port() {
    for &profile in Profile::ALL {
        let url = registry().parse_with("x-chat://h.dom/lobby", profile).unwrap();
        assert_checked(&url);
        assert_checked(&url.to_owned());
        assert_checked(&url.to_owned().borrow());
        assert_checked(&url.edit().build().unwrap());
        assert_checked(&url.with_port(Some(1)).unwrap());
        assert_checked(&url.with_host("other.dom").unwrap());
        assert_checked(&url.with_login(Some(b"jim"), None).unwrap());
        assert_eq!(url.with_port(Some(1)).unwrap().with_port(None).unwrap(), url);
    }
}

#[test]
fn a_diagnosis_gives_the_url_that_the_registry_reads() {
    let registry = registry();
    let url = registry.diagnose("x-chat://h.dom/lobby", Profile::Rfc1738).url().unwrap();
    assert_checked(&url);
    assert_eq!(url, registry.parse("x-chat://h.dom/lobby").unwrap());
}

#[test]
fn a_draft_of_a_registry_is_read_by_its_rules() {
    let registry = registry();
    let draft = registry.draft("X-Chat", Profile::Rfc1738).with("host", "h.dom");
    assert_checked(&draft.clone().with("urlpath", "lobby").build().unwrap());
    assert!(draft.build().unwrap_err().to_string().contains("no room is named"));
    let ftp = registry.draft("ftp", Profile::Rfc1738).with("host", "h.dom").build().unwrap();
    assert_eq!(ftp, Url::parse("ftp://h.dom").unwrap());
}

#[test]
fn a_normal_form_keeps_the_rules_and_is_not_one_that_the_check_refuses() {
    let url = registry();
    let url = url.parse("X-CHAT://H.dom:7070/lobby").unwrap();
    for &form in NormalForm::ALL {
        assert_checked(&url.normalize(form));
    }
    assert_eq!(url.normalize(NormalForm::Scheme).as_str(), "x-chat://h.dom/lobby");
    // `%41` is an A, and big.
    let url = registry();
    let url = url.parse("X-CHAT://h.dom/lobby%41").unwrap();
    assert_eq!(url.normalize(NormalForm::Scheme).as_str(), url.as_str());
    let mut normal = String::from("x");
    url.normalize_into(NormalForm::Scheme, &mut normal);
    assert_eq!(normal, url.as_str());
}

#[test]
fn an_opaque_url_stays_opaque() {
    let registry = registry();
    let url = registry.parse("X-NOTE://h.dom:99999/%7e").unwrap();
    let names = |url: &Url<String>| url.parts().map(|part| part.name()).collect::<Vec<_>>();
    assert_eq!(names(&url.edit().build().unwrap()), ["schemepart"]);
    let normal = url.normalize(NormalForm::Scheme);
    assert_eq!((normal.as_str(), names(&normal.to_owned())), ("x-note://h.dom:99999/%7E", vec!["schemepart"]));
    assert_eq!(url.with("schemepart", "a b").unwrap().as_str(), "X-NOTE:a%20b");
    let error = url.with_host("h.dom").unwrap_err();
    assert_eq!(error.to_string(), "X-NOTE URLs have no part `host`; known parts: schemepart");
}

#[test]
fn references_are_resolved_by_rfc_1808_where_the_scheme_was_registered_with_them() {
    let registry = registry();
    let base = registry.parse("x-chat://h.dom/a/b;p?q/r").unwrap();
    for (reference, expected) in [
        ("c", "x-chat://h.dom/a/c"),
        ("../c?y", "x-chat://h.dom/c?y"),
        ("../../c", "x-chat://h.dom/../c"), // RFC 1808 section 5.2
        ("?y", "x-chat://h.dom/a/b;p?y"),
        (";x", "x-chat://h.dom/a/b;x"),
        ("/c", "x-chat://h.dom/c"),
        ("//other.dom/c", "x-chat://other.dom/c"),
        ("", "x-chat://h.dom/a/b;p?q/r"),
        ("X-Chat://h.dom/c", "X-Chat://h.dom/c"),
    ] {
        let resolved = base.resolve(reference).unwrap();
        assert_eq!(resolved.as_str(), expected, "{reference}");
        assert_checked(&resolved.url());
        assert_checked(&resolved.into_url());
    }
    let error = base.resolve("/").unwrap_err();
    assert_eq!(error.problem().unwrap().code(), "scheme-check");
    // Another scheme is another matter.
    assert_eq!(base.resolve("nfs://h.dom/x").unwrap().url().default_port(), None);
    assert_eq!(base.resolve("ftp://h.dom/x").unwrap().url().default_port(), Some(21));

    let target = registry.parse("x-chat://h.dom/a/d").unwrap();
    assert_eq!(base.relativize(&target).as_deref(), Some("d"));
    let nfs = registry.parse("nfs://h.dom/a/b").unwrap();
    assert!(nfs.resolve("c").unwrap_err().to_string().contains("cannot be a base"));
    assert!(registry.get("x-chat").unwrap().has_relative_references());
    assert!(!registry.get("nfs").unwrap().has_relative_references());
}

#[test]
fn references_are_resolved_by_rfc_3986_and_checked() {
    let registry = registry();
    let base = registry.parse_current("nfs://h.dom/a/b;p?q").unwrap();
    let resolved = base.resolve("../../c").unwrap();
    assert_eq!((resolved.as_str(), resolved.url().default_port()), ("nfs://h.dom/c", Some(2049)));
    let base = registry.parse_current("x-chat://h.dom/a/b").unwrap();
    assert_checked(&base.resolve("c?y").unwrap().url());
    assert!(base.resolve("/").is_err());
}

#[test]
fn urls_that_a_registry_reads_otherwise_are_not_equal_to_those_without_one() {
    let registry = registry();
    for (text, is_other) in [("nfs://h.dom/x", true), ("x-note://h.dom/x", true), ("x-note:a", false)] {
        let (registered, plain) = (registry.parse(text).unwrap(), Url::parse(text).unwrap());
        assert_eq!(registered != plain, is_other, "{text}");
        assert_eq!(registered.cmp(&plain).is_ne(), is_other, "{text}");
        assert_eq!(registered, registered.to_owned());
        let urls: HashSet<_> = [registered, plain, registered].into_iter().collect();
        assert_eq!(urls.len(), 1 + usize::from(is_other), "{text}");
    }
}
