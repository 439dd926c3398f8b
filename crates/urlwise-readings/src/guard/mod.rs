//! One verdict about a URL before it is fetched: do the readers agree, and where would they connect?
//!
//! A check is worth nothing if the program that fetches reads the URL in another way than the program that checked it. So a
//! [`Guard`] asks several [readers](crate::Reader) and refuses what they do not agree on; what they agree on has to be allowed.
//! It does no I/O: to learn whether a name has addresses that are not public, pass it a resolver, and connect to the
//! [addresses](Verdict::addresses) of the verdict, because the name may have others the next time.
//!
//! ```
//! use urlwise_readings::guard::{Guard, ReasonCode};
//!
//! let verdict = Guard::new().check(br"http://127.0.0.1\@1.1.1.1");
//! let codes: Vec<_> = verdict.reasons().iter().map(|reason| reason.code()).collect();
//! assert_eq!(codes, [ReasonCode::HostsDiffer, ReasonCode::AddressPrivate]);
//!
//! let guard = Guard::new().allow_hosts(["*.good.example".parse()?]);
//! assert!(guard.check(b"https://www.good.example/a?b").is_ok());
//! assert!(!guard.check(b"https://evil.example/").is_ok());
//!
//! let verdict = guard.check_resolved(b"https://www.good.example/", |_, _| Ok::<_, String>(vec!["10.0.0.1".parse().unwrap()]));
//! assert_eq!(verdict.reasons()[0].to_string(), "address-private: `www.good.example` has the address 10.0.0.1, which is private");
//! # Ok::<(), urlwise_readings::guard::InvalidPattern>(())
//! ```
//!
//! A reader that rejects the text is no reason to refuse it, as long as the others see one server: what rejects a URL does not fetch
//! it. Every port from 1 to 65535 is allowed; a program that wants certain ones looks at the port of the URL that it fetches.

mod host;
mod pattern;
mod reason;
mod scheme;

use crate::compare::{self, Host, Readings};
use crate::difference::Difference;
use crate::language::{message, words};
use crate::programs::any;
use crate::reader::Reader;
use crate::reading::Server as Seen;
use crate::sentence::enumerated;
use crate::text::Text;
use crate::whatwg;
use host::Plain;
use memchr::{memchr, memrchr};
use std::fmt::{self, Display};
use std::net::IpAddr;
use std::ops::Range;
use urlwise::audit::AddressClass;
use urlwise::{Message, Profile, Words, escape_for_display};

pub use pattern::{HostPattern, InvalidPattern};
pub use reason::{Reason, ReasonCode};
pub use scheme::{InvalidScheme, SchemeName};

/// What may be fetched, and who reads the URLs. The default allows http and https, every host, and public addresses only, and
/// asks all readers.
#[derive(Clone, Debug)]
#[must_use = "a guard does nothing until it checks a URL"]
pub struct Guard {
    schemes: Vec<SchemeName>,
    hosts: Option<Vec<HostPattern>>,
    allows_private: bool,
    readers: Vec<Reader>,
    profile: Profile,
}

impl Default for Guard {
    fn default() -> Guard {
        Guard {
            schemes: SchemeName::web().to_vec(),
            hosts: None,
            allows_private: false,
            readers: Reader::ALL.to_vec(),
            profile: Profile::Current,
        }
    }
}

/// The verdict of a [`Guard`] about one URL.
#[must_use = "the URL may be refused"]
#[derive(Clone)]
pub struct Verdict {
    reasons: Vec<Reason>,
    hosts: Vec<(Reader, Option<String>)>,
    server: Option<Server>,
    addresses: Option<Vec<IpAddr>>,
    passwords: Vec<Range<usize>>,
}

/// The server that all readers see.
#[derive(Clone)]
struct Server {
    host: String,
    plain: Plain,
    port: u16,
}

impl Guard {
    /// The default guard.
    pub fn new() -> Guard {
        Guard::default()
    }

    /// Allows these schemes and no others; without any, nothing.
    pub fn allow_schemes(mut self, schemes: impl IntoIterator<Item = SchemeName>) -> Guard {
        self.schemes = schemes.into_iter().collect();
        self
    }

    /// Allows these hosts and no others. Their addresses must still be public, unless others are allowed too.
    pub fn allow_hosts(mut self, hosts: impl IntoIterator<Item = HostPattern>) -> Guard {
        self.hosts = Some(hosts.into_iter().collect());
        self
    }

    /// Allows addresses that are not public, and names that stand for them. Those of metadata services stay refused.
    pub fn allow_private(mut self) -> Guard {
        self.allows_private = true;
        self
    }

