//! What holds for the audit of every URL.

use allocation_counter::measure;
use proptest::prelude::*;
use urlwise::audit::{Audit, Finding, Provenance, RULES, Severity};
use urlwise::{Profile, Url};

/// Pieces that mean something to some rule.
fn pieces() -> impl Strategy<Value = String> {
    let pieces: &[&str] = &[
        "/",
        "//",
        ":",
        "@",
        ";",
        "=",
        "?",
        "&",
        ".",
        "..",
        "-",
        "host.dom",
        "localhost",
        "127.0.0.1",
        "1.02.3.4",
        "xn--bcher-kva",
        "user",
        "secret",
        "25",
        "8080",
        ":443",
        "%2F",
        "%2e",
        "%09",
        "%0D%0A",
        "%0a",
        "%00",
        "%FF",
        "%C3%A9",
        "%41",
        "%25",
        "41",
        "%5C",
        "%40",
        "%1B",
        "+",
        "HELO%20x",
        "get",
        "GET",
        "dev",
        "CON",
        "nul.txt",
        "body=",
        "subject=",
        "bcc=",
        "!",
        "a",
        "Z",
        "+%091%0D%0A+-1%0D%0Ared%0D%0A.%0D%0A",
        ";type=a",
        "[::1]",
    ];
    proptest::collection::vec(prop::sample::select(pieces), 0..12).prop_map(|pieces| pieces.concat())
}

fn texts() -> impl Strategy<Value = String> {
    let starts: &[&str] = &[
        "ftp://host.dom/",
        "ftp://",
        "http://host.dom/",
        "http://",
        "https://",
        "gopher://host.dom/0",
        "gopher://host.dom/7a%09",
        "gopher://",
        "mailto:",
        "mailto:a@host.dom?",
        "news:",
        "news:a@",
        "nntp://host.dom/",
        "telnet://",
        "wais://host.dom/",
        "wais://host.dom/a/b/",
        "file:///",
        "file://",
        "prospero://host.dom/",
        "x-odd:",
        "x-odd://",
        "host.dom:",
    ];
    (prop::sample::select(starts), pieces()).prop_map(|(start, rest)| format!("{start}{rest}"))
}

fn url(text: &str, is_strict: bool) -> Option<Url<&str>> {
    let profile = if is_strict { Profile::Rfc1738 } else { Profile::Current };
    Url::parse_with(text, profile).ok()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn findings_lie_in_the_text_in_order_and_no_rule_fires_twice_on_the_same_octets(text in texts(), is_strict: bool) {
        let Some(url) = url(&text, is_strict) else { return Ok(()) };
        for provenance in [Provenance::Given, Provenance::Text] {
            let findings = Audit::new().check(&url, provenance);
            for (index, finding) in findings.iter().enumerate() {
                let span = finding.span();
                prop_assert!(span.start < span.end && span.end <= text.len(), "{finding}");
                for later in &findings[index + 1..] {
                    prop_assert!(span.start <= later.span().start);
                    let apart = span.end <= later.span().start;
                    prop_assert!(apart || finding.code() != later.code(), "{finding}\n{later}\n{text}");
                }
            }
        }
    }

    #[test]
    fn what_is_said_is_one_line_without_open_places(text in texts(), is_strict: bool) {
        let Some(url) = url(&text, is_strict) else { return Ok(()) };
        for finding in Audit::new().check(&url, Provenance::Text) {
            let said = finding.to_string();
            // A Punycode label may decode to a control character, whose escape has braces.
            let are_escapes = said.match_indices('{').all(|(at, _)| said[..at].ends_with("\\u"));
            prop_assert!(are_escapes && !said.contains("  ") && !said.contains("``"), "{said}");
            prop_assert!(!said.chars().any(urlwise::is_harmful), "{said}");
        }
    }

    #[test]
    fn silencing_a_rule_takes_its_findings_away_and_no_others(text in texts(), index in 0..RULES.len()) {
        let Some(url) = url(&text, true) else { return Ok(()) };
        let mut audit = Audit::new();
        prop_assert!(audit.set(RULES[index].id, None).is_ok());
        let before = Audit::new().check(&url, Provenance::Text);
        let after = audit.check(&url, Provenance::Text);
        prop_assert!(after.iter().all(|finding| finding.rule() != &RULES[index]));
        for finding in before.iter().filter(|finding| finding.rule() != &RULES[index]) {
            prop_assert!(after.iter().any(|other| same_place(finding, other)), "{finding}");
        }
    }

    #[test]
    fn raising_a_rule_changes_no_more_than_the_severity(text in texts(), index in 0..RULES.len()) {
        let Some(url) = url(&text, true) else { return Ok(()) };
        let mut audit = Audit::new();
        prop_assert!(audit.set(RULES[index].number, Some(Severity::High)).is_ok());
        let findings = audit.check(&url, Provenance::Text);
        prop_assert!(findings.iter().all(|it| it.rule() != &RULES[index] || it.severity() == Severity::High));
        let codes = |findings: &[Finding<'_>]| findings.iter().map(Finding::code).collect::<Vec<_>>();
        let mut without_runs = codes(&findings);
        let mut before = codes(&Audit::new().check(&url, Provenance::Text));
        without_runs.dedup();
        before.dedup();
        prop_assert_eq!(without_runs, before);
    }
}

/// What was one run of octets may join with its neighbours when a more particular rule is silent.
fn same_place(finding: &Finding<'_>, other: &Finding<'_>) -> bool {
    let (inner, outer) = (finding.span(), other.span());
    finding.rule() == other.rule() && outer.start <= inner.start && inner.end <= outer.end
}

#[test]
fn a_url_without_findings_costs_no_allocation() {
    for text in [
        "ftp://host.dom/pub/a%20b.txt;type=i",
        "http://www.host.dom/a/b.html?c=d",
        "gopher://host.dom/7find%09old%20maps%09+",
        "gopher://host.dom/0GETTING%20started",
        "gopher://host.dom/0a%09%09+text%2Fplain%20En_US",
        "mailto:joe@host.dom",
        "news:comp.infosystems",
        "nntp://host.dom/a.b/1",
        "telnet://guest@host.dom/",
        "wais://host.dom/db?words",
        "file:///etc/motd",
        "prospero://host.dom/a;b=c",
        "x-odd://host.dom/x",
        "http://192.0.2.1/",
        "http://a-b.dom/caf%C3%A9",
    ] {
        let url = Url::parse(text).unwrap_or_else(|error| panic!("{error}"));
        let audit = Audit::new();
        let mut findings = Vec::new();
        let counted = measure(|| findings = audit.check(&url, Provenance::Text));
        assert_eq!((findings.as_slice(), counted.count_total), (&[][..], 0), "{text}");
    }
}

/// Twice the text may take twice the work, not four times: whatever repeats.
#[test]
fn long_texts_are_audited_in_linear_time() {
    for piece in ["%61", "%0D%0A", "a/", "../", "&a=%0A", "%2525", "%FF", "%C3", "-/", "%2F", "\u{61}%00"] {
        for start in
            ["ftp://host.dom/", "http://host.dom/", "mailto:a@host.dom?body=", "prospero://host.dom/a;b=", "x:"]
        {
            let text = format!("{start}{}", piece.repeat(300_000 / piece.len()));
            if let Ok(url) = Url::parse_with(text.as_str(), Profile::Current) {
                let findings = Audit::new().check(&url, Provenance::Text);
                assert!(findings.len() <= RULES.len() * usize::from(Audit::MOST));
            }
        }
    }
}
