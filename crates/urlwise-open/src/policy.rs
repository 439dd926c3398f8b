//! What is refused before anything is opened (RFC 1738 section 6, client-security parts A and C).
//!
//! Every URL passes [`Policy::admit`]: the one given, each redirect, each link that is opened. A [`Refusal`] is data: the
//! rule and what in the URL met it. Some rules may be [allowed](Policy::allow) one by one; the others never.
//!
//! ```
//! use urlwise::Url;
//! use urlwise_open::policy::{Origin, Policy};
//!
//! let url = Url::parse("gopher://h.example:25/0x").expect("a valid URL");
//! let refusal = Policy::default().admit(&url, Origin::Given).expect_err("port 25 is for mail");
//! assert_eq!(refusal.rule().id, "port-foreign");
//!
//! let policy = Policy::default().allow("port-foreign");
//! assert!(policy.expect("it may be lifted").admit(&url, Origin::Given).is_ok());
//! ```

use crate::class::Class;
use crate::error::Error;
use core::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use urlwise::shown;
use urlwise::{Locator, Scheme, Url};

/// One reason to refuse a URL.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// The stable name: what [`Policy::allow`] takes and messages show.
    pub id: &'static str,
    /// Where the rule comes from: RFC 1738 and its section, a decision number, or the number of an audit rule (E-).
    pub ground: &'static str,
    /// When it fires, in words, for manuals.
    pub when: &'static str,
    /// Whether [`Policy::allow`] may lift it.
    pub allowable: bool,
    class: Class,
}

macro_rules! rules {
    ($($name:ident $id:literal $class:ident $allowable:literal $ground:literal $when:literal)*) => {
        $(static $name: Rule = Rule {
            id: $id, ground: $ground, when: $when, allowable: $allowable, class: Class::$class,
        };)*

        /// Every rule.
        pub static RULES: &[&Rule] = &[$(&$name),*];
    };
}

rules! {
    URL_LENGTH "url-length" Limit true "client-security 7"
        "the URL is longer than 65,536 octets"
    SEGMENT_COUNT "segment-count" Limit true "client-security 7"
        "the path has more than 1,000 segments"
    PORT_ZERO "port-zero" Refused false "D-23"
        "the port is 0, which no server can have"
    PORT_RESERVED "port-reserved" Refused true "RFC 1738 section 6, E-02"
        "the port is not the scheme's own, below 1024, and no other protocol's"
    PORT_FOREIGN "port-foreign" Refused true "RFC 1738 section 6, E-03"
        "the port belongs to another well-known text protocol"
    CTL_CRLF "ctl-crlf" Refused false "RFC 1738 section 6, E-05"
        "a part that is sent on a command line decodes to CR or LF"
    CTL_NUL "ctl-nul" Refused false "RFC 1738 section 6, E-06"
        "a part that is sent on a command line decodes to NUL"
    CTL_OTHER "ctl-other" Refused true "E-07"
        "a part that is sent on a command line decodes to another control octet"
    FILE_REMOTE "file-remote" Refused false "RFC 1738 section 3.10, E-16"
        "a file URL names another machine, by its host or by a path that begins with two slashes"
    FILE_ESCAPE "file-escape" Refused false "D-65, E-17"
        "a segment of a file URL decodes to a text with NUL or a separator of paths"
    FILE_FROM_NETWORK "file-from-network" Refused false "E-31"
        "an answer from the network leads to a file of this machine"
    REDIRECT_SCHEME "redirect-scheme" Refused false "client-security 20, E-31"
        "a redirect of http or https leads to another scheme"
    REDIRECT_DOWNGRADE "redirect-downgrade" Refused true "client-security 20, E-31"
        "a redirect leads from https to http"
    ADDRESS_LOCAL "address-local" Refused false "client-security 9, E-19"
        "only public addresses are wanted, and the host has another"
}

