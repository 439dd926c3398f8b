//! `urlwise: ignore[RULE]` in a comment of a document: what is not reported of the URLs next to it (D-104).
//!
//! Commas stand between several rules. The comment is about its line; if it stands alone there, also about the next line that is not blank,
//! and all of a tag of HTML that begins on that. In which language it is a comment does not matter, but between backticks it is an example.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use memchr::memmem;

/// What a comment contains.
const MARK: &[u8] = b"urlwise: ignore[";
/// The longest list of rules, in octets.
const LONGEST: usize = 1_000;
/// The most rules that comments on one line name, and the most in a text; comments beyond them do not count. So all names of a text have
/// less than 50 MB.
const MOST_OF_LINE: usize = 100;
const MOST: usize = 50_000;
/// The rest of a tag is no longer than this, in octets.
const LONGEST_TAG: usize = 4_000;
/// Around a comment that stands alone, only these are on its line besides blanks.
const BRACKETS: [&[u8]; 14] =
    [b"<!--", b"-->", b"//", b"/*", b"*/", b"#", b"--", b";", b"%", b"..", b"{/*", b"*/}", b"[//]: # (", b")"];

/// A comment that ignores rules.
#[derive(Debug)]
struct Suppression {
    /// Where it stands.
    span: Range<usize>,
    /// The octets of the text that it is about.
    covers: Range<usize>,
    /// The furthest place that this one or one before it is about.
    reaches: usize,
    /// Which of all rules it names.
    rules: Range<u32>,
}

/// A rule that a comment names, and whether something was ignored by it.
#[derive(Debug)]
struct Ignored {
    /// Where its name stands among the names.
    name: Range<u32>,
    is_used: AtomicBool,
}

/// The comments of a text that ignore rules, and which of these rules were needed.
///
/// ```
/// use urlwise_formats::comments::Suppressions;
///
/// let text = b"# urlwise: ignore[link-dead, E-03]\nhttp://a.example/\n";
/// let comments = Suppressions::of(text, |name| (name == "E-03").then_some("port-foreign"));
/// assert!(comments.hides(35, "port-foreign") && !comments.hides(35, "link-moved"));
/// assert_eq!(comments.unused().collect::<Vec<_>>(), [(2..34, "link-dead")]);
/// ```
#[derive(Debug, Default)]
pub struct Suppressions {
    comments: Vec<Suppression>,
    /// What they name, in their order: no allocation for each, for a text may have as many as [`MOST`].
    rules: Vec<Ignored>,
    names: String,
}

impl Suppressions {
    /// Reads a text, which need not be UTF-8. `id` knows the name of a rule by a number or another name of it, `None` for one that it does
    /// not know; such a rule keeps the name that it has here.
    ///
    /// Ignored are comments that do not end on their line and before the next one, whose list is not UTF-8 or has 1,000 octets or more, and those beyond 100 rules on a line
    /// or 50,000 in the text.
    pub fn of(text: &[u8], id: impl Fn(&str) -> Option<&'static str>) -> Suppressions {
        let mut found = Suppressions::default();
        let (mut all, mut of_line) = (0, 0);
        let (mut at, mut is_quoted) = (0, false);
        let mut starts = memmem::find_iter(text, MARK).peekable();
        while let Some(start) = starts.next() {
            let before = &text[at..start];
            let line = memchr::memrchr(b'\n', before).map(|end| &before[end + 1..]);
            if line.is_some() {
                (of_line, is_quoted) = (0, false);
            }
            // Between backticks it is an example.
            is_quoted ^= memchr::memchr_iter(b'`', line.unwrap_or(before)).count() % 2 == 1;
            at = start;
            let rules = start + MARK.len();
            // What does not end before the next one is not one.
            let next = starts.peek().copied().unwrap_or(text.len());
            let end = text[rules..next].iter().take(LONGEST).position(|octet| matches!(octet, b']' | b'\n'));
            let Some(end) = end.map(|length| rules + length).filter(|end| text[*end] == b']' && !is_quoted) else {
                continue;
            };
            let Ok(names) = str::from_utf8(&text[rules..end]) else { continue };
            let count = memchr::memchr_iter(b',', names.as_bytes()).count() + 1;
            if of_line + count > MOST_OF_LINE || all + count > MOST {
                continue;
            }
            (of_line, all) = (of_line + count, all + count);
            let first = found.rules.len();
            for name in names.split(',').map(str::trim) {
                let rule = id(name).unwrap_or(name);
                if !found.rules[first..].iter().any(|known| found.name(known) == rule) {
                    let start = found.names.len();
                    found.names.push_str(rule);
                    let name = start as u32..found.names.len() as u32;
                    found.rules.push(Ignored { name, is_used: AtomicBool::new(false) });
                }
            }
            let covers = covers(text, start, end + 1);
            let reaches = found.comments.last().map_or(0, |last| last.reaches).max(covers.end);
            let rules = first as u32..found.rules.len() as u32;
            found.comments.push(Suppression { span: start..end + 1, covers, reaches, rules });
        }
        found
    }

