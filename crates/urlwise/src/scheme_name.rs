//! A [`Scheme`] as its name: what it looks like in formats, parses from, and is looked up by in maps.

use core::borrow::Borrow;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::str::FromStr;

use crate::profile::Profile;
use crate::scheme::Scheme;

/// What [`Scheme::Other`] is called: its name stands in each URL.
const OTHER: &str = "other";

impl Scheme {
    /// The name in lower case, `other` for [`Scheme::Other`]. [`name`](Scheme::name) is `None` then.
    ///
    /// ```
    /// use std::collections::HashMap;
    /// use urlwise::{Scheme, Url};
    ///
    /// let url = Url::parse("FTP://host.dom/")?;
    /// assert!(url.scheme() == *"ftp");
    /// assert_eq!(format!("{:>6}", url.scheme()), "   ftp");
    /// assert_eq!("ftp".parse(), Ok(Scheme::Ftp));
    /// assert_eq!(HashMap::from([(url.scheme(), 21)]).get("ftp"), Some(&21));
    /// # Ok::<(), urlwise::ParseError>(())
    /// ```
    pub fn as_str(self) -> &'static str {
        self.name().unwrap_or(OTHER)
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Scheme {
    type Err = UnknownScheme;

    /// The scheme of this name, in any case, under the profile `current`, which knows them all. `other` is the name of none:
    /// what [`as_str`](Scheme::as_str) calls [`Scheme::Other`] is not read back.
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match Scheme::from_name(name.as_bytes(), Profile::Current) {
            Scheme::Other => Err(UnknownScheme),
            scheme => Ok(scheme),
        }
    }
}

impl PartialEq<str> for Scheme {
    fn eq(&self, name: &str) -> bool {
        self.as_str() == name
    }
}

impl PartialEq<&str> for Scheme {
    fn eq(&self, name: &&str) -> bool {
        self.as_str() == *name
    }
}

// `Borrow` asks that hash and order are those of the name. Two schemes are equal where their names are.
impl Borrow<str> for Scheme {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl Hash for Scheme {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl PartialOrd for Scheme {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Scheme {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

/// A name that is not that of a known scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownScheme;

impl fmt::Display for UnknownScheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("RFC 1738 has no scheme of this name, and neither has the profile `current`")
    }
}

impl core::error::Error for UnknownScheme {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeSet, HashSet};
    use std::string::ToString;
    use std::vec::Vec;

    #[test]
    fn a_scheme_is_its_name_to_formats_parsers_and_maps() {
        let schemes: Vec<Scheme> =
            Scheme::RFC1738.iter().chain(Scheme::SIBLINGS.iter()).chain([&Scheme::Other]).copied().collect();
        let hashed: HashSet<Scheme> = schemes.iter().copied().collect();
        let sorted: BTreeSet<Scheme> = schemes.iter().copied().collect();
        assert_eq!((hashed.len(), sorted.len()), (schemes.len(), schemes.len()));
        for scheme in schemes {
            let name = scheme.to_string();
            let read = if scheme == Scheme::Other { Err(UnknownScheme) } else { Ok(scheme) };
            assert_eq!(name.parse(), read);
            assert_eq!(name.to_ascii_uppercase().parse(), read);
            assert!(scheme == *name && scheme == name.as_str());
            assert_eq!((hashed.get(name.as_str()), sorted.get(name.as_str())), (Some(&scheme), Some(&scheme)));
        }
        assert_eq!("x-new".parse::<Scheme>(), Err(UnknownScheme));
        assert_eq!("".parse::<Scheme>(), Err(UnknownScheme));
    }
}
