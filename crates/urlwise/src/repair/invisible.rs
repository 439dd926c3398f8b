//! Characters that cannot be seen (D-79).

use super::halt::Halt;
use super::rules::INVISIBLE;
use crate::character;

/// Refuses a text with an invisible character: it is unclear whether it was meant. It stands at `start` of the draft.
pub(super) fn refuse(text: &[u8], start: usize) -> Result<(), Halt> {
    // What most texts are.
    if text.is_ascii() && !text.contains(&b'\t') {
        return Ok(());
    }
    let mut at = start;
    for chunk in text.utf8_chunks() {
        let found = chunk.valid().char_indices().find(|(_, c)| {
            *c == '\t' || (!c.is_ascii() && character::of(*c).is_some_and(|row| row.role.is_invisible()))
        });
        if let Some((place, c)) = found {
            return Err(Halt::character(&INVISIBLE, at + place, c));
        }
        at += chunk.valid().len() + chunk.invalid().len();
    }
    Ok(())
}
