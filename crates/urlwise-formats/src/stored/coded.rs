//! Texts that are stored in another coding than their octets: UTF-16 and gzip.

use std::collections::VecDeque;
use std::error::Error;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::mem;

use flate2::write::MultiGzDecoder;

/// The coding of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    /// UTF-16, the high octet first.
    Utf16Be,
    /// UTF-16, the low octet first.
    Utf16Le,
    /// Compressed.
    Gzip,
}

/// The marks that start a text.
const MARKS: [(&[u8], Coding); 3] =
    [(&[0xFE, 0xFF], Coding::Utf16Be), (&[0xFF, 0xFE], Coding::Utf16Le), (&[0x1F, 0x8B, 0x08], Coding::Gzip)];

/// A text is longer than [`TooLong::GIB`] when it is decompressed. It is in the [`io::Error`] that says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong;

impl TooLong {
    /// How long it may be.
    pub const GIB: u64 = 4;
}

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "longer than {} GiB when decompressed", TooLong::GIB)
    }
}

impl Error for TooLong {}

/// The coding of a text that starts like this, by its mark; `None` if it is read as it is stored.
pub(super) fn coding(head: &[u8], search_zip: bool) -> Option<Coding> {
    let (_, coding) = MARKS.iter().find(|(mark, _)| head.starts_with(mark))?;
    (search_zip || *coding != Coding::Gzip).then_some(*coding)
}

/// The octets of a text; UTF-16 becomes UTF-8.
pub(super) fn decoder<'r>(coding: Coding, stored: impl Read + Send + 'r) -> Box<dyn Read + Send + 'r> {
    match coding {
        Coding::Gzip => Box::new(Limited { reader: Gunzipped::new(stored), left: TooLong::GIB << 30 }),
        Coding::Utf16Be => Box::new(Utf16::new(stored, u16::from_be_bytes)),
        Coding::Utf16Le => Box::new(Utf16::new(stored, u16::from_le_bytes)),
    }
}

/// A reader that fails where another one would return more octets than there may be.
struct Limited<R> {
    reader: R,
    left: u64,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return match self.reader.read(&mut [0])? {
                0 => Ok(0),
                _ => Err(io::Error::new(io::ErrorKind::FileTooLarge, TooLong)),
            };
        }
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let count = self.reader.read(&mut buffer[..most])?;
        self.left -= count as u64;
        Ok(count)
    }
}

/// What gzip has compressed. A reader of flate2 drops what it has decompressed at once with an error, up to all of a small text; its writers
/// do not.
struct Gunzipped<R> {
    stored: BufReader<R>,
    /// Writes what is not returned yet.
    decoder: MultiGzDecoder<VecDeque<u8>>,
    /// What comes behind that, once it is known.
    end: Option<io::Result<()>>,
}

impl<R: Read> Gunzipped<R> {
    fn new(stored: R) -> Self {
        Gunzipped { stored: BufReader::new(stored), decoder: MultiGzDecoder::new(VecDeque::new()), end: None }
    }

    /// Decompresses a piece.
    fn advance(&mut self) -> io::Result<()> {
        let stored = self.stored.fill_buf()?;
        if stored.is_empty() {
            self.decoder.try_finish()?;
            self.end = Some(Ok(()));
            return Ok(());
        }
        let count = self.decoder.write(stored)?;
        self.stored.consume(count);
        Ok(())
    }
}

impl<R: Read> Read for Gunzipped<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.decoder.get_mut().read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            if let Some(end) = &mut self.end {
                return mem::replace(end, Ok(())).map(|()| 0);
            }
            match self.advance() {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => return Err(error),
                Err(error) => {
                    // It writes what it has, and fails again.
                    let _ = self.decoder.try_finish();
                    self.end = Some(Err(error));
                }
            }
        }
    }
}

/// UTF-16 as UTF-8. What is not UTF-16 becomes U+FFFD.
struct Utf16<R> {
    reader: BufReader<R>,
    unit: fn([u8; 2]) -> u16,
    /// A unit that was read, but belongs to the next character.
    next: Option<u16>,
    /// What is not returned yet, last octet first.
    rest: Vec<u8>,
    /// What comes behind that.
    failure: Option<io::Error>,
}

impl<R: Read> Utf16<R> {
    fn new(reader: R, unit: fn([u8; 2]) -> u16) -> Self {
        Utf16 { reader: BufReader::new(reader), unit, next: None, rest: Vec::new(), failure: None }
    }

    fn unit(&mut self) -> io::Result<Option<u16>> {
        if let Some(next) = self.next.take() {
            return Ok(Some(next));
        }
        let mut octets = [0; 2];
        let mut filled = 0;
        while filled < octets.len() {
            match self.reader.read(&mut octets[filled..]) {
                Ok(0) if filled == 0 => return Ok(None),
                // Half a unit at the end: a lone surrogate is as wrong.
                Ok(0) => return Ok(Some(0xDC00)),
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Some((self.unit)(octets)))
    }

    fn character(&mut self) -> io::Result<Option<char>> {
        let Some(first) = self.unit()? else { return Ok(None) };
        if let 0xD800..=0xDBFF = first {
            let second = self.unit()?;
            if let Some(Ok(pair)) = char::decode_utf16([first].into_iter().chain(second)).next() {
                return Ok(Some(pair));
            }
            self.next = second;
        }
        Ok(Some(char::from_u32(first.into()).unwrap_or(char::REPLACEMENT_CHARACTER)))
    }
}

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(error) = self.failure.take() {
            return Err(error);
        }
        let mut filled = 0;
        while filled < buffer.len() {
            if self.rest.is_empty() {
                match self.character() {
                    Ok(Some(character)) => {
                        self.rest.extend(character.encode_utf8(&mut [0; 4]).bytes().rev());
                    }
                    Ok(None) => break,
                    // What was read before the error comes first. The reader may not repeat it.
                    Err(error) if filled > 0 => {
                        self.failure = Some(error);
                        break;
                    }
                    Err(error) => return Err(error),
                }
            }
            if let Some(octet) = self.rest.pop() {
                buffer[filled] = octet;
                filled += 1;
            }
        }
        Ok(filled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that ends after a failure.
    struct FailsOnce<F>(F);

    impl<F: FnMut() -> Option<io::Error>> Read for FailsOnce<F> {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            (self.0)().map_or(Ok(0), Err)
        }
    }

