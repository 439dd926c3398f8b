//! What the definition of a scheme says. Everything else asks it; there is no second table of schemes.

use super::part::{Lead, PartKind, Shape};
use crate::language::Words;
use crate::layout::{HOST, PORT, USER};
use crate::profile::Profile;
use crate::reason::Reason;

/// A scheme as data. The reader and the typed view stand in the same file.
pub(crate) struct Definition {
    /// In lower case; empty for [`Scheme::Other`](crate::Scheme::Other), whose name stands in the URL.
    pub(crate) name: &'static str,
    /// What the scheme is for, in the words of section 3.
    pub(crate) title: Words,
    /// The section of RFC 1738 that defines it, or the RFC that does.
    pub(crate) section: &'static str,
    /// The first profile that knows it.
    pub(crate) since: Profile,
    /// The default port, if any.
    pub(crate) default_port: Option<u16>,
    /// The same over TLS, which only [`Profile::Current`] knows.
    pub(crate) siblings: &'static [Sibling],
    /// What must follow its colon in a text.
    pub(crate) needs: Needs,
    pub(crate) references: References,
    /// All parts that reading may find, in the order they stand in a URL.
    pub(crate) parts: &'static [PartKind],
    /// Texts that mean the same, besides those that do so in every scheme.
    pub(crate) same: &'static [Same],
}

impl Definition {
    /// Whether its URLs may name a host.
    pub(crate) const fn has_host(&self) -> bool {
        self.may_have(HOST)
    }

    /// Whether its URLs may name a port.
    pub(crate) const fn has_port(&self) -> bool {
        self.may_have(PORT)
    }

    /// Whether its URLs may name a user (D-26).
    pub(crate) const fn has_login(&self) -> bool {
        self.may_have(USER)
    }

    /// Whether a login is read wherever its host should stand, be it allowed or an error.
    pub(crate) const fn reads_login(&self) -> bool {
        matches!(self.needs, Needs::Host)
    }

    /// Whether its URLs have a path of segments between slashes.
    pub(crate) const fn has_path(&self) -> bool {
        let mut i = 0;
        while i < self.parts.len() {
            if matches!(self.parts[i].shape, Shape::Segments) {
                return true;
            }
            i += 1;
        }
        false
    }

    /// Whether some profile allows a part in this slot.
    const fn may_have(&self, slot: usize) -> bool {
        let mut i = 0;
        while i < self.parts.len() {
            if self.parts[i].slot == slot && !matches!(self.parts[i].lead, Lead::Forbidden) {
                return true;
            }
            i += 1;
        }
        false
    }
}

/// A scheme that differs from its base in the name, the port and TLS alone.
pub(crate) struct Sibling {
    pub(crate) name: &'static str,
    pub(crate) title: Words,
    pub(crate) default_port: Option<u16>,
}

/// What must follow the name of a scheme and its colon for it to begin a URL in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needs {
    /// `//` and a host (section 3.1).
    Host,
    /// `//`, a host or none, and a path; or a path alone, as in RFC 8089 (D-64).
    Path,
    /// `local@domain`.
    Address,
    /// A newsgroup, a Message-ID or `*`; or `//` and a host, as in RFC 5538 (D-60).
    Group,
    /// Anything that begins with a letter, a digit, a `/` or an escape.
    Something,
    /// Another URL: the name is the prefix `URL:` of the Appendix.
    Prefix,
}

impl Needs {
    /// Whether a `/` must come first.
    pub(crate) const fn slash(self) -> bool {
        match self {
            Needs::Host | Needs::Path => true,
            Needs::Address | Needs::Group | Needs::Something | Needs::Prefix => false,
        }
    }
}

/// How relative references are resolved against URLs of the scheme (D-09).
#[derive(Clone, Copy)]
pub(crate) struct References {
    pub(crate) relative: Relative,
    /// Whether a `;` begins parameters; RFC 3986 has none.
    pub(crate) params: bool,
    /// The slot of what a `?` begins; `None` where `?` is data (D-33).
    pub(crate) query: Option<usize>,
    /// Whether `.` and `..` are names to RFC 1808 (D-32).
    pub(crate) dots_are_names: bool,
}

impl References {
    /// None: every reference has to be a whole URL.
    pub(crate) const NONE: References = References::new(Relative::Never);

    /// Paths alone are divided.
    pub(crate) const fn new(relative: Relative) -> Self {
        References { relative, params: false, query: None, dots_are_names: false }
    }

    pub(crate) const fn params(mut self) -> Self {
        self.params = true;
        self
    }

    pub(crate) const fn query(mut self, slot: usize) -> Self {
        self.query = Some(slot);
        self
    }

    pub(crate) const fn dots_are_names(mut self) -> Self {
        self.dots_are_names = true;
        self
    }
}

/// When a scheme has relative references (RFC 1808 section 2.3, D-09).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relative {
    Always,
    /// Only against a base whose path has a `/` after its first octet.
    WhenHierarchical,
    /// Always by RFC 3986, never by RFC 1808, which names its schemes.
    ByRfc3986,
    Never,
}

/// Texts of a scheme that mean the same, which its normal form writes in one way.
#[derive(Clone, Copy)]
pub(crate) enum Same {
    /// No host, an empty one and `localhost` (D-63, D-64).
    LocalHost,
    /// Nothing after the host, and a `/` with an empty part in this slot.
    Slash(usize, &'static Reason),
    /// Everything after the host (D-52).
    AllBehindHost,
    /// Nothing after the host, a `/`, and `/1` (D-41).
    TopMenu { gtype: usize, selector: usize, search: usize },
    /// Both cases of `;type=` (D-03), and of the letter in this slot (D-28).
    Typecode(usize),
    /// `*` in this slot and its escape (D-58).
    Asterisk(usize),
}
