//! The options for the hints of errors: the library knows settings, but only the program knows their options.

use urlwise_open::protocol::Note;
use urlwise_open::{Error, Hint};

/// The message of an error with what caused it, such as the system's own words, and the option that helps. One line.
pub(crate) fn message(error: &Error) -> String {
    match error.hint().and_then(words) {
        Some(words) => format!("{error:#}; {words}"),
        None => format!("{error:#}"),
    }
}

/// What to do about an error with an option; `None` if no option helps.
#[cfg(feature = "serve")]
pub(crate) fn help(error: &Error) -> Option<String> {
    error.hint().and_then(words)
}

/// What to add to a note: the option that helps, if there is one.
pub(crate) fn note(note: &Note) -> &'static str {
    match (note.code, note.count) {
        // Where the server has cut the answer, no option gets more.
        ("more-hits", Some(_)) => "; use `--max-hits` to list more",
        _ => "",
    }
}

/// What to do; `None` for hints of a newer library.
fn words(hint: Hint) -> Option<String> {
    let option = match hint {
        Hint::AllowRule(rule) => return Some(format!("use `--allow {rule}` to open it anyway")),
        Hint::NewsServer => {
            return Some("use `--news-server`, set the variable NNTPSERVER, or add it to your settings".into());
        }
        Hint::Login => "user` or `--netrc",
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
    };
    Some(format!("see `--{option}`"))
}

#[cfg(test)]
mod tests {
    use super::words;
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
            let words = words(hint).expect("it has words");
            let named: Vec<_> = words.split("--").skip(1).filter_map(|rest| rest.split([' ', '`']).next()).collect();
            assert!(!named.is_empty() && named.iter().all(|name| options.contains(name)), "{words}");
        }
    }
}
