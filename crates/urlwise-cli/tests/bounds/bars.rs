//! How long a command may take, and how fast this machine is.

use std::ops::Range;

use crate::run::{Run, run};
use crate::texts::{Takes, Text};
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

/// How many times its bar a command takes before instructions are counted; where they cannot be, before that is an error. Other machines
/// are not in all as much slower or faster, and a clock that ticks in hundredths of a second is not exact.
pub(crate) const TOLERANCE: f64 = 2.0;

/// The same of short texts, of which many are measured at once.
const TOLERANCE_OF_SHORT: f64 = 1.25;

/// How many times its bar a command takes before that is an error however few instructions are counted.
const ENOUGH: f64 = 4.0;

/// How many times as long as a short text a long one may take, in proportion to their lengths.
const GROWTH: f64 = 1.5;

/// The same in instructions. Above a limit, something may be done in another way; what grows with the square of the length has a
/// hundred times as many.
const GROWTH_COUNTED: f64 = 2.0;

/// How many instructions an octet may take where it has the time of `BAR`: they are the same on a busy machine and on an idle one. 680 of a
/// release are 20 MB a second on the machine of docs/measured.md, and a program that is not linked as a whole takes up to a fifth more.
const INSTRUCTIONS: f64 = 780.0;

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

/// Why seconds are too many. That is a suspicion only: a machine that is busy has all kinds of seconds.
pub(crate) struct Excess {
    /// How many times the bar they are.
    times: f64,
    said: String,
    /// Of which lines; of two, if the second took too much longer than the first.
    of: Range<usize>,
}

/// What a program does for some lines, without what it does however few they are.
pub(crate) struct Counted {
    pub(crate) instructions: u64,
    pub(crate) octets: usize,
    /// The seconds that they may take on the machine of docs/measured.md.
    pub(crate) bar: f64,
}

impl Excess {
    /// What is left of it when instructions are counted; `None` for these where they cannot be.
    pub(crate) fn settle(self, count: impl Fn(usize) -> Option<Counted>) -> Option<String> {
        let Excess { times, said, of } = self;
        if times > ENOUGH {
            return Some(said);
        }
        let Some(counted) = of.map(count).collect::<Option<Vec<_>>>() else {
            return (times > TOLERANCE).then_some(said);
        };
        let of_octet = |counted: &Counted| counted.instructions as f64 / counted.octets as f64;
        let (found, most) = match &counted[..] {
            [short, long] => (of_octet(long), GROWTH_COUNTED * of_octet(short)),
            [all] => (of_octet(all), all.bar * BAR * INSTRUCTIONS / all.octets as f64),
            _ => unreachable!("of one or two"),
        };
        (found > most).then(|| format!("an octet takes {found:.0} instructions, more than {most:.0}; {said}"))
    }
}

/// All in which these seconds are too many for that.
pub(crate) fn excesses(tested: &Tested, lines: &[Lines], seconds: &[f64]) -> Vec<Excess> {
    let count = |lines: &Lines| tested.processes(lines).unwrap_or(lines.count);
    let too_long = lines.iter().zip(seconds).enumerate().filter_map(|(at, (lines, seconds))| {
        let is_short = lines.length <= SHORT && tested.takes == Takes::Lines && tested.processes(lines).is_none();
        let tolerance = if is_short { TOLERANCE_OF_SHORT } else { TOLERANCE };
        let bar = bar(tested, lines);
        (*seconds > tolerance * bar).then(|| Excess {
            times: seconds / bar,
            said: format!(
                "{} of {} octets take {seconds:.3} s, more than {:.3}",
                count(lines),
                lines.length,
                tolerance * bar
            ),
            of: at..at + 1,
        })
    });
    // In proportion to the length.
    let octets = |lines: &Lines| (count(lines) * lines.length) as f64;
    let grows = match (seconds, lines) {
        ([.., short, long], [.., few, many]) => {
            let times = octets(many) / octets(few);
            let growth = long / (times * (short + UNTOLD));
            (growth > GROWTH).then(|| Excess {
                times: TOLERANCE * growth / GROWTH,
                said: format!("{short:.3} s become {long:.3} for {times:.1} times the length"),
                of: lines.len() - 2..lines.len(),
            })
        }
        _ => None,
    };
    too_long.chain(grows).collect()
}

/// What a line that is written may take besides, in seconds: each link is reported for itself.
pub(crate) const OF_A_LINE: f64 = 0.5e-6;

/// Seconds that a document of this length may take, and its start, on the machine of docs/measured.md.
pub(crate) fn bar_of_document(text: &Text, length: usize, lines: usize) -> f64 {
    f64::from(text.readings) * length as f64 / BAR + lines as f64 * OF_A_LINE + 0.02
}
