//! What `get` and `ls` share: building a client from the options, parsing the URLs, and reporting failures.

use std::sync::Arc;
use std::time::Duration;

use urlwise::{Diagnosis, Level, Profile, Url, diagnose};
use urlwise_open::policy::Policy;
use urlwise_open::protocol::Note;
use urlwise_open::{
    Cancel, Credentials, Error, ErrorKind, Gateways, MinRate, Netrc, NewsOptions, NewsServer, OpenOptions, Options,
    Proxies, Roots, ServerLogin,
};

use crate::book;
use crate::cli::{self, Opening};
use crate::console::Console;
use crate::exit::{Failure, Status};
use crate::explain::snippets;
use crate::hint;
use crate::input::Record;
use crate::meant::Meant;
use crate::request_fields;
use crate::secret;
use crate::settings::Settings;
use crate::terminal::{DialoguePrinter, TerminalPrompt};

/// The profile for opening URLs unless `--profile` is given: the lenient one (D-88).
pub(crate) const PROFILE: Profile = Profile::Current;

/// Of more problems of one URL the worst are reported.
const MOST_PROBLEMS: usize = 20;
/// The longest URL that is quoted before a problem, in octets.
const QUOTED: usize = 200;

/// The period over which `--min-rate` is averaged.
const RATE_OVER: Duration = Duration::from_secs(10);

/// The client's options, from the command line and the user's settings.
/// `cancel` interrupts its waits. Warnings, the dialogue and password prompts go to `console`.
pub(crate) fn options(
    opening: &Opening,
    settings: &Settings,
    console: &Console,
    cancel: Option<Cancel>,
) -> Result<Options, Failure> {
    let mut options = settings.opening();
    route(&mut options.gateways, &opening.gateway)?;
    options.credentials = credentials(opening, console, cancel.clone())?;
    options.cancel = cancel;
    options.proxies = match &opening.proxy {
        Some(proxy) => Proxies::all(proxy).map_err(|error| Failure::Input(format!("--proxy: {error}")))?,
        None if opening.no_proxy => Proxies::default(),
        None => Proxies::from_env(),
    };
    if opening.insecure {
        console.message("warning: TLS certificates are not verified (--insecure)");
    }
    options.insecure = opening.insecure;
    options.require_tls = opening.require_tls;
    options.compressed = opening.compressed;
    options.fields = request_fields::of(&opening.http.headers)?;
    if let Some(name) = &opening.http.user_agent {
        options.user_agent.clone_from(name);
    }
    options.special_files = opening.special_files;
    if opening.verbose {
        options.observer = Some(Arc::new(DialoguePrinter(console.clone())));
    }
    let allow = |policy: Policy, rule: &String| policy.allow(rule);
    options.policy = opening
        .allow
        .iter()
        .try_fold(Policy::default(), allow)
        .map_err(|error| Failure::Input(format!("--allow: {error}")))?;
    if opening.public_only {
        options.policy = options.policy.public_addresses_only();
    }
    options.max_size = opening.max_size;
    if let Some(hits) = opening.max_hits {
        options.wais.hits = hits;
    }
    if let Some(redirects) = opening.max_redirs {
        options.max_redirects = redirects;
    }
    options.timeout = opening.max_time;
    let deadlines = &mut options.deadlines;
    deadlines.connect = opening.connect_timeout.unwrap_or(deadlines.connect);
    deadlines.first_byte = opening.first_byte_timeout.unwrap_or(deadlines.first_byte);
    deadlines.idle = opening.idle_timeout.unwrap_or(deadlines.idle);
    deadlines.min_rate = opening.min_rate.map(|rate| MinRate::new(rate.saturating_mul(RATE_OVER.as_secs()), RATE_OVER));
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
    ftp.binary = asked.binary;
    ftp.skip_empty_cwd = asked.skip_empty_cwd;
    options.raw = opening.ftp.raw;
    ftp.iac_doubling = asked.iac_doubling;
    news(&opening.news, &mut options.news)?;
    Ok(options)
}

/// Options for news. For the server, the option comes before the environment, and that before the settings.
fn news(asked: &cli::News, news: &mut NewsOptions) -> Result<(), Failure> {
    if let Some(server) = &asked.news_server {
        let server = NewsServer::parse(server).map_err(|error| Failure::Input(format!("--news-server: {error}")))?;
        news.server = Some(server);
    } else if let Some(server) = NewsServer::from_env() {
        news.server = Some(server);
    }
    Ok(())
}

/// The options of each call.
pub(crate) fn call(opening: &Opening) -> OpenOptions {
    let mut call = OpenOptions::default();
    call.last = opening.news.last;
    call.groups.clone_from(&opening.news.groups);
    call
}

/// Adds the gateways of `--gateway`. They replace those of the settings.
fn route(gateways: &mut Gateways, texts: &[String]) -> Result<(), Failure> {
    let failed = |why: String| Failure::Input(format!("--gateway: {why}"));
    for text in texts {
        let (scheme, template) = text.split_once('=').ok_or_else(|| {
            let shown = secret::masked(text.as_bytes(), false);
            let help = "use SCHEME=TEMPLATE, as in `wais=http://gateway.example/wais?{url}`";
            failed(format!("`{shown}` has no `=`; {help}"))
        })?;
        gateways.route(scheme, template).map_err(|error| failed(error.to_string()))?;
    }
    Ok(())
}

