//! Access methods: how an object can be retrieved, in the server's words and as a URL.
//!
//! RFC 1738 section 3.11 says that clients determine "appropriate access methods for a resource, which might themselves be
//! represented as different URLs". A value of the attribute `ACCESS-METHOD` is the name of a method and four tokens: host type,
//! host, name type and name. An empty token stands for that of the object. A sixth token depends on the method.

use super::object::{HostToken, Object, PORT};
use crate::protocol::gopher::{ItemType, Opens};
use std::fmt::Write as _;
use urlwise::build::Draft;
use urlwise::{Scheme, Url, decode, grammar};

/// The only host type and name type that have a meaning outside their server.
pub(super) const INTERNET: &[u8] = b"INTERNET-D";
pub(super) const ASCII: &[u8] = b"ASCII";

/// One way to retrieve an object.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AccessMethod {
    /// The kind of method.
    pub method: MethodKind,
    /// The name of the method as the server wrote it and all tokens after it, with the empty ones filled in.
    pub tokens: Vec<Vec<u8>>,
    /// The URL of the object by this method; `None` if RFC 1738 has no scheme for it, if the value is not valid in a URL, and for
    /// an information line of a gopher menu. A URL of [`MethodKind::Local`] names a file of this machine: the server assumes a
    /// shared file system.
    pub url: Option<Url<String>>,
    /// What opening the URL returns.
    pub opens: Opens,
}

/// The known access methods. There may be others: servers name more than are known here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MethodKind {
    /// `AFTP`: FTP as a guest.
    AnonymousFtp,
    /// `FTP`: FTP with the user's own login.
    Ftp,
    /// `GOPHER`.
    Gopher,
    /// `WAIS`.
    Wais,
    /// `TELNET`: a session.
    Telnet,
    /// `TN3270`: a session with an IBM 3270 terminal.
    Tn3270,
    /// `LOCAL`: a path in the file system of the client.
    Local,
    /// `NFS`.
    Nfs,
    /// `AFS`.
    Afs,
    /// `RCP`.
    Rcp,
    /// `PROSPERO-CONTENTS`: the server itself sends the contents.
    Contents,
    /// Any other.
    Other,
}

/// Name, kind, and the number of tokens in a value.
const TABLE: &[(&[u8], MethodKind, std::ops::RangeInclusive<usize>)] = &[
    (b"AFTP", MethodKind::AnonymousFtp, 6..=6),
    (b"FTP", MethodKind::Ftp, 6..=6),
    (b"GOPHER", MethodKind::Gopher, 5..=6),
    (b"WAIS", MethodKind::Wais, 5..=6),
    (b"TELNET", MethodKind::Telnet, 5..=usize::MAX),
    (b"TN3270", MethodKind::Tn3270, 5..=usize::MAX),
    (b"LOCAL", MethodKind::Local, 5..=5),
    (b"NFS", MethodKind::Nfs, 6..=6),
    (b"AFS", MethodKind::Afs, 5..=5),
    (b"RCP", MethodKind::Rcp, 5..=5),
    (b"PROSPERO-CONTENTS", MethodKind::Contents, 5..=5),
];

/// What the empty tokens of a value are filled with.
pub(super) struct Filling<'a> {
    /// Host type, host, name type and name.
    pub(super) tokens: [&'a [u8]; 4],
    /// The host is a Prospero server, and its port that of Prospero.
    pub(super) is_server: bool,
}

impl AccessMethod {
    /// Reads a value; `None` if it does not have as many tokens as its method requires.
    ///
    /// `object` is the object whose contents are meant.
    pub(super) fn parse(value: &[Vec<u8>], filling: &Filling<'_>, object: Option<&Object>) -> Option<AccessMethod> {
        let name = value.first()?;
        let known = TABLE.iter().find(|(known, ..)| known == name);
        let (method, count) =
            known.map_or((MethodKind::Other, 5..=usize::MAX), |(_, method, count)| (*method, count.clone()));
        if !count.contains(&value.len()) {
            return None;
        }
        let mut tokens = value.to_vec();
        // The port of the Prospero server is not that of the method.
        let drops_port = filling.is_server && tokens[2].is_empty() && method != MethodKind::Contents;
        for (token, filled) in tokens[1..5].iter_mut().zip(filling.tokens) {
            if token.is_empty() {
                *token = filled.to_vec();
            }
        }
        if drops_port && let Some(at) = tokens[2].iter().position(|octet| *octet == b'(') {
            tokens[2].truncate(at);
        }
        let (url, opens) = match target(method, &tokens, object) {
            Some((_, opens @ (Opens::Info | Opens::Error))) => (None, opens),
            Some((url, opens)) => (Some(url), opens),
            None => (None, Opens::Unknown),
        };
        Some(AccessMethod { method, tokens, url, opens })
    }

    /// A title for people: the method and its sixth token, or all tokens if there is no URL. These are octets of the server:
    /// [escape](urlwise::escape_for_display) them before display.
    pub fn title(&self) -> Vec<u8> {
        let told: &[Vec<u8>] = match (&self.url, self.tokens.get(5..)) {
            // The sixth token of a session is a text to show.
            _ if self.text().is_some() => &[],
            (Some(_), Some(rest)) => rest,
            _ => &self.tokens[1..],
        };
        let told = told.iter().filter(|token| !token.is_empty());
        let words: Vec<_> = self.tokens.iter().take(1).chain(told).map(Vec::as_slice).collect();
        words.join(&b' ')
    }

