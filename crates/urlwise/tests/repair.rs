//! Repair: what it makes of pasted texts, what it refuses, and what holds for every text (D-72, D-67 to D-69).

#![allow(clippy::unwrap_used, reason = "a table that cannot be read must stop the test")]

use std::fs;
use std::path::Path;
#[cfg(unix)]
use std::time::Duration;

use proptest::prelude::*;
use serde_json::Value;
use urlwise::{Profile, Repaired, Url, diagnose, repair, verdict};

#[track_caller]
fn becomes(profile: Profile, text: &str, url: &str, changes: &[&str]) {
    let repaired = repair(text, profile).unwrap();
    assert_eq!(repaired.url().as_str(), url, "{text:?}");
    let made: Vec<_> = repaired.changes().iter().map(urlwise::Change::code).collect();
    assert_eq!(made, changes, "{text:?}");
    assert_eq!(applied(text.as_bytes(), &repaired), url.as_bytes());
    is_read_once(text.as_bytes(), profile);
}

/// A diagnosis gives the same verdict as its text.
#[track_caller]
fn is_read_once(text: &[u8], profile: Profile) {
    assert_eq!(format!("{:?}", diagnose(text, profile).verdict()), format!("{:?}", verdict(text, profile)));
}

#[track_caller]
fn strict(text: &str, url: &str, changes: &[&str]) {
    becomes(Profile::Rfc1738, text, url, changes);
}

#[track_caller]
fn refuses(profile: Profile, text: impl AsRef<[u8]>, code: &str, octets: &str) {
    let text = text.as_ref();
    let refused = repair(text, profile).unwrap_err();
    assert_eq!(refused.code(), code, "{refused}");
    assert_eq!(String::from_utf8_lossy(&text[refused.span()]), octets, "{refused}");
    is_read_once(text, profile);
}

/// What the changes make of the input.
fn applied(input: &[u8], repaired: &Repaired<'_>) -> Vec<u8> {
    let mut text = Vec::new();
    let mut at = 0;
    for change in repaired.changes() {
        text.extend(&input[at..change.span().start]);
        text.extend(change.now().as_bytes());
        at = change.span().end;
    }
    text.extend(&input[at..]);
    text
}

#[test]
fn what_stands_around_a_url_is_taken_away() {
    strict(" \thttp://host.dom/\r\n", "http://host.dom/", &["blanks-around", "blanks-around"]);
    strict("<http://host.dom/>", "http://host.dom/", &["wrapper", "wrapper"]);
    strict("<URL:http://host.dom/>", "http://host.dom/", &["wrapper", "prefix", "wrapper"]);
    strict("url: news:*", "news:*", &["prefix", "blanks-around"]);
    strict("URL:<news:*>", "news:*", &["prefix", "wrapper", "wrapper"]);
    strict("URL:URL:news:*", "news:*", &["prefix", "prefix"]);
}

#[test]
fn a_scheme_named_url_is_not_a_prefix() {
    strict("url:", "url:", &[]);
    strict("url:host.dom/x", "url:host.dom/x", &[]);
}

#[test]
fn the_lines_of_a_url_are_joined() {
    let inside = "wrapped-blanks";
    strict("<URL:ftp://host.dom/a\r\n   b c>", "ftp://host.dom/abc", &["wrapper", "prefix", inside, inside, "wrapper"]);
    strict("http://host.dom/a \x0B b", "http://host.dom/ab", &["line-end"]);
    strict("<U\nRL:news:*>", "news:*", &["wrapper", "prefix", "wrapper"]);
    strict("<U\nRL:UR\nL:news:*>", "news:*", &["wrapper", "prefix", "prefix", "wrapper"]);
    strict("http://host.dom/a\r\nb", "http://host.dom/ab", &["line-end"]);
    strict(
        "<http://host.dom/%\n41\n\nhttp://x>",
        "http://host.dom/%41http://x",
        &["wrapper", inside, inside, "wrapper"],
    );
}

#[test]
fn a_blank_in_a_line_is_encoded() {
    strict("ftp://host.dom/a b", "ftp://host.dom/a%20b", &["bnf-char"]);
}

