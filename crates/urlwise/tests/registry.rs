//! Section 4: what a program registers is read as it says, and nothing else is read in another way.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up must stop")]

use std::fs;
use std::ops::Range;
use std::path::Path;

use proptest::prelude::*;
use serde_json::Value;
use urlwise::registry::{Check, NewScheme, Objection, RegisterErrorKind, Registry, Reserved, Standing, Syntax};
use urlwise::{Level, Locator, Profile, Scheme, Url, diagnose};

fn names_a_room(url: &Url<&str>) -> Result<(), Objection> {
    match url.parts().find(|part| part.name() == "urlpath") {
        Some(room) if room.octets().contains(&b'!') => {
            Err(Objection::new(room.span(), "a room has no `!` in its name").with_help("leave the `!` out"))
        }
        Some(_) => Ok(()),
        None => {
            let end = url.as_str().len();
            Err(Objection::new(end..end, "no room is named"))
        }
    }
}

fn chat() -> NewScheme {
    NewScheme::new("x-chat", Syntax::Internet).with_default_port(7070).with_check(names_a_room)
}

fn registry() -> Registry {
    let mut registry = Registry::new();
    registry.register(chat()).unwrap();
    registry.register(NewScheme::new("x-note", Syntax::Opaque)).unwrap();
    registry.register(NewScheme::new("nfs", Syntax::Internet).with_default_port(2049)).unwrap();
    registry.register(NewScheme::new("htp", Syntax::Internet)).unwrap();
    registry.register(NewScheme::new("localhost", Syntax::Opaque)).unwrap();
    registry
}

fn codes(registry: &Registry, text: &str, profile: Profile) -> Vec<String> {
    let diagnosis = registry.diagnose(text, profile);
    diagnosis.problems().iter().map(|problem| format!("{} {:?}", problem.code(), problem.span())).collect()
}

#[track_caller]
fn refuses(name: &str, kind: RegisterErrorKind) {
    let mut registry = registry();
    let before = registry.schemes().count();
    let error = registry.register(NewScheme::new(name, Syntax::Internet)).unwrap_err();
    assert_eq!((error.name(), error.kind()), (name, kind), "{error}");
    assert_eq!(registry.schemes().count(), before);
}

#[test]
fn a_name_begins_with_a_letter_and_holds_what_section_2_1_allows() {
    refuses("", RegisterErrorKind::Empty);
    refuses("3270", RegisterErrorKind::First);
    refuses("-x", RegisterErrorKind::First);
    for name in ["a b", "a:b", "a_b", "a/b", "a\u{e9}", "a%62", "x-a\n"] {
        refuses(name, RegisterErrorKind::Character);
    }
    refuses("X-new", RegisterErrorKind::UpperCase);
    for name in ["a", "z39.50s", "x-", "x-a+b.c-d", "averylongnameofascheme"] {
        assert!(registry().register(NewScheme::new(name, Syntax::Opaque)).is_ok(), "{name}");
    }
}

#[test]
fn a_name_with_a_meaning_cannot_be_given_another() {
    for scheme in Scheme::ALL {
        refuses(scheme.name().unwrap(), RegisterErrorKind::Known);
        refuses(&scheme.name().unwrap().to_uppercase(), RegisterErrorKind::Known);
    }
    refuses("url", RegisterErrorKind::Prefix);
    refuses("URL", RegisterErrorKind::Prefix);
    refuses("x-chat", RegisterErrorKind::Twice);
}

#[test]
fn a_default_port_is_one_that_a_server_can_have() {
    let mut registry = Registry::new();
    let zero = NewScheme::new("x-a", Syntax::Internet).with_default_port(0);
    assert_eq!(registry.register(zero).unwrap_err().kind(), RegisterErrorKind::PortZero);
    let opaque = NewScheme::new("x-a", Syntax::Opaque).with_default_port(1);
    assert_eq!(registry.register(opaque).unwrap_err().kind(), RegisterErrorKind::PortWithoutHost);
    assert_eq!(registry.schemes().len(), 0);
}

