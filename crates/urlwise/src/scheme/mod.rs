//! The schemes: their names and ports, and one file each for the grammar and the typed view.

pub(crate) mod file;
pub(crate) mod ftp;
pub(crate) mod gopher;
pub(crate) mod http;
pub(crate) mod mailto;
pub(crate) mod news;
pub(crate) mod nntp;
pub(crate) mod other;
pub(crate) mod prospero;
pub(crate) mod telnet;
pub(crate) mod wais;

use crate::encoded::Encoded;
use crate::host::Host;
use crate::layout::{self, Layout, PartDef};
use crate::profile::Profile;
use crate::reader::{Outcome, Reader, Sink};
use crate::word;

/// The schemes of RFC 1738, their siblings that only [`Profile::Current`] knows, and all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Scheme {
    /// File Transfer Protocol, section 3.2.
    Ftp,
    /// Hypertext Transfer Protocol, section 3.3.
    Http,
    /// The Gopher protocol, section 3.4.
    Gopher,
    /// Electronic mail address, section 3.5.
    Mailto,
    /// USENET news, section 3.6.
    News,
    /// USENET news using NNTP access, section 3.7.
    Nntp,
    /// Interactive sessions, section 3.8.
    Telnet,
    /// Wide Area Information Servers, section 3.9.
    Wais,
    /// Host-specific file names, section 3.10.
    File,
    /// Prospero Directory Service, section 3.11.
    Prospero,
    /// http over TLS.
    Https,
    /// ftp over TLS from the first octet.
    Ftps,
    /// gopher over TLS.
    Gophers,
    /// nntp over TLS.
    Nntps,
    /// news over TLS.
    Snews,
    /// telnet over TLS.
    Telnets,
    /// Any other: RFC 1738 gives it a name and the generic syntax (section 5, `otherurl`).
    Other,
}

/// What is known of a scheme.
struct Row {
    name: &'static str,
    title: &'static str,
    base: Scheme,
    default_port: Option<u16>,
    section: &'static str,
}

const fn row(
    name: &'static str,
    title: &'static str,
    base: Scheme,
    default_port: Option<u16>,
    section: &'static str,
) -> Row {
    Row { name, title, base, default_port, section }
}

/// In the order of the enum.
static ROWS: [Row; 17] = [
    row("ftp", "File Transfer Protocol", Scheme::Ftp, Some(21), "3.2"),
    row("http", "Hypertext Transfer Protocol", Scheme::Http, Some(80), "3.3"),
    row("gopher", "The Gopher protocol", Scheme::Gopher, Some(70), "3.4"),
    row("mailto", "Electronic mail address", Scheme::Mailto, None, "3.5"),
    row("news", "USENET news", Scheme::News, None, "3.6"),
    row("nntp", "USENET news using NNTP access", Scheme::Nntp, Some(119), "3.7"),
    row("telnet", "Interactive sessions", Scheme::Telnet, Some(23), "3.8"),
    row("wais", "Wide Area Information Servers", Scheme::Wais, Some(210), "3.9"),
    row("file", "Host-specific file names", Scheme::File, None, "3.10"),
    row("prospero", "Prospero Directory Service", Scheme::Prospero, Some(1525), "3.11"),
    row("https", "http over TLS", Scheme::Http, Some(443), "3.3"),
    row("ftps", "ftp over TLS", Scheme::Ftp, Some(990), "3.2"),
    row("gophers", "gopher over TLS", Scheme::Gopher, Some(70), "3.4"),
    row("nntps", "nntp over TLS", Scheme::Nntp, Some(563), "3.7"),
    row("snews", "news over TLS", Scheme::News, Some(563), "3.6"),
    row("telnets", "telnet over TLS", Scheme::Telnet, Some(992), "3.8"),
    row("", "", Scheme::Other, None, "5"),
];

static DEFAULT_PORTS: [u32; ROWS.len()] = {
    let mut ports = [layout::NO_PORT; ROWS.len()];
    let mut i = 0;
    while i < ROWS.len() {
        if let Some(port) = ROWS[i].default_port {
            ports[i] = port as u32;
        }
        i += 1;
    }
    ports
};

