//! Markdown without the paragraphs that say nothing to a reader of links.
//!
//! Reading Markdown takes many times as long as searching for links, and most paragraphs are words. A line is *plain* if
//! it begins with a letter or `[` and has no octet that Markdown gives a meaning to in the middle of a line, but for brackets that only
//! refer to a definition: what is defined elsewhere is a link there. Plain lines behind an
//! empty line are a paragraph, or begin one; within a fence or a block of HTML they belong to it and do not end it. How
//! many there are and what words they have changes nothing, so one letter and one line end stand for all of them.
//!
//! A paragraph with links is left out, too, if [`simple`] can read it, and so is what is written in one line of an item, a quotation or a
//! heading. What is found there counts if the letter that stands for it turns out to be text.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem::Finder;

use crate::outline::{self, Content, Definition, line, may_define};
use crate::simple::{self, What};

/// What stands for all that is left out at one place.
const LETTER: char = 'a';

/// A document without the inside of its plain paragraphs.
pub(crate) struct Short<'s> {
    text: Cow<'s, str>,
    /// What is left out, in order.
    cuts: Vec<Cut>,
    found: Vec<Found>,
}

/// What there is in a paragraph that is left out.
pub(crate) struct Found {
    /// The end of the letter that stands for the paragraph, in the short text.
    pub(crate) at: usize,
    /// In the document.
    pub(crate) span: Range<usize>,
    pub(crate) what: What,
}

/// A part that is left out.
struct Cut {
    /// Where it would stand in the short text.
    at: usize,
    /// How many octets are left out up to its end.
    octets: usize,
}

impl<'s> Short<'s> {
    /// With nothing left out.
    pub(crate) fn whole(source: &'s str) -> Self {
        Short { text: Cow::Borrowed(source), cuts: Vec::new(), found: Vec::new() }
    }

    /// Of a document of which a part ends at `border`: paragraphs before it are left out by themselves, so that it is known where the
    /// last one before it ends.
    pub(crate) fn of(source: &'s str, border: usize) -> Self {
        Self::put_together(source, border, false)
    }

    /// The same for a reader of nothing but definitions: whatever is in a paragraph, none of its lines begins a block.
    pub(crate) fn of_blocks(source: &'s str, border: usize) -> Self {
        Self::put_together(source, border, true)
    }

    fn put_together(source: &'s str, border: usize, only_blocks: bool) -> Self {
        let octets = source.as_bytes();
        let (text, cuts, found) = (String::new(), Vec::new(), Vec::new());
        let mut writer = Writer { source, border, only_blocks, text, cuts, found, plain: 0..0, had: 0 };
        let finder = Finder::new(b"\n\n");
        let mut at = 0;
        while at < octets.len() {
            if octets[at] == b'\n' {
                at += 1;
                continue;
            }
            let lines = Lines::of(octets, at, &finder);
            writer.paragraph(&lines);
            at = lines.end;
            if at < octets.len() && !writer.is_worth_it(at) {
                break;
            }
        }
        writer.finish()
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// What is found in the paragraphs that are left out, in order.
    pub(crate) fn found(&self) -> &[Found] {
        &self.found
    }

    /// Whether nothing is left out.
    pub(crate) fn is_whole(&self) -> bool {
        self.cuts.is_empty()
    }

    /// The place in the document of a span of the short text. What is left out at either end is not part of it.
    pub(crate) fn place(&self, span: Range<usize>) -> Range<usize> {
        let start = self.start(span.start);
        match span.is_empty() {
            true => start..start,
            false => start..span.end + self.left_out(|cut| cut.at < span.end),
        }
    }

    /// The place in the document of an octet of the short text.
    pub(crate) fn start(&self, at: usize) -> usize {
        at + self.left_out(|cut| cut.at <= at)
    }

    fn left_out(&self, is_before: impl Fn(&Cut) -> bool) -> usize {
        self.cuts.partition_point(is_before).checked_sub(1).map_or(0, |last| self.cuts[last].octets)
    }
}

/// Puts a short text together.
struct Writer<'s> {
    source: &'s str,
    border: usize,
    only_blocks: bool,
    text: String,
    cuts: Vec<Cut>,
    found: Vec<Found>,
    /// Paragraphs that are not left out yet.
    plain: Range<usize>,
    /// How much was found before them.
    had: usize,
}