/// Ports on which a known text protocol reads its first line as a command (decisions, E-03).
const FOREIGN_PORTS: &[(u16, u16)] = &[
    (7, 7),
    (9, 9),
    (13, 13),
    (19, 19),
    (21, 23),
    (25, 25),
    (43, 43),
    (53, 53),
    (79, 80),
    (109, 111),
    (113, 113),
    (119, 119),
    (139, 139),
    (143, 143),
    (389, 389),
    (445, 445),
    (465, 465),
    (512, 515),
    (587, 587),
    (993, 993),
    (995, 995),
    (2049, 2049),
    (3306, 3306),
    (5432, 5432),
    (6000, 6063),
    (6379, 6379),
    (6667, 6667),
    (11211, 11211),
];

/// The longest URL that is opened, in octets.
pub const MAX_URL: usize = 65_536;

/// The most path segments of a URL that is opened.
pub const MAX_SEGMENTS: usize = 1_000;

/// Where a URL came from.
#[derive(Clone, Copy, Debug)]
pub enum Origin<'a> {
    /// A person or a program gave it.
    Given,
    /// A server sent us there, unasked.
    Redirect {
        /// The URL whose answer it was.
        from: &'a Url<&'a str>,
    },
    /// It stood in a menu, and somebody chose it.
    Link {
        /// The URL of the menu.
        from: &'a Url<&'a str>,
    },
}

/// What may be opened. The default refuses everything [`RULES`] name but `address-local`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    allowed: Vec<&'static str>,
    public_only: bool,
}

/// A URL was not admitted. `Display` is one sentence with its ground and the way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    rule: &'static Rule,
    what: String,
    help: Option<&'static str>,
}

/// No such rule, or one that is never lifted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAllowable(String);

impl Policy {
    /// Lifts one rule.
    ///
    /// # Errors
    /// If no rule has that id, or if it is never lifted.
    pub fn allow(mut self, id: &str) -> Result<Policy, NotAllowable> {
        match RULES.iter().find(|rule| rule.id == id && rule.allowable) {
            Some(rule) => self.allowed.push(rule.id),
            None => return Err(NotAllowable(id.to_owned())),
        }
        Ok(self)
    }

    /// Whether the rule of that id has been lifted.
    pub(crate) fn allows(&self, id: &str) -> bool {
        self.allowed.contains(&id)
    }

    /// Connects to public addresses only: no loopback, private, link-local, shared, multicast or reserved ones, in
    /// whatever form an IPv6 address wraps them. The address is looked at after the look-up, for every hop.
    pub fn public_addresses_only(mut self) -> Policy {
        self.public_only = true;
        self
    }

    /// Whether `url` may be opened.
    ///
    /// # Errors
    /// The first rule that fires and is not allowed.
    pub fn admit<T: AsRef<str>>(&self, url: &Url<T>, origin: Origin<'_>) -> Result<(), Refusal> {
        let url = url.borrow();
        self.limits(&url)?;
        self.origin(&url, origin)?;
        self.port(&url)?;
        self.octets(&url)?;
        self.file(&url)
    }

    /// Whether a connection to `ip` may be made, which is what `host` resolved to.
    pub(crate) fn admit_address(&self, ip: IpAddr, host: &str) -> Result<(), Refusal> {
        if self.public_only && !is_public(ip) {
            let host = shown(host.as_bytes());
            return self.refuse(
                &ADDRESS_LOCAL,
                format!("the host {host} has the address {ip}, which is not public"),
                None,
            );
        }
        Ok(())
    }

    fn refuse(
        &self,
        rule: &'static Rule,
        what: impl Into<String>,
        help: impl Into<Option<&'static str>>,
    ) -> Result<(), Refusal> {
        if self.allowed.contains(&rule.id) {
            return Ok(());
        }
        Err(Refusal { rule, what: what.into(), help: help.into() })
    }

