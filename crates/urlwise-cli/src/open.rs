//! `urlwise open`: opens a URL in the browser, by the gateway that runs or by one that it starts.

use std::io::{BufRead, BufReader, Write};
#[cfg(unix)]
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::browser;
use crate::cli::OpenInBrowser;
#[cfg(unix)]
use crate::console;
use crate::exit::{Failure, Outcome, os_message};
use crate::language::{about, message, said, words};

/// The folder in which a running gateway can be asked; the error is the one that is not safe.
#[cfg(unix)]
pub(crate) fn session_folder() -> Result<PathBuf, PathBuf> {
    urlwise_serve::session_folder(browser::folder("XDG_RUNTIME_DIR").as_deref(), &std::env::temp_dir())
}

/// Opens the browser, or prints the address.
pub(crate) fn run(open: &OpenInBrowser, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let (address, until) = match running(&open.url) {
        Some(address) => (address, words!("open this address yourself within a minute")),
        None => {
            let until =
                words!("open this address yourself; the gateway behind it ends after half an hour without a request");
            (started(&open.url)?, until)
        }
    };
    if open.no_browser {
        writeln!(out, "{address}")?;
        return Ok(Outcome::Fine);
    }
    browser::start(&address).map_err(|why| {
        let what = message!("no browser could be started ({why}); {until}", why = why, until = until);
        Failure::Input(about(what, address.as_str()))
    })?;
    Ok(Outcome::Fine)
}

/// The address that the running gateway gives for the URL.
fn running(url: &str) -> Option<String> {
    #[cfg(unix)]
    return match session_folder() {
        Ok(folder) => urlwise_serve::running(&folder, url),
        Err(folder) => {
            let folder = console::shown(folder);
            console::message(&format!(
                "no running gateway can be found, so this starts another one: XDG_RUNTIME_DIR names no folder that only you can enter, \
                 and neither is {folder}; set XDG_RUNTIME_DIR to a folder of yours with the mode 0700"
            ));
            None
        }
    };
    #[cfg(not(unix))]
    return None;
}

/// The address that a new gateway prints, which goes on when this program has ended.
fn started(url: &str) -> Result<String, Failure> {
    let unable = |why: String| Failure::Input(said!("cannot start a gateway: {why}", why = why));
    let program = std::env::current_exe().map_err(|error| unable(os_message(&error)))?;
    let mut gateway = Command::new(program);
    gateway.args(["serve", "--no-browser", "--", url]);
    // It holds neither the terminal nor the folder.
    gateway.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).current_dir("/");
    browser::detached(&mut gateway);
    let mut child = gateway.spawn().map_err(|error| unable(os_message(&error)))?;
    let mut address = String::new();
    if let Some(stdout) = child.stdout.take() {
        BufReader::new(stdout).read_line(&mut address).map_err(|error| unable(os_message(&error)))?;
    }
    match address.strip_suffix('\n') {
        Some(address) => Ok(address.to_owned()),
        None => Err(unable(said!("`urlwise serve` says why"))),
    }
}
