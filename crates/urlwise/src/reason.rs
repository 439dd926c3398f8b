//! The rules by which two URLs are equivalent or differ: one table row each.

use alloc::borrow::Cow;
use core::fmt;
use core::ops::Range;

use crate::display::padded;
use crate::language::{Language, Words, words};
use crate::section::Citation;

/// A rule by which two URLs are equivalent or differ.
#[derive(Debug, PartialEq, Eq)]
pub struct Reason {
    code: &'static str,
    section: &'static str,
    decision: &'static str,
    message: Words,
}

impl Reason {
    /// A rule of one scheme, which its file holds.
    pub(crate) const fn new(
        code: &'static str,
        section: &'static str,
        decision: &'static str,
        message: Words,
    ) -> Reason {
        Reason { code, section, decision, message }
    }

    /// The rule's name: `host-case`.
    pub const fn code(&self) -> &'static str {
        self.code
    }

    /// The section of RFC 1738 that it is based on.
    pub const fn section(&self) -> &'static str {
        self.section
    }

    /// The decision that settles what the RFC leaves open; `None` if the RFC is clear.
    pub const fn decision(&self) -> Option<&'static str> {
        if self.decision.is_empty() { None } else { Some(self.decision) }
    }

    /// The rule as a sentence without its final period.
    pub fn message(&self) -> &'static str {
        self.message.en()
    }

    /// [`message`](Reason::message) in a language.
    pub fn message_in(&self, language: Language) -> Cow<'static, str> {
        self.message.get(language)
    }

    /// The message, its section and its decision in a language.
    pub fn display_in(&self, language: Language) -> impl fmt::Display + use<'_> {
        let citation = Citation::new(self.section, self.decision());
        words!("{message} ({citation})").filled(language, move |name, f| match name {
            "message" => self.message.write(language, f),
            _ => write!(f, "{}", citation.display_in(language)),
        })
    }
}

impl fmt::Display for Reason {
    /// The message, its section and its decision.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        padded(f, |f| write!(f, "{}", self.display_in(Language::En)))
    }
}

macro_rules! reasons {
    ($($id:ident: $code:literal, $section:literal, $decision:literal, $message:literal;)*) => {
        /// A row of the table.
        #[derive(Clone, Copy)]
        pub(crate) enum Why { $($id),* }

        static ROWS: &[Reason] = &[$(Reason {
            code: $code,
            section: $section,
            decision: $decision,
            message: words!($message),
        }),*];
    };
}

reasons! {
    SchemeCase: "scheme-case", "2.1", "D-02", "case does not matter in a scheme";
    HostCase: "host-case", "3.1", "D-17", "case does not matter in a host";
    HostIpv6: "host-ipv6", "3.1", "D-21", "the spellings of one IPv6 address are equivalent";
    PortDefault: "port-default", "3.1", "", "the default port of the scheme may be left out";
    PortEmpty: "port-empty", "3.1", "D-22", "an empty port means the default port";
    PortZeros: "port-zeros", "3.1", "D-23", "leading zeros do not matter in a port";
    NeedlessEscape: "needless-escape", "2.2", "", "an unreserved character and its escape are equivalent";
    MissingEscape: "missing-escape", "2.2", "D-45", "a character that should be escaped means the same as its escape";
    HexCase: "hex-case", "2.2", "D-12", "case does not matter in the hex digits of an escape";
    Tilde: "tilde", "2.2", "D-11", "`~` and `%7E` are equivalent";
    TelnetSlash: "telnet-slash", "3.8", "D-52", "anything after the host of a telnet URL is ignored";
    GopherDefault: "gopher-default", "3.4.1", "D-41", "a gopher URL without type and selector, or with type `1` and an empty selector, is the top menu";
    FileLocalhost: "file-localhost", "3.10", "D-63", "an empty host and `localhost` both mean the local machine";
    FileShort: "file-short", "3.10", "D-64", "`file:/` and `file:///` are equivalent";
    TypeLiteral: "type-literal", "3.2.2", "D-03", "`;TYPE=` and `;type=` are equivalent";
    TypecodeCase: "typecode-case", "3.2.2", "D-28", "case does not matter in a typecode";
    Scheme: "scheme", "2.1", "", "different schemes name different resources";
    Absent: "absent", "3.1", "D-24", "only one of the URLs has the part; an empty part is not an absent one";
    EncodedReserved: "encoded-reserved", "2.2", "", "a reserved character is a delimiter, its escape is data";
    EmptySegment: "empty-segment", "3.1", "D-31", "empty segments are significant";
    DotSegment: "dot-segment", "3.2.2", "D-32", "`.` and `..` are ordinary names and are not removed";
    OpaqueEscape: "opaque-escape", "3.9", "D-62", "the part is opaque, so a character and its escape are different";
    Reading: "reading", "5", "", "the profiles read different parts in the same text";
    Octets: "octets", "2.2", "", "the decoded octets differ";
}

/// Any number of rows, and a rule of the scheme itself.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Reasons {
    rows: u32,
    own: Option<&'static Reason>,
}

const _: () = assert!(ROWS.len() <= u32::BITS as usize);

impl Reasons {
    pub(super) const NONE: Reasons = Reasons { rows: 0, own: None };

    pub(super) fn of(why: Why) -> Reasons {
        Reasons { rows: 1 << why as u32, own: None }
    }

    pub(super) fn add(&mut self, why: Why) {
        *self = self.or(Reasons::of(why));
    }

    pub(super) fn add_own(&mut self, reason: &'static Reason) {
        self.own = Some(reason);
    }

    pub(super) fn or(self, other: Reasons) -> Reasons {
        Reasons { rows: self.rows | other.rows, own: self.own.or(other.own) }
    }

    /// The rows in only one of the two.
    pub(super) fn xor(self, other: Reasons) -> Reasons {
        let own = if self.own == other.own { None } else { self.own.or(other.own) };
        Reasons { rows: self.rows ^ other.rows, own }
    }

    /// In the order of the table; the scheme's own stands before the first row about a scheme.
    pub(super) fn rows(self) -> impl Iterator<Item = &'static Reason> {
        let of = move |rows: Range<usize>| {
            let is_there = move |row: &usize| self.rows >> row & 1 == 1;
            rows.filter(is_there).map(|row| &ROWS[row])
        };
        let first = Why::TelnetSlash as usize;
        of(0..first).chain(self.own).chain(of(first..ROWS.len()))
    }
}