    fn read(coding: Coding, stored: &[u8]) -> String {
        let mut text = String::new();
        decoder(coding, stored).read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn utf_16_becomes_utf_8_in_both_orders() {
        for text in ["a", "a\u{e9}\u{4e2d}\u{1F600}b\n", ""] {
            let units = || text.encode_utf16();
            assert_eq!(read(Coding::Utf16Le, &units().flat_map(u16::to_le_bytes).collect::<Vec<_>>()), text);
            assert_eq!(read(Coding::Utf16Be, &units().flat_map(u16::to_be_bytes).collect::<Vec<_>>()), text);
        }
    }

    #[test]
    fn what_is_not_utf_16_is_replaced_and_the_rest_is_read() {
        let stored = |units: &[u16]| units.iter().flat_map(|unit| unit.to_be_bytes()).collect::<Vec<_>>();
        assert_eq!(read(Coding::Utf16Be, &stored(&[0xD800, 0x61])), "\u{FFFD}a");
        assert_eq!(read(Coding::Utf16Be, &stored(&[0xDC00, 0x61])), "\u{FFFD}a");
        assert_eq!(read(Coding::Utf16Be, &stored(&[0xD800, 0xD83D, 0xDE00])), "\u{FFFD}\u{1F600}");
        assert_eq!(read(Coding::Utf16Be, &stored(&[0x61, 0xD800])), "a\u{FFFD}");
        assert_eq!(read(Coding::Utf16Be, &[0, 0x61, 0]), "a\u{FFFD}");
    }

    #[test]
    fn the_mark_decides_and_gzip_is_read_only_if_asked_for() {
        assert_eq!(coding(b"\xFF\xFEa\0", false), Some(Coding::Utf16Le));
        assert_eq!(coding(b"\xFE\xFF", false), Some(Coding::Utf16Be));
        assert_eq!(coding(b"\x1F\x8B\x08", false), None);
        assert_eq!(coding(b"\x1F\x8B\x08", true), Some(Coding::Gzip));
        assert_eq!(coding(b"\x1F\x8B", true), None);
        assert_eq!(coding(b"\xFF", true), None);
    }

    #[test]
    fn an_error_behind_what_was_read_is_not_lost() {
        let stored: Vec<u8> = "\u{FEFF}all of it".encode_utf16().flat_map(u16::to_le_bytes).collect();
        // A reader fails once, as that of gzip does.
        let mut failure = Some(io::Error::other("broken"));
        let broken = stored.as_slice().chain(FailsOnce(|| failure.take()));
        let mut text = Vec::new();
        let error = decoder(Coding::Utf16Le, broken).read_to_end(&mut text).unwrap_err();
        assert_eq!((text.as_slice(), error.to_string().as_str()), ("\u{FEFF}all of it".as_bytes(), "broken"));
    }

    #[test]
    fn what_is_before_the_break_of_a_compressed_text_is_not_lost() {
        let text: Vec<u8> = (0..3_000).flat_map(|line| format!("line {line}\n").into_bytes()).collect();
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(&text).unwrap();
        let whole = encoder.finish().unwrap();
        let read = |stored: &[u8]| {
            let mut read = Vec::new();
            let end = decoder(Coding::Gzip, stored).read_to_end(&mut read);
            (read, end.is_ok())
        };
        assert_eq!(read(&whole), (text.clone(), true));
        // Without its check, with a wrong one, and with something else behind it.
        let mut wrong = whole.clone();
        wrong[whole.len() - 8] ^= 1;
        for stored in [&whole[..whole.len() - 8], &wrong, &[&whole[..], b"x"].concat()] {
            assert_eq!(read(stored), (text.clone(), false));
        }
        let (half, is_whole) = read(&whole[..whole.len() / 2]);
        assert!(!is_whole && text.starts_with(&half) && half.len() > text.len() / 3, "{}", half.len());
        // A block of a kind that does not exist.
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(&text).unwrap();
        encoder.flush().unwrap();
        let mut broken = encoder.get_ref().clone();
        broken.push(0x07);
        assert_eq!(read(&broken), (text, false));
    }

    #[test]
    fn a_text_that_grows_too_much_is_an_error() {
        let mut reader = Limited { reader: io::repeat(0), left: 5 };
        assert_eq!(reader.read(&mut [0; 8]).unwrap(), 5);
        let error = reader.read(&mut [0; 1]).unwrap_err();
        assert!(matches!(error.get_ref(), Some(reason) if reason.is::<TooLong>()), "{error:?}");
        let mut reader = Limited { reader: &[0; 5][..], left: 5 };
        assert_eq!(reader.read_to_end(&mut Vec::new()).unwrap(), 5);
    }
}
