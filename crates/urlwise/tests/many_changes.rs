//! Repair of texts with thousands of mistakes (D-87).

#![allow(clippy::unwrap_used, reason = "a text that is refused must stop the test")]

use urlwise::{Problem, Profile, repair};

#[test]
fn a_text_that_needs_thousands_of_changes_is_refused() {
    let most = Problem::MOST_PLACES;
    let code = |text: String| repair(&text, Profile::Rfc1738).map_err(|refused| refused.code()).map(|_| ());
    let marks = |places| format!("http://host.dom/{}", "a{".repeat(places));
    assert_eq!(repair(&marks(most - 1), Profile::Rfc1738).unwrap().changes().len(), most - 1);
    assert_eq!(code(marks(most)), Err("too-many-changes"));
    // The wrapper is a change, too.
    let lines = |places| format!("<http://host.dom/{}a>", "a\n".repeat(places));
    assert_eq!(code(lines(most - 1)), Ok(()));
    assert_eq!(code(lines(most)), Err("too-many-changes"));
    // Octets side by side are one change; 256 KiB are escaped, no more.
    let run = |octets: usize| format!("http://host.dom/{}/{{{{", "\u{e9}".repeat(octets / 2));
    assert_eq!(repair(&run((256 << 10) - 2), Profile::Rfc1738).unwrap().changes().len(), 2);
    assert_eq!(
        repair(&run(256 << 10), Profile::Rfc1738).map_err(|refused| refused.code()).err(),
        Some("too-many-changes")
    );
    // Whatever the mistake is.
    for (start, unit) in [("http://host.dom/?", "?"), ("ftp://host.dom/", ";")] {
        let text = |octets: usize| format!("{start}{}", unit.repeat(octets));
        assert_eq!(code(text(256 << 10)), Ok(()), "{start}");
        assert_eq!(code(text((256 << 10) + 1)), Err("too-many-changes"), "{start}");
    }
    assert_eq!(code(format!("file://c:{}", "\\a".repeat(most + 1))), Err("backslash"));
    assert_eq!(code(format!("http:\\/\\/host.dom{}", "\\/a".repeat(most))), Err("backslash"));
}
