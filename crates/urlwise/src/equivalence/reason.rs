//! Why two URLs are the same or are not: one table row each.

use core::fmt;
use core::ops::Range;

/// A rule by which two texts mean the same or do not.
#[derive(Debug, PartialEq, Eq)]
pub struct Reason {
    code: &'static str,
    section: &'static str,
    decision: &'static str,
    message: &'static str,
}

impl Reason {
    /// A rule of one scheme, which its file holds.
    pub(crate) const fn new(
        code: &'static str,
        section: &'static str,
        decision: &'static str,
        message: &'static str,
    ) -> Reason {
        Reason { code, section, decision, message }
    }

    /// The rule's name: `host-case`.
    pub const fn code(&self) -> &'static str {
        self.code
    }

    /// The section of RFC 1738 it rests on.
    pub const fn section(&self) -> &'static str {
        self.section
    }

    /// The decision that settles what the RFC leaves open; `None` where the RFC itself is plain.
    pub const fn decision(&self) -> Option<&'static str> {
        if self.decision.is_empty() { None } else { Some(self.decision) }
    }

    /// The rule as a sentence without its full stop.
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
    SchemeCase: "scheme-case", "2.1", "D-02", "the case of a scheme means nothing";
    HostCase: "host-case", "3.1", "D-17", "the case of a host means nothing";
    PortDefault: "port-default", "3.1", "", "the default port of the scheme need not be written";
    PortEmpty: "port-empty", "3.1", "D-22", "an empty port is no port";
    PortZeros: "port-zeros", "3.1", "D-23", "leading zeros of a port mean nothing";
    NeedlessEscape: "needless-escape", "2.2", "", "an escape of a character that is not reserved there means the character";
    MissingEscape: "missing-escape", "2.2", "D-45", "a character that should be encoded there means its escape";
    HexCase: "hex-case", "2.2", "D-12", "the case of the digits of an escape means nothing";
    Tilde: "tilde", "2.2", "D-11", "`~` means `%7E`";
    TelnetSlash: "telnet-slash", "3.8", "D-52", "what follows the host of a telnet URL means nothing";
    GopherDefault: "gopher-default", "3.4.1", "D-41", "without a type and a selector, and with `1` and an empty one, a gopher URL is the top menu";
    FileLocalhost: "file-localhost", "3.10", "D-63", "no host and `localhost` are the machine that reads the URL";
    FileShort: "file-short", "3.10", "D-64", "`file:/` is `file:///`";
    TypeLiteral: "type-literal", "3.2.2", "D-03", "`;TYPE=` is `;type=`";
    TypecodeCase: "typecode-case", "3.2.2", "D-28", "both cases of a typecode mean the same";
    Scheme: "scheme", "2.1", "", "another scheme is another way to another thing";
    Absent: "absent", "3.1", "D-24", "one has the part and the other does not; one that is empty is there";
    EncodedReserved: "encoded-reserved", "2.2", "", "an escape of a character that is reserved there does not mean the character: it is data, the character is not";
    EmptySegment: "empty-segment", "3.1", "D-31", "an empty segment between two slashes counts";
    DotSegment: "dot-segment", "3.2.2", "D-32", "`.` and `..` are names, which nobody takes out of a URL";
    OpaqueEscape: "opaque-escape", "3.9", "D-62", "the part is opaque: an escape and the character are not taken for the same";
    Octets: "octets", "2.2", "", "the part stands for other octets";
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

    /// Those that only one has.
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
