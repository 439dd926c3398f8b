//! Every text of the tables, held to golden files: the message, help and section of each problem code and audit rule, the sentence about
//! each kind of URL, and what is said of each broken text. `SNAPSHOTS=overwrite` writes them anew: read the difference before you
//! commit it.

#![allow(clippy::unwrap_used, reason = "a table that cannot be read must stop the test")]

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use snapbox::{Assert, Data, data::DataFormat};
use support::Tree;
use urlwise::audit::{Audit, Provenance};
use urlwise::{Language, Profile, Url, Verdict};

#[track_caller]
fn holds(name: &str, text: String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    let golden = Data::read_from(&path, Some(DataFormat::Text)).raw();
    Assert::new().action_env("SNAPSHOTS").normalize_paths(false).eq(Data::text(text).raw(), golden);
}

/// The other languages, by the English texts.
#[test]
fn every_code_in_every_language() {
    for language in Language::ALL.iter().filter(|language| **language != Language::En) {
        let mut text = String::new();
        for code in urlwise::problem_codes() {
            let (message, help) = (code.message_in(*language), code.help_in(*language));
            text += &format!("{}\n  {}\n  {message}\n  {}\n  {help}\n", code.code, code.message, code.help);
        }
        for rule in urlwise::audit::RULES {
            let [message, help] = rule.templates_in(*language);
            text += &format!("\n{}  {message}\n  {help}\n", rule.display_in(*language));
        }
        holds(&format!("codes.{}.txt", language.tag()), text);
    }
}

/// What the audit says of a valid URL, in English and in another language.
fn findings(text: &str, profile: Profile, language: Language) -> Vec<String> {
    let Ok(url) = Url::parse_with(text, profile) else {
        return Vec::new();
    };
    let findings = Audit::new().check(&url, Provenance::Text);
    let each = findings.iter().flat_map(|finding| {
        let message = format!("{}\n  {}\n", finding.message(), finding.message_in(language));
        [message, format!("{}\n  {}\n", finding.help(), finding.help_in(language))]
    });
    each.collect()
}

/// What is said of the changes or the refusal, and of the suggestions.
fn repairs(text: &str, profile: Profile, language: Language) -> Vec<String> {
    let verdict = urlwise::verdict(text, profile);
    let mut said = Vec::new();
    match &verdict {
        Verdict::Valid { .. } => {}
        Verdict::Repaired(repaired) => {
            let changes = repaired.changes().iter();
            said.extend(changes.map(|change| format!("{}\n  {}\n", change.message(), change.message_in(language))));
        }
        Verdict::Refused(refused) => {
            said.push(format!("{}\n  {}\n", refused.message(), refused.message_in(language)));
            let help = refused.help().zip(refused.help_in(language));
            said.extend(help.map(|(english, help)| format!("{english}\n  {help}\n")));
        }
    }
    let suggestions = verdict.suggestions().iter();
    said.extend(suggestions.map(|meant| format!("{}\n  {}\n", meant.why(), meant.why_in(language))));
    said
}

/// Every message and help about the texts of the case table and of the table of broken texts.
#[test]
fn every_message_in_every_language() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../urlwise/tests/data");
    let mut texts = BTreeSet::new();
    for file in fs::read_dir(data.join("cases")).unwrap() {
        for line in fs::read_to_string(file.unwrap().path()).unwrap().lines() {
            let case: Value = serde_json::from_str(line).unwrap();
            texts.extend(case["url"].as_str().map(str::to_owned));
        }
    }
    let broken = fs::read_to_string(data.join("broken.tsv")).unwrap();
    texts.extend(broken.lines().filter_map(|line| line.split('\t').nth(1)).map(str::to_owned));
    for language in Language::ALL.iter().filter(|language| **language != Language::En) {
        let mut said = BTreeSet::new();
        for text in &texts {
            for profile in Profile::ALL {
                for problem in urlwise::diagnose(text, *profile).problems() {
                    said.insert(format!("{}\n  {}\n", problem.message(), problem.message_in(*language)));
                    let helps = problem.help().zip(problem.help_in(*language));
                    said.extend(helps.map(|(english, help)| format!("{english}\n  {help}\n")));
                }
                said.extend(findings(text, *profile, *language));
                said.extend(repairs(text, *profile, *language));
            }
        }
        assert!(said.len() > 300, "{}", said.len());
        holds(&format!("messages.{}.txt", language.tag()), said.into_iter().collect());
    }
}

