//! Wraps text to a width, and elides the middle of long text.

use std::ops::Range;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};
use urlwise::Language;

use crate::language::filled;

/// How many columns a text takes.
pub fn width_of(text: &str) -> usize {
    // Without a look at the tables of Unicode; a control character alone takes one column, too.
    if text.len() <= 1 || is_plain(text) {
        return text.len();
    }
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        // Without a look for what changes the width of what stands before it.
        (Some(one), None) => columns_of(one).unwrap_or(1),
        _ => text.width(),
    }
}

/// How many columns a character takes; `None` for a control character.
pub(crate) fn columns_of(c: char) -> Option<usize> {
    match c {
        ' '..='~' => Some(1),
        // Most that Japanese and Chinese texts are written with, and most emoji, without a look at the tables of Unicode either.
        '\u{3001}'..='\u{3029}' | '\u{3041}'..='\u{3096}' | '\u{309B}'..='\u{30FF}' => Some(2),
        '\u{4E00}'..='\u{9FFF}' | '\u{FF01}'..='\u{FF60}' => Some(2),
        '\u{1F442}'..='\u{1F4FC}' | '\u{1F600}'..='\u{1F64F}' => Some(2),
        c => c.width(),
    }
}

/// Whether each octet takes one column, as in most texts.
pub fn is_plain(text: &str) -> bool {
    // Without an early end, so that many are looked at at once.
    text.bytes().fold(true, |plain, octet| plain & matches!(octet, b' '..=b'~'))
}

/// Appends so many blanks.
pub fn blank(out: &mut String, columns: usize) {
    repeat(out, "                                                                ", columns);
}

/// So many times a character stands in what [`repeat`] takes.
pub(crate) const MANY: usize = 64;

