//! Passwords that only readers see: those of logins without slashes before them, behind names that are no schemes of ours.

use memchr::{memchr, memchr3, memrchr};
use std::ops::Range;
use urlwise::{Profile, Scheme, each_secret};

use crate::reader::Reader;
use crate::text::Text;

/// The passwords that one of these readers reports and [`urlwise::secrets`] does not find. They may overlap.
///
/// curl reads `joe:s3cret@host.dom` as a login, while the standards read a scheme `joe`. Behind the name of a scheme that urlwise knows
/// there is no such login: `mailto:joe@host.dom` has a user for curl, too.
///
/// ```
/// use urlwise::Profile;
/// use urlwise_readings::{Reader, passwords};
///
/// let text = b"joe:s3cret@host.dom";
/// assert_eq!(passwords(text, Profile::Current, &[Reader::Go, Reader::Curl]), [4..10]);
/// assert_eq!(passwords(text, Profile::Current, Reader::STANDARDS), []);
/// assert_eq!(passwords(b"mailto:joe@host.dom", Profile::Current, &[Reader::Curl]), []);
/// ```
pub fn passwords(text: &[u8], profile: Profile, readers: &[Reader]) -> Vec<Range<usize>> {
    if !may_hold_any(text) {
        return Vec::new();
    }
    let mut found: Vec<Range<usize>> = Vec::new();
    for reader in readers {
        let password = reader.accepted(text, profile).and_then(|parts| parts.password).filter(|text| !text.is_empty());
        if let Some(place) = password.and_then(|password| place(text, &password))
            && !found.contains(&place)
        {
            found.push(place);
        }
    }
    if !found.is_empty() {
        let last = found.iter().map(|place| place.end).max().unwrap_or_default();
        let known: Vec<_> = each_secret(text).take_while(|secret| secret.start < last).collect();
        found.retain(|place| !known.iter().any(|secret| secret.start <= place.start && place.end <= secret.end));
    }
    found
}

/// Whether a text may hold a password that `urlwise::secrets` does not find: that looks behind two slashes and the names of its schemes,
/// and readers may drop octets between those.
fn may_hold_any(text: &[u8]) -> bool {
    let Some((at_sign, colon)) = memrchr(b'@', text).zip(memchr(b':', text)) else { return false };
    if colon > at_sign {
        return false;
    }
    let is_known = || Scheme::from_name(text[..colon].trim_ascii(), Profile::Current) != Scheme::Other;
    memchr3(b'\t', b'\n', b'\r', text).is_some() || !text[colon + 1..].starts_with(b"//") && !is_known()
}

/// Where a password stands in the text.
fn place(text: &[u8], password: &Text<'_>) -> Option<Range<usize>> {
    let octets = password.octets();
    let start = octets.as_ptr().addr().wrapping_sub(text.as_ptr().addr());
    let place = start..start.wrapping_add(octets.len());
    let is_there = text.get(place.clone()).is_some_and(|there| there == octets);
    let is_between =
        || start.checked_sub(1).is_some_and(|colon| text[colon] == b':') && text.get(place.end) == Some(&b'@');
    if is_there && is_between() {
        return Some(place);
    }
    // A reader that has written it anew: all that may be it, from the first colon on.
    let blank = |octet: &u8| matches!(octet, b'/' | b'\\' | ..=b' ');
    let colon = memchr(b':', text)? + 1;
    let start = colon + text[colon..].iter().take_while(|octet| blank(octet)).count();
    let end = memchr3(b'/', b'?', b'#', &text[start..]).map_or(text.len(), |end| start + end);
    memrchr(b'@', &text[start..end]).map(|end| start..start + end).or_else(|| Some(colon..memrchr(b'@', text)?))
}

#[cfg(test)]
mod tests {
    use super::passwords;
    use crate::Reader;
    use proptest::prelude::*;
    use urlwise::{Profile, each_secret};

    fn found(text: &str, readers: &[Reader]) -> Vec<String> {
        let spans = passwords(text.as_bytes(), Profile::Current, readers);
        spans.into_iter().map(|span| text[span].to_owned()).collect()
    }

    #[test]
    fn security_14_a_password_that_a_reader_alone_sees_is_found_where_it_stands() {
        for (text, reader, expected) in [
            ("u:SEKRET@h.example/", Reader::Curl, "SEKRET"),
            ("u:a:b@h.example/", Reader::Curl, "a:b"),
            ("foo:/u:SEKRET@h.example/", Reader::Curl, "SEKRET"),
            ("1u:SEKRET@h.example", Reader::Urllib3, "SEKRET"),
            ("ws:u:SEKRET@h.example/", Reader::Whatwg, "SEKRET"),
            ("ws:/\t/u:SEKRET@h.example/", Reader::Whatwg, "SEKRET"),
            ("ws://\t/u:SEKRET@h.example/", Reader::Whatwg, "SEKRET"),
            // Written anew by the reader.
            ("ws:u:SEK\"RET@h.example/x@y", Reader::Whatwg, "u:SEK\"RET"),
        ] {
            assert_eq!(found(text, &[reader]), [expected], "{text:?}");
            assert!(found(text, Reader::ALL).iter().any(|found| found.contains(expected)), "{text:?}");
        }
    }

    #[test]
    fn what_is_no_login_to_the_readers_or_known_without_them_is_not_found() {
        for text in [
            "http://h.example/u:SEKRET@h",
            "ftp://u:SEKRET@h.example/",
            "ftp:u:SEKRET@h.example/",
            "mailto:joe@h.example",
            "MAILTO:joe@h.example",
            " news:1@h.example",
            "u:@h.example",
            "u@h.example:80",
            "u:p",
            "x:y/@z",
            "",
        ] {
            assert_eq!(found(text, Reader::ALL), [""; 0], "{text:?}");
        }
        // Nor where nobody was asked that sees one.
        assert_eq!(found("u:SEKRET@h.example/", &[Reader::Urlsplit, Reader::Go, Reader::Whatwg]), [""; 0]);
    }

    proptest! {
        /// Whatever a reader reports as a password is part of what is masked, unless the scheme is known.
        #[test]
        fn security_14_each_password_that_a_reader_reports_is_covered(
            text in "[ \t]?(u|1u|ws|foo|foo-bar)[:/\\\\]{1,2}[/\\\\\t]{0,3}[a:@\"\u{e9}/?#\t\\\\]{0,12}(:[\"b\t]{1,3}@)?[a/?#:]{0,4}",
        ) {
            for reader in Reader::ALL {
                let Some(password) = reader.accepted(text.as_bytes(), Profile::Current).and_then(|parts| parts.password)
                else { continue };
                let more = passwords(text.as_bytes(), Profile::Current, &[*reader]);
                let spans = each_secret(text.as_bytes()).chain(more);
                let covered: Vec<String> = spans.map(|span| text[span].replace('\t', "")).collect();
                let password = urlwise::decode(password.octets());
                let password = String::from_utf8_lossy(&password).replace('\t', "");
                prop_assert!(
                    password.is_empty() || covered.iter().any(|covered| covered.contains(&password)),
                    "{text:?} {reader}: {password:?} in {covered:?}"
                );
            }
        }
    }
}
