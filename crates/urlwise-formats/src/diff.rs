//! Unified diffs, as `git diff` and `diff -u` write them: which lines they add (D-104).
//!
//! The head of a hunk says how many lines follow, so a line of a document that looks like a head is not taken for one. Names of files
//! may be quoted as git does, may have a date after a tab, and lose a prefix such as `b/`.

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The lines that a diff adds, by file.
///
/// ```
/// use std::path::Path;
/// use urlwise_formats::diff::AddedLines;
///
/// let diff = b"diff --git a/x.md b/x.md\n--- a/x.md\n+++ b/x.md\n@@ -1,2 +1,3 @@\n one\n-two\n+two b\n+two c\n";
/// let added = AddedLines::parse(diff, |_| false).expect("it is a diff");
/// assert!(added.contains(Path::new("x.md"), 2) && !added.contains(Path::new("x.md"), 1));
/// assert_eq!(added.files().collect::<Vec<_>>(), [(Path::new("x.md"), &[2..4][..])]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AddedLines(HashMap<PathBuf, Vec<Range<usize>>>);

impl AddedLines {
    /// Parses a diff; `None` if there are lines but no diff, or if a hunk has no numbers. An empty text adds nothing, and so does a diff
    /// that only renames files or is about files that are not text.
    ///
    /// `exists` says whether there is a file or folder of a name: git puts `b/` or another letter before names, unless it was told not to,
    /// and what exists with that letter needs none taken away.
    ///
    /// ```
    /// use std::path::Path;
    /// use urlwise_formats::diff::AddedLines;
    ///
    /// let diff = b"+++ b/x.md\n@@ -0,0 +1 @@\n+one\n";
    /// let plain = AddedLines::parse(diff, |path| path == Path::new("b/x.md")).expect("it is a diff");
    /// assert!(plain.contains(Path::new("b/x.md"), 1));
    /// assert_eq!(AddedLines::parse(b"# Title\n", |_| false), None);
    /// assert!(AddedLines::parse(b"\n", |_| false).expect("nothing is added").is_empty());
    /// ```
    pub fn parse(text: &[u8], exists: impl Fn(&Path) -> bool) -> Option<AddedLines> {
        let mut added = AddedLines::default();
        let mut file: Option<PathBuf> = None;
        // What is left of a hunk: lines of the old and of the new file, and the number of the next new line.
        let (mut old, mut new, mut number) = (0_usize, 0_usize, 0_usize);
        let mut is_diff = text.trim_ascii().is_empty();
        for line in text.split(|octet| *octet == b'\n') {
            if old > 0 || new > 0 {
                match line.first() {
                    Some(b'+') => {
                        if let Some(file) = &file {
                            push(added.0.entry(file.clone()).or_default(), number);
                        }
                        number += 1;
                        new = new.saturating_sub(1);
                    }
                    Some(b'-') => old = old.saturating_sub(1),
                    Some(b'\\') => {}
                    // An empty line of context may have lost its blank.
                    _ => {
                        number += 1;
                        (old, new) = (old.saturating_sub(1), new.saturating_sub(1));
                    }
                }
            } else if line.starts_with(b"diff --git ") {
                // Of a file that was only renamed, or is not text, there is no more.
                is_diff = true;
            } else if let Some(name) = line.strip_prefix(b"+++ ") {
                file = name_of(name, &exists);
            } else if let Some(hunk) = line.strip_prefix(b"@@ -") {
                is_diff = true;
                (old, new, number) = counts(hunk)?;
            }
        }
        is_diff.then_some(added)
    }

    /// Whether a line of a file is one that was added, counted from 1. The path may have `./` before it.
    pub fn contains(&self, path: &Path, line: usize) -> bool {
        let path = path.strip_prefix("./").unwrap_or(path);
        self.0.get(path).is_some_and(|lines| lines.iter().any(|lines| lines.contains(&line)))
    }

    /// The files with added lines, in no order, each with the ranges of these lines, in the order of the diff. No range is empty.
    pub fn files(&self) -> impl Iterator<Item = (&Path, &[Range<usize>])> {
        self.0.iter().map(|(path, lines)| (path.as_path(), lines.as_slice()))
    }

