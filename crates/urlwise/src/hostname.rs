//! The `hostname` of section 5 as a machine of five states, for names that leave nothing to say.
//!
//! `*[ domainlabel "." ] toplabel`: labels of letters, digits and inner hyphens, the last one beginning with a letter. The
//! state after an octet is a few bits of the octet's row, shifted down by the state before it, so that reading an octet
//! is a look-up and a shift, without a branch.

/// A state is the place of its bits in a row.
type State = u32;

/// Six bits to shift by, and one that tells the two last states from all others.
const BITS: u32 = 7;
/// Before the first octet of a label.
const LABEL: State = 0;
/// After a letter or digit of a label that began with a letter.
const NAME: State = BITS;
/// After a letter or digit of a label that began with a digit.
const NUMBER: State = 2 * BITS;
/// After a hyphen of the former.
const NAME_HYPHEN: State = 3 * BITS;
/// After a hyphen of the latter.
const NUMBER_HYPHEN: State = 4 * BITS;
const OVER: State = 1 << (BITS - 1);
/// A host name has ended with the octet before.
const ENDED: State = OVER;
/// Something else: not for this machine.
const NOT_PLAIN: State = OVER | 1;

/// The states that follow the first five, in their order.
const fn row(next: [State; 5]) -> u64 {
    let mut row = 0;
    let mut i = 0;
    while i < next.len() {
        row |= (next[i] as u64) << (i as u32 * BITS);
        i += 1;
    }
    row
}

static ROWS: [u64; 256] = {
    let mut rows = [row([NOT_PLAIN, ENDED, NOT_PLAIN, NOT_PLAIN, NOT_PLAIN]); 256];
    let mut octet = 0;
    while octet < 128 {
        let character = octet as u8;
        if character.is_ascii_alphabetic() {
            rows[octet] = row([NAME, NAME, NUMBER, NAME, NUMBER]);
        } else if character.is_ascii_digit() {
            rows[octet] = row([NUMBER, NAME, NUMBER, NAME, NUMBER]);
        }
        octet += 1;
    }
    rows[b'-' as usize] = row([NOT_PLAIN, NAME_HYPHEN, NUMBER_HYPHEN, NAME_HYPHEN, NUMBER_HYPHEN]);
    rows[b'.' as usize] = row([NOT_PLAIN, LABEL, LABEL, NOT_PLAIN, NOT_PLAIN]);
    rows
};

/// The state after an octet. Of the state before, a shift sees six bits.
#[inline]
fn next(state: State, octet: u8) -> State {
    ROWS[octet as usize].wrapping_shr(state) as State
}

/// Where the host name that begins at `start` ends; `start` itself where none begins there, or one that ends with a digit
/// label, an empty label or a hyphen.
pub(crate) fn plain(octets: &[u8], start: usize) -> usize {
    /// All bits of a state.
    const STATE: State = (1 << BITS) - 1;
    let ended = |state, at| if state & STATE == ENDED { at } else { start };
    let mut state = LABEL;
    let mut at = start;
    // Eight octets are one turn of the loop, so that an octet costs nothing but its look-up.
    while let Some(eight) = octets.get(at..at + 8) {
        for (i, &octet) in eight.iter().enumerate() {
            state = next(state, octet);
            if state & OVER != 0 {
                return ended(state, at + i);
            }
        }
        at += 8;
    }
    while at < octets.len() {
        state = next(state, octets[at]);
        if state & OVER != 0 {
            return ended(state, at);
        }
        at += 1;
    }
    if state & STATE == NAME { at } else { start }
}

/// Where the `hostnumber` that begins at `start` ends; `start` itself where none begins there, or one with a group of more
/// than three digits. What follows it may be another digit.
pub(crate) fn plain_number(octets: &[u8], start: usize) -> usize {
    let mut at = start;
    for group in 0..4 {
        if group > 0 {
            if octets.get(at) != Some(&b'.') {
                return start;
            }
            at += 1;
        }
        let first = at;
        let mut number = 0;
        while at - first < 3
            && let Some(octet @ b'0'..=b'9') = octets.get(at)
        {
            number = number * 10 + u32::from(octet - b'0');
            at += 1;
        }
        if at == first || number > 255 {
            return start;
        }
    }
    at
}

/// The number of the `port` whose colon is at `colon`, and where its digits end: one to four digits, which are a port for
/// certain. `None` where there is no colon or no digit.
pub(crate) fn plain_port(octets: &[u8], colon: usize) -> Option<(u16, usize)> {
    let [b':', digits @ ..] = octets.get(colon..)? else {
        return None;
    };
    let mut port = 0;
    let mut length = 0;
    for &octet in digits.iter().take(4) {
        if !octet.is_ascii_digit() {
            break;
        }
        port = port * 10 + u16::from(octet - b'0');
        length += 1;
    }
    (length > 0).then_some((port, colon + 1 + length))
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[track_caller]
    fn ends(text: &str, end: usize) {
        assert_eq!(plain(text.as_bytes(), 0), end, "{text}");
    }

    #[test]
    fn names_end_where_their_characters_end() {
        ends("host.dom", 8);
        ends("3com.a-b--c.d0/x", 14);
        ends("a:80", 1);
        ends("a@b", 1);
    }

    #[test]
    fn whatever_needs_a_closer_look_is_no_plain_name() {
        for text in ["", ".", "a.", "a..b", "-a", "a-", "a-.b", "a.-b", "1.2.3.4", "a.1b", "a.b.1", "_a", "[::1]", "/"]
        {
            ends(text, 0);
        }
    }
}
