//! The style of output: what the options and the terminal allow.

use std::env;
use std::io;

use anstream::{AutoStream, ColorChoice};
use urlwise::Language;
use urlwise_explain::{row_name_in, wrap};

pub(crate) use urlwise_explain::style::{DIM, LABEL, Look, URL, level};

use crate::cli::{Cli, Options, When};
use crate::language::{language, speak};

/// What the terminal can show.
pub(crate) fn look(options: &Options) -> Look {
    let color = match options.color {
        When::Always => true,
        When::Never => false,
        When::Auto => AutoStream::choice(&io::stdout()) != ColorChoice::Never,
    };
    Look { color, ascii: options.ascii || !locale_is_utf8(), width: width(), language: language() }
}

/// The name of a kind of step of a dialogue, in at least eight columns.
pub(crate) fn step_name(kind: &'static str) -> String {
    padded(row_name_in(kind, language()).into_owned(), 8)
}

/// The name of each kind of step, all in as many columns.
pub(crate) fn step_names(kinds: impl Iterator<Item = &'static str>) -> Vec<(&'static str, String)> {
    let mut names: Vec<(&'static str, String)> = Vec::new();
    for kind in kinds {
        if !names.iter().any(|(known, _)| *known == kind) {
            names.push((kind, step_name(kind)));
        }
    }
    let columns = names.iter().map(|(_, name)| wrap::width_of(name)).max().unwrap_or_default();
    names.into_iter().map(|(kind, name)| (kind, padded(name, columns))).collect()
}

fn padded(mut name: String, columns: usize) -> String {
    let missing = columns.saturating_sub(wrap::width_of(&name));
    wrap::blank(&mut name, missing);
    name
}

/// Chooses the language of this run: that of `--lang`; for programs English; otherwise that of the locale.
pub(crate) fn choose_language(cli: &Cli) {
    let chosen = cli.options.lang.unwrap_or_else(|| match cli.writes_for_programs() {
        true => Language::En,
        false => Language::from_locale(&locale("LC_MESSAGES")),
    });
    speak(chosen);
}

/// COLUMNS, otherwise the terminal's width, otherwise 80.
fn width() -> usize {
    let columns = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let terminal = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    columns.or_else(terminal).unwrap_or(80).clamp(*Look::WIDTHS.start(), *Look::WIDTHS.end())
}

fn locale_is_utf8() -> bool {
    if cfg!(windows) {
        return true;
    }
    let name = locale("LC_CTYPE").to_ascii_lowercase();
    name.contains("utf-8") || name.contains("utf8")
}

/// The locale of a category according to the POSIX variables: the first that is set and not empty.
fn locale(category: &str) -> String {
    let set = ["LC_ALL", category, "LANG"].into_iter().filter_map(env::var_os).find(|value| !value.is_empty());
    set.unwrap_or_default().to_string_lossy().into_owned()
}
