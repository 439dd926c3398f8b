//! Ignore files, `.gitignore` and its like: which files of a folder are skipped, by ripgrep's rules.
//!
//! The crate `ignore` matches patterns. What is read of a file, within which limits, and which file decides is here.

use std::fmt;
use std::path::{Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::BYTE_ORDER_MARK;

/// The longest ignore file, in octets.
pub const LONGEST: u64 = 256 << 10;
/// The most patterns of one ignore file. Compiling them takes time and memory.
const MOST_PATTERNS: usize = 2_000;
/// The most patterns in force at a time: those of a folder and of all folders above it.
const MOST_IN_FORCE: usize = 5_000;
/// The most `{` of a pattern. They may stand within one another, and each is a call within a call: some thousands overflow the stack, and
/// more than 80 make the whole file one that cannot be compiled.
const MOST_BRACES: usize = 64;

/// The ignore files of a folder, the strongest first; git's own is the last.
const NAMES: [&str; 3] = [".rgignore", ".ignore", ".gitignore"];
/// From here on the kinds belong to git: they are in force within a repository only.
const FIRST_OF_GIT: usize = 2;

/// What is decided about an entry of a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// A pattern matches.
    Skip,
    /// A pattern with `!` matches: it is read even if it is hidden.
    Keep,
}

/// Why nothing of an ignore file is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It has more patterns than this.
    TooMany(usize),
    /// Its patterns would take too much memory.
    TooLarge,
}

/// The lines of an ignore file that are not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The number of the first, from 1.
    pub line: usize,
    /// How many follow.
    pub more: usize,
    /// What is wrong with the first.
    pub why: Why,
}

/// Why a line is not used. The line is not quoted: it may be long, and hold a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// It is not UTF-8.
    NotUtf8,
    /// It has more `{` than this.
    TooManyBraces(usize),
    /// What the crate `ignore` says, in English.
    Pattern(String),
}

/// The patterns of an ignore file.
#[derive(Clone)]
pub struct Patterns(Gitignore);

impl fmt::Debug for Patterns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} patterns", self.len())
    }
}

impl From<Gitignore> for Patterns {
    fn from(patterns: Gitignore) -> Patterns {
        Patterns(patterns)
    }
}

impl Patterns {
    /// Those of a file that is not there.
    pub fn none() -> Patterns {
        Patterns(Gitignore::empty())
    }

