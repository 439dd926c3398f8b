//! Why a URL is refused, by code and in words.

use crate::language::words;
use std::borrow::Cow;
use std::fmt::{self, Display as _};
use urlwise::{Language, Message, Words};

/// A reason to refuse a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ReasonCode {
    /// No reader accepts the text.
    NotAUrl,
    /// There is a control character, a space at one of the ends, a backslash before the path, or a space, a bracket or a
    /// second `@` in the login.
    OctetAmbiguous,
    /// Readers see different hosts, or only some of them see one.
    HostsDiffer,
    /// Readers see different schemes, but one host.
    SchemesDiffer,
    /// Readers see different ports of one host.
    PortsDiffer,
    /// The scheme is not an allowed one.
    SchemeNotAllowed,
    /// There is no host, and the scheme needs one.
    HostMissing,
    /// The host is neither a plain name nor an address in its usual form.
    HostInvalid,
    /// The port is not a number from 1 to 65535.
    PortInvalid,
    /// The login, host and port, or a label of the host, are longer than the reader of WHATWG is given.
    AuthorityLength,
    /// The host is not an allowed one.
    HostNotAllowed,
    /// The name stands for this machine or one near it.
    NameLocal,
    /// The host is an address, or has one, that is not public.
    AddressPrivate,
    /// The host is, or has the address of, a cloud provider's metadata service.
    AddressMetadata,
    /// The name could not be looked up.
    HostUnresolved,
}

