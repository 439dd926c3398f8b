//! Any octets as a document with comments that ignore rules: each comment stands where it says, on one line, and no line has more rules than
//! count (D-104). A rule is hidden on the line of its comment, and otherwise where one of the comments hides it that stands there alone. What was
//! needed is not unused any more, and nothing else changes.

use std::ops::Range;

use urlwise_formats::comments::Suppressions;

const MARK: &[u8] = b"urlwise: ignore[";
/// The longest list of a comment, in octets.
const LONGEST: usize = 1_000;
/// The most rules on a line.
const MOST_OF_LINE: usize = 100;
/// The most rules in a text.
const MOST: usize = 50_000;
/// Of a text with more comments, none is left alone.
const FEW: usize = 8;
const RULES: [&str; 3] = ["link-dead", "port-foreign", "a"];

/// `E-03` is a number of `port-foreign`.
fn id(name: &str) -> Option<&'static str> {
    match name {
        "E-03" | "e-03" | "port-foreign" => Some("port-foreign"),
        "link-dead" => Some("link-dead"),
        _ => None,
    }
}

/// The names of a comment.
fn names<'t>(text: &'t [u8], span: &Range<usize>) -> Vec<&'t str> {
    let list = str::from_utf8(&text[span.start + MARK.len()..span.end - 1]).expect("the list is UTF-8");
    list.split(',').map(str::trim).map(|name| id(name).unwrap_or(name)).collect()
}

/// The line of a place.
fn line(text: &[u8], at: usize) -> Range<usize> {
    let start = text[..at].iter().rposition(|octet| *octet == b'\n').map_or(0, |end| end + 1);
    let end = text[at..].iter().position(|octet| *octet == b'\n').map_or(text.len(), |length| at + length);
    start..end
}

fn check_spans(text: &[u8], spans: &[Range<usize>]) {
    assert!(spans.windows(2).all(|pair| pair[0].end <= pair[1].start), "{spans:?}");
    // Where the line of the last comment starts, and how many names that line has.
    let (mut of_line, mut all) = ((0, 0), 0);
    for span in spans {
        let comment = &text[span.clone()];
        let inner = comment.strip_prefix(MARK).and_then(|rest| rest.strip_suffix(b"]")).expect("it is a comment");
        assert!(inner.len() < LONGEST && !inner.iter().any(|octet| matches!(octet, b'\n' | b']')));
        let start = line(text, span.start).start;
        let ticks = text[start..span.start].iter().filter(|octet| **octet == b'`').count();
        assert_eq!(ticks % 2, 0, "an example is no comment");
        let count = names(text, span).len();
        of_line = (start, count + if of_line.0 == start { of_line.1 } else { 0 });
        all += count;
        assert!(of_line.1 <= MOST_OF_LINE && all <= MOST);
    }
}

/// Whether a rule is hidden there, and what is then unused.
fn check_hidden(text: &[u8], spans: &[Range<usize>], at: usize, rule: &str) {
    let comments = Suppressions::of(text, id);
    let before: Vec<_> = comments.unused().map(|(span, name)| (span, name.to_owned())).collect();
    let is_hidden = comments.hides(at, rule);
    let mut after = comments.unused().peekable();
    for (span, name) in &before {
        let is_left = after.next_if(|(other, left)| other == span && left == name).is_some();
        // Only comments on this line or before it, which name the rule, can have been needed.
        assert!(is_left || is_hidden && name == rule && line(text, span.start).start <= at, "{name:?} {rule:?} {at}");
    }
    assert!(after.next().is_none());
    drop(after);
    assert_eq!(is_hidden, comments.unused().count() < before.len());
    let here = line(text, at);
    if spans.iter().any(|span| here.contains(&span.start) && names(text, span).contains(&rule)) {
        assert!(is_hidden, "{rule:?} {at}");
    }
    assert_eq!(comments.hides(at, rule), is_hidden);
}

/// Leaves one comment as it is, and makes all others words.
fn alone(text: &[u8], at: usize) -> Vec<u8> {
    let mut one = text.to_vec();
    for start in memchr::memmem::find_iter(text, MARK).filter(|start| *start != at) {
        one[start] = b'x';
    }
    one
}

/// At the start of each line all comments hide together what each of them hides alone.
fn check_each(text: &[u8], comments: &Suppressions, spans: &[Range<usize>]) {
    let alone: Vec<_> = spans.iter().map(|span| Suppressions::of(&alone(text, span.start), id)).collect();
    for at in [0].into_iter().chain(memchr::memchr_iter(b'\n', text).map(|end| end + 1)) {
        for rule in RULES {
            let is_hidden = alone.iter().any(|one| one.hides(at, rule));
            assert_eq!(comments.hides(at, rule), is_hidden, "{rule:?} {at}");
        }
    }
}

pub(crate) fn run(text: &[u8]) {
    let comments = Suppressions::of(text, id);
    let spans: Vec<_> = comments.spans().collect();
    assert_eq!(comments.is_empty(), spans.is_empty());
    check_spans(text, &spans);
    for span in &spans {
        let named: Vec<_> = comments.unused().filter(|(unused, _)| unused == span).map(|(_, name)| name).collect();
        let mut written = Vec::new();
        for name in names(text, span) {
            if !written.contains(&name) {
                written.push(name);
            }
        }
        assert_eq!(named, written);
    }
    let last = spans.last().map_or(0, |span| span.start);
    for rule in RULES {
        for at in [last, line(text, last).end + 1] {
            if at < text.len() {
                check_hidden(text, &spans, at, rule);
            }
        }
    }
    if spans.len() <= FEW {
        check_each(text, &comments, &spans);
    }
    assert!(!comments.hides(last, "E-03") && !comments.hides(last, "link-dead,"));
    // Behind a line of its own all stands as far behind as that is long.
    let moved = [b"x\n", text].concat();
    let behind = Suppressions::of(&moved, id);
    assert!(behind.spans().map(|span| span.start - 2..span.end - 2).eq(comments.spans()));
}
