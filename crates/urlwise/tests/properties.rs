//! What holds for every text, valid or not.

use proptest::prelude::*;
use urlwise::{Level, Locator, Problem, Profile, RawReference, Reference, Scheme, Url, diagnose, grammar};

/// Texts that come near a URL: pieces that mean something to some rule, in any order.
fn near_urls() -> impl Strategy<Value = Vec<u8>> {
    let schemes = Scheme::ALL.iter().filter_map(|scheme| scheme.name());
    let schemes: Vec<&[u8]> =
        schemes.map(str::as_bytes).chain([&b"x-new"[..], b"URL", b"FTP", b"3a", b"localhost"]).collect();
    let pieces: Vec<&[u8]> = [
        "//",
        "/",
        ":",
        "@",
        "host.dom",
        "h",
        "127.0.0.1",
        "1.2.3",
        "256.1.1.01",
        "[::1]",
        "a-b.c-",
        "-",
        "_",
        ".",
        "80",
        "0",
        "99999",
        "080",
        "user",
        ";type=a",
        ";TYPE=i",
        ";type=x",
        ";",
        "=",
        "&",
        "?",
        "%2F",
        "%09",
        "%0D%0A",
        "%00",
        "%FF",
        "%7e",
        "%",
        "%4",
        "#",
        "~",
        " ",
        "\"",
        "<",
        "\\",
        "*",
        "+",
        "!",
        "$",
        "+application/postscript%20Es_ES",
        "%091%0D%0A+-1%0D%0Ared%0D%0A.%0D%0A",
        "comp.lang.c++",
        "%22quoted%20string%22",
        "a,b",
        "[10.0.0.1]",
        "%5B10.0.0.1%5D",
        "\u{e9}",
        "\0",
        "\x7f",
    ]
    .iter()
    .map(|piece| piece.as_bytes())
    .chain([&b"\xFF"[..], b"\xC3"])
    .collect();
    let rest = prop::collection::vec(prop::sample::select(pieces), 0..12);
    (prop::sample::select(schemes), rest).prop_map(|(scheme, rest)| [scheme, b":", &rest.concat()].concat())
}

fn texts() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![4 => near_urls(), 1 => prop::collection::vec(any::<u8>(), 0..64)]
}

