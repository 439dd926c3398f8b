//! The 25 printable octets before every message: its length and encoding.

use crate::language::{message, words};
use crate::protocol::{Fault, FaultKind, Input};
use urlwise::Words;

/// Octets of the header.
const HEADER: usize = 25;

/// Octets of the length in it: ten decimal digits.
const LENGTH: usize = 10;

const RULE: &str = "WAIS packet header";

/// Puts the header before a message: type `z` (Z39.50), version 2, server `wais`, neither compressed nor encoded.
pub(super) fn write(message: &[u8]) -> Vec<u8> {
    let mut packet = format!("{:010}z2{:<10}  0", message.len(), "wais").into_bytes();
    packet.extend_from_slice(message);
    packet
}

/// Collects one message.
#[derive(Clone, Debug, Default)]
pub(super) struct Packet {
    octets: Vec<u8>,
    /// Octets of header and message, once the header has been read.
    whole: Option<usize>,
}

impl Packet {
    /// Takes octets of the input; returns the message once it is complete. It may be empty: "could not be answered".
    pub(super) fn read(&mut self, input: &mut Input<'_>, longest: usize) -> Result<Option<&[u8]>, Fault> {
        if self.whole.is_none() {
            self.gather(HEADER, input);
            if self.octets.len() < HEADER {
                return Ok(None);
            }
            self.whole = Some(HEADER + length(&self.octets, longest)?);
        }
        let whole = self.whole.unwrap_or(HEADER);
        self.gather(whole, input);
        Ok((self.octets.len() == whole).then(|| &self.octets[HEADER..]))
    }

    /// Whether nothing of the message has arrived.
    pub(super) fn is_empty(&self) -> bool {
        self.octets.is_empty()
    }

    /// Makes room for the next message.
    pub(super) fn clear(&mut self) {
        self.octets.clear();
        self.whole = None;
    }

    fn gather(&mut self, whole: usize, input: &mut Input<'_>) {
        let missing = whole - self.octets.len();
        self.octets.extend_from_slice(input.take(missing));
    }
}

/// The length of the message that a header announces.
fn length(header: &[u8], longest: usize) -> Result<usize, Fault> {
    let broken = |what: Words| Fault::new(FaultKind::Malformed, RULE, what).octets(&header[..HEADER]);
    let digits = &header[..LENGTH];
    if !digits.iter().all(u8::is_ascii_digit) {
        return Err(broken(words!("the answer does not start with a length of ten digits"))
            .with_help(words!("check the port; the default for WAIS is 210")));
    }
    match header[LENGTH] {
        b'z' | b'Z' => {}
        _ => return Err(broken(words!("the answer is not a Z39.50 message"))),
    }
    if header[22] != b' ' || header[23] != b' ' {
        return Err(broken(words!("the answer is compressed or encoded, which was not requested")));
    }
    let length = digits.iter().fold(0_u64, |length, digit| length * 10 + u64::from(digit - b'0'));
    match usize::try_from(length) {
        Ok(length) if length <= longest => Ok(length),
        _ => {
            let what =
                message!("the answer announces {count} octets, more than {most}", count = length, most = longest);
            Err(Fault::new(FaultKind::Limit, "S-49", what))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_is_the_recorded_one() {
        assert_eq!(write(&[0; 42])[..25], *b"0000000042z2wais        0");
    }

    #[test]
    fn a_message_is_gathered_octet_by_octet() {
        let octets = write(b"abc");
        let mut packet = Packet::default();
        for octet in octets.chunks(1).take(octets.len() - 1) {
            assert_eq!(packet.read(&mut Input::new(octet), 100), Ok(None));
        }
        let mut input = Input::new(b"c0000");
        assert_eq!(packet.read(&mut input, 100), Ok(Some(&b"abc"[..])));
        assert_eq!(input.octets(), b"0000");
    }

    #[test]
    fn a_length_beyond_the_limit_is_refused_before_anything_is_kept() {
        let mut packet = Packet::default();
        let fault = packet.read(&mut Input::new(b"9999999999z2wais        0"), 1 << 20).unwrap_err();
        assert_eq!(fault.kind(), FaultKind::Limit);
        for header in [
            "000000004xz2wais        0",
            "0000000042a2wais        0",
            "0000000042z2wais      u 0",
            "0000000042z2wais       h0",
        ] {
            let mut packet = Packet::default();
            let fault = packet.read(&mut Input::new(header.as_bytes()), 1 << 20).unwrap_err();
            assert_eq!(fault.kind(), FaultKind::Malformed, "{header}");
        }
    }
}
