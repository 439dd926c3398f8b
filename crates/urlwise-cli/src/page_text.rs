//! The octets of pages as their links and fragments are read: without gzip, which some servers send unasked, and some files have, and in
//! UTF-8.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::MultiGzDecoder;
use memchr::memmem;
use urlwise_formats::BYTE_ORDER_MARK;
use urlwise_links::Format;
use urlwise_open::charset::{self, Charset};

/// How what is compressed with gzip begins.
const GZIP: &[u8] = &[0x1f, 0x8b];

/// Whether octets are compressed with gzip.
pub(crate) fn is_packed(octets: &[u8]) -> bool {
    octets.starts_with(GZIP)
}

/// Replaces octets that are compressed with gzip by what they hold, with so many octets at most. Returns whether it is all there: what comes
/// before a mistake counts.
pub(crate) fn unpack(octets: &mut Vec<u8>, most: usize) -> bool {
    if !is_packed(octets) {
        return true;
    }
    let (unpacked, is_whole) = unpacked(octets, most);
    *octets = unpacked;
    is_whole
}

/// What octets that are compressed with gzip hold, with so many octets at most, and whether it is all there.
pub(crate) fn unpacked(octets: &[u8], most: usize) -> (Vec<u8>, bool) {
    let mut unpacked = Vec::new();
    let mut decoder = MultiGzDecoder::new(octets).take(most as u64);
    let is_read = decoder.read_to_end(&mut unpacked).is_ok();
    let is_whole = is_read && decoder.into_inner().read(&mut [0]).is_ok_and(|more| more == 0);
    (unpacked, is_whole)
}

/// The text of a page, in UTF-8 and without a byte order mark. Its charset is known as browsers know it: by the mark, by the name that its
/// media type has, and by what HTML says of itself at its start; otherwise it is UTF-8. Borrowed if that is what it is, and `None` if it is
/// not, and the charset is not known.
pub(crate) fn text<'o>(format: Format, octets: &'o [u8], media_type: Option<&str>) -> Option<Cow<'o, [u8]>> {
    if let Some(text) = octets.strip_prefix(BYTE_ORDER_MARK) {
        return Some(Cow::Borrowed(text));
    }
    let decoded = |name: &str, octets| Some(Cow::Owned(Charset::of(name)?.decode(octets).into_bytes()));
    for (mark, name) in [(&[0xFF, 0xFE], "utf-16le"), (&[0xFE, 0xFF], "utf-16be")] {
        if let Some(octets) = octets.strip_prefix(mark) {
            return decoded(name, octets);
        }
    }
    let is_utf8 = |name: &str| ["utf-8", "utf8"].iter().any(|utf8| name.eq_ignore_ascii_case(utf8));
    let is_utf16 = |name: &str| name.to_ascii_lowercase().starts_with("utf-16");
    let of_html = || {
        // What could be read was not in UTF-16.
        let name = (format == Format::Html).then(|| declared(octets)).flatten()?;
        Some(if is_utf16(&name) { "utf-8".to_owned() } else { name })
    };
    let little = |name| if is_utf16(name) && !name.ends_with(['e', 'E']) { "utf-16le" } else { name };
    let of_media_type = media_type.and_then(charset::named).map(little);
    let names = [of_media_type.map(str::to_owned), of_html()];
    let known = names.into_iter().flatten().find(|name| is_utf8(name) || Charset::of(name).is_some());
    match known {
        Some(name) if !is_utf8(&name) => decoded(&name, octets),
        // Of HTML the names are compared octet by octet.
        Some(_) if format.is_markdown() && str::from_utf8(octets).is_err() => {
            Some(Cow::Owned(String::from_utf8_lossy(octets).into_owned().into_bytes()))
        }
        Some(_) => Some(Cow::Borrowed(octets)),
        None => str::from_utf8(octets).is_ok().then_some(Cow::Borrowed(octets)),
    }
}

