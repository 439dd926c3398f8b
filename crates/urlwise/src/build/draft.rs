//! [`Draft`]: the parts of a URL by their names, to be put together or changed.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use super::encoding::{encode, field, stands_for};
use super::error::{self, BuildError, Refused};
use super::piece::{Element, Piece, Text};
use crate::code::Code;
use crate::grammar::{Production, SCHEME};
use crate::language::words;
use crate::layout::OWN;
use crate::parts::Part;
use crate::profile::Profile;
use crate::raw_problem::RawProblem;
use crate::reader::{self, Reader, Report, Until};
use crate::scheme::{Lead, PartKind, Scheme, other};
use crate::url::Url;
use crate::url::parse::layout_of;
use crate::url::rules::{SchemeRules, Syntax};

mod together;

/// The part of a scheme that leaves its text in one piece.
const SCHEMEPART: &str = "schemepart";

/// The parts of a URL by the names of [`parts`](super::parts()), given as octets in any order.
///
/// Octets are data: they are encoded as the part demands, and `%` becomes `%25`. Parts are given in a chain, whose first error
/// [`build`](Draft::build) returns, or one by one with [`add`](Draft::add), [`set`](Draft::set) and [`remove`](Draft::remove).
///
/// ```
/// use urlwise::{Scheme, Url, build::Draft};
///
/// let draft = Draft::of(Scheme::Ftp).with("host", "host.dom").with("cwd", "/etc").with("name", "a;b");
/// assert_eq!(draft.build()?.as_str(), "ftp://host.dom/%2Fetc/a%3Bb");
///
/// // Changing one part keeps all others octet for octet.
/// let url = Url::parse("FTP://host.dom/%70ub/%7efile")?;
/// assert_eq!(url.with("host", b"other.dom")?.as_str(), "FTP://other.dom/%70ub/%7efile");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone)]
#[must_use = "a draft does nothing until `build`"]
pub struct Draft {
    name: String,
    scheme: Scheme,
    profile: Profile,
    /// Those of a registered scheme.
    rules: Option<SchemeRules>,
    /// In the order of the scheme's table.
    pieces: Vec<Piece>,
    /// The URL that it was made of, in which lists stand that nobody has changed.
    source: Option<Url<String>>,
    /// What follows the host and the port where no part does: the `/` of `telnet://host/` and `gopher://host/`.
    tail: Vec<u8>,
    /// The first error of a chain.
    error: Option<BuildError>,
}

impl Draft {
    /// No parts yet. The profile is the one the URL is to be valid by; a scheme that it does not know counts as
    /// [`Scheme::Other`], as `https` does under `rfc1738`. The name is written in lower case (D-02).
    pub fn new(scheme: &str, profile: Profile) -> Self {
        let known = Scheme::from_name(scheme.as_bytes(), profile);
        let mut draft = Draft::empty(scheme.to_ascii_lowercase(), known, profile);
        draft.require();
        draft
    }

    /// No parts yet, of a scheme with rules of its own and by the first profile that knows it: `rfc1738` for the ten schemes of
    /// RFC 1738, `current` for all others. [`Scheme::Other`] has no name; see [`new`](Draft::new).
    pub fn of(scheme: Scheme) -> Self {
        Draft::new(scheme.name().unwrap_or_default(), scheme.since())
    }

    fn empty(name: String, scheme: Scheme, profile: Profile) -> Self {
        Draft { name, scheme, profile, rules: None, pieces: Vec::new(), source: None, tail: Vec::new(), error: None }
    }

    /// This draft with the part put in, or added to the list that it is, as by [`add`](Draft::add). What goes wrong is the error
    /// of [`build`](Draft::build).
    pub fn with(mut self, part: &str, octets: impl AsRef<[u8]>) -> Self {
        if self.error.is_none() {
            self.error = self.add(part, octets).err();
        }
        self
    }

