//! What is refused before anything is opened (RFC 1738 section 6, docs/client-security.md, parts A and C).
//!
//! Every URL passes [`Policy::admit`]: the one given, each redirect, each link that is opened. First come limits and the
//! client's own rules, then the [audit], whose high risks are refused. A [`Refusal`] is data: the rule and what in the URL
//! broke it. Some rules may be [allowed](Policy::allow) one by one; the others never, and they say why.
//!
//! ```
//! use urlwise::Url;
//! use urlwise_open::policy::{UrlSource, Policy};
//!
//! let url = Url::parse("gopher://h.example:6379/0x").expect("a valid URL");
//! let refusal = Policy::default().admit(&url, UrlSource::Given).expect_err("port 6379 is for Redis");
//! assert_eq!((refusal.rule().id, refusal.rule().number, refusal.span()), ("port-foreign", Some("E-03"), Some(19..23)));
//!
//! let policy = Policy::default().allow("port-foreign");
//! assert!(policy.expect("it may be lifted").admit(&url, UrlSource::Given).is_ok());
//! ```

mod address;
mod rules;

use crate::error::Error;
use crate::language::{cited, message, words};
use crate::protocol::{Hint, setting_shown};
pub(crate) use address::{Place, is_public};
use core::fmt;
use core::ops::Range;
use rules::{
    ADDRESS_LOCAL, ADDRESS_METADATA, FILE_FROM_NETWORK, LOCAL_FROM_PUBLIC, PORT_ZERO, READ_DIFFERENTLY,
    REDIRECT_DOWNGRADE, REDIRECT_SCHEME, SEGMENT_COUNT, URL_LENGTH,
};
use std::net::IpAddr;
use std::sync::LazyLock;
use urlwise::audit::{self, AddressClass, Audit, Finding};
use urlwise::{Language, Message, Scheme, Url, Words, escape_for_display};

pub use rules::{PolicyRule, RULES};

/// Rules of the audit that refuse no URL, and that may find something in each of its octets.
static NOT_ASKED: [&audit::Rule; 6] = [
    audit::DOT_SEGMENT,
    audit::ENC_DELIMITER,
    audit::ENC_DOUBLE,
    audit::ENC_NEEDLESS,
    audit::ENC_NON_UTF8,
    audit::FTP_OPTION,
];

/// The audit by all other rules.
static AUDIT: LazyLock<Audit> = LazyLock::new(|| {
    let mut audit = Audit::new();
    for rule in NOT_ASKED {
        // Each is a rule of the audit.
        let _ = audit.set(rule.id, None);
    }
    audit
});

/// The longest URL that is opened, in octets.
pub const MAX_URL: usize = 65_536;

/// The most path segments of a URL that is opened.
pub const MAX_SEGMENTS: usize = 1_000;

/// Where a URL came from. There may be others, as in [`Provenance`](urlwise::audit::Provenance).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum UrlSource<'a> {
    /// A person or a program gave it.
    Given,
    /// A server redirected to it.
    Redirect {
        /// The URL that redirected.
        from: &'a Url<&'a str>,
    },
    /// It was chosen from a menu.
    Link {
        /// The URL of the menu.
        from: &'a Url<&'a str>,
    },
}

/// What may be opened. The default refuses everything in [`RULES`] except `address-local`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use = "a policy protects only the client that is given it"]
pub struct Policy {
    allowed: Vec<&'static str>,
    public_only: bool,
}

/// Why a URL was not admitted. `Display` is one sentence with its rule, its reference and the help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    rule: &'static PolicyRule,
    what: Message,
    span: Option<Range<usize>>,
    help: Option<Message>,
}

/// The rule does not exist or cannot be lifted. `Display` says which, why, and what can be allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAllowable(String);

/// Who else has chosen a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sender {
    /// The author of a document that links to it.
    Document,
    /// It is not known whether anybody has, as with URLs that a browser asks for.
    Unknown,
}

/// What is known of the server that sent a URL, in a redirect or a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SendingServer {
    /// What its address is for; `None` if it is not known, as behind a proxy.
    pub(crate) class: Option<AddressClass>,
}

impl SendingServer {
    fn is_public(self) -> bool {
        self.class.is_some_and(AddressClass::is_public)
    }

