//! What `repair` compares before it answers, how deep it looks, what it does not name, what it cuts at the ends, and that it arms nothing.

#![allow(clippy::unwrap_used, reason = "a text that is repaired must stop the test")]

use urlwise::{Problem, Profile, repair, verdict};

#[track_caller]
fn refuses(profile: Profile, text: &str, code: &str, octets: &str) {
    let refused = repair(text, profile).unwrap_err();
    assert_eq!((refused.code(), &text[refused.span()]), (code, octets), "{refused}");
}

#[test]
fn hosts_are_compared_with_those_of_the_text_as_given_and_within_its_marks() {
    // A blank that is cut and a mark that is taken away both hide a host that other readers see.
    refuses(Profile::Current, "http://ho\u{a0}", "host-differs", "http://ho");
    refuses(Profile::Current, "hxxps://host`m>", "host-differs", "hxxps://host`m");
}

#[test]
fn suggestions_are_read_two_levels_deep_and_given_once() {
    let suggested = |text: &str, profile: Profile| -> Vec<String> {
        verdict(text, profile).suggestions().iter().map(|suggestion| suggestion.url().to_owned()).collect()
    };
    for &profile in Profile::ALL {
        assert_eq!(suggested("http://http//host.dom/", profile), ["http://host.dom/"]);
        assert!(suggested(" /news:telnet://\"joe@host.dom\u{200b}", profile).is_empty());
    }
    refuses(Profile::Rfc1738, "//wais://https://telnet://`", "text-around", "//");
}

#[test]
fn a_character_within_a_password_is_not_named() {
    for (text, is_named) in [("http://u:a\u{200b}b@h.dom/", false), ("http://h.dom/a\u{200b}b", true)] {
        let refused = repair(text, Profile::Current).unwrap_err();
        assert_eq!(refused.message().contains("U+200B"), is_named, "{}", refused.message());
    }
}

#[test]
fn a_text_with_thousands_of_prefixes_or_invisible_characters_between_blanks_is_refused() {
    let most = Problem::MOST_PLACES;
    let changes = |text: String| {
        repair(&text, Profile::Rfc1738).map(|repaired| repaired.changes().len()).map_err(|refused| refused.code())
    };
    // A blank and a soft hyphen are two changes.
    let framed = |before: usize, behind: usize| {
        changes(format!("{}http://host.dom/{}", " \u{ad}".repeat(before), "\u{ad} ".repeat(behind)))
    };
    assert_eq!(framed(most / 2 - 1, most / 2 - 1), Ok(2 * most - 4));
    assert_eq!(framed(most / 2, 0), Err("too-many-changes"));
    assert_eq!(framed(0, most / 2), Err("too-many-changes"));
    let prefixes = |count: usize| changes(format!("{}http://host.dom/", "URL:".repeat(count)));
    assert_eq!((prefixes(most - 1), prefixes(most)), (Ok(most - 1), Err("too-many-changes")));
}

#[test]
fn invisible_characters_side_by_side_are_one_change() {
    let text = "\u{feff}\u{200b}http://host.dom/a\u{ad}\0\0\0";
    let repaired = repair(text, Profile::Rfc1738).unwrap();
    let spans: Vec<_> = repaired.changes().iter().map(urlwise::Change::span).collect();
    assert_eq!(spans, [0..6, 23..28]);
    assert_eq!(repaired.url().as_str(), "http://host.dom/a");
}

#[test]
fn what_is_defanged_is_never_a_url_of_the_scheme_that_it_is_defanged_with() {
    const SCHEMES: &[&str] = &["hxxp", "hxxps", "hXXp", "h**p", "fxp", "htxp"];
    const MARKS: &[&str] = &["[.]", "(.)", "{.}", "[dot]", "[:]", "[/]", "[at]", "[@]"];
    const ENDS: &[&str] =
        &["", "b", "b.", "b[.]", "b[.]/x", "b[.]:80/", "1", "b c", "b[", "b/x[.]y", "[.]b/", "b:x/", "b#c"];
    for scheme in SCHEMES {
        for (mark, end) in MARKS.iter().flat_map(|mark| ENDS.iter().map(move |end| (mark, end))) {
            for (open, close) in [("", ""), (" ", "\n"), ("<", ">"), ("see: ", "")] {
                let text = format!("{open}{scheme}://a{mark}{end}{close}");
                for &profile in Profile::ALL {
                    match repair(&text, profile) {
                        // Only round brackets may stand in a URL as they are.
                        Ok(repaired) => assert!(!repaired.url().as_str().contains("%5"), "{text}: {}", repaired.url()),
                        Err(refused) => {
                            let is_meant = |url: &str| !url.contains("xxp:") && !url.contains("%5B.");
                            assert!(refused.suggestions().iter().all(|one| is_meant(one.url())), "{text}: {refused}");
                        }
                    }
                }
            }
        }
    }
    for &profile in Profile::ALL {
        refuses(profile, "hxxp://a[.]b:x/", "defanged", "hxxp://a[.]b:x/");
        refuses(profile, " hxxp://a.b/x[.]y z\n", "defanged", "hxxp://a.b/x[.]y z");
        let long = format!("hxxp://a[.]b/{}", "x".repeat(10_000));
        refuses(profile, &long, "defanged", &long);
        // Neither a bracket alone nor a mark in the path of a host that is as it was is one of them.
        assert_eq!(repair("hxxp://host.dom/a{b", profile).unwrap().url().as_str(), "hxxp://host.dom/a%7Bb");
    }
    let repaired = repair("http://[::1]/x[.]html", Profile::Current).unwrap();
    assert_eq!(repaired.url().as_str(), "http://[::1]/x%5B.%5Dhtml");
}
