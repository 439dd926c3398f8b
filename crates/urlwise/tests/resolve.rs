//! Relative references: the examples of RFC 1808 section 5 and RFC 3986 section 5.4, and what each scheme makes of them.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use urlwise::{Profile, Reference, Scheme, Url};

/// What a reference comes to, whether it is a URL of RFC 1738 or not.
fn resolved(base: &Reference<'_>, reference: &str) -> (String, bool) {
    match base.resolve(reference) {
        Ok(resolved) => (resolved.as_str().to_owned(), true),
        Err(error) => (error.text().unwrap_or_else(|| panic!("{reference}: {error}")).to_owned(), false),
    }
}

/// RFC 1808 section 5.1, all of it.
const RFC1808_NORMAL: [(&str, &str); 24] = [
    ("g:h", "g:h"),
    ("g", "http://a/b/c/g"),
    ("./g", "http://a/b/c/g"),
    ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"),
    ("//g", "http://g"),
    ("?y", "http://a/b/c/d;p?y"),
    ("g?y", "http://a/b/c/g?y"),
    ("g?y/./x", "http://a/b/c/g?y/./x"),
    ("#s", "http://a/b/c/d;p?q#s"),
    ("g#s", "http://a/b/c/g#s"),
    ("g#s/./x", "http://a/b/c/g#s/./x"),
    ("g?y#s", "http://a/b/c/g?y#s"),
    (";x", "http://a/b/c/d;x"),
    ("g;x", "http://a/b/c/g;x"),
    ("g;x?y#s", "http://a/b/c/g;x?y#s"),
    (".", "http://a/b/c/"),
    ("./", "http://a/b/c/"),
    ("..", "http://a/b/"),
    ("../", "http://a/b/"),
    ("../g", "http://a/b/g"),
    ("../..", "http://a/"),
    ("../../", "http://a/"),
    ("../../g", "http://a/g"),
];

/// RFC 1808 section 5.2, all of it.
const RFC1808_ABNORMAL: [(&str, &str); 15] = [
    ("", "http://a/b/c/d;p?q#f"),
    ("../../../g", "http://a/../g"),
    ("../../../../g", "http://a/../../g"),
    ("/./g", "http://a/./g"),
    ("/../g", "http://a/../g"),
    ("g.", "http://a/b/c/g."),
    (".g", "http://a/b/c/.g"),
    ("g..", "http://a/b/c/g.."),
    ("..g", "http://a/b/c/..g"),
    ("./../g", "http://a/b/g"),
    ("./g/.", "http://a/b/c/g/"),
    ("g/./h", "http://a/b/c/g/h"),
    ("g/../h", "http://a/b/c/h"),
    ("http:g", "http:g"),
    ("http:", "http:"),
];

#[test]
fn references_resolve_as_rfc_1808_section_5_lists() {
    let base = Reference::parse("http://a/b/c/d;p?q#f").unwrap();
    for (reference, target) in RFC1808_NORMAL.into_iter().chain(RFC1808_ABNORMAL) {
        // RFC 1808 lets a query hold a slash, RFC 1738 does not (D-38); and `http:` alone is not one of its URLs.
        let valid = !["g?y/./x", "http:g", "http:"].contains(&reference);
        assert_eq!(resolved(&base, reference), (target.to_owned(), valid), "<{reference}>");
    }
}

/// RFC 3986 section 5.4.1, all of it.
const RFC3986_NORMAL: [(&str, &str); 23] = [
    ("g:h", "g:h"),
    ("g", "http://a/b/c/g"),
    ("./g", "http://a/b/c/g"),
    ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"),
    ("//g", "http://g"),
    ("?y", "http://a/b/c/d;p?y"),
    ("g?y", "http://a/b/c/g?y"),
    ("#s", "http://a/b/c/d;p?q#s"),
    ("g#s", "http://a/b/c/g#s"),
    ("g?y#s", "http://a/b/c/g?y#s"),
    (";x", "http://a/b/c/;x"),
    ("g;x", "http://a/b/c/g;x"),
    ("g;x?y#s", "http://a/b/c/g;x?y#s"),
    ("", "http://a/b/c/d;p?q"),
    (".", "http://a/b/c/"),
    ("./", "http://a/b/c/"),
    ("..", "http://a/b/"),
    ("../", "http://a/b/"),
    ("../g", "http://a/b/g"),
    ("../..", "http://a/"),
    ("../../", "http://a/"),
    ("../../g", "http://a/g"),
];