/// Whether a link has a search that browsers write in the charset of its page, if that is not UTF-8.
pub(crate) fn has_foreign_search(link: &[u8]) -> bool {
    let url = link.split(|octet| *octet == b'#').next().unwrap_or_default();
    url.iter().position(|octet| *octet == b'?').is_some_and(|search| !url[search..].is_ascii())
}

/// The charset that HTML or XHTML says it has, in the part that browsers search.
fn declared(octets: &[u8]) -> Option<String> {
    const SEARCHED: usize = 1024;
    let head = octets[..octets.len().min(SEARCHED)].to_ascii_lowercase();
    if let Some(end) = head.strip_prefix(b"<?xml").and_then(|_| memmem::find(&head, b"?>")) {
        let name = value(&head[..end], b"encoding");
        if name.is_some() {
            return name;
        }
    }
    let mut rest = head.as_slice();
    while let Some(start) = memchr::memchr(b'<', rest) {
        rest = &rest[start..];
        let end: &[u8] = if rest.starts_with(b"<!--") { b"-->" } else { b">" };
        let tag = &rest[..memmem::find(rest, end)?];
        let is_meta = tag
            .strip_prefix(b"<meta")
            .is_some_and(|rest| rest.first().is_some_and(|octet| !octet.is_ascii_alphanumeric()));
        let name = value(tag, b"charset").filter(|_| is_meta);
        if name.is_some() {
            return name;
        }
        rest = &rest[tag.len()..];
    }
    None
}

