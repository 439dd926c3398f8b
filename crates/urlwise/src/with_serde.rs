//! With the feature `serde`: a URL is its text.
//!
//! [`Url`] is read strictly by RFC 1738, [`Current`] by the profile `current`. A field that should be a plain [`Url`] can name
//! its profile with `#[serde(with = "urlwise::with_serde::current")]`:
//!
//! ```
//! use serde::{Deserialize, Serialize};
//! use urlwise::{Current, Url};
//!
//! #[derive(Deserialize, Serialize)]
//! struct Entry<'a> {
//!     gopher: Url<String>,
//!     #[serde(with = "urlwise::with_serde::current")]
//!     web: Url<String>,
//!     #[serde(borrow, with = "urlwise::with_serde::current")]
//!     icon: Url<&'a str>,
//!     mirrors: Vec<Current<String>>,
//! }
//!
//! let json = r#"{"gopher":"gopher://host.dom/","web":"https://host.dom/~jim","icon":"https://host.dom/i","mirrors":["ftps://host.dom/"]}"#;
//! let entry: Entry = serde_json::from_str(json)?;
//! assert_eq!(serde_json::to_string(&entry)?, json);
//! # Ok::<(), serde_json::Error>(())
//! ```

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::current::Current;
use crate::profile::Profile;
use crate::url::Url;

fn deserialize<'de, T, D>(profile: Profile, deserializer: D) -> Result<Url<T>, D::Error>
where
    T: AsRef<str> + Deserialize<'de>,
    D: Deserializer<'de>,
{
    Url::parse_with(T::deserialize(deserializer)?, profile).map_err(D::Error::custom)
}

impl<T: AsRef<str>> Serialize for Url<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de, T: AsRef<str> + Deserialize<'de>> Deserialize<'de> for Url<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize(Profile::Rfc1738, deserializer)
    }
}

impl<T: AsRef<str>> Serialize for Current<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de, T: AsRef<str> + Deserialize<'de>> Deserialize<'de> for Current<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Current::parse(T::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

macro_rules! with_profile {
    ($(#[$doc:meta])* $name:ident, $profile:expr) => {
        $(#[$doc])*
        pub mod $name {
            use serde::{Deserialize, Deserializer, Serialize, Serializer};

            use crate::profile::Profile;
            use crate::url::Url;

            /// Writes the text.
            ///
            /// # Errors
            /// Those of the serializer.
            pub fn serialize<T: AsRef<str>, S: Serializer>(url: &Url<T>, serializer: S) -> Result<S::Ok, S::Error> {
                url.serialize(serializer)
            }

            /// Reads the text as a URL.
            ///
            /// # Errors
            /// Those of the deserializer, and the problem of a text that is not a URL.
            pub fn deserialize<'de, T, D>(deserializer: D) -> Result<Url<T>, D::Error>
            where
                T: AsRef<str> + Deserialize<'de>,
                D: Deserializer<'de>,
            {
                super::deserialize($profile, deserializer)
            }
        }
    };
}

with_profile!(
    /// For `#[serde(with = "urlwise::with_serde::rfc1738")]`: reads strictly by RFC 1738, as without it.
    rfc1738,
    Profile::Rfc1738
);

with_profile!(
    /// For `#[serde(with = "urlwise::with_serde::current")]`: reads by the profile `current`.
    current,
    Profile::Current
);
