//! URLs found in any octets: each hit's text, once joined, is the URL returned; hits are in order; a text searched in blocks, or
//! behind colons that stand close, holds the same.

use urlwise::find::{Finder, Hit, safe_cut};
use urlwise::{Profile, Url};

fn places(hit: &Hit<'_>, from: usize) -> (usize, usize, String, Option<String>) {
    (hit.outer().start + from, hit.outer().end + from, hit.reference().to_owned(), hit.alternative().map(str::to_owned))
}

pub(crate) fn run(text: &[u8]) {
    let finder = Finder::new().profile(Profile::Current);
    let mut last = 0;
    for hit in finder.hits(text) {
        let (span, outer) = (hit.span(), hit.outer());
        assert!(
            last <= outer.start && outer.start <= span.start && span.start < span.end && span.end <= outer.end,
            "{hit:?}"
        );
        last = outer.end;
        let joined: Vec<u8> =
            text[span.clone()].iter().copied().filter(|octet| !matches!(octet, b'\t'..=b'\r' | b' ')).collect();
        assert_eq!(hit.reference().as_bytes(), joined);
        for (at, octet) in joined.iter().enumerate() {
            assert_eq!(text[hit.source(at)], *octet);
        }
        assert_eq!(hit.source(joined.len()), span.end);
        assert_eq!(hit.url().is_some(), Url::parse_with(hit.as_str(), Profile::Current).is_ok());
        let dropped = hit.reference().len() - hit.alternative().unwrap_or(hit.reference()).len();
        assert_eq!(dropped, hit.hyphens().len());
    }
    let whole: Vec<_> = finder.hits(text).map(|hit| places(&hit, 0)).collect();

    let mut found = Vec::new();
    let (mut from, mut end) = (0, 0);
    while from < text.len() {
        end = (end + 64).min(text.len());
        let block = &text[from..end];
        let cut = match safe_cut(block) {
            _ if end == text.len() => block.len(),
            Some(cut) => cut,
            None => continue,
        };
        found.extend(finder.hits(&block[..cut]).map(|hit| places(&hit, from)));
        from += cut;
    }
    assert_eq!(found, whole);

    let dense = [&b" ::".repeat(40)[..], b"\n", text].concat();
    let before = dense.len() - text.len();
    let alone: Vec<_> = finder.hits(text).map(|hit| places(&hit, before)).collect();
    assert_eq!(finder.hits(&dense).map(|hit| places(&hit, 0)).collect::<Vec<_>>(), alone);
}
