//! Eight octets as one number: looking for one octet among them costs a few instructions, not a few for each.

/// How many octets a word holds.
pub(crate) const SIZE: usize = 8;

/// How many octets are looked at word by word before others are looked for by the crate memchr.
#[cfg(feature = "memchr")]
const NEAR: usize = 2 * SIZE;

/// How many octets are enough for that.
#[cfg(feature = "memchr")]
const FAR: usize = 64;

/// Whether what is left of some octets is looked at by the crate memchr.
#[cfg(feature = "memchr")]
#[inline]
fn is_far(left: &[u8], octets: &[u8]) -> bool {
    left.len() >= FAR && octets.len() - left.len() == NEAR
}

/// The word of one octet, eight times.
pub(crate) const fn repeat(octet: u8) -> u64 {
    u64::from_le_bytes([octet; SIZE])
}

/// The highest bit of every octet: where marks are set.
const MARKS: u64 = repeat(0x80);

/// Marks the octets of a word that are `octet`, by their highest bits. What stands above the first mark says nothing: a
/// subtraction has borrowed from there.
#[inline]
pub(crate) const fn mark(word: u64, octet: u8) -> u64 {
    let zero_there = word ^ repeat(octet);
    zero_there.wrapping_sub(repeat(1)) & !zero_there & MARKS
}

/// Folds the places of an octet, first to last.
#[inline]
pub(crate) fn fold<B>(octets: &[u8], octet: u8, init: B, mut fold: impl FnMut(B, usize) -> B) -> B {
    let words = octets.chunks_exact(SIZE);
    let rest = words.remainder();
    let mut folded = init;
    let mut base = 0;
    for word in words.filter_map(<[u8]>::first_chunk) {
        let zero_there = u64::from_le_bytes(*word) ^ repeat(octet);
        // Without a borrow: the highest bit of each sum says that one of the lower seven was set.
        let mut marks = !(((zero_there & !MARKS) + !MARKS) | zero_there) & MARKS;
        while marks != 0 {
            folded = fold(folded, base + marks.trailing_zeros() as usize / 8);
            marks &= marks - 1;
        }
        base += SIZE;
    }
    for (i, &each) in rest.iter().enumerate() {
        if each == octet {
            folded = fold(folded, base + i);
        }
    }
    folded
}

/// How often `octet` stands there.
pub(crate) fn count(octets: &[u8], octet: u8) -> usize {
    // So few at a time that an octet counts them, and the compiler adds many up at once.
    let few = octets.chunks(usize::from(u8::MAX));
    few.map(|few| usize::from(few.iter().map(|each| u8::from(*each == octet)).sum::<u8>())).sum()
}

/// Whether one of these octets stands right behind an `octet`. All of them are looked at, as the compiler does many at once.
pub(crate) fn is_before_any<const N: usize>(octets: &[u8], octet: u8, wanted: [u8; N]) -> bool {
    let pairs = octets.iter().zip(octets.get(1..).unwrap_or_default());
    let is_wanted = |next| wanted.iter().fold(0, |found, &wanted| found | u8::from(next == wanted));
    pairs.fold(0, |found, (&one, &next)| found | u8::from(one == octet) & is_wanted(next)) != 0
}

/// Where the first `octet` stands.
#[inline]
pub(crate) fn position(octets: &[u8], octet: u8) -> Option<usize> {
    position_of(octets, [octet])
}

