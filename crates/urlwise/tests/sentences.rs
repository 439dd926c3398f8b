//! Every sentence about every broken text, as the golden file of the program has it: the library says the same.

use std::fs;
use std::path::Path;

use urlwise::{Profile, Verdict, diagnose, verdict};

/// What is said of a text in lines: by RFC 1738, or by the profile that has rules for its scheme.
fn said(text: &str) -> String {
    let is_of_current = |code: &str| matches!(code, "scheme-sibling" | "scheme-current");
    let strict = diagnose(text, Profile::Rfc1738);
    let profile = match strict.problems().iter().any(|problem| is_of_current(problem.code())) {
        true => Profile::Current,
        false => Profile::Rfc1738,
    };
    let source = |section: &str, decision: Option<&str>| format!("{section} {}", decision.unwrap_or_default());
    let mut lines = String::new();
    for problem in diagnose(text, profile).problems() {
        let help = problem.help().map_or(String::new(), |help| help.to_string());
        let source = source(problem.section(), problem.decision());
        lines += &format!("  {}[{}] {source}: {}; {help}\n", problem.level(), problem.code(), problem.message());
    }
    let verdict = verdict(text, profile);
    match &verdict {
        Verdict::Repaired(repaired) => lines += &format!("  repaired: {}\n", repaired.url().as_str()),
        Verdict::Refused(refused) => {
            let help = refused.help().unwrap_or_default();
            let source = source(refused.section(), refused.decision());
            lines += &format!("  refused[{}] {source}: {}; {help}\n", refused.code(), refused.message());
        }
        Verdict::Valid { .. } => {}
    }
    for suggestion in verdict.suggestions() {
        lines += &format!("  suggested: {} ({}): {}\n", suggestion.url(), suggestion.profile(), suggestion.why());
    }
    lines
}

#[test]
fn the_library_says_of_every_broken_text_what_the_program_prints() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../urlwise-cli/tests/golden/broken.txt");
    let golden = fs::read_to_string(golden).unwrap();
    let mut texts: Vec<(&str, String)> = Vec::new();
    for line in golden.lines() {
        match (line.starts_with("  "), texts.last_mut()) {
            (true, Some((_, lines))) => *lines += &format!("{line}\n"),
            _ => texts.push((line, String::new())),
        }
    }
    assert!(texts.len() > 300, "{}", texts.len());
    let differ: Vec<_> = texts.iter().filter(|(text, lines)| said(text) != *lines).collect();
    if let Some((text, lines)) = differ.first() {
        panic!("{} of {} differ; {text}\n{lines}--\n{}", differ.len(), texts.len(), said(text));
    }
}
