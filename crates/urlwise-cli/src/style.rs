//! The style of output: colours, characters, width.

use std::env;
use std::fmt::{self, Write as _};
use std::io;

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Effects, Style};
use urlwise::Level;

use crate::cli::{Options, When};

/// The narrowest and widest layout, in columns.
const WIDTHS: std::ops::RangeInclusive<usize> = 40..=120;

/// What the terminal can show.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    pub(crate) color: bool,
    pub(crate) ascii: bool,
    /// Columns to lay out for.
    pub(crate) width: usize,
}

impl Look {
    pub(crate) fn new(options: &Options) -> Self {
        let color = match options.color {
            When::Always => true,
            When::Never => false,
            When::Auto => AutoStream::choice(&io::stdout()) != ColorChoice::Never,
        };
        Look { color, ascii: options.ascii || !locale_is_utf8(), width: width() }
    }

    /// Appends a text in a style, if colours are enabled.
    pub(crate) fn push(self, out: &mut String, style: Style, text: &str) {
        if !self.color || style.is_plain() {
            return out.push_str(text);
        }
        // Writing to a String cannot fail.
        let _ = write!(out, "{}{text}{}", style.render(), style.render_reset());
    }

    /// The text in a style, if colours are enabled.
    pub(crate) fn paint<T: fmt::Display>(self, style: Style, text: T) -> Painted<T> {
        Painted { style: if self.color { style } else { Style::new() }, text }
    }
}

/// COLUMNS, otherwise the terminal's width, otherwise 80.
fn width() -> usize {
    let columns = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let terminal = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    columns.or_else(terminal).unwrap_or(80).clamp(*WIDTHS.start(), *WIDTHS.end())
}

/// According to the POSIX variables, the first that is set and not empty.
fn locale_is_utf8() -> bool {
    if cfg!(windows) {
        return true;
    }
    let set = ["LC_ALL", "LC_CTYPE", "LANG"].iter().filter_map(env::var_os).find(|value| !value.is_empty());
    let name = set.unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    name.contains("utf-8") || name.contains("utf8")
}

/// A text with escape sequences for its style.
pub(crate) struct Painted<T> {
    style: Style,
    text: T,
}

impl<T: fmt::Display> fmt::Display for Painted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.style.is_plain() {
            return write!(f, "{}", self.text);
        }
        write!(f, "{}{}{}", self.style.render(), self.text, self.style.render_reset())
    }
}

/// The URL itself.
pub(crate) const URL: Style = Style::new().effects(Effects::BOLD);
/// Titles.
pub(crate) const BOLD: Style = URL;
/// Lines and names that point at parts.
pub(crate) const LABEL: Style = AnsiColor::Cyan.on_default();
/// Less important text.
pub(crate) const DIM: Style = Style::new().effects(Effects::DIMMED);

/// The heading of a help, in the colour of rustc.
pub(crate) const HELP: Style = AnsiColor::BrightCyan.on_default().effects(Effects::BOLD);

/// The colours of rustc.
pub(crate) const fn level(level: Level) -> Style {
    let color = match level {
        Level::Error => AnsiColor::BrightRed,
        Level::Warning => AnsiColor::Yellow,
        Level::Note => AnsiColor::BrightGreen,
    };
    color.on_default().effects(Effects::BOLD)
}
