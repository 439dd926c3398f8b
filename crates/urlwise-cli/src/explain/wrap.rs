//! Wraps text to a width, and elides the middle of long text.

use unicode_width::UnicodeWidthStr;

/// Wraps text at blanks to lines of at most `width` columns. A longer word gets its own line.
pub(crate) fn lines(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut columns = 0;
    for word in text.split(' ') {
        let word_width = word.width();
        match lines.last_mut() {
            Some(line) if columns + 1 + word_width <= width => {
                line.push(' ');
                line.push_str(word);
                columns += 1 + word_width;
            }
            _ => {
                lines.push(word.into());
                columns = word_width;
            }
        }
    }
    lines
}

/// Wraps text that is printed with a hanging indent of `indent` columns. The caller indents the lines.
pub(crate) fn hanging(text: &str, width: usize, indent: usize) -> String {
    lines(text, width.saturating_sub(indent).max(20)).join("\n")
}

/// The text; if it is longer than `most` octets, its beginning and end, and how much is left out.
pub(crate) fn elide(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.into();
    }
    let boundary = |at: usize| (at..).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    let (start, end) = (boundary(most * 2 / 3), boundary(text.len() - most / 3));
    format!("{} [... {} octets ...] {}", &text[..start], end - start, &text[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_fill_lines_and_a_long_word_has_its_own() {
        assert_eq!(lines("one two three", 7), ["one two", "three"]);
        assert_eq!(lines("a verylongword b", 6), ["a", "verylongword", "b"]);
        assert_eq!(lines("", 6), [""]);
    }

    #[test]
    fn the_middle_of_long_text_is_left_out() {
        assert_eq!(elide("short", 5), "short");
        assert_eq!(elide("abcdefghijkl", 6), "abcd [... 6 octets ...] kl");
        assert_eq!(elide(&"\u{e9}".repeat(6), 6), "\u{e9}\u{e9} [... 6 octets ...] \u{e9}");
    }
}