    /// Reads an ignore file for the entries of a folder and of those below it, if it has at most so many patterns.
    ///
    /// ```
    /// use std::path::Path;
    /// use urlwise_formats::ignored::{Decision, Patterns};
    ///
    /// let (patterns, wrong) = Patterns::parse(b"*.log\n!keep.log\n{\n", Path::new("/a"), 100).expect("it is short");
    /// assert_eq!(patterns.decide(Path::new("/a/b/x.log"), false), Some(Decision::Skip));
    /// assert_eq!(patterns.decide(Path::new("/a/b/keep.log"), false), Some(Decision::Keep));
    /// assert_eq!(wrong.expect("braces do not end").line, 3);
    /// ```
    pub fn parse(octets: &[u8], folder: &Path, most: usize) -> Result<(Patterns, Option<Wrong>), Refused> {
        let octets = octets.strip_prefix(BYTE_ORDER_MARK).unwrap_or(octets);
        let is_pattern = |line: &&[u8]| !line.trim_ascii().is_empty() && !line.starts_with(b"#");
        let lines = || octets.split(|octet| *octet == b'\n').enumerate().filter(|(_, line)| is_pattern(line));
        let most = most.min(MOST_PATTERNS);
        if lines().nth(most).is_some() {
            return Err(Refused::TooMany(most));
        }
        let mut builder = GitignoreBuilder::new(folder);
        let mut wrong: Option<Wrong> = None;
        for (number, line) in lines() {
            // Only a blank that is the last octet can be escaped.
            if let Err(why) = add(&mut builder, line.strip_suffix(b"\r").unwrap_or(line)) {
                match &mut wrong {
                    Some(first) => first.more += 1,
                    None => wrong = Some(Wrong { line: number + 1, more: 0, why }),
                }
            }
        }
        builder.build().map(|patterns| (Patterns(patterns), wrong)).map_err(|_| Refused::TooLarge)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the file has no patterns.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What the last pattern that matches decides.
    pub fn decide(&self, path: &Path, is_dir: bool) -> Option<Decision> {
        match self.0.matched(path, is_dir) {
            ignore::Match::None => None,
            ignore::Match::Ignore(_) => Some(Decision::Skip),
            ignore::Match::Whitelist(_) => Some(Decision::Keep),
        }
    }
}

fn add(builder: &mut GitignoreBuilder, line: &[u8]) -> Result<(), Why> {
    let line = str::from_utf8(line).map_err(|_| Why::NotUtf8)?;
    if memchr::memchr_iter(b'{', line.as_bytes()).count() > MOST_BRACES {
        return Err(Why::TooManyBraces(MOST_BRACES));
    }
    builder.add_line(None, line).map(drop).map_err(|error| match error {
        ignore::Error::Glob { err, .. } => Why::Pattern(err),
        // There is no other one of a line.
        error => Why::Pattern(error.to_string()),
    })
}

/// The ignore files that are in force in a folder: its own, and those of all folders above it.
#[derive(Clone, Debug, Default)]
pub struct InForce {
    folders: Vec<Folder>,
}

#[derive(Clone, Debug)]
struct Folder {
    path: PathBuf,
    has_git: bool,
    /// In the order of [`NAMES`], with `.git/info/exclude` as the last.
    files: [Patterns; NAMES.len() + 1],
}

impl InForce {
    /// Goes to a folder, whose path is absolute. Of each folder that was not passed on the way it asks whether it has a `.git`, and for its
    /// files by their names: `None` is that of the repository. `read` is told how many patterns a file may have at most.
    pub fn enter(
        &mut self,
        folder: &Path,
        has_git: impl Fn(&Path) -> bool,
        mut read: impl FnMut(&Path, Option<&str>, usize) -> Patterns,
    ) {
        while self.folders.last().is_some_and(|last| !folder.starts_with(&last.path)) {
            self.folders.pop();
        }
        let known = self.folders.last().map(|last| last.path.clone());
        let missing: Vec<_> = folder.ancestors().take_while(|above| known.as_deref() != Some(above)).collect();
        for path in missing.into_iter().rev() {
            let mut left = MOST_IN_FORCE.saturating_sub(self.patterns());
            let has_git = has_git(path);
            let [first, second, third] = NAMES.map(Some);
            let files = [first, second, third, None].map(|name| {
                let patterns = if name.is_some() || has_git { read(path, name, left) } else { Patterns::none() };
                left = left.saturating_sub(patterns.len());
                patterns
            });
            self.folders.push(Folder { path: path.to_owned(), has_git, files });
        }
    }

    fn patterns(&self) -> usize {
        self.folders.iter().flat_map(|folder| &folder.files).map(Patterns::len).sum()
    }