    /// Whether a rule is ignored of a URL that begins at this octet of the text. Then all comments that say so were needed. `rule` is the
    /// name that `id` gave it.
    pub fn hides(&self, at: usize, rule: &str) -> bool {
        let mut is_hidden = false;
        // They are in the order in which what they are about begins.
        let begun = &self.comments[..self.comments.partition_point(|one| one.covers.start <= at)];
        let near = begun.iter().rev().take_while(|one| one.reaches > at);
        for suppression in near.filter(|one| one.covers.contains(&at)) {
            for ignored in self.named(suppression).iter().filter(|ignored| self.name(ignored) == rule) {
                ignored.is_used.store(true, Ordering::Relaxed);
                is_hidden = true;
            }
        }
        is_hidden
    }

    /// The rules of which [`hides`](Suppressions::hides) has ignored nothing, in their order, each with the octets of its comment from
    /// `urlwise:` to the bracket. A rule that one comment names twice is there once.
    pub fn unused(&self) -> impl Iterator<Item = (Range<usize>, &str)> {
        self.comments.iter().flat_map(|one| {
            let unused = self.named(one).iter().filter(|ignored| !ignored.is_used.load(Ordering::Relaxed));
            unused.map(|ignored| (one.span.clone(), self.name(ignored)))
        })
    }

    /// What a comment names.
    fn named(&self, comment: &Suppression) -> &[Ignored] {
        &self.rules[comment.rules.start as usize..comment.rules.end as usize]
    }

    /// The name of a rule.
    fn name(&self, ignored: &Ignored) -> &str {
        &self.names[ignored.name.start as usize..ignored.name.end as usize]
    }

    /// Where they stand, in order: the octets from `urlwise:` to the bracket.
    pub fn spans(&self) -> impl Iterator<Item = Range<usize>> {
        self.comments.iter().map(|one| one.span.clone())
    }

    /// Whether no comment ignores a rule.
    pub fn is_empty(&self) -> bool {
        self.comments.is_empty()
    }
}

/// What a comment is about: its line; if it stands alone there, also the next line that is not blank, and the rest of a tag that
/// begins on that.
fn covers(text: &[u8], start: usize, end: usize) -> Range<usize> {
    let line_end = |from: usize| memchr::memchr(b'\n', &text[from..]).map_or(text.len(), |length| from + length + 1);
    let first = memchr::memrchr(b'\n', &text[..start]).map_or(0, |before| before + 1);
    let mut last = line_end(end);
    if is_bare(&text[first..start]) && is_bare(&text[end..last]) {
        loop {
            let next = line_end(last);
            let line = &text[last..next];
            let tag_end = || memchr::memchr(b'>', &text[next..text.len().min(next + LONGEST_TAG)]);
            last = match tag_begins(line).then(tag_end).flatten() {
                Some(length) => line_end(next + length),
                None => next,
            };
            if !line.trim_ascii().is_empty() || last == text.len() {
                break;
            }
        }
    }
    first..last
}

