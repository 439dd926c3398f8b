//! References that are still octets say the same as those that are texts.

use urlwise::{HostKind, Profile, RawReference, Reference, Scheme, Url};

#[test]
fn its_parts_stand_where_those_of_the_url_stand() {
    for (text, scheme, host_kind, port) in [
        ("http://h.dom/", Scheme::Http, Some(HostKind::Name), Some(80)),
        ("ftp://jim:pw@127.0.0.1:2121/a/b;type=i", Scheme::Ftp, Some(HostKind::Ipv4), Some(2121)),
        ("gopher://h.dom:7070/7/f%09cat", Scheme::Gopher, Some(HostKind::Name), Some(7070)),
        ("mailto:joe@h.dom", Scheme::Mailto, None, None),
        ("news:comp.lang.c", Scheme::News, None, None),
        ("x-new:a", Scheme::Other, None, None),
    ] {
        let url = Url::parse(text).unwrap();
        for fragment in [None, Some(""), Some("top")] {
            let text = fragment.map_or(text.to_owned(), |fragment| format!("{text}#{fragment}"));
            let read = RawReference::read(text.as_bytes(), Profile::Rfc1738);
            assert_eq!((read.octets(), read.error()), (text.as_bytes(), None));
            assert_eq!((read.scheme(), read.host_kind(), read.port_or_default()), (Some(scheme), host_kind, port));
            assert_eq!(read.scheme_name().map(|span| &text[span]), Some(url.scheme_name()));
            assert_eq!(read.spans(), Some(url.spans()));
            assert_eq!(read.fragment().map(|span| &text[span]), fragment);
            for part in url.parts().filter(|part| part.index().is_none()) {
                let kind = scheme.parts().iter().find(|kind| kind.name() == part.name()).unwrap();
                assert_eq!((read.span_of(kind), url.span_of(kind)), (Some(part.span()), Some(part.span())), "{text}");
            }
            let absent =
                scheme.parts().iter().filter(|kind| url.parts().all(|part| part.name() != kind.contract_name()));
            for kind in absent {
                assert_eq!((read.span_of(kind), url.span_of(kind)), (None, None), "{text} {}", kind.name());
            }
            let reference = read.reference().unwrap();
            assert_eq!(*reference.url(), *url.as_str());
            assert_eq!(reference.fragment().map(urlwise::Encoded::as_str), fragment);
        }
    }
}

#[test]
fn a_text_that_is_no_reference_has_an_error_and_no_parts() {
    for (text, code, span) in [
        ("h.dom", "scheme-missing", 0..5),
        ("#top", "scheme-missing", 0..0),
        ("http:#", "slashes-missing", 5..5),
        ("http://h.dom/a b", "bnf-char", 14..15),
        ("http://h.dom/a b#c", "bnf-char", 14..15),
        ("http://h.dom/a#b c", "bnf-char", 16..17),
        ("http://h.dom/a#b#c", "bnf-char", 16..17),
        ("http://h.dom:99999/#a b", "port-range", 13..18),
    ] {
        let read = RawReference::read(text.as_bytes(), Profile::Rfc1738);
        let error = *read.error().unwrap();
        assert_eq!((error.code(), error.span()), (code, span), "{text}");
        assert_eq!((read.scheme(), read.scheme_name(), read.spans(), read.fragment()), (None, None, None, None));
        assert_eq!((read.host_kind(), read.port_or_default()), (None, None), "{text}");
        assert!(Scheme::Http.parts().iter().all(|kind| read.span_of(kind).is_none()));
        assert_eq!(read.reference().err(), Some(error));
        let as_text = Reference::parse(text).unwrap_err();
        let problem = as_text.problem();
        assert_eq!((problem.code(), problem.span()), (error.code(), error.span()), "{text}");
    }
}

#[test]
fn errors_of_references_are_equal_where_they_are_the_same_problem() {
    let error = |text| Reference::parse(text).unwrap_err();
    assert_eq!(error("http://h.dom/a b"), error("http://h.dom/a b"));
    assert_ne!(error("http://h.dom/a b"), error("http://h.dom/a  b"));
    assert_ne!(error("http://h.dom/a b"), error("http://h.dom/a\tb"));
}
