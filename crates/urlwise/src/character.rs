//! Characters that people do not see, or take for others, by their Unicode names.

/// What such a character does to a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It looks like nothing at all and means nothing in a name.
    Invisible,
    /// It looks like nothing and joins or separates letters in some scripts.
    Joiner,
    /// It sets the direction of the text around it; harmless at the ends of a text.
    Direction,
    /// It reverses the text after it, so that people read another name.
    Override,
    /// It looks like a space.
    Space,
    /// A quotation mark of typesetters.
    Quote,
    /// It says that something was left out.
    Ellipsis,
    /// It looks like a character of the syntax.
    Lookalike(char),
}

/// A character, its name in the Unicode standard, and what it does.
pub(crate) struct Character {
    pub(crate) character: char,
    pub(crate) name: &'static str,
    pub(crate) role: Role,
}

const fn row(character: char, name: &'static str, role: Role) -> Character {
    Character { character, name, role }
}

/// In the order of their numbers.
static CHARACTERS: &[Character] = &[
    row('\u{A0}', "NO-BREAK SPACE", Role::Space),
    row('\u{AB}', "LEFT-POINTING DOUBLE ANGLE QUOTATION MARK", Role::Quote),
    row('\u{AD}', "SOFT HYPHEN", Role::Invisible),
    row('\u{BB}', "RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK", Role::Quote),
    row('\u{34F}', "COMBINING GRAPHEME JOINER", Role::Invisible),
    row('\u{61C}', "ARABIC LETTER MARK", Role::Direction),
    row('\u{115F}', "HANGUL CHOSEONG FILLER", Role::Invisible),
    row('\u{1160}', "HANGUL JUNGSEONG FILLER", Role::Invisible),
    row('\u{1680}', "OGHAM SPACE MARK", Role::Space),
    row('\u{17B4}', "KHMER VOWEL INHERENT AQ", Role::Invisible),
    row('\u{17B5}', "KHMER VOWEL INHERENT AA", Role::Invisible),
    row('\u{180E}', "MONGOLIAN VOWEL SEPARATOR", Role::Invisible),
    row('\u{2000}', "EN QUAD", Role::Space),
    row('\u{2001}', "EM QUAD", Role::Space),
    row('\u{2002}', "EN SPACE", Role::Space),
    row('\u{2003}', "EM SPACE", Role::Space),
    row('\u{2004}', "THREE-PER-EM SPACE", Role::Space),
    row('\u{2005}', "FOUR-PER-EM SPACE", Role::Space),
    row('\u{2006}', "SIX-PER-EM SPACE", Role::Space),
    row('\u{2007}', "FIGURE SPACE", Role::Space),
    row('\u{2008}', "PUNCTUATION SPACE", Role::Space),
    row('\u{2009}', "THIN SPACE", Role::Space),
    row('\u{200A}', "HAIR SPACE", Role::Space),
    row('\u{200B}', "ZERO WIDTH SPACE", Role::Invisible),
    row('\u{200C}', "ZERO WIDTH NON-JOINER", Role::Joiner),
    row('\u{200D}', "ZERO WIDTH JOINER", Role::Joiner),
    row('\u{200E}', "LEFT-TO-RIGHT MARK", Role::Direction),
    row('\u{200F}', "RIGHT-TO-LEFT MARK", Role::Direction),
    row('\u{2018}', "LEFT SINGLE QUOTATION MARK", Role::Quote),
    row('\u{2019}', "RIGHT SINGLE QUOTATION MARK", Role::Quote),
    row('\u{201A}', "SINGLE LOW-9 QUOTATION MARK", Role::Quote),
    row('\u{201B}', "SINGLE HIGH-REVERSED-9 QUOTATION MARK", Role::Quote),
    row('\u{201C}', "LEFT DOUBLE QUOTATION MARK", Role::Quote),
    row('\u{201D}', "RIGHT DOUBLE QUOTATION MARK", Role::Quote),
    row('\u{201E}', "DOUBLE LOW-9 QUOTATION MARK", Role::Quote),
    row('\u{201F}', "DOUBLE HIGH-REVERSED-9 QUOTATION MARK", Role::Quote),
    row('\u{2026}', "HORIZONTAL ELLIPSIS", Role::Ellipsis),
    row('\u{2028}', "LINE SEPARATOR", Role::Invisible),
    row('\u{2029}', "PARAGRAPH SEPARATOR", Role::Invisible),
    row('\u{202A}', "LEFT-TO-RIGHT EMBEDDING", Role::Direction),
    row('\u{202B}', "RIGHT-TO-LEFT EMBEDDING", Role::Direction),
    row('\u{202C}', "POP DIRECTIONAL FORMATTING", Role::Direction),
    row('\u{202D}', "LEFT-TO-RIGHT OVERRIDE", Role::Override),
    row('\u{202E}', "RIGHT-TO-LEFT OVERRIDE", Role::Override),
    row('\u{202F}', "NARROW NO-BREAK SPACE", Role::Space),
    row('\u{2039}', "SINGLE LEFT-POINTING ANGLE QUOTATION MARK", Role::Quote),
    row('\u{203A}', "SINGLE RIGHT-POINTING ANGLE QUOTATION MARK", Role::Quote),
    row('\u{205F}', "MEDIUM MATHEMATICAL SPACE", Role::Space),
    row('\u{2060}', "WORD JOINER", Role::Invisible),
    row('\u{2061}', "FUNCTION APPLICATION", Role::Invisible),
    row('\u{2062}', "INVISIBLE TIMES", Role::Invisible),
    row('\u{2063}', "INVISIBLE SEPARATOR", Role::Invisible),
    row('\u{2064}', "INVISIBLE PLUS", Role::Invisible),
    row('\u{2066}', "LEFT-TO-RIGHT ISOLATE", Role::Direction),
    row('\u{2067}', "RIGHT-TO-LEFT ISOLATE", Role::Direction),
    row('\u{2068}', "FIRST STRONG ISOLATE", Role::Direction),
    row('\u{2069}', "POP DIRECTIONAL ISOLATE", Role::Direction),
    row('\u{2215}', "DIVISION SLASH", Role::Lookalike('/')),
    row('\u{2236}', "RATIO", Role::Lookalike(':')),
    row('\u{2800}', "BRAILLE PATTERN BLANK", Role::Space),
    row('\u{3000}', "IDEOGRAPHIC SPACE", Role::Space),
    row('\u{3164}', "HANGUL FILLER", Role::Invisible),
    row('\u{A789}', "MODIFIER LETTER COLON", Role::Lookalike(':')),
    row('\u{FEFF}', "ZERO WIDTH NO-BREAK SPACE (BYTE ORDER MARK)", Role::Invisible),
    row('\u{FF0E}', "FULLWIDTH FULL STOP", Role::Lookalike('.')),
    row('\u{FF0F}', "FULLWIDTH SOLIDUS", Role::Lookalike('/')),
    row('\u{FF1A}', "FULLWIDTH COLON", Role::Lookalike(':')),
    row('\u{FFA0}', "HALFWIDTH HANGUL FILLER", Role::Invisible),
];

