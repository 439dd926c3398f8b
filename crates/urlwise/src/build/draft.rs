//! [`Draft`]: the parts of a URL by their names, to be put together or changed.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use super::error::{self, BuildError, Refused};
use super::part::{self, Form, Lead, PartKind};
use crate::addr_spec;
use crate::code::Code;
use crate::encoded;
use crate::gopherplus::GopherPlus;
use crate::grammar::{GOPHERPLUS, SCHEME};
use crate::problem::Finding;
use crate::profile::Profile;
use crate::reader::{self, Reader, Told, Until};
use crate::scheme::{Scheme, other};
use crate::url::{Url, layout_of};

/// The parts of `user:password@host:port`.
const LOGIN: [&str; 4] = ["user", "password", "host", "port"];

/// One part as it will be written.
#[derive(Clone)]
struct Piece {
    kind: &'static PartKind,
    text: Vec<u8>,
    /// What stood before it in the URL it was taken from, where that is not the rule: `;TYPE=`.
    lead: Option<Vec<u8>>,
    /// Whether somebody asked for it; else it is empty, and there because another part demands it.
    given: bool,
}

impl PartialEq for Piece {
    fn eq(&self, other: &Piece) -> bool {
        core::ptr::eq(self.kind, other.kind) && self.text == other.text
    }
}

/// The parts of a URL by the names of [`parts`](super::parts), given as octets in any order.
///
/// This is for programs that learn the names of parts when they run, and for changing a URL; [the typed builders](super)
/// know more at compile time. Octets are data: they are encoded as the part demands, and `%` becomes `%25`.
///
/// ```
/// use urlwise::{Profile, Url, build::Draft};
///
/// let mut draft = Draft::new("ftp", Profile::Rfc1738);
/// draft.add("host", b"host.dom")?;
/// draft.add("cwd", b"/etc")?;
/// draft.add("name", b"a;b")?;
/// assert_eq!(draft.build()?.as_str(), "ftp://host.dom/%2Fetc/a%3Bb");
///
/// // Changing one part keeps all others octet for octet.
/// let url = Url::parse("FTP://host.dom/%70ub/%7efile")?;
/// assert_eq!(url.with("host", b"other.dom")?.as_str(), "FTP://other.dom/%70ub/%7efile");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Draft {
    name: String,
    scheme: Scheme,
    profile: Profile,
    /// In the order of the scheme's table.
    pieces: Vec<Piece>,
    /// What follows the host and the port where no part does: the `/` of `telnet://host/` and `gopher://host/`.
    tail: Vec<u8>,
    /// The form that the Gopher+ string was given as.
    plus: Option<GopherPlus>,
}

impl Draft {
    /// No parts yet. The profile is the one the URL is to be valid by; what is not known under it is another scheme, and
    /// `https` is one under `rfc1738`. The name is written in lower case (D-02).
    pub fn new(scheme: &str, profile: Profile) -> Self {
        let known = Scheme::from_name(scheme.as_bytes(), profile);
        let mut draft = Draft { scheme: known, ..Draft::without_rules(scheme, profile) };
        if let Some(host) = draft.kind("host").filter(|_| draft.always_has_host()) {
            draft.insert(host, Vec::new(), false);
        }
        draft
    }

    /// As a scheme of which nothing is known, whatever its name.
    pub(crate) fn without_rules(scheme: &str, profile: Profile) -> Self {
        Draft {
            name: scheme.to_ascii_lowercase(),
            scheme: Scheme::Other,
            profile,
            pieces: Vec::new(),
            tail: Vec::new(),
            plus: None,
        }
    }

    pub(crate) fn of_scheme(scheme: Scheme) -> Self {
        let profile = if scheme.is_tls() { Profile::Current } else { Profile::Rfc1738 };
        Draft::new(scheme.name().unwrap_or_default(), profile)
    }

