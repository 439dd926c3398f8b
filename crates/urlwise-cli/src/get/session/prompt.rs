//! The commands of the prompt that the escape key opens.

use std::fmt::Write as _;

use urlwise::Words;
use urlwise_open::protocol::telnet::Function;

use crate::language::{language, said, words};

/// A command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// Return to the session.
    Back,
    Help,
    Close,
    Status,
    Login,
    Send(What),
    Suspend,
}

/// What to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Function(Function),
    /// The escape key itself.
    Escape,
}

/// Each command with its name and help. Unambiguous prefixes are accepted.
const COMMANDS: &[(&str, Command, Words)] = &[
    ("help", Command::Help, words!("show this list")),
    ("close", Command::Close, words!("end the session")),
    ("quit", Command::Close, words!("end the session")),
    ("status", Command::Status, words!("show the state of the session")),
    ("login", Command::Login, words!("show the login that the URL suggests")),
    ("suspend", Command::Suspend, words!("suspend the program; `fg` resumes it")),
];

const ESCAPE: &str = "escape";

/// Parses a line; the error is a message.
pub(super) fn parse(line: &str) -> Result<Command, String> {
    let mut words = line.split_whitespace();
    let (first, second, third) = (words.next(), words.next(), words.next());
    match (first, second, third) {
        (None, ..) => Ok(Command::Back),
        (Some("?"), None, _) => Ok(Command::Help),
        (Some("send"), Some(what), None) => {
            if what == ESCAPE {
                return Ok(Command::Send(What::Escape));
            }
            let function = Function::ALL.iter().find(|function| function.name() == what);
            function.map(|function| Command::Send(What::Function(*function))).ok_or_else(|| unknown(what))
        }
        (Some(word), None, _) => {
            let mut matching = COMMANDS.iter().filter(|(name, ..)| name.starts_with(word));
            match (matching.next(), matching.next()) {
                (Some((_, command, _)), None) => Ok(*command),
                _ => Err(unknown(word)),
            }
        }
        (Some(word), ..) => Err(unknown(word)),
    }
}

fn unknown(word: &str) -> String {
    let name = urlwise::escape_for_display(word.as_bytes()).to_string();
    said!("unknown command `{name}`; type `help` for a list", name = name) + "\n"
}

/// The help, in lines of at most 60 columns.
pub(super) fn help() -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    for (name, _, meaning) in COMMANDS {
        let _ = writeln!(text, "  {name:<12}{}", meaning.get(language()));
    }
    let send = Function::ALL.iter().map(|function| (function.name(), function.meaning_in(language())));
    for (name, meaning) in send.chain([(ESCAPE, words!("send the escape key itself").get(language()))]) {
        let _ = writeln!(text, "  {:<12}{meaning}", format!("send {name}"));
    }
    text + "  " + &words!("an empty line returns to the session").get(language()) + "\n"
}

#[cfg(test)]
mod tests {
    use super::{COMMANDS, Command, What, help, parse};
    use unicode_width::UnicodeWidthStr;
    use urlwise::Language;
    use urlwise_open::protocol::telnet::Function;

    #[test]
    fn unambiguous_prefixes_of_commands_are_accepted() {
        for (line, expected) in [
            ("", Command::Back),
            ("  \n", Command::Back),
            ("?\n", Command::Help),
            ("h\n", Command::Help),
            ("q", Command::Close),
            ("close\n", Command::Close),
            ("st", Command::Status),
            ("su", Command::Suspend),
            ("l", Command::Login),
            ("send ayt", Command::Send(What::Function(Function::AreYouThere))),
            ("send  escape\n", Command::Send(What::Escape)),
        ] {
            assert_eq!(parse(line), Ok(expected), "{line:?}");
        }
        for line in ["s", "x", "send", "send x", "send ayt twice", "close now", "\x1b[2J"] {
            let message = parse(line).expect_err(line);
            assert!(!message.trim_end().contains(char::is_control), "{message:?}");
        }
    }

    /// The columns before the meaning of a command.
    const NAME: usize = 14;

    #[test]
    fn the_help_fits_in_60_columns_and_names_every_function() {
        let text = help();
        assert!(text.lines().all(|line| line.len() <= 60), "{text}");
        for language in Language::ALL {
            let meanings = COMMANDS.iter().map(|(.., meaning)| meaning.get(*language));
            let sent = Function::ALL.iter().map(|function| function.meaning_in(*language));
            for meaning in meanings.chain(sent) {
                assert!(NAME + meaning.width() <= 60, "{meaning}");
            }
        }
        for function in Function::ALL {
            assert!(text.contains(&format!("send {} ", function.name())), "{text}");
        }
    }
}
