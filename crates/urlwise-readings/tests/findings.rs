//! The finding `read-differently`: none where only the spelling differs, the true cause, and what to write instead.

use urlwise::{Language, Profile, Url, diagnose};
use urlwise_readings::{Cause, Difference, Reader, Readings, disagreement, disagreement_about, finding};

#[test]
fn a_login_that_is_sent_as_the_same_octets_has_one_reading() {
    for text in ["ftp://a=b@host.dom/", "ftp://u;x@host.dom/", "ftp://u%41@host.dom/", "ftp://u&x:p;w=1@host.dom/"] {
        assert_eq!(finding(&Url::parse(text).expect("a URL")), None, "{text}");
        let differs = Readings::of(text, Profile::Rfc1738).differs();
        assert!(!differs.contains(Difference::User) && !differs.contains(Difference::Password), "{text}");
    }
}

#[test]
fn a_login_with_other_octets_has_another_reading() {
    let differs = Readings::of("ftp://@host.dom/", Profile::Rfc1738).differs();
    assert!(differs.contains(Difference::User));
    let finding = finding(&Url::parse("ftp://@host.dom/").expect("a URL")).expect("an empty user");
    assert_eq!(finding.help().to_string(), "remove the `@`, or write a user name before it");
}

#[test]
fn the_cause_is_the_login_only_if_the_rest_is_read_alike() {
    for (text, cause) in [
        ("http://u@host.dom/", Cause::Login),
        ("http://u:p@host.dom:80/", Cause::Login),
        ("gopher://u@host.dom/1a?b", Cause::Login),
        ("ftp://@host.dom/", Cause::EmptyLogin),
        ("http://@host.dom/", Cause::Login),
        ("ftp://u@host.dom/a b", Cause::Unescaped),
        ("ftp://u\"v@host.dom/", Cause::Unescaped),
        ("ftp://u@0x7f.1/", Cause::OddAddress),
        ("ftp://u@host.dom:70000/", Cause::Port),
        ("ftp://u@h%6Fst.dom/", Cause::EscapedHost),
    ] {
        assert_eq!(Readings::of(text, Profile::Rfc1738).cause(), Some(cause), "{text}");
    }
}

#[test]
fn the_cause_is_the_port_only_if_it_is_read_differently() {
    for (text, cause) in [
        ("ftp://host.dom:2121/a b", Cause::Unescaped),
        ("ftp://host.dom:65535/a\"b", Cause::Unescaped),
        ("ftp://host.dom:1/a{b}", Cause::Unescaped),
        ("ftp://host.dom:2121/a/../b", Cause::Dots),
        ("ftp://host.dom:65536/", Cause::Port),
        ("ftp://host.dom:021/a b", Cause::Port),
        ("ftp://host.dom:0/a b", Cause::Port),
        ("ftp://host.dom:/a b", Cause::Port),
    ] {
        assert_eq!(Readings::of(text, Profile::Rfc1738).cause(), Some(cause), "{text}");
    }
}

#[test]
fn a_login_that_whatwg_is_not_asked_about_is_the_cause_only_if_it_is_the_only_one() {
    let login = "u".repeat(70_000);
    let long = format!("ftp://{login}@host.dom/");
    let found = finding(&Url::parse(long.as_str()).expect("a URL")).expect("one that is not asked");
    assert_eq!(
        found.message().to_string(),
        "standards disagree about this text: the reader of WHATWG is given a login, host and port of at most 8192 octets, with internationalized labels of at most 252; RFC 1738 and RFC 3986 open host.dom, WHATWG rejects it"
    );
    assert_eq!(found.help().to_string(), "shorten what stands before the path");
    let by = |text: &str, readers| Readings::by(text, Profile::Rfc1738, readers).sentence().to_string();
    assert!(
        by(&long, Reader::ALL)
            .starts_with("not all readers accept a login, host and port that the reader of WHATWG is not given; ")
    );
    assert_eq!(by(&long, &[Reader::Rfc1738, Reader::Rfc3986, Reader::Curl]), "all readers agree");
    let cause = |text: &str| Readings::of(text, Profile::Rfc1738).cause();
    assert_eq!(cause(&format!("http://{login}@host.dom/")), Some(Cause::Login));
    assert_eq!(cause(&format!("ftp://{login}?@host.dom/")), Some(Cause::QuestionMark));
    assert_eq!(cause(&format!("ftp://user@host.dom/{login}")), None);
}

