//! What users expect of a type that holds a URL.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeSet, HashSet};
use std::error::Error;
use std::str::FromStr;

use urlwise::audit::{Audit, Provenance, RULES, Severity};
use urlwise::build::Draft;
use urlwise::path::{Style, from_url, to_url};
use urlwise::registry::{NewScheme, Registry, Syntax};
use urlwise::{
    Current, Encoded, GopherPlus, Level, Locator, NormalForm, OwnedReference, ParseError, Profile, Reference, Scheme,
    Section, Url, diagnose, repair,
};

const TEXT: &str = "ftp://jim:s3cret@host.dom/pub/x;type=i";

#[test]
fn any_holder_of_text_holds_a_url_and_gives_it_back() {
    assert_eq!(Url::parse(TEXT).unwrap().into_inner(), TEXT);
    assert_eq!(Url::parse(String::from(TEXT)).unwrap().into_inner(), TEXT);
    assert_eq!(&*Url::parse(Box::<str>::from(TEXT)).unwrap().into_inner(), TEXT);
    assert_eq!(Url::parse(Cow::from(TEXT)).unwrap().into_inner(), TEXT);
}

#[test]
fn a_refused_text_stands_in_its_error() {
    for text in [String::from("http://host.dom/a b"), format!("http://host.dom/a b{}", "c".repeat(100))] {
        let error = Url::parse(text.as_str()).unwrap_err();
        assert_eq!((error.problem().code(), error.problem().span()), ("bnf-char", 17..18));
        assert_eq!((error.input(), error.profile()), (text.as_bytes(), Profile::Rfc1738));
        assert_eq!(Url::parse(text.clone()).unwrap_err(), error);
        assert_eq!(Url::from_octets(text.as_bytes(), Profile::Rfc1738).unwrap_err(), error);
    }
}

/// What `anyhow` and `Box<dyn Error + Send + Sync>` ask of an error.
fn reason<E: Error + Send + Sync + 'static>(error: E) -> String {
    error.to_string()
}

#[test]
fn errors_outlive_the_text() {
    fn parse(text: &str) -> Result<usize, Box<dyn Error + Send + Sync>> {
        let url = Url::parse(text)?;
        let reference = Reference::parse(url.as_str())?;
        Ok(url.resolve("x")?.as_str().len() + reference.url().as_str().len())
    }
    assert_eq!(parse(&String::from("http://host.dom/")).unwrap(), 33);
    let error = parse(&format!("http://host.dom/{}", " ")).unwrap_err();
    assert!(error.to_string().starts_with("error[bnf-char] at 16..17"), "{error}");
    let text = String::from("no colon");
    let reasons = [
        Url::parse(text.as_str()).map_err(reason).unwrap_err(),
        Url::parse(text.clone()).map_err(reason).unwrap_err(),
        Registry::new().parse(text.as_str()).map_err(reason).unwrap_err(),
        Reference::parse(&text).map_err(reason).unwrap_err(),
    ];
    drop(text);
    assert!(reasons.iter().all(|reason| reason.starts_with("error[scheme-missing] at 0..8")), "{reasons:?}");
}

#[test]
fn errors_are_equal_when_text_and_problem_are() {
    let error = |profile, text| Url::parse_with(text, profile).unwrap_err();
    let text = "http://host.dom/a b";
    assert_eq!(error(Profile::Rfc1738, text), error(Profile::Rfc1738, text));
    assert_eq!(error(Profile::Rfc1738, text), error(Profile::Current, text));
    // A registry finds the reason at once, a URL on request: the errors are equal all the same.
    assert_eq!(error(Profile::Rfc1738, text), Registry::new().parse(text).unwrap_err());
    assert_ne!(error(Profile::Rfc1738, text), error(Profile::Rfc1738, "http://host.dom/ab "));
    // The profile sees another problem first.
    let text = "http://my_host.dom/a b";
    assert_ne!(error(Profile::Rfc1738, text), error(Profile::Current, text));
}

/// A text that is another one when it is asked for again.
struct Changing(Cell<bool>);

impl AsRef<str> for Changing {
    fn as_ref(&self) -> &str {
        if self.0.replace(true) { "http://host.dom/" } else { "http://host.dom/ " }
    }
}