impl<'s> Writer<'s> {
    /// Adds lines with an empty line before and behind.
    fn paragraph(&mut self, lines: &Lines) {
        if lines.start == lines.end {
            return;
        }
        // Before anything is found in these lines: that belongs to the letter of the lines, not to the one before.
        if lines.end > self.border {
            self.leave_out_plain();
        }
        // Emphasis alone says nothing to a reader of links.
        let mut is_plain = || match self.only_blocks {
            true => self.is_outline(lines),
            false => self.is_simple(lines),
        };
        if lines.kind & SPECIAL == 0 || is_plain() {
            self.plain = if self.plain.is_empty() { lines.start..lines.end } else { self.plain.start..lines.end };
            return;
        }
        self.leave_out_plain();
        self.leave_out(lines.start..lines.plain);
        let rest = match self.only_blocks {
            true => self.leave_out_rests(lines.plain..lines.end),
            false => lines.plain,
        };
        self.leave_out_contents(rest..lines.end);
    }

    /// Leaves out the rests of lines, up to a line that may begin a definition or a block of HTML, whose place is returned.
    fn leave_out_rests(&mut self, lines: Range<usize>) -> usize {
        let text = &self.source.as_bytes()[..lines.end];
        let may_define = may_define(&text[lines.clone()]);
        let mut at = lines.start;
        let mut last = Definition::None;
        while at < lines.end {
            let end = at + line(&text[at..]).len();
            let start = at + Content::of(&text[at..end]).start;
            let (content, rest) = (&text[start..end], outline::rest(&text[start..end]));
            let is_html = rest.is_none() && content.starts_with(b"<");
            let definition = if may_define { Definition::of(content) } else { Definition::None };
            let may_be_title = last == Definition::Complete && matches!(content, [b'"' | b'\'' | b'(', ..]);
            let is_unknown = may_define && rest.is_none() && !outline::is_only_a_line(content);
            if is_html || is_unknown || definition == Definition::Unsure || may_be_title {
                break;
            }
            let is_header_row = || content.contains(&b'|') && outline::may_be_delimiter_row(line(&text[end..]));
            if let Some(rest) = rest
                && definition == Definition::None
                && !is_header_row()
                && self.leave_out(start + rest..end)
            {
                self.find_text(start + rest..end);
                self.keep_found();
            }
            (at, last) = (end, definition);
        }
        at
    }

    /// Whether lines are a paragraph without definitions where none of them is in an open block.
    fn is_outline(&mut self, lines: &Lines) -> bool {
        let text = &self.source.as_bytes()[lines.start..lines.end];
        let may_define = may_define(text);
        let is_text = |line: &[u8]| {
            let is_flush = Content::of(line).start == 0;
            is_flush && outline::rest(line) == Some(0) && !(may_define && Definition::of(line) != Definition::None)
        };
        let is_outline = text.split_inclusive(|octet| *octet == b'\n').all(is_text);
        if is_outline {
            self.find_text(lines.start..lines.end);
        }
        is_outline
    }

    /// Makes sure that somebody learns of what is left out whether it is text or code: what is neither may end a block of HTML.
    fn find_text(&mut self, span: Range<usize>) {
        if self.source.as_bytes()[span.clone()].contains(&b'>') {
            // A reader of definitions does not ask what it is.
            self.found.push(Found { at: 0, span, what: What::Code });
        }
    }

    /// Leaves out the contents of lines, where a quick look can read them: what has begun and ended in one line has nothing to do with
    /// others, whatever block it is in.
    fn leave_out_contents(&mut self, lines: Range<usize>) {
        let text = &self.source.as_bytes()[..lines.end];
        let mut at = lines.start;
        // Whether something may have begun before a line that ends in it or behind it.
        let mut is_open = false;
        // In a block of HTML, nothing of this is there.
        while at < lines.end && text[at] != b'<' {
            let Content { start, is_item } = Content::of(&text[at..]);
            let end = if is_open && !is_item { None } else { self.leave_out_content(text, at + start) };
            is_open = end.is_none();
            at = end.or_else(|| memchr::memchr(b'\n', &text[at..]).map(|end| at + end + 1)).unwrap_or(lines.end);
        }
    }

