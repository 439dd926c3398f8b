//! A document as a file of a folder, plain, in UTF-16 or compressed, whole, cut or with octets changed, which comes in pieces and may fail: its
//! blocks are together what was stored, or the beginning of it where there is an error or a NUL: before an error all that was read, but for the
//! word in which it breaks off. No block and no buffer is longer than the longest, and where no line is, the URLs of the blocks are those
//! of the text.
//!
//! The input is: how it is stored, changed and read, how it comes, two octets of the place of the change or failure, the new octet, the
//! document.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use urlwise::Profile;
use urlwise::find::{Finder, Hit};
use urlwise_formats::stored::{Blocks, Kind};

const MARK: &str = "\u{FEFF}";

fn gzip(octets: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(octets).expect("memory can be written to");
    encoder.finish().expect("memory can be written to")
}

fn utf16(text: &str, octets: fn(u16) -> [u8; 2]) -> Vec<u8> {
    MARK.encode_utf16().chain(text.encode_utf16()).flat_map(octets).collect()
}

/// What is stored of a document, and the text that it is, if that is certain.
fn stored(form: u8, document: &[u8], kind: Kind) -> (Vec<u8>, Option<Vec<u8>>) {
    let text = String::from_utf8_lossy(document);
    let (le, be) = (|| utf16(&text, u16::to_le_bytes), || utf16(&text, u16::to_be_bytes));
    let marked = || Some([MARK.as_bytes(), text.as_bytes()].concat());
    let has_mark = document.starts_with(b"\xFF\xFE") || document.starts_with(b"\xFE\xFF");
    let (first, second) = document.split_at(document.len() / 2);
    let (stored, meant, is_packed) = match form {
        0 => (document.to_vec(), (!has_mark && !document.starts_with(b"\x1F\x8B")).then(|| document.to_vec()), false),
        1 => (le(), marked(), false),
        2 => (be(), marked(), false),
        3 => (gzip(document), (!has_mark).then(|| document.to_vec()), true),
        4 => (gzip(&le()), marked(), true),
        5 => (gzip(&be()), marked(), true),
        6 => ([gzip(first), gzip(second)].concat(), (!has_mark).then(|| document.to_vec()), true),
        // What is compressed twice is not searched.
        _ => (gzip(&gzip(document)), Some(gzip(document)), true),
    };
    let meant = match kind.is_raw || is_packed && !kind.search_zip {
        true => Some(stored.clone()),
        false => meant,
    };
    (stored, meant)
}

/// What is stored, decoded at once, and whether it is whole.
fn decoded(stored: &[u8], kind: Kind, is_whole: bool) -> (Vec<u8>, bool) {
    let unit: fn([u8; 2]) -> u16 = match stored {
        [0xFE, 0xFF, ..] if !kind.is_raw => u16::from_be_bytes,
        [0xFF, 0xFE, ..] if !kind.is_raw => u16::from_le_bytes,
        [0x1F, 0x8B, 0x08, ..] if !kind.is_raw && kind.search_zip => {
            let mut text = Vec::new();
            let is_good = MultiGzDecoder::new(stored).read_to_end(&mut text).is_ok();
            return decoded(&text, Kind { search_zip: false, ..kind }, is_good && is_whole);
        }
        _ => return (stored.to_vec(), is_whole),
    };
    let (pairs, half) = stored.as_chunks();
    let mut units: Vec<u16> = pairs.iter().copied().map(unit).collect();
    match is_whole {
        // Half a unit at the end is as wrong as half a pair.
        true => units.extend(half.first().map(|_| 0xDC00)),
        // What comes behind half a pair is not known.
        false => drop(units.pop_if(|last| matches!(last, 0xD800..=0xDBFF))),
    }
    (String::from_utf16_lossy(&units).into_bytes(), is_whole)
}

/// A file that gives so many octets at a time at most, is interrupted before each, and fails at its end if it is not whole.
struct Pieces<'f> {
    left: &'f [u8],
    most: usize,
    interrupts: bool,
    is_interrupted: bool,
    is_whole: bool,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.is_interrupted = self.interrupts && !self.is_interrupted;
        if self.is_interrupted {
            return Err(io::ErrorKind::Interrupted.into());
        }
        if self.left.is_empty() && !self.is_whole {
            return Err(io::Error::other("the disk is broken"));
        }
        let most = self.most.min(buffer.len());
        self.left.read(&mut buffer[..most])
    }
}