#[test]
fn why_whatwg_is_not_asked_is_said_in_each_language() {
    let long = format!("ftp://{}@host.dom/", "u".repeat(70_000));
    let readings = Readings::of(&long, Profile::Rfc1738);
    let said = |language| readings.objection_in(Reader::Whatwg, language).expect("it is refused").into_owned();
    for &language in Language::ALL {
        assert!(said(language).contains("8192"), "{}", said(language));
        assert_eq!(said(language) == said(Language::En), language == Language::En);
    }
    assert_eq!(said(Language::En), readings.reading(Reader::Whatwg).and_then(|reading| reading.error()).unwrap());
}

#[test]
fn the_help_names_what_to_write() {
    for (text, help) in [
        ("ftp://user?@host.dom/", "write `%3F` for a `?` in the login, and `/` before the `?` of a search"),
        ("http://0177.0.0.1/", "write an IPv4 address as four decimal numbers without leading zeros"),
        ("localhost:8080", "write the scheme: `http://localhost:8080`"),
        ("localhost:8080/x", "write the scheme: `http://localhost:8080`"),
        ("url:ftp://host.dom/", "write the URL without `URL:`"),
    ] {
        let url = Url::parse(text).expect("a URL");
        assert_eq!(finding(&url).expect("two readings").help().to_string(), help, "{text}");
    }
}

/// What `disagreement` says of a text; readings of it must say the same.
fn told(text: &str) -> Option<String> {
    let told = disagreement(text.as_bytes(), Profile::Rfc1738);
    assert_eq!(Readings::of(text, Profile::Rfc1738).disagreement(), told, "{text}");
    let diagnosis = diagnose(text, Profile::Rfc1738);
    if !diagnosis.is_valid() {
        let host = diagnosis.parts().find(|part| part.name() == "host").map(|part| part.octets()).unwrap_or_default();
        let read = disagreement_about(text.as_bytes(), host, Profile::Rfc1738, Reader::STANDARDS);
        assert_eq!(read, told, "{text}");
    }
    told.map(|told| told.to_string())
}

#[test]
fn a_broken_text_that_a_reader_opens_elsewhere_is_told() {
    for (text, end) in [
        ("http://a.dom\\@b.dom/", "WHATWG opens a.dom, RFC 1738 and RFC 3986 reject it"),
        ("http:///host.dom/", "WHATWG opens host.dom, RFC 1738 rejects it"),
        ("http://h%6Fst.dom/", "WHATWG opens host.dom, RFC 1738 rejects it"),
    ] {
        let told = told(text).expect(text);
        assert!(told.ends_with(end) && !told.starts_with("as a link"), "{text}: {told}");
    }
    // Without a scheme it is a link in some page, and WHATWG takes backslashes for the slashes before a host.
    for (text, end) in [
        ("//x\\@y", "WHATWG opens x, RFC 1738 and RFC 3986 reject it"),
        ("\\\\a.dom/b", "WHATWG opens a.dom, RFC 1738 and RFC 3986 reject it"),
        ("/\\a.dom", "WHATWG opens a.dom, RFC 1738 and RFC 3986 reject it"),
        ("\\/a.dom", "WHATWG opens a.dom, RFC 1738 and RFC 3986 reject it"),
    ] {
        let told = told(text).expect(text);
        assert!(told.ends_with(end) && told.starts_with("as a link in an http page, "), "{text}: {told}");
    }
    for text in [
        "http://host.dom/a b",
        "http://HOST.dom:99999/",
        "http://[0:0::1]/",
        "host.dom",
        "//host.dom/a",
        "/a",
        "\\a",
        "a.dom\\@b.dom",
        "ftp://u@host.dom/#a",
        "file://localhost/a b",
    ] {
        assert_eq!(told(text), None, "{text}");
    }
    assert_eq!(disagreement(b"http://0177.0.0.1/", Profile::Rfc1738), None, "a valid URL has a finding instead");
}
