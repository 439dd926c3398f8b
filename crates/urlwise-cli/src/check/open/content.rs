//! What an element of a sitemap holds, and where its octets stand.

use std::ops::Range;

use memchr::memmem;
use urlwise_links::{Format, Piece};

/// The text of an element of XML, up to the next tag, with its references decoded and without white space around it.
#[derive(Debug)]
pub(super) struct Content<'s> {
    /// The document behind the tag.
    behind: &'s [u8],
    /// Where the piece begins in that; `None` if the element is empty.
    piece: Option<(usize, Piece<'s>)>,
    /// Where the text stands in the piece.
    within: Range<usize>,
}

impl<'s> Content<'s> {
    /// From a document behind the tag.
    pub(super) fn of(behind: &'s [u8]) -> Content<'s> {
        const VERBATIM: &[u8] = b"<![CDATA[";
        let blanks = behind.len() - behind.trim_ascii_start().len();
        let (format, start, end): (_, _, &[u8]) = match behind[blanks..].starts_with(VERBATIM) {
            true => (Format::Text, blanks + VERBATIM.len(), b"]]>"),
            false => (Format::Html, blanks, b"<"),
        };
        let source = &behind[start..];
        let source = &source[..memmem::find(source, end).unwrap_or(source.len())];
        let mut content = Content { behind, piece: None, within: 0..0 };
        urlwise_links::each_piece(format, source, |piece| {
            let (text, from) = (piece.text(), piece.text().len() - piece.text().trim_ascii_start().len());
            content.within = from..from + text.trim_ascii().len();
            content.piece = Some((start, piece));
            false
        });
        content
    }

    pub(super) fn text(&self) -> &[u8] {
        self.piece.as_ref().map_or(b"", |(_, piece)| &piece.text()[self.within.clone()])
    }

    /// What stands in the document between the tag and an octet of the text.
    pub(super) fn before(&self, at: usize) -> &'s [u8] {
        self.until(|piece| piece.source(self.within.start + at))
    }

    /// The same for a part of the text that ends at an octet: without a reference that follows it.
    pub(super) fn before_end(&self, at: usize) -> &'s [u8] {
        self.until(|piece| piece.source_end(self.within.start + at))
    }

    fn until(&self, place: impl Fn(&Piece<'s>) -> usize) -> &'s [u8] {
        &self.behind[..self.piece.as_ref().map_or(0, |(start, piece)| start + place(piece))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn octets_of_a_text_stand_where_they_are_written() {
        for (behind, text, places) in [
            ("http://h/</loc>", "http://h/", [0, 1, 9]),
            (" \n a&amp;b&#38;<", "a&b&", [3, 4, 15]),
            (" <![CDATA[ a&amp;b ]]></loc>", "a&amp;b", [11, 12, 18]),
            ("&#32;a&lt;b", "a<b", [5, 6, 11]),
            ("", "", [0, 0, 0]),
            ("</loc>", "", [0, 0, 0]),
        ] {
            let content = Content::of(behind.as_bytes());
            assert_eq!(content.text(), text.as_bytes(), "{behind}");
            let [first, second, end] = places;
            assert_eq!(content.before(0).len(), first, "{behind}");
            if !text.is_empty() {
                assert_eq!([content.before(1), content.before_end(1)].map(<[u8]>::len), [second; 2], "{behind}");
            }
            assert_eq!(content.before_end(text.len()).len(), end, "{behind}");
        }
        // Behind a reference, and before the next one.
        let content = Content::of(b"a&amp;b&amp;<");
        assert_eq!([content.before(2).len(), content.before_end(2).len()], [6, 6]);
        assert_eq!([content.before(3).len(), content.before_end(3).len()], [7, 7]);
    }
}
