use super::*;

#[test]
fn no_text_costs_more_than_linear_time() {
    let units = [
        "/",
        "//a:b",
        "ftp:",
        "//a:1/",
        "http:x@",
        "//[:",
        "\\\\a:b/",
        "ftp:?",
        "%2F",
        "%252F%2F",
        "%2F%2Fa%3A",
        "%25",
        "ftp%3A?",
    ];
    for unit in units {
        let text = unit.repeat((1 << 20) / unit.len());
        let start = std::time::Instant::now();
        for end in ["", "@", "%40", "@%40"] {
            secrets([text.as_str(), end].concat().as_bytes());
        }
        assert!(start.elapsed().as_secs() < 10, "{unit}");
    }
}

#[test]
fn what_is_found_is_in_order_and_is_not_empty_wherever_a_text_is_escaped() {
    let tokens = ["a", ":", "/", "@", "?", "%3A", "%2F", "%40", "%252f", "ftp:"];
    for number in 0..tokens.len().pow(6) {
        let text: String = (0..6).map(|digit| tokens[number / tokens.len().pow(digit) % tokens.len()]).collect();
        let mut at = 0;
        for secret in each_secret(text.as_bytes()) {
            assert!(at <= secret.start && secret.start < secret.end && secret.end <= text.len(), "{text}");
            at = secret.end;
        }
    }
}

#[test]
fn a_password_is_left_out_with_the_colon_before_it_however_often_it_is_escaped() {
    for (url, expected) in [
        ("ftp://jim:%3As3cret@h.dom/", "ftp://jim@h.dom/"),
        ("ftp://jim::s3cret@h.dom/", "ftp://jim@h.dom/"),
        ("http://a.dom/?u=ftp%3A%2F%2Fjim%3As3cret%40h", "http://a.dom/?u=ftp%3A%2F%2Fjim%40h"),
        ("%252F%252Fjim%253As3cret%2540h", "%252F%252Fjim%2540h"),
    ] {
        assert_eq!(secrets_left_out(url), expected);
    }
}

#[test]
fn passwords_that_touch_stay_two_and_those_that_overlap_are_one() {
    for (more, expected) in
        [(&[4..6, 2..4][..], &[(2, 4), (4, 6)][..]), (&[4..6, 2..5, 3..4], &[(2, 6)]), (&[2..9, 4..6], &[(2, 9)])]
    {
        let all = Secrets::default().and(more.iter().cloned());
        assert_eq!(all.behind(0).map(|secret| (secret.start, secret.end)).collect::<Vec<_>>(), expected);
    }
}

#[test]
fn right_behind_the_end_of_a_login_another_one_may_begin() {
    for (text, expected) in [
        ("//a:b@//c:d@h", "//a:***@//c:***@h"),
        ("//a:b@ftp:/c:d@h", "//a:***@ftp:/c:***@h"),
        ("%2F%2Fa%3Ab%40%2F%2Fc%3Ad%40h", "%2F%2Fa%3A***%40%2F%2Fc%3A***%40h"),
        ("%2F%2Fa%3Ab%40ftp%3A%2Fc%3Ad%40h", "%2F%2Fa%3A***%40ftp%3A%2Fc%3A***%40h"),
        ("%252F%252Fa%253Ab%2540%252F%252Fc%253Ad%2540h", "%252F%252Fa%253A***%2540%252F%252Fc%253A***%2540h"),
    ] {
        assert_eq!(without_secrets(text), expected);
    }
}

#[test]
fn an_authority_ends_at_a_slash_and_has_a_first_colon_and_a_last_at_sign() {
    let kinds = b"a:/@";
    for number in 0..kinds.len().pow(6) {
        let text: Vec<u8> = (0..6).map(|digit| kinds[number / kinds.len().pow(digit) % kinds.len()]).collect();
        for start in 0..=text.len() {
            let end = (start..text.len()).find(|at| text[*at] == b'/').unwrap_or(text.len());
            let first = (start..end).find(|at| text[*at] == b':');
            let last = (start..end).rfind(|at| text[*at] == b'@');
            let Authority { end: until, colon, at_sign } = Authority::of(&text, start);
            assert_eq!((until, colon, at_sign), (end, first, last), "{text:?} from {start}");
        }
    }
}