    /// Leaves out the rest of a line, but for a letter at its start and the line end. Returns where the next one begins; `None` if a quick
    /// look cannot read it.
    fn leave_out_content(&mut self, text: &[u8], start: usize) -> Option<usize> {
        let first = *text.get(start).filter(|first| first.is_ascii_alphabetic() || b"[!`<*_(".contains(first))?;
        let had = self.found.len();
        let end = simple::line(text, start, &mut |span, what| self.found.push(Found { at: 0, span, what }));
        let is_left_out = |end: &usize| {
            let content = &text[start..*end];
            let is_rule = matches!(first, b'*' | b'_') && !content.iter().any(u8::is_ascii_alphabetic);
            content.ends_with(b"\n") && !is_rule
        };
        match end.filter(is_left_out) {
            Some(end) => {
                self.leave_out(start..end);
                self.keep_found();
                Some(end)
            }
            None => {
                self.found.truncate(had);
                None
            }
        }
    }

    /// Whether a quick look can read a paragraph. What it finds is kept then.
    fn is_simple(&mut self, lines: &Lines) -> bool {
        let text = &self.source.as_bytes()[..lines.end];
        // The end of the last plain line: what begins the next one matters.
        let start = lines.start.max(lines.plain.saturating_sub(1));
        let before = self.found.len();
        let is_simple = text[lines.start].is_ascii_alphabetic()
            && text.ends_with(b"\n")
            && simple::read(text, start, |span, what| self.found.push(Found { at: 0, span, what }));
        if !is_simple {
            self.found.truncate(before);
        }
        is_simple
    }

    fn leave_out_plain(&mut self) {
        let plain = std::mem::take(&mut self.plain);
        self.leave_out(plain);
        self.keep_found();
    }

    /// What was found and not kept yet belongs to the letter that the short text ends with.
    fn keep_found(&mut self) {
        self.found[self.had..].iter_mut().for_each(|found| found.at = self.text.len());
        self.had = self.found.len();
    }

    /// Leaves out these lines, but for a letter instead of the first octet, and the last line end. Returns false if there is nothing else.
    fn leave_out(&mut self, lines: Range<usize>) -> bool {
        if lines.len() <= 2 {
            return false;
        }
        if self.text.is_empty() {
            self.text.reserve(self.source.len());
        }
        self.text.push_str(&self.source[self.done()..lines.start]);
        self.text.push(LETTER);
        self.cuts.push(Cut { at: self.text.len(), octets: lines.end - 1 - self.text.len() });
        true
    }

    /// How much of the document is in the text or left out.
    fn done(&self) -> usize {
        self.text.len() + self.cuts.last().map_or(0, |cut| cut.octets)
    }

    /// Whether so much is left out up to `end` that looking on is likely to save more than it takes.
    fn is_worth_it(&self, end: usize) -> bool {
        /// What is looked at in any case.
        const BEGINNING: usize = 2048;
        let left_out = self.cuts.last().map_or(0, |cut| cut.octets) + self.plain.len();
        end < BEGINNING || left_out > end / 4
    }

    fn finish(mut self) -> Short<'s> {
        self.leave_out_plain();
        if self.cuts.is_empty() {
            return Short::whole(self.source);
        }
        self.text.push_str(&self.source[self.done()..]);
        Short { text: Cow::Owned(self.text), cuts: self.cuts, found: self.found }
    }
}

/// Lines with an empty line before.
struct Lines {
    start: usize,
    /// The end of the first ones that are plain without emphasis.
    plain: usize,
    end: usize,
    kind: u8,
}

impl Lines {
    /// The lines from `start` to the next empty line. Only the last one of a document may have no end.
    fn of(octets: &[u8], start: usize, empty_line: &Finder) -> Self {
        let plain = start + plain_lines(&octets[start..]);
        let end = match octets.get(plain) {
            // An empty line ends plain ones, too.
            None | Some(b'\n') => plain,
            Some(_) => empty_line.find(&octets[plain..]).map_or(octets.len(), |length| plain + length + 1),
        };
        let mut lines = Lines { start, plain, end, kind: 0 };
        let mut rest = &octets[plain..end];
        // Behind a special line, none is looked at.
        while !rest.is_empty() && lines.kind & SPECIAL == 0 {
            let (line, behind) = rest.split_at(memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1));
            lines.push(line);
            rest = behind;
        }
        lines
    }

    /// Adds what there is in the next line, where none before it is special.
    fn push(&mut self, line: &[u8]) {
        let may_begin = line[0].is_ascii_alphabetic() || line[0] == b'[';
        self.kind |= if may_begin && line.ends_with(b"\n") { kind(line) } else { SPECIAL };
        if self.kind & BRACKET != 0 && !only_refers(line) {
            self.kind |= SPECIAL;
        }
        if self.kind == 0 {
            self.plain += line.len();
        }
    }
}

