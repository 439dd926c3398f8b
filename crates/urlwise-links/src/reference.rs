//! Character references: `&amp;`, `&#64;`.

use std::cell::RefCell;
use std::collections::HashMap;

use html5gum::emitters::callback::CallbackEvent;

use crate::tokenizer;

/// The longest name of HTML has 31 letters.
const LONGEST: usize = 32;

/// The references that nearly all documents have no others than.
const FREQUENT: [(&[u8], &[u8]); 5] =
    [(b"&amp;", b"&"), (b"&lt;", b"<"), (b"&gt;", b">"), (b"&quot;", b"\""), (b"&#64;", b"@")];

/// The length of the character reference at the start of a text, and the octets it stands for; `None` if the `&` stands
/// for itself. Read as in an attribute: where the `;` is left out, no letter, digit or `=` may follow, which URLs with
/// `&copy=` rely on.
pub(crate) fn at_start(text: &[u8]) -> Option<(usize, Vec<u8>)> {
    if let Some((written, octets)) = FREQUENT.iter().find(|(written, _)| text.starts_with(written)) {
        return Some((written.len(), octets.to_vec()));
    }
    let name = text.get(1..)?;
    if let Some(number) = name.strip_prefix(b"#") {
        return numbered(number).map(|(length, octets)| (2 + length, octets));
    }
    let letters = name.iter().take(LONGEST).take_while(|octet| octet.is_ascii_alphanumeric()).count();
    if letters == 0 {
        return None;
    }
    let mut end = 1 + letters;
    end += usize::from(matches!(text.get(end), Some(b';' | b'=')));
    let written = &text[..end];
    let decoded = decoded(written)?;
    // What is not part of the reference comes out as it went in.
    let same = written.iter().rev().zip(decoded.iter().rev()).take_while(|(a, b)| a == b).count();
    (decoded != written).then(|| (end - same, decoded[..decoded.len() - same].to_vec()))
}

/// The same as Markdown reads it: always with its `;`, and of at most 7 digits, or 6 that are hexadecimal.
pub(crate) fn at_start_in_markdown(text: &[u8]) -> Option<(usize, Vec<u8>)> {
    let found = at_start(text)?;
    let written = &text[..found.0];
    let longest = match written {
        [b'&', b'#', b'x' | b'X', ..] => "&#x123456;".len(),
        [b'&', b'#', ..] => "&#1234567;".len(),
        _ => usize::MAX,
    };
    (written.ends_with(b";") && written.len() <= longest).then_some(found)
}

/// The reference behind `&#`. A number may have as many digits as anybody likes to write.
fn numbered(text: &[u8]) -> Option<(usize, Vec<u8>)> {
    let (sign, radix) = if matches!(text, [b'x' | b'X', ..]) { (1, 16) } else { (0, 10) };
    let mut number = 0u32;
    let mut end = sign;
    while let Some(digit) = text.get(end).and_then(|octet| char::from(*octet).to_digit(radix)) {
        number = number.saturating_mul(radix).saturating_add(digit);
        end += 1;
    }
    let octets = match number {
        _ if end == sign => return None,
        // Characters of Windows.
        0x80..=0x9f => decoded(format!("&#{number};").as_bytes())?,
        _ => {
            let character = char::from_u32(number).filter(|character| *character != '\0');
            character.unwrap_or(char::REPLACEMENT_CHARACTER).to_string().into_bytes()
        }
    };
    Some((end + usize::from(text.get(end) == Some(&b';')), octets))
}

/// So many different ones are remembered; HTML has 2,231 names.
const MOST_KNOWN: usize = 4096;

/// What is written, and what it stands for.
type Known = HashMap<Box<[u8]>, Option<Vec<u8>>>;

thread_local! {
    static KNOWN: RefCell<Known> = RefCell::default();
}

/// A text without quotes as the value of an attribute. It is short, and most documents use a few again and again.
fn decoded(written: &[u8]) -> Option<Vec<u8>> {
    KNOWN.with_borrow_mut(|known| {
        if let Some(decoded) = known.get(written) {
            return decoded.clone();
        }
        let decoded = read(written);
        if known.len() < MOST_KNOWN {
            known.insert(written.into(), decoded.clone());
        }
        decoded
    })
}

