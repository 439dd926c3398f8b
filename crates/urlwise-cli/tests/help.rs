//! The help fits on a screen and is true.

#![allow(clippy::unwrap_used, reason = "a program that cannot be run must stop the test")]

use std::process::{Command, Output, Stdio};

const COMMANDS: [&str; 21] = [
    "explain",
    "parse",
    "normalize",
    "same",
    "compare",
    "guard",
    "vectors",
    "resolve",
    "repair",
    "find",
    "check",
    "get",
    "ls",
    "serve",
    "open",
    "register",
    "unregister",
    "build",
    "encode",
    "decode",
    "schemes",
];

fn run(arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_urlwise"));
    program.args(arguments).env("LC_ALL", "C.UTF-8").env("COLUMNS", "80").env("XDG_CONFIG_HOME", "/nonexistent");
    program.stdin(Stdio::null()).output().unwrap()
}

fn help(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The long options listed in a help text.
fn options(help: &str) -> Vec<&str> {
    let begins = help.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
    let names = begins
        .filter_map(|line| line.split([' ', ',', '=', '[']).find(|word| word.starts_with("--") && word.len() > 2));
    names.collect()
}

#[test]
fn the_short_help_of_every_command_fits_a_screen() {
    for arguments in COMMANDS.map(|command| vec![command, "-h"]).into_iter().chain([vec!["-h"]]) {
        let text = help(&arguments);
        let most = if arguments == ["get", "-h"] { 24 } else { 40 };
        assert!(text.lines().count() <= most, "{arguments:?} has {} lines:\n{text}", text.lines().count());
        let longest = text.lines().map(|line| line.chars().count()).max();
        assert!(longest <= Some(80), "{arguments:?} has a line of {longest:?} columns");
    }
}

#[test]
fn the_long_help_has_every_option_of_the_short_one_and_get_has_more() {
    for command in COMMANDS {
        let (short, long) = (help(&[command, "-h"]), help(&[command, "--help"]));
        let long = options(&long);
        let missing: Vec<_> = options(&short).into_iter().filter(|option| !long.contains(option)).collect();
        assert!(missing.is_empty(), "{command} --help lacks {missing:?}");
    }
    let long = help(&["get", "--help"]);
    for option in ["--news-server", "--ftp-method", "--settings", "--escape-key", "--idle-timeout", "--answer"] {
        assert!(options(&long).contains(&option), "{option}");
    }
}

#[test]
fn explain_names_the_entries_it_explains() {
    for flag in ["-h", "--help"] {
        let text = help(&["explain", flag]);
        for entry in ["D-31", "E-12", "S-30", "bnf-char"] {
            assert!(text.contains(entry), "explain {flag} does not name {entry}:\n{text}");
        }
    }
}

/// The list of fields in a help text is that of docs/json.md, which a test compares with what is written.
#[test]
fn the_long_help_names_every_field_of_the_json() {
    let contract = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/json.md");
    let contract = std::fs::read_to_string(contract).unwrap();
    let fields = |title: &str| -> Vec<String> {
        let (_, section) = contract.split_once(&format!("\n## {title}\n")).unwrap();
        let items = section.split("\n## ").next().unwrap().lines().filter_map(|line| line.strip_prefix("- `"));
        items.map(|item| item.split('`').next().unwrap().to_owned()).collect()
    };
    for title in COMMANDS {
        if !contract.contains(&format!("\n## {title}\n")) {
            continue;
        }
        let text = help(&[title, "--help"]);
        let (_, text) = text.split_once("With --json").unwrap();
        let words: Vec<_> = text.split(|c: char| !c.is_ascii_lowercase() && c != '_').collect();
        // What is left out of a long text is the same everywhere.
        let missing: Vec<_> =
            fields(title).into_iter().filter(|field| field != "omitted" && !words.contains(&field.as_str())).collect();
        assert!(missing.is_empty(), "{title} --help lacks {missing:?}");
    }
}

#[test]
fn help_into_a_closed_pipe_ends_quietly() {
    for arguments in [&["-h"][..], &["get", "-h"], &["get", "--help"], &["--version"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut program = Command::new(env!("CARGO_BIN_EXE_urlwise"));
        let output = program.args(arguments).stdout(writer).stderr(Stdio::piped()).output().unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{arguments:?}");
    }
    let full = std::fs::File::options().write(true).open("/dev/full");
    if let Ok(full) = full {
        let mut program = Command::new(env!("CARGO_BIN_EXE_urlwise"));
        let output = program.args(["get", "-h"]).stdout(full).stderr(Stdio::piped()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "help that could not be written");
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.starts_with("urlwise: cannot write: "), "{message}");
    }
}

#[test]
fn times_have_units_wherever_an_option_takes_one() {
    for option in ["--connect-timeout", "--first-byte-timeout", "--idle-timeout", "--max-time"] {
        for time in ["10", "0.5", "10s", "500ms", "2m", "1h"] {
            let output = run(&["get", "--dry-run", option, time, "http://host.example/"]);
            assert!(output.status.success(), "{option} {time}");
        }
        let output = run(&["get", "--dry-run", option, "10x", "http://host.example/"]);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{option}");
        assert!(message.contains("invalid value '10x'") && message.contains("`500ms`"), "{message}");
    }
}

#[test]
fn without_a_url_get_and_ls_say_so_and_fail() {
    for command in ["get", "ls"] {
        for arguments in [&[command][..], &[command, "-"], &[command, "-f", "/dev/null"], &[command, "--json"]] {
            let output = run(arguments);
            assert_eq!(output.status.code(), Some(2), "{arguments:?}");
            assert_eq!(String::from_utf8(output.stderr).unwrap(), "urlwise: no URL in the input\n", "{arguments:?}");
            assert!(output.stdout.is_empty(), "{arguments:?}");
        }
    }
    let output = run(&["get", "-O", "--parallel", "4", "-f", "/dev/null"]);
    assert_eq!(output.status.code(), Some(2));
}