impl Scheme {
    /// The ten schemes of RFC 1738, in the order of section 3.
    pub const RFC1738: [Scheme; 10] = [
        Scheme::Ftp,
        Scheme::Http,
        Scheme::Gopher,
        Scheme::Mailto,
        Scheme::News,
        Scheme::Nntp,
        Scheme::Telnet,
        Scheme::Wais,
        Scheme::File,
        Scheme::Prospero,
    ];

    /// Their siblings, which the profile `current` reads by the rules of their base.
    pub const SIBLINGS: [Scheme; 6] =
        [Scheme::Https, Scheme::Ftps, Scheme::Gophers, Scheme::Nntps, Scheme::Snews, Scheme::Telnets];

    /// The scheme of this name under a profile, in any case (D-02); [`Scheme::Other`] for all names without rules.
    ///
    /// ```
    /// use urlwise::{Profile, Scheme};
    ///
    /// assert_eq!(Scheme::from_name(b"FTP", Profile::Rfc1738), Scheme::Ftp);
    /// assert_eq!(Scheme::from_name(b"https", Profile::Rfc1738), Scheme::Other);
    /// assert_eq!(Scheme::from_name(b"https", Profile::Current), Scheme::Https);
    /// ```
    pub fn from_name(name: &[u8], profile: Profile) -> Scheme {
        if name.len() > KEY_LENGTH {
            return Scheme::Other;
        }
        Scheme::from_key(key(name), profile)
    }

    /// The scheme whose name folds to this key.
    #[inline]
    fn from_key(key: u64, profile: Profile) -> Scheme {
        match key {
            FTP => Scheme::Ftp,
            HTTP => Scheme::Http,
            GOPHER => Scheme::Gopher,
            MAILTO => Scheme::Mailto,
            NEWS => Scheme::News,
            NNTP => Scheme::Nntp,
            TELNET => Scheme::Telnet,
            WAIS => Scheme::Wais,
            FILE => Scheme::File,
            PROSPERO => Scheme::Prospero,
            HTTPS if profile == Profile::Current => Scheme::Https,
            FTPS if profile == Profile::Current => Scheme::Ftps,
            GOPHERS if profile == Profile::Current => Scheme::Gophers,
            NNTPS if profile == Profile::Current => Scheme::Nntps,
            SNEWS if profile == Profile::Current => Scheme::Snews,
            TELNETS if profile == Profile::Current => Scheme::Telnets,
            _ => Scheme::Other,
        }
    }

    /// The scheme of this number in the order of the enum.
    #[inline]
    pub(crate) const fn from_number(number: u8) -> Option<Scheme> {
        Some(match number {
            0 => Scheme::Ftp,
            1 => Scheme::Http,
            2 => Scheme::Gopher,
            3 => Scheme::Mailto,
            4 => Scheme::News,
            5 => Scheme::Nntp,
            6 => Scheme::Telnet,
            7 => Scheme::Wais,
            8 => Scheme::File,
            9 => Scheme::Prospero,
            10 => Scheme::Https,
            11 => Scheme::Ftps,
            12 => Scheme::Gophers,
            13 => Scheme::Nntps,
            14 => Scheme::Snews,
            15 => Scheme::Telnets,
            16 => Scheme::Other,
            _ => return None,
        })
    }

    /// The name in lower case; `None` for [`Scheme::Other`], whose name stands in the URL.
    pub fn name(self) -> Option<&'static str> {
        let name = ROWS[self as usize].name;
        (!name.is_empty()).then_some(name)
    }

    /// What the scheme is for, by the list of section 3; empty for [`Scheme::Other`].
    pub fn title(self) -> &'static str {
        ROWS[self as usize].title
    }

    /// Whether it has rules of its own under a profile. [`Scheme::Other`] has none under any.
    ///
    /// ```
    /// use urlwise::{Profile, Scheme};
    ///
    /// assert!(Scheme::Gopher.is_known_by(Profile::Rfc1738));
    /// assert!(!Scheme::Https.is_known_by(Profile::Rfc1738));
    /// ```
    pub fn is_known_by(self, profile: Profile) -> bool {
        self != Scheme::Other && (profile == Profile::Current || !self.is_tls())
    }

    /// The scheme whose rules apply: a sibling's base, every other scheme itself.
    #[inline]
    pub fn base(self) -> Scheme {
        ROWS[self as usize].base
    }

    /// The port used where a URL names none; `None` where the scheme has none.
    #[inline]
    pub fn default_port(self) -> Option<u16> {
        ROWS[self as usize].default_port
    }

    /// The same for a [`Layout`]: above all ports where there is none.
    #[inline]
    pub(crate) fn port_in_force(self) -> u32 {
        DEFAULT_PORTS[self as usize]
    }

    /// Whether the dialogue runs inside TLS from the first octet: true for the siblings.
    pub fn is_tls(self) -> bool {
        self != self.base()
    }

    /// The section of RFC 1738 that defines it.
    pub fn section(self) -> &'static str {
        ROWS[self as usize].section
    }
}

