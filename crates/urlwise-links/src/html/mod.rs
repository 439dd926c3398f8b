//! Links and fragments of HTML.

mod reader;
mod tag;

use reader::{Reader, Scan};

/// Reads a document from `start` to its end.
pub(crate) fn scan(source: &[u8], start: usize) -> Scan<'_> {
    let scan = scan_by(source, start, tag::read);
    debug_assert!(
        scan == scan_by(source, start, |_, _, _| None),
        "a quick look at a tag matters in {:?}",
        String::from_utf8_lossy(source)
    );
    scan
}

/// What `quick` does not read is left to the tokenizer.
fn scan_by<'s>(
    source: &'s [u8],
    start: usize,
    quick: impl Fn(&[u8], usize, &mut Reader<'s>) -> Option<usize>,
) -> Scan<'s> {
    let mut reader = Reader::new(source);
    let mut at = start;
    while let Some(length) = memchr::memchr(b'<', &source[at..]) {
        at += length;
        at = match quick(source, at, &mut reader) {
            Some(end) => end,
            None => reader.tokens(at),
        };
    }
    reader.finish()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What tags, comments and texts are made of, in any order.
    #[rustfmt::skip]
    const PARTS: [&str; 64] = [
        "<", "</", ">", "/>", " ", "\n", "\r\n", "<a href=\"", "<a ", "href=", "'", "\"", "=", "id=x", "name='n&amp;'", "a", "<!--", "-->", "--!>",
        "-", "!", "<!DOCTYPE html>", "<?x", "</>", "</ a>", "<script>", "</script>", "<title>", "</title>", "<textarea>", "</textarea>",
        "<style x='", "</style>", "<meta http-equiv=refresh content='1;url=u'>", "<code>", "</code>", "<pre>", "</pre>", "<IMG SRC=q>",
        "srcset='a 1x, b 2x'", "&amp;", "text", "<base href=/b>", "<form action=f>", "<br/>", "<p/x>", "<1", "<a:b c.d_e=f>", "<plaintext>",
        "<xmp>", "</xmp>", "<![CDATA[", "]]>", "\0", "\u{e9}", "<use xlink:href=\"#a\"/>", "<a href=b href=c>", "`", "<iframe src=i>",
        "</iframe>", "<div data-x>", "<A HREF='Q?a&b=1'>", "<a href=\"\">", "<p id=''>",
    ];

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn quick_looks_find_what_the_tokenizer_finds(parts in prop::collection::vec(prop::sample::select(&PARTS[..]), 0..16)) {
            let source = parts.concat();
            let all = scan_by(source.as_bytes(), 0, |_, _, _| None);
            prop_assert!(scan(source.as_bytes(), 0) == all, "{:?}", source);
        }
    }
}