    /// Asks these readers: the programs that check and fetch the URL. The more readers, the more is refused; without any, everything.
    pub fn readers(mut self, readers: &[Reader]) -> Guard {
        self.readers.clear();
        for reader in readers {
            if !self.readers.contains(reader) {
                self.readers.push(*reader);
            }
        }
        self
    }

    /// Reads by this profile where RFC 1738 is among the readers; `current` by default.
    pub fn profile(mut self, profile: Profile) -> Guard {
        self.profile = profile;
        self
    }

    /// The verdict about a URL by its text alone: a name may still have addresses that are not public.
    pub fn check(&self, url: &[u8]) -> Verdict {
        let readings = Readings::servers(url, self.profile, &self.readers);
        let mut hosts = Vec::new();
        // Most readers see the host that the one before them sees.
        let mut last: Option<(Text<'_>, String)> = None;
        for (reader, seen) in readings.seen() {
            let host = seen.map(|seen| seen.host.unwrap_or_default());
            last = match (host, last) {
                (Some(host), Some((same, shown))) if host == same => Some((host, shown)),
                (Some(host), _) => Some((host.clone(), readings.short(host))),
                (None, _) => None,
            };
            hosts.push((reader, last.as_ref().map(|(_, shown)| shown.clone())));
        }
        let mut checking = Checking { guard: self, readings: &readings, reasons: Vec::new(), judged: None };
        let server = checking.all();
        let mut reasons = checking.reasons;
        reasons.sort_by_key(Reason::code);
        let server = server.filter(|_| reasons.is_empty());
        let addresses = server.as_ref().and_then(|server| match server.plain {
            Plain::Address(address) => Some(vec![address]),
            Plain::Name => None,
        });
        Verdict { reasons, hosts, server, addresses, passwords: readings.passwords().to_vec() }
    }

    /// The verdict about a URL and the addresses of its host. `look_up` gets a name and a port (0 if the scheme has none), and
    /// only if nothing else is wrong. One address that is not allowed is enough to refuse the URL, and so is an error, which
    /// should be a sentence.
    pub fn check_resolved<E: Display>(
        &self,
        url: &[u8],
        look_up: impl FnOnce(&str, u16) -> Result<Vec<IpAddr>, E>,
    ) -> Verdict {
        let mut verdict = self.check(url);
        let Some(Server { host, port, .. }) = verdict.server.as_ref().filter(|server| server.plain == Plain::Name)
        else {
            return verdict;
        };
        verdict.reasons = match look_up(host, *port) {
            Ok(addresses) if !addresses.is_empty() => {
                let refuse = |address: &IpAddr| {
                    let class = AddressClass::of(*address);
                    let sentence = || {
                        message!(
                            "`{host}` has the address {address}, which is {class}",
                            host = host.as_str(),
                            address = address.to_string(),
                            class = of_class(class),
                        )
                    };
                    Some(Reason::new(self.refused(class)?, sentence()))
                };
                // One reason of a kind is enough.
                let mut reasons: Vec<_> = addresses.iter().filter_map(refuse).collect();
                reasons.sort_by_key(Reason::code);
                reasons.dedup_by_key(|reason| reason.code());
                verdict.addresses = Some(addresses).filter(|_| reasons.is_empty());
                reasons
            }
            Ok(_) => {
                vec![Reason::new(ReasonCode::HostUnresolved, message!("`{host}` has no address", host = host.as_str()))]
            }
            Err(error) => {
                let error = error.to_string();
                vec![Reason::new(ReasonCode::HostUnresolved, escape_for_display(error.as_bytes()).to_string())]
            }
        };
        verdict
    }

    /// Why an address of this class is refused; `None` if it is allowed.
    fn refused(&self, class: AddressClass) -> Option<ReasonCode> {
        match class {
            AddressClass::Metadata => Some(ReasonCode::AddressMetadata),
            class if class.is_public() || self.allows_private => None,
            _ => Some(ReasonCode::AddressPrivate),
        }
    }
}

/// What a class is, after "which is".
fn of_class(class: AddressClass) -> Words {
    match class {
        AddressClass::Metadata => words!("that of a metadata service"),
        AddressClass::Documentation => words!("for documentation"),
        AddressClass::Benchmarking => words!("for benchmarks"),
        AddressClass::Unspecified => words!("unspecified, often this machine"),
        AddressClass::Loopback => words!("loopback, this machine"),
        AddressClass::Private => words!("private"),
        AddressClass::Shared => words!("shared"),
        AddressClass::LinkLocal => words!("link-local"),
        AddressClass::Multicast => words!("multicast"),
        AddressClass::Broadcast => words!("broadcast"),
        AddressClass::Reserved => words!("reserved"),
        class => Words::same(class.name()),
    }
}

/// An octet that some programs drop, and at which others end the URL, the host or the login, whatever these readers do.
fn ambiguous_octet(octets: &[u8]) -> Option<Words> {
    if any(octets, |octet| octet.is_ascii_control()) {
        return Some(words!("it contains a control character"));
    }
    if octets.starts_with(b" ") || octets.ends_with(b" ") {
        return Some(words!("there is a space at one of its ends"));
    }
    let behind_scheme = memchr(b':', octets).map_or(octets, |colon| &octets[colon + 1..]);
    let slashes = behind_scheme.iter().take_while(|octet| matches!(octet, b'/' | b'\\')).count();
    let (slashes, rest) = behind_scheme.split_at(slashes);
    let authority = &rest[..rest.iter().position(|octet| matches!(octet, b'/' | b'?' | b'#')).unwrap_or(rest.len())];
    if slashes.contains(&b'\\') || authority.contains(&b'\\') {
        return Some(words!("there is a backslash before its path"));
    }
    let login = &authority[..memrchr(b'@', authority).unwrap_or(0)];
    let is_ambiguous = login.iter().any(|octet| matches!(octet, b'@' | b'[' | b']' | b' '));
    is_ambiguous.then_some(words!("there is a space, a bracket or a second `@` in its login"))
}

/// A URL while it is checked.
struct Checking<'c> {
    guard: &'c Guard,
    readings: &'c Readings<'c>,
    reasons: Vec<Reason>,
    /// The host of the reader before, and what is wrong with it: most readers see the same one.
    judged: Option<(Host<'c>, Result<Plain, Words>)>,
}

impl<'c> Checking<'c> {
    /// Adds a reason, unless there is one with this code: one example is enough.
    fn refuse(&mut self, code: ReasonCode, sentence: impl Into<Message>) {
        if self.reasons.iter().all(|reason| reason.code() != code) {
            self.reasons.push(Reason::new(code, sentence));
        }
    }

