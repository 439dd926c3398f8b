use alloc::string::String;

use super::*;
use crate::raw_problem::Like;
use crate::reader::Sink;
use crate::start;

/// Puts every place as a problem of its own.
struct OneByOne<'m, 'a> {
    mistakes: &'m mut Mistakes<'a>,
    recent: Recent<RawProblem>,
    /// How many places came by themselves.
    places: usize,
}

impl Receiver for OneByOne<'_, '_> {
    fn put(&mut self, finding: RawProblem) -> Outcome {
        self.recent.push(finding);
        self.mistakes.put(finding)
    }

    fn again(&mut self, index: usize, span: Range<u32>) -> Outcome {
        self.places += 1;
        let last = *self.recent.get(index).expect("a problem before its other places");
        self.mistakes.put(RawProblem { start: span.start, end: span.end, ..last })
    }
}

#[test]
fn what_is_wrong_side_by_side_is_one_place_wherever_errors_are_asked_for() {
    for (text, span) in [
        ("prospero://h.dom/x;", 18..19),
        ("prospero://h.dom/x;;;;", 18..22),
        ("prospero://h.dom/x;;;;a=b", 18..21),
        ("prospero://h.dom/x;;=b", 18..19),
        ("prospero://h.dom/x;a=b;;;", 22..25),
        ("http://h!$\u{e9}!h/", 8..13),
        ("http://h!_!/", 8..9),
        ("http://h!:80/", 8..9),
        ("http://h!%%41/", 8..9),
        ("http://h.dom:AB0\u{e9}/", 13..15),
        ("http://h.dom/%%4%41%", 13..15),
        ("http://h.dom/%%%41", 13..15),
        ("foo:%", 4..5),
    ] {
        let (_, problems) = of(text.as_bytes(), Profile::Rfc1738, start::report);
        assert_eq!(problems[0].span(), span, "{text}");
        // One who asks for the first place alone is told the same.
        let mut first = None;
        let mut receiver = |finding: RawProblem| {
            first.get_or_insert(finding.start as usize..finding.end as usize);
            Ok(())
        };
        let mut layout = Layout::new(Profile::Rfc1738);
        let mut reader = Reader::new(text.as_bytes(), &mut layout, Report::new(&mut receiver));
        start::report(&mut reader).expect("nothing stops it");
        assert_eq!(first, Some(span), "{text}");
    }
}

#[test]
fn a_place_by_itself_is_the_problem_before_it_put_again() {
    let pieces = [" ", "|", "a", "\\", "#", "~", "%", "%41", "\u{e9}", "/", ";a=b=c", "?", "."];
    let mut places = 0;
    for start in
        ["http://h.dom/", "http://h", "ftp://h.dom/", "news:a@", "prospero://h.dom/x", "gopher://h.dom/1", "foo:"]
    {
        for number in 0..pieces.len().pow(3) {
            let text: String = (0..3).map(|digit| pieces[number / pieces.len().pow(digit) % pieces.len()]).collect();
            let text = [start, &text, "a", &text].concat();
            for (keeps_places, profile) in [(true, Profile::Rfc1738), (false, Profile::Current)] {
                let mut expected = Mistakes::new(text.as_bytes(), keeps_places);
                let mut each = OneByOne { mistakes: &mut expected, recent: Recent::new(), places: 0 };
                let mut layout = Layout::new(profile);
                let mut reader = Reader::new(text.as_bytes(), &mut layout, Report::new(&mut each));
                start::report(&mut reader).expect("nothing stops it");
                places += each.places;
                let mut found = Mistakes::new(text.as_bytes(), keeps_places);
                let mut layout = Layout::new(profile);
                let mut reader = Reader::new(text.as_bytes(), &mut layout, Report::new(&mut found));
                start::report(&mut reader).expect("nothing stops it");
                let all = |mistakes: &Mistakes<'_>| {
                    let one = |one: &Mistake| {
                        (one.number, one.first, one.again.clone(), one.end, one.fragment, one.has_backslash)
                    };
                    mistakes.each().map(one).collect::<Vec<_>>()
                };
                assert_eq!(all(&found), all(&expected), "{text}");
            }
        }
    }
    assert!(places > 10_000, "only {places}");
}

