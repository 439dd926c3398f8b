//! What is said of a text that is no URL by commands that need one.

use std::io::{self, Write};

use urlwise::{Diagnosis, Level, Problem};

use crate::secret::{Secrets, Wording};

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
        Some(problem) => format!("{text}: {}", words(problem, &secrets)),
        None => text,
    }
}

/// A problem in one line, without any secret.
pub(crate) fn words(problem: &Problem<'_>, secrets: &Secrets) -> String {
    let wording = Wording::of(problem, secrets);
    let decision = problem.decision().map(|decision| format!(", {decision}")).unwrap_or_default();
    let help = wording.help.map(|help| format!("; {help}")).unwrap_or_default();
    let (level, code, span) = (problem.level(), problem.code(), problem.span());
    let (start, end, section) = (span.start, span.end, problem.section());
    format!("{level}[{code}] {start}..{end}: {} (section {section}{decision}){help}", wording.message)
}

/// A line to standard error.
pub(crate) fn say(message: &str) {
    // Nobody is left to be told if this fails.
    let _ = writeln!(io::stderr(), "urlwise: {message}");
}
