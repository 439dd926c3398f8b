//! The file name of a saved document: octets in, a safe name out (S-41).
//!
//! It comes from the last segment of the given URL, not of a redirect: `a.txt` is saved as `a.txt`. The segment
//! is decoded, and characters that are unsafe in file names are escaped again, so that the name shows what the URL said. The
//! rules are the same on every system, because files are copied between systems.

use urlwise::{Encoded, Locator, Part, Url, is_harmful};
use urlwise_open::protocol::wais::DocumentId;

use super::suffixes::{LONGEST_SUFFIX, SUFFIXES};

/// The longest name, in octets. The names of the partial file and its description are longer by a suffix;
/// file systems allow 255 octets.
pub(super) const LONGEST: usize = 255 - LONGEST_SUFFIX;

/// The name for URLs without a last segment.
const DEFAULT_NAME: &str = "index";

/// Not allowed anywhere: separators, characters that systems reserve, and those that shells expand. Controls and everything
/// [`is_harmful`] are not allowed either.
const FORBIDDEN: &[char] = &['/', '\\', ':', '*', '?', '"', '<', '>', '|'];

/// Not allowed first: these would hide the file or look like an option.
const NOT_FIRST: &[char] = &['.', '-', '~', ' '];

/// Not allowed last: some systems drop these.
const NOT_LAST: &[char] = &['.', ' '];

/// Names of devices, with any extension and in any case.
const RESERVED: &[&str] = &["con", "prn", "aux", "nul", "conin$", "conout$"];

/// Names of devices that are followed by a number.
const NUMBERED: &[&str] = &["com", "lpt"];

/// The numbers of devices.
const NUMBERS: &str = "0123456789\u{b9}\u{b2}\u{b3}";

/// The name for the document of a URL. If it is longer than [`LONGEST`], it must not be used.
pub(super) fn of(url: &Url<&str>) -> String {
    match url.locator() {
        Locator::Wais(wais) => wais.wpath().map_or_else(|| safe(&[]), wais_name),
        _ => safe(&last_segment(url)),
    }
}

/// The name for a WAIS document, whose id has no segments. Of what is too long the end is kept.
fn wais_name(wpath: Encoded<'_>) -> String {
    let name = DocumentId::from_wpath(wpath).name();
    let longest = &name[name.len().saturating_sub(LONGEST)..];
    // Escapes are longer than what they stand for.
    let tails = (0..longest.len()).map(|cut| safe(&longest[cut..]));
    tails.into_iter().find(|tail| tail.len() <= LONGEST).unwrap_or_else(|| DEFAULT_NAME.into())
}

/// The last segment of the URL's path, decoded; empty if there is none. It does not include the ftp typecode or the
/// http search part.
fn last_segment(url: &Url<&str>) -> Vec<u8> {
    let mut spans = url.parts().filter(Part::names_document).map(|part| part.span());
    let path = spans.next().map(|first| first.start..spans.last().unwrap_or(first).end);
    let mut name = path.and_then(|path| url.as_str().get(path)).map(last_of).unwrap_or_default();
    if let Locator::Mailto(_) = url.locator() {
        // The message file of a draft.
        name.extend_from_slice(b".eml");
    }
    name
}

/// Split first, decode after: an encoded slash is not a separator.
fn last_of(path: &str) -> Vec<u8> {
    let last = path.rsplit_once('/').map_or(path, |(_, last)| last);
    urlwise::decode(last.as_bytes()).into_owned()
}

/// A shorter name with a number, which keeps a short suffix: `name~0123456789abcdef.txt`.
pub(super) fn numbered(name: &str, number: u64) -> String {
    const LONGEST_ENDING: usize = 10;
    let dot = name.rfind('.').filter(|dot| *dot > 0 && name.len() - dot <= LONGEST_ENDING);
    let (stem, ending) = name.split_at(dot.unwrap_or(name.len()));
    let room = LONGEST - ending.len() - "~0123456789abcdef".len();
    let cut = (0..=room.min(stem.len())).rev().find(|cut| stem.is_char_boundary(*cut)).unwrap_or(0);
    format!("{}~{number:016x}{ending}", &stem[..cut])
}