/// The logins that the options give.
fn credentials(opening: &Opening, console: &Console, cancel: Option<Cancel>) -> Result<Credentials, Failure> {
    let mut credentials = Credentials::default();
    if let Some(user) = &opening.user {
        let user = user.as_encoded_bytes();
        if user.contains(&b':') {
            // The message does not quote the argument: it holds a password.
            let why = "a password on the command line can be read by every user of the machine: give the name alone, and the \
                       password is asked for; or use --netrc-file (in a name itself, a colon is `%3A` in the URL)";
            return Err(Failure::Input(format!("--user: {why}")));
        }
        credentials.login = Some(ServerLogin::of(user));
    }
    let file = match &opening.netrc_file {
        Some(file) => Some(file.clone()),
        None if opening.netrc => {
            let nowhere = || Failure::Input("--netrc: cannot find your home directory; use --netrc-file".into());
            Some(Netrc::usual_place().ok_or_else(nowhere)?)
        }
        None => None,
    };
    if let Some(file) = file {
        credentials.netrc = Some(Netrc::read(&file).map_err(|error| Failure::Input(error.to_string()))?);
    }
    credentials.http_userinfo = opening.http_userinfo;
    credentials.prompt = Some(Arc::new(TerminalPrompt { console: console.clone(), cancel }));
    Ok(credentials)
}

/// Parses a record. Prints its warnings, or the errors that make it invalid. A fragment is cut, where it can be nothing else.
pub(crate) fn url<'a>(record: &Record<'a>, profile: Profile, console: &Console) -> Result<Url<&'a str>, Status> {
    let mut diagnosis = diagnose(record.octets, profile);
    if diagnosis.url().is_none()
        && let Some(fragment) = Meant::of(record.octets, profile, false).only_fragment()
    {
        let shown = secret::elided(&record.octets[fragment.clone()], false, QUOTED);
        console
            .remark(&format!("note[fragment-cut]: `{shown}` is a fragment and not part of the URL (D-08); it is cut"));
        diagnosis = diagnose(&record.octets[..fragment.start], profile);
    }
    let url = diagnosis.url();
    let wanted = if url.is_some() { Level::Warning } else { Level::Error };
    let wanted = diagnosis.problems().iter().filter(|problem| problem.level() == wanted);
    let (problems, more) = snippets::worst(wanted, MOST_PROBLEMS);
    for problem in problems {
        let line = format!("{}{problem}", at(&diagnosis, record));
        if url.is_some() { console.remark(&line) } else { console.message(&line) }
    }
    if more > 0 {
        console.message(&format!("... and {more} more"));
    }
    url.ok_or_else(|| {
        if let Some(line) = Meant::of(record.octets, profile, false).line() {
            console.message(&line);
        }
        console.message("run `urlwise explain` to see the details");
        Status::Failed(ErrorKind::InvalidUrl)
    })
}

/// The text that a problem is about and its location, as a prefix for the message.
fn at(diagnosis: &Diagnosis<'_>, record: &Record<'_>) -> String {
    let text = secret::elided(diagnosis.octets(), false, QUOTED);
    match record.place {
        Some(place) => format!("{}:{}: {text}: ", place.file, place.number),
        None => format!("{text}: "),
    }
}

/// Prints a failure with the URL that it happened at, and returns the exit status.
pub(crate) fn failed(error: &Error, console: &Console) -> Status {
    let shown = |url: &str| urlwise::escape_for_display(url.as_bytes()).to_string();
    let before: Vec<_> = error.redirects().iter().map(|url| shown(url)).collect();
    match (error.url(), before.is_empty()) {
        (Some(url), true) => console.message(&format!("{}: {}", shown(url), hint::message(error))),
        (Some(url), false) => {
            let before = before.join(", ");
            console.message(&format!("{} (from {before}): {}", shown(url), hint::message(error)));
        }
        (None, _) => console.message(&hint::message(error)),
    }
    if let Some(name) = cited(error) {
        console.cite(name);
    }
    error.kind().into()
}

/// The entry of the rule books that an error refers to: the number in its reference, else the rule that refused.
fn cited(error: &Error) -> Option<&'static str> {
    let number = error.reference().and_then(|reference| reference.split([' ', ',']).find(|word| book::is_number(word)));
    number.or(error.refused_by())
}

/// Prints the notes about an answer.
pub(crate) fn notes(notes: &[Note], console: &Console) {
    for note in notes {
        console.remark(&format!("note[{}]: {note}{}", note.code, hint::note(note)));
    }
}

/// Prints one line to standard error.
pub(crate) fn message(line: &str) {
    Console::default().message(line);
}

/// Prints lines to standard error.
pub(crate) fn lines(lines: &[u8]) {
    Console::default().write(lines);
}
