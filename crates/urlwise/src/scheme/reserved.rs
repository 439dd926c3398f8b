//! The names that section 4 sets aside.

use crate::language::{Language, Words, words};
use alloc::borrow::Cow;

/// A name that section 4 sets aside for later without giving it a syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reserved {
    /// The name, in lower case.
    pub name: &'static str,
    /// What RFC 1738 says it is for.
    pub title: &'static str,
    translated: Words,
    /// The later RFC about it; `None` where there is none (D-05).
    pub later: Option<&'static str>,
}

const fn reserved(name: &'static str, title: Words, later: Option<&'static str>) -> Reserved {
    Reserved { name, title: title.en(), translated: title, later }
}

impl Reserved {
    /// The seven names of section 4, in its order.
    pub const ALL: &'static [Reserved] = &[
        reserved("afs", words!("Andrew File System global file names"), None),
        reserved("mid", words!("Message identifiers for electronic mail"), Some("RFC 2392")),
        reserved("cid", words!("Content identifiers for MIME body parts"), Some("RFC 2392")),
        reserved("nfs", words!("Network File System (NFS) file names"), Some("RFC 2224")),
        reserved("tn3270", words!("Interactive 3270 emulation sessions"), Some("RFC 6270")),
        reserved("mailserver", words!("Access to data available from mail servers"), Some("RFC 6196")),
        reserved("z39.50", words!("Access to ANSI Z39.50 services"), Some("RFC 2056")),
    ];

    /// [`title`](Reserved::title) in a language.
    pub fn title_in(&self, language: Language) -> Cow<'static, str> {
        self.translated.get(language)
    }

    /// The reserved name that equals this one, in any case (D-02).
    pub(crate) fn of(name: &[u8]) -> Option<&'static Reserved> {
        Reserved::ALL.iter().find(|reserved| name.eq_ignore_ascii_case(reserved.name.as_bytes()))
    }
}

/// Whether the name begins with `x-`, in any case: experimental by section 4 (D-05).
pub(crate) fn is_experimental(name: &[u8]) -> bool {
    name.get(..2).is_some_and(|start| start.eq_ignore_ascii_case(b"x-"))
}
