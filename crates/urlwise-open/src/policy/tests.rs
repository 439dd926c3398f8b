use super::{NOT_ASKED, Place, Policy, RULES, Sender, SendingServer, UrlSource};
use crate::error::Error;
use crate::error::kind::ErrorKind;
use urlwise::audit::{self, AddressClass, Finding, Severity};
use urlwise::{Language, Profile, Url};

fn refused_with(policy: &Policy, text: &str, provenance: UrlSource<'_>) -> Option<&'static str> {
    let url = Url::parse_with(text, Profile::Current).expect(text);
    policy.admit(&url, provenance).err().map(|refusal| refusal.rule().id)
}

fn refused(text: &str) -> Option<&'static str> {
    refused_with(&Policy::default(), text, UrlSource::Given)
}

#[test]
fn ids_are_unique_and_every_rule_says_when() {
    for (index, rule) in RULES.iter().enumerate() {
        assert!(RULES[index + 1..].iter().all(|other| other.id != rule.id));
        assert!(!rule.when.is_empty() && !rule.reference.is_empty());
    }
}

#[test]
fn rules_that_are_not_asked_refuse_nothing() {
    for rule in NOT_ASKED {
        assert!(RULES.iter().all(|known| known.id != rule.id), "{}", rule.id);
    }
}

#[test]
fn security_8_ports_of_other_protocols_are_refused() {
    for (text, rule) in [
        ("http://h.example/", None),
        ("http://h.example:80/", None),
        ("http://h.example:080/", None),
        ("https://h.example:443/", None),
        ("http://h.example:81/", None),
        ("http://h.example:631/", None),
        ("https://h.example:631/", None),
        ("http://h.example:8080/", None),
        ("gopher://h.example:7070/", None),
        ("gopher://h.example:70/", None),
        ("http://h.example:0/", Some("port-zero")),
        ("http://h.example:25/", Some("port-foreign")),
        ("http://h.example:6379/", Some("port-foreign")),
        ("gopher://h.example:11211/", Some("port-foreign")),
        ("gopher://h.example:80/", Some("port-foreign")),
        ("gopher://h.example:81/", Some("port-foreign")),
        ("gopher://h.example:631/", Some("port-foreign")),
        ("gopher://h.example:6063/", Some("port-foreign")),
        ("gopher://h.example:6064/", None),
        ("http://h.example:443/", Some("port-reserved")),
        ("http://h.example:1023/", Some("port-reserved")),
        ("http://h.example:1024/", None),
        ("ftp://h.example:23/", Some("port-foreign")),
    ] {
        assert_eq!(refused(text), rule, "{text}");
    }
}

#[test]
fn security_8_an_allowed_rule_admits_and_others_still_refuse() {
    let policy = Policy::default().allow("port-foreign").expect("it may be allowed");
    let allowed = |text| refused_with(&policy, text, UrlSource::Given);
    assert_eq!(allowed("gopher://h.example:6379/"), None);
    assert_eq!(allowed("http://h.example:25/"), None);
    assert_eq!(allowed("gopher://h.example:25/"), Some("gopher-smtp"));
    assert_eq!(allowed("gopher://h.example:443/"), Some("port-reserved"));
    assert_eq!(allowed("gopher://h.example:0/"), Some("port-zero"));
}

#[test]
fn rules_that_guard_the_wire_cannot_be_allowed() {
    for id in
        ["ctl-crlf", "E-06", "gopher-crlf", "mailto-inject", "file-from-network", "port-zero", "E-01", "nonsense\x1b"]
    {
        let error = Policy::default().allow(id).expect_err(id);
        assert!(!error.to_string().contains('\x1b'));
        assert!(error.to_string().contains("port-foreign"));
    }
}

