//! What is said of a text that is no URL by commands that need one.

use std::io::{self, Write};

use urlwise::{Diagnosis, Level};

use crate::secret::Secrets;

/// Tells standard error why the text is no URL.
pub(crate) fn tell(diagnosis: &Diagnosis<'_>, show_secrets: bool) {
    say(&of(diagnosis, show_secrets));
}

/// The text and its first error, fit to be shown.
pub(crate) fn of(diagnosis: &Diagnosis<'_>, show_secrets: bool) -> String {
    let secrets = Secrets::of(diagnosis.octets(), show_secrets);
    let text = secrets.shown(diagnosis.octets(), 0..diagnosis.octets().len());
    let error = diagnosis.problems().iter().find(|problem| problem.level() == Level::Error);
    match error {
        Some(problem) => format!("{text}: {problem}"),
        None => text,
    }
}

/// A line to standard error.
pub(crate) fn say(message: &str) {
    // Nobody is left to be told if this fails.
    let _ = writeln!(io::stderr(), "urlwise: {message}");
}
