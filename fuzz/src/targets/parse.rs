//! Any octets as a URL: parsing and diagnosing agree under both profiles, every place named lies in the text, and nothing
//! said about it holds a raw control character. What is a URL is audited too.

use crate::text::is_clean;
use urlwise::audit::{Audit, Provenance};
use urlwise::{Level, Profile, Url, diagnose};

pub(crate) fn run(octets: &[u8]) {
    for &profile in Profile::ALL {
        let diagnosis = diagnose(octets, profile);
        let text = std::str::from_utf8(octets);
        let parsed = text.ok().and_then(|text| Url::parse_with(text, profile).ok());
        assert_eq!(diagnosis.is_valid(), parsed.is_some());
        assert_eq!(diagnosis.url().is_some(), parsed.is_some());
        let has_error = diagnosis.problems().iter().any(|problem| problem.level() == Level::Error);
        assert_eq!(diagnosis.is_valid(), !has_error);

        let mut start = 0;
        for problem in diagnosis.problems() {
            let span = problem.span();
            assert!(octets.get(span.clone()).is_some(), "{span:?}");
            assert!(start <= span.start, "problems are in the order of their start");
            start = span.start;
            assert!(problem.spans().all(|span| octets.get(span).is_some()));
            assert!(is_clean(problem));
        }
        for part in diagnosis.parts() {
            assert_eq!(octets.get(part.span()), Some(part.octets()));
            part.decode();
        }

        let Some(url) = parsed else { continue };
        assert_eq!(url.as_str().as_bytes(), octets);
        assert!(is_clean(&url.masked()));
        let findings = Audit::new().check(&url, Provenance::Text);
        for (index, finding) in findings.iter().enumerate() {
            let span = finding.span();
            assert!(span.start < span.end && span.end <= octets.len(), "{span:?}");
            assert!(is_clean(finding));
            // No rule fires twice on the same octets.
            let next = findings[index + 1..].iter().find(|next| next.code() == finding.code());
            assert!(next.is_none_or(|next| span.end <= next.span().start));
        }
        // Parts of a URL stand in the order of its text.
        let mut start = 0;
        for part in url.parts() {
            assert!(start <= part.span().start);
            start = part.span().start;
        }
    }
}