    pub(crate) fn of_url<T: AsRef<str>>(url: &Url<T>) -> Self {
        let text = url.as_str().as_bytes();
        let unruled = Draft::without_rules(url.scheme_name(), url.profile());
        let mut draft = Draft { name: url.scheme_name().to_owned(), scheme: url.scheme(), ..unruled };
        let mut at = url.scheme_name().len() + 1;
        let base = url.scheme().base();
        for written in url.parts() {
            // An address stays whole: an escape may stand for its `@`. All other parts are taken divided.
            let is_side = base == Scheme::Mailto && matches!(written.name(), "local" | "domain");
            if is_side || written.is_divided() && base != Scheme::Mailto {
                continue;
            }
            let Some(kind) = draft.kind(written.name()) else {
                continue;
            };
            let Range { start, end } = written.span();
            let lead = text.get(at..start).unwrap_or_default();
            let is_usual = lead == draft.lead(kind, draft.pieces.len()).as_bytes();
            let lead = (!is_usual).then(|| lead.to_vec());
            draft.pieces.push(Piece { kind, text: written.octets().to_vec(), lead, given: true });
            at = end;
        }
        if draft.pieces.is_empty() && base == Scheme::Other {
            draft.push("schemepart", url.schemepart().as_bytes());
        } else {
            draft.tail = text.get(at..).unwrap_or_default().to_vec();
        }
        draft
    }

    /// Puts the part in, or adds to the list that it is. The octets of a field are its name, `=` and its value.
    ///
    /// In http, `path` is short for all segments, with `/` between them. In mailto, `local` and `domain` are the sides of the
    /// address.
    ///
    /// # Errors
    /// The scheme has no such part, or there is one already and it is no list, or the octets have not its form.
    pub fn add(&mut self, part: &str, octets: &[u8]) -> Result<(), BuildError> {
        if let Some(done) = self.special(part, octets, true) {
            return done;
        }
        let kind = self.kind_or_error(part)?;
        let text = encode(kind, octets)?;
        let old = self.position(kind);
        match old.map(|at| self.pieces[at].given) {
            Some(true) if !kind.is_list() => return Err(BuildError::Repeated { part: kind.name() }),
            Some(false) => self.pieces.retain(|piece| !core::ptr::eq(piece.kind, kind)),
            _ => {}
        }
        self.insert(kind, text, true);
        if old.is_none() {
            self.bring(kind);
        }
        Ok(())
    }

    /// Puts the part in the place of the one that is there; a list becomes a list of one.
    ///
    /// # Errors
    /// The scheme has no such part, or the octets have not its form.
    pub fn set(&mut self, part: &str, octets: &[u8]) -> Result<(), BuildError> {
        match self.special(part, octets, false) {
            Some(done) => done,
            None => self.set_all(part, &[octets]),
        }
    }

    /// Puts the list in the place of the one that is there; an empty one takes the part away. What stays the same is kept as
    /// it is written.
    ///
    /// # Errors
    /// The scheme has no such part, or it is no list and there are several octet strings, or one has not its form.
    pub fn set_all<O: AsRef<[u8]>>(&mut self, part: &str, octets: &[O]) -> Result<(), BuildError> {
        let kind = self.kind_or_error(part)?;
        if octets.len() > 1 && !kind.is_list() {
            return Err(BuildError::Repeated { part: kind.name() });
        }
        if octets.is_empty() {
            return self.remove(part);
        }
        let old: Vec<&[u8]> = self.texts(kind).collect();
        let texts = octets.iter().enumerate().map(|(index, octets)| match old.get(index) {
            Some(text) if stands_for(kind, text, octets.as_ref()) => Ok(text.to_vec()),
            _ => encode(kind, octets.as_ref()),
        });
        let texts = texts.collect::<Result<_, _>>()?;
        self.put(kind, texts);
        Ok(())
    }

    /// Takes the part away. A host that the scheme demands becomes empty, and so does what other parts cannot be without.
    ///
    /// # Errors
    /// The scheme has no such part.
    pub fn remove(&mut self, part: &str) -> Result<(), BuildError> {
        let kind = self.kind_or_error(part)?;
        self.pieces.retain(|piece| !core::ptr::eq(piece.kind, kind));
        // What is empty says nothing without the part.
        self.pieces.retain(|piece| !(piece.text.is_empty() && piece.kind.needs.contains(&kind.name())));
        let is_brought = self.pieces.iter().any(|piece| piece.kind.brings.contains(&kind.name()));
        if is_brought || kind.name() == "host" && self.always_has_host() {
            self.insert(kind, Vec::new(), false);
        }
        Ok(())
    }

    /// Puts the URL together and reads it.
    ///
    /// # Errors
    /// Parts are missing or cannot stand together, or what they make is no URL.
    pub fn build(&self) -> Result<Url<String>, BuildError> {
        for Piece { kind, .. } in self.pieces.iter().filter(|piece| piece.given && !self.is_free(piece.kind)) {
            if let Some(needs) = kind.needs.iter().find(|name| !self.has(name)) {
                return Err(BuildError::Missing { part: kind.name(), needs });
            }
            if let Some(other) = kind.excludes.iter().find(|name| self.has(name)) {
                return Err(BuildError::Conflict { part: kind.name(), other });
            }
        }
        Ok(self.assemble()?)
    }

