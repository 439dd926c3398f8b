//! What the options that every command has say.

use urlwise::Profile;

use crate::style::Look;

/// What every command needs to know besides its input.
pub(crate) struct Context {
    pub(crate) profile: Profile,
    /// The profile that was asked for.
    pub(crate) asked: Option<Profile>,
    pub(crate) all_problems: bool,
    pub(crate) json: bool,
    pub(crate) show_secrets: bool,
    pub(crate) look: Look,
}

impl Context {
    /// How many problems of a URL are shown (D-87).
    pub(crate) fn most_problems(&self, url: &[u8]) -> usize {
        let fit = (ROOM + 3 * url.len()) / OF_ONE;
        if self.all_problems { fit.min(ALL_PROBLEMS) } else { MOST_PROBLEMS }
    }
}

/// Of more problems of one URL the worst are shown, and the others are counted.
const MOST_PROBLEMS: usize = 20;
/// The same with `--all-problems`: an escape that is not needed is one problem, and a text may have a million of them.
const ALL_PROBLEMS: usize = 1000;
/// What a URL has room for beside three times itself, in octets, and what one problem takes in the longest of the formats.
const ROOM: usize = 64 << 10;
const OF_ONE: usize = 1 << 10;
