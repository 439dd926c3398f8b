//! `--include` and `--exclude`: patterns of what follows the host in a URL.

use globset::GlobSet;
use urlwise::Url;

use crate::exit::Failure;
use crate::language::about;
use crate::patterns;
use crate::robots::path_and_search;

/// Which URLs are saved.
#[derive(Debug)]
pub(super) struct Filter {
    /// Empty includes everything.
    include: GlobSet,
    exclude: GlobSet,
}

impl Filter {
    pub(super) fn new(include: &[String], exclude: &[String]) -> Result<Filter, Failure> {
        Ok(Filter { include: set("--include", include)?, exclude: set("--exclude", exclude)? })
    }

    /// Whether a document is saved.
    pub(super) fn includes(&self, url: &Url<&str>) -> bool {
        self.include.is_empty() || self.include.is_match(path_and_search(url))
    }

    /// Whether a URL is not even asked for.
    pub(super) fn excludes(&self, url: &Url<&str>) -> bool {
        self.exclude.is_match(path_and_search(url))
    }
}

fn set(option: &'static str, patterns: &[String]) -> Result<GlobSet, Failure> {
    let globs: Result<Vec<_>, _> = patterns.iter().map(|pattern| patterns::glob(pattern)).collect();
    globs.and_then(patterns::set).map_err(|why| Failure::Input(about(option, why)))
}

#[cfg(test)]
mod tests {
    use super::Filter;
    use crate::robots::path_and_search;
    use urlwise::{Profile, Url};

    #[test]
    fn patterns_match_what_follows_the_host() {
        let filter = |include: &[&str], exclude: &[&str]| {
            let owned = |patterns: &[&str]| patterns.iter().map(|pattern| (*pattern).to_owned()).collect::<Vec<_>>();
            Filter::new(&owned(include), &owned(exclude)).expect("patterns")
        };
        for (include, exclude, url, included, excluded) in [
            (&[][..], &[][..], "http://h.example/a", true, false),
            (&["*.txt"], &[], "ftp://u:p@h.example/a/b.txt", true, false),
            (&["*.txt", "/x*"], &[], "gopher://h.example/0/b.html", false, false),
            (&["/{a,b}/*"], &[], "file:///b/c", true, false),
            (&[], &["*/old/*"], "http://h.example/a/old/b", true, true),
            (&[], &["*\\?*"], "http://h.example?x", true, true),
            (&[], &["*h.example*"], "http://h.example", true, false),
        ] {
            let (filter, url) = (filter(include, exclude), Url::parse_with(url, Profile::Current).expect(url));
            assert_eq!(
                (filter.includes(&url), filter.excludes(&url)),
                (included, excluded),
                "{include:?} {exclude:?} {url:?}"
            );
        }
        assert_eq!(path_and_search(&Url::parse("http://h.example").expect("a URL")), "/");
    }
}
