//! urlwise beside other URL parsers: parse a URL and read all its parts.
//!
//! ```text
//! cargo bench                                         everything: times, instructions, allocations
//! cargo bench -p urlwise-bench -- ftp long urls.txt   only these: sets by name, or files of one URL a line
//! cargo bench -p urlwise-bench -- --times             without valgrind
//! cargo bench -p urlwise-bench -- --check             measures nothing: are the sets what they say?
//! ```
//!
//! Times are the lower quartile of many short rounds in which the parsers take turns: anything else that a machine does only adds
//! to a round, and the least of all is luck.
//! The sets are small, so a processor learns their branches by heart: the times are best cases, and a file of some
//! thousand URLs shows the rest. Instructions and allocations come from runs of this same program under callgrind, a
//! shorter one subtracted from a longer one. A parser that refuses some URLs of a set is measured on all of them
//! anyway; the tables say how many it accepts.

mod cost;
mod ours;
mod readers;
mod report;

use std::fmt::Write as _;
use std::io::{self, Write};
use std::process::ExitCode;

use readers::{OURS, READERS, WALKING};
use urlwise_bench::callgrind;
use urlwise_bench::sets::{self, Set};

fn main() -> io::Result<ExitCode> {
    // `cargo bench` adds `--bench` to what it was given.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [flag, set, reader, rounds] = arguments.as_slice()
        && flag == cost::ONE
    {
        return one(set, reader, rounds);
    }

    let (flags, names): (Vec<&str>, Vec<&str>) =
        arguments.iter().map(String::as_str).partition(|argument| argument.starts_with("--"));
    if let Some(flag) = flags.iter().find(|flag| !["--times", "--check"].contains(flag)) {
        return refuse(&format!("no option {flag}; there are --times and --check"));
    }
    let sets = if names.is_empty() {
        sets::all()
    } else {
        match names.into_iter().map(named).collect() {
            Ok(sets) => sets,
            Err(why) => return refuse(&why),
        }
    };
    let wrong = misfits(&sets);
    if !wrong.is_empty() {
        return refuse(&wrong);
    }

    let mut out = io::stdout().lock();
    if flags.contains(&"--check") {
        for set in &sets {
            writeln!(out, "{}", report::heading(set))?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let counted = !flags.contains(&"--times") && callgrind::is_there();
    if !counted {
        writeln!(out, "Times only; instructions and allocations are counted by valgrind, where it is installed.\n")?;
    }
    let mut ratios = [OURS, WALKING].map(|ours| (ours, report::ratios(ours)));
    for set in &sets {
        let costs = cost::of(set, counted)?;
        write!(out, "{}", report::details(set, &costs))?;
        out.flush()?;
        for (ours, ratios) in &mut ratios {
            ratios.push(report::ratios_of(ours, set, &costs));
        }
    }
    for (_, ratios) in ratios {
        write!(out, "{ratios}")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn refuse(why: &str) -> io::Result<ExitCode> {
    writeln!(io::stderr(), "parse: {why}")?;
    Ok(ExitCode::from(2))
}

/// The set of this name, or the URLs of the file at this path.
fn named(name: &str) -> Result<Set, String> {
    let mut sets = sets::all();
    if let Some(index) = sets.iter().position(|set| set.name == name) {
        return Ok(sets.swap_remove(index));
    }
    Set::from_file(name).map_err(|error| {
        let known: Vec<&str> = sets.iter().map(|set| set.name.as_str()).collect();
        format!("no set {name}, and as a file: {error}; the sets are {}", known.join(" "))
    })
}

/// One run that callgrind watches: this many passes of one parser over one set.
fn one(set: &str, reader: &str, rounds: &str) -> io::Result<ExitCode> {
    let reader = READERS.iter().find(|known| known.name == reader);
    let (Ok(set), Some(reader), Ok(rounds)) = (named(set), reader, rounds.parse::<u32>()) else {
        return refuse("usage: --one SET READER ROUNDS");
    };
    for _ in 0..rounds {
        std::hint::black_box((reader.pass(&set))(&set.urls));
    }
    Ok(ExitCode::SUCCESS)
}

/// The URLs that do not belong in their set, one a line: an invalid one among valid ones, or the other way round.
fn misfits(sets: &[Set]) -> String {
    let mut wrong = String::new();
    let Some(ours) = READERS.iter().find(|reader| reader.name == OURS) else {
        return wrong;
    };
    for set in sets {
        for url in &set.urls {
            let valid = (ours.pass(set))(std::slice::from_ref(url)) == 1;
            if set.valid.is_some_and(|claimed| claimed != valid) {
                let verdict = if valid { "valid" } else { "invalid" };
                // Writing to a String cannot fail.
                let _ = write!(wrong, "\n  in the set {}, but {verdict}: {url}", set.name);
            }
        }
    }
    wrong
}
