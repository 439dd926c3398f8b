//! From a `Location` header to its URL (S-22, RFC 9110 section 10.2.2).
//!
//! Servers send references, absolute or relative, and some are malformed. What has only one reading is accepted: spaces and
//! other octets that no URL may contain are encoded and reported. Control octets, a backslash, two `@` or a bad escape are
//! refused. User and password are dropped (S-11). A fragment is no part of the URL (D-08), and is given beside it.

use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::language::{message, words};
use crate::protocol::{Note, Quoted};
use urlwise::Message;
use urlwise::{Problem, Profile, Scheme, Url, encode_raw};

const REFERENCE: &str = "RFC 9110 section 10.2.2";

/// Where a redirect leads.
pub(super) struct Target {
    pub(super) url: Url<String>,
    /// The fragment of the location, which replaces that of the link; `None` if the link keeps its own.
    pub(super) fragment: Option<String>,
    /// How the text had to be changed.
    pub(super) notes: Vec<Note>,
}

/// The target of a redirect. Messages show the location as `shown`.
pub(super) fn resolve(base: &Url<&str>, location: &[u8], shown: &[u8]) -> Result<Target, Error> {
    let refuse = |cause: Message| {
        let target = Quoted(shown).to_string();
        let what = message!("the server redirects to {target}: {cause}", target = target, cause = cause);
        Error::new(ErrorKind::Protocol, what).with_reference(REFERENCE)
    };
    if let Some(octet) = location.iter().find(|octet| octet.is_ascii_control() || **octet == b'\\') {
        let why = match octet {
            b'\\' => words!("some programs read a backslash as a slash").into(),
            _ => message!("a URL cannot contain the control character {escape}", escape = format!("%{octet:02X}")),
        };
        return Err(refuse(why));
    }
    let mut notes = Vec::new();
    let text = encode_raw(location);
    if text.as_bytes() != location {
        notes.push(Note::new(
            "location-encoded",
            REFERENCE,
            words!("a redirect contained octets that are not allowed in a URL; they were escaped"),
        ));
    }
    // A fragment is not part of the URL, so it is not checked. It has no other `#`.
    let (text, fragment) = match text.split_once('#') {
        Some((text, fragment)) => (text, Some(fragment.replace('#', "%23"))),
        None => (text.as_str(), None),
    };
    let from = without_login(base).unwrap_or_else(|| base.as_str().to_owned());
    let from = Url::parse_with(from, Profile::Current).map_err(|error| refuse(said(&error.problem())))?;
    let url = match from.resolve(text) {
        Ok(resolved) => resolved.into_url(),
        Err(error) => {
            return Err(refuse(error.problem().map_or_else(|| error.to_string().into(), |problem| said(&problem))));
        }
    };
    let without_login = if url.scheme().base() == Scheme::Http { without_login(&url.borrow()) } else { None };
    let Some(text) = without_login else {
        return Ok(Target { url, fragment, notes });
    };
    notes.push(Note::new(
        "location-login",
        "S-11",
        words!("a redirect contained a user or password, which is not used"),
    ));
    let url = Url::parse_with(text, Profile::Current).map_err(|error| refuse(said(&error.problem())))?;
    Ok(Target { url, fragment, notes })
}

fn said(problem: &Problem<'_>) -> Message {
    Message::of_each(|language| problem.message_in(language))
}

/// The text of a URL without its user and password; `None` where it has none.
fn without_login(url: &Url<&str>) -> Option<String> {
    let spans = url.parts().filter(|part| matches!(part.name(), "user" | "password")).map(|part| part.span());
    let login = spans.reduce(|user, password| user.start..password.end)?;
    let text = url.as_str();
    // An `@` follows.
    Some([&text[..login.start], &text[login.end + 1..]].concat())
}

#[cfg(test)]
mod tests {
    use super::{Target, resolve};
    use urlwise::{Profile, Url};

