//! What is said of a text that is no URL by commands that need one.

use urlwise::{Diagnosis, Level, Problem};

use crate::access;
use crate::secret::Secrets;

/// Tells standard error why the text is no URL.
pub(crate) fn tell(diagnosis: &Diagnosis<'_>, show_secrets: bool) {
    access::tell(&of(diagnosis, show_secrets));
}

/// The text and its first error, fit to be shown.
pub(crate) fn of(diagnosis: &Diagnosis<'_>, show_secrets: bool) -> String {
    let error = diagnosis.problems().iter().find(|problem| problem.level() == Level::Error);
    match error {
        Some(problem) => about(diagnosis.octets(), problem, show_secrets),
        None => quoted(diagnosis.octets(), show_secrets),
    }
}

/// A text and one problem of it, in one line that is fit to be shown.
pub(crate) fn about(octets: &[u8], problem: &Problem<'_>, show_secrets: bool) -> String {
    format!("{}: {problem}", quoted(octets, show_secrets))
}

/// So much of a text is quoted.
const SHOWN: usize = 200;

fn quoted(octets: &[u8], show_secrets: bool) -> String {
    let text = Secrets::of(octets, show_secrets).shown(octets, 0..octets.len().min(SHOWN));
    if octets.len() > SHOWN { text + "..." } else { text }
}