/// The longest name.
const KEY_LENGTH: usize = word::SIZE;

/// The name in lower case as one word. Only the two octets of a letter become that letter when this bit is set.
const fn key(name: &[u8]) -> u64 {
    let mut key = 0;
    let mut i = name.len();
    while i > 0 {
        i -= 1;
        key = key << 8 | (name[i] | 0x20) as u64;
    }
    key
}

/// The word of a text that is shorter than one; zeros follow it.
#[cold]
#[inline(never)]
fn short(octets: &[u8]) -> u64 {
    match (octets.first_chunk(), octets.last_chunk()) {
        // The halves overlap, and agree there.
        (Some(first), Some(last)) => {
            let (first, last): (u64, u64) = (u32::from_le_bytes(*first).into(), u32::from_le_bytes(*last).into());
            first | last << ((octets.len() - 4) * 8)
        }
        _ => octets.iter().rfold(0, |word, &octet| word << 8 | u64::from(octet)),
    }
}

/// The scheme with rules of its own that a text begins with, and how long its name is; a colon follows.
#[inline]
pub(crate) fn known(octets: &[u8], profile: Profile) -> Option<(Scheme, usize)> {
    let start = match octets.first_chunk() {
        Some(word) => u64::from_le_bytes(*word),
        None => short(octets),
    };
    let colon = word::mark(start, b':');
    let (length, mask) = match colon {
        0 if octets.get(KEY_LENGTH) == Some(&b':') => (KEY_LENGTH, u64::MAX),
        0 => return None,
        // The mark is the highest bit of the colon, so all below it but eight bits are those of the name.
        _ => (colon.trailing_zeros() as usize / 8, (colon ^ (colon - 1)) >> 8),
    };
    match Scheme::from_key((start | word::repeat(0x20)) & mask, profile) {
        Scheme::Other => None,
        scheme => Some((scheme, length)),
    }
}

const FTP: u64 = key(b"ftp");
const HTTP: u64 = key(b"http");
const GOPHER: u64 = key(b"gopher");
const MAILTO: u64 = key(b"mailto");
const NEWS: u64 = key(b"news");
const NNTP: u64 = key(b"nntp");
const TELNET: u64 = key(b"telnet");
const WAIS: u64 = key(b"wais");
const FILE: u64 = key(b"file");
const PROSPERO: u64 = key(b"prospero");
const HTTPS: u64 = key(b"https");
const FTPS: u64 = key(b"ftps");
const GOPHERS: u64 = key(b"gophers");
const NNTPS: u64 = key(b"nntps");
const SNEWS: u64 = key(b"snews");
const TELNETS: u64 = key(b"telnets");

/// Reads what follows the scheme's colon, to the end of the text. Always compiled into the one place that calls it, where the
/// scheme was just found by comparison: else it would be looked up again.
#[inline(always)]
pub(crate) fn read<S: Sink>(r: &mut Reader<'_, S>, scheme: Scheme) -> Outcome {
    match scheme {
        Scheme::Ftp | Scheme::Ftps => ftp::read(r),
        Scheme::Http | Scheme::Https => http::read(r),
        Scheme::Gopher | Scheme::Gophers => gopher::read(r),
        Scheme::Mailto => mailto::read(r),
        Scheme::News | Scheme::Snews => news::read(r),
        Scheme::Nntp | Scheme::Nntps => nntp::read(r),
        Scheme::Telnet | Scheme::Telnets => telnet::read(r),
        Scheme::Wais => wais::read(r),
        Scheme::File => file::read(r),
        Scheme::Prospero => prospero::read(r),
        Scheme::Other => other::read(r),
    }
}