    /// Whether it is a metadata service itself, which may lead on to itself.
    fn is_metadata(self) -> bool {
        self.class == Some(AddressClass::Metadata)
    }
}

impl From<UrlSource<'_>> for audit::Provenance {
    fn from(provenance: UrlSource<'_>) -> audit::Provenance {
        match provenance {
            UrlSource::Given => audit::Provenance::Given,
            UrlSource::Redirect { .. } => audit::Provenance::Redirect,
            UrlSource::Link { .. } => audit::Provenance::Link,
        }
    }
}

impl Policy {
    /// Lifts one rule, by its id or its number (`E-03`). Less specific findings of the audit about the same octets are lifted
    /// with it.
    ///
    /// # Errors
    /// If no rule has that name, or if it cannot be lifted.
    pub fn allow(mut self, name: &str) -> Result<Policy, NotAllowable> {
        match named(name).filter(|rule| rule.allowable) {
            Some(rule) => self.allowed.push(rule.id),
            None => return Err(NotAllowable(name.to_owned())),
        }
        Ok(self)
    }

    /// Lifts a rule that [`allow`](Policy::allow) does not lift, for an option with that purpose.
    pub(crate) fn lifted(mut self, id: &'static str) -> Policy {
        self.allowed.push(id);
        self
    }

    /// Whether the rule of that id has been lifted.
    pub(crate) fn allows(&self, id: &str) -> bool {
        self.allowed.contains(&id)
    }

    /// Connects to public addresses only: no loopback, private, link-local, shared, multicast or reserved ones, nor IPv6 forms
    /// of them. Checked after name resolution, for every hop.
    pub fn public_addresses_only(mut self) -> Policy {
        self.public_only = true;
        self
    }

    /// Whether `url` may be opened.
    ///
    /// # Errors
    /// The first rule that matches and is not allowed.
    pub fn admit<T: AsRef<str>>(&self, url: &Url<T>, provenance: UrlSource<'_>) -> Result<(), Refusal> {
        self.admit_sent(&url.borrow(), provenance, None)
    }

    /// As [`admit`](Policy::admit), and says who else has chosen the URL.
    ///
    /// # Errors
    /// As [`admit`](Policy::admit).
    pub(crate) fn admit_sent(
        &self,
        url: &Url<&str>,
        provenance: UrlSource<'_>,
        sender: Option<Sender>,
    ) -> Result<(), Refusal> {
        self.limits(url)?;
        self.provenance(url, provenance, sender)?;
        if url.port_or_default() == Some(0) {
            let help = words!("remove the port to use the default of the scheme");
            self.refuse(&PORT_ZERO, words!("the port is 0, on which no server can listen"), help)?;
        }
        let found = AUDIT.check(url, provenance.into());
        found.iter().try_for_each(|finding| self.admit_in_spite_of(finding, url))?;
        self.read_alike(url)
    }

    /// Whether `url` may be opened in spite of a finding about it.
    ///
    /// # Errors
    /// The finding is a high risk, or one that a client must refuse, and its rule is not allowed.
    pub fn admit_in_spite_of<T: AsRef<str>>(&self, finding: &Finding<'_>, url: &Url<T>) -> Result<(), Refusal> {
        match self.refusing(finding, url) {
            Some(rule) => Err(Refusal {
                rule,
                what: Message::of_each(|language| finding.message_in(language)),
                span: Some(finding.span()),
                // Nobody is told what else to do where the rule can be allowed.
                help: (!rule.allowable).then(|| Message::of_each(|language| finding.help_in(language))),
            }),
            None => Ok(()),
        }
    }