/// Where the first of these octets stands.
#[inline]
pub(crate) fn position_of<const N: usize>(octets: &[u8], wanted: [u8; N]) -> Option<usize> {
    let first = |word: &[u8; SIZE]| {
        let word = u64::from_le_bytes(*word);
        // The first mark of each is true, so the first of all is.
        match wanted.iter().fold(0, |marks, &octet| marks | mark(word, octet)) {
            0 => None,
            marks => Some(marks.trailing_zeros() as usize / 8),
        }
    };
    let mut rest = octets;
    while let Some((word, behind)) = rest.split_first_chunk() {
        if let Some(at) = first(word) {
            return Some(octets.len() - rest.len() + at);
        }
        rest = behind;
        // What is not near is looked for with the instructions for it: to begin with them takes as long as some words.
        #[cfg(feature = "memchr")]
        if is_far(rest, octets) {
            if let Some(found) = far(rest, wanted) {
                return found.map(|at| NEAR + at);
            }
        }
    }
    match octets.last_chunk() {
        // The last word overlaps those that hold none.
        Some(word) => first(word).map(|at| octets.len() - SIZE + at),
        None => rest.iter().position(|each| wanted.contains(each)),
    }
}

/// The same by the crate memchr; `None` if it does not look for so many.
#[cfg(feature = "memchr")]
#[inline]
fn far<const N: usize>(octets: &[u8], wanted: [u8; N]) -> Option<Option<usize>> {
    match wanted[..] {
        [one] => Some(memchr::memchr(one, octets)),
        [one, other] => Some(memchr::memchr2(one, other, octets)),
        [one, other, third] => Some(memchr::memchr3(one, other, third, octets)),
        [one, other, third, fourth] => {
            let found = memchr::memchr3(one, other, third, octets);
            let before = &octets[..found.unwrap_or(octets.len())];
            Some(memchr::memchr(fourth, before).or(found))
        }
        _ => None,
    }
}

/// Where the last `octet` stands.
#[inline]
pub(crate) fn rposition(octets: &[u8], octet: u8) -> Option<usize> {
    let mut rest = octets;
    while let Some((before, word)) = rest.split_last_chunk::<SIZE>() {
        // Read the other way round, so that the last octet of the kind is the first mark.
        let marks = mark(u64::from_be_bytes(*word), octet);
        if marks != 0 {
            return Some(rest.len() - 1 - marks.trailing_zeros() as usize / 8);
        }
        rest = before;
        #[cfg(feature = "memchr")]
        if is_far(rest, octets) {
            return memchr::memrchr(octet, rest);
        }
    }
    rest.iter().rposition(|&each| each == octet)
}

