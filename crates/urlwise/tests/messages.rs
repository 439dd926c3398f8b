//! Whole sentences, as people read them: what they quote, count, name and advise.

use urlwise::build::{Draft, nearest};
use urlwise::{Language, Profile, Scheme, Url, Verdict, diagnose, secrets, verdict};

/// The first problem of a text by RFC 1738, in one line.
fn problem(text: &str) -> String {
    diagnose(text, Profile::Rfc1738).problems().first().map_or(String::new(), ToString::to_string)
}

/// The refusal of a text by RFC 1738, in one line.
fn refusal(text: &str) -> String {
    match verdict(text, Profile::Rfc1738) {
        Verdict::Refused(error) => error.to_string(),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn a_message_quotes_and_counts_the_octets_that_it_is_about() {
    let label = "a".repeat(64);
    for (text, expected) in [
        (
            "HTTP://h.dom/",
            "warning[scheme-case] at 0..4: the scheme `HTTP` is not lowercase (section 2.1, D-02); write `http`; case does \
             not matter in a scheme",
        ),
        (
            &format!("http://{label}.dom/"),
            "error[label-length] at 7..71: the label is 64 octets long (section 3.1, D-18); RFC 1034 allows at most 63",
        ),
        (
            "mailto:joe@.dom",
            "error[mailto-addrspec] at 11..12: a sub-domain of the address is missing (section 3.5, D-53); write \
             `local@domain` as in RFC 822: words joined by dots, without comments, spaces, names or lists",
        ),
    ] {
        assert_eq!(problem(text), expected);
    }
}

#[test]
fn each_question_mark_in_a_path_is_a_place() {
    let text = "ftp://h.dom/?a??/b?";
    let diagnosis = diagnose(text, Profile::Current);
    let places: Vec<_> = diagnosis.problems().iter().flat_map(|problem| problem.spans().flatten()).collect();
    assert_eq!(places, [12, 14, 15, 18]);
}

#[test]
fn a_help_is_that_of_the_place() {
    for (text, help) in [
        // White space at an end is not written as an escape (D-14), and no address has two lines.
        ("http://h.dom/a\t", "remove it: white space is never part of a URL"),
        ("http://h.dom/a\tb", "write `%09`"),
        ("mailto:a%0Ab@c.dom", "remove it: an address is a single line"),
        ("ftp://u:[@h.dom/", "write `%` and its two hex digits"),
        ("ftp://u[@h.dom/", "write `%5B`"),
    ] {
        let shown = problem(text);
        assert_eq!(shown.rsplit_once("; ").map(|(_, help)| help), Some(help), "{shown}");
    }
}

#[test]
fn a_refusal_says_where_and_masks_only_what_is_in_a_password() {
    assert_eq!(
        refusal("ftp://u:p@h.dom/a\tb"),
        "refused[invisible-character] at 17..18: HT (09): an invisible character inside the text (section 2.2, D-79); \
         remove it, or write its escape if it is part of a name"
    );
    let masked = refusal("ftp://u:p\tq@h.dom/a");
    assert!(masked.starts_with("refused[invisible-character] at 9..10: an invisible character"), "{masked}");
    // Where nothing is left, the place is behind what was taken away.
    assert!(refusal("[host]()").starts_with("refused[scheme-missing] at 8..8: "));
}

#[test]
fn a_mistake_has_no_place_behind_the_number_sign_that_ends_the_url() {
    let diagnosis = diagnose("http://h.dom/%x%#%y", Profile::Rfc1738);
    let places = |problem: &urlwise::Problem<'_>| format!("{:?}", problem.spans().collect::<Vec<_>>());
    let places: Vec<_> = diagnosis.problems().iter().map(places).collect();
    assert_eq!(places, ["[13..14, 15..16]", "[16..17]"]);
}

#[test]
fn an_at_sign_in_the_host_of_a_message_id_ends_no_login() {
    let article = Url::parse("news:a@h.dom").unwrap();
    let error = article.with("host", b"b@c.dom").unwrap_err().to_string();
    assert!(error.contains("`@` (40) is not allowed in a host") && !error.contains("login"), "{error}");
    let login = Draft::of(Scheme::Ftp).with("user", "x").with("host", "a@h.dom").build().unwrap_err().to_string();
    assert!(login.contains("there is a second `@`"), "{login}");
}

#[test]
fn a_name_is_near_if_it_begins_alike_or_one_letter_differs_is_missing_is_too_many_or_changed_its_place() {
    for (given, expected) in [
        ("hoxt", Some("host")),
        ("hst", Some("host")),
        ("hoost", Some("host")),
        ("ohst", Some("host")),
        ("HSOT", None),
        ("hsot", Some("host")),
        ("hosT", Some("host")),
        ("ho", None),
        ("hos", Some("host")),
        ("hosts", Some("host")),
        ("hoxts", None),
        ("hsxt", None),
        ("hsto", None),
        ("hxxt", None),
        ("ht", None),
        ("shot", None),
        ("hostname", Some("host")),
    ] {
        assert_eq!(nearest(given, ["port", "host"]), expected, "{given}");
    }
    assert_eq!(nearest("sel", ["search", "selector"]), Some("selector"));
}

#[test]
fn what_is_shown_while_debugging_has_parts_and_problems_and_no_password() {
    let shown = format!("{:?}", diagnose("ftp://jim:s3cret@h.dom/a b", Profile::Rfc1738));
    assert!(shown.contains("bnf-char") && shown.contains("host 17..22") && !shown.contains("s3cret"), "{shown}");
    let Verdict::Refused(refused) = verdict("ftp://jim:s3cret@h.dom/a\tb", Profile::Rfc1738) else { panic!() };
    let suggestion = format!("{:?}", refused.suggestions()[0]);
    assert_eq!(
        suggestion,
        "Suggestion(ftp://jim:***@h.dom/ab: without the invisible characters, and with plain spaces for special ones)"
    );
    assert_eq!(format!("{refused:?}"), refused.to_string());
    let Verdict::Repaired(repaired) = verdict("ftp://jim:s3cret@h.dom/a b", Profile::Rfc1738) else { panic!() };
    let shown = format!("{repaired:?}");
    assert!(shown.contains("ftp://jim:***@h.dom/a%20b") && shown.contains("Change(bnf-char 24..25)"), "{shown}");
    assert_eq!((refused.decision(), refused.section()), (Some("D-79"), "2.2"));
    assert_eq!(refused.help(), refused.help_in(Language::En));
    assert_eq!(refused.help().as_deref(), Some("remove it, or write its escape if it is part of a name"));
}

#[test]
fn a_verdict_has_the_url_unless_the_text_is_refused() {
    for (text, url) in [
        ("http://h.dom/a", Some("http://h.dom/a")),
        ("http://h.dom/a b", Some("http://h.dom/a%20b")),
        ("http://h.dom/a\\b", None),
    ] {
        assert_eq!(verdict(text, Profile::Rfc1738).url().map(|url| url.to_string()).as_deref(), url, "{text}");
    }
}

#[test]
fn a_change_names_its_decision_where_the_rfc_is_not_clear() {
    for (text, decision) in
        [("http:/h.dom/", None), ("http://h.dom/a b", Some("D-10")), ("http://h.dom/~a", Some("D-11"))]
    {
        let Verdict::Repaired(repaired) = verdict(text, Profile::Rfc1738) else { panic!("{text}") };
        assert_eq!(repaired.changes()[0].decision(), decision, "{text}");
    }
}

#[test]
fn a_refusal_points_at_its_octets_behind_octets_of_another_charset() {
    let text = b"http://h.dom/\xE9\xE9a\xE2\x80\xA6";
    let Verdict::Refused(refused) = verdict(text, Profile::Rfc1738) else { panic!() };
    assert_eq!((refused.code(), refused.span()), ("shortened", 16..19));
    // The second URL of two lines, by its scheme.
    let text = "http://h.dom/a\nftp://o.dom/";
    let Verdict::Refused(refused) = verdict(text, Profile::Rfc1738) else { panic!() };
    assert_eq!((refused.code(), &text[refused.span()]), ("second-url", "ftp:"));
}

#[test]
fn a_password_ends_at_the_last_at_sign_if_a_slash_stands_in_it_and_is_no_port() {
    for (text, expected) in [
        ("ftp://jim:pa/ss@h.dom/", Some("pa/ss")),
        ("ftp://jim:p/a/ss@h.dom", Some("p/a/ss")),
        ("ftp://h.dom:21/a@b", None),
        // The end of a longer name is no scheme.
        ("telnets:jim:pw@h.dom", Some("pw")),
        ("xtelnets:jim:pw@h.dom", None),
        ("ftp://[::1]/a@b", None),
    ] {
        let found: Vec<_> = secrets(text.as_bytes()).into_iter().map(|secret| &text[secret]).collect();
        assert_eq!(found, Vec::from_iter(expected), "{text}");
    }
}

#[test]
fn security_14_passwords_of_urls_that_were_escaped_are_found() {
    for (text, expected) in [
        ("http://a.dom/?u=http%3A%2F%2Fjoe%3Apw%40h.dom%2F", &["pw"][..]),
        ("?u=http%3a%2f%2fjoe%3apw%40h.dom&m=a%40b", &["pw"]),
        ("?u=foo%253A%252F%252Fjoe%253Apw%2540h.dom%252F", &["pw"]),
        ("?u=%25252F%25252Fjoe%25253Apw%252540h.dom", &["pw"]),
        // As Python's `quote`, Go's `PathEscape` and others write it.
        ("http%3A//joe%3Apw%40h.dom/", &["pw"]),
        ("http:%2F%2Fjoe:pw@h.dom%2F", &["pw"]),
        ("foo%3A%2F%2Fjoe:pw@h.dom%2F", &["pw"]),
        ("http://joe%3Apw%40h.dom/", &["pw"]),
        ("http%3A//joe%3A1234%40h.dom/", &["1234"]),
        ("http%3Ajoe%3Apw%40h.dom/", &["pw"]),
        ("x%5C%5Cjoe%3Apw%40h.dom", &["pw"]),
        ("x%5c%5cjoe%3Apw%40h.dom", &["pw"]),
        // One kind of escape alone.
        ("x%5C%5Cjoe:pw%40h.dom", &["pw"]),
        ("ftp%3Ajoe:pw@h.dom", &["pw"]),
        ("//joe:pw%40h.dom", &["pw"]),
        // What is escaped once more is of the password, and so is an `@` before the last.
        ("%2F%2Fjoe%3Ap%252Fw%40h", &["p%252Fw"]),
        ("%2F%2Fjoe%3Ap%2540w%40h", &["p%2540w"]),
        ("%2F%2Fjoe%3Ap%40w%40h", &["p%40w"]),
        ("%2F%2Fjoe%3Ap%3Aw%40h", &["p%3Aw"]),
        ("%2F%2Fjoe%3Apw%40h\\\\jim:mo/re@h", &["pw", "mo/re"]),
        ("%2F%2Fjoe%3Apw%40h%2F%2Fjim%3Amore%40h", &["pw", "more"]),
        ("http://a.dom?u=http%3A%2F%2Fjoe%3Apw%40h.dom%2F//jim:more@h", &["pw", "more"]),
        ("ftp://joe:pw@a.dom/?u=%2F%2Fjim%3Amore%40h", &["pw", "more"]),
        ("ftp://joe:p%2Fw@a.dom/", &["p%2Fw"]),
        ("ftp://%2Fjoe:p%2Fw@a.dom/", &["p%2Fw"]),
        // No password.
        ("http%3A%2F%2Fjoe%3A%40h.dom", &[]),
        ("http%3A%2F%2Fh.dom%3A80%2Fa%40b", &[]),
        ("http%3A%2F%2Fh.dom%2Fa%3Ab%40c", &[]),
        ("http%3A%2F%2Fh.dom%3A80?m=a%40b", &[]),
        ("http%3A%2F%2Fh.dom%3A80&m=a@b", &[]),
        ("http%3A%2F%2Fh.dom%3A80&m=a:b@c", &[]),
        ("http%3A%2F%2Fh.dom/a%3Ab%40c", &[]),
        ("%252F%252Fh.dom%2Fa%3Ab%40c", &[]),
        ("x%2F/joe%3Apw%40h", &[]),
        ("a%40joe%3Apw%40h", &[]),
        ("%2F%2Fa%3Ab c%40d", &[]),
        ("%2F%2Fa%3Ab\"c%40d", &[]),
        ("%2F%2Fa%3Ab<c%40d", &[]),
        ("%2F%2Fa%3Ab>c%40d", &[]),
        ("%2F%2Fa%3Ab#c%40d", &[]),
        ("http://h.dom:80/?m=a%40b", &[]),
        ("http://h.dom:80?m=a%40b", &[]),
        ("http://a.dom%3A80%40h.dom/", &[]),
        ("ftp://joe%3Apw@a.dom/", &[]),
        ("ftp://a.dom/%2Fa%3Ab%40c", &[]),
        ("mailto%3Aa%3Ab%40c", &[]),
        ("%2%2Fa%3Ab%40c%4", &[]),
        ("%2F%2Fa%3Ab%4", &[]),
    ] {
        let found: Vec<_> = secrets(text.as_bytes()).into_iter().map(|secret| &text[secret]).collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn help_is_of_the_part_and_names_a_whole_url_only_where_one_is_meant() {
    let of_groups = "use only letters, digits, `+`, `-`, `.` and `_`: a newsgroup name has no escapes and no patterns";
    for (text, help) in [
        (&b"nntp://h.dom/a*b/1"[..], of_groups),
        (b"news:a*", of_groups),
        (b"file:/a", "write `file:///a`"),
        (b"file:/a\xFF", "write `file://` before the path"),
    ] {
        let diagnosis = diagnose(text, Profile::Rfc1738);
        let found = diagnosis.problems()[0].help().map(|help| help.to_string());
        assert_eq!(found.as_deref(), Some(help), "{}", text.escape_ascii());
    }
}