/// A name that is a single path component on every system and safe in shells and terminals. Other characters are
/// escaped; so is a `%` that would look like an escape. Empty becomes `index`.
pub(super) fn safe(octets: &[u8]) -> String {
    if octets.is_empty() {
        return DEFAULT_NAME.into();
    }
    let mut name = String::with_capacity(octets.len());
    let last = octets.len() - 1;
    let mut at = 0;
    for chunk in octets.utf8_chunks() {
        for c in chunk.valid().chars() {
            let bad = is_harmful(c)
                || FORBIDDEN.contains(&c)
                || at == 0 && NOT_FIRST.contains(&c)
                || at == last && NOT_LAST.contains(&c)
                || c == '%' && begins_escape(&octets[at..]);
            if bad {
                escape(&mut name, c.encode_utf8(&mut [0; 4]).as_bytes());
            } else {
                name.push(c);
            }
            at += c.len_utf8();
        }
        escape(&mut name, chunk.invalid());
        at += chunk.invalid().len();
    }
    if is_reserved(&name) {
        escape_at(&mut name, 0);
    }
    if is_of_state(&name)
        && let Some(dot) = name.rfind('.')
    {
        // Escaping the last dot is enough: both suffixes have one.
        escape_at(&mut name, dot);
    }
    name
}

/// Escapes the ASCII character at an offset.
fn escape_at(name: &mut String, at: usize) {
    let rest = name.split_off(at);
    escape(name, &rest.as_bytes()[..1]);
    name.push_str(&rest[1..]);
}

/// Whether a name ends like that of a partial file or of its description, in any case: a document with such a name could forge
/// what `--continue` trusts.
pub(super) fn is_of_state(name: &str) -> bool {
    SUFFIXES.iter().any(|suffix| {
        let mut name = upper_from_end(name);
        upper_from_end(suffix).all(|c| name.next() == Some(c))
    })
}

/// The characters of a text in upper case, the last one first.
fn upper_from_end(text: &str) -> impl Iterator<Item = char> {
    text.chars().rev().flat_map(|c| c.to_uppercase().rev())
}

fn escape(name: &mut String, octets: &[u8]) {
    for octet in octets {
        name.push_str(&format!("%{octet:02X}"));
    }
}

