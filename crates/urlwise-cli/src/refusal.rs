//! What is said of a text that is no URL by commands that need one.

use urlwise::{Diagnosis, Level};

use crate::access;
use crate::secret::Secrets;

/// Tells standard error why the text is no URL.
pub(crate) fn tell(diagnosis: &Diagnosis<'_>, show_secrets: bool) {
    access::tell(&of(diagnosis, show_secrets));
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
