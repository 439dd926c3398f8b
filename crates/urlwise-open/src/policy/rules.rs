//! The rules by which URLs are refused: the client's own, and those of the audit.

use crate::error::kind::ErrorKind;
use crate::language::{of_reference, words};
use std::borrow::Cow;
use urlwise::audit::{self, Finding, Severity};
use urlwise::{Language, Scheme, Url, Words};

/// One reason to refuse a URL.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PolicyRule {
    /// The stable name: what [`Policy::allow`](super::Policy::allow) takes and messages show. Rules of the
    /// [audit](urlwise::audit) have their names there.
    pub id: &'static str,
    /// The number of the audit rule (E-); `None` for the client's own rules.
    pub number: Option<&'static str>,
    /// The reference: a section of RFC 1738, a decision number, or the number of an audit rule (E-).
    pub reference: &'static str,
    /// When it refuses, in words, for manuals.
    pub when: &'static str,
    /// Whether [`Policy::allow`](super::Policy::allow) may lift it.
    pub allowable: bool,
    /// Why it cannot be lifted: a clause. Empty if it can.
    pub reason: &'static str,
    pub(super) kind: ErrorKind,
    pub(super) texts: RuleTexts,
}

/// The texts of a rule in every language.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RuleTexts {
    when: Words,
    pub(super) reason: Words,
}

impl PolicyRule {
    /// [`when`](PolicyRule::when) in a language.
    pub fn when_in(&self, language: Language) -> Cow<'static, str> {
        self.texts.when.get(language)
    }

    /// [`reference`](PolicyRule::reference) with the word for a section in a language.
    pub fn reference_in(&self, language: Language) -> String {
        of_reference(self.reference).in_language(language).to_string()
    }

    /// [`reason`](PolicyRule::reason) in a language.
    pub fn reason_in(&self, language: Language) -> Cow<'static, str> {
        self.texts.reason.get(language)
    }
}

macro_rules! rules {
    (@number $number:literal) => { Some($number) };
    (@number none) => { None };
    (@reason "") => { Words::NONE };
    (@reason $reason:literal) => { words!($reason) };
    ($($name:ident $id:literal $number:tt $kind:ident $reference:literal $when:literal $reason:tt)*) => {
        $(pub(super) static $name: PolicyRule = PolicyRule {
            id: $id,
            number: rules!(@number $number),
            reference: $reference,
            when: $when,
            allowable: $reason.is_empty(),
            reason: $reason,
            kind: ErrorKind::$kind,
            texts: RuleTexts { when: words!($when), reason: rules!(@reason $reason) },
        };)*

        /// Every rule.
        pub static RULES: &[&PolicyRule] = &[$(&$name),*];
    };
}

