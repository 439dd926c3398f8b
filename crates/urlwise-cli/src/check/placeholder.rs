//! Logins that stand for those of the reader, as in `http://user:password@HOST:PORT/` and `https://example.com/` (D-100).

use urlwise::Diagnosis;

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
