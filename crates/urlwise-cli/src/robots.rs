//! robots.txt (RFC 9309): what a server asks programs not to fetch, and where its sitemaps are.

use memchr::memmem;
use urlwise::{Profile, Url};
use urlwise_formats::BYTE_ORDER_MARK;
use urlwise_open::{Error, ErrorKind, Realm};

/// The name by which the rules of a file address this program.
const AGENT: &str = "urlwise";

/// The most rules of one file, and the longest one in octets; what is beyond is not read (S-57).
const MOST_RULES: usize = 1_000;
const LONGEST_RULE: usize = 2_000;
/// The most sitemaps of one file.
const MOST_SITEMAPS: usize = 100;

/// How much of a file is read, in octets: what RFC 9309 section 2.5 asks for at least.
pub(crate) const LONGEST: usize = 500 << 10;

/// The rules for this program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Robots {
    rules: Vec<Directive>,
    sitemaps: Vec<Sitemap>,
}

/// Where a sitemap is, as a file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sitemap {
    /// The line, from 1.
    pub(crate) line: usize,
    /// A URL, as it is written.
    pub(crate) url: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Directive {
    allows: bool,
    /// The beginning of paths, [comparable], where `*` stands for any octets and a final `$` for the end.
    pattern: Vec<u8>,
}

impl Robots {
    /// No rules: everything is allowed.
    pub(crate) fn absent() -> Robots {
        Robots::default()
    }

    /// Nothing is allowed: the server could not say.
    pub(crate) fn unknown() -> Robots {
        Robots { rules: vec![Directive { allows: false, pattern: b"/".to_vec() }], sitemaps: Vec::new() }
    }

    /// What follows from a file that could not be read (RFC 9309 sections 2.3.1.3 and 2.3.1.4): one that is not there forbids nothing, a
    /// server that fails everything.
    pub(crate) fn unread(error: &Error) -> Robots {
        let answered = matches!(error.kind(), ErrorKind::NotFound | ErrorKind::Login | ErrorKind::Server);
        if answered && !error.is_transient() { Robots::absent() } else { Robots::unknown() }
    }

    /// Whether nothing is allowed because nothing is known.
    pub(crate) fn is_unknown(&self) -> bool {
        *self == Robots::unknown()
    }

    /// The sitemaps that the file names, for every program.
    pub(crate) fn sitemaps(&self) -> &[Sitemap] {
        &self.sitemaps
    }

    /// The rules of all groups for this program, otherwise those for every program.
    pub(crate) fn parse(text: &[u8]) -> Robots {
        let (mut own, mut others) = (None::<Vec<Directive>>, Vec::new());
        // Whom the group is for, and whether its rules have begun.
        let (mut is_own, mut is_others, mut has_rules) = (false, false, true);
        let mut sitemaps = Vec::new();
        let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        let lines = text.split(|octet| *octet == b'\n').enumerate();
        let lines =
            lines.flat_map(|(index, line)| line.split(|octet| *octet == b'\r').map(move |line| (index + 1, line)));
        for (number, line) in lines {
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
                b"sitemap" => {
                    let is_kept = !value.is_empty() && value.len() <= LONGEST_RULE && sitemaps.len() < MOST_SITEMAPS;
                    if is_kept {
                        sitemaps.push(Sitemap { line: number, url: value.to_vec() });
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
            let last = value.len() - 1;
            let pattern = comparable(value, |at| value[at] == b'*' || at == last);
            let rule = Directive { allows, pattern };
            let own = own.as_mut().filter(|rules| is_own && rules.len() < MOST_RULES);
            if let Some(own) = own {
                own.push(rule.clone());
            }
            if is_others && others.len() < MOST_RULES {
                others.push(rule);
            }
        }
        Robots { rules: own.unwrap_or(others), sitemaps }
    }

    /// Whether a URL may be fetched.
    pub(crate) fn permits(&self, url: &Url<&str>) -> bool {
        self.allows(path_and_search(url))
    }

    /// Whether a path with its search may be fetched: the longest rule that matches decides, of equal ones that which allows.
    fn allows(&self, path: &str) -> bool {
        let path = comparable(path.as_bytes(), |_| false);
        let matching = self.rules.iter().filter(|rule| matches(&rule.pattern, &path));
        matching.max_by_key(|rule| (rule.pattern.len(), rule.allows)).is_none_or(|rule| rule.allows)
    }
}

/// The path of a URL with its search, as written; `/` if there is neither.
pub(crate) fn path_and_search<'u>(url: &'u Url<&str>) -> &'u str {
    match &url.as_str()[url.spans().path.start..] {
        "" => "/",
        path => path,
    }
}

