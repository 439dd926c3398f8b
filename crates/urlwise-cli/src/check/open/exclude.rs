//! `--exclude` and `[exclude]` of urlwise.toml: links that are not opened.

use globset::{Glob, GlobSet};
use urlwise_settings::Config;

use crate::exit::Failure;
use crate::language::{about, spoken};
use crate::patterns::{glob, set};

/// Patterns of links.
#[derive(Debug)]
pub(super) struct Exclude {
    urls: GlobSet,
    hosts: GlobSet,
}

impl Exclude {
    /// From the command line and the configuration file, which adds to it.
    pub(super) fn of(patterns: &[String], config: &Config) -> Result<Exclude, Failure> {
        let refused = |name: &'static str| move |why| Failure::Input(about(name, why));
        let given: Result<Vec<_>, _> = patterns.iter().map(|pattern| glob(pattern)).collect();
        let given = given.map_err(refused("--exclude"))?;
        let (urls, hosts) = config.excluded(|pattern| glob(pattern).map_err(spoken))?;
        let of = |globs: Vec<Glob>| set(globs).map_err(refused("exclude"));
        Ok(Exclude { urls: of([given, urls].concat())?, hosts: of(hosts)? })
    }

    /// Whether a link is excluded: its URL, its text, or its host.
    pub(super) fn contains(&self, url: &str, written: &str, host: Option<&str>) -> bool {
        self.urls.is_match(url)
            || self.urls.is_match(written)
            || host.is_some_and(|host| self.hosts.is_match(host.to_ascii_lowercase()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_excluded_by_its_url_its_text_or_its_host() {
        let of = |pattern| set([glob(pattern).unwrap()]);
        let exclude = Exclude { urls: of("*/old/*").ok().unwrap(), hosts: of("*.local").ok().unwrap() };
        assert!(exclude.contains("http://h.dom/old/x", "x", Some("h.dom")));
        assert!(exclude.contains("http://h.dom/x", "../old/x", Some("h.dom")));
        assert!(exclude.contains("http://a.LOCAL/x", "x", Some("a.LOCAL")));
        assert!(!exclude.contains("http://h.dom/x", "x", Some("h.dom")));
    }
}