/// RFC 3986 section 5.4.2, all of it, the last as a strict reader has it.
const RFC3986_ABNORMAL: [(&str, &str); 19] = [
    ("../../../g", "http://a/g"),
    ("../../../../g", "http://a/g"),
    ("/./g", "http://a/g"),
    ("/../g", "http://a/g"),
    ("g.", "http://a/b/c/g."),
    (".g", "http://a/b/c/.g"),
    ("g..", "http://a/b/c/g.."),
    ("..g", "http://a/b/c/..g"),
    ("./../g", "http://a/b/g"),
    ("./g/.", "http://a/b/c/g/"),
    ("g/./h", "http://a/b/c/g/h"),
    ("g/../h", "http://a/b/c/h"),
    ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
    ("g;x=1/../y", "http://a/b/c/y"),
    ("g?y/./x", "http://a/b/c/g?y/./x"),
    ("g?y/../x", "http://a/b/c/g?y/../x"),
    ("g#s/./x", "http://a/b/c/g#s/./x"),
    ("g#s/../x", "http://a/b/c/g#s/../x"),
    ("http:g", "http:g"),
];

#[test]
fn references_resolve_under_current_as_rfc_3986_section_5_4_lists() {
    // The base of the RFC has no fragment; one would not be inherited (section 5.2.2).
    for base in ["http://a/b/c/d;p?q", "http://a/b/c/d;p?q#f"] {
        let base = Reference::parse_with(base, Profile::Current).unwrap();
        for (reference, target) in RFC3986_NORMAL.into_iter().chain(RFC3986_ABNORMAL) {
            assert_eq!(resolved(&base, reference), (target.to_owned(), reference != "http:g"), "<{reference}>");
        }
    }
}

