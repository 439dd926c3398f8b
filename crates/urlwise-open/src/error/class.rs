//! The classes of outcome: one table of names and meanings (S-54).
//!
//! A program that opens a URL must be able to tell a spelling mistake from a server that is down without reading
//! prose, so every [`Error`](crate::Error) belongs to one class. Which number a program ends with
//! is its own business; `urlwise` has a table of them.
//!
//! ```
//! use urlwise_open::Class;
//!
//! assert_eq!(Class::NotFound.name(), "not-found");
//! assert!(Class::ALL.iter().all(|class| !class.meaning().is_empty()));
//! ```

use core::fmt;

macro_rules! classes {
    ($($variant:ident $name:literal $meaning:literal)*) => {
        /// What kind of end a run had.
        #[non_exhaustive]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Class {
            $(#[doc = concat!("`", $name, "`: ", $meaning, ".")] $variant,)*
        }

        impl Class {
            /// Every class, in the order of the table.
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
    Ok          "ok"            "success"
    Findings    "findings"      "some input was invalid, or a check found something"
    Unable      "unable"        "the program could not run: wrong use, no URL, or input that cannot be read"
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
    Interrupted "interrupted"   "interrupted by the user"
}

impl Class {
    /// The classes of failures that another attempt may not meet. All others stay: what is not there now is not there in a
    /// second, and what the policy refuses it refuses again.
    pub const PASSING: &'static [Class] = &[Class::Connect, Class::Server, Class::Partial, Class::Timeout];
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
    fn security_54_every_class_has_its_own_name_and_meaning() {
        for (index, class) in Class::ALL.iter().enumerate() {
            for other in &Class::ALL[index + 1..] {
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
