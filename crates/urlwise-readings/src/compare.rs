//! Compares readings.

use crate::cause::Cause;
use crate::difference::{Difference, Differences};
use crate::language::message;
use crate::mask::Mask;
use crate::part::{DELIMITERS, Part, WORD};
use crate::password::passwords;
use crate::plain;
use crate::reader::Reader;
use crate::reading::{Reading, ReadingParts, Server};
use crate::text::Text;
use crate::{rfc1738, whatwg};
use std::borrow::Cow;
use std::mem;
use std::net::Ipv6Addr;
use std::ops::Range;
use std::sync::OnceLock;
use urlwise::{Language, Message, Profile, Reference, Scheme};

/// The readings of one text.
#[derive(Clone)]
pub struct Readings<'a> {
    octets: &'a [u8],
    profile: Profile,
    kept: Kept<'a>,
    differs: Differences,
    mask: Mask<'a>,
    /// Why they differ, from when somebody asks.
    pub(crate) cause: OnceLock<Cause>,
}

/// What is kept of the readings.
#[derive(Clone)]
enum Kept<'a> {
    All(Vec<(Reader, Reading<'a>)>),
    /// The servers alone; `None` if the reader rejects the text.
    Servers(Vec<(Reader, Option<Server<'a>>)>),
}

impl<'a> Readings<'a> {
    /// Parses any octets by the three [standards](Reader::STANDARDS); by RFC 1738 as the profile has it.
    pub fn of<I: AsRef<[u8]> + ?Sized>(text: &'a I, profile: Profile) -> Readings<'a> {
        Readings::by(text, profile, Reader::STANDARDS)
    }

    /// Parses any octets as these readers do.
    ///
    /// ```
    /// use urlwise::Profile;
    /// use urlwise_readings::{Reader, Readings};
    ///
    /// let readings = Readings::by(br"http://127.0.0.1\@1.1.1.1", Profile::Rfc1738, &[Reader::Urlsplit, Reader::Urllib3]);
    /// assert_eq!(
    ///     readings.sentence().to_string(),
    ///     "a backslash is read differently; urlsplit opens 1.1.1.1, urllib3 opens 127.0.0.1"
    /// );
    /// ```
    pub fn by<I: AsRef<[u8]> + ?Sized>(text: &'a I, profile: Profile, readers: &[Reader]) -> Readings<'a> {
        let octets = text.as_ref();
        let readings: Vec<_> = readers.iter().map(|&reader| (reader, reader.read(octets, profile))).collect();
        let mut comparison = Comparison::default();
        for (reader, reading) in &readings {
            comparison.add(*reader, reading.parts().map(ReadingParts::borrowed));
        }
        let (differs, mask) = (comparison.differs, Mask::of(octets, passwords(octets, profile, readers)));
        Readings { octets, profile, kept: Kept::All(readings), differs, mask, cause: OnceLock::new() }
    }

    /// The same for callers that ask only what differs and which servers are opened: of each reading only its scheme, host and port are kept
    /// once it was compared, as far as possible without writing them anew. Reasons for rejecting the text are not kept either, and
    /// [`iter`](Readings::iter) has nothing.
    pub(crate) fn servers(octets: &'a [u8], profile: Profile, readers: &[Reader]) -> Readings<'a> {
        Readings::compared(octets, profile, readers, |_, reader| reader.accepted(octets, profile))
    }

    /// The same with a look at each reading: `visit` is called with it, in the order asked for, before it is compared. So no more than
    /// two are held at the same time, of which each may take three times the memory of the text. What the readings differ in is not
    /// known to `visit` yet.
    ///
    /// ```
    /// use urlwise::Profile;
    /// use urlwise_readings::{Difference, Reader, Readings};
    ///
    /// let mut paths = Vec::new();
    /// let readings = Readings::visited(br"http://h.dom/\a", Profile::Rfc1738, Reader::STANDARDS, |_, _, reading| {
    ///     paths.push(reading.parts().map(|parts| parts.path.to_string()));
    /// });
    /// assert!(readings.differs().contains(Difference::Ok));
    /// assert_eq!(paths, [None, None, Some("//a".to_owned())]);
    /// ```
    pub fn visited(
        octets: &'a [u8],
        profile: Profile,
        readers: &[Reader],
        mut visit: impl FnMut(&Readings<'a>, Reader, &Reading<'_>),
    ) -> Readings<'a> {
        Readings::compared(octets, profile, readers, |readings, reader| match reader.parts(octets, profile) {
            Ok(parts) => {
                visit(readings, reader, &Reading(Ok(parts.reborrowed().map(Text::written))));
                Some(parts)
            }
            Err(why) => {
                visit(readings, reader, &Reading(Err(why)));
                None
            }
        })
    }

    /// Compares what `read` returns for each reader.
    fn compared(
        octets: &'a [u8],
        profile: Profile,
        readers: &[Reader],
        mut read: impl FnMut(&Readings<'a>, Reader) -> Option<ReadingParts<'a, Text<'a>>>,
    ) -> Readings<'a> {
        let (kept, differs) = (Kept::Servers(Vec::new()), Differences::default());
        let mask = Mask::of(octets, passwords(octets, profile, readers));
        let mut readings = Readings { octets, profile, kept, differs, mask, cause: OnceLock::new() };
        let mut comparison = Comparison::default();
        let seen = |reader: &Reader| (*reader, comparison.add(*reader, read(&readings, *reader)));
        let servers = readers.iter().map(seen).collect();
        readings.kept = Kept::Servers(servers);
        readings.differs = comparison.differs;
        readings
    }

    /// What was read.
    pub fn octets(&self) -> &'a [u8] {
        self.octets
    }

    /// The [passwords] that only these readers see.
    pub fn passwords(&self) -> &[Range<usize>] {
        self.mask.seen()
    }

    /// The profile of our own reading.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// The readers and their readings, in the order asked for.
    pub fn iter(&self) -> impl Iterator<Item = (Reader, &Reading<'a>)> {
        let readings: &[(Reader, Reading<'a>)] = match &self.kept {
            Kept::All(readings) => readings,
            Kept::Servers(_) => &[],
        };
        readings.iter().map(|(reader, reading)| (*reader, reading))
    }

    /// The reading by one of the readers; `None` if it was not asked for.
    pub fn reading(&self, reader: Reader) -> Option<&Reading<'a>> {
        self.iter().find(|(known, _)| *known == reader).map(|(_, reading)| reading)
    }

    /// Why a reader rejects the text, safe for display; `None` if it accepts it or was not asked for. What RFC 1738 forbids is said in
    /// the language, and that a text is too long for the reader of WHATWG; other reasons are given
    /// [in the words of the parsers](Reading::error).
    ///
    /// ```
    /// use urlwise::{Language, Profile};
    /// use urlwise_readings::{Reader, Readings};
    ///
    /// let readings = Readings::of("http://h.dom:99999/", Profile::Rfc1738);
    /// let objection = readings.objection_in(Reader::Rfc1738, Language::En).unwrap();
    /// assert_eq!(objection, "the port is greater than 65535");
    /// assert_eq!(readings.objection_in(Reader::Rfc3986, Language::En), None);
    /// ```
    pub fn objection_in(&self, reader: Reader, language: Language) -> Option<Cow<'_, str>> {
        self.objection_of(reader, self.reading(reader)?, language)
    }

    /// The same for a reading of this text that is not kept.
    pub fn objection_of<'r>(
        &self,
        reader: Reader,
        reading: &'r Reading<'_>,
        language: Language,
    ) -> Option<Cow<'r, str>> {
        let error = reading.error()?;
        Some(match reader {
            Reader::Rfc1738 if language != Language::En => {
                rfc1738::objection_in(self.octets, self.profile, language).map_or(Cow::Borrowed(error), Cow::Owned)
            }
            Reader::Whatwg => whatwg::refusal_of(error).map_or(Cow::Borrowed(error), |refusal| refusal.get(language)),
            _ => Cow::Borrowed(error),
        })
    }

    /// The readers in the order asked for, and the servers that they see; `None` where one rejects the text.
    pub(crate) fn seen(&self) -> impl Iterator<Item = (Reader, Option<Server<'_>>)> {
        let servers: &[(Reader, Option<Server<'a>>)] = match &self.kept {
            Kept::All(_) => &[],
            Kept::Servers(servers) => servers,
        };
        let kept = servers.iter().map(|(reader, server)| (*reader, server.as_ref().map(Server::borrowed)));
        self.iter().map(|(reader, reading)| (reader, reading.parts().map(ReadingParts::server))).chain(kept)
    }

    /// The readers, in the order asked for.
    pub fn readers(&self) -> impl Iterator<Item = Reader> {
        self.seen().map(|(reader, _)| reader)
    }

    /// The servers that are seen by the readers that accept the text.
    pub(crate) fn accepted(&self) -> impl Iterator<Item = (Reader, Server<'_>)> {
        self.seen().filter_map(|(reader, server)| Some((reader, server?)))
    }

    /// Whether the readers are the three standards.
    pub(crate) fn are_standards(&self) -> bool {
        self.readers().eq(Reader::STANDARDS.iter().copied())
    }

    /// The differences between the readings that accept the text, and [`Difference::Ok`] if only some of them accept
    /// it.
    pub fn differs(&self) -> Differences {
        self.differs
    }

    /// What two of these readings differ in, as if no others had been asked for. Nothing if one of them is not among those that
    /// [`iter`](Readings::iter) has.
    ///
    /// ```
    /// use urlwise::Profile;
    /// use urlwise_readings::{Difference, Reader, Readings};
    ///
    /// let readings = Readings::by("http://HOST.dom/a b", Profile::Rfc1738, &[Reader::Whatwg, Reader::Curl, Reader::Urlsplit]);
    /// assert!(readings.between(Reader::Whatwg, Reader::Curl).contains(Difference::Ok));
    /// assert!(!readings.between(Reader::Whatwg, Reader::Urlsplit).contains(Difference::Host));
    /// ```
    pub fn between(&self, one: Reader, other: Reader) -> Differences {
        let mut comparison = Comparison::default();
        for reader in [one, other] {
            if let Some(reading) = self.reading(reader) {
                comparison.add(reader, reading.parts().map(ReadingParts::borrowed));
            }
        }
        comparison.differs
    }

    /// Whether any reader accepts the text.
    pub fn is_accepted(&self) -> bool {
        self.seen().any(|(_, server)| server.is_some())
    }

    /// Whether all readers agree, or all reject it.
    pub fn agree(&self) -> bool {
        self.differs.is_empty()
    }

    /// A part of a reading, safe for display: escaped for terminals, and `***` if it contains a piece of a password by
    /// any standard.
    pub fn shown<'p>(&self, part: &'p str) -> Cow<'p, str> {
        self.mask.masked(part)
    }

    /// The same, not yet escaped: for callers that show only the ends of a long part.
    pub fn visible<'p>(&self, part: &'p str) -> Cow<'p, str> {
        self.mask.visible(part)
    }

    /// A piece of a reading, safe to display; a long one is cut.
    pub(crate) fn short(&self, piece: Text<'_>) -> String {
        // A character takes up to four octets.
        let shown = self.mask.masked_start(piece, LONGEST + 4);
        match shown.char_indices().find(|(at, _)| *at >= LONGEST) {
            Some((at, _)) => format!("{}...", &shown[..at]),
            None => shown.into_owned(),
        }
    }

    /// Whether the readers write the same host differently, ignoring case; usually an IP address.
    pub(crate) fn spell_hosts_differently(&self) -> bool {
        let mut hosts = self.accepted().filter_map(|(_, server)| server.host).filter(|host| !host.is_empty());
        let first = hosts.next().unwrap_or_default();
        hosts.any(|host| !host.is_ignoring_case(&first))
    }

    /// The readers that accept the text, grouped by the host and port they would open, as safe display text; `None` without a host.
    /// Two readers that show the same are one group: a port that one of them only implies is not shown.
    pub(crate) fn targets(&self) -> Vec<(Option<Message>, Vec<Reader>)> {
        let mut targets: Vec<(Opened<'_>, Vec<Reader>)> = Vec::new();
        for (reader, server) in self.accepted() {
            let opened = Opened { host: server.host(), port: server.port(), server };
            match targets.iter_mut().find(|(known, _)| known.host == opened.host && known.port == opened.port) {
                Some((_, readers)) => readers.push(reader),
                None => targets.push((opened, vec![reader])),
            }
        }
        let mut shown: Vec<(Option<Message>, Opened<'_>, Vec<Reader>)> = Vec::with_capacity(targets.len());
        for (opened, readers) in targets {
            let target = self.target(&opened);
            // Hosts may differ where they are cut.
            let is_same = |known: &Opened<'_>| known.host == opened.host || !known.is_long();
            match shown.iter_mut().find(|(text, known, _)| *text == target && is_same(known)) {
                Some((_, _, same)) => same.extend(readers),
                None => shown.push((target, opened, readers)),
            }
        }
        shown.into_iter().map(|(target, _, readers)| (target, readers)).collect()
    }

    /// The display text of host and port.
    fn target(&self, opened: &Opened<'_>) -> Option<Message> {
        let host = self.short(opened.host.as_ref()?.text());
        Some(match (opened.port, opened.server.port.as_deref()) {
            (Some(port), Some(digits)) if default_port(&opened.server.scheme) != Some(port) => {
                message!("{host} port {port}", host = host, port = self.short(digits.into()))
            }
            _ => host.into(),
        })
    }
}

/// The longest piece of a text that is shown, in octets: no name of a host is longer.
pub(crate) const LONGEST: usize = 253;

/// Whether the three [standards](Reader::STANDARDS) agree, or all reject the text: [`Readings::agree`] for tables of many texts.
///
/// Most URLs of the Web are certain to be read alike: these are parsed once, and nothing is allocated. Others are parsed three
/// times, and the parser of WHATWG returns a URL of its own, which it allocates.
///
/// ```
/// use urlwise::Profile;
/// use urlwise_readings::agree;
///
/// assert!(agree(b"https://host.dom/a/b?c=d#e", Profile::Current));
/// assert!(!agree(br"http://127.0.0.1\@1.1.1.1", Profile::Current));
/// ```
pub fn agree(text: &[u8], profile: Profile) -> bool {
    let is_read_alike = |reference: Reference<'_>| plain::is_read_alike(&reference);
    Reference::from_octets(text, profile).is_ok_and(is_read_alike)
        || Readings::servers(text, profile, Reader::STANDARDS).agree()
}

/// The server that a reading opens.
struct Opened<'p> {
    server: Server<'p>,
    host: Option<Host<'p>>,
    port: Option<u64>,
}

