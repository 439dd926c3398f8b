//! The classes of outcome: one table for exit codes, names and meanings (S-54).
//!
//! A program that opens a URL must be able to tell a spelling mistake from a server that is down without reading
//! prose, so every [`Error`](crate::Error) belongs to one class and every class is one exit code.
//!
//! ```
//! use urlwise_open::Class;
//!
//! assert_eq!(Class::NotFound.code(), 10);
//! assert_eq!(Class::NotFound.name(), "not-found");
//! assert!(Class::ALL.iter().all(|class| !class.meaning().is_empty()));
//! ```

use core::fmt;

macro_rules! classes {
    ($($code:literal $variant:ident $name:literal $meaning:literal)*) => {
        /// What kind of end a run had.
        #[non_exhaustive]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Class {
            $(#[doc = concat!("Exit code ", $code, ": ", $meaning, ".")] $variant = $code,)*
        }

        impl Class {
            /// Every class, in the order of the exit codes.
            pub const ALL: &'static [Class] = &[$(Class::$variant),*];

            /// The stable name, for machine output.
            pub const fn name(self) -> &'static str {
                match self { $(Class::$variant => $name),* }
            }

            /// What the class means, for people: a phrase without a final full stop.
            pub const fn meaning(self) -> &'static str {
                match self { $(Class::$variant => $meaning),* }
            }
        }
    };
}

classes! {
    0   Ok          "ok"            "success"
    1   Findings    "findings"      "some input was invalid, or a check found something"
    2   Unable      "unable"        "the program could not run: wrong usage or unreadable input"
    3   InvalidUrl  "invalid-url"   "the URL is not valid"
    4   Refused     "refused"       "refused by policy before connecting"
    5   NoAccess    "no-access"     "this kind of URL is not supported"
    6   Resolve     "resolve"       "cannot resolve the host"
    7   Connect     "connect"       "cannot connect to the server"
    8   Tls         "tls"           "no trusted TLS connection"
    9   Login       "login"         "login required or rejected"
    10  NotFound    "not-found"     "the resource does not exist"
    11  Server      "server"        "the server refused the request or failed"
    12  Protocol    "protocol"      "the server's answer violates the protocol"
    13  Partial     "partial"       "the transfer ended early; the result is incomplete"
    14  Write       "write"         "the result could not be written"
    15  Timeout     "timeout"       "timed out"
    16  Redirects   "redirects"     "too many redirects or a redirect loop"
    17  Limit       "limit"         "a size or count limit was exceeded"
    18  Read        "read"          "a local file could not be read"
    130 Interrupted "interrupted"   "interrupted by the user"
}

impl Class {
    /// The classes of failures that another attempt may not meet. All others stay: what is not there now is not there in a
    /// second, and what the policy refuses it refuses again.
    pub const PASSING: &'static [Class] = &[Class::Connect, Class::Server, Class::Partial, Class::Timeout];

    /// The exit code.
    pub const fn code(self) -> u8 {
        self as u8
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::Class;

    #[test]
    fn security_54_every_class_has_its_own_code_and_name() {
        for (index, class) in Class::ALL.iter().enumerate() {
            for other in &Class::ALL[index + 1..] {
                assert!(class.code() < other.code());
                assert_ne!(class.name(), other.name());
                assert_ne!(class.meaning(), other.meaning());
            }
        }
    }

    #[test]
    fn names_are_lower_case_words_joined_by_hyphens() {
        for class in Class::ALL {
            assert!(class.name().bytes().all(|octet| octet == b'-' || octet.is_ascii_lowercase()));
        }
    }
}
