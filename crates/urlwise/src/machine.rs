//! Machines of a few states that read most hosts and addresses, at six instructions an octet.
//!
//! What an octet does to each state is a few bits of the octet's row, and the state says which of them: the state after an
//! octet is its row shifted down by the state before. So reading an octet is a look-up and a shift, without a branch.

/// A state is the place of its bits in a row: `0`, `BITS`, `2 * BITS` and so on.
pub(crate) type State = u32;

/// Six bits to shift by, and one that tells the states in which a machine stops from all others.
pub(crate) const BITS: u32 = 7;
const STOPPED: State = 1 << (BITS - 1);
/// What is read has ended with the octet before.
pub(crate) const ENDED: State = STOPPED;
/// The octet may not stand here.
pub(crate) const ODD: State = STOPPED | 1;

/// One row for each octet.
pub(crate) type Rows = [u64; 256];

/// The states that follow states `0`, `BITS`, `2 * BITS` and so on.
pub(crate) const fn row(next: &[State]) -> u64 {
    let mut row = 0;
    let mut i = 0;
    while i < next.len() {
        row |= (next[i] as u64) << (i as u32 * BITS);
        i += 1;
    }
    row
}

/// Reads on from a state; returns the last state, and the place of the octet at which the machine stopped or the length of
/// the text.
#[inline(always)]
pub(crate) fn run(rows: &Rows, octets: &[u8], from: usize, state: State) -> (State, usize) {
    // Of the state before, a shift sees six bits.
    let next = |state, octet| rows[usize::from(octet)].wrapping_shr(state) as State;
    let bits = |state| state & ((1 << BITS) - 1);
    let mut state = state;
    let mut at = from;
    // Eight octets are one turn of the loop, so that an octet costs nothing but its look-up.
    while let Some(eight) = octets.get(at..at + 8) {
        for (i, &octet) in eight.iter().enumerate() {
            state = next(state, octet);
            if state & STOPPED != 0 {
                return (bits(state), at + i);
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
    (bits(state), at)
}
