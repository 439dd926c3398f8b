//! What builders and changes of one part promise, for any octets and for every valid URL of the case table.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::error::Error;
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use serde_json::Value;
use urlwise::build::{self, BuildError, Draft, PartKind};
use urlwise::{GopherPlus, Locator, NewsKind, Part, Profile, Scheme, Typecode, Url};

/// Every valid text of the case table, under both profiles.
fn corpus() -> Vec<Url<String>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/cases");
    let mut urls = Vec::new();
    for file in fs::read_dir(folder).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        for line in text.lines().filter(|line| line.starts_with('{')) {
            let case: Value = serde_json::from_str(line).unwrap();
            let Some(url) = case["url"].as_str() else { continue };
            let valid =
                Profile::ALL.iter().copied().filter_map(|profile| Url::parse_with(url.to_owned(), profile).ok());
            urls.extend(valid);
        }
    }
    assert!(urls.len() > 500, "only {} URLs", urls.len());
    urls
}

fn known_parts<T: AsRef<str>>(url: &Url<T>) -> impl Iterator<Item = &'static PartKind> {
    let profile = url.profile();
    build::parts(url.scheme()).filter(move |kind| kind.profile() <= profile)
}

/// What the part stands for, an element for each of its places.
fn octets_of<T: AsRef<str>>(url: &Url<T>, kind: &PartKind) -> Vec<Vec<u8>> {
    let url = url.borrow();
    let parts = url.parts().filter(|part| part.name() == kind.contract_name());
    parts.map(|part| part.decode().into_owned()).collect()
}

/// All parts as they are written but those of this name, of its halves, and those that only divide another.
fn others<'u, T: AsRef<str>>(url: &'u Url<T>, name: &str) -> Vec<(&'static str, &'u [u8])> {
    let is_other = |part: &Part<'_>| {
        let is_address = url.scheme() == Scheme::Mailto && matches!(part.name(), "local" | "domain");
        part.name() != name && !part.is_divided() && !is_address
    };
    url.borrow().parts().filter(is_other).map(|part| (part.name(), part.octets())).collect()
}

#[test]
fn a_url_that_is_taken_apart_is_put_together_octet_for_octet() {
    for url in corpus() {
        assert_eq!(url.edit().build().map(|built| built.to_string()), Ok(url.to_string()));
    }
}

#[test]
fn setting_a_part_to_what_it_is_changes_nothing() {
    for url in corpus() {
        for kind in known_parts(&url) {
            let octets = octets_of(&url, kind);
            let is_ambiguous_field = kind.value_rule().is_some() && url.as_str().contains("%3");
            // Where the whole is opaque, the rest is not a part of its own.
            let is_whole = kind.name() == "schemepart" && url.parts().count() > 1;
            if octets.is_empty() || is_ambiguous_field || is_whole {
                continue;
            }
            let mut draft = url.edit();
            draft.set_all(kind.name(), &octets).unwrap();
            assert_eq!(draft.build().unwrap().as_str(), url.as_str(), "{}", kind.name());
        }
    }
}

#[test]
fn changing_one_part_keeps_all_others_octet_for_octet() {
    let mut changed = 0;
    for url in corpus() {
        for kind in known_parts(&url).filter(|kind| kind.name() != "schemepart" && kind.name() != "all") {
            for octets in [&b"1"[..], b"a;b/c?%~", b"a.dom", b"a@b.dom", b"x=y", b""] {
                let Ok(new) = url.with(kind.name(), octets) else { continue };
                changed += 1;
                assert_eq!(octets_of(&new, kind), [octets], "{url} {} {new}", kind.name());
                let before = others(&url, kind.contract_name());
                let after = others(&new, kind.contract_name());
                // What the part cannot be without may come with it, empty.
                let brought = |part: &&(&str, &[u8])| before.contains(part) || !part.1.is_empty();
                let kept: Vec<_> = after.iter().filter(brought).copied().collect();
                let kept = if before == after { after } else { kept };
                assert_eq!(kept, before, "{url} {} {new}", kind.name());
                assert_eq!(new.scheme_name(), url.scheme_name());
            }
        }
    }
    assert!(changed > 2000, "only {changed} changes");
}