#[test]
fn an_error_tells_of_the_text_that_was_read_also_where_its_holder_changes() {
    let error = Url::parse(Changing(Cell::new(false))).unwrap_err();
    let problem = error.problem();
    assert_eq!((problem.code(), problem.span()), ("bnf-char", 16..17));
}

#[test]
fn conversions_read_by_the_letter_of_the_rfc() {
    assert!(Url::from_str("http://host.dom/~jim").is_err());
    assert!(Url::<&str>::try_from("http://host.dom/~jim").is_err());
    assert!(Url::try_from(String::from("http://host.dom/~jim")).is_err());
    assert_eq!(Url::from_str(TEXT).unwrap().as_str(), TEXT);
    let error: Box<dyn Error> = Url::<&str>::try_from("no colon").unwrap_err().into();
    assert!(error.to_string().starts_with("error[scheme-missing] at 0..8"));
}

#[test]
fn urls_are_equal_ordered_and_hashed_by_text_and_profile() {
    let (one, other) = (Url::parse("news:b").unwrap(), Url::parse(String::from("news:b")).unwrap());
    assert_eq!(one, other);
    assert_eq!(&one, "news:b");
    // Section 2.2 lets these mean the same; as texts they differ.
    assert_ne!(Url::parse("http://host.dom").unwrap(), Url::parse("http://host.dom/").unwrap());
    let urls = ["news:b", "news:a", "news:b"].map(|text| Url::parse(text).unwrap());
    assert_eq!(urls.iter().collect::<HashSet<_>>().len(), 2);
    assert_eq!(urls.iter().map(Url::as_str).collect::<BTreeSet<_>>().first(), Some(&"news:a"));
    assert!(urls[1] < urls[0]);
    // The profile may decide where the path ends, so these are two URLs.
    let text = "x-y://host.dom/a?b";
    let [letter, current] = [Profile::Rfc1738, Profile::Current].map(|profile| Url::parse_with(text, profile).unwrap());
    assert_ne!(letter, current);
    assert_eq!(current, Url::parse_current(text.to_owned()).unwrap());
    assert!(letter < current && current < Url::parse("x-y://host.dom/a?c").unwrap());
    let urls: HashSet<_> = [letter, current, letter].into_iter().collect();
    assert_eq!((urls.len(), urls.contains(&letter), urls.contains(&current)), (2, true, true));
}

#[test]
fn a_url_and_a_host_are_compared_with_texts_and_become_them() {
    let url = Url::parse(TEXT).unwrap();
    assert!(url == TEXT && url == *TEXT && url != "ftp://host.dom/");
    assert_eq!(Url::<String>::try_from(TEXT).unwrap(), url);
    assert!(Url::<String>::try_from("no colon").is_err());
    assert_eq!(String::from(url.to_owned()), TEXT);
    let host = url.host().unwrap();
    assert!(host == "host.dom" && host == *"host.dom" && host != "HOST.dom" && host != *"HOST.dom");
    assert_eq!(AsRef::<str>::as_ref(&host), "host.dom");
    let resolved = url.resolve("y#a").unwrap();
    assert_eq!((&resolved, AsRef::<str>::as_ref(&resolved)), (&resolved.clone(), resolved.as_str()));
    assert_ne!(resolved, url.resolve("y#b").unwrap());
    assert_ne!(resolved, Url::parse_current(TEXT).unwrap().resolve("y#a").unwrap());
}

#[test]
fn lists_of_parts_are_read_from_both_ends() {
    let Locator::Http(http) = Url::parse("http://h.dom/a//b").unwrap().locator() else { panic!("it is http") };
    for text in ["a//b", "", "/", "a"] {
        let url = Url::parse(format!("http://h.dom/{text}")).unwrap();
        let Locator::Http(http) = url.locator() else { panic!("it is http") };
        let mut backwards: Vec<_> = http.segments().rev().map(Encoded::as_str).collect();
        backwards.reverse();
        assert_eq!(backwards, text.split('/').collect::<Vec<_>>());
    }
    let mut both = http.segments();
    assert_eq!((both.next_back().unwrap().as_str(), both.next().unwrap().as_str()), ("b", "a"));
    assert_eq!((both.next_back().unwrap().as_str(), both.next(), both.next_back()), ("", None, None));
    let Locator::Prospero(object) = Url::parse("prospero://h.dom/x;a=1;b=2;c=").unwrap().locator() else {
        panic!("it is prospero")
    };
    let names: Vec<_> = object.fields().rev().map(|(name, value)| (name.as_str(), value.unwrap().as_str())).collect();
    assert_eq!(names, [("c", ""), ("b", "2"), ("a", "1")]);
}