/// Rarer ones that people do not see: the first and the last of each range. A selector of variants (U+FE0F) is not among them: it belongs to
/// the emoji or ideograph before it.
const RARE: &[(char, char)] = &[
    ('\u{2065}', '\u{2065}'),
    ('\u{206A}', '\u{206F}'),
    // It has the shape of a space.
    ('\u{2800}', '\u{2800}'),
    ('\u{FFF9}', '\u{FFFB}'),
    ('\u{13430}', '\u{1343F}'),
    ('\u{1BCA0}', '\u{1BCA3}'),
    ('\u{1D173}', '\u{1D17A}'),
    ('\u{E0000}', '\u{E007F}'),
];

/// A bit for each character below U+10000 that [is hidden](is_hidden).
static HIDDEN: [u64; 0x1_0000 / 64] = {
    let mut bits = [0; 0x1_0000 / 64];
    let mut row = 0;
    while row < CHARACTERS.len() {
        let Character { character, role, .. } = CHARACTERS[row];
        if matches!(role, Role::Invisible | Role::Joiner | Role::Direction | Role::Override) {
            bits[character as usize / 64] |= 1 << (character as usize % 64);
        }
        row += 1;
    }
    let mut range = 0;
    while range < RARE.len() {
        let (mut at, last) = (RARE[range].0 as usize, RARE[range].1 as usize);
        while at <= last && at < 0x1_0000 {
            bits[at / 64] |= 1 << (at % 64);
            at += 1;
        }
        range += 1;
    }
    bits
};

