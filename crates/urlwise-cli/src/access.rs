//! What `get` and `ls` share: a client made from the options, URLs that must be valid first, and how failures are told.

use std::time::Duration;

use urlwise::{Diagnosis, Level, Profile, Url, diagnose};
use urlwise_open::policy::{Policy, RULES};
use urlwise_open::protocol::Note;
use urlwise_open::{Cancel, Class, Client, Error, Options, Roots, Slowest};

use crate::cli::Opening;
use crate::exit::Failure;
use crate::input::Record;
use crate::voice::Voice;

/// The grammar for opening: what can be read in one way only is opened, unless `--profile` says otherwise. Explaining and
/// checking go by the letter of the RFC.
pub(crate) const PROFILE: Profile = Profile::Current;

/// The stretch of time over which `--min-rate` is looked at.
const RATE_OVER: Duration = Duration::from_secs(10);

/// The client that the options ask for.
/// With `cancel`, its waits can be ended.
pub(crate) fn client(opening: &Opening, cancel: Option<Cancel>) -> Result<Client, Failure> {
    let mut options = Options::default();
    options.cancel = cancel;
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
    let deadlines = &mut options.deadlines;
    deadlines.total = opening.max_time;
    deadlines.connect = opening.connect_timeout.unwrap_or(deadlines.connect);
    deadlines.first_byte = opening.first_byte_timeout.unwrap_or(deadlines.first_byte);
    deadlines.idle = opening.idle_timeout.unwrap_or(deadlines.idle);
    deadlines.slowest =
        opening.min_rate.map(|rate| Slowest { octets: rate.saturating_mul(RATE_OVER.as_secs()), every: RATE_OVER });
    if let Some(file) = &opening.cacert {
        options.roots = Roots::Pem(file.clone());
    }
    let (ftp, asked) = (&mut options.ftp, &opening.ftp);
    if let Some(address) = &asked.anonymous {
        ftp.anonymous.clone_from(address);
    }
    if let Some(method) = asked.ftp_method {
        ftp.method = method.into();
    }
    ftp.skip_empty_cwd = asked.skip_empty_cwd;
    ftp.raw = asked.raw;
    ftp.iac_doubling = asked.iac_doubling;
    Ok(Client::new(options))
}

/// The URL of a record, and what is to be said about it before it is opened; what keeps it from being one is told too.
pub(crate) fn url<'a>(record: &Record<'a>, profile: Profile, voice: &Voice) -> Result<Url<&'a str>, Class> {
    let diagnosis = diagnose(record.octets, profile);
    let url = diagnosis.url();
    let wanted = if url.is_some() { Level::Warning } else { Level::Error };
    for problem in diagnosis.problems().iter().filter(|problem| problem.level() == wanted) {
        let line = format!("{}{problem}", at(&diagnosis, record));
        if url.is_some() { voice.remark(&line) } else { voice.tell(&line) }
    }
    url.ok_or_else(|| {
        voice.tell("`urlwise explain` shows where");
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
pub(crate) fn failed(error: &Error, voice: &Voice) -> Class {
    match error.url() {
        Some(url) => voice.tell(&format!("{}: {error}", urlwise::shown(url.as_bytes()))),
        None => voice.tell(&error.to_string()),
    }
    if let Some(rule) = error.refused_by()
        && RULES.iter().any(|known| known.id == rule && known.allowable)
    {
        voice.tell(&format!("`--allow {rule}` lifts the rule for this run"));
    }
    error.class()
}

/// Tells what should be known about an answer.
pub(crate) fn notes(notes: &[Note], voice: &Voice) {
    for note in notes {
        voice.remark(&format!("note[{}]: {} ({})", note.code, note.message, note.rule));
    }
}

/// One line on standard error.
pub(crate) fn tell(line: &str) {
    Voice::default().tell(line);
}
