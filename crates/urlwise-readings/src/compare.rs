//! Compares readings.

use crate::language::{message, words};
use crate::mask::Mask;
use crate::octet_set::OctetSet;
use crate::plain;
use crate::programs::escape_at;
use crate::reader::Reader;
use crate::reading::{Reading, ReadingParts};
use crate::rfc1738;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::net::Ipv6Addr;
use urlwise::{Language, Message, Profile, Reference, Scheme, Words};

/// What two readings can differ in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Difference {
    /// Whether the text is accepted.
    Ok,
    /// The scheme.
    Scheme,
    /// The user.
    User,
    /// The password.
    Password,
    /// The host.
    Host,
    /// The port in force.
    Port,
    /// The path.
    Path,
    /// The query.
    Query,
    /// The fragment.
    Fragment,
}

impl Difference {
    const ALL: [Difference; 9] = [
        Difference::Ok,
        Difference::Scheme,
        Difference::User,
        Difference::Password,
        Difference::Host,
        Difference::Port,
        Difference::Path,
        Difference::Query,
        Difference::Fragment,
    ];

    /// The name of the field in machine output: `ok`, `scheme`, `user` ...
    pub const fn name(self) -> &'static str {
        match self {
            Difference::Ok => "ok",
            Difference::Scheme => "scheme",
            Difference::User => "user",
            Difference::Password => "password",
            Difference::Host => "host",
            Difference::Port => "port",
            Difference::Path => "path",
            Difference::Query => "query",
            Difference::Fragment => "fragment",
        }
    }

    /// The name of the part in a language, for people.
    pub fn name_in(self, language: Language) -> Cow<'static, str> {
        self.words().get(language)
    }

    pub(crate) fn words(self) -> Words {
        match self {
            Difference::Ok => words!("ok"),
            Difference::Scheme => words!("scheme"),
            Difference::User => words!("user"),
            Difference::Password => words!("password"),
            Difference::Host => words!("host"),
            Difference::Port => words!("port"),
            Difference::Path => words!("path"),
            Difference::Query => words!("query"),
            Difference::Fragment => words!("fragment"),
        }
    }
}

/// The set of differences between readings, in the order of a URL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Differences(u16);

impl Differences {
    /// Whether the readings differ in this.
    pub fn contains(self, difference: Difference) -> bool {
        self.0 & (1 << difference as u16) != 0
    }

    /// Whether there are no differences.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// One after another.
    pub fn iter(self) -> impl Iterator<Item = Difference> {
        Difference::ALL.into_iter().filter(move |difference| self.contains(*difference))
    }

    fn insert(&mut self, difference: Difference) {
        self.0 |= 1 << difference as u16;
    }
}

