//! What commands write, take and remember is bounded by the length of a text, whatever it is.
//!
//! Output is at most three times a URL and 64 KiB; time grows with the length and not with its square; memory is at most 20 MiB and
//! the text.

#![allow(clippy::unwrap_used, reason = "a program that cannot be run must stop the test")]

use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

const KB: usize = 1 << 10;

/// What a command may hold beside its input.
const MEMORY: usize = 20 << 20;

/// Each command in each format, one a line; `scripts/bench-lists --hostile` measures them.
fn commands() -> impl Iterator<Item = Vec<&'static str>> {
    include_str!("bounds/commands.txt").lines().map(|line| line.split(' ').collect())
}

/// Texts of about this length: one part, many parts, one mistake at many places, many mistakes, many findings. Each is a start and
/// a unit that is repeated, with escapes for a backslash, for octets that are not printed, and for the number of the unit.
fn texts(length: usize) -> Vec<(&'static str, Vec<u8>)> {
    let rows = include_str!("bounds/texts.tsv").lines().skip(1).map(|row| {
        let [name, start, unit] = row.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let first = octets(unit, 0);
        let count = length / first.len();
        let units = match unit.contains(r"\N") {
            true => (0..count).flat_map(|number| octets(unit, number)).collect(),
            false => first.repeat(count),
        };
        (name, [start.as_bytes(), &units].concat())
    });
    rows.collect()
}

/// A unit without its escapes, `\xHH`, `\\`, and `\N`, six digits of its number.
fn octets(unit: &str, number: usize) -> Vec<u8> {
    let mut pieces = unit.split('\\');
    let mut octets = pieces.next().unwrap().as_bytes().to_vec();
    while let Some(piece) = pieces.next() {
        let behind = match piece.split_at_checked(1) {
            Some(("x", hex)) => {
                octets.push(u8::from_str_radix(&hex[..2], 16).unwrap());
                &hex[2..]
            }
            Some(("N", behind)) => {
                octets.extend(format!("{number:06}").into_bytes());
                behind
            }
            _ => {
                octets.push(b'\\');
                pieces.next().unwrap()
            }
        };
        octets.extend(behind.as_bytes());
    }
    octets
}

