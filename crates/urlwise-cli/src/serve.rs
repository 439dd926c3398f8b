//! `urlwise serve`: a page on this machine by which a browser opens URLs.

use std::io::{self, Write};
use std::thread;

use urlwise::Scheme;
use urlwise_serve::{Gateway, Options};

use crate::cli::{self, Given, Serve};
use crate::console::Console;
use crate::exit::{Failure, Outcome, os_message};
use crate::get;
use crate::language::{about, language, said, words};
use crate::settings;
use crate::{access, browser, hint, open};

/// Serves until there was no request during the idle time.
pub(crate) fn run(serve: &Serve, out: &mut dyn Write) -> Result<Outcome, Failure> {
    if serve.opening.user.is_some() {
        let why = words!("pages do not log in by a name of the command line; use --netrc or --netrc-file");
        return Err(Failure::Input(about("--user", why)));
    }
    let console = Console::default();
    let mut options = Options::default();
    let client = access::options(&serve.opening, &settings::of(&serve.opening.own)?, &console, None)?;
    let limits = std::mem::replace(&mut options.client, client);
    options.client.max_size = options.client.max_size.or(limits.max_size);
    options.client.timeout = options.client.timeout.or(limits.timeout);
    let call = access::call(&serve.opening);
    options.call.last = call.last.or(options.call.last);
    options.call.groups = call.groups;
    options.port = serve.port.unwrap_or_default();
    options.files = serve.files;
    options.idle = Some(serve.idle);
    options.file_name = get::file_name;
    options.help = hint::help;
    options.language = language();
    let given = cli::given(&["ls", "get"]);
    let last = options.call.last;
    options.command_options = Box::new(move |command, scheme| command_options(&given, last, command, scheme));
    options.first.clone_from(&serve.url);
    let mut gateway = Gateway::bind(options).map_err(|error| Failure::Input(not_listening(serve.port, &error)))?;
    #[cfg(unix)]
    if let Ok(folder) = open::session_folder() {
        // Without it `urlwise open` starts a gateway of its own.
        gateway.listen_for_programs(&folder);
    }
    writeln!(out, "{}", gateway.start_url())?;
    out.flush()?;
    if !serve.no_browser {
        let address = gateway.start_url().to_owned();
        // The browser is watched for a moment, and wants an answer meanwhile.
        thread::spawn(move || {
            if let Err(why) = browser::start(&address) {
                console.message(&said!("no browser could be started ({why}); open the address yourself", why = why));
            }
        });
    }
    gateway.run().map_err(|error| Failure::Input(said!("cannot serve: {why}", why = os_message(&error))))?;
    Ok(Outcome::Fine)
}

/// Why there is no gateway, and what to do. A port that nobody chose is free.
fn not_listening(port: Option<u16>, error: &io::Error) -> String {
    match (port, error.kind()) {
        (Some(port), io::ErrorKind::AddrInUse) => said!(
            "port {port} of loopback is in use; name another one with `--port`, leave `--port` out for one that is free, or run `urlwise open` \
             if a gateway of yours has it",
            port = port
        ),
        (Some(port), _) => said!(
            "cannot listen on port {port} of loopback: {why}; name another one with `--port`, or leave `--port` out for one that is free",
            port = port,
            why = os_message(error)
        ),
        (None, _) => said!("cannot listen on loopback: {why}", why = os_message(error)),
    }
}

/// The options with which a command does what a page of this gateway does.
fn command_options(given: &[Given], last: Option<u64>, command: &str, scheme: Scheme) -> Vec<String> {
    let is_news = matches!(scheme.base(), Scheme::News | Scheme::Nntp);
    let is_about = |given: &&Given| is_news || !given.is_of_news;
    let mut words: Vec<String> = given.iter().filter(is_about).flat_map(|given| given.words.clone()).collect();
    // Pages list the newest articles only.
    if let (true, "ls", Some(last)) = (is_news, command, last)
        && !given.iter().any(|given| given.name == "last")
    {
        words.extend(["--last".into(), last.to_string()]);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::command_options;
    use crate::cli::Given;
    use urlwise::Scheme;

    #[test]
    fn commands_have_the_options_that_matter_for_their_url() {
        let given = |name: &str, value: &str, is_of_news| Given {
            name: name.into(),
            words: vec![format!("--{name}"), value.into()],
            is_of_news,
        };
        let mut all = vec![given("allow", "port-foreign", false), given("news-server", "h", true)];
        let shown = |given: &[Given], command, scheme| command_options(given, Some(1000), command, scheme).join(" ");
        assert_eq!(shown(&all, "ls", Scheme::Gopher), "--allow port-foreign");
        assert_eq!(shown(&all, "get", Scheme::News), "--allow port-foreign --news-server h");
        assert_eq!(shown(&all, "ls", Scheme::Nntp), "--allow port-foreign --news-server h --last 1000");
        all.push(given("last", "5", true));
        assert_eq!(shown(&all, "ls", Scheme::Nntps), "--allow port-foreign --news-server h --last 5");
        assert_eq!(shown(&[], "ls", Scheme::Ftp), "");
    }
}