impl Opened<'_> {
    /// Whether only the beginning of its host is shown.
    fn is_long(&self) -> bool {
        self.server.host.as_ref().is_some_and(|host| host.octets().len() > LONGEST)
    }
}

/// Compares readings one after another: each that accepts the text with the first one that does.
#[derive(Default)]
struct Comparison<'p> {
    first: Option<First<'p>>,
    is_refused: bool,
    query: Emptiness,
    fragment: Emptiness,
    differs: Differences,
}

impl<'p> Comparison<'p> {
    /// Adds a reading; `None` if the reader refuses the text. Returns the server that it has.
    fn add(&mut self, reader: Reader, parts: Option<ReadingParts<'p, Text<'p>>>) -> Option<Server<'p>> {
        match &parts {
            Some(parts) if !matches!(reader, Reader::Urlsplit | Reader::Go) => {
                self.query.add(parts.query.as_ref());
                self.fragment.add(parts.fragment.as_ref());
            }
            // These do not tell an empty one from an absent one.
            Some(_) => {}
            None => self.is_refused = true,
        }
        let server = match (&self.first, parts) {
            (Some(first), Some(parts)) => {
                first.compare(&parts, &mut self.differs);
                Some(parts.into_server())
            }
            (None, Some(parts)) => {
                let first = self.first.insert(First::of(parts));
                Some(first.server.clone())
            }
            (_, None) => None,
        };
        let differs = [
            (Difference::Ok, self.first.is_some() && self.is_refused),
            (Difference::Query, self.query.differs()),
            (Difference::Fragment, self.fragment.differs()),
        ];
        self.differs.extend(differs);
        server
    }
}

