//! The finder on texts made to hurt, and what it promises of every text.

use proptest::prelude::*;
use urlwise::Profile;
use urlwise::find::{Finder, Hit, LONGEST_WRAPPED, safe_cut};
use urlwise::registry::{NewScheme, Registry, Syntax};

/// At this length anything worse than linear time would take minutes to hours.
const LENGTH: usize = 1 << 20;

fn repeated(piece: &str) -> Vec<u8> {
    piece.repeat(LENGTH / piece.len()).into_bytes()
}

fn registry() -> Registry {
    let mut registry = Registry::new();
    registry.register(NewScheme::new("x-chat", Syntax::Internet)).expect("a name that may be");
    registry.register(NewScheme::new("x-note", Syntax::Opaque)).expect("a name that may be");
    registry
}

/// Pieces that begin something which only what follows can decide, or that make one look far.
const PIECES: &[&str] = &[
    ":",
    "<",
    ">",
    "<URL:",
    "URL:",
    "url: ",
    "<http:",
    "<http://",
    "<http://h",
    "<URL:http://h/ ",
    "http:",
    "http://",
    "http://@",
    "http://h",
    "http://h/",
    "http://:",
    "http://-ftp:",
    "ftp://a@",
    "mailto:",
    "mailto:a",
    "mailto:a@",
    "mailto:%40",
    "mailto:%",
    "news:",
    "news:a",
    "news:a.",
    "news:a@",
    "news://",
    "file:",
    "file://",
    "file://a",
    "file:///c:\\",
    "file:///c:\\\\",
    "file:/",
    "x-chat:",
    "x-chat://",
    "x-note:",
    "a+",
    "+",
    ".",
    "-",
    "_",
    "h",
    "(",
    ")",
    "[",
    "]",
    "'",
    "*",
    "?",
    "#",
    ",",
    ";",
    ",http:",
    ";mailto:",
    "&",
    "&quot",
    "&lt;",
    "%",
    "é",
    "語",
    "\u{1b}[1",
    "\\n",
    "=3D",
    "a:",
    "to:",
    "ws:",
    "rl:",
    " ",
    "\n",
    "-\n",
    "\r\n",
    "\"",
    "{",
    "}",
    "$",
    "~",
    "|",
    "git+http://h/@",
    "\"http://h/|",
    "^file:/a",
];

fn count(finder: Finder<'_>, text: &[u8]) -> usize {
    let mut last = 0;
    let mut found = 0;
    for hit in finder.hits(text) {
        assert!(
            last <= hit.outer().start && hit.outer().start <= hit.span().start && hit.span().start < hit.span().end
        );
        assert!(hit.span().end <= hit.outer().end && hit.outer().end <= text.len());
        last = hit.outer().end;
        found += 1;
    }
    found
}

#[test]
fn a_piece_repeated_without_end_takes_linear_time() {
    let registry = registry();
    for piece in PIECES {
        let text = repeated(piece);
        count(Finder::new(), &text);
        count(Finder::new().registry(&registry), &text);
    }
}

#[test]
fn a_start_before_a_piece_without_end_takes_linear_time() {
    for start in [
        "http://h/",
        "http://",
        "<URL:http://h/",
        "<http://h/",
        "URL:",
        "mailto:a",
        "news:a",
        "ftp://u:",
        "file://a",
        "file://c:\\",
    ] {
        for piece in PIECES {
            let text = [start.as_bytes(), &repeated(piece)[..LENGTH / 8]].concat();
            count(Finder::new(), &text);
        }
    }
}

#[test]
fn a_wrapper_holds_so_much_and_no_more() {
    for (length, form) in [(LONGEST_WRAPPED, "wrapped"), (LONGEST_WRAPPED + 1, "prefixed")] {
        let mut url = String::from("http://h/");
        url.push_str(&"a".repeat(length - url.len()));
        let text = format!("<URL:{url}>");
        let hits: Vec<_> = Finder::new().hits(text.as_bytes()).collect();
        assert_eq!(hits.len(), 1);
        assert_eq!((hits[0].form().name(), hits[0].as_str()), (form, url.as_str()));
    }
}

#[test]
fn a_huge_line_is_a_line_like_others() {
    let text = format!("{}http://h/a{}ftp://h/b\"", "x: ".repeat(1 << 20), " (y)".repeat(1 << 20));
    let found: Vec<_> = Finder::new().hits(text.as_bytes()).map(|hit| hit.as_str().to_owned()).collect();
    assert_eq!(found, ["http://h/a", "ftp://h/b"]);
}

#[test]
fn registered_schemes_are_found_as_their_syntax_says_and_held_to_it() {
    let registry = registry();
    let text = b"x-chat://h/a x-chat:a X-Note:b. y-x-note:c x-note: d (+x-note:e) <x-note:f\ng> http://h/";
    let finder = Finder::new().registry(&registry);
    let found: Vec<_> = finder.hits(text).map(|hit| (hit.as_str().to_owned(), hit.is_valid())).collect();
    let expected =
        [("x-chat://h/a", true), ("X-Note:b", true), ("x-note:e", true), ("x-note:fg", true), ("http://h/", true)];
    assert_eq!(found, expected.map(|(url, valid)| (url.to_owned(), valid)));
    assert_eq!(Finder::new().hits(text).count(), 1);
}

#[test]
fn a_hit_shows_no_password() {
    let text = b"ftp://jim:s3cret@host.dom/ <URL:ftp://jim:s3cret@\nhost.dom/>";
    for hit in Finder::new().hits(text) {
        assert!(!format!("{hit:?}").contains("s3cret"));
    }
    assert!(!format!("{:?}", Finder::new().hits(text)).contains("115"), "the text as numbers");
}

