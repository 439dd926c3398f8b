//! What parts, encoded texts, findings, comparisons and productions say of themselves.

use urlwise::audit::{self, AddressClass, Audit, Finding, Provenance};
use urlwise::{
    Attributes, Citation, Encoded, GopherPlus, HostKind, Language, Level, NormalForm, Octets, Profile, RawReference,
    Reference, Scheme, Url, diagnose, grammar, registry,
};

/// A part as it describes itself: label, index, whether it may contain escapes, whether it names the document.
type Described = (&'static str, Option<usize>, bool, bool);

fn described(text: &str) -> Vec<(&'static str, Described)> {
    let url = Url::parse(text).unwrap_or_else(|error| panic!("{error}"));
    let parts = url.parts();
    parts.map(|part| (part.name(), (part.label(), part.index(), part.is_encoded(), part.names_document()))).collect()
}

#[test]
fn a_part_has_a_label_an_index_in_a_list_and_says_whether_it_may_contain_escapes() {
    let parts = described("ftp://jim@h.dom:21/a/b/c;type=i");
    for expected in [
        ("user", ("user", None, true, false)),
        ("host", ("host", None, false, false)),
        ("port", ("port", None, false, false)),
        ("cwds", ("cwd", Some(0), true, false)),
        ("cwds", ("cwd", Some(1), true, false)),
        ("name", ("name", None, true, true)),
        ("typecode", ("typecode", None, false, false)),
    ] {
        assert!(parts.contains(&expected), "{expected:?} of {parts:?}");
    }
    let names = described("gopher://h.dom/0a/b");
    assert_eq!(names.iter().filter(|(_, (.., names))| *names).count(), 1, "{names:?}");
}

#[test]
fn a_field_has_its_name_and_its_value_at_their_places() {
    let text = "prospero://h.dom/a;name=value;x=";
    let url = Url::parse(text).unwrap();
    let fields: Vec<_> = url.parts().filter_map(|part| part.field()).collect();
    let texts = |(name, value): &(std::ops::Range<usize>, Option<std::ops::Range<usize>>)| {
        (&text[name.clone()], value.clone().map(|value| &text[value]))
    };
    assert_eq!(fields.iter().map(texts).collect::<Vec<_>>(), [("name", Some("value")), ("x", Some(""))]);
    assert!(url.parts().filter(|part| part.name() != "fields").all(|part| part.field().is_none()));
}

#[test]
fn an_encoded_text_is_equal_to_texts_and_decodes_to_text_if_it_is_utf_8() {
    for (search, decoded) in [("ab", Some("ab")), ("a%41", Some("aA")), ("%C3%A9", Some("\u{e9}")), ("%FF", None)] {
        let text = format!("http://h.dom/?{search}");
        let url = Url::parse(&text[..]).unwrap();
        let query: Encoded<'_> = url.query().unwrap();
        assert_eq!(query.decode_utf8().as_deref(), decoded);
        assert_eq!(format!("{query:?}"), format!("{search:?}"));
        assert!(query == *search && query == search && query != *"other" && query != "other");
    }
}

#[test]
fn the_number_of_decoded_octets_is_between_a_third_and_all() {
    for (text, hint) in [("", (0, 0)), ("a", (1, 1)), ("%41", (1, 3)), ("%41b", (2, 4)), ("abcdef", (2, 6))] {
        assert_eq!(Octets::new(text.as_bytes()).size_hint(), (hint.0, Some(hint.1)), "{text}");
    }
    let mut octets = Octets::new(b"%41b");
    octets.next();
    assert_eq!(octets.size_hint(), (1, Some(1)));
}

#[test]
fn a_finding_has_the_number_and_the_section_of_its_rule_and_shows_no_octet_of_a_password() {
    let text = "ftp://jim:a%00b@h.dom/";
    let url = Url::parse(text).unwrap();
    let findings = Audit::new().check(&url, Provenance::Given);
    for finding in &findings {
        assert_eq!(finding.decision(), finding.rule().number);
        assert_eq!(finding.section(), finding.rule().section);
        assert!(finding.decision().len() > 1 && !finding.section().is_empty());
    }
    let shown: Vec<_> = findings.iter().map(ToString::to_string).collect();
    assert!(!shown.concat().contains("%00") && shown.iter().any(|shown| shown.contains("***")), "{shown:?}");
}

#[test]
fn what_a_port_belongs_to_is_in_the_message() {
    for (text, code, said) in [
        (
            "gopher://h.dom:25/0a",
            "gopher-smtp",
            "uses port 25, where a mail server would read its selector as commands",
        ),
        ("http://h.dom:6379/", "port-foreign", "port 6379 belongs to Redis, which would read the http request"),
        ("http://h.dom:25/", "port-foreign", "port 25 belongs to SMTP, which would read the http request"),
        ("http://h.dom:8080/", "port-nondefault", "port 8080 is not the default port of http, 80"),
    ] {
        let url = Url::parse(text).unwrap();
        let findings = Audit::new().check(&url, Provenance::Given);
        let finding = findings.iter().find(|finding| finding.code() == code).unwrap_or_else(|| panic!("{text}"));
        assert!(finding.message().to_string().contains(said), "{}", finding.message());
    }
    // Of a rule that is silenced nothing is said, not even the name of the server.
    let mut audit = Audit::new();
    audit.set("port-foreign", None).unwrap();
    let url = Url::parse("http://h.dom:6379/").unwrap();
    let said: Vec<_> =
        audit.check(&url, Provenance::Given).iter().map(|finding| finding.message().to_string()).collect();
    assert_eq!(said, ["port 6379 is not the default port of http, 80"]);
}

#[test]
fn only_public_addresses_are_public_and_an_address_within_another_counts() {
    for (address, class) in [
        ("1.1.1.1", AddressClass::Public),
        ("127.0.0.1", AddressClass::Loopback),
        // Teredo: the client's address, inverted. Its last half decides here.
        ("2001::5601:5601", AddressClass::Metadata),
    ] {
        let found = AddressClass::of(address.parse().unwrap());
        assert_eq!(found, class, "{address}");
        assert_eq!(found.is_public(), class == AddressClass::Public);
    }
}

#[test]
fn names_are_those_of_the_machine_readable_contract() {
    assert_eq!(NormalForm::ALL.iter().map(|form| form.name()).collect::<Vec<_>>(), ["safe", "scheme"]);
    assert_eq!([HostKind::Name.name(), HostKind::Ipv4.name()], ["name", "ipv4"]);
}

#[test]
fn comparisons_say_in_one_line_what_they_found() {
    let shown = |a, b| Url::parse(a).unwrap().compare(&Url::parse(b).unwrap());
    let same = shown("http://h.dom/", "http://h.dom/");
    assert_eq!(same.to_string(), "same: the texts are equal");
    assert_eq!(format!("{same:?}"), "Comparison(same: the texts are equal)");
    for (a, b, begin) in
        [("http://H.dom/", "http://h.dom/", "same: "), ("http://h/a", "http://h/b", "different in the ")]
    {
        let line = shown(a, b).to_string();
        assert!(line.starts_with(begin) && !line.contains("the texts are equal"), "{line}");
    }
}

#[test]
fn an_error_in_debug_form_is_its_message() {
    let error = Url::parse("http://").unwrap_err();
    assert_eq!(format!("{error:?}"), format!("ParseError({error})"));
}

#[test]
fn every_production_is_another_and_is_shown_as_in_the_bnf() {
    for (place, one) in grammar::ALL.iter().enumerate() {
        assert_eq!(format!("{one:?}"), format!("{} = {}", one.name(), one.bnf()));
        let alike = |other: &grammar::Production| other.name() == one.name() && other.what() == one.what();
        for (other_place, other) in grammar::ALL.iter().enumerate() {
            assert_eq!(one == other, place == other_place || alike(other), "{one:?} {other:?}");
        }
    }
    assert_eq!(*grammar::FSEGMENT.decode(b"a%3Bb", Profile::Rfc1738).unwrap(), *b"a;b");
    assert!(matches!(grammar::HOST.decode(b"h.dom", Profile::Rfc1738), Ok(std::borrow::Cow::Borrowed(b"h.dom"))));
}

#[test]
fn the_path_is_what_follows_the_host_or_the_scheme_and_the_query_what_follows_the_question_mark() {
    for (text, path, query) in [
        ("http://h.dom:81/a/b?c", "/a/b", Some("c")),
        ("http://h.dom/?", "/", Some("")),
        ("http://h.dom", "", None),
        ("ftp://h.dom/a?b;type=i", "/a?b;type=i", None),
        ("news:comp.lang.c", "comp.lang.c", None),
        ("mailto:jim@h.dom", "jim@h.dom", None),
    ] {
        let url = Url::parse_with(text, if text.contains("a?b") { Profile::Current } else { Profile::Rfc1738 });
        let url = url.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((url.path(), url.query().map(Encoded::as_str)), (path, query), "{text}");
    }
}

#[test]
fn what_a_reference_resolves_to_is_displayed_as_the_url() {
    let base = Url::parse("http://h.dom/a/b").unwrap();
    for (reference, resolved) in [("c", "http://h.dom/a/c"), (":c", "http://h.dom/a/:c"), ("/c?d", "http://h.dom/c?d")]
    {
        let found = base.resolve(reference).unwrap();
        assert_eq!(found.to_string(), resolved);
        assert_eq!(format!("{found:30}|"), format!("{resolved:30}|"));
    }
}

#[test]
fn a_finding_that_touches_a_password_shows_none_of_its_octets() {
    let rule = audit::RULES.iter().find(|rule| rule.id == "port-foreign").unwrap();
    let text = "ftp://jim:secret@h.dom/";
    for (span, is_masked) in [
        (9..10, false),
        (9..9, false),
        (9..11, true),
        (10..10, true),
        (10..11, true),
        (15..16, true),
        (16..17, false),
        (16..16, false),
    ] {
        let finding = Finding::new(rule, text, span.clone()).with_detail("mail");
        assert_eq!(finding.message().to_string().contains("***"), is_masked, "{span:?}: {finding}");
        assert_eq!(format!("{finding:?}"), finding.to_string());
        assert!(finding.message().to_string().contains("read the ftp request"));
    }
}

#[test]
fn classes_hosts_and_parts_are_shown_by_their_names_and_without_passwords() {
    for class in [AddressClass::Public, AddressClass::Loopback, AddressClass::Metadata] {
        assert_eq!((class.to_string(), format!("{class:20}|")), (class.name().into(), format!("{:20}|", class.name())));
    }
    let url = Url::parse("ftp://jim:s3cret@h.dom:2121/a").unwrap();
    assert_eq!(url.host().unwrap().to_string(), "h.dom");
    assert_eq!(url.port(), Some("2121"));
    assert_eq!(url.password().map(Encoded::as_str), Some("s3cret"));
    let shown = format!("{:?}", url.parts());
    assert!(shown.contains("password 10..16") && !shown.contains("s3cret"), "{shown}");
    assert!(url == *"ftp://jim:s3cret@h.dom:2121/a" && url != *"ftp://jim:s3cret@h.dom:2121/b");
    let error = Url::parse_with("http:", Profile::Current).unwrap_err();
    assert_eq!(error.profile(), Profile::Current);
    assert_eq!(Url::parse("http:").unwrap_err().profile(), Profile::Rfc1738);
}

#[test]
fn urls_that_differ_have_other_hashes() {
    use std::hash::{BuildHasher, RandomState};

    let state = RandomState::new();
    let hash = |text| state.hash_one(Url::parse(text).unwrap());
    assert_eq!(hash("http://h.dom/a"), hash("http://h.dom/a"));
    assert_ne!(hash("http://h.dom/a"), hash("http://h.dom/b"));
}

#[test]
fn segments_are_the_same_at_once_and_one_by_one() {
    let url = Url::parse("http://h.dom/a//bc/").unwrap();
    let urlwise::Locator::Http(http) = url.locator() else { panic!("an http URL") };
    let mut segments = http.segments();
    let one_by_one: Vec<_> = std::iter::from_fn(|| segments.next()).map(Encoded::as_str).collect();
    let at_once = http.segments().fold(Vec::new(), |mut all, segment| {
        all.push(segment.as_str());
        all
    });
    assert_eq!((&one_by_one, &one_by_one[..]), (&at_once, &["a", "", "bc", ""][..]));
}

#[test]
fn a_fragment_stands_behind_what_is_resolved_and_a_password_is_not_shown() {
    let base = Url::parse("ftp://jim:s3cret@h.dom/a").unwrap();
    for (reference, fragment) in [("b#top", Some("top")), ("b#", Some("")), ("b", None)] {
        let found = base.resolve(reference).unwrap();
        assert_eq!(found.fragment().map(Encoded::as_str), fragment);
        let shown = format!("{found:?}");
        assert!(shown.starts_with("OwnedReference(ftp://jim:") && !shown.contains("s3cret"), "{shown}");
        assert_eq!(shown.contains('#'), fragment.is_some());
    }
    let error = base.resolve("ftp://h dom/").unwrap_err();
    assert_eq!(format!("{error:?}"), format!("ResolveError({error})"));
}

#[test]
fn what_is_absolute_or_empty_keeps_what_no_standard_changes() {
    for (profile, base, reference, resolved) in [
        // RFC 1808 removes no dots of an absolute URL, RFC 3986 does.
        (Profile::Rfc1738, "http://h.dom/", "http://h.dom/a/../b", "http://h.dom/a/../b"),
        (Profile::Current, "http://h.dom/", "http://h.dom/a/../b", "http://h.dom/b"),
        // An empty query counts in RFC 3986 alone.
        (Profile::Rfc1738, "http://h.dom/a?b", "?", "http://h.dom/a?b"),
        (Profile::Current, "http://h.dom/a?b", "?", "http://h.dom/a?"),
        // A `?` ends an authority by RFC 3986.
        (Profile::Current, "foo://?x", "y", "foo:///y"),
        (Profile::Current, "foo://h.dom?x", "y", "foo://h.dom/y"),
    ] {
        let base = Url::parse_with(base, profile).unwrap();
        assert_eq!(base.resolve(reference).unwrap().as_str(), resolved);
    }
    let url = Url::parse_with("file:/a", Profile::Current).unwrap();
    assert_eq!(url.normalize(NormalForm::Safe).as_str(), "file:/a");
    assert_eq!(url.normalize(NormalForm::Scheme).as_str(), "file:///a");
}

#[test]
fn octets_that_were_read_as_a_reference_have_the_places_of_their_parts() {
    let text = b"ftp://h.dom:2121/pub/motd#top";
    let read = RawReference::read(text, Profile::Rfc1738);
    let name = Scheme::Ftp.parts().iter().find(|kind| kind.name() == "name").unwrap();
    assert_eq!(read.span_of(name), Some(21..25));
    assert_eq!(Url::parse("ftp://h.dom:2121/pub/motd").unwrap().span_of(name), Some(21..25));
    assert_eq!((read.port_or_default(), read.host_kind()), (Some(2121), Some(HostKind::Name)));
    assert_eq!(RawReference::read(b"ftp://1.2.3.4/", Profile::Rfc1738).host_kind(), Some(HostKind::Ipv4));
    let none = RawReference::read(b"mailto:joe@h.dom", Profile::Rfc1738);
    assert_eq!((none.port_or_default(), none.host_kind()), (None, None));
    for text in ["#top", "http://h.dom/a b#top"] {
        let wrong = RawReference::read(text.as_bytes(), Profile::Rfc1738);
        assert!(wrong.error().is_some() && wrong.spans().is_none() && wrong.fragment().is_none(), "{text}");
    }
}

#[test]
fn what_follows_an_unknown_scheme_is_a_path_where_something_is_there() {
    for (text, expected) in [("-:x", Some(2..3)), ("-:", None), ("x:", None), ("x:y", Some(2..3))] {
        let diagnosis = diagnose(text, Profile::Current);
        let path = diagnosis.parts().find(|part| part.name() == "urlpath");
        assert_eq!(path.map(|part| part.span()), expected, "{text}");
    }
}

#[test]
fn names_and_labels_in_english_are_the_plain_ones() {
    for reserved in registry::Reserved::ALL {
        assert_eq!(reserved.title_in(Language::En), reserved.title);
    }
    let url = Url::parse("ftp://jim@h.dom/a/b").unwrap();
    for part in url.parts() {
        assert_eq!(part.label_in(Language::En), part.label());
    }
}

#[test]
fn a_slash_in_a_gopher_search_is_escaped_by_the_rules_of_the_scheme_alone() {
    let url = Url::parse("gopher://h.dom/7/f%09a/b").unwrap();
    assert_eq!(url.normalize(NormalForm::Safe).as_str(), "gopher://h.dom/7/f%09a/b");
    assert_eq!(url.normalize(NormalForm::Scheme).as_str(), "gopher://h.dom/7/f%09a%2Fb");
}

#[test]
fn a_finding_says_what_its_finder_advises() {
    let url = Url::parse("ftp://jim@h.dom/").unwrap();
    let rule = audit::RULES.iter().find(|rule| rule.id == "port-foreign").unwrap();
    let finding = Finding::new(rule, url.as_str(), 0..3);
    assert_ne!(finding.help().to_string(), "ask jim");
    assert_eq!(finding.with_help("ask jim").help().to_string(), "ask jim");
}

#[test]
fn what_is_written_raw_is_encoded_but_for_what_has_no_single_reading() {
    let raw = "a \"<>^`{|}~\u{7f}\u{80}\u{ff}%20\\\n";
    let octets: Vec<u8> = raw.chars().map(|c| c as u8).collect();
    assert_eq!(urlwise::encode_raw(&octets), "a%20%22%3C%3E%5E%60%7B%7C%7D~\u{7f}%80%FF%20\\\n");
}

#[test]
fn segments_are_decoded_one_by_one() {
    let url = Url::parse("http://h.dom/a%2Fb//%E9").unwrap();
    let urlwise::Locator::Http(http) = url.locator() else { panic!("an http URL") };
    assert_eq!(http.segments().decode(), [&b"a/b"[..], b"", b"\xe9"]);
    let url = Url::parse("http://h.dom").unwrap();
    let urlwise::Locator::Http(http) = url.locator() else { panic!("an http URL") };
    assert!(http.segments().decode().is_empty());
}

#[test]
fn a_diagnosis_in_debug_form_has_its_parts_and_problems_and_no_password() {
    let diagnosis = diagnose("ftp://jim:s3cret@h.dom/a b", Profile::Rfc1738);
    let shown = format!("{diagnosis:?}");
    assert!(shown.contains("Part(host 17..22)") && shown.contains("error[bnf-char] at 24..25"), "{shown}");
    assert!(!shown.contains("s3cret"), "{shown}");
}

#[test]
fn a_backslash_is_doubled_so_that_no_escape_is_taken_for_what_was_written() {
    for (written, shown) in [("a", "a"), ("\\", "\\\\"), ("\\n", "\\\\n"), ("\n", "\\n"), ("a\u{1b}[m", "a\\x1b[m")] {
        assert_eq!(urlwise::escape_for_display(written.as_bytes()).to_string(), shown);
    }
}

#[test]
fn a_part_is_of_the_profile_that_first_has_it() {
    let profile = |scheme: Scheme, name: &str| {
        scheme.parts().iter().find(|kind| kind.name() == name).map(urlwise::build::PartKind::profile)
    };
    assert_eq!(profile(Scheme::Ftp, "typecode"), Some(Profile::Rfc1738));
    assert_eq!(profile(Scheme::Other, "query"), Some(Profile::Current));
}

#[test]
fn a_registered_scheme_has_the_title_it_was_given() {
    let scheme = || registry::NewScheme::new("x-chat", registry::Syntax::Opaque);
    assert_eq!(scheme().title(), None);
    assert_eq!(scheme().with_title("rooms to chat in").title(), Some("rooms to chat in"));
    let shown = format!("{:?}", scheme());
    assert!(shown.contains("\"x-chat\"") && shown.contains("Opaque") && shown.contains("check: false"), "{shown}");
    let mut registry = registry::Registry::new();
    registry.register(scheme()).unwrap();
    assert!(registry.parse("x-chat:a").is_ok());
    assert_eq!(registry.parse("x-chat").unwrap_err().problem().code(), "scheme-missing");
}

#[test]
fn a_gopher_plus_string_is_written_as_it_was_read() {
    for text in ["+", "?", "!", "$", "!+ABSTRACT", "$+VIEWS +ADMIN", "+text/plain", "+text/plain De_DE"] {
        let read = GopherPlus::from_octets(text.as_bytes());
        assert_eq!(read.to_octets().as_deref(), Some(text.as_bytes()), "{read:?}");
    }
    let names = |text: &[u8]| match GopherPlus::from_octets(text) {
        GopherPlus::Attributes(whose, names) => (whose, names),
        other => panic!("{other:?}"),
    };
    assert_eq!(names(b"!+A +B"), (Attributes::Item, vec![b"+A".to_vec(), b"+B".to_vec()]));
    assert_eq!(names(b"$"), (Attributes::Directory, vec![]));
}

#[test]
fn levels_schemes_citations_and_kinds_of_parts_are_shown_by_their_names() {
    assert_eq!((Level::Error.name(), Level::Note.to_string()), ("error", "note".to_owned()));
    assert_eq!(format!("{:8}|", Level::Warning), "warning |");
    assert!(Scheme::Ftp == "ftp" && Scheme::Ftp != "http" && Scheme::Ftp == *"ftp" && Scheme::Ftp != *"http");
    assert_eq!(Citation::new("2.2", Some("D-10")).to_string(), "section 2.2, D-10");
    assert_eq!(Citation::new("Appendix", None).to_string(), "Appendix");
    assert_eq!(format!("{:?}", Scheme::Ftp.parts()[0]), "PartKind(user)");
    assert_eq!(diagnose("x:", Profile::Current).profile(), Profile::Current);
}

#[test]
fn a_scheme_is_read_behind_octets_that_no_scheme_holds_only_if_they_all_stand_before_it() {
    for (text, name) in
        [("<http://h.dom/", Some("http")), ("\" \"ftp://h.dom/", Some("ftp")), ("a<http://h.dom/", None)]
    {
        let diagnosis = diagnose(text, Profile::Rfc1738);
        let read = diagnosis.scheme_name().map(|name| std::str::from_utf8(name).unwrap());
        assert_eq!((read, diagnosis.parts().any(|part| part.name() == "host")), (name, name.is_some()), "{text}");
    }
}

#[test]
fn a_text_is_read_alike_by_profiles_that_divide_it_alike_and_no_other_text_is() {
    let read = |text, profile| diagnose(text, profile);
    for (text, is_alike) in [("http://h.dom/a", true), ("x://h.dom/a?b", false), ("https://h.dom/", false)] {
        let [letter, current] = Profile::ALL else { panic!() };
        assert_eq!(read(text, *letter).reads_alike(&read(text, *current)), is_alike, "{text}");
    }
    let [one, other] = ["http://h.dom/a", "http://h.dom/b"].map(|text| read(text, Profile::Rfc1738));
    assert!(one.reads_alike(&one) && !one.reads_alike(&other));
}

#[test]
fn a_fragment_is_judged_to_its_end_and_a_url_to_the_fragment() {
    let said = |text| Reference::parse(text).unwrap_err().to_string();
    assert!(
        said("http://h.dom/#a b")
            .contains("a space (20) is not allowed in a fragment (section 2.2, D-10); write `%20`")
    );
    assert!(
        said("http://h.dom/#a ").contains("a space (20) is not allowed in a fragment (section 2.2, D-14); remove it")
    );
    assert!(
        said("http://h.dom/a #b")
            .contains("a space (20) is not allowed in an http path (section 2.2, D-14); remove it")
    );
    let error = Reference::parse("http://h.dom/a b").unwrap_err();
    assert_eq!(format!("{error:?}"), format!("ReferenceError({error})"));
}

#[test]
fn a_part_without_escapes_is_told_what_it_may_hold() {
    let problem = grammar::PORT.decode(b"8 0", Profile::Rfc1738).unwrap_err();
    assert_eq!(problem.help().unwrap().to_string(), format!("expected `{}`", grammar::PORT.bnf()));
    let problem = grammar::FSEGMENT.decode(b"a b", Profile::Rfc1738).unwrap_err();
    assert_eq!(problem.help().unwrap().to_string(), "write `%20`");
}

#[test]
fn so_many_places_of_a_mistake_are_kept_and_no_more() {
    use urlwise::Problem;

    for (repeated, last) in [(Problem::MOST_PLACES - 1, 1), (Problem::MOST_PLACES, 1), (Problem::MOST_PLACES + 1, 1)] {
        // The last blank is followed by another octet that is not allowed.
        let text = format!("http://h.dom/{}{{", "a ".repeat(repeated));
        let diagnosis = diagnose(&text, Profile::Rfc1738);
        let spans: Vec<_> = diagnosis.problems()[0].spans().collect();
        assert_eq!(spans.len(), repeated.min(Problem::MOST_PLACES));
        assert!(spans[..spans.len() - 1].iter().all(|span| span.len() == last));
        assert_eq!(spans[spans.len() - 1].len(), if repeated > Problem::MOST_PLACES { 1 } else { 2 });
    }
}

#[test]
fn an_unknown_scheme_has_a_path_and_a_query_only_where_rfc_3986_reads_one() {
    for (text, path, query) in [
        ("x:", None, None),
        ("x:a", Some("a"), None),
        ("x:?q", None, Some("q")),
        ("x:a?q", Some("a"), Some("q")),
        ("x://h.dom", None, None),
        ("x://h.dom/", Some(""), None),
        ("x://h.dom/a?q", Some("a"), Some("q")),
        ("x://h.dom?q", None, Some("q")),
        ("x://a@b@c/d", None, None),
    ] {
        let url = Url::parse_current(text).unwrap();
        let urlwise::Locator::Other(other) = url.locator() else { panic!("{text}") };
        assert_eq!((other.urlpath().map(Encoded::as_str), other.query().map(Encoded::as_str)), (path, query), "{text}");
        let url = Url::parse(text).unwrap();
        let urlwise::Locator::Other(other) = url.locator() else { panic!("{text}") };
        assert_eq!((other.urlpath().is_some(), other.query()), (text.contains("h.dom/"), None), "{text}");
    }
}

#[allow(clippy::single_range_in_vec_init, reason = "a list of places")]
#[test]
fn a_password_is_what_stands_between_the_colon_and_the_last_at_sign() {
    for (text, found) in [
        ("ftp://jim:pw@h", &[10..12][..]),
        ("ftp://jim:@h", &[]),
        ("//:@h", &[]),
        ("ftp://joe:pa/ss@h.dom/a", &[10..15]),
        ("a/jim:pw@h", &[]),
        ("a//jim:pw@h", &[7..9]),
        ("ftp://anonymous:b@c <http://d:e@f/>", &[16..17, 30..31]),
    ] {
        assert_eq!(urlwise::secrets(text.as_bytes()), found, "{text}");
    }
}