/// Whether a tag of HTML begins on a line and does not end there.
fn tag_begins(line: &[u8]) -> bool {
    let last = memchr::memrchr2(b'<', b'>', line).map(|at| &line[at..]);
    last.is_some_and(|last| last[0] == b'<' && last.get(1).is_some_and(u8::is_ascii_alphabetic))
}

/// Whether a part of a line holds nothing but the brackets of a comment.
fn is_bare(part: &[u8]) -> bool {
    let part = part.trim_ascii();
    part.is_empty() || BRACKETS.contains(&part)
}

#[cfg(test)]
mod tests {
    use super::Suppressions;
    use proptest::prelude::*;

    /// What comments and the lines about them are made of.
    const PARTS: &[&str] = &[
        "urlwise: ignore[",
        "link-dead",
        "a",
        ",",
        "]",
        "urlwise: ignore[a]",
        "<!-- ",
        " -->",
        "# ",
        "// ",
        "`",
        "\n",
        "\n",
        "\r\n",
        "<a",
        "<",
        ">",
        "http://a/",
        " ",
        "\u{e9}",
        "\0",
    ];

    proptest! {
        #![proptest_config(crate::testing::at_least(2_000))]

        #[test]
        fn any_text_has_comments_of_its_own_and_hides_nothing_without_one(parts in prop::collection::vec(prop::sample::select(PARTS), 0..24)) {
            let text = parts.concat();
            let suppressions = of(text.as_bytes());
            prop_assert!(suppressions.spans().count() <= text.matches("urlwise: ignore[").count(), "{text:?}");
            for span in suppressions.spans() {
                prop_assert!(text[span.clone()].starts_with("urlwise: ignore[") && text[span].ends_with(']'), "{text:?}");
            }
            let hidden = (0..=text.len()).filter(|at| suppressions.hides(*at, "a")).count();
            prop_assert!(hidden == 0 || suppressions.spans().any(|span| text[span].contains('a')), "{text:?}");
        }
    }

    fn of(text: &[u8]) -> Suppressions {
        Suppressions::of(text, |name| (name == "E-03").then_some("port-foreign"))
    }

    fn hides(text: &str, at: &str, rule: &str) -> bool {
        of(text.as_bytes()).hides(text.find(at).expect("it is there"), rule)
    }

    #[test]
    fn a_comment_is_about_its_line() {
        let text = "before\nhttp://a/ <!-- urlwise: ignore[link-dead] -->\nhttp://b/\n";
        assert!(hides(text, "http://a", "link-dead"));
        assert!(!hides(text, "http://a", "link-moved"));
        assert!(!hides(text, "http://b", "link-dead") && !hides(text, "before", "link-dead"));
    }

    #[test]
    fn a_comment_that_stands_alone_is_about_the_next_line_that_is_not_blank() {
        for (open, close) in [
            ("<!--", "-->"),
            ("#", ""),
            ("//", ""),
            ("/*", "*/"),
            ("", ""),
            ("..", ""),
            ("{/*", "*/}"),
            ("[//]: # (", ")"),
        ] {
            let text = format!("  {open} urlwise: ignore[a, b] {close}\n\n http://a/\nhttp://b/");
            assert!(hides(&text, "http://a", "a") && hides(&text, "http://a", "b"), "{open}");
            assert!(!hides(&text, "http://b", "a"), "{open}");
        }
        assert!(!hides("x urlwise: ignore[a]\nhttp://a/", "http://a", "a"));
        assert!(!hides("# urlwise: ignore[a] x\nhttp://a/", "http://a", "a"));
        assert!(hides("# urlwise: ignore[a]\nhttp://a/", "http://a", "a"), "the last line needs no end");
    }

    #[test]
    fn a_comment_before_a_tag_of_several_lines_is_about_all_of_it() {
        let text = "<!-- urlwise: ignore[a] -->\n<p>x <a\n  class=x\n  href='http://a/'\n>\nhttp://b/";
        assert!(hides(text, "http://a", "a") && !hides(text, "http://b", "a"));
        let whole = "<!-- urlwise: ignore[a] -->\n<a\n href='http://a/'>\n<a href='http://b/'>";
        assert!(hides(whole, "http://a", "a") && !hides(whole, "http://b", "a"));
        for open in ["a <b> c", "a < b", "<a"] {
            let text = format!("# urlwise: ignore[a]\n{open}\nhttp://b/");
            assert!(!hides(&text, "http://b", "a"), "{open}");
        }
        let long = format!("# urlwise: ignore[a]\n<a\nhttp://b/ {}>", "x".repeat(super::LONGEST_TAG));
        assert!(!hides(&long, "http://b", "a"));
    }