#[test]
fn a_refusal_names_the_rule_has_help_and_shows_nothing_raw() {
    let error = Registry::new().register(NewScheme::new("x-\u{1b}[31m", Syntax::Opaque)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the scheme `x-\\x1b[31m` cannot be registered: the name contains a character that is not allowed \
         (section 2.1); use only letters, digits, `+`, `-` and `.`"
    );
}

#[test]
fn the_names_of_section_4_are_registered_with_a_note() {
    let mut registry = Registry::new();
    for reserved in Reserved::ALL {
        let standing = registry.register(NewScheme::new(reserved.name, Syntax::Opaque)).unwrap();
        let Standing::Reserved(found) = standing else { panic!("{} is set aside", reserved.name) };
        assert_eq!(found, reserved);
        assert!(standing.to_string().contains(reserved.title) && standing.to_string().contains("section 4"));
    }
    assert_eq!(registry.register(chat()).unwrap(), Standing::Experimental);
    assert_eq!(registry.register(NewScheme::new("xchat", Syntax::Opaque)).unwrap(), Standing::New);
}

#[test]
fn schemes_are_found_by_name_in_any_case_and_listed_in_order() {
    let registry = registry();
    let names = ["htp", "localhost", "nfs", "x-chat", "x-note"];
    assert_eq!(registry.schemes().map(NewScheme::name).collect::<Vec<_>>(), names);
    assert_eq!(registry.get("X-Chat").unwrap().name(), "x-chat");
    assert_eq!(registry.default_port("NFS"), Some(2049));
    assert_eq!(registry.default_port("x-note"), None);
    assert_eq!(registry.default_port("http"), None);
    let checks = registry.schemes().map(|scheme| scheme.check().is_some());
    assert_eq!(checks.collect::<Vec<_>>(), names.map(|name| name == "x-chat"));
    assert!(registry.get("x-cha").is_none() && registry.get("x-chats").is_none() && registry.get("").is_none());
}

#[test]
fn a_registered_scheme_has_typed_parts() {
    let registry = registry();
    let url = registry.parse("X-CHAT://jim:s3cret@host.dom:8080/a/b?c").unwrap();
    let Locator::Other(other) = url.locator() else { panic!("{url:?}") };
    let login = other.login().unwrap();
    assert_eq!((login.user().unwrap().as_str(), login.password().unwrap().as_str()), ("jim", "s3cret"));
    assert_eq!((login.hostport().host().as_str(), login.hostport().port()), ("host.dom", Some("8080")));
    assert_eq!((other.urlpath().unwrap().as_str(), other.query()), ("a/b?c", None));
    assert_eq!(other.schemepart().as_str(), "//jim:s3cret@host.dom:8080/a/b?c");
    assert!(!format!("{url:?} {:?}", registry.diagnose(url.as_str(), Profile::Rfc1738)).contains("s3cret"));

    let url = registry.parse_with("x-chat://host.dom/a?c", Profile::Current).unwrap();
    let Locator::Other(other) = url.locator() else { panic!("{url:?}") };
    assert_eq!((other.urlpath().unwrap().as_str(), other.query().unwrap().as_str()), ("a", "c"));
}

#[test]
fn the_default_port_is_in_force_where_none_is_written() {
    let registry = registry();
    let number = |text, profile| registry.parse_with(text, profile).map(|url| url.port_or_default()).unwrap();
    assert_eq!(number("nfs://host.dom", Profile::Rfc1738), Some(2049));
    assert_eq!(number("nfs://host.dom:1/x", Profile::Rfc1738), Some(1));
    assert_eq!(number("nfs://host.dom:0/x", Profile::Rfc1738), Some(0));
    assert_eq!(number("nfs://host.dom:/x", Profile::Current), Some(2049));
    assert_eq!(number("htp://host.dom/", Profile::Rfc1738), None);
    let url = registry.parse("nfs://host.dom/x").unwrap();
    assert_eq!((url.port(), url.to_owned().port_or_default()), (None, Some(2049)));
    let Locator::Other(other) = url.locator() else { panic!("{url:?}") };
    assert_eq!(other.login().unwrap().hostport().port_or_default(), Some(2049));
    assert_eq!(registry.diagnose("nfs://host.dom/x y", Profile::Rfc1738).port_or_default(), Some(2049));
    assert_eq!(Url::parse("nfs://host.dom/x").unwrap().port_or_default(), None);
    // What goes without saying is known where another port is written, too.
    let default = |text| registry.parse(text).unwrap().default_port();
    assert_eq!(default("nfs://host.dom:1/x"), Some(2049));
    assert_eq!(
        (default("htp://host.dom:1/"), default("http://host.dom:1/"), default("x-note:a")),
        (None, Some(80), None)
    );
}

