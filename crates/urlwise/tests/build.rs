//! What builders and changes of one part promise, for any octets and for every valid URL of the case table.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use serde_json::Value;
use urlwise::build::{self, BuildError, Draft, PartKind, Refused};
use urlwise::{Attributes, GopherPlus, Locator, NewsKind, Part, Profile, Scheme, Typecode, Url};

/// Every valid text of the case table, under both profiles.
fn corpus() -> Vec<Url<String>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/cases");
    let mut urls = Vec::new();
    for file in fs::read_dir(folder).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        for line in text.lines().filter(|line| line.starts_with('{')) {
            let case: Value = serde_json::from_str(line).unwrap();
            let Some(url) = case["url"].as_str() else { continue };
            let valid = Profile::ALL.into_iter().filter_map(|profile| Url::parse_with(profile, url.to_owned()).ok());
            urls.extend(valid);
        }
    }
    assert!(urls.len() > 500, "only {} URLs", urls.len());
    urls
}

fn known_parts<T: AsRef<str>>(url: &Url<T>) -> impl Iterator<Item = &'static PartKind> {
    let profile = url.profile();
    build::parts(url.scheme()).iter().filter(move |kind| kind.profile() <= profile)
}

/// What the part stands for, an element for each of its places.
fn octets_of<T: AsRef<str>>(url: &Url<T>, kind: &PartKind) -> Vec<Vec<u8>> {
    let parts = url.parts().filter(|part| part.name() == kind.contract_name());
    parts.map(|part| part.decode().into_owned()).collect()
}

