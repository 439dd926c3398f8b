//! The options of telnet sessions.

use clap::{Args, ValueEnum};
use urlwise_open::protocol::telnet::{LineEnd, TerminalType};

/// Options for telnet sessions.
#[derive(Args, Debug)]
#[command(next_help_heading = "Telnet")]
pub(crate) struct Telnet {
    /// Key that opens the prompt: a character, `^X` for Ctrl-X, or `none` [default: ^]]
    ///
    /// All other keys go to the server, including Ctrl-C. The prompt has help, close, status, login, send and suspend.
    #[arg(long, hide_short_help = true, value_name = "KEY", value_parser = escape_key)]
    pub(crate) escape_key: Option<Key>,

    /// Terminal type to announce to servers [default: xterm]
    #[arg(long, hide_short_help = true, value_name = "NAME", value_parser = terminal_type)]
    pub(crate) terminal_type: Option<TerminalType>,

    /// Line end to send for the Enter key and for lines of a pipe [default: cr-lf]
    #[arg(long, hide_short_help = true, value_enum, value_name = "END")]
    pub(crate) enter: Option<Enter>,
}

/// The escape key; `None` if there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key(pub(crate) Option<u8>);

impl Default for Key {
    fn default() -> Key {
        Key(Some(0x1d))
    }
}

/// Line ends to send.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Enter {
    /// CR LF, as in RFC 1123
    CrLf,
    /// CR NUL, for some old servers
    CrNul,
    /// LF
    Lf,
}

impl From<Enter> for LineEnd {
    fn from(enter: Enter) -> LineEnd {
        match enter {
            Enter::CrLf => LineEnd::CrLf,
            Enter::CrNul => LineEnd::CrNul,
            Enter::Lf => LineEnd::Lf,
        }
    }
}

fn escape_key(text: &str) -> Result<Key, String> {
    match text.as_bytes() {
        b"none" => Ok(Key(None)),
        // Ctrl clears the upper three bits.
        [b'^', key @ b'?'..=b'_' | key @ b'a'..=b'z'] => Ok(Key(Some(if *key == b'?' { 0x7f } else { key & 0x1f }))),
        [key] if key.is_ascii_graphic() => Ok(Key(Some(*key))),
        _ => Err("give one character of ASCII, `^X` for Ctrl-X, or `none`".into()),
    }
}

fn terminal_type(text: &str) -> Result<TerminalType, String> {
    TerminalType::new(text).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::{Key, escape_key};

    #[test]
    fn keys_are_parsed() {
        for (text, key) in [
            ("^]", Some(0x1d)),
            ("^x", Some(0x18)),
            ("^?", Some(0x7f)),
            ("~", Some(b'~')),
            ("^", Some(b'^')),
            ("none", None),
        ] {
            assert_eq!(escape_key(text), Ok(Key(key)), "{text}");
        }
        for text in ["", "^^^", "ab", "^\u{e9}", "\u{e9}", " ", "\u{1b}"] {
            assert!(escape_key(text).is_err(), "{text}");
        }
    }
}
