use super::rules::{COUNT, RULES, Source};
use crate::language::Language;
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
