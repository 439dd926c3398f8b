//! `mimeapps.list`, by the specification "Association between MIME types and applications" 1.0.1: whose entry comes first for a
//! scheme. Lines that are not about it stay octet for octet, and what is added can be taken away again without a trace.

use super::entry::{HANDLER, NAME};

/// The group with the defaults.
const GROUP: &[u8] = b"[Default Applications]";

/// The group of `mimeinfo.cache`, which is written by the desktop from all entries.
const CACHE: &[u8] = b"[MIME Cache]";

/// The group, where it was not there: it goes with its last line.
const ADDED: &[u8] = b"# Added by `urlwise register`:\n[Default Applications]\n";
const END: &[u8] = b"# Until here.\n";

/// A line of the file: where it begins, what it says without its end, and its end.
struct Line<'t> {
    text: &'t [u8],
    end: &'t [u8],
}

fn lines(list: &[u8]) -> Vec<Line<'_>> {
    let line = |line| {
        let text = [&b"\r\n"[..], b"\n"].iter().find_map(|end| <[u8]>::strip_suffix(line, *end)).unwrap_or(line);
        Line { text, end: &line[text.len()..] }
    };
    list.split_inclusive(|octet| *octet == b'\n').map(line).collect()
}

/// The list of entries in a line of the group about a scheme: what stands before it, and the list.
fn entries<'t>(line: &'t [u8], scheme: &str) -> Option<(&'t [u8], &'t [u8])> {
    let equals = line.iter().position(|octet| *octet == b'=')?;
    let key = [HANDLER, scheme].concat();
    if line[..equals].trim_ascii() != key.as_bytes() {
        return None;
    }
    let value = line[equals + 1..].trim_ascii_start();
    Some(line.split_at(line.len() - value.len()))
}

/// The entry that opens a scheme by this list; `None` if it does not say. In the cache of the system the entries of all programs are in
/// a group of their own.
pub(super) fn default<'l>(list: &'l [u8], scheme: &str) -> Option<&'l [u8]> {
    let mut is_group = false;
    for Line { text, .. } in lines(list) {
        if text.starts_with(b"[") {
            is_group = [GROUP, CACHE].contains(&text.trim_ascii_end());
        }
        let Some((_, names)) = is_group.then(|| entries(text, scheme)).flatten() else { continue };
        if let Some(first) = names.split(|octet| *octet == b';').map(<[u8]>::trim_ascii).find(|name| !name.is_empty()) {
            return Some(first);
        }
    }
    None
}

/// The list with urlwise before all others for a scheme.
pub(super) fn with(list: &[u8], scheme: &str) -> Vec<u8> {
    if default(list, scheme) == Some(NAME.as_bytes()) {
        return list.to_vec();
    }
    let list = without(list, scheme);
    let mut out = Vec::with_capacity(list.len() + 128);
    let (mut is_group, mut is_done) = (false, false);
    for Line { text, end } in lines(&list) {
        if text.starts_with(b"[") {
            is_group = text.trim_ascii_end() == GROUP;
        }
        match is_group.then(|| entries(text, scheme)).flatten() {
            Some((before, names)) => {
                out.extend([before, NAME.as_bytes(), b";", names, end].concat());
                is_done = true;
            }
            None => out.extend([text, end].concat()),
        }
    }
    if is_done {
        return out;
    }
    let added = [HANDLER, scheme, "=", NAME].concat();
    let Some(at) = end_of_group_name(&list) else {
        return [ADDED, added.as_bytes(), b"\n", END, &list].concat();
    };
    // After the name of the group, so that the end of the file stays what it is.
    let (before, after) = list.split_at(at);
    let end: &[u8] = if before.ends_with(b"\r\n") { b"\r\n" } else { b"\n" };
    match before.ends_with(b"\n") {
        true => [before, added.as_bytes(), end, after].concat(),
        false => [before, b"\n", added.as_bytes()].concat(),
    }
}

/// Where the line ends that begins the group.
fn end_of_group_name(list: &[u8]) -> Option<usize> {
    let mut at = 0;
    for Line { text, end } in lines(list) {
        at += text.len() + end.len();
        if text.trim_ascii_end() == GROUP {
            return Some(at);
        }
    }
    None
}

