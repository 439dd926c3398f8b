//! The names that section 4 sets aside.

/// A name that section 4 sets aside for later without giving it a syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reserved {
    /// The name, in lower case.
    pub name: &'static str,
    /// What RFC 1738 says it is for.
    pub title: &'static str,
    /// The later RFC about it; `None` where there is none (D-05).
    pub later: Option<&'static str>,
}

const fn reserved(name: &'static str, title: &'static str, later: Option<&'static str>) -> Reserved {
    Reserved { name, title, later }
}

impl Reserved {
    /// The seven names of section 4, in its order.
    pub const ALL: &'static [Reserved] = &[
        reserved("afs", "Andrew File System global file names", None),
        reserved("mid", "Message identifiers for electronic mail", Some("RFC 2392")),
        reserved("cid", "Content identifiers for MIME body parts", Some("RFC 2392")),
        reserved("nfs", "Network File System (NFS) file names", Some("RFC 2224")),
        reserved("tn3270", "Interactive 3270 emulation sessions", Some("RFC 6270")),
        reserved("mailserver", "Access to data available from mail servers", Some("RFC 6196")),
        reserved("z39.50", "Access to ANSI Z39.50 services", Some("RFC 2056")),
    ];

    /// The reserved name that equals this one, in any case (D-02).
    pub(crate) fn of(name: &[u8]) -> Option<&'static Reserved> {
        Reserved::ALL.iter().find(|reserved| name.eq_ignore_ascii_case(reserved.name.as_bytes()))
    }
}

/// Whether the name begins with `x-`, in any case: experimental by section 4 (D-05).
pub(crate) fn is_experimental(name: &[u8]) -> bool {
    name.get(..2).is_some_and(|start| start.eq_ignore_ascii_case(b"x-"))
}
