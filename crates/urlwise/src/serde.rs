//! With the feature `serde`: a URL is its text. Reading one checks it by the letter of RFC 1738.

use alloc::string::String;

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::url::Url;

impl<T: AsRef<str>> Serialize for Url<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Url<String> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Url::parse(String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Url<&'a str> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Url::parse(<&str>::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}