/// The list without urlwise for a scheme.
pub(super) fn without(list: &[u8], scheme: &str) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::with_capacity(list.len());
    let mut is_group = false;
    for Line { text, end } in lines(list) {
        if text.starts_with(b"[") {
            is_group = text.trim_ascii_end() == GROUP;
        }
        let Some((before, names)) = is_group.then(|| entries(text, scheme)).flatten() else {
            out.extend([text, end].concat());
            continue;
        };
        let others: Vec<&[u8]> =
            names.split(|octet| *octet == b';').filter(|name| name.trim_ascii() != NAME.as_bytes()).collect();
        match others.iter().all(|name| name.trim_ascii().is_empty()) && others.concat().len() < names.len() {
            // The line was ours. Without its end it was the last, and ended the one before.
            true if end.is_empty() => out.truncate(out.len() - usize::from(out.ends_with(b"\n"))),
            true => {}
            false => out.extend([before, &others.join(&b';'), end].concat()),
        }
    }
    match out.strip_prefix(&[ADDED, END].concat()[..]) {
        Some(rest) => rest.to_vec(),
        None => out,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTS: &[&str] = &[
        "",
        "[Default Applications]\n",
        "[Default Applications]",
        "[Default Applications]\r\ntext/html=firefox.desktop\r\n",
        "[Default Applications]\nx-scheme-handler/gopher=lagrange.desktop\n",
        "[Default Applications]\nx-scheme-handler/gopher=lagrange.desktop;\n\n[Added Associations]\nx=y",
        "[Default Applications]\nx-scheme-handler/gopher = lagrange.desktop;other.desktop;",
        "[Added Associations]\nx-scheme-handler/gopher=lagrange.desktop\n",
        "# mine\n\n[Added Associations]\nx-scheme-handler/gopher=a.desktop\n[Default Applications]\n# none\n\ntext/html=b.desktop",
        "[Default Applications]\nx-scheme-handler/gophers=a.desktop\n\u{e9}=\u{fe}\n",
        "no groups at all",
    ];

    #[test]
    fn what_is_added_is_taken_away_without_a_trace() {
        for list in LISTS {
            let list = list.as_bytes();
            let once = with(list, "gopher");
            assert_eq!(default(&once, "gopher"), Some(NAME.as_bytes()), "{}", String::from_utf8_lossy(&once));
            assert_eq!(with(&once, "gopher"), once, "twice is once");
            let both = with(&once, "wais");
            assert_eq!(
                (default(&both, "wais"), default(&both, "gopher")),
                (Some(NAME.as_bytes()), Some(NAME.as_bytes()))
            );
            for order in [["gopher", "wais"], ["wais", "gopher"]] {
                let rest = order.iter().fold(both.clone(), |list, scheme| without(&list, scheme));
                assert_eq!(String::from_utf8_lossy(&rest), String::from_utf8_lossy(list), "{order:?}");
            }
            for line in list.split(|octet| *octet == b'\n').filter(|line| !line.starts_with(b"x-scheme-handler/gopher"))
            {
                assert!(
                    both.split(|octet| *octet == b'\n').any(|kept| kept == line),
                    "{}",
                    String::from_utf8_lossy(line)
                );
            }
        }
    }

    #[test]
    fn who_was_first_is_second_and_is_first_again() {
        let list = b"[Default Applications]\nx-scheme-handler/gopher=a.desktop;b.desktop\n";
        let added = with(list, "gopher");
        assert_eq!(
            String::from_utf8_lossy(&added),
            "[Default Applications]\nx-scheme-handler/gopher=urlwise.desktop;a.desktop;b.desktop\n"
        );
        // The person chose another one since.
        let chosen = b"[Default Applications]\nx-scheme-handler/gopher=a.desktop;urlwise.desktop\n";
        assert_eq!(
            with(chosen, "gopher"),
            b"[Default Applications]\nx-scheme-handler/gopher=urlwise.desktop;a.desktop\n"
        );
        assert_eq!(without(chosen, "gopher"), b"[Default Applications]\nx-scheme-handler/gopher=a.desktop\n");
    }

    #[test]
    fn only_the_group_of_defaults_says_who_opens_a_scheme() {
        let list = b"[Added Associations]\nx-scheme-handler/ftp=a.desktop\n[Default Applications]\nx-scheme-handler/ftp=;b.desktop\n";
        assert_eq!(default(list, "ftp"), Some(&b"b.desktop"[..]));
        assert_eq!(default(b"[MIME Cache]\nx-scheme-handler/ftp=c.desktop;\n", "ftp"), Some(&b"c.desktop"[..]));
        assert_eq!((default(list, "ft"), default(b"x-scheme-handler/ftp=a.desktop", "ftp")), (None, None));
    }
}