    /// Puts the URL together and reads it: it must be valid, and its parts must be these parts.
    pub(crate) fn assemble(&self) -> Result<Url<String>, Refused> {
        let (octets, spans) = self.write();
        let layout = match layout_of(&octets, self.profile) {
            Ok(layout) => layout,
            Err(finding) => return Err(Refused::new(octets, finding)),
        };
        // No rule takes an octet outside US-ASCII, so what was read is text.
        let text = String::from_utf8_lossy(&octets).into_owned();
        let url = Url::from_layout(text, layout);
        let read = Draft::of_url(&url);
        let is_same = self.has("schemepart")
            || match read.scheme == self.scheme {
                true => read.pieces == self.pieces,
                // A name with rules of its own, given as one without: the path has other parts there.
                false => read.login().eq(self.login()),
            };
        let finding = match self.odd_gopherplus(&spans) {
            Some(finding) => finding,
            None if is_same && read.name == self.name => return Ok(url),
            None => self.blame(&octets, &spans, &read),
        };
        Err(Refused::new(octets, finding))
    }

    fn login(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let pieces = self.pieces.iter().map(|piece| (piece.kind.name(), &piece.text[..]));
        pieces.filter(|(name, _)| LOGIN.contains(name))
    }

    /// What was given as a form has to be read as that form.
    fn odd_gopherplus(&self, spans: &[Range<usize>]) -> Option<Finding> {
        self.plus.as_ref().filter(|plus| plus.to_octets().is_none())?;
        let span = spans.last().cloned().unwrap_or_default();
        Some(error::error(Code::GopherplusForm, span, &GOPHERPLUS))
    }

    /// The text, and where each piece stands in it.
    fn write(&self) -> (Vec<u8>, Vec<Range<usize>>) {
        let mut octets = self.name.clone().into_bytes();
        octets.push(b':');
        let mut spans = Vec::with_capacity(self.pieces.len());
        for (index, piece) in self.pieces.iter().enumerate() {
            match &piece.lead {
                Some(lead) => octets.extend_from_slice(lead),
                None => octets.extend_from_slice(self.lead(piece.kind, index).as_bytes()),
            }
            let start = octets.len();
            octets.extend_from_slice(&piece.text);
            spans.push(start..octets.len());
        }
        octets.extend_from_slice(&self.tail);
        (octets, spans)
    }

    /// The text is a URL, but one of other parts: some octet ends its part. Finds it by the part's own rule.
    fn blame(&self, octets: &[u8], spans: &[Range<usize>], read: &Draft) -> Finding {
        let first_error = |span: Range<usize>, read: &dyn Fn(&mut Reader<'_, Told<'_>>)| {
            let read = reader::explain(octets, self.profile, |reader| {
                reader.at = span.start;
                reader.within(span.end, |reader| {
                    read(reader);
                    Ok(())
                })
            });
            read.err()
        };
        // Both readers put the error into the sink before they stop.
        let scan = |span: &Range<usize>, rule| {
            first_error(span.clone(), &|reader| {
                let _ = reader.scan(rule, Until::End);
            })
        };
        if let Some(finding) = scan(&(0..self.name.len()), &SCHEME) {
            return finding;
        }
        let pieces = self.pieces.iter().zip(spans);
        let by_rule = pieces.filter(|(piece, _)| piece.kind.value_rule().is_none());
        if let Some(finding) = by_rule.clone().find_map(|(piece, span)| scan(span, piece.kind.rule())) {
            return finding;
        }
        // A host that is none is no error in a scheme without rules: it is not read as a host (D-06).
        if self.scheme == Scheme::Other {
            let ip = first_error(self.name.len() + 1..octets.len(), &|reader| {
                let _ = other::ip(reader);
            });
            if let Some(finding) = ip {
                return finding;
            }
        }
        let differs = self.pieces.iter().enumerate().find(|(index, piece)| read.pieces.get(*index) != Some(piece));
        let Some((index, piece)) = differs else {
            return error::error(Code::BnfChar, octets.len()..octets.len(), &SCHEME);
        };
        match piece.kind.name() {
            "typecode" => {
                let marker = spans[index].start.saturating_sub(";type=".len());
                error::error(Code::FtpTypecode, marker..spans[index].end, piece.kind.rule())
            }
            _ => error::error(Code::BnfChar, spans[index].clone(), piece.kind.rule()),
        }
    }

