//! Programs that do the same work, measured side by side: what the benches `normalize`, `resolve` and `find` are made of.
//!
//! ```text
//! cargo bench -p urlwise-bench --bench resolve                everything: times, instructions, allocations
//! cargo bench -p urlwise-bench --bench resolve -- links       only these jobs
//! cargo bench -p urlwise-bench --bench resolve -- --times     without valgrind
//! cargo bench -p urlwise-bench --bench resolve -- --check     measures nothing: do we do all the work?
//! ```
//!
//! The first runner of a job is ours; ratios below 1 mean that it needs less than the rival.

use std::hint::black_box;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::callgrind::{self, Counts};
use crate::table::Table;

/// One way to do the work.
pub struct Runner<'a> {
    /// The name of the crate, and what of it is used where that is not plain.
    pub name: &'static str,
    /// Does all the work once; returns how many of its parts succeeded.
    pub pass: Box<dyn Fn() -> usize + 'a>,
}

impl<'a> Runner<'a> {
    /// A runner that does `work` for every item.
    pub fn each<T>(name: &'static str, items: &'a [T], work: impl Fn(&'a T) -> bool + 'a) -> Self {
        Runner { name, pass: Box::new(move || items.iter().filter(|item| work(black_box(*item))).count()) }
    }
}

/// Work, and all ways to do it.
pub struct Job<'a> {
    /// What the work is on.
    pub name: String,
    /// How many parts it has.
    pub parts: usize,
    /// How long the text is, where the work is on one text.
    pub octets: Option<usize>,
    /// Ours first.
    pub runners: Vec<Runner<'a>>,
}

/// What one part of a job cost a runner.
struct Cost {
    nanoseconds: f64,
    /// Instructions and allocations, where they were counted.
    counts: Option<[f64; 2]>,
}

/// The option with which a bench calls itself under callgrind: `--one JOB RUNNER ROUNDS`.
const ONE: &str = "--one";

