//! Character classes of section 5: one table, one bit per class.
//!
//! Every rule of the grammar that repeats characters has one bit here, and one more where
//! [`Profile::Current`](crate::Profile) reads it wider, so that whether an octet may stand in a part is always a
//! single test. Escapes (`%` and two hex digits) belong to no class; the reader handles them.

use crate::block;

/// A set of octets: one bit of [`TABLE`].
pub(crate) type Class = u64;

/// Numbers the classes; a bit for each.
macro_rules! classes {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "they number the constants below")]
        enum Bit { $($name),* }

        $($(#[$doc])* pub(crate) const $name: Class = 1 << Bit::$name as u32;)*

        /// All of them.
        #[cfg(test)]
        const ALL: &[Class] = &[$($name),*];
    };
}

/// No octet at all: the class of rules that are not repeated characters.
pub(crate) const NONE: Class = 0;

classes! {
    ALPHA,
    DIGIT,
    HEX,
    SCHEME,
    /// Letters, digits, hyphens and the dots between labels.
    HOST,
    HOST_CURRENT,
    UCHAR,
    UCHAR_CURRENT,
    XCHAR,
    XCHAR_CURRENT,
    USER,
    USER_CURRENT,
    /// `fpath` and `ppath`: their segments' characters and the `/` between them.
    FPATH,
    FPATH_CURRENT,
    FTP_PATH_CURRENT,
    HPATH,
    HPATH_CURRENT,
    SEARCH,
    SEARCH_CURRENT,
    /// A WAIS search, which no successor let hold `/` or `?`.
    WAIS_SEARCH_CURRENT,
    FIELD,
    FIELD_CURRENT,
    ARTICLE,
    ARTICLE_CURRENT,
    GROUP,
    /// What an RFC 822 atom may hold, among the characters of `xchar`.
    ATOM,
    SLASH,
    TYPECODE,
    /// The characters of one label of a host.
    LABEL,
    LABEL_CURRENT,
}

/// The classes that hold all of [`block::path_run`].
pub(crate) const PATHS: Class = all_of(&[
    XCHAR,
    XCHAR_CURRENT,
    FPATH,
    FPATH_CURRENT,
    FTP_PATH_CURRENT,
    HPATH,
    HPATH_CURRENT,
    ARTICLE,
    ARTICLE_CURRENT,
]);

/// Several classes as one.
const fn all_of(classes: &[Class]) -> Class {
    let (mut all, mut i) = (NONE, 0);
    while i < classes.len() {
        all |= classes[i];
        i += 1;
    }
    all
}

const ALNUM: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const SAFE: &[u8] = b"$-_.+";
const EXTRA: &[u8] = b"!*'(),";

/// Adds octets to classes.
const fn add(table: &mut [Class; 256], octets: &[u8], classes: &[Class]) {
    let mut i = 0;
    while i < octets.len() {
        table[octets[i] as usize] |= all_of(classes);
        i += 1;
    }
}

/// Adds `uchar` (without escapes) and `others` to the class, and to its wider twin also `~` (D-11).
const fn part(table: &mut [Class; 256], class: Class, current: Class, others: &[u8]) {
    add(table, ALNUM, &[class, current]);
    add(table, SAFE, &[class, current]);
    add(table, EXTRA, &[class, current]);
    add(table, others, &[class, current]);
    add(table, b"~", &[current]);
}

/// The classes each octet belongs to.
pub(crate) static TABLE: [Class; 256] = {
    let mut t = [0; 256];
    add(&mut t, ALNUM, &[SCHEME, HOST, HOST_CURRENT, LABEL, LABEL_CURRENT, GROUP]);
    let (alpha, digit) = ALNUM.split_at(52);
    add(&mut t, alpha, &[ALPHA]);
    add(&mut t, digit, &[DIGIT, HEX]);
    add(&mut t, b"ABCDEFabcdef", &[HEX]);
    add(&mut t, b"+-.", &[SCHEME]);
    add(&mut t, b"-.", &[HOST, HOST_CURRENT]);
    add(&mut t, b"-", &[LABEL, LABEL_CURRENT]);
    add(&mut t, b"_", &[HOST_CURRENT, LABEL_CURRENT]);
    add(&mut t, b"-.+_", &[GROUP]);
    add(&mut t, b"/", &[SLASH]);
    add(&mut t, b"AIDaid", &[TYPECODE]);
    part(&mut t, UCHAR, UCHAR_CURRENT, b"");
    part(&mut t, XCHAR, XCHAR_CURRENT, b";/?:@&=");
    part(&mut t, USER, USER_CURRENT, b";?&=");
    part(&mut t, FPATH, FPATH_CURRENT, b"?:@&=/");
    part(&mut t, NONE, FTP_PATH_CURRENT, b"?:@&=/;");
    part(&mut t, HPATH, HPATH_CURRENT, b";:@&=/");
    part(&mut t, SEARCH, SEARCH_CURRENT, b";:@&=");
    part(&mut t, NONE, WAIS_SEARCH_CURRENT, b";:@&=");
    add(&mut t, b"/?", &[SEARCH_CURRENT]);
    part(&mut t, FIELD, FIELD_CURRENT, b"?:@&");
    part(&mut t, ARTICLE, ARTICLE_CURRENT, b";/?:&=");
    add(&mut t, ALNUM, &[ATOM]);
    add(&mut t, b"$-_+!*'/?&=", &[ATOM]);
    t
};

