//! Texts that parse as URLs of unintended schemes (D-04): `localhost:8080`, `c:/x`, `htp://host/`, `URL:http://host/`.

use alloc::format;
use alloc::string::{String, ToString};

use super::check;
use crate::layout::Layout;
use crate::profile::Profile;
use crate::scheme::Scheme;

/// The longest text that is checked; a suggestion for a longer one would not help.
const LIMIT: usize = 4096;

/// The URL probably meant by a text with an unknown scheme; always valid in one of the profiles.
///
/// `None` if nothing suggests a mistake: an unknown scheme alone is not one.
pub(crate) fn suggestion(text: &str) -> Option<String> {
    if text.len() > LIMIT {
        return None;
    }
    let (scheme, rest) = text.split_once(':')?;
    let known = Scheme::from_name(scheme.as_bytes(), Profile::Current);
    // What most texts are, so that nothing is built for them.
    if !matches!(known, Scheme::Other | Scheme::File) && rest.starts_with("//") {
        return None;
    }
    let meant = if scheme.eq_ignore_ascii_case("url") {
        rest.trim_start().to_string()
    } else if known == Scheme::File {
        format!("file:///{}", rest.trim_start_matches('/'))
    } else if is_drive(scheme, rest) {
        format!("file:///{scheme}:{rest}")
    } else if let Some(port) = host_port(scheme, rest) {
        format!("{}://{text}", scheme_at(port))
    } else if known == Scheme::Other {
        format!("{}:{rest}", misspelt(scheme, rest)?)
    } else {
        return None;
    };
    let is_url = Profile::ALL.iter().any(|&profile| check(meant.as_bytes(), &mut Layout::new(profile)).is_ok());
    is_url.then_some(meant)
}

/// One letter before a path: a DOS or Windows drive.
fn is_drive(scheme: &str, rest: &str) -> bool {
    scheme.len() == 1 && scheme.bytes().all(|octet| octet.is_ascii_alphabetic()) && rest.starts_with('/')
}

/// The port, if the text looks like `host:port` or `host:port/path`.
fn host_port(scheme: &str, rest: &str) -> Option<u16> {
    let (digits, path) = match rest.find(['/', '?']) {
        Some(end) => rest.split_at(end),
        None => (rest, ""),
    };
    let port = digits.parse().ok().filter(|_| digits.bytes().all(|octet| octet.is_ascii_digit()))?;
    let is_host = scheme.contains('.') || scheme.eq_ignore_ascii_case("localhost") || path.starts_with('/');
    is_host.then_some(port)
}

/// The scheme with this default port; http if there is none.
fn scheme_at(port: u16) -> &'static str {
    let of_port = |scheme: &Scheme| scheme.default_port() == Some(port);
    let mut known = Scheme::RFC1738.iter().chain(Scheme::LATER).chain(&[Scheme::Https]).copied();
    known.find(of_port).and_then(Scheme::name).unwrap_or("http")
}

/// A known scheme that is one typo away, where what follows suits it.
fn misspelt(scheme: &str, rest: &str) -> Option<&'static str> {
    let has_slashes = rest.starts_with("//");
    if !has_slashes && !rest.contains('@') {
        return None;
    }
    slip_of(scheme.as_bytes()).filter(|meant| has_slashes || *meant == "mailto")
}

/// The known scheme that is one typo away from a name: a letter added, missing or changed, or two letters swapped.
pub(crate) fn slip_of(name: &[u8]) -> Option<&'static str> {
    // `tp` may be http as well as ftp.
    const SHORTEST: usize = 3;
    let written = name.to_ascii_lowercase();
    // The most common schemes come first: `htp` is http rather than ftp.
    let common = [Scheme::Http, Scheme::Https].into_iter();
    let known = common.chain(Scheme::ALL.iter().copied()).filter_map(Scheme::name);
    // A sibling in `rfc1738` is not a typo and is in the table itself.
    if name.len() < SHORTEST || known.clone().any(|name| name.as_bytes() == written) {
        return None;
    }
    known.into_iter().find(|name| is_one_slip(&written, name.as_bytes()))
}

fn is_one_slip(a: &[u8], b: &[u8]) -> bool {
    let same = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[same..], &b[same..]);
    match (a, b) {
        ([x, y, a @ ..], [v, w, b @ ..]) if x == w && y == v && a == b => true,
        ([_, rest @ ..], b) if rest == b => true,
        (a, [_, rest @ ..]) if a == rest => true,
        ([_, a @ ..], [_, b @ ..]) => a == b,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn meant(text: &str, expected: Option<&str>) {
        assert_eq!(suggestion(text).as_deref(), expected, "{text}");
    }

    #[test]
    fn hosts_with_a_port_are_distinguished_from_schemes() {
        meant("localhost:8080", Some("http://localhost:8080"));
        meant("host.dom:80/x", Some("http://host.dom:80/x"));
        meant("127.0.0.1:80", Some("http://127.0.0.1:80"));
        meant("ftp.host.dom:21/pub/x", Some("ftp://ftp.host.dom:21/pub/x"));
        meant("build:3000/x", Some("http://build:3000/x"));
    }

    #[test]
    fn drive_letters_are_distinguished_from_schemes() {
        meant("c:/x", Some("file:///c:/x"));
    }

    #[test]
    fn a_wrapper_inside_the_url_is_taken_off() {
        meant("URL:http://h.dom/", Some("http://h.dom/"));
    }

    #[test]
    fn one_slip_in_a_scheme_is_recognised() {
        for scheme in ["htp", "htttp", "hhtp", "httq", "thtp"] {
            meant(&format!("{scheme}://h.dom/"), Some("http://h.dom/"));
        }
        meant("goper://h.dom/", Some("gopher://h.dom/"));
    }

    #[test]
    fn a_letter_at_the_end_is_too_much_or_missing() {
        assert_eq!(
            [slip_of(b"htt"), slip_of(b"gophe"), slip_of(b"newss")],
            [Some("http"), Some("gopher"), Some("news")]
        );
        assert_eq!([slip_of(b"tp"), slip_of(b"ftp"), slip_of(b"ftpxx")], [None; 3]);
    }

    #[test]
    fn a_long_text_gets_no_suggestion() {
        let text = |length: usize| format!("htp://h.dom/{}", "a".repeat(length - 12));
        assert!(suggestion(&text(LIMIT)).is_some() && suggestion(&text(LIMIT + 1)).is_none());
    }

    #[test]
    fn unknown_schemes_are_not_taken_for_slips() {
        for text in ["data:1,2", "urn:isbn:0451450523", "irc://h.dom/", "ssh://h.dom/", "tel:5551234", "sip:1@h.dom"] {
            meant(text, None);
        }
    }
}
