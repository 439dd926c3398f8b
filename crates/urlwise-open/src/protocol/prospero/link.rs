//! Links: the entries of a Prospero directory.

use super::access_method::{ASCII, AccessMethod, Filling, INTERNET};
use super::attribute::{Attribute, values};
use super::line::{Pointer, Role};
use super::object::{HostToken, Object, PORT};
use crate::protocol::digits::number;
use crate::protocol::gopher::Opens;
use crate::protocol::time;
use std::time::SystemTime;
use urlwise::Url;

/// An entry of a directory, and what the server says about it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Link {
    /// Its role in the directory.
    pub role: Role,
    /// The kind of its target in the server's words: `FILE`, `DIRECTORY`, `DIRECTORY+FILE`, `EXTERNAL`.
    pub kind: Vec<u8>,
    /// Its name, which need not be unique in the directory.
    pub name: Vec<u8>,
    /// Its target; `None` if that is outside Prospero or the Internet, or malformed.
    pub object: Option<Object>,
    /// The access methods that its directory lists for the target, in the order of the server.
    pub methods: Vec<AccessMethod>,
    /// The size in octets; `None` if the server does not say.
    pub size: Option<u64>,
    /// The time of the last change; `None` if the server does not say.
    pub modified: Option<SystemTime>,
    /// A description for people, `MENU-ITEM-DESCRIPTION`; `None` without that attribute.
    pub description: Option<Vec<u8>>,
    /// The type of its contents, `OBJECT-INTERPRETATION`, from general to specific: `DOCUMENT`, `TEXT`, `ASCII`. Empty if the server
    /// does not say.
    pub interpretation: Vec<Vec<u8>>,
}

/// The media types of `OBJECT-INTERPRETATION` values.
const TYPES: &[(&[&[u8]], &str)] = &[
    (&[b"DOCUMENT", b"TEXT", b"ASCII"], "text/plain"),
    (&[b"DOCUMENT", b"POSTSCRIPT"], "application/postscript"),
    (&[b"IMAGE", b"GIF"], "image/gif"),
    (&[b"IMAGE", b"JPEG"], "image/jpeg"),
    (&[b"IMAGE", b"TIFF"], "image/tiff"),
];

/// A link, and whether some of its attributes could not be read or applied.
pub(super) struct ReadLink {
    pub(super) link: Link,
    pub(super) has_bad_method: bool,
    pub(super) has_filter: bool,
}

impl Link {
    /// Combines a line and the attributes after it. An empty host is that of `asked`, the server.
    pub(super) fn read(pointer: Pointer, attributes: &[Attribute], asked: &Object) -> ReadLink {
        let Pointer { role, kind, name, target } = pointer;
        let is_external = kind == b"EXTERNAL";
        let filling = Filling {
            tokens: [&target.host_type, &target.host, &target.name_type, &target.hsoname],
            is_server: !is_external,
        };
        let is_ours = !is_external && target.host_type == INTERNET && target.name_type == ASCII;
        let object = is_ours.then(|| place(&target.host, asked)).flatten().map(|(host, port)| Object {
            host,
            port,
            hsoname: target.hsoname.clone(),
            version: target.version,
        });
        let mut has_bad_method = false;
        let methods = methods(attributes, &filling, object.as_ref(), &mut has_bad_method);
        let first = |name| values(attributes, name).next();
        let text = |name| first(name).and_then(<[_]>::first);
        let link = Link {
            role,
            kind,
            name,
            object,
            methods,
            size: size(attributes),
            modified: text(b"LAST-MODIFIED").and_then(|text| time::timestamp(text.strip_suffix(b"Z").unwrap_or(text))),
            description: text(b"MENU-ITEM-DESCRIPTION").cloned(),
            interpretation: first(b"OBJECT-INTERPRETATION").map(<[_]>::to_vec).unwrap_or_default(),
        };
        ReadLink { link, has_bad_method, has_filter: first(b"FILTER").is_some() }
    }

    fn is(&self, word: &[u8]) -> bool {
        self.kind.split(|octet| *octet == b'+').any(|kind| kind == word)
    }

    /// The URLs of its target, best first: a prospero URL, unless the target is outside Prospero (RFC 1738 section 3.11), then those
    /// of its access methods. Empty if it cannot be opened.
    pub fn urls(&self) -> impl Iterator<Item = Url<String>> {
        let is_object = [&b"FILE"[..], b"DIRECTORY", b"OBJECT"].iter().any(|word| self.is(word));
        let own = self.object.as_ref().filter(|_| is_object).and_then(Object::url);
        own.into_iter().chain(self.methods.iter().filter_map(|method| method.url.clone()))
    }

    /// What opening the first of its [URLs](Link::urls) returns.
    pub fn opens(&self) -> Opens {
        if self.kind == b"EXTERNAL" {
            let opened = self.methods.iter().find(|method| method.url.is_some());
            return opened.or(self.methods.first()).map_or(Opens::Unknown, |method| method.opens);
        }
        let is_search = self.interpretation.first().is_some_and(|word| word == b"SEARCH");
        match (self.is(b"DIRECTORY"), self.is(b"FILE")) {
            (true, _) if is_search => Opens::Search,
            (true, _) => Opens::Menu,
            (false, true) => Opens::Document,
            (false, false) => Opens::Unknown,
        }
    }

    /// The media type of its target; `None` if the server does not say.
    pub fn media_type(&self) -> Option<&'static str> {
        let (_, media_type) = TYPES.iter().find(|(words, _)| self.interpretation == *words)?;
        Some(media_type)
    }
}

/// The host and port that a token names; those of `asked` if it is empty.
pub(super) fn place(token: &[u8], asked: &Object) -> Option<(String, u16)> {
    if token.is_empty() {
        return Some((asked.host.clone(), asked.port));
    }
    let place = HostToken::parse(token)?;
    Some((place.host.to_owned(), place.port.unwrap_or(PORT)))
}

/// The access methods in attributes; sets `bad` if one cannot be read.
pub(super) fn methods(
    attributes: &[Attribute],
    filling: &Filling<'_>,
    object: Option<&Object>,
    bad: &mut bool,
) -> Vec<AccessMethod> {
    let read = |value: &[Vec<u8>]| {
        let method = AccessMethod::parse(value, filling, object);
        *bad |= method.is_none();
        method
    };
    values(attributes, b"ACCESS-METHOD").filter_map(read).collect()
}

/// The size in attributes, such as `38 bytes`, in octets.
pub(super) fn size(attributes: &[Attribute]) -> Option<u64> {
    number(values(attributes, b"SIZE").next()?.first()?.strip_suffix(b" bytes")?)
}