    /// The text to show before a session begins.
    pub fn text(&self) -> Option<&[u8]> {
        match self.method {
            MethodKind::Telnet | MethodKind::Tn3270 => {
                self.tokens.get(5).map(Vec::as_slice).filter(|text| !text.is_empty())
            }
            _ => None,
        }
    }
}

/// The URL of a value with its tokens filled in, and what it opens.
fn target(method: MethodKind, tokens: &[Vec<u8>], object: Option<&Object>) -> Option<(Url<String>, Opens)> {
    let [_, host_type, host, name_type, name, rest @ ..] = tokens else { return None };
    let rest = rest.first().map(Vec::as_slice);
    if name_type != ASCII {
        return None;
    }
    match method {
        // The host is the client's own.
        MethodKind::Local => Some((local(name)?, Opens::Unknown)),
        _ if host_type != INTERNET => None,
        MethodKind::Contents => Some((contents_of(host, name, object)?.url()?, Opens::Document)),
        MethodKind::AnonymousFtp | MethodKind::Ftp => {
            ftp(&HostToken::parse(host)?, name, rest?, method == MethodKind::Ftp)
        }
        MethodKind::Gopher => gopher(&HostToken::parse(host)?, name, rest),
        MethodKind::Wais => Some((wais_gateway(name)?, Opens::Document)),
        MethodKind::Telnet => {
            let user = rest.and_then(account).map(|user| grammar::USER.encode(user) + "@").unwrap_or_default();
            Some((HostToken::parse(host)?.url("telnet", &user, 23, "")?, Opens::Session))
        }
        MethodKind::Tn3270 | MethodKind::Nfs | MethodKind::Afs | MethodKind::Rcp | MethodKind::Other => None,
    }
}

/// The object that has the contents: `object`, unless the value names another one.
fn contents_of(host: &[u8], name: &[u8], object: Option<&Object>) -> Option<Object> {
    let (host, port) = match (HostToken::parse(host), object) {
        (Some(place), _) => (place.host.to_owned(), place.port.unwrap_or(PORT)),
        (None, Some(object)) if host.is_empty() => (object.host.clone(), object.port),
        (None, _) => return None,
    };
    let named = |version| Object { host, port, hsoname: name.to_vec(), version };
    let Some(object) = object else { return Some(named(0)) };
    let other = named(object.version);
    // Of any other object, the current version.
    Some(if object.is(&other) { object.clone() } else { Object { version: 0, ..other } })
}

fn ftp(place: &HostToken<'_>, path: &[u8], mode: &[u8], rooted: bool) -> Option<(Url<String>, Opens)> {
    let (typecode, opens) = match mode {
        b"TEXT" | b"ASCII" => ("a", Opens::Document),
        b"BINARY" => ("i", Opens::Document),
        b"DIRECTORY" => ("d", Opens::Menu),
        _ => return None,
    };
    // An anonymous login starts in the directory that the path is relative to; other logins do not.
    let mut rest = if rooted && path.starts_with(b"/") { "%2F" } else { "" }.to_owned();
    let mut is_first = true;
    for segment in path.split(|octet| *octet == b'/').filter(|segment| !segment.is_empty()) {
        if !is_first {
            rest.push('/');
        }
        is_first = false;
        rest.push_str(&grammar::FSEGMENT.encode(segment));
    }
    // Writing to a String cannot fail.
    let _ = write!(rest, ";type={typecode}");
    Some((place.url("ftp", "", 21, &rest)?, opens))
}

fn gopher(place: &HostToken<'_>, selector: &[u8], rest: Option<&[u8]>) -> Option<(Url<String>, Opens)> {
    let gtype = match rest {
        Some(b"TEXT") => b'0',
        Some(b"BINARY") => b'9',
        Some([gtype]) => *gtype,
        Some(_) => return None,
        // The selector begins with the type and keeps it.
        None => *selector.first()?,
    };
    let item = grammar::GTYPE.encode(&[gtype]) + &grammar::SELECTOR.encode(selector);
    Some((place.url("gopher", "", 70, &item)?, ItemType::of(gtype).opens))
}

/// The URL for a name of the WAIS gateway: `WAIS-GW/HOST(PORT)/TYPE/DATABASE/ID`, where the id is percent-encoded. Any other name
/// is a locator that only its server understands.
fn wais_gateway(name: &[u8]) -> Option<Url<String>> {
    let mut parts = name.strip_prefix(b"WAIS-GW/")?.splitn(4, |octet| *octet == b'/');
    let (host, wtype, database, id) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let rest = format!(
        "{}/{}/{}",
        grammar::DATABASE.encode(&decode(database)),
        grammar::WTYPE.encode(&decode(wtype)),
        grammar::WPATH.encode(&decode(id))
    );
    HostToken::parse(host)?.url("wais", "", 210, &rest)
}

/// The file URL of an absolute path; `None` for a relative one.
fn local(path: &[u8]) -> Option<Url<String>> {
    let segments = path.strip_prefix(b"/")?.split(|octet| *octet == b'/');
    Draft::of(Scheme::File).with_all("segment", segments).build().ok()
}

/// The user that the text of a session names, if it does.
fn account(text: &[u8]) -> Option<&[u8]> {
    let user = text.strip_prefix(b"Use the account name \"")?.strip_suffix(b"\" to log in")?;
    (!user.is_empty() && !user.contains(&b'"')).then_some(user)
}

/// The host of an object as a token, with its port unless it is the default.
pub(super) fn host_token(object: &Object) -> Vec<u8> {
    match object.port {
        PORT => object.host.clone().into_bytes(),
        port => format!("{}({port})", object.host).into_bytes(),
    }
}
