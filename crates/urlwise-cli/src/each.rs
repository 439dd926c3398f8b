//! Answers every record of the lists of a command.

use std::io::Write;

use urlwise::Words;

use crate::cli::Lists;
use crate::context::Context;
use crate::exit::{Failure, Outcome};
use crate::input::{self, Answers, Blocks, Full, Record};
use crate::{json, walk};

/// Writes an answer to every record on all processors, in the order of the records. `answer` appends it, may have the beginning of
/// a long one written before its end, and says whether the record is in order. `nothing` is the message for an input without records.
/// A record that is too long is not in order, whatever it is.
pub(crate) fn answer(
    lists: &Lists,
    command: Option<&str>,
    nothing: Words,
    context: &Context,
    out: &mut (dyn Write + Send),
    answer: impl Fn(Record<'_>, &mut Answers, Full<'_>) -> Result<bool, Failure> + Sync,
) -> Result<Outcome, Failure> {
    /// How many records there were, and how many of them are not in order.
    #[derive(Default)]
    struct Seen {
        records: usize,
        findings: usize,
    }
    let blocks = Blocks::new(&lists.inputs, command)?;
    let (seen, done) =
        input::write_each(blocks, walk::threads(lists.threads), out, |record, seen: &mut Seen, answers, full| {
            seen.records += 1;
            let is_in_order = match record.too_long {
                Some(long) => {
                    match context.json {
                        true => json::line(&mut answers.out, |object| json::too_long(object, &long)),
                        false => answers.message(&long.message()),
                    }
                    false
                }
                None => answer(record, answers, full)?,
            };
            seen.findings += usize::from(!is_in_order);
            Ok(())
        });
    done?;
    let sum = |count: fn(&Seen) -> usize| seen.iter().map(count).sum::<usize>();
    Ok(input::outcome(sum(|seen| seen.records), sum(|seen| seen.findings) == 0, nothing))
}