    /// What stands before a part of this kind that is the one at `index`.
    fn lead(&self, kind: &PartKind, index: usize) -> &'static str {
        match kind.lead {
            Lead::Text(text) => text,
            Lead::Host if self.has("user") => "@",
            Lead::Host => "//",
            Lead::Behind(part) if self.has(part) => "/",
            Lead::Behind(_) => "",
            Lead::First(first, next) => {
                let before = index.checked_sub(1).and_then(|before| self.pieces.get(before));
                if before.is_some_and(|before| core::ptr::eq(before.kind, kind)) { next } else { first }
            }
        }
    }

    /// RFC 3986 knows paths and queries without a host.
    fn is_free(&self, kind: &PartKind) -> bool {
        self.profile == Profile::Current && matches!(kind.name(), "urlpath" | "query")
    }

    fn always_has_host(&self) -> bool {
        !matches!(self.scheme.base(), Scheme::Mailto | Scheme::News | Scheme::Other)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.pieces.iter().any(|piece| piece.kind.name() == name)
    }

    fn kind(&self, name: &str) -> Option<&'static PartKind> {
        part::parts(self.scheme).iter().find(|kind| kind.is_called(name))
    }

    fn kind_or_error(&self, name: &str) -> Result<&'static PartKind, BuildError> {
        let Some(kind) = self.kind(name) else {
            let known = part::parts(self.scheme).iter().filter(|kind| kind.profile <= self.profile);
            return Err(BuildError::unknown(name, &self.name, known.map(PartKind::name).collect()));
        };
        match kind.profile <= self.profile {
            true => Ok(kind),
            false => Err(BuildError::NotInProfile { part: kind.name() }),
        }
    }

    fn position(&self, kind: &PartKind) -> Option<usize> {
        self.pieces.iter().position(|piece| core::ptr::eq(piece.kind, kind))
    }

    fn texts(&self, kind: &'static PartKind) -> impl Iterator<Item = &[u8]> {
        self.pieces.iter().filter(|piece| core::ptr::eq(piece.kind, kind)).map(|piece| &piece.text[..])
    }

    /// Puts written texts in the place of those of the part, which is there afterwards with all that it brings.
    fn put(&mut self, kind: &'static PartKind, texts: Vec<Vec<u8>>) {
        let lead = self.position(kind).and_then(|at| self.pieces[at].lead.clone());
        let is_new = self.position(kind).is_none();
        self.pieces.retain(|piece| !core::ptr::eq(piece.kind, kind));
        for text in texts {
            self.insert(kind, text, true);
        }
        if let Some(at) = self.position(kind) {
            self.pieces[at].lead = lead;
        }
        if is_new {
            self.bring(kind);
        }
    }

    fn bring(&mut self, kind: &PartKind) {
        for brought in kind.brings {
            if let Some(brought) = self.kind(brought).filter(|brought| self.position(brought).is_none()) {
                self.insert(brought, Vec::new(), false);
            }
        }
    }

    /// Puts a piece behind those of its kind and of all that stand before it.
    fn insert(&mut self, kind: &'static PartKind, text: Vec<u8>, given: bool) {
        let table = part::parts(self.scheme);
        let order = |kind: &PartKind| table.iter().position(|other| core::ptr::eq(other, kind));
        let at = self.pieces.partition_point(|piece| order(piece.kind) <= order(kind));
        self.pieces.insert(at, Piece { kind, text, lead: None, given });
        if !LOGIN.contains(&kind.name()) {
            self.tail.clear();
        }
    }

    /// Puts written text behind what is there. The typed builders call this in order, with names of the scheme's table.
    pub(crate) fn push(&mut self, part: &str, text: &[u8]) {
        if let Some(kind) = self.kind(part) {
            if kind.name() == "host" {
                self.pieces.retain(|piece| !core::ptr::eq(piece.kind, kind));
            }
            self.insert(kind, text.to_vec(), true);
        }
    }

    /// As [`push`](Draft::push), with octets that the part's rule encodes.
    pub(crate) fn push_octets(&mut self, part: &str, octets: &[u8]) {
        if let Some(kind) = self.kind(part) {
            let text = kind.rule().encode(octets);
            self.insert(kind, text.into_bytes(), true);
        }
    }

    pub(crate) fn push_gopherplus(&mut self, plus: &GopherPlus) {
        self.push_octets("gopherplus", &plus.write());
        self.plus = Some(plus.clone());
    }

    /// What is given together and written apart, or the other way round; `once`, if it may not be there yet.
    fn special(&mut self, part: &str, octets: &[u8], once: bool) -> Option<Result<(), BuildError>> {
        match (self.scheme.base(), part) {
            (Scheme::Http, "path") => {
                let is_given = self.pieces.iter().any(|piece| piece.given && piece.kind.name() == "segment");
                if once && is_given {
                    return Some(Err(BuildError::Repeated { part: "path" }));
                }
                let segments: Vec<_> = octets.split(|&octet| octet == b'/').collect();
                Some(self.set_all("segment", &segments))
            }
            (Scheme::Mailto, "local") => Some(self.side("local", octets, once)),
            (Scheme::Mailto, "domain") => Some(self.side("domain", octets, once)),
            _ => None,
        }
    }

    /// One side of a mail address; the other side and the `@` stay as they are.
    fn side(&mut self, part: &'static str, octets: &[u8], once: bool) -> Result<(), BuildError> {
        let kind = self.kind_or_error("address")?;
        let address = self.texts(kind).next().unwrap_or_default().to_vec();
        let (local, domain) = match addr_spec::read(&address) {
            Ok(spec) => (spec.local.end, spec.domain.start),
            Err(_) => match address.iter().rposition(|&octet| octet == b'@') {
                Some(at) => (at, at + 1),
                None => (address.len(), address.len()),
            },
        };
        let at_sign = if local == domain { &b"@"[..] } else { &address[local..domain] };
        let (local, domain) = (&address[..local], &address[domain..]);
        let old = if part == "local" { local } else { domain };
        if once && !old.is_empty() {
            return Err(BuildError::Repeated { part });
        }
        let side = if stands_for(kind, old, octets) { old.to_vec() } else { encode(kind, octets)? };
        let (local, domain) = if part == "local" { (&side[..], domain) } else { (local, &side[..]) };
        let whole = [local, at_sign, domain].concat();
        // Quotes in both sides can make one word of them.
        match addr_spec::read(&whole) {
            Ok(spec) if spec.local.end != local.len() => {
                Err(BuildError::Form { part, why: "written without quotes: quotes on both sides would move the `@`" })
            }
            _ => {
                self.put(kind, Vec::from([whole]));
                Ok(())
            }
        }
    }
}