#[test]
fn a_part_that_is_put_in_and_taken_away_leaves_no_trace() {
    for (url, part) in [
        ("ftp://h.dom/x", "user"),
        ("http://h.dom/a", "search"),
        ("nntp://h.dom/a.b", "article"),
        ("telnet://h.dom/", "port"),
        ("prospero://h.dom/x", "field"),
        ("wais://h.dom/db", "search"),
        ("ftp://h.dom/x", "typecode"),
    ] {
        let octets: &[u8] = match part {
            "port" | "article" => b"12",
            "typecode" => b"a",
            _ => b"a=b",
        };
        let with = Url::parse(url).unwrap().with(part, octets).unwrap();
        assert_ne!(with.as_str(), url);
        assert_eq!(with.without(part).unwrap().as_str(), url);
    }
    // What a part brings goes with it.
    for part in ["search", "gopherplus"] {
        let mut draft = Url::parse("gopher://h.dom:70").unwrap().edit();
        draft.add(part, b"x").unwrap();
        draft.remove(part).unwrap();
        assert_eq!(draft.build().map(|url| url.to_string()), Ok("gopher://h.dom:70".into()), "{part}");
    }
    let mut draft = Draft::of(Scheme::Ftp).with("host", "h.dom").with("cwd", "x");
    draft.remove("cwd").unwrap();
    assert_eq!(draft.build().unwrap().as_str(), "ftp://h.dom");
}

#[test]
fn empty_and_absent_are_two_states_of_a_change() {
    let url = Url::parse("ftp://h.dom/x").unwrap();
    assert_eq!(url.with("user", b"").unwrap().as_str(), "ftp://@h.dom/x");
    assert_eq!(url.with_login(Some(b"a"), Some(b"")).unwrap().as_str(), "ftp://a:@h.dom/x");
    let url = Url::parse("http://h.dom/x?").unwrap();
    assert_eq!(url.without("search").unwrap().as_str(), "http://h.dom/x");
    assert_eq!(url.without("segment").unwrap().as_str(), "http://h.dom/?"); // a search demands the slash: D-37
    let url = Url::parse("file://h.dom/x").unwrap();
    assert_eq!(url.without("host").unwrap().as_str(), "file:///x");
    assert_eq!(url.with_host("").unwrap().as_str(), "file:///x");
}

#[test]
fn what_is_empty_goes_with_what_it_cannot_be_without() {
    for (url, part, left) in
        [("ftp://u:@h.dom/x", "user", "ftp://h.dom/x"), ("ftp://u:@h.dom:21/x", "user", "ftp://h.dom:21/x")]
    {
        assert_eq!(Url::parse(url).unwrap().without(part).unwrap().as_str(), left);
    }
    assert!(Url::parse("ftp://u:p@h.dom/x").unwrap().without("user").is_err());
}

