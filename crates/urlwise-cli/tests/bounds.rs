//! What commands write, hold and take is bounded by the length of a text, whatever it is.
//!
//! Output is at most three times a URL and 64 KiB, memory at most 20 MiB and the text. Processor time is asserted of an optimised program
//! only: at 20 MB a second, and in proportion to the length. `scripts/test bounds` builds one and names it in `URLWISE_PROGRAM`.

#![allow(clippy::unwrap_used, reason = "a program that cannot be run must stop the test")]

use std::io::{Read, Write};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, iter, thread};

const KB: usize = 1 << 10;

/// What a command may hold beside its input.
const MEMORY: usize = 20 << 20;

/// Each command in each format, one a line; `scripts/bench-lists --hostile` measures them.
fn commands() -> impl Iterator<Item = Vec<&'static str>> {
    include_str!("bounds/commands.txt").lines().map(|line| line.split(' ').collect())
}

/// One part, many parts, one mistake at many places, many mistakes, many findings: a start, a unit that is repeated, and an end, which most
/// do not have; with escapes for a backslash, for octets that are not printed, and for the number of the unit.
#[derive(Clone, Copy)]
struct Text {
    name: &'static str,
    start: &'static str,
    unit: &'static str,
    end: &'static str,
}

fn texts() -> impl Iterator<Item = Text> {
    include_str!("bounds/texts.tsv").lines().skip(1).map(Text::of_row)
}

/// Documents to be read as a format. Each link is reported for itself, or is too long for its line.
fn documents() -> impl Iterator<Item = (&'static str, Text)> {
    let rows = include_str!("bounds/documents.tsv").lines().skip(1);
    let rows = rows.map(|row| row.split_once('\t').unwrap()).map(|(format, row)| (format, Text::of_row(row)));
    // Paragraphs as long as are read as Markdown.
    let paragraphs = [
        ("references without definitions", "[a] ", 16_000),
        ("definitions without ends", r"[a]: <b\x0A", 12_500),
        ("references in brackets", "[[a]] ", 13_000),
        ("code behind references", "[a]`", 16_000),
    ];
    rows.chain(paragraphs.map(|(name, unit, count)| {
        let unit = format!(r"{}\x0A\x0A# a\x0A\x0A", unit.repeat(count)).leak();
        ("markdown", Text { name, start: "", unit, end: "" })
    }))
}

impl Text {
    fn of_row(row: &'static str) -> Text {
        let mut columns = row.split('\t');
        let mut required = || columns.next().unwrap();
        Text { name: required(), start: required(), unit: required(), end: columns.next().unwrap_or_default() }
    }

    /// Of about this length, and of one unit at least.
    fn of(&self, length: usize) -> Vec<u8> {
        let first = octets(self.unit, 0);
        let count = (length / first.len()).max(1);
        let units = match self.unit.contains(r"\N") {
            true => (0..count).flat_map(|number| octets(self.unit, number)).collect(),
            false => first.repeat(count),
        };
        [octets(self.start, 0), units, octets(self.end, 0)].concat()
    }
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
    let text = texts().find(|text| text.name == "wide characters").unwrap();
    assert_eq!(text.of(12), "\u{4e2d}".repeat(4).as_bytes());
}

/// The program under test, and whether it is optimised.
fn program() -> (String, bool) {
    match env::var("URLWISE_PROGRAM") {
        Ok(program) => (program, true),
        Err(_) => (env!("CARGO_BIN_EXE_urlwise").to_string(), !cfg!(debug_assertions)),
    }
}

/// What a run wrote and took.
struct Run {
    output: Output,
    took: Took,
}

/// What a process took, as far as that is measured.
struct Took {
    /// The most memory, in octets, without the pages of the program's own file: how many there are depends on how it was built.
    memory: usize,
    /// Processor time, of all threads.
    time: Duration,
}