/// Reports without a memory of what rules say about octets.
struct Forgetful<'t>(Report<'t>);

impl Sink for Forgetful<'_> {
    const REPORTS: bool = true;

    fn put(&mut self, finding: RawProblem) -> Outcome {
        self.0.put(finding)
    }

    fn again(&mut self, span: Range<u32>) -> Outcome {
        self.0.again(span)
    }

    fn like_recent(&mut self, like: &Like, span: Range<u32>) -> Option<Outcome> {
        self.0.like_recent(like, span)
    }

    fn learn(&mut self, _: u8) {}

    fn learned(&mut self, _: &'static Production, _: &[u8], _: u32, _: impl Fn(u8) -> bool) -> Outcome<usize> {
        Ok(0)
    }

    fn errors(&self) -> u32 {
        self.0.errors()
    }
}

#[test]
fn further_places_are_named_unless_one_of_those_that_would_be_is_in_a_password() {
    let message = |between: usize| {
        let text = ["http://h.dom/ ", &"a|".repeat(between), "ahttp://u:p^w@h/"].concat();
        let (_, problems) = of(text.as_bytes(), Profile::Rfc1738, start::report);
        let [problem] = &problems[..] else { panic!("{problems:?}") };
        assert_eq!(problem.spans().count(), 2 + between);
        std::format!("{}", problem.message())
    };
    let most = Problem::MOST_NAMED;
    for between in [0, 1, most - 1] {
        assert_eq!(message(between), "a space (20) is not allowed in an http path", "{between}");
    }
    assert_eq!(message(most), "a space (20) and `|` (7C) are not allowed in an http path");
}

#[test]
fn a_mistake_is_known_again_however_many_others_come_between() {
    let text = ["http://", &"h!.h_.h%41.-h.h-.".repeat(3), "dom/"].concat();
    let (_, problems) = of(text.as_bytes(), Profile::Rfc1738, start::report);
    let found: Vec<_> = problems.iter().map(|problem| (problem.code(), problem.spans().count())).collect();
    let expected = ["host-char", "host-underscore", "host-escape", "host-label", "host-label"];
    assert_eq!(found, expected.map(|code| (code, 3)));
}

#[test]
fn further_places_are_kept_if_they_are_wanted_in_memory_that_is_asked_for_once() {
    for (keeps_places, places) in [(true, 5), (false, 0)] {
        let mut mistakes = Mistakes::new(b"http://h.dom/a<b<c<d<e<f<g", keeps_places);
        mistakes.read(Profile::Rfc1738, start::report);
        let again = &mistakes.each().next().expect("there is one").again;
        assert_eq!(
            (again.len(), again.capacity() >= PLACES, again.capacity() > 0),
            (places, keeps_places, keeps_places)
        );
    }
}

#[test]
fn empty_places_end_where_the_last_one_stands() {
    let text = b"ftp://a....b/";
    let mut mistakes = Mistakes::new(text, true);
    mistakes.read(Profile::Rfc1738, start::report);
    assert_eq!(
        mistakes.each().map(|one| (one.first.start, one.again.clone(), one.end)).collect::<Vec<_>>(),
        [(8, [9..9, 10..10].into(), 10)]
    );
}

#[test]
fn the_marks_of_a_few_octets_are_looked_for_only_if_there_are_any() {
    let text = b"a\\#bc#";
    for (span, expected) in [
        (0..0, None),
        (0..1, None),
        (3..5, None),
        (0..2, Some((None, true))),
        (0..3, Some((Some(2), true))),
        (2..5, Some((Some(2), false))),
        (3..6, Some((Some(5), false))),
        (2..6, Some((Some(2), false))),
    ] {
        assert_eq!(marks(text, &span), expected, "{span:?}");
    }
    assert_eq!(marks(b"abcd", &(0..4)), Some((None, false)), "many are not looked at twice");
}