    /// Whether no line was added.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

fn push(lines: &mut Vec<Range<usize>>, number: usize) {
    match lines.last_mut().filter(|last| last.end == number) {
        Some(last) => last.end += 1,
        None => lines.push(number..number + 1),
    }
}

/// The file of a `+++` line; `None` if it was deleted.
fn name_of(name: &[u8], exists: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    // A tab and a date may follow. git puts a tab alone behind a name with a blank, which may be its last character.
    let name = name.split(|octet| *octet == b'\t').next().unwrap_or_default();
    let name = name.strip_suffix(b"\r").unwrap_or(name);
    let unquoted = name.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\"")).map(unquoted);
    let name = unquoted.unwrap_or_else(|| name.to_vec());
    if name == b"/dev/null" {
        return None;
    }
    // git puts `b/` before the names of new files, or another letter.
    let is_prefixed = matches!(name[..], [b'a'..=b'z', b'/', ..]);
    let path = path(name);
    let without = path.components().skip(1).collect::<PathBuf>();
    let is_prefixed = is_prefixed && !exists(&path);
    let name = if is_prefixed { without } else { path };
    // As in `diff -u old ./x.md`: files are asked about without it.
    Some(name.strip_prefix("./").map(Path::to_owned).unwrap_or(name))
}

/// The path of these octets.
#[cfg(unix)]
fn path(name: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;

    std::ffi::OsString::from_vec(name).into()
}

/// The path of these octets, where names are texts.
#[cfg(not(unix))]
fn path(name: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&name).into_owned().into()
}

/// What stands behind a backslash in a quoted name, and what it stands for.
const ESCAPES: [(u8, u8); 9] = [
    (b'a', 0x07),
    (b'b', 0x08),
    (b't', b'\t'),
    (b'n', b'\n'),
    (b'v', 0x0B),
    (b'f', 0x0C),
    (b'r', b'\r'),
    (b'"', b'"'),
    (b'\\', b'\\'),
];

/// Appends a line with the name of a file as git writes it, behind a sign and a prefix. What would end the line, is not text or may harm a
/// terminal is escaped, in quotation marks; a tab tells where a name with a blank ends. A name that ends in a blank is in quotation marks,
/// too: `patch` would drop the blank.
///
/// ```
/// use urlwise_formats::diff::push_name_line;
///
/// let mut out = Vec::new();
/// push_name_line("+++ ", "b/", b"a b.md", &mut out);
/// push_name_line("+++ ", "b/", b"\x1b\n.md", &mut out);
/// assert_eq!(out, b"+++ b/a b.md\t\n+++ \"b/\\033\\n.md\"\n");
/// ```
pub fn push_name_line(sign: &str, prefix: &str, name: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(sign.as_bytes());
    let is_escaped = |c: char| urlwise::is_harmful(c) || matches!(c, '"' | '\\');
    let is_plain = !name.ends_with(b" ") && str::from_utf8(name).is_ok_and(|name| !name.contains(is_escaped));
    if is_plain {
        out.extend_from_slice(&[prefix.as_bytes(), name].concat());
    } else {
        out.push(b'"');
        out.extend_from_slice(prefix.as_bytes());
        for octet in name {
            match ESCAPES.iter().find(|(_, escaped)| escaped == octet) {
                Some((letter, _)) => out.extend_from_slice(&[b'\\', *letter]),
                None if matches!(octet, b' '..=b'~') => out.push(*octet),
                None => out.extend_from_slice(format!("\\{octet:03o}").as_bytes()),
            }
        }
        out.push(b'"');
    }
    out.extend_from_slice(if name.contains(&b' ') { b"\t\n" } else { b"\n" });
}

/// A name as git quotes it, with escapes of C.
fn unquoted(name: &[u8]) -> Vec<u8> {
    let mut octets = Vec::new();
    let mut rest = name;
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        if first != b'\\' {
            octets.push(first);
            continue;
        }
        let digits = rest.iter().take(3).take_while(|octet| matches!(octet, b'0'..=b'7')).count();
        if digits == 3 {
            let value = rest[..3].iter().fold(0_u32, |value, digit| value * 8 + u32::from(digit - b'0'));
            octets.push(value as u8);
            rest = &rest[3..];
        } else if let Some((&escaped, after)) = rest.split_first() {
            let row = ESCAPES.iter().find(|(letter, _)| *letter == escaped);
            octets.push(row.map_or(escaped, |(_, octet)| *octet));
            rest = after;
        }
    }
    octets
}