    /// The same for a part that may be absent: `None` leaves the draft as it is, and an empty part is present.
    ///
    /// ```
    /// use urlwise::{Scheme, build::Draft};
    ///
    /// let (user, port) = (None::<&str>, Some("2121"));
    /// let draft = Draft::of(Scheme::Ftp).with("host", "host.dom").with_optional("user", user).with_optional("port", port);
    /// assert_eq!(draft.build()?.as_str(), "ftp://host.dom:2121");
    /// # Ok::<(), urlwise::build::BuildError>(())
    /// ```
    pub fn with_optional(self, part: &str, octets: Option<impl AsRef<[u8]>>) -> Self {
        match octets {
            Some(octets) => self.with(part, octets),
            None => self,
        }
    }

    /// The same for one field of a list, given by name and value; the name may hold `=`, which [`with`](Draft::with) takes for
    /// its end.
    ///
    /// ```
    /// use urlwise::{Scheme, build::Draft};
    ///
    /// let prospero = Draft::of(Scheme::Prospero).with("host", "host.dom").with("hsoname", "/pros/name");
    /// let url = prospero.with_field("field", "OBJECT-VERSION", "3;4").build()?;
    /// assert_eq!(url.as_str(), "prospero://host.dom//pros/name;OBJECT-VERSION=3%3B4");
    /// # Ok::<(), urlwise::build::BuildError>(())
    /// ```
    pub fn with_field(mut self, part: &str, name: impl AsRef<[u8]>, value: impl AsRef<[u8]>) -> Self {
        if self.error.is_none() {
            self.error = self.add_field(part, name, value).err();
        }
        self
    }

    /// The same for the elements of a list, in order; there may be none.
    ///
    /// ```
    /// use urlwise::{Scheme, build::Draft};
    ///
    /// let file = Draft::of(Scheme::File).with_all("segment", ["etc", "a?b"]);
    /// assert_eq!(file.build()?.as_str(), "file:///etc/a%3Fb");
    /// # Ok::<(), urlwise::build::BuildError>(())
    /// ```
    pub fn with_all<O: AsRef<[u8]>>(self, part: &str, octets: impl IntoIterator<Item = O>) -> Self {
        octets.into_iter().fold(self, |draft, octets| draft.with(part, octets))
    }

    pub(crate) fn of_url<T: AsRef<str>>(url: &Url<T>) -> Self {
        Draft { source: Some(url.to_owned()), ..Draft::read(url.borrow()) }
    }

    /// The same by the rules of a registered scheme.
    pub(crate) fn by(self, rules: SchemeRules) -> Self {
        Draft { rules: Some(rules), ..self }
    }

    /// The parts of a URL, without a copy of it: lists are places in it.
    fn read(url: Url<&str>) -> Self {
        let mut draft = Draft::empty(url.scheme_name().to_owned(), url.scheme(), url.profile());
        draft.rules = url.rules();
        let text = url.as_str().as_bytes();
        let mut at = url.scheme_name().len() + 1;
        for written in url.parts() {
            // A whole is taken divided where its parts can be written by themselves. An address cannot: an escape may stand for
            // its `@`.
            if written.is_divided() && draft.is_divided(&url, &written) {
                continue;
            }
            // A path may have a million parts of one kind.
            let last = draft.pieces.last().map(|piece| piece.kind).filter(|last| core::ptr::eq(*last, written.kind()));
            let Some(kind) = last.or_else(|| draft.kind(written.name()).filter(|kind| kind.is_written())) else {
                continue;
            };
            let Range { start, end } = written.span();
            let lead = text.get(at..start).unwrap_or_default();
            let is_usual = lead == draft.lead(kind, draft.pieces.len()).as_bytes();
            at = end;
            match draft.pieces.last_mut() {
                Some(Piece { kind: before, text: Text::Kept(list), .. })
                    if is_usual && core::ptr::eq(*before, kind) =>
                {
                    list.end = end;
                    continue;
                }
                _ => {}
            }
            let text = if kind.is_list() { Text::Kept(start..end) } else { Text::One(written.octets().to_vec()) };
            draft.pieces.push(Piece { kind, text, lead: (!is_usual).then(|| lead.to_vec()), given: true });
        }
        draft.tail = text.get(at..).unwrap_or_default().to_vec();
        draft
    }

