//! A quick look at a tag or comment of HTML: names and values of the usual shape.

use super::Sink;
use super::reader::{Reader, is_text};

/// Reads the tag or comment at `at`, where a `<` stands, and returns where what follows starts. `None` if it is not of the usual shape, or what follows
/// is not read as HTML: then it is as if it was not read.
pub(super) fn read<K: Sink>(source: &[u8], at: usize, reader: &mut Reader<'_, K>) -> Option<usize> {
    match source.get(at + 1)? {
        b'/' => {
            let end = name(source, at + 2)?;
            if source.get(end) != Some(&b'>') {
                return None;
            }
            reader.end_tag(&source[at + 2..end], &(at..end + 1));
            Some(end + 1)
        }
        octet if octet.is_ascii_alphabetic() => {
            let end = name(source, at + 1)?;
            reader.open(&source[at + 1..end], at);
            let is_usual = reader.element() != b"meta" && !is_text(reader.element());
            let end = if is_usual { attributes(source, end, reader) } else { None };
            if let Some(end) = end {
                reader.close(end);
            }
            end
        }
        b'!' => {
            let end = comment(source, at)?;
            reader.comment(at..end);
            Some(end)
        }
        b'?' => {
            let end = at + 1 + memchr::memchr(b'>', &source[at + 1..])? + 1;
            reader.comment(at..end);
            Some(end)
        }
        // It stands for itself.
        _ => Some(at + 1),
    }
}

/// The end of the comment that starts at `at`.
fn comment(source: &[u8], at: usize) -> Option<usize> {
    let inside = source[at..].strip_prefix(b"<!--")?;
    // These end it, too.
    if inside.starts_with(b">") || inside.starts_with(b"->") {
        return None;
    }
    let is_end = |end: &usize| inside[..*end].ends_with(b"--") || inside[..*end].ends_with(b"--!");
    memchr::memchr_iter(b'>', inside).find(is_end).map(|end| source.len() - inside.len() + end + 1)
}

/// The end of a name that starts with a letter.
fn name(source: &[u8], at: usize) -> Option<usize> {
    let is_name = |octet: &u8| octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'_' | b':' | b'.');
    let length = source[at..].iter().position(|octet| !is_name(octet))?;
    source[at].is_ascii_alphabetic().then_some(at + length)
}

/// Reads attributes, and returns the end of the tag.
fn attributes<K: Sink>(source: &[u8], mut at: usize, reader: &mut Reader<'_, K>) -> Option<usize> {
    loop {
        let white = source[at..].iter().position(|octet| !matches!(octet, b' ' | b'\n' | b'\t'))?;
        at += white;
        match source[at..] {
            [b'>', ..] => return Some(at + 1),
            [b'/', b'>', ..] => return Some(at + 2),
            _ if white == 0 => return None,
            _ => {}
        }
        let end = name(source, at)?;
        let attribute = &source[at..end];
        reader.attribute(attribute);
        at = end;
        if source[at] != b'=' {
            continue;
        }
        let quote = *source.get(at + 1)?;
        let (start, length) = match quote {
            b'"' | b'\'' => (at + 2, memchr::memchr(quote, &source[at + 2..])?),
            _ => (at + 1, source[at + 1..].iter().position(|octet| !is_unquoted(*octet))?),
        };
        let end = start + length;
        let value = &source[start..end];
        // A link is decoded where it is needed; a name may be written differently from what it is.
        let is_name = attribute.eq_ignore_ascii_case(b"id") || attribute.eq_ignore_ascii_case(b"name");
        if value.is_empty() || is_name && memchr::memchr3(b'&', b'\r', 0, value).is_some() {
            return None;
        }
        reader.value(value, start..end);
        at = if matches!(quote, b'"' | b'\'') { end + 1 } else { end };
    }
}

/// Whether a value without quotes goes on with this octet.
fn is_unquoted(octet: u8) -> bool {
    octet.is_ascii_graphic() && !matches!(octet, b'"' | b'\'' | b'<' | b'=' | b'>' | b'`')
}
