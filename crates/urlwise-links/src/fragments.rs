//! The fragments that a document has.

use std::collections::HashSet;

use crate::{Format, headings, html};

/// The fragments of a document: what may follow a `#` in a link to it.
///
/// In HTML these are the values of `id`, and of `name` in `<a>`. In Markdown these too, with `name` in every element, and the headings by the
/// rule of GitHub, also those written as HTML: in lower case, without punctuation, with `-` for each space and a number for each repetition.
/// And the names that other readers of Markdown take from braces: `## Set up {#setup}` or `{: #setup}`.
///
/// ```
/// use urlwise_links::{Format, Fragments};
///
/// let fragments = Fragments::of(Format::Markdown, "# What's new?\n## Usage\n## Usage\n".as_bytes());
/// assert!(fragments.contains("whats-new") && fragments.contains("usage-1"));
/// assert!(!fragments.contains("usage-2"));
/// assert!(Fragments::of(Format::Markdown, b"## Set up {#begin}").contains("begin"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Fragments {
    names: HashSet<Vec<u8>>,
    format: Option<Format>,
}

impl Fragments {
    /// The fragments of a document. Text has none.
    pub fn of(format: Format, source: &[u8]) -> Fragments {
        let mut names = HashSet::new();
        match format {
            Format::Text | Format::Roff | Format::Gettext | Format::Org | Format::AsciiDoc => {}
            Format::Html => html::scan(source, 0, &mut names),
            Format::Markdown | Format::Mdx => {
                if let Ok(source) = std::str::from_utf8(source) {
                    names = headings::names(source);
                }
            }
        }
        Fragments { names, format: Some(format) }
    }

    /// Whether a document has a fragment, given without its `#`, as it stands in the URL.
    ///
    /// The empty one and `top` are the start of every document. What scripts and programs read is not judged, as if the document had it: a
    /// text fragment (`:~:text=`), lines of a source (`L20-L30`), and in HTML a route, which begins with `/` or `!`. Escapes are decoded.
    /// Case counts, except in Markdown, where GitHub ignores it, as it does the prefix `user-content-`. In HTML the document may have that
    /// prefix where the fragment does not: GitHub and others write it before the names of what a person wrote.
    pub fn contains(&self, fragment: &str) -> bool {
        let name = fragment.split(":~:").next().unwrap_or_default();
        if name.is_empty() || name.eq_ignore_ascii_case("top") || are_lines(name) {
            return true;
        }
        let decoded = decode(name.as_bytes());
        if self.names.contains(name.as_bytes()) || self.names.contains(&decoded) {
            return true;
        }
        let lower = || String::from_utf8_lossy(&decoded).to_lowercase();
        match self.format {
            Some(Format::Markdown | Format::Mdx) => {
                let lower = lower();
                self.names.contains(lower.strip_prefix(PREFIX).unwrap_or(&lower).as_bytes())
            }
            Some(Format::Html) => {
                let prefixed = |name: &[u8]| self.names.contains(&[PREFIX.as_bytes(), name].concat());
                let is_range = || {
                    let ends = name.split_once('-');
                    ends.is_some_and(|ends| {
                        [ends.0, ends.1].iter().all(|end| is_number(end) && self.names.contains(end.as_bytes()))
                    })
                };
                decoded.starts_with(b"/")
                    || decoded.starts_with(b"!")
                    || prefixed(&decoded)
                    || prefixed(lower().as_bytes())
                    || is_range()
            }
            Some(_) | None => false,
        }
    }
}

/// What GitHub and others write before the names of what a person wrote, so that none is that of a part of their own pages. A script of
/// theirs finds it.
const PREFIX: &str = "user-content-";

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|octet| octet.is_ascii_digit())
}

/// Whether a fragment names lines of a source, as `L20`, `L20-L30`, `L20-30` or `L20C5-L22C8`.
fn are_lines(name: &str) -> bool {
    let is_place = |place: &str| {
        place.split_once('C').map_or_else(|| is_number(place), |(line, column)| is_number(line) && is_number(column))
    };
    let is_end = |end: &str| is_place(end.strip_prefix('L').unwrap_or(end));
    name.strip_prefix('L').is_some_and(|lines| match lines.split_once('-') {
        Some((first, last)) => is_place(first) && is_end(last),
        None => is_place(lines),
    })
}

/// The octets with their escapes decoded; a `%` that starts none stands for itself.
fn decode(text: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let digit = |octet: &u8| char::from(*octet).to_digit(16);
        let digits = text.get(at + 1).and_then(digit).zip(text.get(at + 2).and_then(digit));
        match digits.filter(|_| text[at] == b'%') {
            Some((high, low)) => {
                decoded.push((high * 16 + low) as u8);
                at += 3;
            }
            None => {
                decoded.push(text[at]);
                at += 1;
            }
        }
    }
    decoded
}
