//! What is known of a document of which only a part has arrived, as a line of JSON beside the partial file.
//!
//! It says whether a later answer is the same document (S-31). Passwords are masked in it (S-14).

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::Value;
use urlwise_open::Metadata;

use crate::json::Object;

/// The first field, by which such a file is known.
const KIND: (&str, &str) = ("urlwise", "partial");

/// Of which URL something is a part, and what was said of the document then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct About {
    /// The URL that was given, its password masked.
    pub(super) url: String,
    pub(super) facts: Metadata,
}

impl About {
    /// One line of JSON. Times before 1970 are as good as unknown.
    pub(super) fn text(&self) -> String {
        let modified = self.facts.modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let mut object = Object::new();
        object.insert(KIND.0.into(), KIND.1.into());
        object.insert("url".into(), self.url.as_str().into());
        object.insert("size".into(), self.facts.size.into());
        object.insert("modified".into(), modified.map(|since| since.as_secs()).into());
        object.insert("nanoseconds".into(), modified.map(|since| since.subsec_nanos()).into());
        object.insert("validator".into(), self.facts.validator.as_deref().into());
        format!("{}\n", Value::from(object))
    }

    /// Reads what [`text`](About::text) wrote; `None` for anything else.
    pub(super) fn parse(text: &str) -> Option<About> {
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
        let mut facts = Metadata::default();
        facts.size = number("size");
        facts.modified = modified;
        facts.validator = text("validator");
        Some(About { url: text("url")?, facts })
    }
}

#[cfg(test)]
mod tests {
    use super::About;
    use proptest::prelude::*;
    use std::time::{Duration, UNIX_EPOCH};
    use urlwise_open::Metadata;

    proptest! {
        #[test]
        fn what_is_written_is_read_again(
            size: Option<u64>,
            modified: Option<(u32, u16)>,
            validator in proptest::option::of("\\PC*"),
        ) {
            let modified = modified.map(|(seconds, more)| UNIX_EPOCH + Duration::new(seconds.into(), more.into()));
            let mut facts = Metadata::default();
            (facts.size, facts.modified, facts.validator) = (size, modified, validator);
            let about = About { url: "ftp://jim@h.dom/x".into(), facts };
            prop_assert_eq!(About::parse(&about.text()), Some(about));
        }

        #[test]
        fn any_other_text_is_none_of_these(text in "\\PC*") {
            prop_assert_eq!(About::parse(&text), None);
        }
    }

    #[test]
    fn times_that_cannot_be_are_unknown() {
        for time in [r#""modified":18446744073709551615,"nanoseconds":0"#, r#""modified":1,"nanoseconds":9999999999"#] {
            let about = About::parse(&format!(r#"{{"urlwise":"partial","url":"x:y",{time}}}"#)).expect("it is one");
            assert_eq!(about.facts.modified, None);
        }
    }
}
