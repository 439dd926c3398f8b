//! Character references: `&amp;`, `&#64;`.

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};

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
    let hash = usize::from(name.first() == Some(&b'#'));
    let is_named = name.get(hash).is_some_and(u8::is_ascii_alphanumeric);
    let letters = name[hash..].iter().take(LONGEST).take_while(|octet| octet.is_ascii_alphanumeric()).count();
    if !is_named {
        return None;
    }
    let mut end = 1 + hash + letters;
    end += usize::from(matches!(text.get(end), Some(b';' | b'=')));
    let written = &text[..end];
    let decoded = decoded(written)?;
    // What is not part of the reference comes out as it went in.
    let same = written.iter().rev().zip(decoded.iter().rev()).take_while(|(a, b)| a == b).count();
    (decoded != written).then(|| (end - same, decoded[..decoded.len() - same].to_vec()))
}

/// A text without quotes as the value of an attribute.
fn decoded(written: &[u8]) -> Option<Vec<u8>> {
    let tag = [b"<a b=\"", written, b"\">"].concat();
    let emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, _: Span<()>| match event {
        CallbackEvent::AttributeValue { value } => Some(value.to_vec()),
        _ => None,
    });
    Tokenizer::new_with_emitter(&tag[..], emitter).flatten().next()
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
        stands_for(&format!("&#{}64;", "0".repeat(LONGEST - 2)), LONGEST + 3, "@");
    }

    #[test]
    fn an_ampersand_of_a_url_stands_for_itself() {
        for text in ["&", "&&", "&a=b", "&copy=1", "&notit;", "&amper", "&#", "&#;", "&nosuchname;", "& amp;", "&lt1"] {
            assert_eq!(at_start(text.as_bytes()), None, "{text}");
        }
    }
}
