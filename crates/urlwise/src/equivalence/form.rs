//! [`NormalForm`]: which normal form is written.

use core::fmt;
use core::str::FromStr;

use crate::unknown_name::UnknownName;
#[cfg(doc)]
use crate::url::Url;

/// The strength of a normal form. Both keep escapes of reserved characters, user and password, empty segments, `.` and
/// `..`, and IPv4 addresses as written, since some programs read leading zeros as octal. Another form may come between these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NormalForm {
    /// Changes that are safe for any program: escapes of letters, digits and ``$-_.+!*'(),`` are decoded and other
    /// escapes are uppercase; scheme and host are lowercase, and an IPv6 address is
    /// written as RFC 5952 recommends; the default port and leading zeros of a port are removed.
    Safe,
    /// Also applies the rules of RFC 1738 for the scheme: every character that is not reserved in its part is decoded,
    /// and equivalent texts are written in one way. [`Url::compare`] calls URLs the same if these forms are equal.
    Scheme,
}

impl NormalForm {
    /// Both forms, weaker first.
    pub const ALL: &'static [NormalForm] = &[NormalForm::Safe, NormalForm::Scheme];

    /// `safe` or `scheme`.
    pub const fn name(self) -> &'static str {
        match self {
            NormalForm::Safe => "safe",
            NormalForm::Scheme => "scheme",
        }
    }
}

impl fmt::Display for NormalForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for NormalForm {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let known = NormalForm::ALL.iter().copied().find(|form| form.name() == name);
        known.ok_or(UnknownName::because("a normal form is `safe` or `scheme`"))
    }
}