/// Where the last two octets of these stand side by side.
pub(crate) fn rposition_of_pair(octets: &[u8], pair: [u8; 2]) -> Option<usize> {
    /// So many places are looked at together.
    const BLOCK: usize = 64;
    // Most texts do not have the first of them.
    let last = rposition(octets, pair[0])?;
    let mut end = (last + 1).min(octets.len() - 1);
    let is_pair = |(first, second): (&u8, &u8)| (*first == pair[0]) & (*second == pair[1]);
    while let Some(start) = end.checked_sub(BLOCK) {
        let (firsts, seconds) = (&octets[start..end], &octets[start + 1..=end]);
        if firsts.iter().zip(seconds).fold(false, |found, both| found | is_pair(both)) {
            break;
        }
        end = start;
    }
    loop {
        end = rposition(&octets[..end], pair[0])?;
        if octets[end + 1] == pair[1] {
            return Some(end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    /// Texts of octets that borrow from their neighbours and carry into them, among others.
    fn texts() -> impl Iterator<Item = Vec<u8>> {
        let few = (0..24).flat_map(|length| {
            (0..256u32)
                .map(move |kinds| (0..length).map(|i| b"/.\x00\xAF"[(kinds >> (i % 4 * 2)) as usize & 3]).collect())
        });
        few.chain((0..=255).map(|octet| [octet; SIZE].to_vec()))
    }

    #[test]
    fn octets_are_found_however_far_they_stand_and_however_much_is_behind() {
        for length in [79, 80, 81, 200] {
            for at in 0..length {
                let mut text = std::vec![b'a'; length];
                for (place, octet) in [(at, b'/'), (at + 1, b'?'), (at + 2, b'/')] {
                    text.get_mut(place).into_iter().for_each(|place| *place = octet);
                }
                assert_eq!(position(&text, b'/'), Some(at), "{length}");
                assert_eq!(position_of(&text, *b"?#"), Some(at + 1).filter(|next| *next < length), "{length} {at}");
                assert_eq!(position_of(&text, *b"#/?"), Some(at), "{length}");
                assert_eq!(position_of(&text, *b"#:?/"), Some(at), "{length}");
                assert_eq!(position_of(&text, *b"#/:?"), Some(at), "{length}");
                assert_eq!(position_of(&text, *b"#:@"), None);
                assert_eq!(rposition(&text, b'?'), Some(at + 1).filter(|next| *next < length), "{length} {at}");
                assert_eq!(rposition(&text, b'#'), None);
                assert_eq!(rposition_of_pair(&text, *b"/?"), Some(at).filter(|at| at + 1 < length), "{length}");
                assert_eq!(rposition_of_pair(&text[..at], *b"/?"), None);
            }
        }
    }

    #[test]
    #[cfg(feature = "memchr")]
    fn what_is_left_behind_two_words_is_far_if_it_is_long() {
        for length in 0..100 {
            let octets = std::vec![b'a'; length];
            for at in 0..=length {
                assert_eq!(is_far(&octets[at..], &octets), at == 16 && length >= 80, "{at} of {length}");
            }
        }
    }

    #[test]
    #[cfg(feature = "memchr")]
    fn up_to_four_octets_are_looked_for_at_once() {
        for (text, at) in [("abcd", Some(0)), ("xdab", Some(1)), ("xxca", Some(2)), ("xxxx", None), ("", None)] {
            assert_eq!(far(text.as_bytes(), *b"abcd"), Some(at), "{text}");
            assert_eq!(far(text.as_bytes(), *b"adc"), Some(at), "{text}");
            assert_eq!(far(text.as_bytes(), *b"ad").is_some(), far(text.as_bytes(), *b"a").is_some(), "{text}");
            assert_eq!(far(text.as_bytes(), *b"abcde"), None, "{text}");
        }
        assert_eq!((far(b"xba", *b"ab"), far(b"xba", *b"a")), (Some(Some(1)), Some(Some(2))));
    }

    #[test]
    fn the_last_of_several_pairs_is_found_however_many_stand_together() {
        for (pairs, behind) in (1..70).flat_map(|pairs| [0, 1, 63, 64, 65, 130].map(|behind| (pairs, behind))) {
            let text = std::format!("{}{}", "/?".repeat(pairs), "/".repeat(behind));
            assert_eq!(rposition_of_pair(text.as_bytes(), *b"/?"), Some(2 * pairs - 2), "{text}");
        }
    }

    #[test]
    fn words_find_octets_as_one_by_one_does() {
        for text in texts() {
            let places: Vec<usize> = (0..text.len()).filter(|&at| text[at] == b'/').collect();
            assert_eq!(position(&text, b'/'), places.first().copied(), "{text:?}");
            let first_of = text.iter().position(|octet| b"/\x00.".contains(octet));
            assert_eq!(position_of(&text, *b"/\x00."), first_of, "{text:?}");
            assert_eq!(rposition(&text, b'/'), places.last().copied(), "{text:?}");
            let last_pair = text.windows(2).rposition(|two| two == b"/.");
            assert_eq!(rposition_of_pair(&text, *b"/."), last_pair, "{text:?}");
            let folded = fold(&text, b'/', Vec::new(), |mut found, at| {
                found.push(at);
                found
            });
            assert_eq!(folded, places, "{text:?}");
            assert_eq!(count(&text.repeat(100), b'/'), 100 * places.len(), "{text:?}");
            let is_before = text.windows(2).any(|two| two[0] == b'/' && b"/.".contains(&two[1]));
            assert_eq!(is_before_any(&text, b'/', *b"/."), is_before, "{text:?}");
        }
    }
}
