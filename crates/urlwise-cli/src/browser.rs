//! Starts the browser of the person, without a shell.

use std::ffi::{OsStr, OsString};
use std::process::{Command, Stdio};
use std::thread;

use crate::language::said;

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

/// Opens an address of the gateway, by the first command of `$BROWSER` that starts, else by the desktop. The address stands on a
/// command line as long as that takes, and works once. The error says what could not be started.
pub(crate) fn start(address: &str) -> Result<(), String> {
    let named = std::env::var("BROWSER").unwrap_or_default();
    let mut commands = commands(&named, address);
    commands.push(vec![DESKTOP.into(), address.into()]);
    match commands.iter().any(|command| is_started(command)) {
        true => Ok(()),
        false => Err(said!("`{program}` could not be started; open the address yourself", program = DESKTOP)),
    }
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

fn is_started(words: &[OsString]) -> bool {
    let Some((program, arguments)) = words.split_first() else { return false };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    detached(&mut command);
    let Ok(mut child) = command.spawn() else { return false };
    // Its end says nothing: some wait for the browser, and some do not.
    thread::spawn(move || child.wait());
    true
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
