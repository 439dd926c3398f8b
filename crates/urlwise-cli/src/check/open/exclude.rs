//! `--exclude` and `[exclude]` of urlwise.toml: links that are not opened.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::config::Config;
use crate::exit::Failure;

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
        return Err(format!("a pattern is longer than {LONGEST} octets"));
    }
    GlobBuilder::new(pattern)
        .build()
        .map_err(|error| urlwise::escape_for_display(error.to_string().as_bytes()).to_string())
}

fn set(globs: impl IntoIterator<Item = globset::Glob>) -> Result<GlobSet, Failure> {
    let mut set = GlobSetBuilder::new();
    for (number, glob) in globs.into_iter().enumerate() {
        if number == MOST {
            return Err(Failure::Input(format!("there are more than {MOST} patterns of links to exclude")));
        }
        set.add(glob);
    }
    set.build().map_err(|error| Failure::Input(error.to_string()))
}
