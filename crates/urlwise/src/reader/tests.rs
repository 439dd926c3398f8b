//! How often the receiver of a reader is told the same, and what it learns: a text may be wrong from end to end.

use super::*;
use crate::grammar::{PASSWORD, USER};
use std::borrow::ToOwned;
use std::string::String;

/// Writes down what it is told: `+` with the span of a problem, `=` with another of its places, `<` with the octets before which it
/// stands.
#[derive(Default)]
struct Told(String);

impl Told {
    fn tell(&mut self, what: char, span: Range<u32>) -> Outcome {
        let between = if self.0.is_empty() { "" } else { " " };
        self.0 += &std::format!("{between}{what}{}..{}", span.start, span.end);
        Ok(())
    }
}

impl Receiver for Told {
    fn put(&mut self, finding: RawProblem) -> Outcome {
        self.tell('+', finding.start..finding.end)
    }

    fn again(&mut self, _: usize, span: Range<u32>) -> Outcome {
        self.tell('=', span)
    }

    fn again_before(&mut self, _: usize, places: Range<u32>) -> Outcome {
        self.tell('<', places)
    }
}

fn problem(code: Code, rule: &'static Production, start: u32) -> RawProblem {
    let (level, detail) = (Level::Error, Words::NONE);
    RawProblem { code, level, start, end: start + 1, rule: Some(rule), section: "2.2", detail, help: "" }
}

#[test]
fn what_is_wrong_for_one_reason_is_told_as_one_as_far_as_it_goes() {
    for (text, expected) in [
        ("x:<<|", "+2..5"),
        ("x:a<bcdefg<c", "+3..4 =10..11"),
        ("x:<%<%", "+2..3 +3..4 =4..5 =5..6"),
        ("x:<%<<%<<", "+2..3 +3..4 =4..6 =6..7 =7..9"),
        ("x:%<%%41", "+2..3 +3..4 =4..5"),
        ("x:a%b%c", "+3..4 =5..6"),
        ("x:<\u{e9}<\u{e9}", "+2..8"),
        ("x:%41<<<%41<<", "+5..8 =11..13"),
        ("x:\u{e9}<a\u{e9}<a%a<", "+2..5 =6..9 +10..11 =12..13"),
        ("ftp://a..b/", "+8..8"),
        ("ftp://a....b/", "+8..8 <9..11"),
        ("ftp://a_b%_c/", "+7..8 +9..10 =10..11"),
        ("ftp://h.dom:a1b1/", "+12..13 =14..15"),
    ] {
        let (mut told, mut layout) = (Told::default(), Layout::new(Profile::Rfc1738));
        crate::start::report(&mut Reader::new(text.as_bytes(), &mut layout, Report::new(&mut told))).unwrap();
        assert_eq!(told.0, expected, "{text}");
    }
}

#[test]
fn what_a_rule_says_of_some_octets_is_told_at_once_of_a_run_of_them() {
    let mut told = Told::default();
    let mut report = Report::new(&mut told);
    let wrong = [0, b'?', b'@', 0x7F, 0x80, 0xBF, 0xC0, 0xFF];
    report.learn(b'<');
    assert_eq!(report.learned(&USER, b"<", 1, |_| false).unwrap(), 0, "nothing was wrong yet");
    report.put(problem(Code::BnfChar, &USER, 0)).unwrap();
    wrong.into_iter().for_each(|octet| report.learn(octet));
    for octet in 0..=255 {
        let expected = u32::from(wrong.contains(&octet)) as usize;
        assert_eq!(report.learned(&USER, &[octet], 1, |_| false).unwrap(), expected, "{octet:x}");
        assert_eq!(report.learned(&PASSWORD, &[octet], 1, |_| false).unwrap(), 0, "{octet:x}");
    }
    for (octets, length) in [(&b""[..], 0), (b"@?", 2), (b"@@?=@", 3), (b"=@", 0), (b"@\x00\xFFa", 3)] {
        assert_eq!(report.learned(&USER, octets, 20, |_| false).unwrap(), length, "{octets:x?}");
    }
    // The first is known not to be an end.
    assert_eq!(report.learned(&USER, b"?@?@", 30, |octet| octet == b'?').unwrap(), 2);
    assert_eq!(report.errors(), 13, "each telling is one");
    assert_eq!(told.0, "+0..1 ".to_owned() + &"=1..2 ".repeat(wrong.len()) + "=20..22 =20..23 =20..23 =30..32");
}

#[test]
fn a_problem_is_like_one_of_the_last_ones_with_its_code_and_rule() {
    let mut told = Told::default();
    let mut report = Report::new(&mut told);
    let user = problem(Code::BnfChar, &USER, 0);
    report.put(user).unwrap();
    for unlike in [problem(Code::BnfEscape, &USER, 1), problem(Code::BnfChar, &PASSWORD, 1)] {
        assert!(report.like_recent(&unlike.like(), 1..2).is_none());
    }
    assert!(report.like_recent(&user.like(), 1..2).is_some_and(|told| told.is_ok()));
    assert_eq!((report.errors(), told.0.as_str()), (2, "+0..1 =1..2"));
}

#[test]
fn where_nothing_is_reported_octets_are_looked_at_one_by_one() {
    let (mut layout, mut told) = (Layout::new(Profile::Rfc1738), Told::default());
    let reader = Reader::new(b"<<<|a", &mut layout, FirstError);
    assert_eq!((reader.run(), reader.run_with(|octet| octet == b'|')), (0..1, 0..1));
    let reader = Reader::new(b"<<<|a", &mut layout, Report::new(&mut told));
    assert_eq!((reader.run(), reader.run_with(|octet| octet == b'|')), (0..3, 0..4));
}

#[test]
fn plain_octets_are_gone_past_however_few_they_are() {
    for length in 0..40 {
        let (text, mut layout) = ("a".repeat(length) + "<", Layout::new(Profile::Rfc1738));
        let mut reader = Reader::new(text.as_bytes(), &mut layout, FirstError);
        assert_eq!((reader.skip_plain(&USER), reader.at), (length > 0, length));
    }
}