    fn from(base: &str, location: &[u8]) -> Result<String, String> {
        let base = Url::parse_with(base, Profile::Current).expect(base);
        resolve(&base, location, location).map(|target| target.url.into_inner()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_redirect_is_resolved_as_rfc_3986_says_and_leaves_its_fragment() {
        for (location, target) in [("../g?y#s <", "http://a/b/g?y"), ("", "http://a/b/c/d;p?q"), ("//g", "http://g")] {
            assert_eq!(from("http://a/b/c/d;p?q", location.as_bytes()).as_deref(), Ok(target), "{location}");
        }
    }

    #[test]
    fn the_fragment_of_a_location_stands_beside_its_url() {
        let base = Url::parse("http://h.example/").expect("valid");
        for (location, fragment) in [
            ("/a", None),
            ("/a#", Some("")),
            ("/a#b", Some("b")),
            ("#b", Some("b")),
            ("/a#b c\u{e9}\"<", Some("b%20c%C3%A9%22%3C")),
            ("/a#b#c", Some("b%23c")),
        ] {
            let target = resolve(&base, location.as_bytes(), b"").expect("readable");
            assert_eq!(target.fragment.as_deref(), fragment, "{location}");
            assert!(!target.url.as_str().contains('#'), "{location}");
        }
        assert!(resolve(&base, b"/a#b\\c", b"").is_err() && resolve(&base, b"/a#b\x01", b"").is_err());
    }

    #[test]
    fn security_22_control_octets_and_backslashes_are_refused_and_named() {
        for (location, named) in [
            (b"/a\rb".as_slice(), "%0D"),
            (b"/a\0b", "%00"),
            (b"/a\x1b[2J", "%1B"),
            (b"/a\x7f", "%7F"),
            (b"http://good.example\\@evil.example/", "backslash"),
        ] {
            let error = from("http://h.example/", location).expect_err("refused");
            assert!(error.contains(named), "{error}");
            assert!(!error.contains(char::is_control), "{error}");
        }
    }

    #[test]
    fn security_22_spaces_and_raw_octets_are_encoded_and_reported() {
        let base = Url::parse("http://h.example/").expect("valid");
        let Target { url, notes, .. } = resolve(&base, b"/pub/a b\xe9.txt", b"/pub/a b\xe9.txt").expect("readable");
        assert_eq!(url.as_str(), "http://h.example/pub/a%20b%E9.txt");
        assert_eq!(notes[0].code, "location-encoded");
        let Target { notes, .. } = resolve(&base, b"/pub/a%20b", b"/pub/a%20b").expect("readable");
        assert!(notes.is_empty());
    }

    #[test]
    fn security_22_an_opaque_or_foreign_value_is_never_a_path() {
        assert_eq!(from("http://h.example/d/", b"file:///x").as_deref(), Ok("file:///x"));
        assert_eq!(from("http://h.example/d/", b"mailto:a@b.example").as_deref(), Ok("mailto:a@b.example"));
        assert!(from("http://h.example/d/", b"http:x").is_err());
        assert!(from("http://h.example/d/", b"http:///x").is_err());
        assert!(from("http://h.example/d/", b"/100%.txt").is_err());
    }

    #[test]
    fn security_11_a_login_in_a_redirect_is_dropped_and_reported() {
        let base = Url::parse("http://h.example/").expect("valid");
        let Target { url, notes, .. } =
            resolve(&base, b"http://evil:pw@other.example/x", b"http://evil:pw@other.example/x").expect("readable");
        assert_eq!(url.as_str(), "http://other.example/x");
        assert_eq!(notes[0].code, "location-login");
        assert!(resolve(&base, b"http://a@b@other.example/", b"http://a@b@other.example/").is_err());
    }

    #[test]
    fn a_login_of_the_base_does_not_travel() {
        assert_eq!(from("http://u:p@h.example/a", b"b").as_deref(), Ok("http://h.example/b"));
    }

    #[test]
    fn relative_targets_keep_port_and_scheme() {
        assert_eq!(from("https://h.example:8443/a?b", b"c").as_deref(), Ok("https://h.example:8443/c"));
        assert_eq!(from("https://h.example", b"//o.example:1/").as_deref(), Ok("https://o.example:1/"));
        assert_eq!(from("http://h.example", b"c").as_deref(), Ok("http://h.example/c"));
        assert_eq!(from("http://h.example?a/b", b"c").as_deref(), Ok("http://h.example/c"));
    }
}
