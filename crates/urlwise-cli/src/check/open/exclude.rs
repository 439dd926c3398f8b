//! `--exclude` and `[exclude]` of urlwise.toml: links that are not opened.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use urlwise_settings::Config;

use crate::exit::Failure;
use crate::language::said;

/// The longest pattern, in octets, and how many there may be.
const LONGEST: usize = 1_000;
const MOST: usize = 1_000;

/// Patterns of links.
#[derive(Debug)]
pub(super) struct Exclude {
    urls: GlobSet,
    hosts: GlobSet,
}

impl Exclude {
    /// From the command line and the configuration file, which adds to it.
    pub(super) fn of(patterns: &[String], config: &Config) -> Result<Exclude, Failure> {
        let option = |why: String| Failure::Input(format!("--exclude: {why}"));
        let given: Result<Vec<_>, _> = patterns.iter().map(|pattern| glob(pattern).map_err(option)).collect();
        let (urls, hosts) = config.excluded(glob)?;
        Ok(Exclude { urls: set(given?.into_iter().chain(urls))?, hosts: set(hosts)? })
    }

    /// Whether a link is excluded: its URL, its text, or its host.
    pub(super) fn contains(&self, url: &str, written: &str, host: Option<&str>) -> bool {
        self.urls.is_match(url)
            || self.urls.is_match(written)
            || host.is_some_and(|host| self.hosts.is_match(host.to_ascii_lowercase()))
    }
}

/// Reads a pattern.
fn glob(pattern: &str) -> Result<globset::Glob, String> {
    if pattern.len() > LONGEST {
        return Err(said!("a pattern is longer than {count} octets", count = LONGEST));
    }
    GlobBuilder::new(pattern)
        .build()
        .map_err(|error| urlwise::escape_for_display(error.to_string().as_bytes()).to_string())
}

fn set(globs: impl IntoIterator<Item = globset::Glob>) -> Result<GlobSet, Failure> {
    let mut set = GlobSetBuilder::new();
    for (number, glob) in globs.into_iter().enumerate() {
        if number == MOST {
            return Err(Failure::Input(said!(
                "there are more than {count} patterns of links to exclude",
                count = MOST
            )));
        }
        set.add(glob);
    }
    set.build().map_err(|error| Failure::Input(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_has_so_many_octets_at_most() {
        assert!(glob(&"a".repeat(LONGEST)).is_ok());
        assert!(glob(&"a".repeat(LONGEST + 1)).is_err());
    }

    #[test]
    fn there_are_so_many_patterns_at_most() {
        let patterns = |count| std::iter::repeat_n(glob("a").unwrap(), count);
        assert!(set(patterns(MOST)).is_ok());
        assert!(set(patterns(MOST + 1)).is_err());
    }

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