#[test]
fn refusals_name_the_part_and_have_help() {
    let ftp = Url::parse("ftp://jim:s3cret@h.dom/x").unwrap();
    let message = |result: Result<Url<String>, BuildError>| result.unwrap_err().to_string();
    assert_eq!(
        message(Draft::of(Scheme::Http).with("zz", b"").build()),
        "http URLs have no part `zz`; known parts: host, port, path, segment, search"
    );
    assert_eq!(message(ftp.with("nmae", b"")), "ftp URLs have no part `nmae`; did you mean `name`?");
    assert_eq!(
        message(ftp.with("zz", b"")),
        "ftp URLs have no part `zz`; known parts: user, password, host, port, cwd, name, typecode"
    );
    let refused = message(ftp.with("host", b"a/b"));
    assert!(refused.contains("`/` (2F) is not allowed in a host") && !refused.contains("s3cret"), "{refused}");
    assert_eq!(message(ftp.without("user")), "`password` requires `user`; give both");
    let http = Url::parse("http://h.dom").unwrap();
    assert_eq!(message(http.with("user", b"")), "RFC 1738 does not define `user` here; use the profile `current`");
    let mut draft = Draft::new("news", Profile::Rfc1738);
    draft.add("group", b"a").unwrap();
    assert_eq!(draft.add("group", b"b").unwrap_err().to_string(), "`group` is given twice; give it once");
    draft.add("unique", b"b").unwrap();
    draft.add("host", b"h.dom").unwrap();
    assert_eq!(message(draft.build()), "`group` and `unique` cannot be combined; give only one");
    let mut draft = Draft::new("gopher", Profile::Rfc1738);
    assert_eq!(draft.add("gtype", b"12").unwrap_err().to_string(), "`gtype` must be one character");
    draft.add("host", b"h.dom").unwrap();
    draft.add("search", b"x").unwrap();
    assert_eq!(message(draft.build()), "`search` requires `gtype`; give both");
    let mut draft = Draft::new("http", Profile::Rfc1738);
    draft.add("path", b"a/b").unwrap();
    assert_eq!(draft.add("path", b"c").unwrap_err().to_string(), "`path` is given twice; give it once");
    let mut draft = Draft::new("mailto", Profile::Rfc1738);
    draft.add("local", b"a").unwrap();
    assert_eq!(draft.add("local", b"b").unwrap_err().to_string(), "`local` is given twice; give it once");
    let field = Draft::new("prospero", Profile::Rfc1738).add("field", b"x").unwrap_err();
    assert_eq!(field.to_string(), "`field` must be a name, `=` and a value");
}

#[test]
fn what_is_wrong_with_a_part_is_the_problem_that_reading_has() {
    let code = |draft: Draft| match draft.build().unwrap_err() {
        BuildError::Refused(refused) => refused.problem().code(),
        error => panic!("{error}"),
    };
    let other = |name| Draft::new(name, Profile::Rfc1738);
    let gopher = |gtype: &str| Draft::of(Scheme::Gopher).with("host", "h").with("gtype", gtype);
    assert_eq!(code(Draft::of(Scheme::Http)), "host-empty");
    assert_eq!(code(Draft::of(Scheme::Http).with("host", "")), "host-empty");
    assert_eq!(code(Draft::of(Scheme::Http).with("host", "1.2.3")), "host-toplabel");
    assert_eq!(code(Draft::of(Scheme::Https).with("host", "[::1")), "host-ipv6-form");
    assert_eq!(code(other("x").with("host", "a_b")), "bnf-char");
    assert_eq!(code(other("x").with("host", "1.2.3")), "host-toplabel");
    assert_eq!(code(other("x").with("host", "a:b")), "bnf-char");
    assert_eq!(code(Draft::of(Scheme::News).with("group", "1a")), "news-group");
    assert_eq!(code(Draft::of(Scheme::News).with("group", "*")), "bnf-char");
    assert_eq!(code(Draft::of(Scheme::News).with("unique", "").with("host", "h.dom")), "news-msgid");
    assert_eq!(code(Draft::of(Scheme::News).with("group", "a@h.dom")), "bnf-char");
    assert_eq!(code(Draft::of(Scheme::Nntp).with("host", "h.dom")), "path-missing");
    assert_eq!(code(Draft::of(Scheme::Nntp).with("host", "h.dom").with("group", "a/1")), "bnf-char");
    assert_eq!(code(Draft::of(Scheme::Wais).with("host", "h.dom")), "path-missing");
    assert_eq!(code(Draft::of(Scheme::Mailto)), "mailto-addrspec");
    assert_eq!(code(Draft::of(Scheme::Mailto).with("address", "a b")), "mailto-addrspec");
    assert_eq!(code(gopher("\t")), "gopher-gtype-ctl");
    assert_eq!(code(gopher("0").with("selector", "a\tb")), "gopher-selector-ctl");
    assert_eq!(code(gopher("7").with("search", "a\tb")), "gopher-selector-ctl");
    // These are URLs, but of other parts.
    assert_eq!(code(Draft::new("ftp", Profile::Current).with("host", "h.dom").with("typecode", "")), "ftp-typecode");
    assert_eq!(code(Draft::new("news", Profile::Current).with("server", "h.dom").with("group", "")), "news-group");
    // What was read as it was written is not to blame.
    let mut kept = Url::parse_with("ftp://[::1]/abcdefgh/b/c", Profile::Current).unwrap().edit();
    kept.add("typecode", b"").unwrap();
    assert_eq!(code(kept), "ftp-typecode");
    assert_eq!(code(other("").with("schemepart", "x")), "scheme-empty");
    assert_eq!(code(other("a:b").with("schemepart", "x")), "bnf-char");
    assert_eq!(code(other("a b").with("schemepart", "x")), "scheme-char");
    assert_eq!(code(Draft::of(Scheme::File).with("host", "h.dom:80").with("segment", "x")), "port-forbidden");
}