    /// The rule by which a URL is not opened for what was found about it; `None` if it is opened in spite of that. This is
    /// [`admit_in_spite_of`](Policy::admit_in_spite_of) without its texts.
    ///
    /// ```
    /// use urlwise::Url;
    /// use urlwise::audit::{Audit, Provenance};
    /// use urlwise_open::policy::Policy;
    ///
    /// let url = Url::parse("gopher://host.dom:25/0a")?;
    /// let found = Audit::new().check(&url, Provenance::Given);
    /// let refusing = |policy: Policy| found.iter().find_map(|finding| policy.refusing(finding, &url));
    /// assert_eq!(refusing(Policy::default()).map(|rule| rule.id), Some("gopher-smtp"));
    /// # Ok::<(), urlwise::ParseError>(())
    /// ```
    pub fn refusing<T: AsRef<str>>(&self, finding: &Finding<'_>, url: &Url<T>) -> Option<&'static PolicyRule> {
        rules::refusing(&url.borrow(), finding).filter(|rule| !self.allows(rule.id))
    }

    /// Whether other URL parsers, which may have judged this URL before, see the same host (E-32).
    fn read_alike(&self, url: &Url<&str>) -> Result<(), Refusal> {
        match urlwise_readings::finding(url) {
            Some(finding) => self.admit_in_spite_of(&finding, url),
            None => self.read_as_decimal(url),
        }
    }

    /// Whether the numbers of an address are written in the one form that everybody reads alike. WHATWG and system calls read a
    /// leading zero as octal, RFC 3986 reads a name; that is judged for all schemes alike (D-21).
    fn read_as_decimal(&self, url: &Url<&str>) -> Result<(), Refusal> {
        let Some(host) = url.host().filter(|host| matches!(host.ip(), Some(IpAddr::V4(_)))) else { return Ok(()) };
        if !host.as_str().split('.').any(|group| group.len() > 1 && group.starts_with('0')) {
            return Ok(());
        }
        let what = message!(
            "a group of the address `{host}` has a leading zero: RFC 1738 reads it as decimal, other programs as octal",
            host = host.as_str()
        );
        self.refuse(&READ_DIFFERENTLY, what, None)
    }

    /// Whether to connect to `ip`, which `host` resolved to. Programs that connect on their own call this for each address
    /// first; it only matters with [`public_addresses_only`](Policy::public_addresses_only).
    ///
    /// # Errors
    /// A refusal by the rule `address-local`.
    ///
    /// ```
    /// use urlwise_open::policy::Policy;
    ///
    /// let address = "10.0.0.1".parse()?;
    /// assert!(Policy::default().admit_address(address, "h.example").is_ok());
    /// assert!(Policy::default().public_addresses_only().admit_address(address, "h.example").is_err());
    /// # Ok::<(), std::net::AddrParseError>(())
    /// ```
    pub fn admit_address(&self, ip: IpAddr, host: &str) -> Result<(), Refusal> {
        if self.public_only && !is_public(ip) {
            let host = escape_for_display(host.as_bytes()).to_string();
            return self.refuse(
                &ADDRESS_LOCAL,
                message!("host `{host}` has the address {ip}, which is not public", host = host, ip = ip.to_string()),
                None,
            );
        }
        Ok(())
    }

    /// Whether a redirect or link from a server may lead to `host`, which is at this place: from a local server and one that is not
    /// known to any but the metadata services of clouds.
    ///
    /// # Errors
    /// The refusal by the rule `local-from-public` or `address-metadata`.
    pub(crate) fn admit_from_server(&self, place: Place, host: &str, server: SendingServer) -> Result<(), Refusal> {
        let help = words!("to open it, pass its URL");
        if !server.is_metadata() {
            self.admit_no_metadata(place, host, Some(help))?;
        }
        if place.class().is_public() || !server.is_public() {
            return Ok(());
        }
        let host = escape_for_display(host.as_bytes()).to_string();
        let what = match place {
            Place::Address(ip) => message!(
                "a public server redirects or links to `{host}` with the address {ip}, which is local",
                host = host,
                ip = ip.to_string()
            ),
            Place::Named(_) => {
                message!("a public server redirects or links to `{host}`, which is a local name", host = host)
            }
        };
        self.refuse(&LOCAL_FROM_PUBLIC, what, help)
    }

    /// Whether URLs of others may lead to addresses of this class.
    fn admits_class_from_others(&self, class: AddressClass) -> bool {
        class.is_public() || self.allows(LOCAL_FROM_PUBLIC.id) && class != AddressClass::Metadata
    }

    /// Whether a URL may use a connection that is open to an address of this class, if it is known.
    pub(crate) fn admits_kept(
        &self,
        class: Option<AddressClass>,
        sender: Option<Sender>,
        server: Option<SendingServer>,
    ) -> bool {
        let is_from_others = sender.is_some() || server.is_some_and(SendingServer::is_public);
        let admits_metadata = server.is_none_or(SendingServer::is_metadata);
        (!is_from_others || class.is_some_and(|class| self.admits_class_from_others(class)))
            && (admits_metadata || class != Some(AddressClass::Metadata))
    }

    /// Whether a URL that others have chosen may lead to `host`, which is at this place.
    ///
    /// # Errors
    /// The refusal by the rule `local-from-public` or `address-metadata`.
    pub(crate) fn admit_from_others(&self, place: Place, host: &str, sender: Sender) -> Result<(), Refusal> {
        if place.class().is_public() {
            return Ok(());
        }
        // A person who gave the URL of a page would give it here.
        let help = match sender {
            Sender::Document => Some(words!("to open it, pass its URL")),
            Sender::Unknown => None,
        };
        self.admit_no_metadata(place, host, help)?;
        let is_literal = |ip| host.parse() == Ok(ip);
        let shown = escape_for_display(host.as_bytes()).to_string();
        let what = match (sender, place) {
            (Sender::Unknown, Place::Address(ip)) if is_literal(ip) => {
                message!("the address {ip} is local, and others may have chosen the URL", ip = ip.to_string())
            }
            (Sender::Document, Place::Address(ip)) => message!(
                "a document links to `{host}` with the address {ip}, which is local",
                host = shown,
                ip = ip.to_string()
            ),
            (Sender::Unknown, Place::Address(ip)) => message!(
                "`{host}` has the address {ip}, which is local, and others may have chosen the URL",
                host = shown,
                ip = ip.to_string()
            ),
            (Sender::Document, Place::Named(_)) => {
                message!("a document links to `{host}`, which is a local name", host = shown)
            }
            (Sender::Unknown, Place::Named(_)) => {
                message!("`{host}` is a local name, and others may have chosen the URL", host = shown)
            }
        };
        self.refuse(&LOCAL_FROM_PUBLIC, what, None)
    }

    /// Refuses the metadata services of clouds, which no rule that is lifted for local servers opens to others (D-114).
    fn admit_no_metadata(&self, place: Place, host: &str, help: Option<Words>) -> Result<(), Refusal> {
        if place.class() != AddressClass::Metadata {
            return Ok(());
        }
        let shown = escape_for_display(host.as_bytes()).to_string();
        let what = match place {
            Place::Address(ip) if host.trim_matches(['[', ']']).parse() != Ok(ip) => message!(
                "`{host}` is the metadata service of a cloud ({ip}), and others may have chosen the URL",
                host = shown,
                ip = ip.to_string()
            ),
            Place::Address(_) | Place::Named(_) => message!(
                "`{host}` is the metadata service of a cloud, and others may have chosen the URL",
                host = shown
            ),
        };
        self.refuse(&ADDRESS_METADATA, what, help)
    }

    fn refuse(
        &self,
        rule: &'static PolicyRule,
        what: impl Into<Message>,
        help: impl Into<Option<Words>>,
    ) -> Result<(), Refusal> {
        if self.allows(rule.id) {
            return Ok(());
        }
        Err(Refusal { rule, what: what.into(), span: None, help: help.into().map(Message::from) })
    }

    fn limits(&self, url: &Url<&str>) -> Result<(), Refusal> {
        let length = url.as_str().len();
        if length > MAX_URL {
            let what = message!("the URL is {count} octets long, more than {most}", count = length, most = MAX_URL);
            self.refuse(&URL_LENGTH, what, None)?;
        }
        let hierarchical = matches!(url.scheme().base(), Scheme::Ftp | Scheme::Http | Scheme::File);
        if hierarchical {
            // The two slashes before the host and the one after it do not start another segment.
            let slashes = url.schemepart().bytes().filter(|o| *o == b'/').count();
            let segments = slashes.saturating_sub(2);
            if segments > MAX_SEGMENTS {
                let what =
                    message!("the path has {count} segments, more than {most}", count = segments, most = MAX_SEGMENTS);
                self.refuse(&SEGMENT_COUNT, what, None)?;
            }
        }
        Ok(())
    }

    fn provenance(&self, url: &Url<&str>, provenance: UrlSource<'_>, sender: Option<Sender>) -> Result<(), Refusal> {
        let (from, redirected) = match provenance {
            UrlSource::Given => return Ok(()),
            UrlSource::Redirect { from } => (from, true),
            UrlSource::Link { from } => (from, false),
        };
        let (target, source) = (url.scheme(), from.scheme());
        let name = escape_for_display(url.scheme_name().as_bytes()).to_string();
        if target == Scheme::File && source != Scheme::File {
            if let (false, Some(Sender::Unknown)) = (redirected, sender) {
                let what = words!("the URL names a file on this machine, and others may have chosen it");
                return self.refuse(&FILE_FROM_NETWORK, what, None);
            }
            let what = message!("the answer to {scheme} points to a file on this machine", scheme = from.scheme_name());
            return self.refuse(&FILE_FROM_NETWORK, what, words!("to open that file, pass its URL"));
        }
        if !redirected {
            return Ok(());
        }
        if target.base() != Scheme::Http {
            let what = message!("the server redirects from {from} to {to}", from = from.scheme_name(), to = name);
            return self.refuse(&REDIRECT_SCHEME, what, words!("to open the target, pass its URL"));
        }
        if source.is_tls() && !target.is_tls() {
            return self.refuse(
                &REDIRECT_DOWNGRADE,
                words!("the server redirects from https to http, which others on the network path can read and change"),
                None,
            );
        }
        Ok(())
    }
}

/// The rule with this id or number.
fn named(name: &str) -> Option<&'static PolicyRule> {
    let is_named =
        |rule: &&&PolicyRule| rule.id == name || rule.number.is_some_and(|number| number.eq_ignore_ascii_case(name));
    RULES.iter().find(is_named).copied()
}

