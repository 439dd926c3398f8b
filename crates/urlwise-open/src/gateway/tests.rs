use super::Gateways;
use crate::error::kind::ErrorKind;
use proptest::prelude::*;
use urlwise::{Profile, Url};

fn url(text: &str) -> Url<&str> {
    Url::parse_with(text, Profile::Current).expect(text)
}

fn routed(scheme: &str, template: &str) -> Gateways {
    let mut gateways = Gateways::default();
    gateways.route(scheme, template).expect(template);
    gateways
}

fn via(scheme: &str, template: &str, from: &str) -> Result<String, ErrorKind> {
    match routed(scheme, template).lead(&url(from)) {
        Ok(target) => Ok(target.expect("it is routed").into_inner()),
        Err(error) => Err(error.kind()),
    }
}

fn complaint(scheme: &str, template: &str) -> String {
    Gateways::default().route(scheme, template).expect_err(template).to_string()
}

#[test]
fn every_part_is_a_variable() {
    for (scheme, template, from, expected) in [
        (
            "wais",
            "http://g.dom/{host}:{port}/{database}?{search}",
            "wais://h.dom/d%20b?a+b",
            "http://g.dom/h.dom:210/d%20b?a%2Bb",
        ),
        ("wais", "http://g.dom/{database}/{wtype}/{wpath}", "wais://h.dom/d/T/a%2Fb%00", "http://g.dom/d/T/a%2Fb%00"),
        ("gopher", "http://g.dom/{gtype}{+selector}", "gopher://h.dom/0/a/b", "http://g.dom/0/a/b"),
        ("gopher", "gophers://{host}:{port}/{gtype}{selector}%09{search}", "gopher://h.dom", "gophers://h.dom:70/1%09"),
        (
            "ftp",
            "http://g.dom/{host}/{+path};{typecode}",
            "ftp://u:p@h.dom/a%2Fb/c;type=i",
            "http://g.dom/h.dom/a%2Fb/c;i",
        ),
        ("ftp", "ftp://mirror.dom/{host}/{+path}", "ftp://h.dom/a/b/c;type=a", "ftp://mirror.dom/h.dom/a/b/c"),
        ("http", "https://{host}/{+path}", "http://h.dom/a/b?c", "https://h.dom/a/b"),
        ("news", "nntp://n.dom/{group}/1", "news:comp.lang.c++", "nntp://n.dom/comp.lang.c++/1"),
        ("news", "http://g.dom/?id={unique}@{host}", "news:a&b@h.dom", "http://g.dom/?id=a%26b@h.dom"),
        ("news", "news:{unique}@{host}", "news:a@h.dom", "news:a@h.dom"),
        ("mailto", "http://g.dom/?to={address}", "mailto:joe@h.dom", "http://g.dom/?to=joe%40h.dom"),
        ("prospero", "http://g.dom/{+path}", "prospero://h.dom/a/b;v=1", "http://g.dom/a/b;v=1"),
        ("file", "http://g.dom/{+path}", "file:///a/b", "http://g.dom/a/b"),
        ("x-y", "http://g.dom/{scheme}?{schemepart}", "X-Y:a/b", "http://g.dom/x-y?a%2Fb"),
        ("x-y", "http://g.dom/{+urlpath}", "x-y://h.dom/a/b", "http://g.dom/a/b"),
    ] {
        assert_eq!(via(scheme, template, from).as_deref(), Ok(expected), "{template}");
    }
}

#[test]
fn security_10_logins_do_not_reach_the_gateway() {
    for name in ["url", "schemepart"] {
        for mark in ["", "+"] {
            let template = format!("http://g.dom/?{{{mark}{name}}}");
            let target = via("ftp", &template, "ftp://joe:s3cret@h.dom/x").expect("it is routed");
            assert!(target.contains("h.dom") && !target.contains("joe") && !target.contains("s3cret"), "{target}");
        }
    }
    for name in ["user", "password"] {
        let complaint = complaint("ftp", &format!("http://g.dom/{{{name}}}"));
        assert!(complaint.contains("a login is only for the host of the URL"), "{complaint}");
    }
}

