//! The guard: what is refused, and by which codes; what is allowed; addresses; and how few real URLs are refused.

use std::net::IpAddr;
use urlwise::{Language, Profile};
use urlwise_readings::guard::{Guard, HostPattern, ReasonCode, SchemeName, Verdict};
use urlwise_readings::{Reader, Readings};

fn codes(verdict: &Verdict) -> Vec<&'static str> {
    verdict.reasons().iter().map(|reason| reason.code().id()).collect()
}

fn refused(guard: &Guard, url: &str) -> Vec<&'static str> {
    codes(&guard.check(url.as_bytes()))
}

fn ip(text: &str) -> IpAddr {
    text.parse().expect(text)
}

fn scheme(name: &str) -> SchemeName {
    name.parse().expect(name)
}

fn pattern(text: &str) -> HostPattern {
    text.parse().expect(text)
}

#[test]
fn ordinary_urls_are_allowed() {
    let guard = Guard::new();
    for url in [
        "http://h.example/",
        "HTTPS://H.example:8443/a/../b?c=d#e",
        "https://joe:secret@h.example/",
        "http://h.example./",
        "http://8.8.8.8/",
        "https://[2606:4700::1]:443/",
        "http://[::ffff:8.8.8.8]/",
        "http://a_b.example/x y",
        "http://h.example/\u{e9}",
        "http://h.example:65535/",
        "http://h.example:1/",
        "https://\"h.example/",
        "http://xn--bcher-kva.example/",
    ] {
        assert_eq!(refused(&guard, url), [""; 0], "{url}");
    }
}

