//! Normal forms, from the text: a URL is parsed and its normal form taken, which is what the parser of `url` does in one.
//!
//! fluent-uri decodes less (only what RFC 3986 calls unreserved) and takes dot segments away; `url` encodes, and takes dot
//! segments away. `-odd` sets are the same URLs in odd dress: upper-case schemes and hosts, needless escapes. How to run it is
//! described in `race`.

use std::hint::black_box;
use std::io;
use std::process::ExitCode;

use urlwise::{NormalForm, Profile, Url};
use urlwise_bench::race::{self, Job, Runner};
use urlwise_bench::sets;

fn main() -> io::Result<ExitCode> {
    let plain = sets::all().into_iter().filter(|set| set.valid == Some(true));
    let mut texts: Vec<(String, Vec<String>)> = plain.map(|set| (set.name, set.urls)).collect();
    let odd = texts.iter().filter(|(name, _)| ["ftp", "http", "gopher", "file", "long"].contains(&name.as_str()));
    let odd: Vec<_> =
        odd.map(|(name, urls)| (format!("{name}-odd"), urls.iter().map(|url| dress(url)).collect())).collect();
    texts.extend(odd);
    let jobs: Vec<Job<'_>> = texts.iter().map(|(name, urls)| job(name, urls)).collect();
    race::main("normalize", &jobs)
}

fn job<'a>(name: &str, urls: &'a [String]) -> Job<'a> {
    let runners = vec![
        Runner::each("urlwise", urls, |text| ours(text, NormalForm::Scheme)),
        Runner::each("urlwise-safe", urls, |text| ours(text, NormalForm::Safe)),
        Runner::each("fluent-uri", urls, |text| {
            fluent_uri::Uri::parse(text.as_str()).map(|uri| black_box(uri.normalize())).is_ok()
        }),
        Runner::each("url", urls, |text| url::Url::parse(text).map(black_box).is_ok()),
    ];
    Job { name: name.to_owned(), parts: urls.len(), octets: None, runners }
}

fn ours(text: &str, form: NormalForm) -> bool {
    let url = Url::parse_with(text, Profile::Rfc1738);
    url.map(|url| {
        black_box(url.normalize(form));
    })
    .is_ok()
}

/// The URL with an upper-case scheme and host, and every eighth letter of its path as an escape.
fn dress(url: &str) -> String {
    let path = url.find("//").and_then(|at| Some(at + 2 + url[at + 2..].find('/')?));
    let (authority, path) = url.split_at(path.unwrap_or(url.len()));
    let user = authority.rfind('@').map_or(0, |at| at + 1);
    let scheme = authority.find(':').unwrap_or(0);
    let mut odd = authority[..scheme].to_ascii_uppercase() + &authority[scheme..user.max(scheme)];
    odd += &authority[user.max(scheme)..].to_ascii_uppercase();
    // Typecodes, gopher types and what stands in escapes stay as they are.
    let end = path.find(";type=").unwrap_or(path.len());
    let mut after_escape = 2;
    for (at, octet) in path.bytes().enumerate() {
        after_escape = if octet == b'%' { 0 } else { after_escape + 1 };
        match octet {
            b'a'..=b'z' if at % 8 == 7 && at < end && after_escape > 2 => odd += &format!("%{octet:02x}"),
            _ => odd.push(char::from(octet)),
        }
    }
    odd
}
