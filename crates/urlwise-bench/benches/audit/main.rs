//! The audit of URLs that are parsed already, beside the parsing: what a check of many URLs costs on top. There is no rival.
//!
//! The sets `...-odd` hold a finding in every URL. How to run it: see `race`.

use std::hint::black_box;
use std::io;
use std::process::ExitCode;

use urlwise::Url;
use urlwise::audit::{Audit, Provenance};
use urlwise_bench::race::{self, Job, Runner};
use urlwise_bench::sets;

static AUDIT: Audit = Audit::new();

fn main() -> io::Result<ExitCode> {
    let plain = sets::all().into_iter().filter(|set| set.valid == Some(true));
    let mut texts: Vec<(String, Vec<String>)> = plain.map(|set| (set.name, set.urls)).collect();
    let odd: Vec<_> =
        texts.iter().filter(|(name, _)| ["ftp", "http", "file"].contains(&name.as_str())).cloned().collect();
    texts.extend(
        odd.into_iter().map(|(name, urls)| (format!("{name}-odd"), urls.iter().map(|url| odd_one(url)).collect())),
    );
    let jobs: Vec<Job<'_>> = texts.iter().map(|(name, urls)| job(name, urls)).collect();
    race::main("audit", &jobs)
}

fn job<'a>(name: &str, urls: &'a [String]) -> Job<'a> {
    let parsed: Vec<Url<&str>> = urls.iter().filter_map(|url| Url::parse(url.as_str()).ok()).collect();
    let audited = |url: &&Url<&str>| {
        black_box(AUDIT.check(black_box(url), Provenance::Text));
        true
    };
    let runners = vec![
        Runner { name: "urlwise", pass: Box::new(move || parsed.iter().filter(audited).count()) },
        Runner::each("urlwise-parse", urls, |url| black_box(Url::parse(url.as_str())).is_ok()),
    ];
    Job { name: name.to_owned(), parts: urls.len(), octets: None, runners }
}

/// The URL with a dot segment and a needless escape behind its last slash.
fn odd_one(url: &str) -> String {
    let at = url
        .rfind('/')
        .filter(|at| *at > url.find("//").map_or(0, |slashes| slashes + 1))
        .map_or(url.len(), |at| at + 1);
    let slash = if at == url.len() && !url.ends_with('/') { "/" } else { "" };
    format!("{}{slash}../%61{}", &url[..at], &url[at..])
}
