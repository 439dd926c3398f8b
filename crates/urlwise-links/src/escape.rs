//! Writes a text with the references and escapes that a document needs.

use std::borrow::Cow;

use crate::reference;

/// In an attribute with quotes of either kind or none, or as text. Only what ends the value or starts something else is
/// escaped.
pub(crate) fn html(text: &str) -> Cow<'_, str> {
    replaced(text, |octet, _| match octet {
        b'&' => Some("&amp;"),
        b'<' => Some("&lt;"),
        b'>' => Some("&gt;"),
        b'"' => Some("&quot;"),
        b'\'' => Some("&#39;"),
        b'`' => Some("&#96;"),
        _ => None,
    })
}

/// As the destination of a link of Markdown. Parentheses without angle brackets stay if they are balanced.
pub(crate) fn destination(text: &str, is_bracketed: bool) -> Cow<'_, str> {
    let escapes_parentheses = !is_bracketed && !is_balanced(text);
    replaced(text, |octet, rest| match octet {
        b'\\' => Some("\\\\"),
        b'<' => Some("\\<"),
        b'>' => Some("\\>"),
        b'(' if escapes_parentheses => Some("\\("),
        b')' if escapes_parentheses => Some("\\)"),
        _ => ampersand(octet, rest),
    })
}

/// As an autolink of Markdown, in which what begins no reference stands for itself.
pub(crate) fn autolink(text: &str) -> Cow<'_, str> {
    replaced(text, ampersand)
}

/// As text of a manual page.
pub(crate) fn roff(text: &str) -> Cow<'_, str> {
    replaced(text, |octet, _| match octet {
        b'-' => Some("\\-"),
        b'\\' => Some("\\e"),
        _ => None,
    })
}

/// What is written in Markdown for an `&`. That of a URL nearly always stands for itself.
fn ampersand(octet: u8, rest: &str) -> Option<&'static str> {
    (octet == b'&' && reference::at_start_in_markdown(rest.as_bytes()).is_some()).then_some("&amp;")
}

/// Whether every parenthesis has its other one. Of more than Markdown counts, nothing is expected.
fn is_balanced(text: &str) -> bool {
    /// Standard: implementations may impose a limit; no parser allows fewer.
    const DEEPEST: i32 = 32;
    let mut depth = 0;
    text.bytes().all(|octet| {
        depth += i32::from(octet == b'(') - i32::from(octet == b')');
        (0..DEEPEST).contains(&depth)
    }) && depth == 0
}

/// The text with some of its ASCII characters replaced. `instead` gets each octet and the text from it on.
fn replaced(text: &str, instead: impl Fn(u8, &str) -> Option<&'static str>) -> Cow<'_, str> {
    let mut new = String::new();
    let mut at = 0;
    for (index, octet) in text.bytes().enumerate().filter(|(_, octet)| octet.is_ascii()) {
        if let Some(now) = instead(octet, &text[index..]) {
            new.push_str(&text[at..index]);
            new.push_str(now);
            at = index + 1;
        }
    }
    if at == 0 {
        return Cow::Borrowed(text);
    }
    new.push_str(&text[at..]);
    Cow::Owned(new)
}
