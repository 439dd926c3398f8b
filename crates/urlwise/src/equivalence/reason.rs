//! The rules by which two URLs are equivalent or differ: one table row each.

use core::fmt;

/// A rule by which two URLs are equivalent or differ.
#[derive(Debug, PartialEq, Eq)]
pub struct Reason {
    code: &'static str,
    section: &'static str,
    decision: &'static str,
    message: &'static str,
}

impl Reason {
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
    pub const fn message(&self) -> &'static str {
        self.message
    }
}

impl fmt::Display for Reason {
    /// The message, its section and its decision.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (section {}", self.message, self.section)?;
        match self.decision() {
            Some(decision) => write!(f, ", {decision})"),
            None => f.write_str(")"),
        }
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
            message: $message,
        }),*];
    };
}

reasons! {
    SchemeCase: "scheme-case", "2.1", "D-02", "case does not matter in a scheme";
    HostCase: "host-case", "3.1", "D-17", "case does not matter in a host";
    PortDefault: "port-default", "3.1", "", "the default port of the scheme may be left out";
    PortEmpty: "port-empty", "3.1", "D-22", "an empty port means the default port";
    PortZeros: "port-zeros", "3.1", "D-23", "leading zeros do not matter in a port";
    NeedlessEscape: "needless-escape", "2.2", "", "an unreserved character and its escape are equivalent";
    MissingEscape: "missing-escape", "2.2", "D-45", "a character that should be escaped means the same as its escape";
    HexCase: "hex-case", "2.2", "D-12", "case does not matter in the hex digits of an escape";
    Tilde: "tilde", "2.2", "D-11", "`~` and `%7E` are equivalent";
    HttpSlash: "http-slash", "3.3", "D-37", "an http URL without a path requests `/`";
    FtpSlash: "ftp-slash", "3.2.2", "D-30", "without a path, with or without the slash, an ftp URL names the login directory";
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
    Octets: "octets", "2.2", "", "the decoded octets differ";
}

/// Any number of rows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Reasons(u32);

const _: () = assert!(ROWS.len() <= u32::BITS as usize);

impl Reasons {
    pub(super) const NONE: Reasons = Reasons(0);

    pub(super) fn of(why: Why) -> Reasons {
        Reasons(1 << why as u32)
    }

    pub(super) fn add(&mut self, why: Why) {
        *self = self.or(Reasons::of(why));
    }

    pub(super) fn or(self, other: Reasons) -> Reasons {
        Reasons(self.0 | other.0)
    }

    /// The rows in only one of the two.
    pub(super) fn xor(self, other: Reasons) -> Reasons {
        Reasons(self.0 ^ other.0)
    }

    /// In the order of the table.
    pub(super) fn rows(self) -> impl Iterator<Item = &'static Reason> {
        ROWS.iter().enumerate().filter(move |(row, _)| self.0 >> row & 1 == 1).map(|(_, reason)| reason)
    }
}
