//! What a client says that was built without a scheme: it names the feature to build with. `scripts/test features` runs this with no
//! feature, with each alone, and with all.

use urlwise::{Scheme, Url};
use urlwise_open::{Client, ErrorKind, Options, opens};

/// The feature that each scheme needs, whether this build has it, and a URL.
const SCHEMES: &[(Scheme, &str, bool, &str)] = &[
    (Scheme::Finger, "finger", cfg!(feature = "finger"), "finger://h.example/joe"),
    (Scheme::Ftp, "ftp", cfg!(feature = "ftp"), "ftp://h.example/x"),
    (Scheme::Gopher, "gopher", cfg!(feature = "gopher"), "gopher://h.example/0x"),
    (Scheme::Http, "http", cfg!(feature = "http"), "http://h.example/x"),
    (Scheme::News, "news", cfg!(feature = "news"), "news://h.example/comp.lang.rust"),
    (Scheme::Nntp, "news", cfg!(feature = "news"), "nntp://h.example/comp.lang.rust"),
    (Scheme::Prospero, "prospero", cfg!(feature = "prospero"), "prospero://h.example//x"),
    (Scheme::Telnet, "telnet", cfg!(feature = "telnet"), "telnet://h.example/"),
    (Scheme::Wais, "wais", cfg!(feature = "wais"), "wais://h.example/db"),
];

const HAS_TLS: bool = cfg!(feature = "tls");

/// The error of a URL that is not even planned; `None` if it is.
fn refusal(text: &str) -> Option<(ErrorKind, String)> {
    let url = Url::parse_current(text).expect("a valid URL");
    let error = Client::new(Options::default()).plan(&url).err()?;
    Some((error.kind(), error.to_string()))
}

fn needs(what: &str, feature: &str) -> Option<(ErrorKind, String)> {
    let text = format!("this program is built without {what}; build urlwise-open with the feature `{feature}`");
    Some((ErrorKind::NoAccess, text))
}

#[test]
fn a_scheme_that_was_left_out_names_its_feature() {
    for &(scheme, feature, is_built, url) in SCHEMES {
        let name = scheme.name().expect("one of the language's own");
        assert_eq!(opens(scheme), is_built, "{name}");
        assert_eq!(refusal(url), if is_built { None } else { needs(name, feature) }, "{url}");
    }
}

#[test]
fn a_sibling_over_tls_names_what_is_missing_first_the_scheme_and_then_tls() {
    for &(scheme, feature, is_built, url) in SCHEMES {
        for sibling in Scheme::ALL.iter().filter(|sibling| sibling.is_tls() && sibling.base() == scheme) {
            let name = sibling.name().expect("one of the language's own");
            let url = url.replacen(scheme.name().expect("as above"), name, 1);
            let expected = match (is_built, HAS_TLS) {
                (false, _) => needs(name, feature),
                (true, false) => needs(&format!("TLS, which {name} needs"), "tls"),
                (true, true) => None,
            };
            assert_eq!(refusal(&url), expected, "{url}");
        }
    }
}

#[test]
fn every_scheme_has_what_connections_need() {
    let has_scheme = SCHEMES.iter().any(|(_, _, is_built, _)| *is_built) || cfg!(feature = "mail");
    assert!(!has_scheme || cfg!(feature = "tcp"));
}

#[test]
fn every_scheme_has_a_feature_or_is_always_there() {
    for scheme in Scheme::ALL.iter().map(|scheme| scheme.base()) {
        let is_always_there = matches!(scheme, Scheme::File | Scheme::Mailto);
        assert!(is_always_there || SCHEMES.iter().any(|(named, ..)| *named == scheme), "{scheme:?}");
        assert!(!is_always_there || opens(scheme), "{scheme:?}");
    }
}
