//! The models of programs are held to the programs: on texts that parsers read differently, on URLs that people wrote, and
//! on seeded mutations of both. `scripts/setup` installs the programs in `target/readers`.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::thread;
use urlwise::Profile;
use urlwise_readings::Reader;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// How many mutations there are, and the start of the sequence that chooses them.
const MUTATIONS: usize = 100_000;
const SEED: u64 = 0x1738_3986;

/// What is inserted: delimiters in any number, octets that some parsers drop, decode, map or refuse, and pieces of URLs.
const PIECES: &[&str] = &[
    "/",
    "//",
    "///",
    "\\",
    "\\\\",
    "@",
    ":",
    "::",
    "?",
    "#",
    "[",
    "]",
    "%",
    ";",
    "&",
    "=",
    "+",
    ",",
    "!",
    "$",
    "'",
    "(",
    "*",
    "\"",
    "<",
    "|",
    "^",
    "`",
    "{",
    "~",
    "_",
    "-",
    ".",
    "..",
    "/.",
    "/../",
    "%2e",
    "%2E%2e/",
    "%2F",
    "%5c",
    "%40",
    "%3a",
    "%25",
    "%00",
    "%0a",
    "%7f",
    "%ff",
    "%zz",
    "%4",
    "%E3%80%82",
    " ",
    "\t",
    "\n",
    "\r",
    "\0",
    "\u{1f}",
    "\u{7f}",
    "\u{b}",
    "0",
    "00",
    "80",
    "65535",
    "65536",
    "0x7f.1",
    "0177.0.0.1",
    "2130706433",
    "4294967296",
    "1.2.3.4.",
    "1.256.3",
    "127.1",
    "08",
    "[::1]",
    "[::ffff:1.2.3.4]",
    "[::ffff:1:2]",
    "[::1:0]",
    "[1:0:0:2::]",
    "[fe80::1%eth0]",
    "[fe80::1%25a]",
    "[::1%2525]",
    "[::1.2.3.04]",
    "[v1.a]",
    "[1:2:3:4:5:6:7::]",
    "u:p@",
    "user@",
    "a:b:c",
    "http:",
    "https://",
    "file:",
    "file://localhost/",
    "ftp.",
    "IMAP.",
    "imap://u;AUTH=x:p@",
    "c:/",
    "c|",
    "mailto:",
    "URL:",
    "data:",
    "xn--",
    "EXAMPLE",
    "good.example",
    "evil.example",
    "v1.a",
    "é",
    "\u{df}",
    "\u{130}",
    "\u{212a}",
    "\u{2100}",
    "\u{ff0f}",
    "\u{ff20}",
    "\u{3002}",
    "\u{ad}",
    "\u{3a3}",
    "\u{a0}",
    "\u{2028}",
    "\u{feff}",
    "\u{663}",
    "\u{1f600}",
];

/// Where every octet is tried in turn, as it is and as an escape.
const PLACES: [&str; 9] = [
    "*http://h.dom/",
    "h*://h.dom/",
    "http:*/h.dom/",
    "http://u*:p@h.dom/",
    "http://h*.dom/",
    "http://[::1%a*b]/",
    "http://[::*1]/",
    "http://h.dom:8*0/",
    "http://h.dom*@b.dom/a/../b",
];

/// A sequence of numbers that is the same in every run (`SplitMix64`).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((z ^ (z >> 31)) % limit as u64).expect("below a usize")
    }
}

/// Texts that parsers read differently, and URLs that people wrote.
fn collected() -> Vec<Vec<u8>> {
    let table =
        fs::read_to_string(format!("{}/tests/data/url-confusion.tsv", env!("CARGO_MANIFEST_DIR"))).expect("data");
    let rows = table.lines().filter(|line| !line.starts_with('#')).skip(1);
    let text =
        |row: &str| serde_json::from_str::<String>(&format!("\"{}\"", row.split('\t').next().unwrap_or_default()));
    let mut texts: Vec<Vec<u8>> = rows.map(|row| text(row).expect("a JSON string").into_bytes()).collect();
    assert_eq!(texts.len(), 285);
    let sets = Path::new(ROOT).join("crates/urlwise-bench/sets");
    for folder in [sets.clone(), sets.join("real")] {
        let files = fs::read_dir(folder).expect("the sets are there").map(|entry| entry.expect("an entry").path());
        let mut files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|end| end == "txt")).collect();
        files.sort();
        for file in files {
            let lines = fs::read(file).expect("a readable file");
            texts.extend(lines.split(|octet| *octet == b'\n').map(<[u8]>::to_vec));
        }
    }
    assert!(texts.len() > 4_500, "{} texts", texts.len());
    texts
}