#[test]
fn security_4_control_octets_never_reach_a_command_line() {
    for (text, rule) in [
        ("gopher://h.example/7x%09a%0D%0Ab", Some("gopher-crlf")),
        ("gopher://h.example/7x%09a%0Ab", Some("gopher-crlf")),
        ("gopher://h.example/7x%09a%00b", Some("ctl-nul")),
        ("gopher://h.example/0x%00", Some("ctl-nul")),
        ("gopher://h.example/0x%1B", Some("ctl-other")),
        ("gopher://h.example/0x%7F", Some("ctl-other")),
        ("gopher://h.example/0x%FF", None),
        ("gopher://h.example/0x%09%09+%091%0D%0A+-1%0D%0Aa%0D%0A.%0D%0A", None),
        ("ftp://a%0D%0Ab@h.example/x", Some("ctl-crlf")),
        ("ftp://a:b%0A@h.example/x", Some("ctl-crlf")),
        ("ftp://h.example/d%0Ae/x", Some("ctl-crlf")),
        ("ftp://h.example/d/x%00", Some("ctl-nul")),
        ("telnet://a%0Ab@h.example/", Some("telnet-crlf")),
        ("mailto:a@h.example?subject=a%0D%0Ab", Some("mailto-inject")),
        ("mailto:a@h.example?attach=/etc/passwd", Some("mailto-inject")),
        ("mailto:a@h.example?body=a%0D%0Ab", None),
        ("prospero://h.example/a%00", Some("ctl-nul")),
        ("prospero://h.example/a%01", None),
        ("ftp://h.example/a%1B", Some("ctl-other")),
        ("gopher://h.example/0x%09%09+x%0Ay", Some("gopher-crlf")),
        ("wais://h.example/d%0D?x", Some("ctl-crlf")),
        ("http://h.example/a%0D%0Ab%00?c%0A", None),
    ] {
        assert_eq!(refused(text), rule, "{text}");
    }
}

#[test]
fn security_7_one_over_each_limit_is_the_limit_error() {
    let longest = format!("http://h.example/{}", "a".repeat(super::MAX_URL - 17));
    assert_eq!(longest.len(), super::MAX_URL);
    assert_eq!(refused(&longest), None);
    assert_eq!(refused(&(longest + "a")), Some("url-length"));

    let deepest = format!("file:///{}a", "a/".repeat(super::MAX_SEGMENTS - 1));
    assert_eq!(refused(&deepest), None);
    let url = Url::parse_with(deepest + "/a", Profile::Current).expect("valid");
    let refusal = Policy::default().admit(&url, UrlSource::Given).expect_err("too deep");
    assert_eq!(refusal.rule().id, "segment-count");
    assert_eq!(Error::from(refusal).kind(), ErrorKind::Limit);
}

#[test]
fn security_36_only_this_machine_has_files() {
    for (text, rule) in [
        ("file:///etc/motd", None),
        ("file://localhost/etc/motd", None),
        ("file://LocalHost/etc/motd", None),
        ("file:///", None),
        ("file:///a//b/", None),
        ("file://otherhost/etc/motd", Some("file-remote")),
        ("file://127.0.0.1/etc/motd", Some("file-remote")),
        ("file:////server/share", Some("file-remote")),
        ("file:///%5C%5Cserver/share", Some("file-remote")),
    ] {
        assert_eq!(refused(text), rule, "{text}");
    }
}

#[test]
fn security_37_separators_and_nul_inside_a_segment_are_refused() {
    for (text, rule) in [
        ("file:///a%00b", Some("file-escape")),
        ("file:///a/..%2Fb", Some("file-escape")),
        ("file:///%2Fb", Some("file-escape")),
        ("file:///a%0Ab", None),
        ("file:///a%5Cb", cfg!(windows).then_some("file-escape")),
        ("file:///dev/zero", Some("file-escape")),
        ("file:///tmp/nul.txt", cfg!(windows).then_some("file-escape")),
    ] {
        assert_eq!(refused(text), rule, "{text}");
    }
}