/// What stands behind a name and `=`, with or without quotation marks.
fn value(text: &[u8], name: &[u8]) -> Option<String> {
    memmem::find_iter(text, name).find_map(|at| {
        let value = text[at + name.len()..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
        let value = value.strip_prefix(b"\"").or_else(|| value.strip_prefix(b"'")).unwrap_or(value);
        let end = value.iter().position(|octet| b" \t\r\n\x0C;\"'/>".contains(octet)).unwrap_or(value.len());
        let value = String::from_utf8(value[..end].to_vec()).ok()?;
        (!value.is_empty()).then_some(value)
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    #[test]
    fn gzip_is_unpacked_as_far_as_it_can_be() {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(b"<p id=a>").unwrap();
        let packed = encoder.finish().unwrap();
        for (octets, most, text, is_whole) in [
            (&packed[..], 8, &b"<p id=a>"[..], true),
            (&packed, 7, b"<p id=a", false),
            (&[&packed[..], &packed].concat(), 99, b"<p id=a><p id=a>", true),
            (&packed[..packed.len() - 1], 99, b"<p id=a>", false),
            (&[&packed[..], b"x"].concat(), 99, b"<p id=a>", false),
            (b"<p id=a>", 1, b"<p id=a>", true),
            (b"", 1, b"", true),
            (GZIP, 9, b"", false),
        ] {
            let mut octets = octets.to_vec();
            assert_eq!((unpack(&mut octets, most), octets.as_slice()), (is_whole, text), "{most}");
        }
    }

    #[test]
    fn the_text_of_a_page_is_read_in_its_charset() {
        let utf16 = |text: &str, octets: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(octets).collect::<Vec<_>>();
        let little = [b"\xFF\xFE", utf16("caf\u{e9}", u16::to_le_bytes).as_slice()].concat();
        let big = [b"\xFE\xFF", utf16("caf\u{e9}", u16::to_be_bytes).as_slice()].concat();
        let bare = utf16("caf\u{e9}", u16::to_le_bytes);
        let (latin1, utf8) = (&b"caf\xE9"[..], "caf\u{e9}".as_bytes());
        for format in [Format::Html, Format::Markdown] {
            for (octets, charset, expected) in [
                (utf8, None, Some(utf8)),
                (&["\u{feff}".as_bytes(), utf8].concat(), None, Some(utf8)),
                // A mark is stronger than a name.
                (&["\u{feff}".as_bytes(), utf8].concat(), Some("shift_jis"), Some(utf8)),
                (&little, Some("iso-8859-1"), Some(utf8)),
                (&big, None, Some(utf8)),
                (&bare, Some("UTF-16"), Some(utf8)),
                (&bare, Some("utf-16le"), Some(utf8)),
                (latin1, Some("ISO-8859-1"), Some(utf8)),
                (latin1, Some("windows-1252"), Some(utf8)),
                // As many servers say of everything.
                (utf8, Some("iso-8859-1"), Some(utf8)),
                (b"\x93\xFA\x96\x7B", Some("Shift_JIS"), Some("\u{65e5}\u{672c}".as_bytes())),
                (utf8, Some("none"), Some(utf8)),
                (latin1, Some("none"), None),
                (latin1, None, None),
                (b"", None, Some(b"")),
            ] {
                let media_type = charset.map(|charset| format!("text/x; charset={charset}"));
                assert_eq!(text(format, octets, media_type.as_deref()).as_deref(), expected, "{octets:x?} {charset:?}");
            }
        }
    }

    #[test]
    fn octets_that_are_not_in_the_charset_that_is_named_are_replaced_in_markdown_alone() {
        let octets = b"caf\xE9";
        assert_eq!(text(Format::Html, octets, Some("text/x; charset=utf-8")).as_deref(), Some(&octets[..]));
        assert_eq!(
            text(Format::Markdown, octets, Some("text/x; charset=UTF-8")).as_deref(),
            Some("caf\u{fffd}".as_bytes())
        );
    }

    #[test]
    fn a_search_is_foreign_if_it_has_more_than_us_ascii() {
        for (link, expected) in [
            ("?a=\u{e9}", true),
            ("x?a?\u{e9}#y", true),
            ("x?a=%E9", false),
            ("\u{e9}?a", false),
            ("?a#\u{e9}", false),
            ("#?\u{e9}", false),
            ("", false),
        ] {
            assert_eq!(has_foreign_search(link.as_bytes()), expected, "{link}");
        }
    }

    #[test]
    fn html_names_its_charset_itself() {
        for (start, expected) in [
            ("<meta charset=shift_jis>", Some("shift_jis")),
            ("<!DOCTYPE html>\n<html><head><META CHARSET = 'Shift_JIS' >", Some("shift_jis")),
            ("<meta http-equiv=Content-Type content=\"text/html; charset=koi8-r\">", Some("koi8-r")),
            ("<meta name=charset content=x><meta charset=\"gbk\"/>", Some("gbk")),
            ("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><html>", Some("iso-8859-1")),
            ("<?xml version=\"1.0\"?><meta charset=euc-kr>", Some("euc-kr")),
            ("<!-- <meta charset=a> --><meta charset=b>", Some("b")),
            ("<metadata charset=a>", None),
            ("<link charset=a>", None),
            ("<meta charset>", None),
            ("<meta charset=", None),
            ("<", None),
            ("", None),
        ] {
            assert_eq!(declared(start.as_bytes()).as_deref(), expected, "{start}");
        }
        assert_eq!(declared(format!("{}<meta charset=a>", " ".repeat(1024)).as_bytes()), None);
        let page = b"<meta charset=shift_jis><h1 id='\x93\xFA\x96\x7B'>";
        let decoded = "<meta charset=shift_jis><h1 id='\u{65e5}\u{672c}'>";
        assert_eq!(text(Format::Html, page, None).as_deref(), Some(decoded.as_bytes()));
        assert_eq!(text(Format::Html, page, Some("text/html;charset=x-unknown")).as_deref(), Some(decoded.as_bytes()));
        assert_eq!(text(Format::Markdown, page, None), None);
        // What says so in US-ASCII is not in UTF-16.
        let page = "<meta charset=utf-16><p id='caf\u{e9}'>";
        assert_eq!(text(Format::Html, page.as_bytes(), None).as_deref(), Some(page.as_bytes()));
    }
}
