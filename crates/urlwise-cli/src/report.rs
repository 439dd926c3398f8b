//! The reports of `check` in all formats.
//!
//! Passwords are masked without `--show-secrets`. Columns count octets in `json` and `human`, characters in `sarif` and `github`.

mod github;
mod human;
mod json;
mod junit;
mod markdown;
mod sarif;

use std::cmp::Reverse;
use std::io::{self, Write};
use std::ops::{AddAssign, Range};
use std::path::Path;

use urlwise::Level;
use urlwise_explain::meant::Meant;
use urlwise_explain::secret::{self, Secrets};
use urlwise_explain::{snippets, view};

use crate::cli::Format;
use crate::context::Context;
use crate::document::Written;
use crate::language::{counted, filled, language, list, message};
use crate::position::Position;

pub(crate) use json::finding;

/// One problem or finding.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) code: &'static str,
    pub(crate) level: Level,
    /// In octets of the URL; where the same mistake is made again is in `spans`.
    pub(crate) span: Range<usize>,
    /// The first places of the mistake, and how many there are.
    pub(crate) spans: Vec<Range<usize>>,
    pub(crate) places: usize,
    /// Whether there are no others.
    pub(crate) are_all: bool,
    pub(crate) section: &'static str,
    pub(crate) decision: Option<&'static str>,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

impl Found {
    /// The same of a relative link as it is written.
    pub(crate) fn written(&self, written: &Written<'_>) -> Found {
        let place = |span: &Range<usize>| written.place(span);
        let spans = self.spans.iter().filter_map(place).collect();
        Found { span: place(&self.span).unwrap_or_default(), spans, ..self.clone() }
    }
}

/// The location of a problem or finding.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Where<'a> {
    /// On the command line.
    Argument,
    /// In a list, where each line is a URL. Without a path it is standard input, here and below.
    ///
    /// The positions are those in the line; a record that ends in NUL counts as one line.
    Line { path: Option<&'a Path>, line: usize, start: Position, end: Position },
    /// On a page of the web that was opened, from here to there. The URL of the page is masked.
    Page { url: &'a str, start: Position, end: Position },
    /// In a text, from here to there. `url` is the offset of the URL in the text if it stands there in one piece. Of a text that
    /// `is_decoded`, no octet stands in the file.
    Text { path: Option<&'a Path>, start: Position, end: Position, url: Option<usize>, is_decoded: bool },
}

/// A URL with all that is reported of it.
pub(crate) struct Subject<'a> {
    pub(crate) url: &'a [u8],
    /// The passwords of the URL.
    pub(crate) secrets: &'a Secrets,
    /// What it was meant to be, if it is not valid or looks mistyped.
    pub(crate) meant: Option<&'a Meant<'a>>,
    /// The codes of what is reported.
    pub(crate) codes: &'a [&'static str],
    /// How many problems and findings are not reported.
    pub(crate) more: usize,
}

