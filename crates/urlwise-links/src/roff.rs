//! Manual pages: the escapes of roff that stand in URLs.

use crate::piece::{Builder, Piece, Role, Syntax};

/// Escapes without their backslash, and what they stand for: a character, or nothing that is printed, by the manual of groff. Of two
/// that begin alike the longer comes first.
const ESCAPES: [(&[u8], &[u8]); 34] = [
    (b"-", b"-"),
    (b"&", b""),
    (b":", b""),
    (b"%", b""),
    (b"/", b""),
    (b",", b""),
    (b")", b""),
    (b"|", b""),
    (b"^", b""),
    (b"\n", b""),
    (b"\r\n", b""),
    (b".", b"."),
    (b"e", b"\\"),
    (b"(hy", b"-"),
    (b"[hy]", b"-"),
    (b"(mi", b"-"),
    (b"[mi]", b"-"),
    (b"(ti", b"~"),
    (b"[ti]", b"~"),
    (b"(ha", b"^"),
    (b"[ha]", b"^"),
    (b"(aq", b"'"),
    (b"[aq]", b"'"),
    (b"(dq", b"\""),
    (b"[dq]", b"\""),
    (b"(at", b"@"),
    (b"[at]", b"@"),
    (b"(sl", b"/"),
    (b"[sl]", b"/"),
    (b"(ul", b"_"),
    (b"[ul]", b"_"),
    (b"(sh", b"#"),
    (b"[sh]", b"#"),
    (b"_", b"_"),
];

/// Whether the ending of a name is a section of the manual: `1`, `3pm`.
pub(crate) fn is_section(ending: &str) -> bool {
    /// The longest letters behind a number that systems use, as in `3perl`.
    const LONGEST: usize = 5;
    let letters = ending.strip_prefix(|section: char| matches!(section, '1'..='9'));
    letters.is_some_and(|letters| letters.len() <= LONGEST && letters.bytes().all(|octet| octet.is_ascii_alphabetic()))
}

/// A document without its escapes. One that does not begin as a manual page is text: old logs are named so, too.
pub(crate) fn read(source: &[u8]) -> Piece<'_> {
    if !begins_page(source) {
        return Piece::whole(source);
    }
    let mut piece = Builder::new(source, 0);
    let mut at = 0;
    // Whether no word stands before the place.
    let mut is_apart = true;
    while let Some(length) = memchr::memchr(b'\\', &source[at..]) {
        let start = at + length;
        let rest = &source[start + 1..];
        if length > 0 {
            is_apart = source[start - 1].is_ascii_whitespace() || b"(<[\"',;".contains(&source[start - 1]);
        }
        if let Some(length) = look(rest).filter(|_| is_apart) {
            at = start + 1 + length;
            piece.decoded(start..at, b"");
            continue;
        }
        at = match ESCAPES.iter().find(|(escape, _)| rest.starts_with(escape)) {
            Some((escape, meaning)) => {
                let end = start + 1 + escape.len();
                piece.decoded(start..end, meaning);
                is_apart &= meaning.is_empty();
                end
            }
            // What is escaped begins nothing.
            None => {
                is_apart = false;
                source.len().min(start + 2)
            }
        };
    }
    piece.plain(source.len());
    piece.finish(Role::Text, Syntax::Roff)
}

/// The length of an escape that changes the font, the colour or the size of what follows: `\fI`, `\f(CW`, `\m[blue]`, `\s-1`, without its
/// backslash. Before a word it is nothing; in a URL it begins or ends what stands for something else.
fn look(rest: &[u8]) -> Option<usize> {
    /// The longest name of a font or colour, in octets.
    const LONGEST: usize = 32;
    let (kind, name) = rest.split_first()?;
    let length = match (kind, name) {
        (b'f' | b'm', [b'[', name @ ..]) => 2 + name.iter().take(LONGEST).position(|octet| *octet == b']')?,
        (b'f' | b'm', [b'(', _, _, ..]) => 3,
        (b'f', [_, ..]) => 1,
        (b's', [b'+' | b'-', b'0'..=b'9', ..]) => 2,
        (b's', [b'0'..=b'9', ..]) => 1,
        _ => return None,
    };
    Some(1 + length)
}

/// Whether the first line that is not empty is a request, or a comment of roff.
fn begins_page(source: &[u8]) -> bool {
    let text = source.strip_prefix(b"\xef\xbb\xbf").unwrap_or(source).trim_ascii_start();
    match text {
        [b'.' | b'\'', second, ..] => second.is_ascii_alphabetic() || second.is_ascii_whitespace() || *second == b'\\',
        [b'\\', second, ..] => matches!(second, b'"' | b'#'),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{is_section, read};

    #[test]
    fn escapes_stand_for_characters_or_for_nothing() {
        for (source, text) in [
            (".TH a 1\nhttp://a\\-b.dom/\\:c\\&.", ".TH a 1\nhttp://a-b.dom/c."),
            ("'\\\" t\nx\\(tiy\\[ha]z\\.\\%\\e", "'\\\" t\nx~y^z.\\"),
            (".\\\" x\nhttp://a.dom/\\\nb\\\r\nc", ".\\\" x\nhttp://a.dom/bc"),
            ("\n.Dd x\n\\\\-\\fIa\\fR\\(lq\\", "\n.Dd x\n\\\\-\\fIa\\fR\\(lq\\"),
            (".\n\\fI\\%http://a\\fP \\f(CWb\\m[blue]\\fBc\\s-1", ".\nhttp://a\\fP b\\m[blue]\\fBc\\s-1"),
            (
                ".\n\\m[blue]\\fB\\%a\\fR (\\s-1b\\s0 \\f \\m[x \\s+ \\&\\fIc a\\-\\fId",
                ".\na\\fR (b\\s0 \\m[x \\s+ c a-\\fId",
            ),
            ("Nov 29 a\\-b", "Nov 29 a\\-b"),
            (".5 a\\-b", ".5 a\\-b"),
            ("", ""),
        ] {
            assert_eq!(String::from_utf8_lossy(read(source.as_bytes()).text()), text, "{source:?}");
        }
    }

    #[test]
    fn sections_of_the_manual_have_a_number_first() {
        for (ending, is_one) in [
            ("1", true),
            ("8", true),
            ("3pm", true),
            ("3perl", true),
            ("0", false),
            ("10", false),
            ("1.2", false),
            ("md", false),
            ("", false),
        ] {
            assert_eq!(is_section(ending), is_one, "{ending}");
        }
        assert!(!is_section("7zipped") && !is_section("\u{661}"));
    }
}
