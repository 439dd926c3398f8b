//! `urlwise open`: opens a URL in the browser, by the gateway that runs or by one that it starts.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use crate::browser;
use crate::cli::OpenInBrowser;
use crate::exit::{Failure, Outcome};

/// The folder of the login session, in which a running gateway can be asked.
pub(crate) fn session_folder() -> Option<std::path::PathBuf> {
    browser::folder("XDG_RUNTIME_DIR")
}

/// Opens the browser, or prints the address.
pub(crate) fn run(open: &OpenInBrowser, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let address = match running(&open.url) {
        Some(address) => address,
        None => started(&open.url)?,
    };
    if open.no_browser {
        writeln!(out, "{address}")?;
        return Ok(Outcome::Fine);
    }
    browser::start(&address).map_err(|why| Failure::Input(format!("{why}: {address}")))?;
    Ok(Outcome::Fine)
}

/// The address that the running gateway gives for the URL.
fn running(url: &str) -> Option<String> {
    #[cfg(unix)]
    return urlwise_serve::running(&session_folder()?, url);
    #[cfg(not(unix))]
    return None;
}

/// The address that a new gateway prints, which goes on when this program has ended.
fn started(url: &str) -> Result<String, Failure> {
    let unable = |why: String| Failure::Input(format!("cannot start a gateway: {why}"));
    let program = std::env::current_exe().map_err(|error| unable(error.to_string()))?;
    let mut gateway = Command::new(program);
    gateway.args(["serve", "--no-browser", "--", url]);
    // It holds neither the terminal nor the folder.
    gateway.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).current_dir("/");
    browser::detached(&mut gateway);
    let mut child = gateway.spawn().map_err(|error| unable(error.to_string()))?;
    let mut address = String::new();
    if let Some(stdout) = child.stdout.take() {
        BufReader::new(stdout).read_line(&mut address).map_err(|error| unable(error.to_string()))?;
    }
    match address.strip_suffix('\n') {
        Some(address) => Ok(address.to_owned()),
        None => Err(unable("`urlwise serve` says why".into())),
    }
}
