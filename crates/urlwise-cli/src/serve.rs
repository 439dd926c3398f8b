//! `urlwise serve`: a page on this machine by which a browser opens URLs.

use std::io::Write;

use urlwise_serve::{Gateway, Options};

use crate::cli::Serve;
use crate::console::Console;
use crate::exit::{Failure, Outcome};
use crate::get;
use crate::settings::Settings;
use crate::{access, browser, hint, open};

/// Serves until nothing was asked for during the idle time.
pub(crate) fn run(serve: &Serve, out: &mut dyn Write) -> Result<Outcome, Failure> {
    if serve.opening.user.is_some() {
        let why = "--user: pages do not log in by a name of the command line; use --netrc or --netrc-file";
        return Err(Failure::Input(why.into()));
    }
    let console = Console::default();
    let mut options = Options::default();
    let client = access::options(&serve.opening, &Settings::of(&serve.opening.own)?, &console, None)?;
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
    options.first.clone_from(&serve.url);
    let mut gateway =
        Gateway::bind(options).map_err(|error| Failure::Input(format!("cannot listen on loopback: {error}")))?;
    #[cfg(unix)]
    if let Some(folder) = open::session_folder() {
        // Without it `urlwise open` starts a gateway of its own.
        gateway.listen_for_programs(&folder);
    }
    writeln!(out, "{}", gateway.start_url())?;
    out.flush()?;
    if let Err(why) = if serve.no_browser { Ok(()) } else { browser::start(gateway.start_url()) } {
        console.message(&why);
    }
    gateway.run().map_err(|error| Failure::Input(format!("cannot serve: {error}")))?;
    Ok(Outcome::Fine)
}
