//! The options of telnet sessions.

use clap::{Args, ValueEnum};
use urlwise_open::protocol::telnet::{LineEnd, TerminalType};

/// How telnet sessions are held.
#[derive(Args, Debug)]
#[command(next_help_heading = "How telnet sessions are held")]
pub(crate) struct Telnet {
    /// The key that leaves a session for a prompt: a character, `^X` for Ctrl-X, or `none`; `^]` by default
    ///
    /// All other keys are the server's, Ctrl-C too. The prompt has help, close, status, login, send and suspend.
    #[arg(long, value_name = "KEY", value_parser = escape_key)]
    pub(crate) escape_key: Option<Key>,

    /// Tell servers that the terminal is of this type; `xterm` by default, whatever TERM says
    #[arg(long, value_name = "NAME", value_parser = terminal_type)]
    pub(crate) terminal_type: Option<TerminalType>,

    /// What the Enter key sends, and the end of each line of a pipe; `cr-lf` by default
    #[arg(long, value_enum, value_name = "END")]
    pub(crate) enter: Option<Enter>,
}

/// A key that may be none at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key(pub(crate) Option<u8>);

impl Default for Key {
    fn default() -> Key {
        Key(Some(0x1d))
    }
}

/// Ends of lines, with the help of each.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Enter {
    /// CR LF, as RFC 1123 wants it
    CrLf,
    /// CR NUL, which some old servers want
    CrNul,
    /// LF alone
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
        // The control key takes the upper bits of these away.
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
    fn keys_have_names() {
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
