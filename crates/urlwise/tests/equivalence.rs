//! Section 2.2 and section J of the decisions: normal forms, and which texts mean the same.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use urlwise::{NormalForm, Profile, Reason, Scheme, Url};

/// Every URL of the case table that is valid.
fn table() -> Vec<(Profile, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/cases");
    let mut urls = Vec::new();
    for entry in fs::read_dir(folder).expect("the case table") {
        let text = fs::read_to_string(entry.expect("a file").path()).expect("UTF-8");
        for line in text.lines() {
            let case: serde_json::Value = serde_json::from_str(line).expect("one object a line");
            if let (Some(true), Some(url)) = (case["valid"].as_bool(), case["url"].as_str()) {
                let profile = case["profile"].as_str().and_then(|name| name.parse().ok()).expect("a profile");
                urls.push((profile, url.to_owned()));
            }
        }
    }
    assert!(urls.len() > 300, "{}", urls.len());
    urls
}

fn normal(profile: Profile, form: NormalForm, text: &str) -> String {
    let url = Url::parse_with(text, profile).unwrap_or_else(|error| panic!("{text}: {error}"));
    url.normalize(form).as_str().to_owned()
}

/// The parts that no rule of a normal form rewrites, decoded.
fn decoded_parts(url: &Url<&str>, form: NormalForm) -> Vec<(&'static str, Option<usize>, Vec<u8>)> {
    let parts = url.parts().map(|part| (part.name(), part.index(), part.decode().into_owned()));
    let parts: Vec<_> =
        parts.filter(|(name, ..)| !["host", "server", "port", "schemepart", "all"].contains(name)).collect();
    if form == NormalForm::Safe {
        return parts;
    }
    // One empty path is as good as none, `1` with an empty selector too, and typecodes have no case.
    let is_default = |(name, _, value): &(&str, _, Vec<u8>)| match *name {
        "gtype" => value == b"1" && parts.len() == 2,
        "path" | "segments" | "name" | "selector" | "username" => value.is_empty(),
        _ => false,
    };
    let left = parts.iter().filter(|part| !is_default(part)).cloned();
    left.map(|(name, index, value)| match name {
        "typecode" => (name, index, value.to_ascii_lowercase()),
        _ => (name, index, value),
    })
    .collect()
}

/// The escapes of reserved characters and of octets that no URL contains, in order and in upper case.
fn kept_escapes(text: &str) -> Vec<String> {
    let escapes = text.split('%').skip(1).map(|rest| rest[..2].to_ascii_uppercase());
    escapes.filter(|escape| u8::from_str_radix(escape, 16).is_ok_and(|octet| !octet.is_ascii_graphic())).collect()
}

fn check(profile: Profile, text: &str) -> Result<(), TestCaseError> {
    let Ok(url) = Url::parse_with(text, profile) else {
        return Ok(());
    };
    for &form in NormalForm::ALL {
        let once = url.normalize(form);
        let again = Url::parse_with(once.as_str(), profile);
        prop_assert!(again.is_ok(), "{text} becomes {}, which is invalid", once.as_str());
        let twice = once.normalize(form);
        prop_assert_eq!(twice.as_str(), once.as_str(), "no fixed point: {}", text);
        prop_assert!(matches!(twice.into_inner(), std::borrow::Cow::Borrowed(_)), "a copy for nothing: {}", text);
        prop_assert_eq!(decoded_parts(&url, form), decoded_parts(&once.borrow(), form), "{} {}", text, once.as_str());
        // What the current profile reads behind a telnet host means nothing, and goes.
        let left = if url.scheme().base() == Scheme::Telnet { String::new() } else { text.to_owned() };
        prop_assert!(left.is_empty() || kept_escapes(&left) == kept_escapes(once.as_str()), "{text} {}", once.as_str());
        if let Ok(again) = again {
            prop_assert_eq!(format!("{:?}", once.parts()), format!("{:?}", again.parts()), "{}", once.as_str());
            prop_assert_eq!(once.port_or_default(), again.port_or_default());
            prop_assert_eq!(once.host(), again.host());
        }
        let comparison = url.compare(&once);
        prop_assert!(comparison.is_same(), "{text} {}: {comparison}", once.as_str());
        prop_assert_eq!(
            comparison.reasons().count() == 0,
            text == once.as_str(),
            "{} {}: {}",
            text,
            once.as_str(),
            comparison
        );
    }
    let safe = url.normalize(NormalForm::Safe);
    prop_assert_eq!(safe.normalize(NormalForm::Scheme), url.normalize(NormalForm::Scheme));
    Ok(())
}

