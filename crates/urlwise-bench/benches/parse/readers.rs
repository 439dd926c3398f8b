//! The parsers that are measured: each reads a URL and then every part that it can name.
//!
//! A rival is asked for its parts whole. So is urlwise, which divides a path into segments only when they are walked: as
//! `urlwise`, it hands each list of parts out whole; as `urlwise-walking`, it goes through them all, which is work that no
//! rival does here.

use std::hint::black_box;

use urlwise_bench::sets::Set;

use crate::ours;

/// A parser, as the bench sees it.
pub(crate) struct Reader {
    /// The name of its crate.
    pub(crate) name: &'static str,
    /// Read all URLs once by RFC 1738 and by its successors, which for a rival is the same, and return how many are accepted.
    passes: [fn(&[String]) -> usize; 2],
}

impl Reader {
    const fn rival(name: &'static str, pass: fn(&[String]) -> usize) -> Self {
        Reader { name, passes: [pass, pass] }
    }

    /// What reads the URLs of a set.
    pub(crate) fn pass(&self, set: &Set) -> fn(&[String]) -> usize {
        self.passes[usize::from(set.is_current)]
    }
}

/// The name of our own crate among the parsers.
pub(crate) const OURS: &str = "urlwise";

/// The same, going through the lists of parts.
pub(crate) const WALKING: &str = "urlwise-walking";

/// All parsers, in the order in which they are shown.
pub(crate) const READERS: [Reader; 6] = [
    Reader {
        name: OURS,
        passes: [|urls| count(urls, ours::read::<false, false>), |urls| count(urls, ours::read::<false, true>)],
    },
    Reader {
        name: WALKING,
        passes: [|urls| count(urls, ours::read::<true, false>), |urls| count(urls, ours::read::<true, true>)],
    },
    Reader::rival("oxiri", |urls| count(urls, oxiri)),
    Reader::rival("fluent-uri", |urls| count(urls, fluent_uri)),
    Reader::rival("ada-url", |urls| count(urls, ada_url)),
    Reader::rival("url", |urls| count(urls, url)),
];

/// Whether a parser is a rival.
pub(crate) fn is_rival(name: &str) -> bool {
    ![OURS, WALKING].contains(&name)
}

/// The loop is compiled anew for each parser, so that none pays for a call through a pointer for each URL.
fn count(urls: &[String], read: impl Fn(&str) -> bool) -> usize {
    urls.iter().filter(|url| read(black_box(url.as_str()))).count()
}

fn oxiri(text: &str) -> bool {
    let Ok(iri) = oxiri::Iri::parse(text) else {
        return false;
    };
    black_box(iri.scheme());
    black_box(iri.authority());
    black_box(iri.path());
    black_box(iri.query());
    black_box(iri.fragment());
    true
}

fn fluent_uri(text: &str) -> bool {
    let Ok(uri) = fluent_uri::Uri::parse(text) else {
        return false;
    };
    black_box(uri.scheme());
    if let Some(authority) = uri.authority() {
        black_box(authority.userinfo());
        black_box(authority.host_parsed());
        black_box(authority.port());
    }
    black_box(uri.path());
    black_box(uri.query());
    black_box(uri.fragment());
    true
}

fn ada_url(text: &str) -> bool {
    let Ok(url) = ada_url::Url::parse(text, None) else {
        return false;
    };
    black_box(url.protocol());
    black_box(url.username());
    black_box(url.password());
    black_box(url.hostname());
    black_box(url.port());
    black_box(url.pathname());
    black_box(url.search());
    black_box(url.hash());
    true
}

fn url(text: &str) -> bool {
    let Ok(url) = url::Url::parse(text) else {
        return false;
    };
    black_box(url.scheme());
    black_box(url.username());
    black_box(url.password());
    black_box(url.host());
    black_box(url.port_or_known_default());
    black_box(url.path());
    black_box(url.query());
    black_box(url.fragment());
    true
}