/// Of `12,3 +14,5 @@`: the lines of the old file, those of the new one, and the first of these.
fn counts(hunk: &[u8]) -> Option<(usize, usize, usize)> {
    let text = str::from_utf8(hunk.split(|octet| *octet == b'@').next()?).ok()?;
    let (old, new) = text.trim_end().split_once(" +")?;
    let range = |text: &str| match text.split_once(',') {
        Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    };
    let ((_, old), (start, new)): ((usize, usize), (usize, usize)) = (range(old)?, range(new)?);
    // No file has lines after the last number, and the numbers of those that follow must fit.
    (start <= usize::MAX / 2).then_some((old, new, start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What diffs are made of, right and wrong.
    const PARTS: &[&str] = &[
        "diff --git a/x b/x\n",
        "--- a/x\n",
        "+++ b/x\n",
        "+++ /dev/null\n",
        "+++ \"b/\\303\\n\"\n",
        "+++ ",
        "@@ -",
        "1",
        "0",
        ",",
        " +",
        " @@\n",
        "@@ -1 +1 @@\n",
        "@@ -1,2 +3,4 @@ x\n",
        "@@ -1 +18446744073709551615,2 @@\n",
        "@@ -0,18446744073709551615 +9,18446744073709551615 @@\n",
        "99999999999999999999",
        "+a\n",
        "+",
        "-",
        " a\n",
        "\n",
        "\\ No newline at end of file\n",
        "\t1994-12-01",
        "\"",
        "\\",
        "\u{e9}",
        "\0",
    ];

    #[test]
    fn names_are_written_as_git_writes_them() {
        for (name, written) in [
            (&b"a/b.txt"[..], "+++ b/a/b.txt\n"),
            (b"a b.txt", "+++ b/a b.txt\t\n"),
            (b"a ", "+++ \"b/a \"\t\n"),
            (b"a\n \"\\\x07\x1B\x7F\xFF", "+++ \"b/a\\n \\\"\\\\\\a\\033\\177\\377\"\t\n"),
            ("\u{e9}".as_bytes(), "+++ b/\u{e9}\n"),
            ("\u{e9}\u{202e}".as_bytes(), "+++ \"b/\\303\\251\\342\\200\\256\"\n"),
        ] {
            let mut out = Vec::new();
            push_name_line("+++ ", "b/", name, &mut out);
            assert_eq!(String::from_utf8_lossy(&out), written);
        }
    }

    proptest! {
        #![proptest_config(crate::testing::at_least(20_000))]

        #[test]
        #[cfg(unix)]
        fn a_name_that_is_written_is_read_again(name in proptest::collection::vec(octet_of_a_name(), 1..12)) {
            if name == b"." || name == b".." {
                return Ok(()); // a folder
            }
            let mut line = Vec::new();
            push_name_line("+++ ", "b/", &name, &mut line);
            let read = name_of(line.strip_prefix(b"+++ ").unwrap().strip_suffix(b"\n").unwrap(), |_| false);
            prop_assert_eq!(read, Some(path(name)));
        }

        #[test]
        fn any_text_is_a_diff_that_adds_lines_of_its_own_in_order_or_it_is_refused(
            parts in prop::collection::vec(prop::sample::select(PARTS), 0..24),
        ) {
            let text = parts.concat();
            let Some(added) = parsed(text.as_bytes()) else { return Ok(()) };
            let mut count = 0;
            for lines in added.0.values() {
                prop_assert!(lines.iter().all(|lines| !lines.is_empty()), "{text:?}");
                count += lines.iter().map(ExactSizeIterator::len).sum::<usize>();
            }
            prop_assert!(count <= text.lines().filter(|line| line.starts_with('+')).count(), "{text:?}");
        }
    }

    /// Any octet that the name of a file can have.
    #[cfg(unix)]
    fn octet_of_a_name() -> impl Strategy<Value = u8> {
        (1..=u8::MAX).prop_map(|octet| if octet == b'/' { b'.' } else { octet })
    }

    fn parsed(diff: &[u8]) -> Option<AddedLines> {
        AddedLines::parse(diff, |_| false)
    }

    const DIFF: &str = "diff --git a/x.md b/x.md\nindex 1..2 100644\n--- a/x.md\n+++ b/x.md\n@@ -1,3 +1,4 @@ # Title\n one\n-two\n\
                        +two b\n+--- two c\n three\n@@ -10 +11,2 @@\n-ten\n+ten b\n+++ ten c\n\\ No newline at end of file\n\
                        diff --git a/y.md b/y.md\n--- a/y.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n";

    fn lines(added: &AddedLines, path: &str) -> Vec<usize> {
        (0..100).filter(|line| added.contains(Path::new(path), *line)).collect()
    }

    #[test]
    fn added_lines_are_known_by_their_number() {
        let added = parsed(DIFF.as_bytes()).unwrap();
        assert_eq!(lines(&added, "x.md"), [2, 3, 11, 12]);
        assert_eq!(lines(&added, "./x.md"), [2, 3, 11, 12]);
        assert!(lines(&added, "y.md").is_empty());
        assert_eq!(added.0.len(), 1);
    }

    #[test]
    fn lines_of_a_file_that_the_diff_names_from_the_folder_on_are_its_lines() {
        let added = parsed(b"--- x.md.orig\n+++ ./x.md\n@@ -1 +1 @@\n-a\n+b\n").unwrap();
        assert_eq!([lines(&added, "x.md"), lines(&added, "./x.md")], [[1], [1]]);
    }

    #[test]
    fn a_diff_that_only_renames_or_is_not_text_adds_no_lines() {
        for diff in [
            "diff --git a/x.md b/y.md\nsimilarity index 100%\nrename from x.md\nrename to y.md\n",
            "diff --git a/x.png b/x.png\nindex 1..2 100644\nBinary files a/x.png and b/x.png differ\n",
            "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n",
        ] {
            assert_eq!(parsed(diff.as_bytes()), Some(AddedLines::default()), "{diff}");
        }
        assert_eq!(parsed(b"hello\n"), None);
    }

    #[test]
    fn a_hunk_of_one_line_and_one_without_a_line_end_are_counted() {
        let diff = "+++ x.md\n@@ -3 +3 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n\
                    +++ y.md\n@@ -1,2 +1,2 @@\n-a\n+b\n\n--- z.md\n+++ z.md\n@@ -0,0 +1 @@\n+c\n";
        let added = parsed(diff.as_bytes()).unwrap();
        assert_eq!([lines(&added, "x.md"), lines(&added, "y.md"), lines(&added, "z.md")], [[3], [1], [1]]);
    }

    #[test]
    fn names_may_be_quoted_dated_and_without_prefix() {
        for (name, path) in [
            ("b/a b.md\t2026-01-01", "a b.md"),
            ("\"b/caf\\303\\251 \\\"x\\\".md\"", "caf\u{e9} \"x\".md"),
            ("docs/x.md", "docs/x.md"),
            ("w/x.md", "x.md"),
            ("./x.md", "x.md"),
            ("././b/x.md", "b/x.md"),
            ("B/x.md", "B/x.md"),
            ("\"b/a\\tb\\nc\\\\d\\12\"", "a\tb\nc\\d12"),
            ("\"b/\\12x.md\"", "12x.md"),
        ] {
            assert_eq!(name_of(name.as_bytes(), |_| false), Some(PathBuf::from(path)), "{name}");
        }
        assert_eq!(name_of(b"/dev/null", |_| false), None);
        assert_eq!(name_of(b"/dev/null\r", |_| false), None);
        assert_eq!(name_of(b"b/x.md", |path| path == Path::new("b/x.md")), Some(PathBuf::from("b/x.md")));
    }

    #[test]
    fn names_are_those_that_git_has_written() {
        for (name, path) in [
            ("\"b/e\\a.md\"", "e\u{7}.md"),
            ("\"b/\\b\\v\\f\\r.md\"", "\u{8}\u{b}\u{c}\r.md"),
            ("\"b/a b\\t\"\t", "a b\t"),
            ("b/sp .txt \t", "sp .txt "),
            ("b/a.md\r", "a.md"),
            ("b/a b.md\t\r", "a b.md"),
        ] {
            assert_eq!(name_of(name.as_bytes(), |_| false), Some(PathBuf::from(path)), "{name:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_name_need_not_be_utf_8() {
        use std::os::unix::ffi::OsStrExt;

        let path = Path::new(std::ffi::OsStr::from_bytes(b"a\xFF.md"));
        assert_eq!(name_of(b"\"b/a\\377.md\"", |_| false).as_deref(), Some(path));
        assert_eq!(name_of(b"b/a\xFF.md", |_| false).as_deref(), Some(path));
    }

    #[test]
    fn an_empty_diff_changes_nothing_and_another_text_is_refused() {
        assert_eq!(parsed(b"\n"), Some(AddedLines::default()));
        assert_eq!(parsed(b"# Title\n"), None);
        assert_eq!(parsed(b"@@ -x +y @@\n"), None);
        assert_eq!(parsed(format!("+++ x\n@@ -1 +{},2 @@\n+a\n+b\n", usize::MAX).as_bytes()), None);
    }
}