/// What was seen of a part that holds nothing.
#[derive(Default)]
struct Emptiness {
    is_absent: bool,
    is_empty: bool,
}

impl Emptiness {
    fn add(&mut self, part: Option<&Text<'_>>) {
        self.is_absent |= part.is_none();
        self.is_empty |= part.is_some_and(Text::is_empty);
    }

    fn differs(&self) -> bool {
        self.is_absent && self.is_empty
    }
}

/// The first reading, which the others are compared with.
struct First<'p> {
    server: Server<'p>,
    user: Option<Part<'p>>,
    password: Option<Part<'p>>,
    path: Part<'p>,
    /// These hold something.
    query: Option<Part<'p>>,
    fragment: Option<Part<'p>>,
}

impl<'p> First<'p> {
    fn of(mut parts: ReadingParts<'p, Text<'p>>) -> First<'p> {
        let word = |part| Part::of(part, WORD);
        let plain = |part| Part::of(part, DELIMITERS);
        let filled = |part: Option<Text<'p>>| part.filter(|part| !part.is_empty()).map(plain);
        First {
            user: parts.user.take().map(word),
            password: parts.password.take().map(word),
            path: plain(if has_no_path(&parts) { Text::from("/") } else { mem::take(&mut parts.path) }),
            query: filled(parts.query.take()),
            fragment: filled(parts.fragment.take()),
            server: parts.into_server(),
        }
    }

    fn compare(&self, other: &ReadingParts<'_, Text<'_>>, differs: &mut Differences) {
        let (first, second) = (self.server.borrowed(), other.seen());
        let root = Text::from("/");
        let path = if has_no_path(other) { &root } else { &other.path };
        let is_same = |ours: &Option<Part<'_>>, theirs: &Option<Text<'_>>| match (ours, theirs) {
            (Some(ours), Some(theirs)) => ours.is(theirs),
            (None, None) => true,
            _ => false,
        };
        // What is absent to one and empty to the other is left to [`Emptiness`].
        let is_filled_alike = |ours: &Option<Part<'_>>, theirs: &Option<Text<'_>>| match (ours, theirs) {
            (Some(ours), Some(theirs)) => ours.is(theirs),
            (ours, theirs) => ours.is_none() && theirs.as_ref().is_none_or(Text::is_empty),
        };
        differs.extend([
            (Difference::Scheme, !first.scheme.eq_ignore_ascii_case(&second.scheme)),
            (Difference::User, !is_same(&self.user, &other.user)),
            (Difference::Password, !is_same(&self.password, &other.password)),
            (Difference::Host, first.host() != second.host()),
            (Difference::Port, first.port() != second.port()),
            (Difference::Path, !self.path.is(path)),
            (Difference::Query, !is_filled_alike(&self.query, &other.query)),
            (Difference::Fragment, !is_filled_alike(&self.fragment, &other.fragment)),
        ]);
    }
}

