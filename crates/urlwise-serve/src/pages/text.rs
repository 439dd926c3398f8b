//! Text of others as text of a page: readable, and unable to hide or turn around what stands beside it. What is markup in HTML is
//! escaped by the template engine, not here.

use std::borrow::Cow;
use std::fmt::Write as _;

use maud::{Markup, html};
use urlwise::find::Finder;
use urlwise::{Scheme, Url, escape_for_display, is_harmful};
use urlwise_open::protocol::gopher;

use super::super::http::fields::link;
use super::super::opening::{PROFILE, without_password};

/// The longest line in which URLs are looked for.
const LONGEST_LINKED: usize = 16 * 1024;

/// Octets of a server as text: UTF-8, else Latin-1, which is what gopher means and old servers send (D-96).
pub(crate) fn read(octets: &[u8]) -> Cow<'_, str> {
    gopher::text(octets)
}

/// The text with controls, direction marks and what else could deceive written as escapes; tabs stay.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    let is_odd = |c: char| c != '\t' && is_harmful(c);
    if !text.contains(is_odd) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match is_odd(c) {
            // Writing to a String cannot fail.
            true => drop(write!(shown, "{}", escape_for_display(c.encode_utf8(&mut [0; 4]).as_bytes()))),
            false => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// Octets of a server, to be shown.
pub(crate) fn shown(octets: &[u8]) -> String {
    visible(&read(octets)).into_owned()
}

/// The URL as people see it, its password masked.
pub(crate) fn url(url: &Url<&str>) -> String {
    visible(&url.masked().to_string()).into_owned()
}

/// A text that may be a URL, its passwords masked.
pub(crate) fn masked(text: &str) -> String {
    let mut masked = String::new();
    let mut at = 0;
    for secret in urlwise::secrets(text.as_bytes()) {
        masked.extend([&text[at..secret.start], "***"]);
        at = secret.end;
    }
    masked.push_str(&text[at..]);
    visible(&masked).into_owned()
}

/// A line with its URLs as links.
pub(crate) fn line(text: &str) -> Markup {
    let finder = Finder::new().profile(PROFILE);
    let hits = (text.len() <= LONGEST_LINKED).then(|| finder.hits(text.as_bytes())).into_iter().flatten();
    let mut at = 0;
    let mut pieces = Vec::new();
    for hit in hits {
        let Some(url) = hit.url() else { continue };
        let (span, before) = (hit.span(), text.get(at..hit.span().start));
        if let (Some(before), Some(written)) = (before, text.get(span.clone())) {
            pieces.push((before, Some((link("/open", &without_password(&url)), masked(written)))));
            at = span.end;
        }
    }
    pieces.push((&text[at..], None));
    html! {
        @for (before, link) in &pieces {
            (visible(before))
            @if let Some((path, written)) = link { a href=(path) { (written) } }
        }
    }
}

/// A message of ours, its passwords masked: what it has between backticks is code.
pub(crate) fn message(message: &str) -> Markup {
    let message = masked(message);
    let pieces: Vec<&str> = message.split('`').collect();
    // A backtick that ends nothing is one that the message is about.
    let is_paired = pieces.len() % 2 == 1 && pieces.iter().skip(1).step_by(2).all(|piece| !piece.is_empty());
    html! {
        @if is_paired {
            @for (at, piece) in pieces.iter().enumerate() { @if at % 2 == 1 { code { (piece) } } @else { (piece) } }
        } @else {
            (message)
        }
    }
}

/// The command of the program that does what the page does, for a shell.
pub(crate) fn command(command: &str, url: &Url<&str>) -> String {
    quoted(command, &without_password(url))
}

/// A command with a text as its argument, for a shell.
pub(crate) fn quoted(command: &str, argument: &str) -> String {
    let quoted = visible(argument).replace('\'', "'\\''");
    // What begins like an option is none.
    let end = if argument.starts_with('-') { " --" } else { "" };
    ["urlwise ", command, end, " '", &quoted, "'"].concat()
}

/// Octets with a unit.
pub(crate) fn size(octets: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut unit = 0;
    let mut rest = octets;
    while rest >= 10_240 && unit + 1 < UNITS.len() {
        rest /= 1024;
        unit += 1;
    }
    [&rest.to_string(), " ", UNITS[unit]].concat()
}

/// The name of a scheme's kind of place, for people.
pub(crate) fn scheme(scheme: Scheme) -> &'static str {
    match scheme.base() {
        Scheme::Ftp => "FTP server",
        Scheme::Http => "Web server",
        Scheme::Gopher => "Gopher server",
        Scheme::News | Scheme::Nntp => "News server",
        Scheme::Wais => "WAIS server",
        Scheme::Prospero => "Prospero server",
        Scheme::Finger => "Finger server",
        Scheme::File => "This machine",
        _ => "Server",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn security_67_nothing_hides_or_turns_around_what_is_beside_it() {
        assert_eq!(visible("a\u{202e}b\u{1b}[m\0\u{200b}\tc\\d"), "a\\u{202e}b\\x1b[m\\x00\\u{200b}\tc\\d");
        assert!(matches!(visible("plain \u{e9}"), Cow::Borrowed(_)));
        assert_eq!(shown(b"caf\xe9 \x9b"), "caf\u{e9} \\u{9b}");
    }

    #[test]
    fn security_67_a_line_is_escaped_around_and_in_its_links() {
        let markup =
            line("see <b>\"x\"</b> ftp://joe:s3cret@h.example/a&b<script> and javascript:alert(1)").into_string();
        assert!(markup.contains("&lt;b&gt;&quot;x&quot;&lt;/b&gt;"), "{markup}");
        assert!(markup.contains("href=\"/open?url=ftp%3A%2F%2Fjoe%40h.example%2Fa%26b\""), "{markup}");
        assert!(!markup.contains("s3cret") && !markup.contains("<script") && !markup.contains("<b>"), "{markup}");
        assert_eq!(markup.matches("<a ").count(), 1, "{markup}");
    }

    #[test]
    fn what_a_message_has_between_backticks_is_code() {
        let shown = |text| message(text).into_string();
        assert_eq!(shown("Write `%20`, or `<b>`."), "Write <code>%20</code>, or <code>&lt;b&gt;</code>.");
        assert_eq!(shown("``` (60) is wrong"), "``` (60) is wrong");
        assert_eq!(shown("a ` b"), "a ` b");
        assert_eq!(shown("see ftp://joe:s3cret@h.example/"), "see ftp://joe:***@h.example/");
    }

    #[test]
    fn commands_can_be_pasted_into_a_shell() {
        let url = Url::parse_with("gopher://h.example/0it's", PROFILE).expect("a valid URL");
        assert_eq!(command("get", &url), "urlwise get 'gopher://h.example/0it'\\''s'");
        assert_eq!(quoted("explain", "--help"), "urlwise explain -- '--help'");
    }

    #[test]
    fn sizes_have_a_unit_that_keeps_them_short() {
        for (octets, expected) in
            [(0, "0 B"), (10_239, "10239 B"), (10_240, "10 KiB"), (5 << 20, "5120 KiB"), (u64::MAX, "16777215 TiB")]
        {
            assert_eq!(size(octets), expected);
        }
    }
}
