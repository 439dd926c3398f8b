//! Any octets as a unified diff: it adds lines of its own, or it is refused. A range of lines is never empty and never goes on where the one
//! before it ends, there are no more lines than lines of the text with a `+`, and each is found in its file. What stands before a diff or
//! exists as a file changes names and nothing else.

use std::ops::Range;
use std::path::Path;

use urlwise_formats::diff::AddedLines;

/// A whole diff of one line.
const FIRST: &[u8] = b"diff --git a/first b/first\n--- a/first\n+++ b/first\n@@ -0,0 +1 @@\n+x\n";

fn count(added: &AddedLines) -> usize {
    added.files().flat_map(|(_, ranges)| ranges).map(ExactSizeIterator::len).sum()
}

fn check(added: &AddedLines, text: &[u8]) {
    let lines = text.split(|octet| *octet == b'\n').filter(|line| line.starts_with(b"+")).count();
    assert!(count(added) <= lines, "{added:?}");
    assert_eq!(added.is_empty(), count(added) == 0);
    for (path, ranges) in added.files() {
        // A deleted file; with more slashes it is a name.
        assert_ne!(path.as_os_str(), "/dev/null");
        assert!(!ranges.is_empty() && ranges.iter().all(|range| !range.is_empty()), "{added:?}");
        assert!(ranges.windows(2).all(|pair| pair[0].end != pair[1].start), "{added:?}");
        let contains = |line: usize| ranges.iter().any(|range| range.contains(&line));
        for Range { start, end } in ranges {
            for line in [start.wrapping_sub(1), *start, end - 1, *end] {
                assert_eq!(added.contains(path, line), contains(line), "{added:?} {line}");
            }
        }
        // As a folder is named by which a walk began.
        if path.is_relative() && !path.starts_with(".") {
            assert!(added.contains(&Path::new(".").join(path), ranges[0].start), "{added:?}");
        }
    }
}

pub(crate) fn run(octets: &[u8]) {
    let read = AddedLines::parse(octets, |_| false);
    let named = AddedLines::parse(octets, |_| true);
    assert_eq!(read.as_ref().map(count), named.as_ref().map(count));
    let Some(added) = read else { return };
    check(&added, octets);
    check(&named.expect("both are"), octets);
    // Only names with a letter before them are asked about.
    let asked = |path: &Path| {
        let name = path.as_os_str().as_encoded_bytes();
        assert!(name.len() >= 2 && name[0].is_ascii_lowercase() && name[1] == b'/', "{path:?}");
        false
    };
    assert_eq!(AddedLines::parse(octets, asked).as_ref(), Some(&added));
    // Behind another diff it adds the same, and what it says before its first file is about that of the other.
    let text = [FIRST, octets].concat();
    let more = AddedLines::parse(&text, |_| false).expect("the second is one too");
    check(&more, &text);
    assert!(more.contains(Path::new("first"), 1) && count(&more) > count(&added));
    for (path, ranges) in added.files() {
        assert!(ranges.iter().all(|range| more.contains(path, range.start) && more.contains(path, range.end - 1)));
    }
}