/// Whether people do not see a character at all, or see others in another order because of it. Spaces are seen.
pub(crate) fn is_hidden(character: char) -> bool {
    let point = u32::from(character) as usize;
    match HIDDEN.get(point / 64) {
        Some(bits) => bits >> (point % 64) & 1 == 1,
        None => RARE.iter().any(|(first, last)| (first..=last).contains(&&character)),
    }
}

/// So many characters are a block.
const BLOCK: usize = 256;

/// The blocks that characters of the table are in.
static IN_BLOCKS: [bool; 0x1_0000 / BLOCK] = {
    let (mut blocks, mut row) = ([false; 0x1_0000 / BLOCK], 0);
    while row < CHARACTERS.len() {
        blocks[CHARACTERS[row].character as usize / BLOCK] = true;
        row += 1;
    }
    blocks
};

/// What is known of a character; `None` for all that people see and read as what they are.
#[inline]
pub(crate) fn of(character: char) -> Option<&'static Character> {
    // What most characters are not.
    if !*IN_BLOCKS.get(character as usize / BLOCK)? {
        return None;
    }
    let found = CHARACTERS.binary_search_by_key(&character, |row| row.character).ok()?;
    CHARACTERS.get(found)
}

/// The octets that characters of the table begin with.
static BEGIN: [bool; 256] = {
    let (mut begin, mut row) = ([false; 256], 0);
    while row < CHARACTERS.len() {
        let mut octets = [0; 4];
        CHARACTERS[row].character.encode_utf8(&mut octets);
        begin[octets[0] as usize] = true;
        row += 1;
    }
    begin
};