    fn limits(&self, url: &Url<&str>) -> Result<(), Refusal> {
        let length = url.as_str().len();
        if length > MAX_URL {
            let what = format!("the URL has {length} octets, more than {MAX_URL}");
            self.refuse(&URL_LENGTH, what, None)?;
        }
        let hierarchical = matches!(url.scheme().base(), Scheme::Ftp | Scheme::Http | Scheme::File);
        if hierarchical {
            // The two slashes before the host and the one after it do not begin a further segment.
            let slashes = url.schemepart().bytes().filter(|o| *o == b'/').count();
            let segments = slashes.saturating_sub(2);
            if segments > MAX_SEGMENTS {
                let what = format!("the path has {segments} segments, more than {MAX_SEGMENTS}");
                self.refuse(&SEGMENT_COUNT, what, None)?;
            }
        }
        Ok(())
    }

    fn origin(&self, url: &Url<&str>, origin: Origin<'_>) -> Result<(), Refusal> {
        let (from, redirected) = match origin {
            Origin::Given => return Ok(()),
            Origin::Redirect { from } => (from, true),
            Origin::Link { from } => (from, false),
        };
        let (target, source) = (url.scheme(), from.scheme());
        let name = shown(url.scheme_name().as_bytes()).to_string();
        if target == Scheme::File && source != Scheme::File {
            let what = format!("an answer to {} leads to a file of this machine", from.scheme_name());
            return self.refuse(&FILE_FROM_NETWORK, what, "if you mean that file, open its URL yourself");
        }
        if !redirected {
            return Ok(());
        }
        if target.base() != Scheme::Http {
            let what = format!("the server redirects from {} to {name}", from.scheme_name());
            return self.refuse(&REDIRECT_SCHEME, what, "if you trust the target, open its URL yourself");
        }
        if source.is_tls() && !target.is_tls() {
            return self.refuse(
                &REDIRECT_DOWNGRADE,
                "the server redirects from https to http, where everybody on the way can read and change it",
                None,
            );
        }
        Ok(())
    }

    fn port(&self, url: &Url<&str>) -> Result<(), Refusal> {
        let Some(port) = url.port_number() else {
            return Ok(());
        };
        if port == 0 {
            return self.refuse(
                &PORT_ZERO,
                "the port is 0, which no server can have",
                "leave the port out to use the scheme's own",
            );
        }
        if url.scheme().default_port() == Some(port) {
            return Ok(());
        }
        let name = shown(url.scheme_name().as_bytes()).to_string();
        if FOREIGN_PORTS.iter().any(|&(first, last)| (first..=last).contains(&port)) {
            // The stronger of the two reasons; who lifts it has seen the port.
            let what = format!("port {port} belongs to another protocol than {name}");
            return self.refuse(&PORT_FOREIGN, what, None);
        }
        if port < 1024 {
            let what = format!("port {port} is in the reserved space and not the port of {name}");
            return self.refuse(&PORT_RESERVED, what, None);
        }
        Ok(())
    }

    /// Control octets in parts that end up, decoded, on a command line. http sends its parts encoded (D-40), file has
    /// no command line, and a Gopher+ string may hold line ends in the form of section 3.4.9, which its writer checks.
    fn octets(&self, url: &Url<&str>) -> Result<(), Refusal> {
        let base = url.scheme().base();
        if matches!(base, Scheme::Http | Scheme::File | Scheme::Other) {
            return Ok(());
        }
        let line_based = matches!(base, Scheme::Ftp | Scheme::Gopher);
        for part in url.parts() {
            if !part.is_encoded() || part.name() == "gopherplus" {
                continue;
            }
            for &octet in part.decode().iter() {
                let (rule, consequence) = match octet {
                    b'\r' | b'\n' => (&CTL_CRLF, "would begin a second command"),
                    0 => (&CTL_NUL, "would end the command early at some servers"),
                    1..=0x1f | 0x7f if line_based => (&CTL_OTHER, "does not belong in a command"),
                    _ => continue,
                };
                let label = part.label();
                let what = format!("the {label} holds %{octet:02X}, which {consequence}");
                self.refuse(rule, what, None)?;
            }
        }
        Ok(())
    }