#[test]
fn units_are_read_without_their_escapes() {
    assert_eq!(octets(r#"|%z\x01\xC3(a"#, 0), b"|%z\x01\xC3(a");
    assert_eq!(octets(r#""\\"#, 0), b"\"\\");
    assert_eq!(octets(r"a:\N@", 12), b"a:000012@");
    let (_, text) = texts(12).into_iter().find(|(name, _)| *name == "wide characters").unwrap();
    assert_eq!(text, "\u{4e2d}".repeat(4).as_bytes());
}

/// What a run wrote and took.
struct Run {
    output: Output,
    took: Took,
}

/// What a process took, as far as that is measured.
#[derive(Default)]
struct Took {
    /// The most memory, in octets, without the pages of the program's own file: how many there are depends on how it was built.
    memory: usize,
    /// Processor time.
    time: Duration,
}

/// Runs with limited address space, so that a text which breaks the bounds does not take the machine with it.
fn run(command: &[&str], input: Vec<u8>) -> Run {
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
    let process = format!("/proc/{}", child.id());
    let watcher = thread::spawn(move || watch(&process));
    // A program that has read enough may be gone already.
    let writer = thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Run { output, took: watcher.join().unwrap() }
}

/// Watches a process until it ends. `getrusage` would include the memory of the test itself, from before the fork, so this reads
/// `/proc` instead.
fn watch(process: &str) -> Took {
    let mut took = Took::default();
    let read = |file: &str| fs::read_to_string(format!("{process}/{file}"));
    while let (Ok(status), Ok(stat)) = (read("status"), read("stat")) {
        // The name of the program comes second, in parentheses; the times are in hundredths of a second.
        let fields = stat.rsplit(')').next().unwrap().split(' ');
        let ticks: u64 = fields.skip(12).take(2).map(|ticks| ticks.parse::<u64>().unwrap()).sum();
        took.time = Duration::from_millis(10 * ticks);
        let octets = |name: &str| {
            let size = status.lines().find_map(|line| line.strip_prefix(name))?;
            Some(size.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * KB)
        };
        // A process that has ended is listed until it is waited for, but has no memory.
        let (Some(all), Some(file)) = (octets("VmHWM:"), octets("RssFile:")) else { break };
        took.memory = took.memory.max(all - file);
        thread::sleep(Duration::from_millis(1));
    }
    took
}

/// What a command writes before and after all reports: the rules in SARIF, the style of a page.
fn frame(command: &[&str]) -> usize {
    match command.contains(&"sarif") || command.contains(&"--html") {
        true => run(command, b"news:a.b\n".to_vec()).output.stdout.len(),
        false => 0,
    }
}

/// What a command may hold beside a text of nothing but different passwords, which is a little more: docs/measured.md says why.
const MEMORY_OF_PASSWORDS: usize = 22 << 20;

/// What a command may hold beside a host of a million labels, each of which has an entry of its own in the crate idna.
const MEMORY_OF_LABELS: usize = 100 << 20;

/// Checks what a command writes and holds; returns the processor time that it took.
fn is_bounded(command: &[&str], name: &str, text: Vec<u8>, frame: usize) -> Duration {
    let length = text.len();
    let Run { output, took } = run(command, text);
    let written = output.stdout.len() + output.stderr.len();
    let status = output.status.code();
    let errors = String::from_utf8_lossy(&output.stderr[..output.stderr.len().min(300)]).into_owned();
    // What a dry run refuses has codes of its own.
    let is_expected = |code| code < 2 || command[0] == "get" && code > 2;
    assert!(status.is_some_and(is_expected), "{command:?} of {name}, {length} octets: {status:?} {errors}");
    let most = 64 * KB + 3 * length + frame;
    assert!(written <= most, "{command:?} of {name}: {length} octets produce {written}, more than {most}");
    let memory_beside = match name {
        "passwords" => MEMORY_OF_PASSWORDS,
        "labels" | "numbers" => MEMORY_OF_LABELS,
        _ => MEMORY,
    };
    let most = length + memory_beside;
    let memory = took.memory;
    assert!(memory <= most, "{command:?} of {name}: {length} octets take {memory} of memory, more than {most}");
    took.time
}

#[test]
fn output_is_bounded_by_the_length_of_the_text() {
    for command in commands() {
        let frame = frame(&command);
        // A debug build would take minutes for both.
        for &length in if cfg!(debug_assertions) { &[40 * KB][..] } else { &[KB, 40 * KB] } {
            for (name, text) in texts(length) {
                is_bounded(&command, name, text, frame);
            }
        }
    }
}

/// A mistake at every other octet, and another mistake at every octet; nothing that can be shown as it is.
const HARDEST: [&str; 3] = ["blanks", "many reasons", "not UTF-8"];

/// Near the limit of 4 MiB.
const LONGEST: usize = 4000 * KB;
/// A debug build is some twenty times slower.
const LONG: usize = if cfg!(debug_assertions) { 400 * KB } else { LONGEST };

fn text(name: &str, length: usize) -> Vec<u8> {
    texts(length).into_iter().find(|(text, _)| *text == name).unwrap().1
}

#[test]
fn of_a_long_text_output_is_bounded_and_time_grows_with_the_length() {
    let time = |command: &[&str], name: &str, length: usize, frame: usize| {
        is_bounded(command, name, text(name, length), frame)
    };
    for command in commands() {
        let frame = frame(&command);
        for name in HARDEST {
            let (short, long) = (time(&command, name, LONG / 4, frame), time(&command, name, LONG, frame));
            // A busy machine makes caches cold, so a factor of two is left to chance.
            assert!(long <= 8 * short + Duration::from_secs(1), "{command:?} of {name}: {short:?} becomes {long:?}");
        }
    }
}

/// Commands with the texts that are the hardest for them: a sentence for each part, a repair of each octet, parts that each reader
/// writes anew, octets that each writes as three, and a password at every sixth or ninth octet.
const HARDEST_AT_LENGTH: [(&[&str], &[&str]); 6] = [
    (&["explain", "explain --json", "parse", "parse --json"], &["directories", "fields", "segments"]),
    (&["repair", "repair --json", "explain", "check"], &["not UTF-8", "wide characters", "bars", "controls"]),
    (&["guard", "encode --part ftp.name"], &["bars", "segments", "not UTF-8"]),
    (&["compare --json", "explain --json"], &["an unknown scheme", "not UTF-8"]),
    (&["compare --json", "explain --json"], &["blanks", "many reasons"]),
    (&["guard", "compare", "compare --json"], &["passwords"]),
];

#[test]
fn of_the_longest_text_output_and_memory_are_bounded() {
    for command in commands() {
        let frame = frame(&command);
        let joined = command.join(" ");
        let is_hardest =
            |name| HARDEST_AT_LENGTH.iter().any(|(all, texts)| all.contains(&&*joined) && texts.contains(&name));
        for (name, text) in texts(LONGEST) {
            // A debug build would take minutes for all.
            if !cfg!(debug_assertions) || is_hardest(name) {
                is_bounded(&command, name, text, frame);
            }
        }
    }
}
