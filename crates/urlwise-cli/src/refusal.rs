//! The message for a text that is not a valid URL, in commands that require one.

use urlwise::{Diagnosis, Level, ParseError, Problem};
use urlwise_explain::secret::Secrets;

use crate::language::{language, said};

/// The text and its first error, masked and escaped.
pub(crate) fn of(diagnosis: &Diagnosis<'_>, show_secrets: bool) -> String {
    let error = diagnosis.problems().iter().find(|problem| problem.level() == Level::Error);
    match error {
        Some(problem) => about(diagnosis.octets(), problem, show_secrets),
        None => quoted(diagnosis.octets(), show_secrets),
    }
}

/// A text and one of its problems in one line, masked and escaped.
pub(crate) fn about(octets: &[u8], problem: &Problem<'_>, show_secrets: bool) -> String {
    said!(
        "{text}: {message}",
        text = quoted(octets, show_secrets),
        message = problem.display_in(language()).to_string()
    )
}

/// What is wrong with a text that is not quoted.
pub(crate) fn of_text(error: &ParseError) -> String {
    error.problem().display_in(language()).to_string()
}

/// The most octets of a text that are quoted.
const SHOWN: usize = 200;

fn quoted(octets: &[u8], show_secrets: bool) -> String {
    let text = Secrets::of_url(octets, show_secrets).shown(octets, 0..octets.len().min(SHOWN));
    if octets.len() > SHOWN { text + "..." } else { text }
}