#[test]
fn every_code_and_rule() {
    let mut text = String::new();
    for code in urlwise::problem_codes() {
        let [strict, current] = [Profile::Rfc1738, Profile::Current].map(|profile| code.level(profile));
        let source = [Some(code.section), code.decision].into_iter().flatten().collect::<Vec<_>>().join(", ");
        text += &format!("{}: {strict}, {current} ({source})\n  {}\n  {}\n", code.code, code.message, code.help);
    }
    for rule in urlwise::audit::RULES {
        text += &format!("\n{rule}");
    }
    holds("codes.txt", text);
}

/// Every URL of the case table under both profiles.
#[test]
fn the_sentence_about_every_kind_of_url() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../urlwise/tests/data/cases");
    let mut urls = BTreeSet::new();
    for file in fs::read_dir(folder).unwrap() {
        for line in fs::read_to_string(file.unwrap().path()).unwrap().lines() {
            let case: Value = serde_json::from_str(line).unwrap();
            urls.extend(case["url"].as_str().filter(|url| !url.contains('\0')).map(str::to_owned));
        }
    }
    let tree = Tree::new("golden").with("urls", urls.iter().map(|url| format!("{url}\0")).collect::<String>());
    let mut text = String::new();
    let mut count = 0;
    for line in tree.run(&["explain", "--json", "--show-secrets", "-0f", "urls"]).json() {
        let readings = line["readings"].as_array().unwrap();
        let sentences: BTreeSet<_> = readings.iter().filter_map(|reading| reading["meaning"].as_str()).collect();
        count += sentences.len();
        for sentence in sentences {
            text += &format!("{}\n  {sentence}\n", line["url"].as_str().unwrap().escape_debug());
        }
    }
    assert!(count > 500, "{count}");
    holds("sentences.txt", text);
}

/// Every text of the table of broken texts: its problems, and its repaired URL or why there is none.
#[test]
fn what_is_said_of_every_broken_text() {
    let table = include_str!("../../urlwise/tests/data/broken.tsv");
    let mut texts = BTreeSet::new();
    // Texts whose escapes are written out are held to their answers by other tests.
    let rows = table.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect::<Vec<_>>());
    texts.extend(rows.map(|row| row[1].to_owned()).filter(|text| !text.contains('\\')));
    let tree =
        Tree::new("golden-broken").with("texts", texts.iter().map(|text| format!("{text}\0")).collect::<String>());
    let mut text = String::new();
    for line in tree.run(&["explain", "--json", "--show-secrets", "-0f", "texts"]).json() {
        text += &format!("{}\n", line["url"].as_str().unwrap());
        for problem in line["problems"].as_array().unwrap() {
            let said = |field: &str| problem[field].as_str().unwrap_or_default().to_owned();
            let source = [said("section"), said("decision")].join(" ");
            text += &format!("  {}[{}] {source}: {}; {}\n", said("level"), said("code"), said("message"), said("help"));
        }
        if let Some(url) = line["repaired"].as_str() {
            text += &format!("  repaired: {url}\n");
        }
        if let Some(refused) = line["refused"].as_object() {
            let said = |field: &str| refused[field].as_str().unwrap_or_default().to_owned();
            let source = [said("section"), said("decision")].join(" ");
            text += &format!("  refused[{}] {source}: {}; {}\n", said("code"), said("message"), said("help"));
        }
        for suggestion in line["suggestions"].as_array().unwrap() {
            let said = |field: &str| suggestion[field].as_str().unwrap().to_owned();
            text += &format!("  suggested: {} ({}): {}\n", said("url"), said("profile"), said("why"));
        }
    }
    holds("broken.txt", text);
}