#[test]
fn normal_forms_of_the_case_table_are_valid_fixed_points_with_the_same_parts() {
    for (profile, text) in table() {
        check(profile, &text).unwrap_or_else(|error| panic!("{profile} {text}: {error}"));
    }
}

/// URLs of all schemes, more than half of them valid: escapes of every kind in every part.
fn urls() -> impl Strategy<Value = String> {
    let schemes = Scheme::ALL.iter().filter_map(|scheme| scheme.name());
    let schemes: Vec<&str> = schemes.chain(["FTP", "Http", "x-new"]).collect();
    let starts = [
        "//Host.dom",
        "//u%41%3a:p%40@h.DOM:0021",
        "//h:80",
        "//localhost",
        "//LocalHost",
        "//",
        "",
        "//h%41",
        "//1.2.3.004:070",
    ];
    let pieces = [
        "/", "//", "%2F", "%2f", "%41", "%7e", "%7E", "~", "%3F", "?", ";", "%3b", "=", "%3D", "&", "%26", ":", "%3A",
        "@", "%40", "h", "a", "1", "%31", "%09", "%25", "%2541", "%00", "%ff", ";type=A", ";TYPE=i", ".", "..", "%2E",
        "*", "%2A", "%5b",
    ];
    let rest = prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..8);
    (prop::sample::select(schemes), prop::sample::select(starts.to_vec()), any::<bool>(), rest).prop_map(
        |(scheme, start, slash, rest)| format!("{scheme}:{start}{}{}", if slash { "/" } else { "" }, rest.concat()),
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16384, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn normal_forms_are_valid_fixed_points_with_the_same_parts(text in urls()) {
        for &profile in Profile::ALL {
            check(profile, &text)?;
        }
    }

    #[test]
    fn sameness_has_reasons_and_goes_both_ways(a in urls(), b in urls()) {
        for &profile in Profile::ALL {
            let (Ok(a), Ok(b)) = (Url::parse_with(&a, profile), Url::parse_with(&b, profile)) else {
                continue;
            };
            let (there, back) = (a.compare(&b), b.compare(&a));
            prop_assert_eq!(there, back);
            prop_assert!(there.reasons().count() > 0 || a == b, "{} {}", a, b);
            prop_assert_eq!(there.is_same(), a.normalize(NormalForm::Scheme) == b.normalize(NormalForm::Scheme));
        }
    }
}

/// The table of section J, one row a part: what may be decoded there besides letters, digits and the eleven characters.
#[test]
fn each_part_decodes_what_its_row_of_section_j_says() {
    let rows = [
        ("ftp://{}@h/", ";?&="),
        ("telnet://u:{}@h/", ";?&="),
        ("ftp://h/{}/x", "?:@&="),
        ("ftp://h/{}", "?:@&="),
        ("file:///{}", ":@&=?"),
        ("http://h/{}", ":@&="),
        ("http://h/?{}", ":@"),
        ("gopher://h/{}x", ";/?:@&="),
        ("gopher://h/0{}", ";/?:@&="),
        ("gopher://h/7x%09{}", ";:@&="),
        ("gopher://h/7x%09%09{}", ";/?:@&="),
        ("mailto:a{}b@h", "/?&="),
        ("news:{}@h", ";/?:&="),
        ("wais://h/{}", ""),
        ("wais://h/d?{}", ";:@&="),
        ("wais://h/d/{}/p", ""),
        ("prospero://h/{}", "/?:@&="),
        ("prospero://h/x;{}=v", "?:@&"),
        ("prospero://h/x;n={}", "?:@&"),
        ("x-new:{}", ""),
        ("x-new://h/{}", ""),
    ];
    for (pattern, decodable) in rows {
        for octet in 0..=255u8 {
            let escape = format!("%{octet:02X}");
            let text = pattern.replace("{}", &escape);
            let Ok(url) = Url::parse(&text) else {
                continue; // some parts refuse some octets in any form
            };
            let is_uchar = octet.is_ascii_alphanumeric() || b"$-_.+!*'(),".contains(&octet);
            let character = char::from(octet);
            let raw = pattern.replace("{}", &String::from(character));
            let expected = |decoded: bool| if decoded { raw.as_str() } else { text.as_str() };
            assert_eq!(url.normalize(NormalForm::Safe).as_str(), expected(is_uchar), "{pattern} {escape}");
            let decoded = is_uchar || decodable.contains(character);
            assert_eq!(url.normalize(NormalForm::Scheme).as_str(), expected(decoded), "{pattern} {escape}");
        }
    }
}

