//! Texts that were unpacked, kept for the next time: the report of one URL asks for some seventy.

use std::boxed::Box;
use std::string::String;
use std::sync::OnceLock;

use super::choice::Language;
use super::columns::Words;

/// Several times as many places as there are texts in the reports of one command.
const PLACES: usize = 1 << 11;

/// A text and what it is of, at a place that its words and language tell. Who comes second to a place has its text made each time.
type Place = OnceLock<(Words, Language, Box<str>)>;

static PLACES_OF_ALL: OnceLock<Box<[Place]>> = OnceLock::new();

/// The text of some words in a language, which is made unless it is kept; `None` if another one has its place.
pub(super) fn kept(words: Words, language: Language, make: impl FnOnce() -> String) -> Option<&'static str> {
    let places = PLACES_OF_ALL.get_or_init(|| (0..PLACES).map(|_| Place::new()).collect());
    // An odd factor with about as many ones as zeros spreads addresses, which are close to one another, over the highest bits.
    let mixed = (words.address() + language as usize).wrapping_mul(0x9E37_79B9_7F4A_7C15_u64 as usize);
    let place = &places[mixed >> (usize::BITS - PLACES.trailing_zeros())];
    let (its_words, its_language, text) = place.get_or_init(|| (words, language, make().into()));
    (*its_words == words && *its_language == language).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::{Language, PLACES, Words, kept};
    use std::boxed::Box;
    use std::string::{String, ToString};

    #[test]
    fn every_text_is_that_of_its_words_and_its_language_however_many_there_are() {
        let mut with_places = 0;
        for number in 0..2 * PLACES {
            let words = Words::same(Box::leak(number.to_string().into()));
            for &language in Language::ALL {
                let text = std::format!("{number} {language:?}");
                let first = kept(words, language, || text.clone());
                assert!(first.is_none_or(|first| first == text), "{first:?} {text}");
                assert_eq!(kept(words, language, || String::from("made again")), first, "{text}");
                with_places += usize::from(first.is_some());
            }
        }
        assert!(with_places > PLACES * 9 / 10 && with_places <= PLACES, "{with_places}");
    }
}
