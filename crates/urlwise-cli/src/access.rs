//! What `get` and `ls` share: a client made from the options, URLs that must be valid first, and how failures are told.

use std::io::{self, Write};

use urlwise::{Diagnosis, Level, Profile, Url, diagnose};
use urlwise_open::policy::{Policy, RULES};
use urlwise_open::protocol::Note;
use urlwise_open::{Class, Client, Error, Options, Roots};

use crate::cli::Opening;
use crate::exit::Failure;
use crate::input::Record;

/// The grammar for opening: what can be read in one way only is opened, unless `--profile` says otherwise. Explaining and
/// checking go by the letter of the RFC.
pub(crate) const PROFILE: Profile = Profile::Current;

/// The client that the options ask for.
pub(crate) fn client(opening: &Opening) -> Result<Client, Failure> {
    let mut options = Options::default();
    let allow = |policy: Policy, rule: &String| policy.allow(rule);
    options.policy = opening
        .allow
        .iter()
        .try_fold(Policy::default(), allow)
        .map_err(|error| Failure::Input(format!("--allow: {error}")))?;
    options.max_size = opening.max_size;
    if let Some(redirects) = opening.max_redirs {
        options.max_redirects = redirects;
    }
    options.deadlines.total = opening.max_time;
    if let Some(connect) = opening.connect_timeout {
        options.deadlines.connect = connect;
    }
    if let Some(file) = &opening.cacert {
        options.roots = Roots::Pem(file.clone());
    }
    Ok(Client::new(options))
}

/// The URL of a record, and what is to be said about it before it is opened; what keeps it from being one is told too.
pub(crate) fn url<'a>(record: &Record<'a>, profile: Profile) -> Result<Url<&'a str>, Class> {
    let diagnosis = diagnose(record.octets, profile);
    let url = diagnosis.url();
    let wanted = if url.is_some() { Level::Warning } else { Level::Error };
    for problem in diagnosis.problems().iter().filter(|problem| problem.level() == wanted) {
        tell(&format!("{}{problem}", at(&diagnosis, record)));
    }
    url.ok_or_else(|| {
        tell("`urlwise explain` shows where");
        Class::InvalidUrl
    })
}

/// The text that a problem is about, and where it stands.
fn at(diagnosis: &Diagnosis<'_>, record: &Record<'_>) -> String {
    let text = crate::secret::masked(diagnosis.octets(), false);
    match record.place {
        Some(place) => format!("{}:{}: {text}: ", place.file, place.number),
        None => format!("{text}: "),
    }
}

/// Tells of a failure, with the URL it happened at, and gives its class.
pub(crate) fn failed(error: &Error) -> Class {
    match error.url() {
        Some(url) => tell(&format!("{}: {error}", urlwise::shown(url.as_bytes()))),
        None => tell(&error.to_string()),
    }
    if let Some(rule) = error.refused_by()
        && RULES.iter().any(|known| known.id == rule && known.allowable)
    {
        tell(&format!("`--allow {rule}` lifts the rule for this run"));
    }
    error.class()
}

/// Tells what should be known about an answer.
pub(crate) fn notes(notes: &[Note]) {
    for note in notes {
        tell(&format!("note[{}]: {} ({})", note.code, note.message, note.rule));
    }
}

/// One line on standard error. Nobody is left to be told if that fails.
pub(crate) fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "urlwise: {line}");
}