#[test]
fn a_document_id_changes_nothing_but_the_case_of_its_escapes() {
    let text = "wais://h/d/t/%3d%41~a;b";
    for &form in NormalForm::ALL {
        assert_eq!(normal(Profile::Current, form, text), "wais://h/d/t/%3D%41~a;b");
    }
}

#[test]
fn safe_form_keeps_what_only_the_scheme_knows_to_mean_the_same() {
    for text in
        ["http://h", "ftp://h", "gopher://h/1", "telnet://h", "file://localhost/x", "ftp://h/a;type=A", "ftp://h/%40"]
    {
        assert_eq!(normal(Profile::Rfc1738, NormalForm::Safe, text), text);
    }
    let search = "gopher://h.dom/7/f%09a/b?c";
    assert_eq!(normal(Profile::Rfc1738, NormalForm::Safe, search), search);
    assert_eq!(normal(Profile::Rfc1738, NormalForm::Scheme, search), "gopher://h.dom/7/f%09a%2Fb%3Fc");
}

#[test]
fn pairs_that_mean_the_same_are_the_same_by_the_rule_that_says_so() {
    let pairs = [
        ("http://h", "http://h/", "http-slash"),
        ("gopher://h", "gopher://h/", "gopher-default"),
        ("gopher://h", "gopher://h/1", "gopher-default"),
        ("gopher://h/", "gopher://h/%31", "gopher-default"),
        ("telnet://h", "telnet://h/", "telnet-slash"),
        ("ftp://h", "ftp://h/", "ftp-slash"),
        ("file:///x", "file://LOCALHOST/x", "file-localhost"),
        ("nntp://h:119/g", "nntp://h/g", "port-default"),
        ("wais://h:0210/d", "wais://h/d", "port-default"),
        ("prospero://h:00007/d", "prospero://h:7/d", "port-zeros"),
        ("ftp://h/a;type=A", "ftp://h/a;type=a", "typecode-case"),
        ("HTTP://h/", "http://h/", "scheme-case"),
        ("http://h.DOM/", "http://H.dom/", "host-case"),
        ("http://h/%c3", "http://h/%C3", "hex-case"),
        ("http://h/%61", "http://h/a", "needless-escape"),
        ("mailto:a%40b", "mailto:a@b", "needless-escape"),
        ("gopher://h/0%2Fa", "gopher://h/0/a", "needless-escape"),
        ("gopher://h/7s%09a/b", "gopher://h/7s%09a%2Fb", "missing-escape"),
    ];
    for (a, b, code) in pairs {
        let comparison = Url::parse(a).unwrap().compare(&Url::parse(b).unwrap());
        assert!(comparison.is_same(), "{a} {b}: {comparison}");
        let codes: Vec<_> = comparison.reasons().map(Reason::code).collect();
        assert_eq!(codes, [code], "{a} {b}");
    }
}

#[test]
fn the_spellings_of_one_ipv6_address_are_the_same_in_both_forms() {
    for (text, expected) in [
        ("http://[2001:DB8:0:0::1]/", "http://[2001:db8::1]/"),
        ("ftp://u:p@[2001:0db8:0:0:1:0:0:1]:022/a", "ftp://u:p@[2001:db8::1:0:0:1]:22/a"),
        ("http://[::FFFF:192.0.2.1]:8080/", "http://[::ffff:192.0.2.1]:8080/"),
        ("http://[::ffff:c000:201]/", "http://[::ffff:192.0.2.1]/"),
        ("foo://[0:0:0:0:0:0:0:1]:7/x?y", "foo://[::1]:7/x?y"),
        ("http://[::1]/", "http://[::1]/"),
    ] {
        for form in NormalForm::ALL {
            assert_eq!(normal(Profile::Current, *form, text), expected);
        }
    }
    let [a, b] = ["http://[2001:DB8:0:0::1]/", "http://[2001:db8::1]/"].map(|text| Url::parse_current(text).unwrap());
    let comparison = a.compare(&b);
    let codes: Vec<_> = comparison.reasons().map(Reason::code).collect();
    assert_eq!((comparison.is_same(), &codes[..]), (true, &["host-ipv6"][..]), "{comparison}");
    // Another address, and a number that others read as octal.
    for (a, b) in [("http://[::1]/", "http://[::2]/"), ("http://192.0.2.010/", "http://192.0.2.10/")] {
        let [a, b] = [a, b].map(|text| Url::parse_current(text).unwrap());
        assert!(!a.compare(&b).is_same(), "{a} {b}");
    }
}