/// Appends a character so many times; `many` holds it [`MANY`] times.
pub(crate) fn repeat(out: &mut String, many: &str, mut times: usize) {
    debug_assert_eq!(many.chars().count(), MANY);
    while times > 0 {
        let some = times.min(MANY);
        out.push_str(&many[..some * (many.len() / MANY)]);
        times -= some;
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

/// The text in lines of at most `width` columns, broken at spaces and beside wide characters. A longer word is broken at the width,
/// but not within an escape.
pub fn lines(text: &str, width: usize) -> Vec<&str> {
    let mut lines = Vec::new();
    each_line(text, width, |line| lines.push(line));
    lines
}

/// Whether a character does not begin a line (kinsoku): closing punctuation, and what belongs to the character before it.
#[rustfmt::skip]
const fn is_closing(c: char) -> bool {
    matches!(
        c,
        '、' | '。' | '，' | '．' | '・' | '：' | '；' | '？' | '！' | '）' | '」' | '』' | '］' | '】' | '》' | '〉' | '〕' | '”' | '’' | '…' | '‥'
        | 'ー' | '々' | 'ぁ' | 'ぃ' | 'ぅ' | 'ぇ' | 'ぉ' | 'っ' | 'ゃ' | 'ゅ' | 'ょ' | 'ゎ' | 'ァ' | 'ィ' | 'ゥ' | 'ェ' | 'ォ' | 'ッ' | 'ャ' | 'ュ' | 'ョ'
        | 'ヮ' | 'ヵ' | 'ヶ' | '%' | ')' | ']' | ',' | '.' | ':' | ';' | '?' | '!'
    )
}

/// Whether a character does not end a line.
const fn is_opening(c: char) -> bool {
    matches!(c, '（' | '「' | '『' | '［' | '【' | '《' | '〈' | '〔' | '“' | '‘' | '(' | '[')
}

/// Gives each line to `take`, at least one.
fn each_line<'t>(text: &'t str, width: usize, mut take: impl FnMut(&'t str)) {
    if is_plain(text) {
        return each_plain_line(text, width, take);
    }
    // Most are one line.
    let own = |c: char| columns_of(c).unwrap_or_default();
    if text.chars().try_fold(width, |room, c| room.checked_sub(own(c))).is_some() {
        return take(text);
    }
    let (mut start, mut columns) = (0, 0);
    let (mut at, mut is_code) = (0, false);
    while let Some(c) = text[at..].chars().next() {
        if c.is_ascii() {
            // What has room takes a column each.
            let room = (text.len() - at).min(width.saturating_sub(columns));
            let plain = words_at(&text.as_bytes()[at..at + room]);
            if plain > 0 {
                (at, columns) = (at + plain, columns + plain);
                continue;
            }
        }
        let had_room = columns <= width;
        columns += own(c);
        // Where a line ends is looked for when it is full.
        let mut last = if had_room && columns > width { last_end(text, start, at, is_code) } else { None };
        while columns > width {
            let (end, next) = last.take().unwrap_or_else(|| {
                let end = forced(text, start, at);
                (end, end)
            });
            // A character that is wider than a line has one of its own; and a space that follows a full line is not in the next.
            if end == start && next == start {
                break;
            }
            take(&text[start..end]);
            start = next;
            columns = text.get(start..at + c.len_utf8()).map_or(0, width_of);
        }
        is_code ^= c == '`';
        at += c.len_utf8();
    }
    take(&text[start..]);
}

/// The last place up to `at` in which a line may end, and where the next one begins then: at a space or beside a wide character.
/// `is_code` tells whether a backtick before `at` is open.
fn last_end(text: &str, start: usize, mut at: usize, mut is_code: bool) -> Option<(usize, usize)> {
    let is_wide = |c: char| columns_of(c) == Some(2);
    let mut behind = text[at..].chars();
    let (mut c, mut next) = (behind.next()?, behind.next());
    loop {
        if c == ' ' && !binds_back(next) {
            return Some((at, at + 1));
        }
        if c.is_ascii_graphic() {
            // No line ends within a word of US-ASCII.
            at -= word_before(&text.as_bytes()[start..at]);
            c = char::from(text.as_bytes()[at]);
        }
        let before = text[..at].chars().next_back()?;
        if at == start {
            return None;
        }
        if (is_wide(before) || is_wide(c)) && may_part(before, c, is_code) {
            return Some((at, at));
        }
        is_code ^= before == '`';
        at -= before.len_utf8();
        (c, next) = (before, Some(c));
    }
}

/// Whether an octet is a character that takes a column, and is neither a blank nor a backtick.
fn is_of_word(octet: u8) -> bool {
    octet.is_ascii_graphic() & (octet != b'`')
}

/// So many octets are looked at together.
const MANY_OCTETS: usize = 16;

/// How many octets of words and blanks a text begins with.
fn words_at(text: &[u8]) -> usize {
    let is_plain = |octet: &u8| (*octet == b' ') | is_of_word(*octet);
    let mut rest = text;
    while let Some((many, behind)) = rest.split_first_chunk::<MANY_OCTETS>() {
        if !many.iter().fold(true, |all, octet| all & is_plain(octet)) {
            break;
        }
        rest = behind;
    }
    text.len() - rest.len() + rest.iter().take_while(|octet| is_plain(octet)).count()
}

/// How long the word is with which a text ends.
fn word_before(text: &[u8]) -> usize {
    let mut rest = text;
    while let Some((before, many)) = rest.split_last_chunk::<MANY_OCTETS>() {
        if !many.iter().fold(true, |all, octet| all & is_of_word(*octet)) {
            break;
        }
        rest = before;
    }
    text.len() - rest.len() + rest.iter().rev().take_while(|octet| is_of_word(**octet)).count()
}

/// Whether a line may end between two characters, one of them wide. `is_code` tells whether a backtick before them is open.
fn may_part(before: char, c: char, is_code: bool) -> bool {
    let opens = is_opening(before) || before == '`' && is_code;
    let closes = is_closing(c) || c == '`' && is_code;
    !opens && !closes
}

/// Whether a character begins no line even behind a space, as one may stand at the end of a name that is quoted.
fn binds_back(c: Option<char>) -> bool {
    c.is_some_and(|c| !c.is_ascii() && is_closing(c))
}

/// Where a line ends that can end nowhere: at the width, but not before closing punctuation nor within an escape.
fn forced(text: &str, start: usize, at: usize) -> usize {
    let line = &text[start..];
    let may_begin = |&(place, c): &(usize, char)| {
        place > 0 && c != ' ' && !binds_back(Some(c)) && before_escape(line, place) == place
    };
    let first = text[at..].chars().next().map_or(0, char::len_utf8);
    let mut places = line[..at - start + first].char_indices().rev();
    places.find(may_begin).map_or(at, |(place, _)| start + place)
}

/// Where a line ends that has room up to `at`: before an escape that would be broken there, unless the line begins with it.
pub fn before_escape(line: &str, at: usize) -> usize {
    match escape_around(line, at) {
        Some(escape) if escape.start > 0 => escape.start,
        _ => at,
    }
}

/// The escape that a place is inside of.
fn escape_around(line: &str, at: usize) -> Option<Range<usize>> {
    // Of the longest, `\u{10ffff}`, all but the last octet.
    const BEFORE: usize = 9;
    let octets = line.as_bytes();
    let from = at.saturating_sub(BEFORE);
    let mark = from + octets[from..at].iter().rposition(|octet| matches!(octet, b'%' | b'\\'))?;
    // Of an even number of backslashes the last is the second of `\\`.
    let is_second = octets[..=mark].iter().rev().take_while(|octet| **octet == b'\\').count() % 2 == 0;
    let start = if octets[mark] == b'\\' && is_second { mark - 1 } else { mark };
    let end = start + escape_length(&octets[start..]);
    (at < end).then_some(start..end)
}

/// How long the escape is with which a text begins; 0 if it begins with none.
fn escape_length(text: &[u8]) -> usize {
    let digits =
        |from: usize, most: usize| text[from..].iter().take(most).take_while(|octet| octet.is_ascii_hexdigit());
    match text {
        [b'%', ..] if digits(1, 2).count() == 2 => 3,
        [b'\\', b'x', ..] if digits(2, 2).count() == 2 => 4,
        [b'\\', b'u', b'{', ..] => {
            let end = 3 + digits(3, 6).count();
            if text.get(end) == Some(&b'}') { end + 1 } else { 0 }
        }
        [b'\\', b'r' | b'n' | b't' | b'\\', ..] => 2,
        _ => 0,
    }
}

/// The same for a text in which every octet takes one column: only the ends of lines are looked at, not each word.
fn each_plain_line<'t>(text: &'t str, width: usize, mut take: impl FnMut(&'t str)) {
    let mut rest = text;
    while rest.len() > width {
        // A space that follows a full line ends it, too.
        let (line, behind) = match rest.as_bytes()[..=width].iter().rposition(|octet| *octet == b' ') {
            Some(space) => (&rest[..space], &rest[space + 1..]),
            None => rest.split_at(before_escape(rest, width)),
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

/// [`elide_in`], for a text that nothing else needs.
pub fn elided_in(text: String, most: usize, language: Language) -> String {
    if text.len() <= most { text } else { elide_in(&text, most, language) }
}

/// [`elide`], for a text that nothing else needs.
pub fn elided(text: String, most: usize) -> String {
    elided_in(text, most, Language::En)
}

/// What stands for so many octets that are left out.
pub(crate) fn left_out(count: usize, language: Language) -> String {
    filled!(language, "[... {count} octets ...]", count = count).text()
}

/// The text; if it is longer than `most` octets, its beginning and end, and how much is left out. No escape and no mask of a password
/// is cut.
pub fn elide(text: &str, most: usize) -> String {
    elide_in(text, most, Language::En)
}

/// [`elide`], in a language.
pub fn elide_in(text: &str, most: usize, language: Language) -> String {
    if text.len() <= most {
        return text.into();
    }
    let [start, end] = [most * 2 / 3, text.len() - most / 3].map(|at| behind_mark(text, boundary(text, at)));
    let left_out = left_out(end - start, language);
    // Nothing is gained by hiding less than what stands for it.
    match end - start > left_out.len() + 2 {
        true => format!("{} {left_out} {}", &text[..start], &text[end..]),
        false => text.into(),
    }
}

/// A place, or the end of the escape or mask that it is inside of.
fn behind_mark(text: &str, at: usize) -> usize {
    /// How long a mask is.
    const MASK: usize = "***".len();
    let behind = escape_around(text, at).map_or(at, |escape| escape.end);
    let (before, after) = text.split_at(behind);
    let stars = |octets: &mut dyn Iterator<Item = u8>| octets.take(MASK).take_while(|octet| *octet == b'*').count();
    let (inside, left) = (stars(&mut before.bytes().rev()), stars(&mut after.bytes()));
    if inside > 0 && left > 0 && inside + left == MASK { behind + left } else { behind }
}

/// The first place from `at` on that is not inside a character.
pub fn boundary(text: &str, at: usize) -> usize {
    (at..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_takes_as_many_columns_as_the_tables_say() {
        for c in '\0'..=char::MAX {
            assert_eq!(columns_of(c), c.width(), "{c:?}");
            assert_eq!(width_of(c.encode_utf8(&mut [0; 4])), c.width().unwrap_or(1), "{c:?}");
        }
    }

    #[test]
    fn words_fill_lines_and_a_long_word_has_its_own() {
        assert_eq!(lines("one two three", 7), ["one two", "three"]);
        assert_eq!(lines("a verylongword b", 6), ["a", "verylo", "ngword", "b"]);
        assert_eq!(lines("\u{4e2d}\u{4e2d}\u{4e2d} b", 5), ["\u{4e2d}\u{4e2d}", "\u{4e2d} b"]);
        assert_eq!(lines("", 6), [""]);
    }

    #[test]
    fn punctuation_that_closes_begins_no_line_and_none_that_opens_ends_one() {
        assert_eq!(lines("スキームは、ない", 10), ["スキーム", "は、ない"]);
        assert_eq!(lines("ホスト（名前）", 8), ["ホスト", "（名前）"]);
        assert_eq!(lines("使えない。", 8), ["使えな", "い。"]);
        // Quotation marks take one column, and bind as the wide ones do.
        assert_eq!(lines("他说“中文”吗", 6), ["他说", "“中文”", "吗"]);
        assert_eq!(lines("他说‘中文’吗", 9), ["他说‘中", "文’吗"]);
        assert_eq!(lines("abcde”吗", 5), ["abcd", "e”吗"]);
        assert_eq!(lines("开abcde ，拒绝", 8), ["开", "abcde ，", "拒绝"]);
        // Latin words stay whole, and so do their backticks.
        assert_eq!(lines("方案`http`的主机", 10), ["方案`http`", "的主机"]);
        assert_eq!(lines("方案`http`的主机", 9), ["方案", "`http`的", "主机"]);
        assert_eq!(lines("見よ`中`、中", 6), ["見よ", "`中`、", "中"]);
        // A word that is longer than a line does not leave its punctuation behind.
        assert_eq!(lines("abcdef、g", 6), ["abcde", "f、g"]);
        assert_eq!(lines("、、、、", 4), ["、、", "、、"]);
        assert_eq!(lines("中", 1), ["中"]);
    }

    #[test]
    fn no_line_ends_within_an_escape_that_has_room_in_one() {
        let escapes = ["%41", "\\x1b", "\\u{200d}", "\\u{10ffff}", "\\r", "\\\\"];
        for (escape, plain) in
            escapes.iter().flat_map(|escape| ["abcdefghi", "abcd\u{e9}fghi"].map(|text| (escape, text)))
        {
            for (before, width) in (1..=9).flat_map(|before| (escape.len()..14).map(move |width| (before, width))) {
                let before: String = plain.chars().take(before).collect();
                let text = format!("{before}{escape}{escape}xyz");
                let lines = lines(&text, width);
                let whole: usize = lines.iter().map(|line| line.matches(escape).count()).sum();
                assert_eq!(whole, 2, "{lines:?} in {width}");
                assert!(lines.iter().all(|line| width_of(line) <= width), "{lines:?} in {width}");
                assert_eq!(lines.concat(), text);
            }
        }
        // What is wider than a line is broken at the width, and so is what only looks like the beginning of one.
        assert_eq!(lines("a\\u{200d}b", 5), ["a", "\\u{20", "0d}b"]);
        assert_eq!(lines("ab%zzcd", 3), ["ab%", "zzc", "d"]);
        assert_eq!(lines("ab%", 2), ["ab", "%"]);
        assert_eq!(lines("a\\\\x41b", 5), ["a\\\\x4", "1b"], "a backslash that is escaped, and letters");
        assert_eq!(lines("\\\\\\\\", 3), ["\\\\", "\\\\"]);
        assert_eq!(lines("中%41%41", 6), ["中%41", "%41"]);
    }

    #[test]
    fn every_line_of_wide_text_fits_and_nothing_is_lost() {
        let units = ["中", "、", "（", "ab ", "）", "`x y`", "longest-of-all"];
        for number in 0..units.len().pow(5) {
            let text: String = (0..5).map(|digit| units[number / units.len().pow(digit) % units.len()]).collect();
            for width in [4, 5, 9, 14] {
                let lines = lines(&text, width);
                assert!(lines.iter().all(|line| width_of(line) <= width), "{lines:?} in {width}");
                assert_eq!(lines.concat().replace(' ', ""), text.replace(' ', ""));
            }
        }
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
    fn no_escape_and_no_mask_is_cut_where_the_middle_is_left_out() {
        for mark in ["%41", "\\x1b", "\\u{200d}", "\\u{10ffff}", "\\r", "\\\\", "***"] {
            for (before, behind) in (0..14).flat_map(|before| (0..14).map(move |behind| (before, behind))) {
                let text = format!("{}{mark}{}{mark}{}", "a".repeat(before), "b".repeat(60), "c".repeat(behind));
                let elided = elide(&text, 18);
                let (start, end) = elided.split_once(" [... ").unwrap();
                let end = end.split_once(" octets ...] ").unwrap().1;
                let whole = |text: &str| {
                    text.strip_prefix(&"a".repeat(before)).is_none_or(|rest| rest.is_empty() || rest.starts_with(mark))
                };
                assert!(whole(start) && text.starts_with(start), "{elided}");
                let rest = end.strip_suffix(&"c".repeat(behind));
                assert!(
                    rest.is_none_or(|rest| rest.is_empty() || rest.ends_with(mark)) && text.ends_with(end),
                    "{elided}"
                );
            }
        }
        // What only looks like one is cut as ever.
        assert_eq!(elide(&"*".repeat(60), 6), "**** [... 54 octets ...] **");
        assert_eq!(elide(&"%zz".repeat(20), 6), "%zz% [... 54 octets ...] zz");
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