rules! {
    URL_LENGTH "url-length" none Limit "S-7"
        "the URL is longer than 65,536 octets"
        ""
    SEGMENT_COUNT "segment-count" none Limit "S-7"
        "the path has more than 1,000 segments"
        ""
    PORT_ZERO "port-zero" none Refused "D-23"
        "the port is 0, on which no server can listen"
        "nothing can be reached on it"
    PORT_RESERVED "port-reserved" "E-02" Refused "RFC 1738 section 6, E-02"
        "the port is below 1024 and not the default port of the scheme"
        ""
    PORT_FOREIGN "port-foreign" "E-03" Refused "RFC 1738 section 6, E-03"
        "the port belongs to another well-known text protocol"
        ""
    CTL_CRLF "ctl-crlf" "E-05" Refused "RFC 1738 section 6, E-05"
        "a part that is sent in a command contains CR or LF when decoded"
        "a command cannot contain a line end"
    CTL_NUL "ctl-nul" "E-06" Refused "RFC 1738 section 2.2, E-06"
        "a part that is sent in a command contains NUL when decoded"
        "servers end the command at NUL"
    CTL_OTHER "ctl-other" "E-07" Refused "RFC 1738 section 2.2, E-07"
        "a part of an ftp or gopher URL contains another control character when decoded"
        ""
    GOPHER_CRLF "gopher-crlf" "E-09" Refused "RFC 1738 section 3.4.1, E-09"
        "a selector, a search or a Gopher+ string that is not a filled-in form contains CR or LF when decoded"
        "a gopher request is a single line"
    GOPHER_SMTP "gopher-smtp" "E-10" Refused "RFC 1738 section 6, E-10"
        "a gopher URL uses a mail port, or sends a line that starts with an SMTP command"
        ""
    GOPHER_VERB "gopher-verb" "E-11" Refused "RFC 1738 section 6, E-11"
        "a gopher URL sends a line that starts with a command of another protocol"
        ""
    TELNET_CRLF "telnet-crlf" "E-12" Refused "RFC 1738 section 6, E-12"
        "the login of a telnet URL contains CR, LF, NUL or FF when decoded"
        "a login is only advice to the user"
    FILE_REMOTE "file-remote" "E-16" Refused "RFC 1738 section 3.10, E-16"
        "a file URL names another machine, by its host or by a path that starts with two slashes or backslashes"
        "a file URL does not say how to fetch the file"
    FILE_ESCAPE "file-escape" "E-17" Refused "RFC 1738 section 3.10, E-17"
        "a segment of a file URL contains NUL or a path separator when decoded, or names a device"
        ""
    MAILTO_INJECT "mailto-inject" "E-26" Refused "RFC 1738 section 3.5, E-26"
        "a mail address or header contains CR or LF when decoded, or a header is neither subject nor body"
        "a URL must not add recipients or attachments"
    OP_HARMLESS "op-harmless" "E-30" Refused "RFC 1738 section 6, E-30"
        "opening the URL would do more than retrieve something"
        "the client only has commands that retrieve"
    READ_DIFFERENTLY "read-differently" "E-32" Refused "RFC 1738 section 3.1, E-32"
        "RFC 1738, RFC 3986 and WHATWG see different hosts or ports in the URL"
        ""
    HOST_OPTION "host-option" "E-33" Refused "RFC 1738 section 3.1, E-33"
        "the host or user starts with `-`"
        ""
    WAIS_FORWARD "wais-forward" "E-34" Refused "RFC 1738 section 6, E-34"
        "the database of a wais URL contains `@` when decoded"
        ""
    FINGER_FORWARD "finger-forward" "E-35" Refused "RFC 1738 section 6, E-35"
        "the user name of a finger URL contains `@` when decoded"
        ""
    FILE_FROM_NETWORK "file-from-network" none Refused "E-31"
        "an answer from the network points to a file on this machine"
        "a server must not choose which local files are read"
    REDIRECT_SCHEME "redirect-scheme" none Refused "S-20, E-31"
        "an http or https redirect points to another scheme"
        "a server must not choose the protocol"
    REDIRECT_DOWNGRADE "redirect-downgrade" none Refused "S-20, E-31"
        "a redirect goes from https to http"
        ""
    LOCAL_FROM_PUBLIC "local-from-public" none Refused "S-9, E-19"
        "a redirect or link from a public server, or a link of a document that is probed, goes to a loopback, private, link-local or \
         other local address"
        ""
    ADDRESS_METADATA "address-metadata" none Refused "S-9, D-114"
        "a redirect or link from a public server, a link of a document that is probed, or a URL that others may have chosen goes to the \
         metadata service of a cloud"
        "it tells this machine its keys, and nothing else has a use for them"
    ADDRESS_LOCAL "address-local" none Refused "S-9, E-19"
        "only public addresses are allowed, and the host has another"
        "it applies only if public addresses were required"
}

/// The rule by which a finding of the audit refuses the URL; `None` if it does not.
///
/// High risks are refused. A client is stricter if it would have to send or read what the audit only reports, and it knows its
/// own system, where the audit must consider all: a backslash or `con` in a name does harm only on Windows.
pub(super) fn refusing(url: &Url<&str>, finding: &Finding<'_>) -> Option<&'static PolicyRule> {
    let base = url.scheme().base();
    let is = |rule| finding.rule() == rule;
    let is_refused = if is(audit::CTL_NUL) {
        !matches!(base, Scheme::Http | Scheme::Other)
    } else if is(audit::CTL_OTHER) {
        matches!(base, Scheme::Ftp | Scheme::Gopher)
    } else if is(audit::FILE_ESCAPE) {
        let octets = urlwise::decode(url.as_str().get(finding.span()).unwrap_or_default().as_bytes());
        cfg!(windows) || octets.iter().any(|octet| matches!(octet, b'/' | 0))
    } else {
        is(audit::FILE_REMOTE) || finding.severity() == Severity::High
    };
    is_refused.then(|| RULES.iter().find(|rule| rule.id == finding.code()).copied()).flatten()
}
