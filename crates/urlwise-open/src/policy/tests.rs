use super::{Origin, Policy, RULES, is_public};
use crate::class::Class;
use crate::error::Error;
use urlwise::{Profile, Url};

fn refused_with(policy: &Policy, text: &str, origin: Origin<'_>) -> Option<&'static str> {
    let url = Url::parse_with(Profile::Current, text).expect(text);
    policy.admit(&url, origin).err().map(|refusal| refusal.rule().id)
}

fn refused(text: &str) -> Option<&'static str> {
    refused_with(&Policy::default(), text, Origin::Given)
}

#[test]
fn ids_are_unique_and_every_rule_says_when() {
    for (index, rule) in RULES.iter().enumerate() {
        assert!(RULES[index + 1..].iter().all(|other| other.id != rule.id));
        assert!(!rule.when.is_empty() && !rule.ground.is_empty());
    }
}

#[test]
fn security_8_ports_of_other_protocols_are_refused() {
    for (text, rule) in [
        ("http://h.example/", None),
        ("http://h.example:80/", None),
        ("http://h.example:080/", None),
        ("https://h.example:443/", None),
        ("http://h.example:8080/", None),
        ("gopher://h.example:7070/", None),
        ("gopher://h.example:70/", None),
        ("http://h.example:0/", Some("port-zero")),
        ("http://h.example:25/", Some("port-foreign")),
        ("http://h.example:6379/", Some("port-foreign")),
        ("gopher://h.example:11211/", Some("port-foreign")),
        ("gopher://h.example:80/", Some("port-foreign")),
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
    let allowed = |text| refused_with(&policy, text, Origin::Given);
    assert_eq!(allowed("gopher://h.example:6379/"), None);
    assert_eq!(allowed("gopher://h.example:25/"), None);
    assert_eq!(allowed("gopher://h.example:443/"), Some("port-reserved"));
    assert_eq!(allowed("gopher://h.example:0/"), Some("port-zero"));
}

#[test]
fn rules_that_guard_the_wire_cannot_be_allowed() {
    for id in ["ctl-crlf", "ctl-nul", "file-from-network", "port-zero", "nonsense\x1b"] {
        let error = Policy::default().allow(id).expect_err(id);
        assert!(!error.to_string().contains('\x1b'));
        assert!(error.to_string().contains("port-foreign"));
    }
}

#[test]
fn security_4_control_octets_never_reach_a_command_line() {
    for (text, rule) in [
        ("gopher://h.example/7x%09a%0D%0Ab", Some("ctl-crlf")),
        ("gopher://h.example/7x%09a%0Ab", Some("ctl-crlf")),
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
        ("telnet://a%0Ab@h.example/", Some("ctl-crlf")),
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
    let url = Url::parse_with(Profile::Current, deepest + "/a").expect("valid");
    let refusal = Policy::default().admit(&url, Origin::Given).expect_err("too deep");
    assert_eq!(refusal.rule().id, "segment-count");
    assert_eq!(Error::from(refusal).class(), Class::Limit);
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
    ] {
        assert_eq!(refused(text), rule, "{text}");
    }
}

#[test]
fn security_20_redirects_stay_within_http() {
    let from = |text| Url::parse_with(Profile::Current, text).expect("valid");
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
        let refused = refused_with(&Policy::default(), to, Origin::Redirect { from });
        assert_eq!(refused, rule, "{from} -> {to}");
    }
    let policy = Policy::default().allow("redirect-downgrade").expect("it may be allowed");
    let origin = Origin::Redirect { from: &https };
    assert_eq!(refused_with(&policy, "http://h.example/", origin), None);
}

#[test]
fn security_20_links_never_lead_from_the_network_to_a_file() {
    let url = |text| Url::parse_with(Profile::Current, text).expect("valid");
    let (menu, folder) = (url("gopher://h.example/"), url("file:///tmp/"));
    let link = |from, to| refused_with(&Policy::default(), to, Origin::Link { from });
    assert_eq!(link(&menu, "file:///etc/motd"), Some("file-from-network"));
    assert_eq!(link(&folder, "file:///etc/motd"), None);
    assert_eq!(link(&menu, "telnet://h.example/"), None);
    assert_eq!(link(&menu, "gopher://other.example/"), None);
}

#[test]
fn security_9_local_addresses_are_known_in_every_spelling() {
    let local = [
        "0.0.0.0",
        "10.1.2.3",
        "100.64.0.1",
        "127.0.0.1",
        "169.254.1.1",
        "172.31.0.1",
        "192.168.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "64:ff9b::10.0.0.1",
        "2002:7f00:1::",
        "fe80::1",
        "fc00::1",
        "ff02::1",
        "2001:db8::1",
    ];
    for ip in local {
        assert!(!is_public(ip.parse().expect(ip)), "{ip}");
    }
    for ip in ["8.8.8.8", "100.128.0.1", "172.32.0.1", "2606:4700::1", "::ffff:8.8.8.8"] {
        assert!(is_public(ip.parse().expect(ip)), "{ip}");
    }
}

#[test]
fn a_refusal_names_part_octet_ground_and_way_out() {
    let url = Url::parse("gopher://h.example/7x%09a%0Db").expect("valid");
    let refusal = Policy::default().admit(&url, Origin::Given).expect_err("CR in a search");
    let text = refusal.to_string();
    assert!(text.contains("search") && text.contains("%0D") && text.contains("RFC 1738 section 6"));
    let url = Url::parse("http://h.example:6379/").expect("valid");
    let refusal = Policy::default().admit(&url, Origin::Given).expect_err("redis");
    assert!(refusal.to_string().ends_with("allow the rule `port-foreign`"));
}