#[test]
fn security_20_redirects_stay_within_http() {
    let from = |text| Url::parse_with(text, Profile::Current).expect("valid");
    let (http, https) = (from("http://h.example/"), from("https://h.example/"));
    for (from, to, rule) in [
        (&http, "http://other.example/", None),
        (&http, "https://h.example/", None),
        (&https, "https://h.example/x", None),
        (&https, "http://h.example/", Some("redirect-downgrade")),
        (&http, "file:///etc/motd", Some("file-from-network")),
        (&http, "ftp://h.example/x", Some("redirect-scheme")),
        (&http, "gopher://h.example/", Some("redirect-scheme")),
        (&http, "mailto:a@b.example", Some("redirect-scheme")),
        (&http, "telnet://h.example/", Some("redirect-scheme")),
        (&http, "news:a.b", Some("redirect-scheme")),
        (&http, "x-odd:y", Some("redirect-scheme")),
        (&http, "http://h.example:25/", Some("port-foreign")),
    ] {
        let refused = refused_with(&Policy::default(), to, UrlSource::Redirect { from });
        assert_eq!(refused, rule, "{from} -> {to}");
    }
    let policy = Policy::default().allow("redirect-downgrade").expect("it may be allowed");
    let provenance = UrlSource::Redirect { from: &https };
    assert_eq!(refused_with(&policy, "http://h.example/", provenance), None);
}

#[test]
fn security_20_links_never_lead_from_the_network_to_a_file() {
    let url = |text| Url::parse_with(text, Profile::Current).expect("valid");
    let (menu, folder) = (url("gopher://h.example/"), url("file:///tmp/"));
    let link = |from, to| refused_with(&Policy::default(), to, UrlSource::Link { from });
    assert_eq!(link(&menu, "file:///etc/motd"), Some("file-from-network"));
    assert_eq!(link(&folder, "file:///etc/motd"), None);
    assert_eq!(link(&menu, "telnet://h.example/"), None);
    assert_eq!(link(&menu, "gopher://other.example/"), None);
}

#[test]
fn a_refusal_names_part_octet_reference_and_help() {
    let refuse = |text| {
        let url = Url::parse(text).expect(text);
        Policy::default().admit(&url, UrlSource::Given).expect_err(text)
    };
    let refusal = refuse("gopher://h.example/7x%09a%0Db");
    let text = refusal.to_string();
    assert!(text.contains("search") && text.contains("%0D") && text.contains("RFC 1738 section 3.4.1, E-09"), "{text}");
    assert_eq!((refusal.span(), refusal.rule().number), (Some(25..28), Some("E-09")));
    assert!(!text.contains("allow"), "{text}");
    let refusal = refuse("http://h.example:6379/");
    assert_eq!(refusal.help(), None);
    assert_eq!(refusal.span(), Some(17..21));
    assert_eq!(Error::from(refusal).hint(), Some(crate::protocol::Hint::AllowRule("port-foreign")));
}

#[test]
fn a_refused_password_is_not_shown() {
    let url = Url::parse("ftp://jim:MaRk%0D%0AEr@h.example/").expect("valid");
    let refusal = Policy::default().admit(&url, UrlSource::Given).expect_err("a line end in a password");
    assert!(refusal.to_string().contains("password"));
    for shown in [refusal.to_string(), format!("{refusal:?}"), Error::from(refusal).to_string()] {
        assert!(!shown.contains("MaRk") && !shown.contains("Er"), "{shown}");
    }
}

#[test]
fn every_high_risk_of_the_audit_can_be_refused() {
    for rule in audit::RULES {
        let high = rule.severity == Severity::High || rule.exceptions.iter().any(|(_, other)| *other == Severity::High);
        let Some(row) = RULES.iter().find(|row| row.id == rule.id) else {
            assert!(!high, "{}", rule.id);
            continue;
        };
        assert_eq!(row.number, Some(rule.number));
        assert_eq!(row.reference, format!("RFC 1738 section {}, {}", rule.section, rule.number));
        let never = Policy::default().allow(rule.number).is_err();
        assert_eq!(never, !row.allowable && !row.reason.is_empty());
    }
}