    /// Whether parts that are written by themselves stand in this one.
    fn is_divided(&self, url: &Url<&str>, whole: &Part<'_>) -> bool {
        let Range { start, end } = whole.span();
        url.parts().any(|part| {
            let span = part.span();
            !part.is_divided()
                && (start..=end).contains(&span.start)
                && span.end <= end
                && self.kind(part.name()).is_some_and(PartKind::is_written)
        })
    }

    /// Puts the part in, or adds to the list that it is. The octets of a field are its name, `=` and its value.
    ///
    /// In http, `path` is short for all segments, with `/` between them and none before the first; a segment that holds a `/`
    /// is given as a `segment`. In mailto, `local` and `domain` are the sides of the address.
    ///
    /// ```
    /// use urlwise::Url;
    ///
    /// let url = Url::parse("http://host.dom/a%2Fb/c?q")?;
    /// assert_eq!(url.with("path", "x/y")?.as_str(), "http://host.dom/x/y?q");
    /// // `Url::path` is the text from the slash after the host on, which belongs to no part; and what is decoded is not split.
    /// assert_eq!(url.path(), "/a%2Fb/c");
    /// assert_eq!(url.with("path", "/x")?.as_str(), "http://host.dom//x?q");
    /// // Segments are taken out one by one, and go back so.
    /// let segments: Vec<_> = url.parts().filter(|part| part.name() == "segments").map(|part| part.decode()).collect();
    /// assert_eq!(segments, [&b"a/b"[..], b"c"]);
    /// let mut draft = url.edit();
    /// draft.set_all("segment", &segments)?;
    /// assert_eq!(draft.build()?, url);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The scheme has no such part, or there is one already and it is not a list, or the octets do not have its form.
    pub fn add(&mut self, part: &str, octets: impl AsRef<[u8]>) -> Result<(), BuildError> {
        let octets = octets.as_ref();
        if let Some(done) = self.special(part, octets, true) {
            return done;
        }
        let kind = self.kind_or_error(part)?;
        self.add_text(kind, encode(kind, octets)?)
    }

    /// Adds a field, given by name and value; the name may hold `=`.
    ///
    /// # Errors
    /// The scheme has no such part, or it has no fields.
    pub fn add_field(&mut self, part: &str, name: impl AsRef<[u8]>, value: impl AsRef<[u8]>) -> Result<(), BuildError> {
        let (name, value) = (name.as_ref(), value.as_ref());
        let kind = self.kind_or_error(part)?;
        match kind.value_rule() {
            Some(rule) => self.add_text(kind, field(kind, rule, name, value)),
            None => Err(BuildError::Form { part: kind.name(), why: words!("not a list of fields") }),
        }
    }

