//! Runs the program on every case of `crates/urlwise/tests/data/cases` (format: the README next to that folder) and compares
//! validity, scheme and parts of `urlwise parse --json`. One process reads all cases of a profile, in order.

#![allow(clippy::unwrap_used, reason = "a table that cannot be read must stop the test")]

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use serde_json::Value;

struct Case {
    place: String,
    octets: Vec<u8>,
    value: Value,
}

#[test]
fn the_program_reads_every_case_of_rfc1738_as_expected() {
    compare("rfc1738");
}

#[test]
fn the_program_reads_every_case_of_current_as_expected() {
    compare("current");
}

/// Compares the output for the cases of one profile, and reports all differences at once.
fn compare(profile: &str) {
    let cases = cases(profile);
    assert!(!cases.is_empty(), "no case of {profile}");
    let lines = output_of(profile, &cases);
    assert_eq!(lines.len(), cases.len(), "one line is printed for each record");
    let mut differences = Vec::new();
    for (case, line) in cases.iter().zip(&lines) {
        let found: Vec<String> = ["url", "url_octets", "profile", "valid", "scheme", "parts"]
            .into_iter()
            .filter_map(|field| Some((field, case.value.get(field)?, line.get(field).unwrap_or(&Value::Null))))
            .filter(|(_, expected, is)| !holds(expected, is))
            .map(|(field, expected, is)| format!("{field}: expected {expected}\n    {field}:       is {is}"))
            .collect();
        if !found.is_empty() {
            differences.push(format!(
                "{} ({}) {}\n    {}",
                case.place,
                case.value["rule"].as_str().unwrap(),
                case.value["case"].as_str().unwrap(),
                found.join("\n    "),
            ));
        }
    }
    assert!(
        differences.is_empty(),
        "{} of {} cases differ:\n{}",
        differences.len(),
        cases.len(),
        differences.join("\n"),
    );
}

/// Whether everything expected is present, with fields in order. Objects may have further fields, since fields may be added,
/// but lists and texts must be equal.
fn holds(expected: &Value, is: &Value) -> bool {
    match (expected, is) {
        (Value::Object(expected), Value::Object(is)) => {
            let known = is.iter().filter(|(name, _)| expected.contains_key(*name));
            known.clone().map(|(name, _)| name).eq(expected.keys())
                && known.zip(expected.values()).all(|((_, is), expected)| holds(expected, is))
        }
        (Value::Array(expected), Value::Array(is)) => {
            expected.len() == is.len() && expected.iter().zip(is).all(|(expected, is)| holds(expected, is))
        }
        _ => expected == is,
    }
}

/// The output of the program for the cases, one value per line.
fn output_of(profile: &str, cases: &[Case]) -> Vec<Value> {
    let mut input = Vec::new();
    for case in cases {
        input.extend_from_slice(&case.octets);
        input.push(0);
    }
    let mut program = Command::new(env!("CARGO_BIN_EXE_urlwise"))
        .args(["parse", "--json", "--profile", profile, "--null", "-f", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Written from another thread: the program prints while it reads, and both pipes are smaller than the cases.
    let mut stdin = program.stdin.take().unwrap();
    let writer = thread::spawn(move || stdin.write_all(&input));
    let output = program.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    writer.join().unwrap().unwrap_or_else(|error| panic!("the program does not read its input: {error}\n{errors}"));
    assert_eq!(output.status.code(), Some(1), "some cases are invalid, so the exit code is 1\n{errors}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

/// The cases of one profile. Cases with a raw NUL are left out: a list of NUL-terminated records cannot hold them,
/// and the tests of the library cover them.
fn cases(profile: &str) -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../urlwise/tests/data/cases");
    let files: BTreeMap<_, _> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), path))
        .collect();
    let mut cases = Vec::new();
    for (name, path) in files {
        for (index, line) in fs::read_to_string(path).unwrap().lines().enumerate() {
            let value: Value = serde_json::from_str(line).unwrap();
            let octets = match value["url_octets"].as_str() {
                Some(hex) => from_hex(hex),
                None => value["url"].as_str().unwrap().as_bytes().to_vec(),
            };
            if value["profile"] == profile && !octets.contains(&0) {
                cases.push(Case { place: format!("{name}:{}", index + 1), octets, value });
            }
        }
    }
    cases
}

fn from_hex(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|start| u8::from_str_radix(&hex[start..start + 2], 16).unwrap()).collect()
}
