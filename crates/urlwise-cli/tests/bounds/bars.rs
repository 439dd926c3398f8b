//! How long a command may take, and how fast this machine is.

use crate::run::{Run, run};
use crate::texts::Takes;
use crate::{Lines, Tested};

/// Octets in a second of processor time.
const BAR: f64 = 20e6;

/// What a page, which also has what others read, or a picture may take besides, in microseconds, however short its URL is.
const OF_A_PAGE: f64 = 500.0;

/// What a process takes to begin and to end, in microseconds.
const OF_A_PROCESS: f64 = 4000.0;

/// Seconds that a command may take on the machine of docs/measured.md.
pub(crate) fn bar(tested: &Tested, lines: &Lines) -> f64 {
    let of_a_page = if tested.is_of_one() { OF_A_PAGE } else { 0.0 };
    // A file is repaired, and what it holds then, up to three times as much, is checked.
    let times = if tested.takes == Takes::File { 2.0 } else { 1.0 };
    let (count, of_a_process) = match tested.processes(lines) {
        Some(count) => (count, OF_A_PROCESS),
        None => (lines.count, 0.0),
    };
    times * count as f64 * ((of_a_page + of_a_process) / 1e6 + lines.length as f64 / BAR)
}

/// How many times its bar a command takes before that is an error: other machines are not in all as much slower or faster, and a
/// clock that ticks in hundredths of a second is not exact.
pub(crate) const TOLERANCE: f64 = 2.0;

/// How many times its bar a short text takes before instructions are counted, and before that is an error however many they are.
const COUNTED: f64 = 1.25;
const ENOUGH: f64 = 4.0;

/// How many instructions an octet of a short text may take: they are the same on a machine that is busy and on one that is not. 680 of a
/// release are 20 MB a second on the machine of docs/measured.md, and a program that is not linked as a whole takes up to a fifth more.
const INSTRUCTIONS: u64 = 780;

const SHORT: usize = 1 << 10;

/// What the clock may leave out, in seconds: it tells the time of a process and that of the system for it in whole hundredths.
const UNTOLD: f64 = 0.02;

/// How often what takes too long is measured; the best counts.
pub(crate) const TRIES: usize = 6;

/// How many seconds this machine, with all that runs on it now, takes for one of that of docs/measured.md, whose `gzip` compresses
/// 44 MB of words in a second.
pub(crate) fn pace(words: &[u8]) -> f64 {
    let Run { output, took } = run("gzip", &["-c"], words);
    assert!(output.status.success(), "gzip: {}", String::from_utf8_lossy(&output.stderr));
    took.time.as_secs_f64() * 44e6 / words.len() as f64
}

/// Words in no order, on which `gzip` has to work.
pub(crate) fn words(length: usize) -> Vec<u8> {
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

/// Why what was measured is too much.
pub(crate) enum Excess {
    /// It is.
    Certain(String),
    /// A clock alone says so, of a text that is short. How many times its bar that is.
    ByClock(f64, String),
}

impl Excess {
    /// What is left of it when the instructions for an octet are counted; `None` for these where they cannot be.
    pub(crate) fn settle(self, count: impl FnOnce() -> Option<u64>) -> Option<String> {
        let (times, said) = match self {
            Excess::Certain(said) => return Some(said),
            Excess::ByClock(times, said) => (times, said),
        };
        let is_too_much = match count() {
            _ if times > ENOUGH => true,
            Some(count) if count > INSTRUCTIONS => {
                return Some(format!("an octet takes {count} instructions, more than {INSTRUCTIONS}; {said}"));
            }
            Some(_) => false,
            None => times > TOLERANCE,
        };
        is_too_much.then_some(said)
    }
}

/// Why these seconds are too long for that; without a reason they are not.
pub(crate) fn excess(tested: &Tested, lines: &[Lines], seconds: &[f64]) -> Option<Excess> {
    let too_long = lines.iter().zip(seconds).filter_map(|(lines, seconds)| {
        let (count, length) = (tested.processes(lines).unwrap_or(lines.count), lines.length);
        let times = seconds / bar(tested, lines);
        let said = |most: f64| {
            let most = most * bar(tested, lines);
            format!("{count} of {length} octets take {seconds:.3} s, more than {most:.3}")
        };
        match length <= SHORT && tested.takes == Takes::Lines && tested.processes(lines).is_none() {
            true => (times > COUNTED).then(|| Excess::ByClock(times, said(COUNTED))),
            false => (times > TOLERANCE).then(|| Excess::Certain(said(TOLERANCE))),
        }
    });
    // In proportion to the length, and half of that more.
    let octets = |lines: &Lines| (tested.processes(lines).unwrap_or(lines.count) * lines.length) as f64;
    let grows = match (seconds, lines) {
        ([.., short, long], [.., few, many]) => {
            let times = octets(many) / octets(few);
            let said = || format!("{short:.3} s become {long:.3} for {times:.1} times the length");
            (*long > 1.5 * times * (short + UNTOLD)).then(|| Excess::Certain(said()))
        }
        _ => None,
    };
    // What is certain first.
    too_long.chain(grows).min_by_key(|excess| matches!(excess, Excess::ByClock(..)))
}

/// Octets of Markdown in a second of processor time. Its reader is slower than that of URLs: see docs/measured.md, "Documents".
const BAR_OF_MARKDOWN: f64 = 6e6;

/// What a line that is written may take besides, in seconds: each link is reported for itself.
pub(crate) const OF_A_LINE: f64 = 0.5e-6;

/// Seconds that a document of this length may take, and its start, on the machine of docs/measured.md.
pub(crate) fn bar_of_document(format: &str, length: usize, lines: usize) -> f64 {
    let octets = if format == "markdown" { BAR_OF_MARKDOWN } else { BAR };
    length as f64 / octets + lines as f64 * OF_A_LINE + 0.02
}
