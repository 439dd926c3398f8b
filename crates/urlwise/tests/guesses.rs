//! What may have been meant: these lists are whole, so that nothing is guessed from what only resembles a mistake.

use urlwise::{Profile, repair, verdict};

fn guesses(text: &str) -> Vec<String> {
    verdict(text, Profile::Rfc1738).suggestions().iter().map(|guess| guess.url().to_owned()).collect()
}

#[test]
fn only_digits_behind_a_colon_are_taken_for_a_port() {
    assert_eq!(guesses("news:a@h.dom:x"), [""; 0]);
    assert_eq!(guesses("news:a@h.dom:119"), ["news:a@h.dom"]);
}

#[test]
fn an_address_is_missing_its_scheme_only_if_no_slash_stands_in_it() {
    assert_eq!(guesses("joe@host.dom?subject=hi"), ["mailto:joe@host.dom?subject=hi"]);
    for text in ["joe/@host.dom?subject=hi", "jo e@host.dom", "joe@b.dom/", "@b.dom"] {
        assert_eq!(guesses(text), [""; 0], "{text}");
    }
}

#[test]
fn a_backslash_is_a_slash_only_in_schemes_whose_readers_take_it_for_one() {
    assert_eq!(guesses("http://h.dom/a\\b"), ["http://h.dom/a/b", "http://h.dom/a%5Cb"]);
    assert_eq!(guesses("x-a:a\\b"), ["x-a:a%5Cb"]);
    assert_eq!(guesses("x-a:\\$"), ["x-a:$"]);
}

#[test]
fn a_scheme_is_guessed_for_texts_of_up_to_4096_octets() {
    let text = |length: usize| format!("htp://h.dom/{}", "a".repeat(length - 12));
    assert_eq!(guesses(&text(4096)), [text(4096).replace("htp", "http")]);
    assert_eq!(guesses(&text(4097)), [""; 0]);
}

#[test]
fn what_can_be_seen_is_not_escaped_with_what_cannot() {
    assert_eq!(guesses("ftp://h.dom/a\tb\u{2026}"), [""; 0]);
}

#[test]
fn each_invisible_character_is_left_out_or_becomes_its_own_escape() {
    let text = "http://h.dom/a\u{200D}b\u{200D}c\u{200C}d\u{A0}e\tf";
    assert_eq!(guesses(text), ["http://h.dom/abcd%20ef", "http://h.dom/a%E2%80%8Db%E2%80%8Dc%E2%80%8Cd%C2%A0e%09f"]);
}

#[test]
fn a_password_behind_the_host_is_moved_only_if_there_is_none_before_it() {
    assert_eq!(guesses("ftp://joe@h.dom:pw/x"), ["ftp://joe:pw@h.dom/x"]);
    assert_eq!(guesses("ftp://joe:p%40w@hoshttp:t.com/"), [""; 0]);
}

#[test]
fn a_slash_is_taken_into_a_password_only_if_one_login_ends_behind_it() {
    assert_eq!(guesses("ftp://joe:pa/ss@h.dom/"), ["ftp://joe:pa%2Fss@h.dom/"]);
    for text in ["ftp://joe/pa/ss@h.dom/ x", "ftp://joe:pa/s/s@h.dom/", "ftp://joe:pa/ss@h.dom/@b"] {
        assert!(guesses(text).iter().all(|guess| !guess.contains("pa%2Fs")), "{text}");
    }
}

fn with_reasons(text: &str) -> Vec<(String, String)> {
    let verdict = verdict(text, Profile::Current);
    verdict.suggestions().iter().map(|guess| (guess.url().to_owned(), guess.why().to_owned())).collect()
}

/// The scheme is not what differs.
#[test]
fn a_path_of_a_file_that_may_begin_earlier_is_guessed_with_its_reason() {
    for (text, guess, why) in [
        ("file://h.dom/x", "file:///h.dom/x", "with the name as the first directory of a local path"),
        ("FILE://h.dom/x", "file:///h.dom/x", "with the name as the first directory of a local path"),
        ("file:////h.dom/x", "file:///h.dom/x", "with one slash before the path"),
        ("file:/etc/motd", "file:///etc/motd", "`//` and an empty host must precede the path of a file"),
    ] {
        assert_eq!(with_reasons(text), [(guess.to_owned(), why.to_owned())], "{text}");
    }
    // The host is this machine.
    for text in ["file:///etc/motd", "file://localhost/etc/motd", "file://LocalHost/etc/motd"] {
        assert_eq!(with_reasons(text), [], "{text}");
    }
}

#[test]
fn what_asks_for_attributes_of_a_gopher_item_is_not_punctuation() {
    for text in [
        "gopher://h.dom/00/x%09%09!",
        "gophers://h.dom/00/x%09%09!",
        "gopher://h.dom/7/x%09a!%09!",
        "gopher://h.dom/00/x%09%09+",
        "gopher://h.dom/00/x%09%09?",
        "gopher://h.dom/00/x%09%09$",
    ] {
        assert_eq!(with_reasons(text), [], "{text}");
    }
    for (text, guess) in [
        ("gopher://h.dom/00/x%09%09!.", "gopher://h.dom/00/x%09%09!"),
        ("gopher://h.dom/00/x%09%09!+INFO!", "gopher://h.dom/00/x%09%09!+INFO"),
        ("gopher://h.dom/7/x%09hello!", "gopher://h.dom/7/x%09hello"),
        ("http://h.dom/x%09%09!", "http://h.dom/x%09%09"),
    ] {
        assert_eq!(guesses(text), [guess], "{text}");
    }
}

#[test]
fn a_mark_of_a_defanged_url_is_one_only_where_its_scheme_is_defanged_too() {
    let repaired = repair("http://h.dom/a[.]b", Profile::Rfc1738).expect("the brackets of a path are escaped");
    assert_eq!(repaired.url(), "http://h.dom/a%5B.%5Db");
    assert!(repair("hxxp://h.dom/a[.]b", Profile::Rfc1738).is_err());
}