#[test]
fn the_common_internet_syntax_is_demanded_and_its_errors_are_those_of_section_3_1() {
    let registry = registry();
    for (text, expected) in [
        ("x-chat:lobby", "slashes-missing 7..7"),
        ("x-chat://", "host-empty 9..9"),
        ("x-chat://host.dom:99999/lobby", "port-range 18..23"),
        ("x-chat://host_name.dom/lobby", "host-underscore 13..14"),
        ("x-chat://host.dom/a b", "bnf-char 19..20"),
        ("x-chat://a@b@host.dom/x", "at-twice 12..13"),
    ] {
        assert_eq!(codes(&registry, text, Profile::Rfc1738)[0], expected, "{text}");
        assert!(registry.parse(text).is_err(), "{text}");
    }
    let diagnosis = registry.diagnose("x-chat://host.dom:99999/a b", Profile::Rfc1738);
    let parts: Vec<_> = diagnosis.parts().map(|part| (part.name(), part.span())).collect();
    assert_eq!(parts, [("schemepart", 7..27), ("host", 9..17), ("port", 18..23), ("urlpath", 24..27)]);
}

#[test]
fn nothing_is_read_inside_an_opaque_scheme() {
    let registry = registry();
    for &profile in Profile::ALL {
        for text in ["x-note:", "x-note:a?b", "x-note://host.dom:99999/x", "x-note://jim:s3cret@host.dom/x"] {
            let url = registry.parse_with(text, profile).unwrap();
            let names: Vec<_> = url.parts().map(|part| part.name()).collect();
            assert_eq!((names, url.schemepart()), (vec!["schemepart"], &text[7..]));
            assert_eq!(codes(&registry, text, profile), [""; 0]);
        }
        assert_eq!(codes(&registry, "x-note:a b", profile), ["bnf-char 8..9"]);
    }
    // Who cannot know what it means keeps what looks like a password to himself.
    let url = registry.parse("x-note://jim:s3cret@host.dom/x").unwrap();
    assert_eq!(url.masked().to_string(), "x-note://jim:***@host.dom/x");
}

#[test]
fn a_registered_scheme_is_not_reported_as_unknown() {
    let registry = registry();
    for (text, expected) in [
        ("x-chat://host.dom/lobby", "scheme-experimental"),
        ("nfs://host.dom/x", "scheme-proposed"),
        ("htp://host.dom/x", "scheme-trap"),
        ("localhost:8080", "scheme-trap"),
    ] {
        let generic = diagnose(text, Profile::Rfc1738);
        assert!(generic.problems().iter().any(|problem| problem.code() == expected), "{generic:?}");
        assert_eq!(codes(&registry, text, Profile::Rfc1738), [""; 0]);
    }
    assert_eq!(codes(&registry, "NFS://host.dom/x", Profile::Rfc1738), ["scheme-case 0..3"]);
}