fn is_safe_to_show(text: &str) -> bool {
    !text.chars().any(|c| c.is_control() || ('\u{202A}'..='\u{202E}').contains(&c))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn parse_and_diagnose_agree_on_what_is_valid(text in texts()) {
        for &profile in Profile::ALL {
            let diagnosis = diagnose(&text, profile);
            let url = Url::from_octets(&text, profile);
            prop_assert_eq!(url.is_ok(), diagnosis.is_valid(), "{:?}", diagnosis);
            prop_assert_eq!(diagnosis.url().is_some(), diagnosis.is_valid());
            match url {
                Ok(url) => {
                    prop_assert_eq!(url.as_str().as_bytes(), &text[..]);
                    prop_assert_eq!(format!("{:?}", url.parts()), format!("{:?}", diagnosis.parts()));
                }
                Err(error) => prop_assert!(diagnosis.problems().contains(&error.problem()), "{} {:?}", error, diagnosis),
            }
        }
    }

    #[test]
    fn problems_point_into_the_text_in_order_and_can_be_shown(text in texts()) {
        for &profile in Profile::ALL {
            let diagnosis = diagnose(&text, profile);
            let mut last = 0;
            for problem in diagnosis.problems() {
                let span = problem.span();
                prop_assert!(last <= span.start && span.start <= span.end && span.end <= text.len());
                last = span.start;
                prop_assert!(is_safe_to_show(&problem.to_string()), "{:?}", problem);
                let placeholders = ["{octets}", "{decoded}", "{text}", "{lower}", "{length}", "{detail}", "{encoded}", "{part}", "{expected}"];
                let left = placeholders.into_iter().find(|name| problem.to_string().contains(name));
                prop_assert_eq!(left, None, "{}", problem);
            }
        }
    }

    #[test]
    fn every_reading_of_a_text_has_the_same_first_error(text in near_urls(), fragment in "(#[a-c #%]{0,4})?") {
        let text = [&text[..], fragment.as_bytes()].concat();
        for profile in [Profile::Rfc1738, Profile::Current] {
            let read = RawReference::read(&text, profile);
            let error = read.error().map(|error| (error.code(), error.span()));
            let of = |problem: &Problem<'_>| (problem.code(), problem.span());
            prop_assert_eq!(read.problem().as_ref().map(of), error.clone());
            if let Ok(text) = str::from_utf8(&text) {
                let refused = Reference::parse_with(text, profile).err();
                prop_assert_eq!(refused.as_ref().map(|error| of(&error.problem())), error.clone());
            }
            let diagnosis = diagnose(&text, profile);
            let first = diagnosis.problems().iter().find(|problem| problem.level() == Level::Error);
            // A fragment is no part of a URL (D-08).
            prop_assert!(text.contains(&b'#') || first.map(of) == error);
        }
    }

    #[test]
    fn parts_stand_in_order_and_do_not_overlap(text in near_urls()) {
        for &profile in Profile::ALL {
            let Ok(url) = Url::from_octets(&text, profile) else { continue };
            let mut end = 0;
            for part in url.parts().filter(|part| !part.is_divided()) {
                prop_assert!(end <= part.span().start, "{:?} {:?}", url, url.parts());
                end = part.span().end;
                prop_assert_eq!(part.octets(), &text[part.span()]);
            }
        }
    }

    #[test]
    fn every_view_of_a_valid_url_can_be_read(text in near_urls()) {
        for &profile in Profile::ALL {
            let Ok(url) = Url::from_octets(&text, profile) else { continue };
            prop_assert_eq!(url.scheme_name().len() + 1 + url.schemepart().len(), text.len());
            match url.locator() {
                Locator::Ftp(ftp) => { prop_assert_eq!(ftp.name().is_none(), ftp.cwds().count() == 0 && ftp.name().is_none()); }
                Locator::Http(http) => { prop_assert!(http.selector().to_string().starts_with('/')); }
                Locator::File(file) => { prop_assert!(file.segments().count() > 0); }
                Locator::Mailto(mailto) => { prop_assert!(!mailto.local().is_empty() && !mailto.domain().is_empty()); }
                _ => {}
            }
        }
    }

    #[test]
    fn a_reference_is_a_url_and_what_follows_the_first_number_sign(text in "[a-z]{3,6}://h\\.dom/[a-z/?#%20]{0,12}") {
        for &profile in Profile::ALL {
            let url = text.split('#').next().unwrap_or_default();
            match Reference::parse_with(&text, profile) {
                Ok(reference) => {
                    prop_assert_eq!(reference.url().as_str(), url);
                    prop_assert_eq!(reference.to_string(), &text[..]);
                }
                Err(error) => prop_assert!(error.problem().span().end <= text.len()),
            }
        }
    }

    #[test]
    fn encoded_octets_decode_to_themselves_and_may_stand_in_their_part(octets in prop::collection::vec(any::<u8>(), 0..40)) {
        let name = grammar::FSEGMENT.encode(&octets);
        let text = format!("ftp://host.dom/{name}");
        let url = Url::parse(text.as_str()).unwrap();
        let Locator::Ftp(ftp) = url.locator() else { unreachable!() };
        prop_assert_eq!(&*ftp.name().unwrap().decode(), &octets[..]);
        prop_assert_eq!(ftp.cwds().count(), 0);

        let selector: Vec<u8> = octets.into_iter().filter(|octet| !b"\t\r\n".contains(octet)).collect();
        let text = format!("gopher://host.dom/0{}", grammar::SELECTOR.encode(&selector));
        let url = Url::parse(text.as_str()).unwrap();
        let Locator::Gopher(gopher) = url.locator() else { unreachable!() };
        prop_assert_eq!(&*gopher.selector().unwrap().decode(), &selector[..]);
    }

    #[test]
    fn no_message_holds_a_password(rest in "[a-zA-Z0-9:@/?#;%.~ -]{0,20}") {
        let text = format!("ftp://jim:qqMARKqq{rest}@host.dom/x");
        for &profile in Profile::ALL {
            let diagnosis = diagnose(&text, profile);
            let shown = format!("{diagnosis:?} {:?}", Url::parse_with(&*text, profile));
            prop_assert!(!shown.contains("MARK"), "{}", shown);
        }
    }
}
