//! Relative references, from a base that is parsed already to a URL that is valid. How to run it: see `race`.

use std::hint::black_box;
use std::io;
use std::process::ExitCode;

use urlwise::{Profile, Url};
use urlwise_bench::race::{self, Job, Runner};

/// RFC 3986 section 5.4, all but the two that are not http URLs.
const EXAMPLES: &[&str] = &[
    "g",
    "./g",
    "g/",
    "/g",
    "//g",
    "?y",
    "g?y",
    "#s",
    "g#s",
    "g?y#s",
    ";x",
    "g;x",
    "g;x?y#s",
    "",
    ".",
    "./",
    "..",
    "../",
    "../g",
    "../..",
    "../../",
    "../../g",
    "../../../g",
    "../../../../g",
    "/./g",
    "/../g",
    "g.",
    ".g",
    "g..",
    "..g",
    "./../g",
    "./g/.",
    "g/./h",
    "g/../h",
    "g;x=1/./y",
    "g;x=1/../y",
    "g?y/./x",
    "g?y/../x",
    "g#s/./x",
    "g#s/../x",
];

/// Links as pages hold them.
const LINKS: &[&str] = &[
    "index.html",
    "overview.html#introduction",
    "/",
    "/pub/rfc/rfc1738.txt",
    "../images/logo.gif",
    "../../help/",
    "search?q=uniform+resource+locators",
    "?page=2",
    "#top",
    "chapter%201/section%202.html",
    "//www.example.org/mirror/",
    "http://www.example.net/a/b/c.html",
    "ftp://ftp.example.com/pub/README",
    "mailto:webmaster@example.com",
    "docs/manual/options/network/timeouts.html",
    "./local.html",
    "/cgi-bin/counter?id=17&style=plain",
    "a/../b/c.html",
];

fn main() -> io::Result<ExitCode> {
    let jobs = [
        job("examples", "http://a/b/c/d;p?q", EXAMPLES),
        job("links", "http://www.example.com/documents/standards/urls/index.html", LINKS),
    ];
    race::main("resolve", &jobs)
}

/// # Panics
/// If one of the crates refuses the base: it is one of the two above.
fn job<'a>(name: &str, text: &'static str, references: &'a [&'a str]) -> Job<'a> {
    let [current, rfc1738] = [Profile::Current, Profile::Rfc1738].map(|profile| Url::parse_with(text, profile));
    let current = current.expect("valid under current");
    let rfc1738 = rfc1738.expect("valid under rfc1738");
    let fluent = fluent_uri::Uri::parse(text).expect("valid under RFC 3986");
    let oxiri = oxiri::Iri::parse(text).expect("valid under RFC 3987");
    let url = url::Url::parse(text).expect("valid to WHATWG");
    let runners = vec![
        Runner::each("urlwise", references, move |text| current.resolve(text).map(black_box).is_ok()),
        Runner::each("urlwise-rfc1808", references, move |text| rfc1738.resolve(text).map(black_box).is_ok()),
        Runner::each("fluent-uri", references, move |text| {
            let reference = fluent_uri::UriRef::parse(*text);
            reference.is_ok_and(|reference| reference.resolve_against(&fluent).map(black_box).is_ok())
        }),
        Runner::each("oxiri", references, move |text| {
            let reference = oxiri::IriRef::parse(*text);
            reference.is_ok_and(|reference| oxiri.resolve(&reference).map(black_box).is_ok())
        }),
        Runner::each("url", references, move |text| url.join(text).map(black_box).is_ok()),
    ];
    Job { name: name.to_owned(), parts: references.len(), octets: None, runners }
}
