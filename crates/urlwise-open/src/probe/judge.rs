//! From errors to causes: what each kind of failure proves.

use super::Cause;
use crate::error::{Error, ErrorKind};

/// What the system's resolvers say of a name that does not exist. Everything else that they say is a failure to look it up.
const NO_SUCH_NAME: &[&str] = &[
    "Name or service not known",                    // glibc: EAI_NONAME
    "nodename nor servname provided, or not known", // macOS and the BSDs
    "Name does not resolve",                        // musl
    "No such host is known.",                       // Windows
];

/// The cause of a failure; `None` if the policy refused.
pub(super) fn cause_of(error: &Error) -> Option<Cause> {
    Some(match error.kind() {
        ErrorKind::Refused => return None,
        ErrorKind::Limit if error.refused_by().is_some() => return None,
        ErrorKind::NotFound => Cause::NotFound,
        ErrorKind::Resolve if names_nothing(error) => Cause::NoSuchHost,
        ErrorKind::Resolve => Cause::Resolver,
        ErrorKind::Connect => Cause::NoRoute,
        ErrorKind::Tls => Cause::Tls,
        ErrorKind::Login => Cause::Login,
        ErrorKind::Server if error.is_transient() => Cause::ServerError,
        ErrorKind::Server => Cause::Rejected,
        ErrorKind::InvalidUrl | ErrorKind::Protocol => Cause::Protocol,
        ErrorKind::Partial => Cause::Broken,
        ErrorKind::Timeout => Cause::Timeout,
        ErrorKind::Redirects => Cause::Redirects,
        ErrorKind::Limit => Cause::Limit,
        ErrorKind::Read => Cause::Unreadable,
        ErrorKind::Setting | ErrorKind::Write => Cause::Setting,
        ErrorKind::NoAccess => Cause::Unsupported,
        ErrorKind::Cancelled => Cause::Cancelled,
    })
}

/// Whether the resolver is certain that the name does not exist.
fn names_nothing(error: &Error) -> bool {
    let source = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
    NO_SUCH_NAME.iter().any(|words| source.contains(words))
}

#[cfg(test)]
mod tests {
    use super::cause_of;
    use crate::error::{Error, ErrorKind};
    use crate::probe::{Cause, Probe, ProbeVerdict};
    use crate::protocol::{Fault, FaultKind};
    use std::io;

    #[test]
    fn only_the_word_of_the_server_or_of_the_resolver_makes_a_url_dead() {
        for kind in ErrorKind::ALL {
            let probe = Probe::from(Error::new(*kind, "it failed"));
            let is_dead = matches!(probe.verdict, ProbeVerdict::Dead(_));
            assert_eq!(is_dead, *kind == ErrorKind::NotFound, "{kind}: {}", probe.verdict);
        }
    }

    #[test]
    fn each_kind_of_failure_has_its_cause() {
        let cause = |kind: &ErrorKind| match kind {
            ErrorKind::Refused => None,
            ErrorKind::NotFound => Some(Cause::NotFound),
            ErrorKind::Resolve => Some(Cause::Resolver),
            ErrorKind::Connect => Some(Cause::NoRoute),
            ErrorKind::Tls => Some(Cause::Tls),
            ErrorKind::Login => Some(Cause::Login),
            ErrorKind::Server => Some(Cause::ServerError),
            ErrorKind::InvalidUrl | ErrorKind::Protocol => Some(Cause::Protocol),
            ErrorKind::Partial => Some(Cause::Broken),
            ErrorKind::Timeout => Some(Cause::Timeout),
            ErrorKind::Redirects => Some(Cause::Redirects),
            ErrorKind::Limit => Some(Cause::Limit),
            ErrorKind::Read => Some(Cause::Unreadable),
            ErrorKind::Setting | ErrorKind::Write => Some(Cause::Setting),
            ErrorKind::NoAccess => Some(Cause::Unsupported),
            ErrorKind::Cancelled => Some(Cause::Cancelled),
        };
        for kind in ErrorKind::ALL {
            let error = Error::new(*kind, "it failed");
            // What the error of a server proves depends on whether it passes.
            let expected = match kind {
                ErrorKind::Server if !error.is_transient() => Some(Cause::Rejected),
                kind => cause(kind),
            };
            assert_eq!(cause_of(&error), expected, "{kind}");
        }
    }

    #[test]
    fn a_resolver_that_fails_is_not_a_host_that_does_not_exist() {
        let error = |words: &str| {
            let source = io::Error::other(format!("failed to lookup address information: {words}"));
            Error::new(ErrorKind::Resolve, "cannot resolve host `h`").with_source(source)
        };
        assert_eq!(cause_of(&error("Name or service not known")), Some(Cause::NoSuchHost));
        for words in ["Temporary failure in name resolution", "No address associated with hostname", ""] {
            assert_eq!(cause_of(&error(words)), Some(Cause::Resolver), "{words}");
        }
    }

    #[test]
    fn a_failure_that_passes_is_the_servers_and_a_permanent_one_a_rejection() {
        let fault = |lasting| Error::from(Fault::new(FaultKind::Server, "S-1", "no").code(451).lasting(lasting));
        let probe = Probe::from(fault(false));
        assert_eq!((probe.verdict, probe.status), (ProbeVerdict::Unknown(Cause::ServerError), Some(451)));
        assert_eq!(probe.error.expect("what failed").what().to_string(), "no");
        assert_eq!(Probe::from(fault(true)).verdict, ProbeVerdict::Unknown(Cause::Rejected));
    }

    #[test]
    fn what_a_rule_refuses_is_refused_and_what_an_answer_exceeds_is_unknown() {
        let by_rule = Error::new(ErrorKind::Limit, "the URL is too long").rule("url-length");
        let refused = Probe::from(by_rule);
        assert_eq!(refused.verdict, ProbeVerdict::Refused);
        assert_eq!(refused.error.and_then(|error| error.refused_by()), Some("url-length"));
        assert_eq!(Probe::from(Error::new(ErrorKind::Limit, "too long")).verdict, ProbeVerdict::Unknown(Cause::Limit));
    }
}
