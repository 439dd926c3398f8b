//! What commands write, hold and take is bounded by the length of a text, whatever it is.
//!
//! Output is at most three times a URL and 64 KiB, memory at most 20 MiB and the text. Processor time is asserted of an optimised program
//! only: at 20 MB a second, and in proportion to the length. A clock tells what is fast enough; instructions are counted of what is not.
//! `scripts/test bounds` builds one and names it in `URLWISE_PROGRAM`.

#![allow(clippy::unwrap_used, reason = "a program that cannot be run must stop the test")]

mod bars;
mod run;
mod texts;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, iter, process, thread};

use bars::{Counted, OF_A_LINE, TOLERANCE, TRIES, bar, bar_of_document, excesses, pace, words};
use run::{Run, instructions, program, run};
use texts::{OTHERS, Takes, Text, commands, documents, texts};

const KB: usize = 1 << 10;

/// What a command may hold beside its input.
const MEMORY: usize = 20 << 20;

/// What a command writes before and after all reports: the rules in SARIF, the style of a page.
fn frame(program: &str, command: &[&str]) -> usize {
    match command.contains(&"sarif") || command.contains(&"--html") {
        true => run(program, command, b"news:a.b\n").output.stdout.len(),
        false => 0,
    }
}

/// So many texts of this length, one a line.
struct Lines {
    count: usize,
    length: usize,
}

impl Lines {
    const fn new(count: usize, length: usize) -> Self {
        Self { count, length }
    }

    fn of(&self, text: &Text) -> Vec<u8> {
        let text = text.of(self.length);
        match self.count {
            1 => text,
            count => [&text, &b"\n"[..]].concat().repeat(count),
        }
    }
}

/// A command, and what it writes before and after all reports.
struct Tested {
    command: Vec<&'static str>,
    takes: Takes,
    frame: usize,
}

impl Tested {
    /// All of them.
    fn all(program: &str) -> Vec<Tested> {
        let others = OTHERS.iter().map(|(command, takes)| (command.split(' ').collect(), *takes));
        let all = commands().map(|command| (command, Takes::Lines)).chain(others);
        all.map(|(command, takes)| Tested { frame: frame(program, &command), command, takes }).collect()
    }

    /// What it gets of each text. Of an optimised program, short ones on many lines: one alone takes less than a clock can tell.
    fn lines(&self, is_optimised: bool) -> &'static [Lines] {
        const OPTIMISED: &[Lines] = &[Lines::new(500, KB), Lines::new(12, 40 * KB), Lines::new(1, 4000 * KB)];
        const DEBUG: &[Lines] = &[Lines::new(1, 40 * KB)];
        const TWICE: &[Lines] = &[Lines::new(2, 40 * KB), Lines::new(2, 4000 * KB)];
        match (is_optimised, self.takes) {
            (true, Takes::Twice) => TWICE,
            (false, Takes::Twice) => &TWICE[..1],
            (true, _) => OPTIMISED,
            (false, _) => DEBUG,
        }
    }

    /// Whether it makes a page or a picture, which are of one URL.
    fn is_of_one(&self) -> bool {
        self.command.iter().any(|word| ["--html", "--svg"].contains(word))
    }

    /// How many processes take the lines, each one of them; `None` if one takes all.
    fn processes(&self, lines: &Lines) -> Option<usize> {
        /// More would take minutes.
        const MOST: usize = 10;
        (lines.count > 1 && self.is_of_one()).then_some(lines.count.min(MOST))
    }
}

