//! What the definition of finger says, to those that ask it: building, normal forms, comparing, and lists of parts (D-73).

use urlwise::build::{self, Draft};
use urlwise::{NormalForm, Profile, Scheme, Url, repair};

fn built(parts: &[(&str, &str)]) -> String {
    let draft = Draft::of(Scheme::Finger).with("host", "h.dom");
    let draft = parts.iter().fold(draft, |draft, (name, value)| draft.with(name, value));
    draft.build().expect("a request").as_str().to_owned()
}

fn normal(text: &str) -> String {
    Url::parse_current(text).expect(text).normalize(NormalForm::Scheme).as_str().to_owned()
}

#[test]
fn the_switch_and_the_name_are_separated_by_a_space_and_the_switch_stands_first() {
    assert_eq!(built(&[]), "finger://h.dom");
    assert_eq!(built(&[("username", "")]), "finger://h.dom/");
    assert_eq!(built(&[("username", "joe")]), "finger://h.dom/joe");
    assert_eq!(built(&[("verbose", "/W")]), "finger://h.dom/%2FW");
    assert_eq!(built(&[("username", "joe"), ("verbose", "/W")]), "finger://h.dom/%2FW%20joe");
    assert_eq!(built(&[("username", "joe"), ("port", "7979")]), "finger://h.dom:7979/joe");
}

#[test]
fn nothing_is_reserved_in_a_request_but_what_may_not_stand_there() {
    assert_eq!(built(&[("username", "a:b@c&d=e;f")]), "finger://h.dom/a:b@c&d=e;f");
    assert_eq!(built(&[("username", "a/b?c~d")]), "finger://h.dom/a%2Fb%3Fc%7Ed");
    for octet in [":", "@", "&", "=", ";"] {
        let escaped = format!("finger://h.dom/a%{:02X}b", octet.as_bytes()[0]);
        assert_eq!(normal(&escaped), normal(&format!("finger://h.dom/a{octet}b")), "{octet}");
    }
    assert_ne!(normal("finger://h.dom/a%2Fb"), normal("finger://h.dom/ab"));
}

#[test]
fn without_a_request_the_slash_makes_no_difference_and_the_reason_says_so() {
    let [bare, slash, named] = ["finger://h.dom", "finger://h.dom/", "finger://h.dom/joe"]
        .map(|text| Url::parse_current(text).expect("a finger URL"));
    let same = bare.compare(&slash);
    assert!(same.is_same());
    let reasons: Vec<_> = same.reasons().map(|reason| (reason.code(), reason.decision())).collect();
    assert_eq!(reasons, [("finger-slash", Some("D-73"))]);
    assert!(same.to_string().contains("a finger URL asks who is logged in"), "{same}");
    assert!(!slash.compare(&named).is_same());
}

#[test]
fn its_parts_have_names_for_people_and_say_what_they_are_for() {
    let parts: Vec<_> = build::parts(Scheme::Finger).collect();
    let labels: Vec<_> = parts.iter().map(|part| part.label()).collect();
    assert_eq!(labels, ["host", "port", "/W", "user name"]);
    let naming: Vec<_> = parts.iter().filter(|part| part.names_document()).map(|part| part.name()).collect();
    assert_eq!(naming, ["username"]);
    assert_eq!((Scheme::Finger.section(), Scheme::Finger.title()), ("RFC 1288", "Information about users"));
}

#[test]
fn a_request_is_explained_by_its_own_rule() {
    let diagnosis = urlwise::diagnose("finger://h.dom/a/b", Profile::Current);
    let error = diagnosis.problems().iter().find(|problem| problem.code() == "bnf-char").expect("a slash");
    assert_eq!(error.span(), 16..17);
    let rule = error.expected().expect("the rule of a request");
    assert_eq!((rule.name(), rule.bnf()), ("finger-request", r#"*[ uchar | ";" | ":" | "@" | "&" | "=" ]"#));
    assert!(error.message().to_string().contains("a finger request"), "{error}");
}

#[test]
fn security_14_a_user_before_a_host_is_guessed_unless_a_password_would_be_shown() {
    for (text, meant) in [("finger:joe@h.dom", &["finger://h.dom/joe"][..]), ("finger:joe:pw@h.dom", &[])] {
        let refused = repair(text, Profile::Current).expect_err("the slashes are missing");
        assert!(refused.suggestions().iter().map(urlwise::Suggestion::url).eq(meant.iter().copied()), "{text}");
    }
}