/// Whether the octet belongs to the class.
#[inline]
pub(crate) fn is(octet: u8, class: Class) -> bool {
    TABLE[octet as usize] & class != 0
}

/// The first place at or after `from` whose octet is not in `class`; the length of `octets` where there is none.
///
/// Eight octets are one turn of the loop, so that an octet costs its look-up and nothing else.
pub(crate) fn skip(octets: &[u8], from: usize, class: Class) -> usize {
    skip_here(octets, from, class)
}

/// The same, compiled where it is used: for short runs, to which a call would be much.
#[inline(always)]
pub(crate) fn skip_here(octets: &[u8], from: usize, class: Class) -> usize {
    let mut at = from;
    while let Some(eight) = octets.get(at..at + 8) {
        if let Some(i) = eight.iter().position(|&octet| !is(octet, class)) {
            return at + i;
        }
        at += 8;
    }
    while at < octets.len() && is(octets[at], class) {
        at += 1;
    }
    at
}

/// The same for one of [`PATHS`], whose runs are long.
pub(crate) fn skip_path(octets: &[u8], from: usize, class: Class) -> usize {
    let mut rest = &octets[from..];
    while let Some((block, behind)) = rest.split_first_chunk() {
        match block::path_run(block, 0, |octet| is(octet, class)) {
            block::SIZE => rest = behind,
            run => return octets.len() - rest.len() + run,
        }
    }
    match octets.last_chunk() {
        _ if rest.is_empty() => octets.len(),
        // The last block overlaps the one before.
        Some(block) => {
            let start = octets.len() - block::SIZE;
            start + block::path_run(block, block::SIZE - rest.len(), |octet| is(octet, class))
        }
        None => skip(octets, octets.len() - rest.len(), class),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{vec, vec::Vec};

    #[test]
    fn skip_stops_at_the_first_octet_outside_the_class_wherever_it_stands() {
        for length in 0..40 {
            for stop in 0..=length {
                let mut text = vec![b'a'; length];
                if stop < length {
                    text[stop] = b'#';
                }
                for from in 0..=stop {
                    assert_eq!(skip(&text, from, UCHAR), stop, "{length} {stop} {from}");
                }
            }
        }
    }

    #[test]
    fn paths_are_skipped_as_one_by_one() {
        for class in ALL.iter().copied().filter(|class| class & PATHS != 0) {
            for length in 0..40 {
                for odd in 0..=255 {
                    let mut text = vec![b'a'; length + 1];
                    text[length] = odd;
                    // Some blocks hold none of the odd octets, some one, some several.
                    let step = length / 4 + 1;
                    let odds = text.iter().enumerate().map(|(i, &octet)| if i % step == 1 { odd } else { octet });
                    let odds: Vec<u8> = odds.chain(*b"#").collect();
                    for text in [text, odds] {
                        for from in [0, length] {
                            assert_eq!(skip_path(&text, from, class), skip(&text, from, class), "{length} {odd:02X}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_paths_are_the_classes_that_hold_what_a_run_of_a_path_takes_unasked() {
        let taken: Vec<u8> =
            (0..=255).filter(|octet| block::path_run(&[*octet; block::SIZE], 0, |_| false) == block::SIZE).collect();
        // A search is short.
        for class in ALL.iter().copied().filter(|class| *class != SEARCH_CURRENT) {
            assert_eq!(class & PATHS != 0, taken.iter().all(|octet| is(*octet, class)), "{class:b}");
        }
    }

    #[test]
    fn unsafe_characters_of_section_2_2_are_in_no_class() {
        for octet in b"<>\"#%{}|\\^[]` \x00\x1f\x7f".iter().chain(&[0x80, 0xFF]) {
            assert_eq!(TABLE[*octet as usize], NONE, "{octet:02X}");
        }
    }

    #[test]
    fn reserved_characters_are_allowed_by_xchar_and_never_by_uchar() {
        for octet in *b";/?:@&=" {
            assert!(is(octet, XCHAR) && !is(octet, UCHAR) && !is(octet, UCHAR_CURRENT));
        }
    }

    #[test]
    fn tilde_is_what_current_adds_to_every_part() {
        let rfc1738 = UCHAR | XCHAR | USER | FPATH | HPATH | SEARCH | FIELD | ARTICLE;
        assert!(!is(b'~', rfc1738));
        for class in [
            UCHAR_CURRENT,
            XCHAR_CURRENT,
            USER_CURRENT,
            FPATH_CURRENT,
            FTP_PATH_CURRENT,
            HPATH_CURRENT,
            SEARCH_CURRENT,
            FIELD_CURRENT,
            ARTICLE_CURRENT,
        ] {
            assert!(is(b'~', class));
        }
    }
}