/// The octets as the part.
fn encode(kind: &'static PartKind, octets: &[u8]) -> Result<Vec<u8>, BuildError> {
    Ok(match kind.form {
        Form::Plain(_) => octets.to_vec(),
        Form::Encoded(rule) | Form::List(rule) => rule.encode(octets).into_bytes(),
        Form::Character(rule) => match octets.len() {
            1 => rule.encode(octets).into_bytes(),
            _ => return Err(BuildError::Form { part: kind.name(), why: "one character" }),
        },
        Form::Fields(name_rule, value_rule) => {
            let Some((name, value)) = halves(octets) else {
                return Err(BuildError::Form { part: kind.name(), why: "a name, `=` and a value" });
            };
            field(&name_rule.encode(name), &value_rule.encode(value))
        }
    })
}

/// A field as it is written.
pub(crate) fn field(name: &str, value: &str) -> Vec<u8> {
    [name, "=", value].concat().into_bytes()
}

/// What stands before and after the first `=`.
fn halves(field: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = field.iter().position(|&octet| octet == b'=')?;
    Some((&field[..at], &field[at + 1..]))
}

/// Whether the text as written already stands for the octets.
fn stands_for(kind: &PartKind, text: &[u8], octets: &[u8]) -> bool {
    match kind.form {
        Form::Fields(..) => match (halves(text), halves(octets)) {
            (Some((name, value)), Some((new_name, new_value))) => {
                *encoded::decode(name) == *new_name && *encoded::decode(value) == *new_value
            }
            (None, None) => *encoded::decode(text) == *octets,
            _ => false,
        },
        _ => *encoded::decode(text) == *octets,
    }
}

impl fmt::Debug for Draft {
    /// Names only: the octets may be a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Draft({:?}", self.name)?;
        self.pieces.iter().try_for_each(|piece| write!(f, ", {}", piece.kind.name()))?;
        f.write_str(")")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_between_the_parts_is_lost() {
        for text in [
            "FTP://a:@h.dom:021//x/y;type=A",
            "telnet://h/",
            "gopher://h/",
            "prospero://h/x;a=b;c=",
            "news:a@h",
            "foo:",
            "foo://h",
        ] {
            let url = Url::parse(text).unwrap();
            assert_eq!(Draft::of_url(&url).write().0, text.as_bytes());
        }
    }
}