#[test]
fn a_fragment_is_cut() {
    strict("http://host.dom/#a b\\", "http://host.dom/", &["fragment"]);
    strict("http://host.dom/ #", "http://host.dom/", &["blanks-around", "fragment"]);
    strict("<http://host.dom/#a\nb>", "http://host.dom/", &["wrapper", "fragment", "wrapper"]);
}

#[test]
fn octets_that_may_not_stand_raw_are_encoded_part_by_part() {
    strict("ftp://j:\"@host.dom/{}^`", "ftp://j:%22@host.dom/%7B%7D%5E%60", &["bnf-char"; 2]);
    strict("http://host.dom/caf\u{e9}", "http://host.dom/caf%C3%A9", &["bnf-char"]);
    strict("http://host.dom/~a", "http://host.dom/%7Ea", &["bnf-char"]);
    becomes(Profile::Current, "http://host.dom/~a|", "http://host.dom/~a%7C", &["bnf-char"]);
    strict("http://host.dom/?a/b", "http://host.dom/?a%2Fb", &["http-search-char"]);
    strict("ftp://host.dom/a.txt;1", "ftp://host.dom/a.txt%3B1", &["ftp-semicolon"]);
    strict("wais://host.dom/a;b", "wais://host.dom/a%3Bb", &["bnf-char"]);
    let repaired = repair(b"ftp://host.dom/caf\xE9", Profile::Rfc1738).unwrap();
    assert_eq!(repaired.url().as_str(), "ftp://host.dom/caf%E9");
}

#[test]
fn what_is_missing_is_put_in_where_it_has_one_place() {
    strict("http:host.dom/x", "http://host.dom/x", &["slashes-missing"]);
    strict("gopher:/localhost", "gopher://localhost", &["slashes-missing"]);
    strict("file:/etc/motd", "file:///etc/motd", &["file-short"]);
    becomes(Profile::Current, "file:/etc/mo td", "file:/etc/mo%20td", &["bnf-char"]);
    strict("http://host.dom?q", "http://host.dom/?q", &["http-query-slash"]);
    strict("http:host.dom:?q", "http://host.dom/?q", &["slashes-missing", "port-empty", "http-query-slash"]);
}

#[test]
fn small_slips_are_set_right() {
    strict("http://host.dom:/", "http://host.dom/", &["port-empty"]);
    strict("http://host.dom./", "http://host.dom/", &["host-dot"]);
    refuses(Profile::Rfc1738, "http://host.dom../", "host-label", "");
    strict("ftp://host.dom/a;TYPE=A", "ftp://host.dom/a;type=A", &["ftp-type-case"]);
    strict("news:%2A", "news:*", &["news-all-escaped"]);
}

#[test]
fn what_is_valid_is_a_matter_of_normal_forms() {
    strict("HTTP://HOST.dom:080/%7e", "HTTP://HOST.dom:080/%7e", &[]);
}

#[cfg(feature = "idna")]
#[test]
fn digits_of_other_scripts_behind_octets_that_are_not_utf8_are_replaced_where_they_stand() {
    for profile in [Profile::Current, Profile::Rfc1738] {
        let octets = [b"ftp://\xFF\xFE@", "\u{ff11}27.0.0.1/\u{e9}".as_bytes(), b"\xFF"].concat();
        let verdict = verdict(&octets, profile);
        let urls: Vec<_> = verdict.suggestions().iter().map(urlwise::Suggestion::url).collect();
        assert_eq!(urls, ["ftp://%FF%FE@127.0.0.1/%C3%A9%FF"], "{profile:?}: {verdict:?}");
    }
}