#[test]
fn a_place_is_added_to_its_mistake_however_many_there_are() {
    use Code::{BnfChar, BnfEscape, HostChar, HostDot, HostEmpty, PortChar, PortEmpty, PortRange};
    let mut mistakes = Mistakes::new(&[b'a'; 100], true);
    let codes = [BnfChar, BnfEscape, HostChar, HostDot, HostEmpty, PortChar, PortEmpty, PortRange];
    for (start, code) in (0..).step_by(10).zip(codes) {
        mistakes.put(RawProblem { code, start, end: start + 1, ..RawProblem::TOO_LONG }).expect("nothing stops it");
    }
    // The last four are remembered.
    for index in 0..4 {
        mistakes.again(index, index as u32 + 90..index as u32 + 91).expect("nothing stops it");
    }
    let places: Vec<Vec<u32>> = mistakes.each().map(|mistake| mistake.named_starts().collect()).collect();
    assert_eq!(places, [&[0][..], &[10], &[20], &[30], &[40, 90], &[50, 91], &[60, 92], &[70, 93]]);
}

#[test]
fn nothing_is_judged_behind_a_number_sign_at_any_place_of_a_mistake() {
    for (text, spans) in [
        ("http://h.dom/a#b c", &[(14, 15)][..]),
        ("http://h.dom/a b#c d", &[(14, 15), (16, 17)]),
        ("http://h.dom/a b |# c d", &[(14, 15), (16, 19)]),
        ("http://h.dom/a b^|\\|#|c d", &[(14, 15), (16, 21)]),
    ] {
        let (_, problems) = of(text.as_bytes(), Profile::Rfc1738, start::report);
        let [problem] = &problems[..] else { panic!("{problems:?}") };
        let found: Vec<_> = problem.spans().map(|span| (span.start, span.end)).collect();
        assert_eq!(found, spans, "{text}");
    }
}

#[test]
fn what_is_known_of_an_octet_changes_nothing() {
    let pieces = ["=", "\r", "|", "^", "a", "%", "%41", "%4", "#", "~", "\\", "\u{e9}", ";", ":", "\0", "<", "}"];
    let mut remembered = 0;
    for start in
        ["http://h.dom/", "ftp://h.dom/", "news:a@", "prospero://h.dom/x;", "gopher://h.dom/1", "foo:", "mailto:"]
    {
        for number in 0..pieces.len().pow(3) {
            let unit: String = (0..3).map(|digit| pieces[number / pieces.len().pow(digit) % pieces.len()]).collect();
            let text = [start, &unit.repeat(3)].concat();
            for (keeps_places, profile) in [(true, Profile::Rfc1738), (false, Profile::Current)] {
                let all = |mistakes: &Mistakes<'_>| {
                    let one = |one: &Mistake| {
                        (one.number, one.first, one.again.clone(), one.end, one.fragment, one.has_backslash)
                    };
                    mistakes.each().map(one).collect::<Vec<_>>()
                };
                let mut expected = Mistakes::new(text.as_bytes(), keeps_places);
                let mut layout = Layout::new(profile);
                let forgetful = Forgetful(Report::new(&mut expected));
                start::read(&mut Reader::new(text.as_bytes(), &mut layout, forgetful)).expect("nothing stops it");
                let mut found = Mistakes::new(text.as_bytes(), keeps_places);
                let mut layout = Layout::new(profile);
                let report = Report::new(&mut found);
                let mut reader = Reader::new(text.as_bytes(), &mut layout, report);
                start::report(&mut reader).expect("nothing stops it");
                remembered += usize::from(reader.errors() > 0);
                assert_eq!(all(&found), all(&expected), "{text:?}");
            }
        }
    }
    assert!(remembered > 10_000, "only {remembered}");
}

