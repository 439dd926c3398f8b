//! The verdicts of a probe and their causes: one table (D-102).

use std::borrow::Cow;

use crate::language::words;
use core::fmt;
use urlwise::{Language, padded};

/// What a probe found out about a URL. There may be others: what is not certain may be told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProbeVerdict {
    /// It can be opened.
    Alive,
    /// It can be opened, and every redirect on the way is permanent: the URL should be replaced by the final one.
    Moved,
    /// It cannot be opened by anybody: the server that is responsible for it says so.
    Dead(Cause),
    /// Nothing is proven: the answer, or its absence, does not say whether others can open it.
    Unknown(Cause),
    /// The policy refused the URL, or one that it redirects to. The error has the rule.
    Refused,
    /// It was not asked for.
    Skipped(Cause),
}

impl ProbeVerdict {
    /// The name of every verdict, in the order of the enumeration.
    pub const NAMES: &'static [&'static str] = &["alive", "moved", "dead", "unknown", "refused", "skipped"];

    /// The stable name, for machine output: `alive`, `moved`, `dead`, `unknown`, `refused` or `skipped`.
    pub const fn name(self) -> &'static str {
        match self {
            ProbeVerdict::Alive => "alive",
            ProbeVerdict::Moved => "moved",
            ProbeVerdict::Dead(_) => "dead",
            ProbeVerdict::Unknown(_) => "unknown",
            ProbeVerdict::Refused => "refused",
            ProbeVerdict::Skipped(_) => "skipped",
        }
    }

    /// Why; `None` for a URL that can be opened and for one that the policy refused.
    pub const fn cause(self) -> Option<Cause> {
        match self {
            ProbeVerdict::Dead(cause) | ProbeVerdict::Unknown(cause) | ProbeVerdict::Skipped(cause) => Some(cause),
            ProbeVerdict::Alive | ProbeVerdict::Moved | ProbeVerdict::Refused => None,
        }
    }

    /// Whether another probe, some time later, may find out more: nothing is proven, and the cause is one that passes.
    pub const fn is_suspect(self) -> bool {
        match self {
            ProbeVerdict::Unknown(cause) => cause.passes(),
            ProbeVerdict::Alive
            | ProbeVerdict::Moved
            | ProbeVerdict::Dead(_)
            | ProbeVerdict::Refused
            | ProbeVerdict::Skipped(_) => false,
        }
    }
}

impl fmt::Display for ProbeVerdict {
    /// The name, and the cause in parentheses.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        padded(f, |f| match self.cause() {
            Some(cause) => write!(f, "{} ({cause})", self.name()),
            None => f.write_str(self.name()),
        })
    }
}

/// Whether a cause can be gone by the next attempt.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lasts {
    Yes,
    No,
}

macro_rules! causes {
    ($($variant:ident $name:literal $verdict:ident $lasts:ident $meaning:literal)*) => {
        /// Why a URL has its verdict. Each cause belongs to one verdict. There may be others, which belong to a verdict too.
        #[non_exhaustive]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Cause {
            $(#[doc = concat!("`", $name, "`: ", $meaning, ".")] $variant,)*
        }

        impl Cause {
            /// Every cause, in the order of the table: those of dead URLs, of unknown ones, of skipped ones.
            pub const ALL: &'static [Cause] = &[$(Cause::$variant),*];

            /// The stable name, for machine output.
            pub const fn name(self) -> &'static str {
                match self { $(Cause::$variant => $name),* }
            }

            /// What it means, for people: a clause without a full stop.
            pub const fn meaning(self) -> &'static str {
                match self { $(Cause::$variant => $meaning),* }
            }

            /// [`meaning`](Cause::meaning) in a language.
            pub fn meaning_in(self, language: Language) -> Cow<'static, str> {
                match self { $(Cause::$variant => words!($meaning)),* }.get(language)
            }

            /// The verdict that has this cause.
            pub const fn verdict(self) -> ProbeVerdict {
                match self { $(Cause::$variant => ProbeVerdict::$verdict(self)),* }
            }

            /// Whether it can be gone by the next attempt.
            const fn passes(self) -> bool {
                matches!(match self { $(Cause::$variant => Lasts::$lasts),* }, Lasts::No)
            }
        }
    };
}