fn from(profile: Profile, base: &str, reference: &str) -> String {
    let url = Url::parse_with(base, profile).unwrap_or_else(|error| panic!("{error}"));
    match url.resolve(reference) {
        Ok(resolved) => resolved.as_str().to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn each_scheme_divides_its_references_as_it_divides_its_urls() {
    for (base, reference, target) in [
        ("ftp://u:p@h:2121/a/b;type=a", "c", "ftp://u:p@h:2121/a/c"),
        ("ftp://h/a/b;type=a", ";type=i", "ftp://h/a/b;type=i"),
        ("ftp://h/a/b;type=a", "c;type=d", "ftp://h/a/c;type=d"),
        ("ftp://h/a/b;type=a", "#f", "ftp://h/a/b;type=a#f"),
        ("ftp://h/a/b?c/d", "?e", "ftp://h/a/b?c/?e"), // `?` is data: D-33
        ("ftp://h", "a", "ftp://h/a"),
        ("ftp://h/%2Fetc/", "motd", "ftp://h/%2Fetc/motd"),
        ("http://h", "a", "http://h/a"),
        ("http://h/a/b?c", "?d", "http://h/a/b?d"),
        ("file:///a/b", "c", "file:///a/c"),
        ("file:///a/b/c", "../d", "file:///a/d"),
        ("file://localhost/a", "//h/b", "file://h/b"),
        ("nntp://h/alt.test/12", "13", "nntp://h/alt.test/13"),
        ("nntp://h/alt.test/12", "/alt.x/1", "nntp://h/alt.x/1"),
        ("gopher://h/1/a/b", "c;d?e", "gopher://h/1/a/c;d?e"),
        ("gopher://h/1/a/b", "../c", "gopher://h/1/c"),
        ("gopher://h/0a", "/0b", "gopher://h/0b"),
        ("wais://h/db?x", "?y", "wais://h/db?y"),
        ("wais://h/db/t/p", "q", "wais://h/db/t/q"),
        ("prospero://h/a/b;v=1", "c", "prospero://h/a/c"),
        ("prospero://h/a/b;v=1", ";v=2", "prospero://h/a/b;v=2"),
        ("http://h/a", "mailto:a@b", "mailto:a@b"),
        ("mailto:a@b", "http://h/x/../y", "http://h/x/../y"),
        ("mailto:a@b", "#f", "mailto:a@b#f"),
        ("news:a@b", "", "news:a@b"),
    ] {
        assert_eq!(from(Profile::Rfc1738, base, reference), target, "{base} <{reference}>");
    }
}

#[test]
fn dot_segments_of_an_ftp_path_are_names_under_rfc1738_and_go_under_current() {
    for (reference, rfc1738, current) in [
        ("../c", "ftp://h/a/../c", "ftp://h/c"),
        ("./c", "ftp://h/a/./c", "ftp://h/a/c"),
        ("..", "ftp://h/a/..", "ftp://h/"),
        ("/x/../c", "ftp://h/x/../c", "ftp://h/c"),
        ("//g/x/../c", "ftp://g/x/../c", "ftp://g/c"),
        ("ftp://g/x/../c", "ftp://g/x/../c", "ftp://g/c"),
    ] {
        assert_eq!(from(Profile::Rfc1738, "ftp://h/a/b", reference), rfc1738);
        assert_eq!(from(Profile::Current, "ftp://h/a/b", reference), current);
    }
}

#[test]
fn schemes_without_relative_references_say_so() {
    for base in ["mailto:a@b", "news:a@b", "telnet://h/", "x-new://h/a"] {
        let message = from(Profile::Rfc1738, base, "x");
        assert!(message.contains("RFC 1808 section 2.3, D-09"), "{message}");
    }
    for base in ["gopher://h/0a", "wais://h/db", "prospero://h/a"] {
        let message = from(Profile::Rfc1738, base, "x");
        assert!(message.contains("not hierarchical"), "{message}");
    }
}

#[test]
fn an_invalid_reference_is_refused_with_its_text_and_problem() {
    let base = Url::parse("http://h/a").unwrap();
    let error = base.resolve("b c#d").unwrap_err();
    assert_eq!(error.text(), Some("http://h/b c#d"));
    let problem = error.problem().unwrap();
    assert_eq!((problem.code(), problem.span()), ("bnf-char", 10..11));
    let error = base.resolve("b#c d").unwrap_err();
    assert_eq!(error.problem().unwrap().span(), 12..13);
}

#[test]
fn an_error_shows_no_password() {
    let error = Url::parse("ftp://u:s3cret@h/a").unwrap().resolve("b c").unwrap_err();
    assert!(!format!("{error} {error:?}").contains("s3cret"), "{error}");
}

#[test]
fn under_current_two_slashes_left_over_begin_no_host() {
    for (base, reference, target) in [
        ("x-new:/a/b", "..//c", "x-new:/.//c"),
        ("x-new:/a/b", "/.//c", "x-new:/.//c"),
        ("x-new:/a", "x-new:/.//c", "x-new:/.//c"),
        ("x-new:/a", "//c", "x-new://c"),
        ("x-new://h/a/b", "..//c", "x-new://h//c"),
        ("x-new://h?a/b", "c?d", "x-new://h/c?d"),
        ("x-new:/a/b", "c", "x-new:/a/c"),
        ("file:/a/b", "c", "file:/a/c"),
    ] {
        assert_eq!(from(Profile::Current, base, reference), target, "{base} <{reference}>");
    }
    assert!(from(Profile::Current, "x-new:a", "b").contains("not hierarchical"));
}

#[test]
fn relativize_finds_the_shortest_kind_that_inverts() {
    for (base, target, reference) in [
        ("http://h/a/b", "http://h/a/b", Some("")),
        ("http://h/a/b", "http://h/a/b?c", Some("?c")),
        ("http://h/a/b", "http://h/a/b?", Some("b?")), // RFC 1808 drops an empty query
        ("http://h/a/b?c", "http://h/a/b", Some("b")),
        ("http://h/a/b?c", "http://h/a/", Some("./")),
        ("http://h/a/b", "http://h/a/c:d", Some("./c:d")),
        ("http://h/a/b", "http://h/a//c", Some(".//c")),
        ("http://h/a/b", "http://h//c", Some("..//c")),
        ("http://h/a/b/c", "http://h/d", Some("../../d")),
        ("http://h/a/b", "http://g/a/b", Some("//g/a/b")),
        ("http://h/a/b", "http://h/a/../b", Some("/a/../b")),
        ("http://h", "http://h/a", Some("a")),
        ("http://h/a", "http://h", Some("//h")),
        ("http://h/a", "HTTP://h/a", None),
        ("http://h/a", "ftp://h/a", None),
        ("mailto:a@b", "mailto:c@d", None),
        ("mailto:a@b", "mailto:a@b", Some("")),
        ("ftp://h/a/b", "ftp://h/a/c/d", Some("c/d")),
        ("ftp://h/a/b", "ftp://h/c", Some("/c")), // `..` would stay
        ("ftp://h/a/b", "ftp://h/a/b;type=a", Some(";type=a")),
        ("file:///a/b", "file:///c", Some("../c")),
    ] {
        let [from, to] = [base, target].map(|text| Url::parse(text).unwrap());
        assert_eq!(from.relativize(&to).as_deref(), reference, "{base} {target}");
    }
}

/// Every URL of the case table that is valid under the profile.
fn table(profile: Profile) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/cases");
    let files = fs::read_dir(folder).expect("the case table").map(|entry| entry.expect("a file").path());
    let texts: Vec<String> = files.map(|path| fs::read_to_string(path).expect("UTF-8")).collect();
    let cases = texts.iter().flat_map(|text| text.lines());
    let urls = cases.filter_map(|line| {
        let case: serde_json::Value = serde_json::from_str(line).expect("one object a line");
        case["url"].as_str().map(str::to_owned)
    });
    urls.filter(|text| Url::parse_with(text.as_str(), profile).is_ok()).collect()
}

#[test]
fn relative_references_invert_between_all_urls_of_the_case_table() {
    let mut found = 0;
    for &profile in Profile::ALL {
        let texts = table(profile);
        let urls: Vec<_> = texts.iter().map(|text| Url::parse_with(text.as_str(), profile).unwrap()).collect();
        for base in &urls {
            for target in urls.iter().filter(|target| target.scheme() == base.scheme()) {
                if let Some(reference) = base.relativize(target) {
                    assert_eq!(base.resolve(&reference).unwrap().url(), *target, "{base} <{reference}>");
                    found += 1;
                }
            }
        }
    }
    assert!(found > 10_000, "{found}");
}

fn paths() -> impl Strategy<Value = String> {
    let pieces =
        ["/", "/", "a", "b", "c", ".", "..", "?", ";", ":", "//", "=", "%2F", "#", ";type=a", "x-new:", "http:", "h"];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..10).prop_map(|pieces| pieces.concat())
}

