//! Any octets as documents of all formats: the pieces stand in the order of the document, each octet of a piece comes from within its
//! place, and nothing of the document is left out.

use urlwise_links::{Format, Fragments, pieces};

pub(crate) fn run(source: &[u8]) {
    for format in Format::ALL.iter().copied() {
        let mut end = 0;
        for piece in pieces(format, source) {
            let span = piece.span();
            assert!(span.start <= span.end && span.end <= source.len(), "{span:?}");
            assert!(end <= span.start || !piece.is_link(), "{span:?} begins before {end}");
            end = end.max(span.end);
            let mut last = span.start;
            for at in 0..piece.text().len() {
                let place = piece.source(at);
                assert!(last <= place && place <= span.end, "{at}: {place} of {span:?}");
                last = place;
            }
        }
        // Any answer is good; reading must end.
        Fragments::of(format, source).contains("top");
    }
}
