//! URLs in texts, beside linkify, squeeze and a regular expression. How to run it: see `race`.
//!
//! A part is a URL that was put into the text; finders that find more or fewer follow other rules: linkify knows no schemes without `//`, and
//! squeeze and the expression ask for nothing behind a known scheme but some octets. Ours is measured alone and with the
//! question whether each hit is a valid URL of the profile `current`, which no other answers.

mod texts;

use std::hint::black_box;
use std::io;
use std::process::ExitCode;

use linkify::{LinkFinder, LinkKind};
use regex::bytes::Regex;
use squeeze::Finder as _;
use squeeze::scanner::Scanner;
use squeeze::uri::URI;
use urlwise::find::Finder;
use urlwise::{Profile, Scheme};
use urlwise_bench::race::{self, Job, Runner};

use texts::Text;

fn main() -> io::Result<ExitCode> {
    let texts = texts::all();
    let jobs: Vec<_> = texts.iter().map(job).collect();
    race::main("find", &jobs)
}

/// The schemes to look for, for every finder that takes a list of them.
fn schemes() -> impl Iterator<Item = &'static str> {
    Scheme::ALL.iter().filter_map(|scheme| scheme.name())
}

fn uri() -> URI {
    let mut uri = URI::default();
    schemes().for_each(|scheme| uri.add_scheme(scheme));
    uri
}

/// # Panics
/// If the expression is not valid: it is written here.
fn expression(flags: &str) -> Regex {
    let names: Vec<_> = schemes().collect();
    let expression = format!(r#"{flags}\b(?:{}):[^\s<>"`{{}}|\\^]+"#, names.join("|"));
    Regex::new(&expression).expect("a regular expression")
}

fn job(text: &Text) -> Job<'_> {
    let whole = text.text.as_str();
    let octets = whole.as_bytes();
    let mut linkify = LinkFinder::new();
    linkify.kinds(&[LinkKind::Url]);
    let [uri, scanned] = [uri(), uri()];
    let scanner = Scanner::new(vec![Box::new(scanned)]);
    let [any_case, lower_case] = ["(?i-u)", "(?-u)"].map(expression);
    let runners = vec![
        runner("urlwise", move || Finder::new().hits(black_box(octets)).map(black_box).count()),
        runner("urlwise, valid", move || {
            let hits = Finder::new().profile(Profile::Current).hits(black_box(octets));
            hits.filter(|hit| black_box(hit.is_valid())).count()
        }),
        runner("linkify", move || linkify.links(black_box(whole)).map(black_box).count()),
        runner("squeeze", move || {
            let mut rest = black_box(whole);
            let mut found = 0;
            while let Some(range) = uri.find(rest) {
                rest = &rest[black_box(range).end..];
                found += 1;
            }
            found
        }),
        runner("squeeze, scanner", move || {
            let mut found = 0;
            scanner.scan_buffer_matches(black_box(whole), |_, range| {
                black_box(range);
                found += 1;
                false
            });
            found
        }),
        runner("regex", move || any_case.find_iter(black_box(octets)).map(black_box).count()),
        runner("regex, lower case", move || lower_case.find_iter(black_box(octets)).map(black_box).count()),
    ];
    Job { name: text.name.to_owned(), parts: text.urls, octets: Some(whole.len()), runners }
}

fn runner<'a>(name: &'static str, pass: impl Fn() -> usize + 'a) -> Runner<'a> {
    Runner { name, pass: Box::new(pass) }
}