/// How long the plain lines at the start of a text are: lines that begin with a letter, [mean](kind) nothing, and end. Lines with `^`
/// or DEL are not looked at more closely.
fn plain_lines(text: &[u8]) -> usize {
    if !text.first().is_some_and(u8::is_ascii_alphabetic) {
        return 0;
    }
    // All octets up to this one are plain.
    let mut last = 0;
    while text[last..].first_chunk().is_some_and(are_plain) {
        last += MANY;
    }
    while let Some(octets) = text[last..].first_chunk() {
        let plain = plain_octets(octets);
        last += plain;
        if plain < BLOCK {
            break;
        }
    }
    last += text[last..].windows(2).take_while(|octets| !is_odd(octets[0], octets[1])).count();
    memchr::memrchr(b'\n', &text[..=last]).map_or(0, |end| end + 1)
}

/// So many octets are compared at once, and so many before anybody asks what was found.
const BLOCK: usize = 16;
const MANY: usize = 4 * BLOCK;

/// Whether all octets behind the first are plain.
#[inline(always)]
fn are_plain(octets: &[u8; 1 + MANY]) -> bool {
    let mut are_odd = [false; BLOCK];
    for start in (0..MANY).step_by(BLOCK) {
        for at in 0..BLOCK {
            are_odd[at] |= is_odd(octets[start + at], octets[start + at + 1]);
        }
    }
    are_odd == [false; BLOCK]
}

/// How many octets behind the first stand before one that is not certain to be plain.
#[inline(always)]
fn plain_octets(octets: &[u8; 1 + BLOCK]) -> usize {
    let mut are_odd = [0; BLOCK];
    for at in 0..BLOCK {
        are_odd[at] = u8::from(is_odd(octets[at], octets[at + 1]));
    }
    u128::from_le_bytes(are_odd).trailing_zeros() as usize / 8
}

/// Whether an octet behind another one is not certain to be plain.
#[inline(always)]
fn is_odd(before: u8, octet: u8) -> bool {
    let begins_badly = (before == b'\n') & (octet.cast_signed() < b'A'.cast_signed());
    // `@`, `[`, `\`, `]`, `^`, `_`, `{`, `|`, `}`, `~`, DEL, and the backquote, which is `@` with one bit more.
    let upper = octet & !0x20;
    let is_mark = (upper.wrapping_sub(b'[') < 5) | (upper == b'@') | (octet & !2 == b'<');
    begins_badly | is_mark | (octet == b'&') | (octet == b'*') | ((octet < b' ') & (octet != b'\n'))
}

/// An octet that may start, end or escape something in the middle of a line. A tab or CR is one, too.
const SPECIAL: u8 = 1;
/// What may start or end emphasis.
const EMPHASIS: u8 = 2;
/// `[` or `]`.
const BRACKET: u8 = 4;

/// Whether no bracket of a line ends the text of a link or the label of a definition.
fn only_refers(line: &[u8]) -> bool {
    memchr::memchr_iter(b']', line).all(|at| !matches!(line.get(at + 1), Some(b'(' | b'[' | b':')))
}