    /// What is decided about an entry of the folder: the strongest kind of file decides that says anything, and of its files the nearest. In a
    /// repository `own` decides last: the user's own patterns.
    pub fn decide(&self, path: &Path, is_dir: bool, own: impl FnOnce() -> Option<Decision>) -> Option<Decision> {
        let is_in_repository = self.folders.iter().any(|folder| folder.has_git);
        for kind in 0..=NAMES.len() {
            let is_of_git = kind >= FIRST_OF_GIT;
            if is_of_git && !is_in_repository {
                return None;
            }
            for folder in self.folders.iter().rev() {
                let decision = folder.files[kind].decide(path, is_dir);
                if decision.is_some() {
                    return decision;
                }
                if is_of_git && folder.has_git {
                    break;
                }
            }
        }
        own()
    }
}

/// The folder that the file `.git` of a worktree names, or the file `commondir` of that.
pub fn git_folder(octets: &[u8]) -> Option<PathBuf> {
    let line = str::from_utf8(octets).ok()?.lines().next()?;
    Some(PathBuf::from(line.strip_prefix("gitdir: ").unwrap_or(line).trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Decision::{Keep, Skip};

    fn read(octets: &[u8]) -> (Patterns, Option<Wrong>) {
        Patterns::parse(octets, Path::new("/a"), MOST_PATTERNS).expect("it is not too large")
    }

    fn decides(octets: &[u8], path: &str) -> Option<Decision> {
        read(octets).0.decide(Path::new(path), false)
    }

    #[test]
    fn a_byte_order_mark_and_the_ends_of_lines_are_no_part_of_a_pattern() {
        for text in [&b"x.log"[..], b"x.log\n", b"\xEF\xBB\xBFx.log\n", b"x.log\r\n", b"#\n\n \nx.log \t\r\n"] {
            assert_eq!(decides(text, "/a/b/x.log"), Some(Skip), "{text:?}");
        }
        for end in ["", "\n", "\r\n"] {
            let text = format!("blank\\ {end}");
            assert_eq!(decides(text.as_bytes(), "/a/blank "), Some(Skip), "{end:?}");
            assert_eq!(decides(text.as_bytes(), "/a/blank"), None, "{end:?}");
        }
    }

    #[test]
    fn braces_within_one_another_are_refused_before_they_overflow_the_stack() {
        let nested = |count: usize| format!("{}x{}", "{".repeat(count), "}".repeat(count));
        let most = nested(MOST_BRACES);
        assert_eq!(read(most.as_bytes()).1, None);
        assert_eq!(decides(most.as_bytes(), "/a/x"), Some(Skip));
        assert_eq!(decides(format!("{}*.txt", nested(MOST_BRACES)).as_bytes(), "/a/x.txt"), Some(Skip));
        for count in [MOST_BRACES + 1, 100_000] {
            let text = format!("y\n{}\nz\n", nested(count));
            let (patterns, wrong) = read(text.as_bytes());
            assert_eq!(
                (patterns.len(), wrong),
                (2, Some(Wrong { line: 2, more: 0, why: Why::TooManyBraces(MOST_BRACES) }))
            );
        }
    }

    #[test]
    fn the_first_line_that_is_wrong_is_named_and_not_quoted() {
        let text = b"good\nhttp://joe:s3cret@host.dom/{\n\xFF\n[z-a]\n";
        let (patterns, wrong) = read(text);
        let Some(Wrong { line: 2, more: 2, why: Why::Pattern(why) }) = wrong else { panic!("{wrong:?}") };
        assert_eq!(patterns.len(), 1);
        assert!(why.starts_with("unclosed alternate group") && !why.contains("s3cret"), "{why}");
        assert_eq!(read(b"\n\xFF").1, Some(Wrong { line: 2, more: 0, why: Why::NotUtf8 }));
    }

    #[test]
    fn a_file_has_as_many_patterns_as_it_may_or_none() {
        let many = "x\n#\n".repeat(5);
        let parse = |most| Patterns::parse(many.as_bytes(), Path::new("/a"), most).map(|(patterns, _)| patterns.len());
        assert_eq!((parse(5), parse(4), parse(0)), (Ok(5), Err(Refused::TooMany(4)), Err(Refused::TooMany(0))));
        let many = "x\n".repeat(MOST_PATTERNS + 1);
        let refused = Patterns::parse(many.as_bytes(), Path::new("/a"), usize::MAX).expect_err("too many");
        assert_eq!(refused, Refused::TooMany(MOST_PATTERNS));
        let long = "?*".repeat(LONGEST as usize / 2);
        assert_eq!(Patterns::parse(long.as_bytes(), Path::new("/a"), 1).expect_err("too large"), Refused::TooLarge);
    }

    /// A tree of these files; `None` is that of the repository.
    fn tree(files: &[(&str, Option<&str>, &str)], at: &str) -> InForce {
        let mut in_force = InForce::default();
        in_force.enter(
            Path::new(at),
            |folder| files.iter().any(|(of, name, _)| Path::new(of) == folder && name.is_none()),
            |folder, asked, most| {
                let found = files.iter().find(|(of, name, _)| Path::new(of) == folder && *name == asked);
                let text = found.map_or("", |(.., text)| text);
                Patterns::parse(text.as_bytes(), folder, most)
                    .map_or_else(|_| Patterns::none(), |(patterns, _)| patterns)
            },
        );
        in_force
    }

    #[test]
    fn the_strongest_file_decides_then_the_nearest_then_the_last_pattern() {
        let git = [("/a", None, "x\ny"), ("/a", Some(".gitignore"), "!x"), ("/a/b", Some(".gitignore"), "x\n!x\n")];
        let decide = |files: &[_], path: &str| tree(files, "/a/b").decide(Path::new(path), false, || None);
        assert_eq!(decide(&git, "/a/b/x"), Some(Keep));
        assert_eq!(decide(&git, "/a/b/y"), Some(Skip));
        let stronger = [&git[..], &[("/", Some(".ignore"), "x"), ("/", Some(".rgignore"), "!y")]].concat();
        assert_eq!(decide(&stronger, "/a/b/x"), Some(Skip));
        assert_eq!(decide(&stronger, "/a/b/y"), Some(Keep));
    }

    #[test]
    fn patterns_of_git_and_of_the_user_rule_within_a_repository_and_not_above_it() {
        let own = || Some(Skip);
        let outside = tree(&[("/a", Some(".gitignore"), "x")], "/a");
        assert_eq!(outside.decide(Path::new("/a/x"), false, own), None);
        let inside = tree(&[("/", Some(".gitignore"), "x"), ("/", Some(".ignore"), "!z"), ("/a", None, "")], "/a/b");
        assert_eq!(inside.decide(Path::new("/a/b/x"), false, || None), None);
        assert_eq!(inside.decide(Path::new("/a/b/x"), false, own), Some(Skip));
        assert_eq!(inside.decide(Path::new("/a/b/z"), false, own), Some(Keep));
    }

    #[test]
    fn only_folders_that_were_not_passed_are_read_and_what_is_in_force_is_bounded() {
        let mut in_force = InForce::default();
        let asked = std::cell::RefCell::new(Vec::new());
        let mut enter = |folder: &str| {
            in_force.enter(
                Path::new(folder),
                |_| false,
                |folder, name, most| {
                    if name == Some(".ignore") {
                        asked.borrow_mut().push((folder.to_owned(), most));
                    }
                    let text = "x\n".repeat(most.min(1_200));
                    Patterns::parse(text.as_bytes(), folder, most).expect("it may have so many").0
                },
            );
            (asked.take(), in_force.patterns())
        };
        let path = PathBuf::from;
        assert_eq!(enter("/a"), (vec![(path("/"), 3_800), (path("/a"), 200)], MOST_IN_FORCE));
        assert_eq!(enter("/a/b"), (vec![(path("/a/b"), 0)], MOST_IN_FORCE));
        assert_eq!(enter("/a"), (vec![], MOST_IN_FORCE));
        assert_eq!(enter("/c"), (vec![(path("/c"), 200)], MOST_IN_FORCE));
    }

    #[test]
    fn a_file_names_the_folder_of_a_worktree_on_its_first_line() {
        for text in ["gitdir: ../x/.git/worktrees/y\n", "../x/.git/worktrees/y", "../x/.git/worktrees/y \r\nmore"] {
            assert_eq!(git_folder(text.as_bytes()), Some(PathBuf::from("../x/.git/worktrees/y")), "{text:?}");
        }
        assert_eq!((git_folder(b""), git_folder(b"\xFF")), (None, None));
    }
}
