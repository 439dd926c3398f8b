//! Texts that were unpacked, kept for the next time: the report of one URL asks for some seventy.

use std::boxed::Box;
use std::string::String;
use std::sync::OnceLock;

use super::choice::Language;

/// Several times as many places as there are texts in the reports of one command.
const PLACES: usize = 1 << 11;

/// What was packed, a language, and its text in that language. The first two tell the place; who comes second to one has its text made
/// each time.
type Place = OnceLock<(&'static str, Language, Box<str>)>;

static KEPT: OnceLock<Box<[Place]>> = OnceLock::new();

/// The text of what was packed in a language, made if nobody asked for it before; `None` if another one has its place.
pub(super) fn kept(packed: &'static str, language: Language, make: impl FnOnce() -> String) -> Option<&'static str> {
    let places = KEPT.get_or_init(|| (0..PLACES).map(|_| Place::new()).collect());
    // An odd factor with about as many ones as zeros spreads addresses, which are close to one another, over the highest bits.
    let mixed = (packed.as_ptr().addr() + language as usize).wrapping_mul(0x9E37_79B9_7F4A_7C15_u64 as usize);
    let place = &places[mixed >> (usize::BITS - PLACES.trailing_zeros())];
    let (its_packed, its_language, text) = place.get_or_init(|| (packed, language, make().into()));
    (std::ptr::eq(*its_packed, packed) && *its_language == language).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::{Language, PLACES, kept};
    use std::boxed::Box;
    use std::string::{String, ToString};

    #[test]
    fn every_text_is_that_of_its_words_and_its_language_however_many_there_are() {
        let mut with_places = 0;
        for number in 0..2 * PLACES {
            let packed: &'static str = Box::leak(number.to_string().into());
            for &language in Language::ALL {
                let text = std::format!("{number} {language:?}");
                let first = kept(packed, language, || text.clone());
                assert!(first.is_none_or(|first| first == text), "{first:?} {text}");
                assert_eq!(kept(packed, language, || String::from("made again")), first, "{text}");
                with_places += usize::from(first.is_some());
            }
        }
        assert!(with_places > PLACES * 9 / 10 && with_places <= PLACES, "{with_places}");
    }
}
