//! Whether domains take mail, as DNS says (RFC 5321 section 5.1, RFC 7505).

use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::language::message;
use crate::net::deadlines::Clock;
use crate::net::dns;
use crate::net::name_servers::NameServers;
use crate::probe::{Cause, Probe};
use crate::protocol::dns::{DnsAnswer, DnsQuestion, RecordKind};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use urlwise::escape_for_display;

/// How many domains are remembered.
const MOST: usize = 10_000;

/// What is certain about a domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    TakesMail,
    /// It names a null MX (RFC 7505), or no host at all.
    NoMail,
    NoName,
}

/// The domains of a client.
#[derive(Debug)]
pub(crate) struct MailDomains {
    servers: NameServers,
    known: Mutex<HashMap<String, Known>>,
}

impl MailDomains {
    pub(crate) fn new(servers: NameServers) -> MailDomains {
        MailDomains { servers, known: Mutex::default() }
    }

    /// The probe of an address in this domain.
    ///
    /// # Errors
    /// The call was cancelled.
    pub(crate) fn probe(&self, domain: &str, clock: &Clock) -> Result<Probe, Error> {
        // An address in brackets is not a name.
        if domain.starts_with('[') {
            return Ok(Probe::alive());
        }
        let name = domain.trim_end_matches('.').to_ascii_lowercase();
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&name).copied();
        let found = match known {
            Some(known) => Ok(known),
            None => self.ask(&name, clock),
        };
        let shown = escape_for_display(name.as_bytes());
        Ok(match found {
            Ok(known) => {
                let mut all = self.known.lock().unwrap_or_else(PoisonError::into_inner);
                if all.len() < MOST {
                    all.insert(name.clone(), known);
                }
                match known {
                    Known::TakesMail => Probe::alive(),
                    Known::NoMail => {
                        let what = message!("the domain `{domain}` does not take mail", domain = shown.to_string());
                        Probe::failed(Cause::NoMail, Error::new(ErrorKind::NotFound, what).with_reference("RFC 7505"))
                    }
                    Known::NoName => {
                        let what = message!("the domain `{domain}` does not exist", domain = shown.to_string());
                        let error = Error::new(ErrorKind::Resolve, what).with_reference("RFC 1035 section 4.1.1");
                        Probe::failed(Cause::NoSuchHost, error)
                    }
                }
            }
            Err(error) if error.kind() == ErrorKind::Cancelled => return Err(error),
            Err(error) => Probe::failed(Cause::Resolver, error),
        })
    }

    /// Asks for the exchangers of a domain, and if it names none, for its addresses: then it is its own.
    fn ask(&self, name: &str, clock: &Clock) -> Result<Known, Error> {
        for kind in [RecordKind::Mx, RecordKind::Ipv4, RecordKind::Ipv6] {
            match dns::ask(&self.servers, &DnsQuestion::new(name, kind)?, clock)? {
                DnsAnswer::Records(exchangers) if exchangers.is_empty() => {}
                DnsAnswer::Records(exchangers) => {
                    let is_null = exchangers.iter().all(|exchanger| exchanger.host.is_empty());
                    return Ok(if is_null { Known::NoMail } else { Known::TakesMail });
                }
                DnsAnswer::Addresses => return Ok(Known::TakesMail),
                DnsAnswer::NoName => return Ok(Known::NoName),
                DnsAnswer::Failed(code) => {
                    let what = message!(
                        "the name servers cannot look up `{name}` (code {code})",
                        name = escape_for_display(name.as_bytes()).to_string(),
                        code = code
                    );
                    return Err(Error::new(ErrorKind::Resolve, what).with_reference("RFC 1035 section 4.1.1"));
                }
            }
        }
        Ok(Known::NoMail)
    }
}