/// Runs with limited address space and time, so that a text which breaks the bounds does not take the machine with it.
fn run(program: &str, arguments: &[&str], input: &[u8]) -> Run {
    let mut command = if cfg!(target_os = "linux") {
        let mut shell = Command::new("sh");
        // A debug build with the stacks and arenas of its threads takes about half of it.
        shell.args(["-c", "ulimit -v 1000000; ulimit -t 60; exec \"$0\" \"$@\"", program]);
        shell
    } else {
        Command::new(program)
    };
    command.args(arguments).env("LC_ALL", "C.UTF-8").env("COLUMNS", "80").env("XDG_CONFIG_HOME", "/nonexistent");
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

/// What each command gets of each text. Of an optimised program, short ones on many lines: one alone takes less than a clock can tell.
fn lines(is_optimised: bool) -> &'static [Lines] {
    const OPTIMISED: &[Lines] = &[Lines::new(500, KB), Lines::new(12, 40 * KB), Lines::new(1, 4000 * KB)];
    const DEBUG: &[Lines] = &[Lines::new(1, 40 * KB)];
    if is_optimised { OPTIMISED } else { DEBUG }
}

/// A command, and what it writes before and after all reports.
struct Tested {
    command: Vec<&'static str>,
    frame: usize,
}

impl Tested {
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
    let Tested { command, frame } = tested;
    let length = input.len();
    let Run { output, took } = run(program, command, input);
    let written = output.stdout.len() + output.stderr.len();
    let status = output.status.code();
    let errors = String::from_utf8_lossy(&output.stderr[..output.stderr.len().min(300)]).into_owned();
    // What a dry run refuses has codes of its own.
    let is_expected = |code| code < 2 || command[0] == "get" && code > 2;
    if !status.is_some_and(is_expected) {
        return Err(format!("{length} octets: {status:?} {errors}"));
    }
    let most = lines.count * 64 * KB + 3 * length + frame;
    if written > most {
        return Err(format!("{length} octets produce {written}, more than {most}"));
    }
    let most = length + MEMORY;
    let memory = took.memory;
    if memory > most {
        return Err(format!("{length} octets take {memory} of memory, more than {most}"));
    }
    Ok(took.time.as_secs_f64())
}

/// Octets in a second of processor time.
const BAR: f64 = 20e6;

/// What a command may take of any URL besides, in microseconds, however short it is. `explain`, `check`, `repair` and `get` report mistakes
/// at their places, changes, and dialogues, `guard` its reasons: so many of them, and no more. `build` takes apart a URL that may have a
/// name at each octet, and `compare` has a column for each reader.
const OF_A_URL: [(&str, f64); 8] = [
    ("build", 10.0),
    ("compare", 10.0),
    ("guard", 15.0),
    ("parse", 2.5),
    ("check", 20.0),
    ("repair", 10.0),
    ("explain", 25.0),
    ("get", 25.0),
];
const OF_ANOTHER_URL: f64 = 5.0;

/// The same for a page, which also has what others read, and for a picture.
const OF_A_PAGE: f64 = 500.0;

/// What a process takes to begin and to end, in microseconds.
const OF_A_PROCESS: f64 = 4000.0;

/// Seconds that a command may take on the machine of docs/measured.md.
fn bar(tested: &Tested, lines: &Lines) -> f64 {
    let row = OF_A_URL.iter().find(|(name, _)| *name == tested.command[0]);
    let of_a_url = if tested.is_of_one() { OF_A_PAGE } else { row.map_or(OF_ANOTHER_URL, |(_, most)| *most) };
    let (count, of_a_process) = match tested.processes(lines) {
        Some(count) => (count, OF_A_PROCESS),
        None => (lines.count, 0.0),
    };
    count as f64 * ((of_a_url + of_a_process) / 1e6 + lines.length as f64 / BAR)
}

/// How many times its bar a command takes before that is an error: other machines are not in all as much slower or faster, and a
/// clock that ticks in hundredths of a second is not exact.
const TOLERANCE: f64 = 2.0;

/// What the clock may leave out, in seconds: it tells the time of a process and that of the system for it in whole hundredths.
const UNTOLD: f64 = 0.02;

/// How often what takes too long is measured; the best counts.
const TRIES: usize = 6;

/// How many seconds this machine, with all that runs on it now, takes for one of that of docs/measured.md, whose `gzip` compresses
/// 44 MB of words in a second.
fn pace(words: &[u8]) -> f64 {
    let Run { output, took } = run("gzip", &["-c"], words);
    assert!(output.status.success(), "gzip: {}", String::from_utf8_lossy(&output.stderr));
    took.time.as_secs_f64() * 44e6 / words.len() as f64
}