/// What was found, with the URL it is about.
pub(crate) struct Report<'a> {
    pub(crate) found: &'a Found,
    pub(crate) subject: &'a Subject<'a>,
    pub(crate) at: Where<'a>,
    /// Whether it is the report that says what the URL was meant to be: the first error.
    pub(crate) is_lead: bool,
    /// Whether it is the last of its URL.
    pub(crate) is_last: bool,
    /// Whether it makes the run fail.
    pub(crate) fails: bool,
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
    /// The file. `None` for all that is in none: arguments, standard input and pages.
    fn path(&self) -> Option<&'a Path> {
        match self.at {
            Where::Argument | Where::Page { .. } => None,
            Where::Line { path, .. } | Where::Text { path, .. } => path,
        }
    }

    /// The name of the file, standard input or page, as people see it. `None` on the command line.
    fn text(&self) -> Option<String> {
        match self.at {
            Where::Argument => None,
            Where::Line { path, .. } | Where::Text { path, .. } => {
                Some(path.map_or_else(|| "<stdin>".into(), secret::masked_path))
            }
            Where::Page { url, .. } => Some(url.to_owned()),
        }
    }

    /// The same with line and column, in octets.
    fn place(&self) -> Option<String> {
        let (text, spot) = self.text().zip(self.spot())?;
        Some(format!("{text}:{}:{}", spot.line, spot.column))
    }

    /// `None` on the command line, which has no lines.
    fn spot(&self) -> Option<Spot> {
        match self.at {
            Where::Argument => None,
            Where::Line { line, start, end, .. } => Some(Spot {
                line,
                end_line: line,
                column: start.column,
                character: start.character,
                end_character: end.character,
            }),
            Where::Text { start, end, .. } | Where::Page { start, end, .. } => Some(Spot {
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
        /// A longer URL is shortened, with so many octets on each side.
        const LONG: usize = 400;
        const AROUND: usize = 120;
        let Subject { url, secrets, .. } = self.subject;
        let all = 0..url.len();
        if all.end <= LONG {
            return secrets.shown(url, all);
        }
        let span = &self.found.span;
        // Nothing is gained by hiding less than what stands for it.
        const HIDDEN: usize = 30;
        let start = view::boundary(url, span.start.saturating_sub(AROUND).min(all.end));
        let start = if start <= HIDDEN { 0 } else { start };
        let end = view::boundary(url, span.end.min(span.start + AROUND).saturating_add(AROUND).min(all.end));
        let end = if all.end - end <= HIDDEN { all.end } else { end };
        let left_out = |octets: usize| filled!(language(), "[... {count} octets ...]", count = octets).text();
        let mut shown = if start > 0 { left_out(start) + " " } else { String::new() };
        shown.reserve(end - start + 2 * HIDDEN);
        secrets.show(url, start..end, &mut shown);
        if end < all.end {
            shown.push(' ');
            shown.push_str(&left_out(all.end - end));
        }
        shown
    }

    /// What is said of the whole URL: by the report of its first error.
    fn meant(&self) -> Option<&Meant<'_>> {
        self.subject.meant.filter(|_| self.is_lead)
    }

    /// How many problems are left out: said by the last report.
    fn more(&self) -> usize {
        if self.is_last { self.subject.more } else { 0 }
    }

    /// The message and what to do, in one line.
    fn sentence(&self) -> String {
        let Found { code, level, message, help, places, are_all, .. } = self.found;
        let codes = self.subject.codes;
        let mut text = message.clone();
        if *places > 1 {
            let places = snippets::places_in(places - 1, *are_all, language());
            text = filled!(language(), "{before}, {next}", before = text, next = places).text();
        }
        let is_covered = self.subject.meant.is_some_and(|meant| meant.covers(code, *level, codes));
        let meant = self
            .meant()
            .and_then(|meant| meant.line_in(language()).or_else(|| meant.objection_line_in(codes, language())));
        for help in help.iter().filter(|_| !is_covered).chain(&meant) {
            text = filled!(language(), "{sentence}; {help}", sentence = text, help = help).text();
        }
        if self.more() > 0 {
            let more = snippets::more_problems_in(self.more(), language());
            text = filled!(language(), "{sentence}; {help}", sentence = text, help = more).text();
        }
        text
    }
}

/// Formats one report.
pub(crate) fn write(report: &Report<'_>, format: Format, context: &Context, out: &mut Vec<u8>) {
    match format {
        Format::Human => human::write(report, context, out),
        Format::Json => json::write(report, out),
        Format::Sarif => sarif::write(report, out),
        Format::Github => github::write(report, out),
        Format::Markdown => markdown::write(report, out),
        Format::Junit => junit::write(report, out),
    }
}

/// A text of one line as it reads in Markdown.
pub(crate) fn markdown(text: &str) -> String {
    markdown::escaped(text)
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
            Format::Junit => junit::begin(self.out),
            Format::Markdown => markdown::begin(self.out),
            Format::Human | Format::Json | Format::Github => Ok(()),
        }
    }

    /// `complete`: everything could be read.
    pub(crate) fn end(&mut self, complete: bool) -> io::Result<()> {
        match self.format {
            Format::Sarif => sarif::end(complete, self.out),
            Format::Junit => junit::end(complete, self.out),
            Format::Markdown => markdown::end(complete, self.out),
            Format::Human | Format::Json | Format::Github => Ok(()),
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
    /// The notes that `--notes` would show.
    pub(crate) hidden: usize,
    /// The worst problem or finding, by its name in the rule books.
    worst: Option<(Level, &'static str)>,
}

/// The order of the counts.
const LEVELS: [Level; 3] = [Level::Error, Level::Warning, Level::Note];

impl Tally {
    /// Counts one problem or finding.
    pub(crate) fn count(&mut self, level: Level, name: &'static str) {
        for (count, _) in self.levels.iter_mut().zip(LEVELS).filter(|(_, counted)| *counted == level) {
            *count += 1;
        }
        self.keep_worst(Some((level, name)));
    }

    /// Keeps the worse of two; among equals the first by name, so that the order of threads does not matter.
    fn keep_worst(&mut self, other: Option<(Level, &'static str)>) {
        self.worst = self.worst.into_iter().chain(other).min_by_key(|(level, name)| (Reverse(*level), *name));
    }

    /// The line that says how to read more about the worst one.
    pub(crate) fn see_also(&self) -> Option<String> {
        snippets::see_also_in(&[self.worst?.1], language())
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.urls += other.urls;
        self.texts += other.texts;
        self.hidden += other.hidden;
        for (count, other) in self.levels.iter_mut().zip(other.levels) {
            *count += other;
        }
        self.keep_worst(other.worst);
    }
}

impl Tally {
    /// For example `1 error, 2 warnings in 3 URLs of 1 file; --notes shows 4 notes`.
    pub(crate) fn summary(&self) -> String {
        let levels = self.levels.iter().zip(LEVELS).filter(|(count, _)| **count > 0);
        let found = list(levels.map(|(count, level)| match level {
            Level::Error => counted!("{count} error", "{count} errors", *count),
            Level::Warning => counted!("{count} warning", "{count} warnings", *count),
            Level::Note => counted!("{count} note", "{count} notes", *count),
        }));
        let urls = counted!("{count} URL", "{count} URLs", self.urls);
        let files = counted!("{count} file", "{count} files", self.texts);
        let is_empty = self.levels.iter().all(|count| *count == 0);
        let summary = match (is_empty, self.texts) {
            (true, 0) => message!("nothing to report in {urls}", urls = urls),
            (true, _) => message!("nothing to report in {urls} of {files}", urls = urls, files = files),
            (false, 0) => message!("{found} in {urls}", found = found, urls = urls),
            (false, _) => message!("{found} in {urls} of {files}", found = found, urls = urls, files = files),
        };
        let summary = match self.hidden {
            0 => summary,
            hidden => {
                let notes = counted!("{count} note", "{count} notes", hidden);
                message!("{summary}; `--notes` shows {notes}", summary = summary, notes = notes)
            }
        };
        summary.into_text(language())
    }
}
