//! The README shows real output, in every language, and so does docs/opening.md: its `console` blocks are typed into one shell, as a
//! reader would type them, and what they print is compared. The translations say what the README says, as far as a program can see.
//!
//! Lines that begin with `$ ` are typed, all others are output, standard error included. What differs from machine to machine is
//! replaced by the README's terms: the folder of the checkout, dates of files, ports. With SNAPSHOTS=overwrite the documents are
//! given the outputs of this program.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "this is how a test says that it was skipped")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::net::{SocketAddr, TcpListener, UdpSocket};
use std::path::{Path, PathBuf};
use std::process::Command;

use urlwise::Language;
use urlwise_open::ErrorKind;

/// Names in the READMEs that differ here.
const FOLDER: &str = "/src/urlwise";
const HTTP_PORT: &str = "8017";
/// With five digits, as those that take its place: a command may cut its lines.
const WAIS_PORT: &str = "21210";
const PROSPERO_PORT: &str = "21525";
const DATE: &str = "2026-11-21 10:00";

/// Printed by the session before each output, to separate the outputs.
const MARK: &str = "@@@ next command @@@";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The name of the README in a language.
fn name(language: Language) -> String {
    match language {
        Language::En => "README.md".to_owned(),
        _ => format!("README.{}.md", language.tag()),
    }
}

/// What the README leaves out, in English.
const OPENING: &str = "docs/opening.md";