    fn file(&self, url: &Url<&str>) -> Result<(), Refusal> {
        let Locator::File(file) = url.locator() else {
            return Ok(());
        };
        if !file.is_local() {
            let host = url.host().map(|host| shown(host.as_str().as_bytes()).to_string());
            let what = format!(
                "the file is on the host {}, and RFC 1738 names no way to get it from there",
                host.unwrap_or_default()
            );
            return self.refuse(
                &FILE_REMOTE,
                what,
                "a file of this machine is written file:///path; for another machine use ftp or http",
            );
        }
        for (index, segment) in file.segments().enumerate() {
            let octets = segment.decode();
            if index == 0 && octets.is_empty() && file.segments().nth(1).is_some() {
                return self.refuse(
                    &FILE_REMOTE,
                    "the path begins with two slashes, which names another machine on some systems",
                    "write one slash after the host: file:///path",
                );
            }
            let bad = |octet: &&u8| matches!(**octet, b'/' | 0) || (cfg!(windows) && **octet == b'\\');
            if let Some(octet) = octets.iter().find(bad) {
                let shown = shown(segment.as_str().as_bytes());
                let what = format!("the segment {shown} holds %{octet:02X}, which cannot be part of a file name");
                return self.refuse(&FILE_ESCAPE, what, "separate directories by a plain slash");
            }
        }
        Ok(())
    }
}

impl Refusal {
    /// The rule that fired.
    pub fn rule(&self) -> &'static Rule {
        self.rule
    }

    /// What in the URL met the rule: a sentence without ground and way out.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// The way out: the refusal's own, or that the rule can be allowed.
    pub fn way_out(&self) -> Option<String> {
        match self.help {
            Some(help) => Some(help.to_owned()),
            None if self.rule.allowable => Some(format!("if you are sure, allow the rule `{}`", self.rule.id)),
            None => None,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.what, self.rule.ground)?;
        match self.way_out() {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Refusal {}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Error {
        let error =
            Error::new(refusal.rule.class, refusal.what.as_str()).ground(refusal.rule.ground).rule(refusal.rule.id);
        match refusal.way_out() {
            Some(help) => error.help(help),
            None => error,
        }
    }
}

impl fmt::Display for NotAllowable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = shown(self.0.as_bytes());
        write!(f, "`{id}` is no rule that can be allowed; these are:")?;
        for rule in RULES.iter().filter(|rule| rule.allowable) {
            write!(f, " {}", rule.id)?;
        }
        Ok(())
    }
}

impl std::error::Error for NotAllowable {}

/// Whether an address is one of the whole Internet (E-19), seen through the IPv6 forms that carry an IPv4 address.
fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(v4) => is_public_v4(v4),
        IpAddr::V6(v6) => match embedded_v4(v6) {
            Some(v4) => is_public_v4(v4),
            // 2000::/3 is all that has ever been given out; documentation addresses lie within it.
            None => v6.segments()[0] & 0xe000 == 0x2000 && v6.segments()[..2] != [0x2001, 0x0db8],
        },
    }
}

fn is_public_v4(v4: Ipv4Addr) -> bool {
    let [a, b, ..] = v4.octets();
    !(matches!(a, 0 | 10 | 127 | 224..=255)
        || (a == 100 && (64..128).contains(&b))
        || v4.is_link_local()
        || v4.is_private()
        || v4.is_documentation())
}

/// The IPv4 address inside a mapped, compatible, NAT64 or 6to4 address.
fn embedded_v4(v6: Ipv6Addr) -> Option<Ipv4Addr> {
    let low = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        Some(Ipv4Addr::new(a, b, c, d))
    };
    match v6.segments() {
        [0, 0, 0, 0, 0, 0 | 0xffff, g, h] => low(g, h),
        [0x64, 0xff9b, 0, 0, 0, 0, g, h] => low(g, h),
        [0x2002, b, c, ..] => low(b, c),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
