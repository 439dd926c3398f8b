//! The program at work: `urlwise find` beside `rg -o` on one tree, and `urlwise check` on a million URLs out of a pipe.
//!
//! ```text
//! cargo bench -p urlwise-bench --bench walk                 builds the program, then measures
//! cargo bench -p urlwise-bench --bench walk -- --check      makes the texts, measures nothing
//! ```
//!
//! The tree is made from a seed: 4096 files of 16 KiB in 64 folders, of the four kinds of text that the bench `find` searches. All
//! programs write to a pipe that is read. Times are medians of wall-clock times; the programs take turns. Ripgrep is asked twice,
//! also for what we print (lines and columns), and gets a pattern of the same schemes.

#[path = "../find/texts.rs"]
mod texts;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use urlwise::Scheme;
use urlwise_bench::sets;
use urlwise_bench::table::Table;

const FILE: usize = 16 << 10;
const FOLDERS: usize = 64;
const ROUNDS: usize = 15;
const URLS: usize = 1_000_000;

fn main() -> io::Result<ExitCode> {
    let texts = texts::all();
    let mut out = io::stdout().lock();
    if std::env::args().any(|argument| argument == "--check") {
        let urls: usize = texts.iter().map(|text| text.urls).sum();
        writeln!(out, "walk: {} texts, {urls} URLs", texts.len())?;
        return Ok(ExitCode::SUCCESS);
    }
    let Some(program) = program()? else {
        writeln!(io::stderr(), "walk: the program could not be built")?;
        return Ok(ExitCode::from(2));
    };
    let root = std::env::temp_dir().join(format!("urlwise-walk-{}", std::process::id()));
    let measured = tree(&root, &texts).and_then(|octets| {
        write!(out, "{}", find(&program, &root, octets)?)?;
        write!(out, "{}", check(&program)?)
    });
    fs::remove_dir_all(&root)?;
    measured.map(|()| ExitCode::SUCCESS)
}

/// The program as it is released, built anew.
fn program() -> io::Result<Option<PathBuf>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo).args(["build", "--quiet", "--release", "-p", "urlwise-cli"]).status()?;
    // This bench is in `deps` of the folder that the program is in.
    let bench = std::env::current_exe()?;
    let program = bench.parent().and_then(Path::parent).map(|folder| folder.join("urlwise"));
    Ok(program.filter(|program| built.success() && program.exists()))
}

/// Writes the tree; how many octets it holds.
fn tree(root: &Path, texts: &[texts::Text]) -> io::Result<usize> {
    let mut octets = 0;
    for folder in 0..FOLDERS {
        // Every folder has a quarter of one text, so each text is there several times.
        let (kind, quarter) = (folder % texts.len(), folder / texts.len() % 4);
        let text = texts[kind].text.as_bytes();
        let length = text.len() / 4;
        let path = root.join(format!("{}-{folder}", texts[kind].name));
        fs::create_dir_all(&path)?;
        for (file, piece) in text[quarter * length..][..length].chunks(FILE).enumerate() {
            for copy in 0..4 {
                fs::write(path.join(format!("{file}-{copy}.txt")), piece)?;
                octets += piece.len();
            }
        }
    }
    Ok(octets)
}

fn find(program: &Path, root: &Path, octets: usize) -> io::Result<Table> {
    let schemes: Vec<_> = Scheme::ALL.iter().filter_map(|scheme| scheme.name()).collect();
    let pattern = format!(r#"\b(?:{}):[^\s<>"`{{}}|\\^]+"#, schemes.join("|"));
    let ours = |options: &[&str]| {
        let mut command = Command::new(program);
        command.arg("find").args(options).arg(root);
        command
    };
    let rg = |options: &[&str]| {
        let mut command = Command::new("rg");
        command.args(options).arg(&pattern).arg(root);
        command
    };
    let mut runs = vec![("urlwise find", ours(&[])), ("urlwise find --count", ours(&["--count"]))];
    if rg(&["--version"]).output().is_ok() {
        runs.push(("rg -o", rg(&["-o"])));
        runs.push(("rg -on --column", rg(&["-on", "--column"])));
        runs.push(("rg --count-matches", rg(&["--count-matches"])));
    } else {
        writeln!(io::stderr(), "walk: skipped: no rg to race with")?;
    }
    let times = times(&mut runs, None)?;
    let mut table = Table::new(
        format!("find: {} MiB in files of {} KiB", octets >> 20, FILE >> 10),
        ["", "time", "GB/s", "find / it"],
    );
    let ours = times[0];
    for ((name, _), time) in runs.iter().zip(times) {
        table.push([
            (*name).to_owned(),
            format!("{:.0} ms", time.as_secs_f64() * 1e3),
            format!("{:.2}", octets as f64 / time.as_secs_f64() / 1e9),
            format!("{:.2}", ours.as_secs_f64() / time.as_secs_f64()),
        ]);
    }
    Ok(table)
}

fn check(program: &Path) -> io::Result<Table> {
    let mut table = Table::new(format!("check: {URLS} URLs out of a pipe"), ["", "time", "URLs a second"]);
    let sets = sets::all();
    let lists = [
        ("http", sets.iter().find(|set| set.name == "http")),
        ("mixed, for one rule", sets.iter().find(|set| set.name == "mixed")),
    ];
    for (name, urls) in lists.into_iter().filter_map(|(name, set)| Some((name, &set?.urls))) {
        let list: String = urls.iter().cycle().take(URLS).flat_map(|url| [url, "\n"]).collect();
        let mut command = Command::new(program);
        command.args(["check", "--format", "json"]);
        if name != "http" {
            command.args(["--select", "host-option"]);
        }
        let time = times(&mut [(name, command)], Some(&list))?[0];
        table.push([
            name.to_owned(),
            format!("{:.0} ms", time.as_secs_f64() * 1e3),
            format!("{:.1} million", URLS as f64 / time.as_secs_f64() / 1e6),
        ]);
    }
    Ok(table)
}

/// The median time of each program, with this as its standard input.
fn times(runs: &mut [(&str, Command)], input: Option<&str>) -> io::Result<Vec<Duration>> {
    let mut times = vec![Vec::with_capacity(ROUNDS); runs.len()];
    for _ in 0..ROUNDS {
        for ((_, command), times) in runs.iter_mut().zip(&mut times) {
            let start = Instant::now();
            command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() }).stdout(Stdio::piped());
            let mut child = command.stderr(Stdio::null()).spawn()?;
            let stdin = child.stdin.take();
            thread::scope(|scope| {
                if let (Some(mut stdin), Some(input)) = (stdin, input) {
                    scope.spawn(move || stdin.write_all(input.as_bytes()));
                }
                child.wait_with_output()
            })?;
            times.push(start.elapsed());
        }
    }
    for times in &mut times {
        times.sort();
    }
    Ok(times.iter().map(|times| times[ROUNDS / 2]).collect())
}
