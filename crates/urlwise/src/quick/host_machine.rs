//! Host names octet by octet, by a machine of a few states.

/// A state of the machine that reads host names: the place of its bits in a row.
///
/// What an octet does to each state is a few bits of the octet's row, and the state says which of them: the state after an
/// octet is its row shifted down by the state before. So reading an octet is a look-up and a shift, without a branch.
type State = u32;

/// Six bits to shift by, and one that marks the states in which the machine stops.
const BITS: u32 = 7;
const STOPPED: State = 1 << (BITS - 1);
/// A host name has ended with the octet before.
const ENDED: State = STOPPED;
/// The octet may not stand here.
const ODD: State = STOPPED | 1;
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

/// `*[ domainlabel "." ] toplabel`: labels of letters, digits and inner hyphens, the last one beginning with a letter.
static ROWS: [u64; 256] = {
    let mut rows = [row([ODD, ENDED, ODD, ODD, ODD]); 256];
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
    rows[b'-' as usize] = row([ODD, NAME_HYPHEN, NUMBER_HYPHEN, NAME_HYPHEN, NUMBER_HYPHEN]);
    rows[b'.' as usize] = row([ODD, LABEL, LABEL, ODD, ODD]);
    rows
};

/// Where the host name that begins at `start` ends; `start` itself where none begins there, or one that ends with a digit
/// label, an empty label or a hyphen.
pub(crate) fn plain(octets: &[u8], start: usize) -> usize {
    // Of the state before, a shift sees six bits.
    let next = |state, octet: u8| ROWS[octet as usize].wrapping_shr(state) as State;
    let ended = |state, at| match state & ((1 << BITS) - 1) {
        ENDED | NAME => at,
        _ => start,
    };
    let mut state = LABEL;
    let mut at = start;
    // Eight octets are one turn of the loop, so that an octet costs nothing but its look-up.
    while let Some(eight) = octets.get(at..at + 8) {
        for (i, &octet) in eight.iter().enumerate() {
            state = next(state, octet);
            if state & STOPPED != 0 {
                return ended(state, at + i);
            }
        }
        at += 8;
    }
    while at < octets.len() {
        state = next(state, octets[at]);
        if state & STOPPED != 0 {
            break;
        }
        at += 1;
    }
    ended(state, at)
}
