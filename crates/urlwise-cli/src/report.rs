//! The reports of `check` in all formats.
//!
//! Passwords are masked without `--show-secrets`. Columns count octets in `json` and `human`, characters in `sarif` and `github`.

mod github;
mod human;
mod json;
mod sarif;

use std::fmt;
use std::io::{self, Write};
use std::ops::{AddAssign, Range};
use std::path::Path;

use urlwise::Level;

use crate::Context;
use crate::book;
use crate::cli::Format;
use crate::position::Position;
use crate::secret::Secrets;

/// One problem or finding.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) code: &'static str,
    pub(crate) level: Level,
    /// In octets of the URL.
    pub(crate) span: Range<usize>,
    pub(crate) section: &'static str,
    pub(crate) decision: Option<&'static str>,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

/// The location of a problem or finding.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Where<'a> {
    /// On the command line.
    Argument,
    /// In a list with one URL per line. Without a path it is standard input, here and below.
    Line { path: Option<&'a Path>, line: usize },
    /// In a text.
    Text { path: Option<&'a Path>, start: Position, end: Position },
}

/// A problem or finding, with its URL and location.
#[derive(Debug)]
pub(crate) struct Report<'a> {
    pub(crate) found: &'a Found,
    pub(crate) url: &'a [u8],
    /// The passwords of the URL.
    pub(crate) secrets: &'a Secrets,
    pub(crate) at: Where<'a>,
}

/// The location of a report in lines and columns.
struct Spot {
    line: usize,
    end_line: usize,
    /// In octets.
    column: usize,
    /// In characters.
    character: usize,
    end_character: usize,
}

impl<'a> Report<'a> {
    fn path(&self) -> Option<&'a Path> {
        match self.at {
            Where::Argument => None,
            Where::Line { path, .. } | Where::Text { path, .. } => path,
        }
    }

    /// `None` on the command line, which has no lines.
    fn spot(&self) -> Option<Spot> {
        match self.at {
            Where::Argument => None,
            Where::Line { line, .. } => {
                let Range { start, end } = self.found.span;
                let before = Position::START.after(self.url.get(..start).unwrap_or_default());
                let behind = before.after(self.url.get(start..end).unwrap_or_default());
                Some(Spot {
                    line,
                    end_line: line,
                    column: start + 1,
                    character: before.character,
                    end_character: behind.character,
                })
            }
            Where::Text { start, end, .. } => Some(Spot {
                line: start.line,
                end_line: end.line,
                column: start.column,
                character: start.character,
                end_character: end.character,
            }),
        }
    }

    /// The URL, masked and escaped.
    fn shown_url(&self) -> String {
        self.secrets.shown(self.url, 0..self.url.len())
    }

    /// The message and the help, in one line.
    fn sentence(&self) -> String {
        let Found { message, help, .. } = self.found;
        match help {
            Some(help) => format!("{message}; {help}"),
            None => message.clone(),
        }
    }
}

/// Formats one report.
pub(crate) fn write(report: &Report<'_>, format: Format, context: &Context, out: &mut Vec<u8>) {
    match format {
        Format::Human => human::write(report, context, out),
        Format::Json => json::write(report, out),
        Format::Sarif => sarif::write(report, out),
        Format::Github => github::write(report, out),
    }
}

/// Writes the header, separators and footer around the reports. Each write must consist of complete reports.
pub(crate) struct Results<'o> {
    format: Format,
    out: &'o mut (dyn Write + Send),
    any: bool,
}

impl<'o> Results<'o> {
    pub(crate) fn new(format: Format, out: &'o mut (dyn Write + Send)) -> Self {
        Results { format, out, any: false }
    }

    pub(crate) fn begin(&mut self) -> io::Result<()> {
        match self.format {
            Format::Sarif => sarif::begin(self.out),
            _ => Ok(()),
        }
    }

    /// `complete`: everything could be read.
    pub(crate) fn end(&mut self, complete: bool) -> io::Result<()> {
        match self.format {
            Format::Sarif => sarif::end(complete, self.out),
            _ => Ok(()),
        }
    }
}

impl Write for Results<'_> {
    fn write(&mut self, reports: &[u8]) -> io::Result<usize> {
        // Every SARIF result starts with a comma, which the first one must not have.
        let is_first = !self.any;
        self.any |= !reports.is_empty();
        let divided = if self.format == Format::Sarif && is_first { sarif::DIVIDER } else { b"" };
        self.out.write_all(reports.strip_prefix(divided).unwrap_or(reports))?;
        Ok(reports.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The counts for the summary.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) urls: usize,
    pub(crate) texts: usize,
    /// Errors, warnings, notes.
    levels: [usize; 3],
    /// The worst problem or finding, by its name in the rule books.
    worst: Option<(Level, &'static str)>,
}

/// The order of the counts.
const LEVELS: [Level; 3] = [Level::Error, Level::Warning, Level::Note];

impl Tally {
    pub(crate) fn add(&mut self, found: &Found) {
        for (count, _) in self.levels.iter_mut().zip(LEVELS).filter(|(_, counted)| *counted == found.level) {
            *count += 1;
        }
        self.keep_worst(Some((found.level, found.decision.unwrap_or(found.code))));
    }

    /// Keeps the worse of two; among equals the first by name, so that the order of threads does not matter.
    fn keep_worst(&mut self, other: Option<(Level, &'static str)>) {
        self.worst = self.worst.into_iter().chain(other).min();
    }

    /// The line that says how to read more about the worst one.
    pub(crate) fn see_also(&self) -> Option<String> {
        book::see_also(&[self.worst?.1])
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.urls += other.urls;
        self.texts += other.texts;
        for (count, other) in self.levels.iter_mut().zip(other.levels) {
            *count += other;
        }
        self.keep_worst(other.worst);
    }
}

impl fmt::Display for Tally {
    /// For example `1 error, 2 warnings in 3 URLs of 1 file`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counted = |count: usize, name: &str| format!("{count} {name}{}", if count == 1 { "" } else { "s" });
        let levels = self.levels.iter().zip(LEVELS).filter(|(count, _)| **count > 0);
        let levels: Vec<_> = levels.map(|(count, level)| counted(*count, level.name())).collect();
        match levels.as_slice() {
            [] => f.write_str("nothing to report")?,
            levels => f.write_str(&levels.join(", "))?,
        }
        write!(f, " in {}", counted(self.urls, "URL"))?;
        if self.texts > 0 { write!(f, " of {}", counted(self.texts, "file")) } else { Ok(()) }
    }
}