#[test]
fn each_code_is_given_for_what_it_says() {
    let guard = Guard::new();
    for (url, expected) in [
        ("http://[/", &["not-a-url"][..]),
        ("\u{1}", &["octet-ambiguous", "scheme-not-allowed"]),
        ("http://h.example/a\tb", &["octet-ambiguous"]),
        ("http://h.example/a\u{7f}b", &["octet-ambiguous"]),
        (" http://h.example/", &["octet-ambiguous"]),
        ("http://h.example/ ", &["octet-ambiguous"]),
        (r"http://good.example\@evil.example/", &["hosts-differ"]),
        ("http:/evil.example/", &["hosts-differ"]),
        ("http://b\u{fc}cher.example/", &["hosts-differ"]),
        ("http://evil.example:080/", &[]),
        ("ftp://h.example/", &["scheme-not-allowed"]),
        ("file:///etc/passwd", &["scheme-not-allowed"]),
        ("javascript:alert(1)", &["scheme-not-allowed"]),
        ("mailto:joe@h.example", &["hosts-differ", "scheme-not-allowed"]),
        ("/a/b", &["scheme-not-allowed"]),
        ("http://-oProxyCommand=id/", &["host-invalid"]),
        ("http://-evil.example/", &["host-invalid"]),
        ("http://evil.example&.good.example/", &["host-invalid"]),
        ("http://evil.example;.good.example/", &["host-invalid"]),
        ("http://./", &["host-invalid"]),
        ("http://1.2.3.4.5/", &["host-invalid"]),
        ("http://h.example:0/", &["port-invalid"]),
        ("http://h.example:65536/", &["port-invalid"]),
        ("http://a@good.example@evil.example/", &["octet-ambiguous"]),
        ("http://[@evil.example/", &["octet-ambiguous"]),
        ("http://a:]@evil.example/", &["octet-ambiguous"]),
        ("http://evil.example &@good.example/", &["octet-ambiguous"]),
        ("http://h.example:81 ", &["ports-differ"]),
        ("http://h.example:+80/", &["port-invalid"]),
        ("http://joe@h.example/a@b@c[d]", &[]),
        ("http://localhost/", &["name-local"]),
        ("http://intranet/", &["name-local"]),
        ("http://a.LOCALHOST./", &["name-local"]),
        ("http://db.internal/", &["name-local"]),
        ("http://localhost4/", &["name-local"]),
        ("http://localhost6.localdomain6:8080/", &["name-local"]),
        ("http://_gateway/", &["name-local"]),
        ("http://127.0.0.1/", &["address-private"]),
        ("http://10.0.0.1/", &["address-private"]),
        ("http://100.64.0.1/", &["address-private"]),
        ("http://192.0.2.1/", &["address-private"]),
        ("http://198.18.0.1/", &["address-private"]),
        ("http://224.0.0.1/", &["address-private"]),
        ("http://255.255.255.255/", &["address-private"]),
        ("http://0.0.0.0/", &["address-private"]),
        ("http://240.0.0.1/", &["address-private"]),
        ("http://[::]/", &["address-private"]),
        ("http://[fd00::1]/", &["address-private"]),
        ("http://[fe80::1]/", &["address-private"]),
        ("http://[::ffff:192.168.0.1]/", &["address-private"]),
        ("http://[64:ff9b::a00:1]/", &["address-private"]),
        ("http://[64:ff9b:1::808:808]/", &["address-private"]),
        ("http://[2002:a00:1::]/", &["address-private"]),
        ("http://169.254.169.254/", &["address-metadata"]),
        ("http://100.100.100.200/", &["address-metadata"]),
        ("http://[fd00:ec2::254]/", &["address-metadata"]),
        ("http://[::ffff:a9fe:a9fe]/", &["address-metadata"]),
        ("http://metadata.google.internal/", &["address-metadata"]),
        ("http://[fe80::1%25eth0]/", &["hosts-differ", "address-private"]),
        ("http://127.1/", &["hosts-differ", "address-private"]),
        ("http://2130706433/", &["hosts-differ", "address-private"]),
        ("http://127.0.0.%31/", &["hosts-differ", "address-private"]),
        ("http://010.8.8.8/", &["hosts-differ", "address-private"]),
        (r"http://169.254.169.254\@10.0.0.1/", &["hosts-differ", "address-private", "address-metadata"]),
        (r"ftp://a.example\@b.example", &["hosts-differ", "scheme-not-allowed"]),
        ("evil.example:80/x", &["hosts-differ", "scheme-not-allowed"]),
    ] {
        assert_eq!(refused(&guard, url), expected, "{url:?}");
    }
}

/// A program that drops the dot reaches what no rule of names and addresses sees.
#[test]
fn a_host_with_an_empty_label_is_refused_and_one_dot_at_the_end_is_not() {
    let guard = Guard::new().readers(&[Reader::Whatwg, Reader::Urlsplit, Reader::Curl, Reader::Go]).allow_private();
    for url in [
        "http://127.0.0.1../",
        "http://127.1../",
        "http://localhost../",
        "http://metadata.google.internal../",
        "http://a..example.com/",
        "http://.example.com/",
        "http://../",
    ] {
        assert!(refused(&guard, url).contains(&"host-invalid"), "{url}: {:?}", refused(&guard, url));
        let all = refused(&Guard::new().allow_private(), url);
        assert!(all.iter().any(|code| ["host-invalid", "hosts-differ"].contains(code)), "{url}: {all:?}");
    }
    let below = Guard::new().allow_hosts([pattern("*.example.com")]);
    assert_eq!(refused(&below, "http://a..example.com/"), ["host-invalid"]);
    assert_eq!(refused(&below, "http://a.example.com./"), [""; 0]);
    assert!("*.a..example".parse::<HostPattern>().is_err());
}