fn bases() -> impl Strategy<Value = String> {
    let schemes: Vec<&str> = Scheme::RFC1738.iter().filter_map(|scheme| scheme.name()).chain(["x-new"]).collect();
    let hosts = ["//h", "//h/", "//g:1/", "///", "/", ""];
    (prop::sample::select(schemes), prop::sample::select(hosts.to_vec()), paths())
        .prop_map(|(scheme, host, path)| format!("{scheme}:{host}{path}"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_a_reference_means_is_valid_and_read_alike_again(base in bases(), reference in paths()) {
        for &profile in Profile::ALL {
            let Ok(base) = Url::parse_with(base.as_str(), profile) else { continue };
            let Ok(resolved) = base.resolve(&reference) else { continue };
            let again = Reference::parse_with(resolved.as_str(), profile);
            prop_assert!(again.is_ok(), "{resolved}");
            prop_assert_eq!(again.map(|again| (again.url().as_str().len(), format!("{:?}", again.url().parts()))).ok(),
                Some((resolved.url().as_str().len(), format!("{:?}", resolved.url().parts()))));
            if profile == Profile::Current && base.as_str().contains("/.") {
                continue; // a reference without path leaves the base's as it is: RFC 3986 section 5.2.2
            }
            let absolute = base.resolve(resolved.as_str()).map(|absolute| absolute.as_str().to_owned());
            prop_assert_eq!(absolute.as_deref().ok(), Some(resolved.as_str()), "a whole URL means itself: {} <{}>", base, reference);
        }
    }

    #[test]
    fn a_reference_without_scheme_and_host_never_leaves_the_host(base in bases(), reference in paths()) {
        for &profile in Profile::ALL {
            let Ok(base) = Url::parse_with(base.as_str(), profile) else { continue };
            let has_scheme = reference.split(['/', '?', '#', ';']).next().is_some_and(|start| start.contains(':'));
            if has_scheme || reference.starts_with("//") {
                continue;
            }
            if let Ok(resolved) = base.resolve(&reference) {
                let url = resolved.url();
                prop_assert_eq!(url.host(), base.host(), "{} <{}> {}", base, reference, resolved);
                prop_assert_eq!(url.port(), base.port());
            }
        }
    }

    #[test]
    fn relativize_inverts(base in bases(), target in bases()) {
        for &profile in Profile::ALL {
            let (Ok(base), Ok(target)) = (Url::parse_with(&base, profile), Url::parse_with(&target, profile)) else {
                continue;
            };
            if let Some(reference) = base.relativize(&target) {
                prop_assert_eq!(base.resolve(&reference).map(|resolved| resolved.as_str().to_owned()).ok(), Some(target.to_string()));
            }
        }
    }
}

#[test]
fn dots_are_removed_only_where_they_are_steps() {
    let base = Url::parse_current("http://h.dom/a/b").unwrap();
    for (reference, resolved) in [
        ("mailto:/./a@h.dom", "mailto:/./a@h.dom"),
        ("http://h.dom/a/./b/../c", "http://h.dom/a/c"),
        ("ftp://h.dom/a/./b/../c", "ftp://h.dom/a/c"),
        ("ftp://a?b@h.dom/./c", "ftp://a?b@h.dom/c"),
        ("http://h.dom/a..b/c./.d", "http://h.dom/a..b/c./.d"),
    ] {
        assert_eq!(base.resolve(reference).unwrap().as_str(), resolved);
    }
}

#[test]
fn an_authority_that_is_no_host_ends_at_the_query_where_there_is_one() {
    let base = Url::parse_current("x://?a@b").unwrap();
    for (reference, resolved) in [("?c", "x://?c"), ("/d", "x:///d"), ("//g/h", "x://g/h"), ("#f", "x://?a@b")] {
        assert_eq!(base.resolve(reference).unwrap().url().as_str(), resolved, "{reference}");
    }
}
