//! What commands write, take and remember is bounded by the length of a text, whatever it is.
//!
//! Output is at most three times a URL and 64 KiB; time grows with the length and not with its square; memory stays below a limit that
//! one object for each octet would break.

#![allow(clippy::unwrap_used, reason = "a program that cannot be run must stop the test")]

use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const KB: usize = 1 << 10;

/// Each command in each format.
const COMMANDS: [&[&str]; 21] = [
    &["explain"],
    &["explain", "--json"],
    &["explain", "--profile", "current", "--color", "always"],
    &["parse"],
    &["parse", "--json"],
    &["parse", "--profile", "current", "--json"],
    &["repair"],
    &["repair", "--json"],
    &["check"],
    &["check", "--json", "--notes"],
    &["check", "--format", "sarif", "--notes"],
    &["check", "--format", "github", "--notes"],
    &["check", "--text", "--json", "--notes"],
    &["check", "--text", "--format", "sarif", "--select", "all"],
    &["compare"],
    &["compare", "--json"],
    &["normalize"],
    &["normalize", "--json"],
    &["find"],
    &["encode", "--part", "ftp.name"],
    &["decode", "--part", "ftp.name", "--json"],
];

/// Texts of about this length: one part, many parts, one mistake at many places, many mistakes, many findings.
fn texts(length: usize) -> Vec<(&'static str, Vec<u8>)> {
    let filled = |start: &str, unit: &[u8]| [start.as_bytes(), &unit.repeat(length / unit.len())].concat();
    vec![
        ("one name", filled("http://host.dom/", b"a")),
        ("segments", filled("http://host.dom/", b"a/")),
        ("directories", filled("ftp://host.dom/", b"a/")),
        ("blanks", filled("http://host.dom/", b"a ")),
        ("bars", filled("http://host.dom/", b"a|")),
        ("controls", filled("http://host.dom/", b"\x01")),
        ("many reasons", filled("http://host.dom/", b"|%z\x01\xC3\x28;:@&=")),
        ("not UTF-8", filled("gopher://host.dom/0", b"\xFF\xC3")),
        ("fields", filled("prospero://host.dom/x", b";a=b")),
        ("logins", filled("ftp://", b"a:b@")),
        ("escapes", filled("http://host.dom/", b"%41%2e%01")),
        ("addresses", filled("mailto:", b"a@")),
        ("headers", filled("mailto:joe@host.dom?", b"subject=x&")),
        ("an unknown scheme", filled("foo:", b"//a:b@")),
        ("a long scheme", filled("", b"abc")),
        ("wide characters", filled("", "\u{4e2d}".as_bytes())),
        ("URLs", filled("", b"http://host.dom/<")),
        ("quotes", filled("news:", b"\"\\")),
    ]
}

/// Runs with this many KiB of address space.
fn run(command: &[&str], input: Vec<u8>) -> Output {
    let program = env!("CARGO_BIN_EXE_urlwise");
    let mut program = if cfg!(target_os = "linux") {
        let mut shell = Command::new("sh");
        // A debug build with the stacks and arenas of its threads takes about half of it.
        shell.args(["-c", "ulimit -v 1000000; exec \"$0\" \"$@\"", program]);
        shell
    } else {
        Command::new(program)
    };
    program.args(command).env("LC_ALL", "C.UTF-8").env("COLUMNS", "80").env("XDG_CONFIG_HOME", "/nonexistent");
    let mut child = program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // A program that has read enough may be gone already.
    let writer = thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// What a command writes before and after all reports: the rules in SARIF.
fn frame(command: &[&str]) -> usize {
    match command.contains(&"sarif") {
        true => run(command, b"news:a.b\n".to_vec()).stdout.len(),
        false => 0,
    }
}

fn is_bounded(command: &[&str], name: &str, text: Vec<u8>, frame: usize) {
    let length = text.len();
    let output = run(command, text);
    let written = output.stdout.len() + output.stderr.len();
    let status = output.status.code();
    let errors = String::from_utf8_lossy(&output.stderr[..output.stderr.len().min(300)]).into_owned();
    assert!(status.is_some_and(|code| code < 2), "{command:?} of {name}, {length} octets: {status:?} {errors}");
    let most = 64 * KB + 3 * length + frame;
    assert!(written <= most, "{command:?} of {name}: {length} octets produce {written}, more than {most}");
}

#[test]
fn output_is_bounded_by_the_length_of_the_text() {
    for command in COMMANDS {
        let frame = frame(command);
        for length in [KB, 40 * KB] {
            for (name, text) in texts(length) {
                is_bounded(command, name, text, frame);
            }
        }
    }
}

/// A mistake at every other octet, and another mistake at every octet.
const HARDEST: [&str; 2] = ["blanks", "many reasons"];

/// Near the limit of 4 MiB; a debug build, which is some twenty times slower, gets less.
const LONGEST: usize = if cfg!(debug_assertions) { 400 * KB } else { 4000 * KB };

#[test]
fn near_the_longest_text_output_is_bounded_and_time_grows_with_the_length() {
    let time = |command: &[&str], name: &str, length: usize, frame: usize| {
        let (_, text) = texts(length).into_iter().find(|(text, _)| *text == name).unwrap();
        let start = Instant::now();
        is_bounded(command, name, text, frame);
        start.elapsed()
    };
    for command in COMMANDS {
        let frame = frame(command);
        for name in HARDEST {
            let (short, long) = (time(command, name, LONGEST / 4, frame), time(command, name, LONGEST, frame));
            // Other tests run at the same time, so a factor of two is left to chance.
            assert!(long <= 8 * short + Duration::from_secs(1), "{command:?} of {name}: {short:?} becomes {long:?}");
        }
    }
}