#[test]
fn schemes_that_name_no_server_need_no_host() {
    let guard = Guard::new().allow_schemes(["FILE", "mailto", "ftp", "x-odd"].map(scheme));
    for url in ["file:///etc/motd", "file://localhost/etc/motd", "ftp://h.example/", "x-odd:a"] {
        assert_eq!(refused(&guard, url), [""; 0], "{url}");
    }
    assert_eq!(refused(&guard, "http://h.example/"), ["scheme-not-allowed"]);
    // A misspelt name is said to be what is allowed.
    let slip = Guard::new().allow_schemes([scheme("htttp")]).check(b"http://h.example/");
    assert_eq!(slip.reasons()[0].sentence(), "the scheme is http; allowed are htttp");
    assert_eq!(refused(&Guard::new().allow_schemes([]), "http://h.example/"), ["scheme-not-allowed"]);
    // Unless only some hosts are allowed.
    let some = guard.clone().allow_hosts([pattern("good.example")]);
    for url in ["file:///etc/motd", "file://localhost/etc/motd", "x-odd:a"] {
        assert_eq!(refused(&some, url), ["host-missing"], "{url}");
    }
    assert_eq!(refused(&some, "file://good.example/etc/motd"), [""; 0]);
    let sentence = guard.check(b"http://h.example/").reasons()[0].sentence().to_owned();
    assert_eq!(sentence, "the scheme is http; allowed are file, mailto, ftp, x-odd");
    let one = Guard::new().readers(&[Reader::Urlsplit]);
    assert_eq!(refused(&one, "http:///x"), ["host-missing"]);
    assert_eq!(refused(&one, "/x"), ["scheme-not-allowed"]);
}

/// What a single reader accepts is still judged as other programs may read it.
#[test]
fn with_one_reader_a_host_has_to_be_plain() {
    let guard = Guard::new().readers(&[Reader::Urlsplit]);
    for (url, expected) in [
        ("http://h.example/", &[][..]),
        ("http://127.0.0.%31/", &["host-invalid", "address-private"]),
        ("http://169.254.169.%32%35%34/", &["host-invalid", "address-metadata"]),
        ("http://2130706433/", &["host-invalid", "address-private"]),
        ("http://0177.0.0.1/", &["host-invalid", "address-private"]),
        ("http://0x8.8.8.8/", &["host-invalid"]),
        ("http://127.0.0.1./", &["host-invalid", "address-private"]),
        ("http://\u{ff11}\u{ff12}\u{ff17}.0.0.1/", &["host-invalid", "address-private"]),
        ("http://local%68ost/", &["host-invalid", "name-local"]),
        (r"http://a\b.example/", &["octet-ambiguous", "host-invalid"]),
        (r"http:\\h.example/", &["octet-ambiguous", "host-missing"]),
        (r"http://h.example/a\b?c\d#e\f", &[]),
        (r"http://h.example?c\d", &[]),
        (r"http://h.example#c\d", &[]),
        ("http://h.ex\tample/", &["octet-ambiguous"]),
        ("http://h.example:99999/", &["port-invalid"]),
        ("http://h.example:port/", &["port-invalid"]),
        ("http://[fe80::1%25eth0]/", &["host-invalid", "address-private"]),
    ] {
        assert_eq!(refused(&guard, url), expected, "{url:?}");
    }
    let two = Guard::new().readers(&[Reader::Urllib3, Reader::Curl]);
    assert_eq!(refused(&two, "h.example/x"), ["schemes-differ", "scheme-not-allowed"]);
    assert_eq!(refused(&Guard::new().readers(&[]), "http://h.example/"), ["not-a-url"]);
}

#[test]
fn only_allowed_hosts_pass_and_each_reader_has_to_see_one() {
    let guard = Guard::new().allow_hosts([pattern("good.example"), pattern("*.good.example")]);
    for url in ["http://good.example/", "https://GOOD.example.:8080/", "http://a.b.good.example/"] {
        assert_eq!(refused(&guard, url), [""; 0], "{url}");
    }
    for url in ["http://evil.example/", "http://agood.example/", "http://good.example.evil.example/", "http://8.8.8.8/"]
    {
        assert_eq!(refused(&guard, url), ["host-not-allowed"], "{url}");
    }
    assert_eq!(refused(&guard, r"http://good.example\@evil.example/"), ["hosts-differ", "host-not-allowed"]);
    let none = Guard::new().allow_hosts([]);
    assert_eq!(refused(&none, "http://good.example/"), ["host-not-allowed"]);
    let address = Guard::new().allow_hosts([pattern("10.0.0.1")]);
    assert_eq!(refused(&address, "http://10.0.0.1/"), ["address-private"]);
    assert_eq!(refused(&address.allow_private(), "http://10.0.0.1/"), [""; 0]);
}