    #[test]
    fn a_tag_may_end_with_the_first_octet_of_a_line() {
        let text = "<!-- urlwise: ignore[a] -->\n<a href='x'\n>http://a/</a>\nhttp://b/";
        assert!(hides(text, "http://a", "a") && !hides(text, "http://b", "a"));
    }

    #[test]
    fn so_many_rules_of_a_line_and_of_a_text_count_and_no_more() {
        let line = |comments: usize| "urlwise: ignore[a] ".repeat(comments) + "urlwise: ignore[b] http://a/\n";
        assert!(hides(&line(99), "http://a", "b"));
        assert!(!hides(&line(100), "http://a", "b") && hides(&line(100), "http://a", "a"));
        let text = |lines: usize| "urlwise: ignore[a, b]\n\n".repeat(lines) + "http://a/ urlwise: ignore[c, d]";
        assert!(hides(&text(24_999), "http://a", "c"));
        assert!(!hides(&text(25_000), "http://a", "c"));
    }

    #[test]
    fn each_place_is_hidden_by_the_comments_about_it_whatever_stands_between() {
        let text =
            "# urlwise: ignore[a]\n<a\n# urlwise: ignore[b]\n http://a/>\nhttp://b/ urlwise: ignore[c]\nhttp://c/";
        for (at, rules) in [("http://a", "ab"), ("http://b", "c"), ("http://c", "")] {
            for rule in ["a", "b", "c"] {
                assert_eq!(hides(text, at, rule), rules.contains(rule), "{at} {rule}");
            }
        }
    }

    #[test]
    fn what_was_not_needed_is_known() {
        let text = "http://a/ # urlwise: ignore[a,b]";
        let suppressions = of(text.as_bytes());
        assert!(suppressions.hides(0, "a"));
        let unused: Vec<_> = suppressions.unused().collect();
        assert_eq!(unused, [(12..32, "b")]);
    }

    #[test]
    fn a_rule_that_is_named_again_is_reported_once() {
        let suppressions = of(b"urlwise: ignore[a, port-foreign, b, a, E-03]");
        let unused: Vec<_> = suppressions.unused().map(|(_, rule)| rule).collect();
        assert_eq!(unused, ["a", "port-foreign", "b"]);
    }

    #[test]
    fn an_example_in_backticks_is_not_one() {
        assert!(of(b"write `# urlwise: ignore[a]` there").is_empty());
        assert!(!of(b"`code` # urlwise: ignore[a]").is_empty());
        assert!(!of(b"`\n# urlwise: ignore[a]").is_empty());
    }

    #[test]
    fn what_does_not_end_on_its_line_is_not_one() {
        for text in ["urlwise: ignore[a\n]", "urlwise: ignore[a", "urlwise: ignore a", "urlwise:ignore[a]"] {
            assert!(of(text.as_bytes()).is_empty(), "{text}");
        }
    }

    #[test]
    fn what_does_not_end_before_the_next_one_is_not_one() {
        for (text, spans) in [
            ("urlwise: ignore[x urlwise: ignore[a]", &[(18, 36)][..]),
            ("urlwise: ignore[urlwise: ignore[urlwise: ignore[a]", &[(32, 50)]),
            ("urlwise: ignore[a]urlwise: ignore[b]", &[(0, 18), (18, 36)]),
        ] {
            let comments = of(text.as_bytes());
            assert!(comments.spans().eq(spans.iter().map(|(start, end)| *start..*end)), "{text}");
            assert!(comments.hides(0, "a") && !comments.hides(0, "x urlwise: ignore[a"), "{text}");
        }
    }
}