#[test]
fn what_has_names_is_read_by_them_and_the_graver_is_the_greater() {
    for level in Level::ALL {
        assert_eq!(level.name().parse(), Ok(*level));
    }
    for severity in Severity::ALL {
        assert_eq!(severity.name().parse(), Ok(*severity));
        assert!(severity.level() >= Level::Note);
    }
    for form in NormalForm::ALL {
        assert_eq!(form.to_string().parse(), Ok(*form));
    }
    for provenance in Provenance::ALL {
        assert_eq!(provenance.to_string().parse(), Ok(*provenance));
    }
    assert!("Error".parse::<Level>().is_err() && "".parse::<NormalForm>().is_err());
    assert!("x".parse::<Severity>().is_err() && "x".parse::<Provenance>().is_err());
    assert!(Level::Error > Level::Warning && Level::Warning > Level::Note);
    assert!(Severity::ALL.is_sorted_by_key(|severity| severity.level()), "in one order");
}

#[test]
fn an_audit_takes_any_holder_and_its_findings_live_as_long_as_the_text() {
    fn findings(text: &str) -> Vec<urlwise::audit::Finding<'_>> {
        let url = Url::parse(text).unwrap();
        Audit::new().check(&url, Provenance::Given)
    }
    let found = findings("gopher://h:25/0a");
    let owned = Url::parse(String::from("gopher://h:25/0a")).unwrap();
    assert_eq!(Audit::new().check(&owned, Provenance::Given), found);
    assert!(!found.is_empty());
}

#[test]
fn current_is_parsed_as_easily_as_the_letter() {
    let text = "https://host.dom/~jim";
    let url = Url::parse_current(text).unwrap();
    assert_eq!((url.scheme(), url.profile()), (Scheme::Https, Profile::Current));
    assert_eq!(Current::parse(text).unwrap().into_inner(), url);
    assert_eq!(Url::from(Current::try_from(text).unwrap()), url);
    assert_eq!(*Current::try_from(String::from(text)).unwrap(), url);
    assert_eq!(*text.parse::<Current<String>>().unwrap(), url);
    assert_eq!(Reference::parse_current(text).unwrap().url(), &url);
    assert_eq!(format!("{:>24}|", Current::parse(text).unwrap()), format!("   {text}|"));
    assert_eq!("a b".parse::<Current<String>>().unwrap_err(), Url::parse_current("a b").unwrap_err());
}

#[test]
fn a_note_says_by_what_the_profile_current_reads_a_scheme_that_rfc_1738_does_not_know() {
    for (text, help) in [
        ("https://h.dom/", "the profile `current` reads it like `http`, `rfc1738` as an unknown scheme"),
        ("finger://h.dom/", "the profile `current` reads it by RFC 1288, `rfc1738` as an unknown scheme"),
    ] {
        for profile in [Profile::Rfc1738, Profile::Current] {
            let diagnosis = diagnose(text, profile);
            let notes: Vec<_> = diagnosis.problems().iter().filter_map(|note| Some(note.help()?.to_string())).collect();
            assert_eq!(notes, [help], "{text} {profile:?}");
        }
    }
    let unknown = diagnose("fnger://h.dom/", Profile::Rfc1738);
    assert!(!unknown.problems().iter().any(|note| note.code() == "scheme-current"));
}

