//! From a `Location` header to the URL it means (client-security line 22, RFC 9110 section 10.2.2).
//!
//! Servers write references, absolute or relative, and not all of them well. What can be read in one way only is read:
//! spaces and other octets no URL may hold are encoded and reported. Control octets, a backslash, two `@` or a bad escape
//! are refused. A fragment stays behind (D-08), and so do user and password (client-security line 11).

use crate::class::Class;
use crate::error::Error;
use crate::protocol::Note;
use std::borrow::Cow;
use urlwise::shown;
use urlwise::{Locator, Profile, Scheme, Url};

const GROUND: &str = "RFC 9110 section 10.2.2";

/// The URL a redirect leads to, and what had to be done to its text.
pub(crate) fn resolve(base: &Url<&str>, location: &[u8]) -> Result<(Url<String>, Vec<Note>), Error> {
    let refuse = |why: String| {
        Error::new(Class::Protocol, format!("the server redirects to \"{}\": {why}", shown(location))).ground(GROUND)
    };
    if let Some(octet) = location.iter().find(|octet| octet.is_ascii_control() || **octet == b'\\') {
        let why = match octet {
            b'\\' => "a backslash is read as a slash by some and not by others".to_owned(),
            _ => format!("the control octet %{octet:02X} is in no URL"),
        };
        return Err(refuse(why));
    }
    let mut notes = Vec::new();
    let text = encode(location);
    if text.as_bytes() != location {
        notes.push(Note {
            code: "location-encoded",
            message: "a redirect held octets that no URL may hold; they were encoded",
            rule: GROUND,
        });
    }
    let text = text.split('#').next().unwrap_or_default();
    let reference = Reference::split(text);
    let target = match reference.scheme {
        Some(scheme) if !is_http(scheme) => text.to_owned(),
        _ => {
            if reference.authority.is_some_and(|authority| authority.contains('@')) {
                notes.push(Note {
                    code: "location-login",
                    message: "a redirect held a user or password, which is not used",
                    rule: "client-security 11",
                });
            }
            reference.resolve(&Reference::of(base)).ok_or_else(|| refuse("it names no host".to_owned()))?
        }
    };
    let url =
        Url::parse_with(Profile::Current, target).map_err(|error| refuse(error.problem().message().to_string()))?;
    Ok((url, notes))
}

fn is_http(scheme: &str) -> bool {
    matches!(Scheme::from_name(scheme.as_bytes(), Profile::Current), Scheme::Http | Scheme::Https)
}

/// Encodes the octets that stand in no part of a URL, so that nothing else changes.
fn encode(location: &[u8]) -> String {
    let mut text = String::with_capacity(location.len());
    for &octet in location {
        match octet {
            b' ' | b'"' | b'<' | b'>' | b'^' | b'`' | b'{' | b'|' | b'}' | 0x80.. => {
                text += &format!("%{octet:02X}");
            }
            _ => text.push(char::from(octet)),
        }
    }
    text
}

/// The components of a reference, without fragment (RFC 3986 section 4.2 and appendix B).
#[derive(Clone, Debug, PartialEq, Eq)]
struct Reference<'a> {
    scheme: Option<&'a str>,
    authority: Option<&'a str>,
    path: Cow<'a, str>,
    query: Option<&'a str>,
}

impl<'a> Reference<'a> {
    fn split(text: &'a str) -> Reference<'a> {
        let (scheme, rest) = match text.find([':', '/', '?']) {
            Some(at) if at > 0 && text.as_bytes()[at] == b':' => (Some(&text[..at]), &text[at + 1..]),
            _ => (None, text),
        };
        let (authority, rest) = match rest.strip_prefix("//") {
            Some(rest) => {
                let (authority, rest) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
                (Some(authority), rest)
            }
            None => (None, rest),
        };
        let (path, query) = match rest.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (rest, None),
        };
        Reference { scheme, authority, path: path.into(), query }
    }

