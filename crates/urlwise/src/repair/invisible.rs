//! Characters that cannot be seen (D-79).

use super::halt::Halt;
use super::rules::INVISIBLE;
use crate::character::{self, Role};
use crate::word;

/// Refuses a text with an invisible character: it is unclear whether it was meant. It stands at `start` of the draft.
pub(super) fn refuse(text: &[u8], start: usize) -> Result<(), Halt> {
    let tab = word::position(text, b'\t');
    let unseen = character::position(&text[..tab.unwrap_or(text.len())], Role::is_invisible);
    match unseen.or(tab.map(|tab| (tab, '\t'))) {
        Some((at, c)) => Err(Halt::character(&INVISIBLE, start + at, c)),
        None => Ok(()),
    }
}