#[test]
fn a_reference_that_owns_its_text_is_the_one_that_was_read() {
    for (text, profile) in [
        ("http://host.dom/a#b", Profile::Rfc1738),
        ("http://host.dom/#", Profile::Rfc1738),
        ("http://host.dom/", Profile::Rfc1738),
        ("https://host.dom/~jim#x", Profile::Current),
    ] {
        let reference = Reference::parse_with(text, profile).unwrap();
        let owned = reference.to_owned();
        assert_eq!((owned.as_str(), owned.borrow()), (text, reference), "{text}");
        assert_eq!((owned.url(), owned.fragment()), (*reference.url(), reference.fragment()), "{text}");
        assert_eq!(OwnedReference::parse_with(text.into(), profile).unwrap(), owned);
        assert_eq!(OwnedReference::from(reference), owned);
        assert_eq!(owned.clone().into_url().as_str(), reference.url().as_str());
        assert_eq!(HashSet::from([owned.clone(), owned.clone()]).len(), 1);
        assert_eq!(owned.borrow().resolve("").unwrap().into_url(), *reference.url());
    }
    let read = |text: &str, profile| OwnedReference::parse_with(text.into(), profile);
    assert_ne!(read("x:a#b", Profile::Rfc1738), read("x:a#b", Profile::Current), "the profile counts");
    assert_ne!(read("x:a#", Profile::Rfc1738), read("x:a", Profile::Rfc1738), "an empty fragment is one");
    let error = "http://h.dom/#a b".parse::<OwnedReference>().unwrap_err();
    assert_eq!(error, Reference::parse("http://h.dom/#a b").unwrap_err());
    assert_eq!(error, read("http://h.dom/#a b", Profile::Rfc1738).unwrap_err());
}

#[test]
fn display_gives_the_text_and_debug_hides_the_password() {
    let url = Url::parse(TEXT).unwrap();
    assert_eq!(url.to_string(), TEXT);
    assert_eq!(format!("{url:>50}").len(), 50);
    let hidden = "ftp://jim:***@host.dom/pub/x;type=i";
    assert_eq!(format!("{:>40}", url.masked()), format!("     {hidden}"));
    let reference = Reference::parse("news:*#a").unwrap();
    assert_eq!(format!("{reference:-<10}|{reference:.6}"), "news:*#a--|news:*");
    assert_eq!(url.masked().to_string(), hidden);
    assert_eq!(format!("{url:?}"), format!("Url({hidden})"));
    let Locator::Ftp(ftp) = url.locator() else { panic!("the scheme is ftp") };
    let shown = format!("{:?} {ftp:?} {:?} {:?}", url.locator(), ftp.login(), url.parts());
    assert!(shown.contains("***") && !shown.contains("s3cret"), "{shown}");
    let error: ParseError = Url::parse("ftp://jim:s3cret@host.dom:x/").unwrap_err();
    assert!(!format!("{error:?} {error}").contains("s3cret"));
    let error = Reference::parse("ftp://jim:s3cret@host.dom:x/#a").unwrap_err();
    assert!(!format!("{error:?} {error}").contains("s3cret"));
}

#[test]
fn the_answers_of_a_filled_form_stay_out_of_debug() {
    // One of them may have been asked for by AskP.
    let form = GopherPlus::from_octets(b"+\t1\r\n+-1\r\njim\r\ns3cret\r\n.\r\n");
    let shown = format!("{form:?}");
    assert!(shown.contains('2') && !shown.contains("s3cret"), "{shown}");
}

/// The URL is gone when its parts come back.
fn parts_of(text: &str) -> Result<(&str, Vec<&[u8]>), ParseError> {
    let url = Url::parse(text)?;
    Ok((url.host().map_or("", urlwise::Host::as_str), url.parts().map(|part| part.octets()).collect()))
}

#[test]
fn parts_live_as_long_as_the_text() {
    let (host, parts) = parts_of(TEXT).unwrap();
    assert_eq!((host, parts.len(), parts[2]), ("host.dom", 6, &b"host.dom"[..]));
    let owned = Url::parse(String::from(TEXT)).unwrap();
    assert_eq!(owned.user().unwrap(), "jim");
    assert_eq!(Url::parse(std::sync::Arc::<str>::from(TEXT)).unwrap().port(), None);
}

#[test]
fn a_borrowed_url_and_an_owned_one_are_the_same_url() {
    let owned: Url<String> = Url::parse(TEXT).unwrap().into();
    assert_eq!(owned.borrow(), owned);
    assert_eq!(owned.borrow().to_owned().port_or_default(), Some(21));
    assert_eq!(AsRef::<str>::as_ref(&owned), TEXT);
    let copy = owned.borrow();
    assert_eq!((copy.user(), copy.profile()), (owned.user(), Profile::Rfc1738));
}

