//! The extensions that a server lists in its reply to `EHLO`: RFC 5321 section 4.1.1.1.

use crate::protocol::reply::Reply;
use lettre::transport::smtp::authentication::Mechanism;

/// The extensions that matter here. Keywords are not case-sensitive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Extensions {
    pub(super) starttls: bool,
    pub(super) utf8: bool,
    /// The better login mechanism that both sides support.
    pub(super) mechanism: Option<Mechanism>,
}

impl Extensions {
    pub(super) fn of(reply: &Reply) -> Extensions {
        let mut extensions = Extensions::default();
        // The first line is the server's own name.
        for line in reply.lines().skip(1) {
            let text = line.get(4..).unwrap_or_default();
            let mut words = text.split(|octet| matches!(octet, b' ' | b'\t')).filter(|word| !word.is_empty());
            let Some(keyword) = words.next() else { continue };
            let is = |name: &str| keyword.eq_ignore_ascii_case(name.as_bytes());
            extensions.starttls |= is("STARTTLS");
            extensions.utf8 |= is("SMTPUTF8");
            if is("AUTH") {
                let offered: Vec<_> = words.collect();
                let is_offered = |mechanism: &Mechanism| {
                    offered.iter().any(|word| word.eq_ignore_ascii_case(mechanism.to_string().as_bytes()))
                };
                extensions.mechanism = [Mechanism::Plain, Mechanism::Login].into_iter().find(is_offered);
            }
        }
        extensions
    }
}

#[cfg(test)]
mod tests {
    use super::Extensions;
    use crate::protocol::Input;
    use crate::protocol::reply::{Replies, ReplyLimits};
    use lettre::transport::smtp::authentication::Mechanism;

    fn of(text: &str) -> Extensions {
        let limits = ReplyLimits { line: 1_000, reply: 10_000, lines: 100 };
        let reply = Replies::new("RFC 5321").next(&mut Input::new(text.as_bytes()), limits);
        Extensions::of(&reply.expect("well formed").expect("whole"))
    }

    #[test]
    fn keywords_are_read_in_any_case_and_any_order() {
        let all = of("250-h Hello\r\n250-SIZE 9\r\n250-starttls\r\n250-Auth LOGIN plain X\r\n250 SMTPUTF8\r\n");
        assert_eq!(all, Extensions { starttls: true, utf8: true, mechanism: Some(Mechanism::Plain) });
        assert_eq!(of("250-h\r\n250 AUTH\tCRAM-MD5  LOGIN \r\n").mechanism, Some(Mechanism::Login));
    }

    #[test]
    fn what_is_not_offered_is_not_there() {
        for text in ["250 STARTTLS\r\n", "250\r\n", "250-h\r\n250- \r\n250-\t\r\n250 XSTARTTLS AUTH PLAIN\r\n"] {
            assert_eq!(of(text), Extensions::default(), "{text}");
        }
    }
}
