//! What `get` and `ls` share: building a client from the options, parsing the URLs, and reporting failures.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use urlwise::{Diagnosis, Level, Message, Problem, Profile, Url, diagnose};
use urlwise_explain::meant::Meant;
use urlwise_explain::{secret, snippets};
use urlwise_open::policy::Policy;
use urlwise_open::protocol::Note;
use urlwise_open::{
    Cancel, Credentials, Error, ErrorKind, Gateways, MinRate, Netrc, NewsOptions, NewsServer, OpenOptions, Options,
    Proxies, Roots, ServerLogin,
};
use urlwise_settings::Settings;

use crate::book;
use crate::cli::{self, Opening};
use crate::console::{Console, LONGEST_URL};
use crate::exit::{Failure, Status, os_message};
use crate::hint;
use crate::input::Record;
use crate::language::{about, language, list, message, said, words};
use crate::request_fields;
use crate::terminal::{DialoguePrinter, TerminalPrompt};

/// The profile that URLs of today are read by unless `--profile` is given: the lenient one (D-88).
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
        Some(proxy) => Proxies::all(proxy).map_err(|error| unusable("--proxy", &error))?,
        None if opening.no_proxy => Proxies::default(),
        None => Proxies::from_env(),
    };
    if opening.insecure {
        console.message(&said!("warning: TLS certificates are not verified (--insecure)"));
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
        .map_err(|error| Failure::Input(about("--allow", error.message_in(language()).to_string())))?;
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
        // What they hold is read when a server shows a certificate.
        readable(file).map_err(|error| {
            let why =
                if file.is_dir() { words!("it is a directory").into() } else { Message::from(os_message(&error)) };
            let name = secret::masked_path(file);
            Failure::Input(about("--cacert", message!("cannot read {name}: {why}", name = name, why = why)))
        })?;
        options.roots = Roots::Pem(file.clone());
    }
    let (ftp, asked) = (&mut options.ftp, &opening.ftp);
    if let Some(address) = &asked.anonymous {
        if address.contains(char::is_control) {
            let why = words!(
                "a control character would end or change the command that holds it (S-4); give an address such as `joe@host.example`"
            );
            return Err(Failure::Input(about("--anonymous", why)));
        }
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

/// Whether a file is there that can be read.
fn readable(file: &Path) -> io::Result<()> {
    match File::open(file)?.metadata()?.is_dir() {
        true => Err(io::ErrorKind::IsADirectory.into()),
        false => Ok(()),
    }
}

/// The value of an option is not what it has to be.
pub(crate) fn unusable(option: &'static str, error: &Error) -> Failure {
    Failure::Input(about(option, error.message_in(language()).to_string()))
}

/// Options for news. For the server, the option comes before the environment, and that before the settings.
fn news(asked: &cli::News, news: &mut NewsOptions) -> Result<(), Failure> {
    if let Some(server) = &asked.news_server {
        news.server = Some(NewsServer::parse(server).map_err(|error| unusable("--news-server", &error))?);
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
    for text in texts {
        let (scheme, template) = text.split_once('=').ok_or_else(|| {
            let why = message!(
                "`{text}` has no `=`; {help}",
                text = secret::masked_option(text),
                help = words!("use `SCHEME=TEMPLATE`, as in `wais=http://gateway.example/wais?{url}`")
            );
            Failure::Input(about("--gateway", why))
        })?;
        gateways
            .route(scheme, template)
            .map_err(|error| Failure::Input(about("--gateway", error.message_in(language()).to_string())))?;
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
            let why = words!(
                "a password on the command line can be read by every user of the machine: give the name alone, and the password is asked for; or use --netrc-file (in a name itself, a colon is `%3A` in the URL)"
            );
            return Err(Failure::Input(about("--user", why)));
        }
        credentials.login = Some(ServerLogin::of(user));
    }
    let file = match &opening.netrc_file {
        Some(file) => Some(file.clone()),
        None if opening.netrc => {
            let nowhere = || {
                let why = words!("cannot find your home directory; use --netrc-file");
                Failure::Input(about("--netrc", why))
            };
            Some(Netrc::usual_place().ok_or_else(nowhere)?)
        }
        None => None,
    };
    if let Some(file) = file {
        credentials.netrc =
            Some(Netrc::read(&file).map_err(|error| Failure::Input(error.message_in(language()).to_string()))?);
    }
    credentials.http_userinfo = opening.http_userinfo;
    credentials.prompt = Some(Arc::new(TerminalPrompt { console: console.clone(), cancel }));
    Ok(credentials)
}

/// Parses a record. Prints its warnings, or the errors that make it invalid. A fragment is cut, where it can be nothing else.
pub(crate) fn url<'a>(record: &Record<'a>, profile: Profile, console: &Console) -> Result<Url<&'a str>, Status> {
    if let Some(long) = record.too_long {
        console.message(&long.message());
        return Err(Status::Failed(ErrorKind::InvalidUrl));
    }
    let mut diagnosis = diagnose(record.octets, profile);
    let (fragment, meant) = match diagnosis.is_valid() {
        true => (None, None),
        false => {
            let meant = Meant::of_diagnosis(&diagnosis, false);
            (meant.only_fragment(), meant.line_in(language()))
        }
    };
    if let Some(fragment) = fragment {
        let shown = secret::elided_in(&record.octets[fragment.clone()], false, QUOTED, language());
        let cut = message!("`{text}` is a fragment and not part of the URL (D-08); it is cut", text = shown);
        console.remark(&noted("fragment-cut", cut));
        diagnosis = diagnose(&record.octets[..fragment.start], profile);
    }
    let url = diagnosis.url();
    let wanted = if url.is_some() { Level::Warning } else { Level::Error };
    let wanted = diagnosis.problems().iter().filter(|problem| problem.level() == wanted);
    let (problems, more) = snippets::worst(wanted, MOST_PROBLEMS, Problem::level);
    for problem in problems {
        let line = about(at(&diagnosis, record), problem.display_in(language()).to_string());
        if url.is_some() { console.remark(&line) } else { console.message(&line) }
    }
    if more > 0 {
        console.message(&said!("... and {count} more", count = more));
    }
    url.ok_or_else(|| {
        if let Some(line) = meant {
            console.message(&line);
        }
        console.message(&said!("run `urlwise explain` to see the details"));
        Status::Failed(ErrorKind::InvalidUrl)
    })
}