#[cfg(feature = "serde")]
#[test]
fn serde_writes_the_text_and_reads_it_by_the_letter() {
    let url = Url::parse(TEXT).unwrap();
    let json = serde_json::to_string(&url).unwrap();
    assert_eq!(json, format!("\"{TEXT}\""));
    assert_eq!(serde_json::from_str::<Url<String>>(&json).unwrap(), url);
    assert_eq!(serde_json::from_str::<Url<&str>>(&json).unwrap(), url);
    let error = serde_json::from_str::<Url<String>>("\"http://host.dom/~jim\"").unwrap_err();
    assert!(error.to_string().contains("bnf-char"), "{error}");
}

#[cfg(feature = "serde")]
#[test]
fn serde_reads_by_the_profile_of_the_field() {
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    struct Entry<'a> {
        #[serde(with = "urlwise::with_serde::current")]
        current: Url<String>,
        #[serde(borrow, with = "urlwise::with_serde::current")]
        borrowed: Url<&'a str>,
        #[serde(with = "urlwise::with_serde::rfc1738")]
        letter: Url<String>,
        list: Vec<Current<String>>,
    }
    let read = |letter: &str| {
        let web = r#""https://host.dom/~jim""#;
        let json = format!(r#"{{"current":{web},"borrowed":{web},"letter":"{letter}","list":[{web}]}}"#);
        serde_json::from_str::<Entry<'_>>(&json).map(|entry| {
            assert_eq!(entry.current, entry.borrowed);
            assert_eq!(*entry.list[0], entry.current);
            (entry.current.scheme(), entry.letter.profile())
        })
    };
    assert_eq!(read("news:*").unwrap(), (Scheme::Https, Profile::Rfc1738));
    assert!(read("http://host.dom/~jim").unwrap_err().to_string().contains("bnf-char"));
}

/// How a value is printed in ten columns more than it needs.
fn assert_width(value: &dyn std::fmt::Display) {
    let text = value.to_string();
    let width = text.chars().count() + 10;
    assert_eq!(format!("{value:>width$}"), format!("{:10}{text}", ""));
}

#[test]
fn widths_hold_for_what_is_put_together_from_pieces() {
    let url = Url::parse("http://h/a?b").unwrap();
    let other = Url::parse("HTTP://h:80/a?b").unwrap();
    let Locator::Http(http) = url.locator() else { panic!("{url:?}") };
    assert_width(&http.selector());
    let comparison = url.compare(&other);
    assert_width(&comparison);
    comparison.reasons().for_each(|reason| assert_width(reason));
    let diagnosis = diagnose("ftp://h d/", Profile::Rfc1738);
    assert_width(&diagnosis.problems()[0]);
    assert_width(&Url::parse("ftp://h d/").unwrap_err());
    assert_width(&Url::parse("mailto:a@b.dom").unwrap().resolve("x").unwrap_err());
    assert_width(&Section("2.1"));
    assert_width(&"x".parse::<Scheme>().unwrap_err());
    assert_width(&"x".parse::<Profile>().unwrap_err());
    let gopher = Url::parse("gopher://h:25/0a").unwrap();
    let audit = Audit::new();
    let findings = audit.check(&gopher, Provenance::Given);
    assert!(!findings.is_empty());
    findings.iter().for_each(|finding| assert_width(finding));
    RULES.iter().for_each(|rule| assert_width(rule));
    assert_width(&Audit::new().set("x\r", None).unwrap_err());
    assert_width(&repair("", Profile::Rfc1738).unwrap_err());
    assert_width(&Registry::new().register(NewScheme::new("a b", Syntax::Internet)).unwrap_err());
    assert_width(&to_url(b"a", Style::Unix).unwrap_err());
    assert_width(&from_url(&gopher, Style::Unix).unwrap_err());
    assert_width(&from_url(&Url::parse("file:///a%00b").unwrap(), Style::Unix).unwrap_err());
    for (part, octets) in [("nmae", "x"), ("gtype", "12"), ("host", "a b")] {
        let mut draft = Draft::new("gopher", Profile::Rfc1738);
        let error = draft.add(part, octets.as_bytes()).map(|_| ()).and_then(|()| draft.build().map(|_| ()));
        assert_width(&error.unwrap_err());
    }
}
