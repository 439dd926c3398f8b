//! How far a link reference definition can reach, told without parsing blocks.

use memchr::memmem::Finder;

/// Finds what lines have in them if they contain a definition.
pub(crate) fn finder() -> Finder<'static> {
    Finder::new(b"]:")
}

/// How long a definition at the start of a text can be at most, up to the end of a line. `None` if there cannot be one. The text extends
/// to the next empty line, and its lines may begin with the markers of quotations and items.
///
/// A block may end the definition earlier. After the label of a footnote any block may begin, so there the result is the whole text.
pub(crate) fn longest(text: &[u8]) -> Option<usize> {
    let label = 1 + label(text.strip_prefix(b"[")?)?;
    let behind = text[label..].strip_prefix(b"]:")?;
    if text[1] == b'^' {
        return Some(text.len());
    }
    let Some(behind) = next(behind) else { return Some(text.len()) };
    let destination = destination(behind).filter(|length| *length > 0)?;
    let behind = &behind[destination..];
    let blanks = blanks(behind);
    let until = |rest: &[u8]| text.len() - rest.len();
    match &behind[blanks..] {
        [] => Some(text.len()),
        [b'\n', rest @ ..] => {
            let Some(titled) = next(&behind[blanks..]) else { return Some(text.len()) };
            Some(title(titled).map_or(until(rest), until))
        }
        // Without a blank before it, or with anything else behind the destination, it is text.
        titled if blanks > 0 => title(titled).map(until),
        _ => None,
    }
}

/// The length of the white space at the start of a text, without line feeds.
fn blanks(text: &[u8]) -> usize {
    text.iter().take_while(|octet| matches!(octet, b' ' | b'\t' | 0x0b | 0x0c | b'\r')).count()
}

/// What follows white space, which may include one line end and the markers before the next line. `None` if a `>` there may not be a marker:
/// after four blanks it is not.
fn next(text: &[u8]) -> Option<&[u8]> {
    let text = &text[blanks(text)..];
    let Some(mut line) = text.strip_prefix(b"\n") else { return Some(text) };
    loop {
        let (before, rest) = line.split_at(blanks(line));
        let Some(behind) = rest.strip_prefix(b">") else { return Some(rest) };
        if before.len() > 3 || before.iter().any(|octet| *octet != b' ') {
            return None;
        }
        line = behind;
    }
}

/// The length of a label, which a bracket has to end.
pub(crate) fn label(text: &[u8]) -> Option<usize> {
    let end = unescaped(text, |octet| matches!(octet, b'[' | b']'))?;
    (text[end] == b']').then_some(end)
}

/// The length of a destination.
fn destination(text: &[u8]) -> Option<usize> {
    if let Some(inside) = text.strip_prefix(b"<") {
        let end = unescaped(inside, |octet| matches!(octet, b'<' | b'>' | b'\n' | b'\r'))?;
        return (inside[end] == b'>').then_some(end + 2);
    }
    let mut open = 0_usize;
    let end = unescaped(text, |octet| {
        match octet {
            b'(' => open += 1,
            b')' if open == 0 => return true,
            b')' => open -= 1,
            _ => {}
        }
        octet <= b' '
    });
    (open == 0).then_some(end.unwrap_or(text.len()))
}

/// What follows the line in which a title at the start of a text ends.
fn title(text: &[u8]) -> Option<&[u8]> {
    let close = match text.first()? {
        b'(' => b')',
        quote @ (b'"' | b'\'') => *quote,
        _ => return None,
    };
    let inside = &text[1..];
    let end = unescaped(inside, |octet| octet == close || (octet == b'(' && close == b')'))?;
    let behind = inside[end..].strip_prefix(&[close])?;
    match &behind[blanks(behind)..] {
        [] => Some(&[]),
        [b'\n', rest @ ..] => Some(rest),
        _ => None,
    }
}

/// The place of the first of these octets that is not escaped.
pub(crate) fn unescaped(text: &[u8], mut is_one: impl FnMut(u8) -> bool) -> Option<usize> {
    let mut at = 0;
    loop {
        match *text.get(at)? {
            b'\\' if text.get(at + 1).is_some_and(u8::is_ascii_punctuation) => at += 2,
            octet if is_one(octet) => return Some(at),
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulldown_cmark::Parser;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn none_is_longer_than_the_longest(
            before in "(|> |- |> - |[-]\t>)",
            label in r"([ab\\\[\]]|\\\]|\n>? {0,2}){1,3}",
            rest in r"((\n[> \t]{0,4})?([ab ()\\<>'\x22\t\[\]:-]){0,9}){0,4}\n?",
        ) {
            let text = format!("{before}[{label}]:{rest}");
            let parser = Parser::new_ext(&text, crate::markdown::options());
            let mut spans = parser.reference_definitions().iter().map(|(_, each)| &each.span);
            if let Some(span) = spans.find(|span| span.start == before.len()) {
                let longest = longest(&text.as_bytes()[span.start..]);
                prop_assert!(longest.is_some_and(|longest| longest >= span.len()), "{:?}", text);
            }
        }
    }

    /// Each text up to the mark may be a definition.
    #[test]
    fn a_definition_goes_on_to_the_end_of_a_line() {
        for text in [
            "[a]: b\n^c\n",
            "[a]:b\r\n^",
            "[a]: b^",
            "[a]:\n  > b\n^c\n",
            "[a\n b]: c\n^",
            "[a\\]b\\[]: c\n^",
            "[ ]: b\n^",
            "[a b]: <b c\\>>\n^",
            "[a]: <>\n^",
            "[a]: b(c)\\)\n^",
            "[a]: b \t\x0b\x0c\n^",
            "[a]: b 'c' \n^",
            "[a]: b \"c\n> \\\"'d\" \r\n^e\n",
            "[a]: b (c)^",
            "[a]: b\n  'c'\n^d",
            "[a]: b\n^'c' d\n",
            "[a]: b\n^'c\n",
            "[a]: b\n^(c(d))\n",
            "[a]:\n    >\nb\n^",
            "[a]: b\n>\t> 'c\n^",
            "[^a]: b\nc\n^",
            "[^a\nb]: c\n^",
        ] {
            let (may_be, behind) = text.rsplit_once('^').unwrap_or_default();
            let text = [may_be, behind].concat();
            assert_eq!(longest(text.as_bytes()), Some(may_be.len()), "{text:?}");
        }
    }

    #[test]
    fn what_can_be_no_definition_is_none() {
        for text in [
            "",
            "a]: b\n",
            "[a\n",
            "[a\\]\n",
            "[a] b\n",
            "[a[b]: c\n",
            "[a][b]: c\n",
            "[^a] b\n",
            "[a]:\n",
            "[a]:",
            "[a]: <b\n",
            "[a]: <b<c>\n",
            "[a]: <b>c\n",
            "[a]: <b>'c'\n",
            "[a]: b c\n",
            "[a]: b(c\n",
            "[a]: b)c\n",
            "[a]: b\x01\n",
            "[a]: b 'c\n",
            "[a]: b 'c' d\n",
            "[a]: b 'c\n\\'\n",
            "[a]: b (c(d)\n",
        ] {
            assert_eq!(longest(text.as_bytes()), None, "{text:?}");
        }
    }
}