#[test]
fn a_template_that_cannot_be_used_says_why() {
    for (scheme, template, expected) in [
        (
            "wais",
            "http://g.dom/{databse}",
            "`{databse}` is not a variable of wais URLs (RFC 1738 section 4); use one of {url}",
        ),
        ("wais", "http://g.dom/{}", "`{}` is not a variable"),
        (
            "x-y",
            "http://g.dom/{selector}",
            "use one of {url} {scheme} {schemepart} {path} {host} {port} {urlpath} {query}",
        ),
        ("mailto", "http://g.dom/{path}", "`{path}` is not a variable of mailto URLs"),
        ("news", "http://g.dom/{path}", "`{path}` is not a variable of news URLs"),
        ("wais", "http://g.dom/{url", "`{url` starts a variable but has no closing `}`"),
        ("wais", "http://g.dom/url}", "unmatched `}`"),
        ("wais", "http://g.dom/a b{url}", "a space (20) is not allowed in an http path"),
        ("wais", "g.dom/{url}", "the template is not a valid URL"),
        ("wais", "{scheme}://g.dom/", "`{scheme}` is not inside a part of the URL"),
        ("wais", "http://{database}/", "`{database}` is not allowed in the host"),
        ("wais", "http://{host}.g.dom/", "`{host}` is not allowed in the host"),
        ("wais", "http://g.dom:{host}/", "the template is not a valid URL"),
        ("wais", "http://g.dom:8{port}/", "`{port}` is not allowed in the port"),
        ("nntp", "http://g.dom:{article}/", "`{article}` is not allowed in the port"),
        ("wais", "ftp://{host}@g.dom/", "`{host}` is not allowed in the user"),
        ("news", "http://{host}/", "`{host}` is not allowed in the host"),
        ("w s", "http://g.dom/{url}", "`w s` is not a valid scheme name"),
        ("", "http://g.dom/{url}", "`` is not a valid scheme name"),
        ("wais", "htp://g.dom/{url}", "the scheme `htp` is not known"),
        ("wais", "localhost:8080/{url}", "the scheme `localhost` is not known"),
    ] {
        let complaint = complaint(scheme, template);
        assert!(complaint.contains(expected), "{template}: {complaint}");
    }
}

#[test]
fn security_37_no_value_climbs_out_of_its_folder() {
    let folders = ["http://g.dom/m/", "file:///m/", "ftp://g.dom/m/", "x-y://g.dom/m/"];
    let ways = ["../a", "a/..", "..", "%2E%2e/a", "..%2Fa", "..%5Ca", "..%3Bx/a", "./a", "."];
    for (folder, way) in folders.iter().flat_map(|folder| ways.map(|way| (folder, way))) {
        for variable in ["{+selector}", "{selector}"] {
            let via = via("gopher", &format!("{folder}{variable}"), &format!("gopher://h.dom/0{way}"));
            assert_eq!(via, Err(ErrorKind::Refused), "{folder}{variable} {way}");
        }
    }
    // What the template has before and behind the value belongs to the segment, and no segment beside it.
    for (template, way, is_refused) in [
        ("http://g.dom/m/{+selector}./x", ".", true),
        ("http://g.dom/m/.{+selector}?x", ".", true),
        ("http://g.dom/m/{+selector}..", "", true),
        ("http://g.dom/m./{+selector}/.x", "a", false),
        ("http://g.dom/m/{+selector}/x.", ".a", false),
    ] {
        let via = via("gopher", template, &format!("gopher://h.dom/0{way}"));
        assert_eq!(via == Err(ErrorKind::Refused), is_refused, "{template} {way}: {via:?}");
    }
    assert_eq!(via("wais", "http://g.dom/?{+url}", "wais://h.dom/..").as_deref(), Ok("http://g.dom/?wais://h.dom/.."));
}

#[test]
fn a_value_that_leaves_its_part_is_refused() {
    // Another type, and a search, where the template has a selector.
    assert_eq!(via("gopher", "gopher://g.dom/0{+path}", "gopher://h.dom/7x%09y"), Err(ErrorKind::Refused));
    assert_eq!(
        via("gopher", "gopher://g.dom/0{path}", "gopher://h.dom/7x%09y").as_deref(),
        Ok("gopher://g.dom/07x%2509y")
    );
    assert_eq!(via("ftp", "ftp://{host}/", "ftp://h.dom/").as_deref(), Ok("ftp://h.dom/"));
    assert_eq!(via("file", "ftp://{host}/", "file:///x"), Err(ErrorKind::NoAccess));
}

#[test]
fn a_gateway_that_needs_another_gateway_is_refused() {
    let mut gateways = routed("http", "http://proxy.dom/?{url}");
    assert!(gateways.lead(&url("http://h.dom/")).is_ok_and(|target| target.is_some()));
    gateways.route("WAIS", "http://g.dom/{url}").expect("a template");
    let error = gateways.lead(&url("wais://h.dom/d")).expect_err("http is routed too");
    assert_eq!(error.what().to_string(), "the gateway for wais has the scheme http, which has a gateway itself");
    assert!(gateways.lead(&url("https://h.dom/")).is_ok_and(|target| target.is_none()));
    gateways.route("wais", "gopher://g.dom/7{database}").expect("a template");
    let of = |scheme| gateways.get(scheme).map(super::Gateway::scheme);
    assert_eq!([of("WAIS"), of("http"), of("ftp")], [Some("wais"), Some("http"), None]);
    let texts: Vec<_> = gateways.iter().map(|gateway| (gateway.scheme(), gateway.template())).collect();
    assert_eq!(texts, [("http", "http://proxy.dom/?{url}"), ("wais", "gopher://g.dom/7{database}")]);
}

