//! Patterns of links, as options and urlwise.toml have them: `*`, `?`, `[ab]` and `{a,b}`.

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use urlwise::Message;
use urlwise_explain::secret;

use crate::language::message;

/// The longest pattern, in octets, and how many there may be.
const LONGEST: usize = 1_000;
const MOST: usize = 1_000;

/// Reads a pattern, or says what is wrong with it, without a password that it may hold (S-14).
pub(crate) fn glob(pattern: &str) -> Result<Glob, Message> {
    if pattern.len() > LONGEST {
        return Err(message!("a pattern is longer than {count} octets", count = LONGEST));
    }
    GlobBuilder::new(pattern).build().map_err(|error| {
        let shown = secret::covered_option(pattern).into_owned();
        message!("{text}: {message}", text = shown, message = error.kind().to_string())
    })
}

/// What matches any of these patterns.
pub(crate) fn set(patterns: impl IntoIterator<Item = Glob>) -> Result<GlobSet, Message> {
    let mut set = GlobSetBuilder::new();
    for (number, pattern) in patterns.into_iter().enumerate() {
        if number == MOST {
            return Err(message!("there are more than {count} patterns", count = MOST));
        }
        set.add(pattern);
    }
    set.build().map_err(|error| error.to_string().into())
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
    fn what_is_no_pattern_is_refused() {
        for pattern in ["[", "{a"] {
            assert!(glob(pattern).is_err(), "{pattern}");
        }
    }
}
