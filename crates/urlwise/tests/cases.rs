//! Holds the library to every case of `tests/data/cases` (format: `tests/data/README.md`): validity, problems, and the
//! text that comes back. The parts of the same cases are compared by the tests of the command line, which prints them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use urlwise::{Level, Problem, Profile, Url, diagnose};

/// The decisions that no reading of a URL can show, each with the reason.
const NO_MATTER_OF_PARSING: [(&str, &str); 4] = [
    (
        "D-35",
        "who logs in with which name is decided in the dialogue with the server",
    ),
    (
        "D-36",
        "which connection is used again is decided by the client",
    ),
    (
        "D-40",
        "what goes on the request line is tested with the http view",
    ),
    (
        "D-47",
        "whether an empty search is sent is decided by the gopher machine",
    ),
];

struct Case {
    place: String,
    sentence: String,
    rule: String,
    profile: Profile,
    octets: Vec<u8>,
    valid: bool,
    scheme: Option<String>,
    problems: Vec<String>,
    notes: Vec<String>,
}

#[test]
fn every_case_is_read_as_the_rfc_demands() {
    let cases = cases();
    let mut differences = Vec::new();
    let mut wrong = 0;
    for case in &cases {
        let found = differences_of(case);
        if !found.is_empty() {
            wrong += 1;
            differences.push(format!(
                "{} ({}, {}) {}\n    {}\n    {}",
                case.place,
                case.rule,
                case.profile,
                case.sentence,
                excerpt(&case.octets),
                found.join("\n    "),
            ));
        }
    }
    assert!(
        differences.is_empty(),
        "{wrong} of {} cases differ:\n{}",
        cases.len(),
        differences.join("\n"),
    );
}

#[test]
fn the_table_is_large_and_names_every_decision() {
    let cases = cases();
    assert!(cases.len() >= 400, "only {} cases", cases.len());
    let named: BTreeSet<&str> = cases.iter().map(|case| case.rule.as_str()).collect();
    let missing: Vec<String> = (1..=66)
        .map(|number| format!("D-{number:02}"))
        .filter(|decision| {
            !named.contains(decision.as_str())
                && !NO_MATTER_OF_PARSING
                    .iter()
                    .any(|(exempt, _)| exempt == decision)
        })
        .collect();
    assert!(missing.is_empty(), "no case names {missing:?}");
}

#[test]
fn every_case_is_told_once_and_agrees_with_itself() {
    let mut told = BTreeSet::new();
    for case in cases() {
        let file = case.place.split(':').next().unwrap_or_default().to_owned();
        assert!(
            told.insert((file, case.sentence.clone())),
            "{}: told twice: {}",
            case.place,
            case.sentence
        );
        let errors = case
            .problems
            .iter()
            .any(|problem| problem.starts_with("error "));
        assert_eq!(
            case.valid, !errors,
            "{}: `valid` does not suit `problems`",
            case.place
        );
    }
}

/// What the library does otherwise than the case demands.
fn differences_of(case: &Case) -> Vec<String> {
    let mut found = Vec::new();
    let diagnosis = diagnose(&case.octets, case.profile);
    if diagnosis.is_valid() != case.valid {
        found.push(format!(
            "valid: expected {}, is {}",
            case.valid,
            diagnosis.is_valid()
        ));
    }
    let scheme = diagnosis
        .scheme_name()
        .map(|name| String::from_utf8_lossy(name).to_ascii_lowercase());
    if scheme != case.scheme {
        found.push(format!("scheme: expected {:?}, is {scheme:?}", case.scheme));
    }
    let (notes, problems): (Vec<&Problem>, Vec<&Problem>) = diagnosis
        .problems()
        .iter()
        .partition(|problem| problem.level() == Level::Note);
    let problems: Vec<String> = problems.into_iter().map(written).collect();
    if problems != case.problems {
        found.push(format!(
            "problems: expected {:?}, are {problems:?}",
            case.problems
        ));
    }
    let notes: Vec<String> = notes.into_iter().map(written).collect();
    for note in &case.notes {
        if !notes.contains(note) {
            found.push(format!("notes: expected {note:?} among {notes:?}"));
        }
    }
    match (diagnosis.url(), case.valid) {
        (Some(url), true) if url.as_str().as_bytes() != case.octets => {
            found.push(format!("text: came back as {:?}", url.as_str()));
        }
        (Some(_), false) => found.push("an invalid text became a URL".to_owned()),
        (None, true) => found.push("a valid text became no URL".to_owned()),
        _ => {}
    }
    found.extend(difference_of_parse(case));
    found
}

/// `parse_with` stops at one error; it must agree with `diagnose` on validity, and the error must be one of the case's.
fn difference_of_parse(case: &Case) -> Option<String> {
    let text = str::from_utf8(&case.octets).ok()?;
    match Url::parse_with(case.profile, text) {
        Ok(url) if !case.valid => Some(format!("parse: took {:?}", url.as_str())),
        Ok(url) if url.as_str() != text => Some(format!("parse: came back as {:?}", url.as_str())),
        Ok(_) => None,
        Err(error) => {
            let problem = written(error.problem());
            if !case.problems.contains(&problem) {
                Some(format!("parse: refused with {problem}"))
            } else if error.into_input() != text {
                Some("parse: the input did not come back".to_owned())
            } else {
                None
            }
        }
    }
}

/// A problem as the cases write it.
fn written(problem: &Problem) -> String {
    let level = match problem.level() {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "note",
    };
    let span = problem.span();
    format!("{level} {} {}..{}", problem.code(), span.start, span.end)
}

/// The input on one line, without controls, cut where it becomes long.
fn excerpt(octets: &[u8]) -> String {
    let text: String = octets.escape_ascii().take(120).map(char::from).collect();
    if text.len() < octets.len() {
        format!("{text}...")
    } else {
        text
    }
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/cases");
    let mut files: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "jsonl")
        })
        .collect();
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        for (index, line) in fs::read_to_string(&file).unwrap().lines().enumerate() {
            let place = format!("{name}:{}", index + 1);
            let value: Value =
                serde_json::from_str(line).unwrap_or_else(|error| panic!("{place}: {error}"));
            cases.push(case(&place, &value));
        }
    }
    cases
}

fn case(place: &str, value: &Value) -> Case {
    let text = |field: &str| {
        value[field]
            .as_str()
            .unwrap_or_else(|| panic!("{place}: `{field}` must be a string"))
            .to_owned()
    };
    let texts = |field: &str| -> Vec<String> {
        let list = value[field].as_array().map_or(&[][..], Vec::as_slice);
        list.iter()
            .map(|item| item.as_str().unwrap().to_owned())
            .collect()
    };
    Case {
        place: place.to_owned(),
        sentence: text("case"),
        rule: text("rule"),
        profile: text("profile").parse().unwrap(),
        octets: match value["url_octets"].as_str() {
            Some(hex) => from_hex(hex),
            None => text("url").into_bytes(),
        },
        valid: value["valid"].as_bool().unwrap(),
        scheme: value["scheme"].as_str().map(str::to_owned),
        problems: texts("problems"),
        notes: texts("notes"),
    }
}

fn from_hex(hex: &str) -> Vec<u8> {
    (0..hex.len())
        .step_by(2)
        .map(|start| u8::from_str_radix(&hex[start..start + 2], 16).unwrap())
        .collect()
}
