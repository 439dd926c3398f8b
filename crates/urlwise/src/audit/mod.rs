//! Section 6: what may be wrong with a valid URL.
//!
//! A valid URL can still do harm: it can send commands to a server of another protocol, look like one host and connect
//! to another, or name a device where a file is expected. Section 6 of RFC 1738 describes some of these risks; the
//! rules here extend it. An [`Audit`] checks a URL against all of them and returns [`Finding`]s with the rule, the
//! octets, a message and help.
//!
//! ```
//! use urlwise::Url;
//! use urlwise::audit::{Audit, Provenance, Severity};
//!
//! let url = Url::parse("http://host.dom:6379/a/%2E%2E/b")?;
//! let mut audit = Audit::new();
//! audit.set("enc-needless", None)?; // silenced
//! audit.set("E-15", Some(Severity::Medium))?; // raised
//! let findings: Vec<_> = audit.check(&url, Provenance::Given).iter().map(ToString::to_string).collect();
//! assert_eq!(
//!     findings,
//!     [
//!         "high risk[port-foreign] at 16..20: port 6379 belongs to Redis, which would read the http request as its own \
//!             commands (section 6, E-03); remove the port, or find out what listens there",
//!         "medium risk[dot-segment] at 23..29: the segment `%2E%2E` names the current or the parent directory (section 3.1, \
//!             E-15); write the path without it",
//!     ],
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The rules
//!
//! A URL with a *high* severity finding is refused unless the user allows it, *medium* deserves a question and *low* is
//! informational. A sibling (`https`) counts as its base, a registered scheme as *other*.
//!
//! | number | rule | severity | section |
//! |---|---|---|---|
//! | E-01 | [`port-nondefault`](PORT_NONDEFAULT) | medium | 6 |
//! | E-02 | [`port-reserved`](PORT_RESERVED) | high | 6 |
//! | E-03 | [`port-foreign`](PORT_FOREIGN) | high | 6 |
//! | E-04 | [`secret-password`](SECRET_PASSWORD) | medium | 6 |
//! | E-05 | [`ctl-crlf`](CTL_CRLF) | high, http and file low, other medium | 6 |
//! | E-06 | [`ctl-nul`](CTL_NUL) | medium, file high | 2.2 |
//! | E-07 | [`ctl-other`](CTL_OTHER) | low | 2.2 |
//! | E-08 | [`iac`](IAC) | medium | 6 |
//! | E-09 | [`gopher-crlf`](GOPHER_CRLF) | high | 3.4.1 |
//! | E-10 | [`gopher-smtp`](GOPHER_SMTP) | high | 6 |
//! | E-11 | [`gopher-verb`](GOPHER_VERB) | high | 6 |
//! | E-12 | [`telnet-crlf`](TELNET_CRLF) | high | 6 |
//! | E-13 | [`ftp-option`](FTP_OPTION) | medium | 3.2.2 |
//! | E-14 | [`ftp-absolute`](FTP_ABSOLUTE) | low | 3.2.2 |
//! | E-15 | [`dot-segment`](DOT_SEGMENT) | low, file medium | 3.1 |
//! | E-16 | [`file-remote`](FILE_REMOTE) | medium | 3.10 |
//! | E-17 | [`file-escape`](FILE_ESCAPE) | high | 3.10 |
//! | E-18 | [`user-lookalike`](USER_LOOKALIKE) | medium | 3.1 |
//! | E-19 | [`host-local`](HOST_LOCAL) | medium, and only for a URL that came from elsewhere | 3.1 |
//! | E-20 | [`host-number-form`](HOST_NUMBER_FORM) | medium | 3.1 |
//! | E-21 | [`host-puny`](HOST_PUNY) | low | 3.1 |
//! | E-22 | [`enc-delimiter`](ENC_DELIMITER) | low | 2.2 |
//! | E-23 | [`enc-double`](ENC_DOUBLE) | low | 2.2 |
//! | E-24 | [`enc-needless`](ENC_NEEDLESS) | low, medium over half of a part | 2.2 |
//! | E-25 | [`enc-non-utf8`](ENC_NON_UTF8) | low | 2.2 |
//! | E-26 | [`mailto-inject`](MAILTO_INJECT) | high | 3.5 |
//! | E-27 | [`mailto-relay`](MAILTO_RELAY) | low | 3.5 |
//! | E-28 | [`scheme-trap`](SCHEME_TRAP) | low | 5 |
//! | E-29 | [`hyphen-ambiguous`](HYPHEN_AMBIGUOUS) | medium; reported by code that takes URLs out of texts | Appendix |
//! | E-30 | [`op-harmless`](OP_HARMLESS) | high; the client's | 6 |
//! | E-31 | [`redirect`](REDIRECT) | medium; the client's | 6 |
//! | E-32 | [`read-differently`](READ_DIFFERENTLY) | high, medium if a reader only refuses; reported by code that compares readers | 3.1 |
//! | E-33 | [`host-option`](HOST_OPTION) | high | 3.1 |
//! | E-34 | [`wais-forward`](WAIS_FORWARD) | high | 6 |
//! | E-35 | [`finger-forward`](FINGER_FORWARD) | high | 6 |
//! | E-36 | [`other-url-meant`](OTHER_URL_MEANT) | low; reported by code that asks for the [`verdict`](crate::verdict()) | 2.2 |
//!
//! One risk cannot be checked: a URL may point to something else later (section 6, first paragraph).
//!
//! If several rules apply to the same octets, only the most specific one is reported: for port 25 in a gopher URL that
//! is `gopher-smtp`, then `port-foreign`, `port-reserved` and `port-nondefault`. If a rule is silenced, the next one
//! applies.

mod address;
mod auditor;
mod finding;
mod forward;
mod gopher;
mod hosts;
mod logins;
mod mail;
mod octets;
mod paths;
mod ports;
mod provenance;
mod puny;
mod rules;
mod scheme;
mod settings;
mod severity;
#[cfg(test)]
mod tests;

use alloc::vec::Vec;

use crate::text::Text;
use crate::url::Url;
use auditor::Auditor;

pub use address::{AddressClass, embedded_v4, is_local};
pub use finding::Finding;
pub use provenance::Provenance;
pub use rules::*;
pub use settings::{Audit, UnknownRule};
pub use severity::Severity;

impl Audit {
    /// All findings in the order of their octets, up to [`MOST`](Audit::MOST) per rule. Runs in linear time and does
    /// not allocate if there are no findings.
    ///
    /// ```
    /// use urlwise::Url;
    /// use urlwise::audit::{Audit, Provenance};
    ///
    /// let url = Url::parse("http://127.0.0.1/")?;
    /// assert!(Audit::new().check(&url, Provenance::Given).is_empty());
    /// assert_eq!(Audit::new().check(&url, Provenance::Link)[0].code(), "host-local");
    /// # Ok::<(), urlwise::ParseError>(())
    /// ```
    pub fn check<'i, 'u, T: Text<'i, 'u>>(&self, url: &'i Url<T>, provenance: Provenance) -> Vec<Finding<'u>> {
        let url = url.reborrow();
        let mut auditor = Auditor::new(self, &url, provenance);
        ports::check(&mut auditor);
        logins::check(&mut auditor);
        hosts::check(&mut auditor);
        paths::check(&mut auditor);
        octets::check(&mut auditor);
        // Each of these is about one scheme and leaves all others alone.
        gopher::check(&mut auditor);
        mail::check(&mut auditor);
        forward::check(&mut auditor);
        scheme::check(&mut auditor);
        auditor.finish()
    }
}
