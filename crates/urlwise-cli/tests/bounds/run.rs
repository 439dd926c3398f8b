//! Runs programs, and tells what they wrote, held and took.

use std::io::{Read, Write};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use crate::KB;

/// The program under test, and whether it is optimised.
pub(crate) fn program() -> (String, bool) {
    match env::var("URLWISE_PROGRAM") {
        Ok(program) => (program, true),
        Err(_) => (env!("CARGO_BIN_EXE_urlwise").to_string(), !cfg!(debug_assertions)),
    }
}

/// What a run wrote and took.
pub(crate) struct Run {
    pub(crate) output: Output,
    pub(crate) took: Took,
}

/// What a process took, as far as that is measured.
pub(crate) struct Took {
    /// The most memory, in octets, without the pages of the program's own file: how many there are depends on how it was built.
    pub(crate) memory: usize,
    /// Processor time, of all threads.
    pub(crate) time: Duration,
}

/// Runs with limited address space and time, so that a text which breaks the bounds does not take the machine with it.
pub(crate) fn run(program: &str, arguments: &[&str], input: &[u8]) -> Run {
    let mut command = if cfg!(target_os = "linux") {
        let mut shell = Command::new("sh");
        // A debug build with the stacks and arenas of its threads takes about half of it.
        shell.args(["-c", "ulimit -v 1000000; ulimit -t 60; exec \"$0\" \"$@\"", program]);
        shell
    } else {
        Command::new(program)
    };
    everywhere_the_same(command.args(arguments));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (mut stdin, stdout, stderr) = (child.stdin.take().unwrap(), child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        // A program that has read enough may be gone already.
        scope.spawn(move || drop(stdin.write_all(input)));
        let (stdout, stderr) = (scope.spawn(|| read(stdout.unwrap())), scope.spawn(|| read(stderr.unwrap())));
        let took = watch(&format!("/proc/{}", child.id()), program);
        let (stdout, stderr) = (stdout.join().unwrap(), stderr.join().unwrap());
        Run { output: Output { status: child.wait().unwrap(), stdout, stderr }, took }
    })
}

/// Fixes the language and the width, and keeps the user's settings out.
fn everywhere_the_same(command: &mut Command) {
    command.env("LC_ALL", "C.UTF-8").env("COLUMNS", "80").env("XDG_CONFIG_HOME", "/nonexistent");
}

/// The instructions of a run, and the lines that it writes.
pub(crate) struct Instructions {
    pub(crate) count: u64,
    pub(crate) lines: usize,
}

/// Counts them; `None` where there is no valgrind.
pub(crate) fn instructions(program: &str, arguments: &[&str], input: &[u8]) -> Option<Instructions> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null", program]);
    everywhere_the_same(command.args(arguments));
    let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    assert!(spawned.is_ok() || env::var_os("CI").is_none(), "valgrind: {spawned:?}");
    let mut child = spawned.ok()?;
    let mut stdin = child.stdin.take().unwrap();
    let output = thread::scope(|scope| {
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().unwrap()
    });
    let said = String::from_utf8_lossy(&output.stderr);
    let collected = said.lines().find_map(|line| line.split_once("Collected : "));
    let count = collected.unwrap_or_else(|| panic!("valgrind: {said}")).1.parse().unwrap();
    Some(Instructions { count, lines: output.stdout.iter().filter(|octet| **octet == b'\n').count() })
}

fn read(mut from: impl Read) -> Vec<u8> {
    let mut octets = Vec::new();
    from.read_to_end(&mut octets).unwrap();
    octets
}

/// Watches a process until it ends, and before it is waited for: until then its times can be read. `getrusage` would include the
/// memory of the test itself, from before the fork, so this reads `/proc` instead.
///
/// A process that begins another program has the memory of this test for a moment, and its name for a little longer.
fn watch(process: &str, program: &str) -> Took {
    let begun = Instant::now();
    let mut memory = 0;
    let names = ["sh", program.rsplit('/').next().unwrap()].map(|name| format!("Name:\t{name}\n"));
    while let Ok(status) = fs::read_to_string(format!("{process}/status")) {
        if names.iter().any(|name| status.starts_with(name)) {
            let octets = |name: &str| {
                let size = status.lines().find_map(|line| line.strip_prefix(name))?;
                Some(size.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * KB)
            };
            // A process that has ended is listed until it is waited for, but has no memory.
            let (Some(all), Some(file)) = (octets("VmHWM:"), octets("RssFile:")) else { break };
            memory = memory.max(all - file);
        }
        // What comes between the last look and the end is a sixteenth of it.
        thread::sleep((begun.elapsed() / 16).clamp(Duration::from_millis(1), Duration::from_millis(8)));
    }
    Took { memory, time: time(process).unwrap_or_default() }
}

/// Processor time of a process and of those that it has waited for; `None` where there is no `/proc`.
fn time(process: &str) -> Option<Duration> {
    let stat = fs::read_to_string(format!("{process}/stat")).ok()?;
    // The name of the program comes second, in parentheses; the times are in hundredths of a second.
    let fields = stat.rsplit(')').next().unwrap().split(' ');
    let ticks: u64 = fields.skip(12).take(4).map(|ticks| ticks.parse::<u64>().unwrap()).sum();
    Some(Duration::from_millis(10 * ticks))
}
