//! Destinations and autolinks of Markdown.

use std::ops::Range;

use crate::piece::{Builder, Piece, Role, Syntax};
use crate::reference;

/// The destination at the start: in angle brackets, or up to white space or a parenthesis that it did not open.
pub(super) fn written(text: &str) -> Range<usize> {
    let octets = text.as_bytes();
    let is_bracketed = octets.first() == Some(&b'<');
    let start = usize::from(is_bracketed);
    let mut depth = 0usize;
    let mut at = start;
    while let Some(octet) = octets.get(at) {
        match octet {
            b'\\' if octets.get(at + 1).is_some_and(u8::is_ascii_punctuation) => at += 1,
            b'>' if is_bracketed => break,
            _ if is_bracketed => {}
            b'(' => depth += 1,
            b')' if depth == 0 => break,
            b')' => depth -= 1,
            octet if octet.is_ascii_whitespace() => break,
            _ => {}
        }
        at += 1;
    }
    start..at
}

/// A destination without its backslashes and references.
pub(crate) fn decode(octets: &[u8], span: Range<usize>) -> Piece<'_> {
    let mut piece = Builder::new(octets, span.start);
    let mut at = span.start;
    while let Some(length) = memchr::memchr2(b'\\', b'&', &octets[at..span.end]) {
        at += length;
        let rest = &octets[at..span.end];
        match rest {
            [b'\\', next, ..] if next.is_ascii_punctuation() => {
                piece.decoded(at..at + 1, b"");
                // What is escaped starts nothing.
                at += 1;
            }
            [b'&', ..] => {
                if let Some((length, decoded)) = reference::at_start_in_markdown(rest) {
                    piece.decoded(at..at + length, &decoded);
                    at += length - 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    piece.plain(span.end);
    let is_bracketed = span.start.checked_sub(1).is_some_and(|before| octets[before] == b'<');
    piece.finish(Role::Link, Syntax::Destination { is_bracketed })
}

/// The inside of an autolink without its references. Nothing is escaped in it; but in a cell of a table a `|` has a backslash before it,
/// wherever it stands.
///
/// The standard does not say that references are decoded there. Its reader in C does, which GitHub has, and others do not.
pub(crate) fn of_autolink(octets: &[u8], span: Range<usize>, is_cell: bool) -> Piece<'_> {
    let mut piece = Builder::new(octets, span.start);
    let mut at = span.start;
    while let Some(length) = memchr::memchr2(b'\\', b'&', &octets[at..span.end]) {
        at += length;
        let rest = &octets[at..span.end];
        if is_cell && rest.starts_with(b"\\|") {
            piece.decoded(at..at + 1, b"");
        } else if let Some((length, decoded)) = reference::at_start_in_markdown(rest).filter(|_| rest[0] == b'&') {
            piece.decoded(at..at + length, &decoded);
            at += length - 1;
        }
        at += 1;
    }
    piece.plain(span.end);
    piece.finish(Role::Link, Syntax::Autolink)
}

/// The inside of an autolink that is an address, as a URL.
pub(crate) fn of_address(octets: &[u8], span: Range<usize>) -> Piece<'_> {
    let mut piece = Builder::new(octets, span.start);
    piece.decoded(span.start..span.start, b"mailto:");
    piece.plain(span.end);
    piece.finish(Role::Link, Syntax::Plain)
}

#[cfg(test)]
mod tests {
    use pulldown_cmark::{Event, Parser, Tag};

    use super::*;
    use crate::markdown::options;

    #[test]
    fn references_in_destinations_are_those_that_the_parser_reads() {
        let zeros = (0..40).map(|count| "0".repeat(count));
        let numbers = zeros.flat_map(|zeros| [format!("#{zeros}64"), format!("#x{zeros}40"), format!("#X{zeros}4a")]);
        let names = ["commat", "amp", "copy", "nosuchname", "nGt", "#", "#x", "#xg", "#0", "#1114112", "#xD800"];
        for name in numbers.chain(names.map(str::to_owned)) {
            for end in [";", "", "9;", "=;"] {
                let source = format!("[a](b&{name}{end}c)");
                let destination = Parser::new_ext(&source, options()).find_map(|event| match event {
                    Event::Start(Tag::Link { dest_url, .. }) => Some(dest_url.into_string()),
                    _ => None,
                });
                let found = decode(source.as_bytes(), 4..source.len() - 1);
                assert_eq!(String::from_utf8_lossy(found.text()), destination.unwrap_or_default(), "{source}");
            }
        }
    }
}