#[test]
fn a_chain_ends_with_its_first_error() {
    let draft = Draft::of(Scheme::Ftp).with("host", "h.dom").with("nmae", "x").with("name", "y").with("name", "z");
    assert_eq!(draft.build().unwrap_err().to_string(), "ftp URLs have no part `nmae`; did you mean `name`?");
    let draft = Draft::of(Scheme::Http).with("user", "jim");
    assert_eq!(draft.build(), Err(BuildError::NotInProfile { part: "user" }));
    // No profile lets a gopher URL have one.
    let draft = Draft::of(Scheme::Gophers).with("user", "jim");
    assert!(matches!(draft.build(), Err(BuildError::UnknownPart { .. })));
    let draft = Draft::of(Scheme::Wais).with("host", "h").with("database", "d").with("search", "s");
    let draft = draft.with("wtype", "t").with("wpath", "p");
    assert_eq!(draft.build(), Err(BuildError::Conflict { part: "search", other: "wtype" }));
}

#[test]
fn no_order_of_parts_is_needed() {
    let draft =
        Draft::of(Scheme::Ftp).with("typecode", "d").with("cwd", "a").with("port", "2121").with("host", "h.dom");
    assert_eq!(draft.clone().build().unwrap().as_str(), "ftp://h.dom:2121/a/;type=d");
    assert_eq!(draft.with("cwd", "b").build().unwrap().as_str(), "ftp://h.dom:2121/a/b/;type=d");
}

/// The table of section J: what may stand raw besides letters, digits and `$-_.+!*'(),`, by part.
#[test]
fn encoders_leave_raw_only_what_is_not_reserved() {
    let raw = [
        ("ftp", "user password", ";&="),
        ("ftp", "cwd name", ":@&="),
        ("file", "segment", ":@&="),
        // `&` and `=` are a form's own business: a search is given whole.
        ("http", "segment search", ":@&="),
        ("gopher", "gtype selector gopherplus", ";/:@&="),
        ("gopher", "search", ";:@&="),
        ("mailto", "address", "/:@&=;"),
        ("news", "unique", ";:&="),
        ("wais", "database wtype wpath", ""),
        ("wais", "search", ";:@&="),
        ("prospero", "hsoname", "/:@&="),
        ("prospero", "field", ":@&"),
        ("x", "schemepart urlpath", ""),
    ];
    let octets: Vec<u8> = (0..=255).collect();
    for (scheme, parts, others) in raw {
        let kinds = build::parts(Scheme::from_name(scheme.as_bytes(), Profile::Rfc1738));
        for part in parts.split(' ') {
            let kind = kinds.clone().find(|kind| kind.name() == part).unwrap();
            for rule in [Some(kind.rule()), kind.value_rule()].into_iter().flatten() {
                let escaped = |octet: &&u8| rule.encode(&[**octet]).len() == 3;
                let expected = |octet: &&u8| {
                    !octet.is_ascii_alphanumeric()
                        && !b"$-_.+!*'(),".contains(octet)
                        && !others.as_bytes().contains(octet)
                };
                let (found, expected): (Vec<u8>, Vec<u8>) = (
                    octets.iter().filter(escaped).copied().collect(),
                    octets.iter().filter(expected).copied().collect(),
                );
                assert_eq!(found, expected, "{scheme}.{part}");
            }
        }
    }
}

