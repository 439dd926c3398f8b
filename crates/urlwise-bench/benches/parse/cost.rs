//! What each parser costs on a set of URLs.

use std::hint::black_box;
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use urlwise_bench::callgrind::{self, Counts};
use urlwise_bench::sets::Set;

use crate::readers::{READERS, Reader};

/// The option with which this program calls itself under callgrind: `--one SET READER ROUNDS`.
pub(crate) const ONE: &str = "--one";

/// What one parser costs for one URL of a set, on average.
pub(crate) struct Cost {
    /// The parser's name.
    pub(crate) reader: &'static str,
    /// How many URLs of the set it accepts.
    pub(crate) takes: usize,
    /// Time: the lower quartile of all rounds.
    pub(crate) nanoseconds: f64,
    /// Instructions; `None` where they were not counted.
    pub(crate) instructions: Option<f64>,
    /// Allocations; `None` where they were not counted.
    pub(crate) allocations: Option<f64>,
}

impl Cost {
    /// Our time for each unit of a rival's.
    pub(crate) fn time_ratio(&self, rival: &Self) -> f64 {
        self.nanoseconds / rival.nanoseconds
    }

    /// Our instructions for each of a rival's; `None` where they were not counted.
    pub(crate) fn instruction_ratio(&self, rival: &Self) -> Option<f64> {
        Some(self.instructions? / rival.instructions?)
    }
}

/// Measures all parsers on a set; `counted` asks for instructions and allocations too.
///
/// # Errors
/// When callgrind could not be run.
pub(crate) fn of(set: &Set, counted: bool) -> io::Result<Vec<Cost>> {
    let times = times(set);
    let counts = if counted { Some(counts(set)?) } else { None };
    let urls = set.urls.len() as f64;
    let per_url = |total: u64| total as f64 / (f64::from(LONG_RUN - SHORT_RUN) * urls);
    let costs = READERS.iter().zip(times).enumerate().map(|(index, (reader, nanoseconds))| {
        let counts = counts.as_ref().map(|counts| counts[index]);
        Cost {
            reader: reader.name,
            takes: (reader.pass(set))(&set.urls),
            nanoseconds: nanoseconds / urls,
            instructions: counts.map(|counts| per_url(counts.instructions)),
            allocations: counts.map(|counts| per_url(counts.allocations)),
        }
    });
    Ok(costs.collect())
}

const ROUNDS: usize = 101;
/// Long enough that a processor has learned the branches of a parser anew after those of the others, short enough that
/// many rounds are not interrupted.
const ROUND: Duration = Duration::from_millis(1);

/// The time of one pass over the URLs, in nanoseconds, for each parser: the lower quartile of all rounds, in which the
/// parsers take turns.
///
/// A median also measures other programs, if they interrupt half of the rounds. The least time measures luck: a
/// branch predictor comes by chance into a state that suits a parser and does not last.
fn times(set: &Set) -> Vec<f64> {
    let passes: Vec<u32> = READERS.iter().map(|reader| passes_of_a_round(reader, set)).collect();
    let mut rounds = vec![Vec::with_capacity(ROUNDS); READERS.len()];
    for _ in 0..ROUNDS {
        for ((reader, &passes), rounds) in READERS.iter().zip(&passes).zip(&mut rounds) {
            rounds.push(time(reader, set, passes).as_nanos() as f64 / f64::from(passes));
        }
    }
    let quartile = |mut times: Vec<f64>| *times.select_nth_unstable_by(ROUNDS / 4, f64::total_cmp).1;
    rounds.into_iter().map(quartile).collect()
}

fn time(reader: &Reader, set: &Set, passes: u32) -> Duration {
    let pass = reader.pass(set);
    let start = Instant::now();
    for _ in 0..passes {
        black_box(pass(black_box(&set.urls)));
    }
    start.elapsed()
}

/// So many passes that they take at least a `ROUND`, also when nothing interrupts them; finding them warms the caches.
fn passes_of_a_round(reader: &Reader, set: &Set) -> u32 {
    let fits = |passes| (0..TRIES).all(|_| time(reader, set, passes) >= ROUND);
    let mut passes = 1;
    while !fits(passes) && passes < 1 << 20 {
        passes *= 2;
    }
    passes
}

/// How often a round must last long enough: one that was interrupted would make all that follow too short.
const TRIES: u32 = 3;

/// Passes of the two runs whose difference is counted. The shorter does all that is done only once, such as binding
/// the functions of shared libraries.
const SHORT_RUN: u32 = 2;
const LONG_RUN: u32 = 12;

/// What `LONG_RUN - SHORT_RUN` passes over the set cost each parser. As many run at once as the machine has cores.
fn counts(set: &Set) -> io::Result<Vec<Counts>> {
    let program = std::env::current_exe()?;
    let mut jobs: Vec<io::Result<Counts>> = Vec::new();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    for readers in READERS.chunks(cores) {
        thread::scope(|scope| {
            let running: Vec<_> =
                readers.iter().map(|reader| scope.spawn(|| difference(&program, &set.name, reader))).collect();
            jobs.extend(running.into_iter().map(|job| {
                job.join().unwrap_or_else(|_| Err(io::Error::other("the thread that ran callgrind panicked")))
            }));
        });
    }
    jobs.into_iter().collect()
}

fn difference(program: &Path, set: &str, reader: &Reader) -> io::Result<Counts> {
    let run = |rounds: u32| {
        let profile = format!("callgrind-{}-{}", std::process::id(), reader.name);
        let profile = std::env::temp_dir().join(profile);
        callgrind::run(program, [ONE, set, reader.name, &rounds.to_string()], &profile)
    };
    Ok(run(LONG_RUN)? - run(SHORT_RUN)?)
}
