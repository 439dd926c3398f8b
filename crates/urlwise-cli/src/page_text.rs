//! The octets of pages as their links and fragments are read: without gzip, which some servers send unasked, and some files have.

use std::io::Read;

use flate2::read::MultiGzDecoder;

/// How what is compressed with gzip begins.
const GZIP: &[u8] = &[0x1f, 0x8b];

/// Whether octets are compressed with gzip.
pub(crate) fn is_packed(octets: &[u8]) -> bool {
    octets.starts_with(GZIP)
}

/// Replaces octets that are compressed with gzip by what they hold, with so many octets at most. Returns whether it is all there: what comes
/// before a mistake counts.
pub(crate) fn unpack(octets: &mut Vec<u8>, most: usize) -> bool {
    if !is_packed(octets) {
        return true;
    }
    let mut unpacked = Vec::new();
    let mut decoder = MultiGzDecoder::new(&octets[..]).take(most as u64);
    let is_read = decoder.read_to_end(&mut unpacked).is_ok();
    let is_whole = is_read && decoder.into_inner().read(&mut [0]).is_ok_and(|more| more == 0);
    *octets = unpacked;
    is_whole
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    #[test]
    fn gzip_is_unpacked_as_far_as_it_can_be() {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(b"<p id=a>").unwrap();
        let packed = encoder.finish().unwrap();
        for (octets, most, text, is_whole) in [
            (&packed[..], 8, &b"<p id=a>"[..], true),
            (&packed, 7, b"<p id=a", false),
            (&[&packed[..], &packed].concat(), 99, b"<p id=a><p id=a>", true),
            (&packed[..packed.len() - 1], 99, b"<p id=a>", false),
            (&[&packed[..], b"x"].concat(), 99, b"<p id=a>", false),
            (b"<p id=a>", 1, b"<p id=a>", true),
            (b"", 1, b"", true),
            (GZIP, 9, b"", false),
        ] {
            let mut octets = octets.to_vec();
            assert_eq!((unpack(&mut octets, most), octets.as_slice()), (is_whole, text), "{most}");
        }
    }
}
