//! What holds of every text.

use proptest::prelude::*;
use std::fs;
use urlwise::{Profile, Url};
use urlwise_readings::{Difference, Reader, Readings, agree, finding};

/// Texts of the case table of crate urlwise, valid or not.
fn cases() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../urlwise/tests/data/cases");
    let files = fs::read_dir(folder).expect("the case table is there").map(|entry| entry.expect("an entry").path());
    let mut cases = Vec::new();
    for file in files.filter(|file| file.extension().is_none_or(|extension| extension != "md")) {
        let text = String::from_utf8_lossy(&fs::read(file).expect("a readable file")).into_owned();
        cases.extend(text.split(['\t', '\n', '"']).filter(|word| word.contains(':')).map(str::to_owned));
    }
    assert!(cases.len() > 500, "{} texts", cases.len());
    cases
}

/// What E-32 is about: host, port, user, and whether all accept the text.
fn same_server(text: &str, profile: Profile) -> bool {
    let differs = Readings::of(text, profile).differs();
    ![Difference::Host, Difference::Port, Difference::User, Difference::Ok].into_iter().any(|one| differs.contains(one))
}

fn holds(text: &str) {
    for profile in [Profile::Rfc1738, Profile::Current] {
        let readings = Readings::of(text, profile);
        let sentence = readings.sentence().to_string();
        assert_eq!(readings.agree(), readings.cause().is_none(), "{text}");
        assert_eq!(agree(text.as_bytes(), profile), readings.agree(), "{text} under {profile:?}");
        assert_eq!(sentence.starts_with("all three"), readings.agree(), "{text}: {sentence}");
        assert!(!sentence.bytes().any(|octet| octet.is_ascii_control()), "{sentence}");
        let Ok(url) = Url::parse_with(text, profile) else { continue };
        assert!(Reader::Rfc1738.read(text.as_bytes(), profile).is_ok(), "{text}");
        match finding(&url) {
            // Also of every URL that is taken for plain without being read three times.
            None => assert!(same_server(text, profile), "{text} under {profile:?}: {sentence}"),
            Some(finding) => assert!(finding.span().end <= text.len(), "{text}"),
        }
    }
}

#[test]
fn urls_of_the_case_table_have_a_finding_or_one_server() {
    cases().iter().for_each(|text| holds(text));
}

#[test]
fn plain_urls_of_every_scheme_have_no_finding() {
    for text in [
        "ftp://host.dom/%2Fetc/motd;type=a",
        "http://Host.DOM:8080/a/../b?c=d",
        "gopher://host.dom/7/find%09old",
        "mailto:jim@host.dom",
        "news:comp.lang.c",
        "news:4711@host.dom",
        "nntp://host.dom/comp.lang.c/7",
        "telnet://host.dom:2323/",
        "wais://host.dom/db?x",
        "file:///etc/motd",
        "file://localhost/etc/motd",
        "prospero://host.dom//pros/name;a=b",
        "http://127.0.0.1/",
        "ws://host.dom:80/",
        "wss://host.dom:443/",
    ] {
        assert!(same_server(text, Profile::Rfc1738), "{text}");
        assert_eq!(finding(&Url::parse(text).unwrap()), None, "{text}");
    }
}

proptest! {
    #[test]
    fn no_password_is_shown(
        scheme in "ftp|http|telnet|gopher|foo",
        user in "|u|u\\?|\\\\",
        password in "1234567|01234567\\?x|Xq7z\\?q|Xq7z/|Xq7z#|Xq7z\\\\|Xq7z%40|Xq7z@Xq7z|12345:Xq7z",
        host in "h.dom|h%dom|127.1|[::1]",
    ) {
        let text = format!("{scheme}://{user}:{password}@{host}/a?b");
        for &profile in Profile::ALL {
            let readings = Readings::by(&text, profile, Reader::ALL);
            let mut told = format!("{readings:?} {} {}", readings.sentence(), Readings::of(&text, profile).sentence());
            for (_, reading) in readings.iter() {
                told += &format!(" {reading:?}");
                if let Some(parts) = reading.parts() {
                    let [host, port, query] = [&parts.host, &parts.port, &parts.query];
                    told.extend([host, port, query].into_iter().flatten().map(|part| readings.shown(part)));
                    told += &readings.shown(&parts.path);
                }
            }
            if let Ok(url) = Url::parse_with(text.as_str(), profile) {
                told += &finding(&url).map(|finding| finding.to_string()).unwrap_or_default();
            }
            let told = told.to_ascii_lowercase();
            prop_assert!(!told.contains("xq7z") && !told.contains("12345"), "{text}: {told}");
        }
    }

    #[test]
    fn no_octets_panic(octets: Vec<u8>) {
        for profile in [Profile::Rfc1738, Profile::Current] {
            let _ = Readings::by(&octets, profile, Reader::ALL).sentence().to_string();
        }
        let _ = Readings::by(&[b"http://", &octets[..]].concat(), Profile::Rfc1738, Reader::ALL).sentence().to_string();
    }

    #[test]
    fn what_is_taken_for_plain_is_read_alike(
        scheme in "ftp|http|https|ws|wss|gopher|telnet|wais|prospero|file|news|mailto|nntp|ftps|foo|x-y",
        slashes in "|/|//|///",
        login in "|u@|u:p@|@|:@|u?@|u;@",
        host in "|h|H.dom|h.0x1|h.0xa|0xa|1.2.3.4|01.2.3.4|a--b.dom|ab--c.dom|a.b---c--d.dom|xn--a.dom|XN--a.dom|localhost|h_x|h.|127.1|[::1]|h.1a|a-b.c",
        port in "|:|:80|:080|:21|:0|:65535|:443|:99",
        path in "|/|/a|/\\.|/a/\\.b|/%2e/b|/%2E%2e/|/a\\||/\\{x\\}|/~a'\\(b\\)|\\?|\\?q|/a\\?b=/\\.\\./c\\?d'e|/a//b|/%7Ea\\?%2e#|/#a\\?b|/#a#b|#f|/\\[/\\]|/\\^`|/a%zz|/a/../b|//a|/a%2Fb|/a?b|/%20;type=a|/db/T/p|/g/1|/7x%09y|x@y.z|g.r",
    ) {
        holds(&format!("{scheme}:{slashes}{login}{host}{port}{path}"));
    }
}

#[test]
fn a_sentence_honours_the_width_of_a_format() {
    for text in ["http://host.dom/", "http://127.0.0.1\\@1.1.1.1", "http://a@b@host.dom/"] {
        let readings = Readings::of(text, Profile::Rfc1738);
        let plain = readings.sentence().to_string();
        let width = plain.chars().count() + 3;
        assert_eq!(
            format!("{:>width$}|{:.3}", readings.sentence(), readings.sentence()),
            format!("   {plain}|{}", &plain[..3])
        );
    }
}