#[test]
fn a_url_that_was_read_by_other_rules_is_not_routed() {
    let gateways = routed("https", "http://g.dom/{+path}?{search}");
    let as_unknown = Url::parse("https://h.dom/a?b").expect("a URL of a scheme that RFC 1738 does not know");
    assert!(gateways.lead(&as_unknown).is_ok_and(|target| target.is_none()));
}

#[test]
fn security_14_passwords_in_templates_are_not_shown() {
    let gateways = routed("wais", "ftp://joe:s3cret@g.dom/{database}");
    let gateway = gateways.iter().next().expect("one");
    assert_eq!(gateway.to_string(), "ftp://joe:***@g.dom/{database}");
    assert_eq!(format!("{gateway:>32}|"), "  ftp://joe:***@g.dom/{database}|");
}

#[test]
fn security_14_a_gateway_that_cannot_be_used_is_quoted_without_passwords() {
    for (scheme, template, expected) in [
        ("joe:s3cret@g.dom", "http://g.dom/", "`joe:***@g.dom` is not a valid scheme name"),
        ("http://joe:s3cret@g.dom", "", "`http://joe:***@g.dom` is not a valid scheme name"),
        ("wais", "joe:s3cret@g.dom/{url}", "the scheme `joe` is not known"),
        ("wais", "http://g.dom/{joe:s3cret@g.dom", "`{joe:***@g.dom` starts a variable"),
        ("wais", "http://g.dom/{joe:s3cret@g.dom}", "`{joe:***@g.dom}` is not a variable"),
    ] {
        let complaint = complaint(scheme, template);
        assert!(complaint.starts_with(expected) && !complaint.contains("s3cret"), "{complaint}");
    }
}

proptest! {
    #[test]
    fn a_value_never_leaves_its_part(octets: Vec<u8>, plus: bool) {
        let database = urlwise::grammar::DATABASE.encode(&octets);
        let from = format!("wais://h.dom/{database}?{database}");
        let plus = if plus { "+" } else { "" };
        let template = format!("http://g.dom/a/{{{plus}database}}/b?c={{{plus}search}}&d");
        let target = routed("wais", &template).lead(&url(&from));
        if let Ok(Some(target)) = target {
            let segments: Vec<_> = target.parts().filter(|part| part.name() == "segments").map(|part| part.decode().into_owned()).collect();
            prop_assert_eq!(segments, [b"a".to_vec(), octets.clone(), b"b".to_vec()]);
            let search = target.parts().find(|part| part.name() == "search").expect("a search");
            prop_assert_eq!(search.decode().into_owned(), [b"c=", octets.as_slice(), b"&d"].concat());
            prop_assert!(target.host().is_some_and(|host| host.as_str() == "g.dom"));
        } else {
            // Some readers decode a slash, take a backslash for one, and what follows a `;` for parameters.
            let segments = octets.split(|octet| b"/\\".contains(octet));
            let mut names = segments.map(|segment| segment.split(|&octet| octet == b';').next());
            prop_assert!(names.any(|name| matches!(name, Some(b"." | b".."))));
        }
    }
}

#[test]
fn problems_of_a_template_point_into_the_template() {
    for (template, place) in [
        ("http://g.dom/{url}/a b", "at 20..21: "),
        ("http://g.dom/a b{url}", "at 14..15: "),
        ("http://g.dom/{database}{search}/a b/{url}", "at 33..34: "),
    ] {
        let complaint = complaint("wais", template);
        assert!(complaint.contains(place), "{template}: {complaint}");
        let [start, ..] = place.trim_start_matches("at ").split('.').collect::<Vec<_>>()[..] else { panic!("a place") };
        assert_eq!(template.as_bytes()[start.parse::<usize>().expect("a number")], b' ');
    }
}

#[test]
fn an_unknown_scheme_is_not_routed() {
    let complaint = complaint("wias", "http://g.dom/{url}");
    assert!(complaint.contains("`wias` is not known") && complaint.contains("did you mean `wais`?"), "{complaint}");
    assert!(Gateways::default().route("irc", "http://g.dom/{url}").is_err());
    for scheme in ["x-y", "X-Y", "z39.50", "AFS", "wais", "gophers", "finger"] {
        routed(scheme, "http://g.dom/{url}");
    }
}

#[test]
fn a_path_needs_a_host() {
    let error = routed("x-y", "http://g.dom/{+path}").lead(&url("x-y:a/b")).expect_err("there is no host");
    assert_eq!(error.kind(), ErrorKind::Refused);
    assert!(error.to_string().contains("{schemepart}"), "{error}");
    assert_eq!(via("x-y", "http://g.dom/{+path}", "x-y://h.dom").as_deref(), Ok("http://g.dom/"));
}