#[test]
fn a_reason_cites_the_section_and_the_decision_that_it_rests_on() {
    for (a, b, cited) in [
        ("ftp://h", "ftp://h/", ("ftp-slash", "3.2.2", Some("D-30"))),
        ("http://h", "http://h/", ("http-slash", "3.3", Some("D-37"))),
        ("http://h/", "HTTP://h/", ("scheme-case", "2.1", Some("D-02"))),
    ] {
        let comparison = Url::parse(a).unwrap().compare(&Url::parse(b).unwrap());
        let found: Vec<_> =
            comparison.reasons().map(|reason| (reason.code(), reason.section(), reason.decision())).collect();
        assert_eq!(found, [cited]);
    }
}

#[test]
fn pairs_that_only_the_current_profile_reads_are_the_same_by_the_rule_that_says_so() {
    let pairs = [
        ("http://h?q", "http://h/?q", "http-slash"),
        ("http://h:/", "http://h/", "port-empty"),
        ("https://h:443/", "https://h/", "port-default"),
        ("http://h/~a", "http://h/%7Ea", "tilde"),
        ("file:/x", "file:///x", "file-short"),
        ("news:%2a", "news:*", "needless-escape"),
        ("ftp://h/a;TYPE=a", "ftp://h/a;type=a", "type-literal"),
        ("telnet://h/path", "telnet://h/", "telnet-slash"),
        ("telnet://h/path", "telnet://h", "telnet-slash"),
    ];
    for (a, b, code) in pairs {
        let [url_a, url_b] = [a, b].map(|text| Url::parse_with(text, Profile::Current).unwrap());
        let comparison = url_a.compare(&url_b);
        assert!(comparison.is_same(), "{a} {b}: {comparison}");
        let codes: Vec<_> = comparison.reasons().map(Reason::code).collect();
        assert_eq!(codes, [code], "{a} {b}");
    }
}

#[test]
fn what_differs_differs_in_a_part_and_for_a_reason() {
    let pairs = [
        ("ftp://@h/", "ftp://h/", "user", "absent"),
        ("ftp://u:@h/", "ftp://u@h/", "password", "absent"),
        ("ftp://u:a@h/", "ftp://u:b@h/", "password", "octets"),
        ("http://h/?", "http://h/", "search", "absent"),
        ("ftp://h/a;type=a", "ftp://h/a", "typecode", "absent"),
        ("ftp://h/a;type=a", "ftp://h/a;type=i", "typecode", "octets"),
        ("ftp://h/%2Fetc/motd", "ftp://h//etc/motd", "cwd", "encoded-reserved"),
        ("http://h/a%2Fb", "http://h/a/b", "segment", "encoded-reserved"),
        ("http://h/a%3bb", "http://h/a;b", "segment", "encoded-reserved"),
        ("http://h/?a%3Db", "http://h/?a=b", "search", "encoded-reserved"),
        ("x-new:%3F", "x-new:?", "scheme-specific part", "encoded-reserved"),
        ("http://h/a//b", "http://h/a/b", "segment", "empty-segment"),
        ("http://h/a/../b", "http://h/b", "segment", "dot-segment"),
        ("http://h/a/./b", "http://h/a/b", "segment", "dot-segment"),
        ("wais://h/d/t/%41", "wais://h/d/t/A", "wpath", "opaque-escape"),
        ("http://h/a", "http://h/A", "segment", "octets"),
        ("http://h/a/b", "http://h/ab", "segment", "octets"), // no slash is left out of a run
        ("http://h/", "http://g/", "host", "octets"),
        ("http://h/", "ftp://h/", "scheme", "scheme"),
        ("http://h:8080/", "http://h/", "port", "absent"),
        ("news:A@h", "news:A@H", "host", "octets"), // a Message-ID is compared octet by octet: D-59
    ];
    for (a, b, part, code) in pairs {
        let comparison = Url::parse(a).unwrap().compare(&Url::parse(b).unwrap());
        assert!(!comparison.is_same(), "{a} {b}");
        let codes: Vec<_> = comparison.reasons().map(Reason::code).collect();
        assert_eq!((comparison.part(), &codes[..]), (Some(part), &[code][..]), "{a} {b}");
    }
}