#[test]
fn a_check_objects_where_it_says_and_with_its_own_words() {
    let registry = registry();
    let diagnosis = registry.diagnose("x-chat://host.dom/a!b", Profile::Rfc1738);
    let [problem] = diagnosis.problems() else { panic!("{diagnosis:?}") };
    assert_eq!((problem.code(), problem.level(), problem.span()), ("scheme-check", Level::Error, 18..21));
    assert_eq!(problem.message().to_string(), "a room has no `!` in its name");
    assert_eq!(problem.help().unwrap().to_string(), "leave the `!` out");
    assert_eq!((problem.section(), problem.decision()), ("4", None));

    let error = registry.parse("x-chat://host.dom").unwrap_err();
    assert_eq!(error.to_string(), "error[scheme-check] at 17..17: no room is named (section 4)");
}

#[test]
fn a_check_is_not_asked_about_what_is_broken_already() {
    assert_eq!(codes(&registry(), "x-chat://host.dom:99999", Profile::Rfc1738), ["port-range 18..23"]);
}

#[test]
fn an_objection_outside_the_text_is_cut_to_it() {
    const MESSAGE: &str = "{text} {octets}";
    let checks: [Check; 4] = [
        |_| Err(Objection::new(5..3000, MESSAGE)),
        |_| Err(Objection::new(1000..2000, MESSAGE)),
        |_| Err(Objection::new(Range { start: usize::MAX, end: 0 }, MESSAGE)),
        |_| Err(Objection::new(usize::MAX..usize::MAX, MESSAGE)),
    ];
    for check in checks {
        let mut registry = Registry::new();
        registry.register(NewScheme::new("x-a", Syntax::Opaque).with_check(check)).unwrap();
        let diagnosis = registry.diagnose("x-a:b%09c", Profile::Rfc1738);
        let problem = &diagnosis.problems()[0];
        assert!(problem.span().start <= problem.span().end && problem.span().end <= 9, "{problem}");
        // The words of a check are not a template.
        assert_eq!(problem.message().to_string(), MESSAGE);
    }
}

#[test]
fn a_check_sees_the_profile_the_port_in_force_and_the_whole_text() {
    let check = |url: &Url<&str>| {
        assert_eq!((url.as_str(), url.port_or_default()), ("x-a://h.dom/~", Some(7)));
        match url.profile() {
            Profile::Current => Ok(()),
            _ => Err(Objection::new(0..3, "only today")),
        }
    };
    let mut registry = Registry::new();
    registry.register(NewScheme::new("x-a", Syntax::Internet).with_default_port(7).with_check(check)).unwrap();
    assert!(registry.parse_with("x-a://h.dom/~", Profile::Current).is_ok());
    // The `~` keeps it from being asked.
    assert_eq!(registry.parse("x-a://h.dom/~").unwrap_err().problem().code(), "bnf-char");
}

#[test]
fn a_registry_goes_between_threads() {
    fn check<T: Send + Sync + Clone + 'static>() {}
    check::<Registry>();
}

/// Every text of the case table, valid or not.
fn table() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/cases");
    let mut texts = Vec::new();
    for file in fs::read_dir(folder).unwrap() {
        for line in fs::read_to_string(file.unwrap().path()).unwrap().lines() {
            let case: Value = serde_json::from_str(line).unwrap();
            texts.extend(case["url"].as_str().map(|url| url.as_bytes().to_vec()));
        }
    }
    assert!(texts.len() > 800);
    texts
}

/// Every problem, part and port that two readings can differ in.
fn reading(diagnosis: &urlwise::Diagnosis<'_>) -> String {
    format!("{diagnosis:?} {:?} {:?}", diagnosis.scheme(), diagnosis.port_or_default())
}

#[test]
fn registering_changes_no_reading_of_the_table_and_an_empty_registry_none_at_all() {
    // These names stand in no case.
    let mut full = Registry::new();
    for name in ["x-zz", "aa", "fftp", "x-http", "newss"] {
        full.register(NewScheme::new(name, Syntax::Internet).with_default_port(1)).unwrap();
    }
    for text in table() {
        for &profile in Profile::ALL {
            let expected = reading(&diagnose(&text, profile));
            assert_eq!(reading(&Registry::new().diagnose(&text, profile)), expected);
            assert_eq!(reading(&full.diagnose(&text, profile)), expected);
        }
    }
}