/// A URL with a high risk is refused, by that rule or by a more specific one.
#[test]
fn every_example_of_a_high_risk_is_refused() {
    for rule in audit::RULES.iter().filter(|rule| rule.source == audit::Source::Url && rule.severity == Severity::High)
    {
        let url = Url::parse_with(rule.example, rule.schemes[0].since()).expect(rule.example);
        let refusal = Policy::default().admit(&url, UrlSource::Given).expect_err(rule.example);
        assert_eq!(refusal.rule().id, rule.id);
    }
}

#[test]
fn every_rule_has_its_texts_in_every_language() {
    for rule in RULES {
        let texts = |language| [rule.when_in(language).into_owned(), rule.reason_in(language).into_owned()];
        let english = texts(Language::En);
        assert_eq!(
            (english, rule.reference_in(Language::En)),
            ([rule.when, rule.reason].map(str::to_owned), rule.reference.to_owned())
        );
        for language in &Language::ALL[1..] {
            let [when, reason] = texts(*language);
            assert!(!when.is_ascii() && reason.is_ascii() == reason.is_empty(), "{}: {when} {reason}", rule.id);
            assert_eq!(reason.is_empty(), rule.reason.is_empty(), "{}", rule.id);
            let reference = rule.reference_in(*language);
            assert!(!reference.contains("section"), "{reference}");
            assert!(rule.number.is_none_or(|number| reference.contains(number)), "{reference}");
        }
    }
}

#[test]
fn a_rule_is_lifted_besides_those_that_were() {
    let policy = Policy::default().allow("port-foreign").expect("it may be allowed").lifted("port-zero");
    assert!(policy.allows("port-foreign") && policy.allows("port-zero") && !policy.allows("url-length"));
    assert_eq!(refused_with(&policy, "http://h.example:0/", UrlSource::Given), None);
}

#[test]
fn what_helps_against_a_refusal_is_to_allow_its_rule_or_else_what_it_says() {
    let refusal = |text| {
        let url = Url::parse_with(text, Profile::Current).expect(text);
        Policy::default().admit(&url, UrlSource::Given).expect_err(text)
    };
    let zero = refusal("http://h.example:0/");
    let help = "remove the port to use the default of the scheme";
    assert_eq!(
        zero.to_string(),
        format!("the port is 0, on which no server can listen (rule `port-zero`, D-23); {help}")
    );
    assert_eq!(zero.help().map(ToString::to_string).as_deref(), Some(help));
    let error = Error::from(zero);
    assert_eq!((error.hint(), error.help().map(ToString::to_string).as_deref()), (None, Some(help)));
    let found = refusal("ftp://h.example/a%0D%0Ab");
    assert!(found.rule().id == "ctl-crlf" && found.help().is_some(), "{found}");
    let foreign = Error::from(refusal("http://h.example:25/"));
    assert_eq!((foreign.hint(), foreign.help()), (Some(crate::protocol::Hint::AllowRule("port-foreign")), None));
}

#[test]
fn numbers_of_an_address_that_some_read_as_octal_are_refused_in_every_scheme() {
    for (text, rule) in [
        ("gopher://10.0.0.1/", None),
        ("gopher://0.0.0.0/", None),
        ("gopher://10.0.0.100/", None),
        ("gopher://010.0.0.1/", Some("read-differently")),
        ("gopher://10.0.0.01/", Some("read-differently")),
        ("gopher://10.0.00.1/", Some("read-differently")),
        ("telnet://10.0.0.08/", Some("read-differently")),
        ("gopher://010.host.example/", None),
    ] {
        assert_eq!(refused(text), rule, "{text}");
    }
}

