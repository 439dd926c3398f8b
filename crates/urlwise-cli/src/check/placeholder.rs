//! What stands for something else: logins, as in `http://user:password@HOST:PORT/` and `https://example.com/`, and what a program puts in,
//! as in `http://host.dom/%s` (D-100).

use urlwise::{Diagnosis, Level};

use super::candidate::Candidate;

/// Words that stand for a host where they are its only label.
const HOSTS: [&str; 18] = [
    "address",
    "domain",
    "foo",
    "fqdn",
    "host",
    "host-name",
    "host_name",
    "hostname",
    "ip",
    "machine",
    "myhost",
    "myserver",
    "proxy",
    "remote",
    "server",
    "servername",
    "site",
    "website",
];

/// The domains of RFC 2606 that no one has, and the one in the manual of git. `localhost` is not among them: it is a host.
const RESERVED: [&str; 4] = ["example", "invalid", "test", "xz"];

/// Words that stand for a password.
const PASSWORDS: [&str; 5] = ["pass", "passwd", "password", "pw", "pwd"];

/// The placeholders of a URL in a text.
pub(super) struct Placeholders<'d> {
    octets: &'d [u8],
    /// The end of the login, if a part of it is one.
    login: Option<usize>,
}

impl<'d> Placeholders<'d> {
    pub(super) fn of(diagnosis: &Diagnosis<'d>) -> Self {
        Placeholders { octets: diagnosis.octets(), login: login(diagnosis) }
    }

    /// Whether something is not reported for their sake. Where a login is one, only what is wrong behind it is.
    pub(super) fn excuse(&self, candidate: &Candidate<'_>) -> bool {
        let is_wrong = matches!(candidate, Candidate::Problem(_)) && candidate.level() == Level::Error;
        if self.login.is_some_and(|end| !is_wrong || candidate.start() < end) {
            return true;
        }
        match candidate {
            Candidate::Problem(problem) if problem.code() == "bnf-escape" => {
                problem.spans().all(|span| is_conversion(&self.octets[span.start.min(self.octets.len())..]))
            }
            Candidate::Problem(_) | Candidate::Finding(_) => false,
        }
    }
}

/// Whether a text begins with a conversion of printf: `%s`, `%d`, `%1$s`, `%(name)s` of Python, `%@` of Objective-C.
fn is_conversion(text: &[u8]) -> bool {
    /// The longest name, in octets. There may be a conversion at every second octet.
    const LONGEST: usize = 64;
    let is_over = |rest: &[u8]| !rest.first().is_some_and(u8::is_ascii_alphanumeric);
    match text {
        [b'%', b's' | b'd' | b'i' | b'u' | b'v' | b'@', rest @ ..] => is_over(rest),
        [b'%', b'1'..=b'9', b'$', ..] => true,
        [b'%', b'(', rest @ ..] => rest.iter().take(LONGEST).any(|octet| *octet == b')'),
        _ => false,
    }
}

/// The end of the login of a URL, if a part of it is a placeholder.
pub(super) fn login(diagnosis: &Diagnosis<'_>) -> Option<usize> {
    let mut end = None;
    let mut is_placeholder = false;
    for part in diagnosis.parts() {
        let text = part.octets();
        is_placeholder |= match part.name() {
            "user" | "address" | "local" => false,
            "password" => PASSWORDS.iter().any(|word| text.eq_ignore_ascii_case(word.as_bytes())),
            "host" | "domain" => is_host(text),
            "port" => is_word(text),
            _ => break,
        };
        end = Some(part.span().end);
    }
    end.filter(|_| is_placeholder)
}

/// Whether a host is a reserved name or address, a word that stands for one, or has a variable in it.
fn is_host(host: &[u8]) -> bool {
    let host = host.to_ascii_lowercase();
    let host = host.strip_suffix(b".").unwrap_or(&host);
    let is_any = |words: &[&str], label: &[u8]| words.iter().any(|word| word.as_bytes() == label);
    let mut labels = host.split(|&octet| octet == b'.');
    let is_name = match host.contains(&b'.') {
        false => is_any(&HOSTS, host) || is_any(&RESERVED, host),
        true => {
            labels.any(|label| label == b"example" || label.starts_with(b"your"))
                || is_any(&RESERVED, host.rsplit(|&octet| octet == b'.').next().unwrap_or_default())
        }
    };
    is_name || is_documented(host) || is_variable(host)
}

/// Whether it is one of the addresses for documentation: RFC 5737 and RFC 3849.
fn is_documented(host: &[u8]) -> bool {
    [b"192.0.2.".as_slice(), b"198.51.100.", b"203.0.113.", b"[2001:db8:"].iter().any(|net| host.starts_with(net))
}

/// Whether a variable of a template or format stands in it: `$HOST`, `%s`, `*.host.dom`, `...`.
fn is_variable(text: &[u8]) -> bool {
    text.iter().any(|octet| matches!(octet, b'$' | b'*'))
        || text.windows(2).any(|pair| matches!(pair, b"%s" | b"%d" | b".."))
}

/// Whether a port is a word or a variable.
fn is_word(port: &[u8]) -> bool {
    is_variable(port) || !port.is_empty() && port.iter().all(|octet| octet.is_ascii_alphabetic() || *octet == b'_')
}
