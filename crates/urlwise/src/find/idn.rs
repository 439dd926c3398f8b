//! Host names in scripts that put words next to each other without a space.
//!
//! In such a script nothing but the dots tells where a name ends, so only in a host letters of all scripts belong to
//! the URL.

/// A host is searched no further than this from the start of the login, in octets, so that the search stays linear.
const LONGEST: usize = 1 << 10;

/// What is known of a login, host and port while the end of its URL is looked for. Each octet is looked at once, however many
/// labels there are.
pub(super) struct Host {
    /// Where the scheme-specific part starts.
    start: usize,
    /// The octets before it were looked at.
    seen: usize,
    /// Whether there is one, and it goes on there.
    is_open: bool,
    /// How many dots there are behind the login.
    dots: usize,
    /// Whether what stands behind the login is US-ASCII.
    is_ascii: bool,
}

impl Host {
    /// The one that a scheme-specific part starts with.
    pub(super) fn new(text: &[u8], start: usize) -> Self {
        let is_open = text[start..].starts_with(b"//");
        Self { start, seen: start + 2, is_open, dots: 0, is_ascii: true }
    }

    /// The number of octets of the letters at `at` that belong to a host name; `None` where the host has no such letters.
    /// Places are asked about in ascending order.
    #[cold]
    pub(super) fn letters(&mut self, text: &[u8], at: usize) -> Option<usize> {
        if !self.is_open || at - self.start > LONGEST {
            return None;
        }
        for octet in text.get(self.seen..at)? {
            match octet {
                b'/' | b'?' | b'#' => {
                    self.is_open = false;
                    return None;
                }
                b'@' => (self.dots, self.is_ascii) = (0, true),
                b'.' => self.dots += 1,
                _ => self.is_ascii &= octet.is_ascii(),
            }
        }
        self.seen = at;
        let length = run(&text[at..text.len().min(at + LONGEST)]);
        let behind = &text[at + length..];
        (length > 0 && (continues(behind) || self.is_label(text[at - 1], behind))).then_some(length)
    }

    /// Whether letters with this text around them are a label, and not the text behind a URL: they start a label, and the
    /// URL goes on behind them or is not complete without them.
    fn is_label(&self, before: u8, behind: &[u8]) -> bool {
        // With nothing of the host before them, this is the slash or the `@`.
        let starts = matches!(before, b'.' | b'-' | b'/' | b'@') || !before.is_ascii();
        let goes_on = matches!(behind, [b'/' | b'?' | b'#', ..] | [b':', b'0'..=b'9', ..]);
        let has_no_end = !self.is_ascii || self.dots < 2;
        starts && (goes_on || has_no_end)
    }
}

/// The length of the letters at the start.
fn run(text: &[u8]) -> usize {
    let mut length = 0;
    while let Some(letter) = character(&text[length..]).filter(|&character| is_letter(character)) {
        length += letter.len_utf8();
    }
    length
}

/// The first character, if the text starts with one.
pub(super) fn character(text: &[u8]) -> Option<char> {
    let first = &text[..text.len().min(4)];
    let valid = match core::str::from_utf8(first) {
        Ok(valid) => valid,
        Err(error) => core::str::from_utf8(&first[..error.valid_up_to()]).unwrap_or_default(),
    };
    valid.chars().next()
}

/// Whether a character outside US-ASCII can be part of a label: letters and digits, and the signs within words of
/// South Asian scripts and Thai that Unicode does not call alphabetic.
fn is_letter(character: char) -> bool {
    let is_sign = matches!(character, '\u{300}'..='\u{36F}' | '\u{E47}'..='\u{E4E}' | '\u{1039}' | '\u{103A}' | '\u{17D2}')
        || matches!(character, '\u{900}'..='\u{DFF}' if matches!(u32::from(character) & 0x7F, 0x3C | 0x4D));
    !character.is_ascii() && (character.is_alphanumeric() || is_sign)
}

/// Whether the next label follows, which no other text would.
fn continues(behind: &[u8]) -> bool {
    matches!(behind, [b'.' | b'-', next, ..] if next.is_ascii_alphanumeric() || !next.is_ascii())
}