/// Words in no order, on which `gzip` has to work.
fn words(length: usize) -> Vec<u8> {
    let mut state = 1738_u64;
    let mut random = |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut word = || (0..3 + random(7)).map(|_| b'a' + random(26) as u8).chain([b' ']).collect::<Vec<u8>>();
    let list: Vec<Vec<u8>> = (0..3000).map(|_| word()).collect();
    let mut words = Vec::with_capacity(length + 10);
    while words.len() < length {
        words.extend_from_slice(&list[random(list.len())]);
    }
    words
}

/// Why these seconds are too long for that; without a reason they are not.
fn complaint(tested: &Tested, lines: &[Lines], seconds: &[f64]) -> Option<String> {
    let too_long = lines.iter().zip(seconds).find_map(|(lines, seconds)| {
        let most = TOLERANCE * bar(tested, lines);
        let (count, length) = (tested.processes(lines).unwrap_or(lines.count), lines.length);
        (*seconds > most).then(|| format!("{count} of {length} octets take {seconds:.3} s, more than {most:.3}"))
    });
    let ([.., short, long], [.., few, many]) = (seconds, lines) else { return too_long };
    // In proportion to the length, and half of that more.
    let octets = |lines: &Lines| (tested.processes(lines).unwrap_or(lines.count) * lines.length) as f64;
    let times = octets(many) / octets(few);
    let grows = || {
        (*long > 1.5 * times * (short + UNTOLD))
            .then(|| format!("{short:.3} s become {long:.3} for {times:.1} times the length"))
    };
    too_long.or_else(grows)
}

#[test]
fn output_memory_and_time_are_bounded_by_the_length_of_the_text() {
    let (program, is_optimised) = program();
    let (lines, words) = (lines(is_optimised), words(4 << 20));
    let commands: Vec<Tested> =
        commands().map(|command| Tested { frame: frame(&program, &command), command }).collect();
    let pace = || if is_optimised { pace(&words) } else { 1.0 };
    let complaint_about = |tested: &Tested, inputs: &[Vec<u8>], pace_now: &mut f64| {
        let mut best = vec![f64::INFINITY; lines.len()];
        let mut found = None;
        for _ in 0..TRIES {
            for ((lines, input), best) in lines.iter().zip(inputs).zip(&mut best) {
                let seconds = match tested.processes(lines) {
                    Some(processes) => one_by_one(&program, tested, processes, input),
                    None => bounded(&program, tested, lines, input),
                };
                match seconds {
                    Ok(seconds) => *best = best.min(seconds / *pace_now),
                    Err(found) => return Some(found),
                }
            }
            found = if is_optimised { complaint(tested, lines, &best) } else { None };
            if found.is_none() {
                break;
            }
            *pace_now = pace();
        }
        found
    };
    let try_all = |text: &Text| {
        let inputs: Vec<Vec<u8>> = lines.iter().map(|lines| lines.of(text)).collect();
        let mut pace_now = pace();
        let complaints = commands.iter().filter_map(|tested| {
            let found = complaint_about(tested, &inputs, &mut pace_now)?;
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
    let others = others.map(|(start, unit)| Text { name: unit, start, unit, end: "" });
    for command in commands() {
        let tested = Tested { frame: frame(&program, &command), command };
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

/// Octets of Markdown in a second of processor time. Its reader is slower than that of URLs: see docs/measured.md, "Documents".
const BAR_OF_MARKDOWN: f64 = 6e6;

/// What a line that is written may take besides, in seconds: each link is reported for itself.
const OF_A_LINE: f64 = 0.5e-6;

/// Seconds that a document of this length may take, and its start, on the machine of docs/measured.md.
fn bar_of_document(format: &str, length: usize, lines: usize) -> f64 {
    let octets = if format == "markdown" { BAR_OF_MARKDOWN } else { BAR };
    length as f64 / octets + lines as f64 * OF_A_LINE + 0.02
}

#[test]
fn documents_take_memory_and_time_bounded_by_their_length() {
    let (program, is_optimised) = program();
    let lengths: &[usize] = if is_optimised { &[40 * KB, 4000 * KB] } else { &[40 * KB] };
    let words = words(4 << 20);
    // What is too long, if anything is, of the best of some tries; what a document takes of memory is the same in each.
    let complaint = |format: &str, command: &[&str], text: &Text, pace: f64| {
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
            let (seconds, most) = (took.time.as_secs_f64() / pace, TOLERANCE * bar_of_document(format, length, lines));
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
                let found = complaint(format, command, &text, pace());
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