    /// The components of an http URL, its slash in place, its login left out.
    fn of(base: &'a Url<&str>) -> Reference<'a> {
        let whole = Reference::split(base.as_str());
        let search = match base.locator() {
            Locator::Http(http) => http.search().map(urlwise::Encoded::as_str),
            _ => whole.query,
        };
        let path = if whole.path.is_empty() { "/".into() } else { whole.path };
        Reference { path, query: search, ..whole }
    }

    /// This reference as seen from `base`, as text (RFC 3986 sections 5.2.2 and 5.3); `None` if no host can be had.
    fn resolve(&self, base: &Reference<'_>) -> Option<String> {
        let (authority, path, query) = match (self.scheme, self.authority) {
            (_, Some(authority)) => (authority, without_dots(&self.path), self.query),
            (Some(_), None) => return None,
            (None, None) => {
                let authority = base.authority?;
                match (&*self.path, self.query) {
                    ("", query) => (authority, base.path.to_string(), query.or(base.query)),
                    (path, query) if path.starts_with('/') => (authority, without_dots(path), query),
                    (path, query) => {
                        let folder = base.path.rfind('/').map_or("/", |at| &base.path[..=at]);
                        (authority, without_dots(&format!("{folder}{path}")), query)
                    }
                }
            }
        };
        let mut text = format!("{}://{}{path}", self.scheme.or(base.scheme)?, without_login(authority));
        if let Some(query) = query {
            text.push('?');
            text += query;
        }
        Some(text)
    }
}

/// The authority after its only `@`; one with two is left for the parser to refuse.
fn without_login(authority: &str) -> &str {
    match authority.split_once('@') {
        Some((_, host)) if !host.contains('@') => host,
        _ => authority,
    }
}

/// RFC 3986 section 5.2.4: `.` and `..` segments taken out of a path that begins with a slash (or is empty). Escaped dots
/// stay as they are.
fn without_dots(path: &str) -> String {
    let Some(relative) = path.strip_prefix('/') else {
        return path.to_owned();
    };
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = relative.split('/').peekable();
    while let Some(segment) = segments.next() {
        let is_dots = matches!(segment, "." | "..");
        if segment == ".." {
            kept.pop();
        }
        if !is_dots {
            kept.push(segment);
        } else if segments.peek().is_none() {
            kept.push("");
        }
    }
    format!("/{}", kept.join("/"))
}

#[cfg(test)]
mod tests {
    use super::resolve;
    use urlwise::{Profile, Url};

    fn from(base: &str, location: &[u8]) -> Result<String, String> {
        let base = Url::parse_with(Profile::Current, base).expect(base);
        resolve(&base, location).map(|(url, _)| url.into_inner()).map_err(|error| error.to_string())
    }

    /// RFC 3986 section 5.4, those of its cases that give an http URL, with `http://a/b/c/d;p?q` as the base.
    #[test]
    fn references_resolve_as_rfc_3986_section_5_4_lists() {
        for (reference, target) in [
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q"),
            ("g#s", "http://a/b/c/g"),
            ("g?y#s", "http://a/b/c/g?y"),
            (";x", "http://a/b/c/;x"),
            ("g;x", "http://a/b/c/g;x"),
            ("g;x?y#s", "http://a/b/c/g;x?y"),
            ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"),
            ("./", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../..", "http://a/"),
            ("../../", "http://a/"),
            ("../../g", "http://a/g"),
            ("../../../g", "http://a/g"),
            ("../../../../g", "http://a/g"),
            ("/./g", "http://a/g"),
            ("/../g", "http://a/g"),
            ("g.", "http://a/b/c/g."),
            (".g", "http://a/b/c/.g"),
            ("g..", "http://a/b/c/g.."),
            ("..g", "http://a/b/c/..g"),
            ("./../g", "http://a/b/g"),
            ("./g/.", "http://a/b/c/g/"),
            ("g/./h", "http://a/b/c/g/h"),
            ("g/../h", "http://a/b/c/h"),
            ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
            ("g;x=1/../y", "http://a/b/c/y"),
            ("g?y/./x", "http://a/b/c/g?y/./x"),
            ("g?y/../x", "http://a/b/c/g?y/../x"),
        ] {
            assert_eq!(from("http://a/b/c/d;p?q", reference.as_bytes()).as_deref(), Ok(target), "{reference}");
        }
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
        let (url, notes) = resolve(&base, b"/pub/a b\xe9.txt").expect("readable");
        assert_eq!(url.as_str(), "http://h.example/pub/a%20b%E9.txt");
        assert_eq!(notes[0].code, "location-encoded");
        let (_, notes) = resolve(&base, b"/pub/a%20b").expect("readable");
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
        let (url, notes) = resolve(&base, b"http://evil:pw@other.example/x").expect("readable");
        assert_eq!(url.as_str(), "http://other.example/x");
        assert_eq!(notes[0].code, "location-login");
        assert!(resolve(&base, b"http://a@b@other.example/").is_err());
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