/// What there is in a line.
fn kind(line: &[u8]) -> u8 {
    let kind_of = |octet: u8| {
        // With one bit less, `{ | }` are `[ \ ]`, and the backquote is `@`.
        let upper = octet & !0x20;
        let is_bracket = (octet == b'[') | (octet == b']');
        let is_special = ((upper.wrapping_sub(b'[') < 3) & !is_bracket)
            | (upper == b'@')
            | (octet & !2 == b'<')
            | (octet == b'&')
            | ((octet < b' ') & (octet != b'\n'));
        let is_emphasis = (octet == b'*') | (octet == b'_') | (octet == b'~');
        (u8::from(is_special) * SPECIAL) | (u8::from(is_emphasis) * EMPHASIS) | (u8::from(is_bracket) * BRACKET)
    };
    // Blocks without a branch. The last overlaps the one before.
    let Some(last) = line.last_chunk::<BLOCK>() else {
        return line.iter().fold(0, |kind, octet| kind | kind_of(*octet));
    };
    let mut kinds = [0; BLOCK];
    let mut add = |block: &[u8; BLOCK]| {
        for (kind, octet) in kinds.iter_mut().zip(block) {
            *kind |= kind_of(*octet);
        }
    };
    line.as_chunks().0.iter().for_each(&mut add);
    add(last);
    kinds.iter().fold(0, |all, kind| all | kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn is_short(source: &str, short: &str) {
        assert_eq!(Short::of(source, source.len()).text(), short, "{source:?}");
    }

    #[test]
    fn plain_paragraphs_are_one_letter() {
        is_short("some words\nand more\n\nA paragraph, too: 1 < 2 not.\n", "a\n\nA paragraph, too: 1 < 2 not.\n");
        is_short("one.\n\nTwo (and\nthree)!\n\n\n\nfour\n\n# head\n", "a\n\n# a\n");
        is_short("with *emphasis_ ~\nand words\n\n[a](b)", "a\n\n[a](b)");
    }

    #[test]
    fn what_only_refers_to_a_definition_says_nothing() {
        is_short("[a] and [b]\n[c]\nd [e\n\n[^f] ]\n\n# head\n", "a\n\n# a\n");
        for source in ["[a][b] c\n", "[a]: bcd\n", "a [b\nc]: d\n", "a [b\nc](d)\n", "a [b\\]\n", "a [`b]`\n"] {
            is_short(source, source);
        }
    }

    #[test]
    fn lines_are_plain_up_to_the_first_octet_that_means_something() {
        let is_plain = |line: &[u8]| {
            let has_end = line.len() > 1 && line.ends_with(b"\n");
            has_end && line[0].is_ascii_alphabetic() && kind(line) == 0
        };
        let by_lines = |text: &[u8]| -> usize {
            text.split_inclusive(|octet| *octet == b'\n').take_while(|line| is_plain(line)).map(<[u8]>::len).sum()
        };
        let plain = ["Some words", "azAZ09 .,;:!", "x\u{e9}\u{4e2d}"].join("\n").repeat(6).into_bytes();
        for length in [1, 2, 3, 15, 16, 17, 18, 33, 50, 64, 65, 66, 80, 150] {
            let mut text = plain[..length].to_vec();
            *text.last_mut().unwrap() = b'\n';
            for at in 0..length {
                let was = text[at];
                for octet in 0..=u8::MAX {
                    text[at] = octet;
                    let (found, expected) = (plain_lines(&text), by_lines(&text));
                    // Of what looks odd, two octets are not.
                    let is_sure = !matches!(octet, b'^' | 0x7F);
                    assert!(found == expected || !is_sure && found < expected, "{found} {expected} {text:?}");
                }
                text[at] = was;
            }
            assert_eq!(plain_lines(&text), if length > 1 { length } else { 0 });
        }
    }

    #[test]
    fn plain_lines_before_another_one_are_one_line() {
        is_short("some words\nand more\nthen [a][b]\nand words\n", "a\nthen [a][b]\nand words\n");
        is_short("words *and*\nmore [a][b]\n", "a\nmore [a][b]\n");
    }

    #[test]
    fn what_is_complete_in_its_line_is_one_letter() {
        for (source, short) in [
            ("- a `b` [c](d)\n* **e**\n", "- a\n* a\n"),
            ("> # [![a](b) \nc\n", "> # [![a](b) \nc\n"),
            ("> # ![a](b)\n## _c_ <http://d>\n* <ef:g>\n12) (e)\n  1. > f g\n", "> # a\n## a\n* a\n12) a\n  1. > a\n"),
            // Something may go on in the lines behind it, but not in an item.
            ("- a [b\n  c](d)\nef\n- gh\n   + ij\n    - kl\n", "- a [b\n  c](d)\nef\n- a\n   + a\n    - a\n"),
            ("- a ``b\n1. cd\n2. ef\n", "- a ``b\n1. cd\n2. ef\n"),
            ("a [b\n2. - [c](d)\n    - [e](f)\n", "a [b\n2. - [c](d)\n    - [e](f)\n"),
            ("- a | b\n- c\n", "- a | b\n- c\n"),
            ("- a | b\n- cd", "- a | b\n- cd"),
            ("- ***\n- (1)\n-   []()\n", "- ***\n- a\n-   a\n"),
            ("- \"ab\"\n- /ab\n- -ab\n1.ab\n#ab\n", "- \"ab\"\n- /ab\n- -ab\n1.ab\n#ab\n"),
            // A block of HTML, in which nothing of it would be there.
            ("<p>\n- ab\n", "<p>\n- ab\n"),
            ("- [a]: b\n- [^a]: b\n- [ ] ab\n", "- [a]: b\n- [^a]: b\n- [ ] ab\n"),
        ] {
            is_short(source, short);
        }
    }

    #[test]
    fn of_lines_that_define_nothing_a_reader_of_definitions_gets_the_start() {
        for (source, outline) in [
            ("<b> [q][r]\n\n- [q](x `y\n> *[c\n\n\"a]: b\"\n12\n", "<b> a\n\n- a\n> a\n\na\n"),
            ("<b> ab\n[a]: b\n&cd\n- e `f`\n", "<b> a\n[a]: b\na\n- a\n"),
            ("[a]: b\n\"&cd\n[a]: <b\n\"cd\n", "[a]: b\n\"&cd\n[a]: <b\n\"cd\n"),
            ("[a]: <b\n&cd [a]: b c\n", "a\n"),
            ("[a]:\n&cd\n", "[a]:\n&cd\n"),
            ("|a|\n|-|\n|&]:\n", "|a|\n|-|\na\n"),
            ("&ab\n\t[a]: b\n&cd\n", "a\n\t[a]: b\n&cd\n"),
            ("- ab\n  <p>&ab\n- cd &ef\n", "- a\n  <p>&ab\n- cd &ef\n"),
            ("- a | b\n- cd\\\n", "- a\n- a\n"),
            ("[^1]: > [q]\n[^q]:[a]: b\n[^2]: cd\\\n", "[^1]: > a\n[^q]:[a]: b\n[^2]: a\n"),
            ("- a | b\n  - | -\n  c [|]\n  \"| d\n", "- a | b\n  - | -\n  a\n  a\n"),
            ("> a | b\n>-|-\n> c\\|d\n", "> a | b\n>-|-\n> a\n"),
        ] {
            assert_eq!(Short::of_blocks(source, source.len()).text(), outline, "{source:?}");
        }
    }

    #[test]
    fn a_reader_of_definitions_learns_whether_what_may_end_html_is_text() {
        for source in ["&a > b\n\n# c\n", "- a <b>\n"] {
            let short = Short::of_blocks(source, source.len());
            let found = short.found().iter().map(|found| &short.text()[found.at - 1..found.at]);
            assert_eq!(found.collect::<Vec<_>>(), ["a"], "{source:?}");
        }
    }

    #[test]
    fn what_is_found_at_the_border_belongs_to_its_own_paragraph() {
        let source = "left out\n*\n```\n\nsee <http://h/>\nx\n";
        let short = Short::of(source, source.len() - 2);
        assert_eq!((short.text(), short.found()[0].at), ("a\n*\n```\n\na\n", 10));
    }

    #[test]
    fn what_is_not_known_to_begin_a_paragraph_stays() {
        for source in ["- a\nwo &\n", " \nwo\n- a\n", "words", "1. wo &\n\n   &words\n", "words\r\nwords\r\n"] {
            is_short(source, source);
        }
    }

    #[test]
    fn places_are_those_of_the_document() {
        let source = "first words\n\n<a>\nmore\n\nsecond words\nthird <b>\n";
        let short = Short::of(source, source.len());
        for part in ["<a>", "more", "third <b>"] {
            let start = short.text().find(part).unwrap_or_default();
            assert_eq!(source[short.place(start..start + part.len())], *part);
        }
        // What is left out is not part of what it ends or starts.
        assert_eq!([short.place(0..1), short.place(1..2), short.place(1..1)], [0..1, 11..12, 11..11]);
    }
}