/// The URL of the file of a server; `None` if the server has none.
pub(crate) fn url_of(server: &Realm) -> Option<Url<String>> {
    Url::parse_with(format!("{server}/robots.txt"), Profile::Current).ok()
}

/// A path or a pattern as it is compared (RFC 9309 section 2.2.2): letters, digits and `-._~` are not escaped, escapes have capitals, and what a
/// URL cannot hold is escaped. So are `*` and `$`, but where they are special (section 2.2.3).
fn comparable(text: &[u8], is_special: impl Fn(usize) -> bool) -> Vec<u8> {
    let mut comparable = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        // An escape becomes one octet.
        let escape = text.get(at..at + 3).map(urlwise::decode).filter(|decoded| decoded.len() == 1);
        let octet = escape.as_deref().map_or(text[at], |decoded| decoded[0]);
        let stays = match octet {
            b'*' | b'$' => is_special(at),
            octet => b"/?:@!&'()+,;=[]#%".contains(&octet),
        };
        if octet.is_ascii_alphanumeric() || b"-._~".contains(&octet) || stays && escape.is_none() {
            comparable.push(octet);
        } else {
            comparable.extend(format!("%{octet:02X}").into_bytes());
        }
        at += if escape.is_some() { 3 } else { 1 };
    }
    comparable
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
    use super::{LONGEST_RULE, MOST_RULES, MOST_SITEMAPS, Robots, matches};
    use proptest::prelude::*;
    use urlwise_open::protocol::{Fault, FaultKind};
    use urlwise_open::{Error, ErrorKind};

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
    fn paths_and_rules_are_compared_in_one_spelling() {
        for (rule, path, allowed) in [
            ("/~joe/", "/%7Ejoe/a", false),
            ("/%70riv/", "/priv/b", false),
            ("/a%3cd", "/a%3Cd", false),
            ("/a%3Cd", "/a<d", false),
            ("/\u{e9}", "/%C3%A9", false),
            ("/a%2Fb", "/a/b", true),
            ("/a/b", "/a%2fb", true),
            ("/file-with-a-%2A.html", "/file-with-a-*.html", false),
            ("/a%2A", "/ab", true),
            ("/a%24", "/a$b", false),
            ("/a$b", "/a%24b", false),
            ("/a$", "/a%24", true),
            ("/100%", "/100%x", false),
        ] {
            let robots = Robots::parse(format!("User-agent: *\nDisallow: {rule}\n").as_bytes());
            assert_eq!(robots.allows(path), allowed, "{rule} {path}");
        }
    }

    #[test]
    fn a_byte_order_mark_is_not_part_of_the_first_line() {
        assert!(!Robots::parse("\u{feff}User-agent: *\nDisallow: /\n".as_bytes()).allows("/"));
    }

    #[test]
    fn sitemaps_are_for_every_program_and_bounded() {
        let text = b"Sitemap: http://a/1#x\r\nUser-agent: other\r\nDisallow: /\n SITEMAP :http://a/2 \nsitemap:\n";
        let robots = Robots::parse(text);
        let found: Vec<_> = robots.sitemaps().iter().map(|one| (one.line, one.url.as_slice())).collect();
        assert_eq!(found, [(1, &b"http://a/1"[..]), (4, b"http://a/2")]);
        assert!(robots.allows("/") && !robots.is_unknown());
        let group = Robots::parse(b"User-agent: *\nSitemap: http://a/\nUser-agent: urlwise\nDisallow: /x\n");
        assert!(!group.allows("/x"), "a sitemap does not end a group");
        let many = "Sitemap: x\n".repeat(MOST_SITEMAPS + 1);
        assert_eq!(Robots::parse(many.as_bytes()).sitemaps().len(), MOST_SITEMAPS);
        let long = format!("Sitemap: {}\nSitemap: {}\n", "a".repeat(LONGEST_RULE + 1), "b".repeat(LONGEST_RULE));
        assert_eq!(Robots::parse(long.as_bytes()).sitemaps().len(), 1);
    }

    #[test]
    fn a_file_that_is_not_there_forbids_nothing_and_a_server_that_fails_everything() {
        for kind in ErrorKind::ALL {
            let robots = Robots::unread(&Error::new(*kind, "it failed"));
            let is_answer = matches!(kind, ErrorKind::NotFound | ErrorKind::Login);
            assert_eq!((robots.allows("/"), robots.is_unknown()), (is_answer, !is_answer), "{kind}");
        }
        // The server fails, or has decided.
        for (lasting, is_absent) in [(false, false), (true, true)] {
            let fault = Fault::new(FaultKind::Server, "RFC 9110", "no").code(403).lasting(lasting);
            assert_eq!(Robots::unread(&Error::from(fault)) == Robots::absent(), is_absent);
        }
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
