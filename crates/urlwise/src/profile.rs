//! The two grammars a text can be read by.

use core::{fmt, str::FromStr};

/// Which grammar a text is read by. Both are exact; neither repairs anything. There will be no third: what later RFCs change, `current`
/// takes up.
///
/// ```
/// use urlwise::{Profile, Url};
///
/// let text = "http://host.dom/~jim/";
/// assert!(Url::parse_with(text, Profile::Rfc1738).is_err()); // `~` must be written %7E: section 2.2
/// assert!(Url::parse_with(text, Profile::Current).is_ok());
/// assert_eq!("current".parse(), Ok(Profile::Current));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Profile {
    /// RFC 1738, strictly: section 5, narrowed by the prose.
    #[default]
    Rfc1738,
    /// RFC 1738 as its successors changed it: what today's readers write, where it can be read in one way only.
    Current,
}

impl Profile {
    /// Both, the default first.
    pub const ALL: &'static [Profile] = &[Profile::Rfc1738, Profile::Current];

    /// `rfc1738` or `current`.
    pub const fn name(self) -> &'static str {
        match self {
            Profile::Rfc1738 => "rfc1738",
            Profile::Current => "current",
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Profile {
    type Err = UnknownProfile;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Profile::ALL.iter().copied().find(|profile| profile.name() == name).ok_or(UnknownProfile)
    }
}

/// A name that is neither `rfc1738` nor `current`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownProfile;

impl fmt::Display for UnknownProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("a profile is `rfc1738` or `current`")
    }
}

impl core::error::Error for UnknownProfile {}
