//! The README shows real output: its `console` blocks are typed into one shell, as a reader would type them, and what they print is
//! compared.
//!
//! Lines that begin with `$ ` are typed, all others are output, standard error included. What differs from machine to machine is
//! replaced by the README's terms: the folder of the checkout, dates of files, ports. With SNAPSHOTS=overwrite the README is
//! given the outputs of this program.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "this is how a test says that it was skipped")]

use std::fmt::Write as _;
use std::net::{TcpListener, UdpSocket};
use std::path::Path;
use std::process::Command;

use urlwise_open::ErrorKind;

/// Names in the README that differ here.
const FOLDER: &str = "/src/urlwise";
const HTTP_PORT: &str = "8017";
const WAIS_PORT: &str = "8018";
const PROSPERO_PORT: &str = "21525";
const DATE: &str = "2026-11-21 10:00";

/// Printed by the session before each output, to separate the outputs.
const MARK: &str = "@@@ next command @@@";

#[derive(Debug)]
struct Step<'a> {
    typed: &'a str,
    shown: String,
}

fn blocks(readme: &str) -> Vec<Vec<Step<'_>>> {
    let mut blocks = Vec::new();
    let mut lines = readme.lines();
    while let Some(line) = lines.next() {
        if line != "```console" {
            continue;
        }
        let mut steps: Vec<Step> = Vec::new();
        for line in lines.by_ref().take_while(|line| *line != "```") {
            match (line.strip_prefix("$ "), steps.last_mut()) {
                (Some(typed), _) => steps.push(Step { typed, shown: String::new() }),
                (None, Some(step)) => writeln!(step.shown, "{line}").unwrap(),
                (None, None) => panic!("a block begins with output: {line}"),
            }
        }
        blocks.push(steps);
    }
    blocks
}

/// Runs all steps in one shell and returns the output of each. `ports` are pairs of a port in the README and its replacement.
fn run<'a>(steps: impl Iterator<Item = &'a Step<'a>>, root: &Path, ports: &[(&str, String)]) -> Vec<String> {
    let program = Path::new(env!("CARGO_BIN_EXE_urlwise"));
    let mut script = String::from("exec 2>&1\ntrap 'kill $(jobs -p) 2>/dev/null' EXIT\n");
    for step in steps {
        // The test runs the program that cargo would build.
        let typed = step.typed.replace("cargo run --release --", "urlwise");
        let typed = ports.iter().fold(typed, |typed, (shown, port)| typed.replace(shown, port));
        writeln!(script, "echo '{MARK}'\n{typed}").unwrap();
        if typed.ends_with('&') {
            let (shown, port) = ports.iter().find(|(_, port)| typed.contains(port)).expect("a server has a port");
            let is_there = match *shown {
                // The system reports a datagram to a closed port with the next write.
                PROSPERO_PORT => format!("(exec >/dev/udp/127.0.0.1/{port}; echo; sleep 0.05; echo)"),
                _ => format!("(: </dev/tcp/127.0.0.1/{port})"),
            };
            writeln!(script, "until {is_there} 2>/dev/null; do sleep 0.05; done").unwrap();
        }
    }
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let output = Command::new("bash")
        .args(["-c", &script])
        .current_dir(root)
        .env("PATH", path)
        .envs([
            ("COLUMNS", "80"),
            ("LC_ALL", "C.UTF-8"),
            ("NO_COLOR", "1"),
            ("TZ", "UTC"),
            ("XDG_CONFIG_HOME", "/nonexistent"),
            ("XDG_DATA_HOME", "/nonexistent"),
        ])
        .env("TMPDIR", env!("CARGO_TARGET_TMPDIR"))
        .output()
        .expect("bash runs");
    let text = String::from_utf8(output.stdout).expect("the program shows text");
    let text = text.replace(root.to_str().unwrap(), FOLDER);
    let text = ports.iter().fold(text, |text, (shown, port)| text.replace(port, shown));
    let mark = format!("{MARK}\n");
    text.split(&mark).skip(1).map(one_date).collect()
}

/// Replaces dates: those of files depend on the checkout.
fn one_date(text: &str) -> String {
    let is_date = |window: &str| {
        window.bytes().zip(DATE.bytes()).all(|(here, there)| match there {
            b'0'..=b'9' => here.is_ascii_digit(),
            _ => here == there,
        })
    };
    let mut plain = String::new();
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        if rest.get(..DATE.len()).is_some_and(is_date) {
            plain.push_str(DATE);
            rest = &rest[DATE.len()..];
        } else {
            plain.push(next);
            rest = &rest[next.len_utf8()..];
        }
    }
    plain
}

