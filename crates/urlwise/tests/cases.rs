//! Holds the library to every case of `tests/data/cases` (format: `tests/data/README.md`): validity, problems, the parts as
//! they stand in the text, and the text that comes back. What the command line prints of the same cases has its own test.

#![allow(clippy::unwrap_used, reason = "a table that cannot be read must stop the test")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;
use urlwise::{Diagnosis, Host, Level, Problem, Profile, Url, diagnose};

/// The decisions that no reading of a URL can show, each with the reason.
const NO_MATTER_OF_PARSING: [(&str, &str); 4] = [
    ("D-35", "who logs in with which name is decided in the dialogue with the server"),
    ("D-36", "which connection is used again is decided by the client"),
    ("D-40", "what goes on the request line is tested with the http view"),
    ("D-47", "whether an empty search is sent is decided by the gopher machine"),
];

struct Case {
    place: String,
    sentence: String,
    rule: String,
    profile: Profile,
    octets: Vec<u8>,
    valid: bool,
    scheme: Option<String>,
    parts: Option<Value>,
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
    assert!(differences.is_empty(), "{wrong} of {} cases differ:\n{}", cases.len(), differences.join("\n"),);
}

#[test]
fn the_table_is_large_and_names_every_decision() {
    let cases = cases();
    assert!(cases.len() >= 400, "only {} cases", cases.len());
    let named: BTreeSet<&str> = cases.iter().map(|case| case.rule.as_str()).collect();
    let missing: Vec<String> = (1..=66)
        .map(|number| format!("D-{number:02}"))
        .filter(|decision| {
            !named.contains(decision.as_str()) && !NO_MATTER_OF_PARSING.iter().any(|(exempt, _)| exempt == decision)
        })
        .collect();
    assert!(missing.is_empty(), "no case names {missing:?}");
}

#[test]
fn every_case_is_unique_and_consistent() {
    let mut described = BTreeSet::new();
    for case in cases() {
        let file = case.place.split(':').next().unwrap_or_default().to_owned();
        assert!(described.insert((file, case.sentence.clone())), "{}: described twice: {}", case.place, case.sentence);
        let errors = case.problems.iter().any(|problem| problem.starts_with("error "));
        assert_eq!(case.valid, !errors, "{}: `valid` does not suit `problems`", case.place);
    }
}

#[test]
fn every_problem_says_what_is_wrong() {
    for case in cases() {
        for problem in diagnose(&case.octets, case.profile).problems() {
            assert_ne!(problem.message().to_string().trim(), "", "{}: {problem}", case.place);
        }
    }
}

/// What the library does otherwise than the case demands.
fn differences_of(case: &Case) -> Vec<String> {
    let mut found = Vec::new();
    let diagnosis = diagnose(&case.octets, case.profile);
    if diagnosis.is_valid() != case.valid {
        found.push(format!("valid: expected {}, is {}", case.valid, diagnosis.is_valid()));
    }
    let scheme = diagnosis.scheme_name().map(|name| String::from_utf8_lossy(name).to_ascii_lowercase());
    if scheme != case.scheme {
        found.push(format!("scheme: expected {:?}, is {scheme:?}", case.scheme));
    }
    for (index, problem) in diagnosis.problems().iter().enumerate() {
        if diagnosis.problems()[..index].iter().any(|earlier| written(earlier) == written(problem)) {
            found.push(format!("reported twice: {:?}", written(problem)));
        }
    }
    let (notes, problems): (Vec<&Problem>, Vec<&Problem>) =
        diagnosis.problems().iter().partition(|problem| problem.level() == Level::Note);
    let problems: Vec<String> = problems.into_iter().flat_map(written).collect();
    if problems != case.problems {
        found.push(format!("problems: expected {:?}, are {problems:?}", case.problems));
    }
    let notes: Vec<String> = notes.into_iter().flat_map(written).collect();
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
    if let Some(parts) = &case.parts {
        found.extend(differences_of_parts(case, parts, &diagnosis));
    }
    found
}

/// Every part as written, by name: lists have one entry for each element, absent parts none. Holds the names the case tells
/// of; the contract may grow, so others are not compared.
type Written = BTreeMap<String, Vec<String>>;