/// The texts, and mutations of them.
static TEXTS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let collected = collected();
    let mut numbers = Numbers(SEED);
    let mut texts: BTreeSet<Vec<u8>> = collected.iter().cloned().collect();
    for place in PLACES {
        let (before, after) = place.split_once('*').expect("a place");
        for octet in 0..=u8::MAX {
            texts.insert([before.as_bytes(), &[octet], after.as_bytes()].concat());
            texts.insert(format!("{before}%{octet:02x}{after}").into_bytes());
        }
    }
    // Around the limits of curl: a scheme has at most 40 characters, a zone 15.
    for length in 14..=42 {
        texts.insert(format!("{}://h.dom/", "s".repeat(length)).into_bytes());
        texts.insert(format!("http://[fe80::1%25{}]/", "z".repeat(length)).into_bytes());
    }
    let wanted = texts.len() + MUTATIONS;
    while texts.len() < wanted {
        // Half of them come from the texts that are read differently.
        let limit = [285, collected.len()][numbers.below(2)];
        let mut text = collected[numbers.below(limit)].clone();
        text.truncate(120);
        for _ in 0..=numbers.below(4) {
            let (at, end) = (numbers.below(text.len() + 1), numbers.below(text.len() + 1));
            let short = end.clamp(at, (at + 4).min(text.len()));
            match numbers.below(8) {
                0 => drop(text.drain(at..short)),
                1 => drop(text.splice(at..at, text[at..short].to_vec())),
                2 if at < text.len() && end < text.len() => text.swap(at, end),
                3 => {
                    let other = &collected[numbers.below(collected.len())];
                    text.truncate(at);
                    text.extend(&other[numbers.below(other.len() + 1)..]);
                }
                4 if at < text.len() => text[at] = u8::try_from(numbers.below(256)).expect("an octet"),
                5 => drop(text.splice(at..short, PIECES[numbers.below(PIECES.len())].bytes())),
                _ => drop(text.splice(at..at, PIECES[numbers.below(PIECES.len())].bytes())),
            }
        }
        texts.insert(text);
    }
    texts.into_iter().collect()
});

/// What a program or its model sees: the fields of the driver, `None` if it refuses the text.
type Seen = Option<[Option<String>; 8]>;

fn model(reader: Reader, text: &[u8]) -> Seen {
    let reading = reader.read(text, Profile::Rfc1738);
    let parts = reading.parts()?;
    let own = |part: &Option<std::borrow::Cow<'_, str>>| part.as_deref().map(str::to_owned);
    let [scheme, path] = [&parts.scheme, &parts.path].map(|part| Some(part.to_string()));
    let [user, password, host, port] = [&parts.user, &parts.password, &parts.host, &parts.port].map(own);
    Some([scheme, user, password, host, port, path, own(&parts.query), own(&parts.fragment)])
}

fn seen(line: &str) -> Seen {
    let field = |field: &str| {
        let digits = field.strip_prefix('=')?;
        let octet = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).expect("hex");
        let octets: Vec<u8> = (0..digits.len()).step_by(2).map(octet).collect();
        Some(String::from_utf8_lossy(&octets).into_owned())
    };
    let fields: Vec<_> = line.split(' ').map(field).collect();
    (line != "error").then(|| fields.try_into().unwrap_or_else(|_| panic!("eight fields: {line}")))
}

/// What the program prints about each text.
fn ask(command: &mut Command, texts: &[Vec<u8>]) -> Vec<Seen> {
    let mut program = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
    let hex = |text: &Vec<u8>| text.iter().map(|octet| format!("{octet:02x}")).collect::<String>() + "\n";
    let lines: String = texts.iter().map(hex).collect();
    let mut input = program.stdin.take().expect("a pipe");
    let writer = thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = program.wait_with_output().expect("the program ends");
    writer.join().expect("no panic").expect("the program reads all");
    assert!(output.status.success(), "{command:?}");
    let answers: Vec<_> = String::from_utf8(output.stdout).expect("hex").lines().map(seen).collect();
    assert_eq!(answers.len(), texts.len());
    answers
}

#[expect(clippy::print_stderr, reason = "the test runner shows it beside the test's name")]
fn holds(reader: Reader, command: &mut Command) {
    let texts = &*TEXTS;
    let answers = ask(command, texts);
    let accepted = answers.iter().flatten().count();
    assert!(accepted > texts.len() / 4 && accepted < texts.len(), "{accepted} of {} are accepted", texts.len());
    let mut differences = 0;
    for (text, answer) in texts.iter().zip(answers) {
        let model = model(reader, text);
        if model != answer {
            differences += 1;
            if differences <= 20 {
                eprintln!("{:?}\n  {reader}: {answer:?}\n  model: {model:?}", String::from_utf8_lossy(text));
            }
        }
    }
    assert_eq!(differences, 0, "of {} texts", texts.len());
}

/// The folder with the programs; `None` if it is not there, which only CI does not forgive.
#[expect(clippy::print_stderr, reason = "the test runner shows it beside the test's name")]
fn programs() -> Option<PathBuf> {
    let folder = Path::new(ROOT).join("target/readers/bin");
    if folder.join("../installed").exists() {
        return Some(folder);
    }
    assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "scripts/setup has not installed the programs");
    eprintln!("skipped: scripts/setup has not installed the programs");
    None
}

fn python(reader: Reader) {
    let Some(programs) = programs() else { return };
    let driver = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/readers.py");
    holds(reader, Command::new(programs.join("python")).args([driver, reader.id()]));
}

#[test]
fn urlsplit_is_read_as_python_does() {
    python(Reader::Urlsplit);
}

#[test]
fn urllib3_is_read_as_it_does() {
    python(Reader::Urllib3);
}

#[test]
fn curl_is_read_as_libcurl_does() {
    python(Reader::Curl);
}

#[test]
fn go_is_read_as_net_url_does() {
    let Some(programs) = programs() else { return };
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/reader.go");
    let built = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reader-go");
    let mut go = Command::new(programs.join("go"));
    go.args(["build", "-o"]).arg(&built).arg(source).env("GOCACHE", built.with_extension("cache"));
    let status = go.env("GOTOOLCHAIN", "local").env("GOFLAGS", "").status().expect("Go starts");
    assert!(status.success(), "Go builds the driver");
    holds(Reader::Go, &mut Command::new(built));
}
