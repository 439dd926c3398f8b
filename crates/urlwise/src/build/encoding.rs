//! Octets as the text of a part.

use alloc::vec::Vec;

use super::error::BuildError;
use crate::encoded;
use crate::grammar::Production;
use crate::language::{Words, words};
use crate::scheme::{PartKind, Shape};

/// The octets as the part.
pub(super) fn encode(kind: &'static PartKind, octets: &[u8]) -> Result<Vec<u8>, BuildError> {
    let rule = kind.rule();
    if let Some(only) = kind.only.filter(|only| !octets.eq_ignore_ascii_case(only.as_bytes())) {
        return Err(BuildError::Form { part: kind.name(), why: Words::same(only) });
    }
    match (kind.shape, kind.value_rule()) {
        (Shape::Character, _) if octets.len() != 1 => {
            Err(BuildError::Form { part: kind.name(), why: words!("one character") })
        }
        (_, Some(value_rule)) => {
            let Some((name, value)) = halves(octets) else {
                return Err(BuildError::Form { part: kind.name(), why: words!("a name, `=` and a value") });
            };
            Ok(field(kind, value_rule, name, value))
        }
        _ if rule.has_escapes() => Ok(rule.encode(octets).into_bytes()),
        _ => Ok(octets.to_vec()),
    }
}

/// A field as it is written.
pub(super) fn field(kind: &PartKind, value_rule: &Production, name: &[u8], value: &[u8]) -> Vec<u8> {
    [&*kind.rule().encode(name), "=", &*value_rule.encode(value)].concat().into_bytes()
}

/// What stands before and after the first `=`.
fn halves(field: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = field.iter().position(|&octet| octet == b'=')?;
    Some((&field[..at], &field[at + 1..]))
}

/// Whether the text as written already stands for the octets.
pub(super) fn stands_for(kind: &PartKind, text: &[u8], octets: &[u8]) -> bool {
    match kind.value_rule() {
        Some(_) => match (halves(text), halves(octets)) {
            (Some((name, value)), Some((new_name, new_value))) => {
                *encoded::decode(name) == *new_name && *encoded::decode(value) == *new_value
            }
            // What has no `=` is no field.
            _ => false,
        },
        None => *encoded::decode(text) == *octets,
    }
}
