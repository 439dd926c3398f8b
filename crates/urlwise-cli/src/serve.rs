//! `urlwise serve`: a page on this machine by which a browser opens URLs.

use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;

use urlwise_serve::{Gateway, Options};

use crate::cli::Serve;
use crate::console::Console;
use crate::exit::{Failure, Outcome};
use crate::get;
use crate::settings::Settings;
use crate::{access, hint};

/// The program that opens a URL in the browser of the desktop.
const BROWSER: &str = if cfg!(target_os = "macos") {
    "open"
} else if cfg!(windows) {
    "explorer"
} else {
    "xdg-open"
};

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
    let gateway =
        Gateway::bind(options).map_err(|error| Failure::Input(format!("cannot listen on loopback: {error}")))?;
    writeln!(out, "{}", gateway.start_url())?;
    out.flush()?;
    if !serve.no_browser && !browse(gateway.start_url()) {
        console.message(&format!("`{BROWSER}` could not be started; open the address yourself"));
    }
    gateway.run().map_err(|error| Failure::Input(format!("cannot serve: {error}")))?;
    Ok(Outcome::Fine)
}

/// Opens the browser. The address stands on a command line as long as that takes, and works once.
fn browse(address: &str) -> bool {
    let mut program = Command::new(BROWSER);
    program.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(mut child) = program.spawn() else { return false };
    // Its end says nothing: some wait for the browser, and some do not.
    thread::spawn(move || child.wait());
    true
}
