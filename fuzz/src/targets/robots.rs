//! Any octets as robots.txt: reading ends, rules for others change nothing, and rules for this program
//! count alone.
//!
//! The input is the path up to the first `FE`, then the file. The reader is a file of the program, which is no library.

#[path = "../../../crates/urlwise-cli/src/robots.rs"]
#[expect(dead_code, reason = "the program uses more of it")]
mod robots;

use robots::Robots;
use urlwise::{Profile, Url};

pub(crate) fn run(input: &[u8]) {
    let at = input.iter().position(|octet| *octet == 0xfe).unwrap_or(input.len());
    let (path, file) = (&input[..at], input.get(at + 1..).unwrap_or_default());
    let url = format!("http://h.example/{}", String::from_utf8_lossy(path));
    let Ok(url) = Url::parse_with(&url[..], Profile::Current) else { return };
    let robots = Robots::parse(file);
    let permits = robots.permits(&url);
    assert!(permits || !file.is_empty(), "nothing forbids nothing");
    // The empty rule ends the last group.
    let others = [file, b"\nDisallow:\nUser-agent: other\nDisallow: /\n"].concat();
    assert_eq!(Robots::parse(&others).permits(&url), permits);
    // Of rules for this program, those for every program do not count.
    let own = Robots::parse(b"User-agent: urlwise\nDisallow: /\nUser-agent: *\nAllow: /\n");
    assert!(!own.permits(&url));
    assert!(robots.sitemaps().iter().all(|sitemap| !sitemap.url.is_empty() && sitemap.line > 0));
}
