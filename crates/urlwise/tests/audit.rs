//! The audit, rule by rule: URLs that meet a rule, with the octets and the severity, and URLs that come near and do not.

use urlwise::audit::{self, Audit, Finding, PORT_FOREIGN, Provenance, RULES, Severity, Source};
use urlwise::registry::{NewScheme, Registry, Syntax};
use urlwise::{Language, Level, Profile, Url};

use Severity::{High, Low, Medium};

/// What is found in a URL: the rule, the octets, the severity.
type Found<'a> = (&'a str, &'a str, Severity);

fn found<'u>(url: &Url<&'u str>, audit: &Audit, provenance: Provenance) -> Vec<(&'static str, &'u str, Severity)> {
    let text = url.into_inner();
    let findings = audit.check(url, provenance);
    findings.iter().map(|finding| (finding.code(), &text[finding.span()], finding.severity())).collect()
}

#[track_caller]
fn finds_from(provenance: Provenance, text: &str, expected: &[Found<'_>]) {
    let url = Url::parse(text).or_else(|_| Url::parse_with(text, Profile::Current));
    let url = url.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(found(&url, &Audit::new(), provenance), expected, "{text}");
}

#[track_caller]
fn finds(text: &str, expected: &[Found<'_>]) {
    finds_from(Provenance::Given, text, expected);
}

/// What the profile `current` alone reads so.
#[track_caller]
fn finds_now(text: &str, expected: &[Found<'_>]) {
    let url = Url::parse_with(text, Profile::Current).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(found(&url, &Audit::new(), Provenance::Given), expected, "{text}");
}

#[track_caller]
fn finds_nothing(texts: &[&str]) {
    for text in texts {
        finds(text, &[]);
    }
}

#[test]
fn every_example_meets_its_rule() {
    for rule in RULES {
        let profile = rule.schemes[0].since();
        let url = Url::parse_with(rule.example, profile).unwrap_or_else(|error| panic!("{error}"));
        let ids: Vec<_> = Audit::new().check(&url, Provenance::Text).iter().map(Finding::code).collect();
        assert_eq!(ids.contains(&rule.id), rule.source == Source::Url, "{}: {ids:?}", rule.id);
    }
}

#[test]
fn e_01_a_port_that_is_not_the_default_is_a_question() {
    finds("http://host.dom:8080/", &[("port-nondefault", "8080", Medium)]);
    finds("gopher://host.dom:7070/", &[("port-nondefault", "7070", Medium)]);
    finds_now("https://host.dom:8443/", &[("port-nondefault", "8443", Medium)]);
    finds_now("news://host.dom:1119/a.b", &[("port-nondefault", "1119", Medium)]);
    finds_nothing(&[
        "http://host.dom:80/",
        "http://host.dom:080/",
        "http://host.dom/",
        "http://host.dom:/",
        "x://h:9999/",
    ]);
    finds_nothing(&["https://host.dom:443/", "prospero://host.dom:1525/x", "news://host.dom:119/a.b"]);
}

#[test]
fn e_01_a_common_port_of_the_same_protocol_is_not_one_of_another() {
    for port in ["81", "631"] {
        finds(&format!("http://host.dom:{port}/"), &[("port-nondefault", port, Medium)]);
        finds(&format!("gopher://host.dom:{port}/"), &[("port-foreign", port, High)]);
    }
}

#[test]
fn e_19_a_local_host_with_a_port_is_one_finding() {
    let url = Url::parse("http://localhost:8080/").unwrap();
    let codes =
        |audit: &Audit, provenance| -> Vec<_> { audit.check(&url, provenance).iter().map(Finding::code).collect() };
    assert_eq!(codes(&Audit::new(), Provenance::Text), ["host-local"]);
    assert_eq!(codes(&Audit::new(), Provenance::Given), ["port-nondefault"]);
    let mut audit = Audit::new();
    audit.set("host-local", None).unwrap();
    assert_eq!(codes(&audit, Provenance::Text), ["port-nondefault"]);
    let url = Url::parse("http://localhost:25/").unwrap();
    let codes: Vec<_> = Audit::new().check(&url, Provenance::Text).iter().map(Finding::code).collect();
    assert_eq!(codes, ["host-local", "port-foreign"]);
}

#[test]
fn e_02_a_reserved_port_is_refused() {
    finds("http://host.dom:443/", &[("port-reserved", "443", High)]);
    finds("http://host.dom:82/", &[("port-reserved", "82", High)]);
    finds("http://host.dom:1023/", &[("port-reserved", "1023", High)]);
    finds("telnet://host.dom:1/", &[("port-reserved", "1", High)]);
    // The problem `port-zero` says it all.
    finds("telnet://host.dom:0/", &[]);
    finds("http://host.dom:1024/", &[("port-nondefault", "1024", Medium)]);
    finds_nothing(&["wais://host.dom:210/d", "snews://host.dom:563/a.b"]);
}

#[test]
fn e_03_the_port_of_another_protocol_is_refused() {
    for port in [
        7, 9, 13, 19, 21, 22, 23, 25, 43, 53, 79, 109, 110, 111, 113, 119, 139, 143, 389, 445, 465, 512, 513, 514, 515,
        587, 993, 995, 2049, 3306, 5432, 6000, 6063, 6379, 6667, 11211,
    ] {
        finds(&format!("http://host.dom:{port}/"), &[("port-foreign", &port.to_string(), High)]);
        finds(&format!("x-odd://host.dom:{port}/"), &[("port-foreign", &port.to_string(), High)]);
    }
    finds("gopher://host.dom:80/", &[("port-foreign", "80", High)]);
    finds("https://host.dom:80/", &[("port-foreign", "80", High)]);
    finds("ftp://host.dom:0023/", &[("port-foreign", "0023", High)]);
    for port in [5999, 6064, 2050, 11212] {
        finds(&format!("http://host.dom:{port}/"), &[("port-nondefault", &port.to_string(), Medium)]);
    }
    // A scheme is at home at its own port, whether RFC 1738 knows it or not.
    finds_nothing(&["ldap://host.dom:389/", "IMAP://host.dom:143/", "irc://host.dom:6667/", "ftp://host.dom:21/"]);
}

#[test]
fn the_default_port_of_a_registered_scheme_is_its_own() {
    let mut registry = Registry::new();
    let scheme = NewScheme::new("x-chat", Syntax::Internet).with_default_port(6667);
    assert!(registry.register(scheme).is_ok());
    for (text, expected) in [
        ("x-chat://host.dom:6667/", &[][..]),
        ("x-chat://host.dom:700/", &[("port-reserved", "700", High)]),
        ("x-chat://host.dom:7000/a%2Fb", &[("port-nondefault", "7000", Medium), ("enc-delimiter", "%2F", Low)]),
    ] {
        let url = registry.parse(text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(found(&url, &Audit::new(), Provenance::Given), expected, "{text}");
    }
}

#[test]
fn e_04_a_password_is_reported() {
    finds("ftp://jim:s3cret@host.dom/", &[("secret-password", "s3cret", Medium)]);
    finds("telnet://:x@host.dom/", &[("secret-password", "x", Medium)]);
    finds("x-odd://jim:s3cret@host.dom/", &[("secret-password", "s3cret", Medium)]);
    finds("http://jim:s3cret@host.dom/", &[("secret-password", "s3cret", Medium)]);
    finds_nothing(&["ftp://jim:@host.dom/", "ftp://jim@host.dom/", "ftp://@host.dom/", "http://host.dom/jim:s3cret@x"]);
}

#[test]
fn e_05_line_ends_matter_by_scheme() {
    finds("ftp://host.dom/a%0D%0Ab", &[("ctl-crlf", "%0D%0A", High)]);
    finds("ftp://host.dom/d%0ae/f", &[("ctl-crlf", "%0a", High)]);
    finds("ftp://jim%0D@host.dom/", &[("ctl-crlf", "%0D", High)]);
    finds("wais://host.dom/d?a%0Ab", &[("ctl-crlf", "%0A", High)]);
    finds("prospero://host.dom/a%0Ab;c=d%0D", &[("ctl-crlf", "%0A", High), ("ctl-crlf", "%0D", High)]);
    finds("http://host.dom/a%0D%0Ab?c%0A", &[("ctl-crlf", "%0D%0A", Low), ("ctl-crlf", "%0A", Low)]);
    finds_now("https://host.dom/a%0D", &[("ctl-crlf", "%0D", Low)]);
    finds("file:///a%0Ab", &[("ctl-crlf", "%0A", Low)]);
    finds("x-odd:a%0Ab", &[("ctl-crlf", "%0A", Medium)]);
    finds("x-odd://host.dom/a%0Ab", &[("ctl-crlf", "%0A", Medium)]);
    finds_now("mailto:a@host.dom?body=one%0D%0Atwo", &[("ctl-crlf", "%0D%0A", Low)]);
    assert_eq!(audit::CTL_CRLF.severity_in(urlwise::Scheme::News), High);
    finds_nothing(&["ftp://host.dom/a%20b", "news:a@host.dom"]);
}

#[test]
fn e_06_nul_is_worst_in_a_file_name() {
    finds("ftp://host.dom/a%00b", &[("ctl-nul", "%00", Medium)]);
    finds("http://host.dom/a?%00", &[("ctl-nul", "%00", Medium)]);
    assert_eq!(audit::CTL_NUL.severity_in(urlwise::Scheme::File), High);
    finds("file:///a%00b", &[("file-escape", "%00", High)]);
}

#[test]
fn e_07_other_controls_are_worth_knowing() {
    finds("gopher://host.dom/0a%1Bb", &[("ctl-other", "%1B", Low)]);
    finds("http://host.dom/%01%7F", &[("ctl-other", "%01%7F", Low)]);
    finds("gopher://host.dom/0a%09b%09+%09", &[("ctl-other", "%09", Low)]);
    finds_nothing(&["gopher://host.dom/7a%09b", "http://host.dom/%20%7E"]);
}

#[test]
fn e_08_the_octet_that_begins_telnet_commands_matters_in_ftp() {
    finds("ftp://host.dom/%FF", &[("iac", "%FF", Medium)]);
    finds("ftp://host.dom/%FF%fe", &[("iac", "%FF", Medium), ("enc-non-utf8", "%fe", Low)]);
    finds("http://host.dom/%FF", &[("enc-non-utf8", "%FF", Low)]);
}

#[test]
fn e_09_a_gopher_request_is_one_line() {
    finds("gopher://host.dom/7a%09b%0D%0Ac", &[("gopher-crlf", "%0D%0A", High)]);
    finds_now("gophers://host.dom/7a%09b%0Ac", &[("gopher-crlf", "%0A", High)]);
    let form = "gopher://host.dom/0a%09%09+%091%0D%0A+-1%0D%0Ared%0D%0A.%0D%0A";
    finds_nothing(&[form, "gopher://host.dom/7a%09b", "gopher://host.dom/0a%09%09+"]);
    let url = format!("{form}QUIT%0D%0A");
    let parsed = Url::parse(url.as_str()).unwrap_or_else(|error| panic!("{error}"));
    assert!(found(&parsed, &Audit::new(), Provenance::Given).contains(&("gopher-crlf", "%0D%0A", High)));
    // With the particular rule silenced, the general one still speaks.
    let mut audit = Audit::new();
    assert!(audit.set("gopher-crlf", None).is_ok());
    let url = Url::parse("gopher://host.dom/7a%09b%0D%0Ac").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(found(&url, &audit, Provenance::Given), [("ctl-crlf", "%0D%0A", High)]);
}

#[test]
fn e_10_gopher_never_speaks_to_mail_servers() {
    for port in [25, 465, 587, 2525] {
        finds(&format!("gopher://host.dom:{port}/"), &[("gopher-smtp", &port.to_string(), High)]);
    }
    finds("gopher://host.dom/0HELO%20me", &[("gopher-smtp", "HELO", High)]);
    finds("gopher://host.dom/0h%65lo%20me", &[("gopher-smtp", "h%65lo", High), ("enc-needless", "%65", Low)]);
    finds("gopher://host.dom/0MAIL%20FROM:a", &[("gopher-smtp", "MAIL%20FROM:", High)]);
    finds("gopher://host.dom/0DATA", &[("gopher-smtp", "DATA", High)]);
    finds(
        "gopher://host.dom/7x%09y%0Adata%0Az",
        &[("gopher-crlf", "%0A", High), ("gopher-smtp", "data", High), ("gopher-crlf", "%0A", High)],
    );
    finds_nothing(&[
        "gopher://host.dom/0data",
        "gopher://host.dom/0DATABASE",
        "gopher://host.dom/0HELOX",
        "gopher://host.dom/0/HELO%20me",
        "gopher://host.dom/7x%09HELO%20me",
        "gopher://host.dom/HELO%20me", // the type is `H`
        "http://host.dom/HELO%20me",
    ]);
}

#[test]
fn e_11_gopher_sends_no_commands_of_other_protocols() {
    finds("gopher://host.dom/0GET%20/%20HTTP/1.0", &[("gopher-verb", "GET", High)]);
    finds("gopher://host.dom/0flushall", &[("gopher-verb", "flushall", High)]);
    finds("gopher://host.dom/0STAT", &[("gopher-verb", "STAT", High)]);
    finds("gopher://host.dom/7USER%09x", &[("gopher-verb", "USER", High)]);
    finds("gopher://host.dom:7070/0set%20a", &[("port-nondefault", "7070", Medium), ("gopher-verb", "set", High)]);
    finds_nothing(&["gopher://host.dom/0set%20a", "gopher://host.dom/0GETTING", "gopher://host.dom/1user%20guide"]);
}

#[test]
fn e_12_telnet_logins_hold_no_keys() {
    finds("telnet://a%0D%0Ab@host.dom/", &[("telnet-crlf", "%0D%0A", High)]);
    finds("telnet://a:b%00@host.dom/", &[("secret-password", "b%00", Medium), ("telnet-crlf", "%00", High)]);
    finds("telnet://%FF%F4@host.dom/", &[("telnet-crlf", "%FF", High), ("enc-non-utf8", "%F4", Low)]);
    finds_nothing(&["telnet://a%20b@host.dom/"]);
}

#[test]
fn e_13_names_that_are_options_to_ftp_servers_are_asked_about() {
    finds("ftp://host.dom/-R;type=d", &[("ftp-option", "-R", Medium)]);
    finds("ftp://host.dom/a/-b/c", &[("ftp-option", "-b", Medium)]);
    finds("ftp://host.dom/%2Db", &[("ftp-option", "%2Db", Medium), ("enc-needless", "%2D", Low)]);
    finds_nothing(&["ftp://host.dom/a-b", "http://host.dom/-a", "file:///-a", "ftp://host.dom/"]);
}

#[test]
fn e_14_a_slash_inside_an_ftp_component_leaves_the_login_directory() {
    finds("ftp://host.dom/%2Fetc/motd", &[("ftp-absolute", "%2F", Low)]);
    finds("ftp://host.dom/a%2fb", &[("ftp-absolute", "%2f", Low)]);
    finds_nothing(&["ftp://host.dom//etc/motd"]);
}

#[test]
fn e_15_dots_are_names_to_some_and_ways_to_others() {
    finds("http://host.dom/a/../b", &[("dot-segment", "..", Low)]);
    finds("ftp://host.dom/./b/..", &[("dot-segment", ".", Low), ("dot-segment", "..", Low)]);
    finds("file:///a/../b", &[("dot-segment", "..", Medium)]);
    finds("http://host.dom/.%2E/", &[("dot-segment", ".%2E", Low), ("enc-needless", "%2E", Low)]);
    finds_nothing(&[
        "http://host.dom/.a/..b/...",
        "http://host.dom/a?../b",
        "gopher://host.dom/1/../x",
        "http://host.dom/",
    ]);
}

#[test]
fn e_16_files_are_of_this_machine() {
    finds("file://other.dom/x", &[("file-remote", "other.dom", Medium)]);
    finds("file:////server/share", &[("file-remote", "//", Medium)]);
    finds("file:///%5C%5Cserver", &[("file-remote", "%5C%5C", Medium), ("file-escape", "%5C%5C", High)]);
    finds_nothing(&["file:///x", "file://localhost/x", "file://LocalHost/x", "file:///a//b", "file:/x"]);
}

#[test]
fn e_17_a_segment_is_one_file_name() {
    finds("file:///a/..%2Fb", &[("file-escape", "%2F", High)]);
    finds("file:///a%5Cb", &[("file-escape", "%5C", High)]);
    for (name, device) in [
        ("CON", "CON"),
        ("nul.txt", "nul"),
        ("com1", "com1"),
        ("LPT9.a.b", "LPT9"),
        ("aux%20", "aux%20"),
        ("CONIN$", "CONIN$"),
        ("prn:x", "prn"),
    ] {
        finds(&format!("file:///x/{name}"), &[("file-escape", device, High)]);
    }
    finds("file:///%4EUL", &[("file-escape", "%4EUL", High), ("enc-needless", "%4E", Low)]);
    finds("file:///dev/zero", &[("file-escape", "/dev/", High)]);
    finds_nothing(&[
        "file:///device/x",
        "file:///a/dev/x",
        "file:///dev",
        "file:///console",
        "file:///com0",
        "http://h.dom/CON",
    ]);
}

#[test]
fn e_18_a_login_is_not_to_be_taken_for_the_host() {
    finds("ftp://www.bank.dom@host.dom/", &[("user-lookalike", "www.bank.dom", Medium)]);
    finds("ftp://a%40b@host.dom/", &[("user-lookalike", "%40", Medium)]);
    finds(
        "ftp://a:www.bank.dom@host.dom/",
        &[("secret-password", "www.bank.dom", Medium), ("user-lookalike", "www.bank.dom", Medium)],
    );
    finds("ftp://www.bank.dom%2Fx%3a@host.dom/", &[("user-lookalike", "www.bank.dom%2Fx%3a", Medium)]);
    finds("http://www.bank.dom@host.dom/", &[("user-lookalike", "www.bank.dom", Medium)]);
    finds_nothing(&["ftp://jim@host.dom/", "ftp://a.1@host.dom/", "ftp://a.@host.dom/", "http://host.dom/a.b@c"]);
    for (text, message) in [
        ("ftp://www.bank.dom@host.dom/", "the user looks like a host but is not one"),
        ("ftp://a%40b@host.dom/", "the user contains the escape of a character that would end it"),
    ] {
        let url = Url::parse(text).unwrap();
        assert_eq!(Audit::new().check(&url, Provenance::Given)[0].message().to_string(), message);
    }
}

#[test]
fn e_19_what_others_wrote_must_not_lead_into_the_house() {
    for host in [
        "localhost",
        "LocalHost",
        "a.localhost",
        "0.0.0.0",
        "10.1.2.3",
        "100.64.0.1",
        "127.0.0.1",
        "127.9.9.9",
        "169.254.1.1",
        "172.16.0.1",
        "172.31.0.1",
        "192.168.0.1",
        "224.0.0.1",
        "239.1.1.1",
        "255.255.255.255",
        "[::1]",
        "[::]",
        "[::ffff:10.0.0.1]",
        "[fe80::1]",
        "[fd00::1]",
        "[ff02::1]",
        "[2002:7f00:1::]",
        "localhost.",
    ] {
        let url = format!("http://{host}/");
        for provenance in [Provenance::Text, Provenance::Link, Provenance::Redirect] {
            finds_from(provenance, &url, &[("host-local", host, Medium)]);
        }
        finds(&url, &[]);
    }
    for host in ["host.dom", "localhost.dom", "100.128.0.1", "172.32.0.1", "11.0.0.1", "192.0.2.1", "[2001:db8::1]"] {
        finds_from(Provenance::Text, &format!("ftp://{host}/"), &[]);
    }
    finds_from(Provenance::Link, "file://localhost/x", &[]);
}

#[test]
fn e_20_leading_zeros_have_two_readings() {
    finds("http://192.0.2.010/", &[("host-number-form", "010", Medium)]);
    finds("ftp://00.1.02.3/", &[("host-number-form", "00", Medium), ("host-number-form", "02", Medium)]);
    finds_nothing(&["http://192.0.2.0/", "http://01.host.dom/", "http://host.dom/01.02.03.04"]);
}

#[test]
fn e_21_names_in_other_scripts_are_shown_in_both_forms() {
    finds("http://www.xn--bcher-kva.dom/", &[("host-puny", "xn--bcher-kva", Low)]);
    finds("http://XN--BCHER-KVA.dom/", &[("host-puny", "XN--BCHER-KVA", Low)]);
    let url = Url::parse("http://xn--bcher-kva.dom/").unwrap_or_else(|error| panic!("{error}"));
    let message = Audit::new().check(&url, Provenance::Given)[0].message().to_string();
    assert_eq!(message, "the label `xn--bcher-kva` encodes `b\u{fc}cher`");
    finds_nothing(&["http://axn--b.dom/", "http://a-b.dom/", "http://host.dom/xn--x"]);
}

#[test]
fn e_22_escapes_of_reserved_characters_are_not_separators() {
    finds(
        "http://host.dom/a%2Fb%3f%3B?c%26d",
        &[("enc-delimiter", "%2F", Low), ("enc-delimiter", "%3f%3B", Low), ("enc-delimiter", "%26", Low)],
    );
    finds("ftp://host.dom/a%3Bb", &[("enc-delimiter", "%3B", Low)]);
    finds("wais://host.dom/a%3Fb", &[("enc-delimiter", "%3F", Low)]);
    finds("x-odd:a%3Ab", &[("enc-delimiter", "%3A", Low)]);
    finds_nothing(&[
        "gopher://host.dom/0a%2Fb",
        "http://host.dom/a%40b",
        "mailto:a%2Fb@host.dom",
        "ftp://host.dom/a%3Fb",
    ]);
}

#[test]
fn e_23_an_escape_of_an_escape_is_reported() {
    finds("http://host.dom/%252e%2500", &[("enc-double", "%252e%2500", Low)]);
    finds_nothing(&["http://host.dom/%25", "http://host.dom/%25zz", "http://host.dom/%25%32"][..2]);
}

#[test]
fn e_24_needless_escapes_hide_words() {
    finds("http://host.dom/%61dmin", &[("enc-needless", "%61", Low)]);
    finds("http://host.dom/%61%64%6Din/x", &[("enc-needless", "%61%64%6D", Medium)]);
    finds("http://host.dom/a%2Ab", &[("enc-needless", "%2A", Low)]);
    finds("http://host.dom/%61b/%61", &[("enc-needless", "%61", Low), ("enc-needless", "%61", Medium)]);
    finds_nothing(&["http://host.dom/%7Ea%20", "http://host.dom/a%40"]);
}

#[test]
fn e_25_octets_that_are_not_text_are_reported() {
    finds("ftp://host.dom/caf%E9", &[("enc-non-utf8", "%E9", Low)]);
    finds("http://host.dom/%C3%A9%C3x%A9%80", &[("enc-non-utf8", "%C3", Low), ("enc-non-utf8", "%A9%80", Low)]);
    finds("http://host.dom/%F0%9F%92", &[("enc-non-utf8", "%F0%9F%92", Low)]);
    finds("http://host.dom/%C0%80", &[("enc-non-utf8", "%C0%80", Low)]);
    finds_nothing(&["http://host.dom/%C3%A9%E4%B8%AD%F0%9F%92%A9"]);
}

#[test]
fn e_26_a_mail_address_brings_no_headers() {
    finds("mailto:%22a%0D%0A%20b%22@host.dom", &[("mailto-inject", "%0D%0A", High)]);
    finds_now("mailto:a@host.dom?subject=x%0Ay", &[("mailto-inject", "%0A", High)]);
    finds_now("mailto:a@host.dom?subject=x&bcc=b@host.dom&body=y", &[("mailto-inject", "bcc", High)]);
    finds_now("mailto:a@host.dom?attach=/etc/passwd", &[("mailto-inject", "attach", High)]);
    finds_nothing(&["mailto:a@host.dom?Subject=x&body=y", "mailto:a@host.dom"]);
    let url = Url::parse("mailto:a@host.dom?bcc=b").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(found(&url, &Audit::new(), Provenance::Given), [], "RFC 1738 knows of no headers: D-54");
}

#[test]
fn e_27_source_routes_are_reported() {
    finds("mailto:joe%25inner@host.dom", &[("mailto-relay", "%25", Low)]);
    finds("mailto:inner!joe!x@host.dom", &[("mailto-relay", "!", Low)]);
    finds("mailto:%22a@b%22@host.dom", &[("mailto-relay", "@", Low)]);
    finds_nothing(&["mailto:joe@host.dom", "mailto:joe+x@host.dom"]);
}

#[test]
fn e_28_texts_that_are_urls_by_accident_are_reported() {
    finds("host.dom:8080/x", &[("scheme-trap", "host.dom", Low)]);
    finds("host.dom:80", &[("scheme-trap", "host.dom", Low)]);
    finds("x-odd://a@b@c/", &[("scheme-trap", "//a@b@c/", Low)]);
    finds_nothing(&["z39.50:x", "x-odd://host.dom/", "x-odd:1", "a.b:", "a.b:8x"]);
}

#[test]
fn e_33_hosts_and_users_are_not_options() {
    finds("telnet://-oProxyCommand@host.dom/", &[("host-option", "-oProxyCommand", High)]);
    finds("ftp://%2Dx@host.dom/", &[("enc-needless", "%2D", Low), ("host-option", "%2Dx", High)]);
    finds("mailto:-x@host.dom", &[("host-option", "-x", High)]);
    finds_nothing(&["ftp://a-b@host.dom/", "telnet://a:-b@host.dom/"][..1]);
}

#[test]
fn e_34_databases_of_another_host_are_refused() {
    finds("wais://host.dom/jobs%40inner.dom", &[("wais-forward", "%40", High)]);
    finds("wais://host.dom/a%40b%40c?words", &[("wais-forward", "%40", High)]);
    finds("wais://host.dom/%40/TEXT/x", &[("wais-forward", "%40", High)]);
    finds_nothing(&["wais://host.dom/jobs?joe%40host.dom", "wais://host.dom/jobs/TEXT/a%40b"]);
}

#[test]
fn e_35_users_of_another_host_are_refused() {
    finds_now("finger://host.dom/joe@inner.dom", &[("finger-forward", "@", High)]);
    finds_now("finger://host.dom/%2FW%20joe%40inner.dom@x", &[("finger-forward", "%40", High)]);
    finds_now("finger://host.dom/%40inner.dom", &[("finger-forward", "%40", High)]);
    finds_now("finger://host.dom/%2FW%20joe", &[]);
    finds("finger://host.dom/joe@inner.dom", &[]);
}

#[test]
fn an_escape_that_is_refused_is_told_with_the_reason() {
    for (text, message) in [
        ("mailto:%22a%0D%0A%20b%22@host.dom", "the local part contains a line end, which would start another header"),
        ("file:///a%00b", "`%00` decodes to an octet that is not allowed in portable file names"),
        ("ftp://a%40b@host.dom/", "the user contains the escape of a character that would end it"),
    ] {
        let url = Url::parse(text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(Audit::new().check(&url, Provenance::Given)[0].message().to_string(), message);
    }
}

#[test]
fn e_35_an_at_sign_is_named_once_whether_it_is_written_or_escaped() {
    for (text, mark) in [("finger://host.dom/joe@inner.dom", "@"), ("finger://host.dom/joe%40inner.dom", "%40")] {
        let url = Url::parse_with(text, Profile::Current).unwrap_or_else(|error| panic!("{error}"));
        let findings = Audit::new().check(&url, Provenance::Given);
        let found = findings.iter().find(|finding| finding.code() == "finger-forward").expect(text);
        let expected = format!("the user name asks the server to forward the query to the host after `{mark}`");
        assert_eq!(found.message().to_string(), expected);
    }
}

#[test]
fn rules_are_raised_lowered_and_silenced_by_id_or_number() {
    let url = Url::parse("http://host.dom:8080/a%0Ab").unwrap_or_else(|error| panic!("{error}"));
    let mut audit = Audit::new();
    assert!(audit.set("port-nondefault", Some(High)).is_ok());
    assert!(audit.set("e-05", Some(Medium)).is_ok());
    assert_eq!(
        found(&url, &audit, Provenance::Given),
        [("port-nondefault", "8080", High), ("ctl-crlf", "%0A", Medium)]
    );
    assert_eq!(audit.severity(audit::CTL_CRLF, urlwise::Scheme::Ftp), Some(Medium));
    assert!(audit.set("E-01", None).is_ok());
    assert_eq!(found(&url, &audit, Provenance::Given), [("ctl-crlf", "%0A", Medium)]);
    let error = audit.set("nonsense\u{1b}", None).err().map(|error| error.to_string());
    assert!(error.is_some_and(|error| error.contains("nonsense") && !error.contains('\u{1b}')));
}

#[test]
fn what_others_find_is_weighed_like_what_is_found_here() {
    let mut audit = Audit::new();
    let finding = || Finding::new(audit::READ_DIFFERENTLY, "ftp://a:secret@h.dom/", 8..14).with_severity(Medium);
    assert_eq!(audit.weigh(finding()).map(|finding| finding.severity()), Some(Medium));
    assert!(audit.set("E-32", Some(Low)).is_ok());
    assert_eq!(audit.weigh(finding()).map(|finding| finding.level()), Some(Level::Note));
    assert!(audit.set("E-32", None).is_ok());
    assert_eq!(audit.weigh(finding()), None);
}

#[test]
fn a_span_outside_the_text_is_cut_off() {
    assert_eq!(Finding::new(audit::REDIRECT, "http://h/", 5..99).span(), 5..9);
    let backwards = std::ops::Range { start: 50, end: 3 };
    assert_eq!(Finding::new(audit::REDIRECT, "http://h/", backwards).span(), 3..3);
}

#[test]
fn no_finding_shows_a_password() {
    for text in [
        "ftp://jim:MaRkEr@host.dom/",
        "ftp://jim:MaRk%00Er@host.dom/",
        "ftp://jim:MaRk%0D%0AEr@host.dom/",
        "telnet://jim:%FFMaRkEr@host.dom/",
        "ftp://jim:MaRkEr.dom@host.dom:25/",
        "ftp://jim:%4DaRkEr%2F@host.dom/-x",
        "http://host.dom/ftp://jim:MaRk%00Er@host.dom/",
        "x-odd://jim:MaRkEr%E9@host.dom/",
        "x-odd://a@jim:MaRkEr%E9@host.dom/",
    ] {
        let url = Url::parse(text).unwrap_or_else(|error| panic!("{error}"));
        let findings = Audit::new().check(&url, Provenance::Text);
        assert!(!findings.is_empty(), "{text}");
        for finding in findings {
            let shown = format!("{finding} {finding:?} {} {}", finding.message(), finding.help());
            assert!(!shown.contains("MaRk") && !shown.contains("Er") && !shown.contains("aRkEr"), "{shown}");
        }
    }
}

#[test]
fn of_each_rule_only_the_first_findings_are_reported() {
    let text = format!("http://host.dom:25/{}%00", "%61b".repeat(10_000));
    let url = Url::parse(text.as_str()).unwrap_or_else(|error| panic!("{error}"));
    let findings = Audit::new().check(&url, Provenance::Given);
    assert_eq!(findings.len(), usize::from(Audit::MOST) + 2);
    assert_eq!(findings.last().map(Finding::code), Some("ctl-nul"));
}

#[test]
fn a_finding_without_the_detail_of_its_rule_says_what_the_rule_fires_at() {
    for rule in RULES {
        for language in [Language::En, Language::from_locale("ja"), Language::from_locale("zh_CN")] {
            let message = Finding::new(rule, "http://host.dom:25/", 16..18).message_in(language).to_string();
            let has_hole = ["  ", " ,", " ;"].iter().any(|hole| message.contains(hole)) || message != message.trim();
            assert!(!has_hole && !message.is_empty(), "{}: {message}", rule.id);
        }
    }
    let finding = Finding::new(PORT_FOREIGN, "http://host.dom:25/", 16..18);
    assert_eq!(finding.message().to_string(), "the port belongs to another well-known text protocol");
    let finding = finding.with_detail("printers");
    assert!(finding.message().to_string().starts_with("port 25 belongs to printers, which"), "{finding}");
}
