//! Paragraphs of Markdown that a quick look can read: words with code, autolinks and inline links of the usual shape.

use std::ops::Range;

/// What there is besides words.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    /// Code with its backquotes.
    Code,
    /// The inside of an autolink.
    Autolink,
    /// The destination of a link or image.
    Destination,
}

/// Reads a paragraph from `at`, where it starts with a letter or plain lines of it end, to its end. `found` is called for what there is, in order. False
/// if it is not simple: then the whole standard must be read, even if something was found.
///
/// In a fence or a block of HTML it is not a paragraph, and nothing of this is there.
pub(crate) fn read(text: &[u8], mut at: usize, mut found: impl FnMut(Range<usize>, What)) -> bool {
    loop {
        match line(text, at, &mut found) {
            Some(end) if end == text.len() => return true,
            Some(end) if goes_on(&text[end]) => at = end,
            _ => return false,
        }
    }
}

/// Reads a line of a paragraph from `at` to its end, which is returned. `None` if it is not simple, or if something in it goes on in
/// the next line.
pub(crate) fn line(text: &[u8], mut at: usize, found: &mut impl FnMut(Range<usize>, What)) -> Option<usize> {
    // Whether this is the text of a link.
    let mut is_open = false;
    while let Some(words) = text[at..].iter().position(|octet| MARKS[usize::from(*octet)]) {
        at += words;
        match text[at] {
            b'\n' => return (!is_open).then_some(at + 1),
            b'`' => {
                let end = code(text, at)?;
                found(at..end, What::Code);
                at = end;
                continue;
            }
            b'<' if !is_open => {
                let end = autolink(text, at)?;
                found(at + 1..end - 1, What::Autolink);
                at = end;
                continue;
            }
            b'[' => {
                // Behind an `^` stands a footnote.
                if is_open || matches!(text.get(at + 1), None | Some(b'^')) {
                    return None;
                }
                is_open = true;
            }
            b']' if is_open => {
                let span = destination(text, at)?;
                at = span.end;
                found(span, What::Destination);
                is_open = false;
            }
            _ => return None,
        }
        at += 1;
    }
    (!is_open).then_some(text.len())
}

/// The octets that are more than words.
static MARKS: [bool; 256] = {
    let mut marks = among(b"`<[]>&|\\");
    let mut control = 0;
    while control < b' ' {
        marks[control as usize] = true;
        control += 1;
    }
    marks
};

/// The octets before which a URL of the usual shape ends: these, and what is not graphic.
static ENDS: [bool; 256] = {
    let mut ends = among(b"<>[]`|\\");
    let mut octet = 0;
    while octet < ends.len() {
        ends[octet] |= !(octet as u8).is_ascii_graphic();
        octet += 1;
    }
    ends
};

const fn among(octets: &[u8]) -> [bool; 256] {
    let (mut among, mut rest) = ([false; 256], octets);
    while let [octet, behind @ ..] = rest {
        among[*octet as usize] = true;
        rest = behind;
    }
    among
}

/// Whether a line that begins with this octet goes on with a paragraph.
fn goes_on(first: &u8) -> bool {
    first.is_ascii_alphabetic() || matches!(first, b'[' | b'<' | b'`')
}

/// The end of code in one line between single backquotes, the first of which is at `at`.
fn code(text: &[u8], at: usize) -> Option<usize> {
    let inside = &text[at + 1..];
    let length = inside.iter().position(|octet| *octet == b'`' || *octet == b'|' || *octet < b' ')?;
    let is_single = length > 0 && inside[length] == b'`' && inside.get(length + 1) != Some(&b'`');
    is_single.then_some(at + 1 + length + 1)
}

/// The end of the autolink that starts at `at`: a scheme and printable characters in angle brackets.
fn autolink(text: &[u8], at: usize) -> Option<usize> {
    let inside = &text[at + 1..];
    let scheme =
        inside.iter().position(|octet| !octet.is_ascii_alphanumeric() && !matches!(octet, b'+' | b'-' | b'.'))?;
    let is_scheme = (2..=32).contains(&scheme) && inside[0].is_ascii_alphabetic() && inside[scheme] == b':';
    let length = inside.iter().position(|octet| ends(*octet))?;
    (is_scheme && inside[length] == b'>').then_some(at + 1 + length + 1)
}

/// The destination of a link whose text ends at `at`, without a title.
fn destination(text: &[u8], at: usize) -> Option<Range<usize>> {
    let inside = text[at + 1..].strip_prefix(b"(")?;
    let length = inside.iter().position(|octet| ends(*octet) || matches!(octet, b'(' | b')'))?;
    (inside[length] == b')').then_some(at + 2..at + 2 + length)
}

fn ends(octet: u8) -> bool {
    ENDS[usize::from(octet)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn finds(text: &str, found: &[&str]) {
        let mut places = Vec::new();
        assert!(read(text.as_bytes(), 0, |span, _| places.push(&text[span])), "{text:?}");
        assert_eq!(places, found, "{text:?}");
    }

    #[test]
    fn links_and_code_of_the_usual_shape_are_found() {
        finds("words *and*\nmore_words\n", &[]);
        finds("see <http://a.b/c> and [some words](d.md#e).\n", &["http://a.b/c", "d.md#e"]);
        finds("![i](j.png)\n`a [b](c)` d\n[`e`](f&amp;g)\n", &["j.png", "`a [b](c)`", "`e`", "f&amp;g"]);
    }

    #[test]
    fn what_may_be_something_else_is_not_simple() {
        let texts = [
            "a\n- b\n",
            "a\n1. b\n",
            "a\n# b\n",
            "a\n> b\n",
            "a\n===\n",
            "a\n[^b]: c\n",
            "a | b\n",
            "a\\[b](c)\n",
            "a &amp; b\n",
            "a [b]\n",
            "a [b\nc](d)\n",
            "a [b [c](d)](e)\n",
            "a [b](<c>)\n",
            "a [b](c \"d\")\n",
            "a [b](c(d))\n",
            "a ](b)\n",
            "a ``b``\n",
            "a `b\nc`\n",
            "a `b\n",
            "a `b | c`\n",
            "a <b>\n",
            "a <b@c.d>\n",
            "a <b:c\n",
            "a [b](c\n",
            "[a <bc:d>](e)\n",
            "a\r\nb\n",
            "a [^b](c)\n",
            "a -->\n",
            "a\n\tb\n",
            "a [b](c) [d\n",
        ];
        for text in texts {
            assert!(!read(text.as_bytes(), 0, |_, _| ()), "{text:?}");
        }
    }
}