fn place(hit: &Hit<'_>, from: usize) -> (usize, usize, String) {
    (hit.outer().start + from, hit.outer().end + from, hit.reference().to_owned())
}

pub(crate) fn run(input: &[u8]) {
    let [flags, comes, high, low, octet, document @ ..] = input else { return };
    let is = |bit: u8| flags & bit != 0;
    let kind = Kind {
        may_be_binary: is(32),
        search_zip: is(64),
        is_whole: is(128),
        is_raw: comes & 64 != 0 && comes & 32 != 0,
    };
    let (mut file, meant) = stored(flags & 7, document, kind);
    let change = flags >> 3 & 3;
    let place_of_change = usize::from(u16::from_be_bytes([*high, *low])) % (file.len() + 1);
    match change {
        1 => file.truncate(place_of_change),
        2 => {
            if let Some(changed) = file.get_mut(place_of_change) {
                *changed = *octet;
            }
        }
        3 => file.insert(place_of_change, *octet),
        _ => {}
    }
    let is_broken = comes & 64 != 0 && comes & 32 == 0;
    if is_broken {
        file.truncate(place_of_change);
    }
    let (text, is_good) = decoded(&file, kind, !is_broken);
    if let Some(meant) = meant.filter(|_| change == 0 && !is_broken) {
        assert!(is_good && text == meant, "{text:?} {meant:?}");
    }

    let size = [8, 32, 128, 512][usize::from(comes >> 2 & 3)];
    let longest = size << if comes & 16 == 0 { 2 } else { 10 };
    let reader = Pieces {
        left: &file,
        most: [1, 3, 7, usize::MAX][usize::from(comes & 3)],
        interrupts: comes & 128 != 0,
        is_interrupted: false,
        is_whole: !is_broken,
    };
    let mut blocks = Blocks::new(reader, kind).of_sizes(size, longest);
    let finder = Finder::new().profile(Profile::Current);
    let (mut read, mut count, mut buffer, mut found) = (Vec::new(), 0, Vec::new(), Vec::new());
    let end = loop {
        let next = blocks.next(&mut buffer);
        assert!(buffer.len() <= longest, "a buffer of {} octets", buffer.len());
        match next {
            Ok(Some(length)) => {
                assert!(length > 0 || blocks.is_ended(), "an empty block");
                found.extend(finder.hits(&buffer[..length]).map(|hit| place(&hit, read.len())));
                read.extend_from_slice(&buffer[..length]);
                count += 1;
            }
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        }
    };
    let is_binary = !kind.may_be_binary && memchr::memchr(0, &text).is_some();
    assert!(kind.may_be_binary || memchr::memchr(0, &read).is_none(), "it has a NUL");
    // Where a stream breaks, more may come of it or less, by how it is asked: a NUL, too.
    let may_end = is_binary || !kind.may_be_binary && kind.search_zip;
    match &end {
        Ok(()) => assert!(is_good || may_end, "an error was not seen"),
        Err(error) => {
            assert!(!is_good, "{error}");
            let whole = text.iter().rposition(|octet| b" \t\"<>\n".contains(octet)).map_or(0, |last| last + 1);
            assert!(read.len() >= whole, "{} of {whole} octets before an error", read.len());
        }
    }
    assert!(blocks.is_ended(), "more may come behind the end");
    assert!(text.starts_with(&read) || !is_good && read.starts_with(&text), "{read:?} {text:?}");
    if is_good && !is_binary {
        assert_eq!(read.len(), text.len());
    }
    if text.len().max(read.len()) < longest {
        if kind.is_whole {
            let is_one = if is_good { !is_binary } else { !read.is_empty() };
            assert_eq!(count, usize::from(is_one), "it is not in one piece");
        }
        // A broken text is as long as what was read of it.
        let text = if is_good { &text } else { &read };
        let all = finder.hits(text).map(|hit| place(&hit, 0)).filter(|(_, end, _)| *end <= read.len());
        assert!(is_binary || all.eq(found), "the URLs of the blocks are not those of the text");
    }
}
