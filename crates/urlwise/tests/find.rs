//! URLs in texts: the corpus of `data/find`, whose format its README tells.

use std::fs;
use std::path::PathBuf;

use urlwise::Profile;
use urlwise::find::{Finder, Hit, LONGEST_WRAPPED, safe_cut};
use urlwise::registry::{NewScheme, Registry, Syntax};

struct Case {
    /// The file and the name.
    name: String,
    text: Vec<u8>,
    expected: Vec<String>,
}

fn cases() -> Vec<Case> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/find");
    let mut files: Vec<_> = fs::read_dir(&folder)
        .expect("the corpus is well formed")
        .map(|entry| entry.expect("the corpus is well formed").path())
        .collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "txt"));
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        let content = fs::read_to_string(&file).expect("the corpus is well formed");
        for block in content.split("\n== ").skip(1) {
            let (name, rest) = block.split_once('\n').expect("the corpus is well formed");
            let name = format!("{}: {name}", file.file_name().expect("the corpus is well formed").to_string_lossy());
            let (text, expected) = split_last(rest).unwrap_or_else(|| panic!("{name}: no line `--`"));
            let expected = expected.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect();
            cases.push(Case { name, text: octets(text), expected });
        }
    }
    cases
}

/// A case in two: the text, and what follows its last line `--`.
fn split_last(case: &str) -> Option<(&str, &str)> {
    let (text, expected) = case.rsplit_once("\n--\n").or_else(|| Some((case.strip_suffix("\n--")?, "")))?;
    Some((text, expected))
}

/// A text of the corpus as octets: `␛` is ESC, `␍` CR, `␀` NUL, and `⟨C3⟩` the octet C3.
fn octets(text: &str) -> Vec<u8> {
    let mut octets = Vec::new();
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let mut length = next.len_utf8();
        match next {
            '␛' => octets.push(0x1B),
            '␍' => octets.push(b'\r'),
            '␀' => octets.push(0),
            '⟨' => {
                let end = rest.find('⟩').expect("the corpus is well formed");
                octets.push(u8::from_str_radix(&rest[length..end], 16).expect("the corpus is well formed"));
                length = end + '⟩'.len_utf8();
            }
            _ => octets.extend(&rest.as_bytes()[..length]),
        }
        rest = &rest[length..];
    }
    octets
}

fn told(rfc1738: &Hit<'_>, current: &Hit<'_>) -> String {
    let valid = match (rfc1738.is_valid(), current.is_valid()) {
        (true, true) => "both",
        (true, false) => "rfc1738",
        (false, true) => "current",
        (false, false) => "neither",
    };
    let alternative = rfc1738.alternative().map_or(String::new(), |other| format!(" | {other}"));
    format!("{} {valid} {}{alternative}", rfc1738.form(), rfc1738.reference())
}