    /// Collects the reasons. Returns the server that all readers see, if they agree on one.
    fn all(&mut self) -> Option<Server> {
        let readings = self.readings;
        let mut accepted = readings.accepted().peekable();
        if accepted.peek().is_none() {
            self.refuse(ReasonCode::NotAUrl, words!("no reader accepts it as a URL"));
        }
        // What the octet causes is the better reason.
        if !self.differences()
            && let Some(what) = ambiguous_octet(readings.octets())
        {
            self.refuse(ReasonCode::OctetAmbiguous, what);
        }
        let mut server = None;
        for (reader, seen) in accepted {
            server = self.reading(reader, &seen);
        }
        // A reader that is not asked may see another server.
        let asks_whatwg = readings.readers().any(|reader| reader == Reader::Whatwg);
        if self.reasons.is_empty()
            && asks_whatwg
            && let Some(refusal) = whatwg::refusal(readings.octets())
        {
            self.refuse(ReasonCode::AuthorityLength, refusal);
        }
        server
    }

    /// Gives one reason for all that the readers see differently, named after the worst of it. Returns whether there is any.
    fn differences(&mut self) -> bool {
        let codes = [
            (Difference::Host, ReasonCode::HostsDiffer),
            (Difference::Scheme, ReasonCode::SchemesDiffer),
            (Difference::Port, ReasonCode::PortsDiffer),
        ];
        let code = codes.into_iter().find(|(difference, _)| self.differ(*difference));
        if let Some((_, code)) = code {
            self.refuse(code, self.readings.sentence().message());
        }
        code.is_some()
    }

    fn differ(&self, difference: Difference) -> bool {
        self.readings.differs().contains(difference)
    }

