//! Messages: the query, and what its answer says (RFC 1035 section 4.1).

use super::name;
use crate::language::words;
use crate::protocol::{Fault, FaultKind};
use urlwise::Words;

/// The section that messages are read by.
pub(super) const RULE: &str = "RFC 1035 section 4.1";

/// The length of the header.
const HEADER: usize = 12;
/// Flags of the header: an answer, any kind of request but a query, cut to the length of a datagram, and that the server is asked to
/// recurse.
const ANSWER: u16 = 0x8000;
const OPCODE: u16 = 0x7800;
const CUT: u16 = 0x0200;
const RECURSE: u16 = 0x0100;
/// The result in the flags, and that of a name that does not exist.
const RESULT: u16 = 0x000f;
const NO_NAME: u16 = 3;
/// The class of the Internet, and the type of a record that names another one instead.
const INTERNET: u16 = 1;
const ALIAS: u16 = 5;
/// How many aliases in a row are followed.
const MOST_ALIASES: usize = 16;
/// How many exchangers of a domain are kept.
const MOST_EXCHANGERS: usize = 100;

/// What is asked for. There may be others: DNS has more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RecordKind {
    /// `A`: IPv4 addresses.
    Ipv4,
    /// `AAAA`: IPv6 addresses (RFC 3596).
    Ipv6,
    /// `MX`: the hosts that take mail for the domain.
    Mx,
}

impl RecordKind {
    const fn code(self) -> u16 {
        match self {
            RecordKind::Ipv4 => 1,
            RecordKind::Ipv6 => 28,
            RecordKind::Mx => 15,
        }
    }
}

/// One question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DnsQuestion {
    /// The name as messages have it, in lower case.
    name: Vec<u8>,
    kind: RecordKind,
}

/// A host that takes mail for a domain.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exchanger {
    /// The lower, the earlier it is tried.
    pub preference: u16,
    /// Its name, in lower case and without the dot at the end; empty for the root, which means no host (RFC 7505).
    pub host: String,
}

/// What a server says. There may be others.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DnsAnswer {
    /// The name exists. Its exchangers, if they were asked for; there may be none.
    Records(Vec<Exchanger>),
    /// The name exists, and has addresses, which were asked for.
    Addresses,
    /// The name does not exist.
    NoName,
    /// The server could not or would not say. The code of RFC 1035 section 4.1.1, such as 2 for a failure.
    Failed(u8),
}

/// What was read of a message.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// It does not answer the question: somebody else sent it, or it is late.
    Foreign,
    /// It was cut: the answer needs a connection.
    Cut,
    Answer(DnsAnswer),
    /// It answers the question, and is broken.
    Broken(Words),
}

impl DnsQuestion {
    /// A question about a name of a domain, with or without the dot at its end.
    ///
    /// # Errors
    /// It is not a name: labels of up to 63 letters, digits, hyphens and underscores, 253 characters in all.
    pub fn new(name: &str, kind: RecordKind) -> Result<DnsQuestion, Fault> {
        let encoded = name::encode(&name.to_ascii_lowercase());
        let encoded = encoded.ok_or_else(|| {
            Fault::new(FaultKind::Refused, "RFC 1035 section 2.3.1", words!("this is not a name that DNS can look up"))
        })?;
        Ok(DnsQuestion { name: encoded, kind })
    }

    /// The query with this id.
    pub(super) fn query(&self, id: u16) -> Vec<u8> {
        let mut query = Vec::with_capacity(HEADER + self.name.len() + 4);
        for number in [id, RECURSE, 1, 0, 0, 0] {
            query.extend_from_slice(&number.to_be_bytes());
        }
        query.extend_from_slice(&self.name);
        query.extend_from_slice(&self.kind.code().to_be_bytes());
        query.extend_from_slice(&INTERNET.to_be_bytes());
        query
    }

