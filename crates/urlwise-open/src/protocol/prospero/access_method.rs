//! Access methods: how an object can be had, as a server says it and as a URL.
//!
//! RFC 1738 section 3.11 has a client find out "appropriate access methods for a resource, which might themselves be represented as
//! different URLs". A value of the attribute `ACCESS-METHOD` is the name of a method and four tokens, empty where the object's own
//! are meant: host type, host, type of the name, name. A sixth token depends on the method.

use super::object::{HostToken, Object, PORT};
use crate::protocol::gopher::{ItemType, Opens};
use std::fmt::Write as _;
use urlwise::build::Draft;
use urlwise::{Scheme, Url, decode, grammar};

/// The only types of hosts and of names that mean anything outside their server.
pub(super) const INTERNET: &[u8] = b"INTERNET-D";
pub(super) const ASCII: &[u8] = b"ASCII";

/// One way to have an object.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AccessMethod {
    /// Which.
    pub method: MethodKind,
    /// The name of the method as the server wrote it, and all that follows it, the empty tokens filled.
    pub tokens: Vec<Vec<u8>>,
    /// The URL of the object by this method; `None` where RFC 1738 has none for it, where the value makes none, and for a line to
    /// read of a gopher menu. That of
    /// [`MethodKind::Local`] names a file of this machine: the server thinks that it shares our disk.
    pub url: Option<Url<String>>,
    /// What opening the URL gives.
    pub opens: Opens,
}

/// The methods that are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MethodKind {
    /// `AFTP`: FTP as a guest.
    AnonymousFtp,
    /// `FTP`: FTP with a login of one's own.
    Ftp,
    /// `GOPHER`.
    Gopher,
    /// `WAIS`.
    Wais,
    /// `TELNET`: a session.
    Telnet,
    /// `TN3270`: a session of an IBM terminal.
    Tn3270,
    /// `LOCAL`: a path in the file system of the client.
    Local,
    /// `NFS`.
    Nfs,
    /// `AFS`.
    Afs,
    /// `RCP`.
    Rcp,
    /// `PROSPERO-CONTENTS`: the server itself gives the contents.
    Contents,
    /// One that no table has.
    Other,
}

/// Name, method, and how many tokens a value has.
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

/// What the empty tokens of a value stand for.
pub(super) struct Filling<'a> {
    /// Host type, host, type of the name, name.
    pub(super) tokens: [&'a [u8]; 4],
    /// The host is that of a Prospero server, and so is its port.
    pub(super) is_server: bool,
}

impl AccessMethod {
    /// Reads a value; `None` if it has not as many tokens as its method wants.
    ///
    /// `object` is what the contents are asked of.
    pub(super) fn parse(value: &[Vec<u8>], filling: &Filling<'_>, object: Option<&Object>) -> Option<AccessMethod> {
        let name = value.first()?;
        let known = TABLE.iter().find(|(known, ..)| known == name);
        let (method, count) =
            known.map_or((MethodKind::Other, 5..=usize::MAX), |(_, method, count)| (*method, count.clone()));
        if !count.contains(&value.len()) {
            return None;
        }
        let mut tokens = value.to_vec();
        // The port of a server of Prospero is none of the method's.
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

    /// In words for people: the method and its sixth token, and the whole where there is no URL to say the rest. Octets of the
    /// server, to be [escaped](urlwise::escape_for_display) before they are shown.
    pub fn title(&self) -> Vec<u8> {
        let told: &[Vec<u8>] = match (&self.url, self.tokens.get(5..)) {
            // The text of a session is a description.
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

/// The URL of a value whose tokens are filled, and what it opens.
fn target(method: MethodKind, tokens: &[Vec<u8>], object: Option<&Object>) -> Option<(Url<String>, Opens)> {
    let [_, host_type, host, name_type, name, rest @ ..] = tokens else { return None };
    let rest = rest.first().map(Vec::as_slice);
    if name_type != ASCII {
        return None;
    }
    match method {
        // The host is whoever reads this.
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

/// The object that has the contents: another one than `object` where the value names one.
fn contents_of(host: &[u8], name: &[u8], object: Option<&Object>) -> Option<Object> {
    let (host, port) = match (HostToken::parse(host), object) {
        (Some(place), _) => (place.host.to_owned(), place.port.unwrap_or(PORT)),
        (None, Some(object)) if host.is_empty() => (object.host.clone(), object.port),
        (None, _) => return None,
    };
    let named = |version| Object { host, port, hsoname: name.to_vec(), version };
    let Some(object) = object else { return Some(named(0)) };
    let other = named(object.version);
    // The current version of any other one.
    Some(if object.is(&other) { object.clone() } else { Object { version: 0, ..other } })
}

fn ftp(place: &HostToken<'_>, path: &[u8], mode: &[u8], rooted: bool) -> Option<(Url<String>, Opens)> {
    let (typecode, opens) = match mode {
        b"TEXT" | b"ASCII" => ("a", Opens::Document),
        b"BINARY" => ("i", Opens::Document),
        b"DIRECTORY" => ("d", Opens::Menu),
        _ => return None,
    };
    // A guest begins in the directory that the path begins in; anybody else does not.
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
        // The type stands before the selector, and stays in it.
        None => *selector.first()?,
    };
    let item = grammar::GTYPE.encode(&[gtype]) + &grammar::SELECTOR.encode(selector);
    Some((place.url("gopher", "", 70, &item)?, ItemType::of(gtype).opens))
}

/// The URL behind a name of the gateway to WAIS: `WAIS-GW/HOST(PORT)/TYPE/DATABASE/ID`, where the id is percent-encoded. What is no
/// such name is a locator that only its server can read.
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

/// The file URL of a path. One that is not absolute is a path of nobody knows where.
fn local(path: &[u8]) -> Option<Url<String>> {
    let segments = path.strip_prefix(b"/")?.split(|octet| *octet == b'/');
    Draft::of(Scheme::File).with_all("segment", segments).build().ok()
}

/// The user that the text of a session names.
fn account(text: &[u8]) -> Option<&[u8]> {
    let user = text.strip_prefix(b"Use the account name \"")?.strip_suffix(b"\" to log in")?;
    (!user.is_empty() && !user.contains(&b'"')).then_some(user)
}

/// What fills the values of an object: the host that was asked, and its name.
pub(super) fn host_token(object: &Object) -> Vec<u8> {
    match object.port {
        PORT => object.host.clone().into_bytes(),
        port => format!("{}({port})", object.host).into_bytes(),
    }
}
