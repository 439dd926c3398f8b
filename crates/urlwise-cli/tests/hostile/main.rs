//! Plays the hostile URLs and servers of docs/client-security.md against the program, one row for each number, and prints the
//! numbers that hold. `cargo test --test hostile -- 9 31` plays two of them.

#![allow(clippy::unwrap_used, reason = "a row fails by panicking")]

mod added;
mod files;
mod pages;
mod play;
mod servers;
mod urls;

use std::panic;
use std::process::ExitCode;

/// One number of client-security.md.
pub(crate) struct Row {
    number: u32,
    /// What is tried.
    attack: &'static str,
    /// Plays it, and panics where something else is seen than must be.
    play: fn(),
}

/// The program without which a row cannot be played.
pub(crate) struct Missing(&'static str);

/// How many numbers there are.
const LAST: u32 = 72;

#[expect(clippy::print_stdout, reason = "it is what the program is for")]
fn main() -> ExitCode {
    let wanted: Vec<u32> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let rows: Vec<&Row> =
        [urls::ROWS, servers::ROWS, files::ROWS, added::ROWS, pages::ROWS].into_iter().flatten().collect();
    assert!(rows.iter().map(|row| row.number).eq(1..=LAST), "there is one row for each number, in order");
    let mut failed = 0;
    for row in rows.iter().filter(|row| wanted.is_empty() || wanted.contains(&row.number)) {
        let end = match panic::catch_unwind(row.play) {
            Ok(()) => "holds".into(),
            Err(why) => match why.downcast_ref() {
                Some(Missing(program)) => format!("is not played, {program} is not installed"),
                None => {
                    failed += 1;
                    "DOES NOT HOLD".into()
                }
            },
        };
        println!("S-{:02} {end}: {}", row.number, row.attack);
    }
    match failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