#[test]
fn a_text_is_replaced_by_the_normal_form_that_is_returned() {
    let mut written = String::from("what it held");
    for (profile, text) in table() {
        let url = Url::parse_with(&text[..], profile).unwrap();
        for form in [NormalForm::Safe, NormalForm::Scheme] {
            url.normalize_into(form, &mut written);
            assert_eq!(written, url.normalize(form).as_str(), "{text}");
        }
    }
}

#[test]
fn a_question_mark_stays_encoded_where_the_current_profile_would_divide() {
    for text in ["http://a%3Fb@h/", "mailto:a%3Fb@h", "ftp://a%3Fb@h/"] {
        assert_eq!(normal(Profile::Current, NormalForm::Scheme, text), text);
    }
    assert_eq!(normal(Profile::Rfc1738, NormalForm::Scheme, "mailto:a%3Fb@h"), "mailto:a?b@h");
}

#[test]
fn nothing_is_decoded_where_a_host_could_come_out_of_it() {
    for text in ["x-new://h%41/a", "x-new://a@b@c%41"] {
        assert_eq!(normal(Profile::Rfc1738, NormalForm::Scheme, text), text);
    }
}

#[test]
fn a_comparison_shows_no_password() {
    let [a, b] = ["ftp://u:s3cret@h/", "ftp://u:other@h/"].map(|text| Url::parse(text).unwrap());
    let text = format!("{:?} {0}", a.compare(&b));
    assert!(!text.contains("s3cret") && !text.contains("other@"), "{text}");
}

#[test]
fn one_text_that_two_profiles_read_as_other_parts_is_not_called_the_same() {
    let compare = |text: &str| Url::parse(text).unwrap().compare(&Url::parse_current(text).unwrap());
    for (text, part) in [("x-y://h.dom/a?b", "url-path"), ("https://h.dom/", "scheme"), ("x-y:a", "url-path")] {
        let comparison = compare(text);
        let codes: Vec<_> = comparison.reasons().map(Reason::code).collect();
        assert_eq!((comparison.is_same(), comparison.part(), codes), (false, Some(part), vec!["reading"]), "{text}");
    }
    for text in ["http://h.dom/a?b", "ftp://h.dom/a?b", "x-y://h.dom/a", "mailto:a@h.dom", "gopher://h.dom/"] {
        let comparison = compare(text);
        assert!(comparison.is_same() && comparison.reasons().count() == 0, "{text}: {comparison}");
        let diagnoses = Profile::ALL.iter().map(|profile| urlwise::diagnose(text, *profile));
        let [one, other] = &diagnoses.collect::<Vec<_>>()[..] else { panic!("there are two") };
        assert!(one.reads_alike(other), "{text}");
    }
    // And so where they are written in two ways.
    let (one, other) = (Url::parse("X-Y://h.dom/a?b").unwrap(), Url::parse_current("x-y://H.dom/a?b").unwrap());
    assert!(!one.compare(&other).is_same());
}

#[test]
fn the_parts_of_a_normal_form_stand_where_its_text_has_them() {
    for text in ["http://HOST.dom:0081/%7Ea?b", "http://host.dom:0080/%41", "ftp://%6Ae:p@h.dom:021/%61/b;type=A"] {
        let url = Url::parse(text).unwrap();
        for form in [NormalForm::Safe, NormalForm::Scheme] {
            let normal = url.normalize(form);
            let read = Url::parse(normal.as_str()).unwrap();
            let parts = |part: urlwise::Part<'_>| (part.name(), part.span());
            assert!(normal.parts().map(parts).eq(read.parts().map(parts)), "{normal}");
        }
    }
}