/// The same by a reader of its own, which takes a microsecond to set up.
fn read(written: &[u8]) -> Option<Vec<u8>> {
    let tag = [b"<a b=\"", written, b"\">"].concat();
    let mut decoded = None;
    tokenizer::read(&tag, false, &mut |event, _| {
        if let CallbackEvent::AttributeValue { value } = event {
            decoded = Some(value.to_vec());
        }
        decoded.is_none()
    });
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn stands_for(text: &str, length: usize, octets: &str) {
        assert_eq!(at_start(text.as_bytes()), Some((length, octets.as_bytes().to_vec())), "{text}");
    }

    #[test]
    fn names_and_numbers_are_decoded() {
        stands_for("&amp;b", 5, "&");
        stands_for("&#64;host", 5, "@");
        stands_for("&#x40;host", 6, "@");
        stands_for("&#X2f", 5, "/");
        stands_for("&commat;host", 8, "@");
        stands_for("&CounterClockwiseContourIntegral;x", 33, "\u{2233}");
        stands_for("&nbsp", 5, "\u{a0}");
        stands_for("&#128;", 6, "\u{20ac}");
        stands_for("&#64", 4, "@");
        stands_for("&#x40=", 5, "@");
        stands_for("&#0064;y", 7, "@");
        stands_for("&#x0040y", 7, "@");
        stands_for("&#X000000040;", 13, "@");
    }

    #[test]
    fn more_references_than_are_remembered_are_decoded_all_the_same() {
        let unknown = |number: usize| format!("&no{number};");
        for number in (0..=MOST_KNOWN).chain([0, MOST_KNOWN]) {
            assert_eq!(at_start(unknown(number).as_bytes()), None);
        }
        stands_for("&commat;host", 8, "@");
        assert_eq!(KNOWN.with_borrow(HashMap::len), MOST_KNOWN);
    }

    #[test]
    fn every_number_stands_for_what_the_reader_of_html_makes_of_it() {
        let edges = [0u32..0x400, 0xd7f0..0xe010, 0xfdc0..0xfe00, 0xfff0..0x1_0010, 0x1f_fff0..0x20_0010];
        let numbers = edges.into_iter().flatten().chain([0x10_fffe, 0x10_ffff, 0x11_0000, 0x7fff_ffff, 0xffff_ffff]);
        for number in numbers {
            for text in [format!("&#{number};"), format!("&#x{number:X};")] {
                assert_eq!(at_start(text.as_bytes()), Some((text.len(), read(text.as_bytes()).unwrap())), "{text}");
            }
        }
    }

    #[test]
    fn a_number_of_any_length_is_one_reference() {
        for zeros in [0, 1, 7, 8, 31, 32, 33, 1000] {
            let zeros = "0".repeat(zeros);
            stands_for(&format!("&#{zeros}64;9"), zeros.len() + 5, "@");
            stands_for(&format!("&#X{zeros}40;9"), zeros.len() + 6, "@");
            stands_for(&format!("&#{zeros}0;"), zeros.len() + 4, "\u{fffd}");
        }
        stands_for("&#1114111;", 10, "\u{10ffff}");
        for beyond in ["&#1114112;", "&#x110000;", "&#xD800;", "&#111111111111111111111111111111111111111164;"] {
            stands_for(beyond, beyond.len(), "\u{fffd}");
        }
    }

    #[test]
    fn an_ampersand_of_a_url_stands_for_itself() {
        for text in [
            "&",
            "&&",
            "&a=b",
            "&copy=1",
            "&notit;",
            "&amper",
            "&#",
            "&#;",
            "&#x",
            "&#x;",
            "&#xg",
            "&#g",
            "&nosuchname;",
            "& amp;",
            "&lt1",
        ] {
            assert_eq!(at_start(text.as_bytes()), None, "{text}");
        }
    }
}