#[test]
fn a_scheme_is_built_by_the_first_profile_that_knows_it() {
    let corpus = corpus();
    for &scheme in Scheme::ALL {
        // With the parts of its shortest URL.
        let urls = corpus.iter().filter(|url| url.scheme() == scheme.base() && url.profile() == scheme.base().since());
        let sample = urls.min_by_key(|url| url.as_str().len()).unwrap_or_else(|| panic!("no case of {scheme}"));
        let mut draft = Draft::of(scheme);
        for kind in known_parts(sample) {
            match octets_of(sample, kind) {
                absent if absent.is_empty() => {}
                octets => draft.set_all(kind.name(), &octets).unwrap_or_else(|error| panic!("{sample}: {error}")),
            }
        }
        let url = draft.build().unwrap();
        assert_eq!((url.scheme(), url.profile()), (scheme, scheme.since()));
    }
}

/// The definition of each scheme and its reader agree about what may be written.
#[test]
fn a_part_is_allowed_if_and_only_if_some_valid_url_has_it() {
    let corpus = corpus();
    let mut wrong = Vec::new();
    for scheme in Scheme::ALL.iter().filter(|scheme| scheme.base() == **scheme) {
        for kind in scheme.parts() {
            let mut urls = corpus.iter().filter(|url| url.scheme().base() == *scheme);
            let is_written = urls.any(|url| url.parts().any(|part| part.name() == kind.contract_name()));
            if kind.is_allowed() != is_written {
                wrong.push((scheme.name(), kind.name(), is_written));
            }
        }
    }
    assert_eq!(wrong, []);
}

#[test]
fn a_part_that_is_there_or_not_takes_nothing_but_itself() {
    let with = |verbose: &str| Draft::of(Scheme::Finger).with("host", "h.dom").with("verbose", verbose).build();
    for given in ["/W", "/w"] {
        let url = with(given).expect("a switch");
        assert_eq!(url.as_str(), format!("finger://h.dom/%2F{}", &given[1..]));
    }
    for given in ["yes", "W", "", "/W ", "%2FW"] {
        assert_eq!(with(given).expect_err(given).to_string(), "`verbose` must be /W", "{given}");
    }
}

#[test]
fn a_scheme_is_written_in_lower_case() {
    assert_eq!(Draft::new("X-Y", Profile::Rfc1738).with("schemepart", "a").build().unwrap().as_str(), "x-y:a");
    let mut draft = Draft::new("FTP", Profile::Rfc1738);
    draft.add("host", b"h.dom").unwrap();
    draft.add("type", b"a").unwrap(); // as in `;type=`
    assert_eq!(draft.build().unwrap().as_str(), "ftp://h.dom/;type=a");
}

#[test]
fn a_mail_address_is_changed_side_by_side() {
    let url = Url::parse("mailto:a%40b.dom").unwrap();
    assert_eq!(url.with("domain", b"c.dom").unwrap().as_str(), "mailto:a%40c.dom");
    assert_eq!(url.with("local", b"x%y").unwrap().as_str(), "mailto:x%25y%40b.dom");
    assert!(url.with("local", b"a@b").is_err());
    let url = Url::parse("mailto:%61@b.dom").unwrap();
    assert_eq!(url.with("local", b"a").unwrap(), url);
    let mut draft = Draft::new("mailto", Profile::Rfc1738);
    draft.add("local", b"\"a").unwrap();
    assert!(draft.add("domain", b"b\"@c.dom").is_err());
}

#[test]
fn a_side_of_an_address_that_cannot_be_read_ends_at_its_last_at_sign() {
    let mut draft = Draft::of(Scheme::Mailto).with("address", "a b@c@h.dom");
    assert!(draft.build().is_err());
    draft.set("local", b"joe").unwrap();
    assert_eq!(draft.build().unwrap().as_str(), "mailto:joe@h.dom");
}

