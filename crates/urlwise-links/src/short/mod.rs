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
//!
//! Where only definitions are wanted, less is kept: what may be one, and of each other line what begins a block.

mod definitions;
mod lines;
mod links;

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem::Finder;

use crate::definition;
use crate::outline::Content;
use crate::simple::{self, What};
use definitions::Definitions;
use lines::Lines;
use links::Links;

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
        Self::put_together::<Links>(source, border)
    }

    /// The same for a reader of nothing but blocks and what they define.
    pub(crate) fn of_blocks(source: &'s str, border: usize) -> Self {
        Self::put_together::<Definitions>(source, border)
    }

    fn put_together<R: Reader>(source: &'s str, border: usize) -> Self {
        let octets = source.as_bytes();
        let (text, cuts, found) = (String::new(), Vec::new(), Vec::new());
        let mut writer =
            Writer { source, border, text, cuts, found, plain: 0..0, had: 0, definition: definition::finder() };
        let finder = Finder::new(b"\n\n");
        let mut at = 0;
        while at < octets.len() {
            if octets[at] == b'\n' {
                at += 1;
                continue;
            }
            let lines = Lines::of(octets, at, &finder);
            writer.paragraph::<R>(&lines);
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

    /// The first octet of the short text that stands at a place of the document or behind it.
    pub(crate) fn first_at(&self, place: usize) -> usize {
        let before = self.cuts.partition_point(|cut| cut.at + cut.octets < place);
        let left_out = before.checked_sub(1).map_or(0, |last| self.cuts[last].octets);
        let next = self.cuts.get(before).map_or(usize::MAX, |cut| cut.at);
        next.min(place - left_out)
    }

    fn left_out(&self, is_before: impl Fn(&Cut) -> bool) -> usize {
        self.cuts.partition_point(is_before).checked_sub(1).map_or(0, |last| self.cuts[last].octets)
    }
}

/// Whom a text is for.
trait Reader {
    /// Whether one letter is enough for lines that are not all plain, with an empty line before and behind: then what is found in them is kept,
    /// and nothing is written yet. Otherwise what can be is left out of them.
    fn is_one_letter(writer: &mut Writer, lines: &Lines) -> bool;
}

/// Puts a short text together.
struct Writer<'s> {
    source: &'s str,
    border: usize,
    text: String,
    cuts: Vec<Cut>,
    found: Vec<Found>,
    /// Paragraphs that are not left out yet.
    plain: Range<usize>,
    /// How much was found before them.
    had: usize,
    /// Finds what may be a definition.
    definition: Finder<'static>,
}

impl<'s> Writer<'s> {
    /// Adds lines with an empty line before and behind.
    fn paragraph<R: Reader>(&mut self, lines: &Lines) {
        if lines.start == lines.end {
            return;
        }
        // Before anything is found in these lines: that belongs to the letter of the lines, not to the one before.
        if lines.end > self.border {
            self.leave_out_plain();
        }
        // Emphasis alone says nothing to a reader of links.
        if lines.are_plain() || R::is_one_letter(self, lines) {
            self.plain = if self.plain.is_empty() { lines.start..lines.end } else { self.plain.start..lines.end };
        }
    }

    /// Leaves out the paragraphs before these lines, and those of the lines that are plain.
    fn leave_out_up_to(&mut self, lines: &Lines) {
        self.leave_out_plain();
        self.leave_out(lines.start..lines.plain);
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
        self.keep_up_to(lines.start);
        self.text.push(LETTER);
        self.cut(lines.end - 1);
        true
    }

    /// Adds what is not in the text yet up to a place of the document.
    fn keep_up_to(&mut self, place: usize) {
        if self.text.is_empty() {
            self.text.reserve(self.source.len());
        }
        self.text.push_str(&self.source[self.done()..place]);
    }

    /// The text goes on there in the document.
    fn cut(&mut self, place: usize) {
        self.cuts.push(Cut { at: self.text.len(), octets: place - self.text.len() });
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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn is_short(source: &str, short: &str) {
        assert_eq!(Short::of(source, source.len()).text(), short, "{source:?}");
    }

    #[test]
    fn places_are_found_in_both_directions() {
        let source = "some words\n\n# [a](b)\n\n> # and more\n> [c](d) words\n\nsome words\n\nthe end\n";
        for short in [Short::of(source, 20), Short::of_blocks(source, source.len()), Short::whole(source)] {
            for place in 0..=source.len() {
                let mut octets = 0..=short.text().len();
                let first = octets.find(|at| short.start(*at) >= place).unwrap_or(short.text().len());
                assert_eq!(short.first_at(place), first, "{place} of {:?}", short.text());
            }
        }
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
            ("[a]: b\n\"&cd\n[a]: <b\n\"\ncd\n", "[a]: b\n\"&cd\n[a]: <b\n\"\ncd\n"),
            ("[a]: b\n\"&cd\n\"\n&ef\n", "[a]: b\n\"&cd\n\"\na\n"),
            ("[a]: b\n\"&cd\n[a]: <b\n\"cd\n", "[a]: b\na\n"),
            ("-\t[a]: b 'cd\n\t- ef\n\n1)\t[a]:\n   b\ncd\n", "-\ta\n\t- a\n\n1)\t[a]:\n   b\na\n"),
            ("[a]: <b\n&cd [a]: b c\n", "a\n"),
            ("&ab\n&cd\n# e&f\n&gh\n&ij\n", "a\n# a\na\n"),
            ("[a]:\n&cd\n", "[a]:\n&cd\n"),
            ("- [a]:\n> [b]:\ncd\n&ef\n", "- [a]:\n> [b]:\ncd\na\n"),
            ("- [a]:\n> [b]:\ncd ef\n&gh\n", "- [a]:\n> [b]:\ncd ef\n&gh\n"),
            ("- [a]: b\n'<p>\n  c'\n&ef\n", "- [a]: b\n'<p>\n  c'\na\n"),
            ("[a]: b\n'c\n[d]: e\nf'\n&gh\n", "[a]: b\n'c\n[d]: e\nf'\na\n"),
            ("- [a]: b\n'\n<p>\n  c'\n&ef\n", "- [a]: b\n'\n<p>\n  c'\n&ef\n"),
            ("|a|\n|-|\n|&]:\n", "|a|\n|-|\na\n"),
            ("&ab\n\t[a]: b\n&cd\n", "a\n\t[a]: b\na\n"),
            ("&ab\n\u{c}[a]: b\n&cd\n", "a\n\u{c}[a]: b\n&cd\n"),
            ("- ab\n  <p>&ab\n- cd &ef\n", "- a\n  <p>&ab\n- cd &ef\n"),
            ("- a | b\n- cd\\\n", "- a\n- a\n"),
            ("[^1]: > [q]\n[^q]:[a]: b\n[^2]: cd\\\n", "[^1]: > a\n[^q]:[a]: b\n[^2]: a\n"),
            ("- a | b\n  - | -\n  c [|]\n  \"| d\n", "- a|a\n  - | -\n  a\n  a\n"),
            ("| []\\|&|[b]&| \n|-|-|\n", "|a|a| \n|-|-|\n"),
            ("|&]:|\u{b}\t\n|-|\n", "|a|\u{b}\t\n|-|\n"),
            ("> a | b\n>-|-\n> c\\|d\n", "> a|a\n>-|-\n> a\n"),
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