/// The program of a bench.
///
/// # Errors
/// When callgrind or standard output fail.
pub fn main(bench: &str, jobs: &[Job<'_>]) -> io::Result<ExitCode> {
    // `cargo bench` adds `--bench` to what it was given.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [flag, job, runner, rounds] = arguments.as_slice()
        && flag == ONE
    {
        return Ok(one(jobs, job, runner, rounds));
    }
    let (flags, names): (Vec<&str>, Vec<&str>) =
        arguments.iter().map(String::as_str).partition(|argument| argument.starts_with("--"));
    let unknown_flag = flags.iter().find(|flag| !["--times", "--check"].contains(flag));
    let unknown_job = names.iter().find(|name| !jobs.iter().any(|job| job.name == **name));
    if let Some(unknown) = unknown_flag.or(unknown_job) {
        let known: Vec<&str> = jobs.iter().map(|job| job.name.as_str()).collect();
        writeln!(io::stderr(), "{bench}: no {unknown}; there are --times, --check and the jobs {}", known.join(" "))?;
        return Ok(ExitCode::from(2));
    }
    if flags.contains(&"--check") {
        return check(bench, jobs);
    }
    let counted = !flags.contains(&"--times") && callgrind::is_there();
    let mut out = io::stdout().lock();
    for job in jobs.iter().filter(|job| names.is_empty() || names.contains(&job.name.as_str())) {
        write!(out, "{}", table(bench, job, &costs(job, counted)?))?;
        out.flush()?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs every job of ours once; it must do all of its parts.
fn check(bench: &str, jobs: &[Job<'_>]) -> io::Result<ExitCode> {
    let mut is_whole = true;
    for job in jobs {
        let done = job.runners.first().map_or(0, |ours| (ours.pass)());
        writeln!(io::stdout(), "{bench} {}: {done} of {} parts", job.name, job.parts)?;
        is_whole &= done == job.parts;
    }
    Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::from(2) })
}

/// One run that callgrind watches.
fn one(jobs: &[Job<'_>], job: &str, runner: &str, rounds: &str) -> ExitCode {
    let job = jobs.iter().find(|known| known.name == job);
    let runner = job.and_then(|job| job.runners.iter().find(|known| known.name == runner));
    let (Some(runner), Ok(rounds)) = (runner, rounds.parse::<u32>()) else {
        return ExitCode::from(2);
    };
    for _ in 0..rounds {
        black_box((runner.pass)());
    }
    ExitCode::SUCCESS
}

fn costs(job: &Job<'_>, counted: bool) -> io::Result<Vec<Cost>> {
    let times = times(job);
    let parts = job.parts as f64;
    let cost = |(runner, nanoseconds): (&Runner<'_>, f64)| {
        let counts = if counted { Some(counts(job, runner)?) } else { None };
        let per_part = |total: u64| total as f64 / (f64::from(LONG_RUN - SHORT_RUN) * parts);
        let counts = counts.map(|counts| [per_part(counts.instructions), per_part(counts.allocations)]);
        Ok(Cost { nanoseconds: nanoseconds / parts, counts })
    };
    job.runners.iter().zip(times).map(cost).collect()
}

const ROUNDS: usize = 51;
/// Long enough that reading the clock twice is nothing beside it.
const ROUND: Duration = Duration::from_micros(500);

/// The median time of one pass of each runner, in nanoseconds. The runners take turns, so that a machine that slows down
/// slows all of them.
fn times(job: &Job<'_>) -> Vec<f64> {
    let passes: Vec<u32> = job.runners.iter().map(passes_of_a_round).collect();
    let mut rounds = vec![Vec::with_capacity(ROUNDS); job.runners.len()];
    for _ in 0..ROUNDS {
        for ((runner, &passes), rounds) in job.runners.iter().zip(&passes).zip(&mut rounds) {
            rounds.push(time(runner, passes).as_nanos() as f64 / f64::from(passes));
        }
    }
    for times in &mut rounds {
        times.sort_by(f64::total_cmp);
    }
    rounds.into_iter().map(|times| times[ROUNDS / 2]).collect()
}

fn time(runner: &Runner<'_>, passes: u32) -> Duration {
    let start = Instant::now();
    for _ in 0..passes {
        black_box((runner.pass)());
    }
    start.elapsed()
}

/// So many passes that they take at least a `ROUND`, also when nothing interrupts them; finding them warms the caches.
fn passes_of_a_round(runner: &Runner<'_>) -> u32 {
    let fits = |passes| (0..TRIES).all(|_| time(runner, passes) >= ROUND);
    let mut passes = 1;
    while !fits(passes) && passes < 1 << 20 {
        passes *= 2;
    }
    passes
}

/// How often a round must last long enough: one that was interrupted would make all that follow too short.
const TRIES: u32 = 3;

/// Passes of the two runs whose difference is counted.
const SHORT_RUN: u32 = 2;
const LONG_RUN: u32 = 12;

fn counts(job: &Job<'_>, runner: &Runner<'_>) -> io::Result<Counts> {
    let program = std::env::current_exe()?;
    let run = |rounds: u32| {
        let profile = format!("callgrind-{}", std::process::id());
        let profile = std::env::temp_dir().join(profile);
        callgrind::run(&program, [ONE, &job.name, runner.name, &rounds.to_string()], &profile)
    };
    Ok(run(LONG_RUN)? - run(SHORT_RUN)?)
}

fn table(bench: &str, job: &Job<'_>, costs: &[Cost]) -> Table {
    let columns = ["each", "time", "instructions", "allocations", "does", "time ratio", "instruction ratio"];
    let speed = job.octets.map(|_| "speed");
    let title = format!("{bench} {}: {} parts", job.name, job.parts);
    let mut table = Table::new(title, columns.into_iter().chain(speed));
    let ours = &costs[0];
    for (index, (runner, cost)) in job.runners.iter().zip(costs).enumerate() {
        let counted = |at: usize, decimals: usize| {
            cost.counts.map_or("-".to_owned(), |counts| format!("{:.decimals$}", counts[at]))
        };
        let mut row = vec![runner.name.to_owned(), format!("{:.1} ns", cost.nanoseconds), counted(0, 0), counted(1, 2)];
        row.push(format!("{}/{}", (runner.pass)(), job.parts));
        row.push(if index > 0 { format!("{:.2}", ours.nanoseconds / cost.nanoseconds) } else { String::new() });
        let ratio = ours.counts.zip(cost.counts).map(|(ours, rival)| format!("{:.2}", ours[0] / rival[0]));
        row.push(if index > 0 { ratio.unwrap_or_else(|| "-".to_owned()) } else { String::new() });
        if let Some(octets) = job.octets {
            row.push(format!("{:.2} GB/s", octets as f64 / (cost.nanoseconds * job.parts as f64)));
        }
        table.push(row);
    }
    table
}
