//! Links and fragments of HTML.

mod reader;
mod tag;

use std::collections::HashSet;
use std::ops::Range;

use crate::assemble::{Mark, What};
use reader::Reader;

pub(crate) use reader::decode;

/// Takes what stands in a document, in its order.
pub(crate) trait Sink {
    /// Whether [`name`](Sink::name) is called.
    const TAKES_NAMES: bool = false;

    /// Whether `name` counts in every element, as on GitHub, and not in `<a>` alone.
    const TAKES_ALL_NAMES: bool = false;

    /// A link, or text that is not HTML.
    fn mark(&mut self, span: Range<usize>, what: What);

    /// Code begins at this place, and ends before other code begins.
    fn open_code(&mut self, at: usize);

    /// Code ends at this place.
    fn close_code(&mut self, at: usize);

    /// The value of `id`, or of `name` in `<a>`.
    fn name(&mut self, _name: Vec<u8>) {}

    /// A start tag or an end tag, and the name of its element, in any case.
    fn tag(&mut self, _span: Range<usize>, _tag: Tag<'_>) {}

    /// Whether it wants no more.
    fn is_done(&self) -> bool {
        false
    }
}

/// A tag, by the name of its element.
pub(crate) enum Tag<'n> {
    Start(&'n [u8]),
    End(&'n [u8]),
}

/// The marks of a part of a document, beside others.
pub(crate) struct Marks<'m> {
    marks: &'m mut Vec<Mark>,
    /// Where the code starts that is open.
    code: usize,
}

impl<'m> Marks<'m> {
    pub(crate) fn new(marks: &'m mut Vec<Mark>) -> Self {
        Marks { marks, code: 0 }
    }
}

impl Sink for Marks<'_> {
    fn mark(&mut self, span: Range<usize>, what: What) {
        self.marks.push(Mark { span, what });
    }

    fn open_code(&mut self, at: usize) {
        self.code = at;
    }

    fn close_code(&mut self, at: usize) {
        self.mark(self.code..at, What::Code);
    }
}

/// The fragments of a document.
impl Sink for HashSet<Vec<u8>> {
    const TAKES_NAMES: bool = true;

    fn mark(&mut self, _: Range<usize>, _: What) {}

    fn open_code(&mut self, _: usize) {}

    fn close_code(&mut self, _: usize) {}

    fn name(&mut self, name: Vec<u8>) {
        self.insert(name);
    }
}

/// Reads a document from `start` to its end.
pub(crate) fn scan(source: &[u8], start: usize, sink: &mut impl Sink) {
    debug_assert!(
        all(source, start, true) == all(source, start, false),
        "a quick look at a tag matters in {:?}",
        String::from_utf8_lossy(source)
    );
    scan_by(source, start, true, sink);
}

/// Does the same for a single tag, comment or the like, which ends where the document ends.
pub(crate) fn scan_one(source: &[u8], start: usize, sink: &mut impl Sink) {
    // A tag links only through the values of its attributes.
    let is_bare = |tag: &[u8]| !matches!(tag, [b'<', b'!' | b'?', ..]) && !tag.contains(&b'=');
    if is_bare(&source[start..]) {
        debug_assert!(
            all(source, start, true).marks.iter().all(|mark| mark.span.is_empty()),
            "a tag without a value matters: {:?}",
            String::from_utf8_lossy(&source[start..])
        );
    } else {
        scan(source, start, sink);
    }
}

/// What a quick look does not read is left to the tokenizer.
fn scan_by(source: &[u8], start: usize, is_quick: bool, sink: &mut impl Sink) {
    let mut reader = Reader::new(source, sink);
    let mut at = start;
    while let Some(length) = memchr::memchr(b'<', &source[at..])
        && !reader.is_done()
    {
        at += length;
        let end = if is_quick { tag::read(source, at, &mut reader) } else { None };
        at = end.unwrap_or_else(|| reader.tokens(at));
    }
    reader.finish();
}

/// All that stands in a document, its names included, to compare both ways to read it.
#[derive(Default, PartialEq)]
struct All {
    marks: Vec<Mark>,
    code: Vec<usize>,
    names: Vec<Vec<u8>>,
    tags: Vec<(Range<usize>, bool, Vec<u8>)>,
}

impl Sink for All {
    const TAKES_NAMES: bool = true;
    const TAKES_ALL_NAMES: bool = true;

    fn mark(&mut self, span: Range<usize>, what: What) {
        self.marks.push(Mark { span, what });
    }

    fn open_code(&mut self, at: usize) {
        self.code.push(at);
    }

    fn close_code(&mut self, at: usize) {
        self.code.push(at);
    }

    fn name(&mut self, name: Vec<u8>) {
        self.names.push(name);
    }

    fn tag(&mut self, span: Range<usize>, tag: Tag<'_>) {
        let (is_start, name) = match tag {
            Tag::Start(name) => (true, name),
            Tag::End(name) => (false, name),
        };
        self.tags.push((span, is_start, name.to_ascii_lowercase()));
    }
}

fn all(source: &[u8], start: usize, is_quick: bool) -> All {
    let mut all = All::default();
    scan_by(source, start, is_quick, &mut all);
    all
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What tags, comments and texts are made of, in any order.
    #[rustfmt::skip]
    const PARTS: [&str; 70] = [
        "<", "</", ">", "/>", " ", "\n", "\r\n", "<a href=\"", "<a ", "href=", "'", "\"", "=", "id=x", "name='n&amp;'", "a", "<!--", "-->", "--!>",
        "-", "!", "<!DOCTYPE html>", "<?x", "</>", "</ a>", "<script>", "</script>", "<title>", "</title>", "<textarea>", "</textarea>",
        "<style x='", "</style>", "<meta http-equiv=refresh content='1;url=u'>", "<code>", "</code>", "<pre>", "</pre>", "<IMG SRC=q>",
        "srcset='a 1x, b 2x'", "&amp;", "text", "<base href=/b>", "<form action=f>", "<br/>", "<p/x>", "<1", "<a:b c.d_e=f>", "<plaintext>",
        "<xmp>", "</xmp>", "<![CDATA[", "]]>", "\0", "\u{e9}", "<use xlink:href=\"#a\"/>", "<a href=b href=c>", "`", "<iframe src=i>",
        "</iframe>", "<div data-x>", "<A HREF='Q?a&b=1'>", "<a href=\"\">", "<p id=''>", "<noframes>", "</NoFrames>", "<noframes a='",
        "</noframes", "<noscript>", "</noscript>",
    ];

    #[test]
    fn one_tag_is_read_as_in_a_document() {
        for (tag, count) in [
            ("<b>", 0),
            ("</b>", 0),
            ("<code a b>", 0),
            ("<title\n>", 0),
            ("<script>", 0),
            ("</script>", 0),
            ("<a href>", 0),
            ("<a href=b>", 1),
            ("</a href=b>", 0),
            ("<!--a-->", 1),
            ("<!a>", 1),
            ("<?a?>", 1),
        ] {
            let (source, mut marks) = (format!("a>{tag}"), Vec::new());
            scan_one(source.as_bytes(), 2, &mut Marks::new(&mut marks));
            assert_eq!(marks.iter().filter(|mark| !mark.span.is_empty()).count(), count, "{tag}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn quick_looks_find_what_the_tokenizer_finds(parts in prop::collection::vec(prop::sample::select(&PARTS[..]), 0..16)) {
            let source = parts.concat();
            let source = source.as_bytes();
            prop_assert!(all(source, 0, true) == all(source, 0, false), "{:?}", String::from_utf8_lossy(source));
        }
    }
}
