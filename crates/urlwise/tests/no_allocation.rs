//! Parsing allocates nothing, whether the text is a URL or not, and neither does looking at its parts.
//!
//! The allocator that counts is a global one, so these tests are a program of their own.

use std::hint::black_box;

use allocation_counter::measure;
use urlwise::find::Finder;
use urlwise::registry::{NewScheme, Registry, Syntax};
use urlwise::{Locator, NormalForm, Profile, Scheme, Url};

/// For each scheme URLs that use all its parts, and texts that its grammar refuses early and late.
const TEXTS: [(Scheme, &[&str], &[&str]); 11] = [
    (
        Scheme::Ftp,
        &["ftp://host.dom", "ftp://user:p%40ss@host.dom:2121/%2Fetc//motd;type=a"],
        &["ftp:/host.dom/x", "ftp://a@b@host.dom/x", "ftp://host.dom/a;type=x"],
    ),
    (
        Scheme::Http,
        &["http://host.dom", "http://192.0.2.1:8080/a//b%2Fc;d?e=f&g"],
        &["http://", "http://user@host.dom/", "http://host.dom/a?b#c"],
    ),
    (
        Scheme::Gopher,
        &["gopher://host.dom", "gopher://host.dom:7070/7search%09words%20to%20find%09+view"],
        &["gopher://host_dom/", "gopher://host.dom:70000/", "gopher://host.dom/0a%0Db"],
    ),
    (
        Scheme::Mailto,
        &["mailto:joe@host.dom", "mailto:%22Joe%20Q%22.public@%5B192.0.2.1%5D"],
        &["mailto:", "mailto:joe", "mailto:joe@host.dom@again"],
    ),
    (
        Scheme::News,
        &["news:*", "news:comp.infosystems.www.misc", "news:a%25b/c$1@host.dom"],
        &["news:", "news:1.group", "news:id@host_dom"],
    ),
    (
        Scheme::Nntp,
        &["nntp://host.dom/alt.test", "nntp://host.dom:1119/comp.lang.c++/12345"],
        &["nntp://host.dom", "nntp://host.dom/", "nntp://host.dom/alt.test/12x"],
    ),
    (
        Scheme::Telnet,
        &["telnet://host.dom", "telnet://user:password@host.dom:23/"],
        &["telnet:", "telnet://host.dom:x/", "telnet://host.dom/path"],
    ),
    (
        Scheme::Wais,
        &["wais://host.dom/db", "wais://host.dom:210/db?words", "wais://host.dom/db/TEXT/0%201%202"],
        &["wais://host.dom", "wais://host.dom/db/TEXT", "wais://host.dom/db?a?b"],
    ),
    (
        Scheme::File,
        &["file:///etc/motd", "file://localhost/a/b%20c?d"],
        &["file:/etc/motd", "file://host.dom:80/x", "file:///c|/x"],
    ),
    (
        Scheme::Prospero,
        &["prospero://host.dom//pros/name", "prospero://host.dom:1525/pros/name;key=value;k=v"],
        &["prospero://host.dom", "prospero:///x", "prospero://host.dom/x;key"],
    ),
    (
        Scheme::Other,
        &["x:", "urn:isbn:0451450523", "ldap://user@host.dom:389/c=GB?one"],
        &["", ":x", "no scheme", "x:a b", "x:caf\u{e9}", "x:%4"],
    ),
];

#[test]
fn reading_a_url_and_its_parts_allocates_nothing() {
    for (scheme, urls, _) in TEXTS {
        for text in urls {
            for profile in [Profile::Rfc1738, Profile::Current] {
                let mut read = None;
                let counted = measure(|| {
                    read = Url::parse_with(*text, profile).ok().map(|url| {
                        look_at(&url);
                        url.scheme()
                    });
                });
                assert_eq!(read, Some(scheme), "{text}");
                assert_eq!(counted.count_total, 0, "{text} under {profile}");
            }
        }
    }
}

