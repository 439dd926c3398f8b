//! Writes what `get --dry-run` would do.

use urlwise::{Language, Url};
use urlwise_explain::wrap;
use urlwise_open::{ErrorKind, Plan, PlanLine};

use super::Run;
use super::attempt::AttemptError;
use crate::exit::Status;
use crate::json;
use crate::language::{language, said};
use crate::style::step_names;

/// The most steps that are shown: a long path has a thousand directories.
pub(super) const STEPS: usize = 100;
/// The most octets that a URL takes in all lines of JSON about it; it is elided if it is longer.
const REPEATED: usize = 32 << 10;
/// What is left of it then, in octets.
const QUOTED: usize = 100;
/// Most answers are shorter, in octets.
const ANSWER: usize = 2 << 10;

/// Prints a dialogue that is planned, and what is done after it.
pub(super) fn print(run: &Run<'_>, url: &Url<&str>, plan: &Plan, more: &[PlanLine]) -> Result<Status, AttemptError> {
    let lines = || plan.lines().iter().chain(more);
    let mut end = Status::Ok;
    for line in lines().filter(|line| matches!(line, PlanLine::Need(_))) {
        let (url, need) = (url.masked().to_string(), line.message_in(language()).to_string());
        run.console.message(&said!("{url}: cannot be opened without {need}", url = url, need = need));
        end = Status::Failed(ErrorKind::NoAccess);
    }
    let rest = match lines().count().saturating_sub(STEPS) {
        0 => None,
        // How many there are is not known.
        _ if plan.is_cut() => Some(said!("... and more")),
        count => Some(said!("... and {count} more", count = count)),
    };
    let kinds = lines().take(STEPS).map(PlanLine::kind).chain(rest.iter().map(|_| "note"));
    let (format, length) = match run.context.json {
        true => Format::json(url, kinds.count()),
        false => (Format::People { names: step_names(kinds) }, ANSWER),
    };
    let (mut answer, mut text) = (Vec::with_capacity(length), String::new());
    for line in lines().take(STEPS) {
        text.clear();
        // Writing to a String cannot fail.
        let _ = line.write_in(language(), &mut text);
        format.write(line.kind(), &text, &mut answer);
    }
    if let Some(rest) = rest {
        format.write("note", &rest, &mut answer);
    }
    run.out().write_all(&answer).map_err(|error| AttemptError::Fatal(error.into()))?;
    Ok(end)
}

/// How a step is written.
enum Format {
    People { names: Vec<(&'static str, String)> },
    Json { url: json::Prewritten },
}

impl Format {
    /// That of so many lines about a URL, and how long most of them are together.
    fn json(url: &Url<&str>, lines: usize) -> (Format, usize) {
        /// Names, quotes, and what most lines say.
        const LINE: usize = 96;
        let url = url.masked().to_string();
        let is_long = url.len() * lines > REPEATED;
        let url = if is_long { wrap::elide_in(&url, QUOTED, Language::En) } else { url };
        let url = json::Prewritten::of(url.as_str());
        let length = lines * (url.len() + LINE);
        (Format::Json { url }, length)
    }

    fn write(&self, kind: &'static str, text: &str, answer: &mut Vec<u8>) {
        match self {
            Format::People { names } => {
                let name = names.iter().find(|(known, _)| *known == kind).map_or(kind, |(_, name)| name);
                for piece in [name, " ", text, "\n"] {
                    answer.extend_from_slice(piece.as_bytes());
                }
            }
            Format::Json { url } => json::line(answer, |object| {
                object.field("url", url);
                object.field("step", kind);
                object.field("text", text);
            }),
        }
    }
}