#[test]
fn a_name_that_only_the_network_inside_knows_is_local() {
    let guard = Guard::new();
    for host in
        ["intranet", "redis:6379", "REDIS.", "wiki.corp", "nas.home", "Router.LAN.", "a.b.private", "x.intranet"]
    {
        let url = format!("http://{host}/");
        assert_eq!(refused(&guard, &url), ["name-local"], "{url}");
        assert_eq!(refused(&Guard::new().allow_private(), &url), [""; 0], "{url}");
    }
    for host in ["corp.example", "home.example.", "lan.dom", "mycorp.example", "8.8.8.8", "[2606:4700::1]"] {
        assert_eq!(refused(&guard, &format!("http://{host}/")), [""; 0], "{host}");
    }
    // What is an address is no name as well.
    assert_eq!(refused(&guard, "http://2130706433/"), refused(&guard, "http://017700000001/"));
    let allowed = Guard::new().allow_hosts([pattern("redis")]);
    assert_eq!(refused(&allowed, "http://redis:6379/"), ["name-local"]);
}

#[test]
fn private_addresses_can_be_allowed_and_metadata_never() {
    let guard = Guard::new().allow_private();
    for url in
        ["http://127.0.0.1:8080/", "http://localhost/", "http://printer.local/", "http://[fe80::1]/", "http://0.0.0.0/"]
    {
        assert_eq!(refused(&guard, url), [""; 0], "{url}");
    }
    for url in
        ["http://169.254.169.254/", "http://metadata.google.internal/", "http://metadata/", "http://[fd00:ec2::254]/"]
    {
        assert_eq!(refused(&guard, url), ["address-metadata"], "{url}");
    }
    assert_eq!(refused(&guard, "http://127.1/"), ["hosts-differ"]);
}

/// One of each provider, as its documentation has it.
#[test]
fn the_metadata_services_of_all_known_clouds_are_never_allowed() {
    let guard = Guard::new().allow_private();
    for host in [
        "169.254.169.254",
        "[fd00:ec2::254]",
        "[fd20:ce::254]",
        "100.100.100.200",
        "192.0.0.192",
        "168.63.129.16",
        "169.254.0.23",
        "169.254.42.42",
        "[fd00:42::42]",
        "[::ffff:169.254.42.42]",
        "[fd00:c1::a9fe:a9fe]",
        "[fd00:a9fe:a9fe::1]",
        "[fd00:100::100:200]",
        "169.254.169.250",
        "rancher-metadata",
        "[64:ff9b:1::a9fe:a9fe]",
        "[64:ff9b:1:a9fe:a9:fe00::]",
        "[fe80::5efe:169.254.169.254]",
    ] {
        assert_eq!(refused(&guard, &format!("http://{host}/")), ["address-metadata"], "{host}");
    }
}

#[test]
fn addresses_are_what_to_connect_to() {
    let guard = Guard::new();
    let literal = guard.check(b"http://[2606:4700::1]:8080/");
    assert_eq!(literal.addresses(), Some(&[ip("2606:4700::1")][..]));
    assert_eq!(guard.check(b"http://h.example/").addresses(), None);
    assert_eq!(guard.check(b"http://127.0.0.1/").addresses(), None);

    let found = vec![ip("8.8.8.8"), ip("2606:4700::1")];
    let look_up = |host: &str, port: u16| {
        assert_eq!((host, port), ("h.example", 8443));
        Ok::<_, String>(found.clone())
    };
    let verdict = guard.check_resolved(b"https://H.example:8443/", look_up);
    assert!(verdict.is_ok());
    assert_eq!(verdict.addresses(), Some(&found[..]));
}

