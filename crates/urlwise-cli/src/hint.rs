//! The options for the hints of errors: the library knows settings, but only the program knows their options.

use urlwise::{Message, Words};
use urlwise_open::protocol::Note;
use urlwise_open::{Error, Hint};

use crate::language::{language, message, said, words};

/// The rule that `--public-only` brings into force.
const ONLY_PUBLIC: &str = "address-local";

/// The message of an error with what caused it, such as the system's own words, and the option that helps. One line.
pub(crate) fn message(error: &Error) -> String {
    let sentence = format!("{:#}", error.message_in(language()));
    let help = match error.refused_by() {
        Some(ONLY_PUBLIC) => Some(words!("leave out `--public-only` to open it").into()),
        _ => error.hint().and_then(option),
    };
    match help {
        Some(help) => said!("{sentence}; {help}", sentence = sentence, help = help),
        None => sentence,
    }
}

/// What to do about an error on a page, with an option of `serve`; `None` if no option helps.
#[cfg(feature = "serve")]
pub(crate) fn help(error: &Error) -> Option<String> {
    on_page(error).map(|help| help.in_language(language()).to_string())
}

#[cfg(feature = "serve")]
fn on_page(error: &Error) -> Option<Message> {
    if error.refused_by() == Some("file-from-network") {
        return Some(words!("start `urlwise serve` with `--files` to open files of this machine").into());
    }
    if error.refused_by() == Some("address-metadata") {
        return Some(
            words!(
                "no option of `urlwise serve` opens it; run `urlwise get` in a terminal and give it the URL yourself"
            )
            .into(),
        );
    }
    if error.refused_by() == Some(ONLY_PUBLIC) {
        return Some(words!("start `urlwise serve` without `--public-only` to open it").into());
    }
    match error.hint()? {
        Hint::AllowRule(rule) => {
            Some(message!("start `urlwise serve` with `--allow {rule}` to open it anyway", rule = rule))
        }
        Hint::NewsServer => Some(
            words!(
                "start `urlwise serve` with `--news-server`, set the variable NNTPSERVER, or add it to your settings"
            )
            .into(),
        ),
        // Pages do not log in by a name of the command line.
        Hint::Login => Some(words!("see `--netrc` of `urlwise serve`").into()),
        Hint::Netrc => Some(
            words!(
                "start `urlwise serve` with `--netrc`, or run the command below in a terminal, which asks for the password"
            )
            .into(),
        ),
        other => name(other).map(|name| message!("see `--{option}` of `urlwise serve`", option = name)),
    }
}

/// The option that helps to get more than a note says, if there is one.
pub(crate) fn note(note: &Note) -> Option<Words> {
    match (note.code, note.count) {
        // Where the server has cut the answer, no option gets more.
        ("more-hits", Some(_)) => Some(words!("use `--max-hits` to list more")),
        _ => None,
    }
}

/// What to do; `None` for hints of a newer library.
fn option(hint: Hint) -> Option<Message> {
    match hint {
        Hint::AllowRule(rule) => Some(message!("use `--allow {rule}` to open it anyway", rule = rule)),
        Hint::NewsServer => {
            Some(words!("use `--news-server`, set the variable NNTPSERVER, or add it to your settings").into())
        }
        Hint::Login => Some(words!("see `--user` or `--netrc`").into()),
        other => name(other).map(|name| message!("see `--{option}`", option = name)),
    }
}

/// The name of the only option that a hint is about, with its value.
fn name(hint: Hint) -> Option<&'static str> {
    Some(match hint {
        Hint::Netrc => "netrc",
        Hint::Roots => "cacert",
        Hint::SkipEmptyCwd => "skip-empty-cwd",
        Hint::SingleCwd => "ftp-method single",
        Hint::SpecialFiles => "special-files",
        Hint::Raw => "raw",
        Hint::MaxSize => "max-size",
        Hint::ConnectTimeout => "connect-timeout",
        Hint::FirstByteTimeout => "first-byte-timeout",
        Hint::IdleTimeout => "idle-timeout",
        Hint::MinRate => "min-rate",
        Hint::Timeout => "max-time",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::option;
    use crate::cli::Cli;
    use clap::CommandFactory;
    use urlwise_open::Hint;

    #[test]
    fn every_option_that_a_hint_names_exists() {
        let cli = Cli::command();
        let get = cli.find_subcommand("get").expect("there is get");
        let options: Vec<_> = get.get_arguments().filter_map(clap::Arg::get_long).collect();
        for hint in [
            Hint::AllowRule("x"),
            Hint::NewsServer,
            Hint::Login,
            Hint::Netrc,
            Hint::Roots,
            Hint::SkipEmptyCwd,
            Hint::SingleCwd,
            Hint::SpecialFiles,
            Hint::Raw,
            Hint::MaxSize,
            Hint::ConnectTimeout,
            Hint::FirstByteTimeout,
            Hint::IdleTimeout,
            Hint::MinRate,
            Hint::Timeout,
        ] {
            let words = option(hint).expect("it has words").to_string();
            let named: Vec<_> = words.split("--").skip(1).filter_map(|rest| rest.split([' ', '`']).next()).collect();
            assert!(!named.is_empty() && named.iter().all(|name| options.contains(name)), "{words}");
        }
    }
}