/// The readings of one text.
#[derive(Clone)]
pub struct Readings<'a> {
    octets: &'a [u8],
    profile: Profile,
    readings: Vec<(Reader, Reading<'a>)>,
    differs: Differences,
    mask: Mask<'a>,
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
        let differs = differences(&readings);
        Readings { octets, profile, readings, differs, mask: Mask::of(octets) }
    }

    /// What was read.
    pub fn octets(&self) -> &'a [u8] {
        self.octets
    }

    /// The profile of our own reading.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// The readers and their readings, in the order asked for.
    pub fn iter(&self) -> impl Iterator<Item = (Reader, &Reading<'a>)> {
        self.readings.iter().map(|(reader, reading)| (*reader, reading))
    }

    /// The reading by one of the readers; `None` if it was not asked for.
    pub fn reading(&self, reader: Reader) -> Option<&Reading<'a>> {
        self.iter().find(|(known, _)| *known == reader).map(|(_, reading)| reading)
    }

    /// Why a reader rejects the text, safe for display; `None` if it accepts it or was not asked for. What RFC 1738 forbids is said in
    /// the language; other readers are given [in the words of their parsers](Reading::error).
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
        let error = self.reading(reader)?.error()?;
        Some(match reader {
            Reader::Rfc1738 if language != Language::En => {
                rfc1738::objection_in(self.octets, self.profile, language).map_or(Cow::Borrowed(error), Cow::Owned)
            }
            _ => Cow::Borrowed(error),
        })
    }

    /// The readings that accept the text.
    pub(crate) fn accepted(&self) -> impl Iterator<Item = (Reader, &ReadingParts<'a>)> {
        self.iter().filter_map(|(reader, reading)| Some((reader, reading.parts()?)))
    }

    /// Whether the readers are the three standards.
    pub(crate) fn are_standards(&self) -> bool {
        self.iter().map(|(reader, _)| reader).eq(Reader::STANDARDS.iter().copied())
    }

    /// The differences between the readings that accept the text, and [`Difference::Ok`] if only some of them accept
    /// it.
    pub fn differs(&self) -> Differences {
        self.differs
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

    /// Whether the readers write the same host differently, ignoring case; usually an IP address.
    pub(crate) fn spell_hosts_differently(&self) -> bool {
        let mut hosts = self.accepted().filter_map(|(_, parts)| parts.host.as_deref()).filter(|host| !host.is_empty());
        let first = hosts.next().unwrap_or_default();
        hosts.any(|host| !host.eq_ignore_ascii_case(first))
    }

    /// The readers that accept the text, grouped by the host and port they would open, as safe display text; `None` without a host.
    /// Two readers that show the same are one group: a port that one of them only implies is not shown.
    pub(crate) fn targets(&self) -> Vec<(Option<Message>, Vec<Reader>)> {
        let mut targets: Vec<(Opened<'_>, Vec<Reader>)> = Vec::new();
        for (reader, parts) in self.accepted() {
            let opened = Opened::of(reader, parts);
            match targets.iter_mut().find(|(known, _)| known.host == opened.host && known.port == opened.port) {
                Some((_, readers)) => readers.push(reader),
                None => targets.push((opened, vec![reader])),
            }
        }
        let mut shown: Vec<(Option<Message>, Vec<Reader>)> = Vec::with_capacity(targets.len());
        for (opened, readers) in targets {
            let target = self.target(&opened);
            match shown.iter_mut().find(|(known, _)| *known == target) {
                Some((_, same)) => same.extend(readers),
                None => shown.push((target, readers)),
            }
        }
        shown
    }

    /// The display text of host and port.
    fn target(&self, opened: &Opened<'_>) -> Option<Message> {
        let host = self.shown(opened.host.as_ref()?);
        Some(match (opened.port, opened.parts.port.as_deref()) {
            (Some(port), Some(digits)) if default_port(&opened.parts.scheme) != Some(port) => {
                message!("{host} port {port}", host = host, port = self.shown(digits))
            }
            _ => host.into(),
        })
    }
}

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
    let reading = |&reader: &Reader| (reader, reader.read(text, profile));
    Reference::from_octets(text, profile).is_ok_and(is_read_alike)
        || differences(&Reader::STANDARDS.iter().map(reading).collect::<Vec<_>>()).is_empty()
}

fn differences(readings: &[(Reader, Reading<'_>)]) -> Differences {
    let mut differs = Differences::default();
    let parts = readings.iter().filter_map(|(reader, reading)| Some((*reader, reading.parts()?)));
    let accepted: Vec<_> = parts.map(|(reader, parts)| Opened::of(reader, parts)).collect();
    if !accepted.is_empty() && accepted.len() < readings.len() {
        differs.insert(Difference::Ok);
    }
    // Not each with its neighbour only: two may differ though both equal a third, which cannot tell absent from empty.
    for (number, one) in accepted.iter().enumerate() {
        for other in &accepted[number + 1..] {
            one.compare(other, &mut differs);
        }
    }
    differs
}

/// The parts of a reading that determine what is opened.
struct Opened<'p> {
    parts: &'p ReadingParts<'p>,
    host: Option<Cow<'p, str>>,
    port: Option<u64>,
    /// The path as it is compared, from when it is.
    plain: OnceCell<Cow<'p, [u8]>>,
    /// Whether an absent query or fragment may have been an empty one.
    may_be_empty: bool,
}

impl<'p> Opened<'p> {
    fn of(reader: Reader, parts: &'p ReadingParts<'_>) -> Opened<'p> {
        let may_be_empty = matches!(reader, Reader::Urlsplit | Reader::Go);
        Opened { parts, host: host(parts), port: port(parts), plain: OnceCell::new(), may_be_empty }
    }

    /// The path, [plain]. Each path is compared with those of all other readers.
    fn path(&self) -> &[u8] {
        self.plain.get_or_init(|| plain(path(self.parts)))
    }

    fn compare(&self, other: &Opened<'_>, differs: &mut Differences) {
        let (ours, theirs) = (self.parts, other.parts);
        let is_there = |part: &&str| !part.is_empty() || !(self.may_be_empty || other.may_be_empty);
        let same = |ours: &Option<Cow<'_, str>>, theirs: &Option<Cow<'_, str>>| {
            let [ours, theirs] = [ours, theirs].map(|part| part.as_deref().filter(is_there));
            // What most parts are.
            ours == theirs || ours.map(plain) == theirs.map(plain)
        };
        let pairs = [
            (Difference::Scheme, ours.scheme.eq_ignore_ascii_case(&theirs.scheme)),
            (Difference::User, same_word(ours.user.as_deref(), theirs.user.as_deref())),
            (Difference::Password, same_word(ours.password.as_deref(), theirs.password.as_deref())),
            (Difference::Host, self.host == other.host),
            (Difference::Port, self.port == other.port),
            (Difference::Path, path(ours) == path(theirs) || self.path() == other.path()),
            (Difference::Query, same(&ours.query, &theirs.query)),
            (Difference::Fragment, same(&ours.fragment, &theirs.fragment)),
        ];
        for (difference, is_same) in pairs {
            if !is_same {
                differs.insert(difference);
            }
        }
    }
}

