//! `urlwise parse --columns` and `--template`: the parts of many URLs as lines of a table.

mod distinct;
mod escaped;
mod rows;

use std::io::{self, IsTerminal, Write};

use clap::CommandFactory;
use clap::error::ErrorKind;
use urlwise::Profile;
use urlwise_columns::{Column, Reader, Row, Scratch};

use crate::cli::{Cli, Parse, TableFormat};
use crate::context::Context;
use crate::exit::{Failure, Outcome};
use crate::input::{self, Answers, Block, Blocks, Record};
use crate::{refusal, walk};
use distinct::Filter;
use rows::Format;

/// Writes a line for each record.
pub(crate) fn run(parse: &Parse, context: &Context, out: &mut (dyn Write + Send)) -> Result<Outcome, Failure> {
    if context.json && parse.template.is_some() {
        let message = "a template says how lines are written; use --columns for --json";
        return Err(Failure::Usage(Box::new(Cli::command().error(ErrorKind::ArgumentConflict, message))));
    }
    let table = Table::new(parse, context);
    if let Some(name) = table.twice() {
        let message = format!("an object cannot have the column `{name}` twice");
        return Err(Failure::Usage(Box::new(Cli::command().error(ErrorKind::ArgumentConflict, message))));
    }
    let mut text = Vec::new();
    if parse.header && !parse.count {
        table.format.header(&table.names(), &mut text);
    }
    out.write_all(&text)?;
    if !parse.unique && !parse.count {
        return table.write(parse, out);
    }
    let has_quotes = matches!(table.format, Format::Csv { .. });
    let mut filter = Filter::new(out, parse.unique, has_quotes);
    let outcome = table.write(parse, &mut filter)?;
    if parse.count {
        let distinct = filter.distinct;
        if parse.header {
            let names: Vec<String> = ["count".to_owned()].into_iter().chain(table.names()).collect();
            table.format.header(&names, &mut text);
        }
        for (line, count) in distinct.counted() {
            table.format.counted(line, count, &mut text);
            out.write_all(&text)?;
            text.clear();
        }
    }
    Ok(outcome)
}

/// What is written of each record.
struct Table {
    columns: Vec<Column>,
    format: Format,
    reader: Reader,
    /// A text that is not a URL has a line.
    shows_invalid: bool,
    show_secrets: bool,
    /// Records are texts as databases write them.
    is_escaped: bool,
}

/// How many records there were, and how many of them are not URLs.
#[derive(Default)]
struct Seen {
    records: usize,
    invalid: usize,
    /// Serves all records of a thread.
    scratch: Scratch,
}

impl Table {
    fn new(parse: &Parse, context: &Context) -> Table {
        // Columns are asked for by people of today (D-103).
        let profile = context.asked.unwrap_or(Profile::Current);
        let (columns, format, shows_invalid) = match &parse.template {
            Some(template) => {
                let shows_invalid = template.shows_invalid();
                (template.columns().to_vec(), Format::Template(template.clone()), shows_invalid)
            }
            None => {
                let preferred = if context.json { TableFormat::Jsonl } else { TableFormat::Tsv };
                let format = match parse.format.unwrap_or(preferred) {
                    TableFormat::Tsv => Format::Tsv,
                    TableFormat::Csv => Format::Csv { is_shown: io::stdout().is_terminal() },
                    TableFormat::Jsonl => Format::Jsonl(parse.columns.iter().map(Column::to_string).collect()),
                };
                (parse.columns.clone(), format, true)
            }
        };
        let reader = Reader::new(&columns, profile);
        Table { columns, format, reader, shows_invalid, show_secrets: context.show_secrets, is_escaped: parse.escaped }
    }

    /// A column that is asked for twice where a name can stand only once.
    fn twice(&self) -> Option<&String> {
        let Format::Jsonl(names) = &self.format else { return None };
        names.iter().enumerate().find(|(index, name)| names[..*index].contains(name)).map(|(_, name)| name)
    }

    fn names(&self) -> Vec<String> {
        self.columns.iter().map(Column::to_string).collect()
    }

    fn write(&self, parse: &Parse, out: &mut (dyn Write + Send)) -> Result<Outcome, Failure> {
        let blocks = Blocks::new(&parse.lists.inputs, Some("parse"))?;
        let blocks = if self.is_escaped { blocks.with_every_line() } else { blocks };
        let threads = walk::threads(parse.lists.threads);
        let (seen, done) =
            input::write_blocks(blocks, threads, out, |block, seen, answers, _| self.block(block, seen, answers));
        done?;
        let sum = |count: fn(&Seen) -> usize| seen.iter().map(count).sum::<usize>();
        Ok(input::outcome(sum(|seen| seen.records), sum(|seen| seen.invalid) == 0, input::NOTHING_READ))
    }

    /// Answers a block.
    fn block(&self, block: &Block, seen: &mut Seen, answers: &mut Answers) -> Result<(), Failure> {
        block.each(|record| {
            self.record(record, seen, answers);
            Ok(())
        })
    }

    fn record(&self, record: Record<'_>, seen: &mut Seen, answers: &mut Answers) {
        seen.records += 1;
        if let Some(long) = record.too_long {
            return self.line(Some(&self.reader.too_long()), || long.message(), seen, answers);
        }
        let unescaped = if self.is_escaped { escaped::read(record.octets) } else { Some(record.octets.into()) };
        let row = unescaped.as_deref().map(|text| self.reader.row(text));
        let message = || {
            let problem = row.as_ref().and_then(|row| Some((row.text(), row.problem()?)));
            let refused = problem.map(|(text, problem)| refusal::about(text, &problem, self.show_secrets));
            let place = record.place.map(|place| format!("{}:{}: ", place.file, place.number));
            place.unwrap_or_default() + &refused.unwrap_or_default()
        };
        self.line(row.as_ref(), message, seen, answers);
    }

    /// Writes the line of a row; where that has none, the message about it.
    #[inline]
    fn line(&self, row: Option<&Row<'_>>, message: impl FnOnce() -> String, seen: &mut Seen, answers: &mut Answers) {
        if row.is_some_and(|row| !row.is_url()) {
            seen.invalid += 1;
            if !self.shows_invalid {
                return answers.message(&message());
            }
        }
        self.format.row(&self.reader, row, &mut seen.scratch, &mut answers.out);
    }
}
