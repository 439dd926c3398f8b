//! `--include` and `--exclude`: patterns of what follows the host in a URL.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use urlwise::{Message, Url};

use crate::exit::Failure;
use crate::language::{about, message};
use crate::robots::below_host;

/// The longest pattern, in octets, and how many there may be.
const LONGEST: usize = 1_000;
const MOST: usize = 1_000;

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
        self.include.is_empty() || self.include.is_match(below_host(url))
    }

    /// Whether a URL is not even asked for.
    pub(super) fn excludes(&self, url: &Url<&str>) -> bool {
        self.exclude.is_match(below_host(url))
    }
}

fn set(option: &'static str, patterns: &[String]) -> Result<GlobSet, Failure> {
    let failed = |why: Message| Failure::Input(about(option, why));
    if patterns.len() > MOST {
        return Err(failed(message!("there are more than {count} patterns", count = MOST)));
    }
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        if pattern.len() > LONGEST {
            return Err(failed(message!("a pattern is longer than {count} octets", count = LONGEST)));
        }
        let glob = GlobBuilder::new(pattern).build();
        set.add(glob.map_err(|error| failed(error.to_string().into()))?);
    }
    set.build().map_err(|error| failed(error.to_string().into()))
}

#[cfg(test)]
mod tests {
    use super::{Filter, LONGEST};
    use crate::robots::below_host;
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
        assert_eq!(below_host(&Url::parse("http://h.example").expect("a URL")), "/");
    }

    #[test]
    fn what_is_no_pattern_is_refused() {
        for pattern in ["[", "{a", &"a".repeat(LONGEST + 1)] {
            assert!(Filter::new(&[pattern.to_owned()], &[]).is_err(), "{pattern}");
        }
    }
}