#[test]
fn hosts_outside_ascii_are_written_as_idna_has_them() {
    strict("http://b\u{fc}cher.example:80/", "http://xn--bcher-kva.example:80/", &["host-idna"]);
    strict("ftp://j@B\u{dc}CHER.example/~", "ftp://j@xn--bcher-kva.example/%7E", &["host-idna", "bnf-char"]);
    strict("<http://b\u{fc}\ncher.example>", "http://xn--bcher-kva.example", &["wrapper", "host-idna", "wrapper"]);
    strict("mailto:joe@b\u{fc}cher.example", "mailto:joe@xn--bcher-kva.example", &["host-idna"]);
    strict("https://b\u{fc}cher.example/x", "https://xn--bcher-kva.example/x", &["host-idna"]);
    strict("http:b\u{fc}cher.example", "http://xn--bcher-kva.example", &["slashes-missing", "host-idna"]);
    strict("file://b\u{fc}cher.example/\u{fc}", "file://xn--bcher-kva.example/%C3%BC", &["host-idna", "bnf-char"]);
    // The solidus of full width turns into a delimiter, the letter of one dot leader into nothing at all.
    refuses(Profile::Rfc1738, "http://host.dom\u{ff0f}evil.dom/", "host-not-idna", "host.dom\u{ff0f}evil.dom");
    refuses(Profile::Rfc1738, "http://\u{ad}/", "invisible-character", "\u{ad}");
}

#[cfg(not(feature = "idna"))]
#[test]
fn without_idna_a_host_outside_ascii_is_refused_with_the_reason() {
    refuses(Profile::Rfc1738, "http://b\u{fc}cher.example/", "host-not-idna", "b\u{fc}cher.example");
    let refused = repair("http://b\u{fc}cher.example/", Profile::Rfc1738).unwrap_err();
    assert!(refused.to_string().contains("feature `idna`"));
}

#[test]
fn what_has_two_readings_is_refused() {
    for &profile in Profile::ALL {
        refuses(profile, "http://host.dom\\@evil.dom/", "backslash", "\\");
        refuses(profile, "ftp://a@b@host.dom/", "at-twice", "@");
        refuses(profile, " http://host.dom/100%", "bnf-escape", "%");
        refuses(profile, "<http://host.dom/a%4x>", "bnf-escape", "%");
        refuses(profile, "http://host.dom/long-\n  name", "hyphen-ambiguous", "-\n  ");
        refuses(profile, "<http://host.dom/long- \nname>", "hyphen-ambiguous", "- \n");
        refuses(profile, "http://host.dom/a\r\n\r\nRegards", "empty-line", "\r\n\r\n");
        refuses(profile, "http://host.dom/\nHTTPS://host.dom/", "second-url", "HTTPS:");
        refuses(profile, "<http://host.dom/> <http://host.dom/>", "wrapper-inside", ">");
        refuses(profile, "<<http://host.dom/>>", "wrapper-inside", "<");
        refuses(profile, "ftp://host#x@evil.dom/", "fragment-ambiguous", "#");
        refuses(profile, "news:a#b@host.dom", "fragment-ambiguous", "#");
        refuses(profile, "ftp:etc/motd", "slashes-missing", "");
        refuses(profile, "wais://host.dom", "path-missing", "");
        refuses(profile, "prospero:host.dom", "path-missing", "");
        refuses(profile, b"http://b\xFCcher.example/", "host-not-utf8", "b\u{fffd}cher.example");
        refuses(profile, b"foo://b\xFCcher.example/", "host-not-utf8", "b\u{fffd}cher.example");
    }
    refuses(Profile::Rfc1738, "file://motd", "path-missing", "");
}

#[test]
fn what_repair_would_take_away_by_a_guess_is_refused() {
    refuses(Profile::Rfc1738, "http://good.dom@evil.dom/", "http-userinfo", "good.dom");
    refuses(Profile::Rfc1738, "gopher://j@host.dom/", "user-forbidden", "j");
    refuses(Profile::Rfc1738, "telnet://host.dom/x", "telnet-path", "x");
    refuses(Profile::Rfc1738, "file://host.dom:80/x", "port-forbidden", ":80");
}