/// A host, ignoring case and the notation of an address.
pub(crate) enum Host<'p> {
    Address(Ipv6Addr),
    /// In lower case.
    Name(Text<'p>),
}

impl<'p> Host<'p> {
    pub(crate) fn of(host: Text<'p>) -> Host<'p> {
        let inner = host.octets().strip_prefix(b"[").and_then(|host| host.strip_suffix(b"]"));
        match inner.and_then(|inner| str::from_utf8(inner).ok()?.parse().ok()) {
            Some(address) => Host::Address(address),
            None => Host::Name(host.in_lower_case()),
        }
    }

    /// An IPv6 address in its shortest form; any other host in lower case.
    pub(crate) fn text(&self) -> Text<'_> {
        match self {
            Host::Address(address) => Text::Written(format!("[{address}]").into()),
            Host::Name(name) => name.borrowed(),
        }
    }
}

impl PartialEq for Host<'_> {
    fn eq(&self, other: &Host<'_>) -> bool {
        match (self, other) {
            (Host::Address(one), Host::Address(other)) => one == other,
            (Host::Name(one), Host::Name(other)) => one.is_ignoring_case(other),
            (Host::Address(_), Host::Name(_)) | (Host::Name(_), Host::Address(_)) => false,
        }
    }
}

impl<'p> Server<'p> {
    /// The host; `None` also for an empty host and for `localhost` in `file:`, which mean the local machine.
    pub(crate) fn host(&self) -> Option<Host<'p>> {
        let host = self.host.as_ref()?;
        let is_local = host.octets().eq_ignore_ascii_case(b"localhost") && self.scheme.eq_ignore_ascii_case("file");
        if host.is_empty() || is_local { None } else { Some(Host::of(host.clone())) }
    }

    /// The effective port; a number out of range is kept.
    pub(crate) fn port(&self) -> Option<u64> {
        match self.port.as_deref() {
            // A number may have a sign to Rust, a port has none.
            Some(port) if port.starts_with('+') => Some(u64::MAX),
            Some(digits) if !digits.is_empty() => Some(digits.parse().unwrap_or(u64::MAX)),
            _ => default_port(&self.scheme),
        }
    }
}