/// The characters of the table in any octets, and where they stand.
pub(crate) fn each(text: &[u8]) -> impl Iterator<Item = (usize, &'static Character)> + '_ {
    // What most octets are not.
    let begin = text.iter().enumerate().filter(|(_, octet)| BEGIN[usize::from(**octet)]);
    // Many are the same character again and again.
    let mut last: Option<(char, Option<&Character>)> = None;
    begin.filter_map(move |(at, _)| {
        let c = first_character(&text[at..])?;
        let (_, row) = last.filter(|last| last.0 == c).unwrap_or_else(|| (c, of(c)));
        last = Some((c, row));
        Some((at, row?))
    })
}

/// The first one whose role is one that is wanted.
pub(crate) fn position(text: &[u8], is_wanted: impl Fn(Role) -> bool) -> Option<(usize, char)> {
    let found = || each(text).find(|(_, row)| is_wanted(row.role)).map(|(at, row)| (at, row.character));
    if text.is_ascii() { None } else { found() }
}

impl Role {
    /// Whether it is invisible, or looks like a space but is not one.
    pub(crate) fn is_invisible(self) -> bool {
        match self {
            Role::Invisible | Role::Joiner | Role::Direction | Role::Override | Role::Space => true,
            Role::Quote | Role::Ellipsis | Role::Lookalike(_) => false,
        }
    }
}

/// The length of the character at the start of a text if people do not see it, or take it for another one.
pub(crate) fn unlike_itself(text: &[u8]) -> Option<usize> {
    let c = first_character(text)?;
    (lookalike(c).is_some() || of(c).is_some_and(|row| row.role.is_invisible())).then(|| c.len_utf8())
}

/// The first character of a text; `None` if the text is empty or does not begin with valid UTF-8. What follows the character may be anything.
///
/// ```
/// assert_eq!(urlwise::first_character("\u{4e2d}\u{e9}".as_bytes()), Some('\u{4e2d}'));
/// assert_eq!(urlwise::first_character(b"caf\xE9"), Some('c'));
/// assert_eq!((urlwise::first_character(b"\xE9"), urlwise::first_character(b"")), (None, None));
/// ```
// By hand: to check and to read some octets as UTF-8 takes twice as long, and texts are cut at each of their characters.
pub fn first_character(octets: &[u8]) -> Option<char> {
    // The bits of one octet more.
    let and = |point: u32, octet: u8| point << 6 | u32::from(octet & 0x3F);
    let (point, least) = match *octets {
        [octet @ ..0x80, ..] => return Some(char::from(octet)),
        [lead @ 0xC2..0xE0, second @ 0x80..0xC0, ..] => (and((lead & 0x1F).into(), second), 0x80),
        [lead @ 0xE0..0xF0, second @ 0x80..0xC0, third @ 0x80..0xC0, ..] => {
            (and(and((lead & 0xF).into(), second), third), 0x800)
        }
        [lead @ 0xF0..0xF5, second @ 0x80..0xC0, third @ 0x80..0xC0, last @ 0x80..0xC0, ..] => {
            (and(and(and((lead & 0x7).into(), second), third), last), 0x1_0000)
        }
        _ => return None,
    };
    // A character has one form, the shortest, and surrogates have none.
    if point < least { None } else { char::from_u32(point) }
}

/// Whether the first octet is certain to begin no character, whatever stands behind the second one. A text may have no other octets.
pub(crate) fn begins_nothing(text: &[u8]) -> bool {
    match text {
        [0x80..=0xC1 | 0xF5.., ..] => true,
        [0xC2..=0xF4, next, ..] => !matches!(next, 0x80..=0xBF),
        _ => false,
    }
}

/// The US-ASCII character that a character of full width or of the table looks like.
pub(crate) fn lookalike(character: char) -> Option<char> {
    match (of(character).map(|row| row.role), character) {
        (Some(Role::Lookalike(ascii)), _) => Some(ascii),
        (_, '\u{FF01}'..='\u{FF5E}') => char::from_u32(u32::from(character) - 0xFEE0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::String;

    #[test]
    fn the_table_is_in_order_so_that_every_row_is_found() {
        assert!(CHARACTERS.windows(2).all(|pair| pair[0].character < pair[1].character));
        assert_eq!(of('\u{200B}').map(|row| row.name), Some("ZERO WIDTH SPACE"));
        assert!(of('a').is_none() && of('\u{E9}').is_none());
    }

    #[test]
    fn each_one_in_a_text_is_found_where_it_stands() {
        let text: String = CHARACTERS.iter().flat_map(|row| [row.character, 'a', '\u{4e2d}', '\u{1F468}']).collect();
        let mut found = each(text.as_bytes());
        for (at, c) in text.char_indices().filter(|(_, c)| of(*c).is_some()) {
            assert_eq!(found.next().map(|(at, row)| (at, row.character)), Some((at, c)));
        }
        assert!(found.next().is_none());
        assert!(each(b"\xE2\x80 \x8B\xE2").next().is_none(), "octets that are not UTF-8 are no character");
    }

    #[test]
    fn the_first_character_is_that_of_the_longest_start_that_is_utf_8() {
        let some = [b'a', 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC3, 0xFF];
        for number in 0..256 * some.len().pow(3) {
            let rest = [0, 1, 2].map(|place| some[number / 256 / some.len().pow(place) % some.len()]);
            let text = [number as u8, rest[0], rest[1], rest[2]];
            for text in (0..=4).map(|length| &text[..length]) {
                let expected = text.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
                assert_eq!(first_character(text), expected, "{text:x?}");
                assert!(!begins_nothing(text) || expected.is_none(), "{text:x?}");
            }
        }
        assert!(('\0'..=char::MAX).all(|c| first_character(c.encode_utf8(&mut [0; 4]).as_bytes()) == Some(c)));
    }

    #[test]
    fn an_octet_that_begins_nothing_is_told_by_itself_or_by_the_one_behind_it() {
        for first in 0..=255 {
            let (never, always) = (matches!(first, 0x80..=0xC1 | 0xF5..), first < 0x80);
            assert_eq!(begins_nothing(&[first]), never, "{first:x}");
            for next in 0..=255 {
                let goes_on = matches!(next, 0x80..=0xBF);
                assert_eq!(begins_nothing(&[first, next]), never || !(always || goes_on), "{first:x} {next:x}");
            }
        }
        assert!(!begins_nothing(b""));
    }

    #[test]
    fn characters_of_full_width_and_of_the_table_look_like_ascii() {
        for (character, ascii) in [
            ('\u{2215}', Some('/')),
            ('\u{2236}', Some(':')),
            ('\u{FF0F}', Some('/')),
            ('\u{FF41}', Some('a')),
            ('a', None),
        ] {
            assert_eq!(lookalike(character), ascii, "{character:?}");
        }
    }

    #[test]
    fn what_the_table_calls_invisible_is_never_shown_and_what_is_never_shown_is_in_the_table_or_rare() {
        for character in '\u{A0}'..=char::MAX {
            let is_rare = RARE.iter().any(|(first, last)| (*first..=*last).contains(&character));
            let is_listed = of(character).is_some_and(|row| row.role.is_invisible() && row.role != Role::Space);
            assert_eq!(crate::is_harmful(character), is_rare || is_listed, "{:04X}", u32::from(character));
        }
    }
}