    /// Reads a message that should answer the query with this id.
    pub(super) fn read(&self, id: u16, message: &[u8]) -> Reading {
        let header = |index: usize| number(message, index * 2);
        let (Some(own), Some(flags), Some(questions), Some(answers)) = (header(0), header(1), header(2), header(3))
        else {
            return Reading::Foreign;
        };
        let is_answer = own == id && flags & ANSWER != 0 && flags & OPCODE == 0 && questions == 1;
        let asked = name::decode(message, HEADER).filter(|(name, at)| {
            *name == self.name
                && number(message, *at) == Some(self.kind.code())
                && number(message, at + 2) == Some(INTERNET)
        });
        let Some((_, at)) = asked.filter(|_| is_answer) else { return Reading::Foreign };
        if flags & CUT != 0 {
            return Reading::Cut;
        }
        match flags & RESULT {
            0 => {}
            NO_NAME => return Reading::Answer(DnsAnswer::NoName),
            code => return Reading::Answer(DnsAnswer::Failed(code as u8)),
        }
        match Records::read(message, at + 4, answers) {
            Some(records) => self.answer(&records),
            None => Reading::Broken(words!("the answer of the name server has a broken record")),
        }
    }

    /// What the records say about the name, or about the one that it is an alias of.
    fn answer(&self, records: &Records<'_>) -> Reading {
        let mut owner = &self.name;
        let mut followed = 0;
        while let Some((_, alias)) = records.aliases.iter().find(|(name, _)| name == owner) {
            followed += 1;
            if followed > MOST_ALIASES {
                return Reading::Broken(words!("the aliases in the answer of the name server form a loop"));
            }
            owner = alias;
        }
        let own = records.others.iter().filter(|record| record.owner == *owner && record.kind == self.kind.code());
        match self.kind {
            RecordKind::Ipv4 | RecordKind::Ipv6 => {
                let length = if self.kind == RecordKind::Ipv4 { 4 } else { 16 };
                match own.clone().any(|record| record.data.len() == length) {
                    true => Reading::Answer(DnsAnswer::Addresses),
                    false => Reading::Answer(DnsAnswer::Records(Vec::new())),
                }
            }
            RecordKind::Mx => {
                let exchangers = own.take(MOST_EXCHANGERS).map(|record| {
                    let (name, end) = name::decode(records.message, record.at + 2)?;
                    let preference = number(record.data, 0)?;
                    (end == record.at + record.data.len()).then(|| Exchanger { preference, host: name::text(&name) })
                });
                match exchangers.collect::<Option<Vec<_>>>() {
                    Some(exchangers) => Reading::Answer(DnsAnswer::Records(exchangers)),
                    None => Reading::Broken(words!("the answer of the name server has a broken MX record")),
                }
            }
        }
    }
}

/// The records of an answer.
struct Records<'m> {
    message: &'m [u8],
    /// Names, and what they are aliases of.
    aliases: Vec<(Vec<u8>, Vec<u8>)>,
    others: Vec<Record<'m>>,
}

struct Record<'m> {
    owner: Vec<u8>,
    kind: u16,
    /// Where its data is.
    at: usize,
    data: &'m [u8],
}

impl<'m> Records<'m> {
    /// Reads so many records; `None` if one of them is broken. Records of other classes are left out.
    fn read(message: &'m [u8], at: usize, count: u16) -> Option<Records<'m>> {
        let mut records = Records { message, aliases: Vec::new(), others: Vec::new() };
        let mut next = at;
        for _ in 0..count {
            let (owner, at) = name::decode(message, next)?;
            let (kind, class, length) = (number(message, at)?, number(message, at + 2)?, number(message, at + 8)?);
            let start = at + 10;
            let data = message.get(start..start + usize::from(length))?;
            next = start + data.len();
            if class != INTERNET {
                continue;
            }
            if kind == ALIAS {
                let (alias, end) = name::decode(message, start)?;
                if end != next {
                    return None;
                }
                records.aliases.push((owner, alias));
            } else {
                records.others.push(Record { owner, kind, at: start, data });
            }
        }
        Some(records)
    }
}

/// The two octets there.
fn number(message: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes([*message.get(at)?, *message.get(at + 1)?]))
}
