//! Hosts that are allowed: exact ones, and all below a name.

use super::host::{Plain, is_name_octet, plain};
use crate::compare::Host;
use crate::language::{message, words};
use std::fmt;
use std::net::Ipv6Addr;
use std::str::FromStr;
use urlwise::{Language, Message, Words};

/// A host, or with `*.` before it all names below that name, but not the name itself. Case, a final dot and the notation of an
/// IPv6 address make no difference.
///
/// ```
/// use urlwise_readings::guard::HostPattern;
///
/// let below: HostPattern = "*.good.example".parse()?;
/// assert!(below.matches("a.b.GOOD.example."));
/// assert!(!below.matches("good.example") && !below.matches("notgood.example"));
/// # Ok::<(), urlwise_readings::guard::InvalidPattern>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostPattern {
    host: String,
    is_suffix: bool,
}

/// A text that is not a [`HostPattern`]. `Display` says why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidPattern(Message);

impl HostPattern {
    /// The pattern for one host.
    pub(crate) fn exact(name: &str) -> HostPattern {
        HostPattern { host: normal(name), is_suffix: false }
    }

    /// Whether a host is allowed by it.
    pub fn matches(&self, host: &str) -> bool {
        let host = normal(host);
        match self.is_suffix {
            false => host == self.host,
            true => host
                .strip_suffix(&self.host)
                .and_then(|before| before.strip_suffix('.'))
                .is_some_and(|labels| !labels.is_empty() && !labels.starts_with('.')),
        }
    }
}

/// A host in the form in which it is compared.
fn normal(host: &str) -> String {
    let host = host.strip_suffix('.').unwrap_or(host);
    Host::of(host.into()).text().written().into_owned()
}

impl FromStr for HostPattern {
    type Err = InvalidPattern;

    fn from_str(text: &str) -> Result<HostPattern, InvalidPattern> {
        let (host, is_suffix) = match text.strip_prefix("*.") {
            Some(host) => (host, true),
            None => (text, false),
        };
        let refuse = |why: Words| {
            let shown = urlwise::escape_for_display(text.as_bytes()).to_string();
            Err(InvalidPattern(message!(
                "`{text}` is not a host, nor `*.` and a name: it {why}",
                text = shown,
                why = why
            )))
        };
        // An IPv6 address may stand without its brackets.
        let without_zone = host.split('%').next().unwrap_or_default();
        let host = if without_zone.parse::<Ipv6Addr>().is_ok() { format!("[{host}]") } else { host.to_owned() };
        match plain(&host) {
            Err(_) if host.contains("]:") || !host.starts_with('[') && host.contains([':', '/']) => {
                refuse(words!("is more than a host; leave out the scheme, the port and the path"))
            }
            Ok(Plain::Address(_)) if is_suffix => refuse(words!("has `*.` before an address")),
            Ok(Plain::Name) if !host.bytes().all(is_name_octet) => refuse(words!("has a character that no name has")),
            Ok(Plain::Address(_) | Plain::Name) => Ok(HostPattern { host: normal(&host), is_suffix }),
            Err(why) => refuse(why),
        }
    }
}

impl InvalidPattern {
    /// What `Display` writes, in a language.
    pub fn message_in(&self, language: Language) -> impl fmt::Display + '_ {
        self.0.in_language(language)
    }
}

impl fmt::Display for InvalidPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for InvalidPattern {}

#[cfg(test)]
mod tests {
    use super::HostPattern;

    fn matches(pattern: &str, host: &str) -> bool {
        pattern.parse::<HostPattern>().expect(pattern).matches(host)
    }

    #[test]
    fn exact_hosts_match_in_every_case_and_with_a_final_dot() {
        assert!(matches("Good.example", "good.EXAMPLE.") && matches("good.example.", "good.example"));
        assert!(!matches("good.example", "a.good.example") && !matches("good.example", "good.example.."));
        assert!(!matches("good.example", "good.example.evil.example") && !matches("good.example", ""));
        assert!(matches("1.2.3.4", "1.2.3.4") && !matches("1.2.3.4", "11.2.3.4"));
        assert!(matches("::1", "[0:0:0:0:0:0:0:1]") && matches("[::1]", "[::1]"));
    }

    #[test]
    fn a_star_stands_for_one_label_or_more() {
        for (host, is_match) in [
            ("a.good.example", true),
            ("a.b.good.example.", true),
            ("good.example", false),
            (".good.example", false),
            ("..good.example", false),
            ("agood.example", false),
            ("a.good.example.evil.example", false),
        ] {
            assert_eq!(matches("*.good.example", host), is_match, "{host}");
        }
    }

    #[test]
    fn what_is_not_a_host_is_not_a_pattern() {
        for text in
            ["", "*", "*.", "!a", "*.*.a", "a*.b", "http://a/", "a:80", "b\u{fc}cher.example", "*.1.2.3.4", "127.1"]
        {
            let error = text.parse::<HostPattern>().expect_err(text);
            assert!(!error.to_string().is_empty(), "{text}");
        }
        for (text, why) in [
            ("http://a/", "leave out the scheme, the port and the path"),
            ("a:80", "leave out the scheme, the port and the path"),
            ("[::1]:80", "leave out the scheme, the port and the path"),
            ("fe80::1%eth0", "zone"),
            ("[v1.a]", "brackets"),
        ] {
            let error = text.parse::<HostPattern>().expect_err(text).to_string();
            assert!(error.contains(why), "{error}");
        }
    }
}