impl ReasonCode {
    /// All of them, in the order in which they are reported.
    pub const ALL: &'static [ReasonCode] = &[
        ReasonCode::NotAUrl,
        ReasonCode::OctetAmbiguous,
        ReasonCode::HostsDiffer,
        ReasonCode::SchemesDiffer,
        ReasonCode::PortsDiffer,
        ReasonCode::SchemeNotAllowed,
        ReasonCode::HostMissing,
        ReasonCode::HostInvalid,
        ReasonCode::PortInvalid,
        ReasonCode::AuthorityLength,
        ReasonCode::HostNotAllowed,
        ReasonCode::NameLocal,
        ReasonCode::AddressPrivate,
        ReasonCode::AddressMetadata,
        ReasonCode::HostUnresolved,
    ];

    /// The stable name in machine output.
    pub const fn id(self) -> &'static str {
        match self {
            ReasonCode::NotAUrl => "not-a-url",
            ReasonCode::OctetAmbiguous => "octet-ambiguous",
            ReasonCode::HostsDiffer => "hosts-differ",
            ReasonCode::PortsDiffer => "ports-differ",
            ReasonCode::SchemesDiffer => "schemes-differ",
            ReasonCode::SchemeNotAllowed => "scheme-not-allowed",
            ReasonCode::HostMissing => "host-missing",
            ReasonCode::HostInvalid => "host-invalid",
            ReasonCode::PortInvalid => "port-invalid",
            ReasonCode::AuthorityLength => "authority-length",
            ReasonCode::HostNotAllowed => "host-not-allowed",
            ReasonCode::NameLocal => "name-local",
            ReasonCode::AddressPrivate => "address-private",
            ReasonCode::AddressMetadata => "address-metadata",
            ReasonCode::HostUnresolved => "host-unresolved",
        }
    }

    /// When the guard refuses a URL for it, and what to do: one or two sentences for manuals.
    pub const fn about(self) -> &'static str {
        self.about_words().en()
    }

    /// [`about`](ReasonCode::about), in a language.
    pub fn about_in(self, language: Language) -> Cow<'static, str> {
        self.about_words().get(language)
    }

    const fn about_words(self) -> Words {
        match self {
            ReasonCode::NotAUrl => words!("No reader accepts the text as a URL."),
            ReasonCode::OctetAmbiguous => {
                words!(
                    "The URL contains a control character, starts or ends with a space, or has a backslash before its path or a space, a bracket or a second `@` in its login. Some programs drop these octets, others end the URL, the host or the login there. Remove them, or write them as escapes."
                )
            }
            ReasonCode::HostsDiffer => {
                words!(
                    "Readers see different hosts, or only some of them see one: a check of one host does not protect a program that opens the other. `urlwise compare` shows what each of them sees."
                )
            }
            ReasonCode::PortsDiffer => {
                words!(
                    "Readers see different ports of one host. Write the port as a number from 1 to 65535 without leading zeros, or leave it out with its colon."
                )
            }
            ReasonCode::SchemesDiffer => {
                words!(
                    "Readers see different schemes, or only some of them see one. Write the scheme and `://` before the host."
                )
            }
            ReasonCode::SchemeNotAllowed => {
                words!("The scheme is not one of those that are allowed: http and https unless others are named.")
            }
            ReasonCode::HostMissing => {
                words!("The URL has no host, and its scheme names a server, or only some hosts are allowed.")
            }
            ReasonCode::HostInvalid => {
                words!(
                    "The host is neither a plain name nor an address in its usual form. Programs that are not among the readers may end it earlier, decode it or read a number in it. Write a name with letters, digits, `-` and `_`, one outside US-ASCII in its `xn--` form, an IPv4 address as four decimal numbers and an IPv6 address without a zone."
                )
            }
            ReasonCode::PortInvalid => words!("The port is not a number from 1 to 65535."),
            ReasonCode::AuthorityLength => {
                words!(
                    "The login, host and port exceed 8192 octets, an internationalized label of the host exceeds 252, or a host with such a label has more than 127, the most that the reader of WHATWG is given (D-115), so it is not known which server it sees. Shorten the login or the host."
                )
            }
            ReasonCode::HostNotAllowed => words!("The host is not one of those that are allowed."),
            ReasonCode::NameLocal => {
                words!(
                    "The name stands for this machine or one near it wherever it is looked up: `localhost`, names that systems add such as `localhost4` and `ip6-localhost`, and names that end in `.localhost`, `.local`, `.internal`, `.localdomain` or `.home.arpa`. So does, in most networks, a name without a dot, which is completed by the domain of the network, and one that ends in `.intranet`, `.private`, `.corp`, `.home` or `.lan`. Allowing private addresses lifts it."
                )
            }
            ReasonCode::AddressPrivate => {
                words!(
                    "The host is an address that is not public, in any notation that some program reads, or its name has such an address: loopback, private, shared, link-local, unspecified, multicast, broadcast, reserved, for documentation or for benchmarks, also inside an IPv6 address. Allowing private addresses lifts it."
                )
            }
            ReasonCode::AddressMetadata => {
                words!(
                    "The host is, or its name has, an address at which a cloud provider's machines get their credentials. It is refused also if private addresses are allowed."
                )
            }
            ReasonCode::HostUnresolved => {
                words!("The name could not be looked up, so there is no address to connect to.")
            }
        }
    }
}

impl fmt::Display for ReasonCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// Why a URL is refused. `Display` is the code and the sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    code: ReasonCode,
    sentence: Message,
}

impl Reason {
    pub(super) fn new(code: ReasonCode, sentence: impl Into<Message>) -> Reason {
        Reason { code, sentence: sentence.into() }
    }

    /// The code.
    pub fn code(&self) -> ReasonCode {
        self.code
    }

    /// What is wrong with this URL, without a final period. It is safe to display: passwords are masked.
    pub fn sentence(&self) -> String {
        self.sentence_in(Language::En)
    }

    /// [`sentence`](Reason::sentence), in a language.
    pub fn sentence_in(&self, language: Language) -> String {
        self.sentence.in_language(language).to_string()
    }

    /// The same as it is displayed, for callers that write it elsewhere: a sentence about a long URL may be long.
    pub fn said_in(&self, language: Language) -> impl fmt::Display + '_ {
        self.sentence.in_language(language)
    }

    /// The code and the sentence, in a language.
    pub fn display_in(&self, language: Language) -> impl fmt::Display + '_ {
        words!("{code}: {sentence}").filled(language, move |name, f| match name {
            "code" => self.code.fmt(f),
            _ => self.sentence.in_language(language).fmt(f),
        })
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        urlwise::padded(f, |f| write!(f, "{}", self.display_in(Language::En)))
    }
}