#[test]
fn every_text_of_the_corpus_holds_what_its_readers_see() {
    let cases = cases();
    assert!(cases.len() > 80, "only {} cases", cases.len());
    let mut wrong = String::new();
    for case in &cases {
        let current = Finder::new().profile(Profile::Current).hits(&case.text);
        let found: Vec<_> = Finder::new().hits(&case.text).zip(current).map(|(a, b)| told(&a, &b)).collect();
        if found != case.expected {
            wrong += &format!("{}\n  expected {:#?}\n  found {found:#?}\n", case.name, case.expected);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn the_hyphens_at_the_ends_of_lines_are_known() {
    let hyphens =
        |text: &str| -> Vec<usize> { Finder::new().hits(text.as_bytes()).next().expect(text).hyphens().to_vec() };
    assert_eq!(hyphens("<URL:http://h-\n.dom/a-b-\nc>"), [8, 17]);
    assert_eq!(hyphens("<URL:http://h-h.dom/a\nb>"), []);
    assert_eq!(hyphens("http://h-h.dom/"), []);
}

#[test]
fn a_wrapper_is_told_from_bracket_to_bracket_whatever_the_scheme_is() {
    for (text, outer, span) in [
        ("a <URL:x-y:z> b", 2..13, 7..12),
        ("a <URL:http://h.dom/> b", 2..21, 7..20),
        ("a <http://h.dom/> b", 2..17, 3..16),
        ("a URL:http://h.dom/ b", 2..19, 6..19),
    ] {
        let hit = Finder::new().hits(text.as_bytes()).next().unwrap();
        assert_eq!((hit.outer(), hit.span()), (outer, span), "{text}");
    }
}

#[test]
fn a_link_begins_with_the_name_of_a_scheme() {
    for text in [":", ".:", "//h.dom/", "http", "a.html"] {
        assert!(Finder::new().link(text.as_bytes()).is_none(), "{text}");
    }
    assert_eq!(Finder::new().link(b"http:").map(|hit| hit.span()), Some(0..5));
}

#[test]
fn letters_of_a_host_are_looked_for_in_its_first_kilobyte() {
    for (length, is_found) in [(1022, true), (1023, false)] {
        let text = format!("http://{}\u{4F8B}\u{3048}.dom/", "a".repeat(length));
        assert_eq!(Finder::new().hits(text.as_bytes()).next().is_some(), is_found, "{length}");
    }
    // And so many letters at once.
    for (letters, is_found) in [(341, true), (342, false)] {
        let text = format!("http://{}.dom/", "\u{4F8B}".repeat(letters));
        assert_eq!(Finder::new().hits(text.as_bytes()).next().is_some(), is_found, "{letters}");
    }
}

#[test]
fn letters_belong_to_a_host_that_has_begun_and_is_not_over() {
    for (url, behind) in [
        ("http://a.b.c@\u{4F8B}", " x"),
        ("http://\u{4F8B}.b.c.\u{4F8B}", " x"),
        ("http://b.c.d", ".\u{4F8B} x"),
        ("http://\u{4F8B}@b.c.d", ".\u{4F8B} x"),
        ("http://h.dom/a", ".\u{4F8B}.b x"),
        ("http://h.dom?a", ".\u{4F8B}.b x"),
        ("http://h.dom", "#a.\u{4F8B}.b x"),
    ] {
        let text = format!("{url}{behind}");
        let found = Finder::new().hits(text.as_bytes()).next().expect("there is one").as_str().to_owned();
        assert_eq!(found, url);
    }
}

#[test]
fn a_block_is_cut_before_a_bracket_only_if_a_wrapper_may_start_there() {
    for (block, cut) in [(&b"a <URL:x\nb"[..], 2), (b"a <:x\nb", 6), (b"a <x\nb", 5), (b"a <b:c> d\nb", 10)] {
        assert_eq!(safe_cut(block), Some(cut), "{}", String::from_utf8_lossy(block));
    }
    assert_eq!(safe_cut(b"<URL:x\nb"), None);
    // A wrapper that has been open for longer than any is none.
    for (length, cut) in [(LONGEST_WRAPPED + 16, 2), (LONGEST_WRAPPED + 17, LONGEST_WRAPPED + 19)] {
        let block = format!("a <URL:{}\nb", "x".repeat(length - 6));
        assert_eq!(safe_cut(block.as_bytes()), Some(cut), "{length}");
    }
}

#[test]
fn a_bracket_right_behind_the_slashes_opens_an_address_in_every_scheme() {
    let mut registry = Registry::new();
    registry.register(NewScheme::new("x-note", Syntax::Opaque)).unwrap();
    for (text, found) in [
        ("x-note://[::1]/a b", "x-note://[::1]/a"),
        ("x-note:/a/[b]", "x-note:/a/"),
        ("x-note:abc[d]", "x-note:abc"),
        ("x-note:%41 b", "x-note:%41"),
    ] {
        let hit = Finder::new().registry(&registry).hits(text.as_bytes()).next().unwrap();
        assert_eq!(hit.as_str(), found);
    }
}

#[test]
fn hits_show_how_far_they_are_and_nothing_of_the_text() {
    let text = b"ftp://jim:s3cret@h.dom/ http://h.dom/";
    let mut hits = Finder::new().hits(text);
    assert_eq!(format!("{hits:?}"), "Hits(at 0 of 37)");
    let hit = hits.next();
    assert_eq!(format!("{hits:?}"), "Hits(at 23 of 37)");
    assert_eq!(format!("{:?}", hit.unwrap()), "Hit(bare at 0..23: ftp://jim:***@h.dom/)");
}

#[test]
fn a_place_beyond_the_url_is_its_end_however_far() {
    for text in [&b"see <URL:http://h.dom/a\n  b> x"[..], b"see http://h.dom/a x"] {
        let hit = Finder::new().hits(text).next().unwrap();
        for at in [hit.reference().len(), hit.reference().len() + 1, usize::MAX - 1, usize::MAX] {
            assert_eq!(hit.source(at), hit.span().end, "{at}");
        }
    }
}
