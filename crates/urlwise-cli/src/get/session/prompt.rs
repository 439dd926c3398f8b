//! What can be said at the prompt behind the escape key.

use std::fmt::Write as _;

use urlwise_open::protocol::telnet::Function;

/// An order of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Back to the session.
    Back,
    Help,
    Close,
    Status,
    Login,
    Send(What),
    Suspend,
}

/// What is to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Function(Function),
    /// The escape key itself.
    Escape,
}

/// Each order with its name and its help; any beginning that fits no other order will do.
const ORDERS: &[(&str, Order, &str)] = &[
    ("help", Order::Help, "show this list"),
    ("close", Order::Close, "end the session"),
    ("quit", Order::Close, "end the session"),
    ("status", Order::Status, "show the state of the session"),
    ("login", Order::Login, "show the login that the URL suggests"),
    ("suspend", Order::Suspend, "suspend the program; `fg` resumes it"),
];

const ESCAPE: &str = "escape";

/// The order of a line; else what to tell.
pub(super) fn order(line: &str) -> Result<Order, String> {
    let mut words = line.split_whitespace();
    let (first, second, third) = (words.next(), words.next(), words.next());
    match (first, second, third) {
        (None, ..) => Ok(Order::Back),
        (Some("?"), None, _) => Ok(Order::Help),
        (Some("send"), Some(what), None) => {
            if what == ESCAPE {
                return Ok(Order::Send(What::Escape));
            }
            let function = Function::ALL.iter().find(|function| function.name() == what);
            function.map(|function| Order::Send(What::Function(*function))).ok_or_else(|| unknown(what))
        }
        (Some(word), None, _) => {
            let mut fitting = ORDERS.iter().filter(|(name, ..)| name.starts_with(word));
            match (fitting.next(), fitting.next()) {
                (Some((_, order, _)), None) => Ok(*order),
                _ => Err(unknown(word)),
            }
        }
        (Some(word), ..) => Err(unknown(word)),
    }
}

fn unknown(word: &str) -> String {
    format!("unknown command `{}`; type `help` for a list\n", urlwise::escape_for_display(word.as_bytes()))
}

/// The help, in lines of at most 60 columns.
pub(super) fn help() -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    for (name, _, meaning) in ORDERS {
        let _ = writeln!(text, "  {name:<12}{meaning}");
    }
    let send = Function::ALL.iter().map(|function| (function.name(), function.meaning()));
    for (name, meaning) in send.chain([(ESCAPE, "send the escape key itself")]) {
        let _ = writeln!(text, "  {:<12}{meaning}", format!("send {name}"));
    }
    text + "  an empty line returns to the session\n"
}

#[cfg(test)]
mod tests {
    use super::{Order, What, help, order};
    use urlwise_open::protocol::telnet::Function;

    #[test]
    fn orders_are_known_by_any_beginning_that_fits_one_alone() {
        for (line, expected) in [
            ("", Order::Back),
            ("  \n", Order::Back),
            ("?\n", Order::Help),
            ("h\n", Order::Help),
            ("q", Order::Close),
            ("close\n", Order::Close),
            ("st", Order::Status),
            ("su", Order::Suspend),
            ("l", Order::Login),
            ("send ayt", Order::Send(What::Function(Function::AreYouThere))),
            ("send  escape\n", Order::Send(What::Escape)),
        ] {
            assert_eq!(order(line), Ok(expected), "{line:?}");
        }
        for line in ["s", "x", "send", "send x", "send ayt twice", "close now", "\x1b[2J"] {
            let told = order(line).expect_err(line);
            assert!(!told.trim_end().contains(char::is_control), "{told:?}");
        }
    }

    #[test]
    fn the_help_fits_in_60_columns_and_names_every_function() {
        let text = help();
        assert!(text.lines().all(|line| line.len() <= 60), "{text}");
        for function in Function::ALL {
            assert!(text.contains(&format!("send {} ", function.name())), "{text}");
        }
    }
}
