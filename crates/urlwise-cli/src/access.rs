//! What `get` and `ls` share: a client made from the options, URLs that must be valid first, and how failures are told.

use std::sync::Arc;
use std::time::Duration;

use urlwise::{Diagnosis, Level, Profile, Url, diagnose};
use urlwise_open::policy::Policy;
use urlwise_open::protocol::Note;
use urlwise_open::{
    Cancel, Credentials, Error, ErrorKind, Gateways, Login, MinRate, Netrc, NewsOptions, NewsServer, OpenOptions,
    Options, Proxies, Roots,
};

use crate::cli::{self, Opening};
use crate::exit::{Failure, Status};
use crate::hint;
use crate::input::Record;
use crate::secret;
use crate::settings::Settings;
use crate::terminal::{Person, Watcher};
use crate::voice::Voice;

/// The grammar for opening: what can be read in one way only is opened, unless `--profile` says otherwise. Explaining and
/// checking go by the letter of the RFC.
pub(crate) const PROFILE: Profile = Profile::Current;

/// The stretch of time over which `--min-rate` is looked at.
const RATE_OVER: Duration = Duration::from_secs(10);

/// How URLs are opened, as the options and the user's settings ask for it.
/// With `cancel`, its waits can be ended. What it has to say or to ask, the voice says.
pub(crate) fn options(
    opening: &Opening,
    settings: &Settings,
    voice: &Voice,
    cancel: Option<Cancel>,
) -> Result<Options, Failure> {
    let mut options = settings.opening();
    route(&mut options.gateways, &opening.gateway)?;
    options.credentials = credentials(opening, voice, cancel.clone())?;
    options.cancel = cancel;
    options.proxies = match &opening.proxy {
        Some(proxy) => Proxies::all(proxy).map_err(|error| Failure::Input(format!("--proxy: {error}")))?,
        None if opening.no_proxy => Proxies::default(),
        None => Proxies::from_env(),
    };
    if opening.insecure {
        voice.tell("warning: TLS certificates are not verified (--insecure)");
    }
    options.insecure = opening.insecure;
    options.require_tls = opening.require_tls;
    options.compressed = opening.compressed;
    options.special_files = opening.special_files;
    if opening.verbose {
        options.observer = Some(Arc::new(Watcher(voice.clone())));
    }
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
    options.timeout = opening.max_time;
    let deadlines = &mut options.deadlines;
    deadlines.connect = opening.connect_timeout.unwrap_or(deadlines.connect);
    deadlines.first_byte = opening.first_byte_timeout.unwrap_or(deadlines.first_byte);
    deadlines.idle = opening.idle_timeout.unwrap_or(deadlines.idle);
    deadlines.min_rate =
        opening.min_rate.map(|rate| MinRate { octets: rate.saturating_mul(RATE_OVER.as_secs()), every: RATE_OVER });
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
    options.raw = opening.ftp.raw;
    ftp.iac_doubling = asked.iac_doubling;
    news(&opening.news, &mut options.news)?;
    Ok(options)
}

/// How news is read: the option names the server before the environment does, and that before the settings.
fn news(asked: &cli::News, news: &mut NewsOptions) -> Result<(), Failure> {
    if let Some(server) = &asked.news_server {
        let server = NewsServer::parse(server).map_err(|error| Failure::Input(format!("--news-server: {error}")))?;
        news.server = Some(server);
    } else if let Some(server) = NewsServer::from_env() {
        news.server = Some(server);
    }
    Ok(())
}

/// What the options say of each call.
pub(crate) fn call(opening: &Opening) -> OpenOptions {
    let mut call = OpenOptions::default();
    call.last = opening.news.last;
    call.groups.clone_from(&opening.news.groups);
    call
}

/// Routes schemes as the texts say, whatever was said of them before.
fn route(gateways: &mut Gateways, texts: &[String]) -> Result<(), Failure> {
    let failed = |why: String| Failure::Input(format!("--gateway: {why}"));
    for text in texts {
        let (scheme, template) = text.split_once('=').ok_or_else(|| {
            let shown = secret::masked(text.as_bytes(), false);
            let way = "use SCHEME=TEMPLATE, as in `wais=http://gateway.example/wais?{url}`";
            failed(format!("`{shown}` has no `=`; {way}"))
        })?;
        gateways.route(scheme, template).map_err(|error| failed(error.to_string()))?;
    }
    Ok(())
}

/// Who logs in, as far as the options say.
fn credentials(opening: &Opening, voice: &Voice, cancel: Option<Cancel>) -> Result<Credentials, Failure> {
    let mut credentials = Credentials::default();
    if let Some(user) = &opening.user {
        let user = user.as_encoded_bytes();
        if user.contains(&b':') {
            // What stands behind the colon is not repeated.
            let why = "a password on the command line can be read by every user of the machine: give the name alone, and the \
                       password is asked for; or use --netrc-file (in a name itself, a colon is `%3A` in the URL)";
            return Err(Failure::Input(format!("--user: {why}")));
        }
        credentials.login = Some(Login::of(user));
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
    credentials.prompt = Some(Arc::new(Person { voice: voice.clone(), cancel }));
    Ok(credentials)
}

/// The URL of a record, and what is to be said about it before it is opened; what keeps it from being one is told too.
pub(crate) fn url<'a>(record: &Record<'a>, profile: Profile, voice: &Voice) -> Result<Url<&'a str>, Status> {
    let diagnosis = diagnose(record.octets, profile);
    let url = diagnosis.url();
    let wanted = if url.is_some() { Level::Warning } else { Level::Error };
    for problem in diagnosis.problems().iter().filter(|problem| problem.level() == wanted) {
        let line = format!("{}{problem}", at(&diagnosis, record));
        if url.is_some() { voice.remark(&line) } else { voice.tell(&line) }
    }
    url.ok_or_else(|| {
        voice.tell("run `urlwise explain` to see the details");
        Status::Failed(ErrorKind::InvalidUrl)
    })
}

/// The text that a problem is about, and where it stands.
fn at(diagnosis: &Diagnosis<'_>, record: &Record<'_>) -> String {
    let text = secret::masked(diagnosis.octets(), false);
    match record.place {
        Some(place) => format!("{}:{}: {text}: ", place.file, place.number),
        None => format!("{text}: "),
    }
}

/// Tells of a failure, with the URL it happened at, and gives the exit status.
pub(crate) fn failed(error: &Error, voice: &Voice) -> Status {
    match error.url() {
        Some(url) => voice.tell(&format!("{}: {}", urlwise::escape_for_display(url.as_bytes()), hint::message(error))),
        None => voice.tell(&hint::message(error)),
    }
    error.kind().into()
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