#[test]
fn an_invalid_url_is_refused_with_its_problem() {
    refuses(Profile::Rfc1738, "", "scheme-missing", "");
    refuses(Profile::Rfc1738, " hello ", "scheme-missing", "hello");
    refuses(Profile::Rfc1738, "\"http://host.dom/", "text-around", "\"");
    refuses(Profile::Rfc1738, "http://ho st/a b", "host-char", " ");
    refuses(Profile::Rfc1738, " http://host.dom:x/a b", "port-char", "x");
    refuses(Profile::Current, "URL:3a://x", "scheme-first", "3");
    let refused = repair("<http://host.dom:x/a b>", Profile::Rfc1738).unwrap_err();
    assert_eq!(refused.text(), b"http://host.dom:x/ab");
    assert_eq!(refused.problem().unwrap().span(), 16..17);
}

#[test]
fn nothing_that_repair_says_holds_a_password() {
    for text in [
        "ftp://jim:s3\"cret@host.dom/",
        "ftp://jim:s3cr%et@host.dom/",
        "ftp://jim:s3c@ret@host.dom/",
        "ftp://jim:s3\\cret@h/",
    ] {
        let result = repair(text, Profile::Rfc1738);
        let mut shown = format!("{result:?}");
        if let Err(refused) = result {
            shown += &refused.to_string();
        }
        assert!(!shown.contains("s3") && !shown.contains("ret"), "{shown}");
    }
}

/// The processor time that this thread has used. The time of a clock would depend on what else the machine does.
#[cfg(unix)]
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(unix)]
#[test]
fn a_megabyte_is_repaired_in_linear_time() {
    const MEGABYTE: usize = 1 << 20;
    let texts: &[fn(usize) -> String] = &[
        |size| format!("http://host.dom/{}", "\"a".repeat(size / 2)),
        |size| format!("http://host.dom/{}", "a\n".repeat(size / 2)),
        |size| format!("<{}", "URL:".repeat(size / 4)),
        |size| format!("<{}>", "U RL:".repeat(size / 5)),
        |size| format!("{}http://x", "URL: ".repeat(size / 5)),
        |size| format!("{}{}", "<".repeat(size / 2), ">".repeat(size / 2)),
        |size| format!("http://{}/", "\u{e9}.".repeat(size / 3)),
        |size| format!("http:a.b?{}", "/#@".repeat(size / 3)),
        |size| " \n".repeat(size / 2),
    ];
    for (number, text) in texts.iter().enumerate() {
        for &profile in Profile::ALL {
            let cost = |size, times| {
                let text = text(size);
                let once = |_| {
                    let start = processor_time();
                    let _ = repair(&text, profile);
                    processor_time() - start
                };
                (0..times).map(once).min().unwrap()
            };
            let (eighth, whole) = (cost(MEGABYTE / 8, 2), cost(MEGABYTE, 1));
            // Linear time is 8 times as much, quadratic time 64 times. What takes less than the last summand is fast in any case.
            let most = eighth * 20 + Duration::from_millis(20);
            assert!(whole < most, "text {number}: {eighth:?} for an eighth, {whole:?} for the whole");
        }
    }
}

#[test]
fn a_valid_url_is_doubted_only_where_another_one_is_likelier() {
    let meant = |text: &str| -> Vec<String> {
        verdict(text, Profile::Rfc1738).suggestions().iter().map(|suggestion| suggestion.url().to_owned()).collect()
    };
    for text in [
        "file:///etc/motd",
        "file:///a/..",
        "http://h.dom/a/..",
        "http://h.dom/a...",
        "file:///a_(b)",
        "http://h.dom/?a&b",
        "http://http//",
        "http://http/",
    ] {
        assert_eq!(meant(text), [""; 0], "{text}");
    }
    for (text, url) in [
        ("file:///a/b.", "file:///a/b"),
        ("http://h.dom/a/.", "http://h.dom/a/"),
        ("http://h.dom/a..", "http://h.dom/a"),
        ("http://h.dom/a)", "http://h.dom/a"),
        ("htp://h.dom/", "http://h.dom/"),
        ("hxxp://h.dom/", "http://h.dom/"),
        ("http://h.dom/?a&amp;b", "http://h.dom/?a&b"),
    ] {
        assert_eq!(meant(text), [url], "{text}");
    }
}