/// All parts as they are written but those of this name, of its halves, and those that only divide another.
fn others<'u, T: AsRef<str>>(url: &'u Url<T>, name: &str) -> Vec<(&'static str, &'u [u8])> {
    let is_other = |part: &Part<'_>| {
        let is_address = url.scheme() == Scheme::Mailto && matches!(part.name(), "local" | "domain");
        part.name() != name && !part.is_divided() && !is_address
    };
    url.parts().filter(is_other).map(|part| (part.name(), part.octets())).collect()
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
            // Under a whole that is opaque, the rest is no part of its own.
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
fn refusals_name_the_part_and_the_way_out() {
    let ftp = Url::parse("ftp://jim:s3cret@h.dom/x").unwrap();
    let message = |result: Result<Url<String>, BuildError>| result.unwrap_err().to_string();
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
    let code = |result: Result<Url<String>, Refused>| result.unwrap_err().problem().code();
    assert_eq!(code(build::http().host("").build()), "host-empty");
    assert_eq!(code(build::http().host("1.2.3").build()), "host-toplabel");
    assert_eq!(code(build::https().host("[::1").build()), "host-ipv6-form");
    assert_eq!(code(build::other("x").host("a_b").build()), "bnf-char");
    assert_eq!(code(build::other("x").host("1.2.3").build()), "host-toplabel");
    assert_eq!(code(build::other("x").host("a:b").build()), "bnf-char");
    assert_eq!(code(build::news().group("1a").build()), "news-group");
    assert_eq!(code(build::news().group("*").build()), "bnf-char");
    assert_eq!(code(build::news().article("", "h.dom").build()), "news-msgid");
    assert_eq!(code(build::news().group("a@h.dom").build()), "bnf-char");
    assert_eq!(code(build::nntp().host("h.dom").group("a/1").build()), "bnf-char");
    assert_eq!(code(build::mailto().address("a b").build()), "mailto-addrspec");
    assert_eq!(code(build::gopher().host("h").item(b'\t', "").build()), "gopher-gtype-ctl");
    assert_eq!(code(build::gopher().host("h").item(b'0', "a\tb").build()), "gopher-selector-ctl");
    assert_eq!(code(build::gopher().host("h").item(b'7', "").search("a\tb").build()), "gopher-selector-ctl");
    assert_eq!(
        code(build::gopher().host("h").item(b'0', "").gopherplus(&GopherPlus::Other).build()),
        "gopherplus-form"
    );
    let odd = GopherPlus::Attributes(Attributes::Item, vec![b"a\r\nQUIT".to_vec()]);
    assert_eq!(code(build::gopher().host("h").item(b'0', "").gopherplus(&odd).build()), "gopherplus-form");
    assert_eq!(code(build::other("").schemepart("x").build()), "scheme-empty");
    assert_eq!(code(build::other("a:b").schemepart("x").build()), "bnf-char");
    assert_eq!(code(build::other("http").schemepart("x").build()), "slashes-missing");
    assert_eq!(code(build::file().host("h.dom:80").segment("x").build()), "port-forbidden");
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
            let kind = kinds.iter().find(|kind| kind.name() == part).unwrap();
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
fn siblings_are_built_by_the_profile_that_knows_them() {
    let urls = [
        build::https().host("h.dom").build(),
        build::ftps().host("h.dom").build(),
        build::gophers().host("h.dom").build(),
        build::nntps().host("h.dom").group("a").build(),
        build::snews().group("a").build(),
        build::telnets().host("h.dom").build(),
    ];
    let schemes: Vec<_> = urls.iter().map(|url| url.as_ref().unwrap().scheme()).collect();
    let mut expected = Scheme::SIBLINGS;
    expected.sort();
    let mut found = schemes.clone();
    found.sort();
    assert_eq!(found, expected);
    assert!(urls.iter().all(|url| url.as_ref().unwrap().profile() == Profile::Current));
}

#[test]
fn a_scheme_is_written_in_lower_case() {
    assert_eq!(build::other("X-Y").schemepart("a").build().unwrap().as_str(), "x-y:a");
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
fn nothing_of_a_password_is_shown_by_debug() {
    let builder = build::ftp().user("jim").password("s3cret").host("h_h");
    assert!(!format!("{builder:?}").contains("s3cret"));
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
        let url = build::ftp().user(&user).password(&password).host("host.dom").port(port).cwds(&cwds).name(&name)
            .typecode(Typecode::Ascii).build().unwrap();
        let Locator::Ftp(ftp) = url.locator() else { panic!("{url:?}") };
        prop_assert_eq!(&*ftp.login().user().unwrap().decode(), &user[..]);
        prop_assert_eq!(&*ftp.login().password().unwrap().decode(), &password[..]);
        prop_assert_eq!(ftp.login().hostport().port_number(), Some(port));
        prop_assert_eq!(decoded(ftp.cwds()), cwds);
        prop_assert_eq!(&*ftp.name().unwrap().decode(), &name[..]);
        prop_assert_eq!(ftp.typecode(), Some(Typecode::Ascii));
        prop_assert!(!url.as_str().contains(['~', '?']));
        prop_assert!(Url::parse_with(Profile::Current, url.as_str()).is_ok());
    }

    #[test]
    fn http_and_file_parts_are_read_as_they_were_given(segments in lists(), search in octets()) {
        let url = build::http().host("host.dom").segments(&segments).search(&search).build().unwrap();
        let Locator::Http(http) = url.locator() else { panic!("{url:?}") };
        let expected = if segments.is_empty() { vec![vec![]] } else { segments.clone() };
        prop_assert_eq!(decoded(http.segments()), expected.clone());
        prop_assert_eq!(&*http.search().unwrap().decode(), &search[..]);
        let url = build::http().host("host.dom").segments(&segments).build().unwrap();
        let Locator::Http(http) = url.locator() else { panic!("{url:?}") };
        prop_assert_eq!(decoded(http.segments()), segments);
        let url = build::file().local().segments(&expected).build().unwrap();
        let Locator::File(file) = url.locator() else { panic!("{url:?}") };
        prop_assert_eq!(decoded(file.segments()), expected);
    }

    #[test]
    fn gopher_parts_are_read_as_they_were_given(gtype in any::<u8>(), selector in octets(), search in octets(), view in octets()) {
        let plus = GopherPlus::View { view, language: None };
        let built = build::gopher().host("host.dom").item(gtype, &selector).search(&search).gopherplus(&plus).build();
        let Ok(url) = built else {
            let refused = built.unwrap_err();
            let octets = [&[gtype], &selector[..], &search].concat();
            let is_control = octets.iter().any(|octet| b"\t\r\n".contains(octet));
            prop_assert!(is_control || plus.to_octets().is_none(), "{refused}");
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
        if let Ok(url) = build::gopher().host("h").item(b'0', "").gopherplus(&plus).build() {
            let Locator::Gopher(gopher) = url.locator() else { panic!("{url:?}") };
            prop_assert_eq!(gopher.plus(), Some(plus));
            prop_assert!(gopher.search().unwrap().is_empty());
        } else {
            prop_assert!(plus.to_octets().is_none());
        }
    }

    #[test]
    fn wais_and_prospero_parts_are_read_as_they_were_given(a in octets(), b in octets(), c in octets(), fields in prop::collection::vec((octets(), octets()), 0..4)) {
        let url = build::wais().host("h").database(&a).document(&b, &c).build().unwrap();
        let Locator::Wais(wais) = url.locator() else { panic!("{url:?}") };
        let read = [Some(wais.database()), wais.wtype(), wais.wpath()].map(|part| part.unwrap().decode().into_owned());
        prop_assert_eq!(read, [a.clone(), b.clone(), c]);
        let url = build::wais().host("h").database(&a).search(&b).build().unwrap();
        let Locator::Wais(wais) = url.locator() else { panic!("{url:?}") };
        prop_assert_eq!(wais.search().unwrap().decode().into_owned(), b);
        let mut builder = build::prospero().host("h").hsoname(&a);
        prop_assert!(builder.clone().build().is_ok());
        if let [(name, value), rest @ ..] = &fields[..] {
            let mut builder = builder.field(name, value);
            for (name, value) in rest {
                builder = builder.field(name, value);
            }
            let url = builder.build().unwrap();
            let Locator::Prospero(prospero) = url.locator() else { panic!("{url:?}") };
            let read: Vec<_> = prospero.fields()
                .map(|(name, value)| (name.decode().into_owned(), value.unwrap().decode().into_owned())).collect();
            prop_assert_eq!(read, fields);
            prop_assert_eq!(prospero.hsoname().decode().into_owned(), a);
        } else {
            builder = build::prospero().host("h").hsoname("");
            prop_assert!(builder.build().is_ok());
        }
    }

    #[test]
    fn what_is_built_of_any_text_is_refused_or_read_as_it_was_given(text in "[a-z0-9.:@/*%_\\[\\]~é ;?-]{0,8}", octets in octets()) {
        if let Ok(url) = build::news().article(&octets, &text).build() {
            let Locator::News(news) = url.locator() else { panic!("{url:?}") };
            let NewsKind::Article { unique, host } = news.kind() else { panic!("{url:?}") };
            prop_assert_eq!(&*unique.decode(), &octets[..]);
            prop_assert_eq!(host.as_str(), text.clone());
        }
        if let Ok(url) = build::nntp().host(&text).group(&text).article(7).build() {
            let Locator::Nntp(nntp) = url.locator() else { panic!("{url:?}") };
            prop_assert_eq!((url.host().unwrap().as_str(), nntp.group(), nntp.article()), (&*text, &*text, Some("7")));
        }
        if let Ok(url) = build::mailto().address(&octets).build() {
            let Locator::Mailto(mailto) = url.locator() else { panic!("{url:?}") };
            prop_assert_eq!(&*mailto.address().decode(), &octets[..]);
        }
        for builder in [build::telnet(), build::telnets()] {
            if let Ok(url) = builder.user(&octets).host(&text).build() {
                prop_assert_eq!(&*url.user().unwrap().decode(), &octets[..]);
                prop_assert_eq!(url.host().unwrap().as_str(), text.clone());
                prop_assert_eq!(url.port(), None);
            }
        }
        if let Ok(url) = build::other("x-y").user(&octets).host(&text).urlpath(&octets).build() {
            let Locator::Other(other) = url.locator() else { panic!("{url:?}") };
            prop_assert_eq!(other.ip().unwrap().hostport().host().as_str(), text.clone());
            prop_assert_eq!(&*other.urlpath().unwrap().decode(), &octets[..]);
        }
        let url = build::other("x-y").schemepart(&octets).build().unwrap();
        let Locator::Other(other) = url.locator() else { panic!("{url:?}") };
        prop_assert_eq!(&*other.schemepart().decode(), &octets[..]);
        if let Ok(url) = build::other(&text).schemepart("a").build() {
            prop_assert_eq!(url.scheme_name(), text.to_ascii_lowercase());
        }
    }

    #[test]
    fn parts_given_by_name_in_any_order_are_read_as_they_were_given(
        given in prop::collection::vec((any::<prop::sample::Index>(), octets()), 0..6), scheme in any::<prop::sample::Index>()
    ) {
        for profile in Profile::ALL {
            let names: Vec<&str> = Scheme::RFC1738.into_iter().chain(Scheme::SIBLINGS).filter_map(Scheme::name).chain(["x"]).collect();
            let name = names[scheme.index(names.len())];
            let kinds = build::parts(Scheme::from_name(name.as_bytes(), profile));
            let mut draft = Draft::new(name, profile);
            let _ = draft.add("host", b"host.dom");
            let mut taken = Vec::new();
            for (index, octets) in &given {
                let kind = &kinds[index.index(kinds.len())];
                if draft.add(kind.name(), octets).is_ok() {
                    taken.push((kind, octets.clone()));
                }
            }
            let Ok(url) = draft.build() else { continue };
            for kind in kinds.iter().filter(|kind| kind.value_rule().is_none()) {
                let given: Vec<_> = taken.iter().filter(|(other, _)| std::ptr::eq(*other, kind)).map(|(_, octets)| octets.clone()).collect();
                if !given.is_empty() {
                    prop_assert_eq!(octets_of(&url, kind), given, "{} {}", kind.name(), url);
                }
            }
        }
    }
}