/// Compares the parts as they stand in the text, and what is said of host and port. `kind`, `form` and the `local` of a file
/// are no text of the URL: the command line's test compares them.
fn differences_of_parts(case: &Case, parts: &Value, diagnosis: &Diagnosis<'_>) -> Vec<String> {
    let mut found = Vec::new();
    let mut expected = Written::new();
    collect(parts, &mut expected);
    let mut is: Written = expected.keys().map(|name| (name.clone(), Vec::new())).collect();
    for part in diagnosis.parts() {
        if let Some(list) = is.get_mut(part.name()) {
            list.push(part.octets().escape_ascii().to_string());
        }
    }
    if case.scheme.as_deref() == Some("mailto") {
        for side in ["local", "domain"] {
            let decoded = diagnosis.parts().find(|part| part.name() == side).map(|part| part.decode().into_owned());
            if decoded.as_deref() != parts[side].as_str().map(str::as_bytes) {
                found.push(format!("{side}: expected {}, is {decoded:?}", parts[side]));
            }
        }
    }
    if is != expected {
        found.push(format!("parts: expected {expected:?}, are {is:?}"));
    }
    // Schemes other than the ten tell of their host under `ip`.
    let of_host = if parts["ip"].is_object() { &parts["ip"] } else { parts };
    if let Some(kind) = of_host["host_kind"].as_str() {
        let is = match diagnosis.host_kind() {
            Some(kind) => kind.name(),
            None => "none",
        };
        if kind != is {
            found.push(format!("host_kind: expected {kind}, is {is}"));
        }
        let number = diagnosis.port_or_default().map(u64::from);
        if of_host["port_number"].as_u64() != number {
            found.push(format!("port_number: expected {}, is {number:?}", of_host["port_number"]));
        }
    }
    found
}

/// Gathers the parts of a case that are text of the URL.
fn collect(parts: &Value, into: &mut Written) {
    for (name, value) in parts.as_object().unwrap() {
        let list = match (name.as_str(), value) {
            ("ip", Value::Object(_)) => {
                collect(value, into);
                continue;
            }
            ("ip", _) => {
                into.extend(["user", "password", "host", "port"].map(|name| (name.to_owned(), Vec::new())));
                continue;
            }
            ("host_kind" | "port_number" | "form" | "kind" | "local" | "domain", _) => continue,
            (_, Value::Null) => Vec::new(),
            (_, Value::String(text)) => vec![text.clone()],
            (_, Value::Array(list)) => list.iter().map(raw).collect(),
            _ => vec![raw(value)],
        };
        into.insert(name.clone(), list);
    }
}

/// An encoded part, or a field of two, as written.
fn raw(value: &Value) -> String {
    match value["raw"].as_str() {
        Some(raw) => raw.as_bytes().escape_ascii().to_string(),
        None => format!("{}={}", raw(&value["name"]), raw(&value["value"])),
    }
}

/// `parse_with` stops at one error; it must agree with `diagnose` on validity, and the error must be one of the case's.
fn difference_of_parse(case: &Case) -> Option<String> {
    let text = std::str::from_utf8(&case.octets).ok()?;
    match Url::parse_with(text, case.profile) {
        Ok(url) if !case.valid => Some(format!("parse: took {:?}", url.as_str())),
        Ok(url) if url.as_str() != text => Some(format!("parse: came back as {:?}", url.as_str())),
        Ok(url) => {
            // Parsing has short ways that diagnosing has not; both must come to the same places.
            let diagnosis = diagnose(&case.octets, case.profile);
            let parsed = format!("{:?} {:?} {:?}", url.parts(), url.host().map(Host::kind), url.port_or_default());
            let kind = diagnosis.host_kind();
            let diagnosed = format!("{:?} {kind:?} {:?}", diagnosis.parts(), diagnosis.port_or_default());
            (parsed != diagnosed).then(|| format!("parse: finds {parsed}, diagnose {diagnosed}"))
        }
        Err(error) => {
            let problem = written(&error.problem());
            if !problem.iter().all(|place| case.problems.contains(place)) {
                Some(format!("parse: refused with {problem:?}"))
            } else if error.input() != text.as_bytes() {
                Some("parse: the error holds another text".to_owned())
            } else {
                None
            }
        }
    }
}

/// A problem as the cases write it, once for each place.
fn written(problem: &Problem) -> Vec<String> {
    let level = match problem.level() {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "note",
    };
    problem.spans().map(|span| format!("{level} {} {}..{}", problem.code(), span.start, span.end)).collect()
}

/// The input on one line, without controls, cut where it becomes long.
fn excerpt(octets: &[u8]) -> String {
    let text: String = octets.escape_ascii().take(120).map(char::from).collect();
    if text.len() < octets.len() { format!("{text}...") } else { text }
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/cases");
    let mut files: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .collect();
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        for (index, line) in fs::read_to_string(&file).unwrap().lines().enumerate() {
            let place = format!("{name}:{}", index + 1);
            let value: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{place}: {error}"));
            cases.push(case(&place, &value));
        }
    }
    cases
}

fn case(place: &str, value: &Value) -> Case {
    let text =
        |field: &str| value[field].as_str().unwrap_or_else(|| panic!("{place}: `{field}` must be a string")).to_owned();
    let texts = |field: &str| -> Vec<String> {
        let list = value[field].as_array().map_or(&[][..], Vec::as_slice);
        list.iter().map(|item| item.as_str().unwrap().to_owned()).collect()
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
        parts: value.get("parts").cloned(),
        problems: texts("problems"),
        notes: texts("notes"),
    }
}

fn from_hex(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|start| u8::from_str_radix(&hex[start..start + 2], 16).unwrap()).collect()
}