#[test]
fn a_host_that_is_named_like_a_scheme_gets_a_note_of_its_own() {
    let notes = |text: &str, profile| -> Vec<(String, String)> {
        let diagnosis = diagnose(text, profile);
        let notes = diagnosis.problems().iter().filter(|problem| problem.code().starts_with("host-"));
        notes.map(|note| (note.code().to_owned(), text[note.span()].to_owned())).collect()
    };
    for profile in Profile::ALL {
        for (text, host) in
            [("http://http//", "http"), ("http://http//host.dom/", "http"), ("ftp://ftp://host.dom/", "ftp")]
        {
            assert_eq!(notes(text, *profile), [("host-scheme".to_owned(), host.to_owned())], "{text}");
        }
        // A host may have any of these names.
        for text in ["http://http/", "http://http", "http://http:80//", "http://server//", "ftp://ftp/a//b"] {
            let note = [(
                "host-not-fqdn".to_owned(),
                text[text.find("//").unwrap() + 2..].split(['/', ':']).next().unwrap().to_owned(),
            )];
            assert_eq!(notes(text, *profile), note, "{text}");
        }
    }
    assert_eq!(notes("https://http//", Profile::Current)[0].0, "host-scheme");
    assert_eq!(notes("https://HTTPS//", Profile::Current)[0].0, "host-scheme");
}

#[test]
fn nothing_but_white_space_behind_the_colon_is_nothing() {
    for name in ["http", "ftp", "file", "gopher", "nntp", "telnet", "wais", "prospero"] {
        for space in ["", " ", "\r", "\r\n", " \t\n"] {
            let text = format!("{name}:{space}");
            let diagnosis = diagnose(&text, Profile::Rfc1738);
            let [problem] = diagnosis.problems() else { panic!("{text:?}: {:?}", diagnosis.problems()) };
            assert_eq!(problem.message().to_string(), format!("nothing follows `{name}:`"));
            assert_eq!(problem.help().unwrap().to_string(), "write the rest of the URL after the colon");
            assert_eq!(problem.span(), name.len() + 1..text.len(), "{text:?}");
        }
    }
    let diagnosis = diagnose("http:\r\nhost.dom/", Profile::Rfc1738);
    assert_eq!(diagnosis.problems()[0].message().to_string(), "`//` must follow `http:`");
}

#[test]
fn a_message_fits_all_places_and_a_help_can_be_followed() {
    for (text, message, help) in [
        (
            "news:<id@h>",
            "a Message-ID in a URL is not enclosed in `<` and `>`",
            "write `unique@full.domain.name`, without `<` and `>`",
        ),
        (
            "news:%3Cid@h%3E",
            "a Message-ID in a URL is not enclosed in `<` and `>`",
            "write `unique@full.domain.name`, without `<` and `>`",
        ),
        ("news:id@host.dom:119", "a port is not allowed after this host", "remove it"),
        ("file:/c|/x", "`//` must follow `file:`", "write `file://` before the path"),
        ("file:/x", "`//` must follow `file:`", "write `file:///x`"),
        ("file:motd", "`//` must follow `file:`", "write `file:///` before an absolute path"),
        ("ftp:motd", "`//` must follow `ftp:`", "write `ftp://` before the host"),
        (
            "mailto:.joe@h.dom",
            "the local part starts with a dot or has two in a row",
            "write `local@domain` as in RFC 822: words joined by dots, without comments, spaces, names or lists",
        ),
        (
            "mailto:jos%C3%A9@h.dom",
            "`\u{e9}` (U+00E9) is not allowed in an address: RFC 822 uses only US-ASCII",
            "write `local@domain` as in RFC 822: words joined by dots, without comments, spaces, names or lists",
        ),
    ] {
        let diagnosis = diagnose(text, Profile::Rfc1738);
        let problem = diagnosis.problems().iter().find(|problem| problem.level() == urlwise::Level::Error).unwrap();
        assert_eq!(
            (problem.message().to_string().as_str(), problem.help().unwrap().to_string().as_str()),
            (message, help)
        );
    }
}

