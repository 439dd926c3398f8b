//! Runs a target on inputs that are made of others by a seed, as fast as one processor can.
//!
//!     blind TARGET SEED SECONDS LONGEST DICTIONARY ARTIFACT FOLDER...
//!
//! It runs the files in the FOLDERs as they are, and then for SECONDS inputs of at most LONGEST octets, made of them and the words of the DICTIONARY. An
//! input on which the target panics, or does not end in a hundred seconds, is written to the file ARTIFACT, and ends the program with
//! status 1; `guided` takes the file as its only argument. The last line of a good run is the number of executions.

use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{env, error, fs, process, thread};
use urlwise_fuzz::mutate::Mutator;
use urlwise_fuzz::{corpus, targets};

/// Runs between looks at the clock.
const BETWEEN_LOOKS: u64 = 64;

/// Other programs may have the processor meanwhile.
const LONGEST_RUN: Duration = Duration::from_secs(100);

fn main() -> Result<ExitCode, Box<dyn error::Error>> {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let [target, seed, seconds, longest, dictionary, artifact, folders @ ..] = &arguments[..] else {
        return Err("blind TARGET SEED SECONDS LONGEST DICTIONARY ARTIFACT FOLDER...".into());
    };
    let target = targets::named(target).ok_or("no such target")?;
    let end = Instant::now() + Duration::from_secs(seconds.parse()?);
    let longest = longest.parse()?;
    let words = corpus::words(&fs::read_to_string(dictionary)?);
    let mutator = Mutator::new(seed.parse()?, longest, corpus::inputs(folders, longest)?, words);

    let current = Arc::new((AtomicU64::new(0), Mutex::new(Vec::new())));
    watch(Arc::clone(&current), artifact.clone());
    let (number_run, input) = &*current;
    let given = mutator.given() as u64;
    let mut runs = 0;
    while runs < given || runs % BETWEEN_LOOKS != 0 || Instant::now() < end {
        number_run.store(runs, Ordering::Relaxed);
        let mut input = input.lock().unwrap_or_else(PoisonError::into_inner);
        mutator.write(runs, &mut input);
        let octets = input.clone();
        drop(input);
        if panic::catch_unwind(AssertUnwindSafe(|| target(&octets))).is_err() {
            fs::write(artifact, octets)?;
            eprintln!("run {runs} failed; its input is in {artifact}");
            return Ok(ExitCode::FAILURE);
        }
        runs += 1;
    }
    println!("{runs}");
    Ok(ExitCode::SUCCESS)
}

/// Ends the program if one run takes too long.
fn watch(current: Arc<(AtomicU64, Mutex<Vec<u8>>)>, artifact: String) {
    thread::spawn(move || {
        let (number_run, input) = &*current;
        let mut last = u64::MAX;
        loop {
            let number = number_run.load(Ordering::Relaxed);
            if number == last {
                let input = input.lock().unwrap_or_else(PoisonError::into_inner);
                let kept = fs::write(&artifact, &*input);
                eprintln!("run {number} does not end; its input is in {artifact} ({kept:?})");
                process::exit(1);
            }
            last = number;
            thread::sleep(LONGEST_RUN);
        }
    });
}
