//! Marks of Org and AsciiDoc that enclose what stands for itself: `=http://host.dom/=`. In a URL they would be letters like others.

use std::ops::Range;

use crate::piece::{Piece, Role};

/// The marks of Org.
pub(crate) const ORG: [u8; 2] = *b"=~";
/// The mark of AsciiDoc that a URL may end with, twice.
pub(crate) const ASCIIDOC: [u8; 2] = *b"++";

/// Gives the text of a document to `visit`: what is enclosed, and what stands before, between and behind it.
pub(crate) fn each<'s>(source: &'s [u8], marks: [u8; 2], mut visit: impl FnMut(Piece<'s>) -> bool) -> bool {
    let mut at = 0;
    for line in lines(source) {
        let mut from = line.start;
        while let Some(inside) = enclosed(source, marks, from..line.end) {
            for part in [at..inside.start, inside.clone()] {
                if !visit(Piece::as_written(source, part, Role::Text)) {
                    return false;
                }
            }
            at = inside.end;
            from = at + 1;
        }
    }
    at == source.len() || visit(Piece::as_written(source, at..source.len(), Role::Text))
}

/// The lines of a text, without their ends.
fn lines(source: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    memchr::memchr_iter(b'\n', source).chain([source.len()]).map(move |end| std::mem::replace(&mut at, end + 1)..end)
}

/// The first text in a line between two equal marks, or two runs of them: behind a blank or punctuation and before one, and without a blank at
/// either end. No octet is read twice.
fn enclosed(source: &[u8], [first, second]: [u8; 2], line: Range<usize>) -> Option<Range<usize>> {
    let is_white = |at: usize| source[at].is_ascii_whitespace();
    // Behind the first of either mark that may open something, and the length of its run.
    let mut open = [None; 2];
    let mut done = line.start;
    for at in memchr::memchr2_iter(first, second, &source[line.clone()]).map(|at| line.start + at) {
        if at < done {
            continue;
        }
        let run = source[at..line.end].iter().take_while(|octet| **octet == source[at]).count();
        done = at + run;
        let begins = at == 0 || source[at - 1] == b'\n' || is_apart(source[at - 1], b"-({['\"`*_,;|<>");
        let ends = done == source.len() || is_apart(source[done], b"-.,:;!?)}]'\"`*_|<>\\");
        let open = &mut open[usize::from(source[at] != first)];
        match *open {
            Some((start, length)) if ends && run >= length && !is_white(at - 1) => return Some(start..done - length),
            None if begins && done < line.end && !is_white(done) => *open = Some((done, run)),
            _ => {}
        }
    }
    None
}

/// Whether an octet is no part of a word or URL: a blank, one of these marks, or outside US-ASCII.
fn is_apart(octet: u8, marks: &[u8]) -> bool {
    octet.is_ascii_whitespace() || !octet.is_ascii() || marks.contains(&octet)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(source: &str, marks: [u8; 2]) -> String {
        let mut parts = Vec::new();
        let is_all = each(source.as_bytes(), marks, |piece| {
            parts.push(String::from_utf8_lossy(piece.text()).into_owned());
            true
        });
        assert!(is_all);
        parts.join("<>")
    }

    #[test]
    fn what_marks_enclose_is_a_part() {
        for (source, expected) in [
            ("see =http://h/= and ~http://i/~.\n=a=\n", "see =<>http://h/<>= and ~<>http://i/<>~.\n=<>a<>=\n"),
            ("(=a b=) =c=d= =e==", "(=<>a b<>=) =<>c=d<>= =<>e=<>="),
            ("=a", "=a"),
            ("= a= a=b c= =d =\n=e", "= a= a=b c= =d =\n=e"),
            ("=a\nb= x", "=a\nb= x"),
            ("=a ~b~ c=", "=a ~<>b<>~ c="),
            ("\u{e9}=a=\u{ff0c}", "\u{e9}=<>a<>=\u{ff0c}"),
            ("== x\n=", "== x\n="),
            ("", ""),
        ] {
            assert_eq!(parts(source, ORG), expected, "{source:?}");
        }
        for (source, expected) in [
            (
                "`+http://h/+`, ++http://i/++ +++http://j/+++",
                "`+<>http://h/<>+`, ++<>http://i/<>++ +++<>http://j/<>+++",
            ),
            ("(+http://h/bot) a+b+c http://h/?a=+b", "(+http://h/bot) a+b+c http://h/?a=+b"),
        ] {
            assert_eq!(parts(source, ASCIIDOC), expected, "{source:?}");
        }
        assert!(!each(b"=a=", ORG, |_| false));
    }
}
