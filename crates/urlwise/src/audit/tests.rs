use super::rules::{COUNT, ENC_NEEDLESS, READ_DIFFERENTLY, RULES, Source};
use super::{Audit, Finding, Provenance, Severity};
use crate::language::Language;
use crate::profile::Profile;
use crate::url::Url;
use std::format;
use std::string::{String, ToString};

#[test]
fn every_rule_of_the_decisions_is_there_once_and_in_order() {
    assert_eq!((RULES.len(), COUNT), (36, 36));
    for (index, rule) in RULES.iter().enumerate() {
        assert_eq!(rule.number, format!("E-{:02}", index + 1));
        assert_eq!(rule.index, index);
        assert!(RULES[index + 1..].iter().all(|other| other.id != rule.id), "{}", rule.id);
        assert!(rule.id.bytes().all(|octet| octet.is_ascii_lowercase() || octet.is_ascii_digit() || octet == b'-'));
    }
}

#[test]
fn the_texts_of_a_rule_are_sentences_of_one_line() {
    for rule in RULES {
        let [message, help] = rule.templates_in(Language::En);
        for text in [rule.when, &message, &help, rule.page, rule.example] {
            assert!(!text.is_empty() && !text.contains(['\n', '\t']) && !text.contains("  "), "{}: {text}", rule.id);
        }
        for text in [rule.when, &message, &help] {
            assert!(!text.ends_with('.'), "{}: {text}", rule.id);
        }
        assert!(rule.page.ends_with('.'), "{}", rule.id);
        assert!(!rule.schemes.is_empty());
        let names = message.split('{').skip(1).filter_map(|rest| rest.split('}').next());
        assert!(names.into_iter().all(|name| ["text", "part", "detail", "scheme"].contains(&name)), "{}", rule.id);
    }
}

/// The table of the module's documentation is written by hand.
#[test]
fn the_documentation_lists_every_rule_as_it_is() {
    let documented = include_str!("mod.rs");
    for rule in RULES {
        let mut severity = rule.severity.to_string();
        let mut rest: String = rule
            .exceptions
            .iter()
            .map(|(scheme, other)| format!(", {} {other}", scheme.name().unwrap_or("other")))
            .collect();
        rest = rest.replace("http low, file low", "http and file low");
        severity += &rest;
        let constant = rule.id.to_uppercase().replace('-', "_");
        let row = format!("//! | {} | [`{}`]({constant}) | {severity}", rule.number, rule.id);
        let line = documented.lines().find(|line| line.starts_with(&row)).unwrap_or_else(|| panic!("{row}"));
        assert!(line.ends_with(&format!("| {} |", rule.section)), "{line}");
    }
}

#[test]
fn a_page_tells_everything() {
    for rule in RULES {
        let page = rule.to_string();
        for text in [rule.id, rule.number, rule.section, rule.when, rule.page, rule.example] {
            assert!(page.contains(text), "{}", rule.id);
        }
    }
    assert!(super::CTL_CRLF.to_string().contains("\nlow in http URLs\n"));
    assert_eq!(RULES.iter().filter(|rule| rule.source != Source::Url).count(), 5);
}

/// What is found in a URL of the profile `current`.
fn found(text: &str) -> std::vec::Vec<Finding<'_>> {
    let url = Url::parse_with(text, Profile::Current).expect(text);
    Audit::new().check(&url, Provenance::Given)
}

#[test]
fn a_password_is_masked_in_a_finding_however_many_findings_and_passwords_stand_before_it() {
    let text = format!("http://h.dom/%41{}", "//joe:a%62c@x/%64".repeat(40));
    let mut masked = 0;
    for finding in found(&text) {
        let span = finding.span();
        let is_password = text[..span.start].ends_with("joe:a");
        let message = finding.message().to_string();
        assert_eq!(message.contains("***"), is_password, "{span:?} {message}");
        masked += usize::from(is_password);
    }
    assert!(masked > 20, "{masked}");
}

#[test]
fn needless_escapes_are_worse_where_more_than_half_of_a_segment_is_escaped() {
    for (segment, severity) in [
        ("%41%42ab", Severity::Low),
        ("%41%42a", Severity::Medium),
        ("%41%2Fab", Severity::Low),
        ("%41%42%43%2F%2F%2F", Severity::Low),
        ("%41%42%43%2F%2F", Severity::Medium),
    ] {
        let text = std::format!("http://h.dom/{segment}/abcdef");
        let found = found(&text);
        let needless = found.iter().find(|finding| finding.rule() == ENC_NEEDLESS).expect(segment);
        assert_eq!(needless.severity(), severity, "{segment}");
    }
}

#[test]
fn findings_are_alike_only_if_all_that_they_say_is_the_same_but_for_their_octets() {
    let finding = |span| Finding::new(READ_DIFFERENTLY, "http://h.dom/h.dom", span).with_detail("a");
    let one = finding(7..12);
    assert!(one.is_like(&finding(13..18)) && one.is_like(&finding(7..11)));
    for other in [
        finding(13..18).with_detail("b"),
        finding(13..18).with_help("a"),
        finding(13..18).with_severity(Severity::Low),
        Finding::new(READ_DIFFERENTLY, "http://h.dom/h.dom", 13..18),
        Finding::new(ENC_NEEDLESS, "http://h.dom/h.dom", 13..18).with_detail("a"),
    ] {
        assert!(!one.is_like(&other) && !other.is_like(&one), "{other}");
    }
    let found = found("http://h.dom/%2e%2e/%2e%2e");
    let mut dots = found.iter().filter(|finding| finding.code() == "dot-segment");
    let (first, second) = (dots.next().expect("the first"), dots.next().expect("the second"));
    assert!(first.is_like(second), "{first} {second}");
}