#[test]
fn one_address_that_is_not_public_refuses_the_name() {
    let check = |guard: &Guard, addresses: &[&str]| {
        let addresses = addresses.iter().map(|address| ip(address)).collect();
        guard.check_resolved(b"http://h.example/", |_, _| Ok::<_, String>(addresses))
    };
    let guard = Guard::new();
    let verdict = check(&guard, &["8.8.8.8", "10.0.0.1", "127.0.0.1"]);
    assert_eq!(codes(&verdict), ["address-private"]);
    assert_eq!(verdict.reasons()[0].sentence(), "`h.example` has the address 10.0.0.1, which is private");
    assert_eq!(verdict.addresses(), None);
    assert_eq!(codes(&check(&guard, &["169.254.169.254", "::1"])), ["address-private", "address-metadata"]);
    assert_eq!(codes(&check(&guard, &[])), ["host-unresolved"]);
    assert!(check(&guard.clone().allow_private(), &["10.0.0.1"]).is_ok());
    assert_eq!(codes(&check(&guard.allow_private(), &["10.0.0.1", "::ffff:169.254.169.254"])), ["address-metadata"]);
}

#[test]
fn nothing_is_looked_up_for_a_refused_url_or_an_address() {
    let never = |_: &str, _: u16| -> Result<Vec<IpAddr>, String> { panic!("looked up") };
    let guard = Guard::new();
    assert!(!guard.check_resolved(b"ftp://h.example/", never).is_ok());
    assert!(guard.check_resolved(b"http://8.8.8.8/", never).is_ok());
    let failed = guard.check_resolved(b"http://h.example/", |_, _| Err("no\x1bsuch host"));
    assert_eq!(codes(&failed), ["host-unresolved"]);
    assert!(failed.reasons()[0].sentence().starts_with("no"));
    assert!(!failed.reasons()[0].to_string().contains('\x1b'));
}

#[test]
fn hosts_are_given_by_reader_and_passwords_are_masked() {
    let readers = [Reader::Go, Reader::Urlsplit, Reader::Urllib3, Reader::Go];
    let verdict = Guard::new().readers(&readers).check(br"http://127.0.0.1\@1.1.1.1");
    let hosts: Vec<_> = verdict.hosts().collect();
    let expected = [(Reader::Go, None), (Reader::Urlsplit, Some("1.1.1.1")), (Reader::Urllib3, Some("127.0.0.1"))];
    assert_eq!(hosts, expected);
    let verdict = Guard::new().readers(&[Reader::Urlsplit]).check(b"http:///x");
    assert_eq!(verdict.hosts().collect::<Vec<_>>(), [(Reader::Urlsplit, Some(""))]);

    let verdict = Guard::new().check(b"ftp://jim:s3cret.example?x@h.example/");
    let said: String = verdict.reasons().iter().map(ToString::to_string).collect();
    assert!(!format!("{said}{verdict:?}").contains("s3cret"), "{said}");
    assert!(verdict.hosts().all(|(_, host)| host.is_none_or(|host| !host.contains("s3cret"))));
}

#[test]
fn long_hosts_are_cut() {
    let guard = Guard::new().readers(&[Reader::Urlsplit]);
    for (length, shown) in [(253, "a".repeat(253)), (254, "a".repeat(253) + "...")] {
        let verdict = guard.check(format!("http://{}/", "a".repeat(length)).as_bytes());
        assert_eq!(verdict.hosts().next(), Some((Reader::Urlsplit, Some(shown.as_str()))));
    }
}