#[test]
fn drives_are_repaired_only_where_a_drive_can_stand() {
    strict("file:///c|", "file:///c:", &["drive-letter"]);
    strict("file:////c|/x", "file:////c%7C/x", &["bnf-char"]);
    strict("file:///localhost/c|/x", "file:///localhost/c%7C/x", &["bnf-char"]);
    strict("file://localhost/c|/x", "file://localhost/c:/x", &["drive-letter"]);
    // One backslash begins no share, and neither do three slashes.
    refuses(Profile::Rfc1738, r"file:\server\share", "backslash", r"\");
    refuses(Profile::Rfc1738, r"file:///server\share", "backslash", r"\");
    refuses(Profile::Rfc1738, r"file:\\server\share", "unc-path", r"file:\\server\share");
}

#[test]
fn marks_and_labels_have_a_limit() {
    let marked = |count: usize| format!("{}http://host.dom/a{}", "(".repeat(count), ")".repeat(count));
    assert_eq!(repair(&marked(16), Profile::Rfc1738).unwrap().url().as_str(), "http://host.dom/a");
    assert!(repair(&marked(17), Profile::Rfc1738).is_err());
    let labelled = |length: usize| format!("{}: http://host.dom/a", "x".repeat(length));
    assert_eq!(repair(&labelled(32), Profile::Rfc1738).unwrap().url().as_str(), "http://host.dom/a");
    assert!(repair(&labelled(33), Profile::Rfc1738).is_err());
}

#[test]
fn what_stands_for_another_url_is_refused_and_named() {
    let suggested = |text: &str| -> Vec<String> {
        let refused = repair(text, Profile::Rfc1738).unwrap_err();
        refused.suggestions().iter().map(|suggestion| suggestion.url().to_owned()).collect()
    };
    refuses(Profile::Rfc1738, "http:/news:comp.lang", "nested-scheme", "http:/news:comp.lang");
    assert_eq!(suggested("http:/news:comp.lang"), ["news:comp.lang"]);
    assert_eq!(suggested("[http://a.dom/ http://b.dom/](http://c.dom/)"), ["http://a.dom/", "http://c.dom/"]);
    refuses(Profile::Rfc1738, "telnet host.dom 23/", "scheme-missing", "telnet host.dom 23/");
    refuses(Profile::Rfc1738, "http://host.dom/a\u{86}b", "control-character", "\u{86}");
}

#[test]
#[cfg(feature = "idna")]
fn a_fix_may_reveal_another_problem_several_times() {
    let text = "http:\u{e9}.dom./~a b";
    let changes = ["slashes-missing", "host-dot", "bnf-char", "bnf-char"];
    strict(text, "http://xn--9ca.dom/%7Ea%20b", &changes);
}

#[test]
fn an_escape_in_a_part_without_escapes_is_said_to_be_written_as_its_character() {
    let repaired = repair("news:comp%2Elang", Profile::Rfc1738).unwrap();
    assert_eq!(repaired.url().as_str(), "news:comp.lang");
    assert_eq!(repaired.changes()[0].message(), "a character of a part without escapes is written as it is");
}

#[test]
fn every_valid_url_of_the_case_table_is_left_alone_and_all_cases_keep_the_promises() {
    let mut valid = 0;
    for octets in cases() {
        for &profile in Profile::ALL {
            keeps_its_promises(&octets, profile).unwrap();
            valid += usize::from(Url::from_octets(&octets, profile).is_ok());
        }
    }
    assert!(valid > 400, "only {valid} valid URLs");
}

/// The texts of the case table.
fn cases() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/cases");
    let files = fs::read_dir(folder).unwrap().map(|file| fs::read_to_string(file.unwrap().path()).unwrap());
    let lines: Vec<Value> = files
        .flat_map(|text| text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<_>>())
        .collect();
    let text = |case: &Value| case["url"].as_str().map(|url| url.as_bytes().to_vec());
    lines.iter().filter_map(text).collect()
}

/// What holds for every text.
fn keeps_its_promises(text: &[u8], profile: Profile) -> Result<(), TestCaseError> {
    let is_prefixed = text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"URL:"));
    match repair(text, profile) {
        Ok(repaired) => {
            let url = repaired.url().as_str();
            prop_assert!(Url::parse_with(url, profile).is_ok());
            prop_assert_eq!(applied(text, &repaired), url.as_bytes());
            if Url::from_octets(text, profile).is_ok() && !is_prefixed {
                prop_assert!(repaired.changes().is_empty(), "{:?}", repaired);
            }
            let mut end = 0;
            for change in repaired.changes() {
                prop_assert!(end <= change.span().start, "{:?}", repaired);
                end = change.span().end;
                prop_assert_eq!(change.was(), &text[change.span()]);
                prop_assert_ne!(change.was(), change.now().as_bytes(), "{:?}", change);
            }
            let again = repair(url, profile);
            prop_assert!(again.as_ref().is_ok_and(|again| again.changes().is_empty()), "{:?} {:?}", repaired, again);
        }
        Err(refused) => {
            prop_assert!(Url::from_octets(text, profile).is_err() || is_prefixed, "{}", refused);
            prop_assert!(refused.span().end <= text.len(), "{}", refused);
            if let Some(problem) = refused.problem() {
                prop_assert_eq!(problem.code(), refused.code());
                prop_assert!(problem.span().end <= refused.text().len());
            }
        }
    }
    Ok(())
}