/// The text that a problem is about and its location, for the message to begin with.
fn at(diagnosis: &Diagnosis<'_>, record: &Record<'_>) -> String {
    let text = secret::elided_in(diagnosis.octets(), false, QUOTED, language());
    match record.place {
        Some(place) => format!("{}:{}: {text}", place.file, place.number),
        None => text,
    }
}

/// Prints a failure with the URL that it happened at, and returns the exit status.
pub(crate) fn failed(error: &Error, console: &Console) -> Status {
    notes(error.notes(), console);
    let shown = |url: &str| secret::elided_in(url.as_bytes(), true, LONGEST_URL, language());
    console.message(&match error.url() {
        Some(url) if error.redirects().is_empty() => about(shown(url), hint::message(error)),
        Some(url) => said!(
            "{url} (from {before}): {message}",
            url = shown(url),
            before = list(error.redirects().iter().map(|url| Message::from(shown(url)))),
            message = hint::message(error)
        ),
        None => hint::message(error),
    });
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
        let sentence = note.message_in(language()).to_string();
        console.remark(&noted(
            note.code,
            match hint::note(note) {
                Some(help) => message!("{sentence}; {help}", sentence = sentence, help = help),
                None => sentence.into(),
            },
        ));
    }
}

/// The line of a note.
fn noted(code: &'static str, message: Message) -> String {
    said!("note[{code}]: {message}", code = code, message = message)
}
