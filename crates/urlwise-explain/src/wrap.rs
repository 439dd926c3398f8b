//! Wraps text to a width, and elides the middle of long text.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How many columns a text takes.
pub fn width_of(text: &str) -> usize {
    // Without a look at the tables of Unicode.
    if is_plain(text) { text.len() } else { text.width() }
}

/// Whether each octet takes one column, as in most texts.
pub fn is_plain(text: &str) -> bool {
    // Without an early end, so that many are looked at at once.
    text.bytes().fold(true, |plain, octet| plain & matches!(octet, b' '..=b'~'))
}

/// Appends so many blanks.
pub fn blank(out: &mut String, mut columns: usize) {
    const BLANKS: &str = "                                                                ";
    while columns > 0 {
        let some = columns.min(BLANKS.len());
        out.push_str(&BLANKS[..some]);
        columns -= some;
    }
}

/// Appends a text in lines of at most `width` columns; all but the first are indented. No line end follows the last.
pub fn push(out: &mut String, text: &str, width: usize, indent: usize) {
    let mut is_first = true;
    each_line(text, width, |line| {
        if !is_first {
            out.push('\n');
            blank(out, indent);
        }
        is_first = false;
        out.push_str(line);
    });
}

/// The text in lines of at most `width` columns, broken at spaces. A longer word is broken at the width.
pub fn lines(text: &str, width: usize) -> Vec<&str> {
    let mut lines = Vec::new();
    each_line(text, width, |line| lines.push(line));
    lines
}

/// Gives each line to `take`, at least one.
fn each_line<'t>(text: &'t str, width: usize, mut take: impl FnMut(&'t str)) {
    if is_plain(text) {
        return each_plain_line(text, width, take);
    }
    // The last line, and the columns that it takes.
    let (mut start, mut end, mut columns) = (0, 0, 0);
    let mut at = 0;
    for word in text.split(' ') {
        let word_width = width_of(word);
        if at > 0 && columns + 1 + word_width <= width {
            columns += 1 + word_width;
        } else {
            if at > 0 {
                take(&text[start..end]);
            }
            (start, columns) = (at, 0);
            // No character but those of ASCII takes as many columns as octets.
            if word_width == word.len() && word_width <= width {
                columns = word_width;
            } else {
                for (offset, c) in word.char_indices() {
                    let character = c.width().unwrap_or_default();
                    if columns + character > width {
                        take(&text[start..at + offset]);
                        (start, columns) = (at + offset, 0);
                    }
                    columns += character;
                }
            }
        }
        end = at + word.len();
        at = end + 1;
    }
    take(&text[start..end]);
}

/// The same for a text in which every octet takes one column: only the ends of lines are looked at, not each word.
fn each_plain_line<'t>(text: &'t str, width: usize, mut take: impl FnMut(&'t str)) {
    let mut rest = text;
    while rest.len() > width {
        // A space that follows a full line ends it, too.
        let (line, behind) = match rest.as_bytes()[..=width].iter().rposition(|octet| *octet == b' ') {
            Some(space) => (&rest[..space], &rest[space + 1..]),
            None => rest.split_at(width),
        };
        take(line);
        rest = behind;
    }
    take(rest);
}

/// Wraps text that is printed with a hanging indent of `indent` columns. The caller indents the lines.
pub fn hanging(text: &str, width: usize, indent: usize) -> String {
    lines(text, width.saturating_sub(indent).max(20)).join("\n")
}

/// [`elide`], for a text that nothing else needs.
pub fn elided(text: String, most: usize) -> String {
    if text.len() <= most { text } else { elide(&text, most) }
}

/// The text; if it is longer than `most` octets, its beginning and end, and how much is left out.
pub fn elide(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.into();
    }
    let (start, end) = (boundary(text, most * 2 / 3), boundary(text, text.len() - most / 3));
    let left_out = format!(" [... {} octets ...] ", end - start);
    // Nothing is gained by hiding less than what stands for it.
    match end - start > left_out.len() {
        true => format!("{}{left_out}{}", &text[..start], &text[end..]),
        false => text.into(),
    }
}

/// The first place from `at` on that is not inside a character.
pub fn boundary(text: &str, at: usize) -> usize {
    (at..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_fill_lines_and_a_long_word_has_its_own() {
        assert_eq!(lines("one two three", 7), ["one two", "three"]);
        assert_eq!(lines("a verylongword b", 6), ["a", "verylo", "ngword", "b"]);
        assert_eq!(lines("\u{4e2d}\u{4e2d}\u{4e2d} b", 5), ["\u{4e2d}\u{4e2d}", "\u{4e2d} b"]);
        assert_eq!(lines("", 6), [""]);
    }

    #[test]
    fn plain_text_is_broken_where_other_text_is() {
        // A character of two octets that takes one column makes the same words a text that is not plain.
        let units = ["a", "bc ", " ", "word ", "  x", "longest-of-all"];
        for number in 0..units.len().pow(5) {
            let text: String = (0..5).map(|digit| units[number / units.len().pow(digit) % units.len()]).collect();
            for width in [1, 3, 4, 5, 9, 14] {
                let plain = lines(&text, width);
                let accented = text.replace('a', "\u{e1}").replace('x', "\u{e9}").replace('o', "\u{f3}");
                let other: Vec<_> = lines(&accented, width)
                    .into_iter()
                    .map(|line| line.replace('\u{e1}', "a").replace('\u{e9}', "x").replace('\u{f3}', "o"))
                    .collect();
                assert_eq!(plain, other, "{text:?} in {width}");
            }
        }
    }

    #[test]
    fn the_middle_of_long_text_is_left_out() {
        assert_eq!(elide("short", 5), "short");
        let alphabet = "abcdefghijklmnopqrstuvwxyz";
        assert_eq!(elide(&alphabet.repeat(2), 6), "abcd [... 46 octets ...] yz");
        // Less than what would stand for it is not hidden.
        assert_eq!(elide(&alphabet[..12], 6), &alphabet[..12]);
        assert_eq!(elide(&"x".repeat(6 + 21), 6), "x".repeat(27));
        assert_eq!(elide(&"x".repeat(6 + 22), 6), "xxxx [... 22 octets ...] xx");
        assert_eq!(elide(&"\u{e9}".repeat(20), 6), "\u{e9}\u{e9} [... 34 octets ...] \u{e9}");
    }
}
