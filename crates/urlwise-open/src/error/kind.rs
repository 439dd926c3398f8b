//! The kinds of failure: one table of names and meanings (S-54).
//!
//! A program that opens a URL must be able to tell a misspelt URL from a server that is down without parsing messages, so every
//! [`Error`](crate::Error) has a kind. Exit codes belong to the program: `urlwise` has a table of them.
//!
//! ```
//! use urlwise_open::ErrorKind;
//!
//! assert_eq!(ErrorKind::NotFound.name(), "not-found");
//! assert!(ErrorKind::ALL.iter().all(|kind| !kind.meaning().is_empty()));
//! ```

use crate::language::words;
use core::fmt;
use std::borrow::Cow;
use urlwise::Language;

macro_rules! kinds {
    ($($variant:ident $name:literal $meaning:literal)*) => {
        /// What failed. There may be others.
        #[non_exhaustive]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ErrorKind {
            $(#[doc = concat!("`", $name, "`: ", $meaning, ".")] $variant,)*
        }

        impl ErrorKind {
            /// Every kind, in the order of the table.
            pub const ALL: &'static [ErrorKind] = &[$(ErrorKind::$variant),*];

            /// The stable name, for machine output.
            pub const fn name(self) -> &'static str {
                match self { $(ErrorKind::$variant => $name),* }
            }

            /// What the kind means, for people: a phrase without a full stop.
            pub const fn meaning(self) -> &'static str {
                match self { $(ErrorKind::$variant => $meaning),* }
            }

            /// [`meaning`](ErrorKind::meaning) in a language.
            pub fn meaning_in(self, language: Language) -> Cow<'static, str> {
                match self { $(ErrorKind::$variant => words!($meaning)),* }.get(language)
            }
        }
    };
}

kinds! {
    InvalidUrl  "invalid-url"   "the URL is not valid"
    Refused     "refused"       "refused by policy before connecting"
    NoAccess    "no-access"     "this kind of URL is not supported"
    Resolve     "resolve"       "cannot resolve the host"
    Connect     "connect"       "cannot connect to the server"
    Tls         "tls"           "no trusted TLS connection"
    Login       "login"         "login required or rejected"
    NotFound    "not-found"     "the resource does not exist"
    Server      "server"        "the server refused the request or failed"
    Protocol    "protocol"      "the server's answer violates the protocol"
    Partial     "partial"       "the transfer ended early; the result is incomplete"
    Write       "write"         "the result could not be written"
    Timeout     "timeout"       "timed out"
    Redirects   "redirects"     "too many redirects or a redirect loop"
    Limit       "limit"         "a size or count limit was exceeded"
    Read        "read"          "a local file could not be read"
    Setting     "setting"       "a setting of the client cannot be used"
    Cancelled   "cancelled"     "the caller cancelled it"
}

impl ErrorKind {
    /// The kinds of temporary failures, which another attempt may not meet. The others are permanent: what does not exist now
    /// will not exist a second later, and the policy refuses the same URL again.
    pub const TRANSIENT: &'static [ErrorKind] =
        &[ErrorKind::Connect, ErrorKind::Server, ErrorKind::Partial, ErrorKind::Timeout];
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::ErrorKind;

    #[test]
    fn security_54_every_kind_has_its_own_name_and_meaning() {
        for (index, kind) in ErrorKind::ALL.iter().enumerate() {
            for other in &ErrorKind::ALL[index + 1..] {
                assert_ne!(kind.name(), other.name());
                assert_ne!(kind.meaning(), other.meaning());
            }
        }
    }

    #[test]
    fn names_are_lower_case_words_joined_by_hyphens() {
        for kind in ErrorKind::ALL {
            assert!(kind.name().bytes().all(|octet| octet == b'-' || octet.is_ascii_lowercase()));
            assert_eq!(format!("{kind:>20}|"), format!("{:>20}|", kind.name()));
        }
    }
}