/// The host, ignoring case and the notation of an address; `None` also for an empty host and for `localhost` in
/// `file:`, which mean the local machine.
pub(crate) fn host<'p>(parts: &'p ReadingParts<'_>) -> Option<Cow<'p, str>> {
    let host = parts.host.as_deref()?;
    if host.is_empty() || (host.eq_ignore_ascii_case("localhost") && parts.scheme.eq_ignore_ascii_case("file")) {
        return None;
    }
    Some(one_notation(host))
}

/// An IPv6 address in its shortest form; any other host in lower case.
pub(crate) fn one_notation(host: &str) -> Cow<'_, str> {
    let inner = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    match inner.and_then(|inner| inner.parse::<Ipv6Addr>().ok()) {
        Some(address) => format!("[{address}]").into(),
        None if host.bytes().any(|octet| octet.is_ascii_uppercase()) => host.to_ascii_lowercase().into(),
        None => host.into(),
    }
}

/// The effective port; a number out of range is kept.
pub(crate) fn port(parts: &ReadingParts<'_>) -> Option<u64> {
    match parts.port.as_deref() {
        // A number may have a sign to Rust, a port has none.
        Some(port) if port.starts_with('+') => Some(u64::MAX),
        Some(digits) if !digits.is_empty() => Some(digits.parse().unwrap_or(u64::MAX)),
        _ => default_port(&parts.scheme),
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

/// The path, or `/` if there is none after a host.
fn path<'p>(parts: &'p ReadingParts<'_>) -> &'p str {
    if parts.path.is_empty() && parts.host.is_some() { "/" } else { &parts.path }
}

/// Whether two users or passwords are sent as the same octets: nothing in them is split any further, so an escaped
/// delimiter means the delimiter, which WHATWG escapes and RFC 1738 need not.
fn same_word(ours: Option<&str>, theirs: Option<&str>) -> bool {
    let decoded = |word| urlwise::decode(str::as_bytes(word));
    ours == theirs || ours.map(decoded) == theirs.map(decoded)
}

/// A part with all escapes decoded except those of delimiters and of `%`. The others do not change the meaning, and the
/// standards add and remove them.
fn plain(part: &str) -> Cow<'_, [u8]> {
    const DELIMITERS: OctetSet = OctetSet::of(b"/?#[]@:;&=+%\\");
    let octets = part.as_bytes();
    if !octets.contains(&b'%') {
        return Cow::Borrowed(octets);
    }
    let mut out = Vec::with_capacity(octets.len());
    let mut rest = octets;
    while let Some(percent) = rest.iter().position(|octet| *octet == b'%') {
        out.extend_from_slice(&rest[..percent]);
        let escape = &rest[percent..];
        let length = match escape_at(escape) {
            Some(octet) if DELIMITERS.has(octet) => {
                out.extend(escape[..3].iter().map(u8::to_ascii_uppercase));
                3
            }
            Some(octet) => {
                out.push(octet);
                3
            }
            None => {
                out.push(b'%');
                1
            }
        };
        rest = &escape[length..];
    }
    out.extend_from_slice(rest);
    Cow::Owned(out)
}
