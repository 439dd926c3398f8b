//! The style of output: what the options and the terminal allow.

use std::env;
use std::io;

use anstream::{AutoStream, ColorChoice};

pub(crate) use urlwise_explain::style::{DIM, LABEL, Look, URL, level};

use crate::cli::{Options, When};

/// What the terminal can show.
pub(crate) fn look(options: &Options) -> Look {
    let color = match options.color {
        When::Always => true,
        When::Never => false,
        When::Auto => AutoStream::choice(&io::stdout()) != ColorChoice::Never,
    };
    Look { color, ascii: options.ascii || !locale_is_utf8(), width: width() }
}

/// COLUMNS, otherwise the terminal's width, otherwise 80.
fn width() -> usize {
    let columns = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let terminal = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    columns.or_else(terminal).unwrap_or(80).clamp(*Look::WIDTHS.start(), *Look::WIDTHS.end())
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
