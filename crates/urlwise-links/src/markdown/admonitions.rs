//! The bodies of admonitions and tabs, which Python-Markdown reads: lines with four blanks more than the line `!!! note`, `??? tip`
//! or `=== "Tab"` before them. The standard would read them as code.

use std::borrow::Cow;

/// What stands before an admonition or a tab, without the blank behind it.
const MARKERS: [&str; 6] = ["!!!", "???", "???+", "===", "===!", "===+"];

/// How many blanks more a body has.
const INDENT: usize = 4;

/// As many octets that make the lines of a body an item of a list, which may hold whatever a body has.
const ITEM: &str = "-   ";

/// A document in which each body is an item. All octets keep their places.
pub(crate) fn as_items(source: &str) -> Cow<'_, str> {
    let may_have =
        ["!!!", "???", "==="].iter().any(|marker| memchr::memmem::find(source.as_bytes(), marker.as_bytes()).is_some());
    if !may_have {
        return Cow::Borrowed(source);
    }
    let mut text = String::new();
    let mut at = 0;
    // How many blanks the marker has that may have a body here.
    let mut open = None;
    for line in source.split_inclusive('\n') {
        let written = line.trim_start_matches(' ');
        let blanks = line.len() - written.len();
        if !written.trim_end().is_empty() {
            if let Some(body) = open.filter(|before| blanks >= before + INDENT) {
                text.push_str(&source[text.len()..at + body]);
                text.push_str(ITEM);
            }
            open = is_marker(written).then_some(blanks);
        }
        at += line.len();
    }
    match text.is_empty() {
        true => Cow::Borrowed(source),
        false => {
            text.push_str(&source[text.len()..]);
            Cow::Owned(text)
        }
    }
}

/// Whether a line begins an admonition, with its kind or title, or a tab, with its title.
fn is_marker(line: &str) -> bool {
    let Some((marker, rest)) = line.split_once(' ') else { return false };
    let first = rest.trim_start().chars().next();
    let is_title = first == Some('"');
    MARKERS.contains(&marker) && (is_title || !marker.starts_with('=') && first.is_some_and(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::as_items;

    #[test]
    fn a_body_becomes_an_item_and_nothing_else_changes() {
        for (source, text) in [
            ("!!! note\n    a\n    b\n", "!!! note\n-   a\n    b\n"),
            ("!!! note \"A title\"\n\n    a\n\n        c\n", "!!! note \"A title\"\n\n-   a\n\n        c\n"),
            ("???+ tip\n \n      a", "???+ tip\n \n-     a"),
            ("=== \"C\"\n    !!! note\n        a\n", "=== \"C\"\n-   !!! note\n    -   a\n"),
            ("1. x\n\n    ??? note\n\n        a\n", "1. x\n\n    ??? note\n\n    -   a\n"),
            ("!!! é\r\n\r\n    é\r\n", "!!! é\r\n\r\n-   é\r\n"),
        ] {
            assert_eq!(as_items(source), text, "{source:?}");
        }
        for source in [
            "",
            "!!!",
            "!!! note",
            "!!! note\n   a\n",
            "!!! note\n\ta\n",
            "!!! note\na\n\n    b\n",
            "!!!\n    a\n",
            "!!! -\n    a\n",
            "what???\n\n    a\n",
            "Heading\n===\n\n    a\n",
            "=== a\n    b\n",
            "=== \n    b\n",
            "    !!! note\n    a\n",
            "!!!note\n    a\n",
        ] {
            assert_eq!(as_items(source), source);
        }
    }
}