fn begins_escape(octets: &[u8]) -> bool {
    matches!(octets, [b'%', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit())
}

/// Whether some system treats the name as a device. All device names start with a letter.
fn is_reserved(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end();
    let is = |text: &str, device: &str| text.eq_ignore_ascii_case(device);
    let is_number = |rest: &str| rest.chars().count() == 1 && NUMBERS.contains(rest);
    let is_numbered = |device: &&str| {
        stem.split_at_checked(device.len()).is_some_and(|(begin, rest)| is(begin, device) && is_number(rest))
    };
    RESERVED.iter().any(|device| is(stem, device)) || NUMBERED.iter().any(is_numbered)
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, is_reserved, of, safe};
    use proptest::prelude::*;
    use urlwise::{Profile, Url, is_harmful};

    #[track_caller]
    fn names(url: &str, expected: &str) {
        assert_eq!(of(&Url::parse_with(url, Profile::Current).expect("it is a URL")), expected, "{url}");
    }

    #[test]
    fn security_41_the_name_is_the_last_segment_decoded() {
        names("http://h.dom/a/b.txt", "b.txt");
        names("http://h.dom/a%20b.txt?c/d", "a b.txt");
        names("http://h.dom/caf%C3%A9", "caf\u{e9}");
        names("ftp://h.dom/a/b.txt;type=i", "b.txt");
        names("gopher://h.dom/0/pub/a%09b", "a");
        names("gopher://h.dom/0/pub%2Fa", "pub%2Fa");
        names("file:///a/100%25", "100%");
        names("news:1994.1@h.dom", "1994.1@h.dom");
        names("nntp://h.dom/a.b/17", "17");
        names("prospero://h.dom/a/b;v=1", "b");
        names("wais://h.dom/db", "index");
        names("wais://h.dom/db?x", "index");
        names("mailto:joe@h.dom?subject=x/y", "joe@h.dom.eml");
        names("mailto:%22..%2Fx%22@h.dom", "%22..%2Fx%22@h.dom.eml");
    }

    #[test]
    fn security_41_the_name_of_a_wais_document_is_that_of_its_file() {
        let opaque = "%01%08vm%3A18333%02%04%2Fidx%03%110%20214%20%2Fd%2Fnote.txt%07%01%00";
        names(&format!("wais://h.dom/db/TEXT/{opaque}"), "note.txt");
        names("wais://h.dom/db/TEXT/214/2=/idx;3=0%20214%20/d/note.txt;7=%00;", "note.txt");
        names("wais://h.dom/db/TEXT/2=/idx;3=9%20214%20/d/mbox;7=%00;", "9-mbox");
        names("wais://h.dom/db/TEXT/3=0%201%20/o;6=0%201%20/d/copy;", "copy");
        names("wais://h.dom/db/TEXT/3=0%201%20/d/..;", "%2E%2E");
        names("wais://h.dom/db/TEXT/3=0%201%20a%5Cb/;", "a%5Cb");
        names("wais://h.dom/db/TEXT/note%2018", "note 18");
        names("wais://h.dom/db/TEXT/a%2Fb", "a%2Fb");
    }

    #[test]
    fn security_41_a_long_id_gets_a_name_that_fits() {
        for (octet, end) in [("a", "aa.txt"), ("%FF", "%FF.txt"), ("%00", "%00.txt")] {
            for count in [239, 240, 241, 242, 5000] {
                let url = format!("wais://h.dom/db/TEXT/{}.txt", octet.repeat(count));
                let name = of(&Url::parse(url.as_str()).expect("a URL"));
                let most = LONGEST - (LONGEST - 4) % if octet == "a" { 1 } else { 3 };
                assert_eq!(name.len(), most.min(4 + count * octet.len()), "{octet} {count}");
                assert!(name.ends_with(end), "{name}");
            }
        }
    }

    #[test]
    fn security_41_without_a_last_segment_the_name_is_index() {
        for url in ["http://h.dom", "http://h.dom/", "http://h.dom/a/", "ftp://h.dom/a/;type=d", "gopher://h.dom/1/a/"]
        {
            names(url, "index");
        }
        names("gopher://h.dom/", "index");
        names("telnet://jim:secret@h.dom/", "index");
    }

    #[test]
    fn security_41_unsafe_characters_are_escaped() {
        for (url, expected) in [
            ("http://h.dom/%2E%2E%2Fx", "%2E.%2Fx"),
            ("http://h.dom/..", "%2E%2E"),
            ("http://h.dom/%2E", "%2E"),
            ("http://h.dom/..%5Cx", "%2E.%5Cx"),
            ("http://h.dom/.bashrc", "%2Ebashrc"),
            ("http://h.dom/-rf", "%2Drf"),
            ("http://h.dom/~root", "%7Eroot"),
            ("http://h.dom/%1B%5B31m", "%1B[31m"),
            ("http://h.dom/%00", "%00"),
            ("http://h.dom/%7F%C2%9B%E2%80%AE", "%7F%C2%9B%E2%80%AE"),
            ("http://h.dom/%E9%FF", "%E9%FF"),
            ("http://h.dom/%2541", "%2541"),
            ("http://h.dom/a.%20", "a.%20"),
            ("http://h.dom/a.", "a%2E"),
            ("http://h.dom/C:x%2Ay", "C%3Ax%2Ay"),
            ("http://h.dom/con", "%63on"),
            ("http://h.dom/Aux.tar.gz", "%41ux.tar.gz"),
            ("http://h.dom/com1.txt", "%63om1.txt"),
            ("http://h.dom/com10.txt", "com10.txt"),
            ("http://h.dom/console", "console"),
            ("http://h.dom/x.part", "x%2Epart"),
            ("http://h.dom/x.PaRt", "x%2EPaRt"),
            ("http://h.dom/x.part.json", "x.part%2Ejson"),
            ("http://h.dom/x.part.j%C5%BFon", "x.part%2Ej\u{17f}on"),
            ("http://h.dom/x%252Epart", "x%252Epart"),
            ("http://h.dom/part", "part"),
            ("http://h.dom/x.part1.rar", "x.part1.rar"),
            ("http://h.dom/con.part", "%63on%2Epart"),
        ] {
            names(url, expected);
        }
    }

    proptest! {
        #[test]
        fn security_41_every_name_is_safe(octets in any::<Vec<u8>>()) {
            let name = safe(&octets);
            prop_assert!(!name.is_empty());
            prop_assert!(!name.starts_with(['.', '-', ' ', '~']) && !name.ends_with(['.', ' ']), "{name:?}");
            prop_assert!(!name.chars().any(|c| is_harmful(c) || "/\\:*?\"<>|".contains(c)), "{name:?}");
            prop_assert!(!is_reserved(&name), "{name:?}");
            prop_assert!(!name.ends_with(".part") && !name.ends_with(".part.json"), "{name:?}");
            prop_assert_eq!(std::path::Path::new(&name).components().count(), 1);
        }

        #[test]
        fn a_name_shows_what_the_url_said(octets in "[a-zA-Z.%0-9/\\\\ -]{1,12}") {
            let name = safe(octets.as_bytes());
            prop_assert_eq!(&*urlwise::decode(name.as_bytes()), octets.as_bytes());
        }

        #[test]
        fn safe_names_are_unchanged(name in "[a-z_][a-z0-9_ ]{8,20}[a-z]\\.[a-z]{1,4}") {
            prop_assert_eq!(safe(name.as_bytes()), name);
        }
    }

    #[test]
    fn the_longest_name_leaves_room_for_its_partial_file() {
        assert_eq!(LONGEST, 245);
    }
}