/// The default port in any standard that defines the scheme.
pub(crate) fn default_port(scheme: &str) -> Option<u64> {
    match scheme {
        ws if ws.eq_ignore_ascii_case("ws") => Some(80),
        wss if wss.eq_ignore_ascii_case("wss") => Some(443),
        scheme => Scheme::from_name(scheme.as_bytes(), Profile::Current).default_port().map(u64::from),
    }
}

/// Whether nothing follows a host, which means `/`.
fn has_no_path(parts: &ReadingParts<'_, Text<'_>>) -> bool {
    parts.path.is_empty() && parts.host.is_some()
}

#[cfg(test)]
mod tests {
    use super::Readings;
    use crate::reader::Reader;
    use crate::reading::Server;
    use crate::vectors::vectors;
    use urlwise::{Profile, escape_for_display};

    /// What a reader opens, as it is written.
    fn opened((reader, server): (Reader, Option<Server<'_>>)) -> String {
        let written = |server: Server<'_>| {
            let host = server.host.clone().map(|host| host.written().into_owned());
            format!("{} {host:?} {:?}", server.scheme, server.port())
        };
        format!("{reader}: {:?}", server.map(written))
    }

    #[test]
    fn what_keeps_only_its_server_differs_as_what_is_kept_whole() {
        let more: [&[u8]; 14] = [
            b"http://h.dom/?",
            b"http://h.dom/#",
            b"http://h.dom/%61",
            b"http://h.dom/%2f\xE4\xB8\xAD\"",
            b"ftp://a%40:b@h.dom",
            b"http://h.dom/\xFF\xE4\xB8%41",
            b"http://h.dom/./\xFF",
            b"http://h.dom?\xFF#\xFF",
            b"http://h.dom#\xFF\xEF\xBF\xBD",
            b"http://\xFF:\xC3@h.dom",
            b"http://\xFFa:80/",
            b"http://%FF\xFFA/",
            b"HTTP://U:P@H.DOM:070/A",
            b"http://[::FFFF:1.2.3.4]:80/",
        ];
        let (trusted, hostile) = ("good.example".parse().unwrap(), "evil.example".parse().unwrap());
        let vectors: Vec<_> = vectors(&trusted, &hostile).collect();
        for text in vectors.iter().map(|vector| vector.text().as_bytes()).chain(more) {
            for readers in [Reader::STANDARDS, Reader::ALL] {
                let whole = Readings::by(text, Profile::Current, readers);
                let mut seen = Vec::new();
                let visited = Readings::visited(text, Profile::Current, readers, |readings, reader, reading| {
                    assert!(whole.reading(reader) == Some(reading), "{reader}: {}", text.escape_ascii());
                    seen.push(reader);
                    for part in reading.parts().into_iter().filter_map(|parts| parts.host.as_deref()) {
                        assert_eq!(
                            escape_for_display(readings.visible(part).as_bytes()).to_string(),
                            readings.shown(part)
                        );
                    }
                });
                assert_eq!(seen, readers);
                for other in [visited, Readings::servers(text, Profile::Current, readers)] {
                    assert_eq!(whole.differs(), other.differs(), "{}", text.escape_ascii());
                    assert!(whole.seen().map(opened).eq(other.seen().map(opened)), "{}", text.escape_ascii());
                    assert_eq!(whole.sentence().to_string(), other.sentence().to_string());
                }
            }
        }
    }
}