/// The parts a scheme has, in the order they stand in a URL.
pub(crate) fn parts(scheme: Scheme) -> &'static [PartDef] {
    match scheme.base() {
        Scheme::Ftp => &ftp::PARTS,
        Scheme::Http => &http::PARTS,
        Scheme::Gopher => &gopher::PARTS,
        Scheme::Mailto => &mailto::PARTS,
        Scheme::News => &news::PARTS,
        Scheme::Nntp => &nntp::PARTS,
        Scheme::Telnet => &telnet::PARTS,
        Scheme::Wais => &wais::PARTS,
        Scheme::File => &file::PARTS,
        Scheme::Prospero => &prospero::PARTS,
        _ => &other::PARTS,
    }
}

/// A valid text and where its parts stand: what every typed view looks at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    pub(crate) text: &'a str,
    pub(crate) layout: &'a Layout,
}

impl<'a> View<'a> {
    #[inline]
    pub(crate) fn plain(self, slot: usize) -> Option<&'a str> {
        let span = self.layout.slots[slot].range()?;
        // One comparison less than by the range.
        self.text.get(..span.end)?.get(span.start..)
    }

    #[inline]
    pub(crate) fn encoded(self, slot: usize) -> Option<Encoded<'a>> {
        self.plain(slot).map(Encoded::new)
    }

    #[inline]
    pub(crate) fn host(self) -> Option<Host<'a>> {
        self.plain(layout::HOST).map(|text| Host::new(text, self.layout.host_kind()))
    }
}

/// `host [ ":" port ]` of section 3.1.
#[derive(Clone, Copy)]
pub struct Hostport<'a>(pub(crate) View<'a>);

impl<'a> Hostport<'a> {
    /// The host.
    #[inline]
    pub fn host(self) -> Host<'a> {
        self.0.host().unwrap_or(Host::new("", self.0.layout.host_kind()))
    }

    /// The port's digits as written; `None` without a port, empty only under the profile `current` (D-22).
    #[inline]
    pub fn port(self) -> Option<&'a str> {
        self.0.plain(layout::PORT)
    }

    /// The port in force, 0 to 65535: the one written, else the scheme's default. `None` where the scheme has no default
    /// and none is written.
    #[inline]
    pub fn port_number(self) -> Option<u16> {
        self.0.layout.port_number()
    }
}

/// `[ user [ ":" password ] "@" ] hostport` of section 3.1.
#[derive(Clone, Copy)]
pub struct Login<'a>(pub(crate) View<'a>);

impl<'a> Login<'a> {
    /// The user name: `None` without a login, empty in `//@host` (D-24).
    #[inline]
    pub fn user(self) -> Option<Encoded<'a>> {
        self.0.encoded(layout::USER)
    }

    /// The password: `None` without one, empty in `//user:@host` (D-24). There is none without a user.
    #[inline]
    pub fn password(self) -> Option<Encoded<'a>> {
        self.0.encoded(layout::PASSWORD)
    }

    /// The host and the port.
    #[inline]
    pub fn hostport(self) -> Hostport<'a> {
        Hostport(self.0)
    }
}

/// Gives a view `Debug` that never shows a password: the masked text of the whole URL.
macro_rules! masked_debug {
    ($($view:ident),*) => {$(
        impl core::fmt::Debug for $view<'_> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(f, concat!(stringify!($view), "({})"), $crate::secret::Masked(self.0.text))
            }
        }
    )*};
}
pub(crate) use masked_debug;

masked_debug!(Hostport, Login);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_finds_its_scheme_in_any_case() {
        for scheme in Scheme::RFC1738.into_iter().chain(Scheme::SIBLINGS) {
            let name = scheme.name().unwrap();
            assert_eq!(Scheme::from_name(name.as_bytes(), Profile::Current), scheme);
            let upper = name.to_ascii_uppercase();
            assert_eq!(Scheme::from_name(upper.as_bytes(), Profile::Current), scheme);
        }
    }

    #[test]
    fn siblings_are_other_schemes_under_rfc1738() {
        for scheme in Scheme::SIBLINGS {
            let name = scheme.name().unwrap().as_bytes();
            assert_eq!(Scheme::from_name(name, Profile::Rfc1738), Scheme::Other);
        }
    }

    #[test]
    fn a_longer_name_that_ends_alike_is_another_scheme() {
        assert_eq!(Scheme::from_name(b"xprospero", Profile::Rfc1738), Scheme::Other);
        assert_eq!(Scheme::from_name(b"", Profile::Rfc1738), Scheme::Other);
    }
}
