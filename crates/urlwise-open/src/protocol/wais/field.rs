//! Tagged fields: the encoding inside a message. Z39.50 of 1988 as freeWAIS writes it, not ASN.1.
//!
//! A *compressed integer* has seven bits an octet, the most significant group first, the top bit set on all octets but the
//! last. A *field* is a tag and a length, both compressed integers, and that many octets. A *number* is big-endian in as many
//! octets as it needs. Every length is checked against its container, so no field can reach beyond its message.

use crate::language::words;
use crate::protocol::{Fault, FaultKind};
use urlwise::Words;

/// The rule that a broken field breaks.
const RULE: &str = "WAIS field encoding";

/// Most octets of a compressed integer: enough for 32 bits. Leading zero groups (`80`) are legal padding.
const LONGEST_INTEGER: usize = 5;

/// The tag of a diagnostic, whose length is encoded differently.
pub(super) const DIAGNOSTIC: u32 = 28;

/// A field: its tag and its octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WaisField<'a> {
    pub(super) tag: u32,
    pub(super) octets: &'a [u8],
}

/// The fields of a container, one after another.
#[derive(Clone, Debug)]
pub(super) struct WaisFields<'a> {
    rest: &'a [u8],
    /// Whether there may be diagnostics among the fields.
    diagnostics: bool,
}

impl<'a> WaisFields<'a> {
    /// The fields of these octets.
    pub(super) fn of(octets: &'a [u8]) -> WaisFields<'a> {
        WaisFields { rest: octets, diagnostics: false }
    }

    /// The fields of these octets, diagnostics among them: tag 28, two octets of length, and a closing octet that the length
    /// does not count.
    pub(super) fn with_diagnostics(octets: &'a [u8]) -> WaisFields<'a> {
        WaisFields { rest: octets, diagnostics: true }
    }

    /// The next field; `None` after the last.
    pub(super) fn next(&mut self) -> Result<Option<WaisField<'a>>, Fault> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let tag = self.integer()?;
        let (length, closing) = if tag == DIAGNOSTIC && self.diagnostics {
            let (length, rest) =
                self.rest.split_first_chunk::<2>().ok_or_else(|| broken(words!("a diagnostic has no length")))?;
            self.rest = rest;
            (usize::from(u16::from_be_bytes(*length)), 1)
        } else {
            (self.integer()? as usize, 0)
        };
        if length + closing > self.rest.len() {
            return Err(broken(words!("a field is longer than the message that contains it")));
        }
        let (octets, rest) = self.rest.split_at(length);
        self.rest = &rest[closing..];
        Ok(Some(WaisField { tag, octets }))
    }

    fn integer(&mut self) -> Result<u32, Fault> {
        let mut value: u64 = 0;
        for (index, &octet) in self.rest.iter().take(LONGEST_INTEGER).enumerate() {
            value = value << 7 | u64::from(octet & 0x7f);
            if octet & 0x80 == 0 {
                self.rest = &self.rest[index + 1..];
                return u32::try_from(value).map_err(|_| broken(words!("an integer has more than 32 bits")));
            }
        }
        Err(broken(words!("an integer does not end")))
    }
}

impl WaisField<'_> {
    /// The value of a number.
    pub(super) fn number(&self) -> Result<u32, Fault> {
        if self.octets.len() > 4 {
            return Err(broken(words!("a number has more than four octets")));
        }
        Ok(self.octets.iter().fold(0, |value, &octet| value << 8 | u32::from(octet)))
    }
}

fn broken(what: Words) -> Fault {
    Fault::new(FaultKind::Malformed, RULE, what)
}

/// Appends a compressed integer.
pub(super) fn write_integer(value: usize, out: &mut Vec<u8>) {
    let groups = (usize::BITS - value.leading_zeros()).div_ceil(7).max(1);
    for group in (0..groups).rev() {
        let more = if group > 0 { 0x80 } else { 0 };
        out.push((value >> (7 * group)) as u8 & 0x7f | more);
    }
}

/// Appends a field.
pub(super) fn write_field(tag: u32, octets: &[u8], out: &mut Vec<u8>) {
    write_integer(tag as usize, out);
    write_integer(octets.len(), out);
    out.extend_from_slice(octets);
}

/// Appends a field that holds a number.
pub(super) fn write_number(tag: u32, number: u32, out: &mut Vec<u8>) {
    let octets = number.to_be_bytes();
    let zeros = octets.iter().take(3).take_while(|octet| **octet == 0).count();
    write_field(tag, &octets[zeros..], out);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integer(value: usize) -> Vec<u8> {
        let mut out = Vec::new();
        write_integer(value, &mut out);
        out
    }

    #[test]
    fn integers_are_written_as_the_recorded_ones() {
        for (value, octets) in [
            (0, &[0][..]),
            (5, &[0x05]),
            (128, &[0x81, 0x00]),
            (131, &[0x81, 0x03]),
            (150, &[0x81, 0x16]),
            (1892, &[0x8e, 0x64]),
        ] {
            assert_eq!(integer(value), octets);
            assert_eq!(WaisFields::of(octets).integer(), Ok(value as u32));
        }
    }

    #[test]
    fn numbers_take_the_fewest_octets() {
        let written = |number| {
            let mut out = Vec::new();
            write_number(1, number, &mut out);
            out
        };
        assert_eq!(written(0), [1, 1, 0]);
        assert_eq!(written(150_020), [1, 3, 0x02, 0x4a, 0x04]);
        assert_eq!(written(u32::MAX), [1, 4, 0xff, 0xff, 0xff, 0xff]);
    }

    #[test]
    fn padded_integers_are_read_and_endless_ones_are_not() {
        assert_eq!(WaisFields::of(&[0x80, 0x80, 0x05]).integer(), Ok(5));
        assert!(WaisFields::of(&[0x80; 6]).integer().is_err());
        assert!(WaisFields::of(&[0xff, 0xff, 0xff, 0xff, 0x7f]).integer().is_err());
        assert!(WaisFields::of(&[0x80]).integer().is_err());
    }

    #[test]
    fn no_field_reaches_beyond_its_container() {
        assert!(WaisFields::of(&[1, 3, 0, 0]).next().is_err());
        assert!(WaisFields::with_diagnostics(&[28, 0, 2, b'S', b'1']).next().is_err());
        let mut fields = WaisFields::with_diagnostics(&[28, 0, 3, b'S', b'1', 0, 29, 1, 0]);
        assert_eq!(fields.next().unwrap().unwrap(), WaisField { tag: 28, octets: b"S1\0" });
        assert_eq!(fields.next().unwrap().unwrap(), WaisField { tag: 1, octets: b"" });
        assert_eq!(fields.next().unwrap(), None);
    }
}