#[test]
fn what_others_find_is_refused_too() {
    let url = Url::parse("ftp://user?@h.example/").expect("valid");
    let finding = Finding::new(audit::READ_DIFFERENTLY, "ftp://user?@h.example/", 6..21);
    let policy = Policy::default();
    let refusal = policy.admit_in_spite_of(&finding, &url).expect_err("a high risk");
    assert_eq!(refusal.rule().id, "read-differently");
    let mild = finding.clone().with_severity(Severity::Medium);
    assert!(policy.admit_in_spite_of(&mild, &url).is_ok());
    assert!(policy.allow("e-32").expect("it may be allowed").admit_in_spite_of(&finding, &url).is_ok());
}

#[test]
fn a_name_that_cannot_be_allowed_says_why() {
    let said = |name| Policy::default().allow(name).expect_err(name).to_string();
    assert!(said("ctl-crlf").starts_with("the rule `ctl-crlf` cannot be allowed: a command cannot contain a line end"));
    assert!(said("port-nondefault").starts_with("the rule `port-nondefault` does not refuse anything; "));
    assert!(said("nonsense").starts_with("`nonsense` is not a rule that can be allowed; "));
}

#[test]
fn a_url_of_which_readers_see_different_hosts_is_refused_wherever_it_comes_from() {
    let from = Url::parse("http://h.example/").expect("valid");
    let from = from.borrow();
    for provenance in [UrlSource::Given, UrlSource::Redirect { from: &from }, UrlSource::Link { from: &from }] {
        for (text, rule) in [
            ("http://0177.0.0.1/", Some("read-differently")),
            ("http://h.example/a?b", None),
            // One reader refuses it, and the others see one host.
            ("http://xn--a.example/", None),
        ] {
            assert_eq!(refused_with(&Policy::default(), text, provenance), rule, "{text} from {provenance:?}");
        }
    }
    let policy = Policy::default().allow("E-32").expect("it may be allowed");
    assert_eq!(refused("ftp://evil.example?@good.example/"), Some("read-differently"));
    assert_eq!(refused_with(&policy, "ftp://evil.example?@good.example/", UrlSource::Given), None);
}

#[test]
fn a_refused_local_address_says_who_chose_it() {
    let ip = std::net::Ipv4Addr::LOCALHOST.into();
    for (sender, expected) in [
        (Sender::Document, "a document links to `h.dom` with the address 127.0.0.1, which is local"),
        (Sender::Unknown, "`h.dom` has the address 127.0.0.1, which is local, and others may have chosen the URL"),
    ] {
        let refusal =
            Policy::default().admit_from_others(Place::Address(ip), "h.dom", sender).expect_err("it is local");
        assert_eq!((refusal.what().to_string().as_str(), refusal.rule().id), (expected, "local-from-public"));
    }
}

#[test]
fn security_58_a_refused_local_name_says_who_chose_it_and_no_address() {
    let place = |host| Place::as_written(host, None).expect("it is a local name");
    let policy = Policy::default();
    for (refused, what) in [
        (
            policy.admit_from_others(place("localhost"), "localhost", Sender::Document),
            "a document links to `localhost`, which is a local name",
        ),
        (
            policy.admit_from_others(place("a.local"), "a.local", Sender::Unknown),
            "`a.local` is a local name, and others may have chosen the URL",
        ),
        (
            policy.admit_from_server(place("a.internal"), "a.internal", PUBLIC),
            "a public server redirects or links to `a.internal`, which is a local name",
        ),
        (
            policy.admit_from_server(place("metadata.goog"), "metadata.goog", PUBLIC),
            "`metadata.goog` is the metadata service of a cloud, and others may have chosen the URL",
        ),
    ] {
        assert_eq!(refused.expect_err(what).what().to_string(), what);
    }
    assert_eq!(Place::as_written("h.example", None), None);
}

#[test]
fn an_address_that_is_the_host_is_named_once() {
    let refusal = Policy::default().admit_from_others(
        Place::Address(std::net::Ipv6Addr::LOCALHOST.into()),
        "::1",
        Sender::Unknown,
    );
    let what = refusal.expect_err("it is local").what().to_string();
    assert_eq!(what, "the address ::1 is local, and others may have chosen the URL");
}