causes! {
    NotFound     "not-found"     Dead    Yes "the server says that it does not exist"
    Gone         "gone"          Dead    Yes "the server says that it was removed permanently"
    NoSuchHost   "no-such-host"  Dead    Yes "the host does not exist"
    NoFragment   "no-fragment"   Dead    Yes "the document has no such fragment"
    NoMail       "no-mail"       Dead    Yes "the domain does not take mail"
    Challenge    "challenge"     Unknown Yes "the server wants proof that a person asks"
    RateLimit    "rate-limit"    Unknown No  "the server has had too many requests"
    Login        "login"         Unknown Yes "the server requires a login"
    Forbidden    "forbidden"     Unknown Yes "the server refuses access"
    Rejected     "rejected"      Unknown Yes "the server rejects the request"
    ServerError  "server-error"  Unknown No  "the server failed"
    Timeout      "timeout"       Unknown No  "the server did not answer in time"
    Resolver     "resolver"      Unknown No  "the name of the host could not be looked up"
    NoRoute      "no-route"      Unknown No  "no connection to the server could be made"
    Tls          "tls"           Unknown Yes "no trusted TLS connection to the server could be made"
    Broken       "broken"        Unknown No  "the connection broke before the answer"
    Protocol     "protocol"      Unknown Yes "the answer violates the protocol"
    Redirects    "redirects"     Unknown Yes "there are too many redirects, or they form a loop"
    Limit        "limit"         Unknown Yes "the answer exceeds a limit of this client"
    Unreadable   "unreadable"    Unknown Yes "the file exists and cannot be read"
    Setting      "setting"       Unknown Yes "a setting of the client cannot be used"
    Unsupported  "unsupported"   Skipped Yes "nothing here opens URLs of this kind"
    NeedsInput   "needs-input"   Skipped Yes "it cannot be opened without input from a person"
    NoServer     "no-server"     Skipped Yes "the URL names no server, and none is configured"
    Cancelled    "cancelled"     Skipped Yes "the caller cancelled it"
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::{Cause, ProbeVerdict};

    #[test]
    fn every_cause_has_its_own_name_and_meaning_and_one_verdict() {
        for (index, cause) in Cause::ALL.iter().enumerate() {
            assert!(cause.name().bytes().all(|octet| octet == b'-' || octet.is_ascii_lowercase()));
            assert_eq!(cause.verdict().cause(), Some(*cause));
            for other in &Cause::ALL[index + 1..] {
                assert!(cause.name() != other.name() && cause.meaning() != other.meaning(), "{cause} {other}");
            }
        }
    }

    #[test]
    fn verdicts_have_the_names_of_their_list() {
        let unknown = Cause::Timeout.verdict();
        let verdicts = [
            ProbeVerdict::Alive,
            ProbeVerdict::Moved,
            Cause::Gone.verdict(),
            unknown,
            ProbeVerdict::Refused,
            Cause::NoServer.verdict(),
        ];
        assert!(verdicts.iter().map(|verdict| verdict.name()).eq(ProbeVerdict::NAMES.iter().copied()));
        assert_eq!(unknown.to_string(), "unknown (timeout)");
        assert_eq!(ProbeVerdict::Alive.to_string(), "alive");
    }

    #[test]
    fn only_what_is_unknown_and_passes_is_asked_again() {
        let suspects: Vec<_> =
            Cause::ALL.iter().filter(|cause| cause.verdict().is_suspect()).map(|cause| cause.name()).collect();
        let expected = ["rate-limit", "server-error", "timeout", "resolver", "no-route", "broken"];
        assert_eq!(suspects, expected);
    }
}
