//! Starts the browser of the person, without a shell.

use std::ffi::{OsStr, OsString};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use urlwise::Message;

use crate::console::shown;
use crate::exit::os_message;
use crate::language::{list, message};

/// The program that opens a URL in the browser of the desktop.
const DESKTOP: &str = if cfg!(target_os = "macos") {
    "open"
} else if cfg!(windows) {
    "explorer"
} else {
    "xdg-open"
};

/// What stands between the commands of `$BROWSER`.
const BETWEEN: char = if cfg!(windows) { ';' } else { ':' };

/// How long a command is watched: one that finds no browser ends within it.
const WATCHED: Duration = Duration::from_secs(2);

/// Opens an address of the gateway, by the first command of `$BROWSER` that does not fail, else by the desktop. The address stands on a
/// command line as long as that takes, and works once. The error says what became of each command.
pub(crate) fn start(address: &str) -> Result<(), Message> {
    let named = std::env::var("BROWSER").unwrap_or_default();
    let mut commands = commands(&named, address);
    commands.push(vec![DESKTOP.into(), address.into()]);
    let mut failed = Vec::new();
    for command in &commands {
        let Some((program, arguments)) = command.split_first() else { continue };
        match run(program, arguments) {
            Ok(()) => return Ok(()),
            Err(why) => failed.push(message!("`{program}`: {why}", program = shown(program), why = why)),
        }
    }
    Err(list(failed))
}

/// The commands that `$BROWSER` names, as words: `%s` stands for the address, which is the last word without one.
fn commands(named: &str, address: &str) -> Vec<Vec<OsString>> {
    let command = |command: &str| {
        let mut words: Vec<OsString> =
            command.split_whitespace().map(|word| word.replace("%s", address).into()).collect();
        if !words.is_empty() && !command.contains("%s") {
            words.push(address.into());
        }
        words
    };
    named.split(BETWEEN).map(command).filter(|words| !words.is_empty()).collect()
}

/// Starts a command. One that fails at once has opened nothing; one that stays is the browser, or waits for it.
fn run(program: &OsStr, arguments: &[OsString]) -> Result<(), Message> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    detached(&mut command);
    let mut child = command.spawn().map_err(|error| Message::from(os_message(&error)))?;
    let ended = watched(&mut child);
    // Nobody asks how it ends later.
    thread::spawn(move || child.wait());
    ended
}

/// How a program ends that ends soon.
fn watched(child: &mut Child) -> Result<(), Message> {
    const LOOK: Duration = Duration::from_millis(20);
    let until = Instant::now() + WATCHED;
    while Instant::now() < until {
        match child.try_wait() {
            // `explorer` ends with 1 whatever it did.
            Ok(Some(status)) if status.success() || cfg!(windows) => return Ok(()),
            Ok(Some(status)) => {
                return Err(match status.code() {
                    Some(code) => message!("it ended with exit code {code}", code = code.to_string()),
                    None => message!("it was killed"),
                });
            }
            Ok(None) => thread::sleep(LOOK),
            Err(_) => break,
        }
    }
    Ok(())
}

/// Lets a program that is started outlive this one: Ctrl-C at the terminal is not for it.
pub(crate) fn detached(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// A variable that holds an absolute path.
pub(crate) fn folder(variable: impl AsRef<OsStr>) -> Option<std::path::PathBuf> {
    std::env::var_os(variable).map(std::path::PathBuf::from).filter(|folder| folder.is_absolute())
}

#[cfg(test)]
mod tests {
    use super::commands;

    #[test]
    fn security_71_the_address_is_a_word_or_within_one_and_nothing_is_for_a_shell() {
        let shown = |named: &str| -> Vec<String> {
            let words = commands(named, "http://a/$(x)");
            words
                .iter()
                .map(|words| words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join("|"))
                .collect()
        };
        assert_eq!(shown("firefox"), ["firefox|http://a/$(x)"]);
        if !cfg!(windows) {
            assert_eq!(shown("w3m -v %s:: lynx --url=%s"), ["w3m|-v|http://a/$(x)", "lynx|--url=http://a/$(x)"]);
        }
        assert_eq!(shown(" "), [""; 0]);
    }
}