const PUBLIC: SendingServer = SendingServer { class: Some(AddressClass::Public) };

/// The server at an address.
fn of(address: &str) -> SendingServer {
    SendingServer { class: Some(Place::Address(address.parse().expect(address)).class()) }
}

#[test]
fn security_9_a_server_that_is_local_or_not_known_may_lead_to_local_ones() {
    let local = Place::Address("10.0.0.2".parse().expect("an address"));
    for (server, admits) in [(PUBLIC, false), (SendingServer { class: None }, true), (of("10.0.0.1"), true)] {
        let admitted = Policy::default().admit_from_server(local, "h.example", server);
        assert_eq!(admitted.err().map(|refusal| refusal.rule().id), (!admits).then_some("local-from-public"));
    }
}

#[test]
fn security_9_metadata_services_are_refused_to_others_even_where_local_addresses_are_not() {
    let lifted = Policy::default().allow("local-from-public").expect("it may be lifted");
    for ip in ["169.254.169.254", "::ffff:169.254.169.254", "fd00:ec2::254", "100.100.100.200", "168.63.129.16"] {
        let ip: std::net::IpAddr = ip.parse().expect(ip);
        for policy in [Policy::default(), lifted.clone()] {
            for refused in [
                policy.admit_from_server(Place::Address(ip), "h.example", PUBLIC),
                policy.admit_from_server(Place::Address(ip), "h.example", SendingServer { class: None }),
                policy.admit_from_server(Place::Address(ip), "h.example", of("10.0.0.1")),
                policy.admit_from_others(Place::Address(ip), "h.example", Sender::Document),
                policy.admit_from_others(Place::Address(ip), "h.example", Sender::Unknown),
            ] {
                let refused = refused.expect_err("it is refused");
                assert_eq!(refused.rule().id, "address-metadata", "{ip}");
                assert!(refused.what().to_string().contains(&format!("({ip})")), "{}", refused.what());
            }
            for host in [ip.to_string(), format!("[{ip}]")] {
                let refused = policy.admit_from_server(Place::Address(ip), &host, PUBLIC).expect_err("it is refused");
                assert!(!refused.what().to_string().contains('('), "it is named once: {}", refused.what());
            }
            assert!(policy.admit_address(ip, "h.example").is_ok(), "a URL that a person gives may name {ip}");
            let itself = policy.admit_from_server(Place::Address(ip), "h.example", of("169.254.169.254"));
            assert!(itself.is_ok(), "it may lead on to itself");
        }
    }
    let ip = "169.254.1.1".parse().expect("an address");
    assert!(lifted.admit_from_others(Place::Address(ip), "h.example", Sender::Unknown).is_ok());
    assert!(Policy::default().allow("address-metadata").is_err());
}

#[test]
fn security_68_a_file_is_refused_by_what_is_known_of_who_chose_it() {
    let url = |text| Url::parse_with(text, Profile::Current).expect("valid");
    let (from, file) = (url("http://h.example/"), url("file:///etc/motd"));
    let said = |provenance, sender| {
        let refusal = Policy::default().admit_sent(&file, provenance, sender).expect_err("it is refused");
        assert_eq!(refusal.rule().id, "file-from-network");
        refusal.to_string()
    };
    let (link, redirect) = (UrlSource::Link { from: &from }, UrlSource::Redirect { from: &from });
    let answer = "the answer to http points to a file on this machine";
    assert!(said(link, None).starts_with(answer) && said(link, Some(Sender::Document)).starts_with(answer));
    assert!(said(redirect, Some(Sender::Unknown)).starts_with(answer), "a server did choose it");
    let typed = said(link, Some(Sender::Unknown));
    assert!(typed.starts_with("the URL names a file on this machine, and others may have chosen it ("), "{typed}");
    assert!(!typed.contains("pass its URL"), "{typed}");
}