/// Pieces of pasted text that mean something to some rule, in any order.
fn pasted() -> impl Strategy<Value = Vec<u8>> {
    let pieces: Vec<&[u8]> = [
        "<",
        ">",
        "URL:",
        "url:",
        "http:",
        "ftp:",
        "FILE:",
        "news:",
        "mailto:",
        "wais:",
        "https:",
        "foo:",
        "//",
        "/",
        ":",
        "@",
        "host.dom",
        "h",
        "b\u{fc}cher",
        "127.0.0.1",
        "[::1]",
        "80",
        ";type=a",
        ";TYPE=I",
        ";",
        "?",
        "#",
        "%2A",
        "%",
        "41",
        "~",
        " ",
        "\n",
        "\r\n",
        "\t",
        "-",
        ".",
        "\\",
        "\"",
        "|",
        "a",
        "=",
        "\u{e9}",
        "\0",
    ]
    .iter()
    .map(|piece| piece.as_bytes())
    .chain([&b"\xFF"[..]])
    .collect();
    prop::collection::vec(prop::sample::select(pieces), 0..14).prop_map(|pieces| pieces.concat())
}

/// A URL of the table with something pasted into it.
fn spoilt() -> impl Strategy<Value = Vec<u8>> {
    let places = (any::<prop::sample::Index>(), any::<prop::sample::Index>());
    (prop::sample::select(cases()), places, pasted()).prop_map(|(mut text, (from, to), pasted)| {
        let (from, to) = (from.index(text.len() + 1), to.index(text.len() + 1));
        text.splice(from.min(to)..from.max(to).min(from.min(to) + 2), pasted);
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_result_is_always_valid_and_the_changes_are_complete(
        text in prop_oneof![3 => pasted(), 3 => spoilt(), 1 => prop::collection::vec(any::<u8>(), 0..40)]
    ) {
        for &profile in Profile::ALL {
            keeps_its_promises(&text, profile)?;
        }
    }
}

#[test]
fn brackets_around_an_address_are_a_matter_of_the_section_of_its_scheme() {
    for (text, url, code, section) in [
        ("mailto:<a@b>", "mailto:a@b", "address-brackets", "3.5"),
        ("news:<id@h>", "news:id@h", "message-id-brackets", "3.6"),
    ] {
        let repaired = repair(text, Profile::Rfc1738).expect(text);
        assert_eq!(repaired.url().as_str(), url);
        let cited: Vec<_> = repaired.changes().iter().map(|change| (change.code(), change.section())).collect();
        assert_eq!(cited, [(code, section); 2], "{text}");
    }
}