#[test]
fn a_name_longer_than_253_octets_is_refused_whatever_it_is_made_of() {
    for host in ["a".repeat(300), "A.".repeat(40_000), "1.".repeat(40_000), format!("xn--{}", "a".repeat(1000))] {
        assert_eq!(refused(&Guard::new(), &format!("http://{host}/")), ["host-invalid"], "{} octets", host.len());
    }
    let shortened = format!("http://0x{}7f000001/", "0".repeat(1000));
    assert_eq!(refused(&Guard::new(), &shortened), ["hosts-differ", "address-private"]);
    for host in ["\u{ad}".repeat(40_000) + "127.0.0.1", "\u{4e2d}".repeat(40_000)] {
        assert!(!refused(&Guard::new(), &format!("http://{host}/")).is_empty());
    }
}

#[test]
fn a_login_that_is_too_long_for_the_reader_of_whatwg_is_refused_where_that_one_is_asked() {
    let guard = Guard::new().allow_schemes([scheme("ftp")]);
    let text = |octets: usize| format!("ftp://{}@h.example/", "u".repeat(octets - "@h.example".len()));
    assert_eq!(refused(&guard, &text(8_192)), [""; 0]);
    let long = text(8_193);
    assert_eq!(refused(&guard, &long), ["authority-length"]);
    let verdict = guard.check_resolved(long.as_bytes(), |_, _| -> Result<Vec<IpAddr>, String> { panic!("looked up") });
    assert_eq!(
        verdict.reasons()[0].sentence(),
        Readings::of(&long, Profile::Current).objection_in(Reader::Whatwg, Language::En).unwrap()
    );
    assert_eq!(refused(&guard.readers(&[Reader::Rfc3986, Reader::Urlsplit]), &long), [""; 0]);
    // What is wrong besides is the better reason.
    assert_eq!(refused(&Guard::new(), &long), ["scheme-not-allowed"]);
}

#[test]
fn codes_are_unique_and_reported_in_their_order() {
    let ids: Vec<_> = ReasonCode::ALL.iter().map(|code| code.id()).collect();
    for (number, id) in ids.iter().enumerate() {
        assert!(!ids[..number].contains(id) && id.contains('-'), "{id}");
    }
    assert!(ReasonCode::ALL.is_sorted());
}

#[test]
fn the_profile_is_that_of_rfc_1738() {
    let guard = Guard::new().readers(&[Reader::Rfc1738]);
    assert_eq!(refused(&guard, "https://h.example/"), [""; 0]);
    assert_eq!(refused(&guard.profile(Profile::Rfc1738), "http://h.example/~a"), ["not-a-url"]);
}

/// Of the URLs that people wrote, at most one in 250 is refused, and only for what it names; of the web of today none.
#[test]
fn real_urls_are_allowed() {
    let sets = concat!(env!("CARGO_MANIFEST_DIR"), "/../urlwise-bench/sets/real");
    let (mut all, mut refusals) = (0, Vec::new());
    for (file, guard) in [
        ("web.txt", Guard::new()),
        ("old-http.txt", Guard::new()),
        ("old-ftp.txt", Guard::new().allow_schemes([scheme("ftp")])),
        ("files.txt", Guard::new().allow_schemes([scheme("file")])),
    ] {
        let text = std::fs::read(format!("{sets}/{file}")).expect("the sets are there");
        for url in text.split(|octet| *octet == b'\n').filter(|url| !url.is_empty()) {
            all += 1;
            let verdict = guard.check(url);
            if !verdict.is_ok() {
                assert_ne!(file, "web.txt", "{}", String::from_utf8_lossy(url));
                refusals.push(format!("{}: {:?}", String::from_utf8_lossy(url), codes(&verdict)));
            }
        }
    }
    assert!(all >= 4_000, "{all} URLs");
    assert!(refusals.len() * 250 <= all, "{} of {all}: {refusals:#?}", refusals.len());
}
