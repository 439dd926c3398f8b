//! The sets of URLs that are measured: one for each scheme of RFC 1738, and what cuts across them.
//!
//! The files in `sets/` hold one URL a line, in the style of the RFC's own examples and of what was published on
//! paper and in archives; their hosts are invented.

use std::io;

use crate::long;

/// URLs that are measured together.
pub struct Set {
    /// The set's name: a scheme of RFC 1738, `other`, `mixed`, `long`, `invalid`, that of a sample of real URLs, or the path
    /// of a file.
    pub name: String,
    /// The URLs, each allocated separately, as a program would hold them.
    pub urls: Vec<String>,
    /// Whether all of the URLs are valid under RFC 1738 or none is; `None`: it may differ from one to the next.
    pub valid: Option<bool>,
    /// Whether urlwise reads them by the successors of RFC 1738.
    pub is_current: bool,
}

impl Set {
    /// Reads a set from a file that holds one URL a line, none of which need be valid: URLs that were found, so they are read by the
    /// successors of RFC 1738.
    ///
    /// # Errors
    /// When the file cannot be read, is not UTF-8, or holds no line.
    pub fn from_file(path: &str) -> io::Result<Self> {
        let set = Set { is_current: true, ..Self::from_lines(path, &std::fs::read_to_string(path)?, None) };
        if set.urls.is_empty() {
            return Err(io::Error::other("it holds no URL"));
        }
        Ok(set)
    }

    fn from_lines(name: &str, text: &str, valid: Option<bool>) -> Self {
        Self { name: name.to_owned(), urls: text.lines().map(str::to_owned).collect(), valid, is_current: false }
    }

    /// The mean length of a URL, in octets.
    #[must_use]
    pub fn mean_length(&self) -> usize {
        self.urls.iter().map(String::len).sum::<usize>() / self.urls.len().max(1)
    }
}

/// The sets of valid URLs, one file each.
const FILES: [(&str, &str); 11] = [
    ("ftp", include_str!("../sets/ftp.txt")),
    ("http", include_str!("../sets/http.txt")),
    ("gopher", include_str!("../sets/gopher.txt")),
    ("mailto", include_str!("../sets/mailto.txt")),
    ("news", include_str!("../sets/news.txt")),
    ("nntp", include_str!("../sets/nntp.txt")),
    ("telnet", include_str!("../sets/telnet.txt")),
    ("wais", include_str!("../sets/wais.txt")),
    ("file", include_str!("../sets/file.txt")),
    ("prospero", include_str!("../sets/prospero.txt")),
    ("other", include_str!("../sets/other.txt")),
];

/// Samples of URLs that were found, some of them not valid; `sets/real/README.md` says where.
const REAL: [(&str, &str); 4] = [
    ("web", include_str!("../sets/real/web.txt")),
    ("files", include_str!("../sets/real/files.txt")),
    ("old-http", include_str!("../sets/real/old-http.txt")),
    ("old-ftp", include_str!("../sets/real/old-ftp.txt")),
];

/// All sets, in the order in which they are shown.
#[must_use]
pub fn all() -> Vec<Set> {
    let mut sets: Vec<Set> = FILES.iter().map(|(name, text)| Set::from_lines(name, text, Some(true))).collect();
    let mixed = interleave(&sets);
    sets.push(Set { name: "mixed".to_owned(), urls: mixed, valid: Some(true), is_current: false });
    sets.push(Set { name: "long".to_owned(), urls: long::urls(), valid: Some(true), is_current: false });
    sets.push(Set::from_lines("invalid", include_str!("../sets/invalid.txt"), Some(false)));
    let real = |(name, text): &(&str, &str)| Set { is_current: true, ..Set::from_lines(name, text, None) };
    sets.extend(REAL.iter().map(real));
    sets
}

/// The URLs of all sets in turn, so that no two neighbours share a scheme while all sets last.
fn interleave(sets: &[Set]) -> Vec<String> {
    let longest = sets.iter().map(|set| set.urls.len()).max().unwrap_or(0);
    (0..longest).flat_map(|line| sets.iter().filter_map(move |set| set.urls.get(line))).cloned().collect()
}