    fn add_text(&mut self, kind: &'static PartKind, text: Vec<u8>) -> Result<(), BuildError> {
        let old = self.position(kind);
        match old.map(|at| self.pieces[at].given) {
            Some(true) if !kind.is_list() => return Err(BuildError::Repeated { part: kind.name() }),
            Some(false) => self.pieces.retain(|piece| !piece.is_of(kind)),
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
    pub fn set(&mut self, part: &str, octets: impl AsRef<[u8]>) -> Result<(), BuildError> {
        self.set_all(part, &[octets])
    }

    /// Puts the list in the place of the one that is there; an empty one takes the part away. What stays the same is kept as
    /// it is written.
    ///
    /// # Errors
    /// The scheme has no such part, or it is not a list and there are several octet strings, or one does not have its form.
    pub fn set_all<O: AsRef<[u8]>>(&mut self, part: &str, octets: &[O]) -> Result<(), BuildError> {
        let kind = self.kind_or_error(part)?;
        if octets.len() > 1 && !kind.is_list() {
            return Err(BuildError::Repeated { part: kind.name() });
        }
        let [first, ..] = octets else { return self.remove(part) };
        if let Some(done) = self.special(part, first.as_ref(), false) {
            return done;
        }
        let old: Vec<&[u8]> = self.texts(kind).take(octets.len()).collect();
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
        match kind.lead {
            Lead::Split(list) => return self.remove(list),
            Lead::Side(whole) => return self.side(kind.name(), whole, b"", false),
            Lead::Text(_) | Lead::Host | Lead::Behind(..) | Lead::First(..) | Lead::Forbidden => {}
        }
        self.pieces.retain(|piece| !piece.is_of(kind));
        // What is empty says nothing without the part, and what it brought is there only if others bring it.
        self.pieces.retain(|piece| piece.given && !(piece.is_empty() && piece.kind.needs.contains(&kind.name())));
        let mut kinds: Vec<_> = self.pieces.iter().map(|piece| piece.kind).collect();
        kinds.dedup_by_key(|kind| kind.name());
        kinds.into_iter().for_each(|kind| self.bring(kind));
        self.require();
        Ok(())
    }

    /// Puts the URL together and reads it.
    ///
    /// # Errors
    /// The first error of the chain; parts are missing or cannot stand together; or what they make is not a URL.
    pub fn build(&self) -> Result<Url<String>, BuildError> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        for Piece { kind, .. } in self.pieces.iter().filter(|piece| piece.given && !self.is_free(piece.kind)) {
            if let Some(needs) = kind.needs.iter().find(|name| !self.has(name)) {
                return Err(BuildError::Missing { part: kind.name(), needs });
            }
            if let Some(other) = kind.excludes.iter().find(|name| self.has(name)) {
                return Err(BuildError::Conflict { part: kind.name(), other });
            }
        }
        self.assemble().or_else(|refused| {
            // `file:/x` has no host, and a path that begins with `//` cannot be without one.
            let mut whole = self.clone();
            whole.require();
            let is_more = whole.pieces.len() > self.pieces.len();
            let with_all = is_more.then(|| whole.assemble().ok()).flatten();
            with_all.ok_or(BuildError::Refused(refused))
        })
    }

    /// Puts the URL together and reads it: it must be valid, and its parts must be these parts.
    fn assemble(&self) -> Result<Url<String>, Refused> {
        let (octets, spans) = self.write();
        let read = match self.rules {
            Some(rules) => rules.layout_of(&octets, self.profile),
            None => layout_of(&octets, self.profile),
        };
        let layout = match read {
            Ok(layout) => layout,
            Err(finding) => return Err(Refused::new(octets, finding)),
        };
        // No rule takes an octet outside US-ASCII, so what was read is text.
        let text = String::from_utf8(octets).unwrap_or_default();
        let url = Url::from_layout(text, layout).checked_by(self.rules.and_then(|rules| rules.check));
        let read = Draft::read(url.borrow());
        // A quick look first: of a list with a million elements that nobody changed none is looked at.
        let sources = [self.source.as_ref().map(Url::as_str), Some(url.as_str())];
        let are_same = |(ours, theirs): (&Piece, &Piece)| ours.writes_what(theirs, sources);
        let is_same = self.has(SCHEMEPART)
            || self.pieces.len() == read.pieces.len() && self.pieces.iter().zip(&read.pieces).all(are_same)
            || read.elements(Some(url.borrow())).eq(self.own_elements());
        if is_same && read.name == self.name {
            return Ok(url);
        }
        let finding = self.blame(url.borrow(), &spans, &read);
        Err(Refused::new(url.as_str().into(), finding))
    }

    /// All parts and all elements of lists; `source` is the URL that it was made of.
    fn elements<'d>(&'d self, source: Option<Url<&'d str>>) -> impl Iterator<Item = Element<'d>> {
        self.pieces.iter().flat_map(move |piece| piece.elements(source))
    }

    fn own_elements(&self) -> impl Iterator<Item = Element<'_>> {
        self.elements(self.source.as_ref().map(Url::borrow))
    }