#[test]
fn of_a_list_that_is_given_whole_what_stays_is_kept_as_it_is_written() {
    let http = Draft::of(Scheme::Http).with("host", "h.dom").with("path", "a/b").build();
    assert_eq!(http.unwrap().as_str(), "http://h.dom/a/b");
    let url = Url::parse("prospero://h.dom/x;%61=%62;c=d").unwrap();
    for (fields, built) in [
        (["a=b", "c=e"], "prospero://h.dom/x;%61=%62;c=e"),
        (["a=e", "e=d"], "prospero://h.dom/x;a=e;e=d"),
        (["c=b", "c=d"], "prospero://h.dom/x;c=b;c=d"),
    ] {
        let mut draft = url.edit();
        draft.set_all("field", &fields).unwrap();
        assert_eq!(draft.build().unwrap().as_str(), built);
    }
    let mut draft = Url::parse("ftp://h.dom:21/x").unwrap().edit();
    assert!(draft.set_all("host", &["a.dom", "b.dom"]).is_err());
    draft.set_all::<&str>("port", &[]).unwrap();
    assert_eq!(draft.build().unwrap().as_str(), "ftp://h.dom/x");
}

#[test]
fn a_refusal_is_the_problem_of_the_text_that_the_parts_make() {
    let error = Draft::of(Scheme::Http).with("host", "h_h").with("path", "").build().unwrap_err();
    let BuildError::Refused(refused) = &error else { panic!("{error:?}") };
    assert_eq!(refused.octets(), b"http://h_h/");
    assert_eq!((refused.problem().code(), refused.problem().span()), ("host-underscore", 8..9));
    assert_eq!((refused.to_string(), error.to_string()), (refused.problem().to_string(), refused.to_string()));
    assert_eq!(format!("{refused:?}"), format!("Refused({refused})"));
    // What `Display` says is said once: a report of the chain would repeat it.
    assert!(error.source().is_none());
    assert!(Draft::new("http", Profile::Rfc1738).add("zz", b"").unwrap_err().source().is_none());
}

#[test]
fn nothing_of_a_password_is_shown_by_debug() {
    let builder = Draft::of(Scheme::Ftp).with("user", "jim").with("password", "s3cret").with("host", "h_h");
    assert_eq!(format!("{builder:?}"), "Draft(\"ftp\", user, password, host)");
    assert!(!format!("{:?}", builder.build()).contains("s3cret"));
}

fn octets() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![prop::collection::vec(any::<u8>(), 0..12), "[;/?:@&=%09~+!.a-c \"]{0,8}".prop_map(String::into_bytes),]
}

fn lists() -> impl Strategy<Value = Vec<Vec<u8>>> {
    prop::collection::vec(octets(), 0..4)
}

fn decoded(list: urlwise::Segments<'_>) -> Vec<Vec<u8>> {
    list.map(|segment| segment.decode().into_owned()).collect()
}