fn texts() -> impl Strategy<Value = Vec<u8>> {
    let more: &[&[u8]] = &[
        b"http://host.dom/a",
        b"//",
        b"/",
        b"@",
        b"ftp",
        b"gopher",
        b"\xE9",
        b"\xFF",
        b"\0",
        b"URL",
        b"//h",
        b"comp.lang",
    ];
    let pieces: Vec<&[u8]> = PIECES.iter().map(|piece| piece.as_bytes()).chain(more.iter().copied()).collect();
    prop_oneof![
        8 => prop::collection::vec(prop::sample::select(pieces), 0..24).prop_map(|pieces| pieces.concat()),
        1 => prop::collection::vec(any::<u8>(), 0..200),
    ]
}

fn is_white(octet: u8) -> bool {
    matches!(octet, b'\t'..=b'\r' | b' ')
}

fn described(hit: &Hit<'_>, from: usize) -> String {
    let (span, outer) = (hit.span(), hit.outer());
    let places = [span.start, span.end, outer.start, outer.end].map(|at| at + from);
    format!("{places:?} {} {} {:?} {}", hit.form(), hit.reference(), hit.alternative(), hit.is_valid())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_text_of_a_hit_once_joined_is_its_url(text in texts()) {
        count(Finder::new(), &text);
        for hit in Finder::new().hits(&text) {
            let joined: Vec<u8> = text[hit.span()].iter().copied().filter(|octet| !is_white(*octet)).collect();
            prop_assert_eq!(hit.reference().as_bytes(), &joined[..], "{:?}", hit);
            for (at, octet) in hit.reference().bytes().enumerate() {
                prop_assert_eq!(text[hit.source(at)], octet, "{:?} at {}", hit, at);
            }
            prop_assert_eq!(hit.source(hit.reference().len()), hit.span().end);
            let fragment = hit.fragment().map_or(String::new(), |fragment| format!("#{fragment}"));
            prop_assert_eq!(hit.reference(), format!("{}{fragment}", hit.as_str()));
            prop_assert_eq!(hit.url().map(|url| url.as_str().to_owned()), hit.url().map(|_| hit.as_str().to_owned()));
            prop_assert!(!hit.is_valid() || hit.url().is_some());
        }
    }

    #[test]
    fn a_hit_has_a_scheme_and_more(text in texts()) {
        for hit in Finder::new().hits(&text) {
            let (scheme, rest) = hit.reference().split_once(':').expect("a colon");
            let is_name = scheme.bytes().all(|octet| octet.is_ascii_alphanumeric() || b"+-.".contains(&octet));
            prop_assert!(!scheme.is_empty() && is_name, "{:?}", hit);
            if hit.form().name() == "bare" {
                prop_assert!(rest.bytes().any(|octet| octet.is_ascii_alphanumeric() || octet >= 0x80 || b"/*".contains(&octet)), "{:?}", hit);
                prop_assert!(!hit.reference().ends_with(['.', ',', ';', ':', '!', '?', '\'', '"', '(']), "{:?}", hit);
            }
        }
    }

    #[test]
    fn the_other_reading_lacks_the_hyphens_and_nothing_else(text in texts()) {
        for hit in Finder::new().hits(&text) {
            let mut other = hit.reference().to_owned();
            for &hyphen in hit.hyphens().iter().rev() {
                prop_assert_eq!(other.remove(hyphen), '-');
            }
            prop_assert_eq!(hit.alternative(), hit.is_ambiguous().then_some(other.as_str()), "{:?}", hit);
            prop_assert_eq!(hit.is_ambiguous(), !hit.hyphens().is_empty());
        }
    }

    #[test]
    fn the_profile_does_not_change_what_is_found(text in texts()) {
        let spans = |profile| Finder::new().profile(profile).hits(&text).map(|hit| hit.span()).collect::<Vec<_>>();
        prop_assert_eq!(spans(Profile::Rfc1738), spans(Profile::Current));
    }

    #[test]
    fn an_empty_registry_changes_nothing(text in texts()) {
        let registry = Registry::new();
        let with: Vec<_> = Finder::new().registry(&registry).hits(&text).map(|hit| described(&hit, 0)).collect();
        let without: Vec<_> = Finder::new().hits(&text).map(|hit| described(&hit, 0)).collect();
        prop_assert_eq!(with, without);
    }

    #[test]
    fn finding_in_blocks_is_finding_in_the_whole(text in texts(), size in 1..40usize) {
        let whole: Vec<_> = Finder::new().hits(&text).map(|hit| described(&hit, 0)).collect();
        let mut found = Vec::new();
        let (mut from, mut end) = (0, 0);
        while from < text.len() {
            end = (end + size).min(text.len());
            let block = &text[from..end];
            let cut = match safe_cut(block) {
                _ if end == text.len() => block.len(),
                Some(cut) => cut,
                None => continue,
            };
            found.extend(Finder::new().hits(&block[..cut]).map(|hit| described(&hit, from)));
            from += cut;
        }
        prop_assert_eq!(found, whole);
    }

    #[test]
    fn a_long_text_is_searched_as_a_short_one(text in texts(), before in 0..200usize, close in any::<bool>()) {
        // How close the colons are decides how the search continues.
        let before = if close { " ::".repeat(before) } else { " ".repeat(before) };
        let long = [before.as_bytes(), b"\n", &text].concat();
        let found: Vec<_> = Finder::new().hits(&long).map(|hit| described(&hit, 0)).collect();
        let alone: Vec<_> = Finder::new().hits(&text).map(|hit| described(&hit, before.len() + 1)).collect();
        prop_assert_eq!(found, alone);
    }
}