impl Refusal {
    /// The rule that refused.
    pub fn rule(&self) -> &'static PolicyRule {
        self.rule
    }

    /// What in the URL broke the rule: a sentence without reference and help.
    pub fn what(&self) -> &Message {
        &self.what
    }

    /// The octets of the URL that broke the rule; `None` if the rule is about the whole URL, its origin or its target.
    pub fn span(&self) -> Option<Range<usize>> {
        self.span.clone()
    }

    /// What else to do; `None` if nothing else helps, or the rule can be [allowed](Policy::allow).
    pub fn help(&self) -> Option<&Message> {
        self.help.as_ref().filter(|_| !self.rule.allowable)
    }

    /// What `Display` writes, in a language.
    pub fn message_in(&self, language: Language) -> impl fmt::Display + use<> {
        let message = cited(self.what.clone(), Some(self.rule.id), self.rule.reference, self.help().cloned());
        message.into_text(language)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message_in(Language::En).fmt(f)
    }
}

impl std::error::Error for Refusal {}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Error {
        let error = Error::new(refusal.rule.kind, refusal.what.clone())
            .with_reference(refusal.rule.reference)
            .rule(refusal.rule.id);
        match refusal.help() {
            _ if refusal.rule.allowable => error.with_hint(Hint::AllowRule(refusal.rule.id)),
            Some(help) => error.with_help(help.clone()),
            None => error,
        }
    }
}

impl fmt::Display for NotAllowable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message_in(Language::En).fmt(f)
    }
}

impl NotAllowable {
    /// What `Display` writes, in a language.
    pub fn message_in(&self, language: Language) -> impl fmt::Display + use<> {
        let name = setting_shown(&self.0);
        let what = match (named(&self.0), audit::rule(&self.0)) {
            (Some(rule), _) => {
                message!("the rule `{name}` cannot be allowed: {reason}", name = name, reason = rule.texts.reason)
            }
            (None, Some(_)) => message!("the rule `{name}` does not refuse anything", name = name),
            (None, None) => message!("`{name}` is not a rule that can be allowed", name = name),
        };
        let rules: Vec<_> = RULES.iter().filter(|rule| rule.allowable).map(|rule| rule.id).collect();
        let message =
            message!("{sentence}; rules that can be allowed: {rules}", sentence = what, rules = rules.join(" "));
        message.into_text(language)
    }
}

impl std::error::Error for NotAllowable {}

#[cfg(test)]
mod tests;