fn rest() -> impl Strategy<Value = String> {
    let pieces = [
        "//", "/", ":", "@", "host.dom", "h", "80", "99999", "?", "%2F", "%", "~", " ", "!", "#", "_", "[::1]", "a", "",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..9).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_ten_and_their_siblings_are_read_as_ever(
        known in 0..Scheme::ALL.len(),
        upper in any::<bool>(),
        rest in rest(),
        names in prop::collection::vec("[a-zA-Z0-9+.-]{1,9}", 0..6),
        internet in any::<bool>(),
    ) {
        let scheme = Scheme::ALL[known];
        let name = scheme.name().unwrap();
        let text = format!("{}:{rest}", if upper { name.to_uppercase() } else { name.into() });
        let mut registry = registry();
        // Names near the known one, too; some are refused.
        let near = [format!("{name}x"), format!("x-{name}"), name[1..].to_owned()];
        for name in names.into_iter().chain(near) {
            let syntax = if internet { Syntax::Internet } else { Syntax::Opaque };
            let _ = registry.register(NewScheme::new(name, syntax).with_check(|_| Err(Objection::new(0..1, "no"))));
        }
        for &profile in Profile::ALL {
            prop_assert_eq!(reading(&registry.diagnose(&text, profile)), reading(&diagnose(&text, profile)));
            prop_assert_eq!(registry.parse_with(&text, profile), Url::parse_with(&text, profile));
        }
    }

    #[test]
    fn an_empty_registry_reads_as_url_does(text in prop_oneof!["[ -~]{0,30}", rest().prop_map(|rest| format!("x-chat:{rest}"))]) {
        for &profile in Profile::ALL {
            let registry = Registry::new();
            prop_assert_eq!(reading(&registry.diagnose(&text, profile)), reading(&diagnose(&text, profile)));
            prop_assert_eq!(registry.parse_with(&text, profile), Url::parse_with(&text, profile));
        }
    }

    #[test]
    fn parse_and_diagnose_agree_on_registered_schemes(name in prop::sample::select(vec!["x-chat", "X-CHAT", "x-note", "nfs", "htp", "localhost"]), rest in rest()) {
        let registry = registry();
        let text = format!("{name}:{rest}");
        for &profile in Profile::ALL {
            let diagnosis = registry.diagnose(&text, profile);
            match registry.parse_with(&*text, profile) {
                Ok(url) => {
                    prop_assert!(diagnosis.is_valid(), "{:?}", diagnosis);
                    prop_assert_eq!(url.as_str(), &*text);
                    prop_assert_eq!(format!("{:?}", url.parts()), format!("{:?}", diagnosis.parts()));
                    prop_assert_eq!(url.port_or_default(), diagnosis.url().unwrap().port_or_default());
                    // What the registry takes is a URL of section 5 to everybody else, with the same host if it has one.
                    let generic = Url::parse_with(&*text, profile).unwrap();
                    if name != "x-note" && name != "localhost" {
                        prop_assert_eq!(format!("{:?}", url.parts()), format!("{:?}", generic.parts()));
                    }
                }
                Err(error) => {
                    prop_assert!(diagnosis.problems().contains(&error.problem()), "{} {:?}", error, diagnosis);
                }
            }
            for problem in diagnosis.problems() {
                prop_assert!(!["scheme-trap", "scheme-experimental", "scheme-proposed", "generic-ip"].contains(&problem.code()));
            }
        }
    }
}

#[test]
fn the_rules_of_a_scheme_are_those_of_its_name_with_its_colon() {
    for text in ["x-chat", "x-chat//host.dom/", "x-chat;//host.dom/", "x-chats://host.dom/ "] {
        for &profile in Profile::ALL {
            let without = diagnose(text, profile);
            let expected: Vec<_> = without.problems().iter().map(ToString::to_string).collect();
            let diagnosis = registry().diagnose(text, profile);
            assert_eq!(diagnosis.problems().iter().map(ToString::to_string).collect::<Vec<_>>(), expected, "{text}");
        }
    }
}
