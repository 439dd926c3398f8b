//! `NAME.part.json`: the description of a partial file, one line of JSON (docs/json.md).
//!
//! It is used to check that a later answer is the same document (S-31). The fields are, in this order:
//!
//! - `urlwise`: always `partial`, by which such a file is known,
//! - `url`: the URL on the command line, with its password masked (S-14),
//! - `size`: the size of the whole document in octets, or null,
//! - `modified`: its date in seconds since 1970, or null,
//! - `nanoseconds`: the fraction of that second, or null,
//! - `validator`: the entity tag, or null.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value};
use urlwise_open::Metadata;

/// The first field, which identifies such a file.
const KIND: (&str, &str) = ("urlwise", "partial");

/// The URL of a partial file, and the metadata of its document.
///
/// ```
/// use urlwise_formats::partial::PartialInfo;
/// use urlwise_open::Metadata;
///
/// let info = PartialInfo { url: "ftp://h.example/x".to_owned(), metadata: Metadata::default().with_size(1_024) };
/// let text = info.text();
/// assert_eq!(
///     text,
///     "{\"urlwise\":\"partial\",\"url\":\"ftp://h.example/x\",\"size\":1024,\
///      \"modified\":null,\"nanoseconds\":null,\"validator\":null}\n"
/// );
/// assert_eq!(PartialInfo::parse(&text), Some(info));
/// assert_eq!(PartialInfo::parse("{\"size\":1024}"), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialInfo {
    /// The URL on the command line, with its password masked. In a file of somebody else it may be any text.
    pub url: String,
    /// The size, date and validator of the document, each `None` if it is not known. The media type is not written, and is `None` in what
    /// is read.
    pub metadata: Metadata,
}

impl PartialInfo {
    /// One line of JSON, with its end. Times before 1970 are left out.
    pub fn text(&self) -> String {
        let modified = self.metadata.modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let mut object = Map::new();
        object.insert(KIND.0.into(), KIND.1.into());
        object.insert("url".into(), self.url.as_str().into());
        object.insert("size".into(), self.metadata.size.into());
        object.insert("modified".into(), modified.map(|since| since.as_secs()).into());
        object.insert("nanoseconds".into(), modified.map(|since| since.subsec_nanos()).into());
        object.insert("validator".into(), self.metadata.validator.as_deref().into());
        format!("{}\n", Value::from(object))
    }

    /// Reads what [`text`](PartialInfo::text) wrote; `None` for anything else. A field other than the first two that is missing, or has a
    /// value that it cannot have, is one that is not known.
    ///
    /// ```
    /// use urlwise_formats::partial::PartialInfo;
    ///
    /// let text = r#"{"urlwise":"partial","url":"ftp://h.example/x","size":"long","validator":"\"v\""}"#;
    /// let info = PartialInfo::parse(text).expect("it is a description");
    /// assert_eq!((info.metadata.size, info.metadata.validator.as_deref()), (None, Some("\"v\"")));
    /// ```
    pub fn parse(text: &str) -> Option<PartialInfo> {
        let value: Value = serde_json::from_str(text).ok()?;
        if value.get(KIND.0)? != KIND.1 {
            return None;
        }
        let number = |name: &str| value.get(name).and_then(Value::as_u64);
        let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
        let modified = number("modified").and_then(|seconds| {
            let nanoseconds = u32::try_from(number("nanoseconds")?).ok().filter(|part| *part < 1_000_000_000)?;
            SystemTime::checked_add(&UNIX_EPOCH, Duration::new(seconds, nanoseconds))
        });
        let mut metadata = Metadata::default();
        metadata.size = number("size");
        metadata.modified = modified;
        metadata.validator = text("validator");
        Some(PartialInfo { url: text("url")?, metadata })
    }
}

#[cfg(test)]
mod tests {
    use super::PartialInfo;
    use proptest::prelude::*;
    use std::time::{Duration, UNIX_EPOCH};
    use urlwise_open::Metadata;

    /// What such a file is made of, right and wrong.
    const PARTS: &[&str] = &[
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        "\\u0000",
        "\\ud800",
        "null",
        "true",
        "1",
        "-1",
        "1e999",
        "18446744073709551615",
        "18446744073709551616",
        " ",
        "\n",
        "\u{1b}",
        "\u{e9}",
        "{\"urlwise\":\"partial\"",
        ",\"url\":\"ftp://h.dom/x\"",
        ",\"url\":7",
        ",\"size\":5",
        ",\"size\":null",
        ",\"modified\":9223372036854775807",
        ",\"modified\":7",
        ",\"nanoseconds\":999999999",
        ",\"nanoseconds\":1000000000",
        ",\"validator\":\"\\\"v\\\"\"",
        ",\"validator\":[]",
        "\"urlwise\":\"full\"",
    ];

    proptest! {
        #![proptest_config(crate::testing::at_least(20_000))]

        #[test]
        fn any_text_describes_nothing_or_what_can_be_written_again(parts in prop::collection::vec(prop::sample::select(PARTS), 0..12)) {
            let text = format!("{{\"urlwise\":\"partial\"{}}}", parts.concat());
            for text in [&text, &text[1..], &parts.concat()] {
                if let Some(info) = PartialInfo::parse(text) {
                    prop_assert_eq!(PartialInfo::parse(&info.text()), Some(info), "{}", text);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_written_can_be_read(
            size: Option<u64>,
            modified: Option<(u32, u16)>,
            validator in proptest::option::of("\\PC*"),
        ) {
            let modified = modified.map(|(seconds, more)| UNIX_EPOCH + Duration::new(seconds.into(), more.into()));
            let mut metadata = Metadata::default();
            (metadata.size, metadata.modified, metadata.validator) = (size, modified, validator);
            let info = PartialInfo { url: "ftp://jim@h.dom/x".into(), metadata };
            prop_assert_eq!(PartialInfo::parse(&info.text()), Some(info));
        }

        #[test]
        fn any_other_text_is_rejected(text in "\\PC*") {
            prop_assert_eq!(PartialInfo::parse(&text), None);
        }
    }

    #[test]
    fn impossible_times_are_left_out() {
        let modified = |seconds: u64, nanoseconds: u64| {
            let time = format!(r#""modified":{seconds},"nanoseconds":{nanoseconds}"#);
            let text = format!(r#"{{"urlwise":"partial","url":"x:y",{time}}}"#);
            PartialInfo::parse(&text).expect("it is one").metadata.modified
        };
        assert_eq!(modified(1, 999_999_999), Some(UNIX_EPOCH + Duration::new(1, 999_999_999)));
        // A second has no more nanoseconds; added to the last second they would be more than a time can hold.
        for (seconds, nanoseconds) in
            [(1, 1_000_000_000), (u64::MAX, 1_000_000_000), (1, 9_999_999_999), (u64::MAX, 0), (u64::MAX, u64::MAX)]
        {
            assert_eq!(modified(seconds, nanoseconds), None, "{seconds} {nanoseconds}");
        }
    }
}
