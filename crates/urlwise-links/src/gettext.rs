//! Catalogues of translations: their strings go on in the next line, cut wherever a line is full.

use crate::piece::{Builder, Piece, Role, Syntax};

/// What stands before a string of an entry that is obsolete, or was there before.
const MARKERS: [&[u8]; 3] = [b"#~| ", b"#~ ", b"#| "];

/// A document with each string in one line: a quotation mark before a line end and that at the start of the next line are no part of it.
pub(crate) fn read(source: &[u8]) -> Piece<'_> {
    let mut piece = Builder::new(source, 0);
    let mut at = 0;
    while let Some(length) = memchr::memchr(b'"', &source[at..]) {
        let start = at + length;
        at = match next(&source[start + 1..]) {
            Some(length) => {
                let end = start + 1 + length;
                piece.decoded(start..end, b"");
                end
            }
            None => start + 1,
        };
    }
    piece.plain(source.len());
    piece.finish(Role::Text, Syntax::Plain)
}

/// The length up to the inside of the string that goes on in the next line, behind a quotation mark.
fn next(rest: &[u8]) -> Option<usize> {
    let blanks = |at: usize| at + rest[at..].iter().take_while(|octet| matches!(octet, b' ' | b'\t')).count();
    let mut at = blanks(0);
    at += usize::from(rest.get(at) == Some(&b'\r'));
    at = (rest.get(at) == Some(&b'\n')).then_some(at + 1)?;
    at += MARKERS.iter().find(|marker| rest[at..].starts_with(marker)).map_or(0, |marker| marker.len());
    at = blanks(at);
    (rest.get(at) == Some(&b'"')).then_some(at + 1)
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_string_goes_on_behind_the_line_end() {
        for (source, text) in [
            (
                "msgid \"\"\n\"see http://a.dom/\"\n\"b\\n\"\nmsgstr \"c\"\n",
                "msgid \"see http://a.dom/b\\n\"\nmsgstr \"c\"\n",
            ),
            ("#~ msgid \"a\"\r\n#~ \"b\"\r\n", "#~ msgid \"ab\"\r\n"),
            ("#| msgid \"a\" \n#| \"b\"", "#| msgid \"ab\""),
            ("\"a\"\n\n\"b\"\n", "\"a\"\n\n\"b\"\n"),
            ("\"a\" \"b\"", "\"a\" \"b\""),
            ("\"a\"\n\"", "\"a"),
            ("\"", "\""),
            ("", ""),
        ] {
            assert_eq!(String::from_utf8_lossy(read(source.as_bytes()).text()), text, "{source:?}");
        }
    }
}