#[test]
fn a_span_touches_the_passwords_that_it_overlaps_and_an_empty_one_those_that_hold_its_place() {
    let text = b"ftp://a:bc@d.dom/ftp://e:fg@h.dom/";
    let secrets = Secrets::of(text);
    assert!(!secrets.is_empty() && Secrets::of(b"ftp://a@d.dom/").is_empty());
    for (at, behind) in [(0, 0..2), (9, 0..2), (10, 1..2), (26, 1..2), (27, 2..2)] {
        assert_eq!(secrets.behind(at).collect::<Vec<_>>(), [8..10, 25..27][behind], "{at}");
    }
    for at in 0..=text.len() {
        let secret = [8..10, 25..27].into_iter().find(|secret: &Range<usize>| secret.contains(&at));
        assert_eq!(secrets.touch(&(at..at)), secret.is_some(), "{at}");
        assert_eq!(secrets.at(at), secret, "{at}");
    }
    for (span, touches) in
        [(0..8, false), (0..9, true), (9..12, true), (10..25, false), (10..26, true), (27..34, false)]
    {
        assert_eq!(secrets.touch(&span), touches, "{span:?}");
    }
}

#[test]
fn what_a_span_touches_is_known_from_the_passwords_up_to_the_first_that_ends_behind_its_start() {
    let text = b"ftp://a:bc@d:e.dom/ftp://e:f@h.dom/@//g:h@i";
    let all = Secrets::of(text);
    let (mut grown, mut search) = (Secrets::default(), EachSecret::of(text));
    for start in 0..=text.len() {
        let until = Secrets::until(text, start);
        grown.grow(&mut search, start);
        assert_eq!(grown.0, until.0, "{start}");
        for end in start..=text.len() {
            for span in [start..end, start / 2..end] {
                assert_eq!(until.touch(&span), all.touch(&span), "{span:?} of {start}");
            }
        }
    }
    grown.grow(&mut search, 0);
    assert_eq!((grown.0, search.next()), (all.0.clone(), None));
    let count = |start| Secrets::until(text, start).0.len();
    assert_eq!([count(0), count(9), count(10), count(27), count(28), all.0.len()], [1, 1, 2, 2, 3, 3]);
}

#[test]
fn a_password_behind_missing_or_leaning_slashes_is_found() {
    for text in ["ftp: /jim:pw@h", "ftp:jim:pw@h/", "FTP:/jim:pw@h", "http:\\\\jim:pw@h", "x https:///jim:pw@h"] {
        let found = secrets(text.as_bytes());
        assert!(found.iter().any(|secret| text[secret.clone()].ends_with("pw")), "{text}: {found:?}");
    }
    for text in ["mailto:a:b@c", "xftp:a:b@c", "news:a:b@c", "ftp:a@b:c", "http://h:80/a@b"] {
        assert_eq!(secrets(text.as_bytes()), [], "{text}");
    }
}
#[test]
fn security_14_whatever_the_reader_of_a_scheme_takes_for_a_password_is_found() {
    use crate::{Profile, diagnose};

    const MARKER: &str = "S3KR";
    let mut count = 0;
    let tokens = ["", "/", ":", "\\", " ", "\t", "%2F", "%5c", "\u{2215}", "\u{200b}", "//"];
    for scheme in Scheme::ALL.iter().filter_map(|scheme| scheme.name()) {
        for number in 0..tokens.len().pow(3) {
            let before: String = (0..3).map(|digit| tokens[number / tokens.len().pow(digit) % tokens.len()]).collect();
            let text = alloc::format!("{scheme}:{before}u:{MARKER}@h.dom/1/x");
            for &profile in Profile::ALL {
                let diagnosis = diagnose(&text, profile);
                let Some(password) = diagnosis.parts().find(|part| part.name() == "password") else {
                    continue;
                };
                let span = password.span();
                let is_found = each_secret(text.as_bytes()).any(|it| it.start <= span.start && span.end <= it.end);
                assert!(is_found, "{text:?}");
                count += 1;
            }
        }
    }
    assert!(count > 1000, "{count}");
}