fn text(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn read(language: Language) -> String {
    text(&name(language))
}

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
        let typed = step.typed.replace("cargo run --", "urlwise");
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

/// Ports that nothing uses, for the servers of so many documents. All are bound at the same time, so that they are distinct.
fn ports(documents: usize) -> Vec<[(&'static str, String); 3]> {
    let free = || {
        let tcp = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
        (tcp, UdpSocket::bind("127.0.0.1:0").unwrap())
    };
    let bound: Vec<_> = std::iter::repeat_with(free).take(documents).collect();
    let port = |address: std::io::Result<SocketAddr>| address.unwrap().port().to_string();
    let pairs = bound.iter().map(|([http, wais], prospero)| {
        [
            (HTTP_PORT, port(http.local_addr())),
            (WAIS_PORT, port(wais.local_addr())),
            (PROSPERO_PORT, port(prospero.local_addr())),
        ]
    });
    pairs.collect()
}

#[test]
fn every_document_shows_what_the_program_prints() {
    if Command::new("python3").arg("--version").output().is_err() {
        assert!(std::env::var("CI").is_err(), "python3 is missing");
        println!("skipped: python3 is not installed, which the documents use for servers");
        return;
    }
    let root = root();
    let names: Vec<_> = Language::ALL.iter().map(|language| name(*language)).chain([OPENING.to_owned()]).collect();
    let texts: Vec<_> = names.iter().map(|name| text(name)).collect();
    let documents: Vec<_> = texts.iter().map(|text| blocks(text)).collect();
    let ports = ports(names.len());
    let outputs: Vec<_> = std::thread::scope(|scope| {
        let sessions = documents.iter().zip(&ports);
        let shells: Vec<_> =
            sessions.map(|(blocks, ports)| scope.spawn(|| run(blocks.iter().flatten(), &root, ports))).collect();
        shells.into_iter().map(|shell| shell.join().unwrap()).collect()
    });
    let mut differences = String::new();
    for (((name, text), blocks), outputs) in names.iter().zip(&texts).zip(&documents).zip(&outputs) {
        let steps: Vec<_> = blocks.iter().flatten().collect();
        assert!(steps.len() >= 8, "{name}: the tour is gone");
        assert_eq!(outputs.len(), steps.len(), "{name}: the shell ended after {:?}", steps.get(outputs.len()));
        let mut sessions = Vec::new();
        let mut outputs = outputs.iter();
        for steps in blocks {
            let mut session = String::new();
            for (step, output) in steps.iter().zip(outputs.by_ref()) {
                if *output != step.shown {
                    writeln!(differences, "$ {}\n{output}-- but {name} shows\n{}", step.typed, step.shown).unwrap();
                }
                write!(session, "$ {}\n{output}", step.typed).unwrap();
            }
            sessions.push(session);
        }
        if std::env::var("SNAPSHOTS").is_ok_and(|value| value == "overwrite") {
            std::fs::write(root.join(name), with_outputs(text, &sessions)).unwrap();
            differences.clear();
        }
    }
    assert!(differences.is_empty(), "{differences}");
}

/// The document with other outputs, one list of commands and outputs for each block.
fn with_outputs(document: &str, sessions: &[String]) -> String {
    let mut sessions = sessions.iter();
    let mut text = String::new();
    let mut lines = document.lines();
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
    let output = Command::new(env!("CARGO_BIN_EXE_urlwise")).args(arguments).env("LC_ALL", "C.UTF-8").output().unwrap();
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

/// The example for Rust programmers, in the words of the README but for its comments.
#[test]
fn the_example_in_rust_compiles_and_is_true() {
    use urlwise::{Locator, Profile, Url, diagnose};

    let url = Url::parse("ftp://myname@host.dom/%2Fetc/motd;type=a").unwrap();
    let Locator::Ftp(ftp) = url.locator() else { panic!("the scheme is ftp") };
    assert_eq!(ftp.cwds().decode(), [&b"/etc"[..]]);
    assert_eq!(ftp.login().password(), None);

    let diagnosis = diagnose("http://host.dom/~jim/", Profile::Rfc1738);
    let problem = &diagnosis.problems()[0];
    assert_eq!((problem.code(), problem.span(), problem.decision()), ("bnf-char", 16..17, Some("D-11")));
    assert_eq!(problem.help().unwrap().to_string(), "write `%7E`");

    let here: Vec<_> = include_str!("readme.rs").lines().map(str::trim).collect();
    let readme = read(Language::En);
    let (_, block) = readme.split_once("```rust\n").unwrap();
    for line in block.lines().take_while(|line| *line != "```") {
        let code = line.split(" // ").next().unwrap();
        assert!(here.contains(&code), "the test lacks: {code}");
    }
}

#[test]
fn the_document_about_opening_has_every_exit_code_of_the_table() {
    let document = text(OPENING);
    for (code, meaning) in exit_codes() {
        let row = format!("| {code} | {meaning} |\n");
        assert!(document.contains(&row), "{OPENING}: missing: {row}");
    }
}

/// What a section has in every language.
#[derive(Default)]
struct Section<'a> {
    heading: &'a str,
    /// The number signs before its heading.
    level: &'a str,
    /// Its fenced blocks: the language, and what is typed up to the first pipe, without `--lang`; comments of code are left out.
    /// After a pipe come programs that look for words.
    blocks: Vec<(&'a str, Vec<String>)>,
    /// What stands in backticks.
    quoted: BTreeSet<String>,
    /// Targets of links and pictures but for headings and other READMEs, in alphabetical order.
    targets: Vec<String>,
    /// The rows of tables, and the items of lists.
    rows: usize,
}

fn sections(readme: &str, language: Language) -> Vec<Section<'_>> {
    let option = format!(" --lang {}", language.tag());
    let mut sections = vec![Section::default()];
    let mut prose = vec![String::new()];
    let mut lines = readme.lines();
    while let Some(line) = lines.next() {
        if line.starts_with('#') {
            let (level, heading) = line.split_once(' ').unwrap();
            sections.push(Section { heading, level, ..Section::default() });
            prose.push(String::new());
        }
        let section = sections.last_mut().unwrap();
        if let Some(kind) = line.strip_prefix("```") {
            let code = lines.by_ref().take_while(|line| *line != "```");
            let code: Vec<_> = match kind {
                "console" => {
                    let typed = code.filter_map(|line| line.strip_prefix("$ "));
                    typed.map(|typed| typed.split(" | ").next().unwrap().replacen(&option, "", 1)).collect()
                }
                "rust" => code.map(|line| line.split(" //").next().unwrap().to_owned()).collect(),
                _ => code.map(|line| line.split(" # ").next().unwrap().trim_end().to_owned()).collect(),
            };
            section.blocks.push((kind, code));
            continue;
        }
        section.rows += usize::from(line.starts_with("- ") || line.starts_with("| "));
        let prose = prose.last_mut().unwrap();
        prose.push_str(line);
        prose.push(' ');
    }
    for (section, prose) in sections.iter_mut().zip(&prose) {
        section.quoted = prose.split('`').skip(1).step_by(2).map(str::to_owned).collect();
        let targets = prose.split("](").skip(1).map(|rest| rest.split(')').next().unwrap());
        let targets = targets.filter(|target| !target.starts_with('#') && !target.starts_with("README"));
        section.targets = targets.map(str::to_owned).collect();
        section.targets.sort();
    }
    sections
}

#[test]
fn a_translation_has_the_sections_commands_names_and_links_of_the_readme() {
    let english = read(Language::En);
    let english = sections(&english, Language::En);
    for language in &Language::ALL[1..] {
        let (name, readme) = (name(*language), read(*language));
        let translated = sections(&readme, *language);
        for (here, there) in translated.iter().zip(&english) {
            let place = format!("{name}, {} ({})", here.heading, there.heading);
            assert_eq!(here.level, there.level, "{place}");
            assert_eq!(here.blocks, there.blocks, "{place}");
            let quoted: Vec<_> = here.quoted.symmetric_difference(&there.quoted).collect();
            assert!(quoted.is_empty(), "{place}: in one of them only: {quoted:?}");
            assert_eq!(here.targets, there.targets, "{place}");
            assert_eq!(here.rows, there.rows, "{place}");
        }
        assert_eq!(translated.len(), english.len(), "{name}: sections");
    }
}

/// A command may look for a word of the wrong language: then it finds nothing, or leaves nothing out.
#[test]
fn a_command_finds_in_every_language_what_it_finds_in_english() {
    let english = read(Language::En);
    let english = blocks(&english);
    for language in &Language::ALL[1..] {
        let readme = read(*language);
        for (here, there) in blocks(&readme).iter().flatten().zip(english.iter().flatten()) {
            let lines = [here, there].map(|step| step.shown.trim().lines().count());
            // Sentences are not wrapped where lines are looked for.
            let same =
                if here.typed.contains("| grep") { lines[0] == lines[1] } else { (lines[0] == 0) == (lines[1] == 0) };
            assert!(same, "{}: {}\n{}", name(*language), here.typed, here.shown);
        }
    }
}

#[test]
fn every_readme_links_to_those_in_other_languages() {
    for language in Language::ALL {
        let readme = read(*language);
        for other in Language::ALL.iter().filter(|other| *other != language) {
            let link = format!("[{}]({})", other.name(), name(*other));
            assert!(readme.lines().take(3).any(|line| line.contains(&link)), "{}: {link}", name(*language));
        }
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