#[test]
fn refusing_a_text_allocates_nothing() {
    for (_, _, texts) in TEXTS {
        for text in texts {
            let mut refused = false;
            let counted = measure(|| {
                refused = Url::parse(*text).is_err_and(|error| {
                    let problem = error.problem();
                    black_box((problem.span(), problem.section(), problem.decision()));
                    true
                });
            });
            assert!(refused, "{text}");
            assert_eq!(counted.count_total, 0, "{text}");
        }
    }
}

#[test]
fn a_long_url_of_many_parts_allocates_nothing() {
    let ftp = format!("ftp://host.dom/{}name", "cwd%20/".repeat(10_000));
    let prospero = format!("prospero://host.dom/x{}", ";field=value".repeat(10_000));
    for text in [&ftp, &prospero] {
        let mut valid = false;
        let counted = measure(|| {
            if let Ok(url) = Url::parse(text.as_str()) {
                look_at(&url);
                valid = true;
            }
        });
        assert!(valid);
        assert_eq!(counted.count_total, 0);
    }
}

#[test]
fn the_counter_sees_an_allocation() {
    let counted = measure(|| {
        black_box(Url::parse("news:*").ok().map(|url| url.to_owned()));
    });
    assert_eq!(counted.count_total, 1);
}

/// Asks for the parts in both ways there are: the list of all, and the typed view with its lists.
fn look_at(url: &Url<&str>) {
    black_box((url.scheme_name(), url.schemepart(), url.user(), url.password(), url.host(), url.port_or_default()));
    for part in url.parts() {
        black_box((part.name(), part.span(), part.octets()));
    }
    match url.locator() {
        Locator::Ftp(ftp) => {
            for cwd in ftp.cwds() {
                black_box(cwd.octets().count());
            }
        }
        Locator::Http(http) => {
            black_box(http.segments().count());
        }
        Locator::Gopher(gopher) => {
            black_box((gopher.gtype(), gopher.selector(), gopher.search(), gopher.gopherplus()));
        }
        Locator::Prospero(prospero) => {
            black_box(prospero.fields().count());
        }
        locator => {
            black_box(locator);
        }
    }
}

#[test]
fn reading_by_a_registry_allocates_nothing() {
    let mut registry = Registry::new();
    for name in ["x-a", "x-b", "x-c"] {
        let scheme = NewScheme::new(name, Syntax::Internet).with_default_port(1).with_check(|_| Ok(()));
        assert!(registry.register(scheme).is_ok());
    }
    let texts = ["X-B://user:password@host.dom/x", "x-b:x", "x-c://host.dom:99999/", "http://host.dom/", "x-d:y"];
    let counted = measure(|| {
        for text in texts {
            let _ = black_box(registry.parse(black_box(text)));
        }
    });
    assert_eq!(counted.count_total, 0);
}

#[test]
fn finding_allocates_only_to_join_lines() {
    let text = b"see http://host.dom/a, <URL:ftp://host.dom/b> URL:news:comp.lang.c ::: mailto:jim@host.dom <http://host.dom/c#d>";
    let count = || {
        Finder::new()
            .hits(black_box(text))
            .map(|hit| black_box((hit.is_valid(), hit.source(3))))
            .filter(|hit| hit.0)
            .count()
    };
    let mut found = 0;
    assert_eq!(measure(|| found = count()).count_total, 0);
    assert_eq!(found, 5);
    let joined = || Finder::new().hits(black_box(b"<URL:http://host.\ndom/>")).count();
    assert!(measure(|| found = joined()).count_total > 0);
}

#[test]
fn a_normal_form_takes_memory_once() {
    for text in ["http://HOST.dom/%7ea", "http://host.dom:080/~a~b", "HTTP://host.dom/%41%42%43", "http://host.dom/a"] {
        let url = Url::parse_current(text).unwrap();
        let mut normal = None;
        let counted = measure(|| normal = Some(url.normalize(black_box(NormalForm::Scheme))));
        let is_same = normal.is_some_and(|normal| normal == text);
        // There is room for two escapes more.
        let expected = if is_same { (0, 0) } else { (1, text.len() as u64 + 4) };
        assert_eq!((counted.count_total, counted.bytes_total), expected, "{text}");
    }
}
