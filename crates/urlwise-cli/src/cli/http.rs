//! The options for http requests.

use clap::Args;

/// Options for http and https.
#[derive(Args, Debug)]
#[command(next_help_heading = "HTTP")]
pub(crate) struct Http {
    /// Add a header field to requests, as in `Accept-Language: de`
    ///
    /// May be repeated, and replaces a field of the same name. The fields go to the scheme, host and port of the URL you give, and do
    /// not follow redirects elsewhere. `@FILE` reads them from a file, one per line: other users of the machine can see arguments,
    /// but not a private file. Dialogues mask the values. Fields that say how a request is sent, such as Host and
    /// Transfer-Encoding, are refused.
    #[arg(short = 'H', long = "header", hide_short_help = true, value_name = "FIELD")]
    pub(crate) headers: Vec<String>,

    /// User agent to name; an empty one is not sent [default: urlwise/VERSION]
    #[arg(short = 'A', long, hide_short_help = true, value_name = "NAME", value_parser = user_agent)]
    pub(crate) user_agent: Option<String>,
}

/// Printable US-ASCII: anything else could begin another field, or is read differently by servers.
fn user_agent(text: &str) -> Result<String, String> {
    let is_good = text.bytes().all(|octet| matches!(octet, b' '..=b'~'));
    is_good.then(|| text.trim().to_owned()).ok_or_else(|| "use printable US-ASCII characters".into())
}

#[cfg(test)]
mod tests {
    use super::user_agent;

    #[test]
    fn security_56_a_user_agent_is_one_line_of_ascii() {
        assert_eq!(user_agent(" me/1.0 (x) ").as_deref(), Ok("me/1.0 (x)"));
        assert_eq!(user_agent("").as_deref(), Ok(""));
        for text in ["a\r\nHost: b", "a\n", "\t", "caf\u{e9}", "\u{7f}"] {
            assert!(user_agent(text).is_err(), "{text:?}");
        }
    }
}