    /// The text, and where each piece stands in it.
    fn write(&self) -> (Vec<u8>, Vec<Range<usize>>) {
        let mut octets = self.name.clone().into_bytes();
        octets.push(b':');
        let source = self.source.as_ref().map(Url::as_str);
        let mut spans = Vec::with_capacity(self.pieces.len());
        for (index, piece) in self.pieces.iter().enumerate() {
            match &piece.lead {
                Some(lead) => octets.extend_from_slice(lead),
                None => octets.extend_from_slice(self.lead(piece.kind, index).as_bytes()),
            }
            let start = octets.len();
            octets.extend_from_slice(piece.text(source));
            spans.push(start..octets.len());
        }
        octets.extend_from_slice(&self.tail);
        (octets, spans)
    }

    /// The text is a URL, but one of other parts: some octet ends its part. Finds it by the part's own rule.
    fn blame(&self, url: Url<&str>, spans: &[Range<usize>], read: &Draft) -> RawProblem {
        let octets = url.as_str().as_bytes();
        let first_error =
            |span, read: &dyn Fn(&mut Reader<'_, Report<'_>>)| first_error(octets, self.profile, span, read);
        let scan = |span: &Range<usize>, rule| fault(octets, self.profile, span.clone(), rule);
        if let Some(finding) = scan(&(0..self.name.len()), &SCHEME) {
            return finding;
        }
        // What was read as it is, or kept, is not to blame.
        let source = self.source.as_ref().map(Url::borrow);
        let mut as_read = read.elements(Some(url));
        let mut is_read = |piece: &Piece| piece.elements(source).all(|element| as_read.next() == Some(element));
        let mut others = self.pieces.iter().zip(spans).skip_while(|(piece, _)| is_read(piece));
        let by_rule = others.find_map(|(piece, span)| match &piece.text {
            Text::One(_) if piece.kind.value_rule().is_none() => scan(span, piece.kind.rule()),
            _ => None,
        });
        if let Some(finding) = by_rule {
            return finding;
        }
        // An invalid host is not an error in a scheme without rules: it is not read as a host (D-06).
        if self.scheme == Scheme::Other {
            let ip = first_error(self.name.len() + 1..octets.len(), &|reader| {
                let _ = other::ip(reader);
            });
            if let Some(finding) = ip {
                return finding;
            }
        }
        // What is left is empty and not read as a part: `;type=` belongs to a name under `current`, and a server of news may stand alone.
        let lost = self.pieces.iter().zip(spans).find(|(piece, _)| !read.has(piece.kind.name()));
        let end = octets.len()..octets.len();
        let (rule, span) = lost.map_or((&SCHEME, end), |(piece, span)| (piece.kind.rule(), span.clone()));
        match lost.map(|(piece, _)| piece.kind.name()) {
            Some("typecode") => {
                error::error(Code::FtpTypecode, span.start.saturating_sub(";type=".len())..span.end, rule)
            }
            Some("group") => error::error(Code::NewsGroup, span, rule),
            _ => error::error(Code::BnfChar, span, rule),
        }
    }

