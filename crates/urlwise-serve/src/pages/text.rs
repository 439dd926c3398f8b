//! Text of others as text of a page: readable, and unable to hide or turn around what stands beside it. What is markup in HTML is
//! escaped by the template engine, not here.

use std::borrow::Cow;
use std::fmt::Write as _;

use maud::{Markup, html};
use urlwise::find::Finder;
use urlwise::{Language, Scheme, Url, Words, is_harmful, write_for_display};
use urlwise_explain::secret::Secrets;
use urlwise_open::protocol::gopher;

use super::super::http::fields::link;
use super::super::opening::{PROFILE, without_password};
use crate::language::words;

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
            true => drop(write_for_display(c.encode_utf8(&mut [0; 4]).as_bytes(), &mut shown)),
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
    visible(&urlwise::without_secrets(text)).into_owned()
}

/// Octets that may be a URL, its passwords masked; what is not UTF-8 is escaped.
pub(crate) fn masked_octets(octets: &[u8]) -> String {
    match str::from_utf8(octets) {
        Ok(text) => masked(text),
        Err(_) => Secrets::of(octets, false).shown(octets, 0..octets.len()),
    }
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

/// The text with a capital letter in front. The name of a host stays as it is.
pub(crate) fn capital(text: &str) -> String {
    let first = text.split(' ').next().unwrap_or_default();
    if text[first.len()..].starts_with(" port ") || first.contains('.') {
        return text.to_owned();
    }
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// A message of ours as a sentence of its own: with a full stop unless it is a question, and in English with a capital letter.
pub(crate) fn sentence(text: &str, language: Language) -> Markup {
    let (text, stop) = match language {
        Language::En => (Cow::Owned(capital(text)), "."),
        #[allow(unreachable_patterns, reason = "English may be the only language that is built in")]
        _ => (Cow::Borrowed(text), "\u{3002}"),
    };
    let is_ended = text.ends_with(['.', '?', '\u{3002}', '\u{ff1f}']);
    html! { (message(&text)) @if !is_ended { (stop) } }
}

/// A text of ours with markup in the place of its placeholders; what it has between backticks is code.
pub(crate) fn marked(template: &str, values: &[(&str, Markup)]) -> Markup {
    let mut pieces = template.split('{');
    let first = pieces.next().unwrap_or_default();
    let rest = pieces.map(|piece| {
        let (name, after) = piece.split_once('}').unwrap_or((piece, ""));
        (values.iter().find(|(known, _)| *known == name).map(|(_, value)| value), after)
    });
    html! {
        (message(first))
        @for (value, after) in rest {
            @if let Some(value) = value { (value) }
            (message(after))
        }
    }
}

/// A command of the program with its options and an argument, to be pasted into a shell.
pub(crate) fn command(command: &str, options: &[String], argument: &str) -> String {
    let mut text = ["urlwise ", command].concat();
    for option in options {
        let is_plain = option.bytes().all(|octet| octet.is_ascii_alphanumeric() || b"-_.,:/=@%+".contains(&octet));
        let word =
            if is_plain && !option.is_empty() { Cow::Borrowed(option.as_str()) } else { Cow::Owned(quoted(option)) };
        text.extend([" ", &word]);
    }
    // A text that begins with `-` would be read as an option.
    text.extend([if argument.starts_with('-') { " -- " } else { " " }, &quoted(argument)]);
    text
}

/// A word for a shell of POSIX. What must not be seen is written as escapes of `printf`. A substitution loses line ends at the end,
/// so words with one there have the quotes of bash, zsh and POSIX 2024 that have escapes.
fn quoted(word: &str) -> String {
    if !word.contains(is_harmful) {
        return ["'", &word.replace('\'', "'\\''"), "'"].concat();
    }
    let is_substituted = !word.ends_with('\n');
    let (begin, end) = if is_substituted { ("\"$(printf -- '", "')\"") } else { ("$'", "'") };
    let mut quoted = String::from(begin);
    for c in word.chars() {
        match c {
            '%' if is_substituted => quoted.push_str("%%"),
            '\\' => quoted.push_str("\\\\"),
            _ if is_harmful(c) || c == '\'' => {
                for octet in c.encode_utf8(&mut [0; 4]).bytes() {
                    // Writing to a String cannot fail.
                    let _ = write!(quoted, "\\{octet:03o}");
                }
            }
            _ => quoted.push(c),
        }
    }
    quoted.push_str(end);
    quoted
}

/// Octets with a unit.
pub(crate) fn size(octets: u64) -> String {
    const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];
    if octets < 1024 {
        return format!("{octets} B");
    }
    // In 1024ths of the unit.
    let (mut unit, mut rest) = (0, octets);
    while rest >= 1 << 20 && unit + 1 < UNITS.len() {
        rest /= 1024;
        unit += 1;
    }
    match rest < 10 << 10 {
        true => format!("{}.{} {}", rest / 1024, rest % 1024 * 10 / 1024, UNITS[unit]),
        false => format!("{} {}", rest / 1024, UNITS[unit]),
    }
}

/// The name of a scheme's kind of place, for people.
pub(crate) fn scheme(scheme: Scheme) -> Words {
    match scheme.base() {
        Scheme::Ftp => words!("FTP server"),
        Scheme::Http => words!("Web server"),
        Scheme::Gopher => words!("Gopher server"),
        Scheme::News | Scheme::Nntp => words!("News server"),
        Scheme::Wais => words!("WAIS server"),
        Scheme::Prospero => words!("Prospero server"),
        Scheme::Finger => words!("Finger server"),
        Scheme::File => words!("This machine"),
        _ => words!("Server"),
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
        assert!(markup.contains(">ftp://joe:***@h.example/a&amp;b</a>"), "{markup}");
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
    fn a_sentence_begins_with_a_capital_letter_unless_it_begins_with_a_host() {
        let shown = |text| sentence(text, Language::En).into_string();
        assert_eq!(shown("port 23 is for telnet"), "Port 23 is for telnet.");
        assert_eq!(shown("is it `x`?"), "Is it <code>x</code>?");
        assert_eq!(shown("localhost port 70: no answer"), "localhost port 70: no answer.");
        assert_eq!(shown("h.example redirects"), "h.example redirects.");
        assert_eq!(shown(""), ".");
    }

    #[test]
    fn commands_can_be_pasted_into_a_shell() {
        let url = Url::parse_with("gopher://h.example/0it's", PROFILE).expect("a valid URL");
        let shown = |options: &[&str], argument: &str| {
            command("get", &options.iter().map(|&word| word.into()).collect::<Vec<_>>(), argument)
        };
        assert_eq!(shown(&[], &without_password(&url)), "urlwise get 'gopher://h.example/0it'\\''s'");
        assert_eq!(shown(&[], "--help"), "urlwise get -- '--help'");
        let options = ["--allow", "port-foreign", "--header", "A: $b", "--groups", ""];
        assert_eq!(shown(&options, "x"), "urlwise get --allow port-foreign --header 'A: $b' --groups '' 'x'");
        assert_eq!(
            shown(&["a\nb"], "it's \\ \u{1b}\u{202e}\t"),
            "urlwise get \"$(printf -- 'a\\012b')\" \"$(printf -- 'it\\047s \\\\ \\033\\342\\200\\256\\011')\""
        );
    }

    #[test]
    fn sizes_have_a_unit_that_keeps_them_short() {
        for (octets, expected) in [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1.0 KiB"),
            (10_239, "9.9 KiB"),
            (10_240, "10 KiB"),
            ((1 << 20) - 1, "1023 KiB"),
            (2 << 20, "2.0 MiB"),
            (u64::MAX, "16383 PiB"),
        ] {
            assert_eq!(size(octets), expected);
        }
    }
}