#[test]
fn many_parts_cost_linear_time() {
    let start = std::time::Instant::now();
    let mut draft = Draft::new("ftp", Profile::Rfc1738);
    draft.add("host", b"h.dom").unwrap();
    for _ in 0..100_000 {
        draft.add("cwd", b"a").unwrap();
    }
    let url = draft.build().unwrap().with("name", b"x").unwrap();
    assert_eq!(url.as_str().len(), "ftp://h.dom//x".len() + 200_000 - 1);
    // Less than a second; quadratic time would take minutes.
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn ftp_parts_are_read_as_they_were_given(
        user in octets(), password in octets(), cwds in lists(), name in octets(), port in any::<u16>()
    ) {
        let url = Draft::of(Scheme::Ftp).with("user", &user).with("password", &password).with("host", "host.dom")
            .with("port", port.to_string()).with_all("cwd", &cwds).with("name", &name).with("typecode", "a").build().unwrap();
        let Locator::Ftp(ftp) = url.locator() else { panic!("{url:?}") };
        prop_assert_eq!(&*ftp.login().user().unwrap().decode(), &user[..]);
        prop_assert_eq!(&*ftp.login().password().unwrap().decode(), &password[..]);
        prop_assert_eq!(ftp.login().hostport().port_or_default(), Some(port));
        prop_assert_eq!(decoded(ftp.cwds()), cwds);
        prop_assert_eq!(&*ftp.name().unwrap().decode(), &name[..]);
        prop_assert_eq!(ftp.typecode(), Some(Typecode::Ascii));
        prop_assert!(!url.as_str().contains(['~', '?']));
        prop_assert!(Url::parse_with(url.as_str(), Profile::Current).is_ok());
    }

    #[test]
    fn http_and_file_parts_are_read_as_they_were_given(segments in lists(), search in octets()) {
        let url = Draft::of(Scheme::Http).with("host", "host.dom").with_all("segment", &segments).with("search", &search).build().unwrap();
        let Locator::Http(http) = url.locator() else { panic!("{url:?}") };
        let expected = if segments.is_empty() { vec![vec![]] } else { segments.clone() };
        prop_assert_eq!(decoded(http.segments()), expected.clone());
        prop_assert_eq!(&*http.search().unwrap().decode(), &search[..]);
        let url = Draft::of(Scheme::Http).with("host", "host.dom").with_all("segment", &segments).build().unwrap();
        let Locator::Http(http) = url.locator() else { panic!("{url:?}") };
        prop_assert_eq!(decoded(http.segments()), segments);
        let url = Draft::of(Scheme::File).with_all("segment", &expected).build().unwrap();
        let Locator::File(file) = url.locator() else { panic!("{url:?}") };
        prop_assert_eq!(decoded(file.segments()), expected);
    }

    #[test]
    fn gopher_parts_are_read_as_they_were_given(gtype in any::<u8>(), selector in octets(), search in octets(), view in octets()) {
        let plus = GopherPlus::View { view, language: None };
        // What is not read as it was given has no octets.
        let Some(string) = plus.to_octets() else { return Ok(()) };
        let draft = Draft::of(Scheme::Gopher).with("host", "host.dom").with("gtype", [gtype]).with("selector", &selector);
        let built = draft.with("search", &search).with("gopherplus", string).build();
        let Ok(url) = built else {
            let refused = built.unwrap_err();
            let octets = [&[gtype], &selector[..], &search].concat();
            prop_assert!(octets.iter().any(|octet| b"\t\r\n".contains(octet)), "{refused}");
            return Ok(());
        };
        let Locator::Gopher(gopher) = url.locator() else { panic!("{url:?}") };
        prop_assert_eq!(gopher.gtype(), Some(gtype));
        prop_assert_eq!(&*gopher.selector().unwrap().decode(), &selector[..]);
        prop_assert_eq!(&*gopher.search().unwrap().decode(), &search[..]);
        prop_assert_eq!(gopher.plus(), Some(plus));
    }

    #[test]
    fn filled_forms_are_read_as_they_were_given(values in lists()) {
        let plus = GopherPlus::FilledForm { view: Some(b"a/b".to_vec()), values };
        if let Some(string) = plus.to_octets() {
            let draft = Draft::of(Scheme::Gopher).with("host", "h").with("gtype", "0").with("gopherplus", string);
            let url = draft.build().unwrap();
            let Locator::Gopher(gopher) = url.locator() else { panic!("{url:?}") };
            prop_assert_eq!(gopher.plus(), Some(plus));
            prop_assert!(gopher.search().unwrap().is_empty());
        }
    }

    #[test]
    fn wais_and_prospero_parts_are_read_as_they_were_given(a in octets(), b in octets(), c in octets(), fields in prop::collection::vec((octets(), octets()), 0..4)) {
        let url = Draft::of(Scheme::Wais).with("host", "h").with("database", &a).with("wtype", &b).with("wpath", &c).build().unwrap();
        let Locator::Wais(wais) = url.locator() else { panic!("{url:?}") };
        let read = [Some(wais.database()), wais.wtype(), wais.wpath()].map(|part| part.unwrap().decode().into_owned());
        prop_assert_eq!(read, [a.clone(), b.clone(), c]);
        let url = Draft::of(Scheme::Wais).with("host", "h").with("database", &a).with("search", &b).build().unwrap();
        let Locator::Wais(wais) = url.locator() else { panic!("{url:?}") };
        prop_assert_eq!(wais.search().unwrap().decode().into_owned(), b);
        let mut draft = Draft::of(Scheme::Prospero).with("host", "h").with("hsoname", &a);
        for (name, value) in &fields {
            draft = draft.with_field("field", name, value);
        }
        let url = draft.build().unwrap();
        let Locator::Prospero(prospero) = url.locator() else { panic!("{url:?}") };
        let read: Vec<_> = prospero.fields()
            .map(|(name, value)| (name.decode().into_owned(), value.unwrap().decode().into_owned())).collect();
        prop_assert_eq!(read, fields);
        prop_assert_eq!(prospero.hsoname().decode().into_owned(), a);
    }

    #[test]
    fn what_is_built_of_any_text_is_refused_or_read_as_it_was_given(text in "[a-z0-9.:@/*%_\\[\\]~é ;?-]{0,8}", octets in octets()) {
        if let Ok(url) = Draft::of(Scheme::News).with("unique", &octets).with("host", &text).build() {
            let Locator::News(news) = url.locator() else { panic!("{url:?}") };
            let NewsKind::Article { unique, host } = news.kind() else { panic!("{url:?}") };
            prop_assert_eq!(&*unique.decode(), &octets[..]);
            prop_assert_eq!(host.as_str(), text.clone());
        }
        if let Ok(url) = Draft::of(Scheme::Nntp).with("host", &text).with("group", &text).with("article", "7").build() {
            let Locator::Nntp(nntp) = url.locator() else { panic!("{url:?}") };
            prop_assert_eq!((url.host().unwrap().as_str(), nntp.group(), nntp.article()), (&*text, &*text, Some("7")));
        }
        if let Ok(url) = Draft::of(Scheme::Mailto).with("address", &octets).build() {
            let Locator::Mailto(mailto) = url.locator() else { panic!("{url:?}") };
            prop_assert_eq!(&*mailto.address().decode(), &octets[..]);
        }
        for scheme in [Scheme::Telnet, Scheme::Telnets] {
            if let Ok(url) = Draft::of(scheme).with("user", &octets).with("host", &text).build() {
                prop_assert_eq!(&*url.user().unwrap().decode(), &octets[..]);
                prop_assert_eq!(url.host().unwrap().as_str(), text.clone());
                prop_assert_eq!(url.port(), None);
            }
        }
        if let Ok(url) = Draft::new("x-y", Profile::Rfc1738).with("user", &octets).with("host", &text).with("urlpath", &octets).build() {
            let Locator::Other(other) = url.locator() else { panic!("{url:?}") };
            prop_assert_eq!(other.login().unwrap().hostport().host().as_str(), text.clone());
            prop_assert_eq!(&*other.urlpath().unwrap().decode(), &octets[..]);
        }
        let url = Draft::new("x-y", Profile::Rfc1738).with("schemepart", &octets).build().unwrap();
        let Locator::Other(other) = url.locator() else { panic!("{url:?}") };
        prop_assert_eq!(&*other.schemepart().decode(), &octets[..]);
        if let Ok(url) = Draft::new(&text, Profile::Rfc1738).with("schemepart", "a").build() {
            prop_assert_eq!(url.scheme_name(), text.to_ascii_lowercase());
        }
    }

    #[test]
    fn parts_given_by_name_in_any_order_are_read_as_they_were_given(
        given in prop::collection::vec((any::<prop::sample::Index>(), octets()), 0..6), scheme in any::<prop::sample::Index>()
    ) {
        for &profile in Profile::ALL {
            let names: Vec<&str> = Scheme::ALL.iter().filter_map(|scheme| scheme.name()).chain(["x"]).collect();
            let name = names[scheme.index(names.len())];
            let kinds: Vec<_> = build::parts(Scheme::from_name(name.as_bytes(), profile)).collect();
            let mut draft = Draft::new(name, profile);
            let _ = draft.add("host", b"host.dom");
            let mut taken = Vec::new();
            for (index, octets) in &given {
                let kind = kinds[index.index(kinds.len())];
                if draft.add(kind.name(), octets).is_ok() {
                    taken.push((kind, octets.clone()));
                }
            }
            let Ok(url) = draft.build() else { continue };
            for kind in kinds.iter().copied().filter(|kind| kind.value_rule().is_none()) {
                let given: Vec<_> = taken.iter().filter(|(other, _)| std::ptr::eq(*other, kind)).map(|(_, octets)| octets.clone()).collect();
                if !given.is_empty() {
                    prop_assert_eq!(octets_of(&url, kind), given, "{} {}", kind.name(), url);
                }
            }
        }
    }
}
