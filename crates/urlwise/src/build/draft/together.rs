//! Parts that are given together and written apart, or the other way round: the path of http and the sides of an address.

use alloc::vec::Vec;

use super::Draft;
use crate::addr_spec;
use crate::build::encoding::{encode, stands_for};
use crate::build::error::BuildError;
use crate::language::words;
use crate::scheme::Lead;

impl Draft {
    /// What is given together and written apart, or the other way round; `once`, if it may not be there yet.
    pub(super) fn special(&mut self, part: &str, octets: &[u8], once: bool) -> Option<Result<(), BuildError>> {
        let kind = self.kind(part)?;
        match kind.lead {
            Lead::Split(list) => {
                let is_given = self.pieces.iter().any(|piece| piece.given && piece.kind.name() == list);
                if once && is_given {
                    return Some(Err(BuildError::Repeated { part: kind.name() }));
                }
                let segments: Vec<_> = octets.split(|&octet| octet == b'/').collect();
                Some(self.set_all(list, &segments))
            }
            Lead::Side(whole) => Some(self.side(kind.name(), whole, octets, once)),
            Lead::Text(_) | Lead::Host | Lead::Behind(..) | Lead::First(..) | Lead::Forbidden => None,
        }
    }

    /// One side of a mail address; the other side and the `@` stay as they are.
    pub(super) fn side(
        &mut self,
        part: &'static str,
        whole: &str,
        octets: &[u8],
        once: bool,
    ) -> Result<(), BuildError> {
        let kind = self.kind_or_error(whole)?;
        let address = self.texts(kind).next().unwrap_or_default().to_vec();
        let (local, domain) = match addr_spec::read(&address) {
            Ok(spec) => (spec.local.end, spec.domain.start),
            Err(_) => match address.iter().rposition(|&octet| octet == b'@') {
                Some(at) => (at, at + 1),
                None => (address.len(), address.len()),
            },
        };
        let at_sign = if local == domain { &b"@"[..] } else { &address[local..domain] };
        let (local, domain) = (&address[..local], &address[domain..]);
        let old = if part == "local" { local } else { domain };
        if once && !old.is_empty() {
            return Err(BuildError::Repeated { part });
        }
        let side = if stands_for(kind, old, octets) { old.to_vec() } else { encode(kind, octets)? };
        let (local, domain) = if part == "local" { (&side[..], domain) } else { (local, &side[..]) };
        let whole = [local, at_sign, domain].concat();
        // Quotes in both sides can make one word of them.
        match addr_spec::read(&whole) {
            Ok(spec) if spec.local.end != local.len() => Err(BuildError::Form {
                part,
                why: words!("written without quotes: quotes on both sides would move the `@`"),
            }),
            _ => {
                self.put(kind, Vec::from([whole]));
                Ok(())
            }
        }
    }
}