    /// What stands before a part of this kind that is the one at `index`.
    fn lead(&self, kind: &PartKind, index: usize) -> &'static str {
        match kind.lead {
            Lead::Text(text) => text,
            Lead::Host if self.has("user") => "@",
            Lead::Host => "//",
            Lead::Behind(part, present, _) if self.has(part) => present,
            Lead::Behind(_, _, absent) => absent,
            Lead::Split(_) | Lead::Side(_) | Lead::Forbidden => "",
            Lead::First(first, next) => {
                let before = index.checked_sub(1).and_then(|before| self.pieces.get(before));
                if before.is_some_and(|before| before.is_of(kind)) { next } else { first }
            }
        }
    }

    /// RFC 3986 knows paths and queries without a host.
    fn is_free(&self, kind: &PartKind) -> bool {
        self.profile == Profile::Current && kind.is_free_in_current
    }

    /// Puts in, empty, what every URL of the scheme has.
    fn require(&mut self) {
        for kind in self.scheme.parts().iter().filter(|kind| kind.is_required) {
            if self.position(kind).is_none() {
                self.insert(kind, Vec::new(), false);
            }
        }
    }

    fn has(&self, name: &str) -> bool {
        self.pieces.iter().any(|piece| piece.kind.name() == name)
    }

    fn kind(&self, name: &str) -> Option<&'static PartKind> {
        self.kinds().find(|kind| kind.is_called(name))
    }

    /// All parts that it takes; a scheme that is registered as opaque has one.
    fn kinds(&self) -> impl Iterator<Item = &'static PartKind> {
        let is_opaque = self.rules.is_some_and(|rules| rules.syntax == Syntax::Opaque);
        let kinds = self.scheme.parts().iter().filter(|kind| kind.is_allowed());
        kinds.filter(move |kind| !is_opaque || kind.name() == SCHEMEPART)
    }

    fn kind_or_error(&self, name: &str) -> Result<&'static PartKind, BuildError> {
        let Some(kind) = self.kind(name) else {
            let known = self.kinds().filter(|kind| kind.profile <= self.profile);
            return Err(BuildError::unknown(name, &self.name, known.map(PartKind::name).collect()));
        };
        match kind.profile <= self.profile {
            true => Ok(kind),
            false => Err(BuildError::NotInProfile { part: kind.name() }),
        }
    }

    fn position(&self, kind: &PartKind) -> Option<usize> {
        self.pieces.iter().position(|piece| piece.is_of(kind))
    }

    fn texts(&self, kind: &'static PartKind) -> impl Iterator<Item = &[u8]> {
        let source = self.source.as_ref().map(Url::borrow);
        let pieces = self.pieces.iter().filter(|piece| piece.is_of(kind));
        pieces.flat_map(move |piece| piece.elements(source)).map(|element| element.text)
    }

    /// Puts written texts in the place of those of the part, which is there afterwards with all that it brings.
    fn put(&mut self, kind: &'static PartKind, texts: Vec<Vec<u8>>) {
        let lead = self.position(kind).and_then(|at| self.pieces[at].lead.clone());
        let is_new = self.position(kind).is_none();
        self.pieces.retain(|piece| !piece.is_of(kind));
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
        let table = self.scheme.parts();
        let order = |kind: &PartKind| table.iter().position(|other| core::ptr::eq(other, kind));
        let at = self.pieces.partition_point(|piece| order(piece.kind) <= order(kind));
        self.pieces.insert(at, Piece { kind, text: Text::One(text), lead: None, given });
        if kind.slot >= OWN {
            self.tail.clear();
        }
    }
}

/// The first error of a part of a text that is read by itself. Readers put it into the sink before they stop.
fn first_error(
    octets: &[u8],
    profile: Profile,
    span: Range<usize>,
    read: &dyn Fn(&mut Reader<'_, Report<'_>>),
) -> Option<RawProblem> {
    let read = reader::explain(octets, profile, |reader| {
        reader.at = span.start;
        reader.within(span.end, |reader| {
            read(reader);
            Ok(())
        })
    });
    read.err()
}

/// The first octet of a part that its rule does not allow.
pub(super) fn fault(
    octets: &[u8],
    profile: Profile,
    span: Range<usize>,
    rule: &'static Production,
) -> Option<RawProblem> {
    first_error(octets, profile, span, &|reader| {
        let _ = reader.scan(rule, Until::End);
    })
}

impl fmt::Debug for Draft {
    /// Names only: the octets may be a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Draft({:?}", self.name)?;
        self.own_elements().try_for_each(|element| write!(f, ", {}", element.kind.name()))?;
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
