//! robots.txt (RFC 9309): what a server asks programs not to fetch.

use memchr::memmem;

/// The name by which the rules of a file address this program.
const AGENT: &str = "urlwise";

/// The most rules of one file, and the longest one in octets; what is beyond is not read (S-57).
const MOST_RULES: usize = 1_000;
const LONGEST_RULE: usize = 2_000;

/// How much of a file is read, in octets: what RFC 9309 section 2.5 asks for at least.
pub(super) const LONGEST: u64 = 500 << 10;

/// The rules for this program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Robots {
    rules: Vec<Directive>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Directive {
    allows: bool,
    /// The beginning of paths, where `*` stands for any octets and a final `$` for the end.
    pattern: Vec<u8>,
}

impl Robots {
    /// No rules: everything is allowed.
    pub(super) fn absent() -> Robots {
        Robots::default()
    }

    /// Nothing is allowed: the server could not say.
    pub(super) fn unknown() -> Robots {
        Robots { rules: vec![Directive { allows: false, pattern: b"/".to_vec() }] }
    }

    /// The rules of all groups for this program, otherwise those for every program.
    pub(super) fn parse(text: &[u8]) -> Robots {
        let (mut own, mut others) = (None::<Vec<Directive>>, Vec::new());
        // Whom the group is for, and whether its rules have begun.
        let (mut is_own, mut is_others, mut has_rules) = (false, false, true);
        for line in text.split(|octet| matches!(octet, b'\n' | b'\r')) {
            let line = line.split(|octet| *octet == b'#').next().unwrap_or_default();
            let Some(colon) = line.iter().position(|octet| *octet == b':') else { continue };
            let (key, value) = (line[..colon].trim_ascii().to_ascii_lowercase(), line[colon + 1..].trim_ascii());
            let allows = match &key[..] {
                b"user-agent" => {
                    if std::mem::take(&mut has_rules) {
                        (is_own, is_others) = (false, false);
                    }
                    is_own |= value.eq_ignore_ascii_case(AGENT.as_bytes());
                    is_others |= value == b"*";
                    if is_own {
                        own.get_or_insert_default();
                    }
                    continue;
                }
                b"allow" => true,
                b"disallow" => false,
                _ => continue,
            };
            has_rules = true;
            // An empty rule matches nothing.
            if value.is_empty() || value.len() > LONGEST_RULE {
                continue;
            }
            let rule = Directive { allows, pattern: value.to_vec() };
            let own = own.as_mut().filter(|rules| is_own && rules.len() < MOST_RULES);
            if let Some(own) = own {
                own.push(rule.clone());
            }
            if is_others && others.len() < MOST_RULES {
                others.push(rule);
            }
        }
        Robots { rules: own.unwrap_or(others) }
    }

    /// Whether a path with its search may be fetched: the longest rule that matches decides, of equal ones that which allows.
    pub(super) fn allows(&self, path: &str) -> bool {
        let matching = self.rules.iter().filter(|rule| matches(&rule.pattern, path.as_bytes()));
        matching.max_by_key(|rule| (rule.pattern.len(), rule.allows)).is_none_or(|rule| rule.allows)
    }
}

/// Whether a pattern matches the beginning of a path. Each octet of the path is looked at about once.
fn matches(pattern: &[u8], path: &[u8]) -> bool {
    let (pattern, to_the_end) = match pattern.strip_suffix(b"$") {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let mut pieces = pattern.split(|octet| *octet == b'*');
    let Some(mut rest) = path.strip_prefix(pieces.next().unwrap_or_default()) else { return false };
    let pieces: Vec<_> = pieces.collect();
    let Some((last, middle)) = pieces.split_last() else { return !to_the_end || rest.is_empty() };
    for piece in middle {
        let Some(at) = memmem::find(rest, piece) else { return false };
        rest = &rest[at + piece.len()..];
    }
    if to_the_end { rest.ends_with(last) } else { memmem::find(rest, last).is_some() }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_RULE, MOST_RULES, Robots, matches};
    use proptest::prelude::*;

    #[test]
    fn the_group_of_this_program_counts_and_otherwise_that_of_all() {
        let text =
            b"User-agent: *\nDisallow: /a\n\nUser-Agent: other\nUser-agent: URLWISE\nDisallow: /b # why\nAllow: /b/c\n\
            User-agent: urlwise\r\ndisallow:/d\n";
        let robots = Robots::parse(text);
        for (path, allowed) in [("/a", true), ("/b", false), ("/b/c", true), ("/d/e", false), ("/", true)] {
            assert_eq!(robots.allows(path), allowed, "{path}");
        }
        let robots = Robots::parse(b"User-agent: other\nDisallow: /\nUser-agent: *\nDisallow: /a\nDisallow:\n");
        assert_eq!(["/a", "/b"].map(|path| robots.allows(path)), [false, true]);
        let robots = Robots::parse(b"User-agent: *\nDisallow: /\nUser-agent: urlwise\nDisallow:\n");
        assert!(robots.allows("/a"), "a group without rules allows everything");
        assert!(Robots::parse(b"Disallow: /\n").allows("/"), "a rule before any group is for nobody");
    }

    #[test]
    fn the_longest_rule_decides_and_of_equal_ones_that_which_allows() {
        let robots = Robots::parse(b"User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /x\nAllow: /x\n");
        for (path, allowed) in [("/a/c", false), ("/a/b/c", true), ("/x", true)] {
            assert_eq!(robots.allows(path), allowed, "{path}");
        }
        assert!(!Robots::unknown().allows("/") && Robots::absent().allows("/"));
    }

    #[test]
    fn a_star_is_anything_and_a_dollar_the_end() {
        for (pattern, path, expected) in [
            ("/a", "/ab", true),
            ("/a$", "/a", true),
            ("/a$", "/ab", false),
            ("/*.php", "/x.php?y", true),
            ("/*.php$", "/x.php?y", false),
            ("/*.php$", "/x.php.php", true),
            ("/a*b*c", "/aXbXc", true),
            ("/a*b*c", "/aXcXb", false),
            ("/a*$", "/abc", true),
            ("*", "/", true),
            ("/ab", "/a", false),
            ("/a*a$", "/a", false),
        ] {
            assert_eq!(matches(pattern.as_bytes(), path.as_bytes()), expected, "{pattern} {path}");
        }
    }

    #[test]
    fn security_57_rules_are_bounded() {
        let many = format!("User-agent: *\n{}Disallow: /last\n", "Disallow: /x\n".repeat(MOST_RULES));
        assert!(Robots::parse(many.as_bytes()).allows("/last"));
        let most = format!("User-agent: *\n{}Disallow: /last\n", "Disallow: /x\n".repeat(MOST_RULES - 1));
        assert!(!Robots::parse(most.as_bytes()).allows("/last"));
        let long = format!("User-agent: *\nDisallow: /{}\n", "a".repeat(LONGEST_RULE));
        assert!(Robots::parse(long.as_bytes()).allows(&format!("/{}", "a".repeat(LONGEST_RULE))));
        let longest = format!("/{}", "a".repeat(LONGEST_RULE - 1));
        assert!(!Robots::parse(format!("User-agent: *\nDisallow: {longest}\n").as_bytes()).allows(&longest));
    }

    proptest! {
        #[test]
        fn security_55_no_file_makes_it_panic(octets in any::<Vec<u8>>(), text in "(user-agent|allow|disallow|\\*|:|\n|/|\\$|a){0,30}") {
            Robots::parse(&octets).allows("/");
            Robots::parse(text.as_bytes()).allows("/a");
        }
    }
}