    /// Judges what one reader sees.
    fn reading(&mut self, reader: Reader, seen: &Seen<'c>) -> Option<Server> {
        let scheme = seen.scheme.to_ascii_lowercase();
        if self.guard.schemes.iter().all(|allowed| allowed.as_str() != scheme) {
            let sentence = match scheme.is_empty() {
                true => message!("{reader} sees no scheme", reader = reader.name()),
                false => {
                    let shown = self.readings.short(scheme.as_str().into());
                    let allowed = enumerated(self.guard.schemes.iter().map(SchemeName::as_str));
                    message!("the scheme is {scheme}; allowed are {allowed}", scheme = shown, allowed = allowed)
                }
            };
            self.refuse(ReasonCode::SchemeNotAllowed, sentence);
        }
        let port = seen.port();
        let Some(host) = seen.host() else {
            // A scheme without a port of its own, such as file, needs no server, unless one is asked for.
            let needs_host = compare::default_port(&scheme).is_some() || self.guard.hosts.is_some();
            if needs_host && !self.differ(Difference::Host) {
                self.refuse(ReasonCode::HostMissing, words!("it has no host"));
            }
            return None;
        };
        let plain = match self.judged.take() {
            Some((judged, plain)) if judged == host => plain,
            _ => self.host(reader, &host),
        };
        let (host, plain) = self.judged.insert((host, plain));
        let server = plain.as_ref().ok().map(|plain| (host.text().written().into_owned(), plain.clone()));
        // Of a scheme without a port of its own, a name of one label names no server.
        if let Some((host, Plain::Name)) = &server
            && !self.guard.allows_private
            && compare::default_port(&scheme).is_some()
            && host::is_inside(host)
        {
            let opened = self.opens(reader, &self.readings.short(host.as_str().into()));
            let class = words!("a local name");
            self.refuse(ReasonCode::NameLocal, message!("{opened}, which is {class}", opened = opened, class = class));
        }
        let number = port.map(|port| u16::try_from(port).ok().filter(|port| *port > 0));
        if number == Some(None) && !self.differ(Difference::Port) {
            let port = self.readings.short(seen.port.as_deref().unwrap_or_default().into());
            let invalid = message!("the port {port} is not a number from 1 to 65535", port = port);
            self.refuse(ReasonCode::PortInvalid, invalid);
        }
        let (host, plain) = server?;
        Some(Server { host, plain, port: number.flatten().unwrap_or(0) })
    }

    /// Judges a host that a reader sees; returns what it is, or what is wrong with it.
    fn host(&mut self, reader: Reader, host: &Host<'_>) -> Result<Plain, Words> {
        let shown = self.readings.short(host.text());
        let host = host.text().written();
        if let Some(patterns) = &self.guard.hosts
            && !patterns.iter().any(|pattern| pattern.matches(&host))
        {
            self.refuse(
                ReasonCode::HostNotAllowed,
                message!("{opened}, which is not an allowed host", opened = self.opens(reader, &shown)),
            );
        }
        self.class(reader, &host, &shown);
        let plain = host::plain(&host);
        if let Err(why) = plain
            && !self.differ(Difference::Host)
        {
            self.refuse(ReasonCode::HostInvalid, message!("the host {host} {why}", host = &*shown, why = why));
        }
        plain
    }

    /// The host, and who sees it if the readers differ.
    fn opens(&self, reader: Reader, host: &str) -> Message {
        match self.differ(Difference::Host) {
            true => message!("{readers} opens {target}", readers = reader.name(), target = host),
            false => message!("the host is {host}", host = host),
        }
    }

    /// Refuses a host that some program takes for an address, or a name, that is not public.
    fn class(&mut self, reader: Reader, host: &str, shown: &str) {
        for (class, what) in host::classes(host) {
            let Some(code) = self.guard.refused(class) else { continue };
            let is_name = what.parse::<IpAddr>().is_err();
            let code = if is_name && code == ReasonCode::AddressPrivate { ReasonCode::NameLocal } else { code };
            let what = self.readings.short(what.as_str().into());
            let opened = match shown.trim_matches(['[', ']']) == what {
                true => self.opens(reader, &what),
                false => {
                    let opened = self.opens(reader, shown);
                    message!("{opened}; programs take it for {what}", opened = opened, what = what)
                }
            };
            let is = match is_name {
                true if class == AddressClass::Metadata => words!("the name of a metadata service"),
                true => words!("a local name"),
                false => of_class(class),
            };
            self.refuse(code, message!("{opened}, which is {class}", opened = opened, class = is));
        }
    }
}

impl Verdict {
    /// Whether the URL may be fetched.
    pub fn is_ok(&self) -> bool {
        self.reasons.is_empty()
    }

    /// Why it may not, at most one reason of a code; empty if it may.
    pub fn reasons(&self) -> &[Reason] {
        &self.reasons
    }

    /// The host that each reader sees, in the order asked for: `None` if it rejects the URL, empty if it sees no host. Safe to
    /// display: escaped for terminals, and `***` if it contains a piece of a password.
    pub fn hosts(&self) -> impl Iterator<Item = (Reader, Option<&str>)> {
        self.hosts.iter().map(|(reader, host)| (*reader, host.as_deref()))
    }

    /// The [passwords](crate::passwords) of the URL that only the readers see, which must not be shown either.
    pub fn passwords(&self) -> &[Range<usize>] {
        &self.passwords
    }

    /// The addresses to connect to: the host, if it is an address, or what the resolver returned. Whoever fetches the URL must
    /// connect to one of these and not look the name up again. `None` if the URL is refused, or if the name was not looked up.
    pub fn addresses(&self) -> Option<&[IpAddr]> {
        self.addresses.as_deref()
    }
}

impl fmt::Debug for Verdict {
    /// Prints the reasons alone: a host may be a password to another reader.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verdict").field("reasons", &self.reasons).finish_non_exhaustive()
    }
}