/// The processor seconds of so many processes one after another, each with the first of the lines: a shell adds up what they take.
fn one_by_one(program: &str, tested: &Tested, processes: usize, input: &[u8]) -> Result<f64, String> {
    // A text that is no URL is reported with the status 1.
    const SCRIPT: &str = r#"
        line=$(mktemp) && cat > "$line" || exit 2
        count=$1 && shift
        while [ "$count" -gt 0 ]; do
            "$0" "$@" < "$line" > /dev/null || [ $? -eq 1 ] || exit 2
            count=$((count - 1))
        done
        rm "$line"
    "#;
    let end = input.iter().position(|octet| *octet == b'\n').unwrap_or(input.len());
    let count = processes.to_string();
    let arguments = [&["-c", SCRIPT, program, &count], tested.command.as_slice()].concat();
    let Run { output, took } = run("sh", &arguments, &input[..end]);
    match output.status.success() {
        true => Ok(took.time.as_secs_f64()),
        false => Err(format!("{end} octets: {}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// The processor seconds that a command took, or why what it wrote or held is not bounded.
fn bounded(program: &str, tested: &Tested, lines: &Lines, input: &[u8]) -> Result<f64, String> {
    let Tested { command, takes, frame } = tested;
    let length = input.len();
    let Run { output, took } = with_input(tested, input, |arguments, input| run(program, arguments, input));
    let status = output.status.code();
    let errors = String::from_utf8_lossy(&output.stderr[..output.stderr.len().min(300)]).into_owned();
    // What a dry run refuses has codes of its own, and what is no URL is not the same as another.
    let is_expected = |code| code < 2 || command[0] == "get" && code > 2 || command[0] == "same" && code == 2;
    if !status.is_some_and(is_expected) {
        return Err(format!("{length} octets: {status:?} {errors}"));
    }
    let reports = output.stdout.iter().filter(|octet| **octet == b'\n').count();
    let (urls, seconds) = match takes {
        Takes::Each => (lines.count.max(reports), reports as f64 * OF_A_LINE),
        Takes::Lines | Takes::Twice | Takes::File => (lines.count, 0.0),
    };
    let written = output.stdout.len() + output.stderr.len();
    let most = urls * 64 * KB + 3 * length + frame;
    if written > most {
        return Err(format!("{length} octets produce {written}, more than {most}"));
    }
    let most = length + MEMORY;
    let memory = took.memory;
    if memory > most {
        return Err(format!("{length} octets take {memory} of memory, more than {most}"));
    }
    Ok((took.time.as_secs_f64() - seconds).max(0.0))
}

/// Runs a command with its input, or with a new file that holds it.
fn with_input<T>(tested: &Tested, input: &[u8], run: impl FnOnce(&[&str], &[u8]) -> T) -> T {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    match tested.takes {
        Takes::Lines | Takes::Twice | Takes::Each => run(&tested.command, input),
        Takes::File => {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = env::temp_dir().join(format!("urlwise-bounds-{}-{number}.txt", process::id()));
            fs::write(&path, input).unwrap();
            let result = run(&[&tested.command, &[path.to_str().unwrap()][..]].concat(), b"");
            fs::remove_file(&path).unwrap();
            result
        }
    }
}

/// What a program does for such lines, without what it does to begin and to end; `None` where that cannot be counted.
fn counted(program: &str, tested: &Tested, lines: &Lines, text: &Text) -> Option<Counted> {
    /// More would take minutes.
    const MOST: usize = 40;
    let is_of_one = tested.is_of_one();
    let count = if is_of_one { 1 } else { lines.count.min(MOST) };
    let many = Lines::new(count, lines.length);
    let (few, input_of_few) = match tested.takes {
        Takes::Lines if count > 1 => {
            let few = Lines::new(count / 2, lines.length);
            let input = few.of(text);
            (few, input)
        }
        _ => {
            let url = b"news:a.b\n";
            (Lines::new(count, url.len()), url.repeat(count))
        }
    };
    let run = |input: &[u8]| with_input(tested, input, |arguments, input| instructions(program, arguments, input));
    let input = many.of(text);
    let (more, less) = (run(&input)?, run(&input_of_few)?);
    let of_reports = if tested.takes == Takes::Each { more.lines as f64 * OF_A_LINE } else { 0.0 };
    let of_few = if is_of_one { 0.0 } else { bar(tested, &few) };
    Some(Counted {
        instructions: more.count.saturating_sub(less.count),
        octets: input.len() - input_of_few.len(),
        bar: bar(tested, &many) - of_few + of_reports,
    })
}

#[test]
fn output_memory_and_time_are_bounded_by_the_length_of_the_text() {
    let (program, is_optimised) = program();
    let (commands, words) = (Tested::all(&program), words(4 << 20));
    let pace = || if is_optimised { pace(&words) } else { 1.0 };
    let complaint_about = |tested: &Tested, text: &Text, pace_now: &mut f64| {
        let lines = tested.lines(is_optimised);
        let inputs: Vec<Vec<u8>> = lines.iter().map(|lines| lines.of(text)).collect();
        let mut best = vec![f64::INFINITY; lines.len()];
        let mut found = Vec::new();
        for _ in 0..TRIES {
            for ((lines, input), best) in lines.iter().zip(&inputs).zip(&mut best) {
                let seconds = match tested.processes(lines) {
                    Some(processes) => one_by_one(&program, tested, processes, input),
                    None => bounded(&program, tested, lines, input),
                };
                match seconds {
                    Ok(seconds) => *best = best.min(seconds / *pace_now),
                    Err(found) => return Some(found),
                }
            }
            found = if is_optimised { excesses(tested, lines, &best) } else { Vec::new() };
            if found.is_empty() {
                break;
            }
            *pace_now = pace();
        }
        found.into_iter().find_map(|found| found.settle(|at| counted(&program, tested, &lines[at], text)))
    };
    let try_all = |text: &Text| {
        let mut pace_now = pace();
        let complaints = commands.iter().filter_map(|tested| {
            let found = complaint_about(tested, text, &mut pace_now)?;
            Some(format!("{} of {}: {found}", tested.command.join(" "), text.name))
        });
        complaints.collect::<Vec<_>>()
    };
    let (texts, next) = (texts().collect::<Vec<_>>(), AtomicUsize::new(0));
    let try_next = || texts.get(next.fetch_add(1, Ordering::Relaxed)).map(try_all);
    let complaints: Vec<String> = thread::scope(|scope| {
        // More would wait for one another's memory, which the yardstick does not use.
        let processors = thread::available_parallelism().map_or(1, usize::from).min(4);
        let threads: Vec<_> =
            (0..processors).map(|_| scope.spawn(|| iter::from_fn(try_next).flatten().collect::<Vec<_>>())).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert!(complaints.is_empty(), "seconds are those of the machine of docs/measured.md:\n{}", complaints.join("\n"));
}

#[test]
fn pages_and_pictures_of_short_texts_are_bounded() {
    let (program, _) = program();
    // What HTML writes as five or six octets, and what is said of each octet.
    let others = [("http://h/?", "&"), ("sftp://h/", "&"), ("http://h/", "<\""), ("mailto:a@b?", "%0d/%2e%2e%2f%ff&/")];
    let others = others.map(|(start, unit)| Text { name: unit, start, unit, end: "", readings: 1 });
    for command in commands() {
        let tested = Tested { frame: frame(&program, &command), command, takes: Takes::Lines };
        if !tested.is_of_one() {
            continue;
        }
        for text in texts().chain(others.iter().copied()) {
            for length in [KB, 4 * KB, 16 * KB] {
                let lines = Lines::new(1, length);
                if let Err(found) = bounded(&program, &tested, &lines, &lines.of(&text)) {
                    panic!("{} of {}: {found}", tested.command.join(" "), text.name);
                }
            }
        }
    }
}

#[test]
fn documents_take_memory_and_time_bounded_by_their_length() {
    let (program, is_optimised) = program();
    let lengths: &[usize] = if is_optimised { &[40 * KB, 4000 * KB] } else { &[40 * KB] };
    let words = words(4 << 20);
    // What is too long, if anything is, of the best of some tries; what a document takes of memory is the same in each.
    let complaint = |command: &[&str], text: &Text, pace: f64| {
        for &length in lengths {
            let input = text.of(length);
            let length = input.len();
            let Run { output, took } = run(&program, command, &input);
            let errors = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.code().is_some_and(|code| code < 2), "{command:?} of {}: {errors}", text.name);
            let most = length + MEMORY;
            if took.memory > most {
                return Some(format!("{length} octets take {} of memory, more than {most}", took.memory));
            }
            let lines = output.stdout.iter().filter(|octet| **octet == b'\n').count();
            let (seconds, most) = (took.time.as_secs_f64() / pace, TOLERANCE * bar_of_document(text, length, lines));
            if is_optimised && seconds > most {
                return Some(format!("{length} octets take {seconds:.3} s, more than {most:.3}"));
            }
        }
        None
    };
    let mut complaints = Vec::new();
    for (format, text) in documents() {
        for command in [&["find", "--as", format][..], &["check", "--text", "--as", format]] {
            let mut tries = 0..TRIES;
            let pace = || if is_optimised { pace(&words) } else { 1.0 };
            let found = loop {
                let found = complaint(command, &text, pace());
                if found.is_none() || tries.next().is_none() {
                    break found;
                }
            };
            complaints.extend(found.map(|found| format!("{} of {}: {found}", command.join(" "), text.name)));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn many_reports_of_one_line_are_not_held() {
    let (program, _) = program();
    let input = b"http://u:p@h/ ".repeat(60_000);
    for command in [&["check", "--text", "--json"][..], &["check", "--text", "--format", "sarif"]] {
        let Run { output, took } = run(&program, command, &input);
        let (written, most) = (output.stdout.len(), input.len() + MEMORY);
        assert!(written > most, "{command:?} writes {written} octets, which could be held");
        assert!(took.memory <= most, "{command:?} takes {} of memory, more than {most}", took.memory);
    }
}

#[test]
fn all_problems_and_normal_forms_have_no_more_room_than_others() {
    let (program, _) = program();
    let texts = [
        ("prospero://h/x", ";%61=%00"),
        ("http://h/", "%2e%2E/"),
        ("mailto:a@b?", "%73ubject=%0d%0a&"),
        ("http://h/", "~"),
        ("ftp://", "\u{4e2d}"),
    ];
    let check = ["check", "--all-problems", "--select", "all", "--format"];
    let formats = ["human", "json", "sarif", "github", "junit", "markdown"];
    let mut commands: Vec<Vec<&str>> = formats.iter().map(|format| [&check[..], &[format]].concat()).collect();
    let others = [
        "parse --all-problems",
        "parse --all-problems --json",
        "explain --all-problems --lang ja",
        "explain --all-problems --json",
        "normalize --profile current --json",
        "same --profile current --json",
    ];
    commands.extend(others.iter().map(|command| command.split(' ').collect::<Vec<_>>()));
    for command in commands {
        let frame = if command[0] == "same" { 0 } else { frame(&program, &command) };
        for (start, unit) in texts {
            for length in [KB, 8 * KB, 100 * KB] {
                let text = format!("{start}{}\n", unit.repeat(length / unit.len()));
                let urls = if command[0] == "same" { 2 } else { 1 };
                let input = text.repeat(urls);
                let Run { output, .. } = run(&program, &command, input.as_bytes());
                let written = output.stdout.len() + output.stderr.len();
                let most = urls * 64 * KB + 3 * input.len() + frame;
                assert!(written <= most, "{command:?} of {length} octets of {unit} writes {written}, more than {most}");
            }
        }
    }
}

#[test]
fn a_column_of_the_whole_text_is_at_most_four_times_as_long() {
    // It is not cut, and `\xHH` is the shortest form of a control character that PostgreSQL and ClickHouse read and a terminal cannot obey.
    let (program, _) = program();
    let formats = ["--columns url", "--columns url --format csv", "--columns url --format jsonl", "--template {url}"];
    for format in formats {
        let command: Vec<&str> = iter::once("parse").chain(format.split(' ')).collect();
        for unit in [1, b'\t', b'"', b'\\', 0xC2, 0xFF] {
            for length in [KB, 1000 * KB] {
                let input = [&b"http://h/"[..], &[unit].repeat(length)].concat();
                let Run { output, took } = run(&program, &command, &input);
                let (written, most) = (output.stdout.len() + output.stderr.len(), 4 * input.len() + 64 * KB);
                assert!(written >= length, "{format} of {length} octets {unit:#x} is cut: {written}");
                assert!(written <= most, "{format} of {length} octets {unit:#x} writes {written}, more than {most}");
                assert!(took.memory <= input.len() + MEMORY, "{format} takes {} of memory", took.memory);
            }
        }
    }
}

/// Asserts that a command takes about eight times as many instructions for a text that is eight times as long.
#[track_caller]
fn grows_in_proportion(command: &[&str], ending: &str, text: impl Fn(usize) -> String) {
    let (program, _) = program();
    let counted = |count: usize| {
        let path = env::temp_dir().join(format!("urlwise-bounds-{}-{count}.{ending}", process::id()));
        fs::write(&path, text(count)).unwrap();
        let found = instructions(&program, &[command, &[path.to_str().unwrap()]].concat(), b"");
        fs::remove_file(&path).unwrap();
        let found = found?;
        assert!(found.lines > 0, "{command:?} has nothing to report");
        Some(found.count)
    };
    let (Some(few), Some(many)) = (counted(500), counted(4_000)) else { return };
    assert!(many < 10 * few, "{command:?} takes {} times as long for eight times as much", many / few);
}

#[test]
fn missing_fragments_take_time_in_proportion_to_their_number() {
    let links = |count| (0..count).map(|number| format!("[a](#b{number})\n\n")).collect();
    grows_in_proportion(&["check", "--open", "--offline"], "md", links);
}

#[test]
fn conversions_with_one_end_take_time_in_proportion_to_their_number() {
    // The port is wrong, so there is something to report even where all of them count.
    let text = |count| format!("http://h.dom/{})\nhttp://h.dom:0x/\n", "%(".repeat(2 * count));
    grows_in_proportion(&["check", "--text"], "txt", text);
}