#[test]
fn the_readme_shows_what_the_program_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let blocks = blocks(&readme);
    assert!(blocks.iter().map(Vec::len).sum::<usize>() >= 8, "the tour is gone");
    let needs_server = readme.contains("python3 -m http.server");
    if needs_server && Command::new("python3").arg("--version").output().is_err() {
        assert!(std::env::var("CI").is_err(), "python3 is missing");
        println!("skipped: python3 is not installed");
        return;
    }
    // Bound at the same time, so that they are distinct.
    let (http, wais) = (TcpListener::bind("127.0.0.1:0").unwrap(), TcpListener::bind("127.0.0.1:0").unwrap());
    let prospero = UdpSocket::bind("127.0.0.1:0").unwrap();
    let ports =
        [(HTTP_PORT, http.local_addr()), (WAIS_PORT, wais.local_addr()), (PROSPERO_PORT, prospero.local_addr())]
            .map(|(shown, address)| (shown, address.unwrap().port().to_string()));
    drop((http, wais, prospero));
    let outputs = run(blocks.iter().flatten(), &root, &ports);
    let steps = blocks.iter().flatten().count();
    assert_eq!(outputs.len(), steps, "the shell ended after {:?}", blocks.iter().flatten().nth(outputs.len()));
    let mut differences = String::new();
    let mut sessions = Vec::new();
    let mut outputs = outputs.iter();
    for steps in &blocks {
        let mut session = String::new();
        for (step, output) in steps.iter().zip(outputs.by_ref()) {
            if *output != step.shown {
                writeln!(differences, "$ {}\n{output}-- but the README shows\n{}", step.typed, step.shown).unwrap();
            }
            write!(session, "$ {}\n{output}", step.typed).unwrap();
        }
        sessions.push(session);
    }
    if std::env::var("SNAPSHOTS").is_ok_and(|value| value == "overwrite") {
        std::fs::write(root.join("README.md"), with_outputs(&readme, &sessions)).unwrap();
        return;
    }
    assert!(differences.is_empty(), "{differences}");
}

/// The README with other outputs, one list of commands and outputs for each block.
fn with_outputs(readme: &str, sessions: &[String]) -> String {
    let mut sessions = sessions.iter();
    let mut text = String::new();
    let mut lines = readme.lines();
    while let Some(line) = lines.next() {
        writeln!(text, "{line}").unwrap();
        if line == "```console" {
            text.push_str(sessions.next().unwrap());
            lines.by_ref().take_while(|line| *line != "```").for_each(drop);
            text.push_str("```\n");
        }
    }
    text
}

fn printed(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_urlwise")).args(arguments).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// The exit codes with their meanings, as `get --help` prints them from the table of the program.
fn exit_codes() -> Vec<(String, String)> {
    let help = printed(&["get", "--help"]);
    let (_, table) = help.split_once("Exit status of get and ls").unwrap();
    let rows = table.lines().skip(1).filter_map(|row| row.trim().split_once("  "));
    let rows: Vec<_> = rows.map(|(code, meaning)| (code.to_owned(), meaning.to_owned())).collect();
    let meanings: Vec<_> = rows.iter().map(|(_, meaning)| meaning.as_str()).collect();
    for kind in ErrorKind::ALL.iter().filter(|kind| !matches!(kind, ErrorKind::Setting | ErrorKind::Cancelled)) {
        assert!(meanings.contains(&kind.meaning()), "{kind}");
    }
    rows
}

#[test]
fn the_readme_has_every_exit_code_of_the_table() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    for (code, meaning) in exit_codes() {
        let row = format!("| {code} | {meaning} |");
        assert!(readme.contains(&row), "missing: {row}");
    }
}

#[test]
fn the_manual_and_the_help_have_every_exit_code_of_the_table() {
    let manual = printed(&["man"]).replace("\\-", "-").replace("\\(aq", "'");
    for text in [manual, printed(&["ls", "--help"])] {
        for (code, meaning) in exit_codes() {
            let row = format!("{code:>3}  {meaning}");
            assert!(text.contains(&row), "missing: {row}");
        }
    }
}