#[test]
fn every_empty_label_and_directory_is_a_place_up_to_as_many_as_are_kept() {
    let spans = |text: &str, code: &str| {
        let (_, problems) = of(text.as_bytes(), Profile::Rfc1738, start::report);
        let found = problems.iter().find(|problem| problem.code() == code);
        found.map(|problem| problem.spans().collect::<Vec<_>>()).unwrap_or_default()
    };
    assert_eq!(spans("http://h....d.dom/", "host-label"), [9..9, 10..10, 11..11]);
    assert_eq!(spans("ftp://h.dom/a///b//c", "ftp-empty-cwd"), [14..14, 15..15, 18..18]);
    assert_eq!(spans("ftp://h.dom///a", "ftp-empty-cwd"), [12..12, 13..13]);
    // However long the path is, and wherever the empty one stands.
    for segments in [30, 31, 32, 33, 200] {
        let path = "a/".repeat(segments);
        assert_eq!(spans(&std::format!("ftp://h.dom/{path}a"), "ftp-empty-cwd"), []);
        for at in (0..=path.len()).step_by(2) {
            let (before, behind) = path.split_at(at);
            let found = spans(&std::format!("ftp://h.dom/{before}/{behind}a"), "ftp-empty-cwd");
            assert_eq!(found, [12 + at].map(|place| place..place));
        }
    }
    for count in [Problem::MOST_PLACES - 1, Problem::MOST_PLACES, Problem::MOST_PLACES + 1] {
        let text = std::format!("ftp://h.dom/{}a", "/".repeat(count));
        let expected: Vec<_> = (0..count.min(Problem::MOST_PLACES)).map(|at| 12 + at..12 + at).collect();
        assert_eq!(spans(&text, "ftp-empty-cwd"), expected, "{count}");
    }
}

#[test]
fn every_label_of_more_than_63_octets_is_a_place_wherever_shorter_ones_stand() {
    for (lengths, long) in [
        (&[63, 64, 1, 64, 3][..], &[1, 3][..]),
        (&[64, 63], &[0]),
        (&[1, 62, 63, 65], &[3]),
        (&[70, 200, 3, 3, 3], &[0, 1]),
        (&[63, 63, 63], &[]),
    ] {
        let labels: Vec<_> = lengths.iter().map(|length| "a".repeat(*length)).collect();
        let text = std::format!("http://{}/", labels.join("."));
        let (_, problems) = of(text.as_bytes(), Profile::Rfc1738, start::report);
        let found = problems.iter().find(|problem| problem.code() == "label-length");
        let places = found.map(|problem| problem.spans().collect::<Vec<_>>()).unwrap_or_default();
        let start = |label: usize| 7 + lengths[..label].iter().map(|length| length + 1).sum::<usize>();
        let expected: Vec<_> = long.iter().map(|label| start(*label)..start(*label) + lengths[*label]).collect();
        assert_eq!(places, expected, "{lengths:?}");
    }
}

#[test]
fn the_longest_ipv6_address_without_brackets_is_known_as_one() {
    let code = |address: &str| {
        let text = std::format!("http://{address}/");
        let (_, problems) = of(text.as_bytes(), Profile::Rfc1738, start::report);
        problems[0].code()
    };
    assert_eq!(code("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255"), "host-ipv6");
    assert_eq!(code("1::"), "host-ipv6");
}

#[test]
fn a_backslash_in_any_place_of_a_mistake_ends_a_login_for_others() {
    for text in ["http://a\\b@h.dom/", "http://a\"b\\c@h.dom/", "http://a\\b\"c@h.dom/", "http://a\"b\"c\\d\"e@h.dom/"]
    {
        let (_, problems) = of(text.as_bytes(), Profile::Rfc1738, start::report);
        assert!(problems.iter().any(|problem| problem.code() == "bnf-char"), "{text} {problems:?}");
        assert!(problems.iter().all(|problem| problem.code() != "http-userinfo"), "{text} {problems:?}");
    }
    let (_, problems) = of(b"http://a\"b\"c@h.dom/", Profile::Rfc1738, start::report);
    assert!(problems.iter().any(|problem| problem.code() == "http-userinfo"), "{problems:?}");
}
